"""Assembly with macros, symbols and expressions: assembled by clang, and read back with its lines."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from asmgen.check.listing import ListedFunction, Listing, returns, without_padding
from asmgen.emission.assemble import OBJECT, SOURCE, complaint_of, first_error, make_object, shortened
from asmgen.emission.toolchain import HOW_TO_GET_CLANG, find_toolchain
from isa.binary.coder import decoder_of
from isa.binary.listing import unreadable
from isa.diagnostics import InputError, Place
from isa.emulator.program.code import Code
from isa.instruction import Immediate, Instr, Kind, Label, Trait
from isa.objects.elf import ElfObject
from isa.objects.source_lines import line_table
from isa.table import Table, table_of

_REMEDY = "repair the line; clang must assemble the file"


def read_through_llvm(text: str, listing: Listing, reason: str, allow_include: bool = False) -> Listing:
    """The listing of LLVM's expansion of the text; `reason` is the directive that needs it.

    InputError CHK022 if clang is missing, CHK023 at the line that clang refuses, ASM010 for text that reads
    other files if `allow_include` does not let it.
    """
    try:
        tools = find_toolchain(listing.target.clang)
    except InputError as error:
        message = f"{reason or 'the line'} needs LLVM to read it: {error.message}"
        raise InputError(listing.name, "CHK022", message, help=HOW_TO_GET_CLANG) from error
    with tempfile.TemporaryDirectory(prefix="asmgen-") as name:
        directory = Path(name)
        # version 4 names files in the line table itself, and the object's relocations are not applied
        done = make_object(
            text, listing.target, directory, tools, listing.name, allow_include, ("-gdwarf-4",)
        )
        if done.status:
            raise _rejection(done.complaint, listing.name)
        data = (directory / OBJECT).read_bytes()
    functions = _Reader(listing, table_of(listing.target.target)).read(data)
    return Listing(listing.name, listing.target, listing.lines, functions, True)


def _rejection(complaint: str, name: str) -> InputError:
    """clang's first error, at its line."""
    error = complaint_of(complaint)
    if error is None:
        return InputError(name, "CHK023", f"clang refuses the file: {first_error(complaint)}", help=_REMEDY)
    line, column, message = error
    said = f"clang refuses the line: {shortened(message)}"
    return InputError(Place(name, line, column), "CHK023", said, help=_REMEDY)


class _Reader:
    """Goes through the code of an object. A function symbol begins a function, and so does a label that the
    code before it does not run into, unless a jump, which is no call, goes past it."""

    def __init__(self, listing: Listing, table: Table) -> None:
        self.listing = listing
        self.table = table
        self.instructions: list[Instr] = []
        self.places: list[Place] = []
        self.addresses: list[int] = []
        self.names: dict[int, str] = {}  # of the functions, by the index of their first instruction
        self._line = 0

    def read(self, data: bytes) -> list[ListedFunction]:
        lines = line_table(data)
        decoder = decoder_of(self.table)
        for section in ElfObject(data, Place(self.listing.name)).code_sections():
            offset = 0
            while offset < len(section.content):
                address = section.address + offset
                if address in section.functions or (address in section.labels and self._has_left()):
                    self._begin(section.labels[address])
                place = self._place(lines.at(address))
                decoded = decoder.decode(section.content, offset)
                if decoded is None:
                    raise unreadable(section.content, offset, self.table, place)
                self._add(decoded[0], address, place)
                offset += decoded[1]
        jumps = self._jumps()
        spans = [
            (min(index, goal), max(index, goal))
            for index, goal in jumps.items()
            if not self.instructions[index].row.defines
        ]
        starts = [start for start in self.names if not any(first < start <= last for first, last in spans)]
        return [
            self._function(start, end, jumps) for start, end in pairwise([*starts, len(self.instructions)])
        ]

    def _has_left(self) -> bool:
        """Whether the code so far cannot run into the next instruction; NOPs may pad up to it."""
        working = (instr for instr in reversed(self.instructions) if Trait.NOP not in instr.row.traits)
        last = next(working, None)
        return last is None or Trait.END in last.row.traits or returns(last)

    def _begin(self, name: str) -> None:
        self.names.setdefault(len(self.instructions), name)

    def _place(self, known: Place | None) -> Place:
        """The line of the text that an instruction comes from; the previous instruction's if its own is in
        another file."""
        if known is not None and Path(known.file).name == SOURCE:
            self._line = known.line
        return Place(self.listing.name, self._line, 1)

    def _add(self, instr: Instr, address: int, place: Place) -> None:
        if not self.names:
            self._begin(self.listing.name)
        self.instructions.append(instr)
        self.places.append(place)
        self.addresses.append(address)

    def _jumps(self) -> dict[int, int]:
        """The source and target of branches and calls, by index."""
        position = {address: index for index, address in enumerate(self.addresses)}
        goals = (
            (index, _goal(instr, self.addresses[index])) for index, instr in enumerate(self.instructions)
        )
        return {index: position[goal] for index, goal in goals if goal in position}

    def _function(self, start: int, end: int, jumps: dict[int, int]) -> ListedFunction:
        """A function; branch offsets, counted in dwords from the next instruction, become labels."""
        name = self.names[start]
        code = Code(name, [], {})
        for index in range(start, end):
            instr = self.instructions[index]
            if _goal(instr, self.addresses[index]) is not None:
                if not start <= jumps.get(index, -1) < end:
                    raise InputError(
                        self.places[index],
                        "CHK024",
                        f"{instr.row.mnemonic} jumps to an address that is not an instruction of {name}",
                        help="check the assembly file of the kernel instead: its labels name the goals",
                    )
                label = f"address {self.addresses[jumps[index]]:#x}"
                code.labels[label] = jumps[index] - start
                instr = Instr(instr.row, (*instr.operands[:-1], Label(label)), instr.modifiers)
            code.operations.append(instr)
        return without_padding(ListedFunction(name, code, self.places[start:end]))


def _goal(instr: Instr, address: int) -> int | None:
    last = instr.operands[-1] if instr.operands else None
    if (
        not instr.row.operands
        or not instr.row.operands[-1].kinds & Kind.LABEL
        or not isinstance(last, Immediate)
    ):
        return None
    offset = (last.bits & 0xFFFF) - ((last.bits & 0x8000) << 1)
    return address + 4 + 4 * offset
