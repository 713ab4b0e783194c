"""Topics of 20 newsgroups: Table 1 of Das et al. (2015), Figure 3, and a prior that was chosen on a dev reference."""

from __future__ import annotations

import functools
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets.cache import saying
from semwork.datasets.records import WordVectors
from semwork.experiments.cells import Result, Row
from semwork.experiments.topic_corpora import REFERENCES, TopicCorpus, references, topic_corpus, unit_vectors
from semwork.experiments.topic_settings import CANDIDATES, PAPER, PLAIN_LDA, Setting
from semwork.steps import Step
from semwork.sweeps import Cell, Folder
from semwork.sweeps.keeping import DAMAGED, say_damaged
from semwork.topics import LDA, GaussianLDA, coherence
from semwork.topics.base import TopicModel

__all__ = [
    "choice_cells",
    "chosen",
    "fit_cell",
    "fitted_model",
    "quality_cells",
    "quality_tables",
    "systems",
    "topic_quality",
    "vectors_of",
]  # fmt: skip

Floats = NDArray[np.float64]

DATA = "newsgroups"
N_TOPICS, N_WORDS = 50, 15
SWEEPS = {"Gaussian LDA": 60, "LDA": 200}  # until the likelihood is nearly flat
CHOICE_SEED = 0  # its models choose the prior, and are not reported
RANKINGS = ("density", "tokens")
# The last line of the paper's Table 1: PMI of the nine topics that it shows, counted in Wikipedia.
PAPER_PMI = {
    "Gaussian LDA": (0.8302, 0.9302, 0.4943, 2.0306, 0.5216, 2.3615, 2.7660, 1.4999, 1.1847),
    "LDA": (0.3394, 0.2036, 0.1578, 0.7561, 0.0039, 1.3767, 1.5747, -0.0721, 0.2443),
}
PAPER_CLAIM = "275 % higher than LDA"


def fit_cell(setting: Setting, seed: int, data: str = DATA) -> Cell:
    """Return the cell that fits a setting."""
    return _cell(asdict(setting) | {"data": data, "sweeps": SWEEPS[setting.model], "n_topics": N_TOPICS}, seed)


def _cell(given: Mapping[str, Any], seed: int) -> Cell:
    needs = "newsgroups", "reuters8", "brown", "glove"
    label = f"topics: {_setting(given).name}, {given['data']}, seed {seed}"
    return Cell(topic_quality, given, seed=seed, needs=needs, one_core=True, label=label)


def _setting(given: Mapping[str, Any]) -> Setting:
    return Setting(**{name: value for name, value in given.items() if name in asdict(PAPER)})


@functools.lru_cache(maxsize=2)
def _vectors(data: str, treatment: str) -> WordVectors:
    found = topic_corpus(data).vectors
    return unit_vectors(found) if treatment == "unit" else found


def vectors_of(cell: Cell) -> WordVectors | None:
    """Return the vectors that the model of a cell sees; none for LDA."""
    given = cell.settings
    return None if given["model"] == "LDA" else _vectors(given["data"], given["vectors"])


def _model(cell: Cell, corpus: TopicCorpus) -> TopicModel:
    setting = _setting(cell.settings)
    shared = {
        "n_topics": cell.settings["n_topics"], "alpha": setting.alpha, "random_state": cell.seed, "n_jobs": 1,
    }  # fmt: skip
    vectors = vectors_of(cell)
    if vectors is None:
        return LDA(**shared)
    words, counts = np.unique([word for words in corpus.training for word in words], return_counts=True)
    rows = np.stack([vectors[word] for word in words.tolist()]).astype(np.float64)
    return GaussianLDA(sampler="precision", prior=setting.prior(rows, counts), **shared)


def _fit(cell: Cell) -> Generator[Step, None, tuple[TopicModel, list[float]]]:
    corpus = topic_corpus(cell.settings["data"])
    model = _model(cell, corpus)
    path = []
    for step in model.steps(corpus.training, vectors_of(cell), max_sweeps=cell.settings["sweeps"]):
        path.append(step.log_likelihood)
        yield step
    return model, path


def fitted_model(cell: Cell) -> Generator[Step, None, TopicModel]:
    """Return the model of a cell, from its file or fitted again."""
    place = _model_file(cell)
    if place.exists():
        try:
            return (LDA if cell.settings["model"] == "LDA" else GaussianLDA).load(place)
        except DAMAGED as error:
            say_damaged(place, error, str(cell))
    model, _ = yield from _fit(cell)
    _keep_model(model, place)
    return model


def _model_file(cell: Cell) -> Path:
    return Folder("experiments").place(cell, ".model.npz")


def _keep_model(model: TopicModel, place: Path) -> None:
    with saying(place, "a fitted model"):
        model.save(place)


def topic_quality(seed: int, **given: Any) -> Generator[Step, None, Result]:
    """Fit one model, keep it, and judge its top words in all references; ``given`` is what `fit_cell` gives."""
    cell = _cell(given, seed)
    model, path = yield from _fit(cell)
    if seed != CHOICE_SEED:
        _keep_model(model, _model_file(cell))
    words = {"density": model.top_words(N_WORDS)}
    if given["model"] != "LDA":  # there, both are one
        words["tokens"] = _by_tokens(model, N_WORDS)
    scores = {
        f"{ranking} {measure} {name}": coherence(lists, reference, measure).topics["score"].to_numpy()
        for ranking, lists in words.items()
        for name, reference in references().items()
        for measure in ("pmi", "npmi")
    }
    unseen = {
        f"{ranking} unseen {name}": coherence(lists, reference).unseen
        for ranking, lists in words.items()
        for name, reference in references().items()
    }
    return {
        "words": words, "sizes": model.topic_sizes_, "empty": int((model.topic_sizes_ == 0).sum()),
        "path": np.array(path), "points": _points(model, words["density"], vectors_of(cell)), **scores, **unseen,
    }  # fmt: skip


def _by_tokens(model: TopicModel, n: int) -> list[list[str]]:
    """Return the words with most tokens in each topic."""
    words, topics = np.concatenate(model.tokens_).astype(np.int64), np.concatenate(model.assignments_)
    size = len(model.topic_sizes_)
    counts = np.bincount(topics * np.int64(len(model.vocabulary_)) + words, minlength=size * len(model.vocabulary_))
    found = []
    for row in counts.reshape(size, -1):
        best = np.argsort(-row, kind="stable")[:n]
        found.append([model.vocabulary_[i] for i in best[row[best] > 0].tolist()])
    return found


def _points(model: TopicModel, lists: Sequence[Sequence[str]], vectors: WordVectors | None) -> Floats:
    """Return the top words in the plane of the first two principal components of all words: Figure 3."""
    if vectors is None or not isinstance(model, GaussianLDA):
        return np.zeros((0, 2))
    from semwork.topics import topic_map

    flat = [word for words in lists for word in words]
    return topic_map(model).points(np.stack([vectors[word] for word in flat]))


def _choice_cell(setting: Setting) -> Cell:
    return fit_cell(setting, CHOICE_SEED)


def choice_cells() -> list[Cell]:
    """Cells whose results say which prior the others take."""
    return [_choice_cell(setting) for setting in CANDIDATES]


def _dev_score(setting: Setting, results: Mapping[Cell, Result]) -> float:
    """Mean NPMI in the dev reference; an empty topic counts as 0, or a prior that leaves few topics would win."""
    return float(np.nan_to_num(results[_choice_cell(setting)][f"density npmi {REFERENCES[0]}"]).mean())


def chosen(results: Mapping[Cell, Result]) -> Setting:
    """Return the setting with the highest NPMI in the dev reference."""
    return max(CANDIDATES, key=lambda setting: _dev_score(setting, results))


def systems(results: Mapping[Cell, Result]) -> dict[str, Setting]:
    """Return the systems that are reported, by their short name."""
    return {
        "LDA": PLAIN_LDA,
        "Gaussian LDA, paper's prior": PAPER,
        "Gaussian LDA, chosen prior": chosen(results),
    }


def quality_cells(seeds: int, results: Mapping[Cell, Result]) -> list[Cell]:
    """Cells of the systems that are reported; seed 0 has made the choice and is not among them."""
    return [fit_cell(s, seed) for seed in range(1, seeds + 1) for s in systems(results).values()]


def _mean(values: Sequence[float], digits: int = 3) -> float:
    return round(float(np.mean(values)), digits)


def _spread(values: Sequence[float], digits: int = 3) -> float | None:
    return round(float(np.std(values, ddof=1)), digits) if len(values) > 1 else None


def _scores(cells: Sequence[Cell], results: Mapping[Cell, Result], key: str) -> list[float]:
    return [float(np.nanmean(results[cell][key])) for cell in cells]


def _table_1(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    paper = {name: float(np.mean(values)) for name, values in PAPER_PMI.items()}
    for name, setting in systems(results).items():
        cells = [fit_cell(setting, seed) for seed in range(1, seeds + 1)]
        for ranking in RANKINGS[: 1 if setting.model == "LDA" else 2]:
            row: Row = {
                "system": name, "setting": setting.name, "ranked by": "probability" if name == "LDA" else ranking,
                "seeds": seeds, "empty topics": _mean([float(results[cell]["empty"]) for cell in cells], 1),
            }  # fmt: skip
            for reference in REFERENCES[1:]:
                for measure in ("pmi", "npmi"):
                    found = _scores(cells, results, f"{ranking} {measure} {reference}")
                    row[f"{measure.upper()} {reference}"] = _mean(found)
                    row[f"{measure.upper()} {reference} s.d."] = _spread(found)
                unseen = [float(results[cell][f"{ranking} unseen {reference}"]) for cell in cells]
                row[f"unseen {reference}"] = _mean(unseen)
            shown = (name == "Gaussian LDA, paper's prior" and ranking == "density") or name == "LDA"
            row["PMI in Wikipedia, paper"] = round(paper[setting.model], 3) if shown else None
            row["the paper says"] = PAPER_CLAIM if shown and name != "LDA" else None
            rows.append(row)
    return tuple(rows)


def _gains(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    """How many times LDA's PMI, beside the paper's."""
    rows: list[Row] = []
    found = systems(results)
    plain = [fit_cell(found["LDA"], seed) for seed in range(1, seeds + 1)]
    for name, setting in list(found.items())[1:]:
        cells = [fit_cell(setting, seed) for seed in range(1, seeds + 1)]
        for ranking in RANKINGS:
            row: Row = {"system": name, "ranked by": ranking}
            for reference in REFERENCES[1:]:
                ours, theirs = (
                    float(np.mean(_scores(some, results, f"{rank} pmi {reference}")))
                    for some, rank in ((cells, ranking), (plain, "density"))
                )
                row[f"PMI / LDA's, {reference}"] = round(ours / theirs, 2) if theirs > 0 else None
                row[f"PMI − LDA's, {reference}"] = round(ours - theirs, 3)
            row["PMI / LDA's, paper"] = round(np.mean(PAPER_PMI["Gaussian LDA"]) / np.mean(PAPER_PMI["LDA"]), 2)
            rows.append(row | {"the paper says": PAPER_CLAIM})
    return tuple(rows)


def _topics(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for name, setting in systems(results).items():
        result = results[fit_cell(setting, 1)]
        for topic, words in enumerate(result["words"]["density"]):
            row: Row = {"system": name, "topic": topic, "tokens": int(result["sizes"][topic])}
            for reference in REFERENCES[1:]:
                row[f"PMI {reference}"] = round(float(result[f"density pmi {reference}"][topic]), 2)
            rows.append(row | {"words": " ".join(words)})
    return tuple(rows)


def _figure_3(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for name, setting in list(systems(results).items())[1:]:
        result = results[fit_cell(setting, 1)]
        lists = result["words"]["density"]
        scores = result[f"density pmi {REFERENCES[1]}"]
        best = set(np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")[:9].tolist())  # as many as the paper
        flat = [(topic, word) for topic, words in enumerate(lists) for word in words]
        rows += [
            {"system": name, "topic": topic, "word": word, "x": round(float(x), 3), "y": round(float(y), 3)}
            for (topic, word), (x, y) in zip(flat, result["points"], strict=True)
            if topic in best
        ]
    return tuple(rows)


def _choice_table(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    return tuple(
        {
            "setting": setting.name,
            "sweeps": SWEEPS[setting.model],
            f"NPMI {REFERENCES[0]}": _mean(_scores([_choice_cell(setting)], results, f"density npmi {REFERENCES[0]}")),
            "empty topics": results[_choice_cell(setting)]["empty"],
            "the same, empty topics as 0": round(_dev_score(setting, results), 3),
            "chosen": "yes" if setting == chosen(results) else "",
        }
        for setting in CANDIDATES
    )


def quality_tables(seeds: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    return {
        "table_1": _table_1(seeds, results),
        "table_1_gain": _gains(seeds, results),
        "table_1_topics": _topics(results),
        "prior_choice": _choice_table(results),
        "figure_3": _figure_3(results),
    }
