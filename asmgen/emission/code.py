"""The instructions of a kernel as text: labels, line marks, comments, and the branches that the layout
needs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from asmgen.emission.entry import preload_prologue
from isa.build import build
from isa.diagnostics import InputError, InternalError, Place
from isa.instruction import Instr, Kind, Label, Origin, Row
from isa.program import Block, Kernel
from isa.size import code_bytes
from isa.target import Target
from isa.text.printing import format_instr

COMMENT_COLUMN = 55


class SourceFiles(Struct):
    """The numbers that `.file` gives to source files, in the order in which instructions name them."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, file: str) -> int:
        return self.numbers.setdefault(file, len(self.numbers) + 1)

    def lines(self) -> list[str]:
        return [f"\t.file\t{number} {quoted(file)}" for file, number in self.numbers.items()]


def code_lines(kernel: Kernel, files: SourceFiles) -> list[str]:
    """The kernel from its symbol's label on, without directives that only a whole file has."""
    writer = _Writer(kernel, files)
    prologue = preload_prologue(kernel)
    if prologue:
        for instr in prologue:
            writer.instruction(instr)
        writer.instruction(_branch(kernel, kernel.blocks[0].label))
        writer.lines.append("\t.p2align\t8")
    targets = {kernel.blocks[0].label} if prologue else set[str]()
    targets |= set(_branch_targets(kernel))
    for block, following in zip(kernel.blocks, [*kernel.blocks[1:], None], strict=True):
        if block.label in targets:
            writer.lines.append(f"{_local_label(kernel, block.label)}:")
        for instr in (*block.instructions, *_ending(block, following, kernel)):
            writer.instruction(instr)
    return writer.lines


def code_size(kernel: Kernel, target: Target) -> int:
    """The bytes of a kernel's instructions, from its first block on."""
    following = [*kernel.blocks[1:], None]
    endings = (_ending(block, after, kernel) for block, after in zip(kernel.blocks, following, strict=True))
    return sum(
        code_bytes(instr, target)
        for block, ending in zip(kernel.blocks, endings, strict=True)
        for instr in (*block.instructions, *ending)
    )


class _Writer(Struct):
    """Lines of a kernel; `.loc` is written when the source position changes."""

    kernel: Kernel
    files: SourceFiles
    lines: list[str] = field(default_factory=list)
    position: Place | None = None

    def instruction(self, instr: Instr) -> None:
        place = instr.origin.place if instr.origin and instr.origin.op else None
        if place is not None and place.line and place != self.position:
            self.lines.append(f"\t.loc\t{self.files.number(place.file)} {place.line} {place.column}")
            self.position = place
        labelled = _with_local_labels(instr, self.kernel) if _takes_label(instr.row) else instr
        text = "\t" + format_instr(labelled)
        comment = _comment(instr)
        self.lines.append(f"{text:<{COMMENT_COLUMN}} ; {comment}" if comment else text)


def _comment(instr: Instr) -> str:
    """The comment of an instruction: the op that it comes from, its line, and notes of the passes."""
    origin = _origin_text(instr.origin) if instr.origin is not None else ""
    notes = comment_text(instr.comment) if instr.comment else ""
    return f"{origin}, {notes}" if origin and notes else origin or notes


@lru_cache(64)
def _origin_text(origin: Origin) -> str:
    """The comment about the op of consecutive instructions."""
    place = origin.place
    return comment_text(f"{origin.op} :{place.line}" if origin.op and place and place.line else origin.op)


def _local_label(kernel: Kernel, label: str) -> str:
    return f".L{kernel.name}.{label}"


def _with_local_labels(instr: Instr, kernel: Kernel) -> Instr:
    operands = tuple(
        Label(_local_label(kernel, o.name)) if isinstance(o, Label) else o for o in instr.operands
    )
    return replace(instr, operands=operands)


@cache
def _takes_label(row: Row) -> bool:
    return any(Kind.LABEL in spec.kinds for spec in row.operands)


def _branch(kernel: Kernel, label: str) -> Instr:
    return build(kernel.table.row("s_branch"), Label(label))


def _branch_targets(kernel: Kernel) -> Iterator[str]:
    """The labels that some branch names."""
    for block, following in zip(kernel.blocks, [*kernel.blocks[1:], None], strict=True):
        for instr in _ending(block, following, kernel):
            yield from (operand.name for operand in instr.operands if isinstance(operand, Label))


def _ending(block: Block, following: Block | None, kernel: Kernel) -> tuple[Instr, ...]:
    """A block's terminator and, if its fall-through successor is not the next block, the branch to it."""
    terminator = () if block.terminator is None else (block.terminator,)
    if not block.linear:
        if block.terminator is None:
            raise InternalError(
                "emit",
                f"{kernel.name}.{block.label}",
                "the block neither ends the program nor has a successor",
            )
        return terminator
    fall_through = block.linear[-1].target
    if following is not None and following.label == fall_through:
        return terminator
    return (*terminator, _branch(kernel, fall_through))


_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*\Z")


def checked_symbol(name: str, place: Place | str) -> str:
    """`name`, if the assembler takes it as a symbol without quotes; `InputError` at `place` otherwise."""
    if not _SYMBOL.match(name):
        raise InputError(
            place,
            "EMIT001",
            f"{name!r} cannot be a symbol, wanted a letter or _, then letters, digits, _, . or $",
        )
    return name


def quoted(text: str) -> str:
    """`text` as a string of the assembler, which takes C's escapes; a byte outside ASCII is written in
    octal."""
    parts: list[str] = []
    for byte in os.fsencode(text):  # a file may have a name that is not UTF-8
        if byte in b'"\\':
            parts.append("\\" + chr(byte))
        elif 32 <= byte < 127:
            parts.append(chr(byte))
        else:
            parts.append(f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def comment_text(text: str) -> str:
    """`text` on a single line, so that it cannot end the comment it is in."""
    return " ".join(text.split())
