"""A digest of what a value holds: plain values, arrays, tables, records; equal contents give equal digests.

Whatever may hold something that cannot be seen from here is refused: a cell that is taken for another one would have
its result.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import datetime
import enum
import functools
import hashlib
import re
import sys
import types
from collections.abc import Iterator, Mapping, Set
from pathlib import PurePath
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from semwork.sources import NotImportable, dotted

__all__ = ["content_digest", "importable_parts", "unchanged"]

_Functions = (types.FunctionType, types.BuiltinFunctionType, type)
_SAID = (PurePath, range, datetime.date, datetime.time, datetime.timedelta)  # dates of pandas are among them
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_NOT_FOLLOWED = frozenset(("builtins", "numpy", "scipy", "pandas", *sys.stdlib_module_names))
# Frozen records, which cost most: id → the record, so that nobody else has its id, and its digest.
_known: contextvars.ContextVar[dict[int, tuple[Any, str]] | None] = contextvars.ContextVar("known", default=None)


class _Hash(Protocol):
    def update(self, data: Any, /) -> None: ...


@contextlib.contextmanager
def unchanged() -> Iterator[None]:
    """As long as this block runs nobody changes an array in a frozen record: its digest is made once."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def content_digest(value: Any) -> str:
    """Return a digest of a value.

    A function or class counts by its name; a function without one by its code, its defaults and what it encloses, but
    not by what it reads from its module.

    Parameters
    ----------
    value : Any
        Plain values, arrays, tables, records (dataclasses), functions, classes, models, and collections of them.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> content_digest({"a": [1, 2.0]}) == content_digest({"a": (1, 2.0)})
    True
    >>> content_digest(np.arange(3)) == content_digest(np.arange(4))
    False
    """
    digest = hashlib.sha256()
    _add(digest, value)
    return digest.hexdigest()


def importable_parts(value: Any) -> Iterator[tuple[str, str]]:
    """Give the module and name of every function and class in a value: what they run through counts, too."""
    if isinstance(value, _Functions) or _is_wrapped(value):
        if str(value.__module__).partition(".")[0] not in _NOT_FOLLOWED:
            yield dotted(value)
    elif isinstance(value, functools.partial):
        yield from importable_parts([value.func, value.args, value.keywords])
    elif isinstance(value, types.MethodType):
        yield from importable_parts([value.__func__, value.__self__])
    elif dataclasses.is_dataclass(value):
        yield dotted(type(value))
        for field in dataclasses.fields(value):
            yield from importable_parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from importable_parts(list(value.values()))
    elif isinstance(value, list | tuple | Set):
        if not set(map(type, value)) <= set(_PLAIN):
            for one in value:
                yield from importable_parts(one)
    elif type(value).__module__.partition(".")[0] not in _NOT_FOLLOWED:
        yield dotted(type(value))  # such as a model with its parameters
        yield from importable_parts(getattr(value, "__dict__", None))


def _add(digest: _Hash, value: Any) -> None:
    """Write a value into a digest, with its kind and length before it, so that no two values run together."""
    if isinstance(value, enum.Enum):  # some are strings or numbers, too
        _words(digest, "choice", f"{_kind(value)}.{value.name}")
    elif isinstance(value, str):
        _words(digest, "text", value)
    elif isinstance(value, bytes):
        _bytes(digest, "bytes", value)
    elif value is None or value is ... or isinstance(value, bool | int | float | complex):
        plain = value.item() if isinstance(value, np.generic) else value
        _words(digest, type(plain).__name__, repr(plain))
    elif isinstance(value, np.generic):
        _scalar(digest, value)
    elif isinstance(value, Mapping):
        _words(digest, "mapping", f"{_beyond(value, dict, types.MappingProxyType)}{len(value)}")
        for key in sorted(value, key=repr):
            _add(digest, key)
            _add(digest, value[key])
    elif isinstance(value, list | tuple):
        _words(digest, "sequence", f"{_beyond(value, list, tuple)}{len(value)}")
        _row(digest, value)
    elif isinstance(value, Set):
        _words(digest, "set", str(sorted(content_digest(one) for one in value)))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        _words(digest, "record", _record(value))
    elif not _add_array(digest, value) and not _add_named(digest, value):
        _object(digest, value)


def _add_array(digest: _Hash, value: Any) -> bool:
    """Write an array, a sparse matrix or something of pandas; ``False`` if it is none."""
    if isinstance(value, np.ndarray):
        _array(digest, value)
    elif sparse.issparse(value):
        rows = value.tocsr()
        _words(digest, "sparse" if isinstance(value, sparse.sparray) else "sparse matrix", str(rows.shape))
        for part in (rows.indptr, rows.indices, rows.data):
            _array(digest, part)
    elif hasattr(value, "to_numpy") and hasattr(value, "shape"):
        _table(digest, value)
    else:
        return False
    return True


def _add_named(digest: _Hash, value: Any) -> bool:
    """Write a function, or something whose words say all that it holds; ``False`` if it is neither."""
    if isinstance(value, _Functions) or _is_wrapped(value):
        _function(digest, value)
    elif isinstance(value, functools.partial):
        _words(digest, "partial", _kind(value))
        _add(digest, [value.func, value.args, value.keywords])
    elif isinstance(value, types.MethodType):
        _add(digest, [value.__func__, value.__self__])
    elif isinstance(value, re.Pattern):
        _words(digest, "pattern", f"{value.flags}:{value.pattern!r}")
    elif isinstance(value, _SAID) or type(value).__name__ in ("NAType", "NaTType"):
        _words(digest, _kind(value), str(value) if isinstance(value, PurePath) else repr(value))
    else:
        return False
    return True


def _object(digest: _Hash, value: Any) -> None:
    """Write an object all of whose contents are in its ``__dict__``, such as a model, or refuse it."""
    kind = type(value)
    if kind.__basicsize__ != _Bare.__basicsize__ or kind.__itemsize__ or not hasattr(value, "__dict__"):
        raise TypeError(
            f"no digest can be made of {value!r:.60} ({kind.__name__}): what it holds cannot be seen. Cells take plain "
            "values, arrays, tables, records (dataclasses), models, functions and classes; give it as one of these, "
            "or make it in the cell's function"
        )
    _words(digest, "object", _kind(value))
    _add(digest, vars(value))


class _Bare:
    """As large as all objects that have nothing beside their ``__dict__``: no slots, nothing of a base in C."""


def _record(value: Any) -> str:
    """The digest of a record; that of a frozen one is remembered where somebody says that nothing changes."""
    known = _known.get()
    frozen = known is not None and type(value).__dataclass_params__.frozen
    if known is not None and id(value) in known:
        return known[id(value)][1]
    digest = hashlib.sha256()
    _words(digest, "record", _kind(value))
    for field in dataclasses.fields(value):
        _words(digest, "field", field.name)
        _add(digest, getattr(value, field.name))
    found = digest.hexdigest()
    if known is not None and frozen:
        known[id(value)] = value, found
    return found


def _kind(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _beyond(value: Any, *plain: type) -> str:
    """Name the kind of a collection that is more than the plain one, such as a named tuple."""
    return "" if type(value) in plain else f"{_kind(value)} "


def _is_wrapped(value: Any) -> bool:
    """Whether this is a function that remembers its results, or one that is compiled: it has the name of another."""
    return callable(value) and hasattr(value, "__wrapped__") and hasattr(value, "__qualname__")


def _function(digest: _Hash, value: Any) -> None:
    try:
        _words(digest, "name", ".".join(dotted(value)))
    except NotImportable:
        if not isinstance(value, types.FunctionType):
            raise
        _words(digest, "module", str(value.__module__))
        _code(digest, value.__code__)
        _add(digest, [value.__defaults__, value.__kwdefaults__])
        _add(digest, [cell.cell_contents for cell in value.__closure__ or ()])


def _code(digest: _Hash, code: types.CodeType) -> None:
    _bytes(digest, "code", code.co_code)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    _words(digest, "names", f"{names} {counts}")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _code(digest, constant)
        else:
            _add(digest, constant)


def _scalar(digest: _Hash, value: np.generic) -> None:
    """Write one number of numpy: as the plain one, if it is one; times and rows of fields as arrays of one."""
    if value.dtype.kind in "biufc":
        _add(digest, value.item())
    else:
        _array(digest, np.asarray(value))


def _array(digest: _Hash, value: Any) -> None:
    if type(value) not in (np.ndarray, np.memmap):
        _words(digest, "array of its own kind", _kind(value))
    if isinstance(value, np.ma.MaskedArray):
        _array(digest, np.ma.getmaskarray(value))
        _array(digest, np.asarray(value.fill_value))
        value = value.data
    value = np.asarray(value)
    if value.dtype.names is not None:
        _words(digest, "fields", f"{value.dtype.descr} {value.shape}")
        for name in value.dtype.names:
            _array(digest, value[name])
    elif value.dtype.kind in "OUT":  # strings, or anything: their bytes are addresses
        _words(digest, "array", str(value.shape))
        _add(digest, value.ravel().tolist())
    else:
        _words(digest, value.dtype.str, str(value.shape))
        digest.update(np.ascontiguousarray(value).view(np.uint8).data if value.size else b"")


def _table(digest: _Hash, value: Any) -> None:
    """Write a table, a column or an index of pandas."""
    _words(digest, "table", f"{_kind(value)} {value.shape}")
    if getattr(value, "ndim", 1) == 2:
        for part in (value.index, value.columns, *(value.iloc[:, place] for place in range(value.shape[1]))):
            _table(digest, part)
        return
    if hasattr(value, "iloc"):
        _table(digest, value.index)
    _add(digest, list(getattr(value, "names", [getattr(value, "name", None)])))
    kind = value.dtype
    _words(digest, "type", f"{type(kind).__name__} {kind}")
    if hasattr(kind, "categories"):
        _add(digest, [kind.ordered, None if kind.categories is None else kind.categories.tolist()])
    _array(digest, value.to_numpy())


def _row(digest: _Hash, values: list[Any] | tuple[Any, ...]) -> None:
    """Write values one after the other; many texts at once."""
    if set(map(type, values)) != {str}:
        for one in values:
            _add(digest, one)
        return
    _array(digest, np.fromiter(map(len, values), "<i8", len(values)))
    _words(digest, "texts", "".join(values))


def _words(digest: _Hash, kind: str, said: str) -> None:
    _bytes(digest, kind, said.encode(errors="surrogatepass"))


def _bytes(digest: _Hash, kind: str, content: bytes) -> None:
    digest.update(f"{kind} {len(content)}:".encode())
    digest.update(content)
