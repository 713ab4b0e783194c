"""One meaning of ``n_jobs``, wherever it is a parameter."""

from __future__ import annotations

import os

import numpy as np
import pytest

from semwork.similarity import WTMF
from semwork.similarity.search import rank
from semwork.structures import LCLR, Problem
from semwork.threads import workers_of
from semwork.topics import LDA, GaussianLDA, planted, run_chains

DATA = planted(n_topics=2, n_documents=6)
ROWS = np.eye(4)


def one_part(x):
    problem = Problem()
    problem.exactly_one([problem.part({"x": float(x)})], "the only one")
    return problem


USERS = {
    "WTMF": lambda n_jobs: WTMF(2, max_iter=1, n_jobs=n_jobs).fit(ROWS).embedding_,
    "rank": lambda n_jobs: rank(ROWS, ROWS, [0, 1, 2, 3], n_jobs=n_jobs).ranks,
    "LDA": lambda n_jobs: LDA(2, max_sweeps=1, n_jobs=n_jobs).fit(DATA.documents).transform(DATA.documents),
    "GaussianLDA": lambda n_jobs: (
        GaussianLDA(2, max_sweeps=1, n_jobs=n_jobs).fit(DATA.documents, DATA.vectors).transform(DATA.documents)
    ),
    "run_chains": lambda n_jobs: next(run_chains(LDA(2), DATA.documents, chains=2, max_sweeps=1, n_jobs=n_jobs)).models,
    "LCLR": lambda n_jobs: LCLR(one_part, max_iter=1, n_jobs=n_jobs).fit([1, 2, -1, -2], [1, 1, 0, 0]).weights_,
}


def test_none_and_minus_one_are_all_cores_and_other_numbers_count_as_in_joblib():
    cores = workers_of(None)
    assert 1 <= cores <= (os.cpu_count() or 1)
    assert workers_of(-1) == cores
    assert workers_of(np.int64(3)) == 3
    assert workers_of(-2) == max(1, cores - 1)
    assert workers_of(-cores) == workers_of(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, 2.5, "2", True])
def test_what_is_no_number_of_threads_is_refused_in_words(n_jobs):
    with pytest.raises(ValueError, match=r"n_jobs must be a whole number .* got"):
        workers_of(n_jobs)


@pytest.mark.parametrize("name", USERS)
@pytest.mark.parametrize("n_jobs", [None, -1, -1000, 1, 2])
def test_all_users_understand_the_same_numbers(name, n_jobs):
    assert len(USERS[name](n_jobs))


@pytest.mark.parametrize("name", USERS)
def test_all_users_refuse_nought_in_the_same_words(name):
    with pytest.raises(ValueError, match="n_jobs must be a whole number from 1, None or -1 for all cores"):
        USERS[name](0)
