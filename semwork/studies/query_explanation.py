"""Why does this candidate stand where it does in the ranking of a query?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets.records import SEPARATOR
from semwork.similarity.base import plain_rows
from semwork.similarity.cosine import unit_rows
from semwork.similarity.explain import Contributions, contributions
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.similarity.wtmf import WTMF

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["QueryExplanation", "explain_query", "labels_of"]

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class QueryExplanation:
    """The ranking of one query, and why one of the candidates stands where it does.

    Attributes
    ----------
    query : int
        The number of the query.
    label : str
        Its headword.
    text : str
        Its words.
    ranking : DataFrame of shape (n_listed, 6)
        The best candidates, and the best right one if it is not among them: ``place`` (1 is best, ties share the mean),
        ``candidate`` (its number), ``label``, ``similarity``, ``right``, ``text``.
    candidate : int
        The number of the candidate that `words` explains.
    words : DataFrame of shape (n_candidate_words, 5)
        Its words, the largest contribution first: ``word``, ``weight``, ``contribution``, ``expected``, ``in_query``.
    similarity : float
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
    task : RetrievalTask
        Queries and candidates, and the corpus.
    model : WTMF
        Fitted on that corpus.
    query : int
        The number of the query in the task.
    place : int or None
        Which candidate to take apart: the one at this place (1 is the nearest, at most k); the best right one if none
        is given.
    k : int
        How many candidates to list.
    vectors : tuple of (ndarray of shape (n_queries, K), ndarray of shape (n_candidates, K)), or None
        The vectors of all queries and all candidates, if the caller has them already.

    Returns
    -------
    QueryExplanation

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
    terms = [str(task.corpus.vocabulary[column]) for column in parts.words]
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

    Parameters
    ----------
    texts : list of str
        The texts.
    table : DataFrame of shape (n_texts, n_columns)
        What is known about each; its column ``headword`` or ``headwords`` is read, if it has one.
    rows : list of int or None
        The texts that are named; all of them by default.

    Returns
    -------
    list of str

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
