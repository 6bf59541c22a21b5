"""Prints machine programs as `.mir` (`isa.mir`)."""

from __future__ import annotations

import json

from isa.diagnostics import Place
from isa.instruction import Immediate, Instr
from isa.mir.footprints import print_footprint
from isa.mir.places import WRITTEN
from isa.names import RegisterNames, in_order
from isa.program import Argument, Block, Edge, Kernel, VirtualRegister
from isa.registers import Register, register_name
from isa.text.printing import format_instr


def print_kernel(kernel: Kernel) -> str:
    """The `.mir` text of a kernel; its stage is `machine` if a virtual register is declared."""
    names = RegisterNames(kernel.owners)
    lines = [
        f"stage {'machine' if kernel.owners else 'allocated'} {kernel.target}",
        f"kernel {kernel.name}",
        f"workgroup {' '.join(map(str, kernel.workgroup))}{' at most' if kernel.abi.any_block else ''}",
        *([f"groups {kernel.groups}"] if kernel.groups else []),
        *(_argument(argument) for argument in kernel.arguments),
        *(f"entry {role} {register_name(register)}" for role, register in kernel.abi.entry),
        f"preload {kernel.abi.preload_dwords}",
        f"lds {kernel.lds_bytes}",
        f"scratch {kernel.scratch_bytes}",
        *(f"reserved {register_name(register)}" for register in kernel.reserved),
        *(_declaration(owner, names) for owner in in_order(kernel.owners)),
    ]
    for block in kernel.blocks:
        lines += _block(block, names)
    return "\n".join(lines) + "\n"


def _declaration(owner: VirtualRegister, names: RegisterNames) -> str:
    text = f"register {names(owner.register)} {owner.register_class.name.lower()}"
    if owner.count > 1 or owner.align > 1:
        text += f" {owner.count} align {owner.align}"
    return text + (f" at {_place(owner.place)}" if owner.place is not None else "")


def _place(place: Place) -> str:
    return json.dumps([place.file, place.line, place.column])


def _argument(argument: Argument) -> str:
    fields = (
        ("kind", argument.kind), ("space", argument.address_space), ("access", argument.access),
        ("type", argument.type),
    )  # fmt: skip
    words = [
        f"argument {argument.name} offset={argument.offset} size={argument.size}",
        *(f"{key}={value}" for key, value in fields if value),
    ]
    return " ".join(words)


def _block(block: Block, names: RegisterNames) -> list[str]:
    head = f"block {block.label}"
    if block.scalar_parameters:
        head += f" scalar({', '.join(map(names, block.scalar_parameters))})"
    if block.vector_parameters:
        head += f" vector({', '.join(map(names, block.vector_parameters))})"
    lines = [head, *(f"  {_instr(instr, names)}" for instr in block.instructions)]
    if block.terminator is not None:
        lines.append(f"  terminator {_instr(block.terminator, names)}")
    if block.linear:
        lines.append(f"  linear {', '.join(_edge(edge, names) for edge in block.linear)}")
    if block.logical:
        lines.append(f"  logical {', '.join(_edge(edge, names) for edge in block.logical)}")
    return lines


def _edge(edge: Edge, names: RegisterNames) -> str:
    if not edge.arguments:
        return edge.target
    arguments = (
        hex(argument.bits) if isinstance(argument, Immediate) else names(argument)
        for argument in edge.arguments
    )
    return f"{edge.target}({', '.join(arguments)})"


def _instr(instr: Instr, names: RegisterNames) -> str:
    text = format_instr(instr, names)
    hidden = [(use, define) for use, define in instr.row.ties if instr.row.operands[use].hidden]
    if any(instr.operands[use] != instr.operands[define] for use, define in hidden):
        tied = (names(operand) for use, _ in hidden if isinstance(operand := instr.operands[use], Register))
        text += f" !tied({', '.join(tied)})"
    if instr.contract:
        text += " !contract"
    if instr.awaits is not None:
        text += f" !awaits({instr.awaits})"
    if instr.phase:
        text += f" !phase({instr.phase})"
    for footprint in instr.touches:
        text += f" !touches {print_footprint(footprint)}"
    if instr.origin is not None and instr.origin.op != WRITTEN:
        place = instr.origin.place
        where = [place.file, place.line, place.column] if place else []
        text += f" !origin {json.dumps([instr.origin.op, *where])}"
    if instr.comment:
        text += f" !comment {json.dumps(instr.comment)}"
    return text
