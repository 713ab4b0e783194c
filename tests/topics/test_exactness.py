"""Total variation of samplers side by side: down with a frozen table, up with one that is refreshed."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.topics import tiny_problem, variation_steps
from semwork.topics.exactness import exactness_steps

PROBLEM = tiny_problem()


@pytest.mark.parametrize(("refresh", "chunk"), [(0, 200), (1, 200), (7, 196), (1000, 1000)])
def test_curves_are_points_of_the_single_runs_and_the_table_is_filled_no_more_often(refresh, chunk):
    end = last(exactness_steps(PROBLEM, ("fast",), refresh=refresh, sweeps=6_000, mh_steps=3, random_state=4))
    curve = end.of("fast")
    options = {"sweeps_per_step": chunk, "n_steps": 6_000 // chunk, "mh_steps": 3, "random_state": 4}
    alone = {step.draws: step.variation for step in variation_steps(PROBLEM, "fast", refresh=refresh, **options)}
    assert curve.draws[-1] == max(alone)
    assert curve.variation.tolist() == [alone[draws] for draws in curve.draws]
    assert (end.done, end.total) == (6_000 // chunk, 6_000 // chunk)


def test_a_frozen_table_goes_down_with_the_floor_and_a_refreshed_one_stays_up():
    frozen = last(exactness_steps(PROBLEM, refresh=0, mh_steps=3, sweeps=60_000))
    refreshed = last(exactness_steps(PROBLEM, refresh=1, mh_steps=3, sweeps=60_000))
    assert frozen.table["sampler"].tolist() == ["alias", "precision", "fast"]
    assert (frozen.table["times the floor"] < 1.4).all()
    assert refreshed.of("fast").above_floor > 1.8
    assert refreshed.of("precision").variation.tolist() == frozen.of("precision").variation.tolist()
    ratio = [step.of("fast").variation[-1] / step.of("precision").variation[-1] for step in (frozen, refreshed)]
    assert ratio[0] < 1.4 < 1.8 < ratio[1]


def test_points_are_spread_evenly_over_the_logarithm():
    draws = last(exactness_steps(PROBLEM, ("precision",), sweeps=100_000)).of("precision").draws
    assert (np.diff(draws) > 0).all()
    assert draws[0] == 200
    assert draws[-1] == 100_000
    assert len(draws) < 60
    late = draws[draws > 5_000]
    assert (late[1:-1] / late[:-2]).max() < 1.2


def test_acceptance_falls_when_the_table_is_frozen():
    means = [
        last(exactness_steps(PROBLEM, ("fast",), refresh=refresh, sweeps=4_000)).of("fast").acceptance.mean()
        for refresh in (0, 1)
    ]
    assert means[0] < means[1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"samplers": ()}, "no sampler was given"),
        ({"samplers": ("gibbs",)}, "no sampler 'gibbs'; choose some of 'naive'"),
        ({"refresh": -1}, "refresh"),
        ({"sweeps": 0}, "sweeps"),
    ],
)
def test_wrong_settings_are_said(settings, words):
    with pytest.raises(ValueError, match=words):
        last(exactness_steps(PROBLEM, **settings))
    with pytest.raises(KeyError, match="no curve of 'naive'"):
        next(exactness_steps(PROBLEM, ("fast",), sweeps=200)).of("naive")
