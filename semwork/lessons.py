"""The lessons that came with the installed package, copied to a folder where they can be run and changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from semwork.atomic import write_whole

__all__ = ["FIRST", "Copied", "copy_lessons", "lessons_folder"]

#: The lesson that `semwork lab` opens.
FIRST = "00_start_here.ipynb"
_NOTED = ".semwork-lessons.json"  # what was copied, by its hash: a file that still has it was not changed


def lessons_folder() -> Path:
    """Return the folder of the lessons: the checkout's, or the copies in the installed package."""
    from semwork.datasets.folders import checkout

    root = checkout()
    return root / "notebooks" if root else Path(__file__).parent / "_lessons"


@dataclass(frozen=True)
class Copied:
    """What `copy_lessons` has done, by names of files: new ones, newer ones, and those that it has left alone."""

    written: tuple[str, ...]
    renewed: tuple[str, ...]
    changed: tuple[str, ...]

    def __str__(self) -> str:
        lines = []
        if self.written:
            lines.append(f"{len(self.written)} files were copied.")
        if self.renewed:
            lines.append(f"{len(self.renewed)} files were as an older semwork had copied them, and are new now.")
        if self.changed:
            lines.append(f"Left as you have changed them: {', '.join(self.changed)}.")
        return "\n".join(lines) or "All files were there already."


def copy_lessons(to: str | Path, source: Path | None = None) -> Copied:
    """Copy the lessons to a folder, and never write over a file that somebody has changed.

    Parameters
    ----------
    to : str or Path
        The folder; it is made when it is not there.
    source : Path or None
        Where the lessons are; by default those that came with semwork.

    Returns
    -------
    Copied
    """
    source, to = source or lessons_folder(), Path(to).expanduser()
    if not (source / FIRST).is_file():
        raise FileNotFoundError(
            f"there are no lessons in {source}: install semwork from its wheel, or run it in a clone of its repository"
        )
    if to.exists() and not to.is_dir():
        raise NotADirectoryError(f"{to} is a file; name a folder for the lessons")
    to.mkdir(parents=True, exist_ok=True)
    noted = _read_note(to)
    did: dict[str, list[str]] = {"written": [], "renewed": [], "changed": []}
    for file in sorted(source.glob("*.ipynb")):
        name, content = file.name, file.read_bytes()
        place, digest = to / name, hashlib.sha256(content).hexdigest()
        if place.exists():
            there = hashlib.sha256(place.read_bytes()).hexdigest()
            if there == digest:
                noted[name] = digest
                continue
            if there != noted.get(name):
                did["changed"].append(name)
                continue
        did["renewed" if place.exists() else "written"].append(name)
        write_whole(place, content)
        noted[name] = digest
    write_whole(to / _NOTED, json.dumps(noted, indent=1) + "\n")
    return Copied(**{what: tuple(names) for what, names in did.items()})


def _read_note(folder: Path) -> dict[str, str]:
    """Read what was copied before; a note that cannot be read counts as none, so that nothing is written over."""
    try:
        found = json.loads((folder / _NOTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(digest) for name, digest in found.items()} if isinstance(found, dict) else {}
