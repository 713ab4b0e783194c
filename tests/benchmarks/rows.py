"""What the benchmarks share: a line of a table, a clock, a picture of growth."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table; ``met`` is None where there is no target."""

    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None


def seconds_row(what, ours, name, peer, *, at_least=None):
    """Compare two times; the ratio says how many times faster ours is."""
    ratio = peer / ours
    target = "" if at_least is None else f"{at_least:g}× or more"
    met = None if at_least is None else ratio >= at_least
    return Row(what, f"{ours:.2f} s", f"{name} {peer:.2f} s", f"{ratio:.2f}×", target, met)


def timed(job):
    started = time.perf_counter()
    result = job()
    return time.perf_counter() - started, result


def printed(row):
    met = {True: "yes", False: "NO", None: "–"}[row.met]
    print(f"  {row.what}")
    print(f"      ours {row.ours:<26} {row.peer:<46} {row.ratio:>8}   target: {row.target or 'none'}   met: {met}")


def draw_growth(name, unit, numbers, slopes, plot):
    """Draw quantities against sizes on logarithmic axes; ``slopes`` is quantity → values and slope."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(slopes), figsize=(5 * len(slopes), 4.2), layout="constrained")
    for axis, (what, (values, slope)) in zip(axes, slopes.items(), strict=True):
        axis.loglog(numbers, values, "o-", color="#0072B2", label=f"measured, slope {slope:.2f}")
        axis.loglog(numbers, values[-1] * numbers / numbers[-1], "--", color="#999999", label="linear, slope 1")
        axis.set(xlabel=unit, ylabel=what, title=f"{name}: {what}")
        axis.grid(visible=True, which="major", alpha=0.3)
        axis.legend()
    figure.savefig(plot, dpi=120)
    plt.close(figure)
