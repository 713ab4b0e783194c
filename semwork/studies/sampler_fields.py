"""The parameters of samplers, declared for every study that compares them."""

from __future__ import annotations

from semwork.studies.settings import several, whole
from semwork.topics.samplers import SAMPLERS

__all__ = ["check_some", "mh_steps", "samplers"]


def mh_steps() -> int:
    """Declare the number of proposals per token."""
    return whole(2, "Metropolis–Hastings steps", "proposals per token, of alias and fast", 1, 8)


def samplers(chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Declare which samplers are compared."""
    return several(chosen, "samplers", "Ctrl-click takes one in or out", tuple(SAMPLERS))


def check_some(chosen: tuple[str, ...], said: str) -> None:
    """Refuse an empty choice of samplers."""
    if not chosen:
        raise ValueError(f"{said}; choose some of {', '.join(map(repr, SAMPLERS))}")
