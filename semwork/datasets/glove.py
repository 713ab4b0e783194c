"""GloVe word vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from semwork.datasets.parsed import Source, stored
from semwork.datasets.records import WordVectors

__all__ = ["load"]


def load(source: Source) -> WordVectors:
    """Return 400,000 words with vectors of 50 numbers, float32, memory-mapped.

    The original array is in Fortran order; a copy with one word per run of memory is made once, in the cache.
    """
    folder = stored(source, "rows-1", lambda folder: _convert(source.folder(), folder))
    words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")
    vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
    return WordVectors(source.name, words, vectors)


def _convert(original: Path, folder: Path) -> None:
    import pandas as pd

    vectors = np.load(original / "glove_6B_50d_emb.npy", allow_pickle=False)
    words = [str(word) for word in pd.read_parquet(original / "glove_6B_index.parquet")["index"].tolist()]
    if len(words) != len(vectors) or any("\n" in word or "\r" in word for word in words):
        raise ValueError(f"{original} holds {len(words)} words and {len(vectors)} vectors, or words with line breaks")
    np.save(folder / "vectors.npy", np.ascontiguousarray(vectors, dtype=np.float32), allow_pickle=False)
    (folder / "words.txt").write_bytes("\n".join(words).encode())
