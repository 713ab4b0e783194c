"""What the first notebook shows: a live curve, and the state of the data."""

from semwork_widgets.start.data import DataPanel
from semwork_widgets.start.first_curve import first_curve

__all__ = ["DataPanel", "first_curve"]
