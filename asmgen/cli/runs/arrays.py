"""Arrays from .npy files, and `run --expect`: compare arguments with such arrays after the run."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from tokenize import TokenError
from typing import Any

import numpy as np

from asmgen.files import refuse_pipe
from asmgen.ir.arrays import as_numbers
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

Array = np.ndarray[Any, Any]
_NPY = b"\x93NUMPY"
# numpy trusts the header of a file, so its reader may raise any of these
_LOAD_ERRORS = (
    OSError, ValueError, EOFError, MemoryError, OverflowError, RecursionError, SyntaxError, TypeError,
    LookupError, AttributeError,
    TokenError, struct.error,
)  # fmt: skip


def load_array(path: str, place: str) -> Array:
    """The array of a .npy file in the byte order of this machine; InputError ARG003 or ARG005 at `place`.

    The file is mapped first, so that a wrong header cannot make numpy allocate more than the file has.
    """
    try:
        refuse_pipe(os.stat(path).st_mode, place, "ARG003")
        with open(path, "rb") as file:
            if file.read(len(_NPY)) != _NPY:
                message = "the file does not begin like a .npy file, wanted a file written by np.save"
                raise InputError(place, "ARG003", message)
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except _LOAD_ERRORS as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(
            place,
            "ARG003",
            f"the array cannot be read: {reason.lower()}",
            help="np.save(FILE, array) writes such a file",
        ) from error
    return np.array(as_numbers(array, place, "ARG005"))


_HOW = "--expect N:FILE names the argument, counted from 0 as in argN.npy"


class Expectation(NamedTuple):
    """An expected array, the option that named it, and the position of the argument; None to derive it."""

    place: str
    array: Array
    position: int | None


def expectation(text: str) -> Expectation:
    """Read `FILE` or `N:FILE`; InputError ARG003 or ARG005 if the file is not an array of numbers."""
    place = f"--expect {text}"
    number, colon, path = text.partition(":")
    if colon and number.isdecimal():
        return Expectation(place, load_array(path, place), int(number))
    return Expectation(place, load_array(text, place), None)


def compare(
    expected: list[Expectation], before: Mapping[int, Array], after: Mapping[int, Array], rtol: float,
    names: Mapping[int, str] | None = None,
) -> None:  # fmt: skip
    """InputError EXP00x if an array argument is not as expected. `before` and `after` map positions to
    arrays; `names` are their names in messages, `argN` without them.

    Files without a position belong to the arrays that the run changed, in order, or to all arrays if there
    are as many files as arrays.
    """
    positions = _positions(expected, before, after)
    for wanted, position in zip(expected, positions, strict=True):
        name = f"arg{position}" if names is None else names[position]
        _compare(wanted, name, after[position], rtol)


def _positions(
    expected: list[Expectation], before: Mapping[int, Array], after: Mapping[int, Array]
) -> list[int]:
    stated = [wanted.position for wanted in expected if wanted.position is not None]
    for wanted in expected:
        if wanted.position is not None and wanted.position not in after:
            known = ", ".join(map(str, after))
            raise InputError(
                wanted.place, "EXP001", f"argument {wanted.position} is not an array, wanted one of {known}"
            )
        if wanted.position is not None and stated.count(wanted.position) > 1:
            raise InputError(
                wanted.place,
                "EXP002",
                f"argument {wanted.position} has two expected arrays, wanted a single array",
            )
    open_ = [wanted for wanted in expected if wanted.position is None]
    rest = [position for position in after if position not in stated]
    changed = [position for position in rest if before[position].tobytes() != after[position].tobytes()]
    chosen = rest if len(rest) == len(open_) else changed
    if len(chosen) != len(open_):
        names = " and ".join(f"arg{position}" for position in changed) or "no array"
        message = f"got {len(open_)} expected arrays, but the run changed {names}"
        raise InputError(open_[0].place, "EXP003", message, help=_HOW)
    following = iter(chosen)
    return [next(following) if wanted.position is None else wanted.position for wanted in expected]


def _compare(wanted: Expectation, name: str, got: Array, rtol: float) -> None:
    if got.dtype != wanted.array.dtype:
        message = f"the file has the type {wanted.array.dtype}, wanted {got.dtype} as {name} has"
        raise InputError(wanted.place, "EXP004", message)
    if got.shape != wanted.array.shape:
        message = f"the file has the shape {wanted.array.shape}, wanted {got.shape} as {name} has"
        raise InputError(wanted.place, "EXP005", message)
    wrong = ~_close(got, wanted.array, rtol)
    if not wrong.any():
        return
    at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    index = f"[{', '.join(str(int(i)) for i in at)}]"
    count = f"{int(wrong.sum())} of {wrong.size} elements differ"
    bound = f" by a relative error above {rtol:g}" if rtol else ""
    message = f"{name}{index} is {got[at]}, wanted {wanted.array[at]}; {count}{bound}"
    raise InputError(wanted.place, "EXP006", message)


def _close(got: Array, wanted: Array, rtol: float) -> Array:
    """Mask of elements that are equal (NaN equals NaN) or have a relative error of at most `rtol`."""
    equal = got == wanted
    if got.dtype.kind in "biu":
        exact = equal
    else:
        exact = equal | ((got != got) & (wanted != wanted))
    if not rtol:
        return np.asarray(exact)
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        goal = wanted.astype(wide)
        near = np.abs(got.astype(wide) - goal) <= rtol * np.abs(goal)
    return np.asarray(exact | (near & np.isfinite(goal)))
