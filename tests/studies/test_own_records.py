"""What own texts, documents, pairs and names become before a study takes them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import (
    LabelledDocuments,
    NamePairs,
    Sentences,
    WordVectors,
    from_table,
    load,
    register,
    remove,
    sentence_pairs,
)
from semwork.kernels.documents import DocumentSet, document_set
from semwork.similarity.retrieval_sets import halves
from semwork.steps import last
from semwork.structures.tasks.transliteration import Names
from semwork.studies import GaussianTopics, PairAgreement, PairSettings, SentenceAlignments
from semwork.studies.document_sets import LABELLED_DOCUMENTS
from semwork.studies.gaussian_topics import TopicsSettings
from semwork.studies.pair_sets import SCORED_PAIRS, with_labels
from semwork.studies.sentence_steps import SentenceSettings
from semwork.studies.sentence_tasks import SENTENCE_TASKS
from semwork.studies.study import NoAnswer
from semwork.text import Corpus
from semwork.topics.data import TopicData, topic_data

SAMPLE = load("sample")


def sentences(texts):
    return Sentences("mine", texts, pd.DataFrame(index=range(len(texts))))


def test_documents_become_what_the_sample_is():
    ours, theirs = DocumentSet.from_documents(SAMPLE.documents), document_set("sample")
    assert (ours.corpus.matrix != theirs.corpus.matrix).nnz == 0
    assert {name: found.sum() for name, found in ours.classes.items()} == {
        name: found.sum() for name, found in theirs.classes.items()
    }


def test_a_class_of_one_document_is_left_out_and_two_classes_are_needed():
    texts = ["a river runs", "a bank lends", "a boat floats"]
    data = LabelledDocuments("mine", texts, np.array([0, 0, 1]), ("a", "b"), np.full(3, "train", dtype=object))
    with pytest.raises(ValueError, match="mine has 1 classes of two documents or more"):
        DocumentSet.from_documents(data)


def test_topic_data_of_own_documents_are_those_of_the_sample():
    ours, theirs = TopicData.from_texts(SAMPLE.documents), topic_data("sample")
    assert ours.documents == theirs.documents
    assert ours.labels.tolist() == theirs.labels.tolist()


def test_words_without_a_vector_are_left_out():
    vectors = WordVectors("few", ["space", "orbit", "planet", "telescope", "moon", "star", "light", "sky"], np.eye(8))
    found = TopicData.from_texts(SAMPLE.documents, vectors)
    assert set(found.vectors.words) <= set(vectors.words)
    assert {word for words in found.documents for word in words} == set(found.vectors.words)


def test_texts_without_labels_have_no_purity_and_no_axis_for_it():
    from semwork.plots import topic_curves_figure

    study = GaussianTopics(TopicData.from_texts(sentences(SAMPLE.documents.texts)))
    end = last(study.steps(TopicsSettings(sweeps=20, n_topics=4)))
    assert study.table(end)["purity"].isna().all()
    answer = study.curves(end)
    assert "purity" not in answer.title
    assert "purity" not in str(topic_curves_figure(**answer).to_dict()["layout"])
    assert study.documents(end, 0)["label"].str.startswith("text ").all()


def test_too_few_words_are_said():
    with pytest.raises(ValueError, match="mine has 0 words that can have topics"):
        TopicData.from_texts(sentences(["one two", "three four"]))


def test_one_document_in_four_is_kept_from_training():
    data = TopicData.from_texts(sentences(SAMPLE.documents.texts)).with_test()
    assert int((~data.training).sum()) == 100
    assert TopicData.from_texts(SAMPLE.documents).with_test().training.sum() == topic_data("sample").training.sum()


def test_names_without_letters_and_those_that_come_twice_are_left_out():
    english = [f"Name{letter}" for letter in "abcdefghijk"]
    foreign = [f"имя{letter}" for letter in "абвгдежзикл"]
    kinds = np.full(13, "", dtype=object)
    pairs = NamePairs("mine", "ru", [*english, english[0], "…"], [*foreign, foreign[0], "х"], kinds, [""] * 13)
    assert Names.from_pairs(pairs).english == tuple(english)
    with pytest.raises(ValueError, match="mine has 1 different pairs of names"):
        Names.from_pairs(NamePairs("mine", "ru", english[:1], foreign[:1], kinds[:1], [""]))


def test_graded_scores_become_labels_and_some_pairs_are_for_training():
    found = with_labels(sentence_pairs("mine", list("abcde"), list("ABCDE"), [0, 5, 2.5, np.nan, 4]))
    assert (found.left, found.scores.tolist(), set(found.split)) == (["a", "b", "e"], [0, 1, 1], {"train", "test"})


def test_pairs_with_one_score_have_no_labels():
    with pytest.raises(ValueError, match="mine has no pairs with different scores"):
        with_labels(sentence_pairs("mine", list("ab"), list("AB"), [1, 1]))


def test_pairs_without_scores_leave_out_what_needs_them():
    pairs = sentence_pairs("mine", ["a loan from a bank", "a river"], ["money of a bank", "water"], [np.nan, np.nan])
    study = PairAgreement(pairs, Corpus.from_texts(SAMPLE.texts, analyzer="stem"))
    end = last(study.steps(PairSettings()))
    assert np.isfinite(end.predicted).all()
    assert "nan" not in end.message
    for question in (study.agreement, study.worst):
        with pytest.raises(NoAnswer, match="no scores of people"):
            question(end)
    assert study.words(end, 0).title.startswith("Pair 0: model ")
    assert study.table(end)["pearson"].isna().all()


def test_pairs_of_which_some_have_scores_are_judged_by_these():
    known = SAMPLE.pairs
    holes = sentence_pairs("mine", known.left, known.right, np.where(np.arange(len(known)) % 3, known.scores, np.nan))
    corpus = Corpus.from_texts(SAMPLE.texts, analyzer="stem")
    rows = np.flatnonzero(np.isfinite(holes.scores))
    some = sentence_pairs("mine", [known.left[r] for r in rows], [known.right[r] for r in rows], known.scores[rows])
    ends = [last(study.steps(PairSettings())) for study in (PairAgreement(holes, corpus), PairAgreement(some, corpus))]
    assert ends[0].pearson == pytest.approx(ends[1].pearson, abs=1e-6)
    worst = PairAgreement(holes, corpus).worst(ends[0]).worst
    assert set(worst["pair"]) <= set(rows)


def test_documents_keep_their_names_on_the_shelf_and_in_tasks(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path))
    rows = [{"id": f"r{row}", "review": text, "label": "ab"[row % 2]} for row, text in enumerate(SAMPLE.texts[:40])]
    register("named", from_table(rows, "documents"))
    found = load("named")
    assert found.ids == [f"r{row}" for row in range(40)]
    assert found.subset("test").ids == [
        name for name, part in zip(found.ids, found.split, strict=True) if part == "test"
    ]
    assert halves(found).query_table["headword"].str.startswith("r").all()


def test_own_pairs_need_what_sentences_are_parsed_with_and_other_lists_do_not():
    register("my pairs", sentence_pairs("x", ["a"], ["b"], [1.0]), keep=False, replace=True)
    try:
        assert SENTENCE_TASKS.source("my pairs").needs == ("wordnet", "en_core_web_sm")
        assert SCORED_PAIRS.source("my pairs").needs == ()
        assert "my pairs" not in LABELLED_DOCUMENTS.offered
    finally:
        remove("my pairs")


@pytest.mark.slow
@pytest.mark.data("wordnet")
@pytest.mark.data("en_core_web_sm")
def test_sentences_of_own_pairs_are_aligned():
    register("my pairs", SAMPLE.pairs, keep=False, replace=True)
    try:
        study = SentenceAlignments.on("my pairs")
        end = last(study.steps(SentenceSettings(training=20)))
        assert len(end.history) > 1
    finally:
        remove("my pairs")
