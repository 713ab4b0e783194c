"""The real data, against the numbers in the notes."""

from __future__ import annotations

import time

import numpy as np
import pytest

from semwork.datasets import available, load, path


@pytest.mark.data("wordnet")
def test_wordnet():
    data = load("wordnet")
    assert len(data.texts) == len(data.definitions) == len(data.table) == 117_659
    assert data.table["pos"].value_counts().to_dict() == {"n": 82_115, "v": 13_767, "a": 18_156, "r": 3_621}
    assert all(data.definitions)
    assert data.table["id"].is_unique
    assert (path("wordnet") / "noun.exc").is_file()
    assert (path("wordnet") / "wordnet_ic" / "ic-brown.dat").is_file()


@pytest.mark.data("wordnet")
def test_the_second_load_of_wordnet_is_quick():
    load("wordnet")
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        load("wordnet")
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.8


@pytest.mark.data("gcide")
def test_gcide():
    data = load("gcide")
    assert len(data) == 171_914
    assert data.table["headwords"].nunique() == 108_181 - 12, "twelve entries have no definition"


@pytest.mark.data("cdr")
def test_cdr():
    every, far = load("cdr", max_overlap=1), load("cdr")
    assert len(every) == 21_204
    assert len(far) == 16_900
    assert len(far.candidates) == 117_659
    assert len(far.subset("dev")) == 1000
    assert np.array_equal(far.split, load("cdr").split)
    assert not np.array_equal(far.split, load("cdr", seed=1).split)
    headwords = load("wordnet").headwords
    for word, rows in list(zip(far.query_table["headword"], far.targets, strict=True))[::500]:
        assert word.lower() in [w.lower() for w in headwords[rows[0]]]


@pytest.mark.data("li06")
def test_li06():
    data = load("li06")
    assert len(data) == 30
    assert 0 <= data.scores.min() < data.scores.max() <= 1


@pytest.mark.data("sts2012")
def test_sts2012():
    data = load("sts2012")
    test = data.subset("test")
    assert len(test) == 3_108
    sizes = {name: len(test.subset(name)) for name in ("MSRpar", "MSRvid", "OnWN", "SMTeuroparl", "SMTnews")}
    assert sizes == {"MSRpar": 750, "MSRvid": 750, "OnWN": 750, "SMTeuroparl": 459, "SMTnews": 399}
    assert len(data.subset("train")) == 2_234
    assert data.scores.min() == 0
    assert data.scores.max() == 5


@pytest.mark.data("msr04")
def test_msr04():
    data = load("msr04")
    assert len(data.subset("train", "val")) == 4_076
    assert len(data.subset("test")) == 1_725
    # counted in the files with cut and grep
    assert {s: int(data.subset(s).scores.sum()) for s in ("train", "val", "test")} == {
        "train": 2407,
        "val": 346,
        "test": 1147,
    }


@pytest.mark.data("medline")
def test_medline():
    data = load("medline")
    assert (len(data), len(data.candidates)) == (30, 1_033)
    assert sum(map(len, data.targets)) == 696
    assert all(data.candidates)


@pytest.mark.data("newsgroups")
def test_newsgroups():
    data = load("newsgroups")
    assert len(data.subset("train")) == 11_293
    assert len(data.subset("test")) == 7_528
    assert len(data.label_names) == 20


@pytest.mark.data("reuters8")
def test_reuters():
    data = load("reuters8")
    assert (len(data.subset("train")), len(data.subset("test")), len(data.label_names)) == (5_485, 2_189, 8)
    more = load("reuters8", variant="r52")
    assert (len(more.subset("train")), len(more.subset("test")), len(more.label_names)) == (6_532, 2_568, 52)


@pytest.mark.data("glove")
def test_glove():
    data = load("glove")
    assert data.vectors.shape == (400_000, 50)
    assert data.vectors.dtype == np.float32
    assert isinstance(data.vectors, np.memmap)
    assert "queen" in data.most_similar("king")["word"].tolist()
    original = np.load(path("glove") / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)
    rows = [0, 1, 12_345, 399_999]
    assert np.array_equal(original[rows], data.vectors[rows])


@pytest.mark.data("brown")
def test_brown():
    data = load("brown", tags=True)
    assert len(data) == 57_340
    assert data.table["category"].nunique() == 15
    lengths = [len(text.split()) for text in data.texts]
    assert lengths == [len(tags.split()) for tags in data.table["tags"]]
    assert sum(lengths) == 1_161_192


@pytest.mark.data("rte")
def test_rte():
    data = load("rte")
    counts = {(g, s): len(data.subset(g, s)) for g in ("rte1", "rte2", "rte3") for s in ("dev", "test")}
    assert counts == {
        ("rte1", "dev"): 567, ("rte1", "test"): 800, ("rte2", "dev"): 400,
        ("rte2", "test"): 800, ("rte3", "dev"): 800, ("rte3", "test"): 800,
    }  # fmt: skip
    assert 0.48 < data.scores.mean() < 0.53


@pytest.mark.data("ppdb")
def test_ppdb():
    assert len(load("ppdb")) == 210_372


@pytest.mark.data("en_core_web_sm")
def test_spacy_model_is_a_folder():
    assert (path("en_core_web_sm") / "config.cfg").is_file()


def test_names():
    data = load("names", language="he")
    # CLDR moves with babel: 418, 256 and 562 with babel 2.18
    assert len(data.subset("city")) == pytest.approx(418, abs=5)
    assert len(data.subset("territory")) == pytest.approx(256, abs=5)
    assert len(data.subset("language")) == pytest.approx(562, abs=30)


def test_some_sets_need_nothing():
    assert available("names")


@pytest.mark.data("wordnet")
def test_lemmas_find_wordnet_by_themselves():
    from semwork.text.lemma import default_lemmatizer

    assert default_lemmatizer()("The mice were running") == ["the", "mouse", "be", "run"]
