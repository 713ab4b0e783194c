"""Figures about retrieval: what is drawn is what was computed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from semwork.evaluation import Ranking
from semwork.plots import (
    explanation_figure,
    plotted_data,
    query_ranks_figure,
    race_figure,
    static_picture,
    sweep_figure,
)
from semwork.similarity import SweepStep
from semwork.similarity.explain import QueryExplanation


def ranking(ranks, n=101):
    ranks = np.asarray(ranks, dtype=float)
    return Ranking(
        ranks=ranks,
        tied=np.zeros(len(ranks), dtype=int),
        query=np.arange(len(ranks)),
        n_candidates=n,
        n_queries=len(ranks),
    )


def trace(figure, name):
    return next(one for one in figure.data if one.name.startswith(name))


@pytest.fixture
def rankings():
    return {"WTMF": ranking([1, 3, 11, 101]), "words only": ranking([2, 51, 11, 1])}


@pytest.mark.parametrize("axis", ["log", "linear"])
def test_curves_are_topk_and_dots_are_atop(rankings, axis):
    figure = race_figure(rankings, axis=axis, waiting=["LDA"], title="race")
    curve = trace(figure, "WTMF")
    assert curve.name == f"WTMF: ATOP {rankings['WTMF'].atop:.3f}"
    assert np.asarray(curve.y) == pytest.approx(rankings["WTMF"].topk(np.asarray(curve.x)))
    dots = trace(figure, "ATOP")
    assert dict(zip(dots.y, dots.x, strict=True)) == {name: one.atop for name, one in rankings.items()}
    assert list(dots.x) == sorted(dots.x)
    assert trace(figure, "still to come").y == ("LDA",)
    assert figure.layout.xaxis.type == axis
    assert static_picture(figure).startswith(b"\x89PNG")


def test_a_model_keeps_its_colour_and_the_learnt_one_is_on_top(rankings):
    both, one = race_figure(rankings), race_figure({"words only": rankings["words only"]})
    assert trace(both, "words only").line.color == trace(one, "words only").line.color
    names = [drawn.name.split(":")[0] for drawn in both.data]
    assert names.index("WTMF") > names.index("words only")
    colours = dict(zip(trace(both, "ATOP").y, trace(both, "ATOP").marker.color, strict=True))
    assert colours["WTMF"] == trace(both, "WTMF").line.color


def test_points_say_which_model_ranks_a_query_better(rankings):
    labels, texts = ["a", "b", "c", "d"], ["one <two>", "three", "four", "five"]
    figure = query_ranks_figure(*rankings.values(), labels=labels, texts=texts, chosen=1)
    assert trace(figure, "WTMF better").name == "WTMF better: 2"
    assert list(trace(figure, "WTMF better").customdata) == ["a", "b"]
    assert list(trace(figure, "words only better").customdata) == ["d"]
    assert list(trace(figure, "same").customdata) == ["c"]
    assert (trace(figure, "chosen").x[0], trace(figure, "chosen").y[0]) == (51, 3)
    assert trace(figure, "WTMF better").text[0] == "one &lt;two&gt;"
    none = query_ranks_figure(*rankings.values(), labels=labels, texts=texts)
    assert len(trace(none, "chosen").x) == 0


def explanation(n_words=5, candidate=7):
    parts = np.linspace(0.3, -0.1, n_words)
    return QueryExplanation(
        query=0,
        label="oak",
        text="a tall tree",
        ranking=pd.DataFrame(
            {
                "place": [1.0, 2.0, 17.5],
                "candidate": [4, 7, 9],
                "label": ["elm", "elm", "oak"],
                "similarity": [0.9, 0.8, 0.2],
                "right": [False, False, True],
                "text": ["x", "y", "z"],
            }
        ),
        candidate=candidate,
        words=pd.DataFrame(
            {
                "word": [f"w{i}" for i in range(n_words)],
                "weight": 1.0,
                "contribution": parts,
                "expected": 2.0,
                "in_query": [1.0] + [0.0] * (n_words - 1),
            }
        ),
        similarity=float(parts.sum()),
    )


@pytest.mark.parametrize("n_words", [5, 40])
def test_the_bars_of_words_sum_to_the_similarity(n_words):
    found = explanation(n_words)
    figure = explanation_figure(found, most_words=10, note="note: ")
    parts = trace(figure, "part of the similarity")
    assert sum(parts.x) == pytest.approx(found.similarity)
    assert len(parts.y) == min(n_words, 11)
    assert len(set(parts.y)) == len(parts.y)
    assert "note: “oak”: a tall tree" in figure.layout.title.text
    assert static_picture(figure).startswith(b"\x89PNG")


def test_the_ranking_marks_the_right_one_and_the_one_explained():
    figure = explanation_figure(explanation(candidate=7))
    bars = trace(figure, "ranking")
    assert bars.y == ("#1 elm", "<b>#2 elm</b>", "#17.5 oak")
    assert bars.text == ("", "", "✓")
    assert bars.marker.color[2] != bars.marker.color[0]
    assert bars.customdata == (1, 2, 3)
    # The best stands on top: the axis runs downwards.
    low, high = figure.layout.yaxis.range
    assert low > high
    assert "elm" in figure.layout.annotations[0].text


def sweep_step():
    def rows(swept, values, model):
        return [{"model": model, swept: value, "seed": s, "atop": 0.8 + s / 10} for value in values for s in (0, 1)]

    weights, penalties, sizes = (0.0, 0.0005, 0.01, 1.0), (0.0, 5.0, 20.0), (10, 100)
    return SweepStep(
        done=1,
        total=2,
        over_weight=pd.DataFrame(rows("missing_weight", weights[:3], "WTMF")),
        over_penalty=pd.DataFrame(rows("regularization", penalties[:2], "WTMF")),
        over_size=pd.DataFrame(rows("n_components", sizes, "WTMF") + rows("n_components", sizes[:1], "LDA")),
        weights=weights,
        penalties=penalties,
        sizes=sizes,
        words_only=0.7,
    )


def test_a_sweep_draws_means_and_bands_and_keeps_room_for_what_is_to_come():
    figure = sweep_figure(sweep_step())
    curve = next(one for one in figure.data if one.name == "WTMF" and one.xaxis == "x")
    assert list(curve.x) == ["0", "0.0005", "0.01"]
    assert np.asarray(curve.y) == pytest.approx(0.85)
    band = next(one for one in figure.data if one.name.startswith("WTMF, ±") and one.xaxis == "x")
    spread = np.std([0.8, 0.9], ddof=1)
    assert np.asarray(band.y) == pytest.approx([0.85 + spread] * 3 + [0.85 - spread] * 3)
    assert list(figure.layout.xaxis.categoryarray) == ["0", "0.0005", "0.01", "1"]
    penalties = next(one for one in figure.data if one.name == "WTMF" and one.xaxis == "x2")
    assert list(penalties.x) == ["0", "5"]
    assert list(figure.layout.xaxis2.categoryarray) == ["0", "5", "20"]
    [mark] = figure.layout.shapes
    assert (mark.xref, mark.x0, mark.x1) == ("x2", 2, 2)
    assert [note.text for note in figure.layout.annotations] == ["the paper: 20"]
    assert not any("paper" in one.name for one in figure.data)
    assert static_picture(figure).startswith(b"\x89PNG")


def test_a_sweep_names_each_model_once_from_its_first_point_on():
    full = sweep_step()
    began = dataclasses.replace(full, over_size=full.over_size.head(0))
    for step, expected in ((full, ["WTMF", "LDA"]), (began, ["WTMF"])):
        named = [one.name for one in sweep_figure(step).data if one.showlegend]
        assert named == ["words only: 0.700", *expected]
        assert list(sweep_figure(step).layout.xaxis3.range) == [-0.6, 1.6], "as wide as it will be"


def test_the_papers_points_are_those_of_its_table_2():
    figure = sweep_figure(sweep_step(), paper=True)
    table = plotted_data(figure)
    own = table[table["trace"].str.contains("paper")]
    assert dict(zip(own["x"].iloc[:4], own["y"].iloc[:4], strict=True)) == {
        "0": 0.8745,
        "0.0005": 0.961,
        "0.01": 0.9555,
        "1": 0.8273,
    }
    assert own["y"].iloc[4:].tolist() == [0.9555, 0.961, 0.9506]
    assert own["x"].iloc[4:].tolist() == ["20", "100", "100"]


def test_an_empty_sweep_shows_words_only():
    empty = pd.DataFrame(columns=["model", "missing_weight", "seed", "atop"])
    sizes, penalties = (empty.rename(columns={"missing_weight": to}) for to in ("n_components", "regularization"))
    tables = {"over_weight": empty, "over_penalty": penalties, "over_size": sizes}
    step = SweepStep(done=0, total=2, **tables, weights=(0.1,), penalties=(), sizes=(5,), words_only=0.7)
    assert {one.name for one in sweep_figure(step).data} == {"words only: 0.700"}
    assert len(sweep_figure(step).data) == 2, "what is not swept has no plot"
