"""R_o, R_m and who wins: the paper's numbers, the laws, and sentences seen through a model."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from semwork.datasets import Dictionary, load
from semwork.similarity import WTMF, Glossary
from semwork.similarity.missing import HYPOTHESES, WEIGHT_GRID, relatedness, scores, word_table
from semwork.steps import last

PAPER = pd.DataFrame({"candidate": ["v1", "v2", "v3"], "R_o": [20, 5, 18], "R_m": [600, 100, 300]})


@functools.cache
def sample():
    return Glossary.from_sample(load("sample"))


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


def test_words_are_split_into_observed_by_weight_and_missing_by_prediction():
    table = word_table(np.array(["a", "b", "c", "d", "e"]), [0, 2, 3, 0, 0], [5, 1, 2, -4, 6], k=2)
    assert table["word"].tolist() == ["c", "b", "e", "a"]
    assert table["observed"].tolist() == [True, True, False, False]
    assert table["weight"].tolist() == [3, 2, 0, 0]
    assert table["predicted"].tolist() == [2, 1, 6, 5]
    assert len(word_table(np.array(["a"]), [1], [1.0], k=5)) == 1


@pytest.mark.parametrize("head", ["bank", "judge", "blizzard", "recipe"])
def test_real_vectors_tell_the_story_of_table_1(head):
    """Ignoring missing words wins at 0, counting them fully at 1, and a little at 0.01; R_m falls in that order."""
    found = last(sample().steps(wtmf(random_state=0), sample().find(head), hypotheses=_HYPOTHESES)).candidates
    along = scores(found, [0, 0.01, 1])
    assert along[along["wins"]]["candidate"].tolist() == ["v1", "v3", "v2"]
    of = found.set_index("candidate")
    assert of["R_m"]["v1"] > 3 * of["R_m"]["v3"] > 9 * of["R_m"]["v2"]
    assert of["R_o"]["v1"] > of["R_o"]["v3"] > 3 * of["R_o"]["v2"]
    assert of["made_with"].to_dict() == HYPOTHESES
    assert of["wins"].to_dict() == {"v1": False, "v2": False, "v3": True}


_HYPOTHESES: dict[str, WTMF] = {}


def test_steps_show_every_iteration_then_the_hypotheses_and_keep_what_is_fitted():
    glossary, entry = sample(), sample().find("bank")
    model, known = wtmf(max_iter=3, random_state=0), {}
    first = list(glossary.steps(model, entry, hypotheses=known))
    assert [step.done for step in first] == list(range(1, 13))
    assert {step.total for step in first} == {12}
    assert first[0].candidates.empty
    assert [len(step.candidates) for step in first[3:]] == [0] * 3 + [1] * 3 + [2] * 2 + [3]
    assert set(known) == set(HYPOTHESES)
    assert "largest for" in first[-1].message

    again = list(glossary.steps(model, glossary.find("loan"), hypotheses=known))
    assert [(step.done, step.total) for step in again] == [(1, 1)]
    other = list(glossary.steps(wtmf(0.1, max_iter=3, random_state=0), entry, hypotheses=known, every=3))
    assert [(step.done, step.total) for step in other] == [(3, 3)]
    assert other[0].weight == 0.1
    np.testing.assert_allclose(other[0].candidates[["R_o", "R_m"]], first[-1].candidates[["R_o", "R_m"]])


def test_the_own_vector_is_the_models_and_its_numbers_agree():
    glossary, entry = sample(), sample().find("loan")
    model = wtmf(0.05, random_state=0).fit(glossary.corpus.matrix)
    step = glossary.look(model, entry)
    predicted = model.predicted(glossary.corpus.transform([entry.text]))[0]
    x = glossary.corpus.transform([entry.text]).toarray()[0]
    assert step.own["R_o"][0] == pytest.approx(predicted[x > 0].sum(), rel=1e-5)
    assert step.own["R_m"][0] == pytest.approx(predicted[x == 0].sum(), rel=1e-5)
    own = step.words[step.words["observed"]]
    assert set(own["word"]) >= {"money", "bank", "lent"}, "stems are shown as words"
    assert own["weight"].tolist() == sorted(x[x > 0], reverse=True)
    others = step.words[~step.words["observed"]]["predicted"].tolist()
    assert others == pytest.approx(sorted(predicted[x == 0], reverse=True)[: len(others)], rel=1e-5)
    near = step.definitions
    assert entry.place not in near["place"].tolist()
    assert near["similarity"].is_monotonic_decreasing
    assert len({"debt", "interest", "credit", "mortgage", "cashier"} & set(near["headword"])) >= 2
    assert glossary.find(near["headword"][0], near["sense"][0]).text == near["text"][0]
    rank = step.headword_rank
    loan = predicted[glossary.corpus.columns["loan"]]
    assert rank == (predicted[x == 0] >= loan).sum()


def test_finding_headwords_senses_and_own_sentences():
    glossary = sample()
    assert glossary.find(" Loan ").text != glossary.find("loan", 2).text
    assert glossary.find("loan", 2).name == "loan 2"
    assert (glossary.find("bank").senses, glossary.find("bank").name) == (1, "bank")
    own = glossary.find("a shop that sells bread")
    assert (own.place, own.headword) == (None, "")
    model = wtmf(max_iter=2, random_state=0).fit(glossary.corpus.matrix)
    step = glossary.look(model, own)
    assert step.headword_rank is None
    assert {"bread", "shop"} <= set(step.words["word"])
    for words, sense, message in (
        ("loan", 3, "sense is 3, but 'loan' has 2"),
        ("loan", 0, "choose 1 to 2"),
        ("  ", 1, "nothing to look at"),
    ):
        with pytest.raises(ValueError, match=message):
            glossary.find(words, sense)
    with pytest.raises(ValueError, match="knows no word of 'qwertz'"):
        glossary.look(model, glossary.find("qwertz"))
    with pytest.raises(ValueError, match="knows no word"):
        next(glossary.steps(wtmf(), glossary.find("qwertz")))


def test_a_dictionary_is_fitted_on_all_texts_and_asked_for_definitions():
    heads = ["bank | shore", "bank", "fish", "loan"]
    definitions = ["land beside water", "business that keeps money", "animal that lives in water", "money that is lent"]
    table = pd.DataFrame({"id": "", "pos": "n", "headwords": heads, "definition": definitions, "examples": ""})
    texts = [f"{h}: {d}" for h, d in zip(heads, definitions, strict=True)]
    glossary = Glossary.from_dictionary(Dictionary("small", [*texts], table), analyzer="word")
    assert glossary.find("bank", 2).text == "business that keeps money"
    assert glossary.find("shore").text == glossary.find("bank").text == "land beside water"
    assert [glossary.name(place) for place in range(4)] == ["bank 1", "bank 2", "fish", "loan"]
    assert "bank" in glossary.corpus.columns
    assert len(glossary.words) == len(glossary.corpus.vocabulary)


@pytest.mark.data("wordnet")
def test_bank_in_wordnet():
    glossary = Glossary.from_dictionary(load("wordnet"))
    entry = glossary.find("bank")
    assert entry.senses > 10
    texts = [glossary.find("bank", sense).text for sense in range(1, entry.senses + 1)]
    sense = 1 + next(i for i, text in enumerate(texts) if "financial institution" in text)
    model = wtmf(max_iter=4, random_state=0).fit(glossary.corpus.matrix)
    step = glossary.look(model, glossary.find("bank", sense))
    assert {"deposits", "money"} & set(step.words["word"])
    # Its neighbours are about money.
    about = " ".join(step.definitions["text"])
    assert any(word in about for word in ("money", "bank", "fund", "loan", "deposit"))
