"""Instructions of assembly text to bytes: `isa.text` reads them and `isa.binary` encodes them.

A branch to a label gets its distance when all labels are known. LLVM has no longer form of a branch on these
targets, so a branch that is too long is an error there too.
"""

from __future__ import annotations

import re
from functools import lru_cache

from isa.assembler.expressions import SymbolName
from isa.assembler.state import Assembly, BranchFixup, DataFixup, UnknownHere
from isa.binary import encode
from isa.diagnostics import InputError, Place
from isa.instruction import Instr, Label
from isa.named_tuple import NamedTuple
from isa.objects.content import RelocationKind
from isa.table import table_of
from isa.target import Target
from isa.text.parsing import parse_instr

_WORD = 4
_DISTANCE = re.compile(
    r"([A-Za-z_.$][\w.$]*)@(\w+(?:@\w+)?)(?:\s*([+-])\s*(0[xX][0-9a-fA-F]{1,8}|\d{1,10}))?"
)
_SYMBOL = re.compile(r"(?<![\w.$])[A-Za-z_.$][\w.$]*")
_KINDS = {"rel32@lo": RelocationKind.RELATIVE_32_LOW, "rel32@hi": RelocationKind.RELATIVE_32_HIGH}
_STAND_IN = "0x12345678"  # a literal in place of an unknown value: not an inline constant on any target


class _Encoded(NamedTuple):
    """An instruction and its bytes; with a label, the bytes are those of a branch by no distance."""

    instr: Instr
    code: bytes
    label: str | None


@lru_cache(maxsize=1 << 12)
def _encoded(text: str, target: Target, name: str, line: int) -> _Encoded:
    """The instruction of a text; `name` and `line` are the place for errors."""
    instr = parse_instr(text, table_of(target), Place(name, line, 1))
    label = next((operand.name for operand in instr.operands if isinstance(operand, Label)), None)
    return _Encoded(instr, encode(instr, target, None if label is None else 0), label)


class Instructions:
    """Adds instructions to the current section; a text that was met before is not read again."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._target = assembly.target.target

    def add(self, text: str, line: int) -> None:
        """Add an instruction. Raises InputError ASM00x and ISA00x as `parse_instr`, OBJ03x for unresolvable
        symbols."""
        if "@" in text:
            self._add_distance(text, line)
            return
        assembly = self._assembly
        encoded = self._read(text, line)
        if encoded.label is not None:
            _ = assembly.symbol(encoded.label)
            section = assembly.current
            assembly.branch_fixups.append(
                BranchFixup(section, section.size, len(encoded.code), encoded.instr, encoded.label, line)
            )
        assembly.add(encoded.code, line)

    def _read(self, text: str, line: int) -> _Encoded:
        try:
            return _encoded(text, self._target, "", 0)
        except InputError as error:
            place = self._assembly.place(line)
            spelt = self._with_numbers(text, line)
            if spelt != text:
                return _encoded(spelt, self._target, place.file, line)
            if not error.help:
                raise UnknownHere(place, error.code, error.message, error.notes) from None
            raise InputError(place, error.code, error.message, error.notes, error.help) from None

    def _with_numbers(self, text: str, line: int) -> str:
        """The instruction with numbers in place of the symbols that `.set` has defined."""
        mnemonic, _, rest = text.partition(" ")
        variables = self._assembly.variables

        def number(match: re.Match[str]) -> str:
            return str(self._assembly.number(match[0], line)) if match[0] in variables else match[0]

        return f"{mnemonic} {_SYMBOL.sub(number, rest)}" if variables else text

    def _add_distance(self, text: str, line: int) -> None:
        """Add an instruction with a part of the distance to a symbol as its literal."""
        match = _DISTANCE.search(text)
        kind = _KINDS.get(match[2]) if match else None
        if match is None or kind is None:
            raise self._assembly.refused(
                line, "OBJ035", f"{text.strip()!r} is not a distance of 32 bits, wanted NAME@rel32@lo or @hi"
            )
        code = self._read(text[: match.start()] + _STAND_IN + text[match.end() :], line).code
        addend = int(match[4], 0) * (-1 if match[3] == "-" else 1) if match[4] else 0
        section = self._assembly.current
        offset = section.size + len(code) - _WORD
        _ = self._assembly.symbol(match[1])
        self._assembly.data_fixups.append(
            DataFixup(section, offset, _WORD, SymbolName(match[1]), line, kind, addend)
        )
        self._assembly.add(code, line)


def resolve_branches(assembly: Assembly) -> None:
    """Puts the distances of branches into the code. InputError OBJ031 to OBJ033 for a goal that a branch
    cannot reach."""
    for fixup in assembly.branch_fixups:
        goal = assembly.value(SymbolName(fixup.label), fixup.line)
        if goal.section != fixup.section.name:
            raise assembly.refused(
                fixup.line,
                "OBJ032",
                f"{fixup.label} is in another section, wanted it in the section of the branch to it",
            )
        distance = (goal.number - fixup.offset - fixup.size) // _WORD
        if not -(1 << 15) <= distance < 1 << 15:
            message = f"{fixup.label} is {distance} words away, wanted -32768 to 32767, the range of a branch"
            raise InputError(assembly.place(fixup.line), "OBJ033", message)
        code = encode(fixup.instr, assembly.target.target, distance)
        fixup.section.data[fixup.offset : fixup.offset + fixup.size] = code
