"""Sentences of a glossary seen through a model: the story of Table 1, and what is kept between two looks."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import Dictionary, load
from semwork.similarity import WTMF
from semwork.similarity.missing import scores
from semwork.steps import last
from semwork.studies import Glossary, MissingSettings, MissingWords
from semwork.studies.missing_steps import HYPOTHESES, word_table


@functools.cache
def sample():
    return Glossary.from_sample(load("sample"))


@pytest.fixture(scope="module")
def study():
    return MissingWords(sample())


def wtmf(weight=0.01, **other):
    return WTMF(**{"n_components": 20, "missing_weight": weight, "regularization": 5.0, "max_iter": 12} | other)


@pytest.mark.parametrize("head", ["bank", "judge", "blizzard", "recipe"])
def test_real_vectors_tell_the_story_of_table_1(study, head):
    """Ignoring missing words wins at 0, counting them fully at 1, and a little at 0.01; R_m falls in that order."""
    found = last(study.steps(MissingSettings(definition=head))).candidates
    along = scores(found, [0, 0.01, 1])
    assert along[along["wins"]]["candidate"].tolist() == ["v1", "v3", "v2"]
    of = found.set_index("candidate")
    assert of["R_m"]["v1"] > 3 * of["R_m"]["v3"] > 9 * of["R_m"]["v2"]
    assert of["R_o"]["v1"] > of["R_o"]["v3"] > 3 * of["R_o"]["v2"]
    assert of["made_with"].to_dict() == HYPOTHESES
    assert of["wins"].to_dict() == {"v1": False, "v2": False, "v3": True}


def test_on_many_texts_every_iteration_is_a_step_then_the_hypotheses_and_what_is_fitted_is_kept():
    study = MissingWords(sample())
    study.warm = True
    first = list(study.steps(MissingSettings(definition="bank")))
    assert [step.done for step in first] == list(range(1, 49))
    assert {step.total for step in first} == {48}
    assert first[0].candidates.empty
    assert [len(first[done].candidates) for done in (12, 24, 36, 47)] == [0, 1, 2, 3]
    assert "largest for" in first[-1].message

    again = list(study.steps(MissingSettings(definition="loan")))
    assert [(step.done, step.total) for step in again] == [(1, 1)]
    other = list(study.steps(MissingSettings(definition="bank", missing_weight=0.1)))
    assert [(step.done, step.total) for step in other] == [(done, 12) for done in range(1, 13)]
    assert other[-1].weight == 0.1
    np.testing.assert_allclose(other[-1].candidates[["R_o", "R_m"]], first[-1].candidates[["R_o", "R_m"]])


def test_on_few_texts_a_fit_is_one_step():
    steps = list(MissingWords(sample()).steps(MissingSettings(definition="bank")))
    assert [(step.done, step.total) for step in steps] == [(12, 48), (24, 48), (36, 48), (48, 48)]


def test_a_warm_study_starts_where_the_last_fit_ended():
    study = MissingWords(sample())
    study.warm = True

    def objective(step):
        return float(step.message.split()[-1].replace(",", ""))

    cold = [objective(step) for step in study.steps(MissingSettings()) if step.message.startswith("iteration")]
    warm = next(iter(study.steps(MissingSettings(missing_weight=0.011))))
    assert objective(warm) < cold[0] * 0.9


def test_questions_give_what_the_step_has_and_the_scores_along_the_weight(study):
    step = last(study.steps(MissingSettings(definition="bank", missing_weight=0.03)))
    assert study.words(step).title == f"bank: {step.entry.text}"
    contest = study.hypotheses(step)
    assert 0.03 in contest.weights
    for row in contest.along.itertuples():
        own = step.candidates.set_index("candidate").loc[row.candidate]
        assert row.score == pytest.approx(own["R_o"] - row.weight * own["R_m"])
    assert study.table(step) is step.candidates
    assert study.neighbours(step).definitions is step.definitions


def test_the_own_vector_is_the_models_and_its_numbers_agree():
    glossary, entry = sample(), sample().find("loan")
    model = wtmf(0.05, random_state=0).fit(glossary.corpus.matrix)
    step = glossary.look(model, entry)
    predicted = model.predicted(glossary.corpus.transform([entry.text]))[0]
    x = glossary.corpus.transform([entry.text]).toarray()[0]
    assert step.model_vector["R_o"][0] == pytest.approx(predicted[x > 0].sum(), rel=1e-5)
    assert step.model_vector["R_m"][0] == pytest.approx(predicted[x == 0].sum(), rel=1e-5)
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


def test_words_are_split_into_observed_by_weight_and_missing_by_prediction():
    table = word_table(np.array(["a", "b", "c", "d", "e"]), [0, 2, 3, 0, 0], [5, 1, 2, -4, 6], k=2)
    assert table["word"].tolist() == ["c", "b", "e", "a"]
    assert table["observed"].tolist() == [True, True, False, False]
    assert table["weight"].tolist() == [3, 2, 0, 0]
    assert table["predicted"].tolist() == [2, 1, 6, 5]
    assert len(word_table(np.array(["a"]), [1], [1.0], k=5)) == 1


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
        next(MissingWords(glossary).steps(MissingSettings(definition="qwertz")))


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
