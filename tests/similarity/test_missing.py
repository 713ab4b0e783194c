"""R_o, R_m and who wins: the paper's numbers, and the laws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from semwork.similarity import WTMF
from semwork.similarity.catalogue import WEIGHT_GRID
from semwork.similarity.missing import relatedness, scores

PAPER = pd.DataFrame({"candidate": ["v1", "v2", "v3"], "R_o": [20, 5, 18], "R_m": [600, 100, 300]})


def wtmf(weight=0.01, **other):
    return WTMF(**{"n_components": 20, "missing_weight": weight, "regularization": 5.0, "max_iter": 12} | other)


def test_table_1_of_the_paper():
    plain = scores(PAPER, [1, 0.01])
    assert plain["score"].tolist() == [-580, -95, -282, 14, 4, 15]
    assert plain[plain["wins"]]["candidate"].tolist() == ["v2", "v3"]
    assert scores(PAPER, 0.0).set_index("candidate")["wins"].to_dict() == {"v1": True, "v2": False, "v3": False}


def test_relatedness_by_hand_dense_and_sparse():
    x = [0.0, 3.0, 0.0, 1.0]
    predicted = {"a": [1.0, 2.0, -1.0, 0.5], "b": [0.0, 3.0, 0.0, 1.0]}
    expected = {"sum": [[2.5, 0.0], [4.0, 0.0]], "fit": [[10 - 1 - 0.25, 2.0], [10.0, 0.0]]}
    for measure, rows in expected.items():
        for given_x in (x, np.array([x]), sparse.csr_array([x])):
            found = relatedness(given_x, predicted, measure=measure)
            assert found["candidate"].tolist() == ["a", "b"]
            np.testing.assert_allclose(found[["R_o", "R_m"]], rows)
    assert relatedness(x, {}).empty
    assert scores(relatedness(x, {})).empty


def test_a_wrong_measure_and_several_sentences_are_refused():
    with pytest.raises(ValueError, match="'cosine'; it can be 'sum'"):
        relatedness([1.0], {"a": [1.0]}, measure="cosine")
    with pytest.raises(ValueError, match=r"one sentence.*\(2, 1\)"):
        relatedness([[1.0], [2.0]], {"a": [1.0]})


numbers = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6), st.sampled_from(WEIGHT_GRID))
def test_the_winner_is_the_best_and_a_larger_weight_never_prefers_a_larger_r_m(pairs, weight):
    table = pd.DataFrame(pairs, columns=["R_o", "R_m"]).assign(candidate=[f"c{i}" for i in range(len(pairs))])
    found = scores(table, [weight, weight + 0.5])
    assert (found.groupby("weight")["wins"].sum() == 1).all()
    best = found.groupby("weight")["score"].max()
    winners = found[found["wins"]].set_index("weight")
    np.testing.assert_array_equal(winners["score"], best)
    of = table.set_index("candidate")["R_m"]
    lighter, heavier = (of[name] for name in winners["candidate"])
    assert heavier <= lighter + 1e-9


@pytest.mark.filterwarnings("ignore::semwork.similarity.CollapsedVectorsWarning")
@given(st.integers(0, 1000), st.sampled_from([0.0, 0.001, 0.05, 1.0]), st.sampled_from([0.5, 5.0]))
def test_no_vector_beats_the_models_own_in_what_the_objective_counts(seed, weight, penalty):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((12, 15), density=0.3, rng=rng, format="csr") * 5
    model = wtmf(weight, n_components=4, regularization=penalty, max_iter=3, random_state=seed, dtype="float64").fit(X)
    own = model.transform(X[[0]])[0]
    vectors = {"own": own} | {f"near {i}": own + step for i, step in enumerate(rng.normal(size=(20, 4)) * 0.3)}
    table = relatedness(X[[0]], {name: v @ model.components_ for name, v in vectors.items()}, measure="fit")
    lengths = np.array([v @ v for v in vectors.values()])
    value = scores(table, weight)["score"].to_numpy() - penalty * lengths
    assert value.argmax() == 0
