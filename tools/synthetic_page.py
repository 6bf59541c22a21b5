"""Pages of any length, without a compile: a program of loops with live ranges, sources and clocks."""

from __future__ import annotations

import random

from asmgen.report.page.data import (
    Block,
    Fact,
    KernelPage,
    Listing,
    Loop,
    Page,
    Panel,
    Profile,
    RegisterFile,
    Section,
    SourceFile,
    Wave,
)

LINES_A_BLOCK = 25
VGPRS = 128
CAUSES = ["issued", "dependency", "counter", "barrier", "something new"]


def listing(count: int, generator: random.Random) -> Listing:
    """Every fourth block begins a loop of two blocks, every eighth leads over two blocks; each line writes a
    register, which lives on."""
    pressure, ranges, text = [0] * count, list[int](), list[str]()
    for line in range(count):
        register, last = line % VGPRS, min(count - 1, line + generator.randrange(1, VGPRS))
        text.append(f"v_add_f32_e32 v{register}, v{(register + 1) % VGPRS}, s[2:3] <b>&")
        ranges += (register, line, last)
        for covered in range(line, last + 1):
            pressure[covered] += 1
    starts = range(0, count, LINES_A_BLOCK)
    blocks = [
        Block(f"block{i}", first, min(LINES_A_BLOCK, count - first), int(i % 4 < 2 and i > 0))
        for i, first in enumerate(starts)
    ]
    loops = [
        Loop(blocks[i].label, blocks[i].first, blocks[i + 1].first + blocks[i + 1].count - 1, 1)
        for i in range(4, len(blocks) - 1, 4)
    ]
    jumps = [number for loop in loops for number in (loop.last, loop.first)]
    flow = [number for i in range(len(blocks) - 1) for number in (i, i + 1)]
    flow += [number for i in range(4, len(blocks) - 1, 4) for number in (i + 1, i)]
    flow += [number for i in range(6, len(blocks) - 3, 8) for number in (i, i + 3)]
    files = [SourceFile("k.cl", tuple(f"line {i} </script><!--" for i in range(1, 101)))]
    places = [(0, i + 1) for i in range(100)]
    registers = [
        RegisterFile("VGPR", "v", pressure, ranges, [8, 64, 7, 72, 5, 96, 4, 128]),
        RegisterFile("AGPR", "a", [0] * count, []),
        RegisterFile("SGPR", "s", [2] * count, [2, 0, count - 1, 3, 0, count - 1]),
    ]
    return Listing(
        text, [4 * i for i in range(count)], [i % 2 for i in range(count)], ["valu", "vmem"],
        [0] * count, ["add"], [i * 100 // count for i in range(count)], places, files,
        blocks, loops, jumps, flow, registers,
    )  # fmt: skip


def profile(count: int, waves: int, generator: random.Random) -> Profile:
    """Each wave executes each line once."""
    executions, sums, lanes = [waves] * count, dict[tuple[int, int], int](), list[Wave]()
    for number in range(waves):
        spans: list[int] = []
        for line in range(count):
            for cause, clocks in ((generator.randrange(1, len(CAUSES)), generator.randrange(4)), (0, 1)):
                if clocks:
                    culprit = max(0, line - 1) if cause else -1
                    spans += (clocks, cause, line, culprit, -1)
                    sums[line, cause] = sums.get((line, cause), 0) + clocks
        lanes.append(Wave(f"wave {number}", number % 4, 0, spans))
    charges = [
        number
        for (line, cause), clocks in sorted(sums.items())
        for number in (line, cause, clocks, max(0, line - 1) if cause else -1)
    ]
    length = max(sum(wave.spans[::5]) for wave in lanes)
    return Profile(length, CAUSES, executions, charges, lanes, (Fact("Clocks", str(length)),), ("assumed",))


def page(count: int, *, with_profile: bool) -> Page:
    generator = random.Random(count)
    section = Section("Values", "A table", ("value", "#live"), (("%x", "1"), ("%y", "2")), (3, -1))
    facts = (Fact("VGPRs", "28", "32 taken", "good"),)
    clocks = profile(count, 2 if count > 5000 else 4, generator) if with_profile else None
    panels = (Panel("Registers", (section,)),)
    return Page((KernelPage("kernel", "gfx942", facts, listing(count, generator), panels, clocks),))
