"""The instructions at which all lanes of a wave's start are on, whichever way it came.

Code turns lanes off by saving EXEC in SGPRs, and on again by taking the saved mask back, or by adding it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from isa.instruction import Instr, Row
from isa.lane_masks import LaneMasks, MaskOperation, lane_masks, writes_exec
from isa.named_tuple import NamedTuple
from isa.registers import Register


class _Lanes(NamedTuple):
    """Whether all lanes are on, and the registers that have the mask of all lanes."""

    full: bool
    saved: frozenset[Register]

    def met(self, other: _Lanes) -> _Lanes:
        return _Lanes(self.full and other.full, self.saved & other.saved)


_ENTRY = _Lanes(True, frozenset())


def full_lanes(
    blocks: Sequence[Sequence[Instr]], successors: Sequence[Sequence[int]], entries: Sequence[int],
    masks: LaneMasks,
) -> list[list[bool]]:  # fmt: skip
    """For each instruction of each block whether all lanes are on. `entries` are the blocks at which waves
    start."""
    at: dict[int, _Lanes] = dict.fromkeys(entries, _ENTRY)
    pending = list(entries)
    while pending:
        number = pending.pop()
        lanes = at[number]
        for instr in blocks[number]:
            lanes = _after(instr, lanes, masks)
        for successor in successors[number]:
            known = at.get(successor)
            met = lanes if known is None else known.met(lanes)
            if met != known:
                at[successor] = met
                pending.append(successor)
    return [_in_block(block, at.get(number, _ENTRY), masks) for number, block in enumerate(blocks)]


def _in_block(block: Sequence[Instr], lanes: _Lanes, masks: LaneMasks) -> list[bool]:
    full: list[bool] = []
    for instr in block:
        full.append(lanes.full)
        lanes = _after(instr, lanes, masks)
    return full


def _after(instr: Instr, lanes: _Lanes, masks: LaneMasks) -> _Lanes:
    """The lanes after an instruction."""
    changes = writes_exec(instr)
    saves, moves, adds = _kinds(instr.row, masks.lanes)
    if not (changes or saves or moves) and not _overwrites(instr, lanes):
        return lanes
    sources = [operand for operand in instr.operands[1:] if isinstance(operand, Register)]
    is_mask = any(_is_full(source, lanes, masks) for source in sources)
    written = instr.units.written
    kept = frozenset(each for each in lanes.saved if set(each.units).isdisjoint(written))
    target = instr.operands[0] if instr.operands else None
    is_all = (saves and lanes.full) or (moves and is_mask)
    if is_all and isinstance(target, Register) and target.count == masks.units and target != masks.exec:
        kept |= {target}
    full = lanes.full if not changes else target == masks.exec and (moves or adds) and is_mask
    return _Lanes(full, kept)


@cache
def _kinds(row: Row, lanes: int) -> tuple[bool, bool, bool]:
    """Whether a row saves EXEC and turns lanes off, moves a mask, and adds a mask."""
    operations = lane_masks(lanes).operations
    wanted = (MaskOperation.AND_SAVE_EXEC, MaskOperation.MOVE, MaskOperation.OR)
    first, second, third = [row.operation == operations[each] for each in wanted]
    return first, second, third


def _overwrites(instr: Instr, lanes: _Lanes) -> bool:
    """Whether an instruction writes a register that has the mask of all lanes."""
    return bool(lanes.saved) and any(
        not set(each.units).isdisjoint(instr.units.written) for each in lanes.saved
    )


def _is_full(source: Register, lanes: _Lanes, masks: LaneMasks) -> bool:
    return source in lanes.saved or (source == masks.exec and lanes.full)
