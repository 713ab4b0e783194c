"""Pictures in the browser: a live figure against plotly's own widget, and how fast a key press is seen."""

from __future__ import annotations

import pathlib
import shutil
import statistics
import tempfile
from collections.abc import Mapping

from semwork.datasets import available
from tests.browser import lab
from tests.browser.measure import key_to_picture, six_pictures, slider_on_medline

REPEATS = 3
TARGETS = {"seconds": 5.0, "megabytes": 6.0, "p95": 0.120, "Medline": 0.150}
RATIOS = {"seconds": 1.5, "megabytes": 5.0}  # how many times less than the peer; `make bench` fails where not


def said(met: bool) -> str:
    """Say whether a target is met."""
    return "met" if met else "MISSED"


def missed_ratios(ours: Mapping[str, float], peer: Mapping[str, float]) -> list[str]:
    """Say where a live figure is not as many times better than plotly's own widget as it has to be."""
    return [
        f"{unit}: {peer[unit] / ours[unit]:.1f}× less than plotly's own widget, {ratio:g}× are asked for"
        for unit, ratio in RATIOS.items()
        if peer[unit] < ratio * ours[unit]
    ]


def main() -> list[str]:
    """Print medians of interleaved runs, with the targets beside them; return the ratios that are missed."""
    if not shutil.which("chromium"):
        print("Browser: skipped, no chromium on the PATH.")
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "served").mkdir()
        with lab.jupyterlab(folder / "served", folder / "home") as base, lab.chromium() as browser:
            runs = {"LiveFigure": [], "FigureWidget": []}
            for _ in range(REPEATS):
                for kind, measured in runs.items():
                    measured.append(six_pictures(browser, base, folder / "served", kind))
            delays = [key_to_picture(browser, base, folder / "served") for _ in range(REPEATS)]
            here = available("medline")
            moves = [slider_on_medline(browser, base, folder / "served") for _ in range(REPEATS if here else 0)]
    ours, peer = (
        {unit: statistics.median(getattr(run, unit) for run in measured) for unit in RATIOS}
        for measured in runs.values()
    )
    p95 = statistics.median(delay.p95 for delay in delays)
    middle = statistics.median(delay.median for delay in delays)
    print(f"Browser: six pictures from Run All, a key press to its picture (median of {REPEATS} runs)")
    for unit, ratio in RATIOS.items():
        words = f"LiveFigure {ours[unit]:5.1f}   FigureWidget {peer[unit]:5.1f}   ratio {peer[unit] / ours[unit]:4.1f}×"
        met = said(ours[unit] <= TARGETS[unit] and peer[unit] / ours[unit] >= ratio)
        print(f"  {unit:<10} {words}   target {TARGETS[unit]:.0f}, ratio {ratio:g}× {met}")
    print(
        f"  key to picture: median {middle * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms   "
        f"target {TARGETS['p95'] * 1e3:.0f} ms {said(p95 <= TARGETS['p95'])}"
    )
    if not moves:
        print("  slider to picture on Medline: skipped, not on this machine (semwork data fetch medline)")
        return missed_ratios(ours, peer)
    print("  slider to picture in the browser on Medline, alignment and a second picture:")
    for name in moves[0]:
        middle, p95 = (statistics.median(getattr(move[name], what) for move in moves) for what in ("median", "p95"))
        lost = sum(move[name].lost for move in moves)
        print(
            f"    {name:<10} median {middle * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, {lost} lost   "
            f"target {TARGETS['Medline'] * 1e3:.0f} ms {said(p95 <= TARGETS['Medline'])}"
        )
    return missed_ratios(ours, peer)


if __name__ == "__main__":
    main()
