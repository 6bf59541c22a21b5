"""Kernels on physical registers written as assembly, and back, so that tests can state exact instruction lists."""

from __future__ import annotations

from isa.instruction import Instr, Label, Trait
from isa.program import Block, Edge, Kernel
from isa.table import table_named
from isa.targets import parse_target
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr

PLAIN = "gfx942:xnack-"


def kernel_of(text: str, target: str = PLAIN) -> Kernel:
    """One instruction a line; `label:` starts a block; a branch ends a block; s_endpgm follows the last
    line."""
    blocks = [Block("entry")]
    for line in (raw.partition(";")[0].strip() for raw in text.strip().splitlines()):
        if not line:
            continue
        if line.endswith(":"):
            blocks.append(Block(line[:-1]))
            continue
        instr = parse_instr(line, table_named(target), "test")
        if Trait.BRANCH in instr.row.traits or Trait.END in instr.row.traits:
            blocks[-1].terminator = instr
            blocks.append(Block(f"after{len(blocks)}"))
        else:
            blocks[-1].instructions.append(instr)
    return _linked(blocks, target)


def _linked(blocks: list[Block], target: str) -> Kernel:
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        terminator = block.terminator
        jump = _target(terminator) if terminator is not None else None
        if terminator is None and following is None:
            block.terminator = Instr(table_named(target).row("s_endpgm"), ())
        elif terminator is None and following is not None:
            block.linear = (Edge(following.label),)
        elif jump is not None and terminator is not None and Trait.CONDITIONAL_BRANCH not in terminator.row.traits:
            block.terminator, block.linear = None, (Edge(jump),)
        elif jump is not None and following is not None:
            block.linear = (Edge(jump), Edge(following.label))
        block.logical = block.linear
    return Kernel("test", parse_target(target), blocks=blocks)


def _target(branch: Instr) -> str | None:
    return next((operand.name for operand in branch.operands if isinstance(operand, Label)), None)


def lines_of(kernel: Kernel) -> list[str]:
    """Labels that something jumps to, instructions, and the branches that the order of blocks needs."""
    targets = {edge.target for block in kernel.blocks for edge in block.linear}
    lines: list[str] = []
    for number, block in enumerate(kernel.blocks):
        following = kernel.blocks[number + 1].label if number + 1 < len(kernel.blocks) else ""
        if block.label in targets:
            lines.append(f"{block.label}:")
        lines += [format_instr(instr) for instr in block.instructions]
        if block.terminator is not None:
            lines.append(format_instr(block.terminator))
        if block.linear and block.linear[-1].target != following:
            lines.append(f"s_branch {block.linear[-1].target}")
    return lines


def code_of(kernel: Kernel) -> list[str]:
    """The same without labels and the final s_endpgm."""
    return [line for line in lines_of(kernel) if not line.endswith(":") and line != "s_endpgm"]
