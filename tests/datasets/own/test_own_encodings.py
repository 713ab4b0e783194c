"""The encoding of a file is found, and said; what is not sure is called a guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import read_table
from semwork.datasets.own.decoding import decoded

TEXTS = {
    "cp1252": [
        "Größe und Gewicht überprüfen; Äpfel und Öl für die Straße. Das Mädchen läuft.",
        "L'été dernier, la forêt était à côté de l'hôtel. Où êtes-vous allé? Ça va très bien.",
        "El niño comió una manzana pequeña mañana, señor. ¿Cómo está usted?",
        "It’s a “smart” quote – and an em dash — in café.",
        "Ångström bor på en ö. Smørrebrød på gården. São Paulo, manhã, coração.",
    ],
    "cp1250": ["Zażółć gęślą jaźń. Wieś leży między górami, a książka jest na półce."],
    "cp1251": ["Съешь ещё этих мягких французских булок, да выпей чаю."],
    "koi8_r": ["Съешь ещё этих мягких французских булок, да выпей чаю."],
    "cp1253": ["Η γάτα κοιμάται στο παράθυρο. Το παιδί τρώει ένα μήλο."],
    "cp1255": ["החתול ישן על החלון. הילד אוכל תפוח גדול בבית הספר."],
    "cp932": ["猫は窓で寝ています。子供はりんごを食べます。"],
    "euc_jp": ["猫は窓で寝ています。子供はりんごを食べます。"],
    "gb18030": ["猫在窗户上睡觉。孩子在学校吃苹果。今天天气很好。"],
    "big5": ["貓在窗戶上睡覺。孩子在學校吃蘋果。今天天氣很好。"],
}


@pytest.mark.parametrize(("encoding", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_usual_encodings_are_found(encoding, text):
    found = decoded("\n".join([text] * 3).encode(encoding))
    assert found.text == "\n".join([text] * 3)
    assert "guess" in found.encoding
    assert any("pass encoding=" in note for note in found.notes)


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8 with a byte order mark"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE, without a byte order mark"),
        ("utf-16-be", "UTF-16-BE, without a byte order mark"),
        ("utf-32", "UTF-32"),
    ],
)
def test_unicode_is_found_for_sure(encoding, words):
    text = "a plain text with a café, 猫 and кот\n"
    found = decoded(text.encode(encoding))
    assert (found.text, found.encoding, found.notes) == (text, words, ())


@given(st.text(), st.integers(min_value=0, max_value=200))
def test_utf_8_is_utf_8_wherever_it_is_cut(text, place):
    content = ("text " + text).encode("utf-8", "replace")
    found = decoded(content[:place], whole=False)
    assert ("text " + text).encode("utf-8", "replace").decode().startswith(found.text)
    if "\0" not in text:
        assert found.encoding == "UTF-8"


def test_utf_8_with_a_wrong_byte_is_utf_8():
    content = ("größe;x\n" * 50).encode() + b"bad \xff byte;y\n"
    reading = read_table(b"text;label\n" + content, name="x.csv")
    assert reading.report.encoding == "UTF-8"
    assert reading.record.texts[-1] == "bad \ufffd byte"
    problems = reading.report.problems.set_index("row")
    assert "U+FFFD" in problems.loc[52, "reason"]
    assert any("1 places are no UTF-8" in note for note in reading.report.notes)


def test_an_encoding_that_is_told_is_taken():
    text = "Η γάτα"
    assert decoded(text.encode("cp1253"), "cp1253").text == text
    assert decoded(text.encode("utf-8-sig"), "utf-8").text == text
    wrong = decoded("größe".encode("cp1252"), "utf-8")
    assert wrong.text == "gr\ufffd\ufffde" or "\ufffd" in wrong.text
    assert "are no utf-8" in wrong.notes[0]
