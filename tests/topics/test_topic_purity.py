"""The share of documents that belong to the commonest class of their topic."""

from __future__ import annotations

import numpy as np

from semwork.topics import purity


def test_purity_of_one_topic_is_the_share_of_the_largest_class():
    labels = np.array(["a", "a", "b", "c"])
    assert purity(np.ones((4, 1)), labels) == 0.5
    assert purity(np.eye(4), labels) == 1.0
