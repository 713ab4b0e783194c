"""Every sentence model behind the same few calls."""

from __future__ import annotations

import gc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from semwork.similarity import (
    WTMF,
    Encoder,
    NGramOverlap,
    SentenceModel,
    SentenceSpace,
    TfidfCosine,
)
from semwork.steps import Step
from semwork.text import Corpus
from tests.similarity.contract import MODELS, TEXTS, letters


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def space_of(model, **options):
    return SentenceSpace.from_texts(TEXTS, model, **({"min_count": 1} | options))


def plain(rows):
    return rows.toarray() if sparse.issparse(rows) else np.asarray(rows)


def subclasses(kind):
    return {kind}.union(*(subclasses(found) for found in kind.__subclasses__()))


def test_no_model_is_forgotten_here():
    import semwork.similarity as package

    public = {thing for name in package.__all__ if isinstance(thing := getattr(package, name), type)}
    models = {kind for kind in subclasses(SentenceModel) & public if not getattr(kind, "__abstractmethods__", None)}
    assert models == {type(make()) for make in MODELS.values()}


def test_fit_encode_and_compare(model):
    space = space_of(model)
    assert space.fit() is space
    rows = plain(space.encode(TEXTS))
    assert len(rows) == len(TEXTS)
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(plain(space.encode(TEXTS, weights=space.corpus.matrix)), rows, rtol=1e-6, atol=1e-6)
    assert plain(space.encode([])).shape == (0, rows.shape[1])
    own, other = space.similarity(TEXTS, TEXTS), space.similarity(TEXTS, TEXTS[::-1])
    assert own.shape == (len(TEXTS),)
    if model.measure == "cosine":
        np.testing.assert_allclose(own, 1, rtol=1e-5)
    assert (own >= other - 1e-6).all()
    np.testing.assert_allclose(other, other[::-1], rtol=1e-5, atol=1e-7)


def test_the_most_similar_are_found_among_the_corpus(model):
    space = space_of(model).fit()
    found = space.similar(TEXTS[3], k=4)
    assert list(found.columns) == ["place", "similarity", "text"]
    assert found["text"].tolist() == [TEXTS[place] for place in found["place"]]
    best = space.similarity([TEXTS[3]] * len(TEXTS), TEXTS)
    np.testing.assert_allclose(found["similarity"], np.sort(best)[::-1][:4], rtol=1e-5, atol=1e-6)
    assert found["similarity"][0] == pytest.approx(best[3], rel=1e-5)
    assert len(space.similar("money", k=100)) == len(TEXTS)


def test_the_most_similar_are_found_among_other_texts(model):
    others = ["nothing known here at all", "people with money", "the cold river"]
    found = space_of(model).fit().similar("cold river", k=2, among=iter(others))
    assert found["place"][0] == 2
    assert found["text"].tolist() == [others[place] for place in found["place"]]


def test_a_text_without_a_known_word_is_refused_and_its_words_are_named(model):
    space = space_of(model).fit()
    if isinstance(model, Encoder):
        assert len(space.similar("xyzzy")) == len(TEXTS), "an encoder reads anything"
        return
    with pytest.raises(ValueError, match=r"no word of 'Xyzzy, plugh! Xyzzy' is known: xyzzy, plugh\. The corpus has"):
        space.similar("Xyzzy, plugh! Xyzzy")
    for nothing in ("", " … "):
        with pytest.raises(ValueError, match="there is no word in"):
            space.similar(nothing)
    assert len(space.similar("xyzzy money", k=2)) == 2, "one known word is enough"


def test_a_text_whose_words_weigh_nothing_is_refused():
    space = SentenceSpace.from_texts(["a cat", "a dog", "a cow"], TfidfCosine(), min_count=1).fit()
    with pytest.raises(ValueError, match=r"what is known of 'a bee' \(a\) weighs nothing"):
        space.similar("a bee")


def test_emoji_are_words_that_texts_are_found_by():
    space = SentenceSpace.from_texts(
        ["so happy 🎉", "party 🎉🎉", "so sad 😢", "rain"], TfidfCosine(), min_count=1
    ).fit()
    assert space.similar("🎉", k=1)["text"].tolist() == ["party 🎉🎉"]


def test_a_model_that_is_not_fitted_says_so(model):
    space = space_of(model)
    with pytest.raises(NotFittedError):
        space.encode(TEXTS)
    with pytest.raises(NotFittedError):
        space.similar(TEXTS[0])


def test_new_steps_forget_the_rows_of_the_old_ones(model):
    """What ``similar`` has kept belongs to one step of the fit."""
    space = space_of(model)
    for _ in space.steps():
        seen = space.similar(TEXTS[0], k=6).set_index("place")["similarity"].sort_index()
        np.testing.assert_allclose(seen, space.similarity([TEXTS[0]] * 6, TEXTS), rtol=1e-5, atol=1e-6)
    assert space._own_rows is space._own_rows, "kept between two questions"
    space.fit()
    assert "_own_rows" not in vars(space)


def test_a_fit_that_goes_back_to_its_best_step_forgets_the_last_one():
    scores = iter([0.9, 0.1, 0.1])
    space = space_of(WTMF(3, regularization=0.1, max_iter=3, random_state=0))
    for _ in space.steps(dev_score=lambda _: next(scores)):
        space.similar(TEXTS[0])
    assert space.model.n_iter_ == 1
    np.testing.assert_allclose(space._own_rows, space.model.transform(space.corpus.matrix), rtol=1e-6)


def test_options_of_a_model_reach_it():
    space = space_of(WTMF(3, regularization=0.1, max_iter=1, random_state=0))
    start = np.random.default_rng(0).standard_normal((3, len(space.corpus.vocabulary)))
    expected = WTMF(3, regularization=0.1, max_iter=1).fit(space.corpus.matrix, start=start)
    np.testing.assert_array_equal(space.fit(start=start).model.embedding_, expected.embedding_)


def test_options_of_the_corpus_reach_it():
    space = space_of(TfidfCosine(), analyzer="stem", min_count=2)
    assert "peopl" in space.corpus.vocabulary
    assert "fish" not in space.corpus.vocabulary


@pytest.mark.parametrize("name", MODELS)
def test_one_string_is_not_a_list_of_texts(name):
    space = space_of(MODELS[name]()).fit()
    with pytest.raises(TypeError, match=r"write \[text\]"):
        space.encode("one text")
    with pytest.raises(TypeError, match=r"write \[text\]"):
        space.similarity("one text", "another")
    with pytest.raises(TypeError, match="takes one text"):
        space.similar(["one text"])
    with pytest.raises(TypeError, match="among takes a list"):
        space.similar("one text", among="another text")


def test_other_mistakes_are_told_in_words():
    with pytest.raises(TypeError, match=r"SentenceSpace\.from_texts"):
        SentenceSpace(TEXTS, TfidfCosine())
    corpus = Corpus.from_texts(TEXTS, min_count=1)
    for wrong in ("WTMF", WTMF, None):
        with pytest.raises(TypeError, match="sentence model with its parameters"):
            SentenceSpace(corpus, wrong)
    space = SentenceSpace(corpus, TfidfCosine()).fit()
    with pytest.raises(ValueError, match="one shape"):
        space.similarity(TEXTS, TEXTS[:2])
    with pytest.raises(ValueError, match="no candidates"):
        space.similar("a text", among=[])
    with pytest.raises(ValueError, match="1 or more"):
        space.similar("a text", k=0)


def test_an_encoder_gets_texts_and_is_compared_by_its_own_rows():
    space = space_of(Encoder(letters)).fit()
    np.testing.assert_array_equal(space.encode(["abba"])[0][:3], [2, 2, 0])
    assert space.similarity(["abba"], ["baab"])[0] == pytest.approx(1)
    assert space.similarity(["aa"], ["bb"])[0] == 0


@pytest.mark.parametrize("name", [name for name, make in MODELS.items() if make()._saved_attributes])
def test_models_are_saved_with_plain_parameters_only(name, tmp_path):
    model = MODELS[name]()
    space = space_of(model).fit()
    again = type(model).load(model.save(tmp_path / "model.npz"))
    np.testing.assert_array_equal(plain(again.transform(space.corpus.matrix)), plain(space.encode(TEXTS)))


def test_a_parameter_that_a_file_cannot_keep_is_named(tmp_path):
    space = space_of(WTMF(np.int64(2), regularization=np.float32(0.5), random_state=np.random.RandomState(0))).fit()
    with pytest.raises(TypeError, match=r"random_state is RandomState.*set_params\(random_state"):
        space.model.save(tmp_path / "model.npz")
    assert not (tmp_path / "model.npz").exists()
    space.model.set_params(random_state=None)
    again = WTMF.load(space.model.save(tmp_path / "model.npz"))
    assert (again.n_components, again.regularization, again.random_state) == (2, 0.5, None)


def test_files_that_hold_no_such_model_are_refused_in_words(tmp_path):
    (tmp_path / "text.npz").write_text("not a model")
    with pytest.raises(ValueError, match=r"no \.npz file"):
        WTMF.load(tmp_path / "text.npz")
    with pytest.raises(FileNotFoundError):
        WTMF.load(tmp_path / "nowhere.npz")
    space = space_of(TfidfCosine()).fit()
    space.model.save(tmp_path / "model.npz")
    with pytest.raises(ValueError, match=r"holds a TfidfCosine, version 1; WTMF\.load reads a WTMF"):
        WTMF.load(tmp_path / "model.npz")
    with pytest.raises(TypeError, match="nothing to keep"):
        space_of(NGramOverlap()).fit().model.save(tmp_path / "other.npz")


class Lengths(SentenceModel):
    """A model as a user may write one."""

    reads = "texts"
    _saved_attributes = ("longest_",)

    def steps(self, X):
        self.longest_ = max(map(len, X))
        yield Step(done=1, total=1, message="")

    def transform(self, X):
        return np.array([[len(text) / self.longest_, 1.0] for text in X])


SAVED = [name for name, make in MODELS.items() if make()._saved_attributes]


@pytest.mark.parametrize("make", [*(MODELS[name] for name in SAVED), Lengths], ids=[*SAVED, "own"])
def test_a_saved_space_gives_the_same_answers(make, tmp_path):
    space = space_of(make(), analyzer="stem", stop_words=["the"]).fit()
    again = SentenceSpace.load(space.save(tmp_path / "space.npz"))
    assert type(again.model) is type(space.model)
    assert repr(again.model) == repr(space.model)
    for text in (*TEXTS, "cold fish, and new words"):
        pd.testing.assert_frame_equal(again.similar(text), space.similar(text), check_exact=True)
    others = ["people swim", "money runs"]
    pd.testing.assert_frame_equal(
        again.similar("a bank", among=others), space.similar("a bank", among=others), check_exact=True
    )
    np.testing.assert_array_equal(again.similarity(TEXTS, TEXTS[::-1]), space.similarity(TEXTS, TEXTS[::-1]))
    assert [found.name for found in tmp_path.iterdir()] == ["space.npz"]


@pytest.mark.parametrize("name", [name for name in MODELS if name not in SAVED])
def test_a_space_whose_model_cannot_be_kept_says_so(name, tmp_path):
    space = space_of(MODELS[name]()).fit()
    with pytest.raises(TypeError, match=f"{name.split()[0]} has nothing to keep"):
        space.save(tmp_path / "space.npz")
    assert not list(tmp_path.iterdir())


def test_a_saved_space_whose_words_are_read_by_a_function_wants_it_again(tmp_path):
    space = space_of(TfidfCosine(), analyzer=str.split).fit()
    path = space.save(tmp_path / "space.npz")
    with pytest.raises(ValueError, match="analyzer of your own, 'split'"):
        SentenceSpace.load(path)
    again = SentenceSpace.load(path, analyzer=str.split)
    pd.testing.assert_frame_equal(again.similar(TEXTS[0]), space.similar(TEXTS[0]), check_exact=True)


def test_files_and_spaces_are_not_mixed_up(tmp_path):
    with pytest.raises(NotFittedError):
        space_of(TfidfCosine()).save(tmp_path / "space.npz")
    space = space_of(TfidfCosine()).fit()
    with pytest.raises(ValueError, match=r"a SentenceSpace is saved as \.npz"):
        space.save(tmp_path / "space.zip")
    with pytest.raises(ValueError, match=r"holds a TfidfCosine, version 1; SentenceSpace\.load reads a SentenceSpace"):
        SentenceSpace.load(space.model.save(tmp_path / "model.npz"))
    gone = type("Gone", (TfidfCosine,), {})
    path = SentenceSpace(space.corpus, gone().fit(space.corpus.matrix)).save(tmp_path / "gone.npz")
    del gone
    gc.collect()
    with pytest.raises(ValueError, match=r"the file holds a model of the class Gone, which semwork does not have"):
        SentenceSpace.load(path)
