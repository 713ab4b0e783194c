"""The exact solver of one half of an alternating step, compiled.

Every row ``q`` of one side minimises

    ``Σ_all w_m (f·q)² + Σ_own [(f·q − x)² − w_m (f·q)²] + λ‖q‖²``

over the rows ``f`` of the other side; "own" are the n cells that the row has. With ``A = w_m FᵀF + λI``, a matrix T
with ``T Tᵀ = A⁻¹``, and ``Z = F T``:

- few cells (n ≤ K): ``q = T Z_Sᵀ a`` with ``(I + (1 − w_m) Z_S Z_Sᵀ) a = x``, an n × n system (Woodbury);
- many: ``q = T y`` with ``(I + (1 − w_m) Z_Sᵀ Z_S) y = Z_Sᵀ x``, a K × K system.

Only rows of Z are gathered, and T is applied to all rows at once. Short rows of equal length are solved side by side,
one per lane of a vector register. The value of the minimum comes for free: it is ``Σx²`` less the *gain*
``(F_Sᵀx)·q = ‖y‖² + ‖x − a‖² / (1 − w_m)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from semwork.similarity.blas import call, prefetch

__all__ = ["LANES", "SHORT", "Workspace", "solve_rows"]

SHORT = 40  # up to this many cells a hand-written kernel is faster than BLAS
LANES = 64  # rows solved side by side: a few vector registers each, so that loops are long enough
BLOCK = 256  # cells gathered at a time for a long row
AHEAD = 8  # rows that are asked for before they are needed
_FAST = {"reassoc", "contract", "nsz", "arcp"}  # sums may be reordered; NaN and infinity keep their meaning
_compiled = njit(nogil=True, cache=True, fastmath=_FAST)


class Workspace:
    """What one thread needs, made once."""

    def __init__(self, rank: int, dtype: Any) -> None:
        self.rows = np.empty((max(BLOCK, rank), rank), dtype)
        self.lanes = np.empty((SHORT, SHORT, LANES), dtype)
        self.right = np.empty((SHORT, LANES), dtype)
        self.system = np.empty((rank, rank), dtype)
        self.vector = np.empty((2, max(BLOCK, rank)), dtype)
        self.whole = np.empty(8, np.int32)
        self.letters = np.frombuffer(b"LNT", dtype=np.uint8).copy()
        self.real = np.empty(4, dtype)

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order in which `solve_rows` takes them."""
        return (
            self.rows, self.lanes, self.right, self.system, self.vector, self.whole, self.letters, self.real,
        )  # fmt: skip


@_compiled  # type: ignore[untyped-decorator]
def _ask_for(Z: Any, row: int) -> None:
    """Have a row on its way to the cache."""
    width = Z.shape[1] * Z.itemsize
    start = Z.ctypes.data + row * width
    for line in range(0, width, 64):
        prefetch(start + line)


@_compiled  # type: ignore[untyped-decorator]
def _gram(Z: Any, own: Any, n: int, lanes: Any, lane: int) -> None:
    """Inner products of a row's n vectors into one lane, in tiles of 2 × 4 so that loads are shared."""
    zero = Z.dtype.type(0)
    width = Z.shape[1]
    for i in range(0, n, 2):
        k = min(i + 1, n - 1)
        u, v = Z[own[i]], Z[own[k]]
        j = 0
        while j <= k:
            if j + 3 < n:
                a, b, c, d, e, f, g, h = zero, zero, zero, zero, zero, zero, zero, zero
                p, q, r, s = Z[own[j]], Z[own[j + 1]], Z[own[j + 2]], Z[own[j + 3]]
                for t in range(width):
                    a += u[t] * p[t]
                    b += u[t] * q[t]
                    c += u[t] * r[t]
                    d += u[t] * s[t]
                    e += v[t] * p[t]
                    f += v[t] * q[t]
                    g += v[t] * r[t]
                    h += v[t] * s[t]
                lanes[i, j, lane], lanes[i, j + 1, lane], lanes[i, j + 2, lane], lanes[i, j + 3, lane] = a, b, c, d
                lanes[k, j, lane], lanes[k, j + 1, lane], lanes[k, j + 2, lane], lanes[k, j + 3, lane] = e, f, g, h
                j += 4
            else:
                a, e = zero, zero
                p = Z[own[j]]
                for t in range(width):
                    a += u[t] * p[t]
                    e += v[t] * p[t]
                lanes[i, j, lane], lanes[k, j, lane] = a, e
                j += 1


@_compiled  # type: ignore[untyped-decorator]
def _solve_lanes(system: Any, right: Any, n: int, own: Any) -> None:  # noqa: PLR0912 - loops over lanes
    """Cholesky of ``I + own · system`` in every lane at once, and both substitutions."""
    one = system.dtype.type(1)
    for i in range(n):
        for j in range(i):
            for lane in range(LANES):
                system[i, j, lane] *= own
        for lane in range(LANES):
            system[i, i, lane] = system[i, i, lane] * own + one
    for i in range(n):
        for j in range(i):
            s, d = system[i, j], system[j, j]
            for t in range(j):
                p, q = system[i, t], system[j, t]
                for lane in range(LANES):
                    s[lane] -= p[lane] * q[lane]
            for lane in range(LANES):
                s[lane] *= d[lane]
        s, r = system[i, i], right[i]
        for t in range(i):
            p, q = system[i, t], right[t]
            for lane in range(LANES):
                s[lane] -= p[lane] * p[lane]
                r[lane] -= p[lane] * q[lane]
        for lane in range(LANES):
            s[lane] = one / np.sqrt(s[lane])
            r[lane] *= s[lane]
    for i in range(n - 1, -1, -1):
        r, s = right[i], system[i, i]
        for lane in range(LANES):
            r[lane] *= s[lane]
        for t in range(i):
            p, q = system[i, t], right[t]
            for lane in range(LANES):
                q[lane] -= p[lane] * r[lane]


@_compiled  # type: ignore[untyped-decorator]
def _short(order: Any, at: int, count: int, n: int, indptr: Any, indices: Any, data: Any, Z: Any, own: Any, Y: Any,
           lanes: Any, right: Any) -> float:  # fmt: skip
    """Solve up to LANES rows of n cells each; returns their gain."""
    zero = Z.dtype.type(0)
    for lane in range(count):
        cell = indptr[order[at + lane]]
        if lane + 1 < count:
            following = indptr[order[at + lane + 1]]
            for i in range(n):
                _ask_for(Z, indices[following + i])
        for i in range(n):
            right[i, lane] = data[cell + i]
        _gram(Z, indices[cell : cell + n], n, lanes, lane)
    _solve_lanes(lanes, right, n, own)
    gain = 0.0
    for lane in range(count):
        cell = indptr[order[at + lane]]
        y = Y[order[at + lane]]
        y[:] = zero
        moved = zero
        for i in range(n):
            a = right[i, lane]
            off = data[cell + i] - a
            moved += off * off
            row = Z[indices[cell + i]]
            for t in range(len(y)):
                y[t] += a * row[t]
        length = zero
        for t in range(len(y)):
            length += y[t] * y[t]
        gain += length
        if own > 0:
            gain += moved / own
    return gain


@_compiled  # type: ignore[untyped-decorator]
def _long(  # noqa: PLR0912 - two kinds of system
          cell: int, n: int, indices: Any, data: Any, Z: Any, own: Any, y: Any, routines: Any,
          rows: Any, system: Any, vector: Any, whole: Any, letters: Any, real: Any) -> float:  # fmt: skip
    """Solve one row of more than SHORT cells with BLAS; returns its gain, or NaN when LAPACK finds no factor."""
    zero, one = Z.dtype.type(0), Z.dtype.type(1)
    rank = Z.shape[1]
    few = n <= rank
    size = n if few else rank
    real[0], real[1], real[2], real[3] = own, zero, one, one
    whole[0], whole[2], whole[3], whole[5] = size, rank, 1, rank
    lower, plain, turned = letters.ctypes.data, letters.ctypes.data + 1, letters.ctypes.data + 2
    integer, number = whole.ctypes.data, real.ctypes.data
    width = real.itemsize
    x, v = vector[0], vector[1]
    # gemv adds to what is there: with a factor of 0 some BLAS keep a NaN of fresh memory
    v[:] = zero
    y[:] = zero
    block = n if few else BLOCK
    for start in range(0, n, block):
        count = min(block, n - start)
        for i in range(count):
            if start + i + AHEAD < n:
                _ask_for(Z, indices[cell + start + i + AHEAD])
            vector_of, place = Z[indices[cell + start + i]], rows[i]
            for t in range(rank):
                place[t] = vector_of[t]
            x[i] = data[cell + start + i]
        whole[1] = count
        # system ← own · rows rowsᵀ (few) or own · rowsᵀ rows, summed over blocks (many); Fortran sees rows turned
        if few:
            call(routines[0], (lower, turned, integer, integer + 8, number, rows.ctypes.data, integer + 8,
                               number + width, system.ctypes.data, integer))  # fmt: skip
        else:
            call(routines[0], (lower, plain, integer, integer + 4, number, rows.ctypes.data, integer + 8,
                               number + width, system.ctypes.data, integer))  # fmt: skip
            call(routines[2], (plain, integer + 8, integer + 4, number + 2 * width, rows.ctypes.data, integer + 8,
                               x.ctypes.data, integer + 12, number + 2 * width, v.ctypes.data,
                               integer + 12))  # fmt: skip
            real[1] = one
    flat = system.reshape(-1)
    for i in range(size):
        flat[i * size + i] += one
    gain = 0.0
    if few:
        for i in range(n):
            v[i] = x[i]
        call(routines[1], (lower, integer, integer + 12, system.ctypes.data, integer, v.ctypes.data, integer,
                           integer + 16))  # fmt: skip
        call(routines[2], (plain, integer + 8, integer, number + 2 * width, rows.ctypes.data, integer + 8,
                           v.ctypes.data, integer + 12, number + 2 * width, y.ctypes.data, integer + 12))  # fmt: skip
        for t in range(rank):
            gain += y[t] * y[t]
        if own > 0:
            for i in range(n):
                gain += (x[i] - v[i]) ** 2 / own
    else:
        for t in range(rank):
            y[t] = v[t]
        call(routines[1], (lower, integer, integer + 12, system.ctypes.data, integer, y.ctypes.data, integer,
                           integer + 16))  # fmt: skip
        for t in range(rank):
            gain += y[t] * v[t]
    return gain if whole[4] == 0 else np.nan


@_compiled  # type: ignore[untyped-decorator]
def solve_rows(order: Any, indptr: Any, indices: Any, data: Any, Z: Any, own: Any, Y: Any, routines: Any,
               rows: Any, lanes: Any, right: Any, system: Any, vector: Any, whole: Any, letters: Any, real: Any
               ) -> float:  # fmt: skip
    """Solve the rows named in ``order`` (by growing length) into ``Y``; returns the sum of their gains.

    Y still has to be multiplied by Tᵀ. Rows without a cell become zero.
    """
    gain = 0.0
    at = 0
    longest = min(SHORT, Z.shape[1])
    while at < len(order):
        cell = indptr[order[at]]
        n = indptr[order[at] + 1] - cell
        if n == 0:
            Y[order[at]][:] = Z.dtype.type(0)
            at += 1
        elif n <= longest:
            count = 1
            while count < LANES and at + count < len(order):
                other = order[at + count]
                if indptr[other + 1] - indptr[other] != n:
                    break
                count += 1
            gain += _short(order, at, count, n, indptr, indices, data, Z, own, Y, lanes, right)
            at += count
        else:
            gain += _long(cell, n, indices, data, Z, own, Y[order[at]], routines, rows, system, vector, whole,
                          letters, real)  # fmt: skip
            at += 1
    return gain
