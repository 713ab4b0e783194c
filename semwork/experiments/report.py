"""A folder of results as one page: what the CSV files in it have, as the experiments declare that it is shown.

The page ``data/results/README.md`` is made in this way from the files that are committed beside it.
"""

from __future__ import annotations

from pathlib import Path

from semwork.atomic import write_whole
from semwork.experiments.declared import EXPERIMENTS, Experiment
from semwork.experiments.tables import Picture, read_table

__all__ = ["page", "write_page", "write_pictures"]

_MARK = """\
# Results

<!-- generated from the CSV files beside it and from semwork/experiments by `semwork reproduce --report FOLDER` -->
"""
_HEAD = f"""{_MARK}
Published experiments beside the papers' numbers. Every CSV says in its first lines which command wrote it, when, and
with which versions. "–" stands where a paper says nothing.
"""


def page(folder: str | Path) -> str:
    """Return the page of all results in a folder, as Markdown."""
    parts = [_HEAD]
    for name, experiment in EXPERIMENTS.items():
        here = [table for table in experiment.tables if _file(folder, name, table).exists()]
        if here:
            parts.append(_section(Path(folder), name, experiment, here))
    return "\n".join(parts)


def write_page(folder: str | Path) -> Path:
    """Write the page of a folder into it: as its README.md, or as results.md where somebody else's is."""
    path = Path(folder) / "README.md"
    if path.exists() and not path.read_text(encoding="utf-8").startswith(_MARK):
        path = path.with_name("results.md")
    write_whole(path, page(folder))
    return path


def write_pictures(folder: str | Path, name: str) -> list[Path]:
    """Draw the tables of an experiment that are figures in the paper, as PNG beside their CSV."""
    from semwork import plots

    written = []
    for picture in EXPERIMENTS[name].pictures:
        source = _file(folder, name, picture.file)
        written.append(source.with_suffix(".png"))
        write_whole(written[-1], plots.static_picture(getattr(plots, picture.draw)(read_table(source))))
    return written


def _file(folder: str | Path, name: str, table: str) -> Path:
    return Path(folder) / f"{name}_{table}.csv"


def _section(folder: Path, name: str, experiment: Experiment, here: list[str]) -> str:
    lines = [f"## {experiment.title}", "", f"`semwork reproduce {name}`. {experiment.differences}", ""]
    for report in experiment.reports:
        if report.file not in here:
            continue
        place = f" ({report.place})" if report.place else ""
        lines += [f"### {report.heading}{place}", "", report.markdown(folder, name), ""]
        lines += [report.remark.rstrip("\n"), ""] if report.remark else []
        if report.picture and _file(folder, name, report.picture.file).with_suffix(".png").exists():
            lines += [_shown(name, report.picture), ""]
    lines += ["Files:", ""]
    shown = {report.file: report.heading for report in experiment.reports}
    said = {table: (shown | dict(experiment.files))[table] for table in here}
    lines += [f"- [{name}_{table}.csv]({name}_{table}.csv): {words}" for table, words in said.items()]
    return "\n".join(lines) + "\n"


def _shown(name: str, picture: Picture) -> str:
    return f"![{picture.shows}]({name}_{picture.file}.png)"
