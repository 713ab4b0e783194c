"""No public name vanishes, and no signature changes, unseen."""

from __future__ import annotations

import difflib

from semwork.studies.commands import reference
from tests import public_api


def test_the_public_api_is_as_written():
    written, today = public_api.WRITTEN.read_text(encoding="utf-8"), public_api.text()
    difference = "\n".join(difflib.unified_diff(written.splitlines(), today.splitlines(), "written", "today", n=0))
    assert written == today, (
        f"say it in CHANGELOG.md if a name is gone or means something else; `make api`\n{difference}"
    )


def test_the_page_of_studies_says_what_they_declare():
    assert public_api.STUDIES.read_text(encoding="utf-8") == reference(), "`make api`"


def test_names_signatures_and_members_are_in_it():
    today = public_api.text()
    for part in (
        "\nsemwork.similarity\n",
        "  class WTMF(n_components: ",
        "    transform(self, X: ",
        "    load(path: ",
        "  load(name: ",
        "\nsemwork.exercises\n",
        "\nsemwork.lessons\n",
        "\nsemwork.steps\n",
        "  last(steps: ",
        "\nsemwork.studies.replacing\n",
        "\nsemwork_widgets\n",
        "  first_curve(",
    ):
        assert part in today, part
    assert "_request(" not in today
    assert " 0x" not in today
