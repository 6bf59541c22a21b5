"""Building lane programs: a `LaneBuilder` collects statements, names their results and keeps their origin.

Every statement gets the place of the *origin*, the source statement that is being lowered (`at`), and its
result a unique name made from that statement's result. Literals are shared within the regions where they are
visible.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager

from asmgen.graph import ops as graph
from asmgen.ir.numbers import integer_range, round_float
from asmgen.ir.program import Attribute, Module, Op, Region, Statement, Value
from asmgen.ir.types import F32, ElementType, LaneType, NumberKind, ValueType
from asmgen.lanewise import ops
from asmgen.lanewise.matrix_ops import MATRIX
from asmgen.lanewise.records import numbers_of
from isa.diagnostics import Place

Number = int | float | bool


def round_to(value: Number, element: ElementType) -> Number:
    """`value` as the element type holds it: floats rounded to nearest even (overflow gives infinity),
    integers wrapped."""
    if element is F32:
        return _round_f32(float(value))
    if element.is_float:
        return round_float(float(value), element)
    if element.kind is NumberKind.BOOL:
        return bool(value)
    low, _ = integer_range(element)
    return (int(value) - low) % (1 << element.bits) + low


def _round_f32(value: float) -> float:
    """The C conversion, for speed: an expansion has many constants."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def splat_literal(statement: Statement) -> Number | None:
    """The number in every lane of a lane literal; None for other statements, tensors, and literals whose
    lanes differ."""
    if statement.op is not graph.LITERAL or not isinstance(statement.result.type, LaneType):
        return None
    values = numbers_of(statement)
    first = values[0]
    return first if all(repr(value) == repr(first) for value in values) else None


class LaneBuilder:
    """Collects the statements of one module, region by region.

    `taken` are names that must not be given again. Operand and result types are checked by each op's row.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}
        self._regions: list[list[Statement]] = [[]]
        self._literals: list[dict[tuple[str, str], Value]] = [{}]
        self._numbers_of: dict[Value, Number] = {}
        self._place: Place | None = None
        self._hint = ""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What is in the region that is being built."""
        return tuple(self._regions[-1])

    def module(self, name: str) -> Module:
        """The finished module."""
        return Module(name, tuple(self._regions[0]))

    def at(self, origin: Statement) -> AbstractContextManager[None]:
        """Statements made inside come from `origin`: they have its place, and names made from its
        result's."""
        return self.origin(origin.place, origin.results[0].name if origin.results else origin.op.name)

    @contextmanager
    def origin(self, place: Place | None, hint: str) -> Generator[None]:
        """Statements made inside have a place, and names made from `hint`."""
        before = self._place, self._hint
        self._place, self._hint = place, hint
        try:
            yield
        finally:
            self._place, self._hint = before

    def fresh(self, hint: str) -> str:
        """A name that was not given before: `hint` itself if it is free, or with a number."""
        if hint not in self._taken:
            self._taken.add(hint)
            return hint
        number = self._numbers.get(hint, 0) + 1
        while (name := f"{hint}_{number}") in self._taken:
            number += 1
        self._numbers[hint] = number
        self._taken.add(name)
        return name

    def append(self, statement: Statement) -> None:
        """Put a finished statement at the end of the region."""
        self._regions[-1].append(statement)
        self._taken.update(value.name for value in statement.results)
        number = splat_literal(statement)
        if number is not None:
            self._numbers_of[statement.result] = number

    def emit(self, op: Op, *operands: Value, name: str = "", **attributes: Attribute) -> tuple[Value, ...]:
        """Append `op`; attributes left out take their defaults. The results have the types that the op's row
        infers."""
        whole = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
        given = {key: value for key, value in whole.items() if value is not None}
        return self.apply(op, operands, given, name)

    def apply(
        self, op: Op, operands: tuple[Value, ...], attributes: dict[str, Attribute], name: str = ""
    ) -> tuple[Value, ...]:
        """`emit` with every attribute in a dict, as another statement has them."""
        types = op.infer(op, tuple(operand.type for operand in operands), attributes, self._place)
        return self._append(op, operands, types, attributes, (), name)

    def _append(
        self,
        op: Op,
        operands: tuple[Value, ...],
        types: tuple[ValueType, ...],
        attributes: dict[str, Attribute],
        regions: tuple[Region, ...],
        name: str,
    ) -> tuple[Value, ...]:
        hint = name or self._hint or op.name
        results = tuple(Value(self.fresh(hint), type_) for type_ in types)
        self._regions[-1].append(Statement(op, operands, results, attributes, regions, self._place))
        return results

    def value(self, op: Op, *operands: Value, name: str = "", **attributes: Attribute) -> Value:
        """`emit` for an op with one result."""
        (result,) = self.emit(op, *operands, name=name, **attributes)
        return result

    # Literals

    def constant(self, value: Number, type_: LaneType | ElementType) -> Value:
        """A literal; on a vector type every lane holds `value`. One literal serves wherever it is visible."""
        lane_type = type_ if isinstance(type_, LaneType) else LaneType(type_)
        rounded = round_to(value, lane_type.element)
        key = (str(lane_type), repr(rounded))
        for visible in self._literals:
            if key in visible:
                return visible[key]
        (result,) = self._append(
            graph.LITERAL, (), (lane_type,), {"values": (rounded,) * lane_type.lanes}, (), "c"
        )
        self._literals[-1][key] = result
        self._numbers_of[result] = rounded
        return result

    def literal_of(self, value: Value) -> Number | None:
        """The number that a lane value is in every lane, if it is a literal."""
        return self._numbers_of.get(value)

    def like(self, value: Number, other: Value) -> Value:
        """A literal of the type of `other`."""
        assert isinstance(other.type, LaneType)
        return self.constant(value, other.type)

    # Regions

    @contextmanager
    def nested(self) -> Generator[list[Statement]]:
        """Statements made inside go into the list it gives, which becomes a region."""
        statements: list[Statement] = []
        self._regions.append(statements)
        self._literals.append({})
        try:
            yield statements
        finally:
            _ = self._regions.pop()
            _ = self._literals.pop()

    def region(self, parameters: tuple[Value, ...], body: Callable[[], Sequence[Value]]) -> Region:
        """A region whose statements `body` makes; what `body` returns is yielded."""
        with self.nested() as statements:
            _ = self.emit(ops.YIELD, *body())
        return Region(parameters, tuple(statements))

    def if_(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]] | None = None,
    ) -> tuple[Value, ...]:
        """`if` with results: what the two bodies return, type by type. Without `otherwise` there are no
        results."""
        _ = ops.IF.infer(ops.IF, (condition.type,), {}, self._place)
        regions = [self.region((), then)]
        if otherwise is not None:
            regions.append(self.region((), otherwise))
        return self._append(ops.IF, (condition,), _yielded(regions[0]), {}, tuple(regions), "")

    def for_(
        self,
        start: Value,
        stop: Value,
        step: Value,
        initial: Sequence[Value],
        body: Callable[[Value, tuple[Value, ...]], Sequence[Value]],
    ) -> tuple[Value, ...]:
        """`for` over `start`, `start + step`, ... below `stop`; `body` takes the counter and the carried
        values and returns the next ones."""
        operands = (start, stop, step, *initial)
        types = ops.FOR.infer(ops.FOR, tuple(value.type for value in operands), {}, self._place)
        counter = Value(self.fresh("i"), start.type)
        carried = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        region = self.region((counter, *carried), lambda: body(counter, carried))
        return self._append(ops.FOR, operands, types, {}, (region,), "")

    def while_(
        self,
        initial: Sequence[Value],
        test: Callable[[tuple[Value, ...]], Value],
        body: Callable[[tuple[Value, ...]], Sequence[Value]],
    ) -> tuple[Value, ...]:
        """`while`: as long as `test` of the carried values holds, `body` gives the next ones."""
        types = ops.WHILE.infer(ops.WHILE, tuple(value.type for value in initial), {}, self._place)
        before = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        inside = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        regions = (self.region(before, lambda: (test(before),)), self.region(inside, lambda: body(inside)))
        return self._append(ops.WHILE, tuple(initial), types, {}, regions, "")

    # Places and memory

    def launch(self, grid: tuple[int, int, int], block: tuple[int, int, int]) -> None:
        _ = self.emit(ops.LAUNCH, grid=grid, block=block)

    def workgroup_id(self, axis: int = 0) -> Value:
        return self.value(ops.WORKGROUP_ID, axis=axis, name="workgroup")

    def local_id(self, axis: int = 0) -> Value:
        return self.value(ops.LOCAL_ID, axis=axis, name="lane")

    def load(self, buffer: Value, index: Value, lanes: int = 1, offset: int = 0) -> Value:
        """`lanes` elements from `index` on; `offset` is in bytes."""
        if lanes == 1:
            return self.value(ops.LOAD, buffer, index, offset=offset)
        return self.value(ops.VECTOR_LOAD, buffer, index, size=lanes, offset=offset)

    def store(self, buffer: Value, index: Value, value: Value, offset: int = 0) -> None:
        """Every lane of `value` from `index` on; `offset` is in bytes."""
        assert isinstance(value.type, LaneType)
        if value.type.lanes == 1:
            _ = self.emit(ops.STORE, buffer, index, value, offset=offset)
        else:
            _ = self.emit(ops.VECTOR_STORE, buffer, index, value, size=value.type.lanes, offset=offset)

    def lds_allocate(self, element: ElementType, size: int) -> Value:
        return self.value(ops.LDS_ALLOCATE, size=size, type=element.name, name="lds")

    def lds_load(self, lds: Value, index: Value, lanes: int = 1, offset: int = 0) -> Value:
        return self.value(ops.LDS_LOAD, lds, index, size=lanes, offset=offset)

    def lds_store(self, lds: Value, index: Value, value: Value, offset: int = 0) -> None:
        assert isinstance(value.type, LaneType)
        _ = self.emit(ops.LDS_STORE, lds, index, value, size=value.type.lanes, offset=offset)

    def barrier(self) -> None:
        _ = self.emit(ops.BARRIER)

    # Vectors and lanes

    def pack(self, *parts: Value) -> Value:
        return self.value(ops.PACK, *parts)

    def extract(self, vector: Value, index: int, lanes: int = 1) -> Value:
        return self.value(ops.EXTRACT, vector, index=index, size=lanes)

    def splat(self, value: Value, lanes: int) -> Value:
        return self.value(ops.SPLAT, value, lanes=lanes)

    def lane_shuffle(self, value: Value, lane: Value) -> Value:
        return self.value(ops.LANE_SHUFFLE, value, lane)

    def read_first_lane(self, value: Value) -> Value:
        return self.value(ops.READ_FIRST_LANE, value)

    def matrix(self, by: str, a: Value, b: Value, c: Value) -> Value:
        """a times b added to c, by the matrix instruction `by` of the target."""
        return self.value(MATRIX, a, b, c, by=by)

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
        return self.value(ops.BITWISE_OR, a, b)

    def bitwise_xor(self, a: Value, b: Value) -> Value:
        return self.value(ops.BITWISE_XOR, a, b)

    def bitwise_not(self, a: Value) -> Value:
        return self.value(ops.BITWISE_NOT, a)

    def multiply_high(self, a: Value, b: Value) -> Value:
        return self.value(ops.MULTIPLY_HIGH, a, b)

    def less_equal(self, a: Value, b: Value) -> Value:
        return self.value(ops.LESS_EQUAL, a, b)

    def greater_equal(self, a: Value, b: Value) -> Value:
        return self.value(ops.GREATER_EQUAL, a, b)

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


def _yielded(region: Region) -> tuple[ValueType, ...]:
    return tuple(value.type for value in region.statements[-1].operands)
