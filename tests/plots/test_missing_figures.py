"""Figures about missing words show their tables, mark the winner, and keep what a click needs."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.plots import neighbour_figure, plotted_data, static_picture, tradeoff_figure, word_figure
from semwork.plots.tradeoff import _runs
from semwork.similarity.catalogue import WEIGHT_GRID
from semwork.similarity.missing import scores

PAPER = pd.DataFrame({"candidate": ["v1", "v2", "v3"], "R_o": [20, 5, 18], "R_m": [600, 100, 300]})
WORDS = pd.DataFrame(
    {
        "word": ["deposit", "money", "loan", "fish"],
        "weight": [5.0, 3.0, 0.0, 0.0],
        "predicted": [4.0, 2.5, 1.5, -0.2],
        "observed": [True, True, False, False],
    }
)


def contest(candidates, weight, **more):
    weights = sorted({*WEIGHT_GRID, weight})
    return tradeoff_figure(candidates, scores(candidates, weights), weight, weights=weights, **more)


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def test_words_on_one_scale_with_their_weights_as_marks():
    figure = word_figure(WORDS, title="bank: it keeps <money>")
    assert list(named(figure, "observed").y) == ["deposit", "money"]
    assert list(named(figure, "observed").x) == [4.0, 2.5]
    assert list(named(figure, "X of observed").x) == [5.0, 3.0]
    assert list(named(figure, "missing").y) == ["loan", "fish"]
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    low, high = figure.layout.xaxis.range
    assert low < -0.2
    assert high > 5
    assert "&lt;money&gt;" in figure.layout.title.text
    assert "X = 5.00" in named(figure, "observed").hovertext[0]
    assert set(plotted_data(figure)["trace"]) == {"observed", "X of observed", "missing"}
    assert len(word_figure(WORDS, most_words=1).data[0].y) == 1


def test_a_long_title_takes_two_lines_at_most():
    title = word_figure(WORDS, title="word " * 100).layout.title.text
    assert title.count("<br>") == 1
    assert title.endswith("…")


@pytest.mark.parametrize(("weight", "winner", "score"), [(0, "v1", 20), (0.01, "v3", 15), (1, "v2", -95)])
def test_the_winner_of_table_1_is_marked_and_nobody_lies_above_its_line(weight, winner, score):
    own = pd.DataFrame({"candidate": ["yours"], "R_o": [10], "R_m": [250]})
    figure = contest(PAPER, weight, model_vector=own)
    assert [t.name for t in figure.data if t.text and any("wins" in text for text in t.text)] == [winner]
    assert named(figure, winner).marker.size > max(named(figure, v).marker.size for v in {"v1", "v2", "v3"} - {winner})
    line = figure.data[0]
    assert line.name == f"R_o − {weight:g} R_m = {score:g}"
    assert [y - weight * x for x, y in zip(line.x, line.y, strict=True)] == pytest.approx([score] * len(line.x))
    for row in PAPER.itertuples():
        assert row.R_o <= score + weight * row.R_m + 1e-9
        low, high = figure.layout.xaxis.range
        assert low < row.R_m < high
        assert figure.layout.yaxis.range[0] < row.R_o < figure.layout.yaxis.range[1]
    assert named(figure, "yours").x == (250,)
    now = named(figure, "w_m now")
    assert now.x[0] == now.x[1]


@pytest.mark.parametrize(("higher", "own_place", "near_place"), [(1.0, "top", "bottom"), (-1.0, "bottom", "top")])
def test_names_of_near_points_stand_on_different_sides(higher, own_place, near_place):
    own = pd.DataFrame({"candidate": ["yours"], "R_o": [18.0 + higher], "R_m": [310.0]})
    figure = contest(PAPER, 0.01, model_vector=own)
    assert named(figure, "yours").textposition.startswith(own_place)
    assert named(figure, "v3").textposition.startswith(near_place)
    assert named(figure, "v1").textposition.startswith("top")


def test_scores_along_the_weights_are_coloured_by_the_winner():
    figure = contest(PAPER, 0.01)
    weights = [w for v in ("v1", "v2", "v3") for w in named(figure, f"{v} wins").customdata]
    assert len(weights) == len(set(weights)) == 14
    assert max(named(figure, "v1 wins").customdata) < min(named(figure, "v3 wins").customdata)
    assert max(named(figure, "v3 wins").customdata) < min(named(figure, "v2 wins").customdata)
    strips = sorted((s.x0, s.x1, s.fillcolor) for s in figure.layout.shapes)
    assert [b[0] for b in strips[1:]] == [a[1] for a in strips[:-1]], "the strips meet"
    colours = {named(figure, f"{v} wins").marker.color for v in ("v1", "v2", "v3")}
    assert {strip[2] for strip in strips} == colours
    place = list(figure.layout.xaxis2.ticktext).index("0.01")
    assert named(figure, "w_m now").x[0] == figure.layout.xaxis2.tickvals[place]


def test_a_weight_between_the_round_ones_has_its_own_place():
    figure = contest(PAPER, 0.03)
    assert len(named(figure, "score of v1").x) == 15


def test_before_the_hypotheses_are_fitted_the_own_vector_is_shown_alone():
    own = pd.DataFrame({"candidate": ["yours"], "R_o": [10.0], "R_m": [250.0]})
    figure = contest(PAPER.head(0), 0.01, model_vector=own)
    assert [trace.name for trace in figure.data] == ["yours", "w_m now"]
    assert static_picture(figure).startswith(b"\x89PNG")


def test_neighbours_tell_observed_from_missing_and_what_a_click_chooses():
    words = pd.DataFrame({"word": ["money", "loan"], "similarity": [0.9, 0.8], "observed": [True, False]})
    definitions = pd.DataFrame(
        {
            "name": ["loan 2", "a very long headword indeed", "a very long headword as well"],
            "headword": ["loan", "a very long headword indeed", "a very long headword as well"],
            "sense": [2, 1, 1],
            "similarity": [0.7, 0.6, 0.5],
            "text": ["what is lent", "x", "y"],
        }
    )
    figure = neighbour_figure(words, definitions, title="near")
    assert len(set(named(figure, "words").marker.color)) == 2
    bars = named(figure, "definitions")
    assert [list(one) for one in bars.customdata][:2] == [["loan", 2], ["a very long headword indeed", 1]]
    assert len(set(bars.y)) == 3, "names that are cut must not fall together"
    assert bars.y[1].endswith("…")
    assert "what is lent" in bars.hovertext[0]
    definitions["text"] = ["one word after another " * 30] * 3
    lines = named(neighbour_figure(words, definitions), "definitions").hovertext[0].split("<br>")
    assert max(map(len, lines)) <= 50
    assert len(lines) == 5, "four lines and the cosine"
    assert static_picture(figure).startswith(b"\x89PNG")


@given(st.sets(st.integers(0, 20), min_size=1))
def test_runs_cover_the_places_and_nothing_else(places):
    runs = _runs(sorted(places))
    assert {p for a, b in runs for p in range(a, b + 1)} == places
    assert all(later[0] > earlier[1] + 1 for earlier, later in itertools.pairwise(runs))
