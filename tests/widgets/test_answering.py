"""What a reader does goes to the thread that the page asks for."""

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.steps import Step
from semwork_widgets import DataPanel, LiveFigure, Panel
from semwork_widgets.answering import answer_while_cells_run


def parts(widget):
    return [widget, *(part for child in getattr(widget, "children", ()) for part in parts(child))]


def asked(widget):
    return widget.comm._reply_subshell_for({"method": "update"}, "the page's thread")


def test_every_part_of_a_panel_is_answered_in_the_thread_that_is_asked_for():
    panel = Panel("P", {"w": ipw.IntSlider()}, lambda w: [Step(done=1)], lambda step: go.Figure())
    for whole in (panel, DataPanel(), LiveFigure()):
        found = parts(whole)
        assert {asked(widget) for widget in found} == {"the page's thread"}
    assert panel.controls["w"] in parts(panel)
    panel.wait()


def test_a_closed_widget_is_left_alone():
    button = ipw.Button()
    button.close()
    answer_while_cells_run(button)
