"""What "Copy code" gives: run in a fresh process it shows the pictures of the panel, with the same numbers."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import semwork_widgets
from semwork import datasets
from semwork.plots import plotted_data

pytestmark = pytest.mark.slow

# Panel → settings that make it quick, and views that draw other pictures. Numbers stay those of the sample.
PANELS: dict[str, tuple[str, dict[str, Any]]] = {
    "first curve": ("first_curve", {"missing_weight": 0.05}),
    "missing words": ("missing_words", {"definition": "mulch", "measure": "fit"}),
    "race": ("retrieval_race", {"models": ("LSA",), "axis": "linear", "candidate": "2"}),
    "sweep": ("retrieval_sweep", {"seeds": 1, "iterations": 2, "lda_sweeps": 50, "paper": True}),
    "pairs": ("sentence_pairs", {"model": "LSA", "pair": 3}),
    "walk": ("weight_path", {"seeds": 1, "measure": "Spearman ρ"}),
    "learnt threshold": ("paraphrase_threshold", {}),
    "own threshold": ("paraphrase_threshold", {"shown": "training pairs", "follow": False, "threshold": 0.31}),
    "own sentences": ("your_sentences", {"matched": "words only"}),
    "kernels": ("semantic_kernels", {"centered": True}),
    "kernels, spectrum": ("semantic_kernels", {"look_at": "spectrum", "kind": "von_neumann", "relative_decay": 0.9}),
    "kernels, texts": ("semantic_kernels", {"look_at": "texts"}),
    "kernels, words": ("semantic_kernels", {"look_at": "words", "class_weight": "plain"}),
    "names": ("latent_alignments", {"training": 25, "share": 0.01, "iteration": 1}),
    "names, weights": ("latent_alignments", {"training": 25, "share": 0.01, "look_at": "weights"}),
    "sentences": ("sentence_alignments", {"training": 50}),
    "sentences, weights": ("sentence_alignments", {"training": 50, "look_at": "weights"}),
    "topics": ("gaussian_topics", {"sweeps": 20, "topic": 2, "sweep": 20}),
    "topics, document": ("gaussian_topics", {"sweeps": 20, "look_at": "document", "document": 5}),
    "samplers": ("sampler_race", {"sweeps": 20, "seconds": 60, "samplers": ("precision", "fast")}),
    "bias": ("sampler_bias", {"sweeps": 10_000}),
    "unseen": ("unseen_words", {"n_topics": 5}),
}
_DATA = dict.fromkeys(["sentences", "sentences, weights"], ("msr04", "rte", "wordnet", "en_core_web_sm"))
_CLOCKED = {"samplers"}  # seconds are never the same twice: of these, what is drawn against them is compared

# Runs each code in a namespace of its own; what `show` is given is kept by a renderer, as plotly has them for this.
_FRESH = """
import json, sys, traceback
import plotly.io as pio
from plotly.io.base_renderers import ExternalRenderer

class Kept(ExternalRenderer):
    def __init__(self): self.figures = []
    def render(self, fig_dict): self.figures.append(json.loads(pio.to_json(fig_dict, validate=False)))

pio.renderers["kept"] = kept = Kept()
pio.renderers.default = "kept"
out, answers = sys.stdout, {}
sys.stdout = sys.stderr
for name, code in json.load(sys.stdin).items():
    kept.figures = []
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
        answers[name] = kept.figures
    except Exception:
        answers[name] = traceback.format_exc()
json.dump(answers, out)
"""


def unpacked(value: Any) -> Any:
    """A figure's JSON with plotly's bytes as arrays again."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "bdata" not in value:
        return {key: unpacked(item) for key, item in value.items()}
    flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
    return flat.reshape([int(length) for length in str(value.get("shape", len(flat))).split(",")])


@contextmanager
def opened(name: str, settings: dict[str, Any]) -> Iterator[Any]:
    """A panel that has come to its end with these settings."""
    panel = getattr(semwork_widgets, name)()
    try:
        panel.state = {"settings": settings}
        panel.wait(300)
        yield panel
    finally:
        panel.close()


@pytest.fixture(scope="module")
def copied() -> dict[str, tuple[str, list[go.Figure]]]:
    """Every panel's code, and its pictures."""
    found = {}
    for name, (panel, settings) in PANELS.items():
        if not all(map(datasets.available, _DATA.get(name, ()))):
            continue
        with opened(panel, settings) as made:
            found[name] = made.code, [live.figure for live in made.figures.values()]
    return found


@pytest.fixture(scope="module")
def shown_elsewhere(copied: dict[str, tuple[str, list[go.Figure]]]) -> dict[str, Any]:
    codes = json.dumps({name: code for name, (code, _) in copied.items()})
    ran = subprocess.run([sys.executable, "-c", _FRESH], input=codes, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout)


def test_the_code_of_every_panel_is_run():
    others = {"DataPanel", "Job", "LiveFigure", "Panel"}  # these are no panels with code
    assert {panel for panel, _ in PANELS.values()} == set(semwork_widgets.__all__) - others


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.data(each) for each in _DATA.get(name, ())]) for name in PANELS]
)
def test_copied_code_shows_the_pictures_of_the_panel_in_a_fresh_process(name, copied, shown_elsewhere):
    own, again = copied[name][1], shown_elsewhere[name]
    assert isinstance(again, list), again
    assert len(again) == len(own)
    for one, two in zip(own, again, strict=True):
        here, there = plotted_data(one), plotted_data(go.Figure(unpacked(two)))
        assert len(here) > 1
        if name in _CLOCKED:
            columns = ["trace", "y"] if one.layout.yaxis.title.text == "log-likelihood per token" else ["trace"]
            here, there = here[columns], there[columns]
        pd.testing.assert_frame_equal(here, there, check_dtype=False, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", PANELS)
def test_copied_code_imports_what_it_uses_and_nothing_else(name, copied):
    if name not in copied:
        pytest.skip("needs real data")
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", "-"]
    checked = subprocess.run(check, input=copied[name][0], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
