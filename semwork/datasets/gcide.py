"""GCIDE, the GNU Collaborative International Dictionary of English: one text per definition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from semwork.datasets.parsed import Source, frame
from semwork.datasets.records import SEPARATOR, Dictionary

__all__ = ["load"]

_POS = {"n.": "n", "a.": "a", "adj.": "a", "adv.": "r", "v.": "v", "v. t.": "v", "v. i.": "v"}
"""The labels that name one part of speech and nothing else; others, such as "n. & v.", stay without."""


def load(source: Source) -> Dictionary:
    """Return all definitions, in the order of the letters' files.

    Returns
    -------
    Dictionary
        The table's ``pos`` is n, v, a, r or empty, ``part_of_speech`` the dictionary's own label, ``sense`` counts
        the definitions of a headword from 1, and ``senses`` says how many it has.

    Notes
    -----
    Thirteen headwords stand in two of the files; the later one counts, as in the earlier study of this project. Of the
    108,181 headwords twelve have no definition and are not here; the others have 171,914.
    """
    table = frame(source, "table-1", lambda: _parse(source.folder()))
    texts = [str(text) for text in table.pop("text").tolist()]
    return Dictionary(source.name, texts, table)


def _parse(folder: Path) -> pd.DataFrame:
    entries: dict[str, Any] = {}
    for path in sorted(folder.glob("words_?.json")):
        entries.update(json.loads(path.read_text(encoding="utf-8")))
    rows = []
    for headword, entry in entries.items():
        senses = [
            (part["part_of_speech"] or "", " ".join(sense["text"].split()), sense["examples"])
            for part in entry["pos"]
            for sense in part["definitions"]
        ]
        for number, (label, definition, examples) in enumerate(senses, start=1):
            quotes = [" ".join(example.split()) for example in examples if example.strip()]
            text = f"{headword}: {'; '.join([definition, *quotes])}"
            identity = f"{headword}#{number}"
            pos = _POS.get(label, "")
            row = (identity, pos, label, number, len(senses), headword, definition, SEPARATOR.join(quotes), text)
            rows.append(row)
    columns = ["id", "pos", "part_of_speech", "sense", "senses", "headwords", "definition", "examples", "text"]
    return pd.DataFrame(rows, columns=columns)
