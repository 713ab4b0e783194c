"""The panel of Gaussian topics, without a browser."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from semwork import datasets
from semwork.plots import plotted_data
from semwork.studies import GaussianTopics
from semwork.studies.origin import calling
from semwork.studies.topic_tasks import TOPIC_DOCUMENTS
from semwork.topics import topic_data
from semwork_widgets import gaussian_topics
from semwork_widgets.live_figure import Point


@pytest.fixture
def panel():
    made = gaussian_topics()
    made.set(sweeps=20)  # twenty are enough
    made.wait()
    yield made
    made.close()


def clicked(panel, figure, customdata):
    for handler in panel.figures[figure]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=customdata)])


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


def test_it_samples_the_sample_and_shows_the_last_sweep(panel):
    step = panel.last_step
    assert (len(step.sweeps), step.n_topics) == (20, 12)
    assert (panel.controls["sweep"].value, panel.controls["sweep"].max) == (20, 20)
    assert title(panel, "map").startswith("After sweep 20: topic 6 has")
    assert title(panel, "below").startswith("Topic 6:")
    assert "20 newsgroups" in str(panel.controls["data"].options)


def test_the_slider_goes_back_and_computes_nothing(panel):
    step = panel.last_step
    panel.controls["sweep"].value = 2
    assert title(panel, "map").startswith("After sweep 2:")
    assert f"coherence {step.at(2).found.coherence:.3f}" in title(panel, "curves")
    assert panel.last_step is step


def test_clicks_choose_a_topic_a_sweep_a_document(panel):
    clicked(panel, "map", 5)
    assert panel.controls["topic"].value == 5
    assert title(panel, "below").startswith("Topic 5:")
    clicked(panel, "curves", 3)
    assert panel.controls["sweep"].value == 3
    best = int(panel.study().documents(panel.last_step, 5, 3)["document"][0])
    clicked(panel, "below", best)
    assert (panel.controls["look_at"].value, panel.controls["document"].value) == ("document", best)
    assert title(panel, "below").startswith(f"Document {best}, {panel.study().data.labels[best]}")
    clicked(panel, "below", 2)
    assert panel.controls["topic"].value == 2
    clicked(panel, "map", None)
    assert panel.controls["topic"].value == 2


def test_another_number_of_topics_keeps_the_topic_inside(panel):
    panel.controls["topic"].value = 11
    panel.controls["n_topics"].value = 4
    panel.wait()
    assert panel.last_step.n_topics == 4
    assert panel.controls["topic"].value == panel.controls["topic"].max == 3
    assert "topic 3 has" in title(panel, "map")


def test_a_number_that_is_ahead_of_the_step_means_the_last_one(panel):
    panel.set(topic=99, document=5000)
    assert title(panel, "below").startswith("Topic 11:")
    assert "topic=11" in panel.code, "the code asks for what is shown"
    panel.set(look_at="document", topic=99)
    assert title(panel, "below").startswith("Document 399, ")
    assert panel.error is None


def test_other_data_come_with_settings_of_their_own_in_one_run(panel):
    before = panel.job._latest
    panel.controls["data"].value = "planted"
    panel.wait()
    assert panel.job._latest == before + 1
    assert panel.study().data.name == "planted"
    assert panel.last_step.n_topics == panel.controls["n_topics"].value == 5
    assert panel.controls["psi"].value == 3.0
    assert panel.study().table(panel.last_step)["purity"].iloc[-1] > 0.8


def test_a_wide_prior_ends_in_one_topic_and_says_so(panel):
    panel.controls["topic"].value = 5
    panel.controls["psi"].value = 1000.0
    panel.wait()
    sizes = panel.last_step.at(None).found.sizes
    assert (sizes > 0).sum() < 4
    assert panel.error is None


def test_a_longer_run_takes_the_slider_along(panel):
    panel.controls["sweeps"].value = 60
    panel.wait()
    assert (panel.controls["sweep"].value, panel.controls["sweep"].max) == (60, 60)
    panel.controls["sweep"].value = 30
    panel.controls["sweeps"].value = 20
    panel.wait()
    assert (panel.controls["sweep"].value, panel.controls["sweep"].max) == (20, 20)


def test_a_run_can_be_stopped_and_the_slider_ends_there(panel, monkeypatch):
    steps = GaussianTopics.steps

    def stopped(self, settings):
        for step in steps(self, settings):
            yield step
            if step.done == 3:
                panel.stop()

    monkeypatch.setattr(GaussianTopics, "steps", stopped)
    panel.controls["seed"].value = 5
    panel.wait()
    assert "Stopped" in panel.parts.status.value
    assert len(panel.last_step.sweeps) == 3
    assert (panel.controls["sweep"].value, panel.controls["sweep"].max) == (3, 3)
    monkeypatch.undo()
    panel.run()
    panel.wait()
    assert (panel.controls["sweep"].value, panel.controls["sweep"].max) == (20, 20)


def test_state_comes_back(panel):
    panel.controls["topic"].value, panel.controls["sweep"].value = 7, 4
    panel.controls["look_at"].value = "document"
    state = json.loads(json.dumps(panel.state))
    panel.controls["data"].value = "planted"
    panel.wait()
    panel.state = state
    panel.wait()
    assert json.loads(json.dumps(panel.state)) == state
    assert title(panel, "map").startswith("After sweep 4: topic 7")


def test_a_state_of_other_data_comes_back_whole(panel):
    settings = {"topic": 9, "alpha": 1.0, "data": "planted", "n_topics": 10}
    panel.controls["n_topics"].value = 3
    panel.wait()
    panel.state = {"version": 1, "panel": panel.title, "settings": settings}
    panel.wait()
    assert {name: panel.controls[name].value for name in settings} == settings


@pytest.mark.parametrize("look_at", ["topic", "document"])
def test_the_code_gives_the_same_pictures(panel, look_at, capsys):
    panel.state = {"settings": {"look_at": look_at, "topic": 3, "sweep": 9, "document": 17, "alpha": 0.3}}
    panel.wait()
    made = {}
    exec(panel.code, made)
    for one, two in zip(made["figures"], [live.figure for live in panel.figures.values()], strict=True):
        assert plotted_data(one).equals(plotted_data(two))
    assert "coherence" in capsys.readouterr().out


def test_missing_data_say_what_to_fetch(panel, monkeypatch):
    monkeypatch.setattr("semwork.studies.study.available", lambda name: name != "glove")
    panel.controls["data"].value = "newsgroups part"
    with pytest.raises(datasets.DataNotAvailable, match="semwork data fetch glove"):
        panel.wait()
    assert "semwork data fetch glove" in panel.parts.status.value


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
@pytest.mark.slow
def test_a_part_of_20_newsgroups_runs(panel, monkeypatch):
    few = calling(topic_data)("newsgroups").limited(300).for_training()
    fewer = replace(TOPIC_DOCUMENTS.sources["newsgroups part"], origin=few)
    monkeypatch.setitem(TOPIC_DOCUMENTS.sources, "newsgroups part", fewer)
    panel.controls["data"].value = "newsgroups part"
    panel.wait(300)
    assert panel.last_step.n_documents == 300
    assert "limited(300)" in panel.code
