"""Figures about retrieval: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from semwork.plots import (
    explanation_figure,
    plotted_data,
    query_ranks_figure,
    race_figure,
    static_picture,
    sweep_figure,
)


def trace(figure, name):
    return next(one for one in figure.data if one.name.startswith(name))


SHARE = np.array([0.01, 0.1, 1.0])
FOUND = {"WTMF": np.array([0.25, 0.75, 1.0]), "words only": np.array([0.5, 0.5, 1.0])}
ATOP = pd.DataFrame({"model": list(FOUND), "atop": [0.71, 0.84], "spread": [0.1, 0.2]})


@pytest.mark.parametrize("axis", ["log", "linear"])
def test_curves_and_dots_are_what_was_given(axis):
    figure = race_figure(SHARE, FOUND, ATOP, axis=axis, waiting=["LDA"], title="race")
    curve = trace(figure, "WTMF")
    assert curve.name == "WTMF: ATOP 0.710"
    assert (list(curve.x), list(curve.y)) == (SHARE.tolist(), FOUND["WTMF"].tolist())
    dots = trace(figure, "ATOP")
    assert list(dots.y) == ATOP["model"].tolist(), "in the order of the table, upwards"
    assert dict(zip(dots.y, dots.x, strict=True)) == {"WTMF": 0.71, "words only": 0.84}
    assert list(dots.error_x.array) == [0.1, 0.2]
    assert trace(figure, "still to come").y == ("LDA",)
    assert figure.layout.xaxis.type == axis
    assert list(figure.layout.xaxis.range) == ([-2, 0] if axis == "log" else [0, 1])
    assert static_picture(figure).startswith(b"\x89PNG")


def test_a_model_keeps_its_colour_and_the_learnt_one_is_on_top():
    both = race_figure(SHARE, FOUND, ATOP)
    one = race_figure(SHARE, {"words only": FOUND["words only"]}, ATOP.tail(1))
    assert trace(both, "words only").line.color == trace(one, "words only").line.color
    names = [drawn.name.split(":")[0] for drawn in both.data]
    assert names.index("WTMF") > names.index("words only")
    colours = dict(zip(trace(both, "ATOP").y, trace(both, "ATOP").marker.color, strict=True))
    assert colours["WTMF"] == trace(both, "WTMF").line.color


def test_points_say_which_model_ranks_a_query_better():
    ranks = pd.DataFrame({"label": list("abcd"), "text": ["one <two>", "three", "four", "five"]})
    ranks = ranks.assign(WTMF=[1, 3, 11, 101], **{"words only": [2, 51, 11, 1]})
    figure = query_ranks_figure(ranks, 101, chosen=1)
    assert trace(figure, "WTMF better").name == "WTMF better: 2"
    assert list(trace(figure, "WTMF better").customdata) == ["a", "b"]
    assert list(trace(figure, "words only better").customdata) == ["d"]
    assert list(trace(figure, "same").customdata) == ["c"]
    assert (trace(figure, "chosen").x[0], trace(figure, "chosen").y[0]) == (51, 3)
    assert trace(figure, "WTMF better").text[0] == "<b>a</b><br>one &lt;two&gt;"
    assert len(trace(query_ranks_figure(ranks, 101), "chosen").x) == 0


def explanation(n_words=5, candidate=7):
    parts = np.linspace(0.3, -0.1, n_words)
    return {
        "label": "oak",
        "text": "a tall tree",
        "ranking": pd.DataFrame(
            {
                "place": [1.0, 2.0, 17.5],
                "candidate": [4, 7, 9],
                "label": ["elm", "elm", "oak"],
                "similarity": [0.9, 0.8, 0.2],
                "right": [False, False, True],
                "text": ["x", "y", "z"],
            }
        ),
        "candidate": candidate,
        "words": pd.DataFrame(
            {
                "word": [f"w{i}" for i in range(n_words)],
                "weight": 1.0,
                "contribution": parts,
                "expected": 2.0,
                "in_query": [1.0] + [0.0] * (n_words - 1),
            }
        ),
        "similarity": float(parts.sum()),
    }


@pytest.mark.parametrize("n_words", [5, 40])
def test_the_bars_of_words_sum_to_the_similarity(n_words):
    found = explanation(n_words)
    figure = explanation_figure(**found, most_words=10, note="note: ")
    parts = trace(figure, "part of the similarity")
    assert sum(parts.x) == pytest.approx(found["similarity"])
    assert len(parts.y) == min(n_words, 11)
    assert len(set(parts.y)) == len(parts.y)
    assert "note: “oak”: a tall tree" in figure.layout.title.text
    assert static_picture(figure).startswith(b"\x89PNG")


def test_the_ranking_marks_the_right_one_and_the_one_explained():
    figure = explanation_figure(**explanation(candidate=7))
    bars = trace(figure, "ranking")
    assert bars.y == ("#1 elm", "<b>#2 elm</b>", "#17.5 oak")
    assert bars.text == ("", "", "✓")
    assert bars.marker.color[2] != bars.marker.color[0]
    assert bars.customdata == (1, 2, 3)
    # The best stands on top: the axis runs downwards.
    low, high = figure.layout.yaxis.range
    assert low > high
    assert "elm" in figure.layout.annotations[0].text


SPREAD = 0.07


def rows(values, model):
    found = [{"model": model, "value": value, "mean": 0.85, "std": SPREAD, "count": 2} for value in values]
    return pd.DataFrame(found, columns=["model", "value", "mean", "std", "count"])


VALUES = {"w_m": (0.0, 0.0005, 0.01, 1.0), "λ": (0.0, 5.0, 20.0), "K": (10, 100)}
TABLES = {
    "w_m": rows(VALUES["w_m"][:3], "WTMF"),
    "λ": rows(VALUES["λ"][:2], "WTMF"),
    "K": pd.concat([rows(VALUES["K"], "WTMF"), rows(VALUES["K"][:1], "LDA")]),
}


def test_a_sweep_draws_means_and_bands_and_keeps_room_for_what_is_to_come():
    figure = sweep_figure(TABLES, VALUES, 0.7, marks={"λ": 20.0})
    curve = next(one for one in figure.data if one.name == "WTMF" and one.xaxis == "x")
    assert list(curve.x) == ["0", "0.0005", "0.01"]
    assert np.asarray(curve.y) == pytest.approx(0.85)
    band = next(one for one in figure.data if one.name.startswith("WTMF, ±") and one.xaxis == "x")
    assert np.asarray(band.y) == pytest.approx([0.85 + SPREAD] * 3 + [0.85 - SPREAD] * 3)
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
    began = {**TABLES, "K": TABLES["K"].head(0)}
    for tables, expected in ((TABLES, ["WTMF", "LDA"]), (began, ["WTMF"])):
        figure = sweep_figure(tables, VALUES, 0.7)
        assert [one.name for one in figure.data if one.showlegend] == ["words only: 0.700", *expected]
        assert list(figure.layout.xaxis3.range) == [-0.6, 1.6], "as wide as it will be"


def test_the_papers_points_stand_where_their_values_are():
    points = {"w_m": {"WTMF": {0.0: 0.8745, 1.0: 0.8273}}, "K": {"LDA": {100: 0.9506}}}
    table = plotted_data(sweep_figure(TABLES, VALUES, 0.7, points=points))
    own = table[table["trace"].str.contains("paper")]
    assert dict(zip(own["x"], own["y"], strict=True)) == {"0": 0.8745, "1": 0.8273, "100": 0.9506}


def test_an_empty_sweep_shows_words_only():
    empty = rows((), "WTMF")
    figure = sweep_figure({"w_m": empty, "λ": empty, "K": empty}, {"w_m": (0.1,), "K": (5,)}, 0.7)
    assert {one.name for one in figure.data} == {"words only: 0.700"}
    assert len(figure.data) == 2, "what is not swept has no plot"
