"""How far a row gets with a text: the fault of the row that gets furthest is the one that is told."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from isa.operand_check import Fault


class Mismatch(IntEnum):
    """What was found out before a row was given up, least first."""

    OTHER_FORM = 0  # another number of operands
    OTHER_MODIFIERS = 1
    NOT_LEGAL = 2
    UNREADABLE = 3  # an operand that this row could not read; later operands count further


class Failure(NamedTuple):
    """Why a row does not give the text, and its progress."""

    progress: int
    fault: Fault
