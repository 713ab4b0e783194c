"""What the lessons say agrees with what is computed, and not for one seed only."""

from __future__ import annotations

import re

import nbformat
import numpy as np
import pytest

from notebooks.build import NOTEBOOKS
from semwork.datasets import load
from semwork.kernels.documents import document_set
from semwork.similarity import WTMF, RetrievalTask, SentenceSpace, TfidfCosine
from semwork.similarity.missing import relatedness, scores
from semwork.steps import last
from semwork.structures import LCLR
from semwork.structures.tasks.guides import alike
from semwork.studies import ClassKernels, GaussianTopics, Glossary, SamplerRace, SamplerRaceSettings, TopicsSettings
from semwork.studies.missing_steps import HYPOTHESES
from semwork_widgets import missing_words, semantic_kernels

SEEDS = range(3)


def cells(lesson, kind):
    """The texts of a lesson's cells of one kind, ``"markdown"`` or ``"code"``."""
    [path] = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def said(lesson, heading):
    """What a lesson says below a heading (as far as its colon), up to the next one, in one line."""
    _, *parts = re.split(r"^#+ +(.+)$", "\n".join(cells(lesson, "markdown")), flags=re.MULTILINE)
    [text] = [text for title, text in zip(parts[::2], parts[1::2], strict=True) if title.partition(":")[0] == heading]
    return " ".join(text.split())


def wtmf(weight, seed):
    return WTMF(20, weight, regularization=5, max_iter=12, random_state=seed)


# --- lesson 01 --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def glossary():
    return Glossary.from_sample(load("sample"))


@pytest.fixture(scope="module")
def fits(glossary):
    """Weight and seed → a model."""
    weights = (0.0, 0.01, 0.05, 1.0)
    return {(weight, seed): wtmf(weight, seed).fit(glossary.corpus.matrix) for weight in weights for seed in SEEDS}


@pytest.fixture(scope="module")
def opening():
    panel = missing_words()
    panel.wait()
    yield panel.last_step
    panel.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_good_vector_of_lesson_01_wins_where_it_is_praised_and_nowhere_else(glossary, fits, opening, seed):
    sentence = glossary.weigh(opening.entry)
    three = {name: fits[weight, seed].predicted(sentence) for name, weight in HYPOTHESES.items()}

    def winner(weight, measure="sum"):
        found = scores(relatedness(sentence, three, measure=measure), weight)
        return found["candidate"][found["wins"]].item()

    text = said("01", "Touch it")
    assert [float(weight) for weight in re.findall(r"Go(?: back)? to ([\d.]+\d)", text)] == [0.01]
    assert opening.weight == 0.01
    assert [winner(weight) for weight in (0.0, 0.01, 1.0)] == ["v1", "v3", "v2"]
    assert "At 0.05 the score prefers v2" in text
    assert winner(0.05) == "v2"
    assert "As the objective counts (below, equation 3) v3 wins there, too" in text
    assert winner(0.05, "fit") == "v3"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_headline_of_lesson_01_tells_too_small_good_and_too_large_apart(glossary, fits, opening, seed):
    data = load("sample").dictionary
    domains = np.array([*data.candidate_table["domain"], *data.query_table["domain"]])
    looks = {weight: glossary.look(fits[weight, seed], opening.entry, k=10) for weight in (0.0, 0.01, 1.0)}
    ranks = {weight: look.headword_rank for weight, look in looks.items()}
    assert ranks[0.01] < 40
    assert ranks[1.0] > 4 * ranks[0.01]
    assert ranks[0.0] > 20 * ranks[0.01]
    about = {weight: sum(domains[look.definitions["place"]] == "computing") for weight, look in looks.items()}
    assert about[0.01] >= 9, "nearly all neighbours are about computers"
    assert max(about[0.0], about[1.0]) <= 5

    def predicted(weight, observed):
        words = looks[weight].words
        return words["predicted"][words["observed"] == observed]

    assert predicted(0.0, observed=False).max() > predicted(0.0, observed=True).max()
    explained = {
        weight: predicted(weight, observed=True).sum() / looks[weight].words["weight"].sum() for weight in looks
    }
    assert explained[1.0] < 0.1 < 0.6 < explained[0.01]
    if seed == 0:  # the seed of the panel
        text = said("01", "Touch it")
        assert f"*website* itself is only about number {round(ranks[0.0], -2)}." in text
        assert f"*website* is about number {round(ranks[1.0], -2)}," in text
        assert ranks[0.01] <= 10
        assert "it is near number 20 at 0.01 and at 1." in text
        for weight in (0.01, 1.0):
            assert abs(glossary.look(fits[weight, 0], glossary.find("bank")).headword_rank - 20) <= 2


# --- lessons 00 and 02 ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def task():
    sample = load("sample")
    return RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)


@pytest.mark.parametrize("seed", SEEDS)
def test_words_alone_are_level_with_wtmf_up_to_two_percent_and_behind_at_ten(task, seed):
    words, model = task.ranking(TfidfCosine()), task.ranking(wtmf(0.01, seed))
    assert "Up to the best-ranked 2 % of the candidates the words alone do as well as WTMF" in said(
        "00", "A first live curve"
    )
    assert "Up to $k = 2$ % *words only* is level with WTMF or above it" in said("02", "Panel 1")
    shares = np.linspace(0.002, 0.02, 10)
    assert (words.topk(shares) >= model.topk(shares) - 0.03).all()
    assert words.topk([0.02])[0] == pytest.approx(0.3, abs=0.03)
    assert words.topk([0.1])[0] == pytest.approx(0.5, abs=0.03), "half of the targets"
    assert 0.6 < model.topk([0.1])[0] < 0.68, "nearly two thirds"


@pytest.mark.parametrize("seed", SEEDS)
def test_counting_finds_the_half_that_shares_content_words_and_wtmf_the_others(task, seed):
    sample = load("sample")
    content = RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts, stop_words=True)
    targets = content.candidates[[found[0] for found in content.data.targets]]
    nothing = np.asarray(content.queries.multiply(targets).sum(axis=1)).ravel() == 0
    words, model = task.ranking(TfidfCosine()), task.ranking(wtmf(0.01, seed))
    counted, modelled = (each.ranks <= 0.1 * each.n_candidates for each in (words, model))
    assert counted[~nothing].mean() > modelled[~nothing].mean() + 0.1
    assert modelled[nothing].mean() > counted[nothing].mean() + 0.3
    assert nothing[modelled & ~counted].mean() > 0.9, "what is new are pairs without a common content word"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_penalty_helps_and_then_wipes_the_vectors_out(task, seed):
    def atop(penalty):
        space = SentenceSpace(task.corpus, WTMF(20, regularization=penalty, max_iter=12, random_state=seed))
        last(space.steps())
        return task.fitted_ranking(space.model).atop

    text = said("02", "Panel 2")
    assert "A penalty of 5 or 10 helps." in text
    assert min(atop(5), atop(10)) > atop(0) + 0.03
    assert f"too strong for our {task.training.shape[0]:,} texts: WTMF is no better than *words only*" in text
    assert abs(atop(20) - task.baseline().mean()) < 0.02
    assert "At 50 the vectors have shrunk to nearly nothing, and ATOP is .5" in text
    assert atop(50) == atop(100) == 0.5
    assert atop("auto") > atop(0) + 0.02


# --- lesson 04 --------------------------------------------------------------------------------------------------------


def test_lesson_04_calls_the_decays_by_their_colours():
    panel = semantic_kernels()
    panel.wait()
    figure = panel.figures["alignment"].figure
    panel.close()
    text = said("04", "The panel")
    now = figure.layout.shapes[0].line.color
    assert now[1:3] == now[3:5] == now[5:7]
    assert "the decay of the moment (grey)" in text
    [best] = [trace for trace in figure.data if (trace.name or "").startswith("best")]
    red, green, blue = (int(best.marker.color[i : i + 2], 16) for i in (1, 3, 5))
    assert green > max(red, blue)
    assert "the best decay (green)" in text


@pytest.mark.data("medline")
@pytest.mark.slow
def test_the_table_of_lesson_04_has_balanced_and_plain_weights():
    documents = document_set("medline")
    found = {}
    for seed in range(10):
        study = ClassKernels(documents, "query 20", share=0.5, seed=seed)
        for centered in (None, False, True):
            decay = 0.0 if centered is None else study.optimum("exponential", centered=centered).decay
            balanced, plain = (study.score("exponential", decay, C=1.0, class_weight=w)[1] for w in ("balanced", None))
            row = [balanced[name] for name in ("f1", "average_precision", "prior_f1")] + [plain["f1"]]
            found.setdefault(centered, []).append(row)
    for rows in found.values():
        numbers = [f"{value:.3f}"[1:] for value in np.mean(rows, axis=0)]
        assert f"| {' | '.join(numbers)} |" in said("04", "What Medline shows")


# --- lesson 05 --------------------------------------------------------------------------------------------------------


def test_lesson_05_says_how_our_romanisation_table_is_graded():
    assert (alike("r", "ר"), alike("o", "א"), alike("d", "ט"), alike("r", "ב")) == (2, 1, 1, -1)
    assert "(the same sound 2, two vowels or similar consonants 1, others −1)" in said("05", "What did we learn")


def test_with_six_words_lesson_05_finds_the_places_in_some_draws_only():
    [cell] = [code for code in cells("05", "code") if "def neighbours" in code]
    scope = {"np": np}
    exec(cell.split("random = np.random")[0].replace("others, 2,", "others, 4,"), scope)
    reached = {}
    for draw in (0, 1):
        random = np.random.default_rng(draw)
        labels = np.tile([1, -1], 140)
        texts = [scope["sentence"](random, label == 1) for label in labels]
        model = LCLR(scope["neighbours"], regularization=1.0, random_state=0).fit(texts[:80], labels[:80])
        reached[draw] = np.mean(model.predict(texts[80:]) == labels[80:])
    assert reached[0] < 0.6
    assert reached[1] == 1.0
    assert "of 80 sentences LCLR found words and places in six draws" in said("05", "A problem of your own")


# --- lessons 06 and 07 ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_lesson_06_has_the_means_of_ten_seeds():
    study = GaussianTopics.on("sample")
    ends = [study.table(last(study.steps(TopicsSettings(seed=seed)))).iloc[-1] for seed in range(10)]
    means = {
        name: [f"{np.mean([end[f'{which}{name}'] for end in ends]):.2f}".replace("0.", ".") for which in ("", "lda ")]
        for name in ("coherence", "purity")
    }
    stated = ", ".join(f"{name} {' and '.join(two)}" for name, two in means.items()).replace("-", "−")
    assert f"over ten seeds {stated} for Gaussian LDA and LDA" in said("06", "Gaussian LDA against LDA, on the sample")
    assert all(end["purity"] > end["lda purity"] for end in ends)


def test_naive_overtakes_cholesky_in_two_dimensions():
    run = last(
        SamplerRace.on("planted").steps(
            SamplerRaceSettings(samplers=("naive", "cholesky"), chains=1, sweeps=30, seconds=60)
        )
    )
    naive, cholesky = (path.speed for path in run.paths)
    assert naive > cholesky
    assert "In two dimensions *naive* overtakes *cholesky*" in said("07", "The race")
