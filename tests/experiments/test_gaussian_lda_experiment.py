"""The experiment on Gaussian LDA: planted topics instead of newsgroups, all tables."""

from __future__ import annotations

import itertools
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from semwork.datasets.records import WordVectors
from semwork.experiments import gaussian_lda, synonyms, topic_corpora, topics_quality, topics_speed, topics_unseen
from semwork.experiments.cells import Running
from semwork.experiments.declared import EXPERIMENTS
from semwork.experiments.report import page, write_pictures
from semwork.experiments.tables import write_tables
from semwork.experiments.topic_corpora import REFERENCES, TopicCorpus
from semwork.experiments.topic_settings import PAPER, Setting
from semwork.experiments.topics_quality import fit_cell
from semwork.steps import last
from semwork.text import Corpus
from semwork.topics import LDA, GaussianLDA, planted

NARROW = Setting(vectors="unit", shape="covariance", strength=50, scale=0.25)


def made_corpus():
    """Planted topics; every word has a twin beside it that no document has."""
    data = planted(n_topics=4, n_documents=80, document_length=30, n_dimensions=3, random_state=0)
    documents = [[data.words[word] for word in document] for document in data.documents]
    twins = data.vectors + np.random.default_rng(1).normal(scale=0.01, size=data.vectors.shape)
    names = [*data.words, *(f"{word}twin" for word in data.words)]
    vectors = WordVectors("made", names, np.concatenate([data.vectors, twins]).astype(np.float32))
    labels = data.proportions.argmax(axis=1).astype(np.int64)
    seen = frozenset(word for words in documents[:60] for word in words)
    test = [[word for word in words if word in seen] for words in documents[60:]]
    return TopicCorpus(documents[:60], test, labels[:60], labels[60:], seen, vectors)


@pytest.fixture(scope="module")
def made():
    return made_corpus()


@pytest.fixture(autouse=True)
def small(monkeypatch, made):
    """Little of everything."""
    for module in (topics_quality, topics_speed, topics_unseen):
        monkeypatch.setattr(module, "topic_corpus", lambda name: made)
    texts = [" ".join(words) for words in made.training]
    corpora = {name: Corpus.from_texts(texts[place::4], min_count=1) for place, name in enumerate(REFERENCES)}
    monkeypatch.setattr(topics_quality, "references", lambda: corpora)
    monkeypatch.setattr(topics_quality, "CANDIDATES", (PAPER, NARROW))
    for name, value in {"N_TOPICS": 4, "SWEEPS": {"Gaussian LDA": 15, "LDA": 15}, "N_WORDS": 5}.items():
        monkeypatch.setattr(topics_quality, name, value)
    for name, value in {"N_TOPICS": 4, "SUBSET": 10, "warm_up": lambda: None, "FULL_SWEEPS": {"fast": 3}}.items():
        monkeypatch.setattr(topics_speed, name, value)
    for name, value in {"FOLD_SWEEPS": 20, "ONLINE_SWEEPS": 2, "TEST_SIZE": 12, "SECOND_SIZE": 4}.items():
        monkeypatch.setattr(topics_unseen, name, value)
    monkeypatch.setattr(
        topics_unseen, "substitutes", lambda words, *_: {word: f"{word}twin" for word in sorted(set(words))}
    )
    caches = topics_quality._vectors, topics_unseen._test_rows, topics_unseen._replaced
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def end_of(stream):
    """What a stream of steps returns."""
    while True:
        try:
            next(stream)
        except StopIteration as end:
            return end.value


def test_a_setting_is_the_prior_that_its_name_says():
    vectors, counts = np.random.default_rng(0).normal(size=(40, 3)), np.arange(1, 41)
    prior = PAPER.prior(vectors, counts)
    np.testing.assert_array_equal(prior.psi, 3 * np.eye(3))
    assert (PAPER.name, prior.nu) == ("Gaussian LDA, Ψ = 3·I, ν = D, vectors as they are", 3)
    prior = NARROW.prior(vectors, counts)
    tokens = np.repeat(vectors, counts, axis=0)
    np.testing.assert_allclose(prior.psi, 12.5 * np.cov(tokens.T))
    np.testing.assert_allclose(prior.mean, tokens.mean(axis=0))
    assert (NARROW.name, prior.nu) == ("Gaussian LDA, Ψ = 12.5·Cov, ν = D + 50, vectors unit", 53)
    sphere = Setting(vectors="unit", shape="sphere", strength=200_000, scale=0.5)
    np.testing.assert_allclose(np.diag(sphere.prior(vectors, counts).psi).sum(), 1e5 * np.cov(tokens.T).trace())
    assert "Ψ = 100,000·σ²I" in sphere.name


def test_models_are_those_that_a_user_would_fit(made):
    cell = fit_cell(PAPER, 1)
    result = cell.compute()
    model = GaussianLDA(4, sampler="precision", random_state=1, max_sweeps=15).fit(made.training, made.vectors)
    assert result["words"]["density"] == model.top_words(5)
    np.testing.assert_array_equal(result["sizes"], model.topic_sizes_)
    kept = end_of(topics_quality.fitted_model(cell))
    np.testing.assert_allclose(kept.means_, model.means_)
    place = topics_quality._model_file(cell)
    place.write_bytes(place.read_bytes()[:-100])
    with pytest.warns(UserWarning, match=re.escape(f"{place} is damaged (")):
        again = end_of(topics_quality.fitted_model(cell))
    np.testing.assert_allclose(again.means_, model.means_)
    cell = fit_cell(topics_quality.PLAIN_LDA, 1)
    result = cell.compute()
    assert result["words"] == {"density": LDA(4, random_state=1, max_sweeps=15).fit(made.training).top_words(5)}


def test_words_ranked_by_tokens_are_those_that_the_topic_has_most_of(made):
    model = GaussianLDA(4, sampler="precision", random_state=0, max_sweeps=5).fit(made.training, made.vectors)
    found = topics_quality._by_tokens(model, 3)
    words, topics = np.concatenate(model.tokens_), np.concatenate(model.assignments_)
    for topic, best in enumerate(found):
        counts = np.bincount(words[topics == topic], minlength=len(model.vocabulary_))
        assert [counts[model.vocabulary_.index(word)] for word in best] == sorted(counts, reverse=True)[: len(best)]


def test_the_choice_is_made_on_the_dev_reference_and_empty_topics_do_not_help():
    key = f"density npmi {REFERENCES[0]}"
    others = {f"density npmi {name}": np.ones(4) for name in REFERENCES[1:]}
    few = {key: np.array([0.4, np.nan, np.nan, np.nan])} | others
    many = {key: np.full(4, 0.2)} | {name: -values for name, values in others.items()}
    results = {fit_cell(PAPER, 0): few, fit_cell(NARROW, 0): many}
    assert topics_quality.chosen(results) == NARROW


def test_samplers_start_alike_and_every_sweep_is_timed():
    results = {
        name: end_of(topics_speed.sampler_speed(name, documents=10, sweeps=4, data="made", seed=0))
        for name in ("naive", "cholesky", "fast")
    }
    for result in results.values():
        assert len(result["cpu"]) == len(result["wall"]) == 4
        assert (result["cpu"] > 0).all()
        assert result["tokens"] == 300
    np.testing.assert_allclose(results["naive"]["likelihood"], results["cholesky"]["likelihood"], rtol=1e-6)


def test_a_twin_of_a_word_is_as_good_as_the_word(monkeypatch):
    """The twins lie beside their words: fixed Gaussian topics do not notice, LDA loses what it does not know."""
    monkeypatch.setattr(topics_unseen, "SECOND_SIZE", 20)
    results = {}
    for setting in (PAPER, topics_quality.PLAIN_LDA):
        cell = topics_unseen._cell(setting, 1, second=True)
        results[setting.model] = cell.compute()
    gaussian, plain = results["Gaussian LDA"], results["LDA"]
    assert 0.05 < gaussian["share PPDB"] <= 0.116
    assert gaussian["L1 fix PPDB"] < gaussian["L1 again original"] + 0.02
    assert gaussian["L1 dropped PPDB"] > gaussian["L1 fix PPDB"]
    assert plain["L1 fix PPDB"] > gaussian["L1 fix PPDB"]
    assert "L1 all PPDB" in gaussian
    assert "L1 all PPDB" not in plain, "LDA has no online mode here"


def test_documents_in_random_order_keep_their_rows(made):
    """One document for each topic, so that a row in the wrong place would show."""
    model = GaussianLDA(4, sampler="precision", random_state=0, max_sweeps=15).fit(made.training, made.vectors)
    documents = [[word] * 30 for word in model.top_words(1)[0] + model.top_words(1)[1] + model.top_words(1)[2]]
    expected = model.transform(documents, made.vectors).argmax(axis=1)
    assert len(set(expected.tolist())) == 3
    for size in (1, 2, 0):
        found = end_of(topics_unseen._online(model, documents, made.vectors, size, 5))
        assert found.argmax(axis=1).tolist() == expected.tolist()


def test_documents_are_classified_by_proportions(made):
    cell = topics_unseen._cell(PAPER, 1, second=False)
    result = cell.compute()
    most = 100 * np.bincount(made.test_labels).max() / len(made.test_labels)
    for mode in ("fix", "dropped", "1", "100", "all"):
        for source in ("PPDB", "WordNet"):
            assert most < result[f"accuracy {mode} {source}"] <= 100


def test_cells_can_be_stopped_between_two_sweeps():
    for cell in (fit_cell(PAPER, 0), topics_speed.speed_cells()[0], topics_unseen._cell(PAPER, 1, second=True)):
        steps = cell.steps()
        assert next(steps).done == 1
        steps.close()


def test_a_run_ends_with_all_tables(tmp_path):
    step = last(gaussian_lda.gaussian_lda_steps(2, Running(threads=1)))
    tables = step.tables
    assert set(tables) == {
        "table_1", "table_1_gain", "table_1_topics", "prior_choice", "figure_2", "figure_2_speed", "figure_3",
        "table_2", "table_3",
    }  # fmt: skip
    assert [(row["system"], row["ranked by"]) for row in tables["table_1"]] == [
        ("LDA", "probability"),
        ("Gaussian LDA, paper's prior", "density"),
        ("Gaussian LDA, paper's prior", "tokens"),
        ("Gaussian LDA, chosen prior", "density"),
        ("Gaussian LDA, chosen prior", "tokens"),
    ]
    paper = [row["PMI in Wikipedia, paper"] for row in tables["table_1"]]
    assert paper[:2] == [pytest.approx(0.509, abs=1e-3), pytest.approx(1.402, abs=1e-3)]
    assert set(paper[2:]) == {None}
    assert tables["table_1_gain"][0]["PMI / LDA's, paper"] == 2.75, "times LDA's: what the paper calls 275 % higher"
    assert [row["chosen"] for row in tables["prior_choice"]].count("yes") == 1
    assert len(tables["table_1_topics"]) == 3 * 4
    assert len(tables["figure_3"]) == 2 * 4 * 5
    speeds = {row["sampler"]: row for row in tables["figure_2_speed"] if row["documents"] == 10}
    assert speeds["alias"]["times cholesky, paper"] == 9.93
    assert speeds["naive"]["times naive"] == speeds["cholesky"]["times cholesky"] == 1
    assert len(tables["figure_2"]) == sum(topics_speed.SWEEPS.values()) + 3
    modes = [row["inference"] for row in tables["table_2"]]
    assert modes[:3] == ["online", "fixed topics, unseen words dropped", "fixed topics"]
    assert tables["table_2"][0]["PPDB, paper"] == 28.0
    assert "online, batches of 100" in modes
    assert "online, batches of 10" in [row["inference"] for row in tables["table_3"]]
    for row in tables["table_3"][1:]:
        assert 0 <= row["L∞"] <= row["L2"] <= row["L1"] <= 2
    write_tables(tmp_path, "gaussian_lda", tables, "semwork reproduce gaussian_lda")
    pictures = write_pictures(tmp_path, "gaussian_lda")
    assert sorted(path.name for path in pictures) == ["gaussian_lda_figure_2.png", "gaussian_lda_figure_3.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    text = page(tmp_path)
    for report in EXPERIMENTS["gaussian_lda"].reports:
        lines = report.markdown(tmp_path, "gaussian_lda").splitlines()
        assert len(lines) == 2 + len(tables[report.file])
        assert len({line.count("|") for line in lines}) == 1, "every column of the head is there"
        assert not any("nan" in line or "None" in line for line in lines)
        assert "\n".join(lines) in text
    assert all(f"]({path.name})" in text for path in pictures)
    again = gaussian_lda.gaussian_lda_steps(2, Running(threads=1))
    assert next(again).message == f"all {len(topics_speed.speed_cells())} cells are there"


class Asked(ThreadPoolExecutor):
    """Says which cells it was given."""

    def __init__(self):
        super().__init__(2)
        self.cells = []

    def submit(self, function, cell):
        self.cells.append(cell)
        return super().submit(function, cell)


def test_cells_that_are_timed_run_alone_also_where_there_is_an_executor():
    timed = set(topics_speed.speed_cells())
    with Asked() as executor:
        steps = gaussian_lda.gaussian_lda_steps(1, Running(executor=executor))
        said = [step.message for step in itertools.takewhile(lambda step: not executor.cells, steps)]
        steps.close()
    assert f"all {len(timed)} cells are there" in said
    assert not timed & set(executor.cells)


def test_test_documents_have_no_word_that_was_not_learnt():
    from semwork.datasets.records import LabelledDocuments

    texts = ["red cat cat cat cat cat rare", "cat dog the of", "dog dog dog dog dog"]
    documents = LabelledDocuments(
        "made", [*texts, "cat unseen dog rare"], np.array([0, 1, 1, 0]), ("a", "b"),
        np.array(["train"] * 3 + ["test"], dtype=object),
    )  # fmt: skip
    vectors = WordVectors("made", ["cat", "dog", "unseen", "rare"], np.ones((4, 2), np.float32))
    found = topic_corpora._split(documents, vectors)
    assert found.training == [["cat"] * 5, ["cat", "dog"], ["dog"] * 5]
    assert found.test == [["cat", "dog"]]
    assert "rare" in found.seen
    assert "unseen" not in found.seen, "a synonym may be this one"
    assert synonyms.replace_words(found.test, {"dog": "unseen"}).documents == [["cat", "unseen"]]
