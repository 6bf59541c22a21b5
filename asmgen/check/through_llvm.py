"""Assembly with macros, symbols and expressions: assembled by clang, and read back by llvm-objdump with its lines."""

from __future__ import annotations

import re
import tempfile
from itertools import pairwise
from pathlib import Path

from asmgen.assemble import OBJECT, complaint_of, first_error, make_object, shortened
from asmgen.check.listing import Function, Listing
from asmgen.toolchain import HOW_TO_GET_CLANG, find_toolchain
from isa.diagnostics import InputError, Place
from isa.emulator.code import Code
from isa.emulator.disassembly import find_objdump, objdump_complaint, run_objdump, wave_options
from isa.instruction import Immediate, Instr, Kind, Label, Trait
from isa.table import Table, table_of
from isa.text import parse_instr

_SYMBOL = re.compile(r"[0-9a-f]+ <(.+)>:$")
_LINE = re.compile(r"; .*kernel\.s:(\d+)")
_INSTRUCTION = re.compile(r"\s+(\S.*?)\s*// ([0-9A-F]+): ([0-9A-F]{8})")


def read_through_llvm(text: str, listing: Listing, reason: str, allow_include: bool = False) -> Listing:
    """The listing with what LLVM makes of the text; `reason` is the directive that asks for it.

    InputError CHK022 where clang or llvm-objdump is missing, CHK023 at the line that clang refuses, ASM010 for
    text that reads other files where `allow_include` does not let it.
    """
    objdump = find_objdump(listing.target.target)
    if not objdump.path:
        raise InputError(
            listing.name, "CHK022", f"{reason or 'the line'} needs LLVM to read it: {objdump.problem}",
            help="Debian's packages clang-22, lld-22 and llvm-22 bring what is needed",
        )  # fmt: skip
    try:
        tools = find_toolchain(listing.target.clang)
    except InputError as error:
        message = f"{reason or 'the line'} needs LLVM to read it: {error.message}"
        raise InputError(listing.name, "CHK022", message, help=HOW_TO_GET_CLANG) from error
    with tempfile.TemporaryDirectory(prefix="asmgen-") as name:
        directory = Path(name)
        done = make_object(text, listing.target, directory, tools, listing.name, allow_include, ("-g",))
        if done.status:
            raise _rejection(done.complaint, listing.name)
        target = listing.target.target
        read = run_objdump(objdump, ["-l", *wave_options(target), OBJECT], directory, target)
        if read.stopped or read.status:
            raise InputError(listing.name, "CHK023", objdump_complaint(read))
    functions = _Reader(listing, table_of(target)).read(read.output)
    return Listing(listing.name, listing.target, listing.lines, functions, True)


def _rejection(complaint: str, name: str) -> InputError:
    """clang's first error, at its line."""
    found = complaint_of(complaint)
    if found is None:
        return InputError(name, "CHK023", f"clang refuses the file: {first_error(complaint)}")
    line, column, message = found
    return InputError(Place(name, line, column), "CHK023", f"clang refuses the line: {shortened(message)}")


class _Reader:
    """Goes through a disassembly. A symbol after the end of what is before it begins a function, unless a jump, which is no call,
    goes past it."""

    def __init__(self, listing: Listing, table: Table) -> None:
        self.listing = listing
        self.table = table
        self.instructions: list[Instr] = []
        self.places: list[Place] = []
        self.addresses: list[int] = []
        self.names: dict[int, str] = {}  # of the functions, by the index of their first instruction
        self._line = 0

    def read(self, disassembly: str) -> list[Function]:
        for text in disassembly.splitlines():
            if found := _SYMBOL.match(text):
                self._begin(found.group(1))
            elif found := _LINE.match(text):
                self._line = int(found.group(1))
            elif found := _INSTRUCTION.match(text):
                self._add(found.group(1), int(found.group(2), 16), int(found.group(3), 16))
        jumps = self._jumps()
        spans = [(min(index, goal), max(index, goal)) for index, goal in jumps.items() if not self.instructions[index].row.defines]
        starts = [start for start in self.names if not any(first < start <= last for first, last in spans)]
        return [self._function(start, end, jumps) for start, end in pairwise([*starts, len(self.instructions)])]

    def _begin(self, name: str) -> None:
        last = self.instructions[-1:]
        if not last or Trait.END in last[0].row.traits:
            self.names.setdefault(len(self.instructions), name)

    def _add(self, text: str, address: int, encoded: int) -> None:
        if not self.names:
            self._begin(self.listing.name)
        place = Place(self.listing.name, self._line, 1)
        self.instructions.append(_with_offset(parse_instr(text, self.table, place), encoded))
        self.places.append(place)
        self.addresses.append(address)

    def _jumps(self) -> dict[int, int]:
        """From where to where branches and calls go, by index."""
        position = {address: index for index, address in enumerate(self.addresses)}
        goals = ((index, _goal(instr, self.addresses[index])) for index, instr in enumerate(self.instructions))
        return {index: position[goal] for index, goal in goals if goal in position}

    def _function(self, start: int, end: int, jumps: dict[int, int]) -> Function:
        """One function; branch offsets, counted in dwords from the next instruction, become labels."""
        name = self.names[start]
        code = Code(name, [], {})
        for index in range(start, end):
            instr = self.instructions[index]
            if _goal(instr, self.addresses[index]) is not None:
                if not start <= jumps.get(index, -1) < end:
                    raise InputError(self.places[index], "CHK024", f"{instr.row.mnemonic} goes to where no instruction of {name} begins")
                label = f"address {self.addresses[jumps[index]]:#x}"
                code.labels[label] = jumps[index] - start
                instr = Instr(instr.row, (*instr.operands[:-1], Label(label)), instr.modifiers)
            code.operations.append(instr)
        return Function(name, code, self.places[start:end])


def _with_offset(instr: Instr, encoded: int) -> Instr:
    """A branch with the offset that is encoded: llvm-objdump may name a symbol in its place."""
    if instr.operands and isinstance(instr.operands[-1], Label):
        return Instr(instr.row, (*instr.operands[:-1], Immediate(encoded & 0xFFFF)), instr.modifiers)
    return instr


def _goal(instr: Instr, address: int) -> int | None:
    last = instr.operands[-1] if instr.operands else None
    if not instr.row.operands or not instr.row.operands[-1].kinds & Kind.LABEL or not isinstance(last, Immediate):
        return None
    offset = (last.bits & 0xFFFF) - ((last.bits & 0x8000) << 1)
    return address + 4 + 4 * offset
