"""Scores of many pairs of names at once, the same as the learner's, from tables of weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.structures.learner import LCLR, AlignThenLearn
from semwork.structures.problem import Floats
from semwork.structures.tasks.guides import TABLE, Guide
from semwork.structures.tasks.loose import join, rules
from semwork.structures.tasks.transliteration import letters, with_start

__all__ = ["guide_scores", "name_scores"]

Codes = NDArray[np.int64]
# Weights join letters and are counted; the guide joins them and weights are counted; the guide does both.
_LEARNED, _TWO_STAGE, _GUIDE = 0, 1, 2


class _Side:
    """Names as numbers: their letters, and their letters with the one before."""

    def __init__(self, names: Sequence[str]) -> None:
        spelled = [letters(name) for name in names]
        empty = [name for name, found in zip(names, spelled, strict=True) if not found]
        if empty:
            raise ValueError(f"the name {empty[0]!r} has no letters")
        self.starts = np.concatenate([[0], np.cumsum([len(found) for found in spelled])]).astype(np.int64)
        self.singles, self.single_codes = _numbered([letter for found in spelled for letter in found])
        self.doubles, self.double_codes = _numbered([pair for found in spelled for pair in with_start(found)])


def _numbered(items: Sequence[str]) -> tuple[list[str], Codes]:
    codes: dict[str, int] = {}
    found = np.array([codes.setdefault(item, len(codes)) for item in items], dtype=np.int64)
    return list(codes), found


def name_scores(
    model: LCLR | AlignThenLearn,
    english: Sequence[str],
    foreign: Sequence[str],
    *,
    one_to_one: bool = True,
    crossing: bool = False,
    guide: Guide = TABLE,
) -> Floats:
    """Return the decision value of every English name with every foreign one, as a matrix.

    The rules and the guide have to be those of the model's problems; see `name_problem`.
    """
    weights = dict(zip(model.index_.names, model.weights_.tolist(), strict=True))
    way = _TWO_STAGE if isinstance(model, AlignThenLearn) else _LEARNED
    return _scored(way, weights, guide, english, foreign, rules(one_to_one, crossing))


def guide_scores(guide: Guide, english: Sequence[str], foreign: Sequence[str]) -> Floats:
    """Return the score of the guide alone, per letter, for every English name with every foreign one."""
    return _scored(_GUIDE, {}, guide, english, foreign, rules(one_to_one=True, crossing=False))


def _scored(
    way: int, weights: Mapping[Hashable, float], guide: Guide, english: Sequence[str], foreign: Sequence[str], kept: int
) -> Floats:
    left, right = _Side(english), _Side(foreign)

    def table(rows: Sequence[str], columns: Sequence[str]) -> Floats:
        return np.array([[weights.get((row, column), 0.0) for column in columns] for row in rows])

    result = np.empty((len(english), len(foreign)))
    _score_all(
        kept, way, guide.letters(left.singles, right.singles), guide.slope,
        left.starts, left.single_codes, left.double_codes, right.starts, right.single_codes, right.double_codes,
        table(left.singles, right.singles), table(left.doubles, right.doubles),
        table(left.singles, [""])[:, 0], table([""], right.singles)[0], float(weights.get("bias", 0.0)), result,
    )  # fmt: skip
    return result


@compiled
def _score_all(
    kept: int,
    way: int,
    guide: Floats,
    slope: float,
    left_starts: Codes,
    left_single: Codes,
    left_double: Codes,
    right_starts: Codes,
    right_single: Codes,
    right_double: Codes,
    singles: Floats,
    doubles: Floats,
    left_alone: Floats,
    right_alone: Floats,
    bias: float,
    result: Floats,
) -> None:
    for row in range(result.shape[0]):
        first, m = left_starts[row], left_starts[row + 1] - left_starts[row]
        for column in range(result.shape[1]):
            begin, n = right_starts[column], right_starts[column + 1] - right_starts[column]
            scores, guessed = np.empty(m * n + m + n), np.zeros(m * n + m + n)
            for i in range(m):
                one = left_single[first + i]
                scores[m * n + i] = left_alone[one]
                for j in range(n):
                    two = right_single[begin + j]
                    apart = abs((i + 0.5) / m - (j + 0.5) / n)
                    guessed[i * n + j] = guide[one, two] - slope * apart
                    scores[i * n + j] = singles[one, two] + doubles[left_double[first + i], right_double[begin + j]]
            for j in range(n):
                scores[m * n + m + j] = right_alone[right_single[begin + j]]
            by = scores if way == _LEARNED else guessed
            chosen = np.empty(m * n + m + n, dtype=np.bool_)
            join(kept, by[: m * n].reshape((m, n)), by[m * n : m * n + m], by[m * n + m :], chosen)
            if way == _GUIDE:
                scores = guessed
            total = 0.0
            for part in range(len(chosen)):
                if chosen[part]:
                    total += scores[part]
            result[row, column] = 10.0 / (m + n) * total + bias
