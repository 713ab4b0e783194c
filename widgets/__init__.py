"""The hands of semwork: panels that show, move and export what the package computes.

In this project ``import ipywidgets as ipw`` (not ``as widgets``), because this package has that name.
"""

from widgets.jobs import Job
from widgets.live_figure import LiveFigure
from widgets.panel import Panel

__all__ = ["Job", "LiveFigure", "Panel"]
