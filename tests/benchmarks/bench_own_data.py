"""A hundred thousand texts of one's own: from a file to a report, a matrix, a fitted model and a first picture.

The peer does what it can of the same: pandas reads the file, scikit-learn weighs the words and fits truncated SVD.
"""

from __future__ import annotations

import pathlib
import shutil
import statistics
import tempfile
import time

import numpy as np
import pandas as pd
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from semwork.datasets import load, read_table, register, remove
from semwork.similarity import WTMF
from semwork.text import Corpus
from tests.benchmarks.rows import Row, printed, seconds_row, timed

TEXTS, SMALL, REPEATS, COMPONENTS = 100_000, 5_000, 3, 100
MOST = 1.5  # from a key to its picture: own texts beside the sample


def written(folder: pathlib.Path, count: int = TEXTS) -> pathlib.Path:
    """Write a CSV of short reviews with a class each: as many words as people write, of the sample's sentences."""
    rng = np.random.default_rng(0)
    sample = load("sample").documents
    pieces: dict[int, list[str]] = {}
    for text, label in zip(sample.texts, sample.labels, strict=True):
        pieces.setdefault(int(label), []).extend(text.split())
    labels = rng.integers(0, len(pieces), count)
    lengths = np.maximum(rng.poisson(10, count), 3)
    texts = [" ".join(rng.choice(pieces[int(label)], length)) for label, length in zip(labels, lengths, strict=True)]
    path = folder / f"reviews_{count}.csv"
    names = np.array(sample.label_names)[labels]
    pd.DataFrame({"id": range(count), "review": texts, "topic": names}).to_csv(path, index=False)
    return path


def stages(path: pathlib.Path) -> dict[str, tuple[float, float]]:
    """Seconds of each stage, ours and the peer's, one run."""
    found: dict[str, tuple[float, float]] = {}
    ours, reading = timed(lambda: read_table(path))
    theirs, frame = timed(lambda: pd.read_csv(path))
    found["file to records and report (peer: pandas.read_csv, no report)"] = ours, theirs
    assert reading.record is not None
    assert len(reading.record) == len(frame)
    ours, corpus = timed(lambda: Corpus.from_texts(reading.record.texts))
    theirs, matrix = timed(lambda: TfidfVectorizer(min_df=2).fit_transform(frame["review"]))
    found["texts to matrix (peer: TfidfVectorizer)"] = ours, theirs
    ours, _ = timed(lambda: WTMF(COMPONENTS, random_state=0).fit(corpus.matrix))
    theirs, _ = timed(lambda: TruncatedSVD(COMPONENTS, random_state=0).fit_transform(matrix))
    found[f"matrix to {COMPONENTS} dimensions: WTMF, 20 iterations (peer: TruncatedSVD, another model)"] = ours, theirs
    return found


def first_picture(path: pathlib.Path) -> float:
    """Seconds from the record to the first picture of lesson 02's panel, in the kernel."""
    from semwork_widgets import retrieval_race

    record = read_table(path).record
    register("bench texts", record, keep=False, replace=True)
    try:

        def drawn() -> None:
            panel = retrieval_race(data="bench texts")
            while panel.drawing.drawn is None and panel.error is None:
                time.sleep(0.01)
            panel.close()

        return timed(drawn)[0]
    finally:
        remove("bench texts")


def rows(folder: pathlib.Path, count: int = TEXTS, repeats: int = REPEATS) -> list[Row]:
    """Medians of several runs, ours and the peer's in turn."""
    path = written(folder, count)
    runs = [stages(path) for _ in range(repeats)]
    table = []
    for name in runs[0]:
        ours, theirs = (statistics.median(run[name][side] for run in runs) for side in (0, 1))
        table.append(seconds_row(name, ours, "", theirs))
    picture = statistics.median(first_picture(path) for _ in range(repeats))
    size = path.stat().st_size / 1e6
    return [
        *table,
        Row(f"records to the first picture of lesson 02, {count:,} texts, {size:.1f} MB", f"{picture:.2f} s"),
    ]


def key_rows(folder: pathlib.Path) -> list[Row]:
    """From a key on w_m to the picture in the browser: the sample, and 5,000 texts of one's own."""
    from tests.browser import lab
    from tests.browser.measure import key_on_panel

    path = written(folder, SMALL)
    (folder / "served").mkdir()
    given = {"the sample": "", f"{SMALL:,} own texts": f"data={str(path)!r}"}
    # Panel → the number of its pictures that a key on its first slider moves.
    panels = {"semantic_kernels": 2, "gaussian_topics": 3}
    table = []
    with (
        lab.jupyterlab(folder / "served", folder / "home", SEMWORK_CACHE=str(folder / "cache")) as base,
        lab.chromium() as browser,
    ):
        for panel, figures in panels.items():
            delays: dict[str, list[float]] = {name: [] for name in given}
            for _ in range(REPEATS):
                for name, data in given.items():
                    cell = f"from semwork_widgets import {panel}\n{panel}({data})"
                    delays[name].append(key_on_panel(browser, base, folder / "served", cell, figures).p95)
            sample, own = (statistics.median(delays[name]) for name in given)
            words = f"p95 {own * 1e3:.0f} ms", f"the sample p95 {sample * 1e3:.0f} ms"
            target = f"{MOST:g}× the sample's at most"
            table.append(
                Row(
                    f"key to picture, {panel}, {SMALL:,} own texts",
                    *words,
                    f"{own / sample:.2f}×",
                    target,
                    own <= MOST * sample,
                )
            )
    return table


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print(f"Own data: {TEXTS:,} texts, median of {REPEATS} runs in turn")
        for row in rows(folder):
            printed(row)
        if shutil.which("chromium"):
            for row in key_rows(folder):
                printed(row)
        else:
            print("  key to picture: skipped, no chromium on the PATH")


if __name__ == "__main__":
    main()
