"""Kernels of code objects, read through `isa.objects` and `isa.binary`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from isa.binary import instructions
from isa.diagnostics import InputError, Place
from isa.emulator.program.calls import deepening, reads_counter
from isa.emulator.program.code import Code, Operation, Unread
from isa.emulator.program.image import Image
from isa.instruction import Immediate, Instr, Kind, Label
from isa.objects.descriptor import DESCRIPTOR_BYTES, from_bytes
from isa.objects.elf import ElfObject, FunctionExtent, elf_object
from isa.objects.kernels import with_waves
from isa.objects.loading import loaded_sections
from isa.objects.metadata import choose
from isa.table import Table, table_of
from isa.target import Target

_PRELOAD_BYTES = 256
_PAGE = 4096
CODE_EDGE = 0x0000_6F01_0000_0000


def load_code_object(data: bytes, name: str, kernel: str | None, to_run: bool = True) -> Image:
    """A kernel of a code object, ready to launch. With `to_run` False it is the kernel's own code only, for
    analysis, which needs no metadata.

    Raises InputError LOAD02x if the bytes are not a complete ELF file of a known AMDGPU target, BIN001 for
    bytes that do not decode.
    """
    place = Place(name)
    elf = elf_object(data, place)
    plain = elf.target()
    kernels = {entry.name: entry for entry in elf.metadata(to_run)}
    chosen = choose(sorted(kernels), kernel, place)
    metadata = kernels[chosen]
    descriptor_at = elf.symbol(metadata.symbol)
    stated = elf.bytes_at(descriptor_at, DESCRIPTOR_BYTES)
    target = with_waves(plain, stated)
    descriptor, entry_offset = from_bytes(stated, target.target, Place(f"{name}+{descriptor_at:#x}"))
    entry = descriptor_at + entry_offset
    base = _base(entry)
    code = _code(elf, target.target, chosen, base, place, elf.functions() if to_run else [])
    if not code.addresses or code.addresses[0] != base + entry:
        message = f"the code of {chosen} is not at its descriptor's entry {entry:#x}"
        raise InputError(place, "LOAD024", message, help="link the code object again with ld.lld -shared")
    code.preload_entry = _preload_entry(code, base + entry, place) if descriptor.preload_dwords else None
    descriptor = deepening(descriptor, code.functions)
    reaches_data = to_run and any(map(reads_counter, code.instructions))
    sections = loaded_sections(elf, base, place) if reaches_data else ()
    image = Image.of(metadata, target, code, descriptor, place, sections)
    return replace(image, has_metadata=elf.has_metadata)


def _preload_entry(code: Code, entry: int, place: Place) -> int:
    """The operation at which firmware enters that preloads kernel arguments (AMDGPUUsage, preloaded kernel
    arguments)."""
    index = code.index_at(entry + _PRELOAD_BYTES)
    if index is None:
        message = (
            f"{code.name} has preloaded arguments and no instruction {_PRELOAD_BYTES} bytes after its entry"
        )
        help = (
            f"put `.p2align 8` after the code that loads the arguments for older firmware, at most "
            f"{_PRELOAD_BYTES} bytes"
        )
        raise InputError(place, "LOAD033", f"{message}, the entry for firmware that preloads them", help=help)
    return index


def _base(entry: int) -> int:
    """The address at which address 0 of an object is loaded. The code begins just above a multiple of 2**32,
    and the data before it lies below, so a program that drops the carry into the upper half is caught."""
    return CODE_EDGE - entry // _PAGE * _PAGE


def functions_of_object(data: bytes, name: str, target: Target) -> Iterator[tuple[str, Code | InputError]]:
    """The functions of a code object that are not kernels, by name: the code of each, or why it cannot be
    read."""
    place = Place(name)
    elf = elf_object(data, place)
    for function in elf.functions():
        try:
            listed = _function(elf, function.start, function.end, table_of(target), place)
            yield function.name, _linked(function.name, listed, 0, place)
        except InputError as error:
            yield function.name, error


def _code(
    elf: ElfObject, target: Target, kernel: str, base: int, place: Place, functions: Sequence[FunctionExtent]
) -> Code:
    """A kernel, followed by the functions if it can reach them. An unreadable function is an error only if it
    is called."""
    table = table_of(target)
    listed = _function(elf, *elf.extent(kernel), table, place)
    unread: list[Unread] = []
    starts: list[int] = []
    if any(reads_counter(instr) for _, instr in listed):
        for _, start, end in functions:
            try:
                function = _function(elf, start, end, table, place)
            except InputError as error:
                unread.append(Unread(base + start, base + end, error))
                continue
            starts.append(len(listed))
            listed += function
    code = _linked(kernel, listed, base, place)
    code.unread, code.function_starts = unread, starts
    return code


def _function(elf: ElfObject, start: int, end: int, table: Table, place: Place) -> list[tuple[int, Instr]]:
    """Address and instruction of everything in a function."""
    return list(_listed(elf.bytes_at(start, end - start), start, table, place))


@lru_cache(maxsize=64)
def _listed(content: bytes, start: int, table: Table, place: Place) -> tuple[tuple[int, Instr], ...]:
    """The same of its bytes: the kernels of a file call the same functions."""
    return tuple(instructions(content, start, table, place))


def _linked(kernel: str, listed: list[tuple[int, Instr]], base: int, place: Place) -> Code:
    """Instructions with their branches turned to labels, at their loaded addresses."""
    index_of = {address: i for i, (address, _) in enumerate(listed)}
    labels: dict[str, int] = {}
    operations: list[Operation] = [
        _with_label(instr, address, index_of, labels, place) for address, instr in listed
    ]
    return Code(kernel, operations, labels, addresses=[base + address for address, _ in listed], base=base)


def _with_label(
    instr: Instr, address: int, index_of: dict[int, int], labels: dict[str, int], place: Place
) -> Instr:
    """A branch offset, counted in dwords from the next instruction, as a label."""
    if not any(spec.kinds & Kind.LABEL for spec in instr.row.operands):
        return instr
    operands = list(instr.operands)
    for i, (spec, operand) in enumerate(zip(instr.row.operands, instr.operands, strict=True)):
        if not spec.kinds & Kind.LABEL or not isinstance(operand, Immediate):
            continue
        offset = (operand.bits & 0xFFFF) - ((operand.bits & 0x8000) << 1)
        goal = address + 4 + 4 * offset
        if goal not in index_of:
            raise InputError(
                place,
                "LOAD026",
                f"the branch at {address:#x} goes to {goal:#x}, not the start of an instruction",
                help="branch to a label; `check` lists the instructions with their offsets",
            )
        name = f"address {goal:#x}"
        labels[name] = index_of[goal]
        operands[i] = Label(name)
    return replace(instr, operands=tuple(operands))
