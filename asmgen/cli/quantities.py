"""Sizes and ages on the command line."""

from __future__ import annotations

import re

from isa.diagnostics import InputError

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZE = re.compile(r"([1-9]\d{0,11})([KMG]?)\Z", re.ASCII)
_AGE = re.compile(r"(\d{1,9})([smhd])\Z", re.ASCII)


def size_of(text: str, option: str, code: str) -> int:
    """The bytes of `500M`; `InputError` with `code` for another text."""
    match = _SIZE.match(text)
    if match is None:
        raise InputError(option, code, f"got {text!r}, wanted a number of bytes such as 500M or 2G")
    return int(match[1]) * UNITS[match[2]]


def age_of(text: str, option: str, code: str) -> float:
    """The seconds of `30d`; `InputError` with `code` for another text."""
    match = _AGE.match(text)
    if match is None:
        raise InputError(option, code, f"got {text!r}, wanted an age such as 12h or 30d")
    return float(int(match[1]) * _SECONDS[match[2]])
