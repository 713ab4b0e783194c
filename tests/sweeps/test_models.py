"""Sweeps of sentence models: cells are fits of the catalogue's models, each computed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from semwork import sources
from semwork.datasets import load
from semwork.similarity import CATALOGUE, WTMF, PairTask, SentenceSpace, TfidfCosine, retrieval
from semwork.steps import last
from semwork.studies import retrieval_task
from semwork.studies.model_cells import atop_of, correlations_of
from semwork.sweeps import Cell, Folder, Memory, Sweep, grid


@pytest.fixture(scope="module")
def task():
    return retrieval_task("sample")


def test_cells_of_models_cross_and_come_back(task):
    shared = {"model": ["WTMF"], "iterations": [3], "regularization": [5.0], "seed": [0, 1]}
    along = grid(atop_of, shared | {"missing_weight": [0.01, 1.0], "n_components": [6]}, data=task)
    across = grid(atop_of, shared | {"missing_weight": [0.01], "n_components": [4, 6]}, data=task)
    store = Memory()
    end = last(Sweep([*along, *across], store=store).steps())
    assert len(end.results) == 6, "where curves cross, a cell is computed once"
    for cell in along:
        by_hand = CATALOGUE["WTMF"].make(**{k: v for k, v in cell.settings.items() if k != "model"}, seed=cell.seed)
        assert end.results[cell]["atop"] == task.ranking(by_hand).atop
    assert len(list(Sweep([*across, *along], store=store).steps())) == 1, "when a parameter comes back, all is known"


def test_correlations_of_a_cell_are_those_of_a_fit(task):
    pairs = PairTask.from_pairs(load("sample").pairs, load("sample").texts)
    cell = Cell(correlations_of, {"model": "WTMF", "n_components": 5, "iterations": 3}, seed=1, data=pairs)
    found = last(Sweep([cell]).steps()).results[cell]
    by_hand = last(pairs.steps(WTMF(5, max_iter=3, random_state=1)))
    assert found[""] == {"pearson": by_hand.pearson, "spearman": by_hand.spearman}
    assert list(found) == ["", *dict.fromkeys(pairs.pairs.group.tolist())]


def ranks(make, parameters, data, seed=None):
    """Take the class of a model, so that its code alone is that of the cell."""
    fitted = make(**parameters)
    yield from SentenceSpace(data.corpus, fitted).steps()
    return {"atop": float(data.fitted_ranking(fitted).atop)}


def test_a_class_among_the_settings_is_followed_to_its_own_code(task):
    codes = {name: Cell(ranks, {"make": model.kind, "parameters": {}}).sources for name, model in CATALOGUE.items()}
    assert len(set(codes.values())) == len(CATALOGUE)
    cell = Cell(ranks, {"make": TfidfCosine, "parameters": {}}, data=task)
    result = last(Sweep([cell], store=Folder("toys")).steps()).results[cell]
    assert result == Folder("toys").kept(cell) == {"atop": pytest.approx(task.baseline().mean())}


def test_the_code_of_the_datas_class_is_that_of_the_cell(task, monkeypatch):
    """What the function calls on its data is not to be seen in the function: `RetrievalTask.fitted_ranking`."""
    before = Cell(ranks, {"make": TfidfCosine, "parameters": {}}, data=task).sources
    read = Path.read_bytes

    def other(path):
        content = read(path)
        return content.replace(b"def fitted_ranking", b"def again") if path == Path(retrieval.__file__) else content

    monkeypatch.setattr(Path, "read_bytes", other)
    sources.forget()
    after = Cell(ranks, {"make": TfidfCosine, "parameters": {}}, data=task).sources
    monkeypatch.undo()
    sources.forget()
    assert after != before == Cell(ranks, {"make": TfidfCosine, "parameters": {}}, data=task).sources
