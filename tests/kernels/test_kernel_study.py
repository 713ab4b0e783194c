"""Documents, related terms and the study behind the lesson, on the sample."""

import numpy as np
import pytest
from scipy import linalg
from sklearn.svm import SVC

from semwork.kernels import SemanticKernel, alignment, centered_alignment
from semwork.kernels.documents import DOCUMENT_SETS, document_set
from semwork.kernels.study import KernelStudy
from semwork.steps import last

KINDS = ("exponential", "von_neumann")


@pytest.fixture(scope="module")
def study():
    return KernelStudy(document_set("sample"), "space", share=0.5, seed=0)


def test_documents_are_weighted_as_in_the_paper():
    documents = document_set("sample")
    assert len(documents) == 400
    assert set(documents.classes) >= {"space", "cooking"}
    np.testing.assert_allclose(np.sqrt(documents.corpus.matrix.power(2).sum(axis=1)), 1)
    assert documents.target("space").sum() == 50 - 350
    with pytest.raises(ValueError, match=r"no class 'opera'; it has .*space"):
        documents.target("opera")
    with pytest.raises(ValueError, match=r"the document sets are sample, medline"):
        document_set("letters")


def test_a_limit_draws_documents():
    few = document_set("sample", 40)
    assert len(few) == 40
    assert few.labels is not None
    assert len(few.labels) == 40
    assert len(document_set("sample", 4000)) == 400


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_splits_keep_the_share_of_the_class(share):
    documents = document_set("sample")
    train, test = documents.split("space", share, 3)
    assert sorted([*train, *test]) == list(range(400))
    assert len(train) == 400 * share
    assert documents.classes["space"][train].sum() == 50 * share
    again, other = documents.split("space", share, 3)[0], documents.split("space", share, 4)[0]
    assert np.array_equal(train, again)
    assert not np.array_equal(train, other)
    with pytest.raises(ValueError, match="between 0 and 1, got 1"):
        documents.split("space", 1, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_study_is_the_transformer_seen_through_its_spectrum(study, kind):
    best = study.optimum(kind)
    kernel = SemanticKernel(kind=kind).fit(study.X_train, study.y_train)
    assert kernel.decay_ == pytest.approx(best.decay, rel=1e-6)
    train, test = study.kernels(kind, best.decay)
    np.testing.assert_allclose(train, kernel.transform(study.X_train), atol=1e-7)
    np.testing.assert_allclose(test, kernel.transform(study.X_test), atol=1e-7)
    assert best.alignment == pytest.approx(alignment(train, study.y_train))
    centered = study.optimum(kind, centered=True)
    assert centered.alignment == pytest.approx(
        centered_alignment(study.kernels(kind, centered.decay)[0], study.y_train)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_related_terms_are_a_row_of_the_proximity_matrix(study, kind):
    X, decay = study.X_train.toarray(), 0.7 / study.spectrum.largest
    G = X.T @ X
    P = linalg.expm(decay * G) if kind == "exponential" else np.linalg.inv(np.eye(len(G)) - decay * G)
    columns = study.documents.corpus.columns
    term = columns["orbit"]
    cosine = P[term] / np.sqrt(np.diag(P) * P[term, term])
    table = study.related("orbits", kind, decay, n=6)
    for row in table.to_dict("records"):
        assert row["proximity"] == pytest.approx(cosine[columns[row["term"]]], rel=1e-8)
        both = (X[:, term] > 0) & (X[:, columns[row["term"]]] > 0)
        assert row["documents together"] == both.sum()
    cosine[term] = -1
    assert table["proximity"].max() == pytest.approx(cosine.max())
    unmet = table[table["documents together"] == 0]
    assert len(unmet) == 3
    assert (unmet["proximity"] > 0).all()


def test_unknown_words_are_refused_with_words_that_work(study):
    with pytest.raises(ValueError, match=r"do not have the word 'zyzzyva'; try star"):
        study.related("zyzzyva", "exponential", 0.1)
    assert study.related(study.words(1)[0], "exponential", 0.1)["term"].notna().all()


@pytest.mark.parametrize("kind", KINDS)
def test_steps_show_the_decay_at_once_and_then_the_path(kind):
    study = KernelStudy(document_set("sample", 200), "space", share=0.5, seed=1)
    steps = list(study.steps(kind, 0.5, word="star"))
    assert steps[0].scores.empty
    assert [step.done for step in steps] == list(range(1, steps[0].total + 1))
    end = steps[-1]
    assert end.decay * end.largest == pytest.approx(0.5)
    assert end.alignment == pytest.approx(float(study.spectrum.curve(study.y_train, kind).at(end.decay)))
    assert end.curve["alignment"].max() <= end.optimum.alignment + 1e-9
    assert end.baseline == pytest.approx((1 - 2 * np.mean(study.y_train > 0)) ** 2)
    assert end.spectrum["after"].max() == pytest.approx(1)
    np.testing.assert_allclose(np.diag(end.heat), 1)
    assert (study.documents.classes["space"][end.heat_rows[: end.heat_positive]]).all()
    assert not (study.documents.classes["space"][end.heat_rows[end.heat_positive :]]).any()
    assert set(end.scores["part"]) == {"train", "test"}
    again = list(study.steps(kind, 0.7, word="star"))
    assert len(again) == 1
    assert len(again[0].scores) == len(end.scores)


def test_scores_are_those_of_an_svm(study):
    train, test = study.kernels("exponential", 0.5)
    machine = SVC(kernel="precomputed", C=3.0, class_weight="balanced").fit(train, study.y_train)
    rows = {row["part"]: row for row in study.score("exponential", 0.5, 3.0, "balanced")}
    assert rows["test"]["error"] == pytest.approx(1 - machine.score(test, study.y_test))
    assert rows["train"]["error"] == pytest.approx(1 - machine.score(train, study.y_train))


def test_decays_out_of_range_are_refused(study):
    for decay in (1, 1.2):
        with pytest.raises(ValueError, match=rf"decays below 1/‖K‖, here 0\.\d+: λ‖K‖ must be below 1, got {decay}"):
            last(study.steps("von_neumann", decay))
    with pytest.raises(ValueError, match="above 0"):
        last(study.steps("exponential", 0))


def test_every_named_set_has_its_first_class():
    assert DOCUMENT_SETS["sample"] in document_set("sample").classes


def test_terms_that_never_met_are_tied_through_a_term_that_met_both(study):
    X, columns = study.X_train.toarray(), study.documents.corpus.columns
    table = study.related("orbits", "exponential", 2 / study.spectrum.largest)
    G, term = X.T @ X, columns["orbit"]
    unmet = table[table["documents together"] == 0]
    assert len(unmet) > 0
    for row in unmet.to_dict("records"):
        between, other = columns[row["through"]], columns[row["term"]]
        assert G[term, other] == 0
        assert G[term, between] * G[between, other] == pytest.approx((G[term] * G[other]).max())
    assert set(table["through"][table["documents together"] > 0]) == {""}


def test_without_a_word_the_most_typical_term_is_taken(study):
    step = next(study.steps("exponential", 1.0, word=" "))
    assert (step.target, step.word) == ("space", study.words(1)[0])
    assert next(study.steps("exponential", 1.0, word="orbiting")).word == "orbit"
    assert study.related("observatori", "exponential", 0.1).equals(study.related("observatory", "exponential", 0.1))


def test_shown_documents_come_class_by_class_with_their_texts(study):
    step = next(study.steps("exponential", 1.0))
    assert step.heat_texts == tuple(study.documents.corpus.texts[row] for row in step.heat_rows)
    names = list(dict.fromkeys(step.heat_classes))
    assert names[0] == "space"
    assert len(names) == 8
    assert list(step.heat_classes) == sorted(step.heat_classes, key=names.index)


def test_shares_of_the_first_eigenvectors_are_those_of_the_breakdown(study):
    step = next(study.steps("exponential", 3.0))
    told = study.spectrum.breakdown(study.y_train, "exponential", step.decay, top=5).head(5)
    np.testing.assert_allclose(step.spectrum["share"].head(5), told["share of inner product"])
    np.testing.assert_allclose(step.spectrum["ones"].head(5), told["cosine with ones"])
    before = study.spectrum.values * (study.spectrum.vectors.T @ study.y_train) ** 2
    np.testing.assert_allclose(step.spectrum["share before"], (before / before.sum())[: len(step.spectrum)])
