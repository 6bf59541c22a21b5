"""Arithmetic on numbers of type `index`: in 32 bits if the bounds allow it, else in 64.

    thread = gpu.thread_id x          0 to 1023
    block = gpu.block_id x            0 to 4294967295
    arith.muli block, c4              up to 2^34: 64 bits
    memref.load x[that]               only its lower 32 bits, computed in 32 bits

Sums, differences and products have the same lower bits in both widths. An address needs only the lower bits,
so `word` computes them from the words of the operands, even for a number that may be large.

Bounds are intervals of the values at run time (`asmgen.index.interval`). A number beyond 64 bits wraps.
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.graph import ops as graph
from asmgen.index.interval import I32_BOUNDS, I64_BOUNDS, WORD, Interval
from asmgen.ir.program import Op, Value
from asmgen.ir.shapes import MOST_WORK_ITEMS
from asmgen.ir.types import I32, I64, U32, U64, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.values import Index

FAST = 1 << 24  # numbers below it are multiplied at the full rate


class IndexBuilder:
    """Makes the statements of index arithmetic. `relations` compares numbers, `quotients` divides them."""

    def __init__(self, builder: LaneBuilder) -> None:
        self.builder = builder
        self._roles: dict[Value, tuple[str, int]] = {}  # the role and axis of ids and sizes of the launch
        self._made_of: dict[
            Value, tuple[Op, Index, Index]
        ] = {}  # the op and operands of wide sums and products

    # Numbers

    def constant(self, number: int) -> Index:
        if Interval(number, number).is_word:
            return Index(self.builder.constant(number & WORD, U32), number, number)
        return Index(self.builder.constant(number, I64), number, number)

    def of_word(self, value: Value, low: int, high: int) -> Index:
        """The number with its lower bits in a u32. The bounds must fit into 32 bits."""
        return self.constant(low) if low == high else Index(value, low, high)

    def of_wide(self, value: Value, low: int = I64_BOUNDS.low, high: int = I64_BOUNDS.high) -> Index:
        """The number in an i64."""
        if low == high:
            return self.constant(low)
        is_word = Interval(low, high).is_word
        return Index(self.builder.value(ops.LOW_WORD, value) if is_word else value, low, high)

    def of_launch(self, role: str, axis: int, value: Value, bounds: tuple[int, int]) -> Index:
        """An id or a size of the launch: `thread`, `block`, `block size` or `grid size`. A launch has at most
        2^31 work-items along an axis, so the number of a work-item fits into 32 bits, even a full stride
        further on."""
        self._roles[value] = role, axis
        return Index(value, *bounds)

    def _is_of_grid(self, a: Index, b: Index, roles: tuple[str, str]) -> int | None:
        """The axis along which two numbers have these roles, in either order; None if they do not."""
        pair = [self._roles.get(number.value, ("", -1)) for number in (a, b)]
        for first, second in (pair, pair[::-1]):
            if (first[0], second[0]) == roles and first[1] == second[1]:
                return first[1]
        return None

    def word(self, index: Index) -> Value:
        """The lower 32 bits, as a u32."""
        if index.value.type == LaneType(U32):
            return index.value
        if index.is_constant:
            return self.builder.constant(index.low & WORD, U32)
        made = self._made_of.get(index.value)
        if made is None:
            return self.builder.value(ops.LOW_WORD, index.value)
        op, a, b = made
        return self.builder.value(op, self.word(a), self.word(b))

    def wide(self, index: Index) -> Value:
        """All 64 bits, as an i64."""
        builder = self.builder
        if index.is_constant:
            return builder.constant(index.low, I64)
        if index.value.type != LaneType(U32):
            return index.value
        if index.is_u32:
            return builder.convert(index.value, I64)
        return builder.convert(builder.bit_cast(index.value, I32), I64)

    def signed(self, index: Index) -> Value:
        """An i32, if the bounds fit."""
        return self.builder.bit_cast(self.word(index), I32)

    def with_bounds(self, index: Index, low: int, high: int) -> Index:
        """A number known to be within bounds. A 64-bit number may become a word."""
        low, high = max(low, index.low), min(high, index.high)
        if low > high:
            return index
        if Interval(low, high).is_word and index.value.type != LaneType(U32):
            return Index(self.word(index), low, high)
        return index._replace(low=low, high=high)

    def in_form(self, index: Index, low: int, high: int) -> Value:
        """The value of a number in the form of wider bounds."""
        return self.word(index) if Interval(low, high).is_word else self.wide(index)

    # Sums and products

    def add(self, a: Index, b: Index) -> Index:
        if a.is_constant and a.low == 0:
            return b
        if b.is_constant and b.low == 0:
            return a
        if self._is_of_grid(a, b, ("block start", "thread")) is not None:
            return self._modular(graph.ADD, a, b, Interval(0, MOST_WORK_ITEMS - 1))
        return self._modular(graph.ADD, a, b, a.bounds.plus(b.bounds))

    def sub(self, a: Index, b: Index) -> Index:
        if b.is_constant and b.low == 0:
            return a
        return self._modular(graph.SUB, a, b, a.bounds.minus(b.bounds))

    def mul(self, a: Index, b: Index) -> Index:
        for factor, other in ((a, b), (b, a)):
            if factor.is_constant and factor.low in (0, 1):
                return other if factor.low else self.constant(0)
        axis = self._is_of_grid(a, b, ("block", "block size"))
        if axis is not None:
            start = self._modular(graph.MUL, a, b, Interval(0, MOST_WORK_ITEMS - 1))
            return self.of_launch("block start", axis, start.value, start.bounds)
        if self._is_of_grid(a, b, ("block size", "grid size")) is not None:
            return self._modular(graph.MUL, a, b, Interval(1, MOST_WORK_ITEMS))
        return self._modular(graph.MUL, a, b, a.bounds.times(b.bounds))

    def sum(self, numbers: Iterable[Index]) -> Index:
        total = self.constant(0)
        for number in numbers:
            total = self.add(total, number)
        return total

    def _modular(self, op: Op, a: Index, b: Index, bounds: Interval) -> Index:
        if bounds.low == bounds.high:
            return self.constant(bounds.low)
        if not I64_BOUNDS.contains(bounds):
            bounds = I64_BOUNDS
        if bounds.is_word:
            return Index(self._word_product(op, a, b), *bounds)
        value = self.builder.value(op, self.wide(a), self.wide(b))
        self._made_of[value] = op, a, b
        return Index(value, *bounds)

    def _word_product(self, op: Op, a: Index, b: Index) -> Value:
        """A product with a constant states the bound of the other factor, if the factor is small."""
        for factor, other in ((a, b), (b, a)):
            if (
                op is graph.MUL
                and factor.is_constant
                and 0 <= factor.low < FAST
                and 0 <= other.low <= other.high < FAST
            ):
                return self.builder.multiple(self.word(other), factor.low, other.high)
        return self.builder.value(op, self.word(a), self.word(b))

    # Addresses

    def address(self, offset: Index, indices: Iterable[Index], strides: Iterable[Index]) -> Value:
        """The lower 32 bits of offset + sum of index times stride."""
        terms: list[Value] = []
        constant = offset.low if offset.is_constant else 0
        if not offset.is_constant:
            terms.append(self.word(offset))
        for index, stride in zip(indices, strides, strict=True):
            if index.is_constant and stride.is_constant:
                constant += index.low * stride.low
            elif stride.is_constant and stride.low == 1:
                terms.append(self.word(index))
            elif not (stride.is_constant and stride.low == 0):
                terms.append(self._word_product(graph.MUL, index, stride))
        if constant & WORD or not terms:
            terms.append(self.builder.constant(constant & WORD, U32))
        total = terms[0]
        for term in terms[1:]:
            total = self.builder.add(total, term)
        return total

    # Bits

    def bitwise(self, op: Op, a: Index, b: Index) -> Index:
        """`bitwise_and`, `bitwise_or` or `bitwise_xor`."""
        if a.low >= 0 and b.low >= 0:
            bits = max(a.high, b.high).bit_length()
            high = min(a.high, b.high) if op is graph.BITWISE_AND else (1 << bits) - 1
            if max(a.high, b.high) <= WORD:
                return self.of_word(self.builder.value(op, self.word(a), self.word(b)), 0, high)
        if op is graph.BITWISE_AND:
            for mask, other in ((a, b), (b, a)):
                if mask.is_u32:
                    return Index(self.builder.value(op, self.word(mask), self.word(other)), 0, mask.high)
        return self._modular_bits(op, a, b)

    def _modular_bits(self, op: Op, a: Index, b: Index) -> Index:
        signed = a.is_i32 and b.is_i32
        return self._modular(op, a, b, I32_BOUNDS if signed else I64_BOUNDS)

    def shift_left(self, a: Index, count: Index) -> Index:
        if count.is_constant and 0 <= count.low < 63:
            return self.mul(a, self.constant(1 << count.low))
        if count.low >= 0 and count.high < 32 and a.low >= 0 and a.high << count.high <= WORD:
            value = self.builder.shift_left(self.word(a), self.word(count))
            return self.of_word(value, *a.bounds.shifted_left(count.bounds))
        return self.of_wide(self.builder.shift_left(self.wide(a), self.wide(count)))

    def shift_right(self, a: Index, count: Index, *, signed: bool) -> Index:
        builder = self.builder
        if a.low >= 0 and a.is_u32 and count.low >= 0 and count.high < 32:
            moved = builder.shift_right(self.word(a), self.word(count))
            return self.of_word(moved, *a.bounds.shifted_right(count.bounds))
        if signed or a.low >= 0:
            return self.of_wide(
                builder.shift_right(self.wide(a), self.wide(count)), min(a.low, 0), max(a.high, 0)
            )
        moved = builder.shift_right(builder.bit_cast(self.wide(a), U64), self.wide(count))
        return self.of_wide(builder.bit_cast(moved, I64))

    # Choices

    def least(self, a: Index, b: Index, *, signed: bool = True) -> Index:
        return self._extreme(graph.MIN, a, b, signed)

    def greatest(self, a: Index, b: Index, *, signed: bool = True) -> Index:
        return self._extreme(graph.MAX, a, b, signed)

    def _extreme(self, op: Op, a: Index, b: Index, signed: bool) -> Index:
        low, high = a.bounds.smaller(b.bounds) if op is graph.MIN else a.bounds.larger(b.bounds)
        unsigned_wide = not signed and (a.low < 0 or b.low < 0)
        if low == high and not unsigned_wide:
            return self.constant(low)
        if a.is_u32 and b.is_u32:
            return Index(self.builder.value(op, self.word(a), self.word(b)), low, high)
        if a.is_i32 and b.is_i32 and not unsigned_wide:
            made = self.builder.value(op, self.signed(a), self.signed(b))
            return Index(self.builder.bit_cast(made, U32), low, high)
        if unsigned_wide:
            whole = [self.builder.bit_cast(self.wide(number), U64) for number in (a, b)]
            return self.of_wide(self.builder.bit_cast(self.builder.value(op, *whole), I64))
        return self.of_wide(self.builder.value(op, self.wide(a), self.wide(b)), low, high)

    def select(self, condition: Value, a: Index, b: Index) -> Index:
        """`a` if the condition is true, else `b`."""
        bounds = a.bounds.joined(b.bounds)
        if bounds.low == bounds.high:
            return self.constant(bounds.low)
        value = self.builder.where(condition, self.in_form(a, *bounds), self.in_form(b, *bounds))
        return Index(value, *bounds)
