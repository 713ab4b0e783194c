"""Missing words: what a sentence's vector says of the words that are there, and of those that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from semwork.datasets import Dictionary, Sample
from semwork.given import check_kind
from semwork.similarity.base import plain_rows
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step
from semwork.text import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "HYPOTHESES",
    "WEIGHT_GRID",
    "Entry",
    "Glossary",
    "MissingStep",
    "relatedness",
    "scores",
    "word_table",
]

#: Weights of missing words from "they do not count" to "they count like the others".
WEIGHT_GRID = (0.0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)

#: The three hypotheses of the paper's Table 1, each as the weight of missing words that leads to it: ignore them, as
#: topic models do; count them like the others, as LSA does; count them a little.
HYPOTHESES = {"v1": 0.0, "v2": 1.0, "v3": 0.01}

Floats = NDArray[np.floating[Any]]
Measure = Literal["sum", "fit"]


def relatedness(sentence: Any, predicted: Mapping[str, Any], *, measure: Measure = "sum") -> pd.DataFrame:
    """R_o and R_m of several hypotheses about one sentence, as in Table 1 of the paper.

    Parameters
    ----------
    sentence
        The TF-IDF weights X of one sentence, dense or sparse; a word is observed where they are not 0.
    predicted
        Name → ``P_i·v`` for all words, as ``model.predicted`` gives for a sentence. Hypotheses of several models can
        be compared, because all of them predict the same weights.
    measure
        ``"sum"``: R_o and R_m are the sums of ``P_i·v`` over the observed and over the missing words, as in
        section 2.1. ``"fit"``: what the objective counts (equation 3). R_o is the part of the observed weights
        that v explains, ``Σ X_i² − (P_i·v − X_i)²``, and R_m is ``Σ (P_i·v)²``: then WTMF's own vector for a weight
        w is the one with the largest ``R_o − w R_m − λ‖v‖²``.

    Returns
    -------
    pandas.DataFrame
        ``candidate``, ``R_o`` and ``R_m``.

    References
    ----------
    .. [1] W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, section 2.1 and Table 1.

    Examples
    --------
    >>> relatedness([2, 3, 0, 0], {"v": [2.0, 2.0, 1.0, 0.5]}).to_dict("records")
    [{'candidate': 'v', 'R_o': 4.0, 'R_m': 1.5}]
    >>> relatedness([2, 3, 0, 0], {"v": [2.0, 2.0, 1.0, 0.5]}, measure="fit").to_dict("records")
    [{'candidate': 'v', 'R_o': 12.0, 'R_m': 1.25}]
    """
    import pandas as pd

    if measure not in ("sum", "fit"):
        raise ValueError(f"measure is {measure!r}; it can be 'sum' (section 2.1) or 'fit' (equation 3)")
    x = _row(sentence)
    values = np.array([_row(one) for one in predicted.values()]).reshape(len(predicted), len(x))
    own, other = values[:, x > 0], values[:, x == 0]
    if measure == "sum":
        observed, missing = own.sum(axis=1), other.sum(axis=1)
    else:
        observed = (x[x > 0] ** 2).sum() - ((own - x[x > 0]) ** 2).sum(axis=1)
        missing = (other**2).sum(axis=1)
    return pd.DataFrame({"candidate": list(predicted), "R_o": observed, "R_m": missing})


def scores(candidates: pd.DataFrame, weights: float | Sequence[float] = WEIGHT_GRID) -> pd.DataFrame:
    """``R_o − w R_m`` of every candidate for every weight w, and who wins.

    Parameters
    ----------
    candidates
        A table with ``candidate``, ``R_o`` and ``R_m``, as :func:`relatedness` makes.
    weights
        One w or several.

    Returns
    -------
    pandas.DataFrame
        ``weight``, ``candidate``, ``score`` and ``wins``: one winner per weight, the first on a tie.

    Examples
    --------
    Table 1 of the paper:

    >>> import pandas as pd
    >>> table = pd.DataFrame({"candidate": ["v1", "v2", "v3"], "R_o": [20, 5, 18], "R_m": [600, 100, 300]})
    >>> result = scores(table, [0, 0.01, 1])
    >>> result[result["wins"]][["weight", "candidate", "score"]].to_numpy().tolist()
    [[0.0, 'v1', 20.0], [0.01, 'v3', 15.0], [1.0, 'v2', -95.0]]
    """
    import pandas as pd

    given = np.atleast_1d(np.asarray(weights, dtype=np.float64))
    values = candidates["R_o"].to_numpy(float) - given[:, None] * candidates["R_m"].to_numpy(float)
    wins = np.zeros(values.shape, dtype=bool)
    if len(candidates):
        wins[np.arange(len(given)), values.argmax(axis=1)] = True
    return pd.DataFrame(
        {
            "weight": np.repeat(given, len(candidates)),
            "candidate": np.tile(candidates["candidate"].to_numpy(), len(given)),
            "score": values.ravel(),
            "wins": wins.ravel(),
        }
    )


def word_table(vocabulary: Any, sentence: Any, predicted: Any, k: int = 12) -> pd.DataFrame:
    """All observed words and the k missing words that fit best.

    Parameters
    ----------
    vocabulary
        The words.
    sentence
        The weights X of one sentence.
    predicted
        ``P_i·v`` for all words.

    Returns
    -------
    pandas.DataFrame
        ``word``, ``weight`` (X, 0 for a missing word), ``predicted`` and ``observed``; the observed words by weight,
        then the missing ones by prediction.

    Examples
    --------
    >>> word_table(["bank", "fish", "loan"], [4, 0, 0], [3.0, 0.1, 2.0], k=1)["word"].tolist()
    ['bank', 'loan']
    """
    import pandas as pd

    x, values = _row(sentence), _row(predicted)
    own = np.flatnonzero(x)
    own = own[np.argsort(-x[own], kind="stable")]
    other = np.argsort(np.where(x > 0, np.inf, -values), kind="stable")[: min(k, int((x == 0).sum()))]
    shown = np.concatenate([own, other])
    return pd.DataFrame(
        {
            "word": np.asarray(vocabulary)[shown],
            "weight": x[shown],
            "predicted": values[shown],
            "observed": x[shown] > 0,
        }
    )


@dataclass(frozen=True)
class Entry:
    """One sentence to look at: a definition of a glossary, or a sentence of the reader's own (``place`` is None)."""

    name: str
    text: str
    headword: str = ""
    place: int | None = None
    sense: int = 1
    senses: int = 1


@dataclass(frozen=True, kw_only=True)
class MissingStep(Step):
    """A sentence as the model sees it after this step of the fit.

    Attributes
    ----------
    entry
        The sentence.
    weight
        The model's w_m.
    words
        Observed words and the missing words that fit best (:func:`word_table`).
    similar_words, definitions
        The nearest words and the nearest definitions, by cosine.
    own
        R_o and R_m of the model's own vector: one row.
    candidates
        R_o and R_m of the hypotheses that are fitted so far, their ``score`` at ``weight``, and which one ``wins``.
    headword_rank
        The place of the headword among the missing words, best fit first; None when there is none.
    """

    entry: Entry
    weight: float
    words: pd.DataFrame
    similar_words: pd.DataFrame
    definitions: pd.DataFrame
    own: pd.DataFrame
    candidates: pd.DataFrame
    headword_rank: int | None


@dataclass(frozen=True)
class Glossary:
    """Headwords with their definitions, and the corpus that models are fitted on.

    The first texts of the corpus belong to the definitions, in the same order; others may follow.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> glossary = Glossary.from_sample(load("sample"))
    >>> glossary.find("loan").text
    'a sum of money lent, as by a bank, that must be paid back later'
    >>> model = WTMF(n_components=20, missing_weight=0.05, regularization=5, max_iter=5, random_state=0)
    >>> step = glossary.look(model.fit(glossary.corpus.matrix), glossary.find("loan"))
    >>> "bank" in step.words[step.words["observed"]]["word"].tolist()
    True
    """

    corpus: Corpus
    headwords: list[tuple[str, ...]]
    definitions: list[str]

    @classmethod
    def from_sample(cls, sample: Sample) -> Self:
        """Both dictionaries of the sample; headwords are not part of the texts, so that they are missing words."""
        check_kind("sample", sample, Sample, "give load('sample')")
        data = sample.dictionary
        heads = [*data.candidate_table["headword"].tolist(), *data.query_table["headword"].tolist()]
        texts = [*data.candidates, *data.queries]
        corpus = Corpus.from_texts([*texts, *sample.documents.texts], analyzer="stem")
        return cls(corpus, [(str(head),) for head in heads], texts)

    @classmethod
    def from_dictionary(cls, dictionary: Dictionary, analyzer: Any = "stem") -> Self:
        """A dictionary such as WordNet: fitted on headwords, definitions and examples, asked for definitions."""
        check_kind("dictionary", dictionary, Dictionary, "load one, such as load('wordnet') or load('gcide')")
        return cls(Corpus.from_texts(dictionary.texts, analyzer=analyzer), dictionary.headwords, dictionary.definitions)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Headword, in lower case → the places of its definitions."""
        found: dict[str, list[int]] = {}
        for place, heads in enumerate(self.headwords):
            for head in dict.fromkeys(head.lower() for head in heads):
                found.setdefault(head, []).append(place)
        return found

    @cached_property
    def words(self) -> NDArray[np.object_]:
        """For each column of the corpus the commonest word that counts there: ``money`` where the stem is ``monei``."""
        analyzer = self.corpus.analyzer
        counted = Counter(token for text in self.corpus.texts for token in analyzer.split(text))
        cleaned: Counter[str] = Counter()
        for token, times in counted.items():
            cleaned[analyzer.clean(token)] += times
        shown = self.corpus.vocabulary.copy()
        for word, _ in reversed(cleaned.most_common()):
            column = self.corpus.columns.get(analyzer.base(word)) if word else None
            if column is not None:
                shown[column] = word
        return shown

    def name(self, place: int) -> str:
        """Headword and number, as in ``"bank 2"``; no number if there is one definition only."""
        head = self.headwords[place][0]
        return head if len(self.places[head.lower()]) == 1 else f"{head} {self.sense(place)}"

    def sense(self, place: int) -> int:
        """The number of a definition among those of its first headword, from 1."""
        return self.places[self.headwords[place][0].lower()].index(place) + 1

    def find(self, words: str, sense: int = 1) -> Entry:
        """Return a headword's definition, or the given words as a sentence of its own."""
        given = words.strip()
        if not given:
            raise ValueError("there is nothing to look at: choose a headword, or type a sentence")
        places = self.places.get(given.lower())
        if places is None:
            return Entry(name="your sentence", text=given)
        if not 1 <= sense <= len(places):
            raise ValueError(f"sense is {sense}, but {given!r} has {len(places)}; choose 1 to {len(places)}")
        place = places[sense - 1]
        return Entry(
            name=given if len(places) == 1 else f"{given} {sense}",
            text=self.definitions[place],
            headword=given,
            place=place,
            sense=sense,
            senses=len(places),
        )

    def weigh(self, entry: Entry) -> Any:
        """The weights X of a sentence, one sparse row."""
        sentence = self.corpus.transform([entry.text])
        if not sentence.nnz:
            raise ValueError(f"the corpus knows no word of {entry.text[:60]!r}; use words of its definitions")
        return sentence

    def look(
        self,
        model: WTMF,
        entry: Entry,
        *,
        hypotheses: Mapping[str, WTMF] | None = None,
        measure: Measure = "sum",
        k: int = 10,
        **step: Any,
    ) -> MissingStep:
        """Look at a sentence through a fitted model.

        Parameters
        ----------
        model
            Fitted on this glossary's corpus.
        entry
            What :meth:`find` gave.
        hypotheses
            Name → other fitted models, whose vectors of the sentence are compared.
        measure
            As in :func:`relatedness`.
        k
            How many missing words, near words and near definitions.
        step
            ``done``, ``total`` and ``message`` of the step.
        """
        sentence = self.weigh(entry)
        found = self._contest(sentence, hypotheses or {}, model.missing_weight, measure)
        return self._look(model, entry, sentence, found, measure, k, **step)

    def _look(
        self,
        model: WTMF,
        entry: Entry,
        sentence: Any,
        candidates: pd.DataFrame,
        measure: Measure,
        k: int = 10,
        *,
        done: int = 1,
        total: int = 1,
        message: str = "",
    ) -> MissingStep:
        vector = plain_rows(model, sentence)[0]
        predicted = vector @ model.components_
        return MissingStep(
            done=done,
            total=total,
            message=message,
            entry=entry,
            weight=model.missing_weight,
            words=word_table(self.words, sentence, predicted, k),
            similar_words=self._near_words(model.components_, vector, sentence, k),
            definitions=self._near_definitions(model, vector, entry, k),
            own=relatedness(sentence, {"yours": predicted}, measure=measure),
            candidates=candidates,
            headword_rank=self._headword_rank(predicted, sentence, entry),
        )

    def steps(
        self,
        model: WTMF,
        entry: Entry,
        *,
        hypotheses: dict[str, WTMF] | None = None,
        measure: Measure = "sum",
        start: Floats | None = None,
        every: int = 1,
    ) -> Iterator[MissingStep]:
        """Fit a model to the corpus, looking at the sentence after every iteration; then fit the three hypotheses.

        Parameters
        ----------
        model, entry, measure
            As in :meth:`look`. A model that is fitted already (``n_iter_`` equals ``max_iter``) is not fitted again.
        hypotheses
            Fitted models by the names of :data:`HYPOTHESES`. Those that it lacks are fitted with the parameters of
            ``model`` and their own weight, and put into it, so that the next call need not.
        start
            As in `WTMF.steps`.
        every
            Give a step after every that many iterations; the last of a fit always gives one.
        """
        known = {} if hypotheses is None else hypotheses
        sentence = self.weigh(entry)
        found = self._contest(sentence, known, model.missing_weight, measure)
        lacking = {name: weight for name, weight in HYPOTHESES.items() if name not in known}
        fitted, rounds = _is_fitted(model), model.max_iter
        total = (len(lacking) + (not fitted)) * rounds or 1
        done = 0
        for step in () if fitted else model.steps(self.corpus.matrix, start=start):
            done += 1
            if done < total and (step.done % every == 0 or step.done == rounds):
                told = f"iteration {step.done}, {step.message}"
                yield self._look(model, entry, sentence, found, measure, done=done, total=total, message=told)
        view = self._look(model, entry, sentence, found, measure)
        for name, weight in lacking.items():
            other = clone(model).set_params(missing_weight=weight)
            for step in other.steps(self.corpus.matrix):
                done += 1
                if done < total and step.done % every == 0:
                    told = f"fitting {name}, w_m = {weight:g}: iteration {step.done}"
                    yield replace(view, done=done, total=total, message=told)
            known[name] = other
            view = replace(view, candidates=self._contest(sentence, known, model.missing_weight, measure))
        yield replace(view, done=total, total=total, message=_summary(view))

    def _contest(self, sentence: Any, hypotheses: Mapping[str, WTMF], weight: float, measure: Measure) -> pd.DataFrame:
        in_order = [name for name in HYPOTHESES if name in hypotheses] + [n for n in hypotheses if n not in HYPOTHESES]
        predicted = {name: hypotheses[name].predicted(sentence) for name in in_order}
        found = relatedness(sentence, predicted, measure=measure)
        at_weight = scores(found, weight)
        return found.assign(
            made_with=[float(hypotheses[name].missing_weight) for name in in_order],
            score=at_weight["score"],
            wins=at_weight["wins"],
        )

    def _near_definitions(self, model: WTMF, vector: Floats, entry: Entry, k: int) -> pd.DataFrame:
        import pandas as pd

        from semwork.similarity.search import nearest

        rows = model.embedding_[: len(self.definitions)]
        places, values = nearest(vector[None], rows, k + 1)
        kept = places[0] != (-1 if entry.place is None else entry.place)
        found, similar = places[0][kept][:k], values[0][kept][:k]
        return pd.DataFrame(
            {
                "place": found,
                "name": [self.name(place) for place in found],
                "headword": [self.headwords[place][0] for place in found],
                "sense": [self.sense(place) for place in found],
                "similarity": similar,
                "text": [self.definitions[place] for place in found],
            }
        )

    def _near_words(self, components: Floats, vector: Floats, sentence: Any, k: int) -> pd.DataFrame:
        import pandas as pd

        from semwork.similarity.search import nearest

        places, values = nearest(vector[None], components.T, k)
        return pd.DataFrame(
            {
                "word": self.words[places[0]],
                "similarity": values[0],
                "observed": _row(sentence)[places[0]] > 0,
            }
        )

    def _headword_rank(self, predicted: Floats, sentence: Any, entry: Entry) -> int | None:
        """How many missing words fit at least as well as the headword, itself included."""
        terms = self.corpus.tokens(entry.headword)
        column = self.corpus.columns.get(terms[0]) if len(terms) == 1 else None
        missing = _row(sentence) == 0
        if column is None or not missing[column]:
            return None
        return int((predicted[missing] >= predicted[column]).sum())


def _is_fitted(model: WTMF) -> bool:
    return getattr(model, "n_iter_", 0) == model.max_iter


def _summary(view: MissingStep) -> str:
    """What a status line says of the last step."""
    winner = view.candidates[view.candidates["wins"]]["candidate"].tolist()
    parts = [f"sense {view.entry.sense} of {view.entry.senses}" if view.entry.senses > 1 else ""]
    parts += [f"R_o − {view.weight:g} R_m is largest for {winner[0]}"] if winner else []
    if view.headword_rank is not None:
        parts.append(f"the headword is missing word number {view.headword_rank:,}")
    return " · ".join(part for part in parts if part)


def _row(sentence: Any) -> NDArray[np.float64]:
    """One sentence as a dense row."""
    dense = np.asarray(sentence.toarray() if hasattr(sentence, "toarray") else sentence, dtype=np.float64)
    if dense.ndim > 2 or (dense.ndim == 2 and len(dense) != 1):
        raise ValueError(f"give one sentence, a row with one weight per word; this has the shape {dense.shape}")
    return dense.ravel()
