"""Analyzers: named, made to measure, or any function."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from semwork.text import (
    STOP_WORDS,
    WHOLE_NUMBERS,
    Analyzer,
    Corpus,
    FunctionAnalyzer,
    Stemmer,
    choose_analyzer,
    jaccard,
)
from semwork.text.choice import choose_stop_words

PORTER = {  # from the examples in Porter (1980), steps 1 to 5
    "caresses": "caress",
    "ponies": "poni",
    "cats": "cat",
    "agreed": "agre",
    "plastered": "plaster",
    "motoring": "motor",
    "sing": "sing",
    "conflated": "conflat",
    "hopping": "hop",
    "filing": "file",
    "happy": "happi",
    "relational": "relat",
    "vietnamization": "vietnam",
    "electriciti": "electr",
    "adjustment": "adjust",
    "controlling": "control",
}


@pytest.mark.parametrize(("word", "stem"), PORTER.items())
def test_porter_stems(word, stem):
    assert Stemmer().stem(word) == stem


def test_stem_is_porter_by_default_and_english_on_request():
    assert choose_analyzer("stem")("dying generously") == ["dy", "gener"]
    assert Stemmer("english")("dying generously") == ["die", "generous"]


def test_unknown_stemmer_names_the_known_ones():
    with pytest.raises(ValueError, match=r"no stemmer 'klingon'.*english.*porter"):
        Stemmer("klingon")


def test_stemmer_in_many_threads():
    words = list(PORTER) * 50
    algorithms = ["porter", "english"] * 8

    def stems(algorithm):
        import snowballstemmer

        fresh = snowballstemmer.stemmer(algorithm)
        return [Stemmer(algorithm).stem(word + "s") == fresh.stemWord(word + "s") for word in words]

    with ThreadPoolExecutor(8) as pool:
        assert all(all(result) for result in pool.map(stems, algorithms))


def test_pattern_and_lowercase():
    assert Analyzer(pattern=r"(?u)\b\w\w+\b")("A b Cd, EF-gh") == ["cd", "ef", "gh"]
    assert Analyzer(pattern=r"#(\w+)")("tags #One and #two") == ["one", "two"]
    assert Analyzer(lowercase=False)("Ada's Don't") == ["Ada's", "Don't"]
    with pytest.raises(ValueError, match=r"2 groups.*\(\?:"):
        Analyzer(pattern=r"(a)(b)")


def test_subclass_with_its_own_base_and_with_its_own_split():
    class Short(Analyzer):
        name = "short"

        def base(self, word):
            return word[:3] if len(word) > 1 else ""

    class Lines(Analyzer):
        def split(self, text):
            return text.splitlines()

    assert Corpus.from_texts(["Kangaroos", "kangaroo a"], Short(), weighting="count").vocabulary.tolist() == ["kan"]
    assert Lines()("one two\nthree") == ["one two", "three"]
    lines = Corpus.from_texts(["one two\nthree", "one two"], Lines(), weighting="count")
    assert lines.vocabulary.tolist() == ["one two"]


def test_a_function_is_an_analyzer():
    corpus = Corpus.from_texts(["A\x00 b A\x00", "b"], analyzer=lambda text: text.split(" "), weighting="count")
    assert corpus.vocabulary.tolist() == ["A\x00", "b"]
    assert choose_analyzer(lambda text: iter(text.split()))("a b") == ["a", "b"]
    assert "split" in repr(FunctionAnalyzer(str.split))


@pytest.mark.parametrize("bad", [lambda text: text, lambda text: [1, 2], lambda text: [["a"]], lambda text: [None]])
def test_a_function_must_give_strings(bad):
    with pytest.raises(TypeError, match=r"must take one text and return a list of strings"):
        Corpus.from_texts(["some text", "text"], analyzer=bad)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, r"it returned None \(NoneType\), for document 1 \(from 0\), 'text two'"),
        (7, r"it returned 7 \(int\), for document 1"),
        ("tokens", r"it returned 'tokens' \(str\), for document 1"),
        (["a", None], r"there is None \(NoneType\) in what it returned, for document 1"),
    ],
)
def test_what_an_analyzer_returned_and_for_which_document(returned, message):
    def mine(text):
        return returned if text == "text two" else text.split()

    class Mine(Analyzer):
        name = "mine"

        def split(self, text):
            return mine(text)

    texts = ["text", "text two", "text"]
    with pytest.raises(TypeError, match=rf"analyzer mine must take one text and return a list.*{message}"):
        Corpus.from_texts(texts, analyzer=mine)
    if not isinstance(returned, list):
        with pytest.raises(TypeError, match=rf"analyzer mine must take one text and return a list.*{message}"):
            Corpus.from_texts(texts, analyzer=Mine())


def test_an_error_inside_an_analyzer_comes_through():
    with pytest.raises(TypeError, match="unsupported operand"):
        Corpus.from_texts(["a"], analyzer=lambda text: text + 1 if not text else [text - 1])


def test_very_long_words_are_not_stemmed():
    longest = "x" * 94 + "knives"
    assert Stemmer().stem(longest) == "x" * 94 + "knive"
    assert Stemmer().stem("x" + longest) == "x" + longest


def test_wrong_analyzers_are_explained():
    with pytest.raises(ValueError, match=r"no analyzer 'words'; choose one of 'word', 'stem', 'lemma'"):
        choose_analyzer("words")
    with pytest.raises(TypeError, match=r"make one, Stemmer\(\)"):
        choose_analyzer(Stemmer)
    with pytest.raises(TypeError, match=r"got 3 \(int\)"):
        choose_analyzer(3)


def test_stop_words_are_english_function_words_in_the_form_of_the_word_rule():
    assert len(STOP_WORDS) > 200
    assert {"the", "of", "and", "don't"} <= STOP_WORDS
    assert not {"bank", "river", "good"} & STOP_WORDS
    word = Analyzer()
    assert all(word(stop) == [stop] for stop in STOP_WORDS)


def test_stop_words_of_ones_own():
    word = Analyzer()
    assert choose_stop_words(False, word) == frozenset()
    assert choose_stop_words(True, word) is STOP_WORDS
    assert choose_stop_words(["The", "dog's", ""], word) == {"the", "dog"}
    assert choose_stop_words(["The"], FunctionAnalyzer(str.split)) == {"The"}
    for wrong in ("the", 3, None, [1]):
        with pytest.raises(TypeError, match="stop_words must be"):
            choose_stop_words(wrong, word)
    with pytest.raises(ValueError, match=r"'well-known' is 2 words"):
        choose_stop_words(["well-known"], word)


def test_stop_words_go_before_stems_and_before_n_grams():
    texts = ["being on the river being", "on a river"]
    corpus = Corpus.from_texts(
        texts, "stem", min_count=1, stop_words=["the", "a"], ngram_range=(2, 2), weighting="count"
    )
    assert corpus.vocabulary.tolist() == ["be on", "on river", "river be"]
    assert corpus.tokens("On the RIVERS being") == ["on", "river", "be"]


@pytest.mark.parametrize("analyzer", ["word", "stem", str.split])
def test_a_corpus_survives_pickling(analyzer):
    corpus = Corpus.from_texts(["a cat", "a dog", "the cat", "", ""], analyzer)
    again = pickle.loads(pickle.dumps(corpus))
    assert (again.transform(corpus.texts) != corpus.matrix).nnz == 0


def test_reprs():
    assert repr(Analyzer()) == "Analyzer()"
    assert repr(Stemmer()) == "Stemmer('porter')"
    assert r"\w+" in repr(Analyzer(pattern=r"\w+"))


def test_jaccard():
    assert jaccard(["a", "b"], ["b", "a", "a"]) == 1
    assert jaccard(["a"], ["b"]) == 0
    assert jaccard([], []) == 0
    assert jaccard(iter("ab"), iter("bc")) == pytest.approx(1 / 3)
    with pytest.raises(TypeError, match="split it first"):
        jaccard("ab", ["a"])


def test_numbers_can_be_kept_in_one_piece():
    analyzer = Stemmer(pattern=WHOLE_NUMBERS)
    assert analyzer("It rose 2.5% to 1,000.75 at 10:30 on 3/4.") == [
        "it", "rose", "2.5", "to", "1,000.75", "at", "10:30", "on", "3/4",
    ]  # fmt: skip
    assert analyzer("The 'quoted' dog's don't, the boss’s isn’t") == [
        "the", "quot", "dog", "don't", "the", "boss", "isn't",
    ]  # fmt: skip
