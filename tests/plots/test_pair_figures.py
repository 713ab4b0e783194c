"""Figures about pairs of sentences show what was computed."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.datasets.records import sentence_pairs
from semwork.evaluation import at_threshold, pearson
from semwork.plots import (
    agreement_figure,
    effects_figure,
    match_figure,
    models_figure,
    plotted_data,
    static_picture,
    threshold_figure,
    weight_figure,
    worst_pairs_figure,
)
from semwork.similarity import SentenceWord, WeightStep, WordMatch, worst_pairs

N = 12
LEFT = [f"the left <b>sentence</b> number {i} is long enough to be cut somewhere in the middle of it" for i in range(N)]
RIGHT = [f"right {i}" for i in range(N)]
PREDICTED = np.linspace(0, 1, N)[::-1] ** 2


def pairs_of(scores, groups=None):
    return sentence_pairs("own", LEFT, RIGHT, scores, ["test"] * N, groups or [""] * N)


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def test_agreement_has_a_point_for_every_pair_a_colour_for_every_group_and_a_line():
    pairs = pairs_of([0.5 * i for i in range(N)], ["a"] * 4 + ["b"] * 8)
    figure = agreement_figure(pairs, PREDICTED, title="Own", chosen=5)
    assert figure.layout.title.text.startswith(f"Own: r = {pearson(pairs.scores, PREDICTED):.3f}, ρ = -1.000")
    first, second, line, mark = figure.data
    assert (first.name.split(":")[0], second.name.split(":")[0]) == ("a", "b")
    assert first.marker.color != second.marker.color
    assert [*first.customdata, *second.customdata] == list(range(N))
    np.testing.assert_array_equal([*first.x, *second.x], pairs.scores)
    np.testing.assert_array_equal([*first.y, *second.y], PREDICTED)
    slope, base = np.polyfit(pairs.scores, PREDICTED, 1)
    np.testing.assert_allclose(line.y, base + slope * np.array(line.x))
    assert (mark.x[0], mark.y[0]) == (pairs.scores[5], PREDICTED[5])
    assert "&lt;b&gt;" in first.hovertext[0], "sentences are escaped"
    assert "right 0" in first.hovertext[0]


def test_whole_scores_are_moved_apart_but_stay_nearest_to_themselves():
    pairs = pairs_of([i % 3 for i in range(N)])
    points = agreement_figure(pairs, PREDICTED).data[0]
    assert len(set(points.x)) == N
    np.testing.assert_array_equal(np.round(points.x), pairs.scores)
    assert "people 2," in points.hovertext[2]


def test_equal_values_have_no_correlation_and_still_a_figure():
    assert "no correlation" in agreement_figure(pairs_of([1] * N), PREDICTED).layout.title.text
    assert "no correlation" in agreement_figure(pairs_of(range(N)), np.ones(N)).layout.title.text


def test_worst_pairs_are_drawn_where_people_and_model_place_them():
    scores = np.arange(N, dtype=float)
    predicted = scores.copy()
    predicted[[0, 11]] = 20, -1
    worst = worst_pairs(pairs_of(scores), predicted, 2)
    assert sorted(worst["pair"]) == [0, 11]
    assert worst["difference"].abs().tolist() == [1, 1]
    drawn = traces(worst_pairs_figure(worst))
    assert list(drawn["people"].customdata) == worst["pair"].tolist()
    assert list(drawn["people"].x) == worst["human_place"].tolist() == [0, 1]
    assert list(drawn["model"].x) == worst["model_place"].tolist() == [1, 0]
    texts = next(trace.text for trace in worst_pairs_figure(worst, width=20).data if trace.mode == "text")
    assert texts[0] == "the left &lt;b&gt;sentenc… / right 0"
    assert LEFT[0].split()[-1] in drawn["people"].hovertext[0], "hover has the whole sentence"


def step(weight, seed, r):
    return WeightStep(
        done=1, total=1, missing_weight=weight, seed=seed, pearson={"own": r, "own: a": r / 2}, spearman={"own": -r}
    )


def test_the_walk_has_a_line_per_set_a_band_over_seeds_and_the_paper():
    steps = [step(0.0, 0, 0.1), step(0.0, 1, 0.3), step(0.01, 0, 0.8), step(0.01, 1, float("nan"))]
    figure = weight_figure(steps, paper={0.01: 0.8984, 0.05: 0.88})
    assert list(figure.layout.xaxis.ticktext) == ["0", "0.01", "0.05"]
    drawn = traces(figure)
    assert list(drawn["own"].x) == [0, 1]
    assert list(drawn["own"].y) == pytest.approx([0.2, 0.8]), "the mean; a gap where there is no correlation"
    assert list(drawn["own: a"].y) == pytest.approx([0.1, 0.4])
    band = next(trace for trace in figure.data if trace.fill == "toself")
    assert list(band.x) == [0, 1, 1, 0]
    assert list(band.y) == pytest.approx([0.3, 0.8, 0.8, 0.1])
    assert list(drawn["LI06 in the paper"].x) == [1, 2]
    assert list(drawn["LI06 in the paper"].y) == [0.8984, 0.88]
    began = weight_figure(steps[:1], weights=[0.0, 0.01, 1.0])
    assert list(began.layout.xaxis.ticktext) == ["0", "0.01", "1"], "what is to come has its place"
    assert list(began.layout.xaxis.range) == [-0.5, 2.5]
    ranks = weight_figure(steps[:1], measure="spearman")
    assert [trace.name for trace in ranks.data] == ["own"], "one seed has no band"
    assert list(ranks.data[0].y) == [-0.1]


def test_the_threshold_is_a_line_to_drag_and_the_title_says_what_it_reaches():
    scores, labels = np.array([0.1, 0.2, 0.6, 0.9]), np.array([0, 1, 0, 1])
    figure = threshold_figure(scores, labels, 0.5, learnt=0.15, title="Test")
    reached = at_threshold(scores, labels, 0.5)
    assert figure.layout.title.text == f"Test: accuracy {reached.accuracy:.1%}, F1 {reached.f1:.3f} at 0.500"
    (line,) = figure.layout.shapes
    assert line.yref == "y domain", "it spans the whole height"
    assert (line.x0, line.x1) == (0.5, 0.5)
    drawn = traces(figure)
    assert list(drawn["no paraphrase (2)"].x) == [0.1, 0.6]
    assert list(drawn["paraphrase (2)"].x) == [0.2, 0.9]
    assert list(drawn["learnt on the training pairs: 0.150"].x) == [0.15, 0.15]
    assert not any("learnt" in name for name in traces(threshold_figure(scores, labels, 0.5)))


def test_all_similarities_lie_within_the_bars_and_the_view():
    scores = np.array([-0.3, 0.0, 1.0, 1.0000001])
    figure = threshold_figure(scores, [0, 0, 1, 1], 0.5)
    bars = figure.data[0].xbins
    low, high = figure.layout.xaxis.range
    assert low < bars.start <= scores.min()
    assert scores.max() < bars.end <= high


def test_effects_and_match_put_unknown_words_in_brackets():
    left = [SentenceWord("the", True, -0.1), SentenceWord("<zebra>", False)]
    right = [SentenceWord("the", True, 0.3)] * 2
    figure = effects_figure(left, right)
    assert list(figure.layout.xaxis.ticktext) == ["the", "(&lt;zebra&gt;)"]
    assert list(figure.data[0].y) == [-0.1, 0]
    assert list(figure.data[1].x) == [0, 1], "a word that comes twice has two bars"
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range, "both sentences on one scale"
    match = match_figure(WordMatch(left, right, np.array([[1.0, 0.5], [np.nan, np.nan]]), 0.7))
    assert list(match.layout.yaxis.ticktext) == ["the", "(&lt;zebra&gt;)"]
    assert match.data[0].customdata[0][1] == "the / the"


def test_models_have_one_bar_each():
    figure = models_figure({"WTMF": 0.7, "TF-IDF": -0.1})
    assert list(figure.data[0].x) == [0.7, -0.1]
    assert figure.layout.xaxis.range[0] < -0.1
    assert figure.layout.yaxis.range == (1.5, -0.5), "the first on top"


@pytest.mark.parametrize(
    "figure",
    [
        agreement_figure(pairs_of(range(N)), PREDICTED, chosen=1),
        worst_pairs_figure(worst_pairs(pairs_of(range(N)), PREDICTED)),
        weight_figure([step(0.0, 0, 0.1), step(0.0, 1, 0.3)], paper={0.01: 0.9}),
        threshold_figure([0.1, 0.9], [0, 1], 0.5, learnt=0.4),
        effects_figure([SentenceWord("a", True, 0.1)], []),
        match_figure(WordMatch([], [SentenceWord("a", True)], np.empty((0, 1)), 0.0)),
        models_figure({"WTMF": 0.5}),
    ],
    ids=["agreement", "worst", "weights", "threshold", "effects", "match", "models"],
)
def test_every_figure_has_a_table_and_a_static_picture(figure):
    assert static_picture(figure).startswith(b"\x89PNG")
    assert plotted_data(figure).columns.size
