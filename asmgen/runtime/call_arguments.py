"""The arguments of a call by order and by name, and the arrays for its results.

program(x, scale=s)                  x is the first argument, s the argument named scale
program(x, s, out=[y])               the result is written to y
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from asmgen.ir.arrays import Array
from asmgen.text.cursor import counted
from isa.diagnostics import InputError, close_names


def bound(names: Sequence[str], given: Sequence[object], named: Mapping[str, object]) -> list[object]:
    """The arguments in order. `InputError` CALL001 for a missing, extra or unknown argument."""
    wanted = ", ".join(names) or "none"
    for name in named:
        if name not in names:
            message = f"got an argument {name}, wanted {wanted}"
            raise InputError("arguments", "CALL001", message, help=close_names(name, names))
        if name in names[: len(given)]:
            raise InputError(
                "arguments", "CALL001", f"got {name} twice, wanted it by its place or by its name"
            )
    if len(given) > len(names):
        message = f"got {counted(len(given), 'array')}, wanted {len(names)}: {wanted}"
        raise InputError("arguments", "CALL001", message)
    missing = [name for name in names[len(given) :] if name not in named]
    if missing:
        count = len(given) + len(named)
        message = f"got {counted(count, 'array')}, wanted {len(names)}: {wanted}"
        is_packed = count == 1 and isinstance(given[0] if given else None, list | tuple)
        help = f"{', '.join(missing)} is missing" if count else ""
        help = "program(*arrays) passes the arrays of a list" if is_packed else help
        raise InputError("arguments", "CALL001", message, help=help)
    return [*given, *[named[name] for name in names[len(given) :]]]


def output_places(out: object) -> list[Array]:
    """The arrays of `out=`: a list, or a single array. `InputError` CALL013 for an array that is not
    writable."""
    listed = list(cast("Sequence[object]", out)) if isinstance(out, list | tuple) else [out]
    for number, each in enumerate(listed):
        place = f"out[{number}]"
        if not isinstance(each, np.ndarray) or isinstance(each, np.ma.MaskedArray):
            message = f"got {type(cast('object', each)).__name__}, wanted an array of numpy's"
            raise InputError(place, "CALL013", message)
        if not cast("Array", each).flags.writeable:
            message = "got a read-only array, wanted a writable array"
            raise InputError(place, "CALL013", message, help="x.copy() can be written to")
    return cast("list[Array]", listed)


def written_to(places: Sequence[Array], results: Sequence[Array]) -> list[Array]:
    """The arrays of `out=` with the results. `InputError` CALL013 if their number, types or shapes differ,
    before anything is written."""
    if len(places) != len(results):
        message = f"got {len(places)} arrays for {len(results)} results, wanted an array for each result"
        raise InputError("out", "CALL013", message)
    for number, (place, result) in enumerate(zip(places, results, strict=True)):
        if (place.dtype, place.shape) != (result.dtype, result.shape):
            message = f"got an array of {place.dtype} and shape {place.shape}"
            wanted = f"wanted {result.dtype} and {result.shape}, as the result is"
            raise InputError(f"out[{number}]", "CALL013", f"{message}, {wanted}")
    for place, result in zip(places, results, strict=True):
        place[...] = result
    return list(places)
