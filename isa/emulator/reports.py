"""How the emulator names an instruction to the user: its source line, its text, and why it is refused."""

from __future__ import annotations

from isa.diagnostics import InputError, Place
from isa.instruction import Instr


def place_of(instr: Instr) -> Place | str:
    """Where an instruction comes from; its mnemonic where that is not known."""
    if instr.origin is not None and instr.origin.place is not None:
        return instr.origin.place
    return instr.row.mnemonic


def describe(instr: Instr) -> str:
    """The instruction as text, with the source op it comes from."""
    from isa.text import format_instr

    text = format_instr(instr)
    return f"{text} ({instr.origin.op})" if instr.origin is not None and instr.origin.op else text


def refusal(instr: Instr, why: str) -> InputError:
    """The error for an instruction that the emulator does not run: `why` says what of it."""
    return InputError(place_of(instr), "EMU002", f"{instr.row.mnemonic}: {why}", (f"at {describe(instr)}",))
