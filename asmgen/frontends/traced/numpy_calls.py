"""numpy's functions and methods on traced arrays: which op each is, and which of its arguments can be traced.

np.maximum(x, y)           max(x, y)
x.sum(axis=1)              reduce_sum[axes={1}](x), then squeeze
np.sum(x, where=mask)      TRC007: `where` cannot be traced
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.numpy_functions import COMPOSED, FUNCTIONS
from asmgen.frontends.traced.tracer import caller
from asmgen.graph.ops import GRAPH_OPS
from isa.diagnostics import InputError, close_names

# Ops that numpy has under another name.
NUMPY_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctanh": "atanh",
    "divide": "div",
    "fabs": "abs",
    "fmax": "max",
    "fmin": "min",
    "invert": "not",
    "logical_not": "not",
    "matmul": "dot",
    "maximum": "max",
    "minimum": "min",
    "multiply": "mul",
    "negative": "neg",
    "power": "pow",
    "reciprocal": "recip",
    "remainder": "mod",
    "rint": "nearbyint",
    "subtract": "sub",
}

METHODS = frozenset(FUNCTIONS) - {
    "amax", "amin", "around", "broadcast_to", "concatenate", "expand_dims", "flip", "full_like", "ones_like",
    "where", "zeros_like",
}  # fmt: skip

# What to write in place of an argument.
_INSTEAD = {
    "out": "y = np.exp(x) has the result; a traced array is not written to",
    "where": "np.where(mask, a, b) chooses",
    "dtype": 'x.astype("f16") converts',
}


def call_ufunc(name: str, method: str, operands: Sequence[object], keywords: Mapping[str, object]) -> Array:
    """A ufunc of numpy's with traced arrays among its operands; `InputError` TRC006 and TRC007 for what has
    no op."""
    if method != "__call__":
        raise InputError(
            caller(),
            "TRC006",
            f"np.{name}.{method} has no op, wanted np.{name} itself, or a reduction such as np.sum",
        )
    _refuse_keywords(name, keywords)
    if name in COMPOSED:
        return COMPOSED[name](*operands)
    op = NUMPY_NAMES.get(name, name)
    if op not in GRAPH_OPS:
        raise _unknown(name)
    return apply(op, *operands)


def call_function(
    function: Callable[..., object], operands: Sequence[object], keywords: Mapping[str, object]
) -> object:
    """A function of numpy that is no ufunc, likewise. A function of a submodule, `np.linalg.inv`, has no
    op.
    """
    name = function.__name__
    if function.__module__ != "numpy" or name not in FUNCTIONS:
        raise _unknown(f"{function.__module__.removeprefix('numpy').lstrip('.')}.{name}".lstrip("."))
    return _call(f"np.{name}", FUNCTIONS[name], operands, keywords)


def bound_method(array: Array, name: str) -> Callable[..., object]:
    """A method of an array, which is the function with the array as its first argument."""

    def method(*arguments: object, **keywords: object) -> object:
        return _call(f".{name}", FUNCTIONS[name], (array, *arguments), keywords)

    return method


def _call(
    title: str, function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
) -> object:
    given = {
        name: value for name, value in keywords.items() if value is not None
    }  # None is what numpy has where nothing is said
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
    return partial(function, *bound.args, **bound.kwargs)()


def _refuse_keywords(name: str, keywords: Mapping[str, object]) -> None:
    for keyword, value in keywords.items():
        if value is not None:
            raise InputError(
                caller(),
                "TRC007",
                f"np.{name} got {keyword}=, wanted operands alone",
                help=_INSTEAD.get(keyword, ""),
            )


def _unknown(name: str) -> InputError:
    known = {*FUNCTIONS, *COMPOSED, *NUMPY_NAMES, *GRAPH_OPS}
    return InputError(
        caller(),
        "TRC006",
        f"np.{name} has no op in gen text, wanted a function that has one",
        help=close_names(name, known),
    )
