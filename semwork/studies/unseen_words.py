"""What do two topic models make of words that training has not seen?"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import check_kind
from semwork.steps import Step
from semwork.studies.fixed_topics import FixedTopics, Reading
from semwork.studies.remembered import Remembered
from semwork.studies.replacing import NO_VECTOR, UNSEEN, Replacing, substitute, words_of
from semwork.studies.settings import Settings, choice, real, seed, text, whole
from semwork.studies.study import Answer, NoAnswer, Study
from semwork.studies.topic_tasks import UNSEEN_TASKS, UnseenTask
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap, topic_map
from semwork.topics.lda import LDA

__all__ = ["NOTHING_CHOSEN", "UnseenSettings", "UnseenStep", "UnseenView", "UnseenWords"]

Floats = NDArray[np.float64]
_Readings = Remembered[str, tuple[Reading, Reading]]
_Written = tuple[str, list[tuple[str, str]]]  # a text, and which words were replaced by which
_LONGEST = 90  # words of a text that are shown
_NEAREST = 5  # seen words beside a word in the map
_REMEMBERED = 12  # finished runs
_WRITTEN = 32  # documents in which words are replaced
_READ = 32  # texts whose readings are remembered, of the step that is drawn
# What the lesson opens with. The nearest unseen word seldom fits into a sentence; these are among the eight nearest,
# and the text can still be read.
_OPENING = {"beans": "pods", "bread": "cheese", "nurse": "dentist", "tablets": "medicines"}
#: What the list of replacements shows while nothing is chosen, and its value.
NOTHING_CHOSEN = ("choose one …", "")


@dataclass(frozen=True, kw_only=True)
class UnseenSettings(Settings):
    """How many topics there are, and what training does not see."""

    n_topics: int = whole(12, "K, number of topics", "of both models", 2, 50, at={"newsgroups": 30}, at_once=False)
    hidden: float = real(
        0.2, "hidden words", "share of the words that training does not see", 0, 0.95,
        grid=(0.0, 0.1, 0.2, 0.4), at={"newsgroups": 0.0},
    )  # fmt: skip
    seed: int = seed("which words are hidden")


@dataclass(frozen=True, kw_only=True)
class UnseenView(Settings):
    """Which text is read, and which word is looked at."""

    document: int = whole(
        39, "document", "its number; training has not seen it", 0, lambda step: step.n_texts - 1,
        shown="box", at={"newsgroups": 3},
    )  # fmt: skip
    replaced: int = whole(
        len(_OPENING), "words replaced", "by unseen words that are near to them", 0, 15, at={"newsgroups": 0}
    )
    word: str = text(
        "",
        "look at a word",
        "type any word, or click one in the text",
        hint="the last one put in",
        resets=True,
        private=True,
    )
    replacement: str = choice(
        "", "replace it by", "unseen words, the nearest first", dict([NOTHING_CHOSEN]), shown="list"
    )
    text: str = text(
        "",
        "the text",
        "write what you like into it",
        hint="the document as it is written",
        shown="lines",
        resets=True,
        private=True,
    )


@dataclass(frozen=True, kw_only=True)
class UnseenStep(Step):
    """Both models after as many sweeps.

    Attributes
    ----------
    gaussian, lda : FixedTopics
        Their topics.
    plane : TopicMap
        Words and Gaussian topics in two dimensions.
    seen, hidden : frozenset of str
        The words of training, and those that were hidden from it.
    n_texts : int
        How many documents training has not seen.
    """

    gaussian: FixedTopics
    lda: FixedTopics
    plane: TopicMap
    seen: frozenset[str]
    hidden: frozenset[str]
    n_texts: int


@dataclass(frozen=True, eq=False)
class TextAsRead(Answer):
    """A text, piece by piece, with the topics that two models give to its words."""

    pieces: pd.DataFrame
    shares: Mapping[str, pd.DataFrame]
    word: str
    title: str


@dataclass(frozen=True, eq=False)
class Shares(Answer):
    """Topics of a text, and of the original, under each model, and how far they have moved."""

    shares: Mapping[str, pd.DataFrame]
    moved: Mapping[str, float]
    title: str = "Topics of the text (bars), and of the original (diamonds)"


@dataclass(frozen=True, eq=False)
class WordPlace(Answer):
    """Where a word stands among the topics, and how likely each of them is."""

    words: pd.DataFrame
    topics: pd.DataFrame
    outlines: Floats
    explained: Floats
    placed: pd.DataFrame
    near: pd.DataFrame
    title: str


class UnseenWords(Study[UnseenSettings, UnseenStep]):
    """Both models on documents for training without some words, and texts in which these words may stand.

    Parameters
    ----------
    task : UnseenTask
        Documents, word vectors, and the prior.

    Examples
    --------
    >>> study = UnseenWords.on("sample")
    >>> step = next(study.steps(UnseenSettings()))
    >>> new = study.words(step).near("orbit")[0]
    >>> [study.words(step).status(word) for word in ("orbit", new, "qwertz")]
    ['seen', 'unseen', 'no vector']
    """

    settings, view = UnseenSettings, UnseenView
    inputs = {"data": UNSEEN_TASKS}

    def __init__(self, task: UnseenTask) -> None:
        check_kind("task", task, UnseenTask, "make one with UnseenTask(data), or take one of the lessons")
        self.task = task
        others = np.flatnonzero(~task.data.training)
        self.texts = [" ".join(task.data.texts[row].split()[:_LONGEST]) for row in others]
        self.labels = task.data.labels[others]
        self._finished = Remembered[UnseenSettings, UnseenStep](_REMEMBERED)
        self._replacing = functools.lru_cache(maxsize=4)(lambda seen: Replacing(self.task.known, seen))
        self._written = Remembered[tuple[frozenset[str], int, int], _Written](_WRITTEN)
        # Several pictures show the same readings of the step that is drawn.
        self._readings: tuple[UnseenStep | None, _Readings] = None, _Readings(_READ)

    @property
    def facts(self) -> dict[str, Any]:
        """How many documents for training there are, how many texts, how many words."""
        data = self.task.data
        return {"documents": int(data.training.sum()), "texts": len(self.texts), "words": len(data.vectors)}

    def hidden_words(self, share: float, seed: int) -> frozenset[str]:
        """Return the words that training does not see: a share of them, drawn by a seed.

        Parameters
        ----------
        share : float
            Between 0 and 1.
        seed : int
            Another one draws others.

        Returns
        -------
        frozenset of str
        """
        names = sorted(self.task.data.vectors.index)
        chosen = np.random.default_rng(seed).choice(len(names), int(share * len(names)), replace=False)
        return frozenset(names[place] for place in chosen)

    def steps(self, settings: UnseenSettings) -> Iterator[UnseenStep]:
        """Sample both models on the same tokens, sweep by sweep; a run that was finished before is shown at once."""
        settings = settings.checked(self.facts)
        if (finished := self._finished.get(settings)) is not None:
            yield finished
            return
        task, hidden = self.task, self.hidden_words(settings.hidden, settings.seed)
        ours = [task.data.documents[row] for row in np.flatnonzero(task.data.training)]
        documents = [[word for word in document if word not in hidden] for document in ours]
        seen = frozenset(word for document in documents for word in document)
        model = GaussianLDA(settings.n_topics, "precision", task.alpha, task.prior, random_state=settings.seed)
        lda = LDA(settings.n_topics, task.alpha, random_state=settings.seed)
        runs = zip(
            model.steps(documents, task.known, max_sweeps=task.sweeps),
            lda.steps(documents, max_sweeps=task.sweeps),
            strict=True,
        )
        words = f"{len(hidden):,} words" if hidden else "hidden words"
        plane: TopicMap | None = None
        step: UnseenStep | None = None
        for sampled, _ in runs:
            plane = topic_map(model, axes_of=plane)
            step = UnseenStep(
                done=sampled.done,
                total=sampled.total,
                message=f"training without {words}, log-likelihood {sampled.log_likelihood:.3f}",
                gaussian=FixedTopics("Gaussian LDA", model.snapshot(), task.known.index, task.alpha),
                lda=FixedTopics("LDA", lda.snapshot(), seen, task.alpha),
                plane=plane,
                seen=seen,
                hidden=hidden,
                n_texts=len(self.texts),
            )
            yield step
        if step is not None:
            self._finished.put(settings, step)

    def table(self, step: UnseenStep, document: int = 0, text: str = "", replaced: int = 0) -> pd.DataFrame:
        """Return for each ``model`` how many words of a text it drops, and how far its topics have moved."""
        rows = []
        for topics, before, now in self._both(step, document, self.text_read(step, document, text, replaced)):
            best = int(now.proportions.argmax())
            dropped = int((~now.known).sum())
            share = float(now.proportions[best])
            rows.append((topics.name, len(now.words), dropped, _moved(before, now), best, share))
        return pd.DataFrame(rows, columns=["model", "words", "dropped", "moved", "largest topic", "its share"])

    # --- words and texts --------------------------------------------------------------------------------------------

    def words(self, step: UnseenStep) -> Replacing:
        """Return what is known of words after this step's training, and which unseen words are near."""
        return self._replacing(step.seen)

    def number(self, document: int) -> int:
        """Return the number of a document, of the last one if there are not so many.

        Parameters
        ----------
        document : int
            From 0.

        Returns
        -------
        int
        """
        return min(document, len(self.texts) - 1)

    def written(self, step: UnseenStep, document: int, replaced: int) -> tuple[str, list[tuple[str, str]]]:
        """Return a document with so many words replaced, and which: as the lesson opens, where these can be."""
        number, words = self.number(document), self.words(step)

        def write() -> _Written:
            opening = words.put_in(self.texts[number], _OPENING) if replaced == len(_OPENING) else None
            return opening or words.replaced(self.texts[number], replaced)

        return self._written.made((step.seen, number, replaced), write)

    def text_read(self, step: UnseenStep, document: int, text: str, replaced: int) -> str:
        """Return the text that is read: where it is empty the document, with so many words replaced."""
        return text if text.strip() else self.written(step, document, replaced)[0]

    def looked_at(self, step: UnseenStep, document: int, word: str, text: str, replaced: int) -> str:
        """Return the word that is asked for, else one of the text.

        That is the word that was put in last, if the text has it; else its first unseen word, else its first known one.
        """
        if word.strip():
            return word.strip().lower()
        words = words_of(self.text_read(step, document, text, replaced))
        put_in = [new for _, new in reversed(self.written(step, document, replaced)[1]) if new in words]
        status = {each: self.words(step).status(each) for each in words}
        unseen = [each for each, said in status.items() if said == UNSEEN]
        return next(iter([*put_in, *unseen, *(each for each, said in status.items() if said != NO_VECTOR)]), "")

    def offered(self, step: UnseenStep, document: int, word: str, text: str, replaced: int) -> list[str]:
        """Return unseen words that may stand in the place of the word that is looked at, the nearest first."""
        return self.words(step).near(self.looked_at(step, document, word, text, replaced))

    def put_in(self, step: UnseenStep, document: int, word: str, text: str, replaced: int, new: str) -> str:
        """Return the text with another word in the place of the one that is looked at."""
        looked = self.looked_at(step, document, word, text, replaced)
        return substitute(self.text_read(step, document, text, replaced), looked, new)

    def replaces(self, document: int, word: str, text: str) -> str:
        """Return the word of the document in whose place a word now stands, if that can be said.

        Parameters
        ----------
        document : int
            From 0.
        word : str
            Which stands there now.
        text : str
            The document as it is now.

        Returns
        -------
        str
            Empty where it cannot be said.
        """
        one, two = self.texts[self.number(document)].split(), text.split()
        if len(one) == len(two):
            for before, after in zip(one, two, strict=True):
                if before != after and words_of(after) == [word]:
                    return (words_of(before) or [""])[0]
        return ""

    def read(self, step: UnseenStep, text: str) -> tuple[Reading, Reading]:
        """Return how Gaussian LDA and LDA read a text."""
        read_by, readings = self._readings  # both at once: another thread may ask of another step
        if read_by is not step:
            readings = _Readings(_READ)
            self._readings = step, readings
        words = words_of(text)
        return readings.made(text, lambda: (step.gaussian.read(words), step.lda.read(words)))

    def chances(self, step: UnseenStep, word: str) -> pd.DataFrame:
        """Return p(topic | word) under Gaussian LDA, the likeliest first: ``topic``, ``probability``, ``words``."""
        if not step.gaussian.knows(word):
            said = f"“{word}” has no vector: no model can place it" if word else "No word has a vector"
            raise NoAnswer(said)
        chances = step.gaussian.posterior(word)
        order = np.argsort(-chances, kind="stable")
        words = [step.gaussian.top_words[topic] for topic in order]
        return pd.DataFrame({"topic": order, "probability": chances[order], "words": words})

    # --- questions --------------------------------------------------------------------------------------------------

    def reading(self, step: UnseenStep, document: int, word: str, text: str, replaced: int = 0) -> TextAsRead:
        """Return the pieces of a text, with the topics of its words under each model."""
        looked = self.looked_at(step, document, word, text, replaced)
        text = self.text_read(step, document, text, replaced)
        pieces = text.split()
        words = [(words_of(piece) or [""])[0] for piece in pieces]
        words_known = self.words(step)
        table = {"piece": pieces, "word": words, "status": [words_known.status(each) for each in words]}
        for topics, _, now in self._both(step, document, text):
            found = dict(zip(now.words, now.topics.tolist(), strict=True))
            table[topics.name] = [found.get(each, -1) for each in words]
        gaussian, lda = self.read(step, text)
        drops = f"Gaussian LDA drops {(~gaussian.known).sum()} of {len(gaussian.words)} words, LDA {(~lda.known).sum()}"
        number = self.number(document)
        label = str(self.labels[number])
        title = f"Document {number}{', ' if label else ''}{html.escape(label)}: {drops}"
        return TextAsRead(pd.DataFrame(table), self.shares(step, document, text).shares, looked, title)

    def shares(self, step: UnseenStep, document: int, text: str, replaced: int = 0) -> Shares:
        """Return the topic proportions of a text and of the original, under each model."""
        both = self._both(step, document, self.text_read(step, document, text, replaced))
        tables = {
            topics.name: pd.DataFrame({"before": before.proportions, "now": now.proportions, "words": topics.top_words})
            for topics, before, now in both
        }
        return Shares(tables, {topics.name: _moved(before, now) for topics, before, now in both})

    def place(self, step: UnseenStep, document: int, word: str, text: str, replaced: int = 0) -> WordPlace:
        """Return where a word stands, with the word it replaced, and how likely each topic is for it."""
        looked = self.looked_at(step, document, word, text, replaced)
        text = self.text_read(step, document, text, replaced)
        chances, origin = self.chances(step, looked), self.replaces(document, looked, text)
        names = [looked, origin] if origin and step.gaussian.knows(origin) and origin != looked else [looked]
        points = step.plane.points([self.task.known[name] for name in names])
        topics = chances.assign(
            x=step.plane.means[chances["topic"], 0],
            y=step.plane.means[chances["topic"], 1],
            tokens=step.plane.sizes[chances["topic"]],
        )
        instead = f", instead of “{html.escape(origin)}”," if origin else ""
        best, status = chances.iloc[0], self.words(step).status(looked)
        lda = "LDA drops it" if not step.lda.knows(looked) else "LDA knows it, too"
        title = f"“{html.escape(looked)}”{instead} is {status}: topic {best['topic']}, {best['probability']:.0%}; {lda}"
        return WordPlace(
            step.plane.words[["word", "x", "y"]],
            topics,
            step.plane.outlines,
            step.plane.explained,
            pd.DataFrame({"word": names, "x": points[:, 0], "y": points[:, 1]}),
            self._nearest(step, names),
            title,
        )

    def _nearest(self, step: UnseenStep, names: list[str]) -> pd.DataFrame:
        """The seen words whose vectors point most nearly where the first name's does, without the names."""
        vectors, words = self.task.known, step.plane.words[["word", "x", "y"]]
        vector = np.asarray(vectors[names[0]], dtype=np.float64)
        rows = np.asarray(vectors.vectors[[vectors.index[str(name)] for name in words["word"]]], dtype=np.float64)
        cosines = rows @ vector / np.maximum(np.linalg.norm(rows, axis=1) * np.linalg.norm(vector), 1e-12)
        found = words.iloc[np.argsort(-cosines, kind="stable")[: _NEAREST + len(names)]]
        return found[~found["word"].isin(names)].head(_NEAREST)

    def _both(self, step: UnseenStep, document: int, text: str) -> list[tuple[FixedTopics, Reading, Reading]]:
        """Each model, and how it reads the document and the text."""
        original = self.read(step, self.texts[self.number(document)])
        return list(zip((step.gaussian, step.lda), original, self.read(step, text), strict=True))


def _moved(before: Reading, now: Reading) -> float:
    """The share of a text that belongs to other topics now."""
    return float(np.abs(before.proportions - now.proportions).sum() / 2)
