"""A rule of tile programs that is broken: the words of it, before it is known where."""

from __future__ import annotations

from typing import NoReturn


class BrokenRule(Exception):
    """A statement or a kernel breaks a rule, and this names it. Who knows the place makes an error of it."""


def broken(rule: str) -> NoReturn:
    raise BrokenRule(rule)
