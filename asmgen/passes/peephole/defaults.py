"""Constants of the lanes that skip a branch, set in front of it.

      s_and_saveexec_b64 s[0:1], vcc            v_mov_b32 v4, 0
      s_cbranch_execz flow                      s_and_saveexec_b64 s[0:1], vcc
      global_load_dword v4, v5, s[2:3]          s_cbranch_execz flow
    flow:                                 is    global_load_dword v4, v5, s[2:3]
      s_andn2_b64 exec, s[0:1], exec          flow:
      s_waitcnt vmcnt(0)                        s_mov_b64 exec, s[0:1]
      v_mov_b32 v4, 0
      s_mov_b64 exec, s[0:1]

The constants wait for nothing before the branch. Behind it they would wait for a load into the same
registers, and each of several loads in branches of their own would wait for the load before.

A lane takes the logical edges. All lanes of the block before the branch are on in front of its write of EXEC.
Those that take the branch overwrite the constants, since they read the registers only after they have written
them; the others keep them, since EXEC masks these writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from asmgen.passes.ssa import is_copy
from isa.instruction import ExecMode, Immediate, Instr, Unit
from isa.lane_masks import reads_exec, writes_exec
from isa.program import Block, Kernel
from regalloc.cfg import build_control_flow
from regalloc.lanes import between


def set_defaults_first(kernel: Kernel) -> Kernel:
    """The kernel on physical registers, with constants of lanes that skip a branch in front of it."""
    blocks = {block.label: block for block in kernel.blocks}
    entries = Counter(edge.target for block in kernel.blocks for edge in block.logical)
    changed = False
    for label in list(blocks):
        head = blocks[label]
        for taken, skipped in _ways(head):
            *code, mask = head.instructions
            defaults = blocks[skipped].instructions
            is_alone = entries[taken] == entries[skipped] == 1
            if not is_alone or not _are_constants(defaults):
                continue
            if _overwrites([mask, *blocks[taken].code], defaults) and _stay(kernel, label, skipped):
                blocks[label] = head.with_instructions([*code, *defaults, mask])
                blocks[skipped] = blocks[skipped].with_instructions([])
                changed = True
                break
    return kernel.with_blocks(list(blocks.values())) if changed else kernel


def _ways(head: Block) -> Sequence[tuple[str, str]]:
    """The blocks of the lanes that take a branch and of those that skip it, either way around; none if the
    block does not end with a write of EXEC that its branch tests."""
    targets, branch = [edge.target for edge in head.logical], head.terminator
    if len(targets) != 2 or branch is None or not reads_exec(branch):
        return ()
    if not head.instructions or not writes_exec(head.instructions[-1]):
        return ()
    return (targets[0], targets[1]), (targets[1], targets[0])


def _are_constants(code: Sequence[Instr]) -> bool:
    """Whether instructions only set vector registers to constants."""
    return bool(code) and all(
        is_copy(instr) and instr.row.unit is Unit.VALU and isinstance(instr.operands[1], Immediate)
        for instr in code
    )


def _overwrites(code: Sequence[Instr], defaults: Sequence[Instr]) -> bool:
    """Whether instructions write all registers of the defaults, and read none of them before."""
    left = set(_written(defaults))
    for instr in code:
        if not left.isdisjoint(instr.units.read):
            return False
        left.difference_update(instr.units.written)
    return not left


def _stay(kernel: Kernel, head: str, skipped: str) -> bool:
    """Whether lanes keep their defaults from one block to another: every instruction on a way between them
    that writes such a register does so in lanes that are on."""
    flow = build_control_flow(kernel)
    start, end = flow.index[head], flow.index[skipped]
    units = _written(kernel.blocks[end].instructions)
    return not any(
        instr.row.exec_mode is not ExecMode.MASKED and not units.isdisjoint(instr.units.written)
        for number in between(flow.linear, start, end)
        for instr in kernel.blocks[number].instructions
    )


def _written(code: Sequence[Instr]) -> frozenset[int]:
    return frozenset(chain.from_iterable(instr.units.written for instr in code))
