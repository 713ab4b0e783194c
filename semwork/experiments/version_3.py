"""Results of the engine before this one, whose files were named by a version that was raised by hand: the third.

``semwork reproduce NAME --adopt`` takes them over, cell by cell, into files that are named by the code; each says so.
Such a file says nothing of the data that it was computed from: who adopts it trusts that they are the same.
When nobody has such files any more, `Results` is a plain `Folder`, and this module can go.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from semwork.sweeps import Cell, Folder
from semwork.sweeps.keeping import day_of

__all__ = ["Results", "old_place"]

_VERSION = 3
_CLASSES = {
    "TfidfCosine": "IR", "NGramOverlap": "N-gram", "LSA": "LSA", "LDAVectors": "LDA", "WTMF": "WTMF",
    "wtmf_and_words": "WTMF + IR", "WordAverage": "GloVe",
}  # fmt: skip

_Given = dict[str, Any]
# Function → task and model of the old key, taken out of the settings; what is left are its parameters.
_TASKS: dict[str, Callable[[_Given], tuple[str, str]]] = {
    "protocol": lambda given: ("protocol", "kernels"),
    "full_size": lambda given: ("full size", "kernels"),
    "paths": lambda given: ("paths", "kernels"),
    "name_places": lambda given: ("names", given.pop("model")),
    "judgements": lambda given: ("sentences", given.pop("model")),
    "topic_quality": lambda given: ("topics", given.pop("model")),
    "sampler_speed": lambda given: ("topic speed", given.pop("model")),
    "unseen_words": lambda given: (
        "unseen words" if given["classify"] else "unseen words, second corpus",
        given.pop("model"),
    ),
    "default_penalty": lambda given: (f"default λ, {given.pop('size')}", "WTMF"),
}


class Results(Folder):
    """Results of the experiments, in the cache."""

    def __init__(self, *, adopt: bool = False) -> None:
        super().__init__("experiments", adopt=adopt)

    def older(self, cell: Cell) -> Iterator[tuple[Path, str]]:
        """Give what other code has made, then the third version."""
        yield from super().older(cell)
        source = old_place(self.path, cell)
        if source is not None and source.exists():
            yield source, f"from version {_VERSION} of {day_of(source)}"


def old_place(folder: Path, cell: Cell) -> Path | None:
    """Return the file in which the third version kept the result of a cell, if it had such cells."""
    given = dict(cell.settings)
    try:
        if "make" in given:
            task, model, given = given["task"], _CLASSES[given["make"].__name__], given["parameters"]
        else:
            task, model = _TASKS[cell.function.__name__](given)
    except KeyError:
        return None
    key = json.dumps([_VERSION, task, model, sorted(given.items()), cell.seed], sort_keys=True)
    return folder / f"{task}-{model}-{hashlib.sha256(key.encode()).hexdigest()[:20]}.npz"
