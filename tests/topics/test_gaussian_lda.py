"""Gaussian LDA as an estimator: what it finds, shows, keeps, and refuses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from semwork.datasets.records import LabelledDocuments, WordVectors
from semwork.steps import Step
from semwork.text import Corpus
from semwork.topics import (
    SAMPLERS,
    GaussianLDA,
    NormalInverseWishart,
    coherence,
    planted,
    tiny_problem,
    variation_steps,
)
from semwork.topics.samplers import Sampler

DATA = planted(n_dimensions=3)


def fitted(**parameters):
    given = {"n_topics": 4, "sampler": "precision", "max_sweeps": 30, "burn_in": 15, "random_state": 0} | parameters
    return GaussianLDA(**given).fit(DATA.documents, DATA.vectors)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_planted_topics_are_found(sampler):
    best = max(DATA.agreement(fitted(sampler=sampler, random_state=seed).assignments_) for seed in range(3))
    assert best > 0.97


def test_planted_topics_look_like_the_planted_ones():
    models = [fitted(random_state=seed) for seed in range(3)]
    model = max(models, key=lambda each: each.log_joint_path_[-1])
    for k, words in enumerate(model.top_words(8)):
        [topic] = set(DATA.word_topics[words].tolist())
        assert np.linalg.norm(model.means_[k] - DATA.means[topic]) < 1.0
    assert model.document_topics_.shape == (60, 4)
    np.testing.assert_allclose(model.document_topics_.sum(axis=1), 1)


def test_random_topics_are_not_found():
    random = [np.random.default_rng(0).integers(4, size=len(d)).astype(np.int32) for d in DATA.documents]
    assert DATA.agreement(random) < 0.4


def test_steps_are_records_and_assignments_are_current():
    model, before, seen = GaussianLDA(4, burn_in=3, max_sweeps=8, random_state=0), None, []
    for step in model.steps(DATA.documents, DATA.vectors):
        assert isinstance(step, Step)
        assert step.total == 8
        now = np.concatenate(model.assignments_)
        if before is not None:
            assert step.moved == pytest.approx((now != before).mean())
        before = now.copy()
        assert model.topic_sizes_.tolist() == np.bincount(now, minlength=4).tolist()
        assert step.topics_in_use == len(set(now.tolist()))
        assert step.log_joint < step.log_likelihood
        assert 0 < step.acceptance <= 1
        seen.append(step)
    assert [step.table for step in seen] == ["refreshed"] * 3 + ["frozen"] * 5
    assert np.isnan(seen[5].ess)
    assert seen[7].ess > 0
    assert seen[7].seconds == pytest.approx(sum(step.sweep_seconds for step in seen))
    assert [len(d) for d in model.assignments_] == [len(d) for d in DATA.documents]
    words = np.array(model.vocabulary_)[model.tokens_[0]]
    assert words.tolist() == DATA.documents[0].tolist()


def test_the_likelihood_of_a_step_is_that_of_its_topics():
    model = fitted(sampler="cholesky", max_sweeps=3)
    topics, vectors = np.concatenate(model.assignments_), DATA.vectors[np.concatenate(DATA.documents)]
    prior, expected = NormalInverseWishart().of_size(3), 0.0
    for k in range(4):
        belief = prior
        for vector in vectors[topics == k]:
            freedom = belief.nu - 2
            scale = (belief.kappa + 1) / (belief.kappa * freedom) * belief.psi
            expected += stats.multivariate_t(belief.mean, scale, freedom).logpdf(vector)
            belief = belief.posterior(vector[None])
    for document in model.assignments_:
        for place, k in enumerate(document.tolist()):
            expected += np.log((document[:place].tolist().count(k) + 0.25) / (place + 1.0))
    assert model.log_joint_path_[-1] == pytest.approx(expected / len(topics), rel=1e-9)


def test_tables_are_refreshed_as_said():
    def tables(**given):
        model = GaussianLDA(4, max_sweeps=7, random_state=0, **given)
        return [step.table[0] for step in model.steps(DATA.documents, DATA.vectors)]

    assert "".join(tables(burn_in=4, refresh=2)) == "rsrsfff"
    assert "".join(tables(burn_in=2, refresh=3, freeze=False)) == "rssrssr"
    assert "".join(tables(burn_in=0)) == "rffffff"
    assert "".join(tables(sampler="precision")) == "nnnnnnn"


def test_same_seed_same_result():
    one, two, other = fitted(), fitted(), fitted(random_state=5)
    assert np.array_equal(np.concatenate(one.assignments_), np.concatenate(two.assignments_))
    assert one.log_joint_path_ == two.log_joint_path_
    assert one.log_joint_path_ != other.log_joint_path_
    assert np.array_equal(one.transform(DATA.documents), two.transform(DATA.documents))


def test_transform_finds_proportions_and_does_not_depend_on_threads():
    model = fitted(n_jobs=1)
    many = DATA.documents * 15
    alone = model.transform(many)
    assert np.array_equal(alone, model.set_params(n_jobs=2).transform(many))
    np.testing.assert_allclose(alone.sum(axis=1), 1)
    assert np.abs(alone[:60] - model.document_topics_).mean() < 0.02
    np.testing.assert_allclose(model.transform([[]]), [[0.25] * 4])
    [table] = model.topics_of_tokens([[3, 80]])
    assert table["word"].tolist() == [3, 80]
    assert table["topic"].nunique() == 2
    assert (table["probability"] > 0.6).all()


def test_a_word_that_was_never_seen_falls_into_the_topic_of_its_neighbours():
    vectors = np.vstack([DATA.vectors, DATA.means[2]])
    model = GaussianLDA(4, "precision", max_sweeps=30, random_state=0).fit(DATA.documents, vectors)
    new = len(DATA.vectors)
    assert new not in model.vocabulary_
    expected = model.topic_word_density(np.flatnonzero(DATA.word_topics == 2)).mean(axis=1).argmax()
    assert model.topic_word_density([new])[:, 0].argmax() == expected
    assert model.transform([[new] * 10]).argmax() == expected


def test_batches_join_the_topics():
    model = GaussianLDA(4, "precision", random_state=0)
    for first in range(0, 60, 20):
        batch = DATA.documents[first : first + 20]
        model.partial_fit(batch, DATA.vectors if first == 0 else None, sweeps=20)
        assert len(model.assignments_) == 20
    assert model.topic_sizes_.sum() == sum(map(len, DATA.documents))
    true = np.concatenate(DATA.topics[40:])
    found = np.concatenate(model.assignments_)
    purity = sum(np.bincount(true[found == k]).max() for k in set(found.tolist())) / len(true)
    assert purity > 0.95


def test_every_batch_has_random_numbers_of_its_own_and_a_file_goes_on_with_them(tmp_path):
    model, seeds = fitted(), []
    for place in range(3):
        if place == 2:
            kept = GaussianLDA.load(model.save(tmp_path / "model.npz"))
            kept.partial_fit(DATA.documents[2:3], DATA.vectors)
        model.partial_fit(DATA.documents[place : place + 1])
        seeds.append(int(model._state.arrays.seed[0]))
    assert len(set(seeds)) == 3
    np.testing.assert_array_equal(kept.assignments_[0], model.assignments_[0])
    np.testing.assert_allclose(kept.means_, model.means_)


def test_topics_are_named_by_the_words_of_all_batches():
    model = fitted()
    before = model.top_words(8)
    model.partial_fit([[0]])
    assert model.vocabulary_ == [0]
    assert [len(words) for words in model.top_words(8)] == [8] * 4
    assert sum(set(now) == set(then) for now, then in zip(model.top_words(8), before, strict=True)) >= 3


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"n_topics": 3}, "n_topics is 3, and the model was fitted with 4"),
        ({"prior": NormalInverseWishart(kappa=5.0)}, "prior"),
    ],
)
def test_a_batch_for_another_model_is_refused(changed, said):
    model = fitted().set_params(**changed)
    with pytest.raises(ValueError, match=said):
        model.partial_fit([[0, 1]])


def test_tables_of_a_batch_are_filled_once():
    steps = fitted(sampler="fast").partial_steps(DATA.documents[:2], sweeps=3)
    assert [step.table for step in steps] == ["refreshed", "frozen", "frozen"]


@pytest.mark.parametrize("sampler", ["precision", "fast"])
def test_an_interrupt_within_a_sweep_leaves_nothing_stale(sampler, monkeypatch):
    model = GaussianLDA(4, sampler, random_state=0)
    steps = model.steps(DATA.documents, DATA.vectors)
    next(steps)
    stale = model.means_
    sweep = Sampler.sweep

    def interrupted(*given, **options):
        sweep(*given, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(Sampler, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(steps)
    assert np.abs(model.means_ - stale).max() > 1e-6
    inside = np.concatenate(model.tokens_)[np.concatenate(model.assignments_) == 0]
    expected = NormalInverseWishart().of_size(3).posterior(model.word_vectors_[inside]).mean
    np.testing.assert_allclose(model.means_[0], expected)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_vectors_that_are_long_beside_the_prior_are_followed_to_the_last_digit_or_refused(sampler):
    """Topics of a few tokens that empty and fill: each time the prior has to come back out of the rounding."""
    random = np.random.default_rng(0)
    documents = [random.integers(30, size=10).tolist() for _ in range(10)]
    vectors = random.normal(size=(30, 5))
    vectors /= np.linalg.norm(vectors, axis=1).max()
    most = 1e6 if sampler in ("precision", "fast") else 1e10
    model = GaussianLDA(40, sampler, alpha=5.0, burn_in=0, max_sweeps=100, random_state=0)
    model.fit(documents, vectors * np.sqrt(3 * 0.9 * most))
    kept = model._state.arrays.logdets.copy()
    model._state.rebuild()
    np.testing.assert_allclose(kept, model._state.arrays.logdets, rtol=1e-6)
    assert np.isfinite(model.log_joint_path_).all()
    with pytest.raises(ValueError, match=r"1.1e\+\d+ times .* can follow topics up to .*scale the vectors down"):
        model.fit(documents, vectors * np.sqrt(3 * 1.1 * most))


def test_a_likelihood_that_is_no_number_ends_the_run_with_advice(monkeypatch):
    monkeypatch.setattr("semwork.topics.state.State.log_likelihood", lambda _: float("nan"))
    with pytest.raises(FloatingPointError, match=r"is nan after sweep 1: .*sampler='cholesky'"):
        GaussianLDA(2, max_sweeps=2).fit(DATA.documents, DATA.vectors)


def test_the_first_batch_burns_in_for_half_of_its_sweeps_and_later_ones_not_at_all():
    model = GaussianLDA(4, "fast", random_state=0)
    tables = [step.table for step in model.partial_steps(DATA.documents[:9], DATA.vectors, sweeps=4)]
    assert tables == ["refreshed", "refreshed", "frozen", "frozen"]
    tables = [step.table for step in model.partial_steps(DATA.documents[9:], sweeps=3)]
    assert tables == ["refreshed", "frozen", "frozen"]


def test_a_batch_with_other_vectors_or_other_names_is_refused():
    model = GaussianLDA(4, "precision", max_sweeps=2, random_state=0).fit(DATA.documents, DATA.vectors)
    with pytest.raises(ValueError, match=r"the vector of \d+ is not the one .*give the same vectors"):
        model.partial_fit(DATA.documents[:3], DATA.vectors[::-1])
    names = WordVectors("named", [f"w{row}" for row in range(len(DATA.vectors))], DATA.vectors)
    with pytest.raises(ValueError, match="this batch has words, and the model was fitted on row numbers"):
        model.partial_fit([["w1", "w2"]], names)
    assert model.partial_fit(DATA.documents[:3], np.vstack([DATA.vectors, DATA.vectors[:1]])) is model


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: GaussianLDA(2, alpha="a").fit(DATA.documents, DATA.vectors), TypeError, "alpha must be .* got 'a'"),
        (lambda: NormalInverseWishart(mean="a").of_size(2), TypeError, "mean must be a number, or 2 of them, got 'a'"),
        (lambda: NormalInverseWishart(nu="a").of_size(2), TypeError, "nu must be a number above 1, or None, got 'a'"),
        (lambda: NormalInverseWishart(nu=[1, 2]).of_size(2), ValueError, r"nu is \[1, 2\]; .*it must be above 1"),
        (lambda: NormalInverseWishart(kappa=None).of_size(2), ValueError, "kappa is None; it must be a number above 0"),
        (
            lambda: NormalInverseWishart(psi=[[1, 2], [0, 1]]).of_size(2),
            ValueError,
            "not symmetric: it has 2 in row 0, column 1, and 0 in row 1, column 0; give a covariance matrix",
        ),
        (lambda: fitted(max_sweeps=1).top_words(1.5), ValueError, "n must be a whole number from 1, got 1.5"),
        (lambda: coherence([["a", "b"]], 5), TypeError, "reference is 5; give a Corpus, or a list of texts"),
        (lambda: tiny_problem(((),)), ValueError, "without any token; give at least one"),
        (
            lambda: next(variation_steps(tiny_problem(), "fast", refresh=1000, sweeps_per_step=100)),
            ValueError,
            "refresh is 1000; .* let sweeps_per_step be 1000 or more, it is 100",
        ),
    ],
)
def test_what_cannot_be_is_said_with_what_was_given_and_what_is_allowed(call, error, said):
    with pytest.raises(error, match=said):
        call()


def test_a_loaded_model_asks_for_the_vectors_of_row_numbers_that_the_fit_had_not(tmp_path):
    vectors = np.random.default_rng(0).normal(size=(9, 3))
    model = GaussianLDA(2, "precision", max_sweeps=3, random_state=0).fit([[0, 1, 2], [3, 4]], vectors)
    back = GaussianLDA.load(model.save(tmp_path / "m.npz"))
    with pytest.raises(
        ValueError, match=r"word number 7 is not among the 5 of the fit.*transform\(documents, vectors\)"
    ):
        back.transform([[1, 7]])
    np.testing.assert_array_equal(back.transform([[7]], vectors), model.transform([[7]]))


def test_no_words_have_no_densities():
    assert fitted(max_sweeps=1).topic_word_density([]).shape == (4, 0)


def test_documents_may_come_from_a_generator_and_vectors_as_lists():
    model = GaussianLDA(4, "precision", max_sweeps=3, random_state=0)
    model.fit((list(document) for document in DATA.documents), DATA.vectors.tolist())
    assert len(model.assignments_) == len(DATA.documents)
    assert model.topic_word_density([0, 1]).shape == (4, 2)


def test_texts_without_any_word_get_the_priors_proportions():
    vectors = WordVectors("two", ["cat", "dog"], np.eye(2, dtype=np.float32))
    model = GaussianLDA(2, "precision", alpha=[1.0, 3.0], max_sweeps=2, random_state=0).fit(["cat dog", "dog"], vectors)
    np.testing.assert_allclose(model.transform(["the of", ""]), [[0.25, 0.75]] * 2)


def test_a_batch_moves_the_topics_and_counts_as_if_it_had_been_there():
    model = fitted()
    sizes, means = model.topic_sizes_, model.means_
    list(model.partial_steps(DATA.documents[:2], sweeps=3))
    assert (model.topic_sizes_ >= sizes).all()
    assert model.topic_sizes_.sum() == sizes.sum() + 60
    assert not np.allclose(means, model.means_, atol=1e-6)
    assert len(model.transform(DATA.documents)) == 60


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_one_topic_holds_everything(sampler):
    model = fitted(n_topics=1, sampler=sampler, max_sweeps=2)
    belief = NormalInverseWishart().of_size(3).posterior(DATA.vectors[np.concatenate(DATA.documents)])
    np.testing.assert_allclose(model.means_[0], belief.mean)
    np.testing.assert_allclose(model.transform(DATA.documents[:2]), 1.0)


def test_covariances_are_posterior_means():
    model = fitted(n_topics=1, max_sweeps=1)
    vectors = DATA.vectors[np.concatenate(DATA.documents)]
    np.testing.assert_allclose(model.covariances_[0], np.cov(vectors.T), rtol=0.02, atol=0.02)


def test_a_run_that_is_stopped_leaves_a_model():
    model = GaussianLDA(4, random_state=0)
    run = model.steps(DATA.documents, DATA.vectors)
    for _ in range(3):
        next(run)
    run.close()
    assert model.n_sweeps_ == 3
    assert len(model.top_words(5)) == 4
    assert model.transform(DATA.documents[:2]).shape == (2, 4)
    assert np.bincount(np.concatenate(model.assignments_), minlength=4).tolist() == model.topic_sizes_.tolist()


def test_a_model_comes_back_from_its_file(tmp_path):
    prior = NormalInverseWishart(np.ones(3), 0.5, 2 * np.eye(3), 7)
    model = fitted(prior=prior, alpha=[0.1, 0.2, 0.3, 0.4])
    model.partial_fit(DATA.documents[:3])
    back = GaussianLDA.load(model.save(tmp_path / "model.npz"))
    np.testing.assert_allclose(back.means_, model.means_)
    np.testing.assert_allclose(back.covariances_, model.covariances_)
    np.testing.assert_allclose(back.transform(DATA.documents), model.transform(DATA.documents))
    assert back.top_words(5) == model.top_words(5)
    assert all(np.array_equal(a, b) for a, b in zip(back.assignments_, model.assignments_, strict=True))
    assert back.get_params()["prior"].nu == 7
    back.partial_fit(DATA.documents[3:5])
    assert back.topic_sizes_.sum() == model.topic_sizes_.sum() + 60
    (tmp_path / "other.npz").write_text("text")
    with pytest.raises(ValueError, match=r"no \.npz file"):
        GaussianLDA.load(tmp_path / "other.npz")
    with pytest.raises(ValueError, match=r"saved as \.npz"):
        model.save(tmp_path / "model.pkl")


TEXTS = ["cat dog fish", "dog dog zebra", "loan money bank", "bank qqq money zebra", "xyz"]
NAMES = ["cat", "dog", "fish", "loan", "money", "bank", "horse"]
WORDS = WordVectors("small", NAMES, np.array([[0, 1], [0, 2], [1, 2], [9, 9], [9, 8], [8, 9], [1, 1]], np.float32))


@pytest.mark.parametrize(
    "documents",
    [
        TEXTS,
        LabelledDocuments("small", TEXTS, np.zeros(5, np.int64), ("a",), np.array(["train"] * 5, object)),
        Corpus.from_texts(TEXTS, min_count=1, weighting="count"),
        [text.split() for text in TEXTS],
    ],
)
def test_texts_with_word_vectors_and_words_without(documents, tmp_path):
    model = GaussianLDA(2, "cholesky", max_sweeps=20, random_state=1)
    *_, step = model.steps(documents, WORDS)
    assert model.unknown_words_ == {"zebra": 2, "qqq": 1, "xyz": 1}
    assert (step.unknown_tokens, model.unknown_tokens_) == (4, 4)
    assert "4 tokens of 3 words have no vector" in step.message
    assert [len(z) for z in model.assignments_] == [3, 2, 3, 2, 0]
    assert sorted(map(set, model.top_words(3)), key=min) == [{"bank", "loan", "money"}, {"cat", "dog", "fish"}]
    shares = model.transform(["horse horse", "money"])
    assert shares[0].argmax() != shares[1].argmax()
    back = GaussianLDA.load(model.save(tmp_path / "m.npz"))
    np.testing.assert_allclose(back.transform(["dog", "money"]), model.transform(["dog", "money"]), atol=1e-6)
    assert np.allclose(back.transform(["horse"]), 0.5)
    assert back.transform(["horse horse"], WORDS).argmax() == shares[0].argmax()


def test_more_dimensions_than_tokens_is_allowed():
    vectors = np.random.default_rng(0).standard_normal((4, 30))
    for sampler in SAMPLERS:
        model = GaussianLDA(3, sampler, max_sweeps=5, random_state=0).fit([[0, 1], [2, 3, 0]], vectors)
        assert np.isfinite(model.log_joint_path_).all()
        assert np.linalg.eigvalsh(model.covariances_).min() > 0


def test_a_topic_without_tokens_has_no_words():
    model = GaussianLDA(5, "precision", max_sweeps=3, random_state=0).fit([[0, 1]], np.eye(2) + 1)
    assert sum(not words for words in model.top_words(2)) == (model.topic_sizes_ == 0).sum() > 0


NAN, ZERO = DATA.vectors.copy(), DATA.vectors.copy()
NAN[DATA.documents[0][0], 1] = np.nan
ZERO[DATA.documents[0][0]] = 0


@pytest.mark.parametrize(
    ("parameters", "documents", "vectors", "error", "said"),
    [
        ({"n_topics": 0}, None, None, ValueError, "n_topics must be a whole number from 1, got 0"),
        ({"sampler": "slow"}, None, None, ValueError, "sampler is 'slow'; choose one of 'naive', 'cholesky'"),
        ({"alpha": -1.0}, None, None, ValueError, "alpha must be a number above 0"),
        ({"alpha": [1.0, 2.0]}, None, None, ValueError, "4 of them"),
        ({"mh_steps": 0}, None, None, ValueError, "mh_steps must be"),
        ({"refresh": 0}, None, None, ValueError, "refresh must be"),
        ({"burn_in": -1}, None, None, ValueError, "burn_in must be a whole number from 0"),
        ({"max_sweeps": 1.5}, None, None, ValueError, "max_sweeps must be"),
        ({"freeze": "yes"}, None, None, TypeError, "freeze is 'yes'"),
        ({"n_jobs": 0}, None, None, ValueError, "n_jobs must be"),
        ({"prior": "flat"}, None, None, TypeError, "prior must be a NormalInverseWishart"),
        ({"prior": NormalInverseWishart(nu=2.0)}, None, None, ValueError, "nu is 2; .* above 2"),
        ({"prior": NormalInverseWishart(psi=-1.0)}, None, None, ValueError, "not positive definite"),
        ({}, None, NAN, ValueError, "NaN or infinity"),
        ({}, None, ZERO, ValueError, "all zeros"),
        ({}, None, 1e7 * DATA.vectors, ValueError, "scale the vectors down"),
        ({}, None, np.zeros(3), ValueError, "one row per word"),
        ({}, [], None, ValueError, "documents is empty"),
        ({}, [[], []], None, ValueError, "there is no token in 2 documents"),
        ({}, [[0, 10_000]], None, ValueError, "word number 10000; word numbers must be from 0 to 99"),
        ({}, [[0, -1]], None, ValueError, "word number -1"),
        ({}, [[0.5]], None, TypeError, "a list of whole numbers"),
        ({}, "a text", None, TypeError, "give a list of texts"),
        ({}, 7, None, TypeError, "documents is a int"),
        ({}, ["cat dog"], None, TypeError, "give a WordVectors"),
        ({}, ["qqq zebra"], WORDS, ValueError, "none of the 2 different words has a vector"),
    ],
)
def test_bad_input_is_refused_in_words(parameters, documents, vectors, error, said):
    model = GaussianLDA(**({"n_topics": 4} | parameters))
    with pytest.raises(error, match=said):
        model.fit(DATA.documents if documents is None else documents, DATA.vectors if vectors is None else vectors)


def test_a_model_that_knows_nothing_yet_says_so():
    with pytest.raises(ValueError, match="first batch needs vectors"):
        GaussianLDA(2).partial_fit(DATA.documents)
    with pytest.raises(Exception, match="not fitted"):
        GaussianLDA(2).transform(DATA.documents)
    model = fitted(max_sweeps=1)
    with pytest.raises(ValueError, match="fitted on vectors of 3"):
        model.transform([[0]], np.eye(2))
    with pytest.raises(ValueError, match="sweeps must be"):
        model.transform([[0]], sweeps=1)
    with pytest.raises(ValueError, match="between 0 and 99"):
        model.topic_word_density([1000])
    with pytest.raises(TypeError, match="row numbers"):
        model.topic_word_density(["cat"])
