"""numpy's functions that choose between arrays, compare them as wholes, and round or replace numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.calculus import diff
from asmgen.frontends.traced.making import like, zeros_like
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import (
    as_array,
    as_bool,
    as_float,
    astype,
    common,
    common_type,
    converted,
    copy,
    taken,
    tracer_of,
)
from asmgen.frontends.traced.reductions import all_, scanned
from asmgen.frontends.traced.ufunc_table import largest, trunc
from asmgen.ir.shapes import broadcast_dims
from isa.diagnostics import InputError


def where(condition: object, x: object = None, y: object = None) -> Array:
    if x is None or y is None:
        message = "np.where of a condition alone has a result of unknown shape, wanted x and y"
        help = "np.where(condition, x, y); np.argmax(condition) is the first place"
        raise InputError(caller(), "TRC006", message, help=help)
    tracer = tracer_of([condition, x, y])
    chosen = as_bool(as_array("np.where", condition, tracer))
    operands = [taken("np.where", each, tracer) for each in (x, y)]
    type_ = common_type("np.where", operands)
    return apply("where", chosen, *[converted("np.where", each, type_, tracer) for each in operands])


def select(condlist: Sequence[object], choicelist: Sequence[object], default: object = 0) -> Array:
    if len(condlist) != len(choicelist):
        message = f"got {len(condlist)} conditions and {len(choicelist)} choices, wanted as many of each"
        raise InputError(caller(), "TRC007", message)
    tracer = tracer_of([condlist, choicelist])
    conditions = [as_bool(as_array("np.select", each, tracer)) for each in condlist]
    operands = [taken("np.select", each, tracer) for each in (*choicelist, default)]
    type_ = common_type("np.select", operands)
    *choices, chosen = [converted("np.select", each, type_, tracer) for each in operands]
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        chosen = apply("where", condition, choice, chosen)
    return chosen


def piecewise(
    x: object, condlist: object, funclist: Sequence[object], *arguments: object, **keywords: object
) -> Array:
    a = as_array("np.piecewise", x)
    given = list(cast("Sequence[object]", condlist)) if isinstance(condlist, list | tuple) else [condlist]
    conditions = [as_bool(as_array("np.piecewise", each, a.tracer)) for each in given]
    functions = list(funclist)
    if len(functions) == len(conditions) + 1:
        functions.insert(0, functions.pop())
    elif len(functions) == len(conditions):
        functions.insert(0, 0)
    else:
        message = f"got {len(conditions)} conditions and {len(functions)} functions, wanted one each"
        raise InputError(caller(), "TRC007", message)
    result: Array | None = None
    for number, function in enumerate(functions):
        value = function(a, *arguments, **keywords) if callable(function) else function
        new = astype(as_array("np.piecewise", value, a.tracer), a.type.element.name)
        result = new if result is None else apply("where", conditions[number - 1], new, result)
    assert result is not None, "the last function serves elements without a true condition"
    same = result.type.dims == a.type.dims
    return result if same else apply("multibroadcast", result, out_lens=a.type.dims)


def choose(a: object, choices: object, mode: str = "raise") -> Array:
    """An array of a few for each element; an index beyond them takes the last or the first array."""
    tracer = tracer_of([a, choices])
    place = as_array("np.choose", a, tracer)
    given = list(choices) if isinstance(choices, Array) else cast("Any", choices)
    operands = [taken("np.choose", each, tracer) for each in given]
    type_ = common_type("np.choose", operands)
    arrays = [converted("np.choose", each, type_, tracer) for each in operands]
    if mode == "wrap":
        place = place % len(arrays)
    chosen = arrays[0]
    for number, array in enumerate(arrays[1:], 1):
        chosen = apply("where", place >= number, array, chosen)
    return chosen


def clip(
    a: object, a_min: object = None, a_max: object = None, *, min: object = None, max: object = None
) -> Array:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    bounds = [each for each in (low, high) if each is not None]
    if not bounds:
        return copy(as_array("np.clip", a))
    array, *limits = common("np.clip", a, *bounds)
    if len(limits) == 2:
        return apply("clip", array, *limits)
    return apply("min" if low is None else "max", array, *limits)


def round_(a: object, decimals: int = 0) -> Array:
    array = as_array("np.round", a)
    if not array.type.element.is_float:
        if decimals >= 0:
            return copy(array)
        scale = like(10**-decimals, array)
        return (
            astype(apply("nearbyint", astype(array, "f64") / float(10**-decimals)), array.type.element.name)
            * scale
        )
    if decimals == 0:
        return apply("nearbyint", array)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return apply("nearbyint", array * scale) / scale
    return apply("nearbyint", array / scale) * scale


def fix(x: object) -> Array:
    return trunc(as_array("np.fix", x))


def nan_to_num(
    x: object, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Array:
    a = as_array("np.nan_to_num", x)
    element = a.type.element
    if not element.is_float:
        return Array(a.value, a.tracer)
    most = largest(element)
    high, low = most if posinf is None else posinf, -most if neginf is None else neginf
    result = apply("where", apply("isnan", a), like(nan, a), a)
    result = apply("where", apply("equal", a, like(math.inf, a)), like(high, a), result)
    return apply("where", apply("equal", a, like(-math.inf, a)), like(low, a), result)


def sinc(x: object) -> Array:
    angle = as_float(as_array("np.sinc", x), "np.sinc") * math.pi
    is_zero = angle == 0
    safe = apply("where", is_zero, like(1, angle), angle)
    return apply("where", is_zero, like(1, angle), apply("sin", safe) / safe)


def isclose(a: object, b: object, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Array:
    x, y = common("np.isclose", a, b)
    if not x.type.element.is_float:
        x, y = astype(x, "f64"), astype(y, "f64")
    near = abs(x - y) <= atol + rtol * abs(y)
    near = apply("logical_and", near, np.isfinite(y))
    close = apply("logical_or", near, apply("equal", x, y))
    return close if not equal_nan else close | (np.isnan(x) & np.isnan(y))


def allclose(a: object, b: object, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Array:
    return all_(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: object, a2: object, equal_nan: bool = False) -> Array:
    tracer = tracer_of([a1, a2])
    x, y = [as_array("np.array_equal", each, tracer) for each in (a1, a2)]
    if x.type.dims != y.type.dims:
        return Array(tracer.constant(np.asarray(False), caller()), tracer)
    equal = cast("Array", np.equal(cast("Any", x), cast("Any", y)))
    if equal_nan and x.type.element.is_float and y.type.element.is_float:
        equal = equal | (np.isnan(x) & np.isnan(y))
    return all_(equal)


def array_equiv(a1: object, a2: object) -> Array:
    tracer = tracer_of([a1, a2])
    x, y = [as_array("np.array_equiv", each, tracer) for each in (a1, a2)]
    if broadcast_dims((x.type.dims, y.type.dims)) is None:
        return Array(tracer.constant(np.asarray(False), caller()), tracer)
    return all_(cast("Array", np.equal(cast("Any", x), cast("Any", y))))


def real(val: Array) -> Array:
    return val


def imag(val: Array) -> Array:
    return zeros_like(val)


def angle(z: object, deg: bool = False) -> Array:
    a = as_array("np.angle", z)
    return cast("Array", np.where(a < 0, 180.0 if deg else math.pi, 0.0))


def isposinf(x: Array) -> Array:
    return apply("logical_and", np.isinf(x), x > 0)


def isneginf(x: Array) -> Array:
    return apply("logical_and", np.isinf(x), x < 0)


def unwrap(p: Array, discont: object = None, axis: int = -1, *, period: float = 2 * math.pi) -> Array:
    from asmgen.frontends.traced.shaping import at, one_axis

    if discont is not None:
        raise InputError(caller(), "TRC007", "np.unwrap got discont=, wanted none")
    type_ = np.result_type(p.dtype, period)
    a = as_float(p, "np.unwrap")
    number = one_axis(a, axis)
    steps = as_float(diff(p, axis=number))
    half = period / 2
    turned = (steps + half) % period - half
    turned = apply("where", (turned == -half) & (steps > 0), like(half, turned), turned)
    correction = apply("where", abs(steps) < half, like(0, steps), turned - steps)
    later = at(a, number, slice(1, None)) + scanned("cumsum", correction, number)
    unwrapped = apply("concat", at(a, number, slice(0, 1)), later, axis=number)
    return astype(unwrapped, type_)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "allclose": allclose, "angle": angle, "around": round_, "array_equal": array_equal,
    "array_equiv": array_equiv, "choose": choose,
    "clip": clip, "fix": fix, "imag": imag, "isclose": isclose, "isneginf": isneginf,
    "isposinf": isposinf, "nan_to_num": nan_to_num, "piecewise": piecewise, "real": real, "round": round_,
    "select": select, "sinc": sinc, "unwrap": unwrap, "where": where,
}  # fmt: skip
