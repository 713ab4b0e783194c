"""Panels without a browser: what a control does, what state, code and export give."""

from __future__ import annotations

import io
import json
import random
import threading
import time
from dataclasses import dataclass

import ipywidgets as ipw
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from semwork.plots import house_figure
from semwork.steps import Step
from semwork_widgets import Panel


@dataclass(frozen=True, kw_only=True)
class Square(Step):
    value: float


def compute(a, b):
    if a == 7:
        raise ValueError("a is 7; it can be anything else: choose another")
    for done in (1, 2):
        yield Square(done=done, total=2, value=a * a + b, message=f"a² + b = {a * a + b}")


def picture(step):
    figure = house_figure("Squares", "x", "y")
    figure.add_scatter(name="s", x=[0, 1], y=[0, step.value])
    return figure


def shown(panel):
    return panel.figures["figure"].figure.data[0].y[1]


@pytest.fixture
def panel():
    made = Panel(
        "Squares & more",
        {"a": ipw.IntSlider(2, 0, 9, tooltip="the side"), "b": ipw.FloatSlider(0.5, min=0, max=1)},
        compute,
        picture,
        code=lambda a, b: f"print({a} ** 2 + {b})",
    )
    made.wait()
    yield made
    made.close()


def test_a_panel_runs_at_once_and_follows_its_controls(panel):
    assert shown(panel) == 4.5
    panel.controls["a"].value = 3
    panel.wait()
    assert shown(panel) == 9.5
    assert "Done" in panel.parts.status.value
    assert "a² + b = 9.5" in panel.parts.status.value


def test_an_error_becomes_words_and_a_failed_test_and_the_panel_lives_on(panel):
    panel.controls["a"].value = 7
    with pytest.raises(ValueError, match="a is 7"):
        panel.wait()
    assert "choose another" in panel.parts.status.value
    assert 'role="alert"' in panel.parts.status.value
    assert isinstance(panel.error, ValueError)
    panel.controls["a"].value = 1
    panel.wait()
    assert panel.error is None
    assert shown(panel) == 1.5


def test_what_a_run_gave_before_it_failed_is_drawn_and_the_error_said():
    def fails(a):
        for done in range(1, a + 1):
            yield Square(done=done, total=a, value=done)  # faster than anything is drawn
        raise ValueError("1 cell failed")

    made = Panel("Squares", {"a": ipw.IntSlider(50, 0, 99)}, fails, picture)
    with pytest.raises(ValueError, match="1 cell failed"):
        made.wait()
    assert shown(made) == 50
    assert "1 cell failed" in made.parts.status.value
    made.close()


def test_an_error_in_a_handler_becomes_words(panel):
    panel.guarded(lambda: 1 / 0)
    assert "division by zero" in panel.parts.status.value
    assert isinstance(panel.job.errors[-1], ZeroDivisionError)


def test_words_from_outside_are_escaped(panel):
    panel._show_error(ValueError("<script>alert(1)</script>"))
    assert "<script>" not in panel.parts.status.value


def test_state_survives_json_and_restores(panel):
    text = json.dumps(panel.state)
    panel.controls["a"].value = 5
    panel.controls["b"].value = 0.25
    panel.wait()
    panel.state = json.loads(text)
    panel.wait()
    assert panel.settings == {"a": 2, "b": 0.5}
    assert shown(panel) == 4.5


def test_a_wrong_state_is_refused_and_nothing_is_lost(panel):
    with pytest.raises(ValueError, match="'z'"):
        panel.state = {"settings": {"z": 1}}
    with pytest.raises(TypeError, match="no settings"):
        panel.state = {"a": 1}
    with pytest.raises(ValueError, match="'b' cannot take 'many'"):
        panel.state = {"settings": {"a": 4, "b": "many"}}
    assert panel.settings == {"a": 2, "b": 0.5}


def test_the_drawer_shows_code_and_state_and_applies(panel):
    panel._show_code()
    assert panel.parts.box_text.value == "print(2 ** 2 + 0.5)"
    assert panel.parts.box.layout.display == ""
    panel._show_code()
    assert panel.parts.box.layout.display == "none"
    panel._show_state()
    state = json.loads(panel.parts.box_text.value)
    state["settings"]["a"] = 4
    panel.parts.box_text.value = json.dumps(state)
    panel._apply_box()
    panel.wait()
    assert shown(panel) == 16.5
    panel.parts.box_text.value = "{oops"
    with pytest.raises(ValueError, match="not JSON"):
        panel._apply_box()


def test_an_open_box_follows_the_picture_and_keeps_what_was_typed(panel):
    panel._show_code()
    panel.controls["a"].value = 3
    panel.wait()
    assert panel.parts.box_text.value == panel.code == "print(3 ** 2 + 0.5)"
    panel._show_state()
    panel.controls["a"].value = 4
    panel.wait()
    assert json.loads(panel.parts.box_text.value)["settings"]["a"] == 4
    panel.parts.box_text.value = "mine"
    panel.controls["a"].value = 5
    panel.wait()
    assert panel.parts.box_text.value == "mine"


def test_code_that_cannot_be_written_says_so_in_the_box_and_does_not_end_the_run():
    def code(a):
        if a > 1:
            raise ValueError("no code for this a")
        return f"print({a})"

    controls = {"a": ipw.IntSlider(1, 0, 9)}
    made = Panel("Code", controls, lambda a: compute(a, 0), picture, code=code)
    made.wait()
    made._show_code()
    controls["a"].value = 2
    made.wait()
    assert (shown(made), made.parts.box_text.value) == (4, "# no code for this a")
    made.close()


def test_a_state_is_written_in_letters_that_people_read():
    made = Panel("Names", {"name": ipw.Text("יוהנסבורג")}, lambda name: compute(1, 0), picture)
    made.wait()
    made._show_state()
    assert '"name": "יוהנסבורג"' in made.parts.box_text.value
    made.close()


def test_a_panel_says_that_it_is_fitting_until_there_is_something_to_see():
    let_go = threading.Event()

    def slow(a):
        assert let_go.wait(30)
        if a == 7:
            raise ValueError("a is 7")
        yield from compute(a, 0) if a else ()

    def seen(panel):
        layout = panel.figures["figure"].figure.layout
        return layout.title.text, layout.xaxis.visible, layout.yaxis.visible

    made = Panel("Slow", {"a": ipw.IntSlider(7, 0, 9)}, slow, picture, live=False)
    assert seen(made) == ("press Run to compute this picture", False, False)
    made.run()
    let_go.set()
    with pytest.raises(ValueError, match="a is 7"):
        made.wait()
    assert seen(made) == ("no picture: the run did not work", False, False)
    let_go.clear()
    made.controls["a"].value = 0
    made.run()
    deadline = time.monotonic() + 10
    while seen(made)[0] != "fitting …" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert seen(made) == ("fitting …", False, False)
    let_go.set()
    made.wait()
    assert seen(made) == ("no picture: the run has ended without a step", False, False)
    assert "earlier settings" not in made.parts.status.value
    made.controls["a"].value = 2
    made.run()
    made.wait()
    assert seen(made) == ("Squares", None, None)
    made.close()


def test_the_code_gives_the_same_result(panel, capsys):
    exec(panel.code)
    assert float(capsys.readouterr().out) == shown(panel)


def test_exports(panel):
    name, content, mime = panel.export("csv")
    assert (name, mime) == ("Squares-more.csv", "text/csv")
    assert pd.read_csv(io.BytesIO(content))["y"].to_list() == [0, 4.5]
    name, content, _ = panel.export("html")
    assert b"print(2 ** 2 + 0.5)" in content
    assert b"Squares &amp; more" in content
    assert panel.export("png")[1].startswith(b"\x89PNG")
    assert b"<svg" in panel.export("svg")[1]
    with pytest.raises(ValueError, match="html, csv, png, svg"):
        panel.export("doc")


def test_a_panel_without_code_says_so():
    panel = Panel("p", {}, lambda: [Step(done=1)], lambda step: go.Figure())
    panel.wait()
    with pytest.raises(ValueError, match="code"):
        _ = panel.code


def test_not_live_waits_for_run():
    ran = []
    panel = Panel(
        "p", {"a": ipw.IntSlider(1)}, lambda a: ran.append(a) or [Step(done=1)], lambda s: go.Figure(), live=False
    )
    panel.controls["a"].value = 5
    panel.job.wait(5)
    assert ran == []
    panel.parts.run.click()
    panel.wait()
    assert ran == [5]


def test_several_pictures_are_drawn_exported_and_stacked():
    panel = Panel(
        "two",
        {"a": ipw.IntSlider(3)},
        lambda a: [Square(done=1, value=a)],
        {"one": picture, "other": lambda step: go.Figure(go.Bar(name="b", x=["u"], y=[step.value]))},
    )
    panel.wait()
    assert panel.figures["other"].figure.data[0].y[0] == 3
    rows = pd.read_csv(io.BytesIO(panel.export("csv")[1]))
    assert set(rows["figure"]) == {"one", "other"}
    assert panel._picture_of_first_run().startswith(b"\x89PNG")


def test_stop_within_one_step_keeps_the_picture():
    stepped = threading.Event()

    def slow(a):
        for done in range(1, 1000):
            time.sleep(0.01)
            yield Square(done=done, total=1000, value=done)
            stepped.set()

    panel = Panel("slow", {"a": ipw.IntSlider(1)}, slow, picture)
    stepped.wait(5)
    time.sleep(0.4)
    assert "left" in panel.parts.status.value
    assert not panel.parts.stop.disabled
    panel.stop()
    panel.wait(5)
    assert "Stopped" in panel.parts.status.value
    assert panel.parts.stop.disabled
    assert shown(panel) == panel.last_step.value > 1


def test_fast_streams_draw_few_pictures_but_always_the_last():
    drawn = []

    def fast(a):
        for done in range(1, 2001):
            yield Square(done=done, total=2000, value=done)

    panel = Panel("fast", {"a": ipw.IntSlider(1)}, fast, lambda s: drawn.append(s.done) or picture(s))
    panel.wait()
    assert drawn[-1] == 2000
    assert drawn == sorted(drawn)
    assert len(drawn) < 500


def test_a_thousand_events_on_two_sliders_end_at_the_right_picture(panel):
    rng = random.Random(1)
    for _ in range(1000):
        if rng.random() < 0.5:
            panel.controls["a"].value = rng.choice([0, 1, 2, 3, 7, 8])
        else:
            panel.controls["b"].value = rng.randint(0, 10) / 10
        if rng.random() < 0.02:
            panel.stop()
        if rng.random() < 0.05:
            time.sleep(0.003)
    panel.state = {"settings": {"a": 3, "b": 0.5}}
    panel.wait()
    assert shown(panel) == 9.5
    assert panel.error is None
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and any(t.name == "semwork-job" for t in threading.enumerate()):
        time.sleep(0.01)
    assert not any(t.name == "semwork-job" for t in threading.enumerate())


def endless(a):
    done = 0
    while True:
        done += 1
        time.sleep(0.005)
        yield Square(done=done, value=done)


def test_a_cell_that_is_run_again_ends_the_work_of_its_old_panels(monkeypatch):
    monkeypatch.setattr("semwork_widgets.rerun.cell_and_execution", lambda: ("cell-1", "first"))
    old = [Panel("same", {"a": ipw.IntSlider(1)}, endless, picture) for _ in range(2)]
    assert all(panel.job.running for panel in old), "two panels of one execution live side by side"
    monkeypatch.setattr("semwork_widgets.rerun.cell_and_execution", lambda: ("cell-1", "second"))
    new = Panel("same", {"a": ipw.IntSlider(1)}, endless, picture)
    for panel in old:
        panel.wait(5)
        assert not panel.job.running
    assert new.job.running
    old[0].controls["a"].value = 9  # a control of the old panel may still be on the screen
    assert "run its cell again" in old[0].parts.status.value
    new.close()
    new.job.wait(5)


def test_stop_right_after_run_does_not_leave_the_panel_stopping():
    panel = Panel("quick", {"a": ipw.IntSlider(1)}, lambda a: [Square(done=1, value=a)], picture, live=False)
    for _ in range(50):
        panel.run()
        panel.stop()
        panel.wait(5)
        assert "Stopping" not in panel.parts.status.value
        assert panel.parts.stop.disabled


def test_code_and_export_speak_of_the_picture_not_of_controls_that_are_ahead():
    panel = Panel(
        "slow hand",
        {"a": ipw.IntSlider(1)},
        lambda a: [Square(done=1, value=a)],
        picture,
        code=lambda a: f"f({a})",
        live=False,
    )
    assert panel.code == "f(1)"
    panel.run()
    panel.wait()
    panel.controls["a"].value = 4
    assert panel.code == "f(1)"
    assert b"f(1)" in panel.export("html")[1]
    assert panel.state["settings"] == {"a": 4}


def test_a_run_stopped_before_its_first_step_does_not_quote_the_one_before():
    begun = threading.Event()

    def compute(a):
        if a == 3:
            begun.set()
            time.sleep(0.3)
        yield Square(done=1, total=1, value=a, message=f"result for {a}")

    panel = Panel("p", {"a": ipw.IntSlider(1)}, compute, picture)
    panel.wait()
    panel.controls["a"].value = 3
    begun.wait(5)
    panel.stop()
    panel.wait()
    assert "Stopped" in panel.parts.status.value
    assert "result for 1" not in panel.parts.status.value
    assert "earlier settings" in panel.parts.status.value


def test_states_of_odd_controls():
    panel = Panel(
        "odd",
        {
            "n": ipw.Dropdown(options=[np.int64(1), np.int64(2)]),
            "r": ipw.IntRangeSlider(value=(1, 3), min=0, max=9),
            "k": ipw.IntSlider(1, 0, 5),
        },
        lambda **_: [Square(done=1, value=1)],
        picture,
    )
    state = json.loads(json.dumps(panel.state))
    assert state["settings"] == {"n": 1, "r": [1, 3], "k": 1}
    state["settings"].update(n=2, r=[2, 5])
    panel.state = state
    assert panel.settings == {"n": 2, "r": (2, 5), "k": 1}
    for wrong, words in [
        ({"settings": {"k": 77}}, "'k' cannot take 77"),
        ({"settings": {}, "version": 9}, "version 9"),
        ({"settings": {}, "panel": "other"}, "'other'"),
    ]:
        with pytest.raises(ValueError, match=words):
            panel.state = wrong
    panel.wait()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"controls": {"a": 5}}, TypeError, "control 'a' is 5"),
        ({"pictures": {}}, ValueError, "at least one picture"),
    ],
)
def test_wrong_arguments_are_refused_in_words(arguments, error, words):
    good = {"title": "p", "controls": {}, "compute": lambda: [Step(done=1)], "pictures": picture}
    with pytest.raises(error, match=words):
        Panel(**{**good, **arguments})


def test_a_picture_that_is_no_figure_is_refused_in_words():
    panel = Panel("p", {}, lambda: [Step(done=1)], lambda step: "not a figure")
    with pytest.raises(TypeError, match=r"plotly\.graph_objects\.Figure"):
        panel.wait()


def test_showing_a_panel_gives_the_widget_then_a_picture(panel, monkeypatch):
    shown_data = []
    monkeypatch.setattr("semwork_widgets.live_figure.display", lambda data, raw: shown_data.append(data))
    panel._ipython_display_()
    first, second = shown_data
    assert set(first) == {"application/vnd.jupyter.widget-view+json"}
    assert second["image/png"].startswith(b"\x89PNG")
    assert b"semwork static picture" in second["image/png"][:300]
    assert second["text/plain"] == "Panel('Squares & more': a=2, b=0.5)"


def test_showing_a_panel_whose_run_failed_fails_the_cell(monkeypatch):
    monkeypatch.setattr("semwork_widgets.live_figure.display", lambda data, raw: None)
    panel = Panel("bad", {"a": ipw.IntSlider(7, 0, 9), "b": ipw.FloatSlider(0)}, compute, picture)
    with pytest.raises(ValueError, match="a is 7"):
        panel._ipython_display_()


def test_controls_have_names_for_the_eye_and_for_a_screen_reader(panel):
    assert panel.controls["a"].tooltip == "a: the side"
    assert panel.controls["a"].description == ""


def test_a_view_draws_the_last_step_again_and_computes_nothing():
    computed = []

    def counted(a):
        computed.append(a)
        yield Square(done=1, total=1, value=a)

    def scaled(step, factor):
        if factor == 9:
            raise ValueError("factor is 9; choose a smaller one")
        return picture(Square(done=1, value=factor * step.value))

    made = Panel(
        "Views",
        {"a": ipw.IntSlider(2, 0, 9)},
        counted,
        scaled,
        views={"factor": ipw.IntSlider(1, 0, 9)},
        code=lambda a, factor: f"{a} * {factor}",
    )
    made.wait()
    made.controls["factor"].value = 5
    assert (shown(made), computed, made.code) == (10, [2], "2 * 5")
    made.controls["a"].value = 3
    made.wait()
    assert (shown(made), computed) == (15, [2, 3])
    made.controls["factor"].value = 9
    assert "choose a smaller one" in made.parts.status.value
    made.state = {"settings": {"a": 4, "factor": 2}}
    made.wait()
    assert (shown(made), computed) == (8, [2, 3, 4])
    made.live = False
    made.state = {"settings": {"a": 5, "factor": 1}}
    assert (shown(made), computed, made.code) == (4, [2, 3, 4], "4 * 1")
    made.close()


def test_a_view_before_the_first_step_waits_for_it():
    made = Panel(
        "Views",
        {},
        lambda: [Square(done=1, value=3)],
        lambda step, f: picture(step),
        live=False,
        views={"f": ipw.IntText(1)},
    )
    made.controls["f"].value = 2
    assert made.last_step is None
    made.run()
    made.wait()
    assert shown(made) == 3


@pytest.mark.parametrize(("first", "order"), [(False, ["a", "f"]), (True, ["f", "a"])])
def test_views_stand_below_the_other_controls_or_above(first, order):
    made = Panel(
        "Views",
        {"a": ipw.IntText(1)},
        lambda a: [Square(done=1, value=a)],
        lambda step, f: picture(step),
        views={"f": ipw.IntText(1)},
        views_first=first,
    )
    made.wait()
    assert list(made.settings) == list(made.state["settings"]) == order
    assert shown(made) == 1


def test_what_a_reader_moves_while_another_thread_sets_controls_still_counts():
    ran = []

    def compute(**settings):
        ran.append(settings)
        yield Step(done=1, total=1)

    panel = Panel("two threads", {"a": ipw.IntSlider(0), "b": ipw.IntSlider(0)}, compute, lambda _: go.Figure())
    panel.wait()
    inside, moved = threading.Event(), threading.Event()

    def worker():
        with panel.together():
            inside.set()
            moved.wait(30)
            panel.controls["a"].value = 1

    thread = threading.Thread(target=worker)
    thread.start()
    inside.wait(30)
    panel.controls["b"].value = 5
    panel.wait()
    assert ran[-1] == {"a": 0, "b": 5}
    moved.set()
    thread.join(30)
    panel.controls["b"].value = 6
    panel.wait()
    assert ran[-1] == {"a": 1, "b": 6}
    panel.close()
