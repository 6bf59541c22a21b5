"""Regions: a single block, or blocks that branch to each other, as the `if` and `while` of lanewise.

A conditional branch becomes an `if` up to the block in which its paths join. A loop becomes a `while` that
carries a flag to go on, the number of its exit, the arguments of its header and its exits, and its values
that are used after it. If several paths of an `if` reach a block before they join, the block is lowered for
each path.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, zero
from asmgen.mlir.lowering.context import Lowering, lane_type
from asmgen.mlir.lowering.control.block_graph import END, Blocks, Flow, Loop
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.control.carried import repeated
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Block, Operation, Region, Ssa
from asmgen.mlir.types import IndexType
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

MOST_COPIES = 64  # times that a block is lowered
_RETURN = Block(-2)  # the exit of a region


class _Scope(NamedTuple):
    """The blocks of a region or a loop. `exits` are the blocks after the loop; the lowered values are those
    at the beginning of a trip."""

    blocks: Blocks
    loop: Loop | None
    exits: tuple[Block, ...] = ()
    arguments: tuple[tuple[Lowered, ...], ...] = ()  # of the header, then of each exit
    live_out: tuple[Lowered, ...] = ()


def lower_region(lower: Lowering, region: Region, arguments: Sequence[Lowered]) -> tuple[Lowered, ...]:
    """Lower a region; gives the operands of the operation that ends it. `InputError` MLIR041 for a cycle with
    several entries, MLIR042 for a graph in which too many paths join."""
    if len(region.blocks) == 1:
        last = lower.block(region.blocks[0], arguments)
        return tuple([lower.value(operand) for operand in last.operands])
    flow = Flow(region)
    graph = _Graph(lower, flow)
    entry = region.blocks[0]
    return tuple(graph.walk(entry, arguments, END, _Scope(frozenset(flow.blocks), None)))


class _Graph:
    def __init__(self, lower: Lowering, flow: Flow) -> None:
        self._lower = lower
        self._flow = flow
        self._copies: dict[Block, int] = {}

    def walk(
        self, block: Block, arguments: Sequence[Lowered], stop: Block, scope: _Scope
    ) -> Sequence[Lowered]:
        """Lower from a block up to `stop`. Gives the arguments of `stop`, or the results of the scope if
        `stop` is END."""
        loop = self._flow.loops.get(block)
        if loop is not None and loop is not scope.loop:
            return self._after_loop(loop, arguments, stop, scope)
        self._count(block)
        return self._leave(block, self._lower.block(block, arguments), stop, scope)

    def _count(self, block: Block) -> None:
        self._copies[block] = self._copies.get(block, 0) + 1
        if self._copies[block] > MOST_COPIES:
            message = f"block ^bb{block.number} is on more than {MOST_COPIES} paths that join after it"
            raise InputError(block.operations[0].place, "MLIR042", f"{message}, wanted scf.if or scf.while")

    def _leave(self, block: Block, last: Operation, stop: Block, scope: _Scope) -> Sequence[Lowered]:
        if not last.successors:
            return self._edge(block, _RETURN, self._values(last.operands), stop, scope)
        if len(last.successors) == 1:
            return self._edge(block, last.successors[0], self._values(last.operands), stop, scope)
        if "case_values" in last.attributes:
            return self._switch(block, stop, scope)
        condition, *given = last.segments()
        return self._choose(block, [(self._lower.lane(condition[0]), 0)], given, stop, scope)

    def _switch(self, block: Block, stop: Block, scope: _Scope) -> Sequence[Lowered]:
        last, lower = block.terminator, self._lower
        flag, default = last.segments()[:2]
        number = lower.lane(flag[0])
        values, sizes = last.integers("case_values"), last.integers("case_operand_segments")
        first, given = 1 + len(default), [default]
        for size in sizes:
            given.append(last.operands[first : first + size])
            first += size
        signed = as_signed(lower.builder, number)
        tests = [
            (lower.builder.equal(signed, lower.builder.like(value, signed)), i + 1)
            for i, value in enumerate(values)
        ]
        return self._choose(block, tests, [*given[1:], given[0]], stop, scope, default=0)

    def _choose(
        self,
        block: Block,
        tests: Sequence[tuple[Value, int]],
        given: Sequence[Sequence[Ssa]],
        stop: Block,
        scope: _Scope,
        default: int = 1,
    ) -> Sequence[Lowered]:
        """Go to the successor of the first test that is true, else to the default. `given` are the arguments
        of the successors in order; those of the default are last."""
        last = block.terminator
        header = scope.loop.header if scope.loop else None
        join = self._flow.join(block, scope.blocks, header)
        until = stop if join is END else join

        def side(number: int) -> Sequence[Lowered]:
            if number == len(tests):
                return self._edge(block, last.successors[default], self._values(given[-1]), until, scope)
            condition, successor = tests[number]
            taken = self._values(given[number])
            return branch(
                self._lower,
                last,
                condition,
                lambda: self._edge(block, last.successors[successor], taken, until, scope),
                lambda: side(number + 1),
            )

        arrived = side(0)
        return arrived if until is stop else self.walk(until, arrived, stop, scope)

    def _values(self, operands: Sequence[Ssa]) -> list[Lowered]:
        return [self._lower.value(operand) for operand in operands]

    def _edge(
        self, source: Block, target: Block, arguments: Sequence[Lowered], stop: Block, scope: _Scope
    ) -> Sequence[Lowered]:
        if scope.loop is None:
            if target is _RETURN or target is stop:
                return arguments
            return self.walk(target, arguments, stop, scope)
        if target is scope.loop.header or target not in scope.blocks:
            return self._trip(source, target, arguments, scope, scope.loop)
        return arguments if target is stop else self.walk(target, arguments, stop, scope)

    # Loops

    def _trip(
        self, source: Block, target: Block, arguments: Sequence[Lowered], scope: _Scope, loop: Loop
    ) -> Sequence[Lowered]:
        """The values at the end of a trip, in the order in which the loop carries them."""
        lower = self._lower
        goes_on = target is loop.header
        number = 0 if goes_on else 1 + scope.exits.index(target)
        kept = [*scope.arguments[:number], tuple(arguments), *scope.arguments[number + 1 :]]
        outside = [
            lower.values[ssa] if not goes_on and self._is_defined(ssa, source, loop) else before
            for ssa, before in zip(loop.live_out, scope.live_out, strict=True)
        ]
        go = lower.builder.constant(goes_on, LaneType(BOOL))
        exit_ = lower.indices.constant(max(number - 1, 0))
        return [go, exit_, *[value for group in kept for value in group], *outside]

    def _is_defined(self, value: Ssa, source: Block, loop: Loop) -> bool:
        """Whether a value of the loop is defined at the end of the block `source`."""
        for block in loop.blocks:
            results = [result for operation in block.operations for result in operation.results]
            if value in block.arguments or value in results:
                return block in self._flow.dominators[source]
        return False

    def _after_loop(
        self, loop: Loop, arguments: Sequence[Lowered], stop: Block, scope: _Scope
    ) -> Sequence[Lowered]:
        lower = self._lower
        last = loop.header.terminator
        exits = self._exits(loop)
        if not exits:
            message = f"the loop at ^bb{loop.header.number} has no exit, wanted an exit"
            raise InputError(last.place, "MLIR043", message)
        shapes = [
            tuple(arguments),
            *[self._nothing(self._arguments_of(loop, exit_), last) for exit_ in exits],
        ]
        outside = self._nothing(loop.live_out, last)
        yes = lower.builder.constant(True, LaneType(BOOL))

        def trip(values: Sequence[Lowered]) -> Sequence[Lowered]:
            taken, rest = _taken_apart(values[2:], shapes)
            inner = _Scope(loop.blocks, loop, exits, taken, tuple(rest))
            return self.walk(loop.header, taken[0], END, inner)

        initial = [yes, lower.indices.constant(0), *[value for shape in shapes for value in shape], *outside]
        results = repeated(lower, last, initial, trip)
        taken, rest = _taken_apart(results[2:], shapes)
        lower.values.update(zip(loop.live_out, rest, strict=True))
        number = results[1]
        assert isinstance(number, Index)
        return self._dispatch(loop, exits, number, taken[1:], stop, scope)

    def _dispatch(
        self,
        loop: Loop,
        exits: Sequence[Block],
        number: Index,
        arguments: Sequence[Sequence[Lowered]],
        stop: Block,
        scope: _Scope,
    ) -> Sequence[Lowered]:
        """Go on at the exit that the loop took."""
        source = loop.header
        if len(exits) == 1:
            return self._edge(source, exits[0], arguments[0], stop, scope)
        is_this = relations.compare(
            self._lower.indices, "eq", number, self._lower.indices.constant(len(exits) - 1)
        )
        return branch(
            self._lower,
            source.terminator,
            is_this,
            lambda: self._edge(source, exits[-1], arguments[-1], stop, scope),
            lambda: self._dispatch(loop, exits[:-1], number, arguments[:-1], stop, scope),
        )

    def _exits(self, loop: Loop) -> tuple[Block, ...]:
        exits: dict[Block, None] = {}
        for block in self._flow.blocks:
            if block in loop.blocks:
                targets = block.terminator.successors or (_RETURN,)
                exits.update(dict.fromkeys([target for target in targets if target not in loop.blocks]))
        return tuple(exits)

    def _arguments_of(self, loop: Loop, exit_: Block) -> Sequence[Ssa]:
        """The arguments of an exit; of the region's end, the operands of the return."""
        if exit_ is not _RETURN:
            return exit_.arguments
        lasts = [block.terminator for block in self._flow.blocks if block in loop.blocks]
        return next(last.operands for last in lasts if not last.successors)

    def _nothing(self, values: Sequence[Ssa], operation: Operation) -> tuple[Lowered, ...]:
        """Placeholders for values of these types."""
        return tuple([self._nothing_of(value, operation) for value in values])

    def _nothing_of(self, value: Ssa, operation: Operation) -> Lowered:
        lower = self._lower
        if isinstance(value.type, IndexType):
            return lower.indices.constant(0)
        lanes = lane_type(value.type)
        if lanes is None:
            got = f"a value of type {value.type} leaves a loop of blocks"
            raise lower.refused(operation, "MLIR044", got, "numbers")
        return zero(lower.builder, lanes)


def _taken_apart(
    values: Sequence[Lowered], shapes: Sequence[Sequence[Lowered]]
) -> tuple[tuple[tuple[Lowered, ...], ...], Sequence[Lowered]]:
    """The values in groups of the sizes of `shapes`, and the rest."""
    groups: list[tuple[Lowered, ...]] = []
    first = 0
    for shape in shapes:
        groups.append(tuple(values[first : first + len(shape)]))
        first += len(shape)
    return tuple(groups), values[first:]
