"""`scf.while`.

`test` takes the carried values. It gives a bool and other values: the arguments of `body` if the bool is
true, else the results. `body` gives the next carried values. The loop is lowered in the first way that is
possible:

    unrolled                                         every test is known, and the trips are few
    while test(carried) { carried = body }           the test is only arithmetic, which is repeated for the
                                                     arguments of the body
    go = true; while go { go, carried = test }       the body is empty
    go, now = test                                   the test is short
    while go { go, now = test(body(now)) }
    go = true                                        else
    while go { go, now = test; if go { carried = body(now) } }
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.control.carried import Carried, carry, repeated
from asmgen.mlir.lowering.control.counted_loops import MOST_WRITTEN_OUT
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.control.slots import copied, nothing_like
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation, Region

MOST_MADE_TWICE = 64  # operations of a test that is lowered both before and in the loop


def tested_loop(lower: Lowering, operation: Operation, initial: Sequence[Lowered]) -> list[Lowered]:
    """The results of `scf.while`."""
    loop = _Loop(lower, operation)
    written = loop.written_out(initial)
    if written is not None:
        return written
    if loop.tests_by_arithmetic(initial):
        return loop.with_test_first(initial)
    if loop.has_empty_body():
        return loop.with_test_last(initial)
    if _size(operation.regions[0]) <= MOST_MADE_TWICE:
        return loop.with_test_twice(initial)
    return loop.with_branch(initial)


class _Loop:
    """The ways to lower a loop."""

    def __init__(self, lower: Lowering, operation: Operation) -> None:
        self._lower = lower
        self._operation = operation

    def _test(self, values: Sequence[Lowered]) -> tuple[Value, list[Lowered]]:
        """The flag to go on, and the other values of the test."""
        go, *now = lower_region(self._lower, self._operation.regions[0], values)
        assert isinstance(go, Value)
        return go, now

    def _body(self, values: Sequence[Lowered]) -> list[Lowered]:
        return list(lower_region(self._lower, self._operation.regions[1], values))

    def written_out(self, initial: Sequence[Lowered]) -> list[Lowered] | None:
        """The unrolled trips; None if a test is not known or there are too many trips."""
        lower = self._lower
        before, chosen = copied(lower.cells), lower.chosen_cells
        most = MOST_WRITTEN_OUT // sum(1 for _ in self._operation.walk())
        with lower.builder.nested() as statements:
            values = self._followed(initial, most)
        if values is None:
            lower.cells, lower.chosen_cells = before, chosen
            return None
        for statement in statements:
            lower.builder.append(statement)
        return values

    def _followed(self, initial: Sequence[Lowered], most: int) -> list[Lowered] | None:
        values = list(initial)
        for _ in range(most + 1):
            go, now = self._test(values)
            known = self._lower.builder.literal_of(go)
            if known is None:
                return None
            if not known:
                return now
            values = self._body(now)
        return None

    def tests_by_arithmetic(self, initial: Sequence[Lowered]) -> bool:
        """Whether the test consists only of arithmetic."""
        lower = self._lower
        before = copied(lower.cells)
        with lower.builder.nested() as statements:
            _ = self._test(initial)
        changed, lower.cells = lower.cells != before, before
        return not changed and all(map(_is_arithmetic, statements))

    def has_empty_body(self) -> bool:
        """Whether the body yields its arguments in order."""
        blocks = self._operation.regions[1].blocks
        if len(blocks) != 1 or len(blocks[0].operations) != 1:
            return False
        return tuple(blocks[0].terminator.operands) == tuple(blocks[0].arguments)

    def with_test_first(self, initial: Sequence[Lowered]) -> list[Lowered]:
        lower = self._lower

        def make(carried: Carried) -> Sequence[Value]:
            def test(values: tuple[Value, ...]) -> Value:
                return self._test(carried.enter(values))[0]

            def trip(values: tuple[Value, ...]) -> Sequence[Value]:
                given = carried.enter(values)
                before = copied(lower.cells)
                return carried.leave(self._body(self._test(given)[1]), before)

            return lower.builder.while_(carried.initial(), test, trip)

        return self._test(carry(lower, self._operation, initial, make))[1]

    def with_test_last(self, initial: Sequence[Lowered]) -> list[Lowered]:
        def trip(values: Sequence[Lowered]) -> Sequence[Lowered]:
            go, now = self._test(values[1:])
            return [go, *now]

        return repeated(self._lower, self._operation, [self._yes(), *initial], trip)[1:]

    def with_test_twice(self, initial: Sequence[Lowered]) -> list[Lowered]:
        def trip(values: Sequence[Lowered]) -> Sequence[Lowered]:
            go, now = self._test(self._body(values[1:]))
            return [go, *now]

        first, passed = self._test(initial)
        return repeated(self._lower, self._operation, [first, *passed], trip)[1:]

    def with_branch(self, initial: Sequence[Lowered]) -> list[Lowered]:
        lower = self._lower
        with lower.builder.nested():
            cells = copied(lower.cells)
            passed = self._test(initial)[1]
            lower.cells = cells
        nothing = [nothing_like(lower, value) for value in passed]

        def trip(values: Sequence[Lowered]) -> Sequence[Lowered]:
            given = values[1 : 1 + len(initial)]
            go, now = self._test(given)
            following = branch(lower, self._operation, go, lambda: self._body(now), lambda: given)
            return [go, *following, *now]

        results = repeated(lower, self._operation, [self._yes(), *initial, *nothing], trip)
        return results[1 + len(initial) :]

    def _yes(self) -> Value:
        return self._lower.builder.constant(True, LaneType(BOOL))


def _is_arithmetic(statement: Statement) -> bool:
    return not statement.op.effects and all(
        isinstance(operand.type, LaneType) for operand in statement.operands
    )


def _size(region: Region) -> int:
    return sum(1 for block in region.blocks for operation in block.operations for _ in operation.walk())
