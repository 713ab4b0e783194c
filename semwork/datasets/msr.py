"""The Microsoft Research paraphrase corpus."""

from __future__ import annotations

from semwork.datasets.parsed import Source
from semwork.datasets.records import SentencePairs, sentence_pairs

__all__ = ["load"]


def load(source: Source) -> SentencePairs:
    """Return the pairs with scores 1 (paraphrase) and 0; ``train`` and ``val`` together are the original training set.

    The table has the ids of both sentences, ``left_id`` and ``right_id``.
    """
    rows: list[tuple[str, ...]] = []
    for split in ("train", "val", "test"):
        text = (source.folder() / f"msr-para-{split}.tsv").read_text(encoding="utf-8-sig")
        for line in text.split("\n")[1:]:
            if line.strip():
                label, one, two, left, right = line.rstrip("\r").split("\t")  # quotation marks mean nothing here
                rows.append((split, label, one, two, left, right))
    splits, labels, ones, twos, lefts, rights = zip(*rows, strict=True)
    columns = {"left_id": ones, "right_id": twos}
    return sentence_pairs(source.name, lefts, rights, labels, splits, [""] * len(rows), columns)
