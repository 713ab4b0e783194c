"""What every panel draws at three settings, in numbers: the house may be drawn again, its pictures stay.

``python -m tests.widgets.recorded`` compares all panels with the recording, ``… NAME`` those whose name begins so;
``--write`` records them anew. A recording holds counts, sums and hashes, not the arrays themselves.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

import semwork_widgets
from semwork.plots import plotted_data

RECORDING = Path(__file__).with_name("recorded.json")
_TIMED = {"sampler_race"}  # seconds are never the same twice

# Panel → three settings that make it quick. What is not set has its default, which is so recorded, too.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "first_curve": [{}, {"missing_weight": 0.05, "n_components": 40}, {"missing_weight": 1.0, "regularization": 0.5}],
    "missing_words": [
        {},
        {"definition": "mulch", "measure": "fit"},
        {"definition": "a nurse gives the child medicine", "missing_weight": 0.0, "n_components": 10},
    ],
    "retrieval_race": [
        {"models": ("LSA", "n-grams")},
        {"models": ("LSA",), "axis": "linear", "candidate": "2"},
        {"models": ("LDA",), "query": "bank", "missing_weight": 0.05, "n_components": 10, "seed": 3},
    ],
    "retrieval_sweep": [
        {"seeds": 1, "iterations": 2, "lda_sweeps": 50, "paper": True},
        {"seeds": 2, "iterations": 2, "lda_sweeps": 50},
        {"seeds": 1, "iterations": 3, "lda_sweeps": 50, "n_components": 5, "regularization": 1.0},
    ],
    "sentence_pairs": [{}, {"model": "LSA", "pair": 3}, {"model": "words only", "pair": 7}],
    "weight_path": [
        {"seeds": 1, "measure": "Spearman ρ"},
        {"n_components": 10},
        {"seeds": 1, "regularization": 20.0},
    ],
    "paraphrase_threshold": [
        {},
        {"shown": "training pairs", "follow": False, "threshold": 0.31},
        {"model": "LDA", "n_components": 10},
    ],
    "your_sentences": [
        {"matched": "words only"},
        {},
        {"left": "a cat and a dog", "right": "the dog", "n_components": 5},
    ],
    "semantic_kernels": [
        {"centered": True},
        {"look_at": "spectrum", "kind": "von_neumann", "relative_decay": 0.9},
        {"look_at": "words", "class_weight": "plain", "target": "music", "share": 0.2},
    ],
    "latent_alignments": [
        {"training": 25, "share": 0.01, "iteration": 1},
        {"training": 25, "share": 0.01, "look_at": "weights"},
        {"training": 25, "language": "el", "one_to_one": False, "english": "Paris"},
    ],
    "sentence_alignments": [
        {"training": 50},
        {"training": 50, "look_at": "weights", "iteration": 0},
        {"training": 50, "task": "entailment 1", "pair": 5, "regularization": 100.0},
    ],
    "gaussian_topics": [
        {"sweeps": 20, "topic": 2, "sweep": 20},
        {"sweeps": 20, "look_at": "document", "document": 5},
        {"data": "planted", "n_topics": 5, "psi": 3.0, "strength": 1, "alpha": 0.3, "sweeps": 20},
    ],
    "sampler_race": [
        {"sweeps": 20, "seconds": 60, "samplers": ("precision", "fast")},
        {"sweeps": 20, "seconds": 60, "samplers": ("alias",), "freeze": False, "refresh": 5},
        {"data": "planted", "sweeps": 50, "seconds": 60, "samplers": ("precision", "naive"), "chains": 1},
    ],
    "sampler_bias": [
        {"sweeps": 10_000},
        {"sweeps": 10_000, "refresh": 10},
        {"sweeps": 10_000, "problem": 2, "thin": 5},
    ],
    "unseen_words": [{"n_topics": 5}, {"n_topics": 5, "hidden": 0.4}, {"replaced": 0, "document": 4, "word": "water"}],
}


def numbers(values: Any) -> list[float] | str:
    """How many, the sum, the sum of squares of their places' weights; of other things a hash."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return hashlib.sha256("\n".join(map(str, values)).encode()).hexdigest()[:12]
    array = np.where(np.isfinite(array), array, -1.0)
    places = 1 + np.arange(len(array)) / max(len(array), 1)
    return [float(len(array)), float(array.sum()), float(array @ places), float(np.abs(array).max(initial=0.0))]


def recorded_figure(figure: go.Figure) -> dict[str, Any]:
    """The title, and each trace's columns."""
    table = plotted_data(figure)
    traces = {}
    for number, (name, rows) in enumerate(table.groupby("trace", sort=False)):
        columns = [column for column in rows.columns if column != "trace" and not rows[column].isna().all()]
        traces[f"{number} {name}"] = {column: numbers(rows[column]) for column in columns}
    return {"title": figure.layout.title.text or "", "traces": traces}


def recorded_panel(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    """All pictures of a panel that has come to its end."""
    panel = getattr(semwork_widgets, name)()
    try:
        panel.state = {"settings": settings}
        panel.wait(300)
        return {picture: recorded_figure(live.figure) for picture, live in panel.figures.items()}
    finally:
        panel.close()


def differences(here: Any, there: Any, where: str = "", *, timed: bool = False, loosely: bool = False) -> Iterator[str]:
    """What is not as recorded; float sums may differ in the sixth digit, loosely in the third, as may words."""
    if loosely and isinstance(here, str) and isinstance(there, str):
        return
    if isinstance(here, dict) and isinstance(there, dict):
        for key in dict.fromkeys([*here, *there]):
            if key not in here or key not in there:
                yield f"{where}/{key}: {'new' if key in here else 'gone'}"
            # Who was faster decides on seconds, and on the order of names beside the curves.
            elif not (timed and (key in ("x", "title") or key.endswith(" labels"))):
                yield from differences(here[key], there[key], f"{where}/{key}", timed=timed, loosely=loosely)
    elif isinstance(here, list) and isinstance(there, list):
        if not np.allclose(here, there, rtol=1e-3 if loosely else 1e-5, atol=1e-3 if loosely else 1e-6):
            yield f"{where}: {here} instead of {there}"
    elif here != there:
        yield f"{where}: {here!r} instead of {there!r}"


def compared(name: str, *, loosely: bool = False) -> list[str]:
    """How the pictures of a panel differ from the recording."""
    found = []
    for number, (settings, there) in enumerate(
        zip(SETTINGS[name], json.loads(RECORDING.read_text())[name], strict=True)
    ):
        here = recorded_panel(name, settings)
        if name in _TIMED:
            here, there = ({"likelihood": one["likelihood"]} for one in (here, there))
        found += differences(here, there, f"{name} {number}", timed=name in _TIMED, loosely=loosely)
    return found


def main(arguments: list[str]) -> int:
    """Record, or compare."""
    chosen = [a for a in arguments if not a.startswith("-")]
    names = [name for name in SETTINGS if not chosen or any(name.startswith(one) for one in chosen)]
    if "--write" in arguments:
        known = json.loads(RECORDING.read_text()) if RECORDING.exists() else {}
        known |= {name: [recorded_panel(name, settings) for settings in SETTINGS[name]] for name in names}
        RECORDING.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
        return 0
    wrong = 0
    for name in names:
        found = compared(name)
        wrong += len(found)
        print(f"{name}: {'as recorded' if not found else f'{len(found)} differences'}", flush=True)
        for line in found[:20]:
            print("   ", line)
    return int(wrong > 0)


if __name__ == "__main__":
    pd.set_option("display.width", 200)
    sys.exit(main(sys.argv[1:]))
