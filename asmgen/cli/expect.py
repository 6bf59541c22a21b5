"""`run --expect`: what arrays are to hold after the run, and the first element that differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from asmgen.cli.array_files import load_array
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]
_HOW = "--expect N:FILE says which argument is meant, counted from 0 as in argN.npy"


class Expectation(NamedTuple):
    """An array from a file, the option that named it, and the argument it is for; None where that is left to
    the run."""

    place: str
    array: Array
    position: int | None


def expectation(text: str) -> Expectation:
    """`FILE` or `N:FILE`. InputError ARG003 or ARG005 where the file is no array of numbers."""
    place = f"--expect {text}"
    number, colon, path = text.partition(":")
    if colon and number.isdecimal():
        return Expectation(place, load_array(path, place), int(number))
    return Expectation(place, load_array(text, place), None)


def compare(
    expected: list[Expectation], before: Mapping[int, Array], after: Mapping[int, Array], rtol: float
) -> None:
    """InputError EXP00x where an array argument is not what is expected of it; `before` and `after` are by
    position.

    Files without a position are for the arrays that the run changed, in order; or for every array, where
    there are as many.
    """
    positions = _positions(expected, before, after)
    for wanted, position in zip(expected, positions, strict=True):
        _compare(wanted, position, after[position], rtol)


def _positions(
    expected: list[Expectation], before: Mapping[int, Array], after: Mapping[int, Array]
) -> list[int]:
    stated = [wanted.position for wanted in expected if wanted.position is not None]
    for wanted in expected:
        if wanted.position is not None and wanted.position not in after:
            known = ", ".join(map(str, after))
            raise InputError(
                wanted.place, "EXP001", f"argument {wanted.position} is no array, wanted one of {known}"
            )
        if wanted.position is not None and stated.count(wanted.position) > 1:
            raise InputError(
                wanted.place, "EXP002", f"argument {wanted.position} is expected to be two arrays"
            )
    open_ = [wanted for wanted in expected if wanted.position is None]
    rest = [position for position in after if position not in stated]
    changed = [position for position in rest if before[position].tobytes() != after[position].tobytes()]
    chosen = rest if len(rest) == len(open_) else changed
    if len(chosen) != len(open_):
        names = " and ".join(f"arg{position}" for position in changed) or "no array"
        message = f"{len(open_)} arrays are expected, and the run changed {names}"
        raise InputError(open_[0].place, "EXP003", message, help=_HOW)
    following = iter(chosen)
    return [next(following) if wanted.position is None else wanted.position for wanted in expected]


def _compare(wanted: Expectation, position: int, got: Array, rtol: float) -> None:
    name = f"arg{position}"
    if got.dtype != wanted.array.dtype:
        raise InputError(
            wanted.place, "EXP004", f"{name} is of {got.dtype}, the file has {wanted.array.dtype}"
        )
    if got.shape != wanted.array.shape:
        raise InputError(
            wanted.place, "EXP005", f"{name} has the shape {got.shape}, the file {wanted.array.shape}"
        )
    wrong = ~_close(got, wanted.array, rtol)
    if not wrong.any():
        return
    at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    index = f"[{', '.join(str(int(i)) for i in at)}]"
    count = f"{int(wrong.sum())} of {wrong.size} elements differ"
    bound = f" by more than {rtol:g} of what is wanted" if rtol else ""
    message = f"{name}{index} is {got[at]}, wanted {wanted.array[at]}; {count}{bound}"
    raise InputError(wanted.place, "EXP006", message)


def _close(got: Array, wanted: Array, rtol: float) -> Array:
    """Where elements are equal (any NaN is a NaN) or off by at most `rtol` of the wanted one."""
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
