"""Lesson 09: its file has the faults that it shows, and what it says agrees with what is computed."""

from __future__ import annotations

import csv
import re
from dataclasses import replace

import nbformat
import numpy as np
import pytest

from notebooks.build import NOTEBOOKS, SOURCES, Exercise, read
from semwork.datasets import fingerprint, from_table, path, read_table, remove
from semwork.similarity import WTMF, SentenceSpace
from semwork.similarity.penalty import ONE_DIRECTION
from semwork.steps import last
from semwork.studies import GaussianTopics, KernelDecay, TopicsSettings
from semwork.studies.document_sets import LABELLED_DOCUMENTS
from semwork.studies.origin import calling
from semwork.studies.topic_tasks import TOPIC_DOCUMENTS
from semwork.text import Corpus
from semwork.topics.data import TopicData
from tests.notebooks.test_words_and_numbers import said

SEEDS = range(3)
FILE = path("sample") / "visitors.csv"


@pytest.fixture(scope="module")
def lesson():
    """What the lesson has computed before its exercises, without panels."""
    scope = {"__name__": "09"}
    for part in read((SOURCES / "09_your_own_corpus.md").read_text(encoding="utf-8")):
        if isinstance(part, Exercise):
            break
        if part.cell_type == "code" and "semwork_widgets" not in part.source:
            exec(part.source, scope)
    yield scope
    remove("Ballinmere")


# --- the file -------------------------------------------------------------------------------------------------------


def test_the_file_has_every_usual_fault():
    content = FILE.read_bytes()
    with pytest.raises(UnicodeDecodeError):
        content.decode()
    text = content.decode("cp1252")
    assert {"’", "é", "ë", "è", "û", "ñ", "€", "\xa0"} <= set(text)
    assert text.count("\r\n") > 150, "lines end as on Windows"
    rows = list(csv.reader(text.splitlines(keepends=True), delimiter=";"))
    head, rows = rows[0], rows[1:]
    assert head == ["id", "date", "about", "comment", "stars", "waited"]
    assert sorted({len(row) for row in rows}) == [4, 6, 7]
    rows = [dict(zip(head, row, strict=True)) for row in rows if len(row) == 6]
    comments = [row["comment"] for row in rows]
    assert 120 <= len({comment for comment in comments if len(comment) > 20}) <= 160
    assert sum("\n" in comment for comment in comments) >= 5
    assert {"", "   ", "N/A", "n/a", "-", "5", "4,5"} <= set(comments)
    assert len(comments) - len(set(comments)) > 4
    for fault in ("<b>", "<br>", "<i>", "&amp;", "<script>", "&#951;", "????", '"Toilets"'):
        assert any(fault in comment for comment in comments), fault
    assert max(len(comment.split()) for comment in comments) > 200
    labels = {row["about"] for row in rows}
    assert {"Children", "CHILDREN", "children", "café", "cafe", "café ", "N/A", ""} <= labels
    assert {"N/A", "4,0", "55"} <= {row["stars"] for row in rows}
    assert {"2,5", "12,5"} <= {row["waited"] for row in rows}
    assert {bool(re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"])) for row in rows} == {True, False}


def test_the_file_does_not_change_what_the_sample_is():
    assert len(fingerprint("sample").split()) == len(list(FILE.parent.glob("*.tsv"))) == 5


def test_the_lines_that_are_shown_have_the_eight_faults():
    [output] = [
        cell.outputs[0].text
        for cell in nbformat.read(NOTEBOOKS / "09_your_own_corpus.ipynb", as_version=4).cells
        if "read_bytes" in cell.source and cell.cell_type == "code"
    ]
    shown = output.splitlines()
    assert len(shown) == 12
    text = said("09", "The file as it came")
    assert "**Find eight faults**" in text
    assert len(re.findall(r" [1-8]\. ", text)) == 8
    for fault in (r"id;date;", r"\xe9", r"\xeb", r"\x92", ";Children;", r"caf\xe9 ;I queued", "<b>twice</b>", ";2,5'"):
        assert any(fault in line for line in shown), fault
    [v003] = [place for place, line in enumerate(shown) if "V003" in line]
    assert not shown[v003 + 1].startswith("b'V")
    assert any(line.startswith("b'V006") and r"caf\xe9 ;" in line for line in shown)
    assert "b'V010;2025-01-20;building;;2;0'" in shown


def test_the_saved_lesson_has_no_picture_of_own_data():
    lesson = nbformat.read(NOTEBOOKS / "09_your_own_corpus.ipynb", as_version=4)
    drawn = {
        cell.source.splitlines()[-1]: output.data["image/png"]
        for cell in lesson.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    }
    assert set(drawn) == {"topics", "kernels", "LiveFigure(figure)"}
    assert drawn["topics"] == drawn["kernels"], "words, not a picture"
    assert len(drawn["topics"]) < len(drawn["LiveFigure(figure)"]) / 3
    assert "In the saved lesson there is no picture of this panel." in said("09", "Topics")


# --- reading and cleaning -------------------------------------------------------------------------------------------


def test_the_report_says_what_the_lesson_says():
    report = read_table(FILE).report
    assert (report.kind, report.encoding, report.delimiter) == ("texts", "cp1252, guessed", "semicolon")
    assert (report.left_out, report.empty, report.duplicates) == (2, 3, 4)
    text = said("09", "What is read, and what is not")
    assert "Two rows are **left out**" in text
    assert "that row has 7 cells; another row was cut" in text
    assert {reason for reason in report.problems["reason"] if "cells" in reason} == {
        "7 cells instead of 6",
        "4 cells instead of 6",
    }
    assert "Three comments are **empty**. Four are **the same as an earlier one**" in text
    assert read_table(FILE, "documents").columns["label"] == "stars"
    assert "if you say *documents* alone, the *stars* are taken for the classes" in text
    report = read_table(FILE, "documents", {"text": "comment", "label": "about"}).report
    assert f"Five classes were meant, and {len(report.labels)} are there." in text
    assert "A note in the report warns of labels that differ only in case or accents" in text
    assert any("labels differ from each other only in case, accents" in note for note in report.notes)


def test_one_letter_is_ten_times_as_long_and_no_short_text_is_a_comment(lesson):
    assert "One letter is ten times as long as any other comment" in said("09", "What is read, and what is not")
    *_, second, longest = sorted(lesson["lengths"])
    assert longest >= 10 * second
    short = lesson["reading"].table["comment"][lesson["lengths"] < 2]
    assert not [text for text in short if re.search(r"[^\W\d_]{2}", text)]


def test_cleaning_leaves_five_classes_and_no_copies(lesson):
    text, visitors = said("09", "Cleaning"), lesson["visitors"]
    table = lesson["reading"].table
    folded = table["about"].str.strip().str.casefold()
    assert f"{['Seven', 'Eight'][folded.nunique() - 7]} are left." in text
    assert visitors.label_names == ("books", "building", "café", "children", "computers")
    assert min(np.bincount(visitors.labels)) >= 25
    assert "Six copies are gone. Two of them differed in case or spaces only" in text
    cleaned = table["comment"].map(lesson["cleaned"])
    assert cleaned[cleaned.str.len() > 3].str.casefold().duplicated().sum() == 6
    assert table["comment"][table["comment"].str.len() > 3].duplicated().sum() == 4
    everything = " ".join(visitors.texts)
    assert "<" not in everything
    assert "&#" not in everything
    assert "alert" not in everything
    assert "η ώρα" in everything or "την ώρα" in everything
    assert len(set(map(str.casefold, visitors.texts))) == len(visitors)


def test_most_stems_occur_once_and_nearly_all_cells_are_empty(lesson):
    once = Corpus.from_texts(lesson["visitors"].texts, "stem", stop_words=True, min_count=1)
    corpus = lesson["corpus"]
    assert "More than half of the stems occur once" in said("09", "From texts to a matrix")
    assert len(corpus.vocabulary) < len(once.vocabulary) / 2
    assert lesson["filled"] < 0.04
    assert len(lesson["nothing"]) == 1


# --- similar texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_wtmf_finds_what_shares_no_word_with_the_question(lesson, seed):
    text, corpus = said("09", "Similar texts"), lesson["corpus"]
    space = SentenceSpace(corpus, WTMF(random_state=seed)).fit()
    words = [set(corpus.tokens(comment)) for comment in corpus.texts]
    assert "*Freezing* is in no comment, and *upstairs* in two" in text
    [freezing, upstairs] = corpus.tokens("freezing upstairs")
    assert not any(freezing in known for known in words)
    assert sum(upstairs in known for known in words) == 2
    places = space.similar("It was freezing upstairs.", 5)["place"].tolist()
    assert [upstairs in words[place] for place in places] == [True, True, False, False, False]
    assert "*upstairs* was met with *heating*, *toilets* and *floor*, and so are the next three comments" in text
    met = set().union(*(words[place] for place in places[:2])) & {"heat", "toilet", "floor"}
    assert met == {"heat", "toilet", "floor"}
    assert all(words[place] & met for place in places[2:])
    assert {lesson["visitors"].table["label"][place] for place in places} == {"building"}
    best = space.similar("My documents would not print.", 1)["text"][0]
    assert best.startswith("Large print")
    with pytest.raises(ValueError, match="no word of 'a hot drink' is known"):
        space.similar("a hot drink")


def test_the_papers_penalty_leaves_one_direction(lesson):
    ends = {
        penalty: last(SentenceSpace(lesson["corpus"], WTMF(regularization=penalty, random_state=0)).steps()).collapsed
        for penalty in ("auto", 20.0)
    }
    assert ends["auto"] == ""
    assert ONE_DIRECTION in ends[20.0]
    few = SentenceSpace.from_texts(["a cat sleeps", "a dog sleeps", "a cat barks", "a dog barks"], WTMF(random_state=0))
    assert len(few.fit().model.components_) == 4, "K is what the texts allow"


# --- topics, classes ------------------------------------------------------------------------------------------------


def purities(study, seed):
    """Of Gaussian LDA and of LDA; tokens of the largest topic, as a share, and its densest words."""
    settings = TopicsSettings.good_for(study.data.name, known=study.facts, own=True)
    end = last(study.steps(replace(settings, seed=seed)))
    row, topics = study.table(end).iloc[-1], study.plane(end)["topics"]
    largest = topics.loc[topics["tokens"].idxmax()]
    return row["purity"], row["lda purity"], largest["tokens"] / topics["tokens"].sum(), list(largest["words"])


@pytest.mark.slow
def test_a_long_letter_becomes_a_topic_and_spoils_the_others(lesson):
    visitors, text = lesson["visitors"], said("09", "Topics")
    others = lesson["kept"][lesson["kept"]["comment"] != lesson["letter"]]
    without = from_table(others, "documents", {"text": "comment", "label": "about"}, name="others")
    assert len(without) == len(visitors) - 1
    with_it = [purities(GaussianTopics(TopicData.from_texts(visitors)), seed) for seed in range(6)]
    assert "One topic has *quiet*, *van* and *ballinmere* among its first words." in text
    assert all({"quiet", "van", "ballinmere"} <= set(words[:5]) for *_, words in with_it)
    assert "The letter brings dozens of words together" in text
    assert max(map(len, TopicData.from_texts(visitors).documents)) > 60
    assert "a topic with about a quarter of all tokens" in text
    assert np.mean([share for _, _, share, _ in with_it]) == pytest.approx(0.25, abs=0.02)
    before = np.mean([gaussian for gaussian, *_ in with_it])
    after = np.mean([purities(GaussianTopics(TopicData.from_texts(without)), seed)[0] for seed in range(6)])
    rise = f"from {before:.1f} to {after:.1f}".replace("0.", ".")
    assert f"Without the letter the purity rises {rise} (means of six seeds)." in text


def test_bread_introduces_tea_and_coffee(lesson):
    text = said("09", "A map of the classes")
    assert "*Coffee* is one of them: *bread* has introduced the two." in text
    study = KernelDecay.on("Ballinmere")
    end = last(study.steps(study.settings(target="books")))
    related = study.words(end, "tea")["related"].set_index("term").loc["coffe"]
    assert related["documents together"] == 0
    assert related["through"] == "bread"
    for word in ("password", "story"):
        assert (study.words(end, word)["related"]["documents together"] == 0).any()


def test_the_plane_shows_half_of_the_variance(lesson):
    sizes = lesson["sizes"]
    assert (sizes[:2] ** 2).sum() / (sizes**2).sum() == pytest.approx(0.5, abs=0.05)
    assert "The plane is half of the story" in said("09", "A map of the classes")


def test_few_numbers_and_a_large_weight_suit_a_hundred_texts(lesson):
    corpus, labels = lesson["corpus"], lesson["visitors"].labels

    def share(model):
        rows = SentenceSpace(corpus, model).fit().encode(corpus.texts)
        rows = np.asarray(rows.todense() if hasattr(rows, "todense") else rows)
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        nearest = (rows @ rows.T - 3 * np.eye(len(rows))).argmax(axis=1)
        return np.mean(labels[nearest] == labels)

    text = said("09", "4. How many numbers?")
    five = [share(WTMF(5, missing_weight=0.3, random_state=seed)) for seed in range(4)]
    stated = [f"{value:.2f}".removeprefix("0") for value in (min(five), max(five))]
    assert f"With five numbers {stated[0]} to {stated[1]} of the comments have such a neighbour" in text
    from semwork.similarity import TfidfCosine

    words, default = (f"{share(model):.2f}".removeprefix("0") for model in (TfidfCosine(), WTMF(random_state=0)))
    assert f"Words alone have {words}, and WTMF with its defaults (100 numbers, $w_m = 0.01$) {default}." in text
    for size in (5, 10, 20):
        for weight in (0.1, 0.3):
            assert share(WTMF(size, weight, random_state=0)) > share(WTMF(random_state=0)) + 0.05
    assert "take K small (5 to 20) and $w_m$ large (0.1 to 0.3)" in said("09", "Now a file of your own")


# --- how much the panels take ---------------------------------------------------------------------------------------


def test_the_panels_take_as_many_own_documents_as_is_said():
    text = said("09", "Now a file of your own")
    kernels, topics = (
        next(iter(one.takes.values()))(calling(from_table)("x")).code for one in (LABELLED_DOCUMENTS, TOPIC_DOCUMENTS)
    )
    limits = [int(re.search(r"limit(?:ed\(|=)([\d_]+)", code)[1]) for code in (kernels, topics)]
    kernels, topics = (f"{limit:,}" for limit in limits)
    assert f"The panel on kernels takes {kernels} of your documents, that on topics learns from {topics}." in text
