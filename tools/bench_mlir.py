"""`python -m tools.bench_mlir [TARGET...]`: examples/*.mlir next to clang -O3's code for the same programs.

tools/clang-kernels/mlir_examples.cl has the programs in OpenCL C, with the same names and arguments. The tool
runs both on the emulator and counts the instructions that a wave executes (`Figures` describes the columns).
Exits 1 if ours is worse in waves for each SIMD, clocks of the launch by the clock model, instructions that
write EXEC or branches on lanes, or if sgemm has more than 1.1 of clang's instructions for each multiply-add.
Exits 2 if clang-22 is missing.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

import asmgen
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.instruction import Instr, Trait
from isa.lane_masks import writes_exec
from isa.registers import EXEC, VCC, Register
from tools.clang_peer import CLANG, compile_command
from tools.named_targets import named_targets
from tools.scoreboard.clocks import clocks_of
from tools.scoreboard.figures import figures_of
from tools.scoreboard.sample import take_sample

Sizes = tuple[int, int, int]
SOURCE = "mlir_examples"  # of tools/clang-kernels
_ELEMENTS = 1024
_WIDTH = 256  # of the matrices that sgemm multiplies


class Case(Struct, frozen=True):
    """A program, its launch, and the multiply-adds of a lane in its inner loop (0 if they are not
    measured)."""

    name: str
    grid: Sizes
    block: Sizes
    arguments: Callable[[], Sequence[Any]]
    multiply_adds: int = 0


def _floats(count: int) -> NDArray[Any]:
    return np.random.default_rng(count).standard_normal(count).astype(np.float32)


def _integers(count: int) -> NDArray[Any]:
    return np.random.default_rng(count).integers(1, 200, count).astype(np.int32)


def _none(count: int) -> NDArray[Any]:
    return np.zeros(count, np.float32)


CASES = (
    Case("basic", (4, 1, 1), (256, 1, 1), lambda: (_integers(_ELEMENTS), _ELEMENTS - 5)),
    Case(
        "vecadd",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(_ELEMENTS), _floats(_ELEMENTS), _none(_ELEMENTS), _ELEMENTS - 5),
    ),
    Case(
        "dotproduct",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(64 * _ELEMENTS), _floats(64 * _ELEMENTS), _none(4), 64 * _ELEMENTS - 5),
    ),
    Case(
        "sgemm",
        (_WIDTH // 16, _WIDTH // 16, 1),
        (16, 16, 1),
        lambda: (_floats(_WIDTH**2), _floats(_WIDTH**2), _none(_WIDTH**2), _WIDTH),
        multiply_adds=_WIDTH,
    ),
    Case(
        "relu",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(_ELEMENTS), _none(_ELEMENTS), np.float32(0.25), _ELEMENTS - 5),
    ),
    Case("fence", (4, 1, 1), (256, 1, 1), lambda: (_integers(_ELEMENTS), np.zeros(_ELEMENTS, np.int32))),
    Case(
        "diverge",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_integers(_ELEMENTS), np.zeros(_ELEMENTS, np.int32), _ELEMENTS - 5),
    ),
)


EXAMPLES = Path(__file__).parents[1] / "examples"
MOST_OF_MULTIPLY_ADD = 1.1  # of clang's instructions


class Figures(Struct, frozen=True):
    """Figures of the first wave of a workgroup in the middle of the grid, on its own path.

    `waves`: waves for each SIMD, which VGPRs limit. `in_loops`: instructions executed in loops; `executed`:
    all instructions. `clocks`: of the whole launch, by the clock model. `exec_writes`: instructions that
    write EXEC. `scalar` and `vector`: executed conditional branches on SCC, and on EXEC or VCC.
    `of_multiply_add`: instructions in loops for each multiply-add, or None if they are not measured.
    """

    waves: int
    vgprs: int
    in_loops: int
    executed: int
    clocks: float
    exec_writes: int
    scalar: int
    vector: int
    of_multiply_add: float | None = None


class Column(NamedTuple):
    """A figure that is compared: ours must be at most `share` of clang's, or at least clang's if `more` is
    better."""

    field: str
    more: bool = False
    share: float = 1.0


COLUMNS = (
    Column("waves", more=True),
    Column("clocks"),
    Column("exec_writes"),
    Column("vector"),
    Column("of_multiply_add", share=MOST_OF_MULTIPLY_ADD),
)


def worse_in(ours: Figures, clang: Figures) -> list[str]:
    """The figures in which ours is worse. Figures that are unknown for either are skipped."""
    worse: list[str] = []
    for column in COLUMNS:
        mine, theirs = getattr(ours, column.field), getattr(clang, column.field)
        if mine is None or theirs is None:
            continue
        if mine < theirs if column.more else mine > column.share * theirs:
            worse.append(column.field)
    return worse


def measure_ours(case: Case, target: str) -> Figures:
    """The figures of our code for a program of examples/."""
    (kernel,) = asmgen.compile(EXAMPLES / f"{case.name}.mlir", target=target).kernels
    return _figures(case, load(kernel.assembly, kernel.name, f"{kernel.name}.s"))


def measure_clang(case: Case, target: str) -> Figures:
    """The figures of clang -O3's code. Raises CalledProcessError if clang refuses, FileNotFoundError without
    clang."""
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernels.hsaco")
        command = compile_command(SOURCE, str(path), target, ())
        _ = subprocess.run(command, check=True, capture_output=True)
        return _figures(case, load(path.read_bytes(), case.name, f"{SOURCE}.hsaco"))


def _figures(case: Case, image: Image) -> Figures:
    call = KernelCall(case.grid, case.block, tuple(case.arguments()))
    sample = take_sample(image, call)
    lanes = image.descriptor.wave_size
    known = figures_of([sample], sample.all_waves * lanes, (1, -1))
    inside = in_loops(sample.places)
    looped = sum(place in inside for place in sample.places)
    branches = [instr for instr in sample.trace if Trait.CONDITIONAL_BRANCH in instr.row.traits]
    vector = sum(map(_is_of_lanes, branches))
    return Figures(
        waves=known.waves,
        vgprs=known.vgprs,
        in_loops=looped,
        executed=len(sample.trace),
        clocks=clocks_of([(image, call)]),
        exec_writes=sum(map(writes_exec, sample.trace)),
        scalar=len(branches) - vector,
        vector=vector,
        of_multiply_add=looped / case.multiply_adds if case.multiply_adds else None,
    )


def _is_of_lanes(branch: Instr) -> bool:
    """True if a branch reads a lane mask."""
    return any(_is_lane_mask(register) for register in branch.used())


def _is_lane_mask(register: Register) -> bool:
    return register.overlaps(EXEC) or register.overlaps(VCC)


def in_loops(places: list[int]) -> set[int]:
    """The places in the code that are in loops, according to a wave's path: a jump back makes everything it
    jumps over a loop."""
    looped: set[int] = set()
    for here, following in pairwise(places):
        if following <= here:
            looped.update(range(following, here + 1))
    return looped


_TITLES = (
    "target", "program", "compiler", "waves", "VGPRs", "in loops", "executed", "clocks", "EXEC", "scalar",
    "vector", "/ fma", "",
)  # fmt: skip
_LAYOUT = "{:<8} {:<10} {:<9} {:>5} {:>5} {:>8} {:>8} {:>7} {:>5} {:>6} {:>6} {:>6}  {}"


def show(case: Case, target: str) -> bool:
    """Print the two rows of a program. True if ours is no worse."""
    ours, clang = measure_ours(case, target), measure_clang(case, target)
    worse = worse_in(ours, clang)
    verdict = f"worse in {', '.join(worse)}" if worse else "no worse"
    print(_row((target, case.name, "asmgen"), ours, ""))
    print(_row(("", "", "clang"), clang, verdict), flush=True)
    return not worse


def _row(names: Sequence[str], figures: Figures, verdict: str) -> str:
    each = "" if figures.of_multiply_add is None else f"{figures.of_multiply_add:.2f}"
    counts = (figures.waves, figures.vgprs, figures.in_loops, figures.executed, f"{figures.clocks:.0f}")
    lanes = (figures.exec_writes, figures.scalar, figures.vector)
    return _LAYOUT.format(*names, *counts, *lanes, each, verdict).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_mlir", description="examples/*.mlir next to clang's code."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument(
        "--program", action="append", default=[], help="only this program; may be repeated"
    )
    options = parser.parse_args(arguments)
    names = {case.name for case in CASES}
    if unknown := [name for name in options.program if name not in names]:
        parser.error(f"{unknown[0]!r} is not an example, wanted any of {', '.join(sorted(names))}")
    if shutil.which(CLANG) is None:
        parser.error(f"{CLANG} is not installed")
    print(_LAYOUT.format(*_TITLES).rstrip())
    targets = named_targets(parser, options.targets)
    cases = [case for case in CASES if not options.program or case.name in options.program]
    passed = [show(case, target) for target in targets for case in cases]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
