"""Assembly text to a code object, in process: equal in .text, .rodata, notes, symbols and segments to the
output of clang and lld.

It supports the output of compilers: instructions, labels, sections, symbols, data, alignment, source lines,
kernel descriptors and metadata. Macros, conditions and repetitions are left to clang, and are errors here.
"""

from __future__ import annotations

import re
from typing import Any

from isa.assembler.debug_lines import DebugLines
from isa.assembler.directives import Directives
from isa.assembler.expressions import Compound, Expression, SymbolName, names_in
from isa.assembler.instructions import Instructions, resolve_branches
from isa.assembler.metadata import read_metadata
from isa.assembler.state import Assembly, DataFixup, SymbolState, is_private
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple
from isa.objects.content import (
    EXECUTE,
    ObjectContent,
    ObjectSymbol,
    Relocation,
    RelocationKind,
    Section,
    SymbolType,
)
from isa.objects.descriptor import DESCRIPTOR_BYTES
from isa.objects.directives import ENTRY_OFFSET, Stated, descriptor_bytes
from isa.objects.flags import ABI_VERSIONS, NEWEST_VERSION, flags_of
from isa.objects.linking import link
from isa.objects.notes import metadata_note
from isa.targets import TargetId
from isa.text.lines import open_string, split_comment, without_block_comments

_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$]*):\s*(.*)\Z", re.DOTALL)
_ASSIGNMENT = re.compile(r"([A-Za-z_.$][\w.$]*)\s*=(?!=)\s*(.*)\Z")
_KERNEL_END, _METADATA_END = ".end_amdhsa_kernel", ".end_amdgpu_metadata"
_DESCRIPTOR = ".amdhsa_"
_LARGEST = (1 << 64) - 1
_ABSOLUTE = {4: RelocationKind.ABSOLUTE_32, 8: RelocationKind.ABSOLUTE_64}


def assemble_text(text: str, target: TargetId, name: str) -> bytes:
    """The code object of assembly text; `name` is what messages call it.

    InputError ASM00x and ISA00x for a line that is not an instruction of the target, OBJ0xx and LOAD010 for
    the rest.
    """
    reader = _Reader(Assembly(name, target))
    reader.read(without_block_comments(text))
    return link(reader.content(), Place(name))


class _Field(NamedTuple):
    """The value of a directive of a descriptor: the expression that its text is, and its line."""

    expression: Expression
    text: str
    line: int


class _Descriptor(NamedTuple):
    """A kernel descriptor to be, and its place in a section."""

    fields: dict[str, _Field]
    place: Place
    section: Section
    offset: int


class _Reader:
    """Reads the lines; keeps the state between them: an open kernel descriptor, open metadata."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._lines = DebugLines()
        self._directives = Directives(assembly, self._lines)
        self._instructions = Instructions(assembly)
        self._kernel: tuple[str, int] | None = None
        self._fields: dict[str, _Field] = {}
        self._descriptors: list[_Descriptor] = []
        self._yaml: list[tuple[int, str]] = []
        self._yaml_line = 0
        self._metadata: Any = None

    def read(self, text: str) -> None:
        for number, line in enumerate(text.split("\n"), 1):
            if self._yaml_line:
                self._metadata_line(number, line)
            elif line:
                self._line(number, line)
        if self._yaml_line:
            raise InputError(
                self._assembly.place(self._yaml_line),
                "OBJ027",
                f"the file ends, wanted {_METADATA_END} before",
            )
        if self._kernel is not None:
            raise InputError(
                self._assembly.place(self._kernel[1]), "OBJ027", f"the file ends, wanted {_KERNEL_END} before"
            )

    def _line(self, number: int, line: str) -> None:
        code, _ = split_comment(line)
        if '"' in code and (column := open_string(code)):
            raise InputError(
                Place(self._assembly.name, number, column),
                "OBJ028",
                "the string does not end on its line, wanted a closing quote",
            )
        while ":" in code and (match := _LABEL.match(code)):
            self._assembly.define(match[1], number)
            code = match[2]
        code = code.strip()
        if not code:
            return
        if code[0] == ".":
            parts = code.split(None, 1)
            if "=" not in code or not self._assigned(code, number):
                self._directive(number, parts[0], parts[1] if len(parts) > 1 else "")
        elif "=" not in code or not self._assigned(code, number):
            self._instruction(number, code)

    def _assigned(self, code: str, number: int) -> bool:
        match = _ASSIGNMENT.match(code)
        if match:
            self._directives.apply(".set", f"{match[1]}, {match[2]}", number)
        return match is not None

    def _instruction(self, number: int, code: str) -> None:
        section = self._assembly.current
        if not section.flags & EXECUTE:
            raise InputError(
                self._assembly.place(number),
                "OBJ029",
                f"section {section.name} is not a code section, wanted instructions in a code section",
            )
        self._lines.code(section.name, section.size)
        self._instructions.add(code, number)

    def _directive(self, number: int, name: str, rest: str) -> None:
        if name.startswith(_DESCRIPTOR) and self._kernel is not None:
            self._field(number, name.removeprefix(_DESCRIPTOR), rest)
        elif name == ".amdhsa_kernel" and self._kernel is None:
            self._kernel, self._fields = (rest.strip(), number), {}
        elif name == _KERNEL_END and self._kernel is not None:
            self._descriptor(*self._kernel)
            self._kernel = None
        elif self._kernel is not None:
            raise InputError(
                self._assembly.place(number),
                "OBJ025",
                f"{name} in a kernel descriptor, wanted {_KERNEL_END} before it",
            )
        elif name == ".amdgpu_metadata":
            self._yaml, self._yaml_line = [], number
        else:
            self._directives.apply(name, rest, number)

    def _field(self, number: int, name: str, rest: str) -> None:
        if name in self._fields:
            raise InputError(
                self._assembly.place(number),
                "OBJ021",
                f".amdhsa_{name} is in the descriptor twice, wanted once",
            )
        expression = self._assembly.expression(rest, number)
        for symbol in names_in(expression):
            _ = self._assembly.symbol(symbol)
        self._fields[name] = _Field(expression, rest, number)

    def _descriptor(self, kernel: str, line: int) -> None:
        """Room for the descriptor, and its symbol, with the visibility of the kernel's. Its fields may name
        symbols of later lines, as the registers of functions that a kernel calls by address."""
        assembly = self._assembly
        place = assembly.place(line)
        if not kernel:
            raise InputError(place, "OBJ025", ".amdhsa_kernel, wanted the name of a kernel after it")
        code = assembly.symbol(kernel)
        symbol = assembly.symbol(f"{kernel}.kd")
        assembly.define(symbol.name, line)
        symbol.type, symbol.binding, symbol.visibility = SymbolType.OBJECT, code.binding, code.visibility
        symbol.size = (
            Compound(
                "-",
                (assembly.here()._replace(number=assembly.here().number + DESCRIPTOR_BYTES), assembly.here()),
            ),
            line,
        )
        section = assembly.current
        self._descriptors.append(_Descriptor(self._fields, place, section, section.size))
        assembly.data_fixups.append(
            DataFixup(
                section, section.size + ENTRY_OFFSET, 8, SymbolName(kernel), line, RelocationKind.RELATIVE_64,
                ENTRY_OFFSET,
            )
        )  # fmt: skip
        assembly.add(b"\xff" * DESCRIPTOR_BYTES, line)  # a section that has zeros only refuses it

    def _fill(self, descriptor: _Descriptor) -> None:
        assembly = self._assembly
        stated = {
            name: Stated(assembly.number_of(*field), field.line) for name, field in descriptor.fields.items()
        }
        end = descriptor.offset + DESCRIPTOR_BYTES
        data = descriptor_bytes(stated, assembly.target, descriptor.place)
        descriptor.section.data[descriptor.offset : end] = data

    def _metadata_line(self, number: int, line: str) -> None:
        if line.strip() != _METADATA_END:
            self._yaml.append((number, line))
            return
        place = self._assembly.place(self._yaml_line)
        if self._metadata is not None:
            raise InputError(place, "OBJ021", "the file has metadata twice, wanted once")
        self._metadata = read_metadata(self._yaml, self._assembly.name, place)
        self._yaml_line = 0

    def content(self) -> ObjectContent:
        """The object with every value in its place, or as a relocation."""
        assembly = self._assembly
        resolve_branches(assembly)
        for descriptor in self._descriptors:
            self._fill(descriptor)
        for fixup in assembly.data_fixups:
            _resolve(fixup, assembly)
        sections = [*assembly.sections.values()]
        if self._metadata is not None:
            sections.append(metadata_note(self._metadata))
        sections += self._lines.sections({section.name: section.size for section in sections})
        symbols = [
            _symbol(symbol, assembly) for symbol in assembly.symbols.values() if not is_private(symbol.name)
        ]
        version = assembly.version or NEWEST_VERSION
        return ObjectContent(
            tuple(sections), tuple(symbols), flags_of(assembly.target), ABI_VERSIONS[version]
        )


def _resolve(fixup: DataFixup, assembly: Assembly) -> None:
    """Puts a value into its section, or asks the linker to."""
    value = assembly.value(fixup.expression, fixup.line)
    section, at = fixup.section, fixup.offset
    if fixup.kind is not None:
        if not value.section:
            raise assembly.refused(
                fixup.line, "OBJ032", "the distance to a number, wanted the distance to a label"
            )
        section.relocations.append(
            Relocation(at, fixup.kind, value.section, value.number + fixup.addend, fixup.line)
        )
    elif value.section:
        kind = _ABSOLUTE.get(fixup.size)
        if kind is None:
            raise assembly.refused(
                fixup.line,
                "OBJ032",
                f"an address in {fixup.size} bytes, wanted {' or '.join(map(str, _ABSOLUTE))}",
            )
        section.relocations.append(Relocation(at, kind, value.section, value.number, fixup.line))
    else:
        bits = 8 * fixup.size
        if not -(1 << bits - 1) <= value.number < 1 << bits:
            raise InputError(
                assembly.place(fixup.line),
                "OBJ036",
                f"got {value.number}, wanted a number of {fixup.size} bytes",
            )
        section.data[at : at + fixup.size] = (value.number & (1 << bits) - 1).to_bytes(fixup.size, "little")


def _symbol(symbol: SymbolState, assembly: Assembly) -> ObjectSymbol:
    line = symbol.size[1] if symbol.size else 0
    place = symbol.place
    if place is None:
        if symbol.name not in assembly.variables:
            raise assembly.refused(
                line, "OBJ031", f"{symbol.name} is defined nowhere, wanted a definition in the file"
            )
        place = assembly.value(*assembly.variables[symbol.name])
    size = 0 if symbol.size is None else assembly.value(*symbol.size).number
    return ObjectSymbol(
        symbol.name, place.section, place.number & _LARGEST, size & _LARGEST, symbol.type, symbol.binding,
        symbol.visibility,
    )  # fmt: skip
