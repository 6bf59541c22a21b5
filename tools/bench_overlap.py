"""`python -m tools.bench_overlap [TARGET...]`: programs with and without overlapping trips of loops.

For each program, the tool prints the CPU milliseconds of a compile to assembly text, and the clocks of its
launches by the clock model, each without and with overlapping trips. Both compiles run in turn in a warm
process; a figure is the least of `--repeat` compiles. Clocks depend on the place at which code begins in a
piece that is fetched together. So those of a program that loses are the mean over PLACES. Exits 1 if compiles
take more than MOST_TIME times the time in the geometric mean, or if a program takes more than MOST_CLOCKS
times the clocks.

    python -m tools.bench_overlap gfx942 --set catalogue --program softmax
    python -m tools.bench_overlap --set random --seeds 0:100 --clocks

Sets are `loops` (programs of the catalogue with a loop), `catalogue`, `everyday` and `products` of
the scoreboard, `open` (sizes that only the launch knows), `random` and `random_open`.
"""

from __future__ import annotations

import argparse
import gc
import math
import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from statistics import mean
from typing import NamedTuple

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.kernels import CATALOGUE
from asmgen.passes.schedule.modulo import pipeline
from asmgen.passes.schedule.modulo.pipeline import Overlapped
from asmgen.profile.build import clocks_by_place, profile_launch
from asmgen.profile.programs import launches_of_program
from isa.diagnostics import InputError
from isa.program import Kernel
from isa.targets import TARGETS
from tools.cpu import timed
from tools.reasons import exit_status
from tools.scoreboard.cases import CASES
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.products.shapes import PRODUCTS, Product
from tools.scoreboard.table import geometric_mean

MOST_TIME, MOST_CLOCKS = 1.15, 1.01
LOSS = 1.002  # of the clocks, from which on they are measured at several places
PLACES = range(0, 256, 16)  # bytes


class Program(NamedTuple):
    """A program as gen text, with the sizes of its named dims."""

    title: str
    text: str
    fast_math: bool = False
    dims: Mapping[str, int] = {}


class Figures(NamedTuple):
    """The milliseconds and the clocks without overlapping trips and with them; NaN if not measured."""

    milliseconds: tuple[float, float]
    clocks: tuple[float, float]

    @property
    def of_time(self) -> float:
        """The part of the time that a compile with overlapping trips takes."""
        return self.milliseconds[1] / self.milliseconds[0]

    @property
    def of_clocks(self) -> float:
        """The part of the clocks that overlapping trips take."""
        return self.clocks[1] / self.clocks[0]

    def __str__(self) -> str:
        return (
            f"{self.milliseconds[0]:8.1f} -> {self.milliseconds[1]:8.1f} ms {self.of_time:6.3f}   "
            f"{self.clocks[0]:12,.0f} -> {self.clocks[1]:12,.0f} clocks {self.of_clocks:6.3f}"
        )


_LOOPS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("row_sum", {"cols": "100000"}), ("softmax", {"cols": "50257", "rows": "64"}),
    ("layernorm", {"cols": "32768", "rows": "64"}), ("rmsnorm", {"cols": "20000", "rows": "16"}),
    ("col_sum", {"rows": "8192"}), ("col_sum", {"rows": "65536", "cols": "100"}),
    ("cumsum", {"cols": "100000", "rows": "16"}), ("cumsum", {"cols": "4096"}),
    ("argmax", {"cols": "50000", "rows": "64"}), ("full_sum", {"n": "10000000"}), ("gemv", {}),
    ("gemv", {"m": "300", "k": "100000"}), ("gemm", {}), ("gemm", {"m": "100", "n": "100", "k": "5000"}),
    ("gemm", {"dtype": "f64"}), ("gemm", {"dtype": "bf16", "m": "4096", "n": "1000", "k": "8192"}),
    ("linear", {"dtype": "f16"}), ("quantised_linear", {}), ("batched_gemm", {}),
)  # fmt: skip
_OPEN: tuple[tuple[str, Mapping[str, int]], ...] = tuple(
    (name, {"rows": rows, "cols": cols})
    for name in ("row_sum", "softmax", "layernorm", "col_sum", "cumsum", "argmax")
    for rows, cols in ((64, 50257), (4096, 1024), (4096, 8192), (65536, 4096))
)


def _entry(name: str, settings: Mapping[str, str], dims: Mapping[str, int]) -> Program:
    kernel = CATALOGUE[name]
    shown = [f"{key}={value}" for key, value in (*settings.items(), *dims.items()) if value != "?"]
    return Program(
        " ".join([name, *shown]), kernel.text(kernel.settings(list(settings.items()))), False, dims
    )


_TYPES = ("f32", "f16", "bf16", "i32")
_FLOATS = frozenset(_TYPES[:3])
_SIDES = (1, 3, 16, 60, 64, 200, 257, 1000, 1024, 4096, 5000, 16384, 50257, 300000)
_MOST_ELEMENTS = 1 << 25
_UNARY, _BINARY = ("abs", "neg", "relu", "exp", "tanh"), ("add", "sub", "mul", "max")
_REDUCTIONS = ("reduce_sum", "reduce_max", "reduce_mean", "reduce_prod")


def random_program(seed: int) -> Program:
    """Sums, scans and norms along an axis of matrices of many rows or columns, or a product of two, with
    pointwise ops before."""
    random = Random(seed)
    type_ = random.choice(_TYPES)
    rows = random.choice(_SIDES)
    cols = random.choice([side for side in _SIDES if side * rows <= _MOST_ELEMENTS])
    lines = [f"v0 = @param:x -> {type_}, {{{rows},{cols}}}", f"v1 = @param:y -> {type_}, {{{rows},{cols}}}"]
    last = 0
    for step in range(2, 2 + random.randint(0, 3)):
        unary = _UNARY if type_ in _FLOATS else _UNARY[:3]
        form = random.choice((f"{random.choice(unary)}(v{last})", f"{random.choice(_BINARY)}(v{last}, v1)"))
        lines.append(f"v{step} = {form}")
        last = step
    axis, result = random.choice((0, 1)), f"v{last}"
    forms = [f"{random.choice(_REDUCTIONS[:2])}[axes={axis}]({result})", f"cumsum[axis={axis}]({result})"]
    if type_ in _FLOATS:
        forms += [f"{random.choice(_REDUCTIONS)}[axes={axis}]({result})", f"softmax[axis={axis}]({result})"]
        if rows * cols <= 1 << 22:
            forms.append(f"dot(z, {result})")
            lines.append(f"z = @param:z -> {type_}, {{{random.choice((1, 100, 512))},{rows}}}")
    lines += [f"o = {random.choice(forms)}", "@return(o)"]
    return Program(f"random {seed}", "\n".join(lines) + "\n")


def open_program(seed: int) -> Program:
    """A random program with rows and columns that only the launch knows."""
    program = random_program(seed)
    sizes = re.search(r"{(\d+),(\d+)}", program.text)
    assert sizes is not None
    rows, cols = sizes.groups()
    text = program.text.replace(f"{{{rows},{cols}}}", "{rows,cols}").replace(f",{rows}}}", ",rows}")
    return Program(f"{program.title}, {rows} by {cols}", text, dims={"rows": int(rows), "cols": int(cols)})


def _of_product(product: Product) -> Program:
    return Program(str(product), product.text)


SETS: dict[str, Callable[[range], Iterable[Program]]] = {
    "loops": lambda _: (_entry(name, settings, {}) for name, settings in _LOOPS),
    "catalogue": lambda _: (Program(case.title, case.text, case.fast_math) for case in CASES),
    "everyday": lambda _: (Program(case.title, case.text, case.fast_math) for case in EVERYDAY),
    "products": lambda _: map(_of_product, PRODUCTS),
    "open": lambda _: (_entry(name, dict.fromkeys(dims, "?"), dims) for name, dims in _OPEN),
    "random": lambda seeds: map(random_program, seeds),
    "random_open": lambda seeds: map(open_program, seeds),
}


@contextmanager
def without_overlap() -> Generator[None]:
    """Compiles in it leave all loops as they are."""
    own = pipeline.pipeline_loops

    def left_alone(kernel: Kernel, *_: object) -> Overlapped:
        return Overlapped(kernel, [], [])

    pipeline.pipeline_loops = left_alone
    try:
        yield
    finally:
        pipeline.pipeline_loops = own


def _compiled(program: Program, target: str) -> CompiledProgram:
    """A compile without the garbage collector, as a command does it."""
    gc.disable()
    return asmgen.compile(program.text, target=target, fast_math=program.fast_math)


def _compiled_without(program: Program, target: str) -> CompiledProgram:
    with without_overlap():
        return _compiled(program, target)


def clocks_of(program: CompiledProgram, title: str, dims: Mapping[str, int]) -> float:
    """The clocks of the launches of a program."""
    launches = launches_of_program(program, title, (), dims)
    return sum(profile_launch(launch).profile.launch_clocks for launch in launches)


def mean_clocks(program: CompiledProgram, title: str, dims: Mapping[str, int]) -> float:
    """The clocks of the launches of a program, in the mean over the places at which its code may begin."""
    launches = launches_of_program(program, title, (), dims)
    return sum(mean(clocks_by_place(launch, PLACES)) for launch in launches)


def measured(program: Program, target: str, repeat: int, with_clocks: bool) -> Figures | None:
    """The figures of a program; None without `repeat` if no trips overlap."""
    both = (_compiled_without, _compiled)
    (before, base), (after, more) = [timed(partial(compiles, program, target)) for compiles in both]
    is_same = [each.assembly for each in before.kernels] == [each.assembly for each in after.kernels]
    if is_same and not repeat:
        return None
    times: list[list[float]] = [[base], [more]]
    for _ in range(repeat):
        _ = gc.collect(1)  # a compile begins with it, and runs without the collector
        for taken, compiles in zip(times, both, strict=True):
            taken.append(timed(partial(compiles, program, target))[1])
    clocks = (math.nan, math.nan)
    if with_clocks:
        title, dims = program.title, program.dims
        one = clocks_of(before, title, dims)
        clocks = (one, one if is_same else clocks_of(after, title, dims))
        if clocks[1] > LOSS * one:
            clocks = mean_clocks(before, title, dims), mean_clocks(after, title, dims)
    return Figures((1e3 * min(times[0]), 1e3 * min(times[1])), clocks)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_overlap", description="Overlapping trips.")
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--set", choices=SETS, default="loops")
    _ = parser.add_argument("--seeds", default="0:100", help="of random programs: FIRST:END, without END")
    _ = parser.add_argument("--program", action="append", default=[], help="only titles with this text")
    _ = parser.add_argument("--repeat", type=int, default=3, help="compiles of each; 0 measures clocks only")
    _ = parser.add_argument("--clocks", action="store_true", help="the clocks too")
    options = parser.parse_args(arguments)
    first, last = map(int, str(options.seeds).split(":"))
    reasons: list[str] = []
    for target in options.targets or TARGETS:
        found: list[Figures] = []
        for program in SETS[options.set](range(first, last)):
            if options.program and not any(each in program.title for each in options.program):
                continue
            try:
                figures = measured(program, target, options.repeat, options.clocks or not options.repeat)
            except InputError as error:
                print(f"{target:8} {program.title:<44} refused, {error.code}", flush=True)
                continue
            if figures is None:
                continue
            print(f"{target:8} {program.title:<44} {figures}", flush=True)
            found.append(figures)
            if figures.of_clocks > MOST_CLOCKS:
                reasons.append(f"{target} {program.title}: {figures.of_clocks:.3f} of the clocks")
        if found:
            time = geometric_mean([each.of_time for each in found])
            print(
                f"{target:8} {len(found)} programs: {time:.3f} of the time in the geometric mean", flush=True
            )
            if options.repeat and time > MOST_TIME:
                reasons.append(f"{target}: {time:.3f} of the time of compiles, wanted at most {MOST_TIME:g}")
    return exit_status("bench_overlap", reasons)


if __name__ == "__main__":
    sys.exit(main())
