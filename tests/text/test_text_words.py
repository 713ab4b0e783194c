"""The word rule, on all of Unicode."""

import re
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semwork.text import words
from semwork.text.analyzers import Analyzer
from semwork.text.words import BREAK, clean_word, fold, split_texts, split_words

word_list = Analyzer()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n\r\x00\x1f", []),
        ("The DOG's well-known 'trick'", ["the", "dog", "well", "known", "trick"]),
        ("don't, can’t; the dogs' rock'n'roll", ["don't", "can't", "the", "dogs", "rock'n'roll"]),
        ("'s ''s s's", ["s", "s", "s"]),
        ("1984, 3.14 and 3d; x_1 __init__", ["1984", "3", "14", "and", "3d", "x", "1", "init"]),
        ("vitamin C", ["vitamin", "c"]),
        ("... --- ''' ___ !?", []),
        ("ice_cream _é_ x_é", ["ice", "cream", "é", "x", "é"]),
        ("a\x00b", ["a", "b"]),
        ("é\x00b", ["é", "b"]),
        ("cafe\u0301 CAFÉ café", ["café"] * 3),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ΟΔΟΣ οδος", ["οδοσ", "οδοσ"]),
        ("co\u00adoperate", ["cooperate"]),
        ("I ❤️ 🐈‍⬛ and 1️⃣ 👩‍👩‍👧", ["i", "❤", "🐈‍⬛", "and", "1", "👩‍👩‍👧"]),
        ("great🎉🎉, really😀!", ["great", "🎉", "🎉", "really", "😀"]),
        ("👍🏽 👍 ✌🏿", ["👍🏽", "👍", "✌🏿"]),
        ("🇳🇱🇧🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿", ["🇳🇱", "🇧🇪", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]),
        ("★★☆ © → ❝no❞ \ufe0f", ["★", "★", "☆", "no"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("שָׁלוֹם עולם", [unicodedata.normalize("NFC", "שָׁלוֹם"), "עולם"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("我爱 你", ["我爱", "你"]),
        ("“quoted” – dash… «guillemets»", ["quoted", "dash", "guillemets"]),
        ("\ud800 lone", ["lone"]),
    ],
)
def test_what_is_a_word(text, expected):
    assert word_list(text) == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_way_for_ascii_is_the_general_rule(text):
    assert split_words(text) == words._split_any(text.replace(BREAK, " "))


# Letters, marks, joiners and spaces of many kinds close together, and text of any characters.
tricky = st.text(
    st.sampled_from(
        "aB'’_-9 \t\x1c\x85\xa0\u2000\u2028\u3000\0éÉßẞςİıﬁªא\u05b0क\u0915\u094d각가\u11a8"
        "\u0301\u0323\u0345\u00ad\u200c\u200d\ufe0f\u20e3🐈我\U0001d16e\U00011046\U000110ba\ud800"
    )
)

emoji = st.text(st.sampled_from("a❤🐈👩⬛🎉🇳🇱🏽♀\u200d\ufe0f\u20e3 "))


@settings(max_examples=500)
@given(st.text() | tricky | emoji)
def test_the_fast_way_for_mixed_texts_is_the_general_rule(text):
    assert split_words(text) == words._split_any(text.replace(BREAK, " "))


@settings(max_examples=300)
@given(st.lists(st.text(max_size=5) | tricky, min_size=1))
def test_a_text_may_be_cut_at_white_space(pieces):
    whole = words._split_any(" ".join(pieces).replace(BREAK, " "))
    assert whole == [token for piece in pieces for token in words._split_any(piece.replace(BREAK, " "))]


def test_all_word_characters_in_their_ranges_are_those_of_the_rule():
    for code in [*range(0x300, 0x20000), 0xE0100]:
        mark = unicodedata.category(chr(code))[0] == "M" and not 0xFE00 <= code < 0xFE10 and code < 0x20000
        expected = mark or bool(re.match(r"[\w\u200c\u200d]", chr(code))) or bool(words._emoji().match(chr(code)))
        assert bool(words._run().match(chr(code))) == expected, hex(code)


@given(st.lists(st.text()))
def test_splitting_many_is_splitting_each(texts):
    expected = [token for text in texts for token in [*split_words(text), BREAK]]
    assert split_texts(texts) == expected
    assert expected.count(BREAK) == len(texts)


@pytest.mark.parametrize("number", [99, 100, 101, 250])
def test_splitting_more_texts_than_are_joined_at_once(number):
    texts = [f"Text {i}" + " é" * (i % 120 == 7) for i in range(number)]
    assert split_texts(texts) == [token for text in texts for token in [*split_words(text), BREAK]]


@given(st.text() | emoji)
def test_words_are_clean(text):
    for word in word_list(text):
        assert any(map(str.isalnum, word)) or words._emoji().fullmatch(word)
        assert not re.search(r"\s", word)
        assert clean_word(word) == word
        assert fold(word) == word
        assert word == unicodedata.normalize("NFC", word)


@given(st.text())
def test_canonically_equal_texts_have_equal_words(text):
    assert word_list(unicodedata.normalize("NFD", text)) == word_list(unicodedata.normalize("NFC", text))


@given(st.text(), st.text())
def test_words_of_two_texts_side_by_side(left, right):
    assert word_list(f"{left} {right}") == word_list(left) + word_list(right)


def test_words_and_lemmas_are_light_to_import():
    code = "import sys, semwork.text.lemma; print(sorted({'numpy', 'scipy', 'pandas', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    import semwork.text

    assert all(getattr(semwork.text, name) for name in semwork.text.__all__)
    assert dir(semwork.text) == sorted(semwork.text.__all__)
    with pytest.raises(AttributeError, match="corpse"):
        _ = semwork.text.corpse
