"""Loads each element of LDS once for a row of 16 lanes, if all lanes of the row read the same 16 elements.

    a = lds_load(x, i)                         v = lds_load(x, i + j)         j: the lane's place in its row
    b = lds_load(x, i + 1)         becomes     a = row_broadcast[lane=0](v)
    ...                                        b = row_broadcast[lane=1](v)
    p = lds_load(x, i + 15)                    ...

A product of matrices by tiles of 16 x 16 reads the row of its first factor so. LDS then returns a sixteenth
of the words, and a multiply-add reads the lane of the row by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from asmgen.graph.ops import ADD
from asmgen.ir.program import Module, Scope, Statement, Value, with_others, with_regions
from asmgen.ir.types import U32, TensorType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.cleanup import remove_dead
from asmgen.lanewise.records import Access, LaunchAttributes, splat_literal
from asmgen.lanewise.result_types import LANES_OF_ROW as ROW
from asmgen.lanewise.verify.scopes import Scopes
from isa.named_tuple import NamedTuple

_BYTES = 4  # of an element
_Statements = tuple[Statement, ...]


def share_row_loads(module: Module) -> Module:
    """The module with fewer loads from LDS."""
    launch = LaunchAttributes.of(module.statements[0])
    if launch.has_any_block or launch.block[0] % ROW:
        return module
    shared = _Sharing(module, launch.block[0]).shared(module.statements)
    return module if shared == module.statements else remove_dead(replace(module, statements=shared))


class _Load(NamedTuple):
    """A load of element `number` after an index; `place` is that in the region."""

    number: int
    place: int
    statement: Statement


def _is_single(statement: Statement) -> bool:
    """Whether a statement loads an element of 32 bits from anywhere in a buffer of LDS."""
    if statement.op is not ops.LDS_LOAD or statement.attributes["bytes"] or Access.of(statement).size != 1:
        return False
    (buffer, _), access = statement.operands, Access.of(statement)
    assert isinstance(buffer.type, TensorType)
    return buffer.type.element.bytes == _BYTES and access.offset % _BYTES == 0


class _Sharing:
    """`width` are the lanes along axis 0 of the block, whole rows. A value is the same in a row of lanes if
    it is so in waves of `ROW` lanes."""

    def __init__(self, module: Module, width: int) -> None:
        self._width = width
        self._scopes = Scopes(module, ROW)
        self._made = {result: statement for statement in module.walk() for result in statement.results}
        self._builder = LaneBuilder([value.name for value in self._made])

    def shared(self, statements: _Statements) -> _Statements:
        """The statements of a region that all lanes of the workgroup reach."""
        instead: dict[int, _Statements] = {}
        for run in self._runs(statements):
            instead |= self._instead(run)
        return with_others(statements, instead, self._with_regions)

    def _with_regions(self, statement: Statement) -> Statement:
        if statement.op is not ops.FOR or self._scopes.least(statement.operands[:3]).scope < Scope.WORKGROUP:
            return statement
        return with_regions(statement, self.shared)

    def _runs(self, statements: _Statements) -> Iterator[list[_Load]]:
        """Loads of `ROW` successive elements, without a write to LDS or a barrier between them."""
        groups: dict[tuple[Value, Value], list[_Load]] = {}
        for place, statement in enumerate(statements):
            if _is_single(statement):
                buffer, index = statement.operands
                base, number = self._parts(index)
                load = _Load(number + Access.of(statement).offset // _BYTES, place, statement)
                if self._scopes.of(base).scope > Scope.LANE:
                    groups.setdefault((buffer, base), []).append(load)
            elif statement.op.effects or statement.regions:
                yield from _runs_of(groups.values())
                groups = {}
        yield from _runs_of(groups.values())

    def _parts(self, index: Value) -> tuple[Value, int]:
        """The value and the constant that add up to an index."""
        made = self._made.get(index)
        if made is not None and made.op is ADD:
            for value, other in (made.operands, made.operands[::-1]):
                number = splat_literal(self._made[other]) if other in self._made else None
                if number is not None:
                    return value, int(number)
        return index, 0

    def _instead(self, run: Sequence[_Load]) -> dict[int, _Statements]:
        """The statements in place of each load of a run, by place."""
        first, begin = min(run, key=lambda load: load.place), min(load.number for load in run)
        buffer, index = first.statement.operands
        attributes = {**first.statement.attributes, "offset": begin * _BYTES}
        with self._builder.nested() as before, self._builder.at(first.statement):
            own = self._builder.add(self._parts(index)[0], self._place_in_row())
            (whole,) = self._builder.apply(ops.LDS_LOAD, (buffer, own), attributes)
        made: dict[int, _Statements] = {first.place: tuple(before)}
        for load in run:
            broadcast = _broadcast(load.statement, whole, load.number - begin)
            made[load.place] = (*made.get(load.place, ()), broadcast)
        return made

    def _place_in_row(self) -> Value:
        builder = self._builder
        lane = builder.value(ops.LOCAL_ID)
        return lane if self._width == ROW else builder.bitwise_and(lane, builder.constant(ROW - 1, U32))


def _runs_of(groups: Iterable[list[_Load]]) -> Iterator[list[_Load]]:
    for loads in groups:
        numbers = sorted({load.number for load in loads})
        while len(numbers) >= ROW:
            wanted = range(numbers[0], numbers[0] + ROW)
            is_run = numbers[:ROW] == list(wanted)
            if is_run:
                yield [load for load in loads if load.number in wanted]
            numbers = numbers[ROW if is_run else 1 :]


def _broadcast(load: Statement, whole: Value, lane: int) -> Statement:
    return Statement(ops.ROW_BROADCAST, (whole,), load.results, {"lane": lane}, (), load.place)
