"""`check`: the waits and hazards of anyone's assembly or code object, reported and repaired."""

from __future__ import annotations

import argparse
import sys

from asmgen.check.analysis import Examined, Missing
from asmgen.check.fixing import fixed_text
from asmgen.check.listing import ListedFunction, Listing
from asmgen.check.mistakes import Mistake, mistakes_in
from asmgen.check.reading import read_listing
from asmgen.cli.outputs import Content, check_output
from asmgen.cli.progress import progress
from asmgen.cli.several import for_each
from asmgen.cli.terminal import print_error, write_output
from asmgen.files import ASSEMBLY_SUFFIXES, OBJECT_SUFFIXES
from isa.diagnostics import InputError
from isa.targets import parse_target
from isa.text import format_instr


def execute(arguments: argparse.Namespace) -> int:
    """The exit status: the largest of the files."""
    suffix = ASSEMBLY_SUFFIXES[0] if arguments.fix else None
    return for_each(arguments, _execute, (*ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES), suffix)


def _execute(arguments: argparse.Namespace) -> int:
    """1 if something is missing and was not put in, or is wrong however long one waits, or if a function
    cannot be read.

    The collector stays off: states and facts refer to nothing that refers to them, and go when nobody needs
    them.
    """
    if arguments.strip and not arguments.fix:
        raise InputError(
            "--strip", "CHK030", "--strip without --fix would leave a program without waits, wanted both"
        )
    if arguments.fix and not arguments.output:
        raise InputError(
            "--fix",
            "CHK031",
            "got no -o, wanted the file to write the repaired assembly to; - is standard output",
        )
    if arguments.output and not arguments.fix:
        raise InputError("-o", "CHK032", "there is nothing to write without --fix")
    check_output(arguments.output, Content.ASSEMBLY, [arguments.source], arguments.force, {})
    with progress("reading"):
        listing = read_listing(
            arguments.source, arguments.target and parse_target(arguments.target), arguments.allow_include
        )
    with progress("repairing"):
        fixed = fixed_text(listing, arguments.strip) if arguments.fix else None
    missing, wrong = _report(listing)
    if fixed is not None:
        write_output(arguments.output, fixed)
    if arguments.output != "-":
        print(_summary(listing, missing, wrong, arguments.output))
    for name, error in listing.refused.items():
        message = f"{name} is not checked: {error.message}"
        print_error(InputError(error.place, error.code, message, error.notes, error.help))
    return 1 if wrong or listing.refused or (missing and fixed is None) else 0


def _report(listing: Listing) -> tuple[int, int]:
    """Print what is missing, what is wrong and what is wasted, in the order of the text, on standard error;
    how much is missing, and how much is wrong."""
    all_missing = all_wrong = 0
    for function in listing.functions:
        with progress(f"checking {function.name}"):
            examined = Examined(function, listing.target)
            missing = examined.missing()
            mistakes = mistakes_in(function, listing.target) + examined.notes()
            wasted = _wasted(examined)
        found = [(lack.index, _lack(function, lack)) for lack in missing]
        found += [(mistake.index, _mistake(function, mistake)) for mistake in mistakes]
        found += wasted
        for _, text in sorted(found):
            print(text, file=sys.stderr)
        all_missing += len(missing)
        all_wrong += sum(not mistake.is_note for mistake in mistakes)
    return all_missing, all_wrong


def _lack(function: ListedFunction, lack: Missing) -> str:
    instr = function.instructions[lack.index]
    where = "after" if lack.is_after else "before"
    return (
        f"{function.places[lack.index]}: error[{lack.code}]: missing {lack.text} {where} "
        f"{format_instr(instr)}: {lack.rule}\n"
        f"  note: {function.place_of(lack.producer)}: {format_instr(lack.producer)}"
    )


def _mistake(function: ListedFunction, mistake: Mistake) -> str:
    kind = "note" if mistake.is_note else "error"
    text = (
        f"{function.places[mistake.index]}: {kind}[{mistake.code}]: "
        f"{format_instr(function.instructions[mistake.index])}: {mistake.text}"
    )
    earlier = mistake.earlier
    return (
        text if earlier is None else f"{text}\n  note: {function.place_of(earlier)}: {format_instr(earlier)}"
    )


def _wasted(examined: Examined) -> list[tuple[int, str]]:
    """The notes on what is wasted, by the index of the instruction; one where nobody looked."""
    function, wasted = examined.function, examined.wasted()
    if wasted is None:
        text = (
            f"what the waits and NOPs of {function.name} change reaches too far to look for those "
            f"that are wasted"
        )
        return [(0, f"{function.places[0]}: note[CHK004]: {text}")]
    nothing_missing = "is wasted: without it nothing is missing"
    texts = {index: format_instr(function.instructions[index]) for index in wasted}
    return [
        (index, f"{function.places[index]}: note[CHK003]: {text} {nothing_missing}")
        for index, text in texts.items()
    ]


def _summary(listing: Listing, missing: int, wrong: int, output: str | None) -> str:
    functions, instructions = (
        len(listing.functions),
        sum(len(function.instructions) for function in listing.functions),
    )
    size = (
        f"{functions} function{'s' * (functions != 1)}, {instructions} instruction{'s' * (instructions != 1)}"
    )
    found = f"{missing} missing" if missing else "nothing missing"
    put_in = f", put into {output}" if output and missing else ""
    return f"{listing.name}: {found} in {size}{put_in}{f'; {wrong} wrong' if wrong else ''}"
