"""Runs large reductions at full size on the emulator, and prints how their work is distributed.

    python -m tools.full_size                        every shape, on gfx942
    python -m tools.full_size --target gfx1100 'softmax 1 x 16 M'

Each line has the workgroups of each launch, the share of the input's bytes that 16-byte loads read, how often
the input was read, the verdict and CPU seconds. Both shares count the loads that the emulator ran, including
lanes that read a row's last elements again. `--sanitize` turns on the sanitizer and takes several times as
long. The largest input has 1.6 GB, and four copies of it are in memory.

Sums are of whole numbers with partial sums that are exact in f32, so they have a single right result. Softmax
is checked against its bound in docs/numerics.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.ir.program import Stage
from asmgen.ir.shapes import format_list
from asmgen.runtime.calls import Signature, run_kernels
from asmgen.verification.depth import additions
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings, execute, layout_of
from isa.emulator.observers import Access, AccessKind, Observer
from isa.emulator.program.code import Operation
from isa.emulator.sanitizer.sanitizer import Sanitizer
from isa.emulator.state.waves import Waves
from isa.instruction import Instr, Trait

Array = NDArray[Any]
Dims = tuple[int, ...]
Judge = Callable[[Sequence[Array], float], str]
"""Describes the faults of the results, given how many additions an element passes through; empty if there are
none."""

ULP = 2.0**-23  # of a number from 1 to 2
LOW = -1e4  # its exp is 0


class Case(NamedTuple):
    """A program with the parameter x, its inputs with their judges, and how often it may read x."""

    text: str
    inputs: Callable[[], Iterator[tuple[Array, Judge]]]
    passes: int = 1


def _text(dims: Dims, *lines: str) -> str:
    return "\n".join([f"x = @param:x -> f32, {format_list(dims)}", *lines, ""])


def _whole_numbers(dims: Dims) -> Array:
    """Random numbers from -7 to 7 without 0: sums stay small, and a lost element changes them."""
    generator = np.random.default_rng(9)
    numbers = generator.integers(1, 8, dims, np.int8)
    numbers *= generator.choice(np.array([-1, 1], np.int8), dims)
    return numbers.astype(np.float32)


def total(dims: Dims, axes: Dims) -> Case:
    """The sum over `axes`."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        x = _whole_numbers(dims)
        yield x, partial(_differ, [x.sum(axes, np.float64, keepdims=True)], 0)

    return Case(_text(dims, f"s = reduce_sum[axes={format_list(axes)}](x)", "@return(s)"), inputs)


def statistics(dims: Dims, axes: Dims) -> Case:
    """The mean and the mean of squares over `axes`; both sums are exact."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        x = _whole_numbers(dims)
        yield x, partial(_differ, [each.mean(axes, np.float64, keepdims=True) for each in (x, x * x)], 1.5)

    mean = f"reduce_mean[axes={format_list(axes)}]"
    return Case(_text(dims, "q = mul(x, x)", f"m = {mean}(x)", f"s = {mean}(q)", "@return(m, s)"), inputs)


def softmax(dims: Dims, axis: int, passes: int) -> Case:
    """softmax of ordinary numbers, and of rows with so few peaks that each changes the sum of its row."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        generator = np.random.default_rng(9)
        x = generator.standard_normal(dims, np.float32) * np.float32(3)
        yield x, partial(_far_from_softmax, x, axis)
        x[generator.random(dims, np.float32) > 512 / dims[axis]] = LOW
        yield x, partial(_far_from_softmax, x, axis)

    return Case(_text(dims, f"s = softmax[axis={axis}](x)", "@return(s)"), inputs, passes)


def _differ(exact: Sequence[Array], ulps: float, results: Sequence[Array], _: float) -> str:
    words = ""
    for result, wanted in zip(results, exact, strict=True):
        wrong = np.abs(result - wanted) > ulps * np.spacing(np.abs(wanted).astype(np.float32))
        words += f"{np.count_nonzero(wrong)} of {wrong.size} results are wrong; " if wrong.any() else ""
    return words


def _far_from_softmax(x: Array, axis: int, results: Sequence[Array], additions: float) -> str:
    shifted = x - x.max(axis, keepdims=True).astype(np.float64)
    exact = np.exp(shifted)
    exact /= exact.sum(axis, keepdims=True)
    _ = np.minimum(np.abs(shifted), 128, out=shifted)
    allowed = exact * ((8 + 1.5 * shifted) * ULP + additions * ULP / 2) + 8 * 2.0**-149
    share = float(np.max(np.abs(exact - results[0]) / allowed))
    return "" if share <= 1 else f"{share:.2f} times the bound"


CASES = {
    "full_sum of 1 M": total((1 << 20,), (0,)),
    "full_sum of 64 M": total((1 << 26,), (0,)),
    "row_sum 1 x 16 M": total((1, 1 << 24), (1,)),
    "softmax 1 x 16 M": softmax((1, 1 << 24), 1, 2),
    "col_sum 65536 x 256": total((65536, 256), (0,)),
    "col_sum 1 M x 3": total((1 << 20, 3), (0,)),
    "col_sum 8192 x 50257": total((8192, 50257), (0,)),
    "softmax over axis 0 of {4096,1024}": softmax((4096, 1024), 0, 2),
    "softmax over axis 1 of {64,1024,64}": softmax((64, 1024, 64), 1, 1),
    "batch statistics of {32,64,56,56}": statistics((32, 64, 56, 56), (0, 2, 3)),
}


WIDEST = 16  # bytes of a load
MOST_AGAIN = 1.15  # times that an input may be read: lanes without elements read the last elements again


class Loads(Observer):
    """Counts loads of the parameter x: bytes by the size of the load."""

    def __init__(self) -> None:
        self.bytes: Counter[int] = Counter()

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr) and Trait.LOAD in operation.row.traits

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        region = next((region for region in w.memory.regions if region.name.endswith("(x)")), None)
        for kind, place, size in accesses:
            if kind is AccessKind.LOAD and place.store is w.memory.arena and region is not None:
                inside = (place.indexes >= region.offset) & (place.indexes < region.offset + region.size)
                self.bytes[size] += int(inside.sum()) * size


def run(program: CompiledProgram, x: Array, loads: Loads, sanitize: bool) -> list[Array]:
    """The results; `loads` counts the loads of x."""

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        undefined = frozenset([i for i, each in enumerate(signature.parameters) if each in signature.outputs])
        call = KernelCall(kernel.workgroups, kernel.block, tuple(buffers), undefined)
        checker = Sanitizer(image, preload=True) if sanitize else None
        return execute(image, call, layout_of(image), Settings(), checker, observers=(loads,))

    return run_kernels(program, [x], launch)


def line(name: str, target: str, sanitize: bool) -> tuple[str, bool]:
    """A case's line of the table, and True if all results are right."""
    case, begin = CASES[name], time.process_time()
    program = asmgen.compile(case.text, target=target)
    height = additions(program.compilation.stages.programs[Stage.FINAL])
    loads, size, verdict, emulated = Loads(), 0, "", 0.0
    for x, judge in case.inputs():
        before = time.process_time()
        results = run(program, x, loads, sanitize)
        emulated += time.process_time() - before
        verdict += judge(results, height)
        size += x.nbytes
    groups = " ".join([str(prod(kernel.grid or ())) for kernel in program.kernels])
    read = loads.bytes.total()
    if read > case.passes * MOST_AGAIN * size:
        verdict += f"x is read more than {case.passes} times"
    seconds = time.process_time() - begin
    text = (
        f"{name:<36} {groups:<26} {loads.bytes[WIDEST] / max(1, read):6.1%} {read / size:6.2f}"
        f" {emulated:9.1f} {seconds:7.1f}  {verdict or 'right'}"
    )
    return text, not verdict


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.full_size", description="Large reductions at full size on the emulator."
    )
    _ = parser.add_argument("--target", default="gfx942")
    _ = parser.add_argument("--sanitize", action="store_true", help="turn on the sanitizer")
    _ = parser.add_argument(
        "cases", nargs="*", metavar="SHAPE", help=f"any of {', '.join(CASES)}; all by default"
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"{unknown[0]!r} is not a known shape, wanted any of {', '.join(map(repr, CASES))}")
    print(f"{'shape':<36} {'workgroups by launch':<26} 16 B/l  reads  emulator     all  verdict")
    is_right = True
    for name in options.cases or CASES:
        try:
            text, passed = line(name, options.target, options.sanitize)
        except InputError as error:
            text, passed = f"{name:<36} {error}", False
        is_right = is_right and passed
        print(text, flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
