"""Why is this candidate similar to this query? The similarity as a sum over words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from semwork.datasets.records import SEPARATOR
from semwork.similarity.base import plain_rows
from semwork.similarity.cosine import unit_rows
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.similarity.wtmf import WTMF

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Contributions", "QueryExplanation", "contributions", "explain_query", "labels_of"]

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Contributions:
    """How much each word of a candidate adds to its similarity with a query.

    Attributes
    ----------
    words
        The candidate's words, as column numbers.
    weight
        x_i, the word's weight in the candidate.
    contribution
        One number per word; together they are exactly the similarity.
    expected
        ``P_i · Q_q``: what the query's vector predicts for the word, whether the query has it or not.
    in_query
        The word's weight in the query, 0 where it is missing there.
    similarity
        The cosine of the two vectors.
    """

    words: NDArray[np.intp]
    weight: Vector
    contribution: Vector
    expected: Vector
    in_query: Vector
    similarity: float


def contributions(model: WTMF, query: Any, candidate: Any) -> Contributions:
    r"""Split the cosine of a query and a candidate into the parts of the candidate's words.

    The vector of a candidate c is a sum over its words, :math:`Q_c = \sum_i x_i A_c^{-1} P_i` with
    :math:`A_c = w_m P^T P + (1 - w_m) P_o^T P_o + λI` (o: the words that c has), so that the cosine is a sum too:

    .. math:: \cos(Q_q, Q_c) = \sum_i \frac{x_i \, Q_q · A_c^{-1} P_i}{|Q_q| |Q_c|}

    Parameters
    ----------
    model
        A fitted WTMF.
    query, candidate
        Their weights: one row each, as ``corpus.transform([text])`` gives.

    References
    ----------
    W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, equation 4.

    Examples
    --------
    >>> from semwork.text import Corpus
    >>> texts = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"]
    >>> corpus = Corpus.from_texts(texts, min_count=1)
    >>> model = WTMF(n_components=2, regularization=0.1, random_state=0).fit(corpus.matrix)
    >>> found = contributions(model, corpus.transform(["lends money"]), corpus.transform([texts[1]]))
    >>> bool(np.isclose(found.contribution.sum(), found.similarity))
    True
    """
    check_is_fitted(model)
    words = np.asarray(model.components_, dtype=np.float64).T
    gram = words.T @ words
    asked, _, vector = _folded(model, words, gram, query, "query")
    own, inverse, found = _folded(model, words, gram, candidate, "candidate")
    lengths = float(np.linalg.norm(vector) * np.linalg.norm(found))
    places, weight = own.indices, own.data.astype(np.float64)
    scale = 1 / lengths if lengths > 0 else 0.0
    in_query = np.zeros(len(words))
    in_query[asked.indices] = asked.data
    return Contributions(
        words=np.asarray(places, dtype=np.intp),
        weight=weight,
        contribution=weight * (words[places] @ (inverse @ vector)) * scale,
        expected=words[places] @ vector,
        in_query=in_query[places],
        similarity=float(vector @ found) * scale,
    )


def _folded(model: WTMF, words: Any, gram: Any, row: Any, name: str) -> tuple[Any, Any, Vector]:
    """A sentence's cells, the inverse of its system, and its vector, in double precision."""
    cells = sparse.csr_array(row)
    if cells.shape != (1, len(words)):
        raise ValueError(f"{name} has the shape {cells.shape}; it must be one row of {len(words)} weights")
    cells.eliminate_zeros()
    own = words[cells.indices]
    weight = float(model.missing_weight)
    system = weight * gram + (1 - weight) * (own.T @ own) + model.regularization_ * np.eye(len(gram))
    inverse = np.linalg.pinv(system, hermitian=True)
    return cells, inverse, np.asarray(inverse @ (own.T @ cells.data))


@dataclass(frozen=True)
class QueryExplanation:
    """The ranking of one query, and why one of the candidates stands where it does.

    Attributes
    ----------
    query, label, text
        The query's number, its headword, its words.
    ranking
        The best candidates, and the best right one if it is not among them: ``place`` (1 is best, ties share the mean),
        ``candidate`` (its number), ``label``, ``similarity``, ``right``, ``text``.
    candidate
        The number of the candidate that `words` explains.
    words
        Its words, the largest contribution first: ``word``, ``weight``, ``contribution``, ``expected``, ``in_query``.
    similarity
        Of query and candidate: the sum of the contributions.
    """

    query: int
    label: str
    text: str
    ranking: pd.DataFrame
    candidate: int
    words: pd.DataFrame
    similarity: float


def explain_query(
    task: RetrievalTask,
    model: WTMF,
    query: int,
    *,
    place: int | None = None,
    k: int = 10,
    vectors: tuple[Any, Any] | None = None,
) -> QueryExplanation:
    """Rank the candidates for one query and take one similarity apart.

    Parameters
    ----------
    task, model
        What was fitted on what.
    query
        The number of the query in the task.
    place
        Which candidate to take apart: the one at this place (1 is the nearest, at most k); the best right one if none
        is given.
    k
        How many candidates to list.
    vectors
        The vectors of all queries and all candidates, if the caller has them already.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> task = RetrievalTask.from_set(load("sample").dictionary)
    >>> model = WTMF(n_components=10, regularization=5, max_iter=5, random_state=0).fit(task.training)
    >>> found = explain_query(task, model, 0, k=3)
    >>> bool(np.isclose(found.words["contribution"].sum(), found.similarity))
    True
    """
    check_task(task)
    data = task.data
    if not 0 <= query < len(data):
        raise ValueError(f"query is {query}; {data.name} has the queries 0 to {len(data) - 1}")
    if place is not None and not 1 <= place <= k:
        raise ValueError(f"place is {place}; it must lie between 1 and {k}, the places that are listed")
    if vectors is None:
        vectors = plain_rows(model, task.queries[[query]]), plain_rows(model, task.candidates)
        row = vectors[0]
    else:
        row = vectors[0][query : query + 1]
    similar = np.asarray(unit_rows(vectors[1]) @ unit_rows(row)[0], dtype=np.float64)
    ranking = _ranking(task, query, similar, k)
    right = ranking[ranking["right"]].iloc[0]
    chosen = int(right["candidate"] if place is None else ranking["candidate"].iloc[min(place, len(similar)) - 1])
    parts = contributions(model, task.queries[[query]], task.candidates[[chosen]])
    return QueryExplanation(
        query=query,
        label=labels_of(data.queries, data.query_table)[query],
        text=data.queries[query],
        ranking=ranking,
        candidate=chosen,
        words=_words(task, chosen, parts),
        similarity=parts.similarity,
    )


def _ranking(task: RetrievalTask, query: int, similar: Vector, k: int) -> pd.DataFrame:
    import pandas as pd

    data = task.data
    targets = np.atleast_1d(data.targets[query])
    listed = np.argsort(-similar, kind="stable")[:k].tolist()
    best = int(targets[np.argmax(similar[targets])])
    if best not in listed:
        listed.append(best)
    slack = 1e-6  # equal vectors may differ in the last digits
    names = labels_of(data.candidates, data.candidate_table, rows=listed)
    return pd.DataFrame(
        {
            "place": [1 + np.sum(similar > similar[c] + slack) + (_near(similar, c, slack) - 1) / 2 for c in listed],
            "candidate": listed,
            "label": names,
            "similarity": similar[listed],
            "right": np.isin(listed, targets),
            "text": [data.candidates[c] for c in listed],
        }
    )


def _near(similar: Vector, candidate: int, slack: float) -> int:
    return int(np.sum(np.abs(similar - similar[candidate]) <= slack))


def _words(task: RetrievalTask, candidate: int, parts: Contributions) -> pd.DataFrame:
    import pandas as pd

    # A stem is shown as the candidate writes it.
    analyzer = task.corpus.analyzer
    written: dict[str, str] = {}
    for word in map(analyzer.clean, analyzer.split(task.data.candidates[candidate])):
        written.setdefault(analyzer.base(word) if word else "", word)
    terms = [str(task.corpus.vocabulary[place]) for place in parts.words]
    table = pd.DataFrame(
        {
            "word": [written.get(term, term) for term in terms],
            "weight": parts.weight,
            "contribution": parts.contribution,
            "expected": parts.expected,
            "in_query": parts.in_query,
        }
    )
    return table.sort_values("contribution", ascending=False, ignore_index=True)


def labels_of(texts: list[str], table: pd.DataFrame, rows: list[int] | None = None) -> list[str]:
    """Short names for texts of a dictionary: the headword; the first words of the text where there is none.

    Without ``rows`` names that come twice are told apart by a number.

    Examples
    --------
    >>> import pandas as pd
    >>> labels_of(["a b", "c d", "e f"], pd.DataFrame({"headword": ["x", "y", "x"]}))
    ['x', 'y', 'x (2)']
    """
    column = next((name for name in ("headword", "headwords") if name in table.columns), None)
    chosen = range(len(texts)) if rows is None else rows
    if column is None:
        names = [" ".join(texts[row].split()[:4]) for row in chosen]
    else:
        cells = table[column].iloc[list(chosen)]
        names = [str(cell).split(SEPARATOR)[0] for cell in cells.tolist()]
    if rows is not None:
        return names
    seen: Counter[str] = Counter()
    for number, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[number] = f"{name} ({seen[name]})"
    return names
