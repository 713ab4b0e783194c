"""Loops on whole vector registers, which the compiler would not find by itself.

It cuts loops of a hundred numbers into a part for vectors and a part that goes number by number, and it does not keep
tiles of products in registers. For these loops rows are filled up with zeros to a whole number of registers: see
`padded`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic

__all__ = [
    "REGISTER", "TALL", "add_outer", "add_scaled", "copy", "dot", "dots", "lanes_of", "padded", "prefetch", "scale",
    "tile_rows",
]  # fmt: skip

TALL = 12  # rows of a tile of outer products one register wide: with it and one factor they fit into 16 registers


def _register_bytes() -> int:
    features = binding.get_host_cpu_features()
    if features.get("avx512f"):
        return 64
    return 32 if features.get("avx") else 16


REGISTER = _register_bytes()


def lanes_of(itemsize: int) -> int:
    """Numbers in one register."""
    return REGISTER // itemsize


def tile_rows(itemsize: int) -> int:
    """Rows of a tile of dot products; it has as many products as a register has numbers."""
    return {16: 4, 8: 2, 4: 2, 2: 1}[lanes_of(itemsize)]


def padded(width: int, dtype: Any) -> int:
    """The width filled up to whole registers.

    Examples
    --------
    >>> padded(100, np.float32) >= 100, padded(100, np.float32) % lanes_of(4)
    (True, 0)
    """
    lanes = lanes_of(np.dtype(dtype).itemsize)
    return -(-width // lanes) * lanes


class _Writer:
    """Writes instructions for vectors of one number type."""

    def __init__(self, builder: Any, number: Any) -> None:
        self.builder = builder
        self.itemsize = number.bitwidth // 8
        self.lanes = lanes_of(self.itemsize)
        self.scalar = {4: ir.FloatType, 8: ir.DoubleType}[self.itemsize]()
        self.vector = ir.VectorType(self.scalar, self.lanes)
        self.word = ir.IntType(64)
        self.number = ir.IntType(32)
        self.name = f"v{self.lanes}f{number.bitwidth}"

    def load(self, address: Any, kind: Any) -> Any:
        found = self.builder.load(self.builder.inttoptr(address, kind.as_pointer()))
        found.align = self.itemsize if kind is not self.number else 4
        return found

    def store(self, value: Any, address: Any) -> None:
        done = self.builder.store(value, self.builder.inttoptr(address, self.vector.as_pointer()))
        done.align = self.itemsize

    def add_product(self, a: Any, b: Any, c: Any) -> Any:
        kind = ir.FunctionType(self.vector, [self.vector] * 3)
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.fmuladd.{self.name}")
        return self.builder.call(function, [a, b, c])

    def shuffled(self, a: Any, b: Any, lanes: list[int]) -> Any:
        mask = ir.Constant(ir.VectorType(self.number, self.lanes), lanes)
        return self.builder.shuffle_vector(a, b, mask)

    def spread(self, value: Any) -> Any:
        nothing = ir.Constant(self.vector, ir.Undefined)
        one = self.builder.insert_element(nothing, value, self.number(0))
        return self.shuffled(one, nothing, [0] * self.lanes)

    def sums(self, vectors: list[Any]) -> Any:
        """One vector with the sum over the lanes of each of the given ones, in their order."""
        step = 1
        while len(vectors) > 1:
            even, odd = [], []
            for place in range(self.lanes):
                other = bool(place & step)  # from the second vector
                even.append(place - step + self.lanes if other else place)
                odd.append(place + self.lanes if other else place + step)
            vectors = [
                self.builder.fadd(self.shuffled(a, b, even), self.shuffled(a, b, odd))
                for a, b in zip(vectors[::2], vectors[1::2], strict=True)
            ]
            step *= 2
        return vectors[0]

    def zero(self) -> Any:
        return ir.Constant(self.vector, [self.scalar(0)] * self.lanes)

    def loop(self, count: Any, starts: list[Any], body: Any) -> list[Any]:
        """``for i in range(count)`` with values that are carried on; count is at least 1."""
        builder = self.builder
        before, again, after = builder.block, builder.append_basic_block("again"), builder.append_basic_block("after")
        builder.branch(again)
        builder.position_at_end(again)
        i = builder.phi(self.word)
        carried = [builder.phi(start.type) for start in starts]
        results: list[Any] = body(i, carried)
        following = builder.add(i, self.word(1))
        i.add_incoming(self.word(0), before)
        i.add_incoming(following, again)
        for phi, start, result in zip(carried, starts, results, strict=True):
            phi.add_incoming(start, before)
            phi.add_incoming(result, again)
        builder.cbranch(builder.icmp_signed("<", following, count), again, after)
        builder.position_at_end(after)
        return results


@intrinsic  # type: ignore[untyped-decorator]
def dots(_: Any, zero: Any, base: Any, stride: Any, row_numbers: Any, i: Any, j: Any, last: Any, count: Any,
         out: Any, down: Any, across: Any) -> Any:  # fmt: skip
    """Inner products of rows i, i + 1 … with rows j, j + 1 …, a tile of them, to ``out``.

    ``zero`` says the number type; ``base`` and ``stride`` where rows are; ``row_numbers`` is the address of their
    32-bit numbers, of which the one at ``last`` is taken for all behind it; ``count`` is their width in registers. The
    product of i + r and j + c goes to ``out + r · down + c · across``. Strides are in bytes.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write = _Writer(builder, zero)
        rows = tile_rows(write.itemsize)
        columns = write.lanes // rows
        word = write.word
        base, stride, row_numbers, i, j, last, count, out, down, across = (
            builder.sext(value, word) if value.type.width < 64 else value for value in arguments[1:]
        )

        def address(first: Any, offset: int) -> Any:
            place = builder.add(first, word(offset))
            place = builder.select(builder.icmp_signed("<", place, last), place, last)
            number = write.load(builder.add(row_numbers, builder.mul(place, word(4))), write.number)
            return builder.add(base, builder.mul(builder.sext(number, word), stride))

        left, right = [address(i, r) for r in range(rows)], [address(j, c) for c in range(columns)]

        def body(step: Any, sums: list[Any]) -> list[Any]:
            at = builder.mul(step, word(write.itemsize * write.lanes))
            a, b = ([write.load(builder.add(row, at), write.vector) for row in side] for side in (left, right))
            return [write.add_product(a[n // columns], b[n % columns], total) for n, total in enumerate(sums)]

        found = write.sums(write.loop(count, [write.zero()] * write.lanes, body))
        for n in range(write.lanes):
            r, c = builder.mul(down, word(n // columns)), builder.mul(across, word(n % columns))
            place = builder.inttoptr(builder.add(out, builder.add(r, c)), write.scalar.as_pointer())
            builder.store(builder.extract_element(found, write.number(n)), place)
        return context.get_dummy_value()

    return types.none(zero, base, stride, row_numbers, i, j, last, count, out, down, across), generate


@intrinsic  # type: ignore[untyped-decorator]
def add_outer(_: Any, sign: Any, rows: Any, stride: Any, count: Any, a: Any, b: Any, square: Any, side: Any,
              tall: Any, wide: Any) -> Any:  # fmt: skip
    """``square[a + m, b + n] += sign · Σ rows[:, a + m] · rows[:, b + n]``, m < ``tall`` and n in ``wide`` registers.

    ``rows`` and ``square`` are addresses, ``stride`` and ``side`` are the bytes from a row of theirs to the next. The
    sum is over ``count`` rows, 1 or more.
    """
    if not isinstance(wide, types.IntegerLiteral) or not isinstance(tall, types.IntegerLiteral):
        raise errors.RequireLiteralValue("tall and wide have to be constants")
    height, width = tall.literal_value, wide.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write = _Writer(builder, sign)
        word = write.word
        rows, stride, count, a, b, square, side = (
            builder.sext(value, word) if value.type.width < 64 else value for value in arguments[1:-2]
        )
        across = builder.add(rows, builder.mul(b, word(write.itemsize)))
        down = builder.add(rows, builder.mul(a, word(write.itemsize)))
        corner = builder.add(square, builder.add(builder.mul(a, side), builder.mul(b, word(write.itemsize))))
        starts = [builder.add(corner, builder.mul(side, word(m))) for m in range(height)]
        addresses = [builder.add(start, word(n * REGISTER)) for start in starts for n in range(width)]
        factor = write.spread(arguments[0])

        def body(step: Any, sums: list[Any]) -> list[Any]:
            at = builder.mul(step, stride)
            first, factors = builder.add(across, at), builder.add(down, at)
            vectors = [write.load(builder.add(first, word(n * REGISTER)), write.vector) for n in range(width)]
            results = []
            for m in range(height):
                one = write.load(builder.add(factors, word(m * write.itemsize)), write.scalar)
                spread = write.spread(one)
                results += [write.add_product(spread, v, sums[m * width + n]) for n, v in enumerate(vectors)]
            return results

        # The sum of these rows is added at the end, not carried on: fewer numbers are rounded at its size.
        for value, address in zip(write.loop(count, [write.zero()] * len(addresses), body), addresses, strict=True):
            write.store(write.add_product(factor, value, write.load(address, write.vector)), address)
        return context.get_dummy_value()

    return types.none(sign, rows, stride, count, a, b, square, side, tall, wide), generate


def _over_registers(number: Any, addresses: int, body: Any) -> tuple[Any, Any]:
    """Signature and code of ``f(number, addresses …, count)``: the body for each of ``count`` registers, 1 or more."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write = _Writer(builder, number)
        factor = write.spread(arguments[0])

        def once(step: Any, _: list[Any]) -> list[Any]:
            at = builder.mul(step, write.word(REGISTER))
            body(write, factor, *(builder.add(address, at) for address in arguments[1:-1]))
            return []

        write.loop(arguments[-1], [], once)
        return context.get_dummy_value()

    return types.none(number, *[types.int64] * (addresses + 1)), generate


@intrinsic  # type: ignore[untyped-decorator]
def add_scaled(_: Any, factor: Any, source: Any, target: Any, count: Any) -> Any:
    """``target += factor · source``; addresses, and the number of registers."""

    def body(write: Any, factor: Any, source: Any, target: Any) -> None:
        value = write.add_product(factor, write.load(source, write.vector), write.load(target, write.vector))
        write.store(value, target)

    return _over_registers(factor, 2, body)


@intrinsic  # type: ignore[untyped-decorator]
def scale(_: Any, factor: Any, target: Any, count: Any) -> Any:
    """``target *= factor``."""

    def body(write: Any, factor: Any, target: Any) -> None:
        write.store(write.builder.fmul(factor, write.load(target, write.vector)), target)

    return _over_registers(factor, 1, body)


@intrinsic  # type: ignore[untyped-decorator]
def copy(_: Any, number: Any, source: Any, target: Any, count: Any) -> Any:
    """``target = source``; ``number`` says the number type."""

    def body(write: Any, _: Any, source: Any, target: Any) -> None:
        write.store(write.load(source, write.vector), target)

    return _over_registers(number, 2, body)


@intrinsic  # type: ignore[untyped-decorator]
def dot(_: Any, zero: Any, left: Any, right: Any, count: Any) -> Any:
    """Inner product of ``count`` registers, 1 or more; ``zero`` says the number type."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write = _Writer(builder, zero)
        left, right, count = arguments[1:]

        def once(step: Any, sums: list[Any]) -> list[Any]:
            at = builder.mul(step, write.word(REGISTER))
            a, b = (write.load(builder.add(side, at), write.vector) for side in (left, right))
            return [write.add_product(a, b, sums[0])]

        [total] = write.loop(count, [write.zero()], once)
        half = write.lanes // 2
        while half:
            turned = [(lane + half) % write.lanes for lane in range(write.lanes)]
            total = builder.fadd(total, write.shuffled(total, total, turned))
            half //= 2
        return builder.extract_element(total, write.number(0))

    return zero(zero, types.int64, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_: Any, address: Any) -> Any:
    """Ask for the cache line at ``address``; a hint that cannot fail."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0"
        )
        read, keep, data = number(0), number(3), number(1)
        builder.call(function, [builder.inttoptr(arguments[0], byte), read, keep, data])
        return context.get_dummy_value()

    return types.none(address), generate
