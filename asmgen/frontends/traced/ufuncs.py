"""numpy's ufuncs on traced arrays: numpy chooses the types of each computation, a table gives its ops.

A function of the table takes arrays of the types of numpy's loop, and gives an array of the loop's result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import (
    Operand,
    astype,
    converted,
    kinds_of,
    taken,
    tracer_of,
    warn_if_widened,
)
from asmgen.frontends.traced.selection import Selection
from asmgen.frontends.traced.spec import named_element
from asmgen.frontends.traced.ufunc_table import COMPARISONS, LOOPS, POWERS
from asmgen.ir.numbers import integer_range
from isa.diagnostics import InputError

Result = Array | tuple[Array, ...]


def call(name: str, *given: object, dtype: object = None) -> Result:
    """A ufunc of numpy's by its name."""
    if any(isinstance(each, Selection) for each in given):
        return getattr(np, name)(*given)
    tracer = tracer_of(given)
    operands = [taken(f"np.{name}", each, tracer) for each in given]
    if name in POWERS and isinstance(operands[1], bool | int | float):
        special = POWERS[name](operands[0], operands[1])
        if special is not None:
            return special
    if name in COMPARISONS:
        operands = _within(operands)
    *loop, _ = resolved(name, operands, dtype)
    if dtype is None:
        warn_if_widened(f"np.{name}", operands, loop, lambda others: resolved(name, others))
    arrays = [
        converted(f"np.{name}", operand, type_, tracer)
        for operand, type_ in zip(operands, loop, strict=False)
    ]
    return LOOPS[name](*arrays)


def one(name: str, *given: object) -> Array:
    """A ufunc that has a single result."""
    result = call(name, *given)
    assert isinstance(result, Array), "the ufunc has one result"
    return result


def resolved(name: str, operands: Sequence[Operand], dtype: object = None) -> list[np.dtype[Any]]:
    """The types of numpy's loop: its operands' and its results'. `InputError` TRC004 if it has none."""
    ufunc: Any = getattr(np, name)
    if len(operands) != ufunc.nin:
        message = f"np.{name} got {len(operands)} operands, wanted {ufunc.nin}"
        raise InputError(caller(), "TRC004", message)
    kinds = [*kinds_of(operands), *[None] * ufunc.nout]
    signature: Any = {} if dtype is None else {"signature": (None,) * ufunc.nin + (dtype,) * ufunc.nout}
    try:
        return list(ufunc.resolve_dtypes(tuple(kinds), **signature))
    except TypeError as error:
        types = " and ".join(_shown(kind) for kind in kinds[: ufunc.nin])
        message = f"np.{name} has no loop for {types} in numpy, wanted types that it takes"
        raise InputError(caller(), "TRC004", message, notes=(str(error).replace("\n", " "),)) from error


def _shown(kind: Any) -> str:
    element = None if kind in (int, float) else named_element(kind)
    return str(element) if element is not None else getattr(kind, "__name__", str(kind))


def _within(operands: list[Operand]) -> list[Operand]:
    """The operands of a comparison. A number beyond the range of the integers next to it compares as numpy
    has it: like any number that is larger, or smaller, than all of them."""
    arrays = [each for each in operands if isinstance(each, Array) and not each.type.element.is_float]
    numbers = [each for each in operands if isinstance(each, int) and not isinstance(each, bool)]
    if not arrays or not numbers:
        return operands
    low, high = integer_range(arrays[0].type.element)
    if low <= numbers[0] <= high:
        return operands
    # only the order matters: the array counts as 0, the number as 1 or -1
    return [
        astype(each, "f32") * 0.0 if isinstance(each, Array) else 1.0 if numbers[0] > high else -1.0
        for each in operands
    ]
