"""The shelf of one's own data: put there by name, found by every kernel, listed, taken away."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import os
import re
import shutil
import tempfile
import time
import tomllib
import unicodedata
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from semwork.datasets import folders
from semwork.datasets.cache import CacheNotWritable, cannot_write
from semwork.datasets.locks import Lock
from semwork.datasets.own.kinds import check_known
from semwork.datasets.own.report import Report
from semwork.datasets.own.storing import checked_record, digest_of, facts_of, kind_of, read_record, write_record
from semwork.datasets.own.toml import toml_of
from semwork.datasets.registry import UnknownDataSet, registered
from semwork.given import said

__all__ = ["OwnData", "find_own", "load_own", "own_data", "own_folder", "register", "remove"]

VERSION = 1
_CARD = "own.toml"
_LONGEST_NAME = 60
_PATIENCE = 30.0  # seconds to wait for another process that writes or removes
_ABANDONED = 3_600  # seconds after which a folder that is being written belongs to a process that was killed


@dataclass(frozen=True)
class OwnData:
    """What is known of data of one's own before they are read.

    Parameters
    ----------
    name : str
        The name for `load`.
    kind : str
        One of `KINDS`.
    rows : int
        How many texts, documents, pairs, queries or words.
    facts : mapping of str to Any
        Of documents ``labels``, ``label_counts``, ``label_count`` and ``splits``; of pairs ``scores`` (whether there
        are any), ``lowest``, ``highest``, ``splits`` and ``groups``; of definitions ``candidates``, ``headwords`` and
        ``splits``; of names ``language`` and ``kinds``; of vectors ``dimension``.
    kept : bool
        Whether they are on the disk; else they are in the memory of this process.
    folder : Path or None
        Where they are kept.
    added : str
        When they were registered: date and time with its zone, as ISO 8601 has them.
    fingerprint : str
        The SHA-256 of what they hold.
    """

    name: str
    kind: str
    rows: int
    facts: Mapping[str, Any] = field(hash=False)
    kept: bool
    folder: Path | None
    added: str
    fingerprint: str

    @property
    def place(self) -> str:
        """Where they are, in words."""
        return f"in {self.folder}" if self.folder else "in the memory of this process only"


_held: dict[str, tuple[OwnData, Any]] = {}  # folded name → what is in memory only


def own_folder() -> Path:
    """Return the folder of the cache in which data of one's own are kept."""
    return folders.cache_folder() / "own"


def _folded(name: str) -> str:
    """A name as names are compared: two that look the same are the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())


def check_name(name: object) -> str:
    """Return a name that data of one's own can have, without spaces around it."""
    if not isinstance(name, str):
        raise TypeError(f"the name must be a string, got {said(name)}")
    text = name.strip()
    if not text:
        raise ValueError("the name is empty: say what the data are called")
    if len(text) > _LONGEST_NAME:
        raise ValueError(f"the name has {len(text)} characters; at most {_LONGEST_NAME} can be shown in lists")
    unseen = [sign for sign in text if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}]
    if unseen:
        raise ValueError(f"the name has the control character {unseen[0]!a}: leave it out")
    if _folded(text) in map(_folded, registered()):
        raise ValueError(f"{text!r} is the name of a data set of semwork: take another name")
    return text


def register(
    name: str, record: Any, *, keep: bool = True, report: Report | None = None, replace: bool = False
) -> OwnData:
    """Put a record where `load` and every list of data find it.

    What is kept is in the cache: a folder with Parquet and npy files and one of TOML, never pickle. It is there when it
    is whole, and every process finds it. The TOML file has names of labels and numbers, and none of the texts.

    Parameters
    ----------
    name : str
        What to call it, at most 60 characters; not the name of a data set of semwork.
    record : Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs or WordVectors
        As `from_table` and `load` give it.
    keep : bool
        Whether to write it to the disk; else it is in the memory of this process, and gone with it.
    report : Report or None
        Of the reading; the numbers of rows that were read and left out are kept with the record.
    replace : bool
        Whether it may take the place of other data of this name.

    Returns
    -------
    OwnData

    Raises
    ------
    ValueError
        When the name is taken by other data, or is none.
    CacheNotWritable
        When it cannot be written; nothing is left behind.

    Examples
    --------
    >>> from semwork.datasets import from_table, load, remove
    >>> own = register("my pets", from_table(["a cat sleeps", "a dog barks"]), keep=False)
    >>> own.kind, own.rows, own.place
    ('texts', 2, 'in the memory of this process only')
    >>> load("my pets").texts
    ['a cat sleeps', 'a dog barks']
    >>> remove("my pets")
    """
    text = check_name(name)
    checked_record(record)
    fingerprint = digest_of(record)
    own = OwnData(text, kind_of(record), len(record), facts_of(record), keep, None, _now(), fingerprint)
    with _locked() if keep or any(_on_disk()) else contextlib.nullcontext():
        others = [one for one in own_data() if _folded(one.name) == _folded(text)]
        same = [one for one in others if (one.fingerprint, one.name, one.kept) == (fingerprint, text, keep)]
        if same:
            return same[0]
        if others and not replace:
            raise ValueError(
                f"there are data of your own called {others[0].name!r} ({others[0].kind}, {others[0].rows:,} rows): "
                "take another name, or pass replace=True"
            )
        if keep:
            own = _write(own, record, report)
        else:
            _held[_folded(text)] = (own, _renamed(record, text))
        for one in others:
            _drop(one, but=own)
    return own


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


def _renamed(record: Any, name: str) -> Any:
    return replace(record, name=name)


def _write(own: OwnData, record: Any, report: Report | None) -> OwnData:
    """Write a folder beside its place and rename it; whoever reads sees all of it or nothing."""
    shelf = own_folder()
    slug = re.sub(r"[^a-z0-9]+", "-", _folded(own.name)).strip("-")[:30]
    key = hashlib.sha256(f"{_folded(own.name)} {own.fingerprint} {own.name}".encode()).hexdigest()[:12]
    place = shelf / (f"{slug}-{key}" if slug else key)
    work: Path | None = None
    try:
        shelf.mkdir(parents=True, exist_ok=True)
        _sweep(shelf)
        work = Path(tempfile.mkdtemp(dir=shelf, prefix=".new-"))
        write_record(record, work)
        sizes = {path.name: path.stat().st_size for path in sorted(work.iterdir())}
        (work / _CARD).write_text(_card(own, sizes, report), encoding="utf-8")
        if place.exists():  # damaged, or it would have been found
            _clear(place)
        work.rename(place)
    except OSError as error:
        raise CacheNotWritable(cannot_write(f"your data {own.name!r}", error)) from error
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
    return replace(own, folder=place)


def _card(own: OwnData, sizes: Mapping[str, int], report: Report | None) -> str:
    """What is written beside the data; of the texts there is nothing."""
    said_of = {"name": own.name, "kind": own.kind, "rows": own.rows, "added": own.added}
    card: dict[str, Any] = {"version": VERSION, **said_of, "fingerprint": own.fingerprint, "facts": own.facts}
    card["files"] = sizes
    if report is not None:
        numbers = ("rows", "used", "empty", "left_out", "duplicates")
        card["report"] = {name: getattr(report, name) for name in numbers}
    return toml_of(card)


def _sweep(shelf: Path) -> None:
    """Remove what killed processes have left."""
    for leftover in [*shelf.glob(".new-*"), *shelf.glob(".old-*")]:
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _ABANDONED:
                shutil.rmtree(leftover, ignore_errors=True)


def _clear(place: Path) -> None:
    """Take a folder out of the way in one step, then remove it."""
    aside = Path(tempfile.mkdtemp(dir=place.parent, prefix=".old-"))
    try:
        place.rename(aside / place.name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """Let one process at a time change the shelf; where files cannot be locked, each change is whole all the same."""
    lock = Lock(folders.cache_folder() / "locks" / "own.lock")
    end = time.monotonic() + _PATIENCE
    while not _tried(lock):
        if time.monotonic() > end:
            raise TimeoutError(f"another process has changed your data for {_PATIENCE:.0f} seconds: try again")
        time.sleep(0.02)
    try:
        yield
    finally:
        lock.release()


def _tried(lock: Lock) -> bool:
    try:
        return lock.acquire()
    except OSError:
        return True  # what cannot be locked may be written, and if not, the folder itself says why


def _on_disk() -> list[Path]:
    try:
        with os.scandir(own_folder()) as found:
            return sorted(Path(one.path) for one in found if not one.name.startswith(".") and one.is_dir())
    except OSError:
        return []


def own_data(kind: str | None = None) -> tuple[OwnData, ...]:
    """List data of one's own, the newest last; the disk is asked each time.

    Parameters
    ----------
    kind : str or None
        One of `KINDS`; all of them if not given.

    Returns
    -------
    tuple of OwnData

    Warns
    -----
    UserWarning
        Where a folder is damaged; it is left out.
    """
    if kind is not None:
        kind = check_known(kind)
    found: dict[str, OwnData] = {}
    kept = [own for folder in _on_disk() if (own := _described(folder)) is not None]
    for own in sorted([*kept, *(own for own, _ in _held.values())], key=lambda one: (one.added, one.name)):
        found.pop(_folded(own.name), None)  # while one takes the place of another both are there
        found[_folded(own.name)] = own
    return tuple(own for own in found.values() if kind in (None, own.kind))


def _described(folder: Path) -> OwnData | None:
    """What stands in a folder; ``None``, with a warning, where it is damaged."""
    try:
        card = tomllib.loads((folder / _CARD).read_text(encoding="utf-8"))
        why = _damage(folder, card)
        if not why:
            told = {name: str(card[name]) for name in ("name", "added", "fingerprint")}
            kind, facts = check_known(card["kind"]), dict(card["facts"])
            return OwnData(kind=kind, rows=int(card["rows"]), facts=facts, kept=True, folder=folder, **told)
    except FileNotFoundError as error:
        if not folder.exists():
            return None  # removed meanwhile
        why = f"{Path(str(error.filename)).name} is missing"
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
    warnings.warn(f"your data in {folder} are damaged ({why:.200}) and left out: remove that folder", stacklevel=3)
    return None


def _damage(folder: Path, card: Mapping[str, Any]) -> str:
    """What is wrong with the files of a folder; nothing if they are there, with as many bytes as were written."""
    if card["version"] > VERSION:
        return f"a newer version of semwork has written them, in format {card['version']}"
    for name, size in card["files"].items():
        actual = (folder / name).stat().st_size
        if actual != size:
            return f"{name} has {actual:,} bytes instead of {size:,}"
    return ""


def find_own(name: object) -> OwnData | None:
    """Return the data of one's own that have this name, whatever its case; ``None`` where there are none."""
    if not isinstance(name, str):
        return None
    wanted = _folded(name.strip())
    return next((own for own in own_data() if _folded(own.name) == wanted), None)


def load_own(own: OwnData) -> Any:
    """Read data of one's own.

    Parameters
    ----------
    own : OwnData
        One of `own_data`.

    Returns
    -------
    Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs or WordVectors

    Raises
    ------
    ValueError
        When the files cannot be read.
    """
    if own.folder is None:
        return _held[_folded(own.name)][1]
    import pyarrow as pa

    try:
        record = read_record(own.kind, own.name, own.folder, own.facts)
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        advice = f"remove the folder {own.folder}, and register the data again"
        raise ValueError(f"your data {own.name!r} cannot be read ({error!s:.200}): {advice}") from error
    return record


def remove(name: str) -> None:
    """Take data of one's own away: from memory, and from the disk for good.

    Parameters
    ----------
    name : str
        The name that they were registered with.

    Raises
    ------
    UnknownDataSet
        When there are none of that name; the message lists those that there are.
    ValueError
        For a data set of semwork, which is no data of one's own.
    """
    if isinstance(name, str) and name in registered():
        raise ValueError(f"{name!r} is a data set of semwork, not your own: only your own data can be removed")
    with _locked() if _on_disk() else contextlib.nullcontext():
        own = find_own(name)
        if own is None:
            names = ", ".join(repr(one.name) for one in own_data())
            words = f"there are {names}" if names else "there are none"
            raise UnknownDataSet(f"there are no data of your own called {said(name)}: {words}")
        _drop(own)


def _drop(own: OwnData, but: OwnData | None = None) -> None:
    """Take away one entry of the shelf, unless another one has its place already."""
    if own.folder is None:
        if but is None or but.folder is not None:
            _held.pop(_folded(own.name), None)
        return
    if but is None or but.folder != own.folder:
        try:
            _clear(own.folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise CacheNotWritable(cannot_write(f"the change of your data {own.name!r}", error)) from error
