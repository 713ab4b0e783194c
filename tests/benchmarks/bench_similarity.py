"""WTMF against implicit's alternating least squares, naive numpy and scikit-learn, on WordNet and Brown.

Run it with ``python -m tests.benchmarks similarity``; ``--plot growth.png`` says where the picture goes.

implicit minimises another objective than ours: a present word has the target 1, its weight is the number in the
cell, and λ/w_m stands for λ. Three ways to give it our problem are used, each as near as its interface allows:

- times per iteration: the cost does not depend on the numbers in the cells, so it gets TF-IDF / w_m;
- objective: on the matrix with 1 for each present word, confidence 1/w_m makes both the same problem, up to the factor
  w_m; λ is divided by the mean weight, which leaves it as strong as on the weights;
- STS12: TF-IDF / w_m as confidence gives its systems the same right side as ours, but a word weighs its TF-IDF, not 1.

BLAS has one thread inside each of implicit's threads, as its authors ask for; so it has in ours.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from semwork.blas import one_thread_inside
from semwork.datasets import available, load
from semwork.evaluation import pearson, sts_scores
from semwork.memory import available_memory
from semwork.similarity import WTMF
from semwork.similarity.checking import memory_needed
from semwork.similarity.search import pairwise, rank
from semwork.similarity.solver import Half, Side
from semwork.studies import training_texts
from semwork.text import Corpus
from semwork.threads import workers_of
from tests.benchmarks.measured_fit import (
    MISSING_WEIGHT,
    REGULARIZATION,
    implicit_model,
    in_its_own_process,
    one_more,
)
from tests.benchmarks.rows import Row, draw_growth, printed, seconds_row, timed

NEEDED = ("wordnet", "brown", "sts2012", "li06", "cdr")

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
SEED_NOISE = {"sts": 0.005, "li06": 0.007}  # standard deviations between seeds, measured on this corpus


def wordnet_and_brown():
    """Headwords, definition and examples of every sense of WordNet, and the sentences of Brown."""
    return Corpus.from_texts(training_texts("WordNet + Brown"), analyzer="stem")


def model_of(n_components, dtype="float32", *, max_iter=1000, penalty=REGULARIZATION, seed=0):
    return WTMF(n_components, MISSING_WEIGHT, penalty, max_iter=max_iter, dtype=dtype, random_state=seed)


# Seconds per iteration


def iteration_rows(X, n_components, rounds=5):
    """Everybody does one iteration in turn, so that a busy moment hits them all; medians."""
    confidences = X.astype(np.float32) / np.float32(MISSING_WEIGHT)
    fits = {dtype: model_of(n_components, dtype).steps(X.astype(dtype)) for dtype in ("float32", "float64")}
    for steps in fits.values():
        next(steps)  # prepares, compiles
    ours = {dtype: [] for dtype in fits}
    peers = {(dtype, use_cg): [] for dtype in fits for use_cg in (True, False)}
    with one_thread_inside():
        models = {key: implicit_model(n_components, np.dtype(key[0]), use_cg=key[1]) for key in peers}
    for turn in range(rounds):
        for dtype, steps in fits.items():
            ours[dtype].append(timed(lambda steps=steps: next(steps))[0])
        for (dtype, use_cg), times in peers.items():
            if use_cg or turn < {"float32": 2, "float64": 1}[dtype]:  # its Cholesky takes ten times longer
                with one_thread_inside():
                    one_more(models[dtype, use_cg], confidences, times)
    mine = {dtype: statistics.median(times) for dtype, times in ours.items()}
    theirs = {key: statistics.median(times) for key, times in peers.items()}
    with one_thread_inside():  # faster for small systems
        naive = naive_iteration(X, n_components)
    svd = truncated_svd(X, n_components)
    short, long = mine["float32"], mine["float64"]
    return [
        seconds_row("iteration, float32", short, "implicit CG", theirs["float32", True], at_least=2),
        seconds_row("iteration, float64", long, "implicit CG", theirs["float64", True], at_least=1),
        seconds_row("iteration, float32", short, "implicit Cholesky", theirs["float32", False], at_least=10),
        seconds_row("iteration, float64", long, "implicit Cholesky", theirs["float64", False], at_least=10),
        seconds_row("iteration, float64", long, "numpy, row by row (every 40th row)", naive),
        seconds_row("20 iterations, float32", 20 * short, "TruncatedSVD, a whole fit", svd),
    ]


def naive_iteration(X, n_components, every=40):
    """Both halves with ``np.linalg.solve`` for each row; the time of every 40th row by length, times 40."""
    total = 0.0
    for side in (sparse.csr_array(X), sparse.csr_array(X.T)):
        factors = np.random.default_rng(0).standard_normal((side.shape[1], n_components))
        chosen = np.argsort(np.diff(side.indptr), kind="stable")[::every]
        started = time.perf_counter()
        shared = MISSING_WEIGHT * factors.T @ factors + REGULARIZATION * np.eye(n_components)
        once = time.perf_counter() - started
        started = time.perf_counter()
        for row in chosen:
            cells = slice(side.indptr[row], side.indptr[row + 1])
            own = factors[side.indices[cells]]
            np.linalg.solve(shared + (1 - MISSING_WEIGHT) * own.T @ own, own.T @ side.data[cells])
        total += once + (time.perf_counter() - started) * side.shape[0] / len(chosen)
    return total


def truncated_svd(X, n_components):
    from sklearn.decomposition import TruncatedSVD

    return timed(lambda: TruncatedSVD(n_components, random_state=0).fit(X.astype(np.float32)))[0]


# How much of the machine is used


def gemm_rate(dtype, threads, size=1024, products=4):
    """Flops per second of a product of large matrices in each thread, one BLAS thread each."""
    square = np.random.default_rng(0).standard_normal((size, size)).astype(dtype)

    def work(_):
        for _ in range(products):
            square @ square

    with ThreadPoolExecutor(threads) as pool, one_thread_inside():
        list(pool.map(work, range(threads)))
        seconds = timed(lambda: list(pool.map(work, range(threads))))[0]
    return 2 * size**3 * products * threads / seconds


def rate_rows(X, n_components, rounds=5):
    """Flops over the time of the whole word step: those of the Gram matrices of frequent words alone, and all.

    A product and a sum are two flops; of a symmetric matrix half is counted.
    """
    threads = workers_of(None)
    rows = []
    for dtype in ("float32", "float64"):
        typed = X.astype(dtype)
        side = Side(sparse.csr_matrix(typed.T), np.dtype(dtype), threads)
        factors = next_embedding(typed, n_components, dtype)
        memory = {"into": np.empty((side.shape[0], n_components), dtype), "whitened": np.empty_like(factors)}
        rates, times = [], []
        with ThreadPoolExecutor(threads) as pool:
            half = Half(side, pool)
            half.solve(factors, MISSING_WEIGHT, REGULARIZATION, **memory)
            for _ in range(rounds):
                rates.append(gemm_rate(dtype, threads))
                times.append(
                    timed(lambda: half.solve(factors, MISSING_WEIGHT, REGULARIZATION, **memory))[0]  # noqa: B023
                )
        lengths = np.diff(side.indptr)
        rate, seconds = statistics.median(rates), statistics.median(times)
        peer = f"{'sgemm' if dtype == 'float32' else 'dgemm'} {rate / 1e9:.0f} Gflop/s"
        for what, flops in word_step_flops(lengths, len(factors), n_components).items():
            share = flops / seconds / rate
            name = f"word step, {dtype}: {what}"
            rows.append(
                Row(name, f"{flops / seconds / 1e9:.0f} Gflop/s", peer, f"{share:.0%}", "above 60 %", share > 0.6)
            )
    return rows


def word_step_flops(lengths, sentences, rank):
    few, many = lengths[lengths <= rank].astype(float), lengths[lengths > rank].astype(float)
    frequent = many.sum() * rank**2
    whitening = 3 * sentences * rank**2 + rank**3
    systems = len(many) * rank**3 / 3 + (few**2 * rank + few**3 / 3 + 2 * few * rank).sum()
    back = 2 * len(lengths) * rank**2
    return {
        "K² flops per cell of words in more than K sentences": frequent,
        "all flops, with whitening, systems and rare words": frequent + whitening + systems + back,
    }


def next_embedding(X, n_components, dtype):
    model = model_of(n_components, dtype)
    next(model.steps(X))
    return model.embedding_.copy()


# Memory and growth


def resized(X, sentences):
    """So many rows, the first ones again if need be; words that are left in one sentence only are dropped."""
    rows = X[np.resize(np.random.default_rng(0).permutation(X.shape[0]), sentences)]
    return rows[:, np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) >= 2)]


def memory_rows(X, n_components, folder):
    """Peak of the process above what it had before the fit: code and data are not counted."""
    path = folder / "whole.npz"
    sparse.save_npz(path, sparse.csr_matrix(X.astype(np.float32)), compressed=False)
    measured = {which: in_its_own_process(which, path, n_components, 2) for which in ("ours", "implicit")}
    grown = {which: max(1.0, found["peak"] - found["before"]) for which, found in measured.items()}
    copy = max(X.shape) * n_components * 4 / 1e6
    allowed = grown["implicit"] + copy
    peer = f"implicit {grown['implicit']:.0f} MB"
    target = f"{allowed:.0f} MB: implicit's and one copy of Z"
    totals = ", ".join(f"{which} {found['peak']:.0f} MB" for which, found in measured.items())
    ratio = f"{grown['ours'] / grown['implicit']:.2f}"
    what = f"memory that a fit adds, float32 (whole process: {totals})"
    return [Row(what, f"{grown['ours']:.0f} MB", peer, ratio, target, grown["ours"] <= allowed)]


def growth_rows(X, n_components, folder, plot, sizes=SIZES):
    """Time and memory from few sentences to many; the slope of a line through the logarithms, 1 for linear."""
    X = sparse.csr_array(X.astype(np.float32))
    found = []
    for size in sizes:
        cells = int(X.nnz / X.shape[0] * size)
        free = available_memory()
        if free is not None and 2 * memory_needed((size, X.shape[1]), cells, n_components, 4) > free:
            print(f"(growth: {size:,} sentences left out, {free / 1e9:.1f} GB of memory are too few)")
            continue
        path = folder / "part.npz"
        sparse.save_npz(path, sparse.csr_matrix(resized(X, size)), compressed=False)
        measured = in_its_own_process("ours", path, n_components, 3 if size < 200_000 else 2)
        seconds = statistics.median(measured["seconds"][1:])  # the first one prepares
        found.append((size, seconds, max(1.0, measured["peak"] - measured["before"])))
    numbers, seconds, megabytes = np.array(found).T
    slopes = {
        "seconds per iteration": (seconds, np.polyfit(np.log(numbers), np.log(seconds), 1)[0]),
        "memory (MB)": (megabytes, np.polyfit(np.log(numbers), np.log(megabytes), 1)[0]),
    }
    draw_growth("WTMF", "sentences", numbers, slopes, plot)
    print(f"(growth: picture in {plot})")
    span = f"{int(numbers[0]):,} to {int(numbers[-1]):,} sentences"
    return [
        Row(
            f"growth of {what}, {span}", f"{values[0]:.3g} → {values[-1]:.3g}", "linear: slope 1", f"{slope:.2f}",
            "slope 1.1 or less", bool(slope <= 1.1),
        )
        for what, (values, slope) in slopes.items()
    ]  # fmt: skip


# Quality, and the time to reach it


@dataclass(frozen=True)
class Path:
    """Seconds spent so far and the score, after each iteration."""

    seconds: list[float]
    scores: list[float]

    def reached(self, level, *, higher):
        """Return iterations and seconds until the score was first as good as the level."""
        good = np.array(self.scores) >= level if higher else np.array(self.scores) <= level
        at = int(np.argmax(good))
        return at + 1, self.seconds[at]


def our_path(X, n_components, iterations, score, *, penalty=REGULARIZATION):
    """Everything that a fit does counts, the scoring does not."""
    model = model_of(n_components, max_iter=iterations, penalty=penalty)
    steps, spent, path = model.steps(X), 0.0, Path([], [])
    for _ in range(iterations):
        spent += timed(lambda: next(steps))[0]
        path.seconds.append(spent)
        path.scores.append(score(model))
    return path, model


def peers_path(confidences, n_components, iterations, score, *, penalty=REGULARIZATION):
    """Add up the times that implicit itself reports: without its preparation."""
    path, times = Path([], []), []
    for _ in range(iterations):
        with one_thread_inside():
            if not times:
                model = implicit_model(n_components, np.float32, penalty=penalty)
            one_more(model, confidences, times)
            path.seconds.append(sum(times))
            path.scores.append(score(model))
    return path


def objective(X, sentences, words, penalty):
    """Return the objective of WTMF for any two sides."""
    value = MISSING_WEIGHT * float(np.sum((sentences.T @ sentences).astype(float) * (words.T @ words)))
    value += penalty * float(np.sum(sentences.astype(float) ** 2) + np.sum(words.astype(float) ** 2))
    for start in range(0, X.shape[0], 4096):
        block = X[start : start + 4096]
        row = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        fit = np.einsum("ij,ij->i", sentences[start : start + 4096][row], words[block.indices]).astype(float)
        value += float(np.sum((fit - block.data) ** 2 - MISSING_WEIGHT * fit**2))
    return value


def race_row(what, ours, peer, level, *, higher, digits):
    """Compare the times until both have reached a level."""
    (our_steps, mine), (their_steps, theirs) = (path.reached(level, higher=higher) for path in (ours, peer))
    return Row(
        f"{what} {level:{digits}} (at the end: ours {ours.scores[-1]:{digits}}, implicit {peer.scores[-1]:{digits}})",
        f"{mine:.2f} s, {our_steps} iterations", f"implicit CG {theirs:.2f} s, {their_steps} iterations",
        f"{theirs / mine:.2f}×", "1× or more", theirs >= mine,
    )  # fmt: skip


def objective_rows(X, n_components, iterations=10):
    """Run on ones, where the two objectives are the same; the level is the worse of both ends."""
    ones = sparse.csr_array(X.astype(np.float32))
    penalty = REGULARIZATION / float(ones.data.mean())
    ones.data = np.ones_like(ones.data)
    ours, _ = our_path(ones, n_components, iterations, lambda model: model.objective_path_[-1], penalty=penalty)
    peer = peers_path(
        ones / np.float32(MISSING_WEIGHT), n_components, iterations, penalty=penalty,
        score=lambda model: objective(ones, model.user_factors, model.item_factors, penalty),
    )  # fmt: skip
    level = max(ours.scores[-1], peer.scores[-1])
    return [race_row("time to the objective", ours, peer, level, higher=False, digits=",.0f")]


def quality_rows(corpus, n_components, pairs, li06, ours_iterations=20, peers_iterations=15, seeds=3):
    """Score three seeds, and one after every iteration; the level of the race is the worse end less the noise."""
    X = corpus.matrix.astype(np.float32)
    left, right = corpus.transform(pairs.left), corpus.transform(pairs.right)

    def sts(rows):
        return sts_scores(pairs.scores, pairwise(*rows), pairs.group).all

    def fold_in(model, sides):
        return [model.transform(side) for side in sides]

    def peers_fold_in(model):
        sides = [sparse.csr_matrix(side.astype(np.float32) / np.float32(MISSING_WEIGHT)) for side in (left, right)]
        return [model.recalculate_user(np.arange(side.shape[0]), side) for side in sides]

    ours, model = our_path(X, n_components, ours_iterations, lambda model: sts(fold_in(model, (left, right))))
    peer = peers_path(X / np.float32(MISSING_WEIGHT), n_components, peers_iterations, lambda m: sts(peers_fold_in(m)))
    level = min(ours.scores[-1], peer.scores[-1]) - SEED_NOISE["sts"]
    sides = [corpus.transform(side) for side in (li06.left, li06.right)]
    models = [model]
    models += [model_of(n_components, max_iter=ours_iterations, seed=seed).fit(X) for seed in range(1, seeds)]
    correlation = float(np.mean([pearson(li06.scores, pairwise(*fold_in(model, sides))) for model in models]))
    scored = float(np.mean([sts(fold_in(model, (left, right))) for model in models]))
    return [
        Row(f"STS12 ALL after {ours_iterations} iterations, mean of {seeds} seeds", f"{scored:.3f}", "paper .695", "",
            f".695 less .{SEED_NOISE['sts'] * 1000:03.0f} for seeds", scored >= 0.695 - SEED_NOISE["sts"]),
        Row(f"LI06 r after {ours_iterations} iterations, mean of {seeds} seeds", f"{correlation:.3f}", "paper .898", "",
            f".898 less .{SEED_NOISE['li06'] * 1000:03.0f} for seeds", correlation >= 0.898 - SEED_NOISE["li06"]),
        race_row("time to STS12 ALL", ours, peer, level, higher=True, digits=".3f"),
    ]  # fmt: skip


# Using a fitted model


def use_rows(corpus, n_components, data, repeats=3, limit=30.0):
    """Fold all sentences in, and rank all candidates for all queries."""
    X = corpus.matrix.astype(np.float32)
    model = model_of(n_components, max_iter=2).fit(X)
    folding = statistics.median(timed(lambda: model.transform(X))[0] for _ in range(repeats))
    queries, candidates = (model.transform(corpus.transform(texts)) for texts in (data.queries, data.candidates))
    ranking = timed(lambda: rank(queries, candidates, data.targets))[0]
    speed = X.shape[0] / folding
    return [
        Row("fold-in", f"{speed:,.0f} sentences/s", "", "", "500,000 or more", speed >= 500_000),
        Row(
            f"ranking {len(queries):,} queries among {len(candidates):,}", f"{ranking:.1f} s", "", "",
            f"under {limit:.0f} s", ranking < limit,
        ),
    ]  # fmt: skip


def main(arguments=()) -> None:
    """Print the table, or why there is none."""
    parser = argparse.ArgumentParser(prog="similarity")
    parser.add_argument("--plot", type=pathlib.Path, help="where the picture of the growth goes, a .png file")
    options = parser.parse_args(arguments)
    missing = [name for name in NEEDED if not available(name)]
    if missing:
        print(f"Similarity: skipped, not on this machine: {', '.join(missing)} (semwork data fetch {missing[0]})")
        return
    try:
        import implicit  # noqa: F401
    except ImportError:
        print("Similarity: skipped, the peer implicit is not installed (pip install 'semwork[bench]')")
        return
    started = time.perf_counter()
    plot = options.plot or pathlib.Path(tempfile.mkdtemp(prefix="semwork-bench-")) / "growth.png"
    corpus = wordnet_and_brown()
    X, n_components = corpus.matrix, 100
    print(f"Similarity: WTMF, {X.shape[0]:,} sentences × {X.shape[1]:,} words, {X.nnz:,} cells, K = {n_components}, "
          f"w_m = {MISSING_WEIGHT:g}, λ = {REGULARIZATION:g}, {workers_of(None)} threads")  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in (
            lambda: iteration_rows(X, n_components),
            lambda: rate_rows(X, n_components),
            lambda: use_rows(corpus, n_components, load("cdr")),
            lambda: quality_rows(corpus, n_components, load("sts2012").subset("test"), load("li06")),
            lambda: objective_rows(X, n_components),
            lambda: memory_rows(X, n_components, folder),
            lambda: growth_rows(X, n_components, folder, plot),
        ):
            for row in part():
                printed(row)
    print(f"  ({time.perf_counter() - started:.0f} s for this part)")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
