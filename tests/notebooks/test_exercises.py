"""Every check lets the solution pass, and neither the empty answer nor any of three plausible wrong ones.

Each answer is tried where no exercise has been solved, as for somebody who leaves the others out.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from notebooks.build import Exercise, read, sources
from semwork.exercises import Verdict

pytestmark = pytest.mark.slow


def judged(answer: str, check: str, scope: dict[str, Any]) -> tuple[Verdict, dict[str, Any]]:
    """Answer, then check, in a copy of what the lesson has computed; return what the check said, and the copy."""
    scope = dict(scope)
    exec(answer, scope)
    before = {name for name, value in scope.items() if isinstance(value, Verdict)}
    exec(check, scope)
    [verdict] = [value for name, value in scope.items() if isinstance(value, Verdict) and name not in before]
    return verdict, scope


def rounded(value: Any) -> Any:
    """Round every number that is not a whole one to three digits, and what is below 0.1 to three behind the point."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.array([rounded(number) for number in value.ravel()]).reshape(value.shape)
    if isinstance(value, float):
        return round(float(value), 3) if abs(value) < 0.1 else float(f"{value:.3g}")
    return value


def rounding(start: str) -> str:
    """Return code that rounds the answers of a start."""
    targets = [target for node in ast.parse(start).body if isinstance(node, ast.Assign) for target in node.targets]
    return "\n".join(f"{target.id} = _rounded({target.id})" for target in targets if isinstance(target, ast.Name))


@pytest.mark.parametrize("source", sources([]), ids=lambda path: path.stem)
def test_checks_tell_right_answers_from_wrong_ones(source):
    scope: dict[str, Any] = {"__name__": source.stem}
    number = 0
    for part in read(source.read_text(encoding="utf-8")):
        if not isinstance(part, Exercise):
            # No exercise needs a panel: whoever runs the lesson as a script has none.
            if part.cell_type == "code" and "semwork_widgets" not in part.source:
                exec(part.source, scope)
            continue
        number += 1
        for given in part.given:
            exec(given, scope)
        empty, unsolved = judged(part.start, part.check, scope)
        assert not empty.right, f"exercise {number} lets an empty answer pass"
        assert "in place of the `...`" in empty.said, f"exercise {number} says to an empty answer: {empty.said}"
        said = []
        for wrong in part.wrong:
            verdict, _ = judged(wrong, part.check, scope)
            assert not verdict.right, f"exercise {number} lets this pass:\n{wrong}"
            assert "the check ends with" not in verdict.said, f"exercise {number} breaks off: {verdict.said}\n{wrong}"
            assert verdict.said.endswith((".", "?")), f"exercise {number} says no sentence: {verdict.said}"
            said.append(f"  {verdict}")
        verdict, _ = judged(part.solution, part.check, scope)
        assert verdict.right, f"exercise {number} says to its solution: {verdict.said}"
        if fewer_digits := rounding(part.start):
            verdict, _ = judged(f"{part.solution}\n{fewer_digits}", part.check, scope | {"_rounded": rounded})
            assert verdict.right, f"exercise {number} says to its solution, rounded to three digits: {verdict.said}"
        scope = unsolved
        print(f"exercise {number}:\n  {verdict}\n" + "\n".join(said))
