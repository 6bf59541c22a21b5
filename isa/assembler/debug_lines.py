"""`.file` and `.loc` to the sections .debug_line and .debug_line_str, as LLVM's assembler writes them.

Source: DWARF Debugging Information Format, version 5, section 6.2; the choice among opcodes is that of LLVM's
MCDwarf.cpp.
"""

from __future__ import annotations

import posixpath
import struct

from isa.named_tuple import NamedTuple
from isa.objects.content import MERGE, PROGBITS, STRINGS, Relocation, RelocationKind, Section

_LINE_BASE, _LINE_RANGE, _OPCODE_BASE, _INSTRUCTION = -5, 14, 13, 4
_MOST_WORDS = (255 - _OPCODE_BASE) // _LINE_RANGE  # that a special opcode can advance by
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _SET_COLUMN, _NEGATE_STATEMENT = 1, 2, 3, 4, 5, 6
_BASIC_BLOCK, _CONST_ADD_PC, _PROLOGUE_END, _EPILOGUE_BEGIN = 7, 8, 10, 11
_OPERANDS_OF_OPCODES = bytes((0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1))
_SET_ADDRESS, _END_SEQUENCE = b"\x00\x09\x02", b"\x00\x01\x01"
_PATH, _DIRECTORY, _LINE_STRING, _UNSIGNED = 1, 2, 0x1F, 0x0F
_COMPILATION_DIRECTORY = "."


class Mark(NamedTuple):
    """The source position that a `.loc` gives to the instructions after it."""

    file: int
    line: int
    column: int = 0
    is_statement: bool = True
    opcodes: tuple[int, ...] = ()  # of the flags that apply to a single row


FLAGS = {"basic_block": _BASIC_BLOCK, "prologue_end": _PROLOGUE_END, "epilogue_begin": _EPILOGUE_BEGIN}


class DebugLines:
    """Files and rows of an object, in the order of the text."""

    def __init__(self) -> None:
        self._directories: list[str] = []
        self._files: dict[int, tuple[str, int]] = {}  # name and number of its directory
        self._rows: dict[str, list[tuple[int, Mark]]] = {}  # by section: offset and mark
        self._pending: Mark | None = None

    def file(self, number: int, directory: str, name: str) -> bool:
        """Add a source file with its number; False if the number is taken by another file."""
        if not directory:
            directory, base = posixpath.split(name)
            name = base if directory else name
        entry = (name, self._directory(directory))
        return self._files.setdefault(number, entry) == entry

    def _directory(self, name: str) -> int:
        if name in ("", _COMPILATION_DIRECTORY):
            return 0
        if name not in self._directories:
            self._directories.append(name)
        return self._directories.index(name) + 1

    def knows(self, number: int) -> bool:
        return number in self._files

    def mark(self, mark: Mark, section: str, offset: int) -> None:
        """A `.loc`. An earlier `.loc` without a following instruction gets a row of its own."""
        self.code(section, offset)
        self._pending = mark

    def code(self, section: str, offset: int) -> None:
        """An instruction or data that begins here."""
        if self._pending is not None:
            self._rows.setdefault(section, []).append((offset, self._pending))
            self._pending = None

    def sections(self, sizes: dict[str, int]) -> list[Section]:
        """The two sections, if there is a file; `sizes` are the sizes of the sections with code."""
        if not self._files:
            return []
        strings = _Strings()
        lines = Section(".debug_line", PROGBITS)
        header = self._tables(strings, lines)
        program = bytearray()
        # the unit's length, its version and sizes, and the length of the header come before the tables
        before = 4 + 4 + 4 + 6 + len(_OPERANDS_OF_OPCODES)
        lines.relocations = [
            relocation._replace(offset=relocation.offset + before) for relocation in lines.relocations
        ]
        for section, rows in self._rows.items():
            _add_sequence(program, lines, before + len(header), section, rows, sizes[section])
        fixed = (
            bytes((_INSTRUCTION, 1, 1, _LINE_BASE & 0xFF, _LINE_RANGE, _OPCODE_BASE)) + _OPERANDS_OF_OPCODES
        )
        body = struct.pack("<HBBI", 5, 8, 0, len(fixed) + len(header)) + fixed + header + program
        lines.data = bytearray(struct.pack("<I", len(body)) + body)
        return [lines, Section(".debug_line_str", PROGBITS, MERGE | STRINGS, 1, 1, strings.data)]

    def _tables(self, strings: _Strings, lines: Section) -> bytes:
        """Directories and files; a string is the address of its place in the other section."""
        table = bytearray((1, _PATH, _LINE_STRING))

        def add(name: str) -> None:
            lines.relocations.append(
                Relocation(len(table), RelocationKind.ABSOLUTE_32, ".debug_line_str", strings.add(name), 0)
            )
            table.extend(bytes(4))

        table += _unsigned(len(self._directories) + 1)
        for directory in (_COMPILATION_DIRECTORY, *self._directories):
            add(directory)
        # file 0 is the file of the whole unit: the first file, if none is named
        last = max(self._files)
        files = [self._files.get(number, ("", 0)) for number in range(1, last + 1)]
        files = [self._files.get(0, files[0] if files else ("", 0)), *files]
        table += bytes((2, _PATH, _LINE_STRING, _DIRECTORY, _UNSIGNED)) + _unsigned(len(files))
        for name, directory in files:
            add(name)
            table += _unsigned(directory)
        return bytes(table)


class _Strings:
    def __init__(self) -> None:
        self.data = bytearray()
        self._places: dict[str, int] = {}

    def add(self, text: str) -> int:
        if text not in self._places:
            self._places[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self._places[text]


def _add_sequence(
    program: bytearray, lines: Section, start: int, section: str, rows: list[tuple[int, Mark]], end: int
) -> None:
    """The rows of a section; `start` is the start of the program in `lines`."""
    before = Mark(1, 1)
    address = -1
    for offset, mark in rows:
        if mark.file != before.file:
            program += bytes((_SET_FILE,)) + _unsigned(mark.file)
        if mark.column != before.column:
            program += bytes((_SET_COLUMN,)) + _unsigned(mark.column)
        if mark.is_statement != before.is_statement:
            program.append(_NEGATE_STATEMENT)
        program += bytes(mark.opcodes)
        if address < 0:
            program += _SET_ADDRESS
            lines.relocations.append(
                Relocation(start + len(program), RelocationKind.ABSOLUTE_64, section, offset, 0)
            )
            program += bytes(8)
            address = offset
        program += _advance(mark.line - before.line, (offset - address) // _INSTRUCTION)
        before, address = mark, offset
    words = (end - address) // _INSTRUCTION
    if words == _MOST_WORDS:
        program.append(_CONST_ADD_PC)
    elif words:
        program += bytes((_ADVANCE_PC,)) + _unsigned(words)
    program += _END_SEQUENCE


def _advance(lines: int, words: int) -> bytes:
    """The opcodes that go on by so many lines and words of code, and make a row."""
    prefix = b""
    special = lines - _LINE_BASE
    must_copy = not 0 <= special < _LINE_RANGE
    if must_copy:
        prefix, special = bytes((_ADVANCE_LINE,)) + _signed(lines), -_LINE_BASE
    if words == 0 and (must_copy or lines == 0):
        return prefix + bytes((_COPY,))
    special += _OPCODE_BASE
    if (opcode := special + words * _LINE_RANGE) <= 255:
        return prefix + bytes((opcode,))
    if (opcode := special + (words - _MOST_WORDS) * _LINE_RANGE) <= 255:
        return prefix + bytes((_CONST_ADD_PC, opcode))
    return prefix + bytes((_ADVANCE_PC,)) + _unsigned(words) + bytes((_COPY if must_copy else special,))


def _unsigned(value: int) -> bytes:
    """LEB128 of a number that is not negative."""
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value)
    return bytes(result)


def _signed(value: int) -> bytes:
    """LEB128 of a signed number."""
    result = bytearray()
    while not -64 <= value < 64:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value & 0x7F)
    return bytes(result)
