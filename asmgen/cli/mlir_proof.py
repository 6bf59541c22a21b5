"""What `kernel FILE.mlir --verify` prints: each kernel next to the interpreter that runs it thread by thread.
A function of the host that launches it says its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asmgen.cli.progress import progress

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram
    from asmgen.mlir.verify import Found

Sizes = tuple[int, int, int]


def prove_kernels(
    program: CompiledProgram,
    grid: Sizes | None,
    block: Sizes | None,
    device: str,
    sizes: Sequence[tuple[str, tuple[int, ...]]] = (),
) -> int:
    """0, or 1 if a result differs. With a grid or a workgroup each kernel is by itself. `sizes` are
    those of arguments, by name."""
    from asmgen.mlir.formals import formals_of_host
    from asmgen.mlir.verify import formals_of_kernel, verify_kernel
    from asmgen.mlir.verify_arguments import check_names, chosen_of
    from asmgen.mlir.verify_host import verified_functions, verify_function

    functions, told = ([], []) if grid or block else verified_functions(program)
    chosen = chosen_of(sizes)
    if chosen:
        taken = [one for function in functions for one in formals_of_host(function)]
        taken += [one for number in range(len(program.kernels)) for one in formals_of_kernel(program, number)]
        check_names(chosen, taken)
    is_broken = False
    done: set[int] = set()
    for line in told:
        print(line)
    for function in functions:
        with progress("verifying"):
            run = verify_function(program, function, device, chosen)
        is_broken |= _printed(run.found)
        done |= run.kernels
    for number in range(len(program.kernels)):
        if number in done:
            continue
        with progress("verifying"):
            found = verify_kernel(program, number, grid, block, device, chosen)
        is_broken |= _printed(found)
    names = ", ".join(kernel.name for kernel in program.kernels)
    print(f"{'BROKEN' if is_broken else 'verified'}: {names} next to the interpreter, sanitizer on")
    return int(is_broken)


def _printed(found: Found) -> bool:
    for line in found.lines:
        print(line)
    return found.is_broken
