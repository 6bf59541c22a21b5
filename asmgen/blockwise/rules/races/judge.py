"""Decides for each two accesses of LDS or of a buffer whether they race: for some ids and trips a wave
accesses an element that another accesses too, one of them writes it, and no barrier is between.

    lds_store: a wave overwrites what another may still read of lds by lds_load at product.gen:24:5, and no
    barrier is between: for k = 16, wave 1 writes element {0,4} of slot 1, which wave 0 reads for k = 0; ...

Workgroups of a launch have no order, so an element that a workgroup writes is its own.

The places of both are index expressions, so that the question is one of index algebra
(`asmgen.index.search`), and the answer is for all ids, trips and sizes of a launch. If the search has too
many parts, or a loop inside hides for which trips there is a path, the accesses are refused with these words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from asmgen.blockwise.actions import AsyncCopy, LdsAllocate
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.rules.races.accesses import every_access
from asmgen.blockwise.rules.races.buffers import BufferQuestions, are_elsewhere, is_by_data
from asmgen.blockwise.rules.races.lds import LdsQuestion, are_apart
from asmgen.blockwise.rules.races.meeting import Order
from asmgen.blockwise.rules.races.path import Access, InBuffer, InLds, Path
from asmgen.blockwise.rules.races.same import stores_the_same
from asmgen.blockwise.rules.races.walk import follow
from asmgen.blockwise.rules.races.words import Case, Race, race, race_across, race_within
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import only
from asmgen.index.search import TooManyParts

_PARTS = (200, 4000)  # of a question: a store of the same values is looked at before the longer search


def races(kernel: Kernel) -> Iterator[Race]:
    """The pairs of accesses that race, or that are not shown not to."""
    buffers = _Buffers(kernel)
    yield from buffers.races()
    kinds = {type(statement.op) for statement in kernel.walk()}
    if kernel.waves == 1 and AsyncCopy not in kinds:
        return
    lds = [
        value
        for statement in kernel.walk()
        if isinstance(statement.op, LdsAllocate)
        for value in statement.results
    ]
    memory = frozenset((*lds, *buffers.shared))
    if memory:
        judge = _Judge(kernel, buffers)
        follow(kernel, memory, judge.judge)
        yield from judge.races.values()


class _Buffers:
    """The pairs of accesses of the buffers that a kernel stores to. `shared` are the buffers in which
    a workgroup may access an element twice."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.questions = BufferQuestions(kernel)
        self._pairs: set[tuple[int, int]] = set()  # of statements that may meet in a workgroup
        self.shared: set[TileValue] = set()
        self._same: dict[int, bool] = {}

    def may_meet(self, one: Access, other: Access) -> bool:
        return (id(one.statement), id(other.statement)) in self._pairs

    def is_same(self, one: Access, other: Access) -> bool:
        """Whether two accesses are of a statement that stores equal values to an element each time."""
        if one.statement is not other.statement:
            return False
        known = self._same.get(id(one.statement))
        if known is None:
            known = self._same[id(one.statement)] = stores_the_same(self._kernel, one, self.questions)
        return known

    def races(self) -> Iterator[Race]:
        """The races of workgroups with each other, and of elements of a tile."""
        of: dict[TileValue, list[Access]] = {}
        for access in every_access(self._kernel.statements):
            if isinstance(access.place, InBuffer) and not is_by_data(access):
                of.setdefault(access.memory, []).append(access)
        for memory, accesses in of.items():
            if any(access.tile.writes for access in accesses):
                yield from self._races(memory, accesses)

    def _races(self, memory: TileValue, accesses: list[Access]) -> Iterator[Race]:
        for one, other in combinations_with_replacement(accesses, 2):
            if not (one.tile.writes or other.tile.writes) or are_elsewhere(one, other):
                continue
            refusal = self._within(one) if one is other else None
            refusal = refusal or self._across(one, other)
            if refusal is not None:
                yield refusal
            elif self.questions.may_meet(one, other):
                self._pairs |= {(id(a.statement), id(b.statement)) for a, b in ((one, other), (other, one))}
                self.shared.add(memory)

    def _within(self, access: Access) -> Race | None:
        for most in _PARTS:
            try:
                fault = self.questions.within(access, most)
            except TooManyParts:
                if self.is_same(access, access):
                    return None
            else:
                return None if fault is None or self.is_same(access, access) else race_within(access, *fault)
        return race_within(access, None, None)

    def _across(self, one: Access, other: Access) -> Race | None:
        for first, second in [(one, other)] if one is other else [(one, other), (other, one)]:
            for most in _PARTS:
                try:
                    case = self.questions.across(first, second, most)
                except TooManyParts:
                    if self.is_same(one, other):
                        return None
                    if most == _PARTS[-1]:
                        return race_across(other, one, None)
                else:
                    if case is not None:
                        return None if self.is_same(one, other) else race_across(first, second, case)
                    break
        return None


class _Judge:
    """`races` are the races so far, by their two statements."""

    def __init__(self, kernel: Kernel, buffers: _Buffers) -> None:
        self._kernel = kernel
        self._buffers = buffers
        self.races: dict[tuple[int, int], Race] = {}

    def judge(self, path: Path, access: Access) -> None:
        earlier = path.access
        if not (earlier.tile.writes or access.tile.writes):
            return
        pair = id(earlier.statement), id(access.statement)
        before = self.races.get(pair)
        if before is not None and before.case is not None:
            return
        order = _order(path, self._kernel.waves)
        is_lds = isinstance(access.place, InLds)
        if are_apart(earlier, access, order) if is_lds else not self._buffers.may_meet(earlier, access):
            return
        try:
            case = self._in_lds(path, access, order) if is_lds else self._in_buffer(path, access, order)
        except TooManyParts:
            if is_lds or not self._buffers.is_same(earlier, access):
                self.races[pair] = race(path, access, None)
            return
        if case is not None:
            self.races[pair] = race(path, access, case if path.is_exact else None)

    def _in_lds(self, path: Path, access: Access, order: Order) -> Case | None:
        question = LdsQuestion(path, access, order)
        values = question.values(self._limits(question.symbols()))
        return None if values is None else question.case(self._kernel, values)

    def _in_buffer(self, path: Path, access: Access, order: Order) -> Case | None:
        case = self._buffers.questions.on_path(path, access, order)
        return None if case is None or self._buffers.is_same(path.access, access) else case

    def _limits(self, used: set[Symbol]) -> list[Index]:
        """Indices that are at least 0, because an id is less than the number of workgroups. Dims decide that
        number."""
        counts = zip(self._kernel.grid, self._kernel.counts, strict=False)  # no counts if all are constant
        return [constant(count) - only(group_id) - 1 for group_id, count in counts if group_id in used]


def _order(path: Path, waves: int) -> Order:
    """The pairs of waves without an order between the two ends of a path."""
    one, two, three, four = [barriers < 1 for barriers in path.barriers]
    return Order((one, two, three, four), max(waves // 2, 1), path.copies is not None)
