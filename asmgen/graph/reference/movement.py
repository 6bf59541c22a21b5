"""Ranges of ops that move elements: reshape and pad."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Numbers, Range, exact_float, rearranged
from asmgen.graph.reference.rounding import round_to
from asmgen.graph.reference.rules import Rules
from asmgen.ir.program import Statement
from asmgen.ir.types import TensorType

Widths = list[tuple[int, int]]


def reshape(statement: Statement, _rules: Rules, x: Range) -> Range:
    type_ = statement.result.type
    assert isinstance(type_, TensorType), "a graph's values are tensors"
    return rearranged(x, partial(np.reshape, shape=type_.dims))


def pad(statement: Statement, _rules: Rules, x: Range) -> Range:
    """The elements between those put in: a number, or by `mode` the edge or what is within, mirrored."""
    pads, mode, number = (statement.attributes[name] for name in ("pads", "mode", "value"))
    assert isinstance(pads, tuple) and isinstance(number, int | float), "the op's row has checked it"
    sizes = [size for size in pads if isinstance(size, int)]
    widths = list(zip(sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :], strict=True))
    if mode != "constant":
        modes: dict[Any, Any] = {"edge": "edge", "reflect": "reflect"}
        return rearranged(x, lambda array: np.pad(array, widths, mode=modes[mode]))
    if isinstance(x, IntegerRange):
        return rearranged(x, lambda array: _padded(array, widths, int(number)))
    return _padded_floats(x, widths, float(number))


def _padded(array: Numbers, widths: Widths, number: float | bool) -> Numbers:
    return np.pad(array, widths, constant_values=array.dtype.type(number))


def _padded_floats(x: FloatRange, widths: Widths, number: float) -> FloatRange:
    one = exact_float(round_to(np.array(number), x.element), x.element)

    def padded(array: Numbers, of: Numbers) -> Numbers:
        return _padded(array, widths, of.item())

    low = padded(x.low, one.low)
    return replace(
        x, value=padded(x.value, one.value), low=low,
        high=low if x.high is x.low else padded(x.high, one.high),
        may_be_nan=padded(x.may_be_nan, one.may_be_nan), free_zero=padded(x.free_zero, one.free_zero),
        scale=None if x.scale is None else padded(x.scale, np.abs(one.value)),
    )  # fmt: skip
