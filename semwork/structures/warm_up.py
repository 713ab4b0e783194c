"""Compile what learning over structures needs and keep it, so that a lesson does not wait for a compiler."""

from __future__ import annotations

import numpy as np

from semwork.steps import last
from semwork.structures import LCLR, Problem
from semwork.structures.study import NameStudy
from semwork.structures.tasks.graph_parts import Parts, best_parts

__all__ = ["warm_up"]


def warm_up() -> None:
    """Learn a few names, an even smaller problem with few features, and align two words with two."""
    for one_to_one in (True, False):
        last(NameStudy("el", training=10, share=0.1, one_to_one=one_to_one).steps(max_iter=1))
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
