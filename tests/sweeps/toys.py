"""Functions for cells: they can be imported by name, also in another process."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from semwork.steps import Step


@dataclass(frozen=True)
class Power:
    base: float
    exponent: int = 2


class Counter:
    """Counts calls and how many of them run at the same time."""

    calls: ClassVar[list[object]] = []
    running: ClassVar[list[int]] = []
    most = 0
    lock = threading.Lock()

    @classmethod
    def reset(cls) -> None:
        cls.calls, cls.running, cls.most = [], [], 0


def power(base, exponent=2, seed=None):
    Counter.calls.append((base, exponent, seed))
    return {"power": base**exponent, "seed": seed, "range": np.arange(3.0) * base}


def of_record(settings, seed=None, data=None):
    return {"power": settings.base**settings.exponent, "sum": 0.0 if data is None else float(np.sum(data))}


def broken(base):
    Counter.calls.append(base)
    if base == 2:
        raise ArithmeticError("two is not allowed")
    return {"power": base**2}


def stepping(base, steps=3, pause=0.0):
    """A generator of steps that returns its result."""
    with Counter.lock:
        Counter.running.append(base)
        Counter.most = max(Counter.most, len(Counter.running))
    try:
        for done in range(1, steps + 1):
            time.sleep(pause)
            yield Step(done=done, total=steps, message="")
        Counter.calls.append(base)
    finally:
        with Counter.lock:
            Counter.running.remove(base)
    return {"power": base**2}


def last_step(base):
    """A generator that returns nothing: its last step is its result."""
    yield Step(done=1, total=2)
    yield Step(done=2, total=2, message=str(base))


def of_a_kind(base):
    return base**2


def leaves(base):
    if base == 2:
        sys.exit("two is not allowed")
    return {"power": base**2}


def interrupted(base):
    if base == 2:
        raise KeyboardInterrupt
    return {"power": base**2}


def dies(base):
    if base == 2:
        os._exit(3)
    time.sleep(0.2)
    return {"power": base**2}
