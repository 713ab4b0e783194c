"""Pictures in the browser: a live figure against plotly's own widget, and how fast a key press is seen."""

from __future__ import annotations

import pathlib
import shutil
import statistics
import tempfile

from semwork.datasets import available
from tests.browser import lab
from tests.browser.measure import key_to_picture, six_pictures, slider_on_medline

REPEATS = 3
TARGETS = {"seconds": 5.0, "megabytes": 6.0, "p95": 0.120, "Medline": 0.150}


def main() -> None:
    """Print medians of interleaved runs, with the targets beside them."""
    if not shutil.which("chromium"):
        print("Browser: skipped, no chromium on the PATH.")
        return
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
    median = {
        kind: (statistics.median(r.seconds for r in measured), statistics.median(r.megabytes for r in measured))
        for kind, measured in runs.items()
    }
    (ours_s, ours_mb), (peer_s, peer_mb) = median["LiveFigure"], median["FigureWidget"]
    p95 = statistics.median(delay.p95 for delay in delays)
    middle = statistics.median(delay.median for delay in delays)
    print(f"Browser: six pictures from Run All, a key press to its picture (median of {REPEATS} runs)")
    for unit, ours, peer in (("seconds", ours_s, peer_s), ("megabytes", ours_mb, peer_mb)):
        words = f"LiveFigure {ours:5.1f}   FigureWidget {peer:5.1f}   ratio {peer / ours:4.1f}×"
        print(f"  {unit:<10} {words}   target {TARGETS[unit]:.0f}")
    print(
        f"  key to picture: median {middle * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms   target {TARGETS['p95'] * 1e3:.0f} ms"
    )
    if not moves:
        print("  slider to picture on Medline: skipped, not on this machine (semwork data fetch medline)")
        return
    print("  slider to picture in the browser on Medline, alignment and a second picture:")
    for name in moves[0]:
        middle, p95 = (statistics.median(getattr(move[name], what) for move in moves) for what in ("median", "p95"))
        lost = sum(move[name].lost for move in moves)
        print(
            f"    {name:<10} median {middle * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, {lost} lost   "
            f"target {TARGETS['Medline'] * 1e3:.0f} ms {'met' if p95 <= TARGETS['Medline'] else 'MISSED'}"
        )


if __name__ == "__main__":
    main()
