"""What one wave of a program costs, and in which figures ours is worse than clang's."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Struct

import asmgen
from isa.emulator import load
from isa.emulator.arguments import KernelCall
from isa.emulator.image import Image
from isa.exec_use import writes_exec
from isa.instruction import Instr, Trait
from isa.registers import EXEC, VCC, Register
from tools.clang_peer import compile_command
from tools.mlir_scoreboard.cases import SOURCE, Case
from tools.scoreboard.figures import figures_of
from tools.scoreboard.sample import take_sample

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_OF_MULTIPLY_ADD = 1.1  # of clang's instructions


class Figures(Struct, frozen=True):
    """Of the first wave of a workgroup in the middle of the grid, on its own path.

    `waves` are those that a SIMD holds, which is what VGPRs cost. `in_loops` are the instructions that it
    runs in loops, `executed` all of them, and `cycles` llvm-mca's price of these. `exec_writes` are
    instructions that write EXEC. `scalar` and `vector` branches are conditional ones that it comes to: those
    on SCC, and those on EXEC or VCC. `of_multiply_add` are instructions in loops for each multiply-add; None
    where it is not asked.
    """

    waves: int
    vgprs: int
    in_loops: int
    executed: int
    cycles: float | None
    exec_writes: int
    scalar: int
    vector: int
    of_multiply_add: float | None = None


class Column(NamedTuple):
    """A figure that must hold: ours is at most `share` of clang's, or at least clang's where `more` of it is
    better."""

    field: str
    more: bool = False
    share: float = 1.0


COLUMNS = (
    Column("waves", more=True),
    Column("in_loops"),
    Column("cycles"),
    Column("exec_writes"),
    Column("vector"),
    Column("of_multiply_add", share=MOST_OF_MULTIPLY_ADD),
)


def worse_in(ours: Figures, clang: Figures) -> list[str]:
    """The figures in which ours is worse; one that is not known of both is left out."""
    found: list[str] = []
    for column in COLUMNS:
        mine, theirs = getattr(ours, column.field), getattr(clang, column.field)
        if mine is None or theirs is None:
            continue
        if mine < theirs if column.more else mine > column.share * theirs:
            found.append(column.field)
    return found


def measure_ours(case: Case, target: str) -> Figures:
    """What we make of a program of examples/."""
    (kernel,) = asmgen.compile(EXAMPLES / f"{case.name}.mlir", target=target).kernels
    return _figures(case, load(kernel.assembly, kernel.name, f"{kernel.name}.s"))


def measure_clang(case: Case, target: str) -> Figures:
    """What clang -O3 makes of it. CalledProcessError where it refuses, FileNotFoundError without clang."""
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernels.hsaco")
        command = compile_command(SOURCE, str(path), target, ())
        _ = subprocess.run(command, check=True, capture_output=True)
        return _figures(case, load(path.read_bytes(), case.name, f"{SOURCE}.hsaco"))


def _figures(case: Case, image: Image) -> Figures:
    sample = take_sample(image, KernelCall(case.grid, case.block, tuple(case.arguments())))
    lanes = image.descriptor.wave_size
    known = figures_of([sample], sample.all_waves * lanes, (1, -1))
    inside = in_loops(sample.places)
    looped = sum(place in inside for place in sample.places)
    branches = [one for one in sample.trace if Trait.CONDITIONAL_BRANCH in one.row.traits]
    vector = sum(_is_of_lanes(one) for one in branches)
    return Figures(
        waves=known.waves,
        vgprs=known.vgprs,
        in_loops=looped,
        executed=len(sample.trace),
        cycles=known.cycles,
        exec_writes=sum(map(writes_exec, sample.trace)),
        scalar=len(branches) - vector,
        vector=vector,
        of_multiply_add=looped / case.multiply_adds if case.multiply_adds else None,
    )


def _is_of_lanes(branch: Instr) -> bool:
    """Whether a branch asks what the lanes of the wave say."""
    return any(_is_lane_mask(register) for register in branch.used())


def _is_lane_mask(register: Register) -> bool:
    return register.overlaps(EXEC) or register.overlaps(VCC)


def in_loops(places: list[int]) -> set[int]:
    """The places in the code that are in loops, by the path of a wave through it: where it goes back, all
    that is between is a loop."""
    found: set[int] = set()
    for here, following in pairwise(places):
        if following <= here:
            found.update(range(following, here + 1))
    return found
