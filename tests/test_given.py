"""Every door says what it wants when it is given a table or a list of texts instead."""

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import load, sentence_pairs
from semwork.given import said
from semwork.kernels.documents import DocumentSet, document_set
from semwork.similarity import WTMF
from semwork.similarity.pairs import PairTask
from semwork.similarity.retrieval import RetrievalTask
from semwork.structures.tasks.transliteration import transliterated_names
from semwork.studies import (
    ClassKernels,
    GaussianTopics,
    Glossary,
    KernelDecay,
    NameAlignments,
    RetrievalRace,
    RetrievalSweep,
    SamplerRace,
    SamplerTask,
    SentenceAlignments,
    UnseenTask,
    UnseenWords,
    explain_query,
    retrieval_task,
    sentence_task,
    worst_pairs,
)
from semwork.text import Corpus
from semwork.topics import LDA, GaussianLDA, match_topics, run_chains, topic_data, topic_map

TEXTS = ["a bank lends money", "money is in the bank", "a river has a bank", "fish swim in the river"]
TABLE = pd.DataFrame({"left": TEXTS, "right": TEXTS[::-1], "scores": [1.0, 2.0, 3.0, 4.0]})
CORPUS = Corpus.from_texts(TEXTS, min_count=1)
PAIRS = sentence_pairs("mine", TEXTS, TEXTS[::-1], [1.0, 2.0, 3.0, 4.0])

DOORS = {
    "pairs must be of the type SentencePairs": [
        lambda given: PairTask.from_pairs(given, TEXTS, min_count=1),
        lambda given: PairTask(given, CORPUS),
        lambda given: PairTask(PAIRS, CORPUS).with_pairs(given),
        lambda given: worst_pairs(given, np.arange(4.0)),
    ],
    "corpus must be of the type Corpus": [
        lambda given: PairTask(PAIRS, given),
        lambda given: RetrievalTask(load("sample").dictionary, given),
        lambda given: DocumentSet("mine", given, {"a": np.array([True, False, True, False])}),
    ],
    "data must be of the type RetrievalSet": [RetrievalTask.from_set, lambda given: RetrievalTask(given, CORPUS)],
    "task must be of the type RetrievalTask": [
        RetrievalRace,
        RetrievalSweep,
        lambda given: explain_query(given, WTMF(), 0),
    ],
    "name must be one of 'sample', 'cdr'": [retrieval_task],
    "sample must be of the type Sample": [Glossary.from_sample],
    "dictionary must be of the type Dictionary": [Glossary.from_dictionary],
    "names must be of the type Names": [NameAlignments],
    "language must be one of 'he', 'ru'": [transliterated_names],
    "task must be one of 'paraphrase', 'entailment 1'": [sentence_task],
    "task must be of the type SentenceTask": [SentenceAlignments],
    "documents must be of the type DocumentSet": [KernelDecay, lambda given: ClassKernels(given, "space")],
    "the class must be one of 'computers', 'cooking'": [lambda given: ClassKernels(document_set("sample"), given)],
    "name must be one of 'sample', 'medline'": [document_set],
    "data must be of the type TopicData": [GaussianTopics, SamplerTask, UnseenTask],
    "task must be of the type SamplerTask": [SamplerRace],
    "task must be of the type UnseenTask": [UnseenWords],
    "vectors must be of the type WordVectors": [lambda given: UnseenTask(topic_data("sample"), vectors=given)],
    "name must be one of 'planted', 'sample'": [topic_data],
}


@pytest.mark.parametrize(
    ("wanted", "door"),
    [(wanted, door) for wanted, doors in DOORS.items() for door in doors],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_door_says_what_it_wants(wanted, door):
    for given, named in ((TABLE, "a DataFrame with the columns left, right, scores"), (TEXTS, "['a bank lends money'")):
        with pytest.raises(TypeError) as error:
            door(given)
        assert str(error.value).startswith(wanted)
        assert f"got {named}" in str(error.value)
        assert "\n" not in str(error.value)


def test_topic_models_take_no_table_for_documents():
    for fit in (LDA(2).fit, lambda given: GaussianLDA(2).fit(given, topic_data("sample").vectors)):
        with pytest.raises(TypeError, match="documents is a DataFrame with the columns left, right, scores; give the"):
            fit(TABLE)


def test_what_asks_for_a_topic_model_says_so():
    for given in (TABLE, TEXTS):
        with pytest.raises(TypeError, match="model must be of the type TopicModel, got "):
            next(run_chains(given, TEXTS))
        with pytest.raises(TypeError, match="without means of topics; give a fitted GaussianLDA"):
            topic_map(given)
        with pytest.raises(TypeError, match="the topics must be a fitted model or one row of numbers per topic, got "):
            match_topics(given, given)


def test_what_to_do_is_said_and_can_be_done():
    with pytest.raises(TypeError, match=r"make them with semwork\.datasets\.sentence_pairs"):
        PairTask.from_pairs(TABLE, TEXTS)
    task = PairTask.from_pairs(sentence_pairs("mine", TABLE["left"], TABLE["right"], TABLE["scores"]), TEXTS)
    assert task.pairs.left == TEXTS
    assert task.pairs.subsets == ["test"]
    with pytest.raises(ValueError, match="have 4, 3, 4, 4, 4 entries; give one for each pair"):
        sentence_pairs("mine", TEXTS, TEXTS[:3], [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("option", ["more_texts", "training"])
def test_texts_to_train_on_are_no_table(option):
    with pytest.raises(TypeError, match=f"{option} takes a list of texts, got a DataFrame with the columns left"):
        RetrievalTask.from_set(load("sample").dictionary, **{option: TABLE})


def test_what_was_given_is_said_on_one_line():
    assert said(None) == "None"
    assert said("a\n\n  b") == r"'a\n\n b' (str)"
    assert said(["x" * 100]) == "['" + "x" * 57 + "… (list)"
    assert said(load("sample")).startswith("Sample 'sample': ")
