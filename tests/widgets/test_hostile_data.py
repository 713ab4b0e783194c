"""What readers bring is shown as text, whatever it tries to be."""

from __future__ import annotations

import pytest

import semwork_widgets
from semwork.datasets import remove
from tests.widgets import hostile

PANELS = [
    ("missing_words", "definitions", {}),
    ("missing_words", "texts", {}),
    ("retrieval_race", "definitions", {"models": ("LSA",)}),
    ("retrieval_race", "documents", {"models": ("LSA",)}),
    ("retrieval_race", "pairs", {"models": ()}),
    ("retrieval_sweep", "documents", {"seeds": 1, "iterations": 1, "models": ()}),
    ("sentence_pairs", "pairs", {}),
    ("weight_path", "pairs", {"seeds": 1}),
    ("paraphrase_threshold", "pairs", {}),
    ("your_sentences", "documents", {"left": hostile.ATTACKS[0], "right": hostile.ATTACKS[1] + " money bank"}),
    ("semantic_kernels", "documents", {"look_at": "classifier"}),
    ("semantic_kernels", "documents", {"look_at": "texts"}),
    ("semantic_kernels", "documents", {"look_at": "words"}),
    ("semantic_kernels", "documents", {"look_at": "words", "word": hostile.ATTACKS[0]}),
    ("latent_alignments", "names", {"training": 25, "share": 0.01}),
    ("latent_alignments", "names", {"training": 25, "share": 0.01, "english": hostile.ATTACKS[0]}),
    ("gaussian_topics", "documents", {"sweeps": 20}),
    ("gaussian_topics", "documents", {"sweeps": 20, "look_at": "document", "document": 3}),
    ("gaussian_topics", "texts", {"sweeps": 20}),
    ("sampler_race", "documents", {"sweeps": 5, "samplers": ("precision",)}),
    ("unseen_words", "documents", {"n_topics": 5}),
    ("unseen_words", "documents", {"n_topics": 5, "word": hostile.ATTACKS[0], "text": hostile.ATTACKS[1]}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("panel", "data", "settings"), PANELS)
def test_no_picture_and_no_page_takes_text_for_tags(panel, data, settings):
    record = getattr(hostile, data)()
    made = getattr(semwork_widgets, panel)(data=record)
    try:
        made.set(**settings)
        made.wait(120)
        assert made.last_step is not None
        for name, live in made.figures.items():
            figure = live.figure.to_dict()
            hovers = " ".join(str(trace.get("hovertemplate", "")) for trace in figure["data"])
            shown = {"customdata"} if "%{customdata" in hovers else set()
            drawn = [one for one in hostile.strings(figure) if one[0] not in {"customdata", "ids"} - shown]
            found = [one for one in drawn if hostile.TAG.search(one[1])]
            assert found == [], name
        words = f"{made.parts.status.value} {made.export('html')[1].decode()}"
        assert not hostile.TAG.search(words), "the page of the panel"
    finally:
        made.close()
        remove(record.name)
