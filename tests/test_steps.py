"""The stream-of-steps protocol."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.steps import Step, TimeLeft, last, reporting, table


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


durations = st.lists(st.floats(0.5, 1.5), min_size=8, max_size=200)


def estimates(seconds):
    """What a reader is told after each step of a run, and what was true."""
    ends, left = list(itertools.accumulate(seconds)), TimeLeft()
    told = [left(end, done / len(ends)) for done, end in enumerate(ends, 1)]
    return list(zip(told, [ends[-1] - end for end in ends], strict=True))


@given(st.floats(0, 100), durations)
def test_the_time_left_is_right_even_after_a_first_step_that_compiles(first, seconds):
    told = estimates([first, *seconds])
    assert [guess for guess, _ in told[:3]] == [None] * 3
    for guess, true in told[3:]:
        # Steps differ by a factor of 3 at most, so that no estimate is farther away.
        assert true / 3 - 1.5 <= guess <= 3 * true + 1.5
    assert told[-1] == (0, 0)


@given(st.integers(5, 90), st.floats(0, 20))
def test_one_slow_step_moves_the_estimate_by_a_part_of_its_own_mistake(slow, extra):
    steady = [1.0] * 100
    told = estimates([*steady[:slow], 1.0 + extra, *steady[slow:]])
    before, after = told[slow - 1][0], told[slow][0]
    jump = extra * (101 - 1) / slow  # of the end that the average promises
    assert after <= before + 0.3 * jump + 1e-6


def test_a_step_that_does_not_advance_only_lets_time_pass():
    left = TimeLeft()
    assert [left(second, done / 10) for second, done in enumerate([1, 2, 3, 4, 4, 4])] == [None, None, None, 6, 5, 4]


def test_time_left_is_unknown_without_a_share():
    left = TimeLeft()
    assert [left(second, None) for second in range(9)] == [None] * 9
    assert [left(second, 0) for second in range(9)] == [None] * 9
