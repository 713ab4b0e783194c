"""WordNet 3.0: one text per synset."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from semwork.datasets.parsed import Source, frame
from semwork.datasets.records import SEPARATOR, Dictionary

__all__ = ["load"]

_FILES = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))
_FIRST_EXAMPLE = re.compile(r'(?:^|;|:|,)\s*"|\s"(?=[^"]*"\s*$)')


def load(source: Source) -> Dictionary:
    """Return all synsets in the order of the files: nouns, verbs, adjectives, adverbs.

    Returns
    -------
    Dictionary
        ``texts`` are headwords, definition and examples in one string, ``definitions`` the bare definitions. The
        table's ``id`` is the offset in the file and the part of speech, ``category`` the lexicographer's file, such
        as ``noun.animal``.
    """
    table = frame(source, "table-1", lambda: _parse(source.folder()))
    texts = [str(text) for text in table.pop("text").tolist()]
    return Dictionary(source.name, texts, table)


def _parse(folder: Path) -> pd.DataFrame:
    lexnames = (folder / "lexnames").read_text(encoding="utf-8").splitlines()
    categories = {line.split("\t")[0]: line.split("\t")[1] for line in lexnames if line}
    rows = []
    for name, pos in _FILES:
        lines = (folder / f"data.{name}").read_text(encoding="utf-8").split("\n")
        # the licence at the top is indented
        rows += [_synset(line, pos, categories) for line in lines if line and not line.startswith("  ")]
    return pd.DataFrame(rows, columns=["id", "pos", "category", "headwords", "definition", "examples", "text"])


def _synset(line: str, pos: str, categories: dict[str, str]) -> tuple[str, ...]:
    head, _, gloss = line.partition(" | ")
    parts = head.split(" ")
    count = int(parts[3], 16)
    # adjectives carry their position in brackets, as in "galore(ip)"
    words = [re.sub(r"\((?:a|p|ip)\)$", "", word).replace("_", " ") for word in parts[4 : 4 + 2 * count : 2]]
    definition, examples = split_gloss(gloss)
    text = f"{', '.join(words)}: {'; '.join([definition, *examples])}"
    category = categories[parts[1]]
    return (
        f"{parts[0]}-{pos}", pos, category, SEPARATOR.join(words), definition, SEPARATOR.join(examples), text,
    )  # fmt: skip


def split_gloss(gloss: str) -> tuple[str, list[str]]:
    """Split a gloss into the definition and the quoted examples that follow it.

    >>> split_gloss('without accompaniment; "they sang a cappella"; "bravo!" - a critic')
    ('without accompaniment', ['they sang a cappella', 'bravo!'])
    >>> split_gloss('a "round" number; often whole')
    ('a "round" number; often whole', [])
    """
    gloss = gloss.strip()
    start = _FIRST_EXAMPLE.search(gloss)
    if start is None:
        return gloss.strip("; "), []
    definition, rest = gloss[: start.start()], gloss[start.start() :]
    examples = [example.strip() for example in re.findall(r'"([^"]*)', rest)[::2]]
    after = re.split(r'"[^"]*"?', rest)[-1]
    if not definition.strip():  # a few glosses begin with their example
        definition = after.strip("; ") or gloss
    return definition.strip("; "), [example for example in examples if example]
