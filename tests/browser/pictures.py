"""Take the README's pictures of the lessons' panels anew: ``python -m tests.browser.pictures [LESSON …]``.

Each panel stands alone in a notebook, runs on the sample, and is photographed when it has settled.
"""

from __future__ import annotations

import pathlib
import sys
import tempfile

from tests.browser import lab
from tests.browser.conftest import NOTEBOOKS

PANELS = {
    "00_start_here": "first_curve",
    "01_missing_words": "missing_words",
    "02_concept_retrieval": "retrieval_race",
    "03_sentence_similarity": "sentence_pairs",
    "04_semantic_kernels": "semantic_kernels",
    "05_latent_alignments": "latent_alignments",
    "05_sentences": "sentence_alignments",
    "06_gaussian_topics": "gaussian_topics",
    "07_sampler_convergence": "sampler_race",
    "08_unseen_words": "unseen_words",
}
# Sentences of the real data are other people's: their picture is taken with ours.
STATES = {
    "05_sentences": {"settings": {"left": "The dog chased the cat.", "right": "The cat chased the dog."}},
}


def main(lessons: list[str]) -> None:
    unknown = set(lessons) - set(PANELS)
    if unknown:
        sys.exit(f"there is no picture {', '.join(sorted(unknown))}; there are {', '.join(PANELS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with lab.jupyterlab(folder, folder / "home") as base, lab.chromium() as browser:
            for lesson in lessons or PANELS:
                shown = [f"from widgets import {PANELS[lesson]}", f"panel = {PANELS[lesson]}()"]
                if lesson in STATES:
                    shown.append(f"panel.state = {STATES[lesson]!r}")
                lab.notebook_file(folder / f"{lesson}.ipynb", ["\n".join([*shown, "panel"])])
                page = browser.new_context(viewport={"width": 1400, "height": 2400}).new_page()
                notebook = lab.Notebook(page, base, f"{lesson}.ipynb")
                notebook.run_all()
                notebook.wait_drawn(1, 180_000)
                notebook.wait_status("Done", 180_000)
                notebook.wait_settled()
                page.locator(".semwork-panel").first.screenshot(path=NOTEBOOKS / "images" / f"{lesson}.png")
                notebook.shut_down()
                page.context.close()
                print(f"{lesson}: photographed")


if __name__ == "__main__":
    main(sys.argv[1:])
