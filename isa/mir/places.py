"""Places of the statements of a `.mir` file, for errors after reading."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from isa.instruction import Instr, Origin
from isa.mir.fields import Line, lines_of
from isa.program import Kernel

WRITTEN = ""
"""The op of an instruction's origin that is the line of the `.mir` file itself."""


class BlockLines(Struct):
    """The statements of a block: its own, its instructions in order, and its terminator, if it has any."""

    head: Line
    instructions: list[Line] = field(default_factory=list)
    ends: dict[str, Line] = field(default_factory=dict)  # by `terminator`, `linear` and `logical`

    def at(self, where: str) -> Line:
        """The statement that `where` names: an instruction by its number, `terminator`, `edge to LABEL`; the
        block's own for anything else."""
        if where.isdecimal() and int(where) < len(self.instructions):
            return self.instructions[int(where)]
        if where.startswith("edge to ") or where.isdecimal():
            return self.ends.get("linear", self.ends.get("logical", self.head))
        return self.ends.get(where, self.head)


def block_lines(text: str, file_name: str) -> list[dict[str, BlockLines]]:
    """For every kernel of a file that was read without an error the statements of its blocks, by label."""
    kernels: list[dict[str, BlockLines]] = []
    block: BlockLines | None = None
    for line in lines_of(text, file_name):
        word, rest = line.split()
        if word == "stage":
            kernels.append({})
            block = None
        elif word == "block":
            block = kernels[-1][rest.split()[0]] = BlockLines(line)
        elif block is None:
            continue
        elif word in ("terminator", "linear", "logical"):
            block.ends[word] = line
        else:
            block.instructions.append(line)
    return kernels


def with_places(kernel: Kernel, lines: dict[str, BlockLines]) -> Kernel:
    """The kernel with a place for every instruction: its source, or the line of the file if it names none."""

    def placed(instr: Instr, line: Line) -> Instr:
        if instr.origin is not None:
            return instr
        return replace(instr, origin=Origin(WRITTEN, line.place))

    blocks = [
        replace(
            block,
            instructions=list(map(placed, block.instructions, lines[block.label].instructions)),
            terminator=block.terminator and placed(block.terminator, lines[block.label].ends["terminator"]),
        )
        for block in kernel.blocks
    ]
    return kernel.with_blocks(blocks)
