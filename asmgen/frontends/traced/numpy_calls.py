"""numpy's functions and methods on traced arrays: which function of ours each is, and which of its arguments
can be traced. The module is the `Operations` of a trace.

np.maximum(x, y)             max(x, y)
x.sum(axis=1)                reduce_sum[axes={1}](x), then squeeze
np.exp(x, out=y)             y is written to
np.sum(x, casting="no")      TRC007
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced import (
    bits,
    calculus,
    choosing,
    joining,
    making,
    ordering,
    products,
    reductions,
    shaping,
    taking,
)
from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.assignment import assign as assigned
from asmgen.frontends.traced.assignment import indexed, write_into
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, astype, copy, tracer_of
from asmgen.frontends.traced.refused import REASONS, refusal
from asmgen.frontends.traced.selection import Selection
from asmgen.frontends.traced.ufunc_table import LOOPS, spread
from asmgen.frontends.traced.ufuncs import call
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

# What to write in place of an argument.
_INSTEAD = {
    "where": "np.where(mask, a, b) chooses",
    "dtype": 'x.astype("f16") converts',
    "casting": "x.astype(dtype) converts",
    "subok": "leave it out",
}


def _shape(a: Array) -> tuple[int, ...]:
    return a.shape


def _ndim(a: Array) -> int:
    return a.ndim


def _size(a: Array, axis: object = None) -> int:
    return a.size if axis is None else a.shape[shaping.one_axis(a, axis)]


def _result_type(*given: object) -> np.dtype[Any]:
    return np.result_type(*[cast("Any", each.dtype if isinstance(each, Array) else each) for each in given])


def _sort_in_place(a: Array, axis: int = -1, kind: object = None) -> None:
    _ = write_into(a, ordering.sort(a, axis), ".sort")


def _view(a: Array, dtype: object = None) -> Array:
    if dtype is None:
        return shaping.reshape(a, a.type.dims)
    return apply("bit_cast", a, target_type=dtype)


def _all_real(x: Array) -> Array:
    return spread(True, x, BOOL)


def _none_complex(x: Array) -> Array:
    return spread(False, x, BOOL)


def _is_complex(x: object) -> bool:
    return False


def _is_real(x: object) -> bool:
    return True


def _item(a: Array, *_: object) -> object:
    message = "the numbers of a traced array are not known while tracing, wanted operations on whole arrays"
    raise InputError(caller(), "TRC003", message, help="x[0] is an array of rank 0")


_OTHERS: dict[str, Callable[..., object]] = {
    "astype": astype, "copy": copy, "empty_like": making.zeros_like, "full_like": making.full_like,
    "iscomplex": _none_complex, "iscomplexobj": _is_complex, "isreal": _all_real, "isrealobj": _is_real,
    "ndim": _ndim, "ones_like": making.ones_like, "real_if_close": copy, "result_type": _result_type,
    "shape": _shape, "size": _size, "zeros_like": making.zeros_like,
}  # fmt: skip

# By the name below numpy.
FUNCTIONS: dict[str, Callable[..., object]] = {
    **bits.FUNCTIONS, **calculus.FUNCTIONS, **choosing.FUNCTIONS, **joining.FUNCTIONS,
    **ordering.FUNCTIONS, **products.FUNCTIONS, **reductions.FUNCTIONS, **shaping.FUNCTIONS,
    **taking.FUNCTIONS, **_OTHERS,
}  # fmt: skip

_METHODS_OF_FUNCTIONS = (
    "all", "any", "argmax", "argmin", "argsort", "argpartition", "astype", "choose", "clip", "compress",
    "copy", "cumprod", "cumsum", "diagonal", "dot", "flatten", "max", "mean", "min", "prod", "ravel",
    "repeat", "reshape", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes", "take", "trace",
    "transpose", "var",
)  # fmt: skip
methods: dict[str, Callable[..., object]] = {
    **{name: FUNCTIONS[name] for name in _METHODS_OF_FUNCTIONS},
    "conj": copy, "conjugate": copy, "fill": taking.fill, "item": _item, "sort": _sort_in_place,
    "tolist": _item, "view": _view,
}  # fmt: skip
item, assign = indexed, assigned
KNOWN = frozenset({*FUNCTIONS, *LOOPS, *products.UFUNCS})


def operator(name: str, *operands: object) -> object:
    """The ufunc of an operator."""
    if name in products.UFUNCS:
        return products.UFUNCS[name](*operands)
    return call(name, *operands)


def in_place(array: Array, name: str, other: object) -> Array:
    """An operator that writes its result to the array."""
    result = cast("Array", operator(name, array, other))
    if not array.ndim and array.view_of is None:  # numpy has scalars there, which nothing changes
        return result
    return write_into(array, result, f"np.{name}")


def ufunc(ufunc: np.ufunc, method: str, operands: Sequence[object], keywords: Mapping[str, object]) -> object:
    """A ufunc of numpy's with traced arrays among its operands; `InputError` TRC006 and TRC007 if the call
    cannot be traced."""
    name = ufunc.__name__
    given = {key: value for key, value in keywords.items() if value is not None}
    outs = given.pop("out", None)
    mask = given.pop("where", True)
    if any(isinstance(each, Selection) for each in operands):
        return Selection.__array_ufunc__(_selection_in(operands), ufunc, method, *operands, **given)
    if method == "__call__":
        result = _called(name, operands, given)
    else:
        result = _by_method(name, method, operands, given)
    if mask is not True:
        if outs is None:
            message = f"np.{name} got where= without out=, wanted both: numpy leaves the rest as it was"
            raise InputError(caller(), "TRC007", message, help="np.where(mask, a, b) chooses")
        (out,) = cast("tuple[Array]", outs)
        result = choosing.where(mask, result, Array(out.value, out.tracer))
    return result if outs is None else _written(result, cast("tuple[object, ...]", outs), f"np.{name}")


def _selection_in(operands: Sequence[object]) -> Selection:
    return next(each for each in operands if isinstance(each, Selection))


def _called(name: str, operands: Sequence[object], keywords: dict[str, object]) -> object:
    dtype = keywords.pop("dtype", None)
    casting = keywords.pop("casting", "same_kind")
    if casting not in ("same_kind", "unsafe", "safe"):
        keywords["casting"] = casting
    taken = products.KEYWORDS.get(name, ())
    for keyword in [keyword for keyword in keywords if keyword not in taken]:
        message = f"np.{name} got {keyword}=, wanted operands alone"
        raise InputError(caller(), "TRC007", message, help=_INSTEAD.get(keyword, ""))
    if name in products.UFUNCS:
        factors = operands if dtype is None else products.factors_as(f"np.{name}", operands, dtype)
        return products.UFUNCS[name](*factors, **keywords)
    if name not in LOOPS:
        raise refusal(name)
    return call(name, *operands, dtype=dtype)


def _by_method(name: str, method: str, operands: Sequence[object], keywords: dict[str, object]) -> object:
    """`np.add.reduce` and the like."""
    if method == "outer" and name in LOOPS and len(operands) == 2:
        tracer = tracer_of(operands)
        x, y = [as_array(f"np.{name}.outer", each, tracer) for each in operands]
        wide = shaping.expand_dims(x, tuple(range(x.ndim, x.ndim + y.ndim))) if y.ndim else x
        return call(name, wide, y)
    reduce_, accumulate = reductions.OF_UFUNCS.get(name, (None, None))
    if method == "reduce" and reduce_ is not None:
        return _bound(f"np.{name}.reduce", reduce_, _with_axis(operands, keywords), keywords)
    if method == "accumulate" and accumulate is not None:
        return _bound(f"np.{name}.accumulate", accumulate, _with_axis(operands, keywords), keywords)
    if f"{name}.{method}" in REASONS:
        raise refusal(f"{name}.{method}")
    message = f"np.{name}.{method} is not traced, wanted np.{name} itself"
    known = " ".join(f"np.{each}.reduce" for each in reductions.OF_UFUNCS)
    raise InputError(
        caller(), "TRC006", message, help=f"np.{name}.outer, {known}" if name in LOOPS else known
    )


def _with_axis(operands: Sequence[object], keywords: dict[str, object]) -> Sequence[object]:
    """numpy's default axis is the first axis here."""
    return operands if len(operands) > 1 or "axis" in keywords else (*operands, 0)


def function(
    function: Callable[..., object], operands: Sequence[object], keywords: Mapping[str, object]
) -> object:
    """A function of numpy that is no ufunc, likewise."""
    module = function.__module__.removeprefix("numpy").lstrip(".")
    name = f"{module}.{function.__name__}".lstrip(".")
    if name not in FUNCTIONS:
        raise refusal(name)
    return _bound(f"np.{name}", FUNCTIONS[name], operands, keywords)


def method(array: Array, name: str) -> Callable[..., Any]:
    """A method of an array, which is the function with the array as its first argument."""

    def bound(*arguments: object, **keywords: object) -> object:
        return _bound(f".{name}", methods[name], (array, *arguments), keywords)

    return bound


def _bound(
    title: str, function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
) -> object:
    # None is numpy's default of most arguments, except an axis, such as that of a scan
    given = {key: value for key, value in keywords.items() if value is not None or key == "axis"}
    out = given.pop("out", None)
    if given.get("casting") == "same_kind":  # numpy's own default
        del given["casting"]
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*arguments, **given)
    except TypeError as error:
        help = next(
            (_INSTEAD[name] for name in given if name in _INSTEAD and name not in signature.parameters), ""
        )
        wanted = ", ".join(signature.parameters)
        raise InputError(
            caller(), "TRC007", f"{title} {error}, wanted what can be traced: {wanted}", help=help
        ) from error
    first = next(iter(signature.parameters.values()), None)
    if first is not None and first.annotation in ("Array", Array) and first.name in bound.arguments:
        taken = bound.arguments[first.name]
        if not isinstance(taken, Array):
            bound.arguments[first.name] = as_array(title, taken, _tracer_in(arguments, given))
    try:
        result = function(*bound.args, **bound.kwargs)
    except (TypeError, ValueError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        message = f"{title} got arguments that it does not take: {error}"
        help = "docs/gen-text.md, From Python, lists the arguments of each function"
        raise InputError(caller(), "TRC007", message, help=help) from error
    return result if out is None else _written(result, (out,), title)


def _tracer_in(arguments: Sequence[object], keywords: Mapping[str, object]) -> Tracer:
    return tracer_of([*arguments, *keywords.values()])


def _written(result: object, outs: Sequence[object], title: str) -> object:
    results = cast("tuple[object, ...]", result) if isinstance(result, tuple) else (result,)
    for out in outs:
        if out is not None and not isinstance(out, Array):
            message = f"{title} got out={type(out).__name__}, wanted a traced array"
            raise InputError(caller(), "TRC007", message, help="y = np.exp(x) has the result")
    written = tuple(
        each if out is None else write_into(cast("Array", out), cast("Array", each), title)
        for each, out in zip(results, outs, strict=False)
    )
    return written if isinstance(result, tuple) else written[0]
