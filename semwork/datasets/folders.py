"""Where things lie: the register, the sample, the user's data and the cache."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder", "checkout", "data_folder", "offline", "registry_file", "roots", "sample_folder"]

_PACKAGED = Path(__file__).resolve().parent / "_data"


def checkout() -> Path | None:
    """Return the root of the checkout this package runs from; ``None`` when it is installed."""
    root = Path(__file__).resolve().parents[2]
    here = (root / "data" / "registry.toml").is_file() and (root / "pyproject.toml").is_file()
    return root if here else None


def registry_file() -> Path:
    """Return the path of registry.toml: the checkout's, or the copy in the installed package."""
    root = checkout()
    return root / "data" / "registry.toml" if root else _PACKAGED / "registry.toml"


def sample_folder() -> Path:
    """Return the folder of the sample written for this project."""
    root = checkout()
    return root / "data" / "sample" if root else _PACKAGED / "sample"


def data_folder() -> Path | None:
    """Return ``$SEMWORK_DATA``, a folder of data that is only ever read; ``None`` when not set."""
    value = os.environ.get("SEMWORK_DATA", "").strip()
    return Path(value).expanduser().absolute() if value else None


def cache_folder() -> Path:
    """Return ``$SEMWORK_CACHE``; by default ``data/cache`` in a checkout, else the user's cache folder."""
    value = os.environ.get("SEMWORK_CACHE", "").strip()
    if value:
        return Path(value).expanduser().absolute()
    root = checkout()
    if root:
        return root / "data" / "cache"
    import pooch

    return Path(pooch.os_cache("semwork"))


def roots() -> list[Path]:
    """Return the folders that may hold data, in the order in which they are asked."""
    user = data_folder()
    return [*([user] if user else []), cache_folder()]


def offline() -> bool:
    """Say whether the network is forbidden (``$SEMWORK_OFFLINE`` is set and not 0)."""
    return os.environ.get("SEMWORK_OFFLINE", "").strip().lower() not in {"", "0", "no", "false"}
