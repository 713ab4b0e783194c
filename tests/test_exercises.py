"""A check judges what is there, says what is missing, and raises nothing whatever it is given."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.exercises import Verdict, check, near

PUT, HELP = "write your answer in place of the `...`", "Hints are folded below."
answer: object
made: object


def square(answer):
    if not np.isclose(answer**2, 16):  # pytest adds to what a failing assert says
        raise AssertionError("its square is not 16")
    return f"{answer} times {answer} is 16"


@pytest.fixture
def given(monkeypatch):
    """Give this module's variable the answer, as a cell does."""

    def give(value):
        monkeypatch.setitem(globals(), "answer", value)
        return check(square)

    return give


def test_a_right_answer_is_told_why_it_is_right(given, capsys):
    assert given(4) == Verdict(True, "4 times 4 is 16")
    assert capsys.readouterr().out == "Right: 4 times 4 is 16\n"


def test_a_wrong_answer_gets_a_hint(given, capsys):
    assert given(3) == Verdict(False, "its square is not 16")
    assert capsys.readouterr().out == "Not yet: its square is not 16\n"


@pytest.mark.parametrize("empty", [..., [1, ...], (..., 2), {"a": 1, "b": ...}, {"a": {"b": [...]}}])
def test_an_empty_answer_is_asked_for(given, empty):
    assert given(empty) == Verdict(False, f"{PUT} of `answer`. {HELP}")


def test_none_is_no_answer(given):
    assert given(None) == Verdict(False, f"`answer` is None: there is no answer in it yet. {HELP}")


def test_an_answer_whose_cell_was_not_run_is_asked_for_by_name():
    @check
    def three_answers(answer_nobody_gave, another, a_third):
        raise AssertionError("is not asked")

    assert three_answers == Verdict(False, f"{PUT} of `answer_nobody_gave`, `another` and `a_third`. {HELP}")


@pytest.mark.parametrize(("value", "error"), [("four", "TypeError"), (np.arange(2), "ValueError")])
def test_an_answer_of_another_kind_is_wrong_and_no_error(given, value, error):
    verdict = given(value)
    assert not verdict.right
    assert error in verdict.said


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda n: 2 * n, "twice"),
        (lambda n: n, "not twice"),
        (lambda n: 1 / 0, "with this answer the check ends with ZeroDivisionError: division by zero"),
        (lambda n: ..., f"{PUT} that `<lambda>` returns. {HELP}"),
        (lambda n: (n, ...), f"{PUT} that `<lambda>` returns. {HELP}"),
        (lambda n: None, "`<lambda>` returns nothing yet: end it with `return` and your answer."),
        (lambda: 2, "TypeError"),
    ],
)
def test_a_function_is_judged_by_what_it_returns(monkeypatch, function, said):
    monkeypatch.setitem(globals(), "made", function)

    @check
    def exercise(made):
        if made(3) != 6:
            raise AssertionError("not twice")
        return "twice"

    assert said in exercise.said
    assert exercise.right == (said == "twice")


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (0.083, 1 / 12),
        (0.0833, 1 / 12),
        (8.26, 8.2631),
        (97.3, 97.32),
        (1 / 3, 0.333),
        (0, 0),
        (-0.311, -0.3112),
        ([[0.333, 1.67]], [[1 / 3, 5 / 3]]),
        (0.083, [1 / 12] * 12),
    ],
)
def test_an_answer_may_be_rounded_to_three_digits(found, right):
    assert near(found, right)


@pytest.mark.parametrize(
    ("found", "right"), [(0.084, 1 / 12), (8.27, 8.2631), (-0.311, 0.311), ([1, 2], [1, 2, 3]), (np.nan, 1.0)]
)
def test_another_number_is_not_near(found, right):
    assert not near(found, right)


@pytest.mark.parametrize("few", [0.4, 0.41])
def test_an_answer_with_too_few_digits_is_told_so(monkeypatch, few):
    monkeypatch.setitem(globals(), "answer", few)

    @check
    def exercise(answer):
        if not near(answer, 0.4136):
            raise AssertionError("it is another number")
        return "it is this number"

    assert exercise == Verdict(False, f"{few} is right as far as it goes: give three digits.")
