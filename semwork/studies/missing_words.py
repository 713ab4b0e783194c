"""What does a sentence's vector say of the words that are there, and of those that are not?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from semwork.given import check_kind
from semwork.similarity.catalogue import WEIGHT_GRID
from semwork.similarity.missing import Measure, scores
from semwork.similarity.wtmf import WTMF
from semwork.studies import wtmf_fields
from semwork.studies.glossary import GLOSSARIES, Glossary, first_sense
from semwork.studies.missing_steps import HYPOTHESES, MissingStep
from semwork.studies.settings import Settings, choice, text, whole
from semwork.studies.study import Answer, Facts, Study
from semwork.studies.warm_start import WarmStart
from semwork.studies.wtmf_fields import ITERATIONS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MissingSettings", "MissingWords"]

# With this word the place of the headword, the words and the neighbours all tell too small, good and too large apart,
# whatever the seed; "bank" stands in 19th place at w_m = 0.01 and in 20th at 1.
_OPENING = "website"
_MEASURES: Mapping[str, Measure] = {"sum of P·v (section 2.1)": "sum", "as the objective counts (equation 3)": "fit"}


@dataclass(frozen=True, kw_only=True)
class MissingSettings(Settings):
    """Which sentence is looked at, through which model."""

    definition: str = text(
        _OPENING,
        "headword, or your own sentence",
        "choose, or type and press Enter",
        options=lambda facts: facts["heads"],
        own=lambda facts: facts["heads"][0],
    )
    sense: int = whole(1, "sense", "which definition, if the headword has several", 1, 99, shown="box")
    missing_weight: float = wtmf_fields.missing_weight()
    n_components: int = wtmf_fields.n_components(most=100)
    regularization: float = wtmf_fields.regularization()
    measure: Measure = choice("sum", "R_o and R_m are", "how relatedness is added up", _MEASURES, shown="list")
    seed: int = wtmf_fields.seed()

    def model(self, missing_weight: float | None = None) -> WTMF:
        """Return WTMF with these settings, or with another weight, not fitted yet.

        Parameters
        ----------
        missing_weight : float or None
            ``None`` for that of the settings.

        Returns
        -------
        WTMF
        """
        return WTMF(
            n_components=self.n_components,
            missing_weight=self.missing_weight if missing_weight is None else missing_weight,
            regularization=self.regularization,
            max_iter=ITERATIONS,
            random_state=self.seed,
        )


@dataclass(frozen=True, eq=False)
class Words(Answer):
    """Observed words, and the missing words that fit best."""

    words: pd.DataFrame
    title: str


@dataclass(frozen=True, eq=False)
class Contest(Answer):
    """Three hypotheses about a sentence, and who wins at each weight."""

    candidates: pd.DataFrame
    along: pd.DataFrame
    weight: float
    weights: Sequence[float]
    model_vector: pd.DataFrame
    title: str = "Three hypotheses: v1 made with w_m = 0, v2 with 1, v3 with 0.01"


@dataclass(frozen=True, eq=False)
class Neighbours(Answer):
    """What is nearest to a sentence's vector."""

    similar_words: pd.DataFrame
    definitions: pd.DataFrame
    title: str = "What is nearest to the vector?"


class MissingWords(Study[MissingSettings, MissingStep]):
    """One sentence as WTMF sees it. What is fitted is kept: another sentence, or another weight, need not pay again.

    Parameters
    ----------
    glossary : Glossary
        Definitions, and the corpus that models are fitted on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = MissingWords.on("sample")
    >>> end = last(study.steps(MissingSettings(definition="bank")))
    >>> end.candidates["candidate"].tolist()
    ['v1', 'v2', 'v3']
    """

    settings = MissingSettings
    inputs = {"data": GLOSSARIES}

    def __init__(self, glossary: Glossary) -> None:
        check_kind("glossary", glossary, Glossary, "make one with Glossary.from_sample or Glossary.from_dictionary")
        self.glossary = glossary
        self._last: tuple[Any, WTMF] | None = None  # the settings of the fit, and the model
        self._hypotheses: tuple[Any, dict[str, WTMF]] = ((), {})
        self._start = WarmStart()

    @functools.cached_property
    def facts(self) -> Facts:
        """The headwords, and how many definitions there are."""
        return Facts(
            heads=lambda: sorted(self.glossary.definitions_of),
            definitions=len(self.glossary.definitions),
            **wtmf_fields.facts_of(self.glossary.corpus),
        )

    @classmethod
    def goes_on(cls, _: MissingSettings) -> bool:
        """Whether WTMF is fitted: always."""
        return True

    @classmethod
    def reaction(cls, chosen: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """A new word, or another dictionary, begins with its first sense, or with that of the paper's Table 1.

        No default says this: it is of a word in a dictionary, and a record of settings does not know its data.
        """
        follows = chosen in ("data", "definition")
        return {"sense": first_sense(values["data"], values["definition"])} if follows else {}

    def steps(self, settings: MissingSettings) -> Iterator[MissingStep]:
        """Fit a model, looking at the sentence on the way; then fit the three hypotheses that are not fitted yet.

        On few texts a fit takes a blink, and only its end is a step; on many texts every iteration is one.
        """
        settings = settings.checked()
        glossary, every = self.glossary, 1 if self.warm else ITERATIONS
        entry = glossary.find(settings.definition, settings.sense)
        sentence = glossary.weigh(entry)
        weight, measure = settings.missing_weight, settings.measure
        known = self._known(settings)
        lacking = {name: other for name, other in HYPOTHESES.items() if name not in known}
        model = self._fitted(settings)
        total = (len(lacking) + (model is None)) * ITERATIONS or 1
        contest = glossary.contest(sentence, known, weight, measure)
        done = 0
        if model is None:
            model = settings.model()
            for step in model.steps(glossary.corpus.matrix, **self._start.options(model, self.warm)):
                done += 1
                self._start.keep(model.snapshot())
                if done < total and (step.done % every == 0 or step.done == ITERATIONS):
                    told = f"iteration {step.done}, {step.message}"
                    yield glossary.step_of(
                        model, entry, sentence, contest, measure, done=done, total=total, message=told
                    )
            self._last = _fit_of(settings), model
        view = glossary.step_of(model, entry, sentence, contest, measure)
        for name, other_weight in lacking.items():
            other = settings.model(other_weight)
            for step in other.steps(glossary.corpus.matrix):
                done += 1
                if done < total and step.done % every == 0:
                    told = f"fitting {name}, w_m = {other_weight:g}: iteration {step.done}"
                    yield replace(view, done=done, total=total, message=told)
            known[name] = other
            view = replace(view, candidates=glossary.contest(sentence, known, weight, measure))
        yield replace(view, done=total, total=total, message=_summary(view))

    def _fitted(self, settings: MissingSettings) -> WTMF | None:
        """The last model, if it was fitted with the same settings."""
        return self._last[1] if self._last and self._last[0] == _fit_of(settings) else None

    def _known(self, settings: MissingSettings) -> dict[str, WTMF]:
        """The hypotheses that share all settings but the weight."""
        key = (settings.n_components, settings.regularization, settings.seed)
        if self._hypotheses[0] != key:
            self._hypotheses = key, {}
        return self._hypotheses[1]

    def table(self, step: MissingStep) -> pd.DataFrame:
        """Return R_o and R_m of the hypotheses, their scores, and who wins."""
        return step.candidates

    # --- questions --------------------------------------------------------------------------------------------------

    def words(self, step: MissingStep) -> Words:
        """Return what the vector predicts for the sentence's words, and for the missing words that fit best."""
        return Words(step.words, f"{step.entry.name}: {step.entry.text}")

    def hypotheses(self, step: MissingStep) -> Contest:
        """Return R_o and R_m of the hypotheses, and their scores along the weight of missing words."""
        weights = sorted({*WEIGHT_GRID, float(step.weight)})
        return Contest(step.candidates, scores(step.candidates, weights), step.weight, weights, step.model_vector)

    def neighbours(self, step: MissingStep) -> Neighbours:
        """Return the nearest words and the nearest definitions."""
        return Neighbours(step.similar_words, step.definitions)


def _fit_of(settings: MissingSettings) -> MissingSettings:
    """The settings without what a fit does not depend on."""
    return replace(settings, definition="", sense=1, measure="sum")


def _summary(view: MissingStep) -> str:
    """What a status line says of the last step."""
    winner = view.candidates[view.candidates["wins"]]["candidate"].tolist()
    parts = [f"sense {view.entry.sense} of {view.entry.senses}" if view.entry.senses > 1 else ""]
    parts += [f"R_o − {view.weight:g} R_m is largest for {winner[0]}"] if winner else []
    if view.headword_rank is not None:
        parts.append(f"the headword is missing word number {view.headword_rank:,}")
    return " · ".join(part for part in parts if part)
