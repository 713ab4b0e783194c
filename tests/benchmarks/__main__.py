"""``make bench``: every benchmark, one after the other, each against a named peer in the same run.

``python -m tests.benchmarks similarity`` runs one part; what stands behind the name of a part goes to it, as in
``python -m tests.benchmarks similarity --plot growth.png``.
"""

import importlib
import sys

PARTS = ("text", "similarity", "kernels", "structures", "topics", "browser")


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


def main(arguments) -> None:
    for part, options in chosen(arguments).items():
        benchmark = importlib.import_module(f"tests.benchmarks.bench_{part}")
        benchmark.main(options) if options else benchmark.main()
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
