"""Gaussian LDA: tokens per second against the Python package gaussianlda and the authors' Java, growth, chains.

The package runs in the same run on the same documents, by the clock on the wall. The authors' Java program is not run
here: its figures were measured once on the same set of 500 documents of 20 newsgroups, as CPU time of the sampling
thread, and so are ours beside them. A sweep is "steady" when tables are frozen, as they are for the samples that count.
"""

from __future__ import annotations

import argparse
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from semwork.blas import one_thread_inside
from semwork.datasets import available
from semwork.topics import NormalInverseWishart, topic_data
from semwork.topics.documents import read_documents
from semwork.topics.samplers import Sampler
from semwork.topics.state import State
from tests.benchmarks import peer_gaussianlda
from tests.benchmarks.rows import Row, draw_growth, printed

K = 50
# Tokens per second of the authors' program (github.com/rajarshd/Gaussian_LDA, Java), K = D = 50, 500 documents of 20
# newsgroups: 4.3 to 4.6 thousand with Cholesky factors, 31 to 38 thousand with alias tables. The better ones.
JAVA_CHOLESKY, JAVA_ALIAS = 4_600, 38_000
FLAT = 0.01  # of the whole rise of the log-likelihood, in a sweep


def newsgroups(count=None, seed=0):
    """Return documents as arrays of word numbers, and the vectors of these words; some documents, or all."""
    data = topic_data("newsgroups")
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(data.training))[:count]
    return read_documents([data.documents[row] for row in sorted(rows)], data.vectors)


class Run:
    """One sampler on documents; each sweep is timed on the clock of the thread and on the one on the wall."""

    def __init__(self, read, sampler, n_topics=K, seed=0, size=None):
        vectors = read.vectors[:, :size]
        prior = NormalInverseWishart().of_size(vectors.shape[1])
        self.sampler = Sampler(sampler)
        alpha = np.full(n_topics, 1 / n_topics)
        with one_thread_inside():
            self.state = State(read.words, read.starts, vectors, n_topics, alpha, prior, self.sampler.keeps, seed)
        self.tokens = len(read.words)
        self.cpu, self.wall = [], []

    def sweep(self, times=1, *, refresh=False):
        """Sweep; returns itself, so that a rate can be asked for at once."""
        for _ in range(times):
            wall, cpu = time.perf_counter(), time.thread_time()
            with one_thread_inside():
                self.sampler.sweep(self.state, refresh=int(refresh))
            self.cpu.append(time.thread_time() - cpu)
            self.wall.append(time.perf_counter() - wall)
        return self

    def rate(self, last=3, clock="cpu"):
        """Return tokens per second: the median of the last sweeps."""
        return self.tokens / float(np.median(getattr(self, clock)[-last:]))


def steady(read, sampler, *, burn_in=3, sweeps=3, **options):
    """Burn in, freeze the table, sweep on."""
    return Run(read, sampler, **options).sweep(burn_in, refresh=True).sweep(sweeps)


def speed_row(what, ours, name, peer, *, at_least=None):
    ratio = ours / peer
    target = "" if at_least is None else f"{at_least:g}× or more"
    met = None if at_least is None else bool(ratio >= at_least)
    return Row(what, f"{ours:,.0f} tokens/s", f"{name} {peer:,.0f} tokens/s", f"{ratio:.1f}×", target, met)


def small_rows(read, *, n_topics=K, burn_in=10, sweeps=3):
    """The set that the Java figures are of; returns rows, and what each sampler does by the clock on the wall."""
    aims = {
        "cholesky": ("the authors' Java, Cholesky", JAVA_CHOLESKY, 3),
        "precision": ("the authors' Java, Cholesky", JAVA_CHOLESKY, 3),
        "alias": ("the authors' Java, alias", JAVA_ALIAS, None),
        "fast": ("the authors' Java, alias", JAVA_ALIAS, 10),
    }
    rows, wall = [], {}
    what = f"{len(read.starts) - 1} documents, K = {n_topics}"
    for sampler, (name, figure, at_least) in aims.items():
        run = Run(read, sampler, n_topics).sweep(burn_in, refresh=True)
        burning = run.rate(sweeps)
        run.sweep(sweeps)
        rows.append(speed_row(f"{what}: {sampler}", run.rate(sweeps), name, figure, at_least=at_least))
        if not run.sampler.exact:
            rows.append(Row(f"{what}: {sampler}, table filled before each sweep", f"{burning:,.0f} tokens/s"))
        wall[sampler] = run.rate(sweeps, "wall")
    return rows, wall


def peer_rows(read, wall, *, n_topics=K, sweeps=1, at_least=100):
    """The Python package on the same documents."""
    documents = np.split(read.words, read.starts[1:-1])
    rows = []
    for trainer, sampler in (("cholesky", "precision"), ("alias", "fast")):
        name = f"gaussianlda {peer_gaussianlda.VERSION}, {trainer}"
        try:
            found = peer_gaussianlda.measured(documents, read.vectors, n_topics, sweeps, trainer)
        except RuntimeError as error:
            rows.append(Row(f"{sampler} against {name}", f"{wall[sampler]:,.0f} tokens/s", f"skipped: {error}"))
            continue
        theirs = sweeps * len(read.words) / found["seconds"]
        what = f"the same {len(documents)} documents: {sampler}"
        rows.append(speed_row(what, wall[sampler], name, theirs, at_least=at_least))
    return rows


def burn_in(read, sampler, *, n_topics=K, most=60):
    """Sweep until the likelihood rises by less than a hundredth of its whole rise; return the run and its path."""
    run, path = Run(read, sampler, n_topics), []
    while len(path) < most:
        run.sweep(refresh=True)
        path.append(run.state.log_likelihood() / run.tokens)
        if len(path) > 5 and (path[-1] - path[-4]) / 3 < FLAT * (path[-1] - path[0]):
            break
    return run, path


def whole_rows(read, *, n_topics=K, sweeps=3, most=60, minute=60.0):
    """All of the training documents: burn-in, then steady sweeps."""
    rows = []
    what = f"all {len(read.starts) - 1:,} documents, {len(read.words):,} tokens, K = {n_topics}"
    for sampler, aim in (("precision", 80_000), ("fast", 1_000_000)):
        run, path = burn_in(read, sampler, n_topics=n_topics, most=most)
        spent = sum(run.cpu)
        words = f"{what}: {sampler}, {len(path)} sweeps until one adds less than {FLAT:.0%} of the whole rise"
        rows.append(Row(words, f"{spent:.1f} s", target=f"{minute:g} s or less", met=spent <= minute))
        rate = run.sweep(sweeps).rate(sweeps)
        rows.append(
            Row(f"{what}: {sampler}, steady", f"{rate:,.0f} tokens/s", target=f"{aim:,} or more", met=rate >= aim)
        )
    return rows


def growth_rows(read, plot=None, *, topics=(25, 50, 100), sizes=(12, 25, 50), shares=(0.25, 0.5, 1.0), sweeps=2):
    """Seconds of a steady sweep against K, D and the number of documents."""
    parts = [part_of(read, share) for share in shares]
    growths = {
        "topics": (topics, [(read, {"n_topics": n}) for n in topics]),
        "numbers in a vector": (sizes, [(read, {"size": n}) for n in sizes]),
        "tokens": ([len(part.words) for part in parts], [(part, {}) for part in parts]),
    }
    rows = []
    for unit, (numbers, settings) in growths.items():
        slopes = {}
        for sampler in ("precision", "fast"):
            seconds = [
                float(np.median(steady(some, sampler, sweeps=sweeps, **options).cpu[-sweeps:]))
                for some, options in settings
            ]
            slope = float(np.polyfit(np.log(numbers), np.log(seconds), 1)[0])
            slopes[f"{sampler}, seconds per sweep"] = (np.array(seconds), slope)
            ends = f"{numbers[0]:,} to {numbers[-1]:,} {unit}"
            aim = {"target": "1.1 or less", "met": slope <= 1.1} if unit == "tokens" else {}
            rows.append(
                Row(f"{sampler}, {ends}", f"{seconds[0]:.3f} to {seconds[-1]:.3f} s", ratio=f"{slope:.2f}", **aim)
            )
        if plot:
            path = pathlib.Path(plot)
            name = path.with_name(f"{path.stem}_{unit.replace(' ', '_')}{path.suffix}")
            draw_growth("Gaussian LDA", unit, np.array(numbers), slopes, name)
    return rows


def part_of(read, share):
    """Return the first documents of a set, with their words only."""
    documents = np.split(read.words, read.starts[1:-1])
    return read_documents([part.tolist() for part in documents[: max(1, round(share * len(documents)))]], read.vectors)


def chain_rows(read, *, n_topics=K, sweeps=5, at_least=1.6):
    """Two chains one after the other, and at the same time in two threads."""
    rows = []
    for sampler in ("precision", "fast"):
        runs = [steady(read, sampler, n_topics=n_topics, seed=seed, burn_in=2, sweeps=1) for seed in range(2)]
        seconds = []
        for threads in (1, 2):
            with ThreadPoolExecutor(threads) as pool:
                started = time.perf_counter()
                list(pool.map(lambda run: run.sweep(sweeps), runs))
                seconds.append(time.perf_counter() - started)
        ratio = seconds[0] / seconds[1]
        what = f"two chains of {sampler}, {sweeps} sweeps, on two cores"
        peer, target = f"one after the other {seconds[0]:.2f} s", f"{at_least:g}× or more"
        rows.append(Row(what, f"{seconds[1]:.2f} s", peer, f"{ratio:.2f}×", target, bool(ratio >= at_least)))
    return rows


def missing():
    """Return which data are not on this machine."""
    return [name for name in ("newsgroups", "glove") if not available(name)]


def main(arguments=()) -> None:
    """Print the table, part by part."""
    parser = argparse.ArgumentParser(prog="topics")
    parser.add_argument("parts", nargs="*", help="some of small, whole, growth, chains; all unless said")
    parser.add_argument("--documents", type=int, default=500, help="of the small set")
    parser.add_argument("--plot", help="PNG; three pictures of growth beside this name")
    options = parser.parse_args(arguments)
    print("Topics: Gaussian LDA, D = 50")
    if missing():
        print(f"  skipped: {', '.join(missing())} not on this machine; `semwork data fetch {' '.join(missing())}`")
        return
    small = newsgroups(options.documents)

    def against_others():
        rows, wall = small_rows(small)
        return rows + peer_rows(small, wall)

    parts = {
        "small": against_others,
        "whole": lambda: whole_rows(newsgroups()),
        "growth": lambda: growth_rows(newsgroups(4_000), options.plot),
        "chains": lambda: chain_rows(newsgroups(2_000)),
    }
    for name in options.parts or parts:
        started = time.perf_counter()
        for row in parts[name]():
            printed(row)
        print(f"  ({name}: {time.perf_counter() - started:.0f} s)")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
