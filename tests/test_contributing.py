"""What CONTRIBUTING.md tells to add is added to a copy of the repository, and is where it should be.

The blocks of the page are the code that is tried: a block whose first line names a file is that file, or a line behind
another one in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PROVERBS = "A slow river still reaches the sea.\nWho counts the words has not read the book yet.\nTwo seeds say more.\n"


class Block(NamedTuple):
    """A file to write, or a line to put behind another."""

    file: str
    after: str
    text: str


def sections() -> dict[str, list[Block]]:
    """Headings of the third level → the blocks below; what stands in a block is no heading."""
    found: dict[str, list[Block]] = {}
    title, rest = "", PAGE
    fenced = re.compile(r"^(`{3,4})(\w+) ?(\S*)(?: after: ([^\n]*))?\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
    heading = re.compile(r"^#{2,3} (.*)$", re.MULTILINE)
    while rest:
        block, head = fenced.search(rest), heading.search(rest)
        if head and not (block and block.start() < head.start()):
            title, rest = head[1], rest[head.end() :]
        elif block:
            if block[3]:
                found.setdefault(title, []).append(Block(block[3], block[4] or "", block[5]))
            rest = rest[block.end() :]
        else:
            rest = ""
    return found


class House:
    """A copy of the repository that things are added to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        files = ("data/registry.toml", "pyproject.toml", "notebooks/build.py")
        for folder in ("semwork", "widgets", "data/sample", *files):
            source, to = ROOT / folder, root / folder
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, to)

    def add(self, title: str) -> int:
        """Do what a section says; returns how many lines were put into files that were there."""
        lines = 0
        for block in sections()[title]:
            file = self.root / block.file
            if file.suffix == ".toml" and not block.after:  # an entry of its own
                file.write_text(file.read_text(encoding="utf-8") + "\n" + block.text, encoding="utf-8")
            elif block.after:
                text = file.read_text(encoding="utf-8")
                assert text.count(block.after) == 1, f"{block.after!r} stands {text.count(block.after)} times"
                place = text.index("\n", text.index(block.after)) + 1
                file.write_text(text[:place] + block.text + text[place:], encoding="utf-8")
                lines += block.text.count("\n")
            else:
                assert not file.exists(), f"{block.file} is there already"
                file.write_text(block.text, encoding="utf-8")
        return lines

    def run(self, code: str, **environment: str):
        """Run Python in the copy; it prints JSON on its last line."""
        paths = os.pathsep.join(map(str, (self.root, self.root / "widgets")))
        given = {**os.environ, "PYTHONPATH": paths, **environment}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=self.root, env=given, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def house(tmp_path):
    return House(tmp_path / "house")


MODEL = """
import json, semwork, numpy as np
from semwork.experiments.pairs import pair_cells
from semwork.experiments.retrieval import retrieval_cells
from semwork.similarity.random_directions import RandomDirections
from semwork.steps import last
from semwork.studies import *
from semwork.studies import PairSettings, RetrievalSweep, SweepSettings, retrieval_task
import semwork_widgets

name = "random directions"
race = RetrievalRace.on("sample")
end = last(race.steps(RaceSettings(n_components=10, iterations=2, models=(name,))))
pairs = PairAgreement.on("sample")
fitted = last(pairs.steps(PairSettings(model=name, n_components=10)))
sweep = RetrievalSweep(retrieval_task("sample"), {"w_m": [], "λ": [], "K": [5]})
swept = last(sweep.steps(SweepSettings(iterations=2, seeds=2, models=(name,))))
panel = semwork_widgets.retrieval_race()
panel.wait()
panel.state = {"settings": {"models": (name,), "n_components": 10, "iterations": 2}}
panel.wait()
printed = panel.code
own = semwork_widgets.your_sentences()
own.wait()
model = RandomDirections(3, random_state=0).fit(np.eye(4))
model.save("kept.npz")
print(json.dumps({
    "here": semwork.__file__,
    "race": list(end.rankings),
    "panel": list(panel.last_step.rankings),
    "colour": [trace.line.color for trace in panel.figures["models"].figure.data if trace.name.startswith(name)],
    "code": f"models=('{name}',)" in printed,
    "pairs": type(fitted.model).__name__,
    "own": list(own.last_step.models),
    "sweep": swept.tables["K"]["model"].tolist(),
    "reproduce": [label for label, _ in retrieval_cells(1)["table_2"]],
    "reproduce pairs": [label for label, _ in pair_cells(1)["sts2012"]],
    "kept": bool((RandomDirections.load("kept.npz").components_ == model.components_).all()),
}))
"""


def test_a_sentence_model_is_one_file_and_a_line_in_the_catalogue(house):
    assert house.add("A sentence model") == 2, "the line and its import"
    found = house.run(MODEL)
    name = "random directions"
    assert found["here"].startswith(str(house.root))
    assert found["race"] == ["WTMF", "words only", name]
    assert found["panel"] == ["WTMF", "words only", name]
    assert len(set(found["colour"])) == 1, "it has a colour"
    assert found["code"], "copied code names it"
    assert found["pairs"] == "RandomDirections"
    assert name in found["own"]
    assert found["sweep"].count(name) == 2
    assert name in found["reproduce"]
    assert name in found["reproduce pairs"]
    assert found["kept"]


DATA = """
import json
from semwork import datasets
from semwork.cli import main
data = datasets.load("proverbs")
main(["data", "list"])
from semwork.studies import OwnSentences
import semwork_widgets
panel = semwork_widgets.your_sentences()
panel.wait()
print(json.dumps({
    "texts": data.texts, "words": data.table["words"].tolist(), "shown": repr(data),
    "corpus": len(OwnSentences.on("proverbs").corpus),
    "offered": [value for _, value in panel.controls["training"].options],
    "code": OwnSentences.inputs["training"].source("proverbs").origin.code,
}))
"""


def test_a_data_set_is_one_entry_one_module_and_a_line_where_it_is_offered(house, tmp_path):
    folder = tmp_path / "given" / "proverbs"
    folder.mkdir(parents=True)
    (folder / "proverbs.txt").write_text(PROVERBS, encoding="utf-8", newline="\n")
    assert house.add("A data set") == 1, "the line that offers it"
    register = house.root / "data" / "registry.toml"
    text = register.read_text(encoding="utf-8")
    digest = hashlib.sha256(PROVERBS.encode()).hexdigest()
    assert digest in text, "the page has the hash of the file"
    found = house.run(DATA, SEMWORK_DATA=str(folder.parent), SEMWORK_CACHE=str(tmp_path / "cache"), SEMWORK_OFFLINE="1")
    assert found["texts"] == PROVERBS.splitlines()
    assert found["words"] == [7, 10, 4]
    assert found["shown"].startswith("Sentences 'proverbs': 3 texts")
    assert found["corpus"] == 3
    assert found["offered"] == ["sample", "proverbs", "WordNet + Brown"]
    assert found["code"] == "Corpus.from_texts(load('proverbs').texts)"
    (folder / "proverbs.txt").write_text(PROVERBS.upper(), encoding="utf-8")
    with pytest.raises(AssertionError, match="DataNotAvailable"):
        house.run(DATA, SEMWORK_DATA=str(folder.parent), SEMWORK_CACHE=str(tmp_path / "two"), SEMWORK_OFFLINE="1")


STUDY = """
import json
from semwork.cli import main
from semwork.steps import last
from semwork.studies import RareWords
from semwork.studies.commands import all_studies
from semwork.studies.rare_words import RareSettings
study = RareWords.on("sample")
steps = list(study.steps(RareSettings(fewest=4)))
assert main(["study", "RareWords", "--fewest", "2"]) == 0
print(json.dumps({"steps": [step.words for step in steps], "listed": "RareWords" in all_studies()}))
"""


def test_a_study_is_one_file_and_one_line(house):
    assert house.add("A study") == 1
    found = house.run(STUDY)
    assert [len(words) for words in found["steps"]] == [1, 2, 3, 4]
    words = found["steps"][-1]
    assert words == sorted(words, reverse=True)
    assert words[0] > words[-1] > 0
    assert found["listed"]


PANEL = """
import json, semwork_widgets
panel = semwork_widgets.rare_words()
panel.wait()
first = panel.figures["figure"].figure
panel.controls["fewest"].value = 5
panel.wait()
panel.controls["scale"].value = "log"
after = panel.figures["figure"].figure
exec(compile(panel.code.replace("figure.show()", "shown = figure"), "copied", "exec"))
try:
    panel.state = {"settings": {"fewest": 0}}
    refused = ""
except ValueError as error:
    refused = str(error)
print(json.dumps({
    "before": len(first.data[0].x), "after": list(after.data[0].y), "scale": after.layout.yaxis.type,
    "copied": [int(value) for value in shown.data[0].y], "state": panel.state["settings"], "refused": refused,
    "most": panel.controls["fewest"].max, "error": str(panel.error),
}))
"""


def test_a_panel_is_a_figure_a_file_and_a_line(house):
    house.add("A study")
    assert house.add("A panel") == 1
    found = house.run(PANEL)
    assert found["before"] == 10
    assert len(found["after"]) == 5
    assert found["scale"] == "log"
    assert found["copied"] == found["after"], "copied code draws the same"
    assert found["state"] == {"fewest": 5, "scale": "log"}
    assert "fewest" in found["refused"]
    assert found["error"] == "None"


LESSON = """
import json, tomllib
from pathlib import Path
import nbformat
from notebooks.build import FOLDERS, build, read, sources, write, Exercise
[source] = sources(["10"])
[exercise] = [part for part in read(source.read_text(encoding="utf-8")) if isinstance(part, Exercise)]
for edition in FOLDERS:
    write(source, edition)
said = {}
for edition, folder in FOLDERS.items():
    notebook = nbformat.read(folder / "10_rare_words.ipynb", as_version=4)
    said[edition] = [o.text for cell in notebook.cells if cell.id == "exercise-1-check" for o in cell.outputs]
wheel = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
carried = sorted(name for name in wheel["force-include"] if name.endswith(".ipynb"))[-1]
print(json.dumps({"said": said, "wrong": len(exercise.wrong), "carried": carried}))
"""


def test_a_lesson_is_one_text_and_a_line(house):
    house.add("A study")
    house.add("A panel")
    (house.root / "notebooks" / "source").mkdir()
    assert house.add("A lesson") == 1
    found = house.run(LESSON)
    [asked], [solved] = found["said"]["student"], found["said"]["teacher"]
    assert asked.startswith("Not yet: write your answer in place of the `...` of `share`.")
    assert solved.startswith("Right: ")
    assert found["wrong"] == 3
    assert found["carried"] == "notebooks/10_rare_words.ipynb"


def test_every_block_of_the_page_that_names_a_file_is_tried():
    assert set(sections()) == {"A sentence model", "A data set", "A study", "A panel", "A lesson"}
