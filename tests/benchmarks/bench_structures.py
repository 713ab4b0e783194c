"""Latent structures: exact inference against a cold integer program for each example, and whole trainings.

The peer is `scipy.optimize.milp`, called anew for each pair with all parts and all constraints; making the constraints
is not counted. Both must reach the same optimum on every pair.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from semwork.experiments.sentences import not_here
from semwork.structures import LCLR, FeatureIndex, best_structure
from semwork.structures.tasks.graphs import GraphProblems
from semwork.structures.tasks.sentences import paraphrase_pairs, paraphrase_problems
from semwork.structures.tasks.transliteration import name_problem, transliterated_names
from tests.benchmarks.measured_fit import in_its_own_process
from tests.benchmarks.rows import Row, printed, seconds_row, timed

LANGUAGE = "he"
TRAINING = 250
REGULARIZATION = 10.0
SENTENCES = 30.0  # λ


def name_problems(language, count, seed=0):
    """Pairs of names, right and wrong ones in turn, compiled, with random scores of their parts."""
    names = transliterated_names(language)
    rng = np.random.default_rng(seed)
    rows = rng.integers(len(names), size=count)
    others = [row if place % 2 else rng.integers(len(names)) for place, row in enumerate(rows)]
    index = FeatureIndex()
    pairs = [(names.english[row], names.foreign[other]) for row, other in zip(rows, others, strict=True)]
    compiled = [name_problem(pair).compile(index) for pair in pairs]
    weights = rng.normal(size=len(index))
    return compiled, [problem.features @ weights[: problem.features.shape[1]] for problem in compiled]


def inference_rows(what, problems, scores, *, rounds=5, at_least=10):
    """Examples solved in a second by their own solver, and by a cold integer program."""
    for problem in problems:
        assert len(problem.limits.low)  # makes the constraints, so that nobody's clock counts it
    given = list(zip(problems, scores, strict=True))
    best_structure(*given[0])
    ours = [timed(lambda: [best_structure(*one) for one in given]) for _ in range(rounds)]
    theirs, exact = timed(lambda: [best_structure(*one, use_solver=False, relax=False) for one in given])
    apart = max(abs(one.value - other.value) for one, other in zip(ours[0][1], exact, strict=True))
    mine = float(np.median([seconds for seconds, _ in ours]))
    ratio = theirs / mine
    count = len(problems)
    return [
        Row(f"{what}, exact inference", f"{count / mine:,.0f} a second", f"cold milp {count / theirs:,.0f} a second",
            f"{ratio:,.0f}×", f"{at_least}× or more", ratio >= at_least),
        Row(f"{what}, largest difference of {count} optima", f"{apart:.1e}", "cold milp", "", "1e-6 or less",
            bool(apart <= 1e-6)),
    ]  # fmt: skip


def training_rows(what, which, given, *, size, strength):
    """A whole training in a process of its own: seconds and memory."""
    measured = in_its_own_process(which, given, size, strength)
    return [
        Row(f"{what}, whole training", f"{measured['seconds'][-1]:.1f} s"),
        Row(f"{what}, memory of the training", f"{measured['peak'] - measured['before']:.0f} MB"),
    ]


def name_rows(*, count=200, training=TRAINING, rounds=5):
    """Letters of names."""
    what = f"names ({LANGUAGE})"
    rows = inference_rows(what, *name_problems(LANGUAGE, count), rounds=rounds)
    learned = f"{what}, {training} pairs and a tenth of the false ones"
    return rows + training_rows(learned, "names", LANGUAGE, size=training, strength=REGULARIZATION)


def without_solver(pair):
    """A pair of names as a problem that only the integer program can solve, as one of a user's may be."""
    problem = name_problem(pair)
    problem.solver = None
    return problem


def process_rows(*, training=25, share=0.05):
    """Learning where every structure is an integer program: two processes against one."""
    train, _ = transliterated_names(LANGUAGE).split(training, 0)
    X, y = train.examples(share, 0)
    LCLR(without_solver, REGULARIZATION, max_iter=1, n_jobs=2).fit(X[-4:] + X[:4], y[-4:].tolist() + y[:4].tolist())
    times, ends = {}, {}
    for jobs in (1, 2):
        model = LCLR(without_solver, REGULARIZATION, max_iter=2, random_state=0, n_jobs=jobs)
        times[jobs], _ = timed(lambda: model.fit(X, y))  # noqa: B023 - called at once
        ends[jobs] = model.objective_path_[-1]
    assert ends[1] == ends[2]
    what = f"integer programs of {len(X)} pairs of names, learning with two processes"
    return [seconds_row(what, times[2], "one process", times[1])]


def sentence_problems(count, *, alike, learn=200, seed=0):
    """Pairs of MSR04, compiled, with scores from weights as LCLR has learnt them on other pairs."""
    pairs = paraphrase_pairs()
    X, y = pairs.part(training=True)
    model = LCLR(paraphrase_problems(), SENTENCES, random_state=0, standardize=True).fit(X[:learn], y[:learn])
    held, _ = pairs.part(training=False)
    rows = np.random.default_rng(seed).permutation(len(held))[:count]
    make = GraphProblems("both", alike)
    compiled = [make(held[row]) for row in rows]
    return compiled, [problem.features @ model.weights_ for problem in compiled]


def growth_rows(problems, scores, rounds=3):
    """Milliseconds of the shortest and the longest quarter of the pairs."""
    sizes = np.array([problem.size for problem in problems])
    times = np.array(
        [
            np.median([timed(lambda: best_structure(*one))[0] for _ in range(rounds)])  # noqa: B023
            for one in zip(problems, scores, strict=True)
        ]
    )
    rows = []
    for name, some in (("shortest", sizes <= np.quantile(sizes, 0.25)), ("longest", sizes >= np.quantile(sizes, 0.75))):
        parts = f"{sizes[some].mean():.0f} parts on average"
        rows.append(Row(f"sentences, the {name} quarter, {parts}", f"{1e3 * times[some].mean():.2f} ms a pair"))
    return rows


def sentence_rows(*, count=60, training=4076, rounds=3):
    """Words and edges of MSR04's sentences: those that are alike, as the task has it, and all pairs of words."""
    absent = not_here()
    if absent:
        return [Row("sentences", f"skipped: {absent}")]
    alike, every = sentence_problems(count, alike=0.35), sentence_problems(count // 3, alike=0.0)
    learned = f"sentences (MSR04), {training:,} pairs"
    return [
        *inference_rows("sentences, words that are alike", *alike, rounds=rounds),
        *inference_rows("sentences, all pairs of words", *every, rounds=1),
        *growth_rows(*alike, rounds),
        *training_rows(learned, "sentences", "msr04", size=training, strength=SENTENCES),
    ]


# Each gives rows; tasks that need data say so themselves.
TASKS = {"names": name_rows, "processes": process_rows, "sentences": sentence_rows}


def main(arguments=()) -> None:
    """Print the table, task by task."""
    parser = argparse.ArgumentParser(prog="structures")
    parser.add_argument("tasks", nargs="*", help=f"some of {', '.join(TASKS)}; all unless said")
    options = parser.parse_args(arguments)
    print("Structures: exact inference and LCLR")
    for name in options.tasks or TASKS:
        started = time.perf_counter()
        for row in TASKS[name]():
            printed(row)
        print(f"  ({name}: {time.perf_counter() - started:.0f} s)")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
