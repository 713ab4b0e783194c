"""Every test has a cache of its own, unless it asks for the real one."""

from __future__ import annotations

import pytest

from semwork.sweeps import keeping


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping.folders, "cache_folder", lambda: tmp_path)
    return tmp_path
