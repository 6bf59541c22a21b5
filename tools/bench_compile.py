"""`python -m tools.bench_compile`: CPU time of a compile, next to clang-22 on the same kernels in the same
run.

Columns:

* warm, warm obj: in a warm process, gen text to assembly text, and to a code object by the built-in
assembler; * asm, obj: the whole process of `asmgen kernel NAME --emit asm`, and of `asmgen kernel NAME -o
FILE`, which runs clang and lld; * clang: clang's whole process to assembly text, and to a linked code object.

Time is user and system time of all processes that a command starts. The tool prints the median of `--repeat`
runs (for processes, of a third as many), and ours as a share of clang's. Exits 1 if the warm figure is more
than half of clang's process to assembly text.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from asmgen.cache.store import OFF, VARIABLE
from asmgen.compiler import compile_read
from asmgen.frontends.sources import read_text
from asmgen.kernels import CATALOGUE
from asmgen.options import BUILTIN, Options
from isa.targets import parse_target
from tools.clang_peer import CLANG, SOURCES, compile_to_assembly, compile_to_object
from tools.cpu import timed, timed_children
from tools.reasons import exit_status

TARGET = parse_target("gfx942")


def compile_text(text: str, name: str) -> str:
    """Gen text to assembly text."""
    return compile_read(read_text(text, f"{name}.gen"), TARGET, Options()).kernels[0].assembly


def compile_object(text: str, name: str) -> bytes:
    """Gen text to a code object, by the built-in assembler."""
    return (
        compile_read(read_text(text, f"{name}.gen"), TARGET, Options(assembler=BUILTIN))
        .kernels[0]
        .code_object
    )


def own_process(kernel: str, *options: str) -> None:
    """Run `asmgen kernel` in its own process."""
    _ = subprocess.run(
        [sys.executable, "-m", "asmgen", "kernel", kernel, *options],
        check=True,
        capture_output=True,
        env={**os.environ, VARIABLE: OFF},
    )


class Figures(NamedTuple):
    """CPU milliseconds of a kernel; NaN for clang's if clang is not installed."""

    warm: float
    built: float
    text: float
    code: float
    clang_text: float
    clang_code: float

    def __str__(self) -> str:
        parts = self.warm / self.clang_text, self.text / self.clang_text, self.code / self.clang_code
        return " ".join([*(f"{figure:>10.1f}" for figure in self), *(f"{part:>6.2f}" for part in parts)])


def measured(name: str, repeat: int, output: str) -> Figures:
    """The medians for a kernel; `output` is a file for code objects."""
    kernel = CATALOGUE[name]
    text = kernel.text(kernel.settings(()))
    _ = compile_text(text, name), compile_object(text, name)  # imports and tables
    processes = max(3, repeat // 3)

    def of(run: Callable[[], object]) -> float:
        return 1e3 * median(timed_children(run)[1] for _ in range(processes))

    warm = 1e3 * median(timed(lambda: compile_text(text, name))[1] for _ in range(repeat))
    built = 1e3 * median(timed(lambda: compile_object(text, name))[1] for _ in range(repeat))
    ours = (
        of(lambda: own_process(name, "--emit", "asm", "-o", os.devnull)),
        of(lambda: own_process(name, "-o", output)),
    )
    if shutil.which(CLANG) is None:
        return Figures(warm, built, *ours, math.nan, math.nan)
    return Figures(
        warm,
        built,
        *ours,
        of(lambda: compile_to_assembly(name, os.devnull)),
        of(lambda: compile_to_object(name, output)),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_compile", description="Compile times next to clang's."
    )
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument(
        "kernels",
        nargs="*",
        metavar="KERNEL",
        help="kernels of the catalogue; by default all that clang has too",
    )
    parsed = parser.parse_args(arguments)
    kernels: list[str] = parsed.kernels or list(SOURCES)
    if unknown := [name for name in kernels if name not in SOURCES]:
        parser.error(f"{unknown[0]!r} has no clang kernel, wanted any of {', '.join(SOURCES)}")
    slow: list[str] = []
    print(f"{'':<9} {'asmgen, ms of CPU':>43} {'clang, ms':>21} {'ours of clang':>20}")
    print(
        f"{'kernel':<9} {'warm':>10} {'warm obj':>10} {'asm':>10} {'obj':>10} {'asm':>10} "
        f"{'obj':>10} {'warm':>6} {'asm':>6} {'obj':>6}"
    )
    with tempfile.TemporaryDirectory() as directory:
        for name in kernels:
            figures = measured(name, parsed.repeat, os.path.join(directory, "kernel.hsaco"))
            if figures.warm > figures.clang_text / 2:
                slow.append(f"{name} takes {figures.warm:.1f} ms, wanted at most half of clang's time")
            print(f"{name:<9} {figures}", flush=True)
    if shutil.which(CLANG) is None:
        print(f"{CLANG} is not installed, so there is no comparison")
    return exit_status("bench_compile", slow)


if __name__ == "__main__":
    sys.exit(main())
