"""Builds lane programs: a `LaneBuilder` has a method for each op.

    builder = LaneBuilder()
    total = builder.add(builder.load(x, index), builder.constant(1.0, F32))

makes `load(x, index)`, `@literal{1.0}` and `add(load, c)`. Literals are shared within the regions that see
them.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph import ops as graph
from asmgen.ir.program import Attribute, Op, Value
from asmgen.ir.types import ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.records import ANY_BYTES, Touched
from asmgen.lanewise.region_builder import RegionBuilder


class LaneBuilder(RegionBuilder):
    """A method for each op, in the order of its operands."""

    # Places and memory

    def launch(self, grid: tuple[int, int, int], block: tuple[int, int, int], open: str = "none") -> None:
        """The first statement; `open` names the part of the launch that is unknown at compile time: `none`,
        the `grid`, or the `block` too."""
        _ = self.emit(ops.LAUNCH, grid=grid, block=block, open=open)

    def workgroup_id(self, axis: int = 0) -> Value:
        return self.value(ops.WORKGROUP_ID, axis=axis, name="workgroup")

    def local_id(self, axis: int = 0) -> Value:
        return self.value(ops.LOCAL_ID, axis=axis, name="lane")

    def workgroup_size(self, axis: int = 0) -> Value:
        return self.value(ops.WORKGROUP_SIZE, axis=axis, name="size")

    def workgroup_count(self, axis: int = 0) -> Value:
        return self.value(ops.WORKGROUP_COUNT, axis=axis, name="count")

    def load(
        self, buffer: Value, index: Value, lanes: int = 1, offset: int = 0, touched: Touched = ANY_BYTES
    ) -> Value:
        """`lanes` elements from `index` on; `offset` is in bytes."""
        size = {"size": lanes} if lanes > 1 else {}
        op = ops.VECTOR_LOAD if size else ops.LOAD
        (result,) = self._access(op, (buffer, index), touched, {**size, "offset": offset})
        return result

    def store(
        self,
        buffer: Value,
        index: Value,
        value: Value,
        offset: int = 0,
        streams: bool = False,
        touched: Touched = ANY_BYTES,
    ) -> None:
        """Every lane of `value` from `index` on; `offset` is in bytes."""
        assert isinstance(value.type, LaneType)
        size = {"size": value.type.lanes} if value.type.lanes > 1 else {}
        op = ops.VECTOR_STORE if size else ops.STORE
        attributes = {**size, "offset": offset, "streams": streams}
        _ = self._access(op, (buffer, index, value), touched, attributes)

    def _access(
        self, op: Op, operands: tuple[Value, ...], touched: Touched, attributes: Mapping[str, Attribute]
    ) -> tuple[Value, ...]:
        stated = {"slot": touched.slot, "at": touched.at, "bytes": touched.bytes}
        return self.apply(op, operands, {**attributes, **stated})

    def lds_allocate(self, element: ElementType, size: int) -> Value:
        return self.value(ops.LDS_ALLOCATE, size=size, type=element.name, name="lds")

    def lds_load(
        self, lds: Value, index: Value, lanes: int = 1, offset: int = 0, touched: Touched = ANY_BYTES
    ) -> Value:
        attributes = {"size": lanes, "offset": offset}
        (result,) = self._access(ops.LDS_LOAD, (lds, index), touched, attributes)
        return result

    def lds_transpose_load(
        self,
        by: str,
        lds: Value,
        index: Value,
        lanes: int,
        offset: int = 0,
        touched: Touched = ANY_BYTES,
    ) -> Value:
        """Elements of the `lanes` elements that each lane's index names, by the target's load `by`."""
        attributes = {"by": by, "size": lanes, "offset": offset}
        (result,) = self._access(ops.LDS_TRANSPOSE_LOAD, (lds, index), touched, attributes)
        return result

    def lds_store(
        self, lds: Value, index: Value, value: Value, offset: int = 0, touched: Touched = ANY_BYTES
    ) -> None:
        assert isinstance(value.type, LaneType)
        attributes = {"size": value.type.lanes, "offset": offset}
        _ = self._access(ops.LDS_STORE, (lds, index, value), touched, attributes)

    def load_to_lds(
        self,
        buffer: Value,
        index: Value,
        lds: Value,
        place: Value,
        lanes: int,
        condition: Value | None = None,
        touched: Touched = ANY_BYTES,
    ) -> None:
        """`lanes` elements of the buffer from `index` on, of lane i of the wave to LDS, to
        `place + lanes * i`; zeros if the condition is false."""
        masked = () if condition is None else (condition,)
        _ = self._access(ops.LOAD_TO_LDS, (buffer, index, lds, place, *masked), touched, {"size": lanes})

    def async_wait(self, pending: int) -> None:
        _ = self.emit(ops.ASYNC_WAIT, pending=pending)

    def scratch_allocate(self, element: ElementType, size: int) -> Value:
        """Memory of each lane, of `size` elements."""
        return self.value(ops.SCRATCH_ALLOCATE, size=size, type=element.name, name="private")

    def scratch_load(self, memory: Value, index: Value, lanes: int = 1, offset: int = 0) -> Value:
        return self.value(ops.SCRATCH_LOAD, memory, index, size=lanes, offset=offset)

    def scratch_store(self, memory: Value, index: Value, value: Value, offset: int = 0) -> None:
        assert isinstance(value.type, LaneType)
        _ = self.emit(ops.SCRATCH_STORE, memory, index, value, size=value.type.lanes, offset=offset)

    def barrier(self) -> None:
        _ = self.emit(ops.BARRIER)

    def stagger(self) -> None:
        """A barrier of some waves, in a branch."""
        _ = self.emit(ops.STAGGER)

    def order(self) -> None:
        _ = self.emit(ops.ORDER)

    def priority(self, level: int) -> None:
        _ = self.emit(ops.PRIORITY, level=level)

    # Vectors and lanes

    def pack(self, *parts: Value) -> Value:
        return self.value(ops.PACK, *parts)

    def extract(self, vector: Value, index: int, lanes: int = 1) -> Value:
        return self.value(ops.EXTRACT, vector, index=index, size=lanes)

    def splat(self, value: Value, lanes: int) -> Value:
        return self.value(ops.SPLAT, value, lanes=lanes)

    def lane_shuffle(self, value: Value, lane: Value) -> Value:
        return self.value(ops.LANE_SHUFFLE, value, lane)

    def lane_exchange(self, value: Value, mask: int) -> Value:
        """The value of the lane with the same number except for the bits of the mask."""
        return self.value(ops.LANE_EXCHANGE, value, mask=mask)

    def read_first_lane(self, value: Value) -> Value:
        return self.value(ops.READ_FIRST_LANE, value)

    def matrix(self, by: str, a: Value, b: Value, c: Value, *scales: Value) -> Value:
        """a times b added to c, by the matrix instruction `by` of the target."""
        return self.value(ops.MATRIX, a, b, c, *scales, by=by)

    # Arithmetic: the graph's ops

    def add(self, a: Value, b: Value) -> Value:
        return self.value(graph.ADD, a, b)

    def sub(self, a: Value, b: Value) -> Value:
        return self.value(graph.SUB, a, b)

    def mul(self, a: Value, b: Value) -> Value:
        return self.value(graph.MUL, a, b)

    def div(self, a: Value, b: Value) -> Value:
        return self.value(graph.DIV, a, b)

    def max(self, a: Value, b: Value) -> Value:
        return self.value(graph.MAX, a, b)

    def min(self, a: Value, b: Value) -> Value:
        return self.value(graph.MIN, a, b)

    def abs(self, a: Value) -> Value:
        return self.value(graph.ABS, a)

    def neg(self, a: Value) -> Value:
        return self.value(graph.NEG, a)

    def floor(self, a: Value) -> Value:
        return self.value(graph.FLOOR, a)

    def ceil(self, a: Value) -> Value:
        return self.value(graph.CEIL, a)

    def nearbyint(self, a: Value) -> Value:
        return self.value(graph.NEARBYINT, a)

    def where(self, condition: Value, a: Value, b: Value) -> Value:
        return self.value(graph.WHERE, condition, a, b)

    def equal(self, a: Value, b: Value) -> Value:
        return self.value(graph.EQUAL, a, b)

    def less(self, a: Value, b: Value) -> Value:
        return self.value(graph.LESS, a, b)

    def greater(self, a: Value, b: Value) -> Value:
        return self.value(graph.GREATER, a, b)

    def logical_and(self, a: Value, b: Value) -> Value:
        return self.value(graph.LOGICAL_AND, a, b)

    def logical_or(self, a: Value, b: Value) -> Value:
        return self.value(graph.LOGICAL_OR, a, b)

    def logical_xor(self, a: Value, b: Value) -> Value:
        return self.value(graph.LOGICAL_XOR, a, b)

    def logical_not(self, a: Value) -> Value:
        return self.value(graph.NOT, a)

    def bitwise_and(self, a: Value, b: Value) -> Value:
        return self.value(graph.BITWISE_AND, a, b)

    def convert(self, a: Value, element: ElementType) -> Value:
        return self.value(graph.CONVERT, a, target_type=element.name)

    def bit_cast(self, a: Value, element: ElementType) -> Value:
        return self.value(graph.BIT_CAST, a, target_type=element.name)

    # Arithmetic: the stages' ops

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        return self.value(ops.FMA, a, b, c)

    def shift_left(self, a: Value, count: Value) -> Value:
        return self.value(ops.SHIFT_LEFT, a, count)

    def shift_right(self, a: Value, count: Value) -> Value:
        return self.value(ops.SHIFT_RIGHT, a, count)

    def bitwise_or(self, a: Value, b: Value) -> Value:
        return self.value(graph.BITWISE_OR, a, b)

    def bitwise_xor(self, a: Value, b: Value) -> Value:
        return self.value(graph.BITWISE_XOR, a, b)

    def bitwise_not(self, a: Value) -> Value:
        return self.value(graph.BITWISE_NOT, a)

    def split_bits(self, a: Value, bits: int, element: ElementType) -> Value:
        """The numbers of `bits` bits of each element, as i8 or u8."""
        return self.value(ops.SPLIT_BITS, a, bits=bits, type=element.name)

    def multiple(self, a: Value, by: int, most: int) -> Value:
        """`by` times a u32 that is at most `most`."""
        return self.value(ops.MULTIPLE, a, by=by, most=most)

    def popcount(self, a: Value) -> Value:
        return self.value(graph.POPCOUNT, a)

    def leading_zeros(self, a: Value) -> Value:
        return self.value(graph.LEADING_ZEROS, a)

    def align_bits(self, upper: Value, lower: Value, count: Value) -> Value:
        """The lower word of both, shifted right together by a count modulo 32."""
        return self.value(ops.ALIGN_BITS, upper, lower, count)

    def signed_bits(self, a: Value, first: int, count: int) -> Value:
        """`count` bits of a word, from bit `first` on, as a number with a sign."""
        return self.value(ops.SIGNED_BITS, a, self.like(first, a), self.like(count, a))

    def choose_bits(self, mask: Value, a: Value, b: Value) -> Value:
        """Each bit of `a` if `mask` has a 1 there, else of `b`."""
        return self.value(ops.CHOOSE_BITS, mask, a, b)

    def multiply_add(self, a: Value, b: Value, c: Value) -> Value:
        """The product of two words plus a u64."""
        return self.value(ops.MULTIPLY_ADD, a, b, c)

    def first_one(self, a: Value) -> Value:
        return self.value(ops.FIRST_ONE, a)

    def multiply_high(self, a: Value, b: Value) -> Value:
        return self.value(ops.MULTIPLY_HIGH, a, b)

    def less_equal(self, a: Value, b: Value) -> Value:
        return self.value(ops.LESS_EQUAL, a, b)

    def greater_equal(self, a: Value, b: Value) -> Value:
        return self.value(ops.GREATER_EQUAL, a, b)

    def unordered(self, a: Value, b: Value) -> Value:
        return self.value(ops.UNORDERED, a, b)

    def maximum(self, a: Value, b: Value) -> Value:
        """A NaN of either operand stays."""
        return self.value(ops.MAXIMUM, a, b)

    def minimum(self, a: Value, b: Value) -> Value:
        """A NaN of either operand stays."""
        return self.value(ops.MINIMUM, a, b)

    def not_equal(self, a: Value, b: Value) -> Value:
        return self.value(ops.NOT_EQUAL, a, b)

    # The hardware's own functions

    def hw_exp2(self, a: Value) -> Value:
        return self.value(ops.HW_EXP2, a)

    def hw_log2(self, a: Value) -> Value:
        return self.value(ops.HW_LOG2, a)

    def hw_rcp(self, a: Value) -> Value:
        return self.value(ops.HW_RCP, a)

    def hw_rsq(self, a: Value) -> Value:
        return self.value(ops.HW_RSQ, a)

    def hw_sqrt(self, a: Value) -> Value:
        return self.value(ops.HW_SQRT, a)

    def hw_two_over_pi(self, a: Value, part: Value) -> Value:
        """53 bits of 2/pi, from a bit on that the exponent of `a` chooses; those after them are in later
        parts."""
        return self.value(ops.HW_TWO_OVER_PI, a, part)

    def ldexp(self, a: Value, exponent: Value) -> Value:
        return self.value(ops.LDEXP, a, exponent)

    def frexp_mantissa(self, a: Value) -> Value:
        return self.value(ops.FREXP_MANTISSA, a)

    def frexp_exponent(self, a: Value) -> Value:
        return self.value(ops.FREXP_EXPONENT, a)

    def trunc(self, a: Value) -> Value:
        return self.value(ops.TRUNC, a)

    def fract(self, a: Value) -> Value:
        return self.value(ops.FRACT, a)

    def med3(self, a: Value, b: Value, c: Value) -> Value:
        return self.value(ops.MED3, a, b, c)

    def copysign(self, magnitude: Value, sign: Value) -> Value:
        return self.value(ops.COPYSIGN, magnitude, sign)

    def div_scale(self, numerator: int, n: Value, d: Value) -> tuple[Value, Value]:
        """The operand `n` (`numerator=1`) or `d` (0) scaled for the division n/d, and whether the quotient
        must be scaled back."""
        scaled, flag = self.emit(ops.DIV_SCALE, n, d, numerator=numerator)
        return scaled, flag

    def div_fmas(self, a: Value, b: Value, c: Value, scaled: Value) -> Value:
        return self.value(ops.DIV_FMAS, a, b, c, scaled)

    def div_fixup(self, quotient: Value, denominator: Value, numerator: Value) -> Value:
        return self.value(ops.DIV_FIXUP, quotient, denominator, numerator)

    def is_class(self, a: Value, mask: int) -> Value:
        return self.value(ops.IS_CLASS, a, mask=mask)
