"""What `kernel FILE.mlir --verify` prints: each kernel next to the interpreter that runs it thread by thread,
where a function of the host launches it with what that gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.cli.progress import progress

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram
    from asmgen.frontends.mlir.verify import Found

Sizes = tuple[int, int, int]


def prove_kernels(program: CompiledProgram, grid: Sizes | None, block: Sizes | None, device: str) -> int:
    """0, or 1 where a result differs. With a grid or a workgroup each kernel is by itself."""
    from asmgen.frontends.mlir.verify import verify_kernel
    from asmgen.frontends.mlir.verify_host import verified_functions, verify_function

    functions, told = ([], []) if grid or block else verified_functions(program)
    is_broken = False
    done: set[int] = set()
    for line in told:
        print(line)
    for function in functions:
        with progress("verifying"):
            run = verify_function(program, function, device)
        is_broken |= _printed(run.found)
        done |= run.kernels
    for number in range(len(program.kernels)):
        if number in done:
            continue
        with progress("verifying"):
            found = verify_kernel(program, number, grid, block, device)
        is_broken |= _printed(found)
    names = ", ".join(kernel.name for kernel in program.kernels)
    print(f"{'BROKEN' if is_broken else 'verified'}: {names} next to the interpreter, sanitizer on")
    return int(is_broken)


def _printed(found: Found) -> bool:
    for line in found.lines:
        print(line)
    return found.is_broken
