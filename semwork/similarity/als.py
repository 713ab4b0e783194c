"""The exact solver of one half of an alternating step, compiled.

Every row ``q`` of one side minimises

    ``Σ_all w_m (f·q)² + Σ_own [(f·q − x)² − w_m (f·q)²] + λ‖q‖²``

over the rows ``f`` of the other side; "own" are the n cells that the row has. With ``A = w_m FᵀF + λI``, a matrix T
with ``T Tᵀ = A⁻¹``, and ``Z = F T``:

- few cells (n ≤ K): ``q = T Z_Sᵀ a`` with ``(I + (1 − w_m) Z_S Z_Sᵀ) a = x``, an n × n system (Woodbury);
- many: ``q = T y`` with ``(I + (1 − w_m) Z_Sᵀ Z_S) y = Z_Sᵀ x``, a K × K system.

Only rows of Z are gathered, and T is applied to all rows at once. Rows of Z are filled up with zeros to whole vector
registers (Z has more columns than the rank then). Short rows of equal length are solved side by side, one per lane of a
register. The value of the minimum comes for free: it is ``Σx²`` less the *gain*
``(F_Sᵀx)·q = ‖y‖² + ‖x − a‖² / (1 − w_m)``.

In the code ``cells`` are the rows of Z at which a row has its own cells, and ``cell_weight`` is 1 − w_m.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from semwork.compiled import compiled
from semwork.similarity.simd import (
    REGISTER,
    TALL,
    add_outer,
    add_scaled,
    copy,
    dot,
    dots,
    padded,
    prefetch,
    scale,
)

__all__ = ["LANES", "SHORT", "Workspace", "aligned", "solve_rows"]

SHORT = 40  # up to this many cells rows are solved side by side
LANES = 64  # rows solved side by side: a few vector registers each, so that loops are long enough
BLOCK_BYTES = 24_576  # cells of a long row gathered at a time: they stay in the nearest cache
HIGH = TALL if REGISTER == 64 else TALL // 2  # rows of a tile two registers wide; AVX-512 has 32 registers, others 16
AHEAD = 4  # rows of the next block that are asked for before each tile of this one
_FAST = frozenset({"reassoc", "contract", "nsz", "arcp"})  # sums may be reordered; NaN and infinity keep their meaning
_compiled = functools.partial(compiled, fastmath=_FAST)


def aligned(rows: int, columns: int, dtype: Any) -> Any:
    """Uninitialised memory that begins at a cache line."""
    itemsize = np.dtype(dtype).itemsize
    raw = np.empty(rows * columns * itemsize + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + rows * columns * itemsize].view(dtype).reshape(rows, columns)


class Workspace:
    """What one thread needs, made once."""

    def __init__(self, rank: int, dtype: Any) -> None:
        self.rank = rank
        itemsize = np.dtype(dtype).itemsize
        width = padded(rank + 4, dtype)  # room for x, and for a tile that begins at the last row
        # One row more than is used: the last tile of a row may reach into the next one, where nothing is read.
        self.rows = aligned(max(16, BLOCK_BYTES // (width * itemsize)) + 1, width, dtype)
        self.rows[:] = 0
        self.system = aligned(-(-rank // TALL) * TALL + 4, width, dtype)
        self.lanes = np.zeros((SHORT + 4, SHORT + 4, LANES), dtype)
        self.right = np.empty((SHORT, LANES), dtype)
        self.vector = aligned(1, width, dtype)[0]
        self.total = aligned(1, padded(rank, dtype), dtype)[0]
        self.system[:] = 0

    def fits(self, rank: int, dtype: Any) -> bool:
        """Whether it serves for this rank and number type."""
        return bool(self.rank == rank and self.rows.dtype == dtype)

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order in which `solve_rows` takes them."""
        return self.rows, self.system, self.lanes, self.right, self.vector, self.total


@_compiled
def _ask_for(Z: Any, row: int) -> None:
    """Have a row on its way to the cache."""
    width = Z.shape[1] * Z.itemsize
    start = Z.ctypes.data + row * width
    for line in range(0, width, 64):
        prefetch(start + line)


@_compiled
def _tile(itemsize: int) -> tuple[int, int]:
    """Rows and columns of a tile of inner products: as many as a register has numbers."""
    lanes = REGISTER // itemsize
    rows = 4 if lanes == 16 else (1 if lanes == 2 else 2)
    return rows, lanes // rows


@_compiled
def _gram(Z: Any, cells: Any, lower: bool, out: int, down: int, across: int) -> None:
    """Inner products of a row's vectors with each other, the lower or the upper triangle.

    The product of i and j goes to the address ``out + i · down + j · across``. Tiles reach over the diagonal and over
    the end.
    """
    zero = Z.dtype.type(0)
    n = len(cells)
    width = Z.shape[1] * Z.itemsize
    rows, columns = _tile(Z.itemsize)
    for i in range(0, n, rows):
        first, end = (0, min(i + rows, n)) if lower else (i // columns * columns, n)
        for j in range(first, end, columns):
            dots(zero, Z.ctypes.data, width, cells.ctypes.data, i, j, n - 1, width // REGISTER,
                 out + i * down + j * across, down, across)  # fmt: skip


@_compiled
def _add_up(Z: Any, cells: Any, x: Any, factors: Any, weight: Any, total: Any, y: Any) -> Any:
    """``y = Σ factors[i] · Z[cells[i]]``; returns the gain ``‖y‖² + ‖x − factors‖² / weight``."""
    zero = Z.dtype.type(0)
    width = Z.shape[1] * Z.itemsize
    registers = width // REGISTER
    total[:] = zero
    moved = zero
    for i in range(len(cells)):
        add_scaled(factors[i], Z.ctypes.data + cells[i] * width, total.ctypes.data, registers)
        moved += (x[i] - factors[i]) ** 2
    y[:] = total[: len(y)]
    gain = dot(zero, total.ctypes.data, total.ctypes.data, registers)
    return gain + moved / weight if weight > 0 else gain


@_compiled
def _solve_lanes(system: Any, right: Any, n: int, cell_weight: Any) -> None:  # noqa: PLR0912 - loops over lanes
    """Cholesky of ``I + cell_weight · system`` in every lane at once, and both substitutions."""
    one = system.dtype.type(1)
    for i in range(n):
        for j in range(i):
            for lane in range(LANES):
                system[i, j, lane] *= cell_weight
        for lane in range(LANES):
            system[i, i, lane] = system[i, i, lane] * cell_weight + one
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


@_compiled
def _solve_short_rows(order: Any, at: int, count: int, n: int, indptr: Any, indices: Any, data: Any, Z: Any,
                      cell_weight: Any, Y: Any, lanes: Any, right: Any, total: Any) -> Any:  # fmt: skip
    """Solve up to LANES rows of n cells each; returns their gain."""
    for lane in range(count):
        cell = indptr[order[at + lane]]
        if lane + 1 < count:
            following = indptr[order[at + lane + 1]]
            for i in range(n):
                _ask_for(Z, indices[following + i])
        for i in range(n):
            right[i, lane] = data[cell + i]
        _gram(Z, indices[cell : cell + n], True, lanes.ctypes.data + lane * lanes.itemsize, lanes.strides[0],
              lanes.strides[1])  # fmt: skip
    _solve_lanes(lanes, right, n, cell_weight)
    gain = 0.0
    for lane in range(count):
        cell = indptr[order[at + lane]]
        gain += _add_up(Z, indices[cell : cell + n], data[cell : cell + n], right[:n, lane], cell_weight, total,
                        Y[order[at + lane]])  # fmt: skip
    return gain


@_compiled
def _solve_system(A: Any, size: int, y: Any) -> Any:
    """Solve ``(A + I) y = b``; returns ``b·y``, or NaN when A + I is not positive definite.

    The upper triangle of A is given, with b as the column behind it, so that the Cholesky factor R comes with
    ``R⁻ᵀ b``; all else in A has to be finite. y has as many columns as A. A panel of TALL rows first loses what the
    rows above explain, then its rows one after the other.
    """
    zero, one = A.dtype.type(0), A.dtype.type(1)
    start, stride, width = A.ctypes.data, A.shape[1] * A.itemsize, A.itemsize
    across = REGISTER // width
    registers = size // across + 1  # with the column of b
    for panel in range(0, size, TALL):
        if panel > 0:
            for column in range(panel, size + 1, across):
                add_outer(-one, start, stride, panel, panel, column, start, stride, TALL, 1)
        # Rows are worked on from the register with their diagonal on; nothing reads what is left of it.
        for k in range(panel, min(panel + TALL, size)):
            first = k // across
            row = start + k * stride + first * REGISTER
            for above in range(panel, k):
                add_scaled(-A[above, k], start + above * stride + first * REGISTER, row, registers - first)
            pivot = A[k, k] + one
            if not pivot > zero:
                return np.nan
            inverse = one / np.sqrt(pivot)
            scale(inverse, row, registers - first)
            A[k, k] = inverse
    gain = zero
    y[:] = zero
    for k in range(size - 1, -1, -1):
        first = k // across
        known = A[k, size]
        gain += known * known
        inverse, A[k, k], A[k, size] = A[k, k], zero, zero
        known -= dot(zero, start + k * stride + first * REGISTER, y.ctypes.data + first * REGISTER, registers - first)
        y[k] = known * inverse
    return gain


@_compiled
def _weigh(system: Any, cell_weight: Any, right: Any) -> None:
    """Multiply the upper triangle and set the column behind it."""
    size = len(right)
    stride = system.shape[1] * system.itemsize
    for k in range(size):
        first = k * system.itemsize // REGISTER * REGISTER
        scale(cell_weight, system.ctypes.data + k * stride + first, (stride - first) // REGISTER)
        system[k, size] = right[k]


@_compiled
def _solve_with_few_cells(cells: Any, x: Any, Z: Any, cell_weight: Any, y: Any, system: Any, vector: Any, total: Any
                          ) -> Any:  # fmt: skip
    """Solve one row of n ≤ K cells; returns its gain, or NaN when there is no factor."""
    n = len(cells)
    system[: n + 1] = Z.dtype.type(0)
    _gram(Z, cells, False, system.ctypes.data, system.strides[0], system.strides[1])
    _weigh(system, cell_weight, x)
    if np.isnan(_solve_system(system, n, vector)):
        return np.nan
    return _add_up(Z, cells, x, vector, cell_weight, total, y)


@_compiled
def _solve_with_many_cells(cells: Any, x: Any, Z: Any, cell_weight: Any, y: Any, rows: Any, system: Any, vector: Any
                           ) -> Any:  # fmt: skip
    """Solve one row of n > K cells; returns its gain, or NaN when there is no factor.

    x is gathered as one more column, so that the same products give ``Z_Sᵀ Z_S`` and ``Z_Sᵀ x``.
    """
    n, rank, block = len(cells), len(y), len(rows) - 1
    stride = rows.shape[1] * rows.itemsize
    across = REGISTER // rows.itemsize
    one, width = rows.dtype.type(1), Z.shape[1] * Z.itemsize
    system[:] = rows.dtype.type(0)
    for i in range(min(block, n)):
        _ask_for(Z, cells[i])
    for start in range(0, n, block):
        count = min(block, n - start)
        for i in range(count):
            copy(one, Z.ctypes.data + cells[start + i] * width, rows.ctypes.data + i * stride, width // REGISTER)
            rows[i, rank] = x[start + i]
        following, end = start + block, min(start + 2 * block, n)
        for a in range(0, rank, HIGH):
            b = a
            while b < rank + 1:
                for _ in range(AHEAD):
                    if following < end:
                        _ask_for(Z, cells[following])
                        following += 1
                if b + across < rank + 1:
                    add_outer(one, rows.ctypes.data, stride, count, a, b, system.ctypes.data, stride, HIGH, 2)
                    b += 2 * across
                else:
                    add_outer(one, rows.ctypes.data, stride, count, a, b, system.ctypes.data, stride, HIGH, 1)
                    b += across
    vector[:rank] = system[:rank, rank]
    _weigh(system, cell_weight, vector[:rank])
    gain = _solve_system(system, rank, vector)
    y[:] = vector[:rank]
    return gain


@_compiled
def solve_rows(order: Any, indptr: Any, indices: Any, data: Any, Z: Any, cell_weight: Any, Y: Any,
               rows: Any, system: Any, lanes: Any, right: Any, vector: Any, total: Any) -> Any:  # fmt: skip
    """Solve the rows named in ``order`` (by growing length) into ``Y``; returns the sum of their gains.

    Y still has to be multiplied by Tᵀ. Rows without a cell become zero.
    """
    gain = 0.0
    at = 0
    rank = Y.shape[1]
    longest = min(SHORT, rank)
    while at < len(order):
        start, end = indptr[order[at]], indptr[order[at] + 1]
        n = end - start
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
            gain += _solve_short_rows(order, at, count, n, indptr, indices, data, Z, cell_weight, Y, lanes, right,
                                      total)  # fmt: skip
            at += count
        elif n <= rank:
            gain += _solve_with_few_cells(indices[start:end], data[start:end], Z, cell_weight, Y[order[at]], system,
                                          vector, total)  # fmt: skip
            at += 1
        else:
            gain += _solve_with_many_cells(indices[start:end], data[start:end], Z, cell_weight, Y[order[at]], rows,
                                           system, vector)  # fmt: skip
            at += 1
    return gain
