"""How the emulator names an instruction to the user: its source line, its text, and why it is refused."""

from __future__ import annotations

from collections.abc import Sequence

from isa.diagnostics import InputError, Place
from isa.emulator.program.code import Code
from isa.instruction import Instr


def place_of(instr: Instr) -> Place | str:
    """The source place of an instruction, or its mnemonic if the place is unknown."""
    if instr.origin is not None and instr.origin.place is not None:
        return instr.origin.place
    return instr.row.mnemonic


def describe(instr: Instr) -> str:
    """The instruction as text, with the source op it comes from and its own line in assembly."""
    from isa.text.printing import format_instr

    origin = instr.origin
    known = (
        ()
        if origin is None
        else (origin.op, "" if origin.line is None else f"{origin.line.file}:{origin.line.line}")
    )
    more = "; ".join(part for part in known if part)
    return f"{format_instr(instr)} ({more})" if more else format_instr(instr)


def refusal(instr: Instr, why: str) -> InputError:
    """The error for an instruction that the emulator does not run: `why` says what of it."""
    return InputError(place_of(instr), "EMU002", f"{instr.row.mnemonic}: {why}", (f"at {describe(instr)}",))


def fault_at(code: Code, index: int, error: str, message: str, help: str) -> InputError:
    """The error for a fault at an operation of a program, or at its last operation."""
    operation = code.operations[min(index, len(code.operations) - 1)]
    if not isinstance(operation, Instr):
        return InputError(code.name, error, message, help=help)
    return InputError(place_of(operation), error, message, (f"at {describe(operation)}",), help)


def lanes_text(lanes: Sequence[int]) -> str:
    """`lane 3`, or `lanes 0-15, 32 and 3 more`: runs of lane numbers, the first few of them."""
    if len(lanes) == 1:
        return f"lane {lanes[0]}"
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and lane == runs[-1][1] + 1:
            runs[-1][1] = lane
        else:
            runs.append([lane, lane])
    shown = ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs[:_RUNS])
    rest = sum(last - first + 1 for first, last in runs[_RUNS:])
    return f"lanes {shown}" + (f" and {rest} more" if rest else "")


_RUNS = 4
