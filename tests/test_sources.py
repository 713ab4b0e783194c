"""The digest of sources: it changes with what a function runs through, and with nothing else."""

from __future__ import annotations

import ast
import functools
import sys

import pytest

from semwork import definitions, sources
from semwork.sources import NotImportable, digest, dotted

LAZY = "def __getattr__(name):\n    return imported(__name__, _MODULES, name)\n"
FILES = {
    "__init__.py": "from toys.inner import twice\n",
    "study.py": '''
"""A study."""
from __future__ import annotations
from typing import TYPE_CHECKING
import numpy as np
import toys.tools
from toys import twice
from toys import settings
from . import beside as near
from toys.star import *
from toys.packed import hidden
if TYPE_CHECKING:
    from toys.unreached import Other

PAPER = {"never": "used"}
LIMIT = 3


def run(value: int, other: Other | None = None) -> int:
    """Say what is done."""
    from toys.lazy import late
    # A comment.
    found = late(twice(value)) + settings.SHIFT + toys.tools.small(LIMIT)
    return near.add(found) + shining(hidden(3))


def elsewhere():
    return PAPER
''',
    "inner/__init__.py": "from toys.inner.numbers import twice, thrice\n",
    "inner/numbers.py": "FACTOR = 2\ndef twice(x):\n    return FACTOR * x\ndef thrice(x):\n    return 3 * x\n",
    "lazy.py": "def late(x):\n    return x + 1\ndef never(x):\n    return x\n",
    "settings.py": "SHIFT = 10\nOTHER = 11\n",
    "tools.py": "def small(x):\n    return _tiny(x)\ndef _tiny(x):\n    return x / 10\n",
    "beside.py": "KNOWN = {}\nKNOWN['one'] = 1\ndef add(x):\n    return x + KNOWN['one']\n",
    "star.py": "from toys.far import *\ndef dark(x):\n    return x\n",
    "far.py": "from toys.star import *\ndef shining(x):\n    return x + 5\ndef dull(x):\n    return x\n",
    "packed/__init__.py": "_MODULES = {'hidden': 'deep.inside', 'other': 'deep.inside'}\n" + LAZY,
    "packed/deep/__init__.py": "",
    "packed/deep/inside.py": "def hidden(x):\n    return x + 7\ndef other(x):\n    return x\n",
    "unreached.py": "class Other:\n    value = 1\n",
}


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A package that is written, changed and read again; returns the digest of its study after a change."""
    monkeypatch.syspath_prepend(tmp_path)

    def written(file=None, before="", after=""):
        for name, text in FILES.items():
            if name == file:
                assert before in text
                text = text.replace(before, after)
            path = tmp_path / "toys" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        sources.forget()
        return digest(("toys.study", "run"))

    yield written
    sources.forget()
    assert "toys" not in sys.modules, "files are read, nothing is imported"


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("study.py", '"""Say what is done."""', '"""Say it in other words."""'),
        ("study.py", '    """Say what is done."""\n', ""),
        ("study.py", "# A comment.", "# Another one, which is longer."),
        ("study.py", "found = late", "found: float = late"),
        ("study.py", "value: int, other: Other | None = None) -> int", "value: float, other: str | None = None)"),
        ("study.py", '"never": "used"', '"never": "read"'),
        ("study.py", "    return PAPER", "    return None"),
        ("study.py", "found = late(", "found = late(\n        "),
        ("inner/numbers.py", "3 * x", "4 * x"),
        ("lazy.py", "def never(x):\n    return x", "def never(x):\n    return -x"),
        ("settings.py", "OTHER = 11", "OTHER = 12"),
        ("unreached.py", "value = 1", "value = 2"),
        ("inner/__init__.py", "twice, thrice", "thrice, twice"),
        ("star.py", "def dark(x):\n    return x", "def dark(x):\n    return -x"),
        ("far.py", "def dull(x):\n    return x", "def dull(x):\n    return -x"),
        ("packed/deep/inside.py", "def other(x):\n    return x", "def other(x):\n    return -x"),
    ],
)
def test_words_and_what_is_not_reached_do_not_change_it(toys, file, before, after):
    assert toys(file, before, after) == toys()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("study.py", "LIMIT = 3", "LIMIT = 4"),
        ("study.py", "settings.SHIFT + ", ""),
        ("study.py", "other: Other | None = None", "other: Other | None = 3"),
        ("inner/numbers.py", "FACTOR * x", "FACTOR + x"),
        ("inner/numbers.py", "FACTOR = 2", "FACTOR = 3"),
        ("inner/__init__.py", "from toys.inner.numbers import twice", "from toys.inner.numbers import thrice as twice"),
        ("lazy.py", "x + 1", "x + 2"),
        ("settings.py", "SHIFT = 10", "SHIFT = 20"),
        ("tools.py", "x / 10", "x / 11"),
        ("beside.py", "KNOWN['one'] = 1", "KNOWN['one'] = 2"),
        ("beside.py", "return x + ", "return x - "),
        ("far.py", "x + 5", "x + 6"),
        ("packed/deep/inside.py", "x + 7", "x + 8"),
    ],
)
def test_what_the_function_runs_through_changes_it(toys, file, before, after):
    assert toys(file, before, after) != toys()


def test_the_code_that_runs_is_meant_also_when_the_file_is_edited(toys, tmp_path):
    first = toys()
    (tmp_path / "toys" / "lazy.py").write_text("def late(x):\n    return x + 100\n")
    assert digest(("toys.study", "run")) == first
    sources.forget()
    assert digest(("toys.study", "run")) != first


def reached(module, name):
    return sources._Walk({"semwork"}).run([(module, name)])


def test_a_model_is_followed_to_the_code_that_is_compiled_for_it():
    found = {module for module, _ in reached("semwork.similarity", "WTMF")}
    assert {"semwork.similarity.als", "semwork.similarity.simd", "semwork.similarity.solver"} <= found
    assert not {"semwork.similarity.baselines.lda", "semwork.similarity.catalogue"} & found


def test_a_name_that_is_exported_when_it_is_asked_for_is_followed():
    assert ("semwork.similarity.search", "rank") in reached("semwork.similarity", "rank")


def test_what_carries_results_and_files_is_not_what_computes_them():
    found = {module for module, _ in reached("semwork.datasets", "load")}
    assert "semwork.datasets" in found
    assert not {"semwork.datasets.fetching", "semwork.datasets.download", "semwork.atomic"} & found


def test_fields_of_a_class_count_and_their_types_do_not():
    plain = definitions.tree_text(ast.parse("class A:\n    x: int\n    y: float = 3"))
    assert plain == definitions.tree_text(ast.parse("class A:\n    x: str\n    y: int = 3"))
    assert plain != definitions.tree_text(ast.parse("class A:\n    y: float = 3\n    x: int"))


def test_what_has_no_name_of_its_own_is_refused():
    with pytest.raises(NotImportable, match="cannot be imported by name"):
        dotted(lambda: 1)

    def local():
        return 1

    with pytest.raises(NotImportable, match="keep the results in memory"):
        dotted(local)


def test_a_function_of_which_no_source_is_found_is_refused():
    for root in (("nowhere", "f"), ("semwork.steps", "nothing"), ("math", "pow"), ("semwork.sweeps", "Cell")):
        with pytest.raises(NotImportable, match=rf"no source of {'.'.join(root)} is found"):
            digest(root)


def test_a_function_that_hides_behind_the_name_of_another_is_refused():
    @functools.wraps(dotted)
    def wrapped(thing):
        return thing

    with pytest.raises(NotImportable, match="cannot be imported by name"):
        dotted(wrapped)


def test_names_that_studies_import_when_they_are_asked_for_are_followed():
    found = {module for module, _ in reached("semwork.studies", "RetrievalSweep")}
    assert {"semwork.studies.retrieval_sweep", "semwork.similarity.wtmf"} <= found
