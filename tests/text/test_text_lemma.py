"""Lemmas: rules, files, and where the files come from."""

from pathlib import Path

import pytest

from semwork.text import Corpus, Lemmatizer, choose_analyzer
from semwork.text import lemma as lemma_module

NOTICE = "  1 This is a made-up dictionary in the format of WordNet's dict files.\n"
FILES = {
    "index.noun": [
        "thinking",
        "rose",
        "box",
        "boxful",
        "goose",
        "glass",
        "bee",
        "woman",
        "berry",
        "do",
        "leaf",
        "ice_cream",
    ],
    "index.verb": ["think", "rise", "be", "box", "go", "leave", "carry", "hop", "hope", "do"],
    "index.adj": ["large", "small", "good", "l"],
    "index.adv": ["well"],
    "noun.exc": ["geese goose", "leaves leaf", "axes ax axis"],
    "verb.exc": ["rose rise", "was be", "hopping hop", "carried carry"],
    "adj.exc": ["better good well", "best good"],
    "adv.exc": ["better well"],
}
COUNTS = {"think%2:31:00::": 90, "think%2:31:01::": 30, "thinking%1:09:00::": 12, "rise%2:38:00::": 50}
COUNTS |= {"rose%1:20:00::": 9, "be%2:42:00::": 1000, "good%3:00:00::": 70, "well%4:02:00::": 80, "leave%2:38:00::": 5}


@pytest.fixture
def folder(tmp_path):
    """Write a little dictionary in WordNet's format."""
    for name, lines in FILES.items():
        part = name.partition(".")[2][0]
        tails = "" if name.endswith(".exc") else f" {part} 1 0 1 0 00000001  "
        notice = "" if name.endswith(".exc") else NOTICE
        (tmp_path / name).write_text(notice + "".join(f"{line}{tails}\n" for line in lines), encoding="utf-8")
    (tmp_path / "cntlist.rev").write_text("".join(f"{key} 1 {count}\n" for key, count in COUNTS.items()))
    return tmp_path


@pytest.fixture
def lemmatizer(folder):
    return Lemmatizer.from_wordnet(folder)


@pytest.fixture
def no_source():
    """Leave the process-wide source as it was."""
    before = lemma_module._default_source
    lemma_module.set_default_source(None)
    yield
    lemma_module.set_default_source(before)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("thinkings", "think"),  # the paper's example: thinkings, thinking, think
        ("thinking", "think"),
        ("rose", "rise"),
        ("roses", "rise"),  # its price
        ("geese", "goose"),
        ("boxes", "box"),
        ("boxesful", "boxful"),
        ("glass", "glass"),
        ("glasses", "glass"),
        ("women", "woman"),
        ("berries", "berry"),
        ("carried", "carry"),
        ("carries", "carry"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("goes", "go"),
        ("largest", "large"),
        ("smaller", "small"),
        ("better", "well"),
        ("best", "good"),
        ("was", "be"),
        ("leaves", "leave"),  # leaf has no count here
        ("bees", "bee"),  # not a form of be
        ("lest", "lest"),  # not a superlative
        ("dos", "do"),
        ("do", "do"),
        ("zebras", "zebras"),  # unknown words stay
        ("axes", "axes"),  # a form whose base forms are unknown stays too
        ("", ""),
        ("s", "s"),
        ("ing", "ing"),
    ],
)
def test_lemmas_by_rule_list_and_frequency(lemmatizer, word, lemma):
    assert lemmatizer.lemma(word) == lemma


def test_all_lemmas(lemmatizer):
    assert lemmatizer.lemmas("better") == ["good", "well"]
    assert lemmatizer.base_forms("hoping", "verb") == ["hope", "hop"]
    assert lemmatizer.base_forms("hopping", "verb") == ["hop"]
    assert lemmatizer.base_forms("better", "adv") == ["well"]
    assert lemmatizer.base_forms("hoping", "noun") == []


def test_ties_are_broken_by_the_word_itself_then_the_order_of_rules():
    known = Lemmatizer({}, {"noun": ["hoping", "hops"], "verb": ["hope", "hop"]}, {})
    assert known.lemma("hoping") == "hoping"
    unknown = Lemmatizer({}, {"verb": ["hope", "hop"]}, {})
    assert unknown.lemma("hoping") == "hope"
    nouns_first = Lemmatizer({"verb": {"x": ["aa"]}, "noun": {"x": ["bb"]}}, {"verb": ["aa"], "noun": ["bb"]}, {})
    assert nouns_first.lemma("x") == "bb"


def test_counts_add_up_over_senses_and_come_from_either_file(folder, lemmatizer):
    assert lemmatizer._counts["think"] == 120
    (folder / "cntlist.rev").unlink()
    with pytest.raises(FileNotFoundError, match=r"neither cntlist.rev nor index.sense"):
        Lemmatizer.from_wordnet(folder)
    (folder / "index.sense").write_text("".join(f"{key} 00000001 1 {count}\n" for key, count in COUNTS.items()))
    assert Lemmatizer.from_wordnet(folder)._counts == lemmatizer._counts


def test_a_folder_around_the_files_will_do_and_a_wrong_one_is_explained(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("data")
    (outside / "wordnet-3.0").symlink_to(folder)
    assert Lemmatizer.from_wordnet(str(outside)).lemma("geese") == "goose"
    with pytest.raises(FileNotFoundError, match=r"no WordNet dict files.*semwork data fetch wordnet"):
        Lemmatizer.from_wordnet(tmp_path_factory.mktemp("empty"))


def test_parts_of_speech_are_checked():
    with pytest.raises(ValueError, match=r"got \['nouns'\]"):
        Lemmatizer({}, {"nouns": ["a"]}, {})


def test_as_an_analyzer(lemmatizer):
    corpus = Corpus.from_texts(["The geese were thinking.", "A goose thinks", "Cows", ""], lemmatizer)
    assert corpus.vocabulary.tolist() == ["goose", "think"]
    assert "analyzer='lemma'" in repr(corpus)
    assert repr(lemmatizer).startswith("Lemmatizer(25 lemmas, 10 exceptions")


@pytest.mark.usefixtures("no_source")
class TestDefaultSource:
    def test_without_a_source(self):
        with pytest.raises(LookupError, match=r"no source.*semwork data fetch wordnet.*Lemmatizer\.from_wordnet"):
            choose_analyzer("lemma")

    def test_with_a_source_that_is_asked_late_and_read_once(self, folder):
        asked = []

        def source() -> Path:
            asked.append(1)
            return folder

        lemma_module.set_default_source(source)
        assert not asked
        assert choose_analyzer("lemma")("Geese") == ["goose"]
        assert choose_analyzer("lemma") is choose_analyzer("lemma")

    def test_with_a_source_that_has_nothing(self, tmp_path):
        lemma_module.set_default_source(lambda: tmp_path / "nowhere")
        with pytest.raises(LookupError, match=r"semwork data fetch wordnet.*The cause: .*nowhere"):
            choose_analyzer("lemma")

    def test_with_a_source_that_fails(self):
        def source():
            raise FileNotFoundError("the data set wordnet is not on this machine")

        lemma_module.set_default_source(source)
        with pytest.raises(LookupError, match=r"The cause: the data set wordnet is not on this machine"):
            choose_analyzer("lemma")


@pytest.fixture(scope="module")
def real():
    """Read the real files."""
    from semwork import datasets

    return Lemmatizer.from_wordnet(datasets.path("wordnet"))


@pytest.mark.data("wordnet")
class TestRealWordNet:
    @pytest.mark.parametrize(
        ("word", "lemma"),
        [
            ("thinkings", "think"),
            ("was", "be"),
            ("geese", "goose"),
            ("bees", "bee"),
            ("lest", "lest"),
            ("his", "his"),
            ("doses", "dose"),
            ("bed", "bed"),
            ("children", "child"),
            ("studies", "study"),
            ("better", "good"),
            ("spoonsful", "spoonful"),
            ("glass", "glass"),
        ],
    )
    def test_lemmas(self, real, word, lemma):
        assert real.lemma(word) == lemma

    def test_size(self, real):
        assert len(real._lemmas["noun"]) == 117_798
        assert len(real._lemmas["verb"]) == 11_529


def test_a_form_on_several_lines_of_an_exception_list_keeps_all_its_bases(folder):
    with (folder / "noun.exc").open("a", encoding="utf-8") as file:
        file.write("thoughts thinking\nthoughts rose\nleaves box glass\n")
    found = Lemmatizer.from_wordnet(folder)
    assert found.base_forms("thoughts", "noun") == ["thinking", "rose"]
    assert found.base_forms("leaves", "noun") == ["leaf", "box", "glass"]
    assert found.lemma("thoughts") == "think", "the more frequent base, and the rule once more"
    bases = ["involucre", "involucrum"]
    for counts, lemma in (({"involucrum": 1}, "involucrum"), ({}, "involucre")):  # on a tie the first line
        assert Lemmatizer({"noun": {"involucra": bases}}, {"noun": bases}, counts).lemma("involucra") == lemma


@pytest.mark.data("wordnet")
def test_involucra_has_a_lemma_in_wordnet():
    lemmatizer = choose_analyzer("lemma")
    assert lemmatizer.base_forms("involucra", "noun")[0] == "involucre"
    assert lemmatizer.lemma("involucra") == "involucre"
