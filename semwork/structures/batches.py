"""The best structures of many examples: scored in one product, solved on one core or over several processes."""

from __future__ import annotations

import functools
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import cloudpickle
import numpy as np
from joblib import Parallel, delayed
from scipy import sparse

from semwork.structures.inference import Solution, best_structure
from semwork.structures.problem import Compiled, Floats
from semwork.threads import workers_of

__all__ = ["Batch"]

_CHUNKS = 3  # for each process: the last one to finish is not waited for long
_REMEMBERED = 64  # chunks that a process remembers


class _Chunk:
    """Some problems, and their features in one matrix."""

    def __init__(self, problems: Sequence[Compiled]) -> None:
        self._problems = problems
        self._starts = np.concatenate([[0], np.cumsum([problem.size for problem in problems])]).astype(int)
        self._features = sparse.vstack([problem.features for problem in problems], format="csr")
        self._always = sparse.vstack([problem.always for problem in problems], format="csr")

    def solve(self, weights: Floats, time_limit: float | None) -> Iterator[tuple[Solution, float]]:
        scores, offsets = self._features @ weights, self._always @ weights
        for number, problem in enumerate(self._problems):
            of_parts = scores[self._starts[number] : self._starts[number + 1]]
            solution = best_structure(problem, of_parts, time_limit=time_limit)
            yield solution, solution.value + float(offsets[number])


class Batch:
    """Several problems that are solved again and again, with other weights each time.

    With more than one process, each process reads its problems once, from a file; later it is sent weights only.

    Parameters
    ----------
    problems : sequence of Compiled
        All that there are.
    places : sequence of int
        Which of them are in the batch.
    time_limit : float or None
        Seconds for each integer program.
    n_jobs : int or None
        Processes; ``None`` and −1 mean one for each core, −2 all but one.
    """

    def __init__(
        self,
        problems: Sequence[Compiled],
        places: Sequence[int],
        time_limit: float | None = None,
        n_jobs: int | None = 1,
    ) -> None:
        self.places = [int(place) for place in places]
        self.problems = [problems[place] for place in self.places]
        self._time_limit = time_limit
        self._processes = min(workers_of(n_jobs), max(len(self.places), 1))
        self._files: list[str] = []
        self._chunk = _Chunk(self.problems) if self.problems and self._processes == 1 else None
        if self._processes == 1:
            return
        self._folder = tempfile.TemporaryDirectory(prefix="semwork-")  # gone with the batch
        for number, rows in enumerate(np.array_split(np.arange(len(self.places)), _CHUNKS * self._processes)):
            if len(rows):
                file = Path(self._folder.name) / f"{number}.pickle"
                file.write_bytes(cloudpickle.dumps(_Chunk([self.problems[row] for row in rows])))
                self._files.append(str(file))

    def solved(self, weights: Floats) -> Iterator[tuple[int, Solution, float]]:
        """Give the place of each problem, its best structure and the value of that."""
        found: Iterator[tuple[Solution, float]] = iter(())
        if self._files:
            jobs = (delayed(_solve_file)(file, weights, self._time_limit) for file in self._files)
            parts = Parallel(n_jobs=self._processes, return_as="generator")(jobs)
            found = (one for part in parts for one in part)
        elif self._chunk is not None:
            found = self._chunk.solve(weights, self._time_limit)
        for place, (solution, value) in zip(self.places, found, strict=True):
            yield place, solution, value


@functools.lru_cache(maxsize=_REMEMBERED)
def _read(file: str) -> _Chunk:
    chunk: _Chunk = pickle.loads(Path(file).read_bytes())  # noqa: S301 - written by this very process's parent
    return chunk


def _solve_file(file: str, weights: Floats, time_limit: float | None) -> list[tuple[Solution, float]]:
    return list(_read(file).solve(weights, time_limit))
