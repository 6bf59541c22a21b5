"""What `kernel FILE.mlir --verify` prints: each kernel next to the interpreter that runs it thread by
thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.cli.progress import progress

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

Sizes = tuple[int, int, int]


def prove_kernels(program: CompiledProgram, grid: Sizes | None, block: Sizes | None, device: str) -> int:
    """0, or 1 where a result differs."""
    from asmgen.frontends.mlir.verify import verify_kernel

    is_broken = False
    for number in range(len(program.kernels)):
        with progress("verifying"):
            found = verify_kernel(program, number, grid, block, device)
        for line in found.lines:
            print(line)
        is_broken |= found.is_broken
    names = ", ".join(kernel.name for kernel in program.kernels)
    print(f"{'BROKEN' if is_broken else 'verified'}: {names} next to the interpreter, sanitizer on")
    return int(is_broken)
