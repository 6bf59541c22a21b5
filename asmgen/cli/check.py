"""`check`: the waits and hazards of anyone's assembly or code object, reported and repaired."""

from __future__ import annotations

import argparse
import sys

from asmgen.check.analysis import Missing, missing_in, wasted_in
from asmgen.check.fixing import fixed_text
from asmgen.check.listing import Function, Listing
from asmgen.check.reading import read_listing
from asmgen.cli.terminal import write_output
from isa.diagnostics import InputError
from isa.targets import parse_target
from isa.text import format_instr


def execute(arguments: argparse.Namespace) -> int:
    """1 where something is missing and was not put in."""
    if arguments.strip and not arguments.fix:
        raise InputError("--strip", "CHK030", "--strip without --fix would leave a program without waits, wanted both")
    if arguments.fix and not arguments.output:
        raise InputError("--fix", "CHK031", "got no -o, wanted the file to write the repaired assembly to; - is standard output")
    if arguments.output and not arguments.fix:
        raise InputError("-o", "CHK032", "there is nothing to write without --fix")
    listing = read_listing(arguments.file, arguments.target and parse_target(arguments.target))
    fixed = fixed_text(listing, arguments.strip) if arguments.fix else None
    missing = _report(listing)
    if fixed is None:
        return 1 if missing else 0
    write_output(arguments.output, fixed)
    return 0


def _report(listing: Listing) -> int:
    """Print what is missing and what is wasted, in the order of the text, on standard error; how much is missing."""
    count = 0
    for function in listing.functions:
        missing = missing_in(function, listing.target)
        count += len(missing)
        found = [(lack.index, _error(function, lack)) for lack in missing]
        found += [(index, _note(function, index)) for index in wasted_in(function, listing.target)]
        for _, text in sorted(found):
            print(text, file=sys.stderr)
    return count


def _error(function: Function, lack: Missing) -> str:
    instr = function.instructions[lack.index]
    producer = next((place for other, place in zip(function.instructions, function.places, strict=True) if other is lack.producer), None)
    where = "behind" if lack.behind else "before"
    return (
        f"{function.places[lack.index]}: error[{lack.code}]: missing {lack.text} {where} {format_instr(instr)}: {lack.rule}\n"
        f"  note: {producer}: {format_instr(lack.producer)}"
    )


def _note(function: Function, index: int) -> str:
    return f"{function.places[index]}: note[CHK003]: {format_instr(function.instructions[index])} is wasted: without it nothing is missing"
