"""Do two sentences say the same, and which words and edges tell so, when only the first is told?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import check_kind
from semwork.structures import LCLR, AlignThenLearn, Compiled, best_structure
from semwork.structures.problem import Floats
from semwork.structures.tasks.parsing import Parsed, parse_text
from semwork.studies.latent import Joined, JoinedRows, Learning, Weights, extremes, said_when
from semwork.studies.remembered import Remembered
from semwork.studies.sentence_draw import Draw, NumberedProblems
from semwork.studies.sentence_parts import SENTENCE_KINDS, arcs_of, kind_of, line_of, said_of, shortened
from semwork.studies.sentence_steps import Graphs, SentenceIteration, SentenceSettings, SentenceStep, SentenceView
from semwork.studies.sentence_tasks import SENTENCE_TASKS, SentenceTask
from semwork.studies.study import Answer, NoAnswer, Study

__all__ = ["SentenceAlignments"]

_DRAWS = 3  # of training pairs, whose graphs are remembered
_REMEMBERED = 12  # finished runs


@dataclass(frozen=True, eq=False)
class Judged(Answer):
    """The scores of all test pairs."""

    pairs: pd.DataFrame
    chosen: int | None
    yes: str
    no: str
    title: str


class SentenceAlignments(Study[SentenceSettings, SentenceStep]):
    """Pairs of sentences: some to learn from, some to be judged.

    Parameters
    ----------
    task : SentenceTask
        The pairs, and what is asked of them.
    tested : int
        How many pairs are judged: always the same ones.
    max_iter : int
        Outer iterations at most.
    """

    settings, view = SentenceSettings, SentenceView
    inputs = {"task": SENTENCE_TASKS}

    def __init__(self, task: SentenceTask, tested: int = 200, max_iter: int = 15) -> None:
        check_kind("task", task, SentenceTask, "take one of the lesson, sentence_task('paraphrase'), or make your own")
        self.task, self.tested, self.max_iter = task, tested, max_iter
        self._draws = Remembered[tuple[int, int], Draw](_DRAWS)
        self._finished = Remembered[SentenceSettings, SentenceStep](_REMEMBERED)

    def steps(self, settings: SentenceSettings) -> Iterator[SentenceStep]:
        """Parse what is not parsed yet, then learn, iteration by iteration; a finished run is shown at once."""
        settings = settings.checked()
        if (finished := self._finished.get(settings)) is not None:
            yield finished
            return
        pairs, drawn_by = self.task.pairs, (settings.training, settings.seed)
        draw = self._draws.made(drawn_by, lambda: Draw(pairs, settings, self.tested))
        known = SentenceStep(done=0, settings=settings, left=draw.left, right=draw.right, truth=draw.truth)
        for parsing in draw.parse():
            yield replace(known, done=parsing.done, message=f"parsing: {parsing.message}")
        step = None
        for step in self._learn(replace(known, graphs=draw.judged), draw):
            yield step
        if step is not None:
            self._finished.put(settings, step)

    def _learn(self, known: SentenceStep, draw: Draw) -> Iterator[SentenceStep]:
        settings = known.settings
        problem = NumberedProblems(self.task.problems(general=settings.general), draw, settings.general)
        model = LCLR(
            problem,
            settings.regularization,
            max_iter=self.max_iter,
            tolerance=1e-4,
            random_state=settings.seed,
            standardize=True,
        )
        judge = list(range(draw.training, len(draw.graphs)))
        iterations: tuple[SentenceIteration, ...] = ()
        two_stage = None
        for learnt in model.steps(list(range(draw.training)), draw.labels[: draw.training]):
            if two_stage is None:
                two_stage = _right(AlignThenLearn.at_start_of(model).decision_function(judge), draw.truth)
            values = model.decision_function(judge)
            iterations = (*iterations, SentenceIteration(learnt.objective, learnt.changed, model.weights_, values))
            right = _right(values, draw.truth)
            yield replace(
                known,
                done=learnt.done,
                total=learnt.total,
                message=f"objective {learnt.objective:,.2f}, {right:.1%} of {len(judge)} test pairs right",
                iterations=iterations,
                two_stage=two_stage,
                names=tuple(model.index_.names),
                spread=model.scales_,
            )

    def table(self, step: SentenceStep) -> pd.DataFrame:
        """Return columns ``iteration``, ``objective``, ``changed``, ``accuracy``."""
        return step.history

    # --- questions --------------------------------------------------------------------------------------------------

    def joined(self, step: SentenceStep, one: Parsed, other: Parsed, iteration: int | None = None) -> Joined:
        """Return the best alignment of two parsed sentences with the weights of one iteration.

        Parameters
        ----------
        step : SentenceStep
            What is asked.
        one, other : Parsed
            The sentences.
        iteration : int or None
            From 0; the last one if there are not so many.
        """
        weights = step.at(iteration).weights
        problem = self.task.problems(general=step.settings.general)((one, other))
        scores = problem.scores(weights)
        chosen = np.flatnonzero(best_structure(problem, scores).chosen)
        parts = [(problem.labels[int(part)], int(part)) for part in chosen]
        lines = [line_of(label, scores[part], _why(step, problem, part, weights)) for label, part in parts]
        mapped = {label[1:]: float(scores[part]) for label, part in parts if label[0] == "edges"}
        columns = ["left", "right", "score", "kind", "why"]
        return Joined(
            tuple(shortened(word) for word in one.words),
            tuple(shortened(word) for word in other.words),
            pd.DataFrame([line for line in lines if line is not None], columns=columns),
            float(scores[chosen].sum()) + problem.offset(weights),
            arcs=arcs_of((one, other), mapped),
        )

    def alignment(
        self, step: SentenceStep, pair: int = 1, left: str = "", right: str = "", iteration: int | None = None
    ) -> JoinedRows:
        """Return a test pair, or two sentences of the reader's, and what joins their words and edges."""
        if not step.iterations:
            raise NoAnswer(step.message or "nothing is learnt yet")
        pair = min(pair, len(step.graphs) - 1)
        typed = bool(left.strip() and right.strip())
        if not typed and (left.strip() or right.strip()):
            raise NoAnswer("type both sentences, or none to see a test pair")
        sentences = _parsed(left, right) if typed else step.graphs[pair]
        found = self.joined(step, *sentences, iteration)
        truth = "" if typed else f" (in truth {self.task.verdicts[0 if step.truth[pair] else 1]})"
        what = "Your pair" if typed else f"Test pair {pair}"
        return JoinedRows(
            found.left,
            found.right,
            found.edges,
            found.arcs,
            f"{what}: score {found.value:+.2f}, {self.task.verdict(found.value)}{truth}",
            "blue arcs: edges mapped on an edge of the other sentence; orange: below 0; grey: left out",
            vertical=True,
        )

    def learning(self, step: SentenceStep, iteration: int | None = None) -> Learning:
        """Return how the objective falls and how many test pairs are judged right, iteration by iteration."""
        right = _right(step.at(iteration).scores, step.truth)
        now = step.place(iteration)
        return Learning(
            step.history,
            {"accuracy": step.two_stage},
            now,
            f"After {said_when(now)}: {right:.1%} of {len(step.truth)} test pairs judged right",
            "test pairs",
        )

    def weights(self, step: SentenceStep, iteration: int | None = None) -> Weights:
        """Return the largest and the smallest weights: columns ``feature``, ``kind``, ``weight``, largest first.

        Features differ in size, so a weight is told for the feature's standard deviation over the training pairs.
        """
        weights = step.at(iteration).weights * step.spread
        chosen = extremes(weights)
        table = pd.DataFrame(
            {
                "feature": [said_of(step.names[k]) for k in chosen],
                "kind": [kind_of(step.names[k]) for k in chosen],
                "weight": weights[chosen],
            }
        )
        return Weights(table, SENTENCE_KINDS, "The largest weights, and the smallest (for one standard deviation)")

    def judged(
        self, step: SentenceStep, iteration: int | None = None, pair: int | None = None, left: str = ""
    ) -> Judged:
        """Return all test pairs: ``pair`` (its number), ``left``, ``right``, ``truth``, ``score``, ``correct``."""
        values = step.at(iteration).scores
        table = pd.DataFrame(
            {
                "pair": np.arange(len(step.truth)),
                "left": step.left,
                "right": step.right,
                "truth": step.truth,
                "score": values,
                "correct": (values >= 0) == step.truth,
            }
        )
        wrong = int((~table["correct"]).sum())
        title = f"{wrong} of {len(table)} test pairs are on the wrong side of 0"
        return Judged(table, None if left.strip() else pair, *self.task.verdicts, title)


def _right(values: Floats, truth: NDArray[np.bool_]) -> float:
    return float(np.mean((values >= 0) == truth))


def _parsed(left: str, right: str) -> Graphs:
    try:
        return parse_text(left), parse_text(right)
    except ValueError as error:
        raise NoAnswer(str(error)) from error


def _why(step: SentenceStep, problem: Compiled, part: int, weights: Floats) -> str:
    row = problem.features[[part]]
    told = [
        (abs(weights[k] * value), f"{said_of(step.names[k])} {weights[k] * value:+.3f}")
        for k, value in zip(row.indices, row.data, strict=True)
    ]
    return ", ".join(words for _, words in sorted(told, reverse=True)[:5])
