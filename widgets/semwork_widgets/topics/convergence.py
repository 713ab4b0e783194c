"""The panels of the lesson on convergence: samplers in a race, and samplers against a posterior that is known."""

from __future__ import annotations

from typing import Any

from semwork.plots import agreement_of_chains_figure, likelihood_figure, speed_figure, variation_figure
from semwork.studies.sampler_bias import SamplerBias
from semwork.studies.sampler_race import SamplerRace
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["sampler_bias", "sampler_race"]


def sampler_race(data: Any = None) -> StudyPanel:
    """A panel that starts samplers together and follows likelihood, acceptance, R-hat and ESS.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Sampler race",
        SamplerRace,
        {
            "likelihood": Picture(likelihood_figure, "climb"),
            "agreement": Picture(agreement_of_chains_figure, "agreement"),
            "speed": Picture(speed_figure, "speed"),
        },
        data=data,
    )


def sampler_bias() -> StudyPanel:
    """A panel on the problem that can be enumerated: the curve of a biased sampler does not go down."""
    return StudyPanel("Against the truth", SamplerBias, {"figure": Picture(variation_figure, "distances")})
