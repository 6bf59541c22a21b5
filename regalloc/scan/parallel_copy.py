"""The order of simultaneous copies, and their instructions.

Copies are plain moves, which leave SCC alone. A cycle goes through a free register; if none is free, vectors
are exchanged.

Some moves write all lanes and others the active lanes only. If both are in a cycle, a free register takes a
value that a move of active lanes reads, so that nothing depends on its other lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from itertools import groupby

from isa.instruction import Immediate, Instr, Row
from isa.lane_masks import MaskOperation, lane_masks
from isa.moves import find_fill, find_move
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VGPR, Register, RegisterClass, physical_class
from isa.table import Table
from regalloc.allocation import COPY_ORIGIN


class Move(NamedTuple):
    """A 32-bit copy: the physical unit written, and the unit or the constant read.

    A `whole` move writes all lanes regardless of EXEC. An `exchange` also moves the target's old content to
    the source.
    """

    target: int
    source: int | Immediate
    whole: bool = False
    exchange: bool = False


class Lanes(Enum):
    """The lanes that the moves of a cycle write."""

    ACTIVE = auto()
    ALL = auto()
    MIXED = auto()  # some moves write all lanes, others the active lanes only


def sequentialise(moves: Iterable[Move], temporary: Callable[[Lanes], int | None]) -> list[Move]:
    """An order in which no move reads a unit that an earlier move wrote. Targets are distinct.

    `temporary` returns a free unit of the same file for a cycle of moves, or None; for a cycle of ALL the
    unit must be free in all lanes. It is called once for each cycle. Without a free unit the cycle uses
    exchanges. A MIXED cycle must get a unit: an exchange writes the same lanes of both its units.
    """
    pending = {move.target: move for move in moves if move.target != move.source}
    readers: dict[int, int] = {}
    for move in pending.values():
        if not isinstance(move.source, Immediate):
            readers[move.source] = readers.get(move.source, 0) + 1
    ready = sorted((target for target in pending if not readers.get(target)), reverse=True)
    ordered: list[Move] = []
    while pending:
        if not ready:
            cycle = _cycle(pending, min(pending))
            lanes = _lanes_of(cycle)
            spare = temporary(lanes)
            if spare is None:
                ordered += _exchanges(pending, cycle)
                continue
            whole = lanes is Lanes.ALL
            opened = min(
                move.source
                for move in cycle
                if move.whole is whole and not isinstance(move.source, Immediate)
            )
            ordered.append(Move(spare, opened, whole))
            for target, move in pending.items():
                if move.source == opened:
                    pending[target] = Move(target, spare, move.whole)
            readers[spare] = readers.pop(opened)
            ready.append(opened)
        move = pending.pop(ready.pop())
        ordered.append(move)
        if isinstance(move.source, Immediate):
            continue
        readers[move.source] -= 1
        if not readers[move.source] and move.source in pending:
            ready.append(move.source)
    return ordered


def _cycle(pending: dict[int, Move], target: int) -> list[Move]:
    """The moves of a cycle: each reads the target of the next, and the last reads `target`."""
    cycle = [pending[target]]
    while cycle[-1].source != target and not isinstance(cycle[-1].source, Immediate):
        cycle.append(pending[cycle[-1].source])
    return cycle


def _lanes_of(cycle: list[Move]) -> Lanes:
    if len({move.whole for move in cycle}) > 1:
        return Lanes.MIXED
    return Lanes.ALL if cycle[0].whole else Lanes.ACTIVE


def _exchanges(pending: dict[int, Move], cycle: list[Move]) -> list[Move]:
    """Take a cycle out of `pending`. Each exchange fills a target and passes its old content on."""
    for move in cycle:
        del pending[move.target]
    return [move._replace(exchange=True) for move in cycle[:-1]]


def build_moves(moves: list[Move], save: Callable[[], Register], table: Table) -> tuple[Instr, ...]:
    """The instructions of ordered moves. Neighbouring moves of an aligned SGPR pair become a single
    instruction.

    `save` returns free SGPRs, as many as a lane mask needs. They keep EXEC while moves write all lanes.
    """
    masks = lane_masks(table.target.wave_size)
    mask_move = table.row(masks.operations[MaskOperation.MOVE])
    built: list[Instr] = []
    saved: Register | None = None
    for whole, group in groupby(moves, key=lambda move: move.whole):
        if not whole:
            built += _plain_moves(list(group), table)
            continue
        saved = saved or save()
        built += [
            _copy(mask_move, saved, masks.exec),
            _copy(mask_move, masks.exec, Immediate(masks.every_lane)),
        ]
        built += _plain_moves(list(group), table)
        built.append(_copy(mask_move, masks.exec, saved))
    return tuple(built)


def _plain_moves(moves: list[Move], table: Table) -> list[Instr]:
    built: list[Instr] = []
    position = 0
    while position < len(moves):
        move, following = moves[position], moves[position + 1 : position + 2]
        if move.exchange and not isinstance(move.source, Immediate):
            target, source = Register(move.target), Register(move.source)
            built.append(Instr(table.row("v_swap_b32"), (target, source, target, source), origin=COPY_ORIGIN))
            position += 1
            continue
        count = 2 if following and _is_pair(move, following[0]) else 1
        source = move.source if isinstance(move.source, Immediate) else Register(move.source, count)
        built.append(_copy(_move_row(table, move, count), Register(move.target, count), source))
        position += count
    return built


def _is_pair(one: Move, other: Move) -> bool:
    if isinstance(one.source, Immediate) or isinstance(other.source, Immediate):
        return False
    aligned = (
        one.target < FIRST_VGPR and one.source < FIRST_VGPR and one.target % 2 == 0 and one.source % 2 == 0
    )
    return aligned and other.target == one.target + 1 and other.source == one.source + 1


def _move_row(table: Table, move: Move, count: int) -> Row:
    register_class = physical_class(Register(move.target))
    find = find_fill if isinstance(move.source, Immediate) else find_move
    row = find(
        table, register_class if register_class is not RegisterClass.SPECIAL else RegisterClass.SGPR, count
    )
    assert row is not None, "every target moves single registers, and pairs of SGPRs"
    return row


def _copy(row: Row, target: Register, source: Register | Immediate) -> Instr:
    return Instr(row, (target, source), origin=COPY_ORIGIN)
