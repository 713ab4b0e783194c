"""Compile what learning over structures needs and keep it, so that a lesson does not wait for a compiler."""

from __future__ import annotations

import functools

import numpy as np

from semwork.structures import LCLR, AlignThenLearn, Problem
from semwork.structures.tasks.graph_parts import Parts, best_parts
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import name_problem, transliterated_names

__all__ = ["warm_up"]


def warm_up() -> None:
    """Learn a few names, an even smaller problem with few features, and align two words with two."""
    for one_to_one in (True, False):
        names, _ = transliterated_names("el").split(10, seed=0)
        problem = functools.partial(name_problem, one_to_one=one_to_one)
        for learner in (LCLR(problem, max_iter=1), AlignThenLearn(problem)):
            model = learner.fit(*names.examples(0.1, seed=0))
            name_scores(model, names.english, names.foreign, one_to_one=one_to_one)
    LCLR(_smallest, max_iter=1).fit([-1.0, 1.0, 2.0], [-1, 1, 1])
    heads, pairs = np.array([-1, 0]), np.array([[0, 0], [1, 1]])
    parts = Parts(heads, heads, pairs, delete_left=True, delete_edges=True)
    best_parts(parts, np.ones(parts.size))


def _smallest(x: float) -> Problem:
    problem = Problem()
    problem.exactly_one([problem.part({"x": x}), problem.part({"y": 1.0})], "one of two")
    return problem


if __name__ == "__main__":
    warm_up()
