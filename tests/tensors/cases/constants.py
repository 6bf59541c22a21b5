"""Ops with a constant that changes nothing, and with constants that only seem so: bits tell 0.0 from -0.0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.tensors.case import Case, array, case, constant, dense, numbers, t

X = array([-0.0, 0.0, 1.5, -2.25, np.inf, -np.inf, 3e38])
N = array([np.nan, 1, -np.inf])
WHOLE = numbers(601, (7,), np.int32)
_FLOATS: dict[str, tuple[Callable[..., Any], tuple[float, ...]]] = {
    "add": (np.add, (0.0, -0.0, 1.0)),
    "subtract": (np.subtract, (0.0, -0.0)),
    "multiply": (np.multiply, (1.0, -1.0)),
    "divide": (np.divide, (1.0,)),
    "maximum": (np.maximum, (-np.inf, np.inf, 0.5)),
    "minimum": (np.minimum, (np.inf, -np.inf, 0.5)),
}
_INTEGERS: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "add": (np.add, (0,)),
    "multiply": (np.multiply, (1, 0)),
    "maximum": (np.maximum, (-(2**31), 2**31 - 1)),
    "minimum": (np.minimum, (2**31 - 1,)),
    "and": (np.bitwise_and, (-1, 0)),
    "or": (np.bitwise_or, (0, -1)),
    "xor": (np.bitwise_xor, (0, -1)),
}


def _floats() -> list[Case]:
    made: list[Case] = []
    for op, (function, constants) in _FLOATS.items():
        for number in constants:
            other = array(number)
            wanted = np.asarray(function(X, other)).view(np.int32)
            for first, second, is_turned in (("x", "b", False), ("b", "x", True)):
                if is_turned and op in ("subtract", "divide"):
                    continue
                text = f"{constant('c', other)}\n%b = stablehlo.broadcast_in_dim %c, dims = [] : ({t(other)}) -> {t(X)}\n"
                text += f"%s = stablehlo.{op} %{first}, %{second} : {t(X)}\n%r = stablehlo.bitcast_convert %s : ({t(X)}) -> {t(wanted)}"
                made.append(case(op, f"{number} {'first' if is_turned else 'second'}", text, {"x": X}, wanted))
    return made


def _others() -> list[Case]:
    made: list[Case] = []
    for op, (function, constants) in _INTEGERS.items():
        for number in constants:
            other = np.full(7, number, np.int32)
            text = f"%c = stablehlo.constant {dense(other)}\n%r = stablehlo.{op} %c, %x : {t(WHOLE)}"
            made.append(case(op, f"{number} of i32", text, {"x": WHOLE}, np.asarray(function(other, WHOLE))))
    least = f"{constant('c', np.full(3, -np.inf, np.float32))}\n%r = stablehlo.maximum %c, %x : {t(N)}"
    made.append(case("maximum", "a NaN with -infinity", least, {"x": N}, N))
    choose = f"%p = stablehlo.constant dense<false> : tensor<i1>\n%r = stablehlo.select %p, %x, %y : tensor<i1>, {t(N)}"
    made.append(case("select", "a known choice", choose, {"x": N, "y": N + 1}, N + 1))
    for value, source, target in (
        (3, np.int32, np.float32),
        (0.1, np.float32, np.float16),
        (-2.75, np.float32, np.int8),
        (2.0, np.float32, np.bool_),
    ):
        number = array(value, source)
        wanted = np.full(3, number.astype(target))
        text = f"{constant('c', number)}\n%t = stablehlo.convert %c : ({t(number)}) -> {t(wanted[0])}\n%r = stablehlo.broadcast_in_dim %t, dims = [] : ({t(wanted[0])}) -> {t(wanted)}"
        made.append(case("convert", f"the constant {value} to {wanted.dtype}", text, {"x": N}, wanted))
    return made


def _powers() -> list[Case]:
    """Powers with a known exponent, of -0.0 and infinities too; bits tell 0.0 from -0.0."""
    made: list[Case] = []
    for exponent in (1.0, 2.0, 3.0, 4.0, 0.5, 0.0, -1.0):
        other, x = array(exponent), X[:6]
        with np.errstate(invalid="ignore", divide="ignore"):
            wanted = np.power(x.astype(np.float64), np.full(6, exponent)).astype(np.float32).view(np.int32)  # numpy has a root for a single 0.5
        text = (
            f"{constant('c', other)}\n%b = stablehlo.broadcast_in_dim %c, dims = [] : ({t(other)}) -> {t(x)}\n%s = stablehlo.power %x, %b : {t(x)}\n"
        )
        text += f"%n = stablehlo.compare NE, %s, %s : ({t(x)}, {t(x)}) -> tensor<6xi1>\n%z = stablehlo.constant dense<2143289344> : tensor<6xi32>\n"
        text += f"%i = stablehlo.bitcast_convert %s : ({t(x)}) -> {t(wanted)}\n%r = stablehlo.select %n, %z, %i : tensor<6xi1>, tensor<6xi32>"
        wanted = np.where(np.isnan(wanted.view(np.float32)), np.int32(2143289344), wanted)
        made.append(case("power", f"to {exponent}", text, {"x": x}, wanted))
    return made


CASES = (*_floats(), *_others(), *_powers())
