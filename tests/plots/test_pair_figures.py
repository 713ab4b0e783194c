"""Figures about pairs of sentences show what was computed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from semwork.datasets.records import sentence_pairs
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
from semwork.studies import worst_pairs

N = 12
LEFT = [f"the left <b>sentence</b> number {i} is long enough to be cut somewhere in the middle of it" for i in range(N)]
RIGHT = [f"right {i}" for i in range(N)]
PREDICTED = np.linspace(0, 1, N)[::-1] ** 2


def pairs_of(scores, groups=None):
    return sentence_pairs("own", LEFT, RIGHT, scores, ["test"] * N, groups or [""] * N)


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def points_of(pairs):
    table = {"left": pairs.left, "right": pairs.right, "group": pairs.group, "score": pairs.scores}
    return pd.DataFrame({**table, "predicted": PREDICTED})


def correlations_of(**found):
    rows = [{"group": name, "pearson": r, "spearman": rho} for name, (r, rho) in found.items()]
    return pd.DataFrame([{"group": "", "pearson": -0.95, "spearman": -1.0}, *rows])


def test_agreement_has_a_point_for_every_pair_a_colour_for_every_group_and_a_line():
    pairs = pairs_of([0.5 * i for i in range(N)], ["a"] * 4 + ["b"] * 8)
    line = np.array([[0.0, 0.2], [5.5, 0.7]])
    found = correlations_of(a=(0.5, 0.4), b=(np.nan, np.nan))
    figure = agreement_figure(points_of(pairs), found, line, title="Own", chosen=5)
    assert figure.layout.title.text == "Own: r = -0.950, ρ = -1.000"
    first, second, fitted, mark = figure.data
    assert (first.name, second.name) == ("a: r = 0.500, ρ = 0.400", "b: all equal: no correlation")
    assert first.marker.color != second.marker.color
    assert [*first.customdata, *second.customdata] == list(range(N))
    np.testing.assert_array_equal([*first.x, *second.x], pairs.scores)
    np.testing.assert_array_equal([*first.y, *second.y], PREDICTED)
    assert (list(fitted.x), list(fitted.y)) == ([0.0, 5.5], [0.2, 0.7])
    assert (mark.x[0], mark.y[0]) == (pairs.scores[5], PREDICTED[5])
    assert "&lt;b&gt;" in first.hovertext[0], "sentences are escaped"
    assert "right 0" in first.hovertext[0]


def test_the_title_says_that_equal_values_have_no_correlation():
    nothing = pd.DataFrame([{"group": "", "pearson": np.nan, "spearman": np.nan}])
    for title in ("", "Own"):
        figure = agreement_figure(points_of(pairs_of([1] * N)), nothing, title=title)
        assert "no correlation" in figure.layout.title.text
        assert figure.layout.title.text.startswith(title)


def test_whole_scores_are_moved_apart_but_stay_nearest_to_themselves():
    pairs = pairs_of([i % 3 for i in range(N)])
    points = agreement_figure(points_of(pairs), correlations_of()).data[0]
    assert len(set(points.x)) == N
    np.testing.assert_array_equal(np.round(points.x), pairs.scores)
    assert "people 2," in points.hovertext[2]


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


def along_of(*rows):
    """Two sets, one with half of the correlations of the other."""
    return pd.DataFrame(
        [
            {"set": name, "missing_weight": at, "mean": r * mean, "min": r * low, "max": r * high, "count": count}
            for name, r in (("mine", 1), ("mine: a", 0.5))
            for at, mean, low, high, count in rows
        ]
    )


NONE = float("nan")


def test_the_walk_has_a_line_per_set_a_band_over_seeds_and_the_paper():
    found = along_of((0.0, 0.2, 0.1, 0.3, 2), (0.01, 0.8, 0.8, 0.8, 1), (1.0, NONE, NONE, NONE, 0))
    figure = weight_figure(found, paper={0.01: 0.8984, 0.05: 0.88})
    assert list(figure.layout.xaxis.ticktext) == ["0", "0.01", "0.05", "1"]
    drawn = traces(figure)
    assert list(drawn["mine"].x) == [0, 1]
    assert list(drawn["mine"].y) == pytest.approx([0.2, 0.8]), "the mean; no point where there is no correlation"
    assert list(drawn["mine: a"].y) == pytest.approx([0.1, 0.4])
    band = next(trace for trace in figure.data if trace.fill == "toself")
    assert list(band.x) == [0, 1, 1, 0]
    assert list(band.y) == pytest.approx([0.3, 0.8, 0.8, 0.1])
    assert list(drawn["LI06 in the paper"].x) == [1, 2]
    assert list(drawn["LI06 in the paper"].y) == [0.8984, 0.88]
    began = weight_figure(along_of((0.0, 0.1, 0.1, 0.1, 1)), weights=[0.0, 0.01, 1.0], letter="ρ")
    assert list(began.layout.xaxis.ticktext) == ["0", "0.01", "1"], "what is to come has its place"
    assert list(began.layout.xaxis.range) == [-0.5, 2.5]
    assert [trace.name for trace in began.data] == ["mine", "mine: a"], "one seed has no band"
    assert "ρ" in began.layout.yaxis.title.text
    assert len(weight_figure(found.head(0), weights=[0.0, 1.0]).data) == 0


ACCURACY = pd.DataFrame({"threshold": [0.1, 0.5], "accuracy": [0.5, 0.75]})
BARS = pd.DataFrame({"start": [-0.3, 0.2, 0.7], "end": [0.2, 0.7, 1.2], "other": [1, 2, 0], "paraphrases": [0, 7, 1]})


def test_the_threshold_is_a_line_to_drag():
    scores, labels = np.array([0.1, 0.2, 0.6, 0.9]), np.array([0, 1, 0, 1])
    figure = threshold_figure(scores, labels, 0.5, ACCURACY, BARS, learnt=0.15, title="Test")
    assert figure.layout.title.text == "Test"
    (line,) = figure.layout.shapes
    assert line.yref == "y domain", "it spans the whole height"
    assert (line.x0, line.x1) == (0.5, 0.5)
    drawn = traces(figure)
    assert list(drawn["no paraphrase (2)"].x) == [0.1, 0.6]
    assert list(drawn["paraphrase (2)"].x) == [0.2, 0.9]
    assert list(drawn["learnt on the training pairs: 0.150"].x) == [0.15, 0.15]
    curve = drawn["accuracy at each threshold (full height: 100 %)"]
    assert list(curve.x) == [0.1, 0.5]
    assert np.asarray(curve.y) / figure.layout.yaxis.range[1] == pytest.approx([0.5, 0.75])
    assert not any("learnt" in name for name in traces(threshold_figure(scores, labels, 0.5, ACCURACY, BARS)))


def test_all_bars_lie_within_the_view_with_their_ends():
    figure = threshold_figure([-0.3, 0.0, 1.0, 1.2], [0, 0, 1, 1], 0.5, ACCURACY, BARS)
    bars = figure.data[0].xbins
    low, high = figure.layout.xaxis.range
    assert low < bars.start == -0.3
    assert bars.size == pytest.approx(0.5)
    assert 1.2 < bars.end <= high, "a pair at the very end is in the last bar"
    assert figure.layout.yaxis.range[1] == pytest.approx(1.12 * 7), "above the tallest bar"


def words_of(*rows):
    return pd.DataFrame(rows, columns=["word", "known", "effect"])


def test_effects_and_match_put_unknown_words_in_brackets():
    left = words_of(("the", True, -0.1), ("<zebra>", False, 0.0))
    right = words_of(("the", True, 0.3), ("the", True, 0.3))
    figure = effects_figure(left, right)
    assert list(figure.layout.xaxis.ticktext) == ["the", "(&lt;zebra&gt;)"]
    assert list(figure.data[0].y) == [-0.1, 0]
    assert list(figure.data[1].x) == [0, 1], "a word that comes twice has two bars"
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range, "both sentences on one scale"
    match = match_figure(left, right, np.array([[1.0, 0.5], [np.nan, np.nan]]))
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
        agreement_figure(points_of(pairs_of(range(N))), correlations_of(), chosen=1),
        worst_pairs_figure(worst_pairs(pairs_of(range(N)), PREDICTED)),
        weight_figure(along_of((0.0, 0.2, 0.1, 0.3, 2)), paper={0.01: 0.9}),
        threshold_figure([0.1, 0.9], [0, 1], 0.5, ACCURACY, BARS, learnt=0.4),
        effects_figure(words_of(("a", True, 0.1)), words_of()),
        match_figure(words_of(), words_of(("a", True, 0.0)), np.empty((0, 1))),
        models_figure({"WTMF": 0.5}),
    ],
    ids=["agreement", "worst", "weights", "threshold", "effects", "match", "models"],
)
def test_every_figure_has_a_table_and_a_static_picture(figure):
    assert static_picture(figure).startswith(b"\x89PNG")
    assert plotted_data(figure).columns.size
