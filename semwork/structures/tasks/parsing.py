"""Sentences as graphs: words with lemma, part of speech and name, joined by dependencies; parsed once, then kept."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from semwork.atomic import written_whole
from semwork.datasets import folders, path
from semwork.sources import digest
from semwork.steps import Step, last

__all__ = ["ParseStep", "Parsed", "load_parser", "parse", "parse_steps", "parse_text"]

_MODEL = "en_core_web_sm"
_COLUMNS = ("word", "lemma", "pos", "label", "head", "name")
_BATCH = 256
# What a kept parse is made by: when this code changes, sentences are parsed again.
_CODE = tuple((__name__, name) for name in ("_read", "_to_table"))


@dataclass(frozen=True, eq=False)
class Parsed:
    """One sentence, word by word, without punctuation.

    Parameters
    ----------
    words, lemmas : tuple of str of length n
        In lower case.
    pos : tuple of str of length n
        Universal parts of speech, such as ``"NOUN"``.
    labels : tuple of str of length n
        Dependency of each word on its head, such as ``"nsubj"``.
    heads : tuple of int of length n
        Place of each word's head; -1 for the root.
    names : tuple of str of length n
        Kind of the name a word belongs to, such as ``"PERSON"``; empty if none.
    """

    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    labels: tuple[str, ...]
    heads: tuple[int, ...]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Edges as (head, dependent)."""
        return [(head, place) for place, head in enumerate(self.heads) if head >= 0]

    def doubled(self) -> Parsed:
        """Return the sentence followed by itself, as in the paper's Extended set."""
        shifted = tuple(head + len(self) if head >= 0 else -1 for head in self.heads)
        return Parsed(
            self.words * 2, self.lemmas * 2, self.pos * 2, self.labels * 2, self.heads + shifted, self.names * 2
        )


@dataclass(frozen=True, kw_only=True)
class ParseStep(Step):
    """Some more sentences are parsed; the last step has all."""

    parsed: tuple[Parsed, ...] = ()


@functools.cache
def load_parser(model: str = "") -> Any:
    """Return spaCy with its small English model (fetched once), or with a model of the user's by name or folder.

    Raises
    ------
    ImportError
        Says what to install when spaCy is missing.
    """
    try:
        import spacy
    except ImportError as missing:
        raise ImportError(
            "sentences are parsed by spaCy, which is not installed; install it with: pip install 'semwork[nlp]' "
            "(names of lesson 05 need no parser)"
        ) from missing
    return spacy.load(model or path(_MODEL))


def _read(document: Any) -> Parsed:
    """Keep what is not punctuation; a word whose head is dropped gets the head's head."""
    kept = [token for token in document if not (token.is_punct or token.is_space or token.pos_ in ("PUNCT", "SPACE"))]
    place = {token.i: number for number, token in enumerate(kept)}

    def head_of(token: Any) -> int:
        above = token
        while above.head.i != above.i:
            above = above.head
            if above.i in place:
                return place[above.i]
        return -1

    return Parsed(
        words=tuple(token.lower_ for token in kept),
        lemmas=tuple(token.lemma_.lower() for token in kept),
        pos=tuple(token.pos_ for token in kept),
        labels=tuple(token.dep_ for token in kept),
        heads=tuple(head_of(token) for token in kept),
        names=tuple(token.ent_type_ for token in kept),
    )


def parse(texts: Sequence[str], parser: Any = None) -> tuple[Parsed, ...]:
    """Parse sentences, or read them from the cache; ``parser`` is a spaCy model of yours instead of the small one."""
    return last(parse_steps(texts, parser)).parsed


@functools.lru_cache(maxsize=256)
def parse_text(text: str) -> Parsed:
    """Parse one sentence, such as one that was just typed; it is not kept on disk."""
    if not text.strip():
        raise ValueError("the sentence is empty; give at least one word")
    found = _read(load_parser()(text.strip()))
    if not len(found):
        raise ValueError(f"{text!r:.60} has no words, only punctuation")
    return found


def parse_steps(texts: Sequence[str], parser: Any = None) -> Iterator[ParseStep]:
    """Parse sentences step by step; a set that was parsed before comes from the cache."""
    empty = [number for number, text in enumerate(texts) if not text.strip()]
    if empty:
        raise ValueError(f"sentence {empty[0] + 1} of {len(texts)} is empty; give at least one word")
    total = len(texts)
    place = _place(texts, "" if parser is None else _name_of(parser))
    if place.exists():
        yield ParseStep(done=total, total=total, message="parsed before", parsed=_from_table(pd.read_parquet(place)))
        return
    model = load_parser() if parser is None else parser
    found: list[Parsed] = []
    for document in model.pipe(texts, batch_size=_BATCH):
        found.append(_read(document))
        if not len(found[-1]):
            raise ValueError(f"sentence {len(found)} ({texts[len(found) - 1]!r:.60}) has no words, only punctuation")
        if len(found) % _BATCH == 0 and len(found) < total:
            yield ParseStep(done=len(found), total=total, message=f"{len(found):,} sentences parsed")
    _keep(place, _to_table(found))
    yield ParseStep(done=total, total=total, message=f"{total:,} sentences parsed", parsed=tuple(found))


def _name_of(parser: Any) -> str:
    meta = getattr(parser, "meta", {})
    return f"{meta.get('lang', '')}_{meta.get('name', '')}-{meta.get('version', '')}"


def _place(texts: Sequence[str], model: str) -> Path:
    found = hashlib.sha256(f"{digest(*_CODE)} {model or _MODEL}\n".encode())
    for text in texts:
        found.update(text.encode() + b"\0")
    return folders.cache_folder() / "parses" / f"{found.hexdigest()[:20]}.parquet"


def _to_table(found: Sequence[Parsed]) -> pd.DataFrame:
    fields: dict[str, Callable[[Parsed], tuple[Any, ...]]] = {
        "word": lambda one: one.words,
        "lemma": lambda one: one.lemmas,
        "pos": lambda one: one.pos,
        "label": lambda one: one.labels,
        "head": lambda one: one.heads,
        "name": lambda one: one.names,
    }
    table = {"sentence": [number for number, one in enumerate(found) for _ in one.words]}
    table |= {name: [value for one in found for value in read(one)] for name, read in fields.items()}
    return pd.DataFrame(table)


def _from_table(table: pd.DataFrame) -> tuple[Parsed, ...]:
    ends = table["sentence"].value_counts(sort=False).cumsum().tolist()
    columns = [table[name].tolist() for name in _COLUMNS]
    return tuple(
        Parsed(*(tuple(column[begin:end]) for column in columns))
        for begin, end in zip([0, *ends[:-1]], ends, strict=True)
    )


def _keep(place: Path, table: pd.DataFrame) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(place) as file:
        table.to_parquet(file, index=False, compression="zstd")
