"""SciPy's BLAS and LAPACK from compiled code, and one thread inside each of ours.

Numba cannot cache a function that holds a pointer of this process, so the address is an ordinary argument: the
compiled code casts it to a function and calls it.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import get_cython_function_address, intrinsic

__all__ = ["addresses", "call", "one_thread_inside", "prefetch"]


@functools.cache
def addresses(dtype: type[np.floating[Any]]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Addresses of syrk, posv, gemv for a number type, in this order."""
    letter = {np.float32: "s", np.float64: "d"}[dtype]
    names = [("cython_blas", "syrk"), ("cython_lapack", "posv"), ("cython_blas", "gemv")]
    found = [get_cython_function_address(f"scipy.linalg.{module}", letter + name) for module, name in names]
    return np.array(found, dtype=np.uint64)


@intrinsic  # type: ignore[untyped-decorator]
def call(_: Any, address: Any, pointers: Any) -> Any:
    """Call the function at ``address`` with a tuple of pointers, as Fortran passes everything."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        where, packed = arguments
        byte = ir.IntType(8).as_pointer()
        values = [builder.inttoptr(value, byte) for value in cgutils.unpack_tuple(builder, packed)]
        function_type = ir.FunctionType(ir.VoidType(), [byte] * len(values))
        builder.call(builder.inttoptr(where, function_type.as_pointer()), values)
        return context.get_dummy_value()

    return types.none(address, pointers), generate


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_: Any, address: Any) -> Any:
    """Ask for the cache line at ``address``; a hint that cannot fail."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0"
        )
        read, keep, data = number(0), number(3), number(1)
        builder.call(function, [builder.inttoptr(arguments[0], byte), read, keep, data])
        return context.get_dummy_value()

    return types.none(address), generate


class _OneThread:
    """Counts who needs a single BLAS thread; the setting belongs to the whole process, so it is changed once."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.limited: Any = None

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self.lock:
            if self.users == 0:
                with _from_any_thread():
                    self.limited = _controller().limit(limits=1, user_api="blas")
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    with _from_any_thread():
                        self.limited.restore_original_limits()


@contextlib.contextmanager
def _from_any_thread() -> Iterator[None]:
    """Let this thread change the number, and the next one after it.

    threadpoolctl 3.8 and newer silently ignores all threads but the one that changed the number first. Our users come
    from many threads and are counted, so that they do not fight.
    """
    free = [getattr(library, "clear_controlling_thread", None) for library in _controller().lib_controllers]
    for clear in filter(None, free):
        clear(force=True)
    try:
        yield
    finally:
        for clear in filter(None, free):
            clear(force=True)


@functools.cache
def _controller() -> Any:
    import scipy.linalg.cython_blas  # noqa: F401 - loads the library that the controller has to find
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


one_thread_inside = _OneThread()
