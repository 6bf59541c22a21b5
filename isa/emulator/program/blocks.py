"""A loaded kernel as a machine program: blocks with their edges, as reports and checks want it.

Linear and logical edges coincide, since text does not say which branches only skip lanes.
"""

from __future__ import annotations

from itertools import pairwise

from isa.diagnostics import InputError
from isa.emulator.program.code import Code, ends_block
from isa.emulator.program.image import Image
from isa.emulator.program.reports import place_of
from isa.instruction import Instr, Label, Trait
from isa.program import Abi, Block, Edge, Kernel
from isa.registers import Register, sgpr, vgpr
from isa.targets import parse_target


def kernel_of(image: Image) -> Kernel:
    """The machine program of a kernel entered at its beginning. Raises InputError EMU014 if a branch leaves
    the kernel, EMU016 if it calls a function."""
    for instr in image.code.instructions:
        if Trait.BRANCH in instr.row.traits and (
            instr.row.defines or not isinstance(instr.operands[-1], Label)
        ):
            message = (
                f"{instr.row.mnemonic} calls or returns, and what follows it is not known; wanted "
                f"a kernel without calls"
            )
            raise InputError(place_of(instr), "EMU016", message)
    return Kernel(
        image.name, parse_target(image.target, image.place), image.arguments,
        image.required or (image.largest_workgroup, 1, 1),
        _abi(image), blocks_of(image.code), [],
        image.descriptor.lds_bytes, image.descriptor.scratch_bytes,
    )  # fmt: skip


def blocks_of(code: Code) -> list[Block]:
    """The blocks of straight code with labels, in order. The successors of a jump to a register's value, and
    of the last instruction, are unknown.

    Raises InputError EMU014 if the target of a branch is a number or no label of the code.
    """
    instructions = code.instructions
    ranges = block_ranges(code)
    names = _names(code, [start for start, _ in ranges])
    return [_block(code, instructions, start, end, names) for start, end in ranges]


def block_ranges(code: Code) -> list[tuple[int, int]]:
    """The first instruction of each block, and the instruction after its last, in the order of
    `blocks_of`."""
    return list(pairwise([*_starts(code), len(code.instructions)]))


def _starts(code: Code) -> list[int]:
    """The starts of blocks: labels, entries, and instructions after a branch. A barrier does not end a
    block."""
    instructions = code.instructions
    after = {i + 1 for i, instr in enumerate(instructions) if _leaves(instr)}
    labelled = {index for index in code.labels.values() if index < len(instructions)}
    return sorted((after | labelled | {0}) - {len(instructions)})


def _leaves(instr: Instr) -> bool:
    return ends_block(instr) and Trait.BARRIER not in instr.row.traits


def _names(code: Code, starts: list[int]) -> dict[int, str]:
    """A label per block: the first that is there, or its number."""
    names = {start: f"block{i}" for i, start in enumerate(starts)}
    return names | {
        index: name for name, index in sorted(code.labels.items(), reverse=True) if index in names
    }


def _block(code: Code, instructions: list[Instr], start: int, end: int, names: dict[int, str]) -> Block:
    last = instructions[end - 1]
    if not _leaves(last):
        edges = _edges(names, end)
        return Block(names[start], instructions=instructions[start:end], linear=edges, logical=edges)
    body, traits = instructions[start : end - 1], last.row.traits
    if Trait.END in traits or isinstance(last.operands[-1], Register):
        return Block(names[start], instructions=body, terminator=last)
    target = _target(code, last)
    goes_on = Trait.CONDITIONAL_BRANCH in traits or bool(last.row.defines)
    if not goes_on and target in names:
        edges = _edges(names, target)
        return Block(names[start], instructions=body, linear=edges, logical=edges)
    edges = _edges(names, target, end) if goes_on else ()
    return Block(names[start], instructions=body, terminator=last, linear=edges, logical=edges)


def _edges(names: dict[int, str], *targets: int) -> tuple[Edge, ...]:
    """To the blocks that begin there; no block begins after the last instruction."""
    return tuple(Edge(names[target]) for target in targets if target in names)


def _target(code: Code, branch: Instr) -> int:
    target = branch.operands[-1]
    if not isinstance(target, Label) or target.name not in code.labels:
        raise InputError(
            place_of(branch),
            "EMU014",
            f"{branch.row.mnemonic} goes to {target}, wanted a label of {code.name}",
        )
    return code.labels[target.name]


def _abi(image: Image) -> Abi:
    entry: list[tuple[str, Register]] = [
        (role, sgpr(first, count)) for role, first, count in image.descriptor.entry_sgprs()
    ]
    return Abi((*entry, ("workitem_id", vgpr(0))), image.descriptor.preload_dwords)
