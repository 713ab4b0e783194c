"""Panels draw what they have drawn before: numbers of all pictures at three settings."""

from __future__ import annotations

import platform

import pytest

import semwork_widgets
from tests.widgets.recorded import SETTINGS, compared, differences, recorded_figure

_REAL = {"sentence_alignments": ("msr04", "rte", "wordnet", "en_core_web_sm"), "your_sentences": ("glove",)}
_PARTS = {"DataPanel", "Job", "LiveFigure", "Panel"}


def _marked(name):
    marks = [pytest.mark.slow, *(pytest.mark.data(data) for data in _REAL.get(name, ()))]
    return pytest.param(name, marks=marks)


def test_all_panels_are_recorded():
    assert set(SETTINGS) == set(semwork_widgets.__all__) - _PARTS
    assert all(len(settings) == 3 for settings in SETTINGS.values())


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="samplers round otherwise on other machines"
)
@pytest.mark.parametrize("name", [_marked(name) for name in SETTINGS])
def test_a_panel_draws_what_was_recorded(name):
    assert compared(name, loosely=True) == []


def test_what_is_not_as_recorded_is_found():
    import plotly.graph_objects as go

    there = recorded_figure(go.Figure([go.Scatter(name="a", x=[1, 2], y=[3.0, 4.0])]))
    here = recorded_figure(go.Figure([go.Scatter(name="a", x=[1, 2], y=[3.0, 4.1])]))
    more = recorded_figure(go.Figure([go.Scatter(name="a", x=[1, 2], y=[3.0, 4.0]), go.Bar(name="b", y=[1])]))
    assert list(differences(there, there, loosely=True)) == []
    assert [found.split(":")[0] for found in differences(here, there, loosely=True)] == ["/traces/0 a/y"]
    assert list(differences(more, there, loosely=True)) == ["/traces/1 b: new"]
