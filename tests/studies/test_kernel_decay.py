"""One decay and all that follows from it, on the sample."""

import pickle

import numpy as np
import pytest

from semwork.kernels.documents import DOCUMENT_SETS, document_set
from semwork.steps import last
from semwork.studies import ClassKernels, DecaySettings, KernelDecay
from semwork.studies.document_sets import FIRST_CLASSES, LABELLED_DOCUMENTS
from semwork.studies.study import NoAnswer

KINDS = ("exponential", "von_neumann")


@pytest.fixture(scope="module")
def study():
    return KernelDecay(document_set("sample"))


@pytest.fixture(scope="module")
def step(study):
    return next(study.steps(DecaySettings(relative_decay=1.0)))


@pytest.mark.parametrize("kind", KINDS)
def test_steps_show_the_decay_at_once_and_then_the_path(kind):
    study = KernelDecay(document_set("sample", 200))
    seed = 1 + KINDS.index(kind)  # the bag of words, which all kernels share, is not known either
    steps = list(study.steps(DecaySettings(kind=kind, relative_decay=0.5, seed=seed)))
    assert steps[0].scores.empty
    assert [step.done for step in steps] == list(range(1, steps[0].total + 1))
    end = steps[-1]
    kernels = ClassKernels(study.documents, "space", share=0.5, seed=seed)
    assert end.decay * end.largest == pytest.approx(0.5)
    assert end.alignment == pytest.approx(float(kernels.spectrum.curve(kernels.y_train, kind).at(end.decay)))
    assert end.curve["alignment"].max() <= end.optimum.alignment + 1e-9
    assert end.baseline == pytest.approx((1 - 2 * np.mean(kernels.y_train > 0)) ** 2)
    assert end.spectrum["after"].max() == pytest.approx(1)
    assert set(end.scores["part"]) == {"train", "test"}
    again = list(study.steps(DecaySettings(kind=kind, relative_decay=0.7, seed=seed)))
    assert len(again) == 1
    assert len(again[0].scores) == len(end.scores)


def test_decays_out_of_range_are_refused(study):
    for decay in (1, 1.2):
        with pytest.raises(ValueError, match=rf"decays below 1/‖K‖, here 0\.\d+: λ‖K‖ must be below 1, got {decay}"):
            last(study.steps(DecaySettings(kind="von_neumann", relative_decay=decay)))
    with pytest.raises(ValueError, match=r"relative_decay is 0; here it can be 0\.01 to 30"):
        last(study.steps(DecaySettings(relative_decay=0)))


def test_a_class_that_is_not_there_is_refused_with_those_that_are(study):
    with pytest.raises(ValueError, match=r"target has 'opera' .*; choose from 'computers', 'cooking'"):
        next(study.steps(DecaySettings(target="opera")))


def test_the_table_has_both_alignments_now_and_at_their_best(study, step):
    table = study.table(step).set_index("measure")
    assert table["value"].tolist() == [step.alignment, step.centered_alignment]
    assert table["best value"].tolist() == [step.optimum.alignment, step.centered_optimum.alignment]
    assert (table["best value"] >= table["value"]).all()


def test_without_a_word_the_most_typical_term_is_taken(study, step):
    assert study.words(step, " ").word == study.kernels(step).words(1)[0]
    assert study.words(step, "orbiting").word == "orbit"
    assert study.words(step, "observatori").related.equals(study.words(step, "observatory").related)


def test_a_word_is_asked_of_the_kernel_that_is_drawn(study, step):
    weak = next(study.steps(DecaySettings(relative_decay=0.01)))
    expected = study.kernels(step).related("orbit", "exponential", step.decay)
    assert study.words(step, "orbit").related.equals(expected)
    assert not study.words(weak, "orbit").related.equals(expected)
    with pytest.raises(NoAnswer, match="try star"):
        study.words(step, "zyzzyva")


def test_shown_documents_come_class_by_class_with_their_texts(study, step):
    found = study.texts(step)
    np.testing.assert_allclose(np.diag(found.cosines), 1)
    texts = found.texts
    assert texts["text"].tolist() == [study.documents.corpus.texts[row] for row in texts["row"]]
    assert study.documents.classes["space"][texts["row"]].tolist() == texts["in class"].tolist()
    assert texts["in class"].is_monotonic_decreasing
    names = texts["classes"].drop_duplicates().tolist()
    assert names[0] == "space"
    assert len(names) == 8
    assert texts["classes"].tolist() == sorted(texts["classes"], key=names.index)


def test_shares_of_the_first_eigenvectors_are_those_of_the_breakdown(study):
    step = next(study.steps(DecaySettings(relative_decay=3.0)))
    spectrum, y = study.kernels(step).spectrum, study.kernels(step).y_train
    told = spectrum.breakdown(y, "exponential", step.decay, top=5).head(5)
    np.testing.assert_allclose(step.spectrum["share"].head(5), told["share of inner product"])
    np.testing.assert_allclose(step.spectrum["ones"].head(5), told["cosine with ones"])
    before = spectrum.values * (spectrum.vectors.T @ y) ** 2
    np.testing.assert_allclose(step.spectrum["share before"], (before / before.sum())[: len(step.spectrum)])


def test_the_classes_of_the_sample_are_those_of_its_documents():
    assert list(document_set("sample").classes) == LABELLED_DOCUMENTS.source("sample").facts["classes"]
    assert tuple(FIRST_CLASSES) == DOCUMENT_SETS == tuple(LABELLED_DOCUMENTS.sources)
    for data, first in FIRST_CLASSES.items():
        assert first in LABELLED_DOCUMENTS.source(data).facts["classes"]


@pytest.mark.parametrize(
    "data", [pytest.param(name, marks=pytest.mark.data(name)) for name in ("medline", "reuters8", "newsgroups")]
)
def test_the_classes_of_real_data_are_those_of_their_documents(data):
    source = LABELLED_DOCUMENTS.source(data)
    documents = source.make()
    assert list(documents.classes) == source.facts["classes"]
    assert len(documents) == (1033 if data == "medline" else 1500)


def test_the_large_sets_are_limited_and_say_so():
    for data in ("reuters8", "newsgroups"):
        source = LABELLED_DOCUMENTS.source(data)
        assert "1,500 of" in source.title
        assert source.origin.code == f"document_set('{data}', 1500)"


def test_a_step_is_a_small_record_and_its_questions_find_its_kernels_whatever_was_asked_since(study):
    settings = DecaySettings(relative_decay=1.0, target="music", share=0.2, seed=5)
    step = next(study.steps(settings))
    assert len(pickle.dumps(step)) < 50_000
    before = study.texts(step).cosines, study.words(step).related
    for target in ("space", "health", "money", "cooking"):
        assert study.texts(next(study.steps(DecaySettings(target=target)))).target == target
    assert study.texts(step).target == "music"
    np.testing.assert_allclose(study.texts(step).cosines, before[0])
    assert study.words(step).related.equals(before[1])


def test_the_means_of_the_cosines_are_told_without_the_diagonal(study, step):
    found = study.texts(step)
    count = int(found.texts["in class"].sum())
    inside = [found.cosines[i, j] for i in range(count) for j in range(count) if i != j]
    assert (found.inside, found.outside) == pytest.approx((np.mean(inside), found.cosines[:count, count:].mean()))
