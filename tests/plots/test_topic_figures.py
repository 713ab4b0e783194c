"""Figures of Gaussian topics."""

import warnings

import pytest

from semwork.plots import (
    document_topics_figure,
    plotted_data,
    static_picture,
    topic_curves_figure,
    topic_figure,
    topic_map_figure,
)
from semwork.plots.labels import text_width
from semwork.plots.topic_parts import _end
from semwork.plots.topic_style import topic_colours
from semwork.steps import last
from semwork.studies import GaussianTopics, TopicsSettings

SAMPLE, PLANTED = GaussianTopics.on("sample"), GaussianTopics.on("planted")


@pytest.fixture(scope="module")
def step():
    return last(SAMPLE.steps(TopicsSettings(sweeps=8)))


@pytest.fixture(scope="module")
def planted():
    return last(PLANTED.steps(TopicsSettings(n_topics=5, psi=3.0, strength=0, alpha=0.2, sweeps=25)))


def drawn_map(step, topic=0, sweep=None):
    return topic_map_figure(**SAMPLE.plane(step, sweep, topic))


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_the_map_has_every_topic_and_one_is_loud(step):
    figure = drawn_map(step, 6)
    [means], [chosen] = named(figure, "means"), named(figure, "the topic")
    assert sorted(means.customdata) == list(range(12))
    assert list(means.text) == [str(k) for k in means.customdata]
    assert means.customdata[-1] == 6, "it lies upon the others"
    assert (chosen.x[0], chosen.y[0]) == pytest.approx(step.at(None).outlines[6][0])
    assert chosen.line.width > max(trace.line.width for trace in figure.data if str(trace.name).startswith("topics, "))
    [own] = named(figure, "words of the topic")
    assert set(own.customdata) == {6}
    others = {k for trace in figure.data if str(trace.name).startswith("words, ") for k in trace.customdata}
    assert others == set(range(12)) - {6}
    assert sum(len(trace.x) for trace in figure.data if str(trace.name).startswith("words")) == 600


def test_topics_move_and_the_plane_does_not(step):
    first, final = drawn_map(step, 0, 1), drawn_map(step, 0)
    assert list(named(first, "means")[0].x) != list(named(final, "means")[0].x)
    assert first.layout.xaxis.range == final.layout.xaxis.range
    assert [trace.name for trace in first.data] == [trace.name for trace in final.data], "so that updates are small"


def test_the_densest_words_stand_beside_the_map_with_the_models_numbers(step):
    figure = drawn_map(step, 3)
    [words], [squares] = named(figure, "top words"), named(figure, "topics")
    assert list(words.customdata) == list(squares.customdata) == list(range(12))
    for k, text in enumerate(words.text):
        assert step.at(None).found.top_words[k][0] in text
    assert [text.startswith("<b>") for text in words.text] == [k == 3 for k in range(12)]


def test_the_list_beside_the_map_ends_at_whole_words_that_fit(step):
    [words] = named(drawn_map(step, 3), "top words")
    for k, text in enumerate(words.text):
        plain = text.removeprefix("<b>").removesuffix("</b>")
        assert plain.split(", ") == list(step.at(None).found.top_words[k][: plain.count(",") + 1])
        assert text_width(plain, 12, bold=k == 3) < 220


def test_names_in_the_map_are_of_the_densest_words(step):
    figure = drawn_map(step, 6)
    sides = [named(figure, f"densest words, {side}")[0] for side in ("left", "center", "right")]
    names = [name for trace in sides for name in trace.text]
    assert set(names) <= set(step.at(None).found.top_words[6])
    assert len(names) == len(set(names)) >= 4


def test_many_topics_are_grey_and_the_chosen_one_is_listed(step):
    many = last(SAMPLE.steps(TopicsSettings(n_topics=25, sweeps=2)))
    assert set(topic_colours(25)) == {"#8c8c8c"}
    smallest = int(many.at(None).found.sizes.argmin())
    [listed] = named(drawn_map(many, smallest), "topics")
    assert smallest in listed.customdata
    assert len(listed.customdata) == 16


def test_an_empty_topic_has_no_ellipse(step):
    end = last(SAMPLE.steps(TopicsSettings(n_topics=4, psi=1000.0, sweeps=10)))
    empty = int(end.at(None).found.sizes.argmin())
    assert end.at(None).found.sizes[empty] == 0
    figure = drawn_map(end, empty)
    assert not len(named(figure, "the topic")[0].x)
    assert empty not in named(figure, "means")[0].customdata
    assert "no tokens" in named(figure, "top words")[0].text[empty]
    assert static_picture(topic_figure(**SAMPLE.one_topic(end, empty)))


def test_curves_are_the_history_of_both_models(step):
    figure, history = topic_curves_figure(**SAMPLE.curves(step, 3)), SAMPLE.table(step)
    gaussian, lda = named(figure, "Gaussian LDA"), named(figure, "LDA")
    assert [list(trace.y) for trace in gaussian] == [
        history[column].tolist() for column in ("log_likelihood", "coherence", "purity")
    ]
    assert [list(trace.y) for trace in lda] == [history[f"lda {what}"].tolist() for what in ("coherence", "purity")]
    assert list(gaussian[0].customdata) == list(range(1, 9))
    assert all(trace.x == (3, 3) for trace in named(figure, "now"))
    assert sum(trace.showlegend for trace in figure.data) == 2


def test_a_topic_shows_its_words_and_documents(step):
    words, documents = SAMPLE.words(step, 6, 5).head(6), SAMPLE.documents(step, 6, 5, 6)
    figure = topic_figure(words, documents, 6, 12, n=6)
    assert list(named(figure, "tokens in this topic")[0].x) == words["here"].tolist()
    assert (named(figure, "all tokens of the word")[0].x >= named(figure, "tokens in this topic")[0].x).all()
    assert list(figure.layout.yaxis.ticktext) == words["word"].tolist()
    [shares] = named(figure, "share of this topic in a document")
    assert list(shares.customdata) == documents["document"].tolist()
    assert list(figure.layout.yaxis2.ticktext) == documents["label"].tolist()


def test_a_document_shows_its_topics_now_and_at_the_end(step):
    figure = document_topics_figure(**SAMPLE.one_document(step, 17, 2, topic=3))
    table = SAMPLE.document(step, 17, 2)
    [bars], [end] = named(figure, "at this sweep"), named(figure, "after the last sweep")
    assert list(bars.customdata) == table["topic"].tolist()
    assert list(bars.x) == table["share"].tolist()
    final = SAMPLE.document(step, 17).set_index("topic")["share"]
    assert list(end.x) == final.loc[table["topic"]].tolist()


def test_static_twins_can_be_drawn_and_say_nothing(step, planted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for study, end in ((SAMPLE, step), (PLANTED, planted)):
            for figure in (
                topic_map_figure(**study.plane(end)),
                topic_curves_figure(**study.curves(end)),
                topic_figure(**study.one_topic(end, 0)),
                document_topics_figure(**study.one_document(end, 0)),
            ):
                assert static_picture(figure).startswith(b"\x89PNG")
                assert len(plotted_data(figure))


def test_long_classes_keep_their_ends():
    assert _end("soc.religion.christian") == "christian"
    assert _end("comp.sys.ibm.pc.hardware") == "pc.hardware"
    assert _end("talk.politics.guns") == "politics.guns"
    assert _end("football") == "football"
