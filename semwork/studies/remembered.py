"""Results that were computed before, at most so many of them, for several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

__all__ = ["Remembered"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """Results by what they were computed from; the one that was asked for longest ago makes room for a new one.

    Parameters
    ----------
    most : int
        How many there are at most.

    Examples
    --------
    >>> squares = Remembered[int, int](most=2)
    >>> [squares.made(number, lambda: number**2) for number in (3, 4, 3, 5)]
    [9, 16, 9, 25]
    >>> list(squares), squares.get(4)
    ([3, 5], None)
    """

    def __init__(self, most: int) -> None:
        self._most, self._results = most, dict[K, V]()
        self._lock = threading.RLock()  # what is made may be made of other results

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: K) -> bool:
        return key in self._results

    def __iter__(self) -> Iterator[K]:
        """Give the keys, the one that was asked for longest ago first."""
        with self._lock:
            return iter(list(self._results))

    def get(self, key: K) -> V | None:
        """Return a result, or ``None`` if there is none."""
        with self._lock:
            if key not in self._results:
                return None
            self._results[key] = self._results.pop(key)
            return self._results[key]

    def put(self, key: K, result: V) -> None:
        """Remember a result."""
        with self._lock:
            self._results.pop(key, None)
            while len(self._results) >= self._most:
                del self._results[next(iter(self._results))]
            self._results[key] = result

    def made(self, key: K, make: Callable[[], V]) -> V:
        """Return a result that is made once; a thread that wants it meanwhile waits."""
        with self._lock:
            self.put(key, self._results[key] if key in self._results else make())
            return self._results[key]

    def forget(self, key: K) -> None:
        """Forget one result, if it is there."""
        with self._lock:
            self._results.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._results.clear()
