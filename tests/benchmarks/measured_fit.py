"""One fit in a process of its own: its seconds per iteration and its peak memory, as one line of JSON.

``python -m tests.benchmarks.measured_fit ours matrix.npz 100 3`` fits 3 iterations with K = 100; ``implicit`` instead
of ``ours`` takes the peer. ``kernel`` and ``dense`` fit a semantic kernel with a low rank, or by way of a documents ×
documents matrix; the labels are beside the matrix, in matrix.npy. ``names he 250 10`` trains LCLR on 250 pairs of
Hebrew names and a tenth of the false ones, with a regularisation of 10; ``sentences msr04 500 30`` on 500 pairs of
MSR04.
"""

from __future__ import annotations

import json
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np
import psutil
from scipy import sparse

MISSING_WEIGHT, REGULARIZATION = 0.01, 20.0


def in_its_own_process(which, path, n_components, iterations):
    """Run the fit of this file in a new process; returns what it measured."""
    command = [sys.executable, "-m", "tests.benchmarks.measured_fit", which, str(path), str(n_components)]
    root = pathlib.Path(__file__).parents[2]
    done = subprocess.run([*command, str(iterations)], capture_output=True, text=True, check=True, cwd=root)
    return json.loads(done.stdout.splitlines()[-1])


def implicit_model(n_components, dtype, *, use_cg=True, seed=0, threads=0, penalty=REGULARIZATION):
    """Return implicit's model with the weights of ours: confidence 1 for missing words, λ / w_m as its penalty."""
    from implicit.cpu.als import AlternatingLeastSquares

    return AlternatingLeastSquares(
        factors=n_components, regularization=penalty / MISSING_WEIGHT, alpha=1.0, dtype=dtype, use_cg=use_cg,
        iterations=1, num_threads=threads, random_state=seed,
    )  # fmt: skip


def one_more(model, confidences, times):
    """Do one more iteration of implicit's model from where it stands; its own clock leaves the preparation out."""
    model.fit(
        sparse.csr_matrix(confidences), show_progress=False, callback=lambda _, seconds, __: times.append(seconds)
    )


def _ours(X, n_components, iterations, times):
    from semwork.similarity import WTMF

    model = WTMF(n_components, MISSING_WEIGHT, REGULARIZATION, max_iter=iterations, random_state=0)
    started = time.perf_counter()
    for _ in model.steps(X):
        times.append(time.perf_counter() - started)
        started = time.perf_counter()


def _implicit(X, n_components, iterations, times):
    from semwork.blas import one_thread_inside

    with one_thread_inside():
        model = implicit_model(n_components, np.float32)
        model.iterations = iterations
        one_more(model, X, times)


def _labels(X, path):
    return np.arange(X.shape[0]) % 2 if path is None else np.load(pathlib.Path(path).with_suffix(".npy"))


def _kernel(X, rank, _, times, path=None):
    """Choose the decay, then give the features that a linear SVM reads."""
    from semwork.kernels import SemanticKernel

    started = time.perf_counter()
    SemanticKernel(rank=rank, output="features", random_state=0).fit(X, _labels(X, path)).transform(X)
    times.append(time.perf_counter() - started)


def _dense(X, _, __, times, path=None):
    """The same with all eigenvectors, then the kernel matrix that an SVM reads."""
    from semwork.kernels import SemanticKernel

    started = time.perf_counter()
    SemanticKernel().fit(X, _labels(X, path)).transform(X)
    times.append(time.perf_counter() - started)


def _names(language, pairs, regularization, times):
    from semwork.structures import LCLR
    from semwork.structures.tasks.transliteration import name_problem, transliterated_names

    train, _ = transliterated_names(language).split(pairs, 0)
    X, y = train.examples(0.1, 0)
    started = time.perf_counter()
    LCLR(name_problem, regularization, random_state=0).fit(X, y)
    times.append(time.perf_counter() - started)
    return len(X)


def _sentences(data, pairs, regularization, times):
    """Sentences are parsed before; problems are made inside, as a user's would be."""
    from semwork.structures import LCLR
    from semwork.structures.tasks.sentences import paraphrase_pairs, paraphrase_problems

    X, y = paraphrase_pairs().part(training=True)
    started = time.perf_counter()
    LCLR(paraphrase_problems(), regularization, random_state=0, standardize=True).fit(X[:pairs], y[:pairs])
    times.append(time.perf_counter() - started)
    return min(len(X), pairs)


def _structures_main(learn, given, pairs, regularization):
    learn(given, 10, 1.0, [])
    before, times = _now(), []
    examples = learn(given, int(pairs), float(regularization), times)
    print(json.dumps({"seconds": times, "before": before, "peak": _peak(), "shape": [examples]}))


def _now():
    return psutil.Process().memory_info().rss / 1e6


def _peak():
    """Return the most megabytes that this process ever had; Linux's getrusage would count its parent's too."""
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main(which, path, n_components, iterations):
    """Fit something small first, so that imports and compilation are over; then measure."""
    if which in ("names", "sentences"):
        _structures_main({"names": _names, "sentences": _sentences}[which], path, n_components, iterations)
        return
    fit = {"ours": _ours, "implicit": _implicit, "kernel": _kernel, "dense": _dense}[which]
    X = sparse.load_npz(path)
    if which == "implicit":
        X = X * np.float32(1 / MISSING_WEIGHT)
    fit(sparse.random(50, 40, 0.2, format="csr", random_state=0, dtype=np.float32), 5, 1, [])
    before, times = _now(), []
    labels = {"path": path} if which in ("kernel", "dense") else {}
    fit(X, int(n_components), int(iterations), times, **labels)
    print(json.dumps({"seconds": times, "before": before, "peak": _peak(), "shape": X.shape, "cells": X.nnz}))


if __name__ == "__main__":
    main(*sys.argv[1:])
