"""`report` without a kept answer: the register pressure of kernels, and a limit on their VGPRs."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.outputs import check_formatted, write_output
from asmgen.cli.progress import progress
from asmgen.cli.reading import catalogue_texts, source_of
from asmgen.cli.terminal import print_error
from asmgen.cli.tuned import with_tuned
from asmgen.compiler import compile_read, smaller_tiles
from asmgen.ir.stage import Stage
from asmgen.options import make_options
from asmgen.report.build import report_program, with_smaller_tiles
from asmgen.report.result import Report, check_places, check_vgprs
from asmgen.report.sources import read_compiled, report_compiled
from asmgen.report.text import PLAIN, Style, wants_registers
from isa.diagnostics import InputError
from isa.targets import parse_target

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

_DEFAULT_TARGET = "gfx942"


def execute(arguments: argparse.Namespace) -> int:
    """Report on a source. Return 1, or raise `InputError`, if a kernel cannot be analysed or exceeds
    --fail-above; the report is written before."""
    limit: int | None = arguments.fail_above
    if limit is not None and limit < 0:
        raise InputError("--fail-above", "REP002", f"got {limit}, wanted a number of VGPRs")
    check_formatted(arguments)
    with progress("reporting"):
        report, orders = _report(arguments)
    check_places(report, arguments.at)
    is_text = arguments.format == "text"
    write_output(
        arguments.output or "-", _formatted(report, arguments) + (_orders(orders) if is_text else "")
    )
    if limit is not None:
        check_vgprs(report, limit)
    for name, error in report.refused.items():
        message = f"{name} is not in the report: {error.message}"
        print_error(InputError(error.place, error.code, message, error.notes, error.help))
    return 1 if report.refused else 0


def _known(program: CompiledProgram) -> Sequence[str]:
    from asmgen.cli.orders import known_proofs  # loads the passes for loops

    return list(known_proofs(program))


def _orders(proofs: Sequence[str]) -> str:
    return "".join(f"\norder of {proof}\n" for proof in proofs)


def _report(arguments: argparse.Namespace) -> tuple[Report, Sequence[str]]:
    """The report, and the proofs of the orders of loops."""
    compiled = read_compiled(arguments.source)
    if compiled is not None:
        refuse_given(
            arguments,
            ("--max-vgprs", "--waves-per-eu"),
            f"the registers of {arguments.source} are already allocated",
        )
        if arguments.settings:
            raise InputError(
                "--set",
                "CLI003",
                f"{arguments.source} is a file and has no parameters, wanted the name of a catalogue kernel",
            )
        target = arguments.target and parse_target(arguments.target)
        report = report_compiled(compiled, arguments.source, target, arguments.allow_include, arguments.at)
        return report, ()
    source = source_of(arguments.source, arguments.settings)
    stated = None if arguments.target else source.target
    target = stated or parse_target(arguments.target or _DEFAULT_TARGET)
    options = make_options({"max_vgprs": arguments.max_vgprs, "waves_per_eu": arguments.waves_per_eu})
    if Stage.GRAPH in source.stages.programs:
        options = with_tuned(options, arguments)
    program = compile_read(source, target, options)
    report, orders = report_program(program, arguments.at), _known(program)
    if any(wants_registers(kernel) for kernel in report.kernels):
        smaller = smaller_tiles(program)
        report = report if smaller is None else with_smaller_tiles(report, *smaller)
    return report, orders


def _formatted(report: Report, arguments: argparse.Namespace) -> str:
    if arguments.format == "json":
        return report.to_json()
    if arguments.format == "dot":
        return report.to_dot()
    if arguments.format == "html":
        return report.to_html(catalogue_texts(arguments.source, arguments.settings))
    is_terminal = arguments.output == "-" and sys.stdout.isatty()
    return report.to_text(_terminal_style() if is_terminal else PLAIN)


def _terminal_style() -> Style:
    return Style(max(60, shutil.get_terminal_size().columns), "NO_COLOR" not in os.environ)
