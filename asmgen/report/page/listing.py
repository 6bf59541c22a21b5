"""The listing of a loaded kernel: its instructions with their live registers, blocks, loops and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from asmgen.report.live import LiveSets, live_sets
from asmgen.report.model import FILES
from asmgen.report.page.data import Block, Listing, Loop, RegisterFile, SourceFile
from asmgen.report.values import counted_slots, file_number
from asmgen.report.waves import sgpr_steps, vgpr_steps
from isa.diagnostics import Place
from isa.emulator.program.blocks import block_ranges, kernel_of
from isa.emulator.program.code import Code
from isa.emulator.program.image import Image
from isa.instruction import Instr, Label, Trait
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR
from isa.target import Target
from isa.targets import parse_target
from isa.text.printing import format_instr

Texts = Callable[[str], str]
"""The text of a source file by the name that instructions give it; empty if it is not known."""

_FIRST = (FIRST_VGPR, FIRST_AGPR, 0)  # unit of each of FILES


def listing_of(image: Image, texts: Texts) -> Listing:
    """The listing of a kernel. Raises `InputError` as `kernel_of` does."""
    kernel = kernel_of(image)
    code, instructions = image.code, image.code.instructions
    live = live_sets(kernel)
    # numbers of values, in the order of their first occurrence
    units, ops, files = dict[str, int](), dict[str, int](), dict[str, int]()
    places = dict[tuple[int, int], int]()
    unit = [units.setdefault(instr.row.unit.value, len(units)) for instr in instructions]
    op = [ops.setdefault(name, len(ops)) if (name := _op(instr)) else -1 for instr in instructions]
    place: list[int] = []
    for instr in instructions:
        at = _place(instr)
        if at is not None:
            pair = files.setdefault(at.file, len(files)), at.line
            place.append(places.setdefault(pair, len(places)))
        else:
            place.append(-1)
    addresses = [address - code.addresses[0] for address in code.addresses]
    return Listing(
        text=[format_instr(instr) for instr in instructions],
        address=addresses,
        unit=unit,
        units=[*units],
        op=op,
        ops=[*ops],
        place=place,
        places=[*places],
        files=[SourceFile(name, tuple(texts(name).splitlines())) for name in files],
        blocks=_blocks(kernel, live, code),
        loops=_loops(kernel, live, code),
        jumps=_jumps(code),
        flow=_flow(kernel),
        registers=_register_files(kernel, live, code, parse_target(image.target, image.place).target),
    )


def _op(instr: Instr) -> str:
    return instr.origin.op if instr.origin is not None else ""


def _place(instr: Instr) -> Place | None:
    place = instr.origin.place if instr.origin is not None else None
    return place if place is not None and place.line else None


def _blocks(kernel: Kernel, live: LiveSets, code: Code) -> list[Block]:
    depths = live.liveness.flow.linear.depths
    return [
        Block(
            block.label, start, end - start, depth,
            all(Trait.NOP in instr.row.traits for instr in code.instructions[start:end]),
        )
        for block, (start, end), depth in zip(kernel.blocks, block_ranges(code), depths, strict=True)
    ]  # fmt: skip


def _loops(kernel: Kernel, live: LiveSets, code: Code) -> list[Loop]:
    flow, ranges = live.liveness.flow.linear, block_ranges(code)
    return [
        Loop(
            kernel.blocks[loop.header].label, ranges[loop.blocks[0]][0], ranges[loop.blocks[-1]][1] - 1,
            flow.depths[loop.header],
        )
        for loop in flow.loops
    ]  # fmt: skip


def _jumps(code: Code) -> list[int]:
    jumps: list[int] = []
    for line, instr in enumerate(code.instructions):
        label = instr.operands[-1] if instr.operands and Trait.BRANCH in instr.row.traits else None
        if isinstance(label, Label) and label.name in code.labels:
            jumps += (line, code.labels[label.name])
    return jumps


def _flow(kernel: Kernel) -> list[int]:
    numbers = {block.label: number for number, block in enumerate(kernel.blocks)}
    return [
        number
        for block in kernel.blocks
        for edge in block.linear
        for number in (numbers[block.label], numbers[edge.target])
    ]


class _Ranges:
    """Live ranges in the order of their lines; a range that goes on in the next block of the layout is a
    single range."""

    def __init__(self) -> None:
        self._open: dict[int, int] = {}  # the first line of each live unit
        self._closed: list[tuple[int, int, int]] = []

    def enter(self, line: int, live: set[int]) -> None:
        """A block with these live units begins at a line."""
        for unit in self._open.keys() - live:
            self._closed.append((unit, self._open.pop(unit), line - 1))
        for unit in live:
            self._open.setdefault(unit, line)

    def change(self, line: int, changed: Iterable[int], defined: Iterable[int]) -> None:
        """An instruction ends the ranges of live units, and begins those of the others."""
        for unit in changed:
            if unit in self._open:
                self._closed.append((unit, self._open.pop(unit), line))
            else:
                self._open[unit] = line
        self._closed += [(unit, line, line) for unit in defined if unit not in self._open]

    def finish(self, line: int) -> list[tuple[int, int, int]]:
        self.enter(line, set())
        return sorted(self._closed, key=lambda range_: range_[1])


def _register_files(kernel: Kernel, live: LiveSets, code: Code, target: Target) -> list[RegisterFile]:
    pressure: list[tuple[int, int, int]] = []
    ranges, after = _Ranges(), (0, 0, 0)
    starts = [start for start, _ in block_ranges(code)]
    slots = live.liveness.slots
    for step in counted_slots(kernel, live):
        number, index = step.slot
        if index == 0:
            # a branch that only goes to another block is no slot of its block
            pressure += [after] * (starts[number] - len(pressure))
            ranges.enter(starts[number], step.before_units())
        if index == slots[number].copies:  # physical registers have no arguments of edges
            after = step.before
            continue
        ranges.change(len(pressure), step.changed, step.defined)
        pressure.append(step.pressure)
    pressure += [after] * (len(code.instructions) - len(pressure))
    by_file: list[list[int]] = [[], [], []]
    for unit, first, last in ranges.finish(len(pressure)):
        file = file_number(kernel, unit)
        if file >= 0:
            by_file[file] += (unit - _FIRST[file], first, last)
    agprs = max(by_file[1][::3], default=-1) + 1
    steps = (vgpr_steps(target, agprs), (), sgpr_steps(target))
    return [
        RegisterFile(name, name[0].lower(), [row[i] for row in pressure], by_file[i], [*chain(*steps[i])])
        for i, name in enumerate(FILES)
    ]
