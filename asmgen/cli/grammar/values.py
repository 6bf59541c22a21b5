"""The values of options: from the words of the command line to numbers, sizes and names."""

from __future__ import annotations

import argparse
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


def setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted NAME=VALUE")
    return name, value


def argument_size(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, values = text.partition("=")
    sizes = [int(part) for part in values.split(",") if part.isdecimal()]
    if not name or not sizes or ",".join(map(str, sizes)) != values:
        raise argparse.ArgumentTypeError(
            f"got {text!r}, wanted NAME=N or NAME=N,N with numbers of at least 0"
        )
    return name, tuple(sizes)


def tolerance(text: str) -> float:
    """A finite number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted a number of at least 0")
    return number


def launch_sizes(text: str) -> tuple[int, int, int]:
    """`X`, `X,Y` or `X,Y,Z`; missing sizes are 1."""
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not 1 <= len(sizes) <= 3:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted X, X,Y or X,Y,Z")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def output_name(text: str) -> str:
    """The value of -o; InputError OUT002 for an empty name."""
    if not text:
        raise InputError("-o", "OUT002", "got an empty name, wanted a file, or - for standard output")
    return text
