"""The Python package gaussianlda on given documents, in a process of its own: its seconds, as one line of JSON.

``python -m tests.benchmarks.peer_gaussianlda documents.npz 50 1 cholesky`` does one sweep with K = 50; ``alias``
instead takes its other trainer. Only the documented interface of the package is used.

It cannot stand in the extra ``bench``: it depends on choldate, which is in no package index, so no installer finds a
solution. `fetched` gets it without its dependencies into a folder of its own, with progressbar2, and choldate's two
functions (rank-1 update and downdate of a Cholesky factor, in place) are our own compiled ones, which are no slower.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import time
import types

import numpy as np

VERSION = "0.2.14"
PACKAGES = (f"gaussianlda=={VERSION}", "progressbar2==4.6.0", "python-utils==4.1.4", "typing_extensions")


@functools.cache
def fetched() -> tuple[str, str]:
    """Return the folder with the package ("" where it is installed already), and what went wrong ("" if nothing)."""
    if importlib.util.find_spec("gaussianlda") and importlib.util.find_spec("progressbar"):
        return "", ""
    folder = tempfile.mkdtemp(prefix="gaussianlda")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, *PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
    return folder, "" if done.returncode == 0 else f"gaussianlda {VERSION} could not be had: {last[0]:.100}"


def measured(documents, vectors, n_topics, sweeps, trainer):
    """Return seconds of ``sweeps`` sweeps by the peer, and of its preparation; raise when it cannot be had."""
    folder, problem = fetched()
    if problem:
        raise RuntimeError(problem)
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "documents.npz"
        lengths = [len(document) for document in documents]
        np.savez(path, words=np.concatenate(documents), lengths=lengths, vectors=np.asarray(vectors, np.float64))
        command = [sys.executable, "-m", "tests.benchmarks.peer_gaussianlda", str(path), str(n_topics), str(sweeps)]
        root = pathlib.Path(__file__).parents[2]
        done = subprocess.run(
            [*command, trainer, folder], capture_output=True, text=True, check=False, cwd=root, timeout=1800
        )
    if done.returncode:
        raise RuntimeError(f"gaussianlda {VERSION} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]:.100}")
    return json.loads(done.stdout.splitlines()[-1])


def _choldate():
    """Two functions under the names that the peer imports."""
    from semwork.topics.samplers.factors import rank_one

    def changed(factor, x, sign):
        upper = np.ascontiguousarray(factor)
        rank_one(upper, x, sign)
        factor[:] = upper

    module = types.ModuleType("choldate")
    module.cholupdate = lambda factor, x: changed(factor, x, 1.0)
    module.choldowndate = lambda factor, x: changed(factor, x, -1.0)
    return module


def main(path, n_topics, sweeps, trainer, folder=""):
    if folder:
        sys.path.insert(0, folder)
    if not importlib.util.find_spec("choldate"):
        sys.modules["choldate"] = _choldate()
    import gaussianlda

    logging.disable(logging.CRITICAL)
    given = np.load(path)
    documents = [part.tolist() for part in np.split(given["words"], np.cumsum(given["lengths"])[:-1])]
    vectors = given["vectors"]
    names = [f"w{word}" for word in range(len(vectors))]
    alpha = 1 / int(n_topics)
    with contextlib.redirect_stdout(sys.stderr):
        started = time.perf_counter()
        if trainer == "alias":
            model = gaussianlda.GaussianLDAAliasTrainer(
                documents, vectors, names, int(n_topics), alpha, 0.1, show_topics=0, show_progress=False
            )
        else:
            model = gaussianlda.GaussianLDATrainer(
                documents, vectors, names, int(n_topics), alpha, show_topics=0, cholesky_decomp=True
            )
        prepared = time.perf_counter() - started
        started = time.perf_counter()
        model.sample(int(sweeps))
        seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "prepared": prepared}))


if __name__ == "__main__":
    main(*sys.argv[1:])
