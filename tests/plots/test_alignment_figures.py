"""Figures of latent structures."""

import warnings

import pandas as pd
import pytest

from semwork.plots import (
    joined_figure,
    learning_figure,
    mistakes_figure,
    plotted_data,
    static_picture,
    weights_figure,
)
from semwork.steps import last
from semwork.structures.tasks.transliteration import transliterated_names
from semwork.studies import NameAlignments, NameSettings


@pytest.fixture(scope="module")
def study():
    return NameAlignments(transliterated_names("he"), max_iter=2)


@pytest.fixture(scope="module")
def step(study):
    return last(study.steps(NameSettings(training=25, share=0.02)))


def rows(left, right, edges):
    columns = ["left", "right", "score", "kind", "why"]
    return tuple(left), tuple(right), pd.DataFrame(edges, columns=columns)


SHORT = rows("abc", "xy", [(0, 0, 2.0, "joined", "a & b"), (1, 1, -0.5, "joined", "c"), (2, -1, -0.1, "alone", "d")])


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_lines_join_what_is_joined_and_are_as_thick_as_their_scores():
    figure = joined_figure(*SHORT, title="abc")
    above = [trace for trace in named(figure, "joined, score above 0") if trace.x]
    below = [trace for trace in named(figure, "joined, score below 0") if trace.x]
    assert len(above) == len(below) == 1
    assert above[0].line.width > below[0].line.width
    left, right = named(figure, "left")[0], named(figure, "right")[0]
    assert list(left.text) == ["a", "b", "c"]
    assert left.marker.color[0] == left.marker.color[1] != left.marker.color[2]
    assert above[0].x[:2] == (left.x[0], right.x[0])
    assert "left alone -0.100" in left.hovertext[2]
    assert "with x\u200e +2.000<br>a &amp; b" in left.hovertext[0]
    [parts] = named(figure, "parts")
    assert len(parts.x) == 6
    assert parts.text[0].startswith("a – x\u200e +2.000")


def test_long_sentences_stand_upright_and_words_get_room():
    words = ["quite", "a", "few", "words"] * 5
    edges = [(0, 0, 1.0, "joined", "")]
    assert named(joined_figure(*rows(words, words, edges)), "left")[0].x == (0.0,) * len(words)
    short = joined_figure(*rows(["a", "longer", "row"], ["b"], edges))
    x = named(short, "left")[0].x
    assert x[1] - x[0] > x[2] - x[1] - 0.1
    assert named(short, "left")[0].y == (0.0,) * 3
    assert named(joined_figure(*rows(words, words, edges), vertical=False), "left")[0].y == (0.0,) * len(words)


def test_nothing_joined_is_drawn_too():
    figure = joined_figure(*rows("ab", "c", [(0, -1, 0.0, "alone", ""), (1, -1, 0.0, "alone", "")]))
    assert not any(trace.x for trace in figure.data if trace.name.startswith("joined"))
    static_picture(figure)


def test_learning_marks_the_iteration(study, step):
    figure = learning_figure(**study.learning(step, 1))
    [objective] = named(figure, "objective")
    assert list(objective.y) == step.history["objective"].tolist()
    assert objective.marker.size[1] > objective.marker.size[0]
    assert list(objective.customdata) == list(range(len(step.iterations)))
    assert named(figure, "now")[0].x == (1, 1)
    assert named(learning_figure(**study.learning(step)), "now")[0].x == (len(step.iterations) - 1,) * 2
    assert named(figure, "accuracy, two-stage")[0].y == (step.two_stage.accuracy,) * 2


def test_weights_stand_in_their_order_with_their_names(study, step):
    table = study.weights(step).weights
    table = pd.concat([table.head(6), table.tail(6)], ignore_index=True)
    figure = weights_figure(table, n=6)
    assert list(figure.layout.yaxis.ticktext) == table["feature"].tolist()[:6]
    assert list(figure.layout.yaxis2.ticktext) == table["feature"].tolist()[:5:-1]
    assert sum(x is not None for trace in figure.data for x in trace.x) == 12


def test_mistakes_carry_their_pairs(study, step):
    found = study.mistakes(step).mistakes
    figure = mistakes_figure(found, (found["english"][0], ""), n=4)
    table = found.head(4)
    [right], [rival] = named(figure, "right spelling"), named(figure, "spelling of another name")
    assert [tuple(pair) for pair in right.customdata] == list(zip(table["english"], table["foreign"], strict=True))
    assert [tuple(pair) for pair in rival.customdata] == list(zip(table["english"], table["rival"], strict=True))
    assert figure.layout.yaxis.ticktext[0].startswith("<b>")


def test_static_twins_have_the_letters_and_say_nothing(study, step):
    figures = [
        joined_figure(**study.alignment(step, "Johannesburg", "יוהנסבורג")),
        learning_figure(**study.learning(step)),
        weights_figure(**study.weights(step)),
        mistakes_figure(**study.mistakes(step)),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in figures:
            assert static_picture(figure).startswith(b"\x89PNG")
            assert len(plotted_data(figure))
