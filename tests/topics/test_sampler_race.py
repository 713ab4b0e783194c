"""Samplers that race: honest clocks, the same start, chains that agree or do not."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.topics import SAMPLERS, GaussianLDA, r_hat
from semwork.topics.race import RACES, SamplerRace


@pytest.fixture(scope="module")
def race():
    return SamplerRace("planted", documents=30)


@pytest.fixture(scope="module")
def end(race):
    return last(race.steps(max_sweeps=14, burn_in=4, chains=2))


def test_every_sampler_comes_to_its_end_and_samplers_stand_in_their_order(end):
    assert [path.sampler for path in end.paths] == list(SAMPLERS)
    assert end.table["sweeps"].tolist() == [14] * 5
    assert (end.done, end.total) == (70, 70)
    assert np.isfinite(end.table.drop(columns="sampler").to_numpy(dtype=float)).all()


def test_all_samplers_start_from_the_same_topics_and_exact_ones_of_one_order_stay_together(end):
    np.testing.assert_allclose(end.of("naive").log_likelihood, end.of("cholesky").log_likelihood, rtol=1e-9)
    assert not np.allclose(end.of("naive").log_likelihood[0], end.of("naive").log_likelihood[1])


def test_a_path_is_what_the_model_alone_does(race, end):
    model = GaussianLDA(5, "fast", alpha=0.1, burn_in=4, random_state=0)
    alone = [step.log_likelihood for step in model.steps(race.documents, race.data.vectors, max_sweeps=14)]
    assert end.of("fast").log_likelihood[0].tolist() == alone


def test_turns_go_to_whoever_has_used_the_least_time(race):
    clocks = dict.fromkeys(("cholesky", "fast"), 0.0)
    seen = dict.fromkeys(clocks, 0)
    for step in race.steps(tuple(clocks), max_sweeps=10):
        now = {path.sampler: len(path.seconds) for path in step.paths}
        [mover] = [name for name, count in now.items() if count > seen[name]]
        if all(count < 10 for count in seen.values()):
            assert clocks[mover] == min(clocks.values())
        seen.update(now)
        clocks.update({path.sampler: path.seconds[-1] for path in step.paths})


def test_seconds_end_a_sampler_after_the_sweep_that_used_them_up(race):
    end = last(race.steps(("precision",), max_sweeps=10_000, seconds=0.02))
    clock = end.of("precision").seconds
    assert 1 <= len(clock) < 10_000
    assert clock[-1] >= 0.02
    assert (clock[:-1] < 0.02).all()


def test_r_hat_is_that_of_the_sweeps_after_burn_in(race):
    end = last(race.steps(("precision",), max_sweeps=16, burn_in=6, chains=3))
    path = end.of("precision")
    assert path.checked[-1] == 16
    draws = []
    for chain in range(3):
        model = GaussianLDA(5, "precision", alpha=0.1, burn_in=6, random_state=1000 * chain)
        draws.append([step.log_joint for step in model.steps(race.documents, race.data.vectors, max_sweeps=16)][6:])
    assert path.r_hat[-1] == pytest.approx(r_hat(np.array(draws)))
    assert path.ess_per_second == pytest.approx(path.ess[-1] / (3 * path.seconds[-1]))


def test_one_chain_has_an_r_hat_of_its_halves_and_nothing_while_it_burns_in(race):
    steps = list(race.steps(("fast",), max_sweeps=12, burn_in=2))
    assert np.isnan(steps[0].table["R-hat"][0])
    assert np.isnan(steps[0].of("fast").ess_per_second)
    assert np.isfinite(steps[-1].table["R-hat"][0])


def test_tables_are_refreshed_as_told_and_frozen_tables_are_accepted_less_often(race):
    def acceptance(**settings):
        return last(race.steps(("fast",), max_sweeps=12, burn_in=2, **settings)).of("fast").acceptance

    fresh, old, frozen = acceptance(freeze=False), acceptance(freeze=False, refresh=6), acceptance()
    assert fresh.mean() > old.mean() > 0
    assert fresh[-1] > frozen[-1]


@pytest.mark.parametrize("name", [name for name in RACES if name != "newsgroups"])
def test_there_is_a_race_on_data_without_a_download(name):
    end = last(SamplerRace(name).steps(("precision", "fast"), max_sweeps=15))
    for path in end.paths:
        assert path.log_likelihood[0, -1] > path.log_likelihood[0, 0]


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
def test_newsgroups_are_raced_on_some_of_their_documents():
    race = SamplerRace("newsgroups")
    assert len(race.documents) == 100
    assert last(race.steps(("fast",), max_sweeps=2)).table["sweeps"].tolist() == [2]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"samplers": ()}, "no sampler is in the race"),
        ({"samplers": ("gibbs",)}, "no sampler 'gibbs'; choose some of 'naive'"),
        ({"chains": 0}, "chains"),
        ({"seconds": 0}, "seconds is 0"),
        ({"samplers": ("fast",), "max_sweeps": 0}, "max_sweeps"),
    ],
)
def test_wrong_settings_are_said(race, settings, words):
    with pytest.raises(ValueError, match=words):
        last(race.steps(**settings))


def test_unknown_data_and_a_sampler_that_has_not_swept_are_said(race):
    with pytest.raises(ValueError, match="no race on 'reuters'"):
        SamplerRace("reuters")
    with pytest.raises(KeyError, match="has not swept"):
        next(race.steps(("fast",))).of("naive")
