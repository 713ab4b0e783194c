"""The benchmarks of models run from end to end on the sample; its figures are for quiet machines."""

from __future__ import annotations

import importlib
import re
import tempfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from semwork.datasets import load
from semwork.kernels.documents import document_set
from semwork.text import Corpus
from semwork.topics import planted
from semwork.topics.documents import read_documents
from tests.benchmarks import (
    bench_browser,
    bench_kernels,
    bench_similarity,
    bench_structures,
    bench_topics,
    peer_gaussianlda,
    saved,
)
from tests.benchmarks.__main__ import PARTS, chosen
from tests.benchmarks.__main__ import main as run_benchmarks
from tests.benchmarks.rows import Row


@pytest.fixture(scope="module")
def corpus():
    pytest.importorskip("implicit", reason="the peer is in the extra bench")
    return Corpus.from_texts(load("sample").texts, analyzer="stem")


@pytest.mark.slow
def test_every_comparison_gives_rows(corpus, tmp_path):
    sample, X = load("sample"), corpus.matrix
    pairs = sample.pairs
    parts = [
        bench_similarity.iteration_rows(X, 5, rounds=2),
        bench_similarity.rate_rows(X, 5, rounds=2),
        bench_similarity.use_rows(corpus, 5, sample.dictionary),
        bench_similarity.quality_rows(corpus, 5, pairs, pairs, 2, 2),
        bench_similarity.objective_rows(X, 5, iterations=3),
    ]
    assert [len(part) for part in parts] == [6, 4, 2, 3, 1]
    assert all(row.ours and row.what for part in parts for row in part)


@pytest.mark.slow
def test_memory_is_measured_in_processes_of_their_own(corpus, tmp_path):
    [memory] = bench_similarity.memory_rows(corpus.matrix, 5, tmp_path)
    assert memory.ours.endswith("MB")
    assert memory.peer.startswith("implicit")


@pytest.mark.parametrize(("power", "met"), [(1.0, True), (1.5, False)])
def test_growth_is_the_slope_of_the_logarithms_and_drawn(corpus, tmp_path, monkeypatch, power, met):
    plot = tmp_path / "growth.png"

    def measured(_, path, n_components, iterations):
        sentences = sparse.load_npz(path).shape[0]
        return {"seconds": [99.0] + [sentences**power] * iterations, "before": 7.0, "peak": 7.0 + sentences**power}

    monkeypatch.setattr(bench_similarity, "in_its_own_process", measured)
    rows = bench_similarity.growth_rows(corpus.matrix, 5, tmp_path, plot, sizes=(2_000, 4_000, 8_000))
    assert [row.ratio for row in rows] == [f"{power:.2f}"] * 2
    assert [row.met for row in rows] == [met] * 2
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_the_objective_of_any_two_sides_is_that_of_the_model(corpus):
    X = corpus.matrix.astype(np.float64)
    model = bench_similarity.model_of(5, "float64", max_iter=2).fit(X)
    found = bench_similarity.objective(X, model.embedding_, model.components_.T, model.regularization)
    assert found == pytest.approx(model.objective_path_[-1], rel=1e-9)


def test_on_ones_the_peer_solves_the_same_problem(corpus):
    """A row solved exactly by implicit is the row that WTMF folds in."""
    ones = corpus.matrix.astype(np.float64)
    ones.data = np.ones_like(ones.data)
    model = bench_similarity.model_of(5, "float64", max_iter=1, penalty=2.0).fit(ones)
    peer = bench_similarity.implicit_model(5, np.float64, penalty=2.0)
    peer.item_factors = np.ascontiguousarray(model.components_.T)
    confidences = sparse.csr_matrix(ones / bench_similarity.MISSING_WEIGHT)
    rows = peer.recalculate_user(np.arange(ones.shape[0]), confidences)
    np.testing.assert_allclose(rows, model.transform(ones), rtol=1e-4, atol=1e-6)


def test_parts_are_chosen_by_name():
    assert list(chosen([])) == list(PARTS)
    assert chosen(["similarity", "--plot", "x.png"]) == {"similarity": ["--plot", "x.png"]}
    assert chosen(["text", "similarity"]) == {"text": [], "similarity": []}
    with pytest.raises(SystemExit, match="no benchmark 'texts'"):
        chosen(["texts"])


@pytest.fixture
def readme(tmp_path, monkeypatch):
    """A README of its own, and a benchmark that says two lines."""
    path = tmp_path / "README.md"
    path.write_text("# Old head\n\n## by hand\n\nsome figures\n\n## text\n\nancient\n", encoding="utf-8")
    monkeypatch.setattr(saved, "README", path)
    told = SimpleNamespace(main=lambda *_: print(f"1.5×  faster\npicture in {tempfile.gettempdir()}/x/growth.png"))
    monkeypatch.setattr(importlib, "import_module", lambda name: told)
    return path


def test_what_a_run_prints_is_kept_in_the_section_of_its_part(readme, capsys):
    run_benchmarks(["--save", "text"])
    written = readme.read_text(encoding="utf-8")
    assert "1.5×  faster" in capsys.readouterr().out
    assert written.startswith("# Figures of speed\n")
    assert "some figures" in written
    assert "ancient" not in written.split("## text")[1]
    section = written.split("## text")[1]
    assert "`python -m tests.benchmarks text`" in section
    assert "```text\n1.5×  faster\npicture in a folder\n```" in section
    assert re.search(r"\d+ cores, .+Python 3\.\d+\.\d+, semwork \d", section)
    run_benchmarks(["--save", "similarity", "--plot", "/somewhere/growth.png"])
    assert "`python -m tests.benchmarks similarity --plot growth.png`" in readme.read_text(encoding="utf-8")
    assert section.strip() in readme.read_text(encoding="utf-8")


def test_a_run_of_all_parts_leaves_nothing_that_was_written_by_hand_and_one_that_is_not_kept_writes_nothing(readme):
    before = readme.read_text(encoding="utf-8")
    run_benchmarks([])
    assert readme.read_text(encoding="utf-8") == before
    run_benchmarks(["--save"])
    assert re.findall(r"^## (.+)$", readme.read_text(encoding="utf-8"), flags=re.MULTILINE) == list(PARTS)


def test_a_ratio_that_is_missed_fails_after_all_parts_have_run(readme, monkeypatch, capsys):
    ran = []

    def part(name):
        missed = ["megabytes: 4.0× less"] if name.endswith("text") else None
        return SimpleNamespace(main=lambda *_: ran.append(name) or missed)

    monkeypatch.setattr(importlib, "import_module", part)
    assert run_benchmarks(["text", "kernels"]) == 1
    assert capsys.readouterr().err == "missed: megabytes: 4.0× less\n"
    assert ran == ["tests.benchmarks.bench_text", "tests.benchmarks.bench_kernels"]
    assert run_benchmarks(["kernels"]) == 0


def test_a_live_figure_has_to_be_five_times_lighter_and_half_again_as_fast_as_plotlys_own_widget():
    ours = {"seconds": 2.0, "megabytes": 1.0}
    assert bench_browser.missed_ratios(ours, {"seconds": 3.0, "megabytes": 5.0}) == []
    [light] = bench_browser.missed_ratios(ours, {"seconds": 3.0, "megabytes": 4.9})
    assert light == "megabytes: 4.9× less than plotly's own widget, 5× are asked for"
    [fast] = bench_browser.missed_ratios(ours, {"seconds": 2.9, "megabytes": 5.0})
    assert fast.startswith("seconds: 1.4× less")


def test_paths_of_decays_are_compared_with_recomputed_kernels():
    documents = document_set("sample", 120)
    X = documents.corpus.matrix
    rows = bench_kernels.path_rows((X @ X.T).toarray(), documents.target("space"), rounds=1, checked=2)
    assert len(rows) == 6
    assert [row.met for row in rows if "difference" in row.what] == [True, True]
    assert bench_kernels.recomputed("von_neumann", np.eye(2), 0.5) == pytest.approx(2 * np.eye(2))


@pytest.mark.slow
def test_kernels_of_growing_size_are_measured_in_processes_of_their_own(tmp_path):
    documents = document_set("sample")
    plot = tmp_path / "growth.png"
    rows = bench_kernels.scale_rows(
        documents.corpus.matrix,
        documents.labels,
        tmp_path,
        plot,
        sizes=(100, 200, 400),
        dense_sizes=(100, 200),
        rank=20,
    )
    assert rows[0].what == "200 documents, rank 20"
    assert rows[1].ours.endswith("MB")
    assert len(rows) == 6
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_exact_inference_of_names_is_compared_with_the_integer_program():
    problems, scores = bench_structures.name_problems("he", 6)
    speed, same = bench_structures.inference_rows("names", problems, scores, rounds=1)
    assert speed.peer.startswith("cold milp")
    assert same.met
    # A solver that is not exact is found out.
    wrong = [replace(problem, solver=lambda scores: scores > np.inf) for problem in problems]
    assert not bench_structures.inference_rows("names", wrong, scores, rounds=1)[1].met


@pytest.mark.slow
def test_trainings_on_names_are_measured_in_processes_of_their_own():
    seconds, memory = bench_structures.training_rows("names", "names", "he", size=12, strength=10.0)
    assert seconds.ours.endswith(" s")
    assert memory.ours.endswith("MB")


def test_the_tasks_of_structures_are_chosen_by_name(monkeypatch, capsys):
    monkeypatch.setattr(bench_structures, "TASKS", {"names": lambda: [Row("a", "1 s")], "others": lambda: 1 / 0})
    bench_structures.main(["names"])
    assert "ours 1 s" in capsys.readouterr().out


@pytest.fixture(scope="module")
def tokens():
    data = planted(n_topics=3, n_documents=12, document_length=20, n_dimensions=4)
    return read_documents(data.documents, data.vectors)


def test_every_comparison_of_topics_gives_rows(tokens, tmp_path):
    small, wall = bench_topics.small_rows(tokens, n_topics=3, burn_in=2, sweeps=1)
    assert [row.target for row in small if row.target] == ["3× or more", "3× or more", "10× or more"]
    assert all(rate > 0 for rate in wall.values())
    assert len(bench_topics.whole_rows(tokens, n_topics=3, sweeps=1, most=8)) == 4
    assert len(bench_topics.chain_rows(tokens, n_topics=3, sweeps=1)) == 2
    plot = tmp_path / "growth.png"
    rows = bench_topics.growth_rows(tokens, plot, topics=(2, 3), sizes=(2, 4), shares=(0.5, 1.0), sweeps=1)
    assert len(rows) == 6
    assert len(list(tmp_path.glob("growth_*.png"))) == 3


def test_burning_in_ends_where_the_likelihood_is_flat_and_not_before(tokens):
    run, path = bench_topics.burn_in(tokens, "precision", n_topics=3)
    assert len(run.cpu) == len(path) >= 6
    assert (path[-1] - path[-4]) / 3 < bench_topics.FLAT * (path[-1] - path[0])
    assert len(bench_topics.burn_in(tokens, "fast", n_topics=3, most=2)[1]) == 2


def test_a_peer_that_cannot_be_had_is_said_and_one_that_can_is_compared(tokens, monkeypatch):
    def found(documents, vectors, n_topics, sweeps, trainer):
        assert sum(map(len, documents)) == len(tokens.words)
        if trainer == "alias":
            raise RuntimeError("no such package")
        return {"seconds": len(tokens.words) / 10, "prepared": 0.0}

    monkeypatch.setattr(peer_gaussianlda, "measured", found)
    compared, skipped = bench_topics.peer_rows(tokens, {"precision": 990.0, "fast": 1.0}, n_topics=3)
    assert (compared.ratio, compared.met) == ("99.0×", False)
    assert "no such package" in skipped.peer
    assert skipped.met is None


def test_what_stands_in_for_choldate_updates_a_factor_in_place():
    random = np.random.default_rng(0)
    psi, x = np.eye(3) * 4 + 1, random.standard_normal(3)
    lower = np.linalg.cholesky(psi)
    module = peer_gaussianlda._choldate()
    module.cholupdate(lower.T, x.copy())
    np.testing.assert_allclose(lower @ lower.T, psi + np.outer(x, x), atol=1e-12)
    module.choldowndate(lower.T, x.copy())
    np.testing.assert_allclose(lower @ lower.T, psi, atol=1e-12)
