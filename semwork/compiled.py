"""Functions compiled by numba once and kept on disk, where they are found again by what they say."""

from __future__ import annotations

import functools
import glob
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import njit
from numba.core.caching import IndexDataCacheFile
from numba.core.serialize import dumps

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])

_HERE = Path(__file__).parent


def compiled(function: F, *, fastmath: frozenset[str] = frozenset()) -> F:
    """Compile; without the interpreter's lock, so that a notebook stays alive while the function runs.

    ``fastmath`` names what LLVM may do to sums; nothing unless it is given. What is compiled is kept beside the
    function's file. When ``NUMBA_CACHE_DIR`` names a folder, it is kept there, under a name made of what the files say:
    another copy of the same files, in any other place, finds it.
    """
    dispatcher = njit(nogil=True, cache=True, fastmath=set(fastmath) or False)(function)
    # numba looks only at the function's own file to see whether what it kept is old, but what it kept has the
    # functions of other files in it: all compiled files of a room grow old together.
    room = _room(Path(function.__code__.co_filename))
    stamp, cache = _stamp(room), dispatcher._cache
    if numba.config.CACHE_DIR:
        below = Path(function.__code__.co_filename).resolve().relative_to(room).parent
        name = f"{room.name}-{stamp[:16]}-numba-{numba.__version__}"
        cache._cache_path = str(Path(numba.config.CACHE_DIR, name, below))
        Path(cache._cache_path).mkdir(parents=True, exist_ok=True)
    cache._cache_file = _Kept(cache._cache_path, cache._impl.filename_base, stamp)
    return cast(F, dispatcher)


class _Kept(IndexDataCacheFile):  # type: ignore[misc]
    """numba's index and data files, safe from two processes that compile for different types at the same time.

    numba numbers the data files: each of the two would take the next number, and find the other one's machine code
    under it. Here a file is named after what is in it.
    """

    def save(self, key: Any, data: Any) -> None:
        named = self._data_name_pattern.replace("{number:d}", "{}")
        if not self._load_index():  # of other files than today's, whose data nobody asks for; or there is none
            for old in Path(self._cache_path).glob(glob.escape(named).replace("{}", "*")):
                old.unlink(missing_ok=True)
        name = named.format(hashlib.sha256(dumps((self._source_stamp, key))).hexdigest()[:16])
        self._save_data(name, data)  # first: what the index names is there
        self._save_index({**self._load_index(), key: name})


def _room(file: Path) -> Path:
    """Return the folder below the package that a file is in, or the package for a file of its own."""
    file = file.resolve()
    try:
        inside = file.relative_to(_HERE).parts
    except ValueError:  # a function of somebody else's
        return file.parent
    return _HERE / inside[0] if len(inside) > 1 else _HERE


@functools.cache
def _stamp(room: Path) -> str:
    """Return a number for what the compiled files of a room say, and those of the package that they may call."""
    files = [*_HERE.glob("*.py"), *(room.rglob("*.py") if room != _HERE else ())]
    digest = hashlib.sha256()
    for file in sorted(files):
        text = file.read_bytes()
        if any(words in text for words in (b"from numba", b"import numba", b"import compiled")):
            digest.update(text)
    return digest.hexdigest()
