"""The lane values that live in SGPRs: the same in every active lane, and computable by the scalar unit.

Control dependence: the results of a divergent `if` differ between lanes, even if both sides are uniform.
Temporal divergence: a value carried by a loop that lanes leave at different trips is uniform among the lanes
inside, but not after it; it is per lane from the start. All other values are in VGPRs. A bool is 0 or 1 in an
SGPR if uniform, a lane mask in an SGPR pair if not. The scalar float arithmetic of some targets is not used,
so its results are never uniform here.
"""

from __future__ import annotations

from asmgen.graph.ops import LITERAL, PARAM, graph_op
from asmgen.index.size import at_most
from asmgen.ir.program import Module, Region, Statement, Value
from asmgen.ir.types import BOOL, LaneType, NumberKind, TensorType
from asmgen.lanewise import ops
from asmgen.lanewise.reduction_ops import DPP_REDUCE, DPP_SCAN, IS_LANE, LANE_BEFORE, LANE_STEP
from asmgen.select.arithmetic.wide import has_scalar_form
from asmgen.select.rules import ARITHMETIC, COMPARISONS, MASKS

WHERE, NOT, CONVERT, BIT_CAST = (graph_op(name) for name in ("where", "not", "convert", "bit_cast"))
NEG, ABS, IDENTITY = graph_op("neg"), graph_op("abs"), graph_op("identity")
LARGEST_SCALAR_OFFSET = 1 << 32
MOST_PAIRS, BITS_OF_PAIR = 8, 64
_OF_LANES = frozenset(
    {
        ops.LOCAL_ID,
        DPP_REDUCE,
        DPP_SCAN,
        LANE_BEFORE,
        LANE_STEP,
        IS_LANE,
        ops.LANE_EXCHANGE,
        ops.ROW_BROADCAST,
    }
)  # differ between lanes whatever the operands are
_OF_WAVE = frozenset({ops.FIND_LANE, ops.ANY_LANE, ops.BALLOT})
_OF_WORKGROUP = frozenset({ops.WORKGROUP_ID, ops.WORKGROUP_SIZE, ops.WORKGROUP_COUNT})
MOVED = frozenset(
    {ops.PACK, ops.EXTRACT, ops.SPLAT, BIT_CAST, IDENTITY, ops.LOW_WORD, ops.HIGH_WORD, ops.JOIN_WORDS}
)


def uniform_values(module: Module, written: frozenset[Value]) -> frozenset[Value]:
    """The values of a module that live in SGPRs, constants among them; `written` are the buffers it stores
    to."""
    return frozenset(_Analysis(written).run(module.statements))


def fits_scalar(value: Value) -> bool:
    """Whether values of this type can be in SGPRs: elements of 32 bits, few of 64, and bool."""
    type_ = value.type
    return isinstance(type_, LaneType) and (
        type_.element.bits == 32 or type_.element is BOOL or _is_narrow_pair(type_)
    )


def _is_narrow_pair(type_: LaneType) -> bool:
    """Whether 64-bit lanes take no more than 16 SGPRs, which a single scalar load fills."""
    return type_.element.bits == BITS_OF_PAIR and type_.lanes <= MOST_PAIRS


class _Analysis:
    def __init__(self, written: frozenset[Value]) -> None:
        self._written = written
        self._uniform: set[Value] = set()

    def run(self, statements: tuple[Statement, ...]) -> set[Value]:
        for statement in statements:
            self._visit(statement)
        return self._uniform

    def _visit(self, statement: Statement) -> None:
        if statement.op is ops.IF:
            self._visit_if(statement)
        elif statement.op is ops.FOR:
            self._visit_for(statement)
        elif statement.op is ops.WHILE:
            self._visit_while(statement)
        elif self._is_uniform(statement):
            self._uniform.update(statement.results)
        else:
            self._uniform.difference_update(statement.results)

    def _visit_if(self, statement: Statement) -> None:
        for region in statement.regions:
            _ = self.run(region.statements)
        self._uniform.difference_update(statement.results)
        if statement.operands[0] not in self._uniform:
            return
        yielded = [region.yielded for region in statement.regions]
        for result, *values in zip(statement.results, *yielded, strict=True) if statement.results else ():
            if fits_scalar(result) and all(value in self._uniform for value in values):
                self._uniform.add(result)

    def _visit_for(self, statement: Statement) -> None:
        """The carried values start as uniform as their initial values, and are dropped until nothing
        changes."""
        (region,) = statement.regions
        counter, *carried = region.parameters
        start, stop, step, *initial = statement.operands
        self._uniform.difference_update((*region.parameters, *statement.results))
        if start in self._uniform and step in self._uniform:
            self._uniform.add(counter)
        leaves_together = counter in self._uniform and stop in self._uniform
        kept = {
            p
            for p, i in zip(carried, initial, strict=True)
            if leaves_together and i in self._uniform and fits_scalar(p)
        }
        self._uniform.update(kept)
        while lost := self._lost(region, kept):
            kept -= lost
            self._uniform -= lost
        self._uniform.update(r for r, p in zip(statement.results, carried, strict=True) if p in kept)

    def _visit_while(self, statement: Statement) -> None:
        """As `for`; if lanes leave at different trips, every carried value is dropped."""
        test, body = statement.regions
        self._uniform.difference_update((*test.parameters, *body.parameters, *statement.results))
        kept = {
            i
            for i, initial in enumerate(statement.operands)
            if initial in self._uniform and fits_scalar(initial)
        }
        while lost := self._lost_in_while(statement, kept):
            kept -= lost
            for i in lost:
                self._uniform -= {test.parameters[i], body.parameters[i]}
        self._uniform.update(statement.results[i] for i in kept)

    def _lost_in_while(self, statement: Statement, kept: set[int]) -> set[int]:
        """Run test and body; which carried values are not uniform after all."""
        test, body = statement.regions
        self._uniform.update(region.parameters[i] for region in statement.regions for i in kept)
        _ = self.run(test.statements)
        leaves_together = test.statements[-1].operands[0] in self._uniform
        _ = self.run(body.statements)  # even if values are lost: the body is analysed with the values left
        if not leaves_together:
            return set(kept)
        following = body.yielded
        return {i for i in kept if following[i] not in self._uniform}

    def _lost(self, region: Region, kept: set[Value]) -> set[Value]:
        """Run the body; which carried values are not uniform after all."""
        _ = self.run(region.statements)
        following = region.yielded
        return {
            p
            for p, value in zip(region.parameters[1:], following, strict=True)
            if p in kept and value not in self._uniform
        }

    def _is_uniform(self, statement: Statement) -> bool:
        op = statement.op
        if op in _OF_WORKGROUP or op in _OF_WAVE:
            return True
        if op is LITERAL or op is PARAM:
            type_ = statement.result.type
            return isinstance(type_, LaneType) and (type_.lanes == 1 or fits_scalar(statement.result))
        if op is ops.LANE_SHUFFLE:  # from a single lane, with a uniform number
            value, lane = statement.operands
            return lane in self._uniform and fits_scalar(value) and not _is_several_truths(value)
        if op in _OF_LANES or not statement.results or not fits_scalar(statement.results[0]):
            return False
        if op is ops.READ_FIRST_LANE:
            return statement.result.type.element is not BOOL
        if op in ops.LOADS:
            return self._is_scalar_load(statement)
        return self._uniform.issuperset(statement.operands) and _has_scalar_form(statement)

    def _is_scalar_load(self, statement: Statement) -> bool:
        """Read-only memory, whole dwords, the same address for the wave."""
        buffer, index = statement.operands
        assert isinstance(buffer.type, TensorType)
        element = buffer.type.element
        is_small = at_most(buffer.type.span * element.bytes, LARGEST_SCALAR_OFFSET).is_possible
        return (
            is_small and index in self._uniform and buffer not in self._written and element.bits in (32, 64)
        )


def _is_several_truths(value: Value) -> bool:
    type_ = value.type
    return isinstance(type_, LaneType) and type_.element is BOOL and type_.lanes > 1


def _has_scalar_form(statement: Statement) -> bool:
    """Whether the scalar unit can do an op on operands in SGPRs."""
    op, element = statement.op, statement.operands[0].type.element if statement.operands else BOOL
    if op in MOVED:
        return element is BOOL or element.bits in (32, 64)
    if op in (ops.MULTIPLE, ops.ADD_CARRY) or (element is BOOL and (op is NOT or op in MASKS)):
        return True
    if element.bits == BITS_OF_PAIR and op not in (WHERE, CONVERT, NEG, ABS):
        return has_scalar_form(op, element)
    if op in COMPARISONS:
        return element.name in COMPARISONS[op].scalar
    if op is WHERE:
        return isinstance(statement.result.type, LaneType) and statement.result.type.lanes == 1
    if op is CONVERT:
        return all(
            value.type.element.kind is not NumberKind.FLOAT
            for value in (*statement.operands, *statement.results)
        )
    if op in (NEG, ABS):
        return not element.is_float and (op is NEG or element.bits != BITS_OF_PAIR)
    rule = ARITHMETIC.get(op, {}).get(element.name)
    return rule is not None and bool(rule.scalar)
