"""The lessons lead to each other."""

from __future__ import annotations

import importlib.util
import re
from itertools import pairwise

import nbformat
import pytest

from notebooks.build import NOTEBOOKS

LESSONS = sorted(NOTEBOOKS.glob("*.ipynb"))
LINK = re.compile(r"(?<!!)\[([^]]+)\]\(([^)\s]+)\)")


def texts(path):
    """The markdown cells of a lesson."""
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]


def title(path):
    """``"02 · Concept retrieval"``, without what follows a colon."""
    return texts(path)[0].splitlines()[0].removeprefix("# ").split(":")[0]


def link(path):
    return f"[{title(path)}]({path.name})"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_called_as_its_file_and_every_link_of_it_leads_somewhere(path):
    assert title(path).startswith(f"{path.stem[:2]} · ")
    links = LINK.findall("\n".join(texts(path)))
    assert links
    for _, target in links:
        assert target.startswith("https://") or (path.parent / target).is_file(), target


def test_the_map_of_lesson_00_leads_to_every_lesson_and_names_what_is_there():
    [drawn] = [text for text in texts(LESSONS[0]) if text.startswith("## The map")]
    rows = re.findall(r"^\| (\[.+?\)) \|", drawn, flags=re.MULTILINE)
    assert rows == [link(path) for path in LESSONS[1:]]
    assert "planned" not in drawn
    packages = set(re.findall(r"`(semwork\.\w+|semwork_widgets)`", drawn))
    assert packages >= {"semwork.kernels", "semwork.structures", "semwork.topics"}
    assert all(importlib.util.find_spec(package) for package in packages)


def test_every_lesson_ends_with_the_way_to_the_one_before_and_after():
    ends = [texts(path)[-1].splitlines()[-1] for path in LESSONS]
    ways: dict[object, list[str]] = {path: [] for path in LESSONS}
    for before, after in pairwise(LESSONS):
        ways[after].insert(0, f"← {link(before)}")
        ways[before].append(f"{link(after)} →")
    assert ends == [" · ".join(way) for way in ways.values()]
