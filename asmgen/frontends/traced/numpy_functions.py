"""numpy's functions on traced arrays, where they are not simply an op of the graph by the same name.

Each takes numpy's arguments as far as they can be traced. Types are gen's: there is no promotion, and a sum
has the type of its operand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.spec import whole_numbers
from asmgen.frontends.traced.tracer import Traced, caller
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

_MOST_FACTORS = 8  # of an integer power that is written as products


def _axes(a: Array, axis: object) -> tuple[int, ...]:
    """The axes of numpy's `axis`, all where it is None, counted from the front; those that do not exist stay
    for inference to refuse."""
    if axis is None:
        return tuple(range(a.ndim))
    numbers = whole_numbers(axis)
    if numbers is None:
        raise InputError(caller(), "TRC007", f"got axis={axis!r}, wanted an integer, a tuple of them or None")
    return tuple(number % a.ndim if -a.ndim <= number < a.ndim else number for number in numbers)


def _reduce(op: str, a: Array, axis: object, keepdims: bool) -> Array:
    axes = _axes(a, axis)
    if not axes:  # of rank 0, or numpy's axis=(): every element is its own result
        return a
    reduced = apply(op, a, axes=axes)
    return reduced if keepdims else apply("squeeze", reduced, axes=axes)


def _reduction(op: str) -> Callable[..., Array]:
    def reduction(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
        return _reduce(op, a, axis, keepdims)

    return reduction


def _accumulation(op: str) -> Callable[..., Array]:
    def accumulation(a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False) -> Array:
        return _reduce(op, a if dtype is None else astype(a, dtype), axis, keepdims)

    return accumulation


def mean(a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False) -> Array:
    a = a if dtype is None else astype(a, dtype)
    _require_floats("the mean", "functions.reduce_mean truncates towards zero", a)
    return _reduce("reduce_mean", a, axis, keepdims)


def var(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    distance = a - mean(a, axis, keepdims=True)
    return mean(distance * distance, axis, keepdims=keepdims)


def std(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    return apply("sqrt", var(a, axis, keepdims=keepdims))


def _arg_reduction(op: str) -> Callable[..., Array]:
    def reduction(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
        if axis is None:
            a, axis = reshape(a, (-1,)), 0
        found = apply(op, a, axis=axis)
        return found if keepdims else apply("squeeze", found, axes=(axis,))

    return reduction


def astype(a: Array, dtype: object) -> Array:
    """The array converted to another element type: gen's name, or a numpy dtype."""
    return apply("convert", a, target_type=dtype)


def transpose(a: Array, axes: object = None, *more: object) -> Array:
    if more:  # x.transpose(1, 0)
        axes = (axes, *more)
    if axes is None:
        axes = tuple(reversed(range(a.ndim)))
    return apply("transpose", a, permutation=axes) if a.ndim > 1 or axes != tuple(range(a.ndim)) else a


def swapaxes(a: Array, axis1: int, axis2: int) -> Array:
    first, second = _axes(a, (axis1, axis2))
    order = {first: second, second: first}
    return transpose(a, tuple(order.get(axis, axis) for axis in range(a.ndim)))


def reshape(a: Array, shape: object, *more: object) -> Array:
    sizes = whole_numbers((shape, *more) if more else shape)
    if sizes is None:
        raise InputError(caller(), "TRC007", f"got the shape {shape!r}, wanted a tuple of integers")
    # in gen text a 0 keeps the operand's dim, in numpy it is a dim of size 0
    if any(size == 0 and axis < a.ndim and a.type.dims[axis] for axis, size in enumerate(sizes)):
        raise InputError(
            caller(),
            "TRC007",
            f"got the shape {sizes} for an array of shape {a.type.dims}, wanted as many elements",
        )
    return apply("reshape", a, dims=sizes)


def ravel(a: Array) -> Array:
    return reshape(a, (-1,))


def squeeze(a: Array, axis: object = None) -> Array:
    axes = (
        tuple(number for number, size in enumerate(a.type.dims) if size == 1)
        if axis is None
        else _axes(a, axis)
    )
    return apply("squeeze", a, axes=axes) if axes else a


def expand_dims(a: Array, axis: object) -> Array:
    return apply("unsqueeze", a, axes=axis)


def concatenate(arrays: Sequence[object], axis: int = 0) -> Array:
    return apply("concat", *arrays, axis=axis)


def broadcast_to(array: Array, shape: object) -> Array:
    return apply("multibroadcast", array, out_lens=shape)


def flip(m: Array, axis: object = None) -> Array:
    return apply("reverse", m, axes=_axes(m, axis))


def where(condition: object, x: object, y: object) -> Array:
    return apply("where", condition, x, y)


def clip(
    a: Array, a_min: object = None, a_max: object = None, *, min: object = None, max: object = None
) -> Array:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    if low is not None and high is not None:
        return apply("clip", a, low, high)
    if low is not None:
        return apply("max", a, low)
    return a if high is None else apply("min", a, high)


def round_(a: Array, decimals: int = 0) -> Array:
    if decimals != 0:
        raise InputError(
            caller(),
            "TRC007",
            f"got decimals={decimals!r}, wanted 0",
            help=f"np.round(x * {10.0**decimals:g}) / {10.0**decimals:g}",
        )
    return apply("nearbyint", a)


def full_like(a: Array, fill_value: bool | int | float) -> Array:
    """An array of the shape and type of another, of one number."""
    number = Array(a.tracer.number(fill_value, a.type.element, caller()), a.tracer)
    return broadcast_to(number, a.type.dims)


def zeros_like(a: Array) -> Array:
    return full_like(a, a.type.element is not BOOL and 0)


def ones_like(a: Array) -> Array:
    return full_like(a, a.type.element is BOOL or 1)


def dot(a: object, b: object) -> Array:
    if any(getattr(operand, "ndim", 0) != 2 for operand in (a, b)):
        raise InputError(
            caller(),
            "TRC007",
            "np.dot got arrays that are no matrices, wanted two of two axes",
            help="np.matmul takes more axes",
        )
    return apply("dot", a, b)


def _require_floats(what: str, help: str, *operands: object) -> None:
    """numpy makes floats of integers where gen text does not; the difference is never silent."""
    for operand in operands:
        if isinstance(operand, Traced) and not operand.type.element.is_float:
            message = (
                f"{what} of {operand.type.element} is a float in numpy, which is not traced; "
                f"wanted arrays of floats"
            )
            raise InputError(caller(), "TRC007", message, help=f'x.astype("f32") converts; {help}')


def divide(x: object, y: object) -> Array:
    _require_floats("a quotient", "functions.div truncates towards zero", x, y)
    return apply("div", x, y)


def floor_divide(x: object, y: object) -> Array:
    help = "np.floor(x / y) of floats, functions.div of integers"
    raise InputError(caller(), "TRC006", "// has no op in gen text, wanted another division", help=help)


def power(x: object, exponent: object) -> Array:
    """A small integer power is products, and the power 0.5 a square root, as numpy has it; others are the
    op."""
    if not isinstance(x, Array) or isinstance(exponent, bool) or not isinstance(exponent, int | float):
        return apply("pow", x, exponent)
    if exponent == 0.5:
        return apply("sqrt", x)
    if exponent == -1:
        return apply("recip", x)
    if exponent in range(1, _MOST_FACTORS + 1) and (x.type.element.is_float or isinstance(exponent, int)):
        return _product(x, int(exponent))
    return apply("pow", x, exponent)


def _product(x: Array, count: int) -> Array:
    if count == 1:
        return x
    half = _product(x, count // 2)
    return half * half * x if count % 2 else half * half


def _less_equal(x: object, y: object) -> Array:
    return apply("logical_or", apply("less", x, y), apply("equal", x, y))


def _greater_equal(x: object, y: object) -> Array:
    return apply("logical_or", apply("greater", x, y), apply("equal", x, y))


def _not_equal(x: object, y: object) -> Array:
    return apply("not", apply("equal", x, y))


def _positive(x: Array) -> Array:
    return x


def _square(x: Array) -> Array:
    return x * x


def _isfinite(x: Array) -> Array:
    return apply("not", apply("logical_or", apply("isnan", x), apply("isinf", x)))


def _bitwise_and(x: object, y: object) -> Array:
    bools = all(operand.type.element is BOOL for operand in (x, y) if isinstance(operand, Traced))
    return apply("logical_and" if bools else "bitwise_and", x, y)


# Functions of operands alone, by numpy's name.
COMPOSED: dict[str, Callable[..., Array]] = {
    "bitwise_and": _bitwise_and,
    "divide": divide,
    "floor_divide": floor_divide,
    "greater_equal": _greater_equal,
    "isfinite": _isfinite,
    "less_equal": _less_equal,
    "not_equal": _not_equal,
    "positive": _positive,
    "power": power,
    "square": _square,
}

# Functions with arguments besides the operands, by numpy's name; most are methods too.
FUNCTIONS: dict[str, Callable[..., Array]] = {
    "all": _reduction("reduce_all"),
    "amax": _reduction("reduce_max"),
    "amin": _reduction("reduce_min"),
    "any": _reduction("reduce_any"),
    "argmax": _arg_reduction("argmax"),
    "argmin": _arg_reduction("argmin"),
    "around": round_,
    "astype": astype,
    "broadcast_to": broadcast_to,
    "clip": clip,
    "concatenate": concatenate,
    "dot": dot,
    "expand_dims": expand_dims,
    "flip": flip,
    "full_like": full_like,
    "max": _reduction("reduce_max"),
    "mean": mean,
    "min": _reduction("reduce_min"),
    "ones_like": ones_like,
    "prod": _accumulation("reduce_prod"),
    "ravel": ravel,
    "reshape": reshape,
    "round": round_,
    "squeeze": squeeze,
    "std": std,
    "sum": _accumulation("reduce_sum"),
    "swapaxes": swapaxes,
    "transpose": transpose,
    "var": var,
    "where": where,
    "zeros_like": zeros_like,
}
