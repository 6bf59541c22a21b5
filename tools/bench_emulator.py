"""`python -m tools.bench_emulator`: how long the emulator takes for a million elements, without and with the sanitizer."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median

from asmgen.arrays import laid_out, tensor_type
from asmgen.calls import empty_outputs, signatures
from asmgen.compiler import compile_read
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import Options
from asmgen.samples import sample_inputs
from asmgen.sources import Source
from isa.emulator import load, run_image
from isa.targets import parse_target

ELEMENTS = 1 << 20
_SIZES = {"n": str(ELEMENTS), "rows": str(ELEMENTS >> 10), "cols": "1024"}  # of whichever parameters a kernel has


def seconds(name: str, sanitize: bool, repeat: int) -> float:
    """The median time of a launch, loading apart."""
    graph = build_kernel(name, [(size, value) for size, value in _SIZES.items() if size in CATALOGUE[name].parameters])
    program = compile_read(Source(name, program=graph), parse_target("gfx942"), Options())
    (kernel,), (signature,) = program.kernels, signatures(program)
    arrays = sample_inputs(signature.inputs, seed=1)
    inputs = [laid_out(array, tensor_type(statement.result)) for array, statement in zip(arrays, signature.inputs, strict=True)]
    image = load(kernel.assembly, kernel.name)
    assert kernel.grid is not None, "a kernel of a graph has a grid"
    taken: list[float] = []
    for _ in range(repeat):
        begin = time.perf_counter()
        _ = run_image(image, kernel.grid, kernel.block, [*inputs, *empty_outputs(signature)], sanitize=sanitize)
        taken.append(time.perf_counter() - begin)
    return median(taken)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_emulator", description="The emulator's speed.")
    parser.add_argument("--repeat", type=int, default=5)
    repeat: int = parser.parse_args(arguments).repeat
    print(f"{'kernel':<9} {'s':>6} {'sanitized':>10} {'ratio':>6}   for {ELEMENTS} elements")
    for name in CATALOGUE:
        plain, sanitized = seconds(name, False, repeat), seconds(name, True, repeat)
        print(f"{name:<9} {plain:>6.3f} {sanitized:>10.3f} {sanitized / plain:>6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
