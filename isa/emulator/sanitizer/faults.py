"""The sanitizer's faults, and the set of enabled checks."""

from __future__ import annotations

from enum import Enum

from isa.diagnostics import InputError, Place


class Check(Enum):
    """A kind of fault; the report prints the value, and the error has its code."""

    WAIT = "a register is used before the wait that covers it"
    HAZARD = "an instruction issues inside a hazard window"
    RACE = "waves, or lanes, access the same memory, and nothing orders that"
    UNINITIALISED = "something is read that was never written"
    # compilers do this if the part does not matter
    PARTIAL = "part of a register tuple is read that was never written"
    BOUNDS = "an access is out of bounds"


CODES: dict[Check, str] = {
    Check.WAIT: "SAN001", Check.HAZARD: "SAN002", Check.RACE: "SAN003", Check.UNINITIALISED: "SAN004",
    Check.BOUNDS: "SAN005",
    Check.PARTIAL: "SAN006",
}  # fmt: skip
ALL_CHECKS = frozenset(Check)
MEMORY_CHECKS = frozenset(
    {Check.RACE, Check.UNINITIALISED, Check.BOUNDS}
)  # for programs without waits and NOPs yet


class SanitizerError(InputError):
    """A fault of the program that ran: its kind, the instruction as text, the wave, and the source line
    (`place`)."""

    def __init__(
        self, kind: Check, place: Place | str, instruction: str, wave: int, message: str,
        notes: tuple[str, ...] = (), help: str = "",
    ) -> None:  # fmt: skip
        super().__init__(place, CODES[kind], message, (f"at {instruction}, wave {wave}", *notes), help)
        self.kind = kind
        self.instruction = instruction
        self.wave = wave
