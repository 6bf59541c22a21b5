"""The values of --arg: arrays of .npy files, and numbers with their types."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from asmgen.cli.runs.arrays import load_array
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES, ElementType, NumberKind
from isa.diagnostics import InputError, close_names
from isa.emulator.launching.arguments import Pointer

Array = np.ndarray[Any, Any]


def argument_value(text: str) -> Array | np.generic:
    """An argument: the array of a .npy file, or TYPE:VALUE with a type name of GPU Gen IR."""
    name, colon, value = text.partition(":")
    if colon and name in ELEMENT_TYPES:
        return _scalar(text, name, value)
    if Path(text).suffix == ".npy":
        return load_array(text, f"--arg {text}")
    raise InputError(
        f"--arg {text}", "ARG001", f"got {text!r}, wanted a .npy file or TYPE:VALUE, for example i32:5"
    )


def pointer_or_value(text: str) -> Array | np.generic | Pointer | None:
    """As `argument_value`, or `null`, or `argN[+BYTES]`: an address in the array of argument N."""
    if text == "null":
        return None
    match = _POINTER.match(text)
    return argument_value(text) if match is None else Pointer(int(match[1]), int(match[2] or "0", 0))


_POINTER = re.compile(r"arg(\d{1,6})(?:\+(0x[0-9a-fA-F]{1,16}|\d{1,18}))?\Z")


def launch_argument(text: str, number: int) -> Array | np.generic | Pointer | None:
    """As `pointer_or_value`, or TYPE[N,...]: an array with these dims of generated elements."""
    name, bracket, rest = text.partition("[")
    if not bracket or Path(text).suffix == ".npy":
        return pointer_or_value(text)
    if name not in ELEMENT_TYPES:
        types = tuple(dict.fromkeys([element.name for element in ELEMENT_TYPES.values()]))
        message = f"unknown type {name!r} of an array, wanted one of {' '.join(types)}"
        raise InputError(f"--arg {text}", "ARG001", message, help=close_names(name, types))
    sizes = [int(size) for size in rest.removesuffix("]").split(",") if size.isdecimal()]
    if f"{name}[{','.join(map(str, sizes))}]" != text or not sizes:
        message = f"got {text!r}, wanted TYPE[N,...] with numbers, for example f32[4096,1024]"
        raise InputError(f"--arg {text}", "ARG001", message)
    from asmgen.profile.launches import filled

    return filled(ELEMENT_TYPES[name], sizes, max(sizes), number)


def _scalar(text: str, name: str, value: str) -> np.generic:
    element = ELEMENT_TYPES[name]
    dtype = numpy_dtype(element)
    try:
        if element.kind is NumberKind.BOOL:
            return np.bool_({"true": True, "false": False, "1": True, "0": False}[value])
        number = float(value) if element.is_float else int(value, 0)
        with np.errstate(over="ignore"):
            scalar = dtype.type(number)
        if element.is_float and np.isinf(float(scalar)) and "inf" not in value.lower():
            raise OverflowError(value)
        return scalar
    except (ValueError, KeyError, OverflowError) as error:
        message = f"{value!r} is not a value of {name}, wanted {_values_of(element)}"
        raise InputError(f"--arg {text}", "ARG002", message) from error


def _values_of(element: ElementType) -> str:
    """The values that TYPE:VALUE accepts."""
    if element.kind is NumberKind.BOOL:
        return "true or false"
    if element.is_float:
        return "a number such as 0.5 within its range, inf or nan"
    limits = np.iinfo(numpy_dtype(element))
    return f"an integer from {limits.min} to {limits.max}"
