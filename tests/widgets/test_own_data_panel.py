"""The tab in which readers bring data of their own, and the argument ``data`` of panels."""

from __future__ import annotations

import contextlib
import pathlib

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import WordVectors, from_table, load, own_data, register, remove
from semwork_widgets import DataPanel, retrieval_race, semantic_kernels, sentence_pairs
from semwork_widgets.start.own_data import OwnDataPanel
from semwork_widgets.upload import Upload

SAMPLE = load("sample").documents
FRAME = pd.DataFrame({"review": SAMPLE.texts, "topic": [SAMPLE.label_names[label] for label in SAMPLE.labels]})


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "reviews.csv"
    FRAME.to_csv(path, index=False)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path / "cache"))
    for one in own_data():  # what other tests hold in memory
        remove(one.name)
    yield
    for one in own_data():
        remove(one.name)


@pytest.fixture
def panel():
    made = OwnDataPanel()
    yield made
    made.job.close()


def test_a_file_is_read_looked_at_named_and_kept(panel, csv):
    panel.bring(str(csv))
    panel.wait()
    assert (panel.kind.value, panel.name.value) == ("documents", "reviews")
    assert [row.children[1].value for row in panel.roles.children] == ["review", "topic", "", ""]
    assert "400 of 400 rows used" in panel.report.value
    panel.name.value = "my reviews"
    panel.guarded()
    assert "my reviews is kept" in panel.status.value
    assert [one.name for one in own_data()] == ["my reviews"]
    assert len(load("my reviews")) == 400
    panel.remove("my reviews")
    assert own_data() == ()


def test_a_file_can_be_read_otherwise_and_in_part(panel, tmp_path):
    path = tmp_path / "prices.csv"
    path.write_bytes(b"text;price\n" + "".join(f"ein Stück für {n} €;{n}\n" for n in range(30)).encode("cp1252"))
    panel.bring(str(path))
    panel.wait()
    panel.how["rows"].value = 10
    panel.wait()
    assert len(panel.reading.record) == 10
    assert "first 10" in panel.report.value
    panel.how["encoding"].value = "cp1250"
    panel.wait()
    assert "cp1250" in panel.report.value
    panel.how["encoding"].value = "nonsense"
    with pytest.raises(ValueError, match="nonsense"):
        panel.wait()
    assert "nonsense" in panel.status.value
    panel.bring(str(path))
    panel.wait()
    assert (panel.how["rows"].value, len(panel.reading.record)) == (0, 30)


def test_words_without_a_vector_are_counted_in_own_vectors(panel, csv):
    register("few words", WordVectors("few words", ["space", "money"], np.eye(2, dtype=np.float32)), keep=False)
    panel.bring(str(csv))
    panel.wait()
    assert "have no vector in &#x27;few words&#x27;" in panel.covered.value


def test_kind_and_columns_can_be_chosen_otherwise(panel, csv):
    panel.bring(str(csv))
    panel.wait()
    panel.kind.value = "texts"
    panel.wait()
    assert [row.children[1].role for row in panel.roles.children] == ["text", "id"]
    panel.roles.children[0].children[1].value = "topic"
    panel.wait()
    assert panel.reading.record.texts[0] == SAMPLE.label_names[SAMPLE.labels[0]]


def test_data_in_memory_leave_nothing_on_the_machine(panel, csv, tmp_path):
    panel.bring(str(csv))
    panel.wait()
    panel.keep.value = False
    panel.take()
    assert "in the memory of this notebook alone" in panel.status.value
    assert not list((tmp_path / "cache").rglob("*.parquet"))


@pytest.mark.parametrize(
    ("source", "said"), [("", "Type the path"), ("nowhere.csv", "nowhere.csv"), ("<b>x</b>.csv", "&lt;b&gt;x")]
)
def test_what_cannot_be_read_is_said(panel, source, said):
    panel.bring(source)
    with contextlib.suppress(OSError, ValueError):
        panel.wait()
    assert said in panel.status.value
    assert "alert" in panel.status.value


def test_nothing_is_kept_before_something_is_read_or_without_a_name(panel, csv):
    panel.guarded()
    assert "nothing to keep yet" in panel.status.value
    panel.bring(str(csv))
    panel.wait()
    panel.name.value = " "
    panel.guarded()
    assert "give the data a name first" in panel.status.value


def test_panels_that_are_open_offer_what_is_kept(panel, csv):
    kernels = semantic_kernels()
    kernels.wait()
    panel.bring(str(csv))
    panel.wait()
    panel.take()
    assert ("reviews (your own, 400)", "reviews") in kernels.controls["data"].options
    kernels.set(data="reviews")
    kernels.wait()
    assert kernels.settings["target"] in SAMPLE.label_names
    panel.remove("reviews")
    assert "reviews" not in dict(kernels.controls["data"].options).values()
    kernels.close()


def test_other_data_are_not_replaced_unasked_and_the_same_are_kept_once(panel, csv):
    panel.bring(str(csv))
    panel.wait()
    panel.guarded()
    panel.guarded()
    assert len(own_data()) == 1
    panel.kind.value = "texts"
    panel.wait()
    panel.guarded()
    assert "you have data called &#x27;reviews&#x27;: take another name" in panel.status.value
    assert [one.kind for one in own_data()] == ["documents"]


def test_a_record_that_is_given_twice_is_in_the_lists_once():
    record = from_table(FRAME, "documents", name="twice")
    panels = [semantic_kernels(data=record), semantic_kernels(data=from_table(FRAME, "documents", name="twice"))]
    assert [one.name for one in own_data()] == ["twice"]
    other = semantic_kernels(data=from_table(FRAME[:100], "documents", name="twice"))
    assert other.settings["data"] == "twice (given)"
    for one in (*panels, other):
        one.close()


def test_the_panel_of_data_has_two_tabs():
    tabs = DataPanel(own_first=True).children[0]
    assert (tabs.titles, tabs.selected_index) == (("Real data, by name", "Your own data"), 1)


# --- pieces of a file -------------------------------------------------------------------------------------------------


class Browser(Upload):
    """What a page does: it sends the pieces that it is asked for."""

    def __init__(self, content: bytes) -> None:
        self.content, self.done, self.failed = content, [], []
        super().__init__(".csv", lambda path, name: self.done.append((path.read_bytes(), name)), self.failed.append)

    def send(self, content, buffers=None):
        if content["kind"] == "more":
            start = content["from"]
            piece = {"kind": "piece", "upload": content["upload"], "from": start}
            self._told(self, piece, [memoryview(self.content[start : start + 7])])

    def drop(self, name: str, size: int | None = None) -> None:
        size = len(self.content) if size is None else size
        self._told(self, {"kind": "begin", "upload": "1", "name": name, "size": size}, [])


def test_a_file_goes_up_in_pieces_and_arrives_whole():
    browser = Browser(bytes(range(256)) * 3)
    browser.drop("räume.csv")
    assert browser.done == [(browser.content, "räume.csv")]
    browser.close()


def test_an_empty_file_arrives_too():
    browser = Browser(b"")
    browser.drop("empty.csv")
    assert browser.done == [(b"", "empty.csv")]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b.csv", "..\\x.csv", "\0.csv", "x.<b>", "." * 300, "a.tar.gz"])
def test_the_name_of_a_file_leads_nowhere(name):
    browser = Browser(b"text\nhello there\n")
    browser.drop(name)
    assert browser.path.parent == pathlib.Path(browser._folder.name)
    assert browser.done[0][1] == name


def test_a_file_that_does_not_fit_on_the_disk_is_refused_with_both_sizes():
    browser = Browser(b"")
    browser.drop("huge.csv", 10**18)
    assert "huge.csv has 1,000,000,000,000 MB" in browser.failed[0]
    assert browser.done == []


# --- data given in Python ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("given", ["record", "table", "path", "name", "mapping"])
def test_a_panel_takes_data_in_many_forms(given, csv):
    record = from_table(FRAME, "documents", name="mine")
    if given == "name":
        register("mine", record, keep=False)
    data = {"record": record, "table": FRAME, "path": str(csv), "name": "mine", "mapping": {"data": record}}[given]
    panel = semantic_kernels(data=data)
    panel.wait()
    assert len(panel.study().documents) == 400
    assert panel.table is not None
    panel.close()


def test_data_that_do_not_fit_are_refused_with_what_does():
    with pytest.raises(TypeError, match="this panel takes LabelledDocuments, got SentencePairs"):
        semantic_kernels(data=load("sample").pairs)
    with pytest.raises(ValueError, match="there are no data 'nowhere', and no such file"):
        sentence_pairs(data="nowhere")


@pytest.mark.slow
def test_a_notebook_is_saved_without_pictures_of_own_data():
    panel = retrieval_race(data=SAMPLE)
    panel.wait()
    own, shown = panel._picture_of_first_run(), super(type(panel), panel)._picture_of_first_run()
    assert len(own) < len(shown) / 2
    panel.close()
