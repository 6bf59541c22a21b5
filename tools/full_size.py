"""Runs large reductions at their full size on the emulator, and prints how their work is spread.

    python -m tools.full_size                        every shape, on gfx942
    python -m tools.full_size --target gfx1100 'softmax 1 x 16 M'

Each line has the workgroups of each launch, the share of the input's bytes that was read by loads of 16 bytes
a lane, how many times the input was read (both counted from the loads that the emulator ran, those of lanes
that read a row's last elements once more among them), the verdict and CPU seconds. `--sanitize` has the
sanitizer watch the runs, which takes several times as long. The largest input has 1.6 GB, of which there are
four copies. `tools.large_reductions` has the shapes and says what is right.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.ir.program import Stage
from asmgen.runtime.calls import Signature, run_kernels
from asmgen.verification.depth import additions
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.addressing import Footprint
from isa.emulator.image import Image
from isa.emulator.launch import KernelCall, Settings, execute, layout_of
from isa.emulator.sanitizer import Sanitizer
from isa.emulator.watch import NoWatch
from isa.emulator.waves import Waves
from tools.large_reductions import CASES, Array

WIDEST = 16  # bytes of a load
MOST_AGAIN = 1.15  # of what an input may be read: lanes without elements read the last ones


class Loads:
    """What is loaded of the parameter x: bytes by the size of the load."""

    def __init__(self) -> None:
        self.bytes: Counter[int] = Counter()

    def count(self, w: Waves, place: Footprint, size: int) -> None:
        if place.store is not w.memory.arena:
            return
        region = next((region for region in w.memory.regions if region.name.endswith("(x)")), None)
        if region is not None:
            inside = (place.indexes >= region.offset) & (place.indexes < region.offset + region.size)
            self.bytes[size] += int(inside.sum()) * size


class Plain(NoWatch):
    """Looks at loads alone."""

    def __init__(self, loads: Loads) -> None:
        self._loads = loads

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        self._loads.count(w, place, size)

    def enter(self, w: Waves, start: int, end: int) -> dict[int, object]:
        return {}

    def nothing(self, *given: object) -> None:
        pass

    begin = suspend = resume = end = barrier = run_suspect = nothing


class Sanitized(Sanitizer):
    """The sanitizer, which counts loads too."""

    def __init__(self, image: Image, loads: Loads) -> None:
        super().__init__(image, preload=True)
        self._counted = loads

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        self._counted.count(w, place, size)
        super().loaded(w, place, size)


def run(program: CompiledProgram, x: Array, loads: Loads, sanitize: bool) -> list[Array]:
    """The results; `loads` counts what is loaded of x."""

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        undefined = frozenset([i for i, one in enumerate(signature.parameters) if one in signature.outputs])
        what = KernelCall(kernel.grid, kernel.block, tuple(buffers), undefined)
        observer: Any = Sanitized(image, loads) if sanitize else Plain(loads)
        return execute(image, what, layout_of(image), Settings(), observer)

    return run_kernels(program, [x], launch)


def line(name: str, target: str, sanitize: bool) -> tuple[str, bool]:
    """A case's line of the table, and whether all is right."""
    case, begin = CASES[name], time.process_time()
    program = asmgen.compile(case.text, target=target)
    height = additions(program.compilation.programs[Stage.FINAL])
    loads, size, verdict, emulated = Loads(), 0, "", 0.0
    for x, judge in case.inputs():
        before = time.process_time()
        found = run(program, x, loads, sanitize)
        emulated += time.process_time() - before
        verdict += judge(found, height)
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
        prog="python -m tools.full_size", description="Large reductions at their full size."
    )
    _ = parser.add_argument("--target", default="gfx942")
    _ = parser.add_argument("--sanitize", action="store_true", help="have the sanitizer watch the runs")
    _ = parser.add_argument("cases", nargs="*", metavar="SHAPE", help=f"of {', '.join(CASES)}; all of them")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"{unknown[0]!r} is no shape, wanted one of {', '.join(map(repr, CASES))}")
    print(f"{'shape':<36} {'workgroups by launch':<26} 16 B/l  reads  emulator     all  verdict")
    is_right = True
    for name in options.cases or CASES:
        try:
            text, holds = line(name, options.target, options.sanitize)
        except InputError as error:
            text, holds = f"{name:<36} {error}", False
        is_right = is_right and holds
        print(text, flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
