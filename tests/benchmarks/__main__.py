"""``make bench``: every benchmark, one after the other, each against a named peer in the same run.

``python -m tests.benchmarks similarity`` runs one part; what stands behind the name of a part goes to it, as in
``python -m tests.benchmarks similarity --plot growth.png``. With ``--save`` (``make bench SAVE=1``) what is printed is
kept in tests/benchmarks/README.md, too, with the machine, the versions and the date. What a part returns are ratios
that it has to keep and has missed: all parts run, and the exit code is 1.
"""

import contextlib
import importlib
import sys

from tests.benchmarks import saved

PARTS = ("text", "own_data", "similarity", "kernels", "structures", "topics", "browser")


def chosen(arguments):
    """Split the arguments into parts and their options; no argument means every part."""
    found = {}
    for argument in arguments:
        if argument in PARTS:
            found[argument] = []
        elif found:
            found[list(found)[-1]].append(argument)
        else:
            sys.exit(f"there is no benchmark {argument!r}; choose from {', '.join(PARTS)}")
    return found or {part: [] for part in PARTS}


def main(arguments) -> int:
    keep, missed = "--save" in arguments, []
    for part, options in chosen([argument for argument in arguments if argument != "--save"]).items():
        benchmark = importlib.import_module(f"tests.benchmarks.bench_{part}")
        heard = saved.Heard(sys.stdout)
        with contextlib.redirect_stdout(heard):
            missed += (benchmark.main(options) if options else benchmark.main()) or []
        print()
        if keep:
            saved.save(part, options, heard.words, PARTS)
    for words in missed:
        print(f"missed: {words}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
