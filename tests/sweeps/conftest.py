"""Every test has a cache of its own, and counts from nothing."""

from __future__ import annotations

import pytest

from semwork.sweeps import keeping
from tests.sweeps.toys import Counter


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping.folders, "cache_folder", lambda: tmp_path / "cache")
    Counter.reset()
    return tmp_path / "cache"
