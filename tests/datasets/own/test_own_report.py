"""The report says what was read, and nothing in it is obeyed: neither by a terminal nor by a page."""

from __future__ import annotations

import html.parser

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import read_table
from semwork.datasets.own.problems import Problems, excerpt
from semwork.datasets.own.scripts import script_of, scripts_seen

EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\u202eright to left\u202c",
    "\x1b[31mred\x1b[0m",
    "a\x00b",
    '" onmouseover="alert(1)',
    "</td></table><b>",
]


def test_what_is_said():
    frame = pd.DataFrame(
        {
            "Review": ["good food", "bad food, but a nice view", "", "хорошая еда", "good food", None],
            "stars": [5, 1, 2, 5, 4, 3],
        }
    )
    report = read_table(frame, "documents", {"label": "stars"}).report
    assert report.headline == "a table of 6 rows: 4 of 6 rows used, 2 empty, 1 duplicates"
    assert (report.rows, report.used, report.empty, report.left_out, report.duplicates) == (6, 4, 2, 0, 1)
    assert report.columns == {"text": "Review", "label": "stars"}
    assert report.scripts == {"Latin": 3, "Cyrillic": 1}
    assert (report.longest, report.longest_row) == (6, 1)
    assert report.labels == {"5": 2, "1": 1, "4": 1}
    assert report.scores is None
    lines = dict(report.lines())
    assert lines["columns"] == "text = Review, label = stars"
    assert lines["scripts"] == "Latin in 3, Cyrillic in 1 documents"
    assert lines["labels"] == "3: 5 (2), 1 (1), 4 (1)"
    assert lines["kept"].startswith("in the memory of this process only")
    assert list(report.problems.columns) == ["row", "column", "reason", "value", "used"]
    assert report.problems["row"].tolist() == [2, 4, 5]


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        assert [(name, value) for name, value in attributes if (name, value) != ("style", "text-align:left")] == []


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_is_obeyed(evil):
    data = {evil: [evil, evil, None, ["x", evil]], "label" + evil: [evil, "x", "y", evil]}
    reading = read_table(data, "documents", {"text": 0, "label": 1}, name=evil)
    shown = Tags()
    for part in (reading, reading.report, reading.record):
        shown.feed(part._repr_html_())
        assert "\x1b" not in repr(part.report if part is reading else reading.report)
    assert shown.seen <= {"table", "tbody", "thead", "tr", "th", "td", "bdi", "p"}
    assert reading.record.texts[0] in (evil, evil.replace("\x00", " ").replace("\x1b", " "))
    if "\u202e" in evil:
        assert "\u202e" in reading.record.texts[0], "marks of direction belong to the text"


@given(st.text())
def test_an_excerpt_is_one_short_line(text):
    shown = excerpt(text)
    assert len(shown) <= 60
    assert len(shown.splitlines()) <= 1
    assert not any(sign < " " or "\x7f" <= sign < "\xa0" for sign in shown)
    shown.encode()


def test_problems_are_in_the_order_of_the_rows_and_are_counted():
    problems = Problems()
    for order in (5, 1, 3):
        problems.add(order, f"row {order}", "c", "late", used=True)
    problems.add(2, "row 2", "", "early")
    assert problems.frame()["row"].tolist() == ["row 1", "row 2", "row 3", "row 5"]
    assert problems.said() == ["3 × column 'c', late", "1 × early (left out)"]
    assert problems.total == 4
    other = Problems(problems)
    other.add(0, "row 0", "", "first")
    assert (problems.total, other.total) == (4, 5)


def test_scripts():
    texts = ["a cat", "кот", "החתול", "猫は窓で", "고양이", "قطة", "γάτα", "บแมว", "3 × 4", "", "ｗｉｄｅ", "mixed кот"]
    assert scripts_seen(texts) == {
        "Latin": 3, "Cyrillic": 2, "Hebrew": 1, "Han": 1, "Hiragana": 1, "Hangul": 1, "Arabic": 1, "Greek": 1,
        "Thai": 1,
    }  # fmt: skip
    assert [script_of(sign) for sign in "ßµª𝐀々ー7 ʰ"] == [
        "Latin",
        "Greek",
        "Latin",
        "Latin",
        "Han",
        "Katakana",
        "",
        "",
        "Latin",
    ]
