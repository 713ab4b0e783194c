"""The study of the first panel."""

from __future__ import annotations

import numpy as np

from semwork.similarity import WTMF
from semwork.steps import last
from semwork.studies import FirstCurve, FirstSettings


def test_the_curve_is_the_share_of_targets_among_the_first_and_its_area_is_atop():
    study = FirstCurve.on()
    end = last(study.steps(FirstSettings(n_components=5)))
    by_hand = study.task.ranking(WTMF(5, 0.01, 5.0, max_iter=12, random_state=0))
    found = study.recall(end)
    assert found.atop["WTMF"] == by_hand.atop == study.table(end)["atop"][0]
    tenth = np.searchsorted(found.share, 0.1)
    allowed = 1 + np.floor(found.share[tenth] * (by_hand.n_candidates - 1))
    assert abs(found.recall["WTMF"][tenth] - np.mean(by_hand.ranks <= allowed)) < 0.01
    assert found.recall["words only"][-1] == 1
