"""What `kernel --verify` prints: the proof that a program, or code from below the graph, computes what it
should."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asmgen.cli.progress import progress

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram
    from asmgen.verification import Verification


def prove(program: CompiledProgram, device: str) -> int:
    """Print the proof of a program that has a graph; 1 where a bound is broken."""
    from asmgen.verification import verify

    with progress("verifying") as tell:
        report = verify(program, device, progress=tell)
    return print_report(report, [kernel.name for kernel in program.kernels])


def prove_against(program: CompiledProgram, reference: CompiledProgram) -> int:
    """Print the proof of a program of a later stage, held against another's graph; 1 where a bound is
    broken."""
    from asmgen.verification.against import hold_program_against

    with progress("verifying"):
        report = hold_program_against(program, reference)
    return print_report(report, [kernel.name for kernel in program.kernels])


def prove_code_against(
    code: str | bytes, name: str, reference: CompiledProgram, arguments: argparse.Namespace
) -> int:
    """Print the proof of assembly or a code object, held against a program's graph; 1 where a bound is
    broken."""
    from asmgen.verification.against import LaunchSizes, hold_code_against

    launch = LaunchSizes(arguments.grid, arguments.block)
    with progress("verifying"):
        report = hold_code_against(code, name, reference, launch, arguments.allow_include)
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
