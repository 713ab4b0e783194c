"""What one pastes into a bug report."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re

__all__ = ["report"]


def _versions() -> list[tuple[str, str]]:
    """Every package that pyproject.toml asks for, with the version that is here."""
    rows = []
    for requirement in importlib.metadata.requires("semwork") or []:
        name = re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            extra = re.search(r"extra == ['\"](\w+)['\"]", requirement)
            found = f"not installed (comes with: pip install 'semwork[{extra[1]}]')" if extra else "MISSING"
        rows.append((name, found))
    return sorted(set(rows))


def _blas() -> list[str]:
    import numpy as np  # noqa: F401 - loads the BLAS that is asked about
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    return [
        f"{pool['internal_api']} {pool.get('version') or ''}, {pool['num_threads']} threads"
        for pool in threadpool_info()
    ]


def _cores() -> str:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{usable} usable of {os.cpu_count()}"


def report() -> str:
    """Versions, BLAS, threads, cores, where data is, what is missing and how to get it."""
    from semwork import __version__, datasets
    from semwork.datasets import folders

    lines = [
        f"semwork {__version__}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"cores: {_cores()}",
        *(f"BLAS: {line}" for line in _blas()),
        *(
            f"{name}={os.environ[name]}"
            for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "SEMWORK_OFFLINE")
            if name in os.environ
        ),
        "",
        "packages",
        *(f"  {name:<18} {found}" for name, found in _versions()),
        "",
        "data",
        f"  SEMWORK_DATA:  {os.environ.get('SEMWORK_DATA') or 'not set'}",
        f"  cache:         {folders.cache_folder()}",
    ]
    here = [name for name in datasets.names() if datasets.available(name)]
    missing = [name for name in datasets.names() if name not in here]
    lines += [f"  here:          {', '.join(here) or 'none'}", f"  missing:       {', '.join(missing) or 'none'}"]
    if missing:
        lines.append(f"  to get them:   semwork data fetch {' '.join(missing)}")
    return "\n".join(lines)
