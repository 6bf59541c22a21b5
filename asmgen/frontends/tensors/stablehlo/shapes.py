"""StableHLO ops that move elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like, spread
from asmgen.index.size import Dim, Sizes
from asmgen.ir.constants import Number
from asmgen.ir.types import BOOL

Rule = Callable[[OpCall], Results]


def _broadcast(call: OpCall) -> Results:
    return in_dims(call.arrays[0], call.operation.integers("broadcast_dimensions"), call.type.dims)


def in_dims(x: Array, axes: Sequence[int], dims: Sizes) -> Array:
    """An array with its axis i as axis `axes[i]` of a result of other dims, and repeated along the others."""
    order = sorted(range(len(axes)), key=lambda axis: axes[axis])
    x = permuted(x, order)
    missing = tuple([axis for axis in range(len(dims)) if axis not in axes])
    if missing and x.type.rank:
        x = apply("unsqueeze", x, axes=missing)
    return x if x.type.dims == dims else apply("multibroadcast", x, out_lens=dims)


def permuted(x: Array, order: Sequence[int]) -> Array:
    """Axis i of the result is axis `order[i]`."""
    return x if list(order) == list(range(len(order))) else apply("transpose", x, permutation=tuple(order))


def reshaped(x: Array, dims: Sizes) -> Array:
    if x.type.dims == dims:
        return x
    if 0 in dims:  # in a reshape, 0 keeps the operand's dim
        return apply("multibroadcast", like(0, x), out_lens=dims)
    return apply("reshape", x, dims=dims)


def _reshape(call: OpCall) -> Results:
    return reshaped(call.arrays[0], call.type.dims)


def _transpose(call: OpCall) -> Results:
    return permuted(call.arrays[0], call.operation.integers("permutation"))


def _slice(call: OpCall) -> Results:
    (x,) = call.arrays
    starts, ends, steps = [
        call.operation.integers(name) for name in ("start_indices", "limit_indices", "strides")
    ]
    return stepped(sliced(x, starts, ends), steps)


def sliced(x: Array, starts: Sequence[Dim], ends: Sequence[Dim]) -> Array:
    """The elements from `starts` to before `ends`, along all axes."""
    dims = x.type.dims
    axes = [axis for axis in range(len(dims)) if starts[axis] != 0 or ends[axis] != dims[axis]]
    if not axes:
        return x
    first, last = [tuple([each[axis] for axis in axes]) for each in (starts, ends)]
    return apply("slice", x, axes=tuple(axes), starts=first, ends=last)


def stepped(x: Array, steps: Sequence[int]) -> Array:
    axes = tuple([axis for axis, step in enumerate(steps) if step != 1])
    return apply("step", x, axes=axes, steps=tuple([steps[axis] for axis in axes])) if axes else x


def _reverse(call: OpCall) -> Results:
    (x,) = call.arrays
    axes = call.operation.integers("dimensions")
    return apply("reverse", x, axes=axes) if axes else x


def _iota(call: OpCall) -> Results:
    return counted(call, call.operation.integer("iota_dimension"), call.type.dims)


def counted(call: OpCall, axis: int, dims: Sizes) -> Array:
    """The index of each element along an axis, in the type of the result."""
    made = iota(call.tracer, axis, dims)
    same = call.element is made.type.element
    return made if same else apply("convert", made, target_type=call.element.name)


def _pad(call: OpCall) -> Results:
    x, value = call.arrays
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = [call.operation.integers(name) for name in names]
    return padded_by(call, x, value, low, high, interior)


def padded_by(
    call: OpCall, x: Array, value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Array:
    """As `padded`, by a number that may be known only when the program runs."""
    sizes = zip(x.type.dims, low, high, interior, strict=True)
    dims = tuple([before + spread_size(dim, between) + after for dim, before, after, between in sizes])
    if 0 in dims or 0 in x.type.dims:
        return apply("multibroadcast", value, out_lens=dims)
    known = call.number(value)
    if known is not None and (not known if x.type.element is BOOL else _is_float(known)):
        return padded(x, 0 if known is False else known, low, high, interior)
    is_x = padded(spread(True, x, BOOL), 0, low, high, interior)
    return apply("where", is_x, padded(x, 0, low, high, interior), value)


def _is_float(number: Number) -> bool:
    """Whether a number is a number of f64: `pad` has no others."""
    return isinstance(number, float) or int(float(number)) == number


def spread_size(dim: Dim, between: int) -> Dim:
    """The size of an axis with `between` places after each element but the last."""
    return dim + (max(dim - 1, 0) if isinstance(dim, int) else dim - 1) * between if between else dim


def padded(x: Array, value: float, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    """`value` before, after and between the elements; a negative pad takes elements away."""
    for axis, between in enumerate(interior):
        if between and x.type.dims[axis] not in (0, 1):
            x = _spread(x, value, axis, between)
    before, after = [tuple([max(pad, 0) for pad in pads]) for pads in (low, high)]
    if any(before) or any(after):
        x = apply("pad", x, pads=(*before, *after), value=value)
    starts = [max(-pad, 0) for pad in low]
    ends = [dim + min(pad, 0) for dim, pad in zip(x.type.dims, high, strict=True)]
    return sliced(x, starts, ends)


def _spread(x: Array, value: float, axis: int, between: int) -> Array:
    """An axis with `between` places of padding after each element but the last."""
    dims = list(x.type.dims)
    x = apply("unsqueeze", x, axes=(axis + 1,))
    pads = [0] * (2 * len(dims) + 2)
    pads[len(dims) + 1 + axis + 1] = between
    x = apply("pad", x, pads=tuple(pads), value=value)
    dims[axis] *= between + 1
    x = reshaped(x, tuple(dims))
    ends = list(dims)
    ends[axis] -= between
    return sliced(x, [0] * len(dims), ends)


RULES: dict[str, Rule] = {
    f"stablehlo.{name}": rule
    for name, rule in {
        "broadcast_in_dim": _broadcast, "iota": _iota, "pad": _pad,
        "reshape": _reshape, "reverse": _reverse, "slice": _slice, "transpose": _transpose,
    }.items()
}  # fmt: skip
