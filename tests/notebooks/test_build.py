"""A source is read part by part, what is missing in an exercise is said, and the editions lay it out."""

from __future__ import annotations

import nbformat
import pytest

from notebooks.build import WIDGET_VIEW, Exercise, build, misjudged, read, sources, tidied

PARTS = {
    "question": '+++ {"tags": ["question"]}\n\n### 1. Twice\n\nWhat is $2 \\cdot 2$?\n',
    "given": "```{code-cell}\n:tags: [given]\n\ntwo = 2\n```\n",
    "start": "```{code-cell}\n:tags: [start]\n\nfour = ...\n```\n",
    "hint": '+++ {"tags": ["hint"]}\n\nIt is even.\n',
    "hint 2": '+++ {"tags": ["hint"]}\n\nIt is below 5.\n',
    "solution": "```{code-cell}\n:tags: [solution]\n\nfour = two * two\n```\n",
    "check": "```{code-cell}\n:tags: [check]\n\nprint(four)\n```\n",
    "wrong": "".join(f"```{{code-cell}}\n:tags: [wrong]\n\nfour = {n}\n```\n" for n in (2, 3, 5)),
    "after": '+++ {"tags": ["after"]}\n\nTwice two is four.\n',
}
TWICE = "```{code-cell}\nprint(1)\n```\n"
BEFORE = f"# 09 · Sums\n\n**After this** you can add.\n\n{TWICE}\n{TWICE}"
AFTER = "+++\n\n## Well done\n"


def lesson(**changed):
    return "\n".join([BEFORE, *(PARTS | changed).values(), AFTER])


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "09_sums.md"
    path.write_text(lesson(), encoding="utf-8")
    return path


def test_a_source_is_cells_and_exercises():
    title, one, two, exercise, after = read(lesson())
    assert title.source.startswith("# 09")
    assert one.source == two.source == "print(1)"
    assert exercise == Exercise(
        question="### 1. Twice\n\nWhat is $2 \\cdot 2$?",
        given=("two = 2",),
        start="four = ...",
        hints=("It is even.", "It is below 5."),
        solution="four = two * two",
        check="print(four)",
        wrong=("four = 2", "four = 3", "four = 5"),
        after="Twice two is four.",
    )
    assert after.source == "## Well done"


def test_a_question_ends_the_exercise_before_it():
    again = "\n".join([BEFORE, *PARTS.values(), *PARTS.values()])
    assert [type(part) is Exercise for part in read(again)] == [False] * 3 + [True] * 2


@pytest.mark.parametrize(
    "changed",
    [
        {"question": ""},
        {"start": ""},
        {"hint": "", "hint 2": ""},
        {"hint": PARTS["hint"] * 3},
        {"solution": ""},
        {"check": ""},
        {"wrong": PARTS["wrong"].partition("```\n```")[0] + "```\n"},
        {"given": PARTS["start"]},
        {"check": PARTS["check"] + "A text in between.\n"},
        {"after": PARTS["after"] * 2},
    ],
)
def test_an_exercise_has_all_its_parts(changed):
    with pytest.raises(ValueError, match="an exercise has a question, a start"):
        list(read(lesson(**changed)))


@pytest.mark.parametrize("changed", [{"hint": PARTS["start"].replace("start", "hint")}, {"given": PARTS["hint"]}])
def test_a_part_is_of_its_kind_and_in_its_place(changed):
    with pytest.raises(ValueError, match=r"cannot be tagged|in this order"):
        list(read(lesson(**changed)))


def test_no_heading_is_folded_with_what_an_answer_means():
    with pytest.raises(ValueError, match=r"a heading would be folded.*write \+\+\+ above it"):
        list(read(lesson(after=PARTS["after"] + "\n## What did we learn\n")))


def test_the_student_edition_asks_and_folds_what_helps(source):
    cells = build(source, "student").cells
    assert [cell.id for cell in cells[3:-1]] == [
        f"exercise-1-{part}" for part in ("question", "given-1", "answer", "check", "help", "after")
    ]
    assert cells[5].source == "four = ..."
    help_ = cells[7].source
    assert help_.count("<details>") == help_.count("</details>") == 3
    assert "<summary>Hint 2</summary>\n\nIt is below 5.\n" in help_
    assert "```python\nfour = two * two\n```" in help_
    assert cells[8].source == (
        "<details><summary>When you have an answer</summary>\n\nTwice two is four.\n\n</details>"
    )
    assert not [cell for cell in cells if "four = 3" in cell.source], "wrong answers are for the tests"


def test_the_teacher_edition_solves_and_says_where_it_is_asked(source):
    student, teacher = (build(source, edition).cells for edition in ("student", "teacher"))
    assert teacher[5].source == "four = two * two"
    assert "solution" not in teacher[7].source
    assert teacher[8].source == "Twice two is four."
    assert teacher[0].source.splitlines()[0] == "# 09 · Sums"
    assert "](../09_sums.ipynb)" in teacher[0].source
    assert teacher[0].source.endswith("\n**After this** you can add.")
    assert [cell.id for cell in teacher] == [cell.id for cell in student]
    same = [one == two for one, two in zip(student, teacher, strict=True)]
    assert same == [False, True, True, True, True, False, True, False, False, True]


def test_an_exercise_needs_no_text_after_it(source):
    source.write_text(lesson(after=""), encoding="utf-8")
    for edition in ("student", "teacher"):
        assert [cell.id for cell in build(source, edition).cells[-2:-1]] == ["exercise-1-help"]


def test_a_cell_keeps_its_id_until_its_text_changes(source):
    before = [cell.id for cell in build(source, "student").cells]
    assert len(set(before)) == len(before), "two cells with the same text, too"
    assert before == [cell.id for cell in build(source, "student").cells]
    source.write_text(lesson(question="A new cell.\n\n" + PARTS["question"]), encoding="utf-8")
    after = [cell.id for cell in build(source, "student").cells]
    assert [name for name in after if name in before] == before


def test_a_check_that_says_something_else_is_found(source):
    notebook = build(source, "teacher")
    notebook.cells[6].outputs = [nbformat.v4.new_output("stream", text="Not yet: try 4.\n")]
    assert misjudged(notebook, "teacher") == ["exercise-1-check: Not yet: try 4.\n"]
    assert misjudged(notebook, "student") == []


def test_widget_views_go_and_pictures_of_panels_stay_where_they_are_wanted(source):
    display = {"output_type": "display_data", "metadata": {}}
    live = {WIDGET_VIEW: {"model_id": "x"}, "text/plain": "Panel()"}
    for wanted in (True, False):
        notebook = build(source, "student")
        notebook.cells[1].outputs = nbformat.from_dict(
            [{**display, "data": {WIDGET_VIEW: {}}}, {**display, "data": {"image/png": "p", **live}}]
        )
        notebook.cells[2].outputs = nbformat.from_dict([{**display, "data": {"image/png": "p"}}])
        shown, drawn = tidied(notebook, pictures=wanted).cells[1:3]
        assert [output.data for output in shown.outputs] == [
            {"text/plain": "Panel()"} | ({"image/png": "p"} if wanted else {})
        ]
        assert drawn.outputs[0].data == {"image/png": "p"}, "this is no panel's"


def test_lessons_are_named_by_their_beginning():
    assert [path.name[:2] for path in sources(["03", "05_latent"])] == ["03", "05"]
    assert [path.name[:2] for path in sources([])] == [f"{number:02}" for number in range(10)]
    with pytest.raises(ValueError, match="no lesson begins with 1x"):
        sources(["03", "1x"])
