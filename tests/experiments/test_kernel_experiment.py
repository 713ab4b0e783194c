"""The experiment on kernels: its protocol on the sample, and its tables."""

import numpy as np
import pytest

from semwork.evaluation import decisions
from semwork.experiments import kernels
from semwork.experiments.cells import Running
from semwork.kernels import SemanticKernel
from semwork.kernels.documents import document_set
from semwork.steps import last


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Only the sample, few penalties."""
    monkeypatch.setattr(kernels, "DRAWN", {"sample": 160})
    monkeypatch.setattr(kernels, "PENALTIES", (0.3, 3.0))
    kernels._all_documents.cache_clear()
    yield
    kernels._all_documents.cache_clear()


def protocol(splits=2, share=0.5):
    cell = kernels._cell(kernels.protocol, data="sample", target="space", share=share, splits=splits)
    return cell, cell.compute()


def test_every_variant_is_judged_on_every_split():
    _, result = protocol()
    rows = result["rows"]
    assert len(rows) == 2 * 5 * 2
    assert {(row["kernel"], row["proximity"]) for row in rows} == {
        ("bag of words", "–"), ("exponential", "training"), ("exponential", "all"), ("von_neumann", "training"),
        ("von_neumann", "all"),
    }  # fmt: skip
    assert {row["weights"] for row in rows} == {"plain", "balanced"}
    assert all(0 <= row["error"] <= 1 and 0 <= row["f1"] <= 1 for row in rows)
    by_kernel = {(row["kernel"], row["split"]): row["alignment"] for row in rows}
    for split in (0, 1):
        assert by_kernel["exponential", split] >= by_kernel["bag of words", split]


@pytest.mark.parametrize("kind", ["exponential", "von_neumann"])
@pytest.mark.parametrize("way", ["training", "all"])
def test_variants_are_those_of_the_transformer(kind, way):
    documents = document_set("sample", 160)
    y = documents.target("space")
    train, test = documents.split("space", 0.5, 0)
    variant = next(v for v in kernels._variants(documents, y, train, test) if (v.kernel, v.way) == (kind, way))
    X = documents.corpus.matrix
    kernel = SemanticKernel(kind=kind).fit(X[train], y[train], background=X[test] if way == "all" else None)
    assert variant.decay == pytest.approx(kernel.decay_, rel=1e-5)
    assert variant.alignment == pytest.approx(kernel.alignment_, rel=1e-8)
    own, across = kernels._scaled(variant)
    np.testing.assert_allclose(own, kernel.transform(X[train]), atol=1e-5)
    np.testing.assert_allclose(across, kernel.transform(X[test]), atol=1e-5)


def test_the_penalty_is_the_one_of_the_best_f1():
    documents = document_set("sample", 160)
    y = documents.target("space")
    kernel = (documents.corpus.matrix @ documents.corpus.matrix.T).toarray()
    chosen = []

    def choose():
        chosen.append((yield from kernels._penalty(kernel, y, "balanced")))

    assert [step.message for step in choose()] == ["C = 0.3"] * 10 + ["C = 3"] * 10, "it can be stopped between fits"
    assert chosen[0] in kernels.PENALTIES


def test_full_size_uses_all_texts_and_few_labels():
    results = {}
    for kernel, way in (("bag of words", "–"), ("exponential", "training"), ("exponential", "all")):
        cell = kernels._cell(kernels.full_size, 0, data="sample", kernel=kernel, way=way, labelled=100)
        results[cell] = cell.compute()
        assert results[cell]["labelled"] == 100
        assert results[cell]["accuracy"] > 0.3
    table = kernels._full_table(list(results), results)
    assert [row["proximity"] for row in table] == ["–", "training", "all"]
    assert table[0]["alignment"] is None
    assert table[1]["alignment"] > 0


def test_tables_average_classes_and_stand_beside_the_paper():
    cell, result = protocol(share=0.5)
    rows = kernels._protocol_table([cell], {cell: result}, paper=True)
    assert len(rows) == 10
    row = next(r for r in rows if (r["kernel"], r["proximity"], r["weights"]) == ("exponential", "all", "plain"))
    mine = [
        r["f1"]
        for r in result["rows"]
        if (r["kernel"], r["proximity"], r["weights"]) == ("exponential", "all", "plain")
    ]
    assert row["f1"] == pytest.approx(np.mean(mine), abs=1e-4)
    assert row["f1 s.d."] == pytest.approx(np.std(mine, ddof=1), abs=1e-4)
    assert (row["f1, paper"], row["alignment, paper"], row["train %"]) == (0.783, 0.863, 50)


@pytest.mark.slow
def test_every_class_gets_its_decay_from_one_decomposition(monkeypatch):
    monkeypatch.setattr(kernels, "_RANK", 60)
    rows = kernels._cell(kernels.paths, 0, data="sample").compute()["rows"]
    assert len(rows) == 8 * 2 * 2
    assert all(row["alignment"] >= row["bag of words"] for row in rows)
    assert all(row["relative decay"] < 1 for row in rows if row["kernel"] == "von_neumann")
    X, y = document_set("sample").corpus.matrix, document_set("sample").target("space")
    alone = SemanticKernel(rank=60, random_state=0).fit(X, y)
    [row] = [r for r in rows if (r["class"], r["kernel"], r["centred"]) == ("space", "exponential", "no")]
    assert row["alignment"] == pytest.approx(alone.alignment_, abs=1e-4)


@pytest.mark.slow
def test_a_run_ends_with_all_tables(monkeypatch):
    plan = {
        "sample_paths": [kernels._cell(kernels.paths, 0, data="sample")],
        "medline_query_20": [kernels._cell(kernels.protocol, data="sample", target="space", share=0.5, splits=1)],
        "sample_full_size": [
            kernels._cell(kernels.full_size, 0, data="sample", kernel="bag of words", way="–", labelled=100)
        ],
    }
    monkeypatch.setattr(kernels, "kernel_cells", lambda splits: plan)
    end = last(kernels.kernel_steps(1, Running(threads=1)))
    assert set(end.tables) == set(plan)


@pytest.mark.data("medline")
def test_query_20_has_the_alignment_that_was_measured_before():
    documents = document_set("medline")
    y = documents.target("query 20")
    assert y.shape == (1033,)
    assert (y > 0).sum() == 39
    assert decisions(y > 0, np.ones(1033), 0.04).error == pytest.approx(1 - 39 / 1033)
    kernel = SemanticKernel(decay="align").fit(documents.corpus.matrix, y)
    assert float(kernel.curve_.at(0.0)) == pytest.approx(0.41, abs=0.02)
    assert kernel.alignment_ == pytest.approx(0.765, abs=0.01)
    assert kernel.decay_ == pytest.approx(0.18, abs=0.02)
