"""The panels of the first notebook."""

from __future__ import annotations

import pytest

from semwork import datasets
from semwork.datasets import DataNotAvailable, FetchStep
from semwork_widgets import DataPanel, first_curve


def test_the_first_curve_beats_counting_words_and_its_code_says_the_same(capsys):
    panel = first_curve()
    panel.wait()
    names = [trace.name for trace in panel.figures["figure"].figure.data]
    assert [name.split(":")[0] for name in names] == ["WTMF", "words only", "chance"]
    learnt, words = (float(name.split()[-1]) for name in names[:2])
    assert learnt > words + 0.05
    scope: dict[str, object] = {}
    exec(panel.code, scope)
    assert f"WTMF {panel.last_step.atop:.4f}" in " ".join(capsys.readouterr().out.split())
    assert scope["figures"][0].data[0].name == names[0]


def test_the_weight_of_missing_words_matters_in_the_middle():
    panel = first_curve()
    reached = {}
    for weight in (1e-4, 0.05, 1.0):
        panel.controls["missing_weight"].value = weight
        panel.wait()
        reached[weight] = panel.last_step.atop
    assert reached[0.05] > max(reached[1e-4], reached[1.0]) + 0.03


@pytest.fixture
def nothing_here(monkeypatch):
    here = {"sample"}
    monkeypatch.setattr(datasets, "available", lambda name: name in here)
    return here


def test_the_data_panel_fetches_with_progress(nothing_here, monkeypatch):
    seen = []

    def fetch(name):
        for done in (1, 2):
            yield FetchStep(done=done * 10**6, total=2 * 10**6, name=name, phase="downloading", speed=3e6)
            seen.append(panel.rows[name].state.value)
        nothing_here.add(name)

    monkeypatch.setattr(datasets, "fetch", fetch)
    panel = DataPanel()
    row = panel.rows["wordnet"]
    assert "not here" in row.state.value
    row.button.click()
    panel.wait(10)
    assert "1.0 MB of 2.0 MB" in seen[0]
    assert "3.0 MB/s" in seen[0]
    assert "here" in row.state.value
    assert row.button.layout.visibility == "hidden"


def test_a_fetch_that_fails_says_how_else(nothing_here, monkeypatch):
    def fetch(name):
        raise DataNotAvailable("no network\nput the file <there>")
        yield

    monkeypatch.setattr(datasets, "fetch", fetch)
    panel = DataPanel()
    panel.fetch_missing()
    with pytest.raises(DataNotAvailable):
        panel.wait(10)
    assert "put the file &lt;there&gt;" in panel.rows["wordnet"].state.value
    assert panel.rows["wordnet"].button.description == "Fetch"
    assert "✓" in panel.rows["sample"].state.value


def test_a_fetch_can_be_stopped(nothing_here, monkeypatch):
    import time

    def fetch(name):
        for done in range(1, 10_000):
            time.sleep(0.005)
            yield FetchStep(done=done, total=10_000, name=name, phase="downloading")

    monkeypatch.setattr(datasets, "fetch", fetch)
    panel = DataPanel()
    row = panel.rows["glove"]
    row.toggle()
    time.sleep(0.05)
    assert row.button.description == "Stop"
    row.toggle()
    panel.wait(5)
    assert "not here yet" in row.state.value
