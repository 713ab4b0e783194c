"""Semantic kernels: one eigendecomposition for every decay, and a low rank where no kernel matrix fits.

The peers compute the kernel again for every decay, as the formulas say, with scipy's matrix exponential and numpy's
inverse; a few decays are measured and multiplied. The dense route to all of 20 newsgroups is our own exact kernel:
every eigenvector of a documents × documents matrix.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import tempfile
import time

import numpy as np
from scipy import linalg, sparse

from semwork.datasets import available
from semwork.kernels import KernelSpectrum, alignment, decay_path
from semwork.kernels.documents import document_set
from tests.benchmarks.measured_fit import in_its_own_process
from tests.benchmarks.rows import Row, draw_growth, printed, timed

NEEDED = ("medline", "newsgroups")
DECAYS = 200
RANK = 300
SIZES = (1_250, 2_500, 5_000, 10_000, 18_821)
DENSE_SIZES = (1_250, 2_500, 5_000)


def recomputed(kind, K, decay):
    """The kernel as its formula says."""
    if kind == "exponential":
        return K @ linalg.expm(decay * K)
    return K @ np.linalg.inv(np.eye(len(K)) - decay * K)


def path_rows(K, y, rounds=3, checked=3):
    """A path of 200 decays, everything counted, against the same by recomputing; and with the eigenvectors at hand."""
    largest = float(np.linalg.eigvalsh(K)[-1])
    rows = []
    for kind, relative in (
        ("exponential", np.geomspace(0.01, 10, DECAYS)),
        ("von_neumann", np.linspace(0.01, 0.99, DECAYS)),
    ):
        decays = relative / largest
        some = np.linspace(0, DECAYS - 1, checked).astype(int)
        ours, again, peer, apart = [], [], [], 0.0
        for _ in range(rounds):
            seconds, path = timed(lambda kind=kind, decays=decays: decay_path(K, y, kind, decays))
            ours.append(seconds)
            spectrum = KernelSpectrum.of(K)
            again.append(timed(lambda kind=kind, decays=decays, s=spectrum: decay_path(s, y, kind, decays))[0])
            for place in some:
                one = timed(lambda kind=kind, decay=decays[place]: alignment(recomputed(kind, K, decay), y))
                peer.append(one[0])
                apart = max(apart, abs(one[1] - path["alignment"][place]))
        theirs = DECAYS * statistics.mean(peer)
        name = "K @ expm(λK)" if kind == "exponential" else "K @ inv(I − λK)"
        for what, seconds, target in (
            (f"{kind}, {DECAYS} decays, all counted", statistics.median(ours), 200),
            (f"{kind}, {DECAYS} decays, eigenvectors at hand", statistics.median(again), 200),
        ):
            ratio = theirs / seconds
            said = f"{target}× or more"
            rows.append(
                Row(what, f"{seconds:.3f} s", f"{name} {theirs:.1f} s", f"{ratio:,.0f}×", said, ratio >= target)
            )
        rows.append(Row(f"{kind}, largest difference", f"{apart:.1e}", name, "", "1e-8 or less", apart <= 1e-8))
    return rows


def scale_rows(X, y, folder, plot, sizes=SIZES, dense_sizes=DENSE_SIZES, rank=RANK):
    """Time and memory of the low rank as documents grow, and of the dense route as far as it goes."""
    found = {}
    order = np.random.default_rng(0).permutation(X.shape[0])
    for size in sizes:
        path = folder / f"first_{size}.npz"
        rows = np.sort(order[:size])
        sparse.save_npz(path, sparse.csr_matrix(X[rows]))
        np.save(path.with_suffix(".npy"), y[rows])
        for which in ("kernel", "dense") if size in dense_sizes else ("kernel",):
            measured = in_its_own_process(which, path, rank, 1)
            found[which, size] = measured["seconds"][-1], measured["peak"] - measured["before"]
    at = max(set(sizes) & set(dense_sizes))
    (mine, my_memory), (theirs, their_memory) = found["kernel", at], found["dense", at]
    rows = [
        Row(f"{at:,} documents, rank {rank}", f"{mine:.1f} s", f"dense {theirs:.1f} s", f"{theirs / mine:.1f}×"),
        Row(f"{at:,} documents, memory", f"{my_memory:.0f} MB", f"dense {their_memory:.0f} MB",
            f"{their_memory / my_memory:.1f}×"),
    ]  # fmt: skip
    for which, numbers in (("kernel", sizes), ("dense", dense_sizes)):
        values = np.array([found[which, size] for size in numbers]).T
        slopes = {
            what: (column, np.polyfit(np.log(numbers), np.log(column), 1)[0])
            for what, column in zip(("seconds", "memory (MB)"), values, strict=True)
        }
        name = f"rank {rank}" if which == "kernel" else "dense"
        if which == "kernel":
            draw_growth(f"kernel, {name}", "documents", np.array(numbers), slopes, plot)
        for what, (column, slope) in slopes.items():
            limited = which == "kernel" and what.startswith("memory")
            rows.append(
                Row(
                    f"growth of {what}, {name}, {numbers[0]:,} to {numbers[-1]:,} documents",
                    f"{column[0]:.3g} → {column[-1]:.3g}", "linear: slope 1", f"{slope:.2f}",
                    "slope 1.1 or less" if limited else "", bool(slope <= 1.1) if limited else None,
                )
            )  # fmt: skip
    print(f"(growth: picture in {plot})")
    return rows


def main(arguments=()) -> None:
    """Print the table, or why there is none."""
    parser = argparse.ArgumentParser(prog="kernels")
    parser.add_argument("--plot", type=pathlib.Path, help="where the picture of the growth goes, a .png file")
    options = parser.parse_args(arguments)
    missing = [name for name in NEEDED if not available(name)]
    if missing:
        print(f"Kernels: skipped, not on this machine: {', '.join(missing)} (semwork data fetch {missing[0]})")
        return
    started = time.perf_counter()
    plot = options.plot or pathlib.Path(tempfile.mkdtemp(prefix="semwork-bench-")) / "growth.png"
    medline, news = document_set("medline"), document_set("newsgroups")
    matrix = medline.corpus.matrix
    print(f"Kernels: Medline, {len(medline):,} documents, query 20; 20 newsgroups, {len(news):,} documents, 20 classes")
    with tempfile.TemporaryDirectory() as name:
        for part in (
            lambda: path_rows((matrix @ matrix.T).toarray(), medline.target("query 20")),
            lambda: scale_rows(news.corpus.matrix, news.labels, pathlib.Path(name), plot),
        ):
            for row in part():
                printed(row)
    print(f"  ({time.perf_counter() - started:.0f} s for this part)")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
