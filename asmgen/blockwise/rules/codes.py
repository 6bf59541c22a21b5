"""How a broken rule of tile programs is reported: in words first, since the place is known to the caller.

    broken("the step is 0, wanted a positive number")    raises BrokenRule

The reader catches it and raises `InputError` at the op's place.
"""

from __future__ import annotations

from typing import NoReturn

from isa.diagnostics import InternalError


class BrokenRule(Exception):
    """A statement or a kernel breaks the rule that the message names. The code that catches it adds the
    place.
    """

    code = "BLK003"


class NoCopy(BrokenRule):
    """A copy to LDS that the target has no instruction for."""

    code = "BLK012"


class NotWithin(BrokenRule):
    """The bounds of an index do not show that it is within the buffer."""


class NotShownWithin(InternalError):
    """A schedule made an access, but its index is not shown to be within the buffer. If slices clamp the
    named dims, larger dims may avoid it; otherwise it is an error of asmgen."""


def broken(rule: str) -> NoReturn:
    raise BrokenRule(rule)


def no_copy(rule: str) -> NoReturn:
    raise NoCopy(rule)
