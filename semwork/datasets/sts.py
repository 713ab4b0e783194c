"""Sentence similarity with human scores: LI06 and SemEval-2012."""

from __future__ import annotations

from pathlib import Path

from semwork.datasets.parsed import Source
from semwork.datasets.records import SentencePairs, sentence_pairs

__all__ = ["load_li06", "load_sts2012"]

_TEST = (("MSRpar", 750), ("MSRvid", 750), ("OnWN", 750), ("SMTeuroparl", 459), ("SMTnews", 399))
_TRAIN = (("MSRpar", 750), ("MSRvid", 750), ("SMTeuroparl", 734))


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [line.strip() for line in (lines[:-1] if lines[-1] == "" else lines)]


def _pairs(text: Path, scores: Path) -> tuple[list[str], list[str], list[float]]:
    lines, values = _lines(text), [float(line) for line in _lines(scores)]
    if len(lines) != 2 * len(values):
        raise ValueError(f"{text} has {len(lines)} lines, {scores} has {len(values)}; two lines go with one score")
    return lines[::2], lines[1::2], values


def load_li06(source: Source) -> SentencePairs:
    """Return the 30 pairs of LI06, scores between 0 and 1; all are test pairs."""
    folder = source.folder()
    left, right, scores = _pairs(folder / "text", folder / "gs")
    n = len(scores)
    return sentence_pairs(source.name, left, right, scores, ["test"] * n, [""] * n)


def load_sts2012(source: Source) -> SentencePairs:
    """Return the test pairs of SemEval-2012 in the official order, then the training pairs; scores between 0 and 5.

    The groups of the test are MSRpar, MSRvid, OnWN, SMTeuroparl and SMTnews; OnWN and SMTnews have no training part.
    """
    folder = source.folder()
    left, right, scores = _pairs(folder / "text", folder / "gs")
    more = _pairs(folder / "train.text", folder / "train.gs")
    groups = [name for part in (_TEST, _TRAIN) for name, count in part for _ in range(count)]
    split = ["test"] * len(scores) + ["train"] * len(more[2])
    if len(groups) != len(split):
        raise ValueError(f"{folder} holds {len(split)} pairs; SemEval-2012 has {len(groups)}")
    return sentence_pairs(source.name, left + more[0], right + more[1], scores + more[2], split, groups)
