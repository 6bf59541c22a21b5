"""The text with missing waits inserted: every other line stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct, field

from asmgen.check.analysis import have_to_stay, missing_in, waiting
from asmgen.check.certain import certain_counters
from asmgen.check.listing import ListedFunction, Listing
from asmgen.check.through_llvm import read_through_llvm
from asmgen.emission.code import comment_text
from asmgen.passes.clauses import without_broken
from asmgen.passes.waits.delays import insert_delays
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from isa.diagnostics import InputError, Place
from isa.hazards import RuleSet, Window
from isa.instruction import Instr, Label, Trait
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.target import Target
from isa.text.lines import split_comment
from isa.text.printing import format_instr

_COMMENT_COLUMN = 48  # after a line's indent
_Added = dict[int, list[Instr]]  # by the index of an instruction


class _Mended(NamedTuple):
    """The instructions that the passes put before and after instructions of a function, by index, and its
    own instructions that they merged into others."""

    function: ListedFunction
    before: _Added
    after: _Added
    lost: set[int]


class _Edits(Struct):
    """By line number: the lines to insert before and after, and the lines from which the instruction is
    removed."""

    before: dict[int, list[str]] = field(default_factory=dict)
    after: dict[int, list[str]] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    replaced: dict[int, list[str]] = field(default_factory=dict)


def fixed_text(listing: Listing, strip: bool) -> str:
    """The file's text with every wait and wait state; `strip` first removes the existing waits, except waits
    that may order memory. InputError CHK026 for a code object, CHK027 if a line with several instructions
    cannot be mended."""
    refuse_object(listing)
    edits = _Edits()
    for function in listing.functions:
        _mend(listing, function, strip, edits)
    text = "\n".join(_edited(listing.lines, edits)) + "\n"
    if listing.expanded:
        _require_same_jumps(listing, text)
    return text


def refuse_object(listing: Listing) -> None:
    """`InputError` CHK026 for a code object."""
    if not listing.lines:
        message = "a code object has no lines to put waits in, wanted assembly text with --fix"
        raise InputError(listing.name, "CHK026", message, help="leave --fix out")


def _require_same_jumps(listing: Listing, text: str) -> None:
    """InputError CHK027 if a jump by a number of bytes or words would have another target over inserted or
    removed code."""
    again = read_through_llvm(text, listing, "")
    for before, after in zip(listing.functions, again.functions, strict=True):
        for (place, goal), (_, moved) in zip(_goals(before), _goals(after), strict=True):
            if goal != moved:
                raise InputError(
                    place,
                    "CHK027",
                    "inserted or removed waits change the target of this jump, wanted a label in place of a "
                    "number",
                )
        if missing_in(after, listing.target):
            raise InputError(
                listing.name,
                "CHK027",
                f"a jump by a number in {before.name} goes past an inserted wait, wanted a label",
            )


def _goals(function: ListedFunction) -> list[tuple[Place, int]]:
    """The place of each jump, in order, and the number of effective instructions before its target."""
    working = (not waiting(instr) and Trait.DELAY not in instr.row.traits for instr in function.instructions)
    before = list(accumulate(working, initial=0))
    return [
        (place, before[function.code.labels[operand.name]])
        for instr, place in zip(function.instructions, function.places, strict=True)
        for operand in instr.operands
        if isinstance(operand, Label)
    ]


def _mend(listing: Listing, function: ListedFunction, strip: bool, edits: _Edits) -> None:
    gone = _stripped(function.instructions, listing.target.target) if strip else frozenset[int]()
    kept = function.without(gone)
    finished = _finish(kept.kernel(listing.target), kept.rules(listing.target), strip)
    mended = _inserted(kept, finished)
    if listing.expanded:
        _put_by_line(listing, function, mended, gone, edits)
        return
    edits.dropped |= {function.line(i) for i in gone} | {kept.line(i) for i in mended.lost}
    for index, instrs in mended.before.items():
        edits.before.setdefault(kept.line(index), []).extend(map(_line_of, instrs))
    for index, instrs in mended.after.items():
        edits.after.setdefault(kept.line(index), []).extend(map(_line_of, instrs))


def _line_of(instr: Instr) -> str:
    """An instruction's text, followed by the reason for inserting it."""
    text, purpose = format_instr(instr), comment_text(instr.comment)
    return f"{text:<{_COMMENT_COLUMN}} ; {purpose}" if purpose else text


def _stripped(instructions: Sequence[Instr], target: Target) -> frozenset[int]:
    """The waits and delays that --strip takes out."""
    idle = {i for i, instr in enumerate(instructions) if Trait.DELAY in instr.row.traits or waiting(instr)}
    return frozenset(idle - have_to_stay(instructions, target))


def _finish(kernel: Kernel, rules: RuleSet, is_stripped: bool) -> Kernel:
    """The kernel after the passes that insert waits, in the pipeline's order. A stripped kernel gets its
    waits and delays at LLVM's places; otherwise existing waits count wherever they stand."""
    waiting = insert_waits(kernel, certain_counters(kernel))
    if not is_stripped:
        return without_broken(insert_nops(waiting, Window(rules)))
    return insert_delays(without_broken(insert_nops(waiting)))


def _inserted(function: ListedFunction, finished: Kernel) -> _Mended:
    """The instructions that the passes inserted into a function, and those that they merged."""
    position = {id(instr): index for index, instr in enumerate(function.instructions)}
    before: _Added = {}
    after: _Added = {}
    seen: set[int] = set()
    for block, (first, end) in zip(finished.blocks, function.block_ranges(), strict=True):
        fresh: list[Instr] = []
        for instr in block.code:
            index = position.get(id(instr))
            if index is None:
                fresh.append(instr)
                continue
            seen.add(index)
            if fresh:
                before[index] = fresh
                fresh = []
        last = function.instructions[end - 1] if end > first else None
        is_jump = last is not None and Trait.BRANCH in last.row.traits and block.terminator is not last
        if is_jump:
            seen.add(end - 1)
        if fresh:
            (before if is_jump else after)[end - 1] = fresh
    return _Mended(function, before, after, set(position.values()) - seen)


def _put_by_line(
    listing: Listing, function: ListedFunction, mended: _Mended, gone: frozenset[int], edits: _Edits
) -> None:
    """As for plain lines; a line of several instructions is written out if something is inserted between
    them."""
    made: dict[int, list[int]] = {}
    for index in range(len(function.instructions)):
        made.setdefault(function.line(index), []).append(index)
    before, after = mended.before, mended.after
    own = {id(instr): index for index, instr in enumerate(mended.function.instructions)}
    for line, indices in made.items():
        instrs = [function.instructions[index] for index in indices]
        places = [own.get(id(instr), -1) for instr in instrs]
        first, last = before.get(places[0], []), after.get(places[-1], [])
        inside = (
            any(place in before for place in places[1:])
            or any(place in after for place in places[:-1])
            or not gone.isdisjoint(indices)
        )
        if not inside or len(indices) == 1:
            edits.before.setdefault(line, []).extend(map(_line_of, first))
            edits.after.setdefault(line, []).extend(map(_line_of, last))
            edits.dropped |= {line} if not gone.isdisjoint(indices) else set[int]()
        elif _is_directive(listing, line) or any(Trait.BRANCH in instr.row.traits for instr in instrs):
            what = (
                "a wait is missing, or has to go, among the instructions that this line makes, wanted them "
                "written out"
            )
            raise InputError(Place(listing.name, line, 1), "CHK027", what)
        else:
            edits.replaced[line] = [
                _line_of(each)
                for place, instr in zip(places, instrs, strict=True)
                for each in (*before.get(place, []), *([instr] if place >= 0 else []), *after.get(place, []))
            ]


def _is_directive(listing: Listing, line: int) -> bool:
    return listing.lines[line - 1].lstrip().startswith(".")


def _edited(lines: list[str], edits: _Edits) -> list[str]:
    result: list[str] = []
    for number, line in enumerate(lines, 1):
        indent = line[: len(line) - len(line.lstrip())] or "\t"
        label, _ = _label_apart(line)
        put = [f"{indent if not label else chr(9)}{text}" for text in edits.before.get(number, [])]
        if number in edits.replaced:
            result += [f"{indent}; {line.strip()}", *(f"{indent}{text}" for text in edits.replaced[number])]
            continue
        if put and label:
            result.append(label)
            line = chr(9) + line[len(label) :].lstrip()
        result += put
        result += _without_instruction(line) if number in edits.dropped else [line]
        result += [f"{indent}{text}" for text in edits.after.get(number, [])]
    return result


def _label_apart(line: str) -> tuple[str, str]:
    """The labels that a line begins with, if an instruction follows them, and that."""
    code, _ = split_comment(line)
    head, colon, rest = code.partition(":")
    while (
        colon
        and rest.strip()
        and ":" in rest
        and rest.split(":")[0].strip().replace(".", "").replace("_", "").replace("$", "").isalnum()
    ):
        more, _, rest = rest.partition(":")
        head += ":" + more
    if colon and rest.strip() and " " not in head.strip():
        return line[: line.index(rest.strip())].rstrip(), rest
    return "", line


def _without_instruction(line: str) -> list[str]:
    """A line without its instruction: its label and its comment."""
    label, _ = _label_apart(line)
    _, comment = split_comment(line)
    kept = " ".join(part for part in (label, f"; {comment}" if comment else "") if part)
    return [kept if label else f"\t{kept}"] if kept else []
