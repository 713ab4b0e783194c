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
FIRST_NOTEBOOK = pathlib.Path("notebooks") / "00_start_here.ipynb"


def _lab(arguments: argparse.Namespace) -> int:  # noqa: RET503 - execv does not return
    root = _HERE.parent
    if not (root / FIRST_NOTEBOOK).exists():
        print(
            f"semwork lab opens {FIRST_NOTEBOOK}, which comes with the source; it is not in {root}.\n"
            "Clone the repository and type `make lab` there, or start `jupyter lab` with a notebook of your own.",
            file=sys.stderr,
        )
        return 1
    command = [sys.executable, "-m", "jupyterlab", str(FIRST_NOTEBOOK), *arguments.jupyter]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in command:
        print("You are root: starting Jupyter with --allow-root. An ordinary account is safer.", file=sys.stderr)
        command.append("--allow-root")
    # One more place for Jupyter's settings, after the user's own: it switches the news pop-up off and nothing else.
    places = [os.environ.get("JUPYTER_CONFIG_PATH", ""), str(_HERE / "lab_settings")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, places))
    os.chdir(root)
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


def _reproduce(arguments: argparse.Namespace) -> int:
    from semwork.experiments import run_and_print

    return run_and_print(arguments.names, every=arguments.all, seeds=arguments.seeds, save=arguments.save)


def _parser() -> argparse.ArgumentParser:
    from semwork import __version__
    from semwork.datasets import commands as data_commands

    parser = argparse.ArgumentParser(prog="semwork", description="A workbench for latent semantics.")
    parser.add_argument("--version", action="version", version=f"semwork {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    lab = commands.add_parser("lab", help="open JupyterLab on the first notebook")
    lab.add_argument(
        "jupyter", nargs="*", metavar="-- JUPYTER OPTIONS", help="passed on, as in: semwork lab -- --no-browser"
    )
    lab.set_defaults(run=_lab)
    data_commands.add_parser(commands)
    info = commands.add_parser("info", help="versions, BLAS, cores, data: what to paste into a bug report")
    info.set_defaults(run=_info)
    reproduce = commands.add_parser("reproduce", help="run published experiments and compare with the papers")
    reproduce.add_argument("names", nargs="*", metavar="NAME", help="which, or all; none lists them")
    reproduce.add_argument("--all", action="store_true", help="all of them")
    reproduce.add_argument("--seeds", type=int, metavar="N", help="runs to average; fewer are faster")
    reproduce.add_argument("--save", metavar="FOLDER", help="write the tables there as CSV")
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
