"""The lesson on sampler convergence, as a reader meets it."""

from __future__ import annotations

import pytest

from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "07_sampler_convergence.ipynb"
FIGURES, PANELS = 4, 2
LIKELIHOOD, AGREEMENT, SPEED, VARIATION = range(4)
RACE, BIAS = range(2)


def test_samplers_climb_and_the_quick_ones_are_there_first(ran):
    for name in ("naive", "cholesky", "alias", "precision", "fast"):
        seconds, sweeps = ran.trace(LIKELIHOOD, name, "x"), ran.trace(LIKELIHOOD, name, "x2")
        assert seconds["y"] == sweeps["y"]
        assert seconds["y"][-1] > seconds["y"][0]
        assert seconds["x"] == sorted(seconds["x"])
        assert sweeps["x"] == list(range(1, len(sweeps["x"]) + 1))
    speed = ran.trace(SPEED, "tokens per second", "x")
    of = dict(zip(speed["y"], speed["x"], strict=True))
    assert of["precision"] > 2 * of["naive"]
    assert of["fast"] > 2 * of["cholesky"]


def test_acceptance_and_r_hat_are_drawn(ran):
    assert all(0 < share <= 1 for share in ran.trace(AGREEMENT, "fast", "x")["y"])
    assert ran.trace(AGREEMENT, "cholesky", "x") is None
    assert ran.trace(AGREEMENT, "precision", "x2")["y"]


def test_a_stale_table_is_accepted_less_often(ran):
    fresh = ran.trace(AGREEMENT, "fast", "x")["y"][15]
    before, after = ran.drag_slider(400, 1, RACE)
    assert (before, after) == ("1", "20")
    # A sweep of fast is over long before the slow ones are done.
    ran.page.wait_for_function(
        """([figure, fresh]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            return plot.data.find(trace => trace.name === 'fast')?.y[15] < fresh;
        }""",
        arg=[AGREEMENT, fresh],
        timeout=120_000,
    )


def test_a_race_can_be_run_stopped_and_run_again(ran):
    """Naive is watched: it sweeps slowly to the end of the race, where the quick ones are done in a moment."""
    swept = """figure => document.querySelectorAll('.semwork-figure')[figure].data
        .find(trace => trace.name === 'naive' && trace.xaxis === 'x2')?.x.length ?? 0"""
    ran.wait_status("Done", 300_000, RACE)
    whole = ran.page.evaluate(swept, LIKELIHOOD)
    ran.button("Run", RACE).click()
    ran.page.wait_for_function(
        f"([figure, whole]) => ({swept})(figure) < whole", arg=[LIKELIHOOD, whole], timeout=60_000
    )
    ran.button("Stop", RACE).click()
    ran.wait_status("Stopped", 300_000, RACE)
    done = ran.page.evaluate(swept, LIKELIHOOD)
    ran.page.wait_for_timeout(700)
    assert ran.page.evaluate(swept, LIKELIHOOD) == done < whole
    ran.button("Run", RACE).click()
    ran.page.wait_for_function(f"([figure, done]) => ({swept})(figure) > done", arg=[LIKELIHOOD, done], timeout=120_000)
    ran.button("Stop", RACE).click()
    ran.wait_status("Stopped", 300_000, RACE)


def test_frozen_tables_end_at_the_floor_and_refreshed_ones_do_not(ran):
    floor = ran.trace(VARIATION, "independent draws", "x")["y"][-1]
    exact = ran.trace(VARIATION, "precision", "x")["y"]
    assert ran.trace(VARIATION, "fast", "x")["y"][-1] < 1.4 * floor
    before, after = ran.drag_slider(600, 0, BIAS)
    assert (before, after) == ("never: frozen", "every sweep")
    ran.wait_settled(BIAS)
    assert ran.trace(VARIATION, "fast", "x")["y"][-1] > 2 * floor
    assert ran.trace(VARIATION, "alias", "x")["y"][-1] > 1.3 * floor
    assert ran.trace(VARIATION, "precision", "x")["y"] == exact


def test_the_tables_can_be_saved(ran):
    for panel, figures in ((RACE, {"likelihood", "agreement", "speed"}), (BIAS, {"figure"})):
        table = ran.table(panel)
        assert set(table.get("figure", ["figure"])) == figures
    saved = table[table["trace"] == "fast"]["y"].astype(float).to_list()
    assert saved == pytest.approx(ran.trace(VARIATION, "fast", "x")["y"])


@pytest.mark.data("newsgroups", "glove")
def test_on_newsgroups_samplers_climb_and_naive_is_far_behind(real):
    notebook = real("sampler_race")
    data = notebook.page.locator(".semwork-controls .widget-dropdown select")
    data.select_option(label="20 newsgroups: 100 texts, GloVe")
    # Every sampler has swept once before any of them sweeps twice.
    notebook.page.wait_for_function(
        """figure => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            return plot.layout.title.text.startsWith('10,013 tokens, 20 topics: ')
                && plot.data.find(trace => trace.name === 'precision' && trace.xaxis === 'x2')?.x.length >= 5;
        }""",
        arg=LIKELIHOOD,
        timeout=300_000,
    )
    notebook.button("Stop").click()
    notebook.wait_status("Stopped", 120_000)
    notebook.picture("real_07")
    for name in ("precision", "fast"):
        climb = notebook.trace(LIKELIHOOD, name, "x2")["y"]
        assert climb[-1] > climb[0] + 2
    assert all(0.5 < share <= 1 for share in notebook.trace(AGREEMENT, "fast", "x")["y"])
    speed = notebook.trace(SPEED, "tokens per second", "x")
    of = dict(zip(speed["y"], speed["x"], strict=True))
    # With 50 dimensions it matters what a token costs: on the sample, with 12, the factor is a few.
    assert set(of) == {"naive", "cholesky", "alias", "precision", "fast"}
    assert min(of["precision"], of["fast"]) > 10 * of["naive"]
