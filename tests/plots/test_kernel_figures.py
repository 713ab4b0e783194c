"""Figures about semantic kernels: what is drawn is what was computed."""

from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go
import pytest

from semwork.kernels import Optimum
from semwork.kernels.documents import document_set
from semwork.plots import (
    alignment_figure,
    classifier_figure,
    kernel_figure,
    plotted_data,
    related_figure,
    spectrum_figure,
    static_picture,
)
from semwork.steps import last
from semwork.studies import DecaySettings, KernelDecay

KINDS = ("exponential", "von_neumann")


@pytest.fixture(scope="module")
def study():
    return KernelDecay(document_set("sample"))


@pytest.fixture(scope="module")
def steps(study):
    return {kind: last(study.steps(DecaySettings(kind=kind, relative_decay=0.9))) for kind in KINDS}


def trace(figure, name):
    return next(one for one in figure.data if one.name.startswith(name))


def relative(kind, places):
    """Relative decays from places on the axis."""
    places = np.asarray(places)
    return places if kind == "exponential" else places / (1 + places)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("centered", [False, True])
def test_the_curve_has_the_moment_and_the_best_decay_on_it(study, steps, kind, centered):
    step = steps[kind]
    figure = alignment_figure(**study.alignments(step, centered))
    curve = trace(figure, "centred alignment" if centered else "alignment")
    np.testing.assert_allclose(relative(kind, curve.x), step.curve["relative decay"], rtol=1e-9)
    np.testing.assert_allclose(curve.y, step.curve["centered alignment" if centered else "alignment"])
    best = step.centered_optimum if centered else step.optimum
    mark = trace(figure, "best")
    assert mark.y[0] == pytest.approx(best.alignment)
    assert relative(kind, mark.x)[0] == pytest.approx(best.decay * step.largest)
    [now], [line] = figure.layout.annotations, figure.layout.shapes
    assert relative(kind, [10**now.x, line.x0, line.x1]) == pytest.approx([0.9, 0.9, 0.9])
    assert now.y == pytest.approx(step.centered_alignment if centered else step.alignment)
    assert now.text == f"now: λ‖K‖ = 0.9, {now.y:.3f}"
    assert max(curve.y) <= figure.layout.yaxis.range[1]
    assert set(trace(figure, "vector of all ones").y) == {step.baseline}
    assert static_picture(figure).startswith(b"\x89PNG")


def test_the_printed_proposition_and_the_forbidden_decays_are_the_von_neumann_kernels(study, steps):
    step = steps["von_neumann"]
    figure = alignment_figure(**study.alignments(step))
    printed = trace(figure, "Proposition 7")
    assert relative("von_neumann", printed.x)[0] == pytest.approx(step.printed * step.largest)
    assert printed.y[0] < step.optimum.alignment
    zone = trace(figure, "not allowed")
    assert min(zone.x) > max(trace(figure, "alignment").x)
    ticks = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert ticks["1"] == min(zone.x)
    assert f"{1 / step.largest:.4g}" in zone.text
    other = {one.name for one in alignment_figure(**study.alignments(steps["exponential"])).data}
    assert not any(name.startswith(("Proposition", "not allowed")) for name in other)


def test_when_no_decay_is_better_than_none_the_mark_says_so(study, steps):
    none = Optimum(0.0, 0.1, 0.1, at_edge=False)
    step = dataclasses.replace(steps["exponential"], centered_optimum=none)
    figure = alignment_figure(**study.alignments(step, centered=True))
    assert trace(figure, "best").name == "best: no decay, 0.100"
    assert trace(figure, "best").x[0] == pytest.approx(0.01)


def test_a_best_decay_outside_the_picture_stands_at_its_end(study, steps):
    far = Optimum(1e6, 0.5, 0.5, at_edge=True)
    step = dataclasses.replace(steps["exponential"], optimum=far)
    mark = trace(alignment_figure(**study.alignments(step)), "best")
    assert mark.x[0] == 30


@pytest.mark.parametrize("kind", KINDS)
def test_the_spectrum_tells_the_share_of_the_first_eigenvector(study, steps, kind):
    step = steps[kind]
    figure = spectrum_figure(**study.spectrum(step))
    np.testing.assert_allclose(trace(figure, "before").y, step.spectrum["before"])
    np.testing.assert_allclose(trace(figure, "after").y, step.spectrum["after"])
    kernels = study.kernels(step)
    share = kernels.spectrum.breakdown(kernels.y_train, kind, step.decay)["share of inner product"][0]
    assert f"carries {share:.0%} of the alignment" in figure.layout.title.text
    assert f"{step.spectrum['share'][4]:.2%}" in trace(figure, "after").customdata[4]
    assert static_picture(figure).startswith(b"\x89PNG")


def test_eigenvalues_too_small_to_be_seen_are_counted(study):
    step = next(study.steps(DecaySettings(relative_decay=30.0)))
    shown = trace(spectrum_figure(**study.spectrum(step)), "after")
    small = int((step.spectrum["after"] < 1e-5).sum())
    assert small > 10
    assert f"{small} of 60 below 1e-05" in shown.name
    assert np.isnan(np.asarray(shown.y, dtype=float)).sum() == small


def test_the_heat_map_has_a_gap_between_the_class_and_the_others(study, steps):
    found = study.texts(steps["exponential"])
    figure = kernel_figure(**found)
    heat = figure.data[0]
    z, border = np.asarray(heat.z), int(found.texts["in class"].sum())
    assert z.shape == (len(found.cosines) + 1,) * 2
    assert np.isnan(z[border]).all()
    assert np.isnan(z[:, border]).all()
    without_gap = np.delete(np.delete(z, border, axis=0), border, axis=1)
    np.testing.assert_allclose(without_gap, found.cosines, atol=1e-6)
    assert [heat.colorscale[0][0], heat.colorscale[-1][0]] == [0, 1]
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert len(set(heat.x)) == len(heat.x)
    assert "space" in heat.x[0]
    assert found.texts["text"][0][:40] in heat.x[0]
    inside = found.cosines[:border, :border][~np.eye(border, dtype=bool)].mean()
    assert f"inside space: {inside:.2f}" in figure.layout.title.text
    assert static_picture(figure).startswith(b"\x89PNG")


def test_texts_and_names_are_escaped(study, steps):
    found = study.texts(steps["exponential"])
    figure = kernel_figure(found.cosines, found.texts.assign(text="<b>bold</b> & more"), "<class>", 0.5, 0.1)
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in figure.data[0].x[0]
    assert "&lt;class&gt;" in figure.layout.title.text


@pytest.mark.parametrize("kind", KINDS)
def test_terms_that_never_met_have_their_own_colour_and_their_go_between(study, steps, kind):
    found = study.words(steps[kind], "orbit")
    figure = related_figure(**found)
    met, unmet = figure.data
    assert met.marker.color != unmet.marker.color
    table = found.related.set_index("term")
    shown = {term: value for bars in figure.data for term, value in zip(bars.y, bars.x, strict=True)}
    assert shown == pytest.approx(table["proximity"].to_dict())
    assert (table.loc[list(met.y), "documents together"] > 0).all()
    assert (table.loc[list(unmet.y), "documents together"] == 0).all()
    assert unmet.text[0] == f"through “{table.loc[unmet.y[0], 'through']}”"
    assert set(met.text) == {""}
    assert list(figure.layout.yaxis.categoryarray) == list(found.related["term"])
    assert "“orbit”" in figure.layout.title.text
    assert static_picture(figure).startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", KINDS)
def test_the_classifier_has_train_and_test_apart_and_the_bag_of_words_as_dashes(study, steps, kind):
    step = steps[kind]
    figure = classifier_figure(**study.classifier(step))
    scores = step.scores
    for column, name in (("error", "error"), ("f1", "F1"), ("average_precision", "average precision")):
        for part in ("train", "test") if column != "average_precision" else ("test",):
            rows = scores[(scores["part"] == part) & (scores["decay"] > 0)]
            line = next(one for one in figure.data if one.name == f"{name}, {part}")
            np.testing.assert_allclose(line.y, rows[column])
            np.testing.assert_allclose(relative(kind, line.x), rows["relative decay"], rtol=1e-9)
    plain = scores[(scores["part"] == "test") & (scores["decay"] == 0)].iloc[0]
    dashes = next(one for one in figure.data if one.name == "F1, test, bag of words")
    assert set(dashes.y) == {plain["f1"]}
    assert dashes.line.dash == "dash"
    best = next(one for one in figure.data if one.name == "best alignment")
    assert relative(kind, best.x)[0] == pytest.approx(step.optimum.decay * step.largest)
    other = classifier_figure(**study.classifier(step, centered=True))
    centred = next(one for one in other.data if one.name.startswith("best centred"))
    assert relative(kind, centred.x)[0] == pytest.approx(step.centered_optimum.decay * step.largest)
    assert [relative(kind, shape.x0) for shape in figure.layout.shapes] == pytest.approx([0.9, 0.9])
    assert static_picture(figure).startswith(b"\x89PNG")


def test_before_the_first_svm_the_axes_are_there(study, steps):
    step = dataclasses.replace(steps["exponential"], scores=steps["exponential"].scores.iloc[:0])
    figure = classifier_figure(**study.classifier(step))
    assert not any(one.name.startswith("F1") for one in figure.data)
    assert figure.layout.yaxis.range[1] == pytest.approx(0.2)


FIGURES = {
    "alignments": alignment_figure,
    "classifier": classifier_figure,
    "spectrum": spectrum_figure,
    "texts": kernel_figure,
    "words": related_figure,
}


@pytest.mark.parametrize("question", FIGURES)
def test_every_figure_is_a_table_too_and_everything_in_it_has_words_on_hover(study, steps, question):
    figure = FIGURES[question](**getattr(study, question)(steps["von_neumann"]))
    assert len(plotted_data(figure)) > 10
    for one in figure.data:
        assert one.hovertemplate or (one.hoverinfo == "text" and one.text), one.name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("question", FIGURES)
def test_plotly_finds_nothing_wrong_with_a_figure_that_was_made_without_asking_it(study, steps, kind, question):
    figure = FIGURES[question](**getattr(study, question)(steps[kind]))
    assert go.Figure(figure.to_dict()) == figure
