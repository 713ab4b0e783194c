"""Documents with words that no topic has seen: Tables 2 and 3 of Das et al. (2015)."""

from __future__ import annotations

import functools
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from semwork.datasets.records import WordVectors
from semwork.experiments.cells import Result, Row
from semwork.experiments.synonyms import Replaced, replace_words, substitutes
from semwork.experiments.topic_corpora import topic_corpus
from semwork.experiments.topic_settings import Setting
from semwork.experiments.topics_quality import fit_cell, fitted_model, systems, vectors_of
from semwork.steps import Step
from semwork.sweeps import Cell
from semwork.topics import GaussianLDA

__all__ = ["unseen_cells", "unseen_tables", "unseen_words"]

Floats = NDArray[np.float64]
Words = list[list[str]]

DATA, SECOND_DATA = "newsgroups", "reuters"
SOURCES = ("PPDB", "WordNet")
# Of the paper's test tokens: 21,919 and 38,687 of 188,694.
SHARES = {"PPDB": 0.116, "WordNet": 0.205}
TEST_SIZE, SECOND_SIZE = 1932, 174  # as many documents as the paper's tables have
BATCHES, SECOND_BATCHES = (1, 100, 0), (1, 10, 0)  # 0: all documents in one
FOLD_SWEEPS, ONLINE_SWEEPS = 20, 4
PAPER_ACCURACY = {
    "infvoc": (28.00, 19.30), "fix": (44.51, 43.53), "1": (44.66, 43.47), "100": (43.63, 43.11), "all": (44.72, 42.90),
}  # fmt: skip
PAPER_DEVIATION = {
    "infvoc": (94.95, 7.98, 1.72), "fix": (15.13, 1.81, 0.66), "1": (15.71, 1.90, 0.66), "10": (15.76, 1.97, 0.66),
    "all": (14.58, 1.66, 0.66),
}  # fmt: skip
NORMS = {"L1": 1, "L2": 2, "L∞": np.inf}


@functools.lru_cache(maxsize=2)
def _test_rows(data: str, size: int) -> NDArray[np.int64]:
    """Test documents that have words, drawn at random."""
    full = np.flatnonzero([bool(words) for words in topic_corpus(data).test])
    return np.sort(np.random.default_rng(0).permutation(full)[:size])


@functools.lru_cache(maxsize=4)
def _replaced(data: str, size: int, source: str) -> Replaced:
    corpus = topic_corpus(data)
    documents = [corpus.test[row] for row in _test_rows(data, size).tolist()]
    words = (word for document in documents for word in document)
    synonyms = substitutes(words, source, corpus.seen, corpus.vectors.index)
    return replace_words(documents, synonyms, SHARES[source])


def _fixed(model: Any, documents: Words, vectors: WordVectors | None, seed: int) -> Floats:
    model.set_params(random_state=seed)
    return np.asarray(model.transform(documents, vectors, sweeps=FOLD_SWEEPS))


def _online(
    model: GaussianLDA, documents: Words, vectors: WordVectors | None, size: int, seed: int
) -> Generator[Step, None, Floats]:
    """Let batches join the topics; a document's proportions are the mean over the later half of its sweeps.

    Documents come in random order: in the order of the file those of one class would come together.
    """
    model.set_params(random_state=seed)
    found = np.zeros((len(documents), model.n_topics))
    order = np.random.default_rng(seed).permutation(len(documents))
    for batch in np.split(order, range(size, len(order), size) if size else []):
        steps = model.partial_steps([documents[row] for row in batch], vectors, sweeps=ONLINE_SWEEPS)
        later = [model.document_topics_ for step in steps if step.done > ONLINE_SWEEPS // 2]
        found[batch] = np.mean(later, axis=0)
        yield Step(done=0, message=f"a batch of {len(batch)}")
    return found


def unseen_words(
    model: str, setting: tuple[tuple[str, Any], ...], classify: bool, data: str, size: int, sources: tuple[str, ...],
    batches: tuple[int, ...], order: str, seed: int,
) -> Generator[Step, None, Result]:  # fmt: skip
    """Topic proportions of test documents as they are, and with words that nobody has seen, from one fitted model.

    They are inferred in every way; documents are classified by them, or they are compared with those of the original
    documents.
    """
    fit = fit_cell(Setting(model, **dict(setting)), seed, data)
    fitted = yield from fitted_model(fit)
    rows = _test_rows(data, size)
    replaced = {source: _replaced(data, size, source) for source in sources}
    texts = {"original": [topic_corpus(data).test[row] for row in rows.tolist()]}
    texts |= {source: some.documents for source, some in replaced.items()}
    found = _inferred(fitted, fit, texts)
    if model != "LDA":
        for batch in batches:
            for name in sources if classify else texts:
                fresh = yield from fitted_model(fit)
                assert isinstance(fresh, GaussianLDA)  # noqa: S101 - the other model has no online mode here
                online = yield from _online(fresh, texts[name], vectors_of(fit), batch, _seed(fit))
                found[str(batch or "all"), name] = online
    result: Result = {f"share {source}": some.share for source, some in replaced.items()}
    result |= {f"words {source}": some.words for source, some in replaced.items()}
    if classify:
        return result | _accuracies(fitted, fit, found, topic_corpus(data).test_labels[rows])
    return result | _deviations(found)


def _seed(fit: Cell) -> int:
    return 1000 * (fit.seed or 0)


def _inferred(model: Any, fit: Cell, texts: Mapping[str, Words]) -> dict[tuple[str, str], Floats]:
    """Proportions with fixed topics: of all texts, of the original a second time, and without the unseen words."""
    seen, vectors = topic_corpus(fit.settings["data"]).seen, vectors_of(fit)
    found = {
        ("fix", name): _fixed(model, documents, vectors, _seed(fit) + place)
        for place, (name, documents) in enumerate(texts.items())
    }
    found["again", "original"] = _fixed(model, texts["original"], vectors, _seed(fit) + 100)
    for place, (name, documents) in enumerate(texts.items()):
        if name != "original":
            without = [[word for word in words if word in seen] for words in documents]
            found["dropped", name] = _fixed(model, without, vectors, _seed(fit) + 200 + place)
    return found


def _accuracies(model: Any, fit: Cell, found: Mapping[tuple[str, str], Floats], labels: Any) -> Result:
    """Per cent of the documents whose class a logistic regression on proportions finds."""
    corpus = topic_corpus(fit.settings["data"])
    proportions = _fixed(model, corpus.training, vectors_of(fit), _seed(fit) + 300)
    classifier = LogisticRegression(C=100.0, max_iter=500).fit(proportions, corpus.training_labels)
    result: Result = {}
    for (mode, name), values in found.items():
        result[f"accuracy {mode} {name}"] = 100.0 * float(classifier.score(values, labels))
    return result


def _deviations(found: Mapping[tuple[str, str], Floats]) -> Result:
    """Mean norms of how far proportions are from those of the original documents, inferred in the same way."""
    result: Result = {}
    for (mode, name), values in found.items():
        before = found["fix" if mode in ("again", "dropped") else mode, "original"]
        for norm, order in NORMS.items():
            result[f"{norm} {mode} {name}"] = float(np.linalg.norm(values - before, order, axis=1).mean())
    return result


def _cell(setting: Setting, seed: int, *, second: bool) -> Cell:
    chosen = tuple(sorted((name, value) for name, value in vars(setting).items() if name != "model"))
    given = {
        "model": setting.model, "setting": chosen, "classify": not second, "order": "random",
        "data": SECOND_DATA if second else DATA, "size": SECOND_SIZE if second else TEST_SIZE,
        "sources": SOURCES[:1] if second else SOURCES, "batches": SECOND_BATCHES if second else BATCHES,
    }  # fmt: skip
    needs = "newsgroups", "reuters8", "brown", "glove", "wordnet", "ppdb"
    label = f"unseen words, {given['data']}: {setting.name}, seed {seed}"
    return Cell(unseen_words, given, seed=seed, needs=needs, one_core=True, label=label)


def unseen_cells(seeds: int, results: Mapping[Cell, Result]) -> list[Cell]:
    """Cells of the systems that are reported, on both corpora."""
    return [
        _cell(setting, seed, second=second)
        for second in (False, True)
        for seed in range(1, seeds + 1)
        for setting in systems(results).values()
    ]


def _modes(setting: Setting, batches: Sequence[int]) -> dict[str, str]:
    """How proportions were inferred → what the table says."""
    if setting.model == "LDA":
        return {"fix": "fixed topics, unseen words dropped"}
    online = {str(size or "all"): f"online, batches of {size or 'all documents'}" for size in batches}
    return {"fix": "fixed topics", "dropped": "fixed topics, unseen words dropped", **online}


def _numbers(cells: Sequence[Cell], results: Mapping[Cell, Result], key: str, digits: int) -> tuple[Any, Any]:
    values = [float(results[cell][key]) for cell in cells]
    spread = round(float(np.std(values, ddof=1)), digits) if len(values) > 1 else None
    return round(float(np.mean(values)), digits), spread


def _table_2(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = [{"system": "infvoc (paper only)", "inference": "online"}]
    rows[0] |= {f"{source}, paper": PAPER_ACCURACY["infvoc"][place] for place, source in enumerate(SOURCES)}
    for name, setting in systems(results).items():
        cells = [_cell(setting, seed, second=False) for seed in range(1, seeds + 1)]
        for mode, said in _modes(setting, BATCHES).items():
            row: Row = {"system": name, "inference": said, "seeds": seeds}
            for place, source in enumerate(SOURCES):
                row[source], row[f"{source} s.d."] = _numbers(cells, results, f"accuracy {mode} {source}", 2)
                shown = name == "Gaussian LDA, paper's prior" and mode in PAPER_ACCURACY
                row[f"{source}, paper"] = PAPER_ACCURACY[mode][place] if shown else None
                row[f"{source} replaced %"] = round(100 * results[cells[0]][f"share {source}"], 1)
            if mode == "fix":
                key = "accuracy fix original"
                row["original documents"], row["original documents s.d."] = _numbers(cells, results, key, 2)
            rows.append(row)
    columns = {key: None for row in rows[1:] for key in row}
    return tuple(columns | row for row in rows)


def _table_3(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = [{"system": "infvoc (paper only, NIPS)", "inference": "online"}]
    rows[0] |= {f"{norm}, paper": value for norm, value in zip(NORMS, PAPER_DEVIATION["infvoc"], strict=True)}
    for name, setting in systems(results).items():
        cells = [_cell(setting, seed, second=True) for seed in range(1, seeds + 1)]
        modes = _modes(setting, SECOND_BATCHES) | {"again": "the original documents a second time"}
        for mode, said in modes.items():
            row: Row = {"system": name, "inference": said, "seeds": seeds}
            for place, norm in enumerate(NORMS):
                compared = "original" if mode == "again" else "PPDB"
                row[norm], row[f"{norm} s.d."] = _numbers(cells, results, f"{norm} {mode} {compared}", 3)
                shown = name == "Gaussian LDA, paper's prior" and mode in PAPER_DEVIATION
                row[f"{norm}, paper"] = PAPER_DEVIATION[mode][place] if shown else None
            rows.append(row | {"replaced %": round(100 * results[cells[0]]["share PPDB"], 1)})
    columns = {key: None for row in rows[1:] for key in row}
    return tuple(columns | row for row in rows)


def unseen_tables(seeds: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    return {"table_2": _table_2(seeds, results), "table_3": _table_3(seeds, results)}
