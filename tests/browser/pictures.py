"""Take the README's pictures of the lessons' panels anew: ``python -m tests.browser.pictures [LESSON …]``.

Each panel stands alone in a notebook, runs on the sample, and is photographed when it has settled. Lesson 09's is the
panel of one's own data, into which the lesson's file has been dropped. ``moving`` is the picture that moves: the first
panel, while somebody drags the weight of missing words from one end to the other.
"""

from __future__ import annotations

import io
import pathlib
import sys
import tempfile
from typing import Any

from PIL import Image

from semwork.datasets import path
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
    "09_your_own_corpus": "DataPanel",
}
# Sentences of the real data are other people's: their picture is taken with ours.
STATES = {
    "05_sentences": {"settings": {"left": "The dog chased the cat.", "right": "The cat chased the dog."}},
}
# A file of the sample that is dropped into the panel, and what is chosen there: title of a list → choice.
DROPPED = {
    "09_your_own_corpus": ("visitors.csv", {"kind of data": "texts with a class each", "label: its class": "about"}),
}

MOVING = "moving"


def take_moving_picture(folder: pathlib.Path, base: str, browser: Any) -> None:
    """Press the arrow key on the first slider, photograph each answer, and keep them as one GIF."""
    code = "from semwork_widgets import first_curve\npanel = first_curve()\npanel"
    lab.notebook_file(folder / f"{MOVING}.ipynb", [code])
    page = browser.new_context(viewport={"width": 1400, "height": 2400}).new_page()
    notebook = lab.Notebook(page, base, f"{MOVING}.ipynb")
    notebook.run_all()
    notebook.wait_drawn(1, 180_000)
    notebook.wait_status("Done", 180_000)
    panel, handle = page.locator(".semwork-panel").first, page.locator(".noUi-handle").first
    handle.focus()
    page.keyboard.press("Home")
    frames = []
    for key in [None, *["ArrowRight"] * 13, *["ArrowLeft"] * 6]:
        if key is not None:
            page.keyboard.press(key)
        notebook.wait_status("Done", 60_000)
        notebook.wait_settled()
        frames.append(Image.open(io.BytesIO(panel.screenshot())).convert("RGB"))
    few_colours = frames[0].quantize(64, dither=Image.Dither.NONE)
    small = [frame.quantize(palette=few_colours, dither=Image.Dither.NONE) for frame in frames]
    lengths = [900, *[260] * 12, 900, *[260] * 5, 1500]
    small[0].save(
        NOTEBOOKS / "images" / f"{MOVING}.gif", save_all=True, append_images=small[1:], duration=lengths, loop=0
    )
    notebook.shut_down()
    page.context.close()


def drop(notebook: lab.Notebook, file: str, chosen: dict[str, str]) -> None:
    """Drop a file of the sample into the panel of one's own data, and choose what it is."""
    notebook.page.set_input_files(".semwork-drop input[type=file]", path("sample") / file)
    for title, choice in chosen.items():
        notebook.page.locator(f"select[title='{title}']").select_option(label=choice)
        notebook.page.wait_for_timeout(2000)


def main(lessons: list[str]) -> None:
    unknown = set(lessons) - {*PANELS, MOVING}
    if unknown:
        sys.exit(f"there is no picture {', '.join(sorted(unknown))}; there are {', '.join(PANELS)}, {MOVING}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with lab.jupyterlab(folder, folder / "home") as base, lab.chromium() as browser:
            for lesson in lessons or [*PANELS, MOVING]:
                if lesson == MOVING:
                    take_moving_picture(folder, base, browser)
                    print("the moving one: photographed")
                    continue
                given = "own_first=True" if lesson in DROPPED else ""
                shown = [f"from semwork_widgets import {PANELS[lesson]}", f"panel = {PANELS[lesson]}({given})"]
                if lesson in DROPPED:  # whoever takes the pictures may have other data, which are not for them
                    shown.insert(0, f"import os\nos.environ['SEMWORK_CACHE'] = {str(folder / 'cache')!r}")
                if lesson in STATES:
                    shown.append(f"panel.state = {STATES[lesson]!r}")
                lab.notebook_file(folder / f"{lesson}.ipynb", ["\n".join([*shown, "panel"])])
                page = browser.new_context(viewport={"width": 1400, "height": 2400}).new_page()
                notebook = lab.Notebook(page, base, f"{lesson}.ipynb")
                notebook.run_all()
                if lesson in DROPPED:
                    drop(notebook, *DROPPED[lesson])
                else:
                    notebook.wait_drawn(1, 180_000)
                    notebook.wait_status("Done", 180_000)
                    notebook.wait_settled()
                page.locator(".semwork-panel").first.screenshot(path=NOTEBOOKS / "images" / f"{lesson}.png")
                notebook.shut_down()
                page.context.close()
                print(f"{lesson}: photographed")


if __name__ == "__main__":
    main(sys.argv[1:])
