"""Pairs of sentences to be judged: does one say what the other says, or does it follow?"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from semwork.datasets import SentencePairs, load
from semwork.given import check_word
from semwork.structures.tasks.sentences import entailment_problems, paraphrase_problems
from semwork.studies.origin import Origin, calling
from semwork.studies.pair_sets import with_labels
from semwork.studies.study import Input, Source

__all__ = ["SENTENCE_TASKS", "SentenceTask", "sentence_task"]

# Name → data set, and group of its pairs.
_SETS = {
    "paraphrase": ("msr04", ""),
    "entailment 1": ("rte", "rte1"),
    "entailment 2": ("rte", "rte2"),
    "entailment 3": ("rte", "rte3"),
}


# What sentences are parsed with, and what says which words are alike.
_PARSING, _PARSER = ("wordnet", "en_core_web_sm"), {"spacy": "nlp"}


@dataclass(frozen=True, eq=False)
class SentenceTask:
    """Pairs with labels, and what is asked of them.

    Attributes
    ----------
    pairs : SentencePairs
        Pairs of sentences with scores: 1 for yes. Those of the split ``"test"`` are to be judged, the others are for
        training.
    entailment : bool
        Whether the right sentence is to follow from the left one; otherwise both are to say the same.
    """

    pairs: SentencePairs
    entailment: bool = False

    @property
    def verdicts(self) -> tuple[str, str]:
        """What a positive pair is called, and a negative one."""
        return ("it follows", "it does not follow") if self.entailment else ("a paraphrase", "no paraphrase")

    def verdict(self, score: float) -> str:
        """Say what a score means.

        Parameters
        ----------
        score : float
            0 or more for yes.

        Returns
        -------
        str
        """
        return self.verdicts[0 if score >= 0 else 1]

    def problems(self, *, general: bool) -> Any:
        """Return a function from a pair of parsed sentences to its problem, with features of whole sentences or not.

        Parameters
        ----------
        general : bool
            Whether there are features of whole sentences.

        Returns
        -------
        callable
        """
        return _problems(self.entailment, general)


@functools.cache
def _problems(entailment: bool, general: bool) -> Any:
    return (entailment_problems if entailment else paraphrase_problems)(general=general)


def sentence_task(name: str) -> SentenceTask:
    """Return a task of the lesson.

    Parameters
    ----------
    name : {"paraphrase", "entailment 1", "entailment 2", "entailment 3"}
        MSR04, or a challenge of RTE.

    Returns
    -------
    SentenceTask
    """
    check_word("task", name, _SETS, "its pairs are data sets; for pairs of your own make a SentenceTask")
    if name not in _SETS:
        raise ValueError(f"there is no task {name!r}; there are {', '.join(_SETS)}")
    data, group = _SETS[name]
    pairs: SentencePairs = load(data)
    if group:
        pairs = pairs.at(np.flatnonzero(np.asarray(pairs.group) == group))
    return SentenceTask(pairs, entailment=name != "paraphrase")


def _of_own(pairs: Origin) -> Origin:
    return calling(SentenceTask)(calling(with_labels)(pairs))


#: The tasks that a list offers.
SENTENCE_TASKS = Input(
    "task",
    "paraphrase: MSR04; entailment: RTE-1 to 3, does the second follow from the first?",
    {
        name: Source(
            name,
            calling(sentence_task)(name),
            needs=(data, *_PARSING),
            packages=_PARSER,
        )
        for name, (data, _) in _SETS.items()
    },
    {SentencePairs: _of_own},
    needs=_PARSING,
    packages=_PARSER,
)
