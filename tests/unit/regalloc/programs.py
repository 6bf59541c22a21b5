"""Machine programs for tests, written as `.mir` without the usual header."""

from __future__ import annotations

from isa.mir.parser import parse_kernel
from isa.mir.places import BlockLines, block_lines
from isa.mir.printer import print_kernel
from isa.program import Kernel
from regalloc import allocate_and_rewrite
from regalloc.allocation import Allocation
from regalloc.verify import verify

HEADER = """stage machine gfx942
kernel test
workgroup {workgroup} 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
"""


def machine(body: str, workgroup: int = 64) -> Kernel:
    """The kernel of `register` lines and blocks."""
    return parse_kernel(HEADER.format(workgroup=workgroup) + body, "test.mir")


def statements(body: str) -> dict[str, BlockLines]:
    """The lines of the statements of such a kernel."""
    return block_lines(HEADER.format(workgroup=64) + body, "test.mir")[0]


def lines(kernel: Kernel) -> list[str]:
    """The blocks of a kernel as text, without what marks a copy."""
    text = print_kernel(kernel)
    body = text[text.index("block ") :]
    return [line.strip().replace(' !origin ["register copy"]', "  # copy") for line in body.splitlines()]


def allocated(body: str, workgroup: int = 64) -> tuple[list[str], Allocation]:
    """Verify, allocate, rewrite and check a program; the text of its blocks."""
    kernel = machine(body, workgroup)
    verify(kernel)
    rewritten, allocation = allocate_and_rewrite(kernel)
    verify(rewritten)
    return lines(rewritten), allocation
