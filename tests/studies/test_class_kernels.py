"""One class of documents against all others: kernels, related terms and a classifier, on the sample."""

import threading
import time

import numpy as np
import pytest
from scipy import linalg
from sklearn.svm import SVC

from semwork.kernels import KernelSpectrum, SemanticKernel, alignment, centered_alignment
from semwork.kernels.documents import document_set
from semwork.studies import ClassKernels

KINDS = ("exponential", "von_neumann")


@pytest.fixture(scope="module")
def fitted():
    return ClassKernels(document_set("sample"), "space", share=0.5, seed=0)


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_transformer_seen_through_its_spectrum(fitted, kind):
    best = fitted.optimum(kind)
    kernel = SemanticKernel(kind=kind).fit(fitted.X_train, fitted.y_train)
    assert kernel.decay_ == pytest.approx(best.decay, rel=1e-6)
    train, test = fitted.kernels(kind, best.decay)
    np.testing.assert_allclose(train, kernel.transform(fitted.X_train), atol=1e-7)
    np.testing.assert_allclose(test, kernel.transform(fitted.X_test), atol=1e-7)
    assert best.alignment == pytest.approx(alignment(train, fitted.y_train))
    centered = fitted.optimum(kind, centered=True)
    assert centered.alignment == pytest.approx(
        centered_alignment(fitted.kernels(kind, centered.decay)[0], fitted.y_train)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_related_terms_are_a_row_of_the_proximity_matrix(fitted, kind):
    X, decay = fitted.X_train.toarray(), 0.7 / fitted.spectrum.largest
    G = X.T @ X
    P = linalg.expm(decay * G) if kind == "exponential" else np.linalg.inv(np.eye(len(G)) - decay * G)
    columns = fitted.documents.corpus.columns
    term = columns["orbit"]
    cosine = P[term] / np.sqrt(np.diag(P) * P[term, term])
    table = fitted.related("orbits", kind, decay, n=6)
    for row in table.to_dict("records"):
        assert row["proximity"] == pytest.approx(cosine[columns[row["term"]]], rel=1e-8)
        both = (X[:, term] > 0) & (X[:, columns[row["term"]]] > 0)
        assert row["documents together"] == both.sum()
    cosine[term] = -1
    assert table["proximity"].max() == pytest.approx(cosine.max())
    unmet = table[table["documents together"] == 0]
    assert len(unmet) == 3
    assert (unmet["proximity"] > 0).all()


def test_unknown_words_are_refused_with_words_that_work(fitted):
    with pytest.raises(ValueError, match=r"do not have the word 'zyzzyva'; try star"):
        fitted.related("zyzzyva", "exponential", 0.1)
    assert fitted.related(fitted.words(1)[0], "exponential", 0.1)["term"].notna().all()


def test_scores_are_those_of_an_svm(fitted):
    train, test = fitted.kernels("exponential", 0.5)
    machine = SVC(kernel="precomputed", C=3.0, class_weight="balanced").fit(train, fitted.y_train)
    rows = {row["part"]: row for row in fitted.score("exponential", 0.5, 3.0, "balanced")}
    assert rows["test"]["error"] == pytest.approx(1 - machine.score(test, fitted.y_test))
    assert rows["train"]["error"] == pytest.approx(1 - machine.score(train, fitted.y_train))


def test_terms_that_never_met_are_tied_through_a_term_that_met_both(fitted):
    X, columns = fitted.X_train.toarray(), fitted.documents.corpus.columns
    table = fitted.related("orbits", "exponential", 2 / fitted.spectrum.largest)
    G, term = X.T @ X, columns["orbit"]
    unmet = table[table["documents together"] == 0]
    assert len(unmet) > 0
    for row in unmet.to_dict("records"):
        between, other = columns[row["through"]], columns[row["term"]]
        assert G[term, other] == 0
        assert G[term, between] * G[between, other] == pytest.approx((G[term] * G[other]).max())
    assert set(table["through"][table["documents together"] > 0]) == {""}


def test_two_threads_compute_the_spectrum_once(monkeypatch):
    made, of = [], KernelSpectrum.of

    def slowly(matrix):
        made.append(threading.current_thread())
        time.sleep(0.1)
        return of(matrix)

    monkeypatch.setattr(KernelSpectrum, "of", slowly)
    kernels = ClassKernels(document_set("sample", 100), "space")
    threads = [threading.Thread(target=lambda: kernels.cosines("exponential", 1.0)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
