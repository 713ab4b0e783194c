"""Figures of samplers."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from semwork.plots import (
    agreement_of_chains_figure,
    likelihood_figure,
    plotted_data,
    speed_figure,
    static_picture,
    variation_figure,
)
from semwork.plots.convergence import SAMPLER_COLOURS, _log_axis, apart
from semwork.plots.labels import PAGE, text_width
from semwork.steps import last
from semwork.studies import BiasSettings, SamplerBias, SamplerRace, SamplerRaceSettings, sampler_task
from semwork.topics import SAMPLERS

RACE, BIAS = SamplerRace(replace(sampler_task("planted"), limit=30)), SamplerBias()


@pytest.fixture(scope="module")
def steps():
    return list(RACE.steps(SamplerRaceSettings(chains=2, sweeps=16, seconds=60.0)))


@pytest.fixture(scope="module")
def variation():
    return last(BIAS.steps(BiasSettings(samplers=("precision", "fast"), refresh=1, sweeps=10_000)))


def likelihood(step):
    return likelihood_figure(**RACE.climb(step))


def agreement(step):
    return agreement_of_chains_figure(**RACE.agreement(step))


def speed(step):
    return speed_figure(**RACE.speed(step))


def named(figure, name, axis=None):
    return [trace for trace in figure.data if trace.name == name and axis in (None, trace.xaxis)]


@pytest.mark.slow
def test_names_below_the_lines_are_not_cut_whoever_is_slow(steps):
    for step in steps:
        slow = [replace(path, seconds=path.seconds * 50 ** (path is step.paths[0])) for path in step.paths]
        for paths in (step.paths, slow):
            figure = likelihood(replace(step, paths=tuple(paths)))
            [labels] = named(figure, "labels", "x")
            low, high = figure.layout.xaxis.range
            wide = (PAGE - 74) * np.diff(figure.layout.xaxis.domain)[0]
            places = wide * (np.log10(np.array(labels.x, dtype=float)) - low) / (high - low)
            for name, place in zip(labels.text, places, strict=True):
                half = 0.9 * text_width(name, 13) / 2  # as wide as in DejaVu Sans; text_width gives the most
                assert half <= place <= wide - half


def test_names_beside_the_lines_are_not_cut_however_many_sweeps_there_are(steps):
    """Ticks may lie near the end of the axis or not, so that plotly makes no room by itself."""
    layout = likelihood(steps[-1]).layout
    room = (PAGE - 64 - layout.margin.r) * (1 - layout.xaxis2.domain[1]) + layout.margin.r
    assert max(text_width(name, 13) for name in SAMPLERS) < room


def test_every_sampler_has_a_colour_of_its_own():
    assert len({SAMPLER_COLOURS[name] for name in SAMPLERS}) == len(SAMPLERS)


def test_likelihood_stands_against_seconds_and_sweeps_with_thin_lines_for_other_chains(steps):
    step = steps[-1]
    figure = likelihood(step)
    for name in SAMPLERS:
        path = step.of(name)
        [first, other] = named(figure, name, "x")
        assert list(first.x) == path.seconds.tolist()
        assert list(first.y) == path.log_likelihood[0].tolist()
        assert list(other.y) == path.log_likelihood[1].tolist()
        assert first.line.width > other.line.width
        assert first.line.color == SAMPLER_COLOURS[name]
        assert list(named(figure, name, "x2")[0].x) == list(range(1, 17))
    assert figure.layout.xaxis.type == "log"
    for labels in named(figure, "labels"):
        assert list(labels.text) == list(SAMPLERS)
        low, high = figure.layout.yaxis.range
        assert all(low < y < high for y in labels.y)
        assert min(np.diff(sorted(labels.y))) > 0.04 * (high - low)


def test_acceptance_is_drawn_for_samplers_that_propose_and_r_hat_for_all(steps):
    figure = agreement(steps[-1])
    assert {trace.name for trace in figure.data if trace.xaxis == "x"} == {"alias", "fast"}
    for axis, what in (("x2", "r_hat"), ("x3", "ess")):
        for name in SAMPLERS:
            [line] = named(figure, name, axis)
            assert list(line.y) == getattr(steps[-1].of(name), what).tolist()
    assert named(figure, "chains agree")[0].y == (1.01, 1.01)
    assert not named(figure, "labels")


def test_before_the_end_of_burn_in_the_figures_say_so(steps):
    early = steps[len(SAMPLERS)]
    assert {trace.text for trace in named(agreement(early), "labels")} == {("needs more sweeps",)}
    numbers = named(speed(early), "numbers", "x2")[0]
    assert set(numbers.text) == {"needs more sweeps"}
    empty = speed(early).layout.xaxis2
    assert empty.showgrid is empty.showline is False
    assert "".join(empty.ticktext).strip() == ""
    likelihood(steps[0])


def test_exact_samplers_alone_propose_nothing():
    alone = next(RACE.steps(SamplerRaceSettings(samplers=("precision",), sweeps=2)))
    labels = named(agreement(alone), "labels", "x")
    assert [trace.text for trace in labels] == [("nothing is proposed",)]


def test_speed_has_a_bar_for_all_and_effective_draws_only_where_chains_agree(steps):
    step = steps[-1]
    figure = speed(step)
    bars = named(figure, "tokens per second")[0]
    assert list(bars.y) == [path.sampler for path in step.paths]
    assert list(bars.x) == [path.speed for path in step.paths]
    said = named(figure, "numbers", "x2")[0].text
    for path, text in zip(step.paths, said, strict=True):
        assert (text == "chains disagree") == (path.r_hat[-1] > 1.1)


def test_variation_is_drawn_on_logarithmic_axes_above_its_floor(variation):
    figure = variation_figure(**BIAS.distances(variation))
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    [floor] = named(figure, "independent draws")
    assert floor.line.dash == "dash"
    assert list(floor.y) == variation.of("fast").floor.tolist()
    assert list(named(figure, "fast")[0].y) == variation.of("fast").variation.tolist()
    assert list(named(figure, "labels")[0].text) == ["independent draws", "precision", "fast"]


def test_labels_moveapart_and_keep_their_order():
    found = apart([1.0, 1.0, 5.0, 1.01], 0.5)
    assert found[2] == pytest.approx(5.0)
    assert min(np.diff(sorted(found))) >= 0.5 - 1e-6
    assert found[0] < found[1] < found[3]
    assert apart([3.0], 1.0) == [3.0]


def test_logarithmic_axes_have_plain_numbers():
    axis = _log_axis(-2.0, 3.0)
    assert axis["ticktext"] == ["0.01", "0.1", "1", "10", "100", "1,000"]
    assert _log_axis(-0.9, 0.0)["ticktext"] == ["0.2", "0.5", "1"]
    assert _log_axis(0.45, 0.65)["ticktext"] == ["3", "4"]


def test_static_twins_are_drawn_and_say_nothing(steps, variation):
    figures = [make(step) for step in (steps[0], steps[-1]) for make in (likelihood, agreement)]
    figures += [speed(steps[-1]), variation_figure(**BIAS.distances(variation))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in figures:
            assert static_picture(figure).startswith(b"\x89PNG")
            assert len(plotted_data(figure))
