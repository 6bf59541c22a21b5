"""Errors for symbols and registers in places in which Python needs a number: an `if`, a `range`.

SymPy and Python raise TypeError there, and know nothing of kernels.
"""

from __future__ import annotations

import re
import traceback

from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple


class _Use(NamedTuple):
    """How a TypeError tells of a use, and the error for it."""

    pattern: re.Pattern[str]
    code: str
    message: str
    help: str


_USES = (
    _Use(
        re.compile(r"cannot determine truth value of|not supported between instances of"), "HND007",
        "got a condition of the kernel as a condition of Python, wanted a condition that is known here",
        "with k.where(i < n): ... for lanes, k.uniform_if for the wave; sympy.And(a, b) is both of two",
    ),
    _Use(
        re.compile(r"'\w+' object cannot be interpreted as an integer"), "HND007",
        "got an index as a number of Python, wanted a number that is known here",
        "with k.loop(0, n) as i: ... makes a loop of the kernel",
    ),
    _Use(
        re.compile(r"unsupported operand type\(s\) for"), "HND021",
        "got an operation that indices do not have, wanted + - * // % Min Max",
        "4 * i shifts an index to the left, i // 4 to the right; pseudo.bits(k, 'and', i, j) is i & j",
    ),
    _Use(
        re.compile(r"'(Loop|While)' object is not iterable"), "HND011",
        "got a loop of the kernel in a `for` of Python, wanted: with k.loop(...) as i: ...",
        "for i in range(4): ... writes its body four times",
    ),
    _Use(
        re.compile(r"'(Vector|Scalar|Accumulator)' object does not support item assignment"), "HND007",
        "got registers as a list of Python, wanted a statement that writes them",
        "k.assign(r[0], value), or into=r[0] of an instruction",
    ),
)  # fmt: skip


def misuse(fault: TypeError, file: str) -> InputError | None:
    """The error for a TypeError of a kernel's function, at its line in `file`; None for another TypeError."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == file]
    use = next((use for use in _USES if use.pattern.search(str(fault))), None)
    if use is None or not frames:
        return None
    at = frames[-1]
    return InputError(Place(file, at.lineno or 1, (at.colno or 0) + 1), use.code, use.message, help=use.help)
