"""`check` without a kept answer: find and repair missing waits and wait states of assembly and objects."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from asmgen.check.findings import QUIET, Finding, findings_in, quiet_counts, to_json
from asmgen.check.fixing import fixed_text, refuse_object
from asmgen.check.listing import Listing
from asmgen.check.reading import read_listings
from asmgen.cli.outputs import Content, check_output, write_output
from asmgen.cli.progress import progress
from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.terminal import print_error
from isa.diagnostics import InputError
from isa.targets import parse_target


def execute(arguments: argparse.Namespace) -> int:
    """Check one source. Return 1 for an unrepaired missing wait, an error that no wait repairs, or a
    function that cannot be read.

    The garbage collector stays off: states and facts form no reference cycles.
    """
    refuse_catalogue(arguments.source)
    with progress("reading"):
        target = arguments.target and parse_target(arguments.target)
        read = read_listings(arguments.source, target, arguments.allow_include)
    if arguments.fix:
        for listing in read.listings:
            refuse_object(listing)
    check_output(arguments.output, Content.ASSEMBLY, [arguments.source], arguments.force, {})
    status = max(_check(listing, arguments) for listing in read.listings)
    for error in read.refused:
        print_error(error)
    return 1 if read.refused else status


def _check(listing: Listing, arguments: argparse.Namespace) -> int:
    with progress("repairing"):
        fixed = fixed_text(listing, arguments.strip) if arguments.fix else None
    findings = _findings(listing)
    if arguments.format == "json":
        write_output("-", to_json(listing, findings))
    else:
        _print_findings(listing, findings, arguments.notes)
    if fixed is not None:
        write_output(arguments.output, fixed)
    if arguments.format == "text" and arguments.output != "-":
        print(_summary(listing, findings, arguments))
    is_missing = any(finding.missing for finding in findings)
    return 1 if _wrong(findings) or listing.refused or (is_missing and fixed is None) else 0


def _findings(listing: Listing) -> list[Finding]:
    findings: list[Finding] = []
    for function in listing.functions:
        with progress(f"checking {function.name}"):
            findings += findings_in(function, listing.target)
    return findings


def _wrong(findings: Sequence[Finding]) -> int:
    """The number of findings that no wait repairs."""
    return sum(not (finding.is_note or finding.missing) for finding in findings)


def _print_findings(listing: Listing, findings: Sequence[Finding], with_quiet: bool) -> None:
    """Print findings on standard error in the order of the text; quiet notes only if `with_quiet`."""
    for finding in findings:
        if with_quiet or finding.code not in QUIET:
            print(_text(finding), file=sys.stderr)
    for name, error in listing.refused.items():
        message = f"{name} was not checked: {error.message}"
        print_error(InputError(error.place, error.code, message, error.notes, error.help))


def _text(finding: Finding) -> str:
    kind, producer = "note" if finding.is_note else "error", finding.producer
    text = f"{finding.consumer.place}: {kind}[{finding.code}]: {finding.message}"
    return text if producer is None else f"{text}\n  note: {producer.place}: {producer.text}"


def _summary(listing: Listing, findings: Sequence[Finding], arguments: argparse.Namespace) -> str:
    functions = len(listing.functions)
    instructions = sum(len(function.instructions) for function in listing.functions)
    size = (
        f"{functions} function{'s' * (functions != 1)}, {instructions} instruction{'s' * (instructions != 1)}"
    )
    missing, wrong = sum(bool(finding.missing) for finding in findings), _wrong(findings)
    verdict = f"{missing} missing" if missing else "nothing missing"
    put_in = f", inserted in {arguments.output}" if arguments.output and missing else ""
    hidden = {} if arguments.notes else quiet_counts(findings)
    counts = ", ".join(f"{count} {code}" for code, count in hidden.items())
    notes = f"; notes on correct code: {counts} (--notes prints them)" if hidden else ""
    return f"{listing.name}: {verdict} in {size}{put_in}{f'; {wrong} wrong' if wrong else ''}{notes}"
