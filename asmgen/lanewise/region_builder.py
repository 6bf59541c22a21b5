"""Builds the regions of a lane program: statements of any op, literals, branches and loops.

    builder.if_(condition, lambda: (builder.constant(1.0, F32),), lambda: (x,))

makes `if(condition) {yield(@literal{1.0})} {yield(x)}`. `asmgen.lanewise.builder` adds a method for each op.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager

from asmgen.graph import ops as graph
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Attribute, Module, Op, Region, Statement, Value
from asmgen.ir.types import ElementType, LaneType, ValueType
from asmgen.lanewise import ops
from asmgen.lanewise.records import Number, splat_literal
from asmgen.lanewise.result_types import UNNAMED


class RegionBuilder(StatementBuilder[Op, ValueType]):
    """Each op's row checks the types of its operands and infers those of its results."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        super().__init__(taken)
        self._literals: list[dict[tuple[str, int, str], Value]] = [{}]
        self._numbers_of: dict[Value, Number] = {}

    def module(self, name: str) -> Module:
        """The finished module."""
        return Module(name, tuple(self._regions[0]))

    def at(self, origin: Statement) -> AbstractContextManager[None]:
        """Statements made inside come from `origin`: they have its place, and names made from its
        result's."""
        return self.origin(origin.place, origin.results[0].name if origin.results else origin.op.name)

    def append(self, statement: Statement) -> None:
        """Put a finished statement at the end of the region."""
        self._regions[-1].append(statement)
        self._taken.update([value.name for value in statement.results])
        number = splat_literal(statement)
        if number is not None:
            self._numbers_of[statement.result] = number

    def emit(self, op: Op, *operands: Value, name: str = "", **attributes: Attribute) -> tuple[Value, ...]:
        """Append `op`; attributes left out take their defaults. The results have the types that the op's row
        infers."""
        if not op.attributes:
            return self.apply(op, operands, {}, name)
        whole = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
        given = {key: value for key, value in whole.items() if value is not None}
        return self.apply(op, operands, given, name)

    def apply(
        self, op: Op, operands: tuple[Value, ...], attributes: dict[str, Attribute], name: str = ""
    ) -> tuple[Value, ...]:
        """`emit` with every attribute in a dict, as another statement has them."""
        types = op.infer(op, tuple([operand.type for operand in operands]), attributes, self._place)
        return self._append(op, operands, types, attributes, (), name or self._hint or op.name)

    def value(self, op: Op, *operands: Value, name: str = "", **attributes: Attribute) -> Value:
        """`emit` for an op with a single result."""
        (result,) = self.emit(op, *operands, name=name, **attributes)
        return result

    # Literals

    def constant(self, value: Number, type_: LaneType | ElementType) -> Value:
        """A literal; on a vector type every lane is `value`. A literal is made once in the regions that see
        it."""
        lane_type = type_ if isinstance(type_, LaneType) else LaneType(type_)
        rounded = round_to(value, lane_type.element)
        key = (lane_type.element.name, lane_type.lanes, repr(rounded))
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
    def nested(self, begun: list[Statement] | None = None) -> Generator[list[Statement]]:
        """Literals made inside are not visible outside."""
        self._literals.append({})
        try:
            with super().nested(begun) as statements:
                yield statements
        finally:
            _ = self._literals.pop()

    def region(self, parameters: tuple[Value, ...], body: Callable[[], Sequence[Value]]) -> Region:
        """A region with the statements that `body` makes; it yields the values that `body` returns."""
        with self.nested() as statements:
            _ = self.emit(ops.YIELD, *body())
        return Region(parameters, tuple(statements))

    def if_(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]] | None = None,
    ) -> tuple[Value, ...]:
        """`if`; its results are the values that the two bodies return. Without `otherwise` there are no
        results."""
        _ = ops.IF.infer(ops.IF, (condition.type,), {}, self._place)
        regions = [self.region((), then)]
        if otherwise is not None:
            regions.append(self.region((), otherwise))
        return self._append(
            ops.IF, (condition,), _yielded(regions[0]), {}, tuple(regions), self._hint or ops.IF.name
        )

    def branch(self, condition: Value, regions: tuple[Region, ...]) -> tuple[Value, ...]:
        """`if` of existing regions that end in `yield`: a single region, or two with the same results."""
        _ = ops.IF.infer(ops.IF, (condition.type,), {}, self._place)
        types = _yielded(regions[0]) if len(regions) > 1 else ()
        return self._append(ops.IF, (condition,), types, {}, regions, self._hint or ops.IF.name)

    def for_(
        self,
        start: Value,
        stop: Value,
        step: Value,
        initial: Sequence[Value],
        body: Callable[[Value, tuple[Value, ...]], Sequence[Value]],
        trip: str = UNNAMED,
    ) -> tuple[Value, ...]:
        """`for` over `start`, `start + step`, ... below `stop`; `body` takes the counter and the carried
        values and returns the next carried values. `trip` names the number of the trip."""
        operands = (start, stop, step, *initial)
        types = ops.FOR.infer(ops.FOR, tuple(value.type for value in operands), {}, self._place)
        counter = Value(self.fresh("i"), start.type)
        carried = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        region = self.region((counter, *carried), lambda: body(counter, carried))
        return self._append(ops.FOR, operands, types, {"trip": trip}, (region,), self._hint or ops.FOR.name)

    def while_(
        self,
        initial: Sequence[Value],
        test: Callable[[tuple[Value, ...]], Value],
        body: Callable[[tuple[Value, ...]], Sequence[Value]],
    ) -> tuple[Value, ...]:
        """`while`: as long as `test` of the carried values is true, `body` returns the next carried
        values."""
        types = ops.WHILE.infer(ops.WHILE, tuple(value.type for value in initial), {}, self._place)
        before = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        inside = tuple(
            Value(self.fresh(value.name), type_) for value, type_ in zip(initial, types, strict=True)
        )
        regions = (self.region(before, lambda: (test(before),)), self.region(inside, lambda: body(inside)))
        return self._append(ops.WHILE, tuple(initial), types, {}, regions, self._hint or ops.WHILE.name)


def _yielded(region: Region) -> tuple[ValueType, ...]:
    return tuple(value.type for value in region.yielded)
