"""The studies of lesson 03: what they answer is what the measures say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import load
from semwork.evaluation import accuracy_curve, at_threshold, pearson, spearman
from semwork.similarity import WTMF, PairTask, SentenceSpace, TfidfCosine, word_effects
from semwork.steps import last, reporting
from semwork.studies import (
    ModelsSettings,
    OwnSentences,
    OwnSentencesView,
    PairAgreement,
    PairSettings,
    ParaphraseThreshold,
    WalkSettings,
    WalkStep,
    WeightWalk,
    training_corpus,
    training_texts,
)
from semwork.studies.pair_models import FEW_TEXTS, iterations_for
from semwork.studies.paraphrase_threshold import bars_of
from semwork.studies.study import NoAnswer
from semwork.studies.weight_walk import WALK
from semwork.sweeps import SweepFailed

PAIRS = load("sample").pairs


@pytest.fixture(scope="module")
def fitted():
    study = PairAgreement.on()
    return study, last(study.steps(PairSettings(n_components=10)))


def test_agreement_is_the_correlation_of_each_group_and_the_line_is_the_least_squares_line(fitted):
    study, step = fitted
    found = study.agreement(step, pair=3)
    table = found.correlations.set_index("group")
    assert table.loc[""].tolist() == [pearson(PAIRS.scores, step.predicted), spearman(PAIRS.scores, step.predicted)]
    for group in dict.fromkeys(PAIRS.group.tolist()):
        rows = PAIRS.group == group
        assert table["pearson"][group] == pearson(PAIRS.scores[rows], step.predicted[rows])
    slope = np.cov(PAIRS.scores, step.predicted)[0, 1] / np.var(PAIRS.scores, ddof=1)
    (x0, y0), (x1, y1) = found.line
    assert (y1 - y0) / (x1 - x0) == pytest.approx(slope)
    assert found.chosen == 3
    assert study.agreement(step, pair=5000).chosen == len(PAIRS) - 1
    assert study.table(step).equals(found.correlations)


def test_without_different_scores_there_is_no_line(fitted):
    study, _ = fitted
    flat = PairAgreement(PAIRS.at(np.flatnonzero(PAIRS.scores == PAIRS.scores[0])), study.task.corpus)
    same = last(flat.steps(PairSettings(model="words only")))
    found = flat.agreement(same)
    assert found.line is None
    assert found.correlations["pearson"].isna().all()


def test_words_are_those_of_the_pair_and_their_effects_are_measured(fitted):
    study, step = fitted
    found = study.words(step, pair=7)
    left, right = word_effects(SentenceSpace(study.task.corpus, step.model), PAIRS.left[7], PAIRS.right[7])
    assert found.left["effect"].tolist() == [word.effect for word in left]
    assert found.right["word"].tolist() == [word.word for word in right]
    assert found.title.startswith(f"Pair 7: people {PAIRS.scores[7]:g}")


def test_a_study_gives_what_a_fit_by_hand_gives(fitted):
    _, step = fitted
    task = PairTask(PAIRS, training_corpus("sample"))
    by_hand = last(task.steps(WTMF(10, 0.01, 5.0, max_iter=12, random_state=0)))
    np.testing.assert_array_equal(step.predicted, by_hand.predicted)


def test_a_threshold_is_learnt_on_training_pairs_alone():
    pairs, study = load("sample").paraphrases, ParaphraseThreshold.on()
    step = last(study.steps(PairSettings()))
    train = pairs.split != "test"
    curve = accuracy_curve(step.predicted[train], pairs.scores[train])
    best = at_threshold(step.predicted[train], pairs.scores[train], step.learnt).accuracy
    assert best == curve.accuracy.max()
    split = study.split(step, "training pairs", follow=False, threshold=0.2)
    assert (split.threshold, split.learnt) == (0.2, step.learnt)
    assert len(split.scores) == train.sum()
    for threshold, accuracy in split.accuracy.sample(5, random_state=0).to_numpy():
        assert at_threshold(split.scores, split.labels, threshold).accuracy == pytest.approx(accuracy)
    assert split.bars[["other", "paraphrases"]].sum().tolist() == [(~split.labels).sum(), split.labels.sum()]


def test_all_similarities_lie_within_the_bars():
    scores = np.array([-0.3, 0.0, 1.0, 1.0000001])
    bars = bars_of(scores, np.array([False, False, True, True]))
    assert bars["start"].iloc[0] == scores.min()
    assert bars["end"].iloc[-1] == scores.max()
    assert bars[["other", "paraphrases"]].to_numpy().sum() == 4
    assert len(bars_of(np.linspace(0, 1, 400), np.ones(400, dtype=bool))) == 40, "twice the root"


def test_the_walk_is_one_fit_for_each_weight_and_seed():
    study = WeightWalk.on()
    steps = study.steps(WalkSettings(n_components=5, seeds=1))
    first = next(step.fits for step in steps if len(step.fits))
    found = first[first["set"] == "sample"].iloc[0]
    by_hand = last(study.task.steps(WTMF(5, 0.0, 5.0, max_iter=12, random_state=0)))
    assert (found["pearson"], found["spearman"]) == (by_hand.pearson, by_hand.spearman)
    second = next(step.fits for step in steps if len(step.fits) > len(first))
    assert second["missing_weight"].unique().tolist() == [0.0, 0.0001]


def test_the_walk_has_one_record_for_each_weight_and_seed_all_seeds_of_a_weight_first():
    study = WeightWalk.on()
    found = [step.fits for step in study.steps(WalkSettings(n_components=2, seeds=2))]
    own = [fits[fits["set"] == "sample"] for fits in found]
    by_cell = [(weight, seed) for weight in WALK for seed in (0, 1)]
    assert list(zip(own[-1]["missing_weight"], own[-1]["seed"], strict=True)) == by_cell
    arrived = sorted({len(fits): fits for fits in own if len(fits)}.items())
    assert [count for count, _ in arrived] == list(range(1, len(by_cell) + 1))
    for count, fits in arrived:
        assert list(zip(fits["missing_weight"], fits["seed"], strict=True)) == by_cell[:count]
    other = own[-1].groupby("missing_weight")["pearson"].nunique()
    assert (other > 1).any(), "seeds differ"


@pytest.mark.parametrize("failing", [1, len(WALK)])
def test_a_walk_with_cells_that_fail_is_no_success_and_the_others_are_there(monkeypatch, failing):
    study, steps, whole = WeightWalk.on(), [], WTMF.steps

    def fail(self, *given, **more):
        if failing > 1 or self.missing_weight == 0.01:
            raise ValueError("no fit today")
        yield from whole(self, *given, **more)

    monkeypatch.setattr(WTMF, "steps", fail)
    with pytest.raises(SweepFailed, match=f"{failing} of {len(WALK)} cells failed:\n.*ValueError: no fit today"):
        steps.extend(reporting(study.steps(WalkSettings(n_components=2, seeds=1)), steps.append))
    assert study.table(steps[-1])["missing_weight"].nunique() == len(WALK) - failing
    assert f"{failing} failed" in steps[-1].message
    assert study.walk(steps[-1]).correlations["missing_weight"].nunique() == len(WALK) - failing


def test_many_texts_are_fitted_with_as_many_iterations_as_in_the_paper(fitted):
    assert iterations_for(FEW_TEXTS) == iterations_for(180_000) == 20
    assert iterations_for(FEW_TEXTS - 1) == len(fitted[1].model.objective_path_) == 12


def test_the_walk_says_mean_worst_and_best_seed_and_knows_the_paper_for_li06_only():
    study = WeightWalk.on()
    rows = [("sample", at, seed, r, 2 * r) for at, seed, r in ((0.0, 0, 0.1), (0.0, 1, 0.3), (0.01, 0, 0.4))]
    rows += [("sample", 0.01, 1, np.nan, np.nan)]
    fits = pd.DataFrame(rows, columns=["set", "missing_weight", "seed", "pearson", "spearman"])
    found = study.walk(WalkStep(done=1, total=1, fits=fits), "Spearman ρ")
    point, other = found.correlations.to_dict("records")
    assert (point["mean"], point["min"], point["max"], point["count"]) == pytest.approx((0.4, 0.2, 0.6, 2))
    assert (other["mean"], other["count"]) == pytest.approx((0.8, 1)), "NaN is left out"
    assert (found.letter, found.paper) == ("ρ", {})
    assert found.weights == (0.0, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)


def test_own_sentences_are_compared_under_every_model():
    study = OwnSentences.on()
    end = last(study.steps(ModelsSettings(n_components=5)))
    left, right = "the nurse helps a child", "a doctor helps the nurse"
    found = study.similar(end, left, right).similarities
    space = SentenceSpace(study.corpus, TfidfCosine()).fit()
    assert found["words only"] == pytest.approx(space.similarity([left], [right])[0])
    match = study.match(end, left, right, "words only")
    assert match.similarity.shape == (len(match.left), len(match.right)) == (5, 5)
    assert match.similarity[1, 4] == pytest.approx(1), "nurse and nurse"
    assert study.match(end, left, "xyzzy").title == "Word by word with WTMF: xyzzy unknown"
    first = next(study.steps(ModelsSettings(n_components=6)))
    with pytest.raises(NoAnswer, match="LDA is not fitted yet"):
        study.match(first, left, right, "LDA")
    assert study.table(end, left, right)["similarity"].tolist() == list(found.values())


def test_what_is_not_here_is_neither_offered_nor_replaced_by_another_model(monkeypatch):
    monkeypatch.setattr("semwork.similarity.catalogue.available", lambda name: name != "glove")
    for parameter in (PairSettings.parameters()["model"], OwnSentencesView.parameters()["matched"]):
        assert parameter.needs == {"GloVe average": ("glove",)}
    study = OwnSentences.on()
    end = last(study.steps(ModelsSettings(n_components=5)))
    assert "GloVe average" not in end.models
    with pytest.raises(NoAnswer, match="GloVe average needs glove"):
        study.match(end, "a nurse", "a doctor", "GloVe average")


def test_only_the_models_of_the_last_settings_are_remembered():
    study = OwnSentences.on()
    for seed in range(12):
        last(study.steps(ModelsSettings(n_components=2, seed=seed)))
    assert len(study._baselines) <= 20


@pytest.mark.data("wordnet", "brown")
@pytest.mark.slow
def test_the_real_texts_are_wordnets_entries_and_browns_sentences():
    texts = training_texts("WordNet + Brown")
    assert len(texts) == 117_659 + len(load("brown").texts)
    with pytest.raises(ValueError, match="there are no training texts 'wiki'; there are 'sample'"):
        training_texts("wiki")
