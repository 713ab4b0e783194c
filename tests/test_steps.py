"""The stream-of-steps protocol."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.steps import Step, last, reporting, table, time_left


def test_a_step_is_immutable_and_knows_its_share():
    step = Step(done=1, total=4)
    assert step.fraction == 0.25
    assert Step(done=1).fraction is None
    assert Step(done=0, total=0).fraction == 1
    assert Step(done=9, total=4).fraction == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        step.done = 2


def test_last_drains_and_refuses_an_empty_run():
    assert last(Step(done=i) for i in range(1, 4)).done == 3
    with pytest.raises(ValueError, match="no step at all"):
        last([])


def test_reporting_shows_every_step_and_passes_it_on():
    seen = []
    steps = [Step(done=1), Step(done=2)]
    assert list(reporting(steps, seen.append)) == steps == seen


def test_a_table_has_a_row_per_step():
    rows = table(Step(done=i, total=3, message=f"s{i}") for i in (1, 2, 3))
    assert rows["done"].to_list() == [1, 2, 3]
    assert rows["message"].to_list() == ["s1", "s2", "s3"]


@given(st.floats(0, 1e6), st.floats(1e-6, 1))
def test_time_left_is_proportional(seconds, fraction):
    left = time_left(seconds, fraction)
    assert left >= 0
    assert (seconds + left) * fraction == pytest.approx(seconds, abs=1e-6)


def test_time_left_is_unknown_without_a_share():
    assert time_left(1, None) is None
    assert time_left(1, 0) is None
