"""The retrieval tasks that lessons offer by name."""

from __future__ import annotations

import functools

from semwork.datasets import LabelledDocuments, RetrievalSet, SentencePairs, Sentences, load
from semwork.given import check_word
from semwork.similarity.retrieval import RetrievalTask
from semwork.similarity.retrieval_sets import paraphrases_sought, task_of_halves
from semwork.studies.origin import Origin, calling
from semwork.studies.study import Input, Source

__all__ = ["RETRIEVAL_TASKS", "retrieval_task"]


def retrieval_task(name: str) -> RetrievalTask:
    """Return the retrieval task of a lesson, made once.

    Parameters
    ----------
    name : str
        ``"sample"``: all queries of the sample dictionaries, trained with the sample documents. ``"cdr"``: the
        development queries of GCIDE → WordNet, trained with the sentences of Brown.

    Returns
    -------
    RetrievalTask

    Examples
    --------
    >>> len(retrieval_task("sample").data)
    320
    """
    check_word("name", name, ("sample", "cdr"), "RetrievalTask.from_set(data) makes a task of other data")
    return _retrieval_task(name)


@functools.lru_cache(maxsize=2)
def _retrieval_task(name: str) -> RetrievalTask:
    if name == "sample":
        sample = load("sample")
        return RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)
    if name == "cdr":
        return RetrievalTask.from_set(load("cdr").subset("dev"), more_texts=load("brown").texts)
    raise ValueError(f"there is no retrieval task {name!r}; there are 'sample' and 'cdr'")


_TASK = calling(RetrievalTask)


def _of_pairs(pairs: Origin) -> Origin:
    return _TASK.from_set(calling(paraphrases_sought)(pairs))


#: The tasks that a list offers. Texts of one's own look for their other halves, sentences for their paraphrases.
RETRIEVAL_TASKS = Input(
    "data",
    "the second needs wordnet, gcide and brown: see lesson 00",
    {
        "sample": Source("sample (written for this project)", calling(retrieval_task)("sample")),
        "cdr": Source(
            "GCIDE → WordNet, 1,000 dev queries",
            calling(retrieval_task)("cdr"),
            ("wordnet", "gcide", "brown"),
            warm_start=True,
        ),
    },
    {
        RetrievalSet: _TASK.from_set,
        SentencePairs: _of_pairs,
        Sentences: calling(task_of_halves),
        LabelledDocuments: calling(task_of_halves),
    },
)
