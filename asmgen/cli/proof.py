"""The output of `kernel --verify`: a program compared with its reference."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asmgen.cli.progress import progress

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram
    from asmgen.verification import Verification
    from asmgen.verification.mlir.kernel import Verdict


def prove(program: CompiledProgram, device: str) -> int:
    """Verify a program that has a graph, and return 1 if a bound is broken."""
    from asmgen.verification import verify

    with progress("verifying") as tell:
        report = verify(program, device, progress=tell)
    return print_report(report, [kernel.name for kernel in program.kernels])


def prove_against(program: CompiledProgram, reference: CompiledProgram) -> int:
    """Verify a program of a later stage against the graph of `reference`; 1 if a bound is broken."""
    from asmgen.verification.against import verify_program_against

    with progress("verifying"):
        report = verify_program_against(program, reference)
    return print_report(report, [kernel.name for kernel in program.kernels])


def prove_code_against(
    code: str | bytes, name: str, reference: CompiledProgram, arguments: argparse.Namespace
) -> int:
    """Verify assembly or a code object against the graph of `reference`; 1 if a bound is broken."""
    from asmgen.verification.against import LaunchSizes, verify_code_against

    launch = LaunchSizes(arguments.grid, arguments.block)
    with progress("verifying"):
        report = verify_code_against(code, name, reference, launch, arguments.allow_include)
    return print_report(report, [name])


def print_report(report: Verification, kernels: Sequence[str]) -> int:
    for check in report.checks:
        print(check)
    for note in report.notes:
        print(f"note: {note}")
    if report.scope:
        print(f"note: {report.scope}")
    sizes = f" and at {len(report.sizes)} other sizes" if report.sizes else ""
    print(
        f"{'BROKEN' if report.is_broken else 'verified'}: {', '.join(kernels)}{sizes} in "
        f"{report.runs} runs, sanitizer on"
    )
    return 1 if report.is_broken else 0


Sizes = tuple[int, int, int]


def prove_kernels(
    program: CompiledProgram,
    grid: Sizes | None,
    block: Sizes | None,
    device: str,
    sizes: Sequence[tuple[str, tuple[int, ...]]] = (),
) -> int:
    """Verify an MLIR file against the interpreter, which runs thread by thread; 1 if a result differs.

    Host functions run with the arguments of their launches. With a grid or a workgroup, each kernel runs by
    itself. `sizes` are the sizes of arguments by name.
    """
    from asmgen.runtime.program_formals import formals_of, formals_of_host
    from asmgen.verification.mlir.arguments import check_names, chosen_of
    from asmgen.verification.mlir.host import verified_functions, verify_function
    from asmgen.verification.mlir.kernel import verify_kernel

    functions, told = ([], []) if grid or block else verified_functions(program)
    chosen = chosen_of(sizes)
    if chosen:
        taken = [formal for function in functions for formal in formals_of_host(function)]
        taken += [formal for number in range(len(program.kernels)) for formal in formals_of(program, number)]
        check_names(chosen, taken)
    is_broken = False
    done: set[int] = set()
    for line in told:
        print(line)
    for function in functions:
        with progress("verifying"):
            run = verify_function(program, function, device, chosen)
        is_broken |= _printed(run.verdict)
        done |= run.kernels
    for number in range(len(program.kernels)):
        if number in done:
            continue
        with progress("verifying"):
            verdict = verify_kernel(program, number, grid, block, device, chosen)
        is_broken |= _printed(verdict)
    names = ", ".join(kernel.name for kernel in program.kernels)
    print(f"{'BROKEN' if is_broken else 'verified'}: {names} against the interpreter, sanitizer on")
    return int(is_broken)


def _printed(verdict: Verdict) -> bool:
    for line in verdict.lines:
        print(line)
    return verdict.is_broken
