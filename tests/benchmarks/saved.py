"""Figures of speed, kept in the README beside this file: one section for each benchmark, written by a run of it."""

from __future__ import annotations

import datetime
import importlib.metadata
import io
import os
import platform
import re
import tempfile
from pathlib import Path
from typing import TextIO

README = Path(__file__).with_name("README.md")
_HEAD = """\
# Figures of speed

Written by `make bench SAVE=1`, one section for each benchmark, each against a named peer in the same run. Figures are
for the machine that is named: run `make bench` for those of yours. A target that is not met says so.
"""
_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "plotly", "jupyterlab", "implicit")


class Heard(io.TextIOBase):
    """Lets what is printed through, and remembers it."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.parts = out, []

    def write(self, words: str) -> int:
        self.parts.append(words)
        return self.out.write(words)

    def flush(self) -> None:
        self.out.flush()

    @property
    def words(self) -> str:
        return "".join(self.parts)


def machine() -> str:
    """The processor, the cores that may be used, the system."""
    name = platform.processor() or platform.machine()
    with_name = Path("/proc/cpuinfo")
    if with_name.exists():
        found = re.search(r"^model name\s*: (.+)$", with_name.read_text(encoding="utf-8"), flags=re.MULTILINE)
        name = found[1] if found else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, {platform.system()} {platform.machine()}"


def versions() -> str:
    """Python's, ours, and those of the packages that matter for speed."""
    found = [f"Python {platform.python_version()}", f"semwork {importlib.metadata.version('semwork')}"]
    for name in _PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def section(part: str, options: list[str], printed: str) -> str:
    """What a benchmark has printed, with what a reader needs to judge it; without the places of its files."""
    command = " ".join(["python -m tests.benchmarks", part, *(Path(option).name for option in options)])
    places = re.escape(tempfile.gettempdir())
    lines = [re.sub(rf"{places}\S*", "a folder", line).rstrip() for line in printed.strip().splitlines()]
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    words = [f"## {part}", "", f"`{command}`, {date}. {machine()}. {versions()}.", "", "```text", *lines, "```"]
    return "\n".join(words) + "\n"


def save(part: str, options: list[str], printed: str, parts: tuple[str, ...]) -> None:
    """Write a benchmark's section into the README in the place of its last one; those of the other parts stay.

    Figures that were written by hand, before there were sections, go when every part has one.
    """
    sections = {}
    if README.exists():
        for found in re.split(r"^(?=## )", README.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            sections[found.splitlines()[0].removeprefix("## ")] = found.strip() + "\n"
    sections[part] = section(part, options, printed)
    if set(parts) <= set(sections):
        sections = {name: sections[name] for name in parts}
    README.write_text("\n".join([_HEAD, *sections.values()]), encoding="utf-8")
