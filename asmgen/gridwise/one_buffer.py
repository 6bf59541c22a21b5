"""The kernel of a launch with one buffer for an argument and a result.

A wave may then overwrite an element that another wave still reads, such as the last row, which waves without
a row of their own read too. A barrier before the stores prevents that:

    a_1 = tile_load[at={min(c0 + 8*row, 36), c1}](a)
    barrier()
    tile_store[at={min(c0 + 8*row, 36), c1}, where={c0 + 8*row < 37}](add_1, a)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asmgen.blockwise.actions import Barrier, TileStore
from asmgen.blockwise.actions import Parameter as BufferOf
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.races.accesses import accesses
from asmgen.blockwise.rules.races.buffers import BufferQuestions, is_by_data
from asmgen.blockwise.rules.races.judge import races
from asmgen.blockwise.rules.races.meeting import Order
from asmgen.blockwise.rules.races.path import Access, Path
from asmgen.blockwise.rules.races.walk import follow
from asmgen.index.search import TooManyParts
from asmgen.ir.program import Region

_ANY_WAVES = Order((True, True, True, True), 1, may_go_on=True)


def shared_buffer(kernel: Kernel, parameter: str, result: str, is_read: bool) -> tuple[Kernel, str]:
    """The kernel with the buffer of an argument in the place of that of a result, and how its accesses race;
    empty if none do. `is_read` says that the kernel reads the argument and writes the result."""
    shared = in_one_buffer(kernel, parameter, result)
    race = race_in(shared, parameter) if is_read else ""
    ordered = _with_barrier(shared) if race else None
    if ordered is not None and not race_in(ordered, parameter):
        return ordered, ""
    return shared, race


def _with_barrier(kernel: Kernel) -> Kernel | None:
    """The kernel with a barrier before its first store; None if a loop has that store, or with one wave."""
    statements = kernel.statements
    first = next(
        (i for i, each in enumerate(statements) if each.regions or isinstance(each.op, TileStore)), None
    )
    if first is None or statements[first].regions or kernel.waves == 1:
        return None
    barrier = TileStatement(Barrier(), place=statements[first].place)
    return replace(kernel, statements=(*statements[:first], barrier, *statements[first:]))


def in_one_buffer(kernel: Kernel, parameter: str, result: str) -> Kernel:
    """The kernel with the buffer of an argument in the place of that of a result."""
    buffers = {each.op.name: each for each in kernel.statements if isinstance(each.op, BufferOf)}
    if result not in buffers:
        return kernel
    replaced = buffers[result]
    if parameter not in buffers:
        renamed = replace(replaced, op=BufferOf(parameter))
        statements = tuple([renamed if each is replaced else each for each in kernel.statements])
        return replace(kernel, statements=statements)
    kept = [each for each in kernel.statements if each is not replaced]
    return replace(kernel, statements=_on(kept, replaced.result, buffers[parameter].result))


def _on(
    statements: Sequence[TileStatement], before: TileValue, after: TileValue
) -> tuple[TileStatement, ...]:
    """Statements on another buffer, also inside of regions."""
    return tuple(
        [
            replace(
                each,
                operands=tuple([after if operand is before else operand for operand in each.operands]),
                regions=tuple(
                    [
                        Region(region.parameters, _on(region.statements, before, after))
                        for region in each.regions
                    ]
                ),
            )
            for each in statements
        ]
    )


def race_in(kernel: Kernel, buffer: str) -> str:
    """How accesses of a buffer race, or come too late; empty if none do. Accesses without a known place may
    race."""
    value = next(
        each.result for each in kernel.statements if isinstance(each.op, BufferOf) and each.op.name == buffer
    )
    for statement in kernel.walk():
        if value in statement.operands:
            known = [each for each in accesses(statement, (), None) if each.memory is value]
            if not known or any(is_by_data(each) for each in known):
                return f"the elements of {buffer} that it accesses depend on data"
    race = next(races(kernel), None)
    return _late_read(kernel, value) if race is None else race.rule


def _late_read(kernel: Kernel, buffer: TileValue) -> str:
    """That a load of a buffer comes after a store to an element that it reads, in any trip of a loop; empty
    if none does. Such a load would read the result instead of the argument."""
    questions = BufferQuestions(kernel)
    late: list[TileStatement] = []

    def judge(path: Path, access: Access) -> None:
        if path.access.tile.writes and not access.tile.writes and not late:
            late.extend([access.statement] if _may_meet(questions, path, access) else [])

    statements = _without_barriers(kernel.statements)  # which end a path, and order no load before a store
    follow(replace(kernel, statements=statements), frozenset((buffer,)), judge)
    return f"{buffer.name} is read again after it is written" if late else ""


def _may_meet(questions: BufferQuestions, path: Path, access: Access) -> bool:
    """Whether a wave at the end of a path may access an element that a wave accessed at its start."""
    if not questions.may_meet(path.access, access):
        return False
    try:
        return questions.on_path(path, access, _ANY_WAVES) is not None
    except TooManyParts:
        return True


def _without_barriers(statements: Sequence[TileStatement]) -> tuple[TileStatement, ...]:
    """Statements without barriers, also inside of regions."""
    return tuple(
        [
            replace(
                each,
                regions=tuple(
                    [
                        Region(region.parameters, _without_barriers(region.statements))
                        for region in each.regions
                    ]
                ),
            )
            if each.regions
            else each
            for each in statements
            if not isinstance(each.op, Barrier)
        ]
    )
