"""Random programs: straight lines, skips, choices, loops, and graphs of jumps, 4 to 40 instructions long."""

from __future__ import annotations

from copy import copy
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from isa.instruction import Instr, Kind, Label, Row, Trait
from isa.program import Block, Edge, Kernel
from isa.table import Table, table_named
from isa.targets import TargetId
from isa.text.printing import format_instr
from tools.fuzz.draw import draw, drawn_rows, groups
from tools.judge import Line

_VARIANTS = 2  # instructions drawn from each row
_SHORTEST, _LONGEST = 4, 40


class Piece(Struct, frozen=True):
    """A block: instructions, then an optional conditional branch to another block."""

    instructions: tuple[Instr, ...]
    branch: Row | None = None
    target: int = 0


Program = tuple[Piece, ...]


class Pool:
    """The instructions for the programs of a run, so that LLVM's assembler reads each only once.

    They come from every row, or from every `share`-th row, beginning at row `part`.
    """

    def __init__(self, target: TargetId, seed: int, share: int = 1, part: int = 0) -> None:
        random = Random(seed)
        self.target = target
        self.table: Table = table_named(str(target))
        rows = drawn_rows(self.table)[part::share]
        self.undrawable = [row for row in rows if not any(draw(row, random) for _ in range(_VARIANTS))]
        undrawable = set(self.undrawable)
        self._drawn = {
            row: [instr for _ in range(_VARIANTS) if (instr := draw(row, random))]
            for row in rows
            if row not in undrawable
        }
        self._groups = [
            kept for group in groups(rows) if (kept := [row for row in group if row not in undrawable])
        ]
        self._rows = list(self._drawn)
        self._conditions = [
            row
            for row in self.table.rows
            if Trait.CONDITIONAL_BRANCH in row.traits and row.operands[-1].kinds & Kind.LABEL
        ]

    def instructions(self) -> list[Instr]:
        return [instr for drawn in self._drawn.values() for instr in drawn]

    def copy(self) -> Pool:
        """A copy, from which instructions can be dropped."""
        other = copy(self)
        other._drawn = dict(self._drawn)
        return other

    def drop(self, instr: Instr) -> None:
        """Drop an instruction that LLVM cannot judge."""
        self._drawn[instr.row] = [other for other in self._drawn[instr.row] if other is not instr]
        if not self._drawn[instr.row]:
            self._rows = [row for row in self._rows if row is not instr.row]
            self._groups = [
                kept for group in self._groups if (kept := [row for row in group if row is not instr.row])
            ]

    def program(self, random: Random) -> Program:
        """A random program. Most instructions come from a few groups, so that they interact; some come from
        all rows."""
        chosen = [random.choice(self._groups) for _ in range(random.randrange(2, 6))]
        length = (
            random.randrange(_SHORTEST, _LONGEST + 1)
            if random.random() < 0.5
            else random.randrange(_SHORTEST, 16)
        )
        code = [self._instr(random, chosen) for _ in range(length)]
        count = random.choice((1, 1, 2, 3, 3, 4, 5))
        cuts = sorted(random.randrange(length + 1) for _ in range(count - 1))
        parts = [tuple(code[first:last]) for first, last in zip([0, *cuts], [*cuts, length], strict=True)]
        return tuple(self._piece(random, part, number, count) for number, part in enumerate(parts))

    def _instr(self, random: Random, chosen: list[list[Row]]) -> Instr:
        row = random.choice(random.choice(chosen)) if random.random() < 0.85 else random.choice(self._rows)
        return random.choice(self._drawn.get(row) or self._drawn[random.choice(self._rows)])

    def _piece(self, random: Random, code: tuple[Instr, ...], number: int, count: int) -> Piece:
        if count == 1 or (number == count - 1 and random.random() < 0.5):
            return Piece(code)
        if random.random() < 0.25:
            return Piece(code)
        # the last block may only branch back, the others mostly branch forward
        target = random.randrange(count) if number < count - 1 else random.randrange(number + 1)
        return Piece(code, random.choice(self._conditions), target)


def machine_program(program: Program, target: TargetId, name: str = "fuzz") -> Kernel:
    """The program as the input of our passes."""
    kernel = Kernel(name, target)
    end = kernel.table.row("s_endpgm")
    for number, piece in enumerate(program):
        following = Edge(f"L{number + 1}")
        block = Block(
            f"L{number}", instructions=list(piece.instructions), linear=(following,), logical=(following,)
        )
        if piece.branch is not None:
            block.terminator = Instr(piece.branch, (Label(f"L{piece.target}"),))
            block.linear = block.logical = (Edge(f"L{piece.target}"), following)
        kernel.blocks.append(block)
    kernel.blocks.append(Block(f"L{len(program)}", terminator=Instr(end, ())))
    return kernel


def judged_lines(kernel: Kernel) -> tuple[list[Line], list[Instr | None]]:
    """The kernel's text as the input of the judge, and the instruction of each line, None for labels."""
    targets = {
        operand.name
        for block in kernel.blocks
        for instr in block.code
        for operand in instr.operands
        if isinstance(operand, Label)
    }
    lines: list[Line] = []
    instrs: list[Instr | None] = []
    for block in kernel.blocks:
        if block.label in targets:
            lines.append(Line(len(lines) + 1, f"{block.label}:"))
            instrs.append(None)
        for instr in block.code:
            lines.append(Line(len(lines) + 1, format_instr(instr)))
            instrs.append(instr)
    return lines, instrs


def smaller(program: Program) -> list[Program]:
    """Programs with a part removed, the largest cuts first."""
    candidates: list[Program] = []
    for number, piece in enumerate(program):
        others = program[:number], program[number + 1 :]
        size = len(piece.instructions)
        step = max(1, size // 2)
        while size and step:
            for first in range(0, size, step):
                candidates.append(
                    (
                        *others[0],
                        replace(
                            piece,
                            instructions=piece.instructions[:first] + piece.instructions[first + step :],
                        ),
                        *others[1],
                    )
                )
            step //= 2
        if piece.branch is not None:
            candidates.append((*others[0], replace(piece, branch=None), *others[1]))
        elif number + 1 < len(program) and not any(
            other.branch is not None and other.target == number + 1 for other in program
        ):
            candidates.append(_merged(program, number))
    return sorted(candidates, key=_size)


def _merged(program: Program, number: int) -> Program:
    """The program with a block and its successor in the text merged."""
    first, second = program[number], program[number + 1]
    joined = replace(second, instructions=first.instructions + second.instructions)
    pieces = [*program[:number], joined, *program[number + 2 :]]
    return tuple(replace(piece, target=piece.target - (piece.target > number)) for piece in pieces)


def _size(program: Program) -> int:
    return sum(len(piece.instructions) + 2 * (piece.branch is not None) + 1 for piece in program)
