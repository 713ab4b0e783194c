"""Data of a reader's own: through the page into every panel, and nothing of them where it should not be."""

from __future__ import annotations

import csv
import json
import pathlib

import pytest

from semwork.datasets import load
from tests.browser import lab
from tests.browser.screen import faults
from tests.widgets import hostile

pytestmark = pytest.mark.browser
SAMPLE = load("sample")
CLASSES = f"topic {hostile.ATTACKS[1]}"
ATTACKED = '() => [window.said ?? [], document.querySelectorAll(\'img[src="x"], a[href^="javascript"]\').length]'


def written(path: pathlib.Path, head: list[str], rows: list[list[object]]) -> pathlib.Path:
    """A file as a spreadsheet of a European would write it."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows([head, *rows])
    return path


def documents(path: pathlib.Path) -> pathlib.Path:
    """Texts with topics, some of them empty, all of them attacking the page."""
    texts, labels = SAMPLE.documents.texts, SAMPLE.documents.labels
    rows = [
        [hostile.attacked(text, row), hostile.attacked(SAMPLE.documents.label_names[label], label), f"r{row}"]
        for row, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    head = ["review", CLASSES, "id"]
    return written(path / f"reviews {'<img src=x onerror=attacked(1)>'}.csv", head, [*rows, ["", "space", "r900"]])


def pairs(path: pathlib.Path) -> pathlib.Path:
    """Pairs with scores, which have decimal commas."""
    both = zip(SAMPLE.pairs.left, SAMPLE.pairs.right, SAMPLE.pairs.scores, strict=True)
    rows = [[hostile.attacked(one, 1), two, f"{score:.1f}".replace(".", ",")] for one, two, score in both]
    return written(path / "likeness.csv", ["sentence1", "sentence2", "score"], rows)


def names(path: pathlib.Path) -> pathlib.Path:
    """Names in two scripts."""
    known = hostile.names()
    rows = [list(pair) for pair in zip(known.english, known.foreign, strict=True)]
    return written(path / "places.csv", ["english", "greek"], rows)


def bring(notebook: lab.Notebook, file: pathlib.Path, name: str, label: str = "") -> None:
    """Give a file to the page, say which column has the classes if that is needed, and keep the data under a name."""
    page = notebook.page
    page.set_input_files(".semwork-drop input[type=file]", str(file))
    page.wait_for_selector(f".semwork-report:has-text('{file.stem[:7]}')")
    if label:
        page.locator("select[title='kind of data']").select_option(label="texts with a class each")
        page.locator("select[title^='label:']").select_option(label=label)
        page.wait_for_selector(".semwork-report:has-text('8 labels')")
    page.locator("input[placeholder='a name for these data']").fill(name)
    page.keyboard.press("Tab")
    page.click("button:has-text('Use these data')")
    page.wait_for_selector(f"[role=status]:has-text('{name} is kept')")


@pytest.fixture(scope="module")
def brought(browser, base, folder, tmp_path_factory):
    """A notebook with the panel of data, in which two files have been kept."""
    files = tmp_path_factory.mktemp("own")
    lab.notebook_file(folder / "own.ipynb", ["from semwork_widgets import DataPanel\nDataPanel(own_first=True)"])
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.add_init_script("window.attacked = what => (window.said = [...(window.said ?? []), what])")
    notebook = lab.Notebook(context.new_page(), base, "own.ipynb")
    notebook.run_all()
    notebook.page.wait_for_selector(".semwork-drop")
    bring(notebook, documents(files), "my reviews", CLASSES)
    bring(notebook, names(files), "my names")
    bring(notebook, pairs(files), "my pairs")
    yield notebook
    for name in ("my reviews", "my names", "my pairs"):
        notebook.page.locator(f".semwork-data-row:has-text('{name}') button").click()
        notebook.page.wait_for_selector(f"[role=status]:has-text('{name} is removed')")
    assert notebook.errors == []
    notebook.shut_down()
    context.close()


CHOSEN = {"retrieval_race": "my reviews", "sentence_pairs": "my pairs", "semantic_kernels": "my reviews",
          "gaussian_topics": "my reviews"}  # fmt: skip
GIVEN = {"missing_words": "my reviews", "retrieval_sweep": "my reviews", "weight_path": "my pairs",
         "paraphrase_threshold": "my pairs", "your_sentences": "my reviews", "latent_alignments": "my names",
         "unseen_words": "my reviews", "sampler_race": "my reviews"}  # fmt: skip


@pytest.fixture(scope="module")
def panels(brought, browser, base, folder):
    """A notebook with all panels, in another kernel; in those of four lessons the data are chosen in the list."""
    cells = [f"from semwork_widgets import {name}\n{name}()" for name in CHOSEN]
    cells += [f"from semwork_widgets import {name}\n{name}(data={data!r})" for name, data in GIVEN.items()]
    lab.notebook_file(folder / "own_panels.ipynb", cells)
    context = browser.new_context(viewport={"width": 1400, "height": 1700})
    context.add_init_script("window.attacked = what => (window.said = [...(window.said ?? []), what])")
    notebook = lab.Notebook(context.new_page(), base, "own_panels.ipynb")
    notebook.run_all()
    notebook.wait_idle(300_000)
    for number, (name, data) in enumerate(CHOSEN.items()):
        notebook.show(number)
        title = f"{data} (your own, {400 if data == 'my reviews' else 180})"
        choose = notebook.panel(number).locator(f"select:has(option:text-is('{title}'))").first
        choose.select_option(label=title)
        notebook.page.wait_for_timeout(1000)
        notebook.wait_settled(number)
        assert notebook.panel(number).locator("[role=alert]").count() == 0, name
    yield notebook
    assert notebook.errors == []
    notebook.shut_down()
    context.close()


def figure_of(notebook: lab.Notebook, panel: str, number: int = 0) -> int:
    """The number of a figure, counted over the whole page."""
    before = list(CHOSEN).index(panel)
    return number + sum(notebook.panel(one).locator(".semwork-figure").count() for one in range(before))


def test_a_panel_that_was_open_before_offers_them_when_the_mouse_comes(browser, base, folder, tmp_path):
    for name, cell in {"early": "from semwork_widgets import semantic_kernels\nsemantic_kernels()",
                       "late": "from semwork_widgets import DataPanel\nDataPanel(own_first=True)"}.items():  # fmt: skip
        lab.notebook_file(folder / f"{name}.ipynb", [cell])
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    early, late = (lab.Notebook(context.new_page(), base, f"{name}.ipynb") for name in ("early", "late"))
    early.run_all()
    early.wait_drawn(2)
    early.wait_settled()
    late.run_all()
    late.page.wait_for_selector(".semwork-drop")
    bring(late, documents(tmp_path), "late texts", CLASSES)
    early.page.mouse.move(5, 5)
    early.page.locator(".semwork-title").hover()
    early.page.wait_for_selector("option:text-is('late texts (your own, 400)')", state="attached")
    late.page.locator(".semwork-data-row:has-text('late texts') button").click()
    late.page.wait_for_selector("[role=status]:has-text('late texts is removed')")
    for notebook in (early, late):
        assert notebook.errors == []
        notebook.shut_down()
    context.close()


def test_a_file_is_read_and_its_report_is_shown(brought):
    said = brought.page.locator(".semwork-report").inner_text()
    assert "likeness.csv: 180 of 180 rows used" in said
    assert "semicolon" in said
    assert brought.page.locator(".semwork-preview tbody tr").count() == 5
    assert brought.page.evaluate(ATTACKED) == [[], 0]


def test_a_file_larger_than_a_message_may_be_arrives_whole(brought, tmp_path):
    texts = SAMPLE.documents.texts
    rows = [[number, texts[number % len(texts)]] for number in range(70_000)]
    file = written(tmp_path / "large.csv", ["id", "text"], rows)
    assert file.stat().st_size > 12_000_000
    brought.page.set_input_files(".semwork-drop input[type=file]", str(file))
    brought.page.wait_for_selector(".semwork-report:has-text('large.csv: 70,000 of 70,000 rows used')", timeout=60_000)


def test_nothing_is_cut_or_scrolled_where_data_are_brought(brought):
    assert faults(brought) == []


def test_lesson_02_races_on_own_texts(panels):
    trace = panels.trace(figure_of(panels, "retrieval_race", 1), "WTMF better", exact=False)
    assert trace["customdata"][0].startswith(("text ", "r"))


def test_lesson_03_compares_with_own_scores(panels):
    assert len(panels.plotted(figure_of(panels, "sentence_pairs"))["x"]) == 180


def test_lesson_04_offers_own_classes(panels):
    number = list(CHOSEN).index("semantic_kernels")
    assert "cooking" in panels.panel(number).locator(".semwork-controls select").nth(1).inner_text()


def test_lesson_06_finds_topics_in_own_texts(panels):
    panels.wait_title(figure_of(panels, "gaussian_topics"), "After sweep 60")


def test_no_panel_takes_text_for_tags(panels):
    for number in range(len(CHOSEN), len(CHOSEN) + len(GIVEN)):
        panels.show(number)
        panels.panel(number).locator(".semwork-figure[data-revision]").first.wait_for(timeout=120_000)
        assert panels.panel(number).locator("[role=alert]").count() == 0
    assert panels.page.evaluate(ATTACKED) == [[], 0]


def test_a_saved_notebook_and_a_state_have_no_text_of_the_data(panels, folder):
    number = list(CHOSEN).index("gaussian_topics")
    panels.button("State", number).click()
    state = panels.panel(number).locator(".semwork-drawer textarea")
    state.wait_for()
    panels.page.keyboard.press("Control+s")
    saved = folder / "own_panels.ipynb"
    lab.wait_until(lambda: saved.read_text().count("widget-view") > len(GIVEN))
    content = saved.read_text() + state.input_value()
    words = [" ".join(text.split()[:5]) for text in SAMPLE.documents.texts]
    assert not [text for text in words if json.dumps(text)[1:-1] in content]
