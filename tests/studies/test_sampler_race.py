"""Samplers that race: honest clocks, the same start, chains that agree or do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semwork.steps import last
from semwork.studies import SamplerRace, SamplerRaceSettings, SamplerTask, sampler_task
from semwork.topics import SAMPLERS, GaussianLDA, r_hat, topic_data

DEFAULTS = SamplerRaceSettings(seconds=60.0, chains=1)


def given(*samplers, **changes):
    return replace(DEFAULTS, **({"samplers": samplers} if samplers else {}), **changes)


@pytest.fixture(scope="module")
def race():
    return SamplerRace(replace(sampler_task("planted"), limit=30))


@pytest.fixture(scope="module")
def end(race):
    return last(race.steps(given(sweeps=14, chains=2)))


def test_every_sampler_comes_to_its_end_and_samplers_stand_in_their_order(race, end):
    table = race.table(end)
    assert table["sampler"].tolist() == list(SAMPLERS)
    assert table["sweeps"].tolist() == [14] * 5
    assert (end.done, end.total) == (70, 70)
    assert np.isfinite(table.drop(columns="sampler").to_numpy(dtype=float)).all()


def test_all_samplers_start_from_the_same_topics_and_exact_ones_of_one_order_stay_together(end):
    np.testing.assert_allclose(end.of("naive").log_likelihood, end.of("cholesky").log_likelihood, rtol=1e-9)
    assert not np.allclose(end.of("naive").log_likelihood[0], end.of("naive").log_likelihood[1])


def test_a_path_is_what_the_model_alone_does(race, end):
    model = GaussianLDA(5, "fast", alpha=0.1, burn_in=2, random_state=0)
    steps = model.steps(race.task.drawn(0), race.task.data.vectors, max_sweeps=14)
    assert end.of("fast").log_likelihood[0].tolist() == [step.log_likelihood for step in steps]


def test_turns_go_to_whoever_has_used_the_least_time(race):
    clocks = dict.fromkeys(("cholesky", "fast"), 0.0)
    seen = dict.fromkeys(clocks, 0)
    for step in race.steps(given(*clocks, sweeps=10)):
        now = {path.sampler: len(path.seconds) for path in step.paths}
        [mover] = [name for name, count in now.items() if count > seen[name]]
        if all(count < 10 for count in seen.values()):
            assert clocks[mover] == min(clocks.values())
        seen.update(now)
        clocks.update({path.sampler: path.seconds[-1] for path in step.paths})


def test_seconds_end_a_sampler_after_the_sweep_that_used_them_up(race):
    end = last(race.steps(given("precision", sweeps=10_000, seconds=0.02)))
    clock = end.of("precision").seconds
    assert 1 <= len(clock) < 10_000
    assert clock[-1] >= 0.02
    assert (clock[:-1] < 0.02).all()


def test_r_hat_is_that_of_the_sweeps_after_burn_in_which_is_a_fifth_of_them(race):
    path = last(race.steps(given("precision", sweeps=16, chains=3))).of("precision")
    assert path.checked[-1] == 16
    draws = []
    for chain in range(3):
        model = GaussianLDA(5, "precision", alpha=0.1, burn_in=3, random_state=1000 * chain)
        steps = model.steps(race.task.drawn(0), race.task.data.vectors, max_sweeps=16)
        draws.append([step.log_joint for step in steps][3:])
    assert path.r_hat[-1] == pytest.approx(r_hat(np.array(draws)))
    assert path.ess_per_second == pytest.approx(path.ess[-1] / (3 * path.seconds[-1]))


def test_one_chain_has_an_r_hat_of_its_halves_and_nothing_while_it_burns_in(race):
    steps = list(race.steps(given("fast", sweeps=12)))
    assert np.isnan(race.table(steps[0])["R-hat"][0])
    assert np.isnan(steps[0].of("fast").ess_per_second)
    assert np.isfinite(race.table(steps[-1])["R-hat"][0])


def test_tables_are_refreshed_as_told_and_frozen_tables_are_accepted_less_often(race):
    def acceptance(**changes):
        return last(race.steps(given("fast", sweeps=12, **changes))).of("fast").acceptance

    fresh, old, frozen = acceptance(freeze=False), acceptance(freeze=False, refresh=6), acceptance()
    assert fresh.mean() > old.mean() > 0
    assert fresh[-1] > frozen[-1]


def test_what_pictures_are_drawn_from_is_what_the_paths_say(race, end):
    curves, fast = race.climb(end).curves, end.of("fast")
    second = curves[(curves["sampler"] == "fast") & (curves["chain"] == 1)]
    assert second["log_likelihood"].tolist() == fast.log_likelihood[1].tolist()
    assert second["seconds"].tolist() == fast.seconds.tolist()
    assert race.climb(end).title.startswith("1,200 tokens, 5 topics: ")
    agreement = race.agreement(end)
    assert agreement.sweeps == 14
    assert set(agreement.acceptance["sampler"]) == {"alias", "fast"}
    own = agreement.checks[agreement.checks["sampler"] == "fast"]
    assert own["sweep"].tolist() == fast.checked.tolist()
    assert own["r_hat"].tolist() == fast.r_hat.tolist()
    speeds = race.speed(end).speeds
    assert speeds["tokens_per_second"].tolist() == [path.speed for path in end.paths]
    said = [("chains disagree" if path.r_hat[-1] > 1.1 else "") for path in end.paths]
    assert speeds["instead"].tolist() == said
    assert speeds["ess_per_second"].isna().tolist() == [bool(words) for words in said]


def test_there_is_something_to_draw_from_the_first_step_on(race):
    first = next(race.steps(given("precision", sweeps=5)))
    agreement = race.agreement(first)
    assert (len(agreement.acceptance), len(agreement.checks), agreement.sweeps) == (0, 0, 1)
    assert race.speed(first).speeds["instead"].tolist() == ["needs more sweeps"]
    assert race.speed(first).title == "Speed"


@pytest.mark.parametrize("name", ["sample", "planted"])
def test_there_is_a_race_on_data_without_a_download(name):
    end = last(SamplerRace.on(name).steps(given("precision", "fast", sweeps=15)))
    for path in end.paths:
        assert path.log_likelihood[0, -1] > path.log_likelihood[0, 0]


def test_documents_are_drawn_by_the_seed():
    task = SamplerTask(topic_data("sample"), limit=20)
    assert task.drawn(1) == task.drawn(1) != task.drawn(2)
    assert len(task.drawn(0)) == 20
    assert SamplerTask(topic_data("sample")).drawn(3) == topic_data("sample").documents


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
def test_newsgroups_are_raced_on_some_of_their_documents():
    race = SamplerRace.on("newsgroups")
    assert len(race.task.drawn(0)) == 100
    assert race.table(last(race.steps(given("fast", sweeps=2))))["sweeps"].tolist() == [2]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"samplers": ()}, "no sampler is in the race; choose some of 'naive'"),
        ({"samplers": ("gibbs",)}, "samplers has 'gibbs' .*; choose from 'naive'"),
        ({"chains": 0}, "chains"),
        ({"seconds": 0}, "seconds is 0"),
        ({"samplers": ("fast",), "sweeps": 0}, "sweeps"),
    ],
)
def test_wrong_settings_are_said(race, settings, words):
    with pytest.raises(ValueError, match=words):
        last(race.steps(replace(DEFAULTS, **settings)))


def test_one_sampler_alone_stands_in_a_list(race):
    with pytest.raises(TypeError, match=r"samplers is 'fast' .*; give several in a list, or one: \['fast'\]"):
        next(race.steps(replace(DEFAULTS, samplers="fast")))
    with pytest.raises(TypeError, match="seconds must be a number, got 'a'"):
        next(race.steps(replace(DEFAULTS, seconds="a")))


def test_unknown_data_and_a_sampler_that_has_not_swept_are_said(race):
    with pytest.raises(ValueError, match="no data 'reuters'; there are 'sample', 'planted', 'newsgroups'"):
        SamplerRace.on("reuters")
    with pytest.raises(KeyError, match="has not swept"):
        next(race.steps(given("fast"))).of("naive")


def test_real_data_have_more_time():
    assert SamplerRaceSettings.good_for("newsgroups").seconds == 10
    assert SamplerRaceSettings.good_for("planted").seconds == 1
