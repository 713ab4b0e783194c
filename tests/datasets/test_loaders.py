"""Every format, on tiny files written here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import brown, cdr, cldr, gcide, glove, medline, msr, orange, ppdb, rte, sample, sts, wordnet
from semwork.datasets.parsed import Source


@pytest.fixture
def write(tmp_path, shelf):
    """Write files of a data set and return its source."""
    sources: dict[str, Source] = {}

    def make(name: str, files: dict[str, str | bytes]) -> Source:
        folder = tmp_path / name
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        sources[name] = Source(name, name, lambda: folder, lambda other: sources[other])
        return sources[name]

    return make


LICENCE = "  1 This text was written for a test.  \n"


def wordnet_files(**lines: str) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        "lexnames": "03\tnoun.Tops\t1\r\n29\tverb.body\t2\r\n00\tadj.all\t3\r\n02\tadv.all\t4\r\n"
    }
    for name in ("noun", "verb", "adj", "adv"):
        files[f"data.{name}"] = LICENCE + lines.get(name, "")
    return files


WORDNET = wordnet_files(
    noun='00000010 03 n 02 house_cat 0 cat 1 001 @ 00000001 n 0000 | a small pet; "the cat sat"; "two cats" - poet  \n'
    "00000020 03 n 01 Zebu 0 000 | a kind of ox with a hump  \n",
    verb="00000030 29 v 01 purr 0 000 01 + 02 00 | make a soft sound  \n",
    adj='00000040 00 s 01 galore(ip) 0 000 | in plenty; "fish galore"  \n',
    adv="00000050 02 r 01 softly 0 000 | in a soft way  \n",
)


def test_wordnet(write):
    data = wordnet.load(write("wordnet", WORDNET))
    assert len(data) == 5
    assert data.headwords == [("house cat", "cat"), ("Zebu",), ("purr",), ("galore",), ("softly",)]
    assert data.definitions[0] == "a small pet"
    assert data.examples[0] == ("the cat sat", "two cats")
    assert data.examples[1] == ()
    assert data.texts[0] == "house cat, cat: a small pet; the cat sat; two cats"
    assert data.table["pos"].tolist() == ["n", "n", "v", "a", "r"]
    assert data.table["id"].tolist()[0] == "00000010-n"
    assert data.table["category"].tolist()[2] == "verb.body"
    assert "5 texts" in repr(data)
    assert "<table>" in data._repr_html_()


@pytest.mark.parametrize(
    ("gloss", "definition", "examples"),
    [
        ("plain", "plain", []),
        ('a; b; "c d"', "a; b", ["c d"]),
        ('"only an example"', '"only an example"', ["only an example"]),
        ('with (as in "this case") more', 'with (as in "this case") more', []),
        ('loose "example at the end"', "loose", ["example at the end"]),
        ('open; "never closed', "open", ["never closed"]),
        ("", "", []),
    ],
)
def test_glosses(gloss, definition, examples):
    assert wordnet.split_gloss(gloss) == (definition, examples)


def gcide_entry(word: str, label: str, *texts: str) -> dict[str, object]:
    senses = [{"text": text, "examples": ["Some  use."] if i == 0 else []} for i, text in enumerate(texts)]
    return {"entry": word, "pos": [{"etymology": "", "part_of_speech": label, "definitions": senses}]}


GCIDE = {
    "words_C.json": json.dumps(
        {"cat": gcide_entry("cat", "n.", "A  furry beast."), "galore": gcide_entry("x", "a.", ".")}
    ),
    "words_P.json": json.dumps({"purr": gcide_entry("purr", "v. i.", "To utter a murmuring noise.")}),
    "words_S.json": json.dumps(
        {
            "softly": gcide_entry("softly", "n. & v.", "In a soft way."),
            "many": gcide_entry("many", "a.", "Two.", "Three."),
        }
    ),
    "words_Z.json": json.dumps({"zebu": gcide_entry("zebu", "n.", "A kind of ox with a hump.")}),
}


def test_gcide(write):
    data = gcide.load(write("gcide", GCIDE))
    assert len(data) == 7
    assert data.texts[0] == "cat: A furry beast.; Some use."
    assert data.table["pos"].tolist() == ["n", "a", "v", "", "a", "a", "n"]
    assert data.table["sense"].tolist()[4:6] == [1, 2]


def test_cdr_keeps_words_with_one_sense_in_both(write):
    write("wordnet", WORDNET)
    write("gcide", GCIDE)
    source = write("cdr", {})
    every = cdr.load(source, max_overlap=1, dev_size=1)
    assert every.query_table["headword"].tolist() == ["cat", "purr", "zebu"]
    assert [int(rows[0]) for rows in every.targets] == [0, 2, 1]
    assert every.candidates[1] == "a kind of ox with a hump"
    far = cdr.load(source, dev_size=1)
    assert far.query_table["headword"].tolist() == ["cat", "purr"]
    assert sorted(far.split.tolist()) == ["dev", "test"]
    assert len(far.subset("dev")) == 1
    assert len(far.subset("dev").candidates) == 5
    with pytest.raises(ValueError, match="dev_size is 9; allowed is a whole number from 0 to 2"):
        cdr.load(source, dev_size=9)
    with pytest.raises(ValueError, match="max_overlap is 2"):
        cdr.load(source, max_overlap=2)


def test_li06(write):
    data = sts.load_li06(write("li06", {"text": "a\nb\nc\nd\n", "gs": "0.1\n0.9\n"}))
    assert (data.left, data.right) == (["a", "c"], ["b", "d"])
    assert data.scores.tolist() == [0.1, 0.9]
    assert data.texts == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="two lines go with one score"):
        sts.load_li06(write("odd", {"text": "a\n", "gs": "1\n"}))


def test_sts2012_groups(write, monkeypatch):
    monkeypatch.setattr(sts, "_TEST", (("MSRpar", 1), ("MSRvid", 1)))
    monkeypatch.setattr(sts, "_TRAIN", (("MSRpar", 1),))
    files = {"text": "a\nb\u2028\nc\nd\n", "gs": "1\n2\n", "train.text": "e\nf\n", "train.gs": "5.0\n"}
    data = sts.load_sts2012(write("sts2012", files))
    assert data.subset("test", "MSRpar").left == ["a"]
    assert data.subset("MSRpar").left == ["a", "e"]
    assert data.subset("train").scores.tolist() == [5.0]
    assert data.subset("test", "train").left == data.left
    assert data.subsets == ["test", "train", "MSRpar", "MSRvid"]
    with pytest.raises(KeyError, match="there is no subset 'MSRvids'; there are: MSRpar, MSRvid, test, train"):
        data.subset("MSRvids")
    monkeypatch.setattr(sts, "_TRAIN", (("MSRpar", 2),))
    source = write("sts2012", files)
    with pytest.raises(ValueError, match="holds 3 pairs"):
        sts.load_sts2012(source)


def test_msr_quotes_bom_and_line_ends(write):
    head = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"
    files = {
        "msr-para-train.tsv": "\ufeff" + head + '1\t10\t11\t"Open quote\tAnother "one"\r\n',
        "msr-para-val.tsv": head + "0\t12\t13\tx\ty\r\n",
        "msr-para-test.tsv": "\ufeff" + head + "1\t14\t15\tz\tw\r\n",
    }
    data = msr.load(write("msr04", files))
    assert data.left == ['"Open quote', "x", "z"]
    assert data.split.tolist() == ["train", "val", "test"]
    assert len(data.subset("train", "val")) == 2
    assert data.table["left_id"].tolist() == ["10", "12", "14"]


def test_rte_both_dialects(write):
    head = '<?xml version="1.0"?><!DOCTYPE c SYSTEM "rte.dtd">'
    one = head + '<c><pair id="1" value="TRUE" task="IR"><t> A\n b </t><h>c</h></pair></c>'
    two = '<c><pair id="2" entailment="NO" task="QA"><t>d &amp; e</t><h>f</h></pair></c>'
    files = {f"rte{i}_{s}.xml": (one if i == 1 else two) for i in (1, 2, 3) for s in ("dev", "test")}
    data = rte.load(write("rte", files))
    assert data.left[:3] == ["A b", "A b", "d & e"]
    assert data.scores.tolist() == [1, 1, 0, 0, 0, 0]
    assert data.subset("rte2", "dev").table["task"].tolist() == ["QA"]


def test_medline(write):
    files = {
        "MED.ALL": ".I 1\n.W\none\n  two\n.I 7\n.W\nthree .W\n",
        "MED.QRY": ".I 1\r\n.W\r\n what?\r\n.I 2\r\n.W\r\nwho?\r\n",
        "MED.REL": "1 7 1\r\n1 1 1\r\n1 7 1\r\n",
    }
    data = medline.load(write("medline", files))
    assert data.candidates == ["one two", "three .W"]
    assert data.queries == ["what?", "who?"]
    assert [rows.tolist() for rows in data.targets] == [[0, 1], []]
    assert data.texts == data.candidates
    assert "2 queries" in repr(data)


def test_labelled_documents(write):
    head = "Category\tText\nd\tstring\nclass\t\n\n"
    files = {"20newsgroups-train.tab": head + "b\tx y\na\tz\n", "20newsgroups-test.tab": head + "b\tw\n"}
    data = orange.load_newsgroups(write("newsgroups", files))
    assert data.texts == ["x y", "z", "w"]
    assert data.label_names == ("a", "b")
    assert data.labels.tolist() == [1, 0, 1]
    assert data.subset("test").labels.tolist() == [1]
    assert data.table["label"].tolist() == ["b", "a", "b"]
    files = {f"reuters-{v}-{s}.tab": head + f"{v}\t{s}\n" for v in ("r8", "r52") for s in ("train", "test")}
    source = write("reuters8", files)
    assert orange.load_reuters8(source).label_names == ("r8",)
    assert orange.load_reuters8(source, variant="r52").label_names == ("r52",)
    with pytest.raises(ValueError, match="variant is 'r90'; allowed are 'r8' and 'r52'"):
        orange.load_reuters8(source, variant="r90")


def test_glove_becomes_rows_in_memory_order(write, tmp_path):
    source = write("glove", {"readme": ""})
    vectors = np.asfortranarray(np.array([[1, 0], [0.9, 0.1], [0, 1], [0, 0]], dtype=np.float32))
    np.save(tmp_path / "glove" / "glove_6B_50d_emb.npy", vectors)
    pd.DataFrame({"index": ["cat", "dog", "é", "nil"]}).to_parquet(tmp_path / "glove" / "glove_6B_index.parquet")
    for _ in range(2):
        data = glove.load(source)
        assert isinstance(data.vectors, np.memmap)
        assert data.vectors.flags.c_contiguous
        assert not data.vectors.flags.writeable
    assert data["é"].tolist() == [0, 1]
    assert "cat" in data
    assert "cow" not in data
    nearest = data.most_similar("cat", 2)
    assert nearest["word"].tolist()[0] == "dog"
    assert nearest["similarity"].iloc[0] == pytest.approx(0.9 / np.hypot(0.9, 0.1), abs=1e-6)
    assert len(data.most_similar("cat", 99)) == 3
    assert len(data.most_similar("nil", 0)) == 0
    with pytest.raises(KeyError, match=r"no vector for 'CAT'.*Try 'cat'"):
        data["CAT"]
    assert "4 words, 2 dimensions" in repr(data)


def test_glove_never_unpickles(write, tmp_path):
    source = write("glove", {"readme": ""})
    np.save(tmp_path / "glove" / "glove_6B_50d_emb.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        glove.load(source)


def test_brown(write):
    files = {"cats.txt": "ca01 news\n", "ca01": "\n\n\tThe/at cat/nn 1/2/cd ./.\n\n\n\tIt/pps sat/vbd\n"}
    source = write("brown", files)
    data = brown.load(source)
    assert data.texts == ["The cat 1/2 .", "It sat"]
    assert list(data.table.columns) == ["file", "category"]
    assert brown.load(source, tags=True).table["tags"].tolist() == ["at nn cd .", "pps vbd"]


def test_ppdb(write):
    data = ppdb.load(write("ppdb", {ppdb._FILE: "car\tauto\r\ncaf\u00e9\tcoffeehouse\r\n"}))
    assert data.left == ["car", "café"]
    assert ("auto", "car") in data.pairs
    assert "2 pairs" in repr(data)


def names_source() -> Source:
    return Source("names", "", lambda: Path(), lambda name: names_source())


@pytest.mark.parametrize("language", ["he", "ru", "el", "ar", "ja"])
def test_names(language):
    data = cldr.load(names_source(), language=language)
    assert set(data.kind) == {"city", "territory", "language"}
    assert all(one != two for one, two in zip(data.english, data.foreign, strict=True))
    assert all(data.english)
    assert all(data.foreign)
    cities = data.subset("city")
    assert 380 <= len(cities) <= 450
    assert "London" in cities.english
    assert len(data.table) == len(data)


@pytest.mark.parametrize("language", ["he", "ru", "el", "ar", "ja", "de", "zh_Hant"])
def test_every_name_names_something(language):
    data = cldr.load(names_source(), language=language)
    assert not [name for name in data.english if name.startswith(("Unknown", "Pseudo", "No ", "Multiple"))]
    assert not {"Outlying Oceania", "European Union", "Eurozone", "United Nations", "World"} & set(data.english)
    assert not {"und", "mul", "mis", "zxx", "root", "ZZ", "XA", "XB"} & set(data.codes)
    assert all(code[0].isalpha() for code in data.codes)
    assert {"US", "AQ", "ang"} <= set(data.codes)  # translated names stay


@pytest.mark.parametrize(("one", "two"), [("he-IL", "he_IL"), ("sr-Latn", "sr_Latn"), ("zh-Hant-TW", "zh_Hant_TW")])
def test_hyphens_in_codes_are_underscores(one, two):
    data, same = (cldr.load(names_source(), language=code) for code in (one, two))
    assert data.language == same.language == two
    assert data.foreign == same.foreign
    assert len(data) > 500


@pytest.mark.parametrize("language", ["xx", "he-", "he_", "", "hebrew language", "12", None, 7, ["he"]])
def test_names_of_an_unknown_language(language):
    with pytest.raises(ValueError, match=r"allowed are CLDR codes such as ar, de, el"):
        cldr.load(names_source(), language=language)


def test_names_of_english():
    with pytest.raises(ValueError, match="English already"):
        cldr.load(names_source(), language="en")


def sample_files(concepts: int = 6) -> dict[str, str]:
    head = "domain\theadword\tdefinition\n"
    rows = [(f"d{i % 2}", f"word{i}") for i in range(concepts)]
    files = {f"dictionary_{x}.tsv": head + "".join(f"{d}\t{w}\t{x} says {w}\n" for d, w in rows) for x in "ab"}
    files["distractors.tsv"] = head + "d0\tother\tsomething else\n"
    files["documents.tsv"] = "topic\ttext\n" + "".join(f"t{i % 2}\tdocument {i}\n" for i in range(8))
    files["pairs.tsv"] = "group\tsplit\tscore\tleft\tright\n" + "".join(
        f"g{i % 2}\t{'train' if i < 3 else 'test'}\t{i}\tleft {i}\tright {i}\n" for i in range(6)
    )
    return files


def test_sample(write):
    source = write("sample", sample_files())
    data = sample.load(source, dev_size=2)
    assert len(data.texts) == 6 + 6 + 1 + 8
    assert len(data.dictionary.subset("dev")) == 2
    for query, rows in zip(data.dictionary.queries, data.dictionary.targets, strict=True):
        assert data.dictionary.candidates[rows[0]] == query.replace("b says", "a says")
    assert data.documents.subset("test").labels.tolist().count(0) == 1
    again = sample.load(source, dev_size=2)
    assert again.dictionary.split.tolist() == data.dictionary.split.tolist()
    assert "21 texts" in repr(data)
    assert "6 scored pairs" in repr(data)
    assert data.pairs.subset("test", "g1").left == ["left 3", "left 5"]
    assert data.pairs.scores.tolist() == [0, 1, 2, 3, 4, 5]
    assert data.paraphrases.scores.tolist() == [0, 0, 0, 1, 1]
    assert data.paraphrases.right == ["right 0", "right 1", "right 2", "right 4", "right 5"]
    with pytest.raises(ValueError, match="dev_size is 7"):
        sample.load(source, dev_size=7)
    with pytest.raises(ValueError, match="test_share is 1"):
        sample.load(source, dev_size=2, test_share=1)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seed": -1}, ValueError, r"seed is -1; allowed is a whole number from 0"),
        ({"seed": None}, TypeError, r"seed is None \(NoneType\); allowed is a whole number from 0"),
        ({"seed": 1.5}, TypeError, r"seed is 1.5 \(float\)"),
        ({"dev_size": "x"}, TypeError, r"dev_size is 'x' \(str\); allowed is a whole number from 0 to 6"),
        ({"dev_size": -1}, ValueError, r"dev_size is -1; allowed is a whole number from 0 to 6"),
        ({"dev_size": True}, TypeError, r"dev_size is True"),
        ({"test_share": "x"}, TypeError, r"test_share is 'x' \(str\); allowed is a share.*from 0 to below 1"),
        ({"test_share": float("nan")}, ValueError, r"test_share is nan"),
        ({"test_share": -0.1}, ValueError, r"test_share is -0.1"),
    ],
)
def test_options_of_the_sample_that_cannot_work(write, options, error, message):
    with pytest.raises(error, match=message):
        sample.load(write("sample", sample_files()), **{"dev_size": 2, **options})


def test_numbers_of_numpy_are_numbers(write):
    data = sample.load(
        write("sample", sample_files()), dev_size=np.int64(2), test_share=np.float32(0.5), seed=np.int8(1)
    )
    assert len(data.dictionary.subset("dev")) == 2


@pytest.mark.parametrize("broken", ["headword\tdefinition\n", "", "domain\theadword\tdefinition\nonly\ttwo\n"])
def test_a_broken_sample_says_what_is_wrong(write, broken):
    with pytest.raises(ValueError, match="must begin with the line"):
        sample.load(write("sample", {**sample_files(), "distractors.tsv": broken}))


def test_a_sample_with_unequal_dictionaries(write):
    files = sample_files()
    files["dictionary_b.tsv"] += "d9\tlonely\tnobody knows it\n"
    with pytest.raises(ValueError, match=r"in B only.*lonely"):
        sample.load(write("sample", files), dev_size=0)


def test_html_is_escaped(write):
    data = sts.load_li06(write("li06", {"text": "<script>\nb\n", "gs": "1\n"}))
    assert "<script>" not in data._repr_html_()
