"""The height of the trees by which a compiled program sums: the most additions that an element passes
through.

It is computed from the program of the stage `final`, statement by statement. The result of an addition is
higher by 1 than its higher operand. A loop repeats the growth of a turn. A reduction over the lanes of a wave
is a balanced tree. Values in LDS keep the height at which they were stored, and so do the words that
workgroups pass on: a row of blocks of workgroups repeats the growth of a block.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from asmgen.graph.ops import ADD, BIT_CAST, COMBINES, LITERAL, SUB
from asmgen.index.size import Size
from asmgen.ir.passed_words import blocks_of, is_of_block
from asmgen.ir.program import Module, Program, Region, Statement, Value, lane_type, target_of, tensor_type
from asmgen.ir.types import LaneType
from asmgen.lanewise.atomic_ops import ATOMIC_LOAD, ATOMIC_STORE
from asmgen.lanewise.matrices import semantics_of
from asmgen.lanewise.ops import FMA, FOR, JOIN_WORDS, LDS_STORE, LOW_WORD, MATRIX, WHILE
from asmgen.lanewise.records import Access, instruction_of
from asmgen.lanewise.reduction_ops import DOT_PAIRS, DPP_REDUCE, DPP_SCAN
from isa.table import table_of
from isa.targets import TargetId

_ADDITIONS = (ADD, SUB, FMA)
_WORDS = (BIT_CAST, JOIN_WORDS, LOW_WORD)  # of a number that is passed on
_STORED = 2  # the operand of a store that is the value


def additions(program: Program) -> float:
    """The most additions of floats on any path through a program; infinite if a loop's number of turns is
    unknown.

    Kernels read each other's results, so their heights add up.
    """
    again = Counter(relaunch.kernel for relaunch in program.relaunches)
    return sum(
        [_Kernel(target_of(program)).height(each) * (1 + again[each.name]) for each in program.modules]
    )


class _Kernel:
    def __init__(self, target: TargetId) -> None:
        self._target = target
        self._heights: dict[Value, float] = {}
        self._constants: dict[Value, int] = {}
        self._passed: dict[tuple[Value, bool], float] = {}  # by words, of a block or of a workgroup

    def height(self, module: Module) -> float:
        self._walk(module.statements)
        if self._passed:
            self._pass_on(module)
        return max(self._heights.values(), default=0)

    def _pass_on(self, module: Module) -> None:
        """Words that grow with the words of other workgroups do so once for each block."""
        first = dict(self._passed)
        self._walk(module.statements)
        for place, height in first.items():
            growth, blocks = self._passed[place] - height, blocks_of(tensor_type(place[0]))
            if growth:
                self._passed[place] += growth * (math.inf if isinstance(blocks, Size) else blocks)
        self._walk(module.statements)

    def _walk(self, statements: Sequence[Statement]) -> list[float]:
        """The heights of the yielded values."""
        for statement in statements:
            if statement.op.ends_region:
                return [self._of(operand) for operand in statement.operands]
            self._visit(statement)
        return []

    def _of(self, value: Value) -> float:
        return self._heights.get(value, 0)

    def _visit(self, statement: Statement) -> None:
        rules = {
            LITERAL: self._note_constant, FOR: self._loop, WHILE: self._waiting, LDS_STORE: self._note_stored,
            ATOMIC_STORE: self._note_passed, ATOMIC_LOAD: self._note_received,
        }  # fmt: skip
        otherwise = self._branches if statement.regions else self._straight
        rules.get(statement.op, otherwise)(statement)

    def _note_passed(self, statement: Statement) -> None:
        place = _place(statement)
        self._passed[place] = max(self._passed.get(place, 0), self._of(statement.operands[_STORED]))

    def _note_received(self, statement: Statement) -> None:
        self._heights[statement.result] = self._passed.get(_place(statement), 0)

    def _note_stored(self, statement: Statement) -> None:
        """A buffer in LDS has the height of the highest value in it."""
        buffer = statement.operands[0]
        self._heights[buffer] = max(self._of(buffer), self._of(statement.operands[_STORED]))

    def _branches(self, statement: Statement) -> None:
        """The results of an `if` are those of either branch."""
        yielded = [self._walk(region.statements) for region in statement.regions]
        for result, *heights in zip(statement.results, *yielded, strict=False):
            self._heights[result] = max(heights)

    def _straight(self, statement: Statement) -> None:
        height = max((self._of(operand) for operand in statement.operands), default=0)
        for result in statement.results:
            is_float = isinstance(result.type, LaneType) and result.type.element.is_float
            if is_float or statement.op in _WORDS:
                self._heights[result] = height + _own(statement, self._target)

    def _note_constant(self, statement: Statement) -> None:
        values = statement.attributes["values"]
        if isinstance(values, tuple) and len(values) == 1 and isinstance(values[0], int):
            self._constants[statement.result] = values[0]

    def _loop(self, statement: Statement) -> None:
        (region,) = statement.regions
        initial = [self._of(value) for value in statement.operands[3:]]
        once = self._turn(region, initial)
        growth = max((after - before for after, before in zip(once, initial, strict=True)), default=0)
        turns = self._turns(statement)
        total = growth * (turns - 1) if growth > 0 else 0
        for result, height in zip(
            statement.results, self._turn(region, [h + total for h in initial]), strict=True
        ):
            self._heights[result] = height

    def _waiting(self, statement: Statement) -> None:
        """A loop with values that do not grow: it reads them again."""
        for region in statement.regions:
            self._heights.update(
                {p: self._of(v) for p, v in zip(region.parameters, statement.operands, strict=True)}
            )
        yielded = [self._walk(region.statements) for region in statement.regions][-1]
        for result, first, again in zip(statement.results, statement.operands, yielded, strict=True):
            self._heights[result] = max(self._of(first), again)

    def _turn(self, region: Region, carried: Sequence[float]) -> list[float]:
        self._heights.update(zip(region.parameters[1:], carried, strict=True))
        return self._walk(region.statements)

    def _turns(self, statement: Statement) -> float:
        """The number of turns of a loop with constant start, stop and step; infinite otherwise."""
        bounds = [self._constants.get(value) for value in statement.operands[:3]]
        start, stop, step = bounds
        if start is None or stop is None or not step:
            return math.inf
        return max(1, -(-(stop - start) // step))


def _place(access: Statement) -> tuple[Value, bool]:
    """The words that an atomic access names, and whether it is what precedes a block."""
    return access.operands[0], is_of_block(Access.of(access).offset)


def _own(statement: Statement, target: TargetId) -> int:
    """The additions of a statement itself to an element. A matrix instruction may add its products
    sequentially."""
    if statement.op in _ADDITIONS:
        return 1
    if statement.op is DOT_PAIRS:
        return lane_type(statement.operands[0]).lanes // lane_type(statement.result).lanes
    if statement.op is MATRIX:
        return semantics_of(table_of(target.target).row(instruction_of(statement))).shape.inner
    if statement.op not in (DPP_REDUCE, DPP_SCAN) or COMBINES[str(statement.attributes["op"])] is not ADD:
        return 0
    lanes = statement.attributes["lanes"]
    assert isinstance(lanes, int), "the row has checked it"
    return (lanes - 1).bit_length()
