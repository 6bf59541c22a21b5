"""How far a row gets with a text: the error reports the fault of the row that gets furthest."""

from __future__ import annotations

from enum import IntEnum

from isa.named_tuple import NamedTuple
from isa.operand_check import Fault


class Mismatch(IntEnum):
    """The stages of a match, in order; a row that fails late is reported."""

    OTHER_FORM = 0  # another number of operands
    OTHER_MODIFIERS = 1
    NOT_LEGAL = 2
    UNREADABLE = 3  # an operand that this row could not read; later operands count further


class Failure(NamedTuple):
    """Why a row does not give the text, and its progress."""

    progress: int
    fault: Fault
