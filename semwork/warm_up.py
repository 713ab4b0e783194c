"""Compile what the lessons need, room by room: ``semwork lab`` starts this beside JupyterLab."""

from __future__ import annotations

import importlib

__all__ = ["ROOMS", "warm_up"]

#: In the order of the lessons.
ROOMS = ("similarity", "structures", "topics")


def warm_up() -> None:
    """Let every room compile; what was compiled before is only read."""
    for room in ROOMS:
        importlib.import_module(f"semwork.{room}.warm_up").warm_up()


if __name__ == "__main__":
    warm_up()
