"""The catalogue: every sentence model stands in it once, and is made from it with the settings that it takes."""

from __future__ import annotations

import inspect

import pytest

from semwork import similarity
from semwork.similarity import CATALOGUE, Blend, Encoder, SentenceModel, available_models, named_model
from semwork.similarity.catalogue import SETTINGS, WEIGHT_GRID

SHARED = {"n_components": 7, "missing_weight": 0.05, "regularization": 2.0, "iterations": 3, "sweeps": 4, "seed": 5}


def test_every_sentence_model_of_the_package_is_in_the_catalogue_once():
    exported = {getattr(similarity, name) for name in similarity.__all__ if inspect.isclass(getattr(similarity, name))}
    models = {kind for kind in exported if issubclass(kind, SentenceModel)} - {SentenceModel, Blend, Encoder}
    kinds = [model.kind for model in CATALOGUE.values()]
    assert set(kinds) == models, "Blend and Encoder are made of what a user has"
    assert len(kinds) == len(models)
    assert [name for name, model in CATALOGUE.items() if model.name != name] == []


@pytest.mark.parametrize("model", CATALOGUE.values(), ids=lambda model: model.name)
def test_a_model_is_made_with_the_settings_that_it_takes_and_no_others(model):
    made = model.make(**SHARED)
    assert type(made) is model.kind
    for name in model.takes:
        assert made.get_params()[SETTINGS[name]] == SHARED[name], name
    left = {SETTINGS[name] for name in SETTINGS} - {SETTINGS[name] for name in model.takes} - set(model.fixed)
    plain = model.kind().get_params()
    assert {name: made.get_params()[name] for name in left & set(plain)} == {
        name: plain[name] for name in left & set(plain)
    }
    assert model.make().get_params() == model.kind(**model.fixed).get_params(), "without settings, its own defaults"


def test_seeds_are_taken_where_they_change_something():
    assert [name for name, model in CATALOGUE.items() if not model.seedless] == ["LDA", "WTMF"]


def test_lessons_and_papers_mean_the_same_model():
    pairs = {"IR": "words only", "N-gram": "n-grams", "GloVe average (SIF)": "GloVe average", "LDA": "LDA"}
    assert {paper: named_model(paper).name for paper in pairs} == pairs


def test_what_is_not_there_is_named_with_what_is():
    with pytest.raises(ValueError, match="there is no model 'PCA'; there are 'words only', 'n-grams', 'LSA'"):
        named_model("PCA")
    with pytest.raises(TypeError, match="model must be one of 'words only'"):
        named_model(3)
    with pytest.raises(TypeError, match=r"has the setting 'alpha' in common .* LDAVectors alone"):
        CATALOGUE["LDA"].make(alpha=0.1)


def test_models_whose_data_are_not_here_are_left_out(monkeypatch):
    from semwork.similarity import catalogue

    monkeypatch.setattr(catalogue, "available", lambda name: False)
    assert list(available_models()) == [name for name in CATALOGUE if name != "GloVe average"]


def test_the_grid_of_weights_rises_from_missing_words_that_do_not_count_to_those_that_count_like_others():
    assert (WEIGHT_GRID[0], WEIGHT_GRID[-1]) == (0.0, 1.0)
    assert list(WEIGHT_GRID) == sorted(set(WEIGHT_GRID))
