"""Kernels of code objects, read through `isa.objects` and llvm-objdump."""

from __future__ import annotations

from dataclasses import replace

from isa.diagnostics import InputError, Place
from isa.emulator.calls import reads_counter
from isa.emulator.code import Code, Operation
from isa.emulator.disassembly import disassemble
from isa.emulator.image import Image
from isa.instruction import Immediate, Instr, Kind, Label, Origin
from isa.objects.descriptor import DESCRIPTOR_BYTES, Descriptor, from_bytes
from isa.objects.elf import ElfObject
from isa.objects.kernels import with_waves
from isa.objects.metadata import KernelMetadata, choose
from isa.table import Table, table_of
from isa.targets import Target, TargetId
from isa.text import parse_instr

_PRELOAD_BYTES = 256


def load_code_object(data: bytes, name: str, kernel: str | None, needs_metadata: bool = True) -> Image:
    """One kernel of a code object, ready to launch; without metadata it can only be looked at (`needs_metadata`).

    InputError LOAD02x for what is no whole ELF file of a known AMDGPU target, LOAD03x where llvm-objdump is missing or fails.
    """
    place = Place(name)
    elf = ElfObject(data, place)
    plain = elf.target()
    kernels = {entry.name: entry for entry in elf.metadata(needs_metadata)}
    chosen = choose(sorted(kernels), kernel, place)
    metadata = kernels[chosen]
    descriptor_at = elf.symbol(metadata.symbol)
    stated = elf.bytes_at(descriptor_at, DESCRIPTOR_BYTES)
    target = with_waves(plain, stated)
    descriptor, entry_offset = from_bytes(stated, target.target, place)
    entry = descriptor_at + entry_offset
    code = _code(data, elf, target.target, chosen, place)
    if not code.addresses or code.addresses[0] != entry:
        raise InputError(place, "LOAD024", f"the code of {chosen} is not at its descriptor's entry {entry:#x}")
    if descriptor.preload_dwords and entry + _PRELOAD_BYTES in code.addresses:
        code.preload_entry = code.addresses.index(entry + _PRELOAD_BYTES)
    constants = elf.constants() if any(map(reads_counter, code.instructions)) else ()
    image = _image(metadata, target, code, descriptor, constants, place)
    return replace(image, has_metadata=elf.has_metadata)


def _code(data: bytes, elf: ElfObject, target: Target, kernel: str, place: Place) -> Code:
    """A kernel, and the functions of the object behind it if it can reach them."""
    table = table_of(target)
    lines = disassemble(data, [kernel], target, place)
    instructions = _instructions(lines, table, place)
    if any(reads_counter(instr) for instr in instructions):
        others = disassemble(data, elf.functions(kernel), target, place)
        instructions += _instructions(others, table, place)
        lines += others
    return _linked(kernel, instructions, [address for address, _ in lines], place)


def _image(
    metadata: KernelMetadata, target: TargetId, code: Code, descriptor: Descriptor, constants: tuple[tuple[int, bytes], ...], place: Place,
) -> Image:  # fmt: skip
    return Image(
        metadata.name, str(target), code, descriptor, metadata.arguments, metadata.kernarg_size, metadata.largest_workgroup, metadata.required, place,
        metadata.counts, constants,
    )  # fmt: skip


def _instructions(lines: list[tuple[int, str]], table: Table, place: Place) -> list[Instr]:
    found: list[Instr] = []
    for address, text in lines:
        where = Place(f"{place.file}+{address:#x}")
        found.append(replace(parse_instr(text, table, where), origin=Origin("", where)))
    return found


def _linked(kernel: str, instructions: list[Instr], addresses: list[int], place: Place) -> Code:
    """Instructions with their branches turned to labels."""
    index_of = {address: i for i, address in enumerate(addresses)}
    labels: dict[str, int] = {}
    operations: list[Operation] = [
        _with_label(instr, address, index_of, labels, place) for instr, address in zip(instructions, addresses, strict=True)
    ]
    return Code(kernel, operations, labels, addresses=addresses)


def _with_label(instr: Instr, address: int, index_of: dict[int, int], labels: dict[str, int], place: Place) -> Instr:
    """A branch offset, counted in dwords from the next instruction, as a label."""
    operands = list(instr.operands)
    for i, (spec, operand) in enumerate(zip(instr.row.operands, instr.operands, strict=True)):
        if not spec.kinds & Kind.LABEL or not isinstance(operand, Immediate):
            continue
        offset = (operand.bits & 0xFFFF) - ((operand.bits & 0x8000) << 1)
        goal = address + 4 + 4 * offset
        if goal not in index_of:
            raise InputError(place, "LOAD026", f"the branch at {address:#x} goes to {goal:#x}, where no instruction of the kernel begins")
        name = f"address {goal:#x}"
        labels[name] = index_of[goal]
        operands[i] = Label(name)
    return replace(instr, operands=tuple(operands))
