"""A sentence model together with the corpus that it reads: texts in, similarities out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.model_files import part_of, read_model, within, write_model
from semwork.similarity.base import SentenceModel, model_part, plain_rows, read_part
from semwork.similarity.penalty import warn_of
from semwork.steps import Step, last
from semwork.text import Corpus
from semwork.text.choice import AnalyzerLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SentenceSpace"]


class SentenceSpace:
    """Sentences as points: the same few calls for every model.

    Parameters
    ----------
    corpus : Corpus
        What the model is fitted on, and how new texts are split, counted and weighed.
    model : SentenceModel
        Any `SentenceModel`: `WTMF`, `TfidfCosine`, `NGramOverlap`, `LSA`, `LDAVectors`, `WordAverage`, `Encoder`.

    Examples
    --------
    >>> from semwork.similarity import WTMF
    >>> texts = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"]
    >>> space = SentenceSpace.from_texts(texts, WTMF(n_components=2, regularization=0.1, random_state=0), min_count=1)
    >>> space.fit().similar("fish in a river", k=1)["text"].tolist()
    ['fish swim in the river']
    """

    def __init__(self, corpus: Corpus, model: SentenceModel) -> None:
        if not isinstance(corpus, Corpus):
            raise TypeError(
                f"corpus is {corpus!r:.60} ({type(corpus).__name__}); it has to be a Corpus, as Corpus.from_texts "
                "makes. SentenceSpace.from_texts(texts, model) takes texts"
            )
        if not isinstance(model, SentenceModel):
            raise TypeError(
                f"model is {model!r:.60} ({type(model).__name__}); it has to be a sentence model with its parameters, "
                "such as WTMF(n_components=50)"
            )
        self.corpus = corpus
        self.model = model

    @classmethod
    def from_texts(cls, texts: Iterable[str], model: SentenceModel, **options: Any) -> Self:
        """Make the corpus too; options are those of `Corpus.from_texts`.

        Parameters
        ----------
        texts : iterable of str
            What the model is fitted on.
        model : SentenceModel
            The model.
        **options : Any
            The other arguments of `Corpus.from_texts`.

        Returns
        -------
        SentenceSpace
        """
        return cls(Corpus.from_texts(texts, **options), model)

    def steps(self, **options: Any) -> Iterator[Step]:
        """Fit the model to the corpus, step by step; options go to the model's ``steps``.

        Parameters
        ----------
        **options : Any
            Arguments of the model's ``steps``, as ``dev_score`` for `WTMF`.

        Yields
        ------
        Step
            Those of the model.
        """
        given: Any = {"weights": "matrix", "counts": "counts", "texts": "texts"}[self.model.reads]
        try:
            for step in self.model.steps(getattr(self.corpus, given), **options):
                self.__dict__.pop("_own_rows", None)
                yield step
        finally:  # at its end a fit may go back to its best step
            self.__dict__.pop("_own_rows", None)

    def fit(self, **options: Any) -> Self:
        """Run all steps.

        Parameters
        ----------
        **options : as in `steps`
        """
        warn_of(last(self.steps(**options)))
        return self

    def encode(self, texts: Sequence[str], *, weights: Any = None) -> Any:
        """One row per text; ``weights`` are those of the same texts, if the caller has them already.

        Parameters
        ----------
        texts : sequence of str
            The texts.
        weights : csr_array of shape (n_texts, n_words), or None
            Their weights in the corpus of the space.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_texts, n_dimensions)
        """
        if isinstance(texts, str):
            raise TypeError(f"encode takes a list of texts, got one string ({texts[:40]!r} …); write [text]")
        if self.model.reads == "texts":
            return plain_rows(self.model, list(texts))
        return plain_rows(self.model, self.corpus.transform(texts) if weights is None else weights)

    @cached_property
    def _own_rows(self) -> Any:
        return self.encode(self.corpus.texts, weights=self.corpus.matrix)

    def vectors(self, texts: Sequence[str] | None = None, index: Sequence[Any] | None = None) -> pd.DataFrame:
        """Return the vectors of texts as a table, to be joined with what else is known of them.

        Parameters
        ----------
        texts : sequence of str or None
            The texts; those of the corpus by default.
        index : sequence or None
            What the texts are called; their numbers by default.

        Returns
        -------
        DataFrame of shape (n_texts, n_dimensions)
            Columns ``v0``, ``v1`` and so on. `semwork.tables.save_vectors` writes it to a file.
        """
        import pandas as pd

        rows = self._own_rows if texts is None else self.encode(texts)
        if sparse.issparse(rows):
            raise ValueError(
                f"the vectors of {type(self.model).__name__} are as long as the vocabulary and mostly zeros; take them "
                "from encode(texts), a sparse matrix"
            )
        dense = np.asarray(rows)
        if index is not None and len(index) != len(dense):
            raise ValueError(f"index has {len(index)} names; there are {len(dense)} texts")
        found = pd.DataFrame(dense, columns=[f"v{number}" for number in range(dense.shape[1])])
        return found if index is None else found.set_axis(list(index), axis="index")

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """Similarity of each left text with the right one at the same place.

        Parameters
        ----------
        left, right : sequence of str
            As many texts on each side.

        Returns
        -------
        ndarray of shape (n_texts,), float64
        """
        from semwork.similarity.search import pairwise

        return pairwise(self.encode(left), self.encode(right), measure=self.model.measure)

    def similar(self, text: str, k: int = 10, *, among: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the k texts most similar to one text, among those of the corpus or the given ones.

        A text in which the model knows no word is like nothing: it is refused, and its words are named.

        Parameters
        ----------
        text : str
            One text.
        k : int
            How many texts are returned.
        among : sequence of str, or None
            The texts to search; those of the corpus by default.

        Returns
        -------
        DataFrame of shape (k, 3)
            ``place`` (the number of the text), ``similarity`` and ``text``, the most similar text first.
        """
        import pandas as pd

        from semwork.similarity.search import nearest

        if not isinstance(text, str):
            raise TypeError(f"similar takes one text, a string, got {text!r:.60} ({type(text).__name__})")
        if isinstance(among, str):
            raise TypeError(f"among takes a list of texts, got one string ({among[:40]!r} …); write [text]")
        texts = self.corpus.texts if among is None else list(among)
        rows = self._own_rows if among is None else self.encode(texts)
        asked = self.encode([text])
        # A model of words may have a vector for a text without any; an encoder reads what has no word for us.
        seen = asked if self.model.reads == "texts" else self.corpus.transform([text])
        if not (seen.count_nonzero() if sparse.issparse(seen) else np.any(seen)):
            raise ValueError(self._why_nothing(text))
        [found], [values] = nearest(asked, rows, k, measure=self.model.measure)
        return pd.DataFrame({"place": found, "similarity": values, "text": [texts[place] for place in found]})

    def _why_nothing(self, text: str) -> str:
        """Say why a text has a vector of zeros."""
        shown = f"{text[:60]!r}{' …' if len(text) > 60 else ''}"
        words = list(dict.fromkeys(self.corpus.tokens(text)))
        if not words:
            return f"there is no word in {shown}; give a text of words"
        unknown = [word for word in words if word not in self.corpus.columns]
        if len(unknown) < len(words):
            known = ", ".join(word for word in words if word not in unknown)
            return f"what is known of {shown} ({known}) weighs nothing in this corpus; add words that tell more"
        named = ", ".join(unknown[:10]) + (f" and {len(unknown) - 10} more" if len(unknown) > 10 else "")
        return (
            f"no word of {shown} is known: {named}. The corpus has {len(self.corpus.vocabulary):,} words, those that "
            f"occur {self.corpus.min_count} times or more in its {len(self.corpus):,} texts; ask with some of them, or "
            "train on texts that have yours"
        )

    def save(self, path: str | Path) -> Path:
        """Write corpus and fitted model to one ``.npz`` file (arrays, and the rest as JSON; nothing is pickled).

        Every model that has a file of its own can be kept: WTMF, LSA, LDAVectors, TfidfCosine, a Blend of them, and
        classes of yours that name in ``_saved_attributes`` what they learn. Give an analyzer of your own again
        to `load`.

        Parameters
        ----------
        path : str or Path
            The file; its name ends in ``.npz``.

        Returns
        -------
        Path
        """
        corpus, arrays = self.corpus._to_file()
        head, model_arrays = model_part("model", self.model)
        return write_model(path, type(self), head | {"corpus": corpus}, within("corpus", arrays) | model_arrays)

    @classmethod
    def load(cls, path: str | Path, analyzer: AnalyzerLike | None = None) -> Self:
        """Read a space that `save` wrote; it gives the same answers.

        Parameters
        ----------
        path : str or Path
            The file.
        analyzer : str, Analyzer, callable or None
            Only for a corpus that was made with an analyzer of your own: the same one.
        """
        head, arrays = read_model(path, cls)
        corpus = Corpus._from_file(head["corpus"], part_of("corpus", arrays), analyzer)
        return cls(corpus, read_part("model", head, arrays))
