"""The kinds of data that people bring, and the columns that each of them is made of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from semwork.datasets.records import LabelledDocuments, RetrievalSet, SentencePairs, Sentences
from semwork.datasets.word_records import NamePairs, WordVectors
from semwork.given import check_word

__all__ = ["KINDS", "ROLES", "SPLITS", "Kind", "Role", "check_known", "names_of_roles", "plain", "split_named"]

Kind = type[Sentences | LabelledDocuments | SentencePairs | RetrievalSet | NamePairs | WordVectors]

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "texts": Sentences,
        "documents": LabelledDocuments,
        "pairs": SentencePairs,
        "definitions": RetrievalSet,
        "names": NamePairs,
        "vectors": WordVectors,
    }
)
"""Kind → the record that it becomes."""


@dataclass(frozen=True)
class Role:
    """What a column is for.

    Parameters
    ----------
    says : str
        What stands in the column, for people.
    required : bool
        Whether the record cannot be made without it.
    """

    says: str
    required: bool = True


_SPLIT = Role("which part a row belongs to: train, val, dev or test", required=False)
_ID = Role("what a row is called elsewhere", required=False)

ROLES: Mapping[str, Mapping[str, Role]] = MappingProxyType(
    {
        "texts": {"text": Role("the text"), "id": _ID},
        "documents": {"text": Role("the text"), "label": Role("its class"), "split": _SPLIT, "id": _ID},
        "pairs": {
            "left": Role("one sentence"),
            "right": Role("the other sentence"),
            "score": Role("how similar they are, or 1 and 0 for yes and no", required=False),
            "split": _SPLIT,
            "group": Role("the part of the data that a pair belongs to", required=False),
        },
        "definitions": {
            "query": Role("what is looked for"),
            "candidate": Role("what answers it"),
            "label": Role("the word that is defined, or another short name", required=False),
            "split": _SPLIT,
        },
        "names": {
            "english": Role("the name in English"),
            "foreign": Role("the name in the other language"),
            "kind": Role("what is named, such as city", required=False),
        },
        "vectors": {"word": Role("the word; all columns of numbers are its vector")},
    }
)
"""Kind → its roles, and what stands in a column of each."""


def check_known(kind: object) -> str:
    """Return a kind, or say which there are.

    Examples
    --------
    >>> check_known("reviews")
    Traceback (most recent call last):
    ValueError: there is no kind 'reviews'; kind must be one of 'texts', 'documents', 'pairs', 'definitions', 'names', \
'vectors'
    """
    check_word("kind", kind, KINDS)
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r:.60}; kind must be one of {', '.join(map(repr, KINDS))}")
    return str(kind)


def names_of_roles(kind: str) -> str:
    """Return the roles of a kind in a sentence.

    Examples
    --------
    >>> names_of_roles("pairs")
    'left, right and, if there are such columns, score, split, group'
    """
    required = [name for name, role in ROLES[kind].items() if role.required]
    others = [name for name, role in ROLES[kind].items() if not role.required]
    return ", ".join(required) + (f" and, if there are such columns, {', '.join(others)}" if others else "")


def plain(name: str) -> str:
    """Return a name as it is compared: without case, accents, spaces and signs.

    Examples
    --------
    >>> plain("Catégorie "), plain("sentence_1")
    ('categorie', 'sentence1')
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[\W_]+", "", "".join(sign for sign in letters if not unicodedata.combining(sign)))


SPLITS = ("train", "val", "dev", "test")
"""The parts that data are split into."""

_SPLIT_NAMES = {
    **dict.fromkeys(("train", "training", "trn", "trainset", "entrainement", "entrenamiento"), "train"),
    **dict.fromkeys(("val", "valid", "validation", "validierung"), "val"),
    **dict.fromkeys(("dev", "development", "devset"), "dev"),
    **dict.fromkeys(("test", "testing", "tst", "eval", "evaluation", "testset", "prueba"), "test"),
}


def split_named(value: str) -> str:
    """Return the part that is meant; empty where it is none.

    Examples
    --------
    >>> split_named("Training"), split_named("fold 3")
    ('train', '')
    """
    return _SPLIT_NAMES.get(plain(value), "")
