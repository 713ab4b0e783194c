"""What ``n_jobs`` means, everywhere."""

from __future__ import annotations

from typing import Any

import joblib

from semwork.given import is_whole

__all__ = ["workers_of"]


def workers_of(n_jobs: Any) -> int:
    """Return how many threads or processes ``n_jobs`` asks for.

    A number from 1 is meant as it is. ``None`` and −1 mean all cores that this process may use, −2 all but one, and so
    on down to a single one. joblib and scikit-learn count in the same way, except that ``None`` means 1 there: our
    threads share the memory, so that more of them cost nothing, and small work is done by one in any case.

    Examples
    --------
    >>> workers_of(3)
    3
    >>> workers_of(None) == workers_of(-1) >= workers_of(-2) >= 1
    True
    """
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0):
        raise ValueError(
            f"n_jobs must be a whole number from 1, None or -1 for all cores, or -2 for all but one and so on, got "
            f"{n_jobs!r}"
        )
    wanted = -1 if n_jobs is None else int(n_jobs)
    return wanted if wanted > 0 else max(1, joblib.cpu_count() + 1 + wanted)
