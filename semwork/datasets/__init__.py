"""Data by name: registered, fetched, checked, and loaded into a few shared records.

>>> from semwork import datasets
>>> datasets.names()[:3]
('sample', 'wordnet', 'gcide')
>>> print(datasets.describe("wordnet").title)
WordNet 3.0

Data of one's own become the same records, and are loaded by name when they are registered:

>>> reviews = datasets.from_table([("good food", "yes"), ("bad food", "no"), ("good fun", "yes"), ("no fun", "no")])
>>> own = datasets.register("reviews", reviews, keep=False)
>>> datasets.load("reviews").label_names
('no', 'yes')
>>> datasets.remove("reviews")

Data of the register are looked up in ``$SEMWORK_DATA/<name>/``, then in ``$SEMWORK_CACHE/<name>/``, then at their
source; every file is checked against the SHA-256 in ``data/registry.toml`` before it is used.
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable, Generator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from semwork.datasets import folders
from semwork.datasets.fetching import FetchStep
from semwork.datasets.fetching import fetch as _fetch
from semwork.datasets.finding import DataNotAvailable, find, ways
from semwork.datasets.own import (
    KINDS,
    ROLES,
    OwnData,
    Reading,
    Report,
    from_table,
    own_data,
    read_table,
    register,
    remove,
    words_without_vector,
)
from semwork.datasets.own.shelf import find_own, load_own
from semwork.datasets.parsed import Source
from semwork.datasets.progress import to_terminal
from semwork.datasets.records import (
    Dictionary,
    LabelledDocuments,
    NamePairs,
    RetrievalSet,
    Sample,
    SentencePairs,
    Sentences,
    WordPairs,
    WordVectors,
    sentence_pairs,
)
from semwork.datasets.registry import DataSet, UnknownDataSet, registered
from semwork.datasets.trust import sha256_of
from semwork.text.lemma import set_default_source

__all__ = [
    "KINDS",
    "ROLES",
    "DataNotAvailable",
    "DataSet",
    "Dictionary",
    "FetchStep",
    "LabelledDocuments",
    "NamePairs",
    "OwnData",
    "Reading",
    "Report",
    "RetrievalSet",
    "Sample",
    "SentencePairs",
    "Sentences",
    "UnknownDataSet",
    "WordPairs",
    "WordVectors",
    "available",
    "describe",
    "fetch",
    "fingerprint",
    "from_table",
    "load",
    "loader",
    "names",
    "own_data",
    "path",
    "read_table",
    "register",
    "remove",
    "sentence_pairs",
    "words_without_vector",
]

Show = Callable[[FetchStep], object]


def names() -> tuple[str, ...]:
    """Return the names of all data sets of the register; `own_data` lists one's own."""
    return tuple(registered())


def _known(name: str) -> DataSet | OwnData:
    """What is called so, in the register or among one's own; a name that is neither is explained."""
    try:
        return registered()[name]
    except UnknownDataSet as error:
        own = find_own(name)
        if own is None:
            others = ", ".join(repr(one.name) for one in own_data())
            raise UnknownDataSet(f"{error} Your own: {others}." if others else str(error)) from None
    return own


def _of_register(name: str, what: str) -> DataSet:
    """A data set of the register; one's own have not what is asked for."""
    data = _known(name)
    if isinstance(data, OwnData):
        raise ValueError(f"{name!r} are data of your own, {data.place}: {what}")  # noqa: TRY004 - a wrong name
    return data


def describe(name: str) -> Any:
    """Return what is known of data: of a data set title, purpose, licence, citation, files, sources.

    Parameters
    ----------
    name : str
        One of `names`, or the name of data of one's own.

    Returns
    -------
    DataSet or OwnData
    """
    return _known(name)


def available(name: str) -> bool:
    """Say whether a data set can be loaded without the network; files are hashed the first time they are seen.

    Parameters
    ----------
    name : str
        One of `names`, or the name of data of one's own.

    Returns
    -------
    bool
    """
    data = _known(name)
    if isinstance(data, OwnData):
        return True
    if data.kind == "derived":
        return all(available(need) for need in data.needs)
    if data.kind == "written":
        return any(folders.sample_folder().glob("*.tsv"))
    return data.kind == "library" or find(data).here


def fetch(name: str) -> Generator[FetchStep, None, None]:
    """Fetch a data set as a stream of steps; draining it does the work.

    Closing the stream between two steps stops the download; a later run starts clean. Sources are tried in the order
    of the register. Two processes may fetch the same at once: one waits for the other.

    Parameters
    ----------
    name : str
        One of `names`.

    Yields
    ------
    FetchStep
        How far the fetch is; the last one has the phase ``"ready"``.

    Raises
    ------
    DataNotAvailable
        When no source gives the right bytes; the message lists every way to get them.
    """
    return _fetch(_of_register(name, "there is nothing to fetch"))


def path(name: str, *, report: Show | None = None) -> Path:
    """Return the folder with the original, unpacked files; what is missing is fetched.

    Parameters
    ----------
    name : str
        The data set.
    report : callable or None
        Is shown every step of a fetch; by default progress goes to stderr when that is a terminal.

    Returns
    -------
    Path
    """
    data = _of_register(name, f"use load({name!r})")
    if data.kind == "written":
        return folders.sample_folder()
    if data.kind == "derived":
        raise ValueError(f"{name!r} has no files of its own: it is {data.source}; ask for the path of these")
    if data.kind == "library":
        raise ValueError(f"{name!r} has no files of its own: it comes with {data.source}; use load({name!r})")
    found = find(data)
    if found.folder is None:
        show = report or to_terminal()
        with contextlib.closing(_fetch(data)) as steps:
            for step in steps:
                show(step)
        found = find(data)
    for problem in found.problems:
        warnings.warn(problem, stacklevel=2)
    if found.folder is None:
        raise DataNotAvailable(f"the files of {name!r} were fetched, and are gone or changed again.\n{ways(data)}")
    return found.folder


def load(name: str, *, report: Show | None = None, **options: Any) -> Any:
    """Load a data set, or data of one's own, by name.

    Parameters
    ----------
    name : str
        One of `names`, or what `register` was given. A data set that is not on this machine is fetched first (unless
        ``$SEMWORK_OFFLINE`` is set).
    report : callable or None
        Is shown every step of a fetch; by default progress goes to stderr when that is a terminal.
    **options : Any
        Of the data set: ``cdr`` has ``max_overlap``, ``dev_size``, ``seed``; ``reuters8`` has ``variant``; ``brown``
        has ``tags``; ``names`` has ``language``; ``sample`` has ``dev_size``, ``test_share``, ``seed``. Data of one's
        own have none.

    Returns
    -------
    Dictionary, Sentences, SentencePairs, LabelledDocuments, RetrievalSet, WordVectors, NamePairs, WordPairs or Sample
        A frozen record. Parsed forms are kept in the cache, so that the second load is fast.

    Raises
    ------
    UnknownDataSet
        For a name that is neither in the register nor among one's own; the message suggests the nearest one.
    DataNotAvailable
        When the data set is not here and cannot be fetched; the message lists every way to get it.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> names = load("names", language="el")
    >>> dict(zip(names.english, names.foreign))["Athens"]
    'Αθήνα'
    """
    data = _known(name)
    if isinstance(data, OwnData):
        if options:
            raise TypeError(f"load({name!r}) has no option {next(iter(options))!r}: data of your own have none")
        return load_own(data)
    found = loader(name)
    if found is None:
        raise ValueError(f"{name!r} is a folder for other programs; use path({name!r})")
    read = getattr(import_module(found[0]), found[1])
    allowed = [p.name for p in inspect.signature(read).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in allowed:
            raise TypeError(f"load({name!r}) has no option {option!r}; it has {', '.join(allowed) or 'none'}")
    return read(_source(data, report), **options)


def loader(name: str) -> tuple[str, str] | None:
    """Return module and name of the function that `load` asks, or ``None`` for a folder that other programs read.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    tuple of (str, str), or None

    Examples
    --------
    >>> loader("li06")
    ('semwork.datasets.sts', 'load_li06')
    """
    data = _known(name)
    if isinstance(data, OwnData):
        return "semwork.datasets.own.storing", "read_record"
    module, _, function = data.loader.partition(".")
    return (f"semwork.datasets.{module}", function) if function else None


def fingerprint(name: str) -> str:
    """Return what tells these data from others under the same name: of files and their sources, the digests.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    str

    Examples
    --------
    >>> fingerprint("cdr") == f"{fingerprint('cdr').split()[0]} {fingerprint('wordnet')} {fingerprint('gcide')}"
    True
    """
    data = _known(name)
    if isinstance(data, OwnData):
        return data.fingerprint
    if data.kind == "written":
        return " ".join(sha256_of(file) for file in sorted(folders.sample_folder().glob("*.tsv")))
    if data.kind == "library":
        return f"babel {version('babel')}"
    return " ".join([data.fingerprint, *(fingerprint(need) for need in data.needs)])


def _source(data: DataSet, report: Show | None) -> Source:
    return Source(
        data.name,
        " ".join([data.fingerprint, *(registered()[need].fingerprint for need in data.needs)]),
        lambda: path(data.name, report=report),
        lambda other: _source(registered()[other], report),
    )


def _wordnet_folder() -> Path:
    return path("wordnet")


# The lemma analyzer may not know us, so we tell it; the function runs when the first lemma is wanted.
set_default_source(_wordnet_folder)
