"""The ``semwork`` command: thin, over the same functions that notebooks use."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence

__all__ = ["main"]

_HERE = pathlib.Path(__file__).parent


def _lab(arguments: argparse.Namespace) -> int:  # noqa: RET503 - execv does not return
    from semwork import lessons
    from semwork.datasets.folders import checkout

    root = checkout()
    if root and arguments.copy_to is None:
        folder, first = root, pathlib.Path("notebooks", lessons.FIRST)
    else:
        folder, first = pathlib.Path(arguments.copy_to or "semwork-lessons"), pathlib.Path(lessons.FIRST)
        try:
            copied = lessons.copy_lessons(folder)
        except OSError as error:
            print(f"semwork lab cannot copy the lessons: {error}", file=sys.stderr)
            return 1
        print(f"The lessons are in {folder.resolve()}: change them as you like. {copied}")
    if not (folder / first).is_file():
        print(f"semwork lab opens {first}, which is not in {folder}: get it from the repository.", file=sys.stderr)
        return 1
    command = [sys.executable, "-m", "jupyterlab", str(first), *arguments.jupyter]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in command:
        print("You are root: starting Jupyter with --allow-root. An ordinary account is safer.", file=sys.stderr)
        command.append("--allow-root")
    # One more place for Jupyter's settings, after the user's own: it switches the news pop-up off and nothing else.
    places = [os.environ.get("JUPYTER_CONFIG_PATH", ""), str(_HERE / "lab_settings")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, places))
    os.chdir(folder)
    if not {"--help", "--help-all", "--version"} & set(arguments.jupyter):
        # The first use of a model compiles it, for good; by the time the browser is there, that is done.
        quiet = subprocess.DEVNULL
        subprocess.Popen([sys.executable, "-m", "semwork.warm_up"], stdout=quiet, stderr=quiet)
    sys.stdout.flush()
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(sys.executable, command)  # noqa: S606 - Jupyter takes over, so that Ctrl-C is its own


def _info(_: argparse.Namespace) -> int:
    from semwork.info import report

    print(report())
    return 0


def _study(arguments: argparse.Namespace) -> int:
    from semwork.studies.commands import run_study

    return run_study(arguments.name, arguments.options)


def _reproduce(arguments: argparse.Namespace) -> int:
    from semwork.experiments import run_and_print

    return run_and_print(
        arguments.names,
        every=arguments.all,
        seeds=arguments.seeds,
        save=arguments.save,
        adopt=arguments.adopt,
        report=arguments.report,
    )


def _parser() -> argparse.ArgumentParser:
    from semwork import __version__
    from semwork.datasets import commands as data_commands

    parser = argparse.ArgumentParser(prog="semwork", description="A workbench for latent semantics.")
    parser.add_argument("--version", action="version", version=f"semwork {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    lab = commands.add_parser("lab", help="open JupyterLab on the first lesson")
    lab.add_argument(
        "--copy-to",
        metavar="FOLDER",
        help="copy the lessons there and open them; without a clone of the repository they go to ./semwork-lessons",
    )
    lab.add_argument(
        "jupyter", nargs="*", metavar="-- JUPYTER OPTIONS", help="passed on, as in: semwork lab -- --no-browser"
    )
    lab.set_defaults(run=_lab)
    data_commands.add_parser(commands)
    info = commands.add_parser("info", help="versions, BLAS, cores, data: what to paste into a bug report")
    info.set_defaults(run=_info)
    study = commands.add_parser("study", help="run one question of a lesson, with the parameters of its panel")
    study.add_argument("name", nargs="?", metavar="NAME", help="which; without one they are listed")
    study.add_argument("options", nargs=argparse.REMAINDER, metavar="…", help="see: semwork study NAME --help")
    study.set_defaults(run=_study)
    reproduce = commands.add_parser("reproduce", help="run published experiments and compare with the papers")
    reproduce.add_argument("names", nargs="*", metavar="NAME", help="which, or all; none lists them")
    reproduce.add_argument("--all", action="store_true", help="all of them")
    reproduce.add_argument("--seeds", type=int, metavar="N", help="runs to average; fewer are faster")
    reproduce.add_argument("--save", metavar="FOLDER", help="write the tables there as CSV, and a page that shows them")
    reproduce.add_argument(
        "--adopt",
        action="store_true",
        help="take over results of older code, after a change that changes no result; their files say whose they are",
    )
    reproduce.add_argument("--report", metavar="FOLDER", help="write the page of a folder of tables again, run nothing")
    reproduce.set_defaults(run=_reproduce)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `semwork data list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
