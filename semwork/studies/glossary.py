"""Headwords with their definitions, and a sentence of them as a model sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import Dictionary, LabelledDocuments, RetrievalSet, Sample, Sentences, load
from semwork.given import check_kind
from semwork.similarity.base import plain_rows
from semwork.similarity.missing import Measure, one_row, relatedness, scores
from semwork.similarity.retrieval_sets import names_of
from semwork.similarity.wtmf import WTMF
from semwork.studies.missing_steps import HYPOTHESES, MissingStep, word_table
from semwork.studies.origin import calling
from semwork.studies.query_explanation import labels_of
from semwork.studies.study import Input, Source
from semwork.text import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GLOSSARIES", "Entry", "Glossary", "first_sense"]

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Entry:
    """One sentence to look at: a definition of a glossary, or a sentence of the reader's own (``place`` is None).

    Attributes
    ----------
    name : str
        What it is called in titles, such as ``"bank 2"``.
    text : str
        The definition, or the sentence.
    headword : str
        Empty for a sentence of the reader's own.
    place : int or None
        Which definition of the glossary it is, from 0.
    sense : int
        Its number among the definitions of the headword, from 1.
    senses : int
        How many definitions the headword has.
    """

    name: str
    text: str
    headword: str = ""
    place: int | None = None
    sense: int = 1
    senses: int = 1


@dataclass(frozen=True)
class Glossary:
    """Headwords with their definitions, and the corpus that models are fitted on.

    The first texts of the corpus belong to the definitions, in the same order; others may follow.

    Parameters
    ----------
    corpus : Corpus
        What models are fitted on.
    headwords : list of tuple of str
        Those of each definition.
    definitions : list of str
        One for each sense.

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
        """Both dictionaries of the sample; headwords are not part of the texts, so that they are missing words.

        Parameters
        ----------
        sample : Sample
            As ``load("sample")`` gives it.
        """
        check_kind("sample", sample, Sample, "give load('sample')")
        data = sample.dictionary
        heads = [*data.candidate_table["headword"].tolist(), *data.query_table["headword"].tolist()]
        texts = [*data.candidates, *data.queries]
        corpus = Corpus.from_texts([*texts, *sample.documents.texts], analyzer="stem")
        return cls(corpus, [(str(head),) for head in heads], texts)

    @classmethod
    def from_dictionary(cls, dictionary: Dictionary, analyzer: Any = "stem") -> Self:
        """A dictionary such as WordNet: fitted on headwords, definitions and examples, asked for definitions.

        Parameters
        ----------
        dictionary : Dictionary
            As ``load("wordnet")`` and ``load("gcide")`` give it.
        analyzer : str, Analyzer or callable, default="stem"
            As in `Corpus.from_texts`.
        """
        check_kind("dictionary", dictionary, Dictionary, "load one, such as load('wordnet') or load('gcide')")
        return cls(Corpus.from_texts(dictionary.texts, analyzer=analyzer), dictionary.headwords, dictionary.definitions)

    @classmethod
    def from_texts(cls, data: RetrievalSet | Sentences | LabelledDocuments) -> Self:
        """Texts of one's own, each under its name: a headword, an id, or its number.

        Parameters
        ----------
        data : RetrievalSet, Sentences or LabelledDocuments
            Definitions (their candidates, then their queries), or other texts.
        """
        advice = "make some with semwork.datasets.from_table"
        check_kind("data", data, (RetrievalSet, Sentences, LabelledDocuments), advice)
        if not isinstance(data, RetrievalSet):
            return cls(Corpus.from_texts(data.texts, analyzer="stem"), [(name,) for name in names_of(data)], data.texts)
        sides = (data.candidates, data.candidate_table), (data.queries, data.query_table)
        heads = [name for texts, table in sides for name in labels_of(texts, table)]
        texts = [*data.candidates, *data.queries]
        return cls(Corpus.from_texts(texts, analyzer="stem"), [(head,) for head in heads], texts)

    @cached_property
    def definitions_of(self) -> dict[str, list[int]]:
        """Headword, in lower case → the numbers of its definitions."""
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
        """Headword and number, as in ``"bank 2"``; no number if there is one definition only.

        Parameters
        ----------
        place : int
            Which definition, from 0.

        Returns
        -------
        str
        """
        head = self.headwords[place][0]
        return head if len(self.definitions_of[head.lower()]) == 1 else f"{head} {self.sense(place)}"

    def sense(self, place: int) -> int:
        """The number of a definition among those of its first headword, from 1.

        Parameters
        ----------
        place : as in `name`

        Returns
        -------
        int
        """
        return self.definitions_of[self.headwords[place][0].lower()].index(place) + 1

    def find(self, words: str, sense: int = 1) -> Entry:
        """Return a headword's definition, or the given words as a sentence of its own.

        Parameters
        ----------
        words : str
            A headword, or a sentence.
        sense : int, default=1
            Which definition of the headword, from 1.

        Returns
        -------
        Entry
        """
        given = words.strip()
        if not given:
            raise ValueError("there is nothing to look at: choose a headword, or type a sentence")
        numbers = self.definitions_of.get(given.lower())
        if numbers is None:
            return Entry(name="your sentence", text=given)
        if not 1 <= sense <= len(numbers):
            raise ValueError(f"sense is {sense}, but {given!r} has {len(numbers)}; choose 1 to {len(numbers)}")
        place = numbers[sense - 1]
        return Entry(
            name=given if len(numbers) == 1 else f"{given} {sense}",
            text=self.definitions[place],
            headword=given,
            place=place,
            sense=sense,
            senses=len(numbers),
        )

    def weigh(self, entry: Entry) -> Any:
        """The weights X of a sentence, one sparse row.

        Parameters
        ----------
        entry : Entry
            What `find` gave.

        Returns
        -------
        csr_array of shape (1, n_words)
        """
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
        model : WTMF
            Fitted on this glossary's corpus.
        entry : Entry
            What :meth:`find` gave.
        hypotheses : mapping of str to WTMF, or None
            Name → other fitted models, whose vectors of the sentence are compared.
        measure : {"sum", "fit"}
            As in :func:`relatedness`.
        k : int
            How many missing words, near words and near definitions.
        **step : Any
            ``done``, ``total`` and ``message`` of the step.

        Returns
        -------
        MissingStep
        """
        sentence = self.weigh(entry)
        found = self.contest(sentence, hypotheses or {}, model.missing_weight, measure)
        return self.step_of(model, entry, sentence, found, measure, k, **step)

    def step_of(
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
        """Look at a sentence that is weighed, with hypotheses that are compared; the arguments are those of `look`.

        Parameters
        ----------
        model, entry, measure, k : as in `look`
        sentence : csr_array of shape (1, n_words)
            What `weigh` gave.
        candidates : DataFrame of shape (n_hypotheses, 6)
            What `contest` gave.
        done, total : int, default=1
            Of the step.
        message : str
            Of the step.

        Returns
        -------
        MissingStep
        """
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
            model_vector=relatedness(sentence, {"yours": predicted}, measure=measure),
            candidates=candidates,
            headword_rank=self._headword_rank(predicted, sentence, entry),
        )

    def contest(self, sentence: Any, hypotheses: Mapping[str, WTMF], weight: float, measure: Measure) -> pd.DataFrame:
        """Return R_o and R_m of fitted hypotheses about a sentence, their scores at a weight, and who wins.

        Parameters
        ----------
        sentence : csr_array of shape (1, n_words)
            What `weigh` gave.
        hypotheses : mapping of str to WTMF
            Name → a fitted model.
        weight : float
            w_m, at which they are scored.
        measure : {"sum", "fit"}
            As in :func:`relatedness`.

        Returns
        -------
        DataFrame of shape (n_hypotheses, 6)
        """
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
        [numbers], [values] = nearest(vector[None], rows, k + 1)
        others = numbers != (-1 if entry.place is None else entry.place)
        found, similar = numbers[others][:k], values[others][:k]
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

        [columns], [values] = nearest(vector[None], components.T, k)
        return pd.DataFrame(
            {"word": self.words[columns], "similarity": values, "observed": one_row(sentence)[columns] > 0}
        )

    def _headword_rank(self, predicted: Floats, sentence: Any, entry: Entry) -> int | None:
        """How many missing words fit at least as well as the headword, itself included."""
        terms = self.corpus.tokens(entry.headword)
        column = self.corpus.columns.get(terms[0]) if len(terms) == 1 else None
        missing = one_row(sentence) == 0
        if column is None or not missing[column]:
            return None
        return int((predicted[missing] >= predicted[column]).sum())


_LOAD = calling(load)
_GLOSSARY = calling(Glossary)

# The definition that the paper's Table 1 is about, where it is not the first one of its headword.
_FIRST_SENSES = {("WordNet", "bank"): 4}


def first_sense(data: str, headword: str) -> int:
    """Return which sense of a headword is looked at first in one of `GLOSSARIES`: that of Table 1, or the first one.

    Examples
    --------
    >>> first_sense("WordNet", " Bank "), first_sense("sample", "bank")
    (4, 1)
    """
    return _FIRST_SENSES.get((data, headword.strip().lower()), 1)


#: The dictionaries that a list offers.
GLOSSARIES = Input(
    "data",
    "WordNet: 117,659 definitions; each iteration is drawn as it comes",
    {
        "sample": Source("sample", _GLOSSARY.from_sample(_LOAD("sample"))),
        "WordNet": Source("WordNet", _GLOSSARY.from_dictionary(_LOAD("wordnet")), needs=("wordnet",), warm_start=True),
    },
    dict.fromkeys((RetrievalSet, Sentences, LabelledDocuments), _GLOSSARY.from_texts),
)
