"""`kernel --order exact` and `check-order`: search the orders of loops, and verify certificates of orders."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.outputs import Content, check_output, write_output
from asmgen.cli.progress import progress
from asmgen.cli.reading import Settings, is_code, options_of, settings_of_source, source_of
from asmgen.compiler import start
from asmgen.files import ORDER_SUFFIX, bytes_of
from asmgen.loop_kernels import Loop, loops_of
from asmgen.options import Options
from asmgen.passes.schedule.modulo.certificate import (
    FORMAT,
    Certificate,
    LoopCertificate,
    certified,
    parse_certificate,
    print_certificate,
    problem_record,
)
from asmgen.passes.schedule.modulo.certificate_checks import differences, flaws
from asmgen.passes.schedule.modulo.exact import exact_order
from asmgen.passes.schedule.modulo.proof_text import no_order, proof
from asmgen.passes.schedule.orders import former, known_order
from asmgen.pipeline import advance
from isa.diagnostics import InputError, Place
from isa.targets import TargetId, parse_target

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram


def search(arguments: argparse.Namespace) -> int:
    """Find the order of each loop of a source, print the proofs, and write their certificate to -o. Returns 1
    if a loop has none. The table of orders is asked first, unless the user says how long to search."""
    refuse_given(
        arguments, ("--emit", "--verify", "--time", "--trace"), f"-o NAME{ORDER_SUFFIX} makes no code"
    )
    is_searched = "--order-seconds" in arguments.given
    output, seconds = arguments.output, arguments.order_seconds
    check_output(output, Content.JSON, [arguments.source], arguments.force, {})
    target, made = parse_target(arguments.target), list[LoopCertificate]()
    loops = _loops(arguments.source, settings_of_source(arguments), target, options_of(arguments))
    for loop in loops:
        found = None if is_searched else known_order(loop.problem, loop.values, target.target.name)
        if found is None:
            with progress(f"searching orders of {loop.kernel.name}: {loop.problem.label}") as tell:
                found = exact_order(loop.problem, loop.values, seconds, tell)
        certificate = certified(loop.kernel, loop.problem, loop.values, found)
        if certificate is not None:
            made.append(certificate)
        else:
            spent, refuted = found.seconds, len(found.refuted)
            print(no_order(loop.kernel.name, loop.problem.label, found.bound, refuted, spent))
    for certificate in made if output != "-" else ():
        print(proof(certificate))
    if output is not None:
        write_output(output, print_certificate(Certificate(FORMAT, str(target), made)))
    return 0 if len(made) == len(loops) else 1


def _loops(name: str, settings: Settings, target: TargetId, options: Options) -> list[Loop]:
    """The loops of a source; `InputError` ORD010 if it has no loop of one block."""
    if is_code(name):
        message = f"{name} is compiled code, in which registers are chosen, wanted a source before that"
        raise InputError(name, "ORD010", message)
    source = source_of(name, settings)
    compilation = start(source, target, options)
    advance(compilation, "machine")
    loops = [loop for kernel in compilation.stages.machine for loop in loops_of(kernel, options)]
    if not loops:
        message = f"no kernel of {name} has a loop of a single block, wanted a kernel with such a loop"
        raise InputError(name, "ORD010", message, help="`--trace order` names the loops")
    return loops


def check(arguments: argparse.Namespace) -> int:
    """Verify a certificate, and with --against that its loops are those of a program. `InputError` ORD001 to
    ORD010 for the first mistake."""
    file = arguments.source
    certificate = parse_certificate(bytes_of(Path(file)), file)
    target = parse_target(certificate.target)
    if not certificate.loops:
        raise InputError(Place(file), "ORD003", "the certificate has no loop, wanted the loops of a program")
    for number, loop in enumerate(certificate.loops):
        for flaw in flaws(loop):
            field = f"loops[{number}].{flaw.field}"
            raise InputError(Place(file), flaw.code, f"{field}: {flaw.message}", help=_WAY_OUT)
    if arguments.against is not None:
        _check_against(arguments, certificate, target)
    for loop in certificate.loops:
        print(f"verified: {proof(loop)}")
        by_search = _by_search(loop)
        if by_search:
            print("  not repeated: " + " and ".join(by_search))
    return 0


_WAY_OUT = "write the certificate again by `kernel SOURCE --order exact -o FILE.order.json`"


def known_proofs(program: CompiledProgram) -> Iterator[str]:
    """The proofs of a program's loops that the table of orders has. Other kernels cost nothing."""
    compilation = program.compilation
    target = compilation.target.target.name
    for kernel in compilation.stages.machine:
        for loop in loops_of(kernel, compilation.options) if former(kernel.name, target) else ():
            found = known_order(loop.problem, loop.values, target)
            certificate = None if found is None else certified(loop.kernel, loop.problem, loop.values, found)
            if certificate is not None:
                yield proof(certificate)


def _by_search(loop: LoopCertificate) -> list[str]:
    """The statements that only the search proves."""
    told = [f"the search that refuted {len(loop.refuted)} intervals"] if loop.refuted else []
    if loop.least_vectors > max(loop.least_of_lives, loop.least_in_order if loop.is_in_order else 0):
        told.append(f"the search for fewer than {loop.least_vectors} VGPRs")
    return told


def _check_against(arguments: argparse.Namespace, certificate: Certificate, target: TargetId) -> None:
    found = _loops(arguments.against, arguments.settings, target, Options())
    loops = {(each.kernel.name, each.problem.label): each for each in found}
    for number, loop in enumerate(certificate.loops):
        of_kernel = loops.get((loop.kernel, loop.loop))
        if of_kernel is None:
            message = (
                f"loops[{number}]: {arguments.against} has no loop {loop.loop} in a kernel {loop.kernel}"
            )
            raise InputError(Place(arguments.source), "ORD007", message, help=_WAY_OUT)
        for flaw in differences(loop, problem_record(*of_kernel)):
            message = f"loops[{number}].problem.{flaw.field}: {flaw.message}"
            raise InputError(Place(arguments.source), flaw.code, message, help=_WAY_OUT)
