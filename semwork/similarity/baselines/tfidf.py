"""IR: sentences compared by the words that they share, nothing learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from scipy import sparse
from sklearn.base import OneToOneFeatureMixin

from semwork.similarity.base import Reads, SentenceModel
from semwork.similarity.checking import check_weights
from semwork.steps import Step

__all__ = ["TfidfCosine"]


class TfidfCosine(OneToOneFeatureMixin, SentenceModel):  # type: ignore[misc]
    """The information retrieval baseline: the cosine of the weighted words themselves.

    A sentence is its row of the sentences × words matrix, so two sentences without a common word are at 0. Give the
    TF-IDF weights of a :class:`~semwork.text.Corpus`.

    References
    ----------
    W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, section 5, model (a).

    Examples
    --------
    >>> from semwork.text import Corpus
    >>> corpus = Corpus.from_texts(["a bank by the river", "the river bank", "money"], min_count=1)
    >>> model = TfidfCosine().fit(corpus.matrix)
    >>> (model.transform(corpus.matrix) != corpus.matrix).nnz
    0
    """

    reads: ClassVar[Reads] = "weights"
    _saved_attributes: ClassVar[tuple[str, ...]] = ("n_features_in_",)

    def steps(self, X: Any) -> Iterator[Step]:
        """Remember the number of words; there is nothing to learn."""
        sentences, words = check_weights(self, X, fitting=True).shape
        yield Step(done=1, total=1, message=f"{sentences:,} sentences, {words:,} words")

    def transform(self, X: Any) -> sparse.csr_array:
        """Return the weights themselves."""
        return check_weights(self, X, fitting=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        return tags
