"""Directives of assembly text (GNU as, "Assembler Directives"; AMDGPUUsage, "Assembler")."""

from __future__ import annotations

import re
from collections.abc import Callable

from isa.assembler.debug_lines import FLAGS, DebugLines, Mark
from isa.assembler.expressions import SymbolName
from isa.assembler.operands import operands, string_bytes
from isa.assembler.state import Assembly, DataFixup, SymbolState
from isa.diagnostics import InputError
from isa.objects.content import (
    ALLOC,
    EXECUTE,
    MERGE,
    NOBITS,
    NOTE,
    PROGBITS,
    STRINGS,
    WRITE,
    Binding,
    Section,
    SymbolType,
    Visibility,
)
from isa.objects.flags import ABI_VERSIONS
from isa.targets import parse_target

_S_NOP = b"\x00\x00\x80\xbf"  # s_nop 0, encoded alike on every target
_NAME = re.compile(r'[A-Za-z_.$][\w.$]*\Z|"[^"\\]+"\Z')
_FILE = re.compile(r'(\d{1,9})\s+("(?:[^"\\]|\\.)*")(?:\s+("(?:[^"\\]|\\.)*"))?\s*\Z')
_LOC = re.compile(r"(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,9}))?((?:\s+\w+)*)\s*\Z")
_TYPES = {"progbits": PROGBITS, "nobits": NOBITS, "note": NOTE}
_FLAGS = {"a": ALLOC, "w": WRITE, "x": EXECUTE, "M": MERGE, "S": STRINGS}
_SYMBOL_TYPES = {"function": SymbolType.FUNCTION, "object": SymbolType.OBJECT, "notype": SymbolType.NONE}
_WIDTHS = {
    ".byte": 1, ".short": 2, ".hword": 2, ".2byte": 2, ".half": 2, ".long": 4, ".int": 4, ".4byte": 4,
    ".quad": 8, ".8byte": 8,
}  # fmt: skip
_BINDINGS = {
    ".globl": Binding.GLOBAL, ".global": Binding.GLOBAL, ".weak": Binding.WEAK, ".local": Binding.LOCAL,
}  # fmt: skip
_VISIBILITIES = {
    ".protected": Visibility.PROTECTED,
    ".hidden": Visibility.HIDDEN,
    ".internal": Visibility.INTERNAL,
}
_MOST_ALIGNMENT = 16  # as a power of two
_SAYS_NOTHING = frozenset({".addrsig", ".addrsig_sym"})  # symbols that a linker may fold; ours folds none

Handler = Callable[["Directives", str, str, int], None]


class Directives:
    """Applies directives to an assembly; keeps the sections that were left, and the source lines."""

    def __init__(self, assembly: Assembly, lines: DebugLines) -> None:
        self.assembly = assembly
        self.lines = lines
        self._stack: list[tuple[Section, Section]] = []
        self._previous = assembly.current
        self._is_statement = True

    def apply(self, name: str, rest: str, line: int) -> None:
        """Apply a directive. Raises InputError OBJ024 if it is unknown, OBJ025 if its operands are wrong."""
        handler = _HANDLERS.get(name)
        if handler is None:
            if name in _SAYS_NOTHING:
                return
            message = f"the built-in assembler has no {name}, wanted a directive that it has"
            raise self.assembly.refused(line, "OBJ024", message)
        handler(self, name, rest, line)

    def _wrong(self, name: str, rest: str, line: int, wanted: str) -> InputError:
        return self.assembly.refused(line, "OBJ025", f"{name} {rest.strip()}: wanted {wanted}")

    def _symbol(self, name: str, rest: str, line: int) -> SymbolState:
        if not _NAME.match(rest):
            raise self._wrong(name, rest, line, "the name of a symbol")
        return self.assembly.symbol(rest.strip('"'))

    # sections

    def go_to(self, section: Section) -> None:
        self._previous, self.assembly.current = self.assembly.current, section

    def plain_section(self, name: str, rest: str, line: int) -> None:
        if rest.strip() not in ("", "0"):
            raise self._wrong(name, rest, line, "nothing after it")
        self.go_to(self.assembly.section(name, line))

    def section(self, name: str, rest: str, line: int) -> None:
        parts = operands(rest)
        if not parts or not _NAME.match(parts[0]):
            raise self._wrong(name, rest, line, "the name of a section")
        kind = flags = None
        entry_size = 0
        if len(parts) > 1:
            letters = parts[1].strip('"')
            if set(letters) - set(_FLAGS):
                raise self._wrong(name, rest, line, f"flags of {''.join(_FLAGS)}")
            flags = sum(_FLAGS[letter] for letter in set(letters))
        if len(parts) > 2:
            kind = _TYPES.get(parts[2].lstrip("@%"))
            if kind is None:
                raise self._wrong(name, rest, line, f"a type of {', '.join('@' + known for known in _TYPES)}")
        if len(parts) > 3:
            entry_size = self.assembly.number(parts[3], line)
        if name == ".pushsection":
            self._stack.append((self.assembly.current, self._previous))
        self.go_to(self.assembly.section(parts[0].strip('"'), line, kind, flags, entry_size))

    def pop_section(self, name: str, rest: str, line: int) -> None:
        if not self._stack:
            raise self._wrong(name, rest, line, "a .pushsection before it")
        self.assembly.current, self._previous = self._stack.pop()

    def previous(self, _name: str, _rest: str, _line: int) -> None:
        self.go_to(self._previous)

    # symbols

    def binding(self, name: str, rest: str, line: int) -> None:
        for part in operands(rest):
            self._symbol(name, part, line).binding = _BINDINGS[name]

    def visibility(self, name: str, rest: str, line: int) -> None:
        for part in operands(rest):
            self._symbol(name, part, line).visibility = _VISIBILITIES[name]

    def symbol_type(self, name: str, rest: str, line: int) -> None:
        parts = operands(rest)
        kind = _SYMBOL_TYPES.get(parts[1].lstrip("@%")) if len(parts) == 2 else None
        if kind is None:
            raise self._wrong(name, rest, line, "NAME, @function or @object")
        self._symbol(name, parts[0], line).type = kind

    def symbol_size(self, name: str, rest: str, line: int) -> None:
        parts = operands(rest)
        if len(parts) != 2:
            raise self._wrong(name, rest, line, "NAME, SIZE")
        self._symbol(name, parts[0], line).size = self.assembly.expression(parts[1], line), line

    def assign(self, name: str, rest: str, line: int) -> None:
        parts = operands(rest)
        if len(parts) != 2 or not _NAME.match(parts[0]):
            raise self._wrong(name, rest, line, "NAME, EXPRESSION")
        symbol = parts[0].strip('"')
        if symbol in self.assembly.variables or self.assembly.lookup(symbol) is not None:
            raise self.assembly.refused(line, "OBJ021", f"{symbol} is defined twice, wanted once")
        self.assembly.variables[symbol] = self.assembly.expression(parts[1], line), line
        _ = self.assembly.symbol(symbol)

    # data

    def values(self, name: str, rest: str, line: int) -> None:
        width = _WIDTHS[name]
        assembly = self.assembly
        for part in operands(rest):
            expression = assembly.expression(part, line)
            if isinstance(expression, SymbolName) and expression.relocation:
                raise self._wrong(name, rest, line, "values without @")
            self.lines.code(assembly.current.name, assembly.current.size)
            assembly.data_fixups.append(
                DataFixup(assembly.current, assembly.current.size, width, expression, line)
            )
            assembly.add(bytes(width), line)

    def strings(self, name: str, rest: str, line: int) -> None:
        for part in operands(rest):
            self.assembly.add(self.text_of(name, part, line) + (b"" if name == ".ascii" else b"\0"), line)

    def text_of(self, name: str, text: str, line: int) -> bytes:
        """The bytes of a string in quotes, with its escapes."""
        data = string_bytes(text)
        if data is None:
            raise self._wrong(name, text, line, "a string in quotes")
        return data

    def zeros(self, name: str, rest: str, line: int) -> None:
        count, value = self._numbers(name, rest, line, 2)
        self._repeat(name, rest, line, count, (value & 0xFF).to_bytes(1, "little"))

    def fill(self, name: str, rest: str, line: int) -> None:
        count, size, value = self._numbers(name, rest, line, 3, {1: 1})
        if not 1 <= size <= 8:
            raise self._wrong(name, rest, line, "a size of 1 to 8 bytes")
        self._repeat(name, rest, line, count, (value & 0xFFFFFFFF).to_bytes(8, "little")[:size])

    def _repeat(self, name: str, rest: str, line: int, count: int, data: bytes) -> None:
        if count < 0:
            raise self._wrong(name, rest, line, "a count that is not negative")
        self.assembly.reserve(0 if count * len(data) <= 1 << 26 else count * len(data), line)
        self.assembly.add(data * count, line)

    def _numbers(
        self, name: str, rest: str, line: int, most: int, defaults: dict[int, int] | None = None
    ) -> list[int]:
        """The first `most` operands as numbers; those left out are 0 but for the `defaults`."""
        parts = operands(rest)
        if not parts or not parts[0] or len(parts) > most:
            raise self._wrong(name, rest, line, f"1 to {most} numbers")
        given = [
            self.assembly.number(part, line) if part else (defaults or {}).get(i, 0)
            for i, part in enumerate(parts)
        ]
        return [*given, *((defaults or {}).get(i, 0) for i in range(len(given), most))]

    def align(self, name: str, rest: str, line: int) -> None:
        parts = [*operands(rest), "", ""]
        if not parts[0]:
            raise self._wrong(name, rest, line, "an alignment")
        stated = self.assembly.number(parts[0], line)
        in_bits = name.startswith(".p2")
        alignment = 1 << stated if in_bits and 0 <= stated <= _MOST_ALIGNMENT else 0 if in_bits else stated
        if alignment < 1 or alignment & (alignment - 1) or alignment > 1 << _MOST_ALIGNMENT:
            raise self._wrong(name, rest, line, f"a power of two up to 2 to the {_MOST_ALIGNMENT}")
        section = self.assembly.current
        section.alignment = max(section.alignment, alignment)
        count = -section.size % alignment
        if parts[2] and count > self.assembly.number(parts[2], line):
            return
        width = {"w": 2, "l": 4}.get(name[-1], 1) if name[-3:] in ("gnw", "gnl") else 1
        if parts[1]:
            fill = (self.assembly.number(parts[1], line) & (1 << 8 * width) - 1).to_bytes(width, "little")
            if count % width:
                raise self._wrong(name, rest, line, f"an offset before it that is a multiple of {width}")
            self.assembly.add(fill * (count // width), line)
        elif section.flags & EXECUTE:
            self.assembly.add(bytes(count % 4) + _S_NOP * (count // 4), line)
        else:
            self.assembly.add(bytes(count), line)

    # the kind of the file

    def target(self, name: str, rest: str, line: int) -> None:
        stated = parse_target(rest.strip().strip('"').rpartition("--")[2], self.assembly.place(line))
        given = self.assembly.target
        if (stated.target.name, stated.features) != (given.target.name, given.features):
            wanted = f'"amdgcn-amd-amdhsa--{given.clang}"'
            raise InputError(
                self.assembly.place(line), "OBJ026", f"{name} is {rest.strip()}, wanted {wanted}",
                help=f"--target {stated}",
            )  # fmt: skip

    def version(self, name: str, rest: str, line: int) -> None:
        version = self.assembly.number(rest, line)
        if version not in ABI_VERSIONS:
            raise self._wrong(name, rest, line, f"one of {', '.join(map(str, ABI_VERSIONS))}")
        self.assembly.version = version

    def ident(self, name: str, rest: str, line: int) -> None:
        comment = self.assembly.section(".comment", line, PROGBITS, MERGE | STRINGS, 1)
        data = self.text_of(name, rest.strip(), line) + b"\0"
        self.assembly.reserve(len(data), line)
        comment.data += data if comment.data else b"\0" + data

    def file(self, name: str, rest: str, line: int) -> None:
        match = _FILE.match(rest.strip())
        if match is None:
            raise self._wrong(name, rest, line, 'NUMBER "FILE" or NUMBER "DIRECTORY" "FILE"')
        texts = [
            self.text_of(name, part, line).decode(errors="replace") for part in match.groups()[1:] if part
        ]
        if int(match[1]) > 1 << 16 or not self.lines.file(
            int(match[1]), texts[0] if len(texts) > 1 else "", texts[-1]
        ):
            raise self._wrong(name, rest, line, "a number below 65537 that is no other file's")

    def loc(self, name: str, rest: str, line: int) -> None:
        match = _LOC.match(rest.strip())
        words = match[4].split() if match else []
        if match is None or not self.lines.knows(int(match[1])) or set(words) - {*FLAGS, "is_stmt", "0", "1"}:
            raise self._wrong(
                name, rest, line,
                "the number of a .file, a line and a column, then is_stmt, prologue_end, ...",
            )  # fmt: skip
        if "is_stmt" in words:  # which stays until another .loc changes it
            self._is_statement = words[words.index("is_stmt") + 1 :][:1] != ["0"]
        opcodes = tuple(opcode for flag, opcode in FLAGS.items() if flag in words)
        mark = Mark(int(match[1]), int(match[2]), int(match[3] or 0), self._is_statement, opcodes)
        self.lines.mark(mark, self.assembly.current.name, self.assembly.current.size)


_HANDLERS: dict[str, Handler] = {
    ".section": Directives.section, ".pushsection": Directives.section, ".popsection": Directives.pop_section,
    ".previous": Directives.previous,
    **dict.fromkeys((".text", ".rodata", ".data", ".bss"), Directives.plain_section),
    **dict.fromkeys(_BINDINGS, Directives.binding), **dict.fromkeys(_VISIBILITIES, Directives.visibility),
    ".type": Directives.symbol_type, ".size": Directives.symbol_size, ".set": Directives.assign,
    ".equ": Directives.assign, **dict.fromkeys(_WIDTHS, Directives.values),
    **dict.fromkeys((".ascii", ".asciz", ".string"), Directives.strings),
    **dict.fromkeys((".zero", ".skip", ".space"), Directives.zeros), ".fill": Directives.fill,
    **dict.fromkeys(
        (".p2align", ".p2alignw", ".p2alignl", ".balign", ".balignw", ".balignl", ".align"), Directives.align
    ),
    ".amdgcn_target": Directives.target, ".amdhsa_code_object_version": Directives.version,
    ".ident": Directives.ident, ".file": Directives.file, ".loc": Directives.loc,
}  # fmt: skip
