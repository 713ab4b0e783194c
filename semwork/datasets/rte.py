"""Recognising textual entailment, challenges 1 to 3."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from semwork.datasets.parsed import Source
from semwork.datasets.records import SentencePairs, sentence_pairs

__all__ = ["load"]

_YES = {"TRUE": 1.0, "FALSE": 0.0, "YES": 1.0, "NO": 0.0}


def load(source: Source) -> SentencePairs:
    """Return texts (left) and hypotheses (right), score 1 when the hypothesis follows; groups are rte1, rte2, rte3.

    The table has the pair's ``id`` in its file and the ``task`` it was taken from, such as IR or QA.
    """
    rows = []
    for challenge in ("rte1", "rte2", "rte3"):
        for split in ("dev", "test"):
            content = (source.folder() / f"{challenge}_{split}.xml").read_bytes()
            for pair in Xml.fromstring(content).iter("pair"):  # noqa: S314 - the bytes are those of the registry
                label = _YES[pair.get("entailment") or pair.get("value") or ""]
                texts = [" ".join((pair.findtext(tag) or "").split()) for tag in ("t", "h")]
                rows.append((challenge, split, label, pair.get("id", ""), pair.get("task", ""), *texts))
    groups, splits, labels, ids, tasks, lefts, rights = zip(*rows, strict=True)
    return sentence_pairs(source.name, lefts, rights, labels, splits, groups, {"id": ids, "task": tasks})
