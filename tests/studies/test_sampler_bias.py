"""Total variation of samplers side by side: down with a frozen table, up with one that is refreshed."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.studies import BiasSettings, SamplerBias
from semwork.topics import tiny_problem, variation_steps

STUDY = SamplerBias()
PROBLEM = tiny_problem()


def ran(*samplers, **given):
    return last(STUDY.steps(BiasSettings(**({"samplers": samplers} if samplers else {}), **given)))


@pytest.mark.parametrize(("refresh", "thin", "chunk"), [(0, 1, 200), (1, 1, 200), (10, 7, 140), (1000, 1, 1000)])
def test_curves_are_points_of_the_single_runs_and_the_table_is_filled_no_more_often(refresh, thin, chunk):
    end = ran("fast", refresh=refresh, thin=thin, sweeps=6_000, mh_steps=3, seed=4)
    curve = end.of("fast")
    options = {"sweeps_per_step": chunk, "n_steps": 6_000 // chunk, "mh_steps": 3, "thin": thin, "random_state": 4}
    alone = {step.draws: step.variation for step in variation_steps(PROBLEM, "fast", refresh=refresh, **options)}
    assert curve.draws[-1] == max(alone)
    assert curve.variation.tolist() == [alone[draws] for draws in curve.draws]
    assert (end.done, end.total) == (6_000 // chunk, 6_000 // chunk)


@pytest.mark.slow
def test_a_frozen_table_goes_down_with_the_floor_and_a_refreshed_one_stays_up():
    frozen = ran(refresh=0, mh_steps=3, sweeps=60_000)
    refreshed = ran(refresh=1, mh_steps=3, sweeps=60_000)
    assert STUDY.table(frozen)["sampler"].tolist() == ["alias", "precision", "fast"]
    assert (STUDY.table(frozen)["times the floor"] < 1.4).all()
    assert refreshed.of("fast").above_floor > 1.8
    assert refreshed.of("precision").variation.tolist() == frozen.of("precision").variation.tolist()
    ratio = [step.of("fast").variation[-1] / step.of("precision").variation[-1] for step in (frozen, refreshed)]
    assert ratio[0] < 1.4 < 1.8 < ratio[1]


def test_points_are_spread_evenly_over_the_logarithm():
    draws = ran("precision", sweeps=100_000).of("precision").draws
    assert (np.diff(draws) > 0).all()
    assert draws[0] == 200
    assert draws[-1] == 100_000
    assert len(draws) < 60
    late = draws[draws > 5_000]
    assert (late[1:-1] / late[:-2]).max() < 1.2


def test_acceptance_falls_when_the_table_is_frozen():
    means = [ran("fast", refresh=refresh, sweeps=4_000).of("fast").acceptance.mean() for refresh in (0, 1)]
    assert means[0] < means[1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"samplers": ()}, "no sampler was given"),
        ({"samplers": ("gibbs",)}, "samplers has 'gibbs' .*; choose from 'naive'"),
        ({"refresh": -1}, "refresh"),
        ({"sweeps": 0}, "sweeps"),
    ],
)
def test_wrong_settings_are_said(settings, words):
    with pytest.raises(ValueError, match=words):
        last(STUDY.steps(BiasSettings(**settings)))
    with pytest.raises(KeyError, match="no curve of 'naive'"):
        ran("fast", sweeps=200).of("naive")


def test_what_is_drawn_are_the_curves_and_their_floor():
    end = ran("precision", "fast", sweeps=2_000)
    found = STUDY.distances(end)
    own = found.curves[found.curves["sampler"] == "fast"]
    assert own["variation"].tolist() == end.of("fast").variation.tolist()
    assert found.floor["variation"].tolist() == end.of("fast").floor.tolist()
    worst = max(end.curves, key=lambda curve: curve.above_floor)
    assert found.title.startswith(f"{worst.sampler} has {worst.above_floor:.2f} times")


def test_own_problems_can_be_asked_about():
    own = SamplerBias(lambda seed: tiny_problem(((0, 1), (1, 2)), n_topics=2, random_state=seed))
    end = last(own.steps(BiasSettings(samplers=("precision",), sweeps=2_000)))
    assert len(own.problem(0).states) == 16
    assert end.of("precision").variation[-1] < 0.1
