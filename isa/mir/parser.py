"""Reads the kernels of a `.mir` file, statement by statement; `isa.mir` describes the form, and
`fields.py` reads the fields of a statement. Nothing of the text is evaluated: numbers, words and JSON
literals only.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.instruction import Immediate, Instr, Operand, Trait, has_phases
from isa.mir.fields import (
    WORD,
    Line,
    lines_of,
    listed,
    read_argument,
    read_json,
    read_number,
    read_origin,
    read_place,
    read_word,
)
from isa.mir.footprints import IsIndex, read_footprint
from isa.program import Block, Edge, Kernel
from isa.registers import Register, RegisterClass
from isa.targets import parse_target
from isa.text.operands import parse_register
from isa.text.parsing import parse_machine_instr
from isa.verify import verify_instr

_CLASSES = {
    register_class.name.lower(): register_class
    for register_class in (RegisterClass.SGPR, RegisterClass.VGPR, RegisterClass.AGPR, RegisterClass.AV)
}
_VIRTUAL = re.compile(r"%([A-Za-z_0-9]+)(?:\[(\d{1,4})(?::(\d{1,4}))?\])?")
_GROUP = re.compile(r"\s*(scalar|vector)\(([^()]*)\)")
_EDGE = re.compile(r"\s*([A-Za-z_.$][\w.$@]*)\s*(?:\(([^()]*)\))?\s*(,|\Z)", re.ASCII)
_REGISTER = re.compile(
    r"%(\w+)\s+(\w+)(?:\s+(\d{1,4})\s+align\s+(\d{1,4}))?(?:\s+at\s+(\[.*\]))?\s*\Z", re.ASCII
)
_ANNOTATION = re.compile(r"\s*!(\w+)\s*")
_COUNT = re.compile(r"\((\d{1,4})\)", re.ASCII)
_KNOWN = "!tied, !contract, !awaits, !phase, !touches, !origin or !comment"
_CONSTANT = re.compile(r"(?:0x[0-9a-fA-F]{1,256}|\d{1,18})\Z", re.ASCII)


def any_text(_text: str) -> bool:
    """Takes every text as an index expression."""
    return True


def parse_kernels(text: str, file_name: str, is_index: IsIndex = any_text) -> tuple[Kernel, ...]:
    """Every kernel of a file; `is_index` says which texts are index expressions. InputError MIR001-MIR006, or
    an instruction's own code, with line and column."""
    kernels: list[Kernel] = []
    reader: _Reader | None = None
    for line in lines_of(text, file_name):
        word, rest = line.split()
        if word == "stage":
            reader = _Reader(rest, is_index)
            kernels.append(reader.kernel)
        elif reader is None:
            raise line.error(
                "MIR001", f"got {word!r}, wanted `stage machine TARGET` or `stage allocated TARGET`"
            )
        else:
            reader.statement(line, word, rest)
    if not kernels:
        raise InputError(
            Place(file_name),
            "MIR001",
            "the file is empty, wanted `stage machine TARGET` or `stage allocated TARGET`",
        )
    for kernel in kernels:
        _check_edges(kernel, file_name)
    return tuple(kernels)


def parse_kernel(text: str, file_name: str) -> Kernel:
    """The only kernel of a file; InputError as `parse_kernels`, and if there are several."""
    kernels = parse_kernels(text, file_name)
    if len(kernels) != 1:
        raise InputError(Place(file_name), "MIR001", f"got {len(kernels)} kernels, wanted 1")
    return kernels[0]


def _check_edges(kernel: Kernel, file_name: str) -> None:
    labels = [block.label for block in kernel.blocks]
    if not labels:
        raise InputError(
            Place(file_name),
            "MIR006",
            f"the kernel {kernel.name or 'of the file'} has no block, wanted at least 1",
        )
    for block in kernel.blocks:
        for edge in (*block.linear, *block.logical):
            if edge.target not in labels:
                raise InputError(
                    Place(file_name),
                    "MIR006",
                    f"block {block.label} leads to {edge.target}, wanted one of {', '.join(labels)}",
                )


class _Reader:
    """The statements of a kernel, read in turn."""

    def __init__(self, rest: Line, is_index: IsIndex) -> None:
        stage, target = rest.split()
        if stage not in ("machine", "allocated"):
            raise rest.error("MIR001", f"stage {stage!r}, wanted machine or allocated")
        self.kernel = Kernel("", parse_target(target.text, target.place))
        self.allocated = stage == "allocated"
        self.registers: dict[str, Register] = {}
        self.is_index = is_index

    def statement(self, line: Line, word: str, rest: Line) -> None:
        """Read a statement; the meaning of a word depends on whether a block has begun."""
        if word == "block":
            self._block(rest)
        elif not self.kernel.blocks:
            self._header(line, word, rest)
        elif word == "linear":
            self.kernel.blocks[-1].linear = self._edges(rest)
        elif word == "logical":
            self.kernel.blocks[-1].logical = self._edges(rest)
        elif word == "terminator":
            block = self.kernel.blocks[-1]
            if block.terminator is not None:
                raise line.error("MIR004", "a second terminator, wanted a single terminator in a block")
            block.terminator = self._instr(rest)
        else:
            block = self.kernel.blocks[-1]
            if block.terminator is not None or block.linear or block.logical:
                raise line.error(
                    "MIR004",
                    "an instruction after the terminator or the edges of its block, wanted it before them",
                )
            block.instructions.append(self._instr(line))

    def _header(self, line: Line, word: str, rest: Line) -> None:
        kernel = self.kernel
        match word:
            case "kernel":
                kernel.name = read_word(rest, "a kernel name")
            case "workgroup":
                text = rest.text.removesuffix(" at most")
                kernel.abi = kernel.abi._replace(any_block=text != rest.text)
                sizes = [read_number(Line(rest.place, size)) for size in text.split()]
                if len(sizes) != 3:
                    raise rest.error("MIR002", f"{len(sizes)} sizes, wanted 3")
                kernel.workgroup = (sizes[0], sizes[1], sizes[2])
            case "groups":
                kernel.groups = read_number(rest)
            case "argument":
                kernel.arguments += (read_argument(rest),)
            case "entry":
                role, register = rest.split()
                kernel.abi = kernel.abi._replace(entry=(*kernel.abi.entry, (role, self._register(register))))
            case "preload":
                kernel.abi = kernel.abi._replace(preload_dwords=read_number(rest))
            case "lds":
                kernel.lds_bytes = read_number(rest)
            case "scratch":
                kernel.scratch_bytes = read_number(rest)
            case "reserved":
                kernel.reserved += (self._register(rest),)
            case "register":
                self._declare(rest)
            case _:
                wanted = (
                    "kernel, workgroup, groups, argument, entry, preload, lds, scratch, reserved, "
                    "register or block"
                )
                raise line.error("MIR002", f"got {word!r}, wanted {wanted}")

    def _declare(self, line: Line) -> None:
        match = _REGISTER.match(line.text)
        if match is None or match.group(2) not in _CLASSES:
            raise line.error(
                "MIR003",
                f"got {line.text!r}, wanted `%NAME sgpr|vgpr|agpr [COUNT align N] [at [FILE, LINE, COLUMN]]`",
            )
        if self.allocated:
            raise line.error("MIR003", "a virtual register, wanted none in stage allocated")
        name, class_name, count, align, place = match.groups()
        if name in self.registers:
            raise line.error("MIR003", f"%{name} is declared a second time, wanted another name")
        if count is not None and not (0 < int(count) <= 256 and 0 < int(align) <= 256):
            raise line.error("MIR003", f"{count} registers aligned to {align}, wanted 1 to 256")
        at = None
        if place is not None:
            fields, _ = read_json(line, match.start(5))
            at = read_place(line, fields)
        self.registers[name] = self.kernel.new_register(
            _CLASSES[class_name], int(count or 1), int(align or 1), name, at
        )

    def _block(self, line: Line) -> None:
        label, rest = line.split()
        if not WORD.match(label):
            raise line.error("MIR004", f"block label {label!r}, wanted a word")
        if any(block.label == label for block in self.kernel.blocks):
            raise line.error("MIR004", f"block {label} is defined a second time, wanted another label")
        block = Block(label)
        position = 0
        while position < len(rest.text):
            match = _GROUP.match(rest.text, position)
            if match is None:
                raise rest.error(
                    "MIR004", f"got {rest.text[position:]!r}, wanted scalar(...) or vector(...)", position
                )
            registers = tuple(self._register(Line(rest.place, text)) for text in listed(match.group(2)))
            if match.group(1) == "scalar":
                block.scalar_parameters = registers
            else:
                block.vector_parameters = registers
            position = match.end()
        self.kernel.blocks.append(block)

    def _edges(self, line: Line) -> tuple[Edge, ...]:
        edges: list[Edge] = []
        position = 0
        while True:
            match = _EDGE.match(line.text, position)
            if match is None:
                raise line.error(
                    "MIR005", f"got {line.text[position:]!r}, wanted LABEL or LABEL(arguments)", position
                )
            arguments = tuple(
                self._edge_argument(Line(line.place, text)) for text in listed(match.group(2) or "")
            )
            edges.append(Edge(match.group(1), arguments))
            position = match.end()
            if not match.group(3):
                return tuple(edges)

    def _edge_argument(self, line: Line) -> Register | Immediate:
        if _CONSTANT.match(line.text):
            return Immediate(int(line.text, 0))
        return self._register(line)

    def _register(self, line: Line) -> Register:
        match = _VIRTUAL.fullmatch(line.text)
        register = parse_register(line.text) if match is None else self._virtual(line, match)
        if register is None or (register.is_virtual and match is None):
            raise line.error("MIR003", f"got {line.text!r}, wanted a register")
        return register

    def _virtual(self, line: Line, match: re.Match[str]) -> Register:
        name, low, high = match.groups()
        whole = self.registers.get(name)
        if whole is None:
            raise line.error("MIR003", f"%{name} is not declared", match.start())
        if low is None:
            return whole
        first, last = int(low), int(high or low)
        if not first <= last < whole.count:
            raise line.error(
                "MIR003", f"units {first} to {last} of %{name}, which has {whole.count}", match.start()
            )
        return whole.part(first, last - first + 1)

    def _instr(self, line: Line) -> Instr:
        text, mark, _ = line.text.partition(" !")
        spelt = _VIRTUAL.sub(lambda match: str(self._virtual(line, match)), text)
        instr = parse_machine_instr(spelt, self.kernel.table, line.place)
        if mark:
            instr = self._annotations(instr, line, len(text))
        verify_instr(instr, self.kernel.register_class, line.place)
        return instr

    def _annotations(self, instr: Instr, line: Line, position: int) -> Instr:
        while position < len(line.text):
            annotation = _ANNOTATION.match(line.text, position)
            if annotation is None:
                raise line.error(
                    "MIR005",
                    f"got {line.text[position:]!r}, wanted {_KNOWN}",
                    position,
                )
            position = annotation.end()
            match annotation.group(1):
                case "contract":
                    instr = replace(instr, contract=True)
                case "tied":
                    instr, position = self._tied(instr, line, position)
                case "awaits":
                    instr, position = _awaits(instr, line, position)
                case "phase":
                    instr, position = _phase(instr, line, position)
                case "touches":
                    fields, position = read_json(line, position)
                    buffers = self.kernel.arguments
                    footprint = read_footprint(line, instr.row, fields, buffers, self.is_index)
                    instr = replace(instr, touches=(*instr.touches, footprint))
                case "origin":
                    fields, position = read_json(line, position)
                    instr = replace(instr, origin=read_origin(line, fields))
                case "comment":
                    comment, position = read_json(line, position)
                    if not isinstance(comment, str):
                        raise line.error("MIR005", "!comment wants a string")
                    instr = replace(instr, comment=comment)
                case name:
                    raise line.error(
                        "MIR005",
                        f"got !{name}, wanted {_KNOWN}",
                        annotation.start(1) - 1,
                    )
        return instr

    def _tied(self, instr: Instr, line: Line, position: int) -> tuple[Instr, int]:
        end = line.text.find(")", position)
        if end < 0 or line.text[position : position + 1] != "(":
            raise line.error("MIR005", "!tied wants its registers in parentheses", position)
        registers = [self._register(Line(line.place, text)) for text in listed(line.text[position + 1 : end])]
        hidden = [use for use, _ in instr.row.ties if instr.row.operands[use].hidden]
        if len(registers) != len(hidden):
            raise line.error("MIR005", f"{len(registers)} tied operands, wanted {len(hidden)}", position)
        operands: list[Operand] = list(instr.operands)
        for index, register in zip(hidden, registers, strict=True):
            operands[index] = register
        return replace(instr, operands=tuple(operands)), end + 1


def _phase(instr: Instr, line: Line, position: int) -> tuple[Instr, int]:
    """`!phase(N)`, of an access of memory or a matrix instruction."""
    match = _COUNT.match(line.text, position)
    if match is None or not int(match.group(1)):
        raise line.error("MIR005", "!phase wants a positive number in parentheses", position)
    if not has_phases(instr.row):
        message = f"!phase marks {instr.row.mnemonic}, wanted an access of memory or a matrix instruction"
        raise line.error("MIR005", message, position)
    return replace(instr, phase=int(match.group(1))), match.end()


def _awaits(instr: Instr, line: Line, position: int) -> tuple[Instr, int]:
    """`!awaits(N)`, of a load straight to LDS, which has 0, or of a wait."""
    match = _COUNT.match(line.text, position)
    if match is None:
        raise line.error("MIR005", "!awaits wants a number in parentheses", position)
    if instr.row.traits.isdisjoint({Trait.LDS_DMA, Trait.WAIT}):
        message = f"!awaits marks {instr.row.mnemonic}, wanted a load straight to LDS or a wait"
        raise line.error("MIR005", message, position)
    return replace(instr, awaits=int(match.group(1))), match.end()
