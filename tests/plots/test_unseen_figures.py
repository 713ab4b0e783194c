"""Figures of unseen words."""

import warnings

import pytest

from semwork.plots import plotted_data, reading_figure, shares_figure, static_picture, unseen_word_figure
from semwork.steps import last
from semwork.studies import UnseenSettings, UnseenTask, UnseenWords
from semwork.topics import NormalInverseWishart, topic_data

STUDY = UnseenWords(UnseenTask(topic_data("sample"), prior=NormalInverseWishart(psi=100.0, nu=152.0), sweeps=15))
SETTINGS = UnseenSettings(hidden=0.3)


@pytest.fixture(scope="module")
def step():
    return last(STUDY.steps(SETTINGS))


@pytest.fixture(scope="module")
def texts(step):
    original = STUDY.texts[3]
    text, done = STUDY.words(step).replaced(original, 4)
    return original, text, done


def reading(step, text, word=""):
    return reading_figure(**STUDY.reading(step, 3, word, text))


def shares(step, text):
    return shares_figure(**STUDY.shares(step, 3, text))


def place(step, text, word=""):
    return unseen_word_figure(**STUDY.place(step, 3, word, text))


def named(figure, name):
    [trace] = [trace for trace in figure.data if trace.name == name]
    return trace


def test_unseen_words_are_underlined_and_lda_strikes_them_out(step, texts):
    _, text, done = texts
    figure = reading(step, text, done[0][1])
    gaussian, lda = named(figure, "text, Gaussian LDA"), named(figure, "text, LDA")
    assert list(gaussian.customdata) == list(lda.customdata)
    for _, new in done:
        place = list(gaussian.customdata).index(new)
        assert "<u>" in gaussian.text[place]
        assert "<s>" in lda.text[place]
        assert "LDA drops it" in lda.hovertext[place]
        assert lda.textfont.color[place] == "#b4b4b4" != gaussian.textfont.color[place]
    assert gaussian.text[list(gaussian.customdata).index(done[0][1])].startswith("<b>")


def test_a_long_text_is_cut_and_markup_in_it_is_no_markup(step):
    text = "<b>orbit</b> & " + "planets telescope orbit " * 80
    figure = reading(step, text)
    trace = named(figure, "text, Gaussian LDA")
    assert trace.text[-1] == "…"
    assert "&lt;b&gt;orbit" in trace.text[1]
    assert max(trace.y) == 11


def test_shares_are_those_of_the_readings(step, texts):
    original, text, _ = texts
    figure = shares(step, text)
    before, now = STUDY.read(step, original), STUDY.read(step, text)
    for name, one, two in (("Gaussian LDA", before[0], now[0]), ("LDA", before[1], now[1])):
        bars, marks = named(figure, f"{name}, now"), named(figure, f"{name}, before")
        topics = list(bars.customdata)
        assert list(bars.x) == two.proportions[topics].tolist()
        assert list(marks.x) == one.proportions[topics].tolist()
        assert topics[0] == one.proportions.argmax()
    assert shares(step, original).layout.xaxis.title.text == "Gaussian LDA: moved by 0%"


def test_a_word_stands_in_its_place_with_the_one_it_replaced(step, texts):
    old, new = texts[2][0]
    figure = place(step, texts[1], new)
    placed = named(figure, "the word")
    assert list(placed.text) == [old, f"<b>{new}</b>"]
    assert (placed.x[1], placed.y[1]) == pytest.approx(step.plane.points([STUDY.task.known[new]])[0])
    bars = named(figure, "p(topic | word)")
    assert list(bars.customdata) == STUDY.chances(step, new).head(6)["topic"].tolist()
    near = named(figure, "nearest seen words")
    assert {STUDY.words(step).status(word) for word in near.text} == {"seen"}
    assert len(named(place(step, "of the", new), "the word").x) == 1


def test_every_word_in_the_map_has_its_name_and_the_map_shows_all_of_them(step, texts):
    for old, new in texts[2]:
        figure = place(step, texts[1], new)
        names = [text for side in ("left", "center", "right") for text in named(figure, f"names, {side}").text]
        near = named(figure, "nearest seen words")
        assert sorted(names) == sorted([f"<b>{new}</b>", old, *near.text])
        for axis, values in (("xaxis", near.x), ("yaxis", near.y)):
            low, high = figure.layout[axis].range
            assert ((values > low) & (values < high)).all()


def test_the_map_of_a_word_at_the_rim_is_not_half_empty(step):
    words = step.plane.words
    outmost = words.loc[words["y"].idxmax(), "word"]
    low, high = place(step, "", str(outmost)).layout.yaxis.range
    assert low < words["y"].max() < high
    assert high - words["y"].max() < 0.3 * (high - low)


def test_another_word_has_a_map_of_its_own_and_a_later_sweep_the_same(step, texts):
    (_, one), (_, two) = texts[2][:2]
    first, second = place(step, "", one), place(step, "", two)
    assert first.layout.xaxis.uirevision != second.layout.xaxis.uirevision
    assert [trace.name for trace in first.data] == [trace.name for trace in second.data], "so that updates are small"
    early = next(UnseenWords(STUDY.task).steps(SETTINGS))
    assert place(early, "", one).layout.xaxis.range == pytest.approx(first.layout.xaxis.range)


def test_a_text_has_lines_of_one_height_and_no_margins_of_axes_that_are_hidden(step, texts):
    short, long = reading(step, "orbit"), reading(step, texts[1] * 2)
    heights = [figure.layout.height - 52 for figure in (short, long)]
    rows = [figure.layout.yaxis.range[0] - figure.layout.yaxis.range[1] for figure in (short, long)]
    assert heights[0] / rows[0] == pytest.approx(heights[1] / rows[1], rel=0.02)
    for axis in ("xaxis", "yaxis", "xaxis2", "yaxis2"):
        assert short.layout[axis].automargin is False


def test_static_twins_can_be_drawn_and_say_nothing(step, texts):
    _, text, done = texts
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in (
            reading(step, text),
            shares(step, text),
            place(step, text, done[0][1]),
        ):
            assert static_picture(figure).startswith(b"\x89PNG")
            assert len(plotted_data(figure))
