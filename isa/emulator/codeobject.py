"""Code objects: the ELF file that clang and lld make, read through pyelftools, msgpack and llvm-objdump."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from io import BytesIO
from typing import Any, cast

from isa.diagnostics import InputError, Place
from isa.emulator.calls import reads_counter
from isa.emulator.code import Code, Operation
from isa.emulator.descriptor import Descriptor, from_bytes, wave_size_in_bytes
from isa.emulator.disassembly import disassemble
from isa.emulator.image import Image, choose
from isa.emulator.metadata import LARGEST_WORKGROUP, KernelMetadata, kernels_of
from isa.instruction import Immediate, Instr, Kind, Label, Origin
from isa.table import Table, table_of
from isa.targets import TARGETS, Target, TargetId, with_wave_size
from isa.text import parse_instr

_EM_AMDGPU = 224
_NT_AMDGPU_METADATA = 32
_FEATURES = ((10, ("", "", "sramecc-", "sramecc+")), (8, ("", "", "xnack-", "xnack+")))  # bit of e_flags, spelling by value
_READ_ONLY = 2  # a section's flags: loaded (2), not written (1), not executed (4)
_LOADED = 1 | _READ_ONLY | 4
_PRELOAD_BYTES = 256
_DESCRIPTOR_BYTES = 64


def load_code_object(data: bytes, name: str, kernel: str | None, needs_metadata: bool = True) -> Image:
    """One kernel of a code object, ready to launch; without metadata it can only be looked at (`needs_metadata`).

    InputError LOAD02x for what is no whole ELF file of a known AMDGPU target, LOAD03x where llvm-objdump is missing or fails.
    """
    place = Place(name)
    elf = _Elf(data, place)
    plain = elf.target()
    kernels = {entry.name: entry for entry in elf.metadata(needs_metadata)}
    chosen = choose(sorted(kernels), kernel, place)
    metadata = kernels[chosen]
    descriptor_at = elf.symbol(metadata.symbol)
    stated = elf.bytes_at(descriptor_at, _DESCRIPTOR_BYTES)
    target = _with_waves(plain, stated)
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


def _code(data: bytes, elf: _Elf, target: Target, kernel: str, place: Place) -> Code:
    """A kernel, and the functions of the object behind it if it can reach them."""
    table = table_of(target)
    lines = disassemble(data, [kernel], target, place)
    instructions = _instructions(lines, table, place)
    if any(reads_counter(instr) for instr in instructions):
        others = disassemble(data, elf.functions(kernel), target, place)
        instructions += _instructions(others, table, place)
        lines += others
    return _linked(kernel, instructions, [address for address, _ in lines], place)


def _with_waves(target: TargetId, descriptor: bytes) -> TargetId:
    """The target at the wave size that a kernel descriptor states."""
    return replace(target, target=with_wave_size(target.target, wave_size_in_bytes(descriptor, target.target)))


def object_target(data: bytes, name: str) -> TargetId:
    """The target of a code object, at the wave size of its first kernel. InputError LOAD02x as of `load_code_object`."""
    elf = _Elf(data, Place(name))
    target = elf.target()
    kernels = elf.metadata()
    return _with_waves(target, elf.bytes_at(elf.symbol(kernels[0].symbol), _DESCRIPTOR_BYTES)) if kernels else target


def object_kernel(data: bytes, name: str, kernel: str | None) -> KernelMetadata:
    """The metadata of one kernel of a code object (or of the only one), which is all that a launch on a GPU needs.

    InputError LOAD02x as of `load_code_object`; llvm-objdump is not needed.
    """
    place = Place(name)
    kernels = {entry.name: entry for entry in _Elf(data, place).metadata()}
    return kernels[choose(sorted(kernels), kernel, place)]


def object_kernel_names(data: bytes, name: str, needs_metadata: bool = True) -> list[str]:
    """The kernels of a code object, sorted. InputError LOAD0xx as of `load_code_object`."""
    elf = _Elf(data, Place(name))
    _ = elf.target()
    return sorted(entry.name for entry in elf.metadata(needs_metadata))


def _image(
    metadata: KernelMetadata, target: TargetId, code: Code, descriptor: Descriptor, constants: tuple[tuple[int, bytes], ...], place: Place,
) -> Image:  # fmt: skip
    return Image(
        metadata.name, str(target), code, descriptor, metadata.arguments, metadata.kernarg_size, metadata.largest_workgroup, metadata.required, place,
        metadata.counts, constants,
    )  # fmt: skip


class _Elf:
    """What is needed of the ELF file; whatever is missing or out of the file's bounds is an InputError."""

    def __init__(self, data: bytes, place: Place) -> None:
        from elftools.common.exceptions import ELFError
        from elftools.construct import ConstructError
        from elftools.elf.elffile import ELFFile

        self._place = place
        self.has_metadata = True  # until it is looked for and not found
        # the reader trusts the numbers of a file's headers, and fails in all the ways in which they can be wrong
        self._errors = (
            ELFError, ConstructError, ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError, TypeError,
            ValueError, struct.error, zlib.error,
        )  # fmt: skip
        if not data.startswith(b"\x7fELF"):
            raise InputError(place, "LOAD020", f"the file begins with {data[:4]!r}, wanted an ELF code object")
        try:
            self._elf: Any = ELFFile(BytesIO(data))
            header: Any = self._elf.header
            end = header["e_shoff"] + header["e_shnum"] * header["e_shentsize"]
            ends = [segment["p_offset"] + segment["p_filesz"] for segment in self._elf.iter_segments()]
        except self._errors as error:
            raise self._broken(str(error)) from None
        if max([end, *ends]) > len(data):
            raise self._broken(f"it has {len(data)} bytes and its headers reach to {max([end, *ends])}")
        self._header = header

    def _broken(self, why: str) -> InputError:
        return InputError(self._place, "LOAD021", f"the ELF file is damaged or truncated ({why}), wanted a whole code object")

    def target(self) -> TargetId:
        """The target that the ELF flags name."""
        machine, flags = self._header["e_machine"], int(self._header["e_flags"])
        if machine not in ("EM_AMDGPU", _EM_AMDGPU):
            raise InputError(self._place, "LOAD022", f"the ELF file is for {machine}, wanted an AMDGPU code object")
        if self._header["e_type"] != "ET_DYN":
            raise InputError(self._place, "LOAD027", "the object file is not linked, wanted a code object as lld makes it (ld.lld -shared)")
        for target in TARGETS.values():
            if target.elf_machine_flag == flags & 0xFF:
                return TargetId(target, tuple(feature for shift, names in _FEATURES if (feature := names[flags >> shift & 3])))
        raise InputError(self._place, "LOAD023", f"the code object is for machine {flags & 0xFF:#x}, wanted one of {', '.join(sorted(TARGETS))}")

    def metadata(self, required: bool = True) -> list[KernelMetadata]:
        """What the metadata says of each kernel; where it is not `required` and absent, the kernels that have a descriptor."""
        try:
            for section in self._elf.iter_sections():
                if section["sh_type"] != "SHT_NOTE":
                    continue
                for note in section.iter_notes():
                    if note["n_name"] == "AMDGPU" and note["n_type"] in (_NT_AMDGPU_METADATA, "NT_AMDGPU_METADATA"):
                        return kernels_of(_unpack(note["n_descdata"] if "n_descdata" in note else note["n_desc"]), self._place)
        except self._errors as error:
            raise self._broken(str(error)) from None
        self.has_metadata = False
        if not required:
            return [KernelMetadata(name.removesuffix(".kd"), name, (), 0, LARGEST_WORKGROUP, None) for name in self._descriptors()]
        raise InputError(self._place, "LOAD009", "the code object has no AMDGPU metadata note, so its kernels' arguments are not known")

    def _descriptors(self) -> list[str]:
        """The symbols of kernel descriptors."""
        try:
            tables = [self._elf.get_section_by_name(name) for name in (".symtab", ".dynsym")]
            symbols = [symbol for table in tables if table is not None for symbol in table.iter_symbols()]
            return sorted({str(symbol.name) for symbol in symbols if symbol.name.endswith(".kd")})
        except self._errors as error:
            raise self._broken(str(error)) from None

    def symbol(self, name: str) -> int:
        """The address of a symbol."""
        try:
            for section_name in (".symtab", ".dynsym"):
                table = self._elf.get_section_by_name(section_name)
                found = table.get_symbol_by_name(name) if table is not None else None
                if found:
                    return int(found[0]["st_value"])
        except self._errors as error:
            raise self._broken(str(error)) from None
        raise InputError(self._place, "LOAD025", f"the code object has no symbol {name}")

    def functions(self, kernel: str) -> list[str]:
        """The names of the functions of the object, apart from this kernel and from those of other kernels."""
        try:
            table = self._elf.get_section_by_name(".symtab")
            symbols = list(table.iter_symbols()) if table is not None else []
            kernels = {kernel, *(symbol.name.removesuffix(".kd") for symbol in symbols if symbol.name.endswith(".kd"))}
            return sorted({symbol.name for symbol in symbols if symbol["st_info"]["type"] == "STT_FUNC"} - kernels)
        except self._errors as error:
            raise self._broken(str(error)) from None

    def constants(self) -> tuple[tuple[int, bytes], ...]:
        """Address and bytes of every section that is loaded to be read alone, by address."""
        try:
            found = [
                (int(section["sh_addr"]), bytes(section.data()))
                for section in self._elf.iter_sections()
                if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & _LOADED == _READ_ONLY and section["sh_size"]
            ]
        except self._errors as error:
            raise self._broken(str(error)) from None
        return tuple(sorted(found))

    def bytes_at(self, address: int, size: int) -> bytes:
        """Bytes of the loaded image."""
        try:
            for section in self._elf.iter_sections():
                start = int(section["sh_addr"])
                if section["sh_type"] == "SHT_PROGBITS" and start <= address and address + size <= start + int(section["sh_size"]):
                    return bytes(section.data()[address - start : address - start + size])
        except self._errors as error:
            raise self._broken(str(error)) from None
        raise self._broken(f"address {address:#x} lies in no section")


def _unpack(data: Any) -> Any:
    import msgpack

    raw = data if isinstance(data, bytes) else str(data).encode("latin-1")
    return cast(Any, msgpack.unpackb(raw, raw=False, strict_map_key=False))  # pyright: ignore[reportUnknownMemberType]


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
