"""Learners over structures in files: what is kept, and what is given again."""

import functools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from semwork.structures import LCLR, AlignThenLearn, FeatureIndex, Problem


def hidden(x, *, bias=True):
    problem = Problem()
    parts = [
        problem.part({("f", k): float(v) for k, v in enumerate(column)}, label=place, heuristic=float(column[0]))
        for place, column in enumerate(x)
    ]
    problem.exactly_one(parts, "one column")
    if bias:
        problem.always({"bias": 1.0})
    return problem


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3, 4)) * [1.0, 20.0, 0.1, 3.0]
    best = (X @ [1.0, 0.1, -5.0, 0.5]).max(axis=1)
    return list(X), np.where(best > np.median(best), "yes", "no")


@pytest.mark.parametrize(
    "learner", [LCLR(n_starts=2, random_state=0, standardize=True), AlignThenLearn(random_state=0)], ids=["LCLR", "two"]
)
def test_a_loaded_learner_says_the_same(learner, data, tmp_path):
    X, y = data
    model = learner.set_params(problem=functools.partial(hidden, bias=True)).fit(X[:20], y[:20])
    again = type(model).load(model.save(tmp_path / "names.npz"), functools.partial(hidden, bias=True))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    for one, two in zip(again.structures(X[20:]), model.structures(X[20:]), strict=True):
        pd.testing.assert_frame_equal(one, two)
    pd.testing.assert_frame_equal(again.top_features(2), model.top_features(2))
    assert again.index_.names == [*(("f", k) for k in range(4)), "bias"]
    for name in ("objective_path_", "start_objectives_", "objective_"):
        assert getattr(again, name, None) == getattr(model, name, None)
    ours, theirs = ({k: v for k, v in one.get_params().items() if k != "problem"} for one in (again, model))
    assert ours == theirs
    np.testing.assert_array_equal(again.fit(X[:20], y[:20]).weights_, model.weights_)


def test_labels_out_of_a_table_are_kept(data, tmp_path):
    X, y = data
    model = LCLR(hidden, max_iter=2, random_state=0).fit(X, pd.Series(y, dtype=object))
    again = LCLR.load(model.save(tmp_path / "model.npz"), hidden)
    assert again.predict(X).tolist() == model.predict(X).tolist()


class Ready:
    """Problems that come compiled, with names of their own."""

    def __init__(self, *names):
        self.feature_names = list(names)

    def __call__(self, x):
        index = FeatureIndex(self.feature_names)
        index.closed = True
        return hidden(x).compile(index)


def test_compiled_problems_must_have_the_same_features_again(data, tmp_path):
    X, y = data
    names = [("f", 0), ("f", 2), "bias"]
    path = LCLR(Ready(*names), max_iter=2, random_state=0).fit(X, y).save(tmp_path / "model.npz")
    assert LCLR.load(path, Ready(*names)).index_.names == names
    with pytest.raises(ValueError, match="has 2 names of features, the model was fitted with 3, and they differ"):
        LCLR.load(path, Ready(*names[:2]))
    with pytest.raises(ValueError, match="give the function that it was fitted with"):
        LCLR.load(path, Ready(*names[::-1]))


def test_what_a_file_cannot_keep_is_named(data, tmp_path):
    X, y = data
    model = LCLR(hidden, max_iter=1, random_state=0).fit(X, y)
    path = model.save(tmp_path / "model.npz")
    with pytest.raises(TypeError, match=r"a file keeps no code: give LCLR.load .*its name was hidden.*got None"):
        LCLR.load(path)
    with pytest.raises(ValueError, match="holds a LCLR"):
        AlignThenLearn.load(path, hidden)
    with pytest.raises(TypeError, match="random_state is RandomState"):
        model.set_params(random_state=np.random.RandomState(0)).save(path)

    def odd(x):
        problem = Problem()
        problem.exactly_one([problem.part({("half", Fraction(1, 2)): float(x)}), problem.part({"y": 1.0})], "one")
        return problem

    with pytest.raises(TypeError, match="is named by a Fraction, which a file cannot keep"):
        LCLR(odd, max_iter=1).fit([-1.0, 1.0, 2.0], [-1, 1, 1]).save(path)
    assert LCLR.load(path, hidden).index_.names == model.index_.names, "the older file is as it was"
