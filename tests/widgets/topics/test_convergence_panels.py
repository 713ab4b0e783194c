"""The panels of sampler convergence, without a browser."""

from __future__ import annotations

import json

import numpy as np
import pytest

from semwork.plots import plotted_data
from semwork.studies import SamplerRace
from semwork.topics import SAMPLERS
from semwork_widgets import sampler_bias, sampler_race

QUICK = {"data": "planted", "sweeps": 20, "seconds": 60.0}


@pytest.fixture
def race():
    made = sampler_race()
    made.set(**QUICK)  # little data and few sweeps: such a race is over in a moment
    made.wait()
    yield made
    made.close()


@pytest.fixture
def bias():
    made = sampler_bias()
    made.set(sweeps=10_000)
    made.wait()
    yield made
    made.close()


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


def test_all_samplers_come_to_their_end(race):
    assert [path.sampler for path in race.last_step.paths] == list(SAMPLERS)
    assert [len(path.seconds) for path in race.last_step.paths] == [20] * 5
    assert title(race, "likelihood").startswith("4,800 tokens, 5 topics:")
    assert title(race, "agreement").startswith("Do the 2 chains of a sampler agree?")
    assert "times as fast as" in title(race, "speed")


def test_samplers_are_taken_out_and_none_at_all_is_said(race):
    race.controls["samplers"].value = ("fast",)
    race.wait()
    assert [path.sampler for path in race.last_step.paths] == ["fast"]
    assert title(race, "speed") == "Speed"
    race.controls["samplers"].value = ()
    with pytest.raises(ValueError, match="no sampler is in the race"):
        race.wait()
    assert "no sampler is in the race" in race.parts.status.value


def test_sliders_reach_the_samplers(race):
    race.state = {"settings": {"samplers": ["fast"], "chains": 1, "refresh": 20, "freeze": False, "mh_steps": 4}}
    race.wait()
    stale = race.last_step.of("fast")
    assert len(stale.log_likelihood) == 1
    assert title(race, "agreement").startswith("Do the halves of a chain agree?")
    race.controls["refresh"].value = 1
    race.wait()
    assert race.last_step.of("fast").acceptance.mean() > stale.acceptance.mean()
    race.controls["mh_steps"].value = 1
    race.wait()
    one = race.last_step.of("fast").log_likelihood
    race.controls["mh_steps"].value = 4
    race.wait()
    assert not np.allclose(race.last_step.of("fast").log_likelihood, one)


def test_the_code_of_the_race_gives_the_same_curves(race, capsys):
    made = {}
    exec(race.code, made)
    for path in made["end"].paths:
        assert path.log_likelihood.tolist() == race.last_step.of(path.sampler).log_likelihood.tolist()
    assert [figure.layout.height for figure in made["figures"]] == [
        live.figure.layout.height for live in race.figures.values()
    ]
    assert "tokens per second" in capsys.readouterr().out


def test_a_race_can_be_stopped_between_sweeps(race, monkeypatch):
    steps = SamplerRace.steps

    def slowly(self, settings):
        for step in steps(self, settings):
            yield step
            race.stop()

    monkeypatch.setattr(SamplerRace, "steps", slowly)
    race.controls["seed"].value = 5
    race.wait()
    assert "Stopped" in race.parts.status.value
    assert race.last_step.done == 1


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
def test_newsgroups_are_one_click_away(race):
    race.state = {"settings": {"samplers": ["fast"], "chains": 1}}
    race.controls["data"].value = "newsgroups"
    race.wait()
    assert race.controls["seconds"].value == 10, "in a second nobody would get past burn-in"
    assert race.last_step.n_topics == 20
    assert [len(path.seconds) for path in race.last_step.paths] == [20]


def test_a_frozen_table_ends_at_the_truth_and_a_refreshed_one_does_not(bias):
    assert [curve.draws[-1] for curve in bias.last_step.curves] == [10_000] * 3
    frozen = bias.last_step
    bias.controls["refresh"].value = 1
    bias.wait()
    assert bias.last_step.of("fast").above_floor > frozen.of("fast").above_floor + 0.2
    assert bias.last_step.of("precision").above_floor == frozen.of("precision").above_floor
    assert title(bias, "figure").startswith("fast has")


def test_another_problem_has_another_floor(bias):
    before = bias.last_step.of("precision").floor
    bias.controls["problem"].value = 3
    bias.wait()
    assert not np.allclose(bias.last_step.of("precision").floor, before)


def test_the_code_of_the_tiny_problem_gives_the_same_curves(bias, capsys):
    bias.state = {"settings": {"refresh": 10, "samplers": ["alias", "fast"], "seed": 2}}
    bias.wait()
    made = {}
    exec(bias.code, made)
    assert plotted_data(made["figures"][0]).equals(plotted_data(bias.figures["figure"].figure))
    assert "times the floor" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["race", "bias"])
def test_state_comes_back_and_all_of_it_can_be_exported(name, request):
    panel = request.getfixturevalue(name)
    panel.controls["mh_steps"].value = 5
    state = json.loads(json.dumps(panel.state))
    panel.controls["mh_steps"].value = 1
    panel.state = state
    panel.wait()
    assert panel.controls["mh_steps"].value == 5
    for kind in ("html", "csv"):
        assert len(panel.export(kind)[1]) > 1000
