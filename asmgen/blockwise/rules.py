"""How a broken rule of tile programs is reported: in words first, since the place is known to the caller.

    broken("the step is 0, wanted a positive number")    raises BrokenRule

The reader catches it and raises `InputError` at the op's place.
"""

from __future__ import annotations

from typing import NoReturn


class BrokenRule(Exception):
    """A statement or a kernel breaks the rule that the message names. Whoever catches it adds the place."""


def broken(rule: str) -> NoReturn:
    raise BrokenRule(rule)
