"""Controls that follow a step: what a panel of any study does with them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pandas as pd
import pytest

from semwork.plots import house_figure
from semwork.steps import Step
from semwork.studies.origin import calling
from semwork.studies.settings import Parameter, Settings, choice, whole
from semwork.studies.study import Answer, Input, Source, Study, asked
from semwork_widgets.controls import control_for, mark_of
from semwork_widgets.study_panel import Picture, StudyPanel


@dataclass(frozen=True, kw_only=True)
class Squares(Settings):
    size: int = whole(4, "size", "how many rows", 1, 100, at={"many": 7})
    rounds: int = whole(3, "rounds", "how many steps", 1, 100)
    pause: int = choice(0, "pause", "", {"never": 0, "sometimes": 5, "often": 2, "always": 1}, shown="slider")


@dataclass(frozen=True, kw_only=True)
class Look(Settings):
    round: int = whole(3, "round", "which step", 1, lambda step: step.done, follows=True)
    row: int = whole(1, "row", "which row", 0, lambda step: step.size - 1)
    number: int = whole(0, "number", "which one", 0, lambda step: step.size - 1, shown="box")


@dataclass(frozen=True, kw_only=True)
class Square(Step):
    size: int


@dataclass(frozen=True, eq=False)
class Drawn(Answer):
    places: list[int]


class Counting(Study[Squares, Square]):
    settings, view = Squares, Look
    inputs = {"of": Input("of", "", {key: Source(key, calling(str)(key)) for key in ("few", "many")})}  # noqa: RUF012

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def facts(self):
        return {"length": len(self.name)}

    def steps(self, settings: Squares) -> Iterator[Square]:
        for done in range(1, settings.rounds + 1):
            yield Square(done=done, total=settings.rounds, size=settings.size)

    def table(self, step: Square) -> pd.DataFrame:
        return pd.DataFrame({"size": [step.size]})

    def places(self, step: Square, round: int, row: int, number: int) -> Drawn:  # noqa: A002
        if max(row, number) >= step.size:
            raise ValueError(f"there is no row {row}, or no number {number}")
        return Drawn([round, row, number])


def bars(places):
    figure = house_figure("", "", "")
    figure.add_bar(y=places)
    return figure


@pytest.fixture
def panel():
    made = StudyPanel("Counting", Counting, {"places": Picture(bars, "places")})
    made.wait()
    yield made
    made.close()


def drawn(panel):
    return list(panel.figures["places"].figure.data[0].y)


def ends(panel):
    return [panel.controls[name].max for name in ("round", "row", "number")]


def test_controls_end_where_the_step_does(panel):
    assert ends(panel) == [3, 3, 3]
    panel.set(row=3, number=3)
    assert drawn(panel) == [3, 3, 3]
    panel.controls["size"].value = 2
    panel.wait()
    assert ends(panel) == [3, 1, 1]
    assert drawn(panel) == [3, 1, 1]


def test_only_a_slider_through_a_run_goes_along_with_it(panel):
    panel.set(row=3)
    panel.set(size=9, rounds=8)
    panel.wait()
    assert ends(panel) == [8, 8, 8]
    assert drawn(panel) == [8, 3, 0]
    panel.set(round=5)
    panel.set(rounds=9)
    panel.wait()
    assert drawn(panel) == [5, 3, 0]
    panel.set(rounds=2)
    panel.wait()
    assert drawn(panel) == [2, 3, 0]


def test_a_state_is_restored_before_its_step_is_there(panel):
    panel.state = {"settings": {"size": 20, "row": 17, "number": 19, "rounds": 6, "round": 5}}
    panel.wait()
    assert drawn(panel) == [5, 17, 19]
    assert ends(panel) == [6, 19, 19]


class Slow(Counting):
    """Its steps wait for a word."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.go = threading.Semaphore(0)

    def steps(self, settings: Squares) -> Iterator[Square]:
        for step in super().steps(settings):
            assert self.go.acquire(timeout=30)
            yield step


def test_a_run_that_is_overtaken_does_not_shorten_what_was_asked_for():
    panel = StudyPanel("Counting", Slow, {"places": Picture(bars, "places")})
    study, deadline = panel.study(panel.settings), time.monotonic() + 30
    while panel.job.current is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    panel.state = {"settings": {"size": 20, "row": 17, "number": 19}}  # the run of four rows waits for its first step
    overtaken = panel.job.current
    study.go.release()
    while panel.job.current == overtaken:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert drawn(panel)[1:] == [3, 3], "what is drawn belongs to the step"
    for _ in range(3):
        study.go.release()
    panel.wait()
    assert (panel.error, drawn(panel)) == (None, [3, 17, 19])
    panel.close()


def test_data_are_read_once_by_however_many_ask():
    read = []

    class Read(Counting):
        inputs = {"of": Input("of", "", {"few": Source("few", calling(str)("few"))})}  # noqa: RUF012

        def __init__(self, name: str) -> None:
            read.append(name)
            time.sleep(0.2)
            super().__init__(name)

    panel = StudyPanel("Counting", Read, {"places": Picture(bars, "places")})
    with ThreadPoolExecutor(4) as pool:
        studies = {id(study) for study in pool.map(panel.study, [panel.settings] * 4)}
    panel.wait()
    assert (read, len(studies)) == (["few"], 1)
    panel.close()


def test_a_state_is_checked_by_what_is_declared(panel):
    for settings, words in (
        ({"size": 0}, "size is 0; here it can be 1 to 100"),
        ({"rounds": "three"}, "rounds must be a whole number, got 'three'"),
        ({"pause": 3}, r"pause has 3 \(int\); choose from 0, 5, 2, 1"),
    ):
        with pytest.raises((TypeError, ValueError), match=words):
            panel.state = {"settings": settings}
    assert panel.state["settings"]["size"] == 4


def test_a_question_is_asked_only_for_what_the_view_declares(panel):
    study, step = panel.study(), panel.last_step
    with pytest.raises(TypeError, match="row must be a whole number, got 'first'"):
        study.places(step, 1, "first", 0)
    assert asked(study.places) == ("round", "row", "number")
    assert study.places(step, 1, row=2, number=0).places == [1, 2, 0]


def test_a_screen_reader_hears_what_is_drawn_with_which_settings(panel):
    panel.set(size=9)
    panel.wait()
    assert panel.figures["places"]._alt == "Counting, size 9, rounds 3"


@pytest.mark.parametrize(
    ("paper", "sign"), [(5, "the paper: 5"), (60, "the paper: 60 ▸"), (0.5, "◂ the paper: 0.5"), (None, "")]
)
def test_the_papers_value_is_marked_or_the_end_that_it_lies_beyond(paper, sign):
    one = Parameter(name="size", kind="real", default=4, symbol="size", low=1, high=50, grid=(1, 4, 10), paper=paper)
    mark = mark_of(replace(one, high=10, grid=(1, 4, 10)))
    assert sign in mark
    assert bool(mark) == bool(sign)
    assert control_for(one, mark).tooltip == ""


def test_a_tooltip_has_the_papers_value_where_no_mark_can_have_it():
    one = Parameter(name="kind", kind="choice", default="a", symbol="kind", says="which", options="ab", paper="b")
    assert control_for(one, mark_of(one)).tooltip == "which; the paper has b"


def test_what_follows_the_step_does_not_ask_the_data(panel):
    panel.controls["of"].value = "many"
    panel.wait()
    assert panel.controls["size"].value == 7
    assert ends(panel) == [3, 6, 6]
    panel.controls["of"].value = "few"  # of these the facts are known by now
    panel.wait()
    assert (panel.error, panel.controls["size"].value) == (None, 4)


def test_choices_in_an_order_stand_on_a_slider_with_their_words(panel):
    slider = panel.controls["pause"]
    assert (type(slider).__name__, slider.index) == ("SelectionSlider", 0)
    panel.state = {"settings": {"pause": 2}}
    panel.wait()
    assert slider.index == 2
