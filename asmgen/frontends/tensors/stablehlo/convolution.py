"""StableHLO's `convolution`: a product of matrices, with the windows of the operand along its rows."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from asmgen.frontends.tensors.op_call import OpCall, Results, check_numbers, stated_dims
from asmgen.frontends.tensors.stablehlo.shapes import padded, permuted, reshaped
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.frontends.traced.promotion import astype

Rule = Callable[[OpCall], Results]
_NUMBERS = re.compile(r"\[([\w, ]*)\]x\[([\w, ]*)\]->\[([\w, ]*)\]")


class Layouts(Struct, frozen=True):
    """The axes of the operand, the kernel and the result: `b` and `f`, `o` and `i`, and numbers for spatial
    axes."""

    operand: list[str]
    kernel: list[str]
    result: list[str]


def _layouts(call: OpCall) -> Layouts:
    match = _NUMBERS.search(call.operation.text("dimension_numbers"))
    assert match is not None, "the parser prints dimension numbers"
    return Layouts(*[[word.strip() for word in part.split(",")] for part in match.groups()])


def _convolution(call: OpCall) -> Results:
    x, kernel = call.arrays
    if 0 in stated_dims(call.operation.result):  # no window fits
        return apply("multibroadcast", like(0, astype(x, call.element.name)), out_lens=call.type.dims)
    layouts, operation = _layouts(call), call.operation
    spatial = [str(number) for number in range(x.type.rank - 2)]
    ones = (1,) * len(spatial)
    strides, inner, outer = [
        operation.integers(name) or ones for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    ]
    pads = operation.integers("padding") or (0,) * (2 * len(spatial))
    pads = pads * (2 * len(spatial)) if len(pads) == 1 else pads
    turned = operation.attributes.get("window_reversal")
    x = permuted(x, [layouts.operand.index(name) for name in ("b", "f", *spatial)])
    kernel = permuted(kernel, [layouts.kernel.index(name) for name in ("o", "i", *spatial)])
    if isinstance(turned, tuple) and any(turned):
        kernel = apply("reverse", kernel, axes=tuple([2 + axis for axis, each in enumerate(turned) if each]))
    between = (0, 0, *[step - 1 for step in inner])
    x = padded(x, 0, (0, 0, *pads[::2]), (0, 0, *pads[1::2]), between)
    axes = tuple(range(2, x.type.rank))
    sizes = kernel.type.dims[2:]
    check_numbers(operation, sizes)
    if axes:
        x = apply("windows", x, axes=axes, sizes=sizes, strides=strides, dilations=outer)
    product = _product(call, x, kernel, len(spatial))
    order = ["b", *spatial, "f"]
    return permuted(product, [order.index(name) for name in layouts.result])


def _product(call: OpCall, x: Array, kernel: Array, spatial: int) -> Array:
    """The operand {b, f, n, k, ...}, with windows and their elements, and the kernel {o, i, k, ...} give
    {b, n, ..., o}."""
    groups = call.operation.integer("feature_group_count", 1)
    of_batch = call.operation.integer("batch_group_count", 1)
    dims, of_kernel = x.type.dims, kernel.type.dims
    count = groups * of_batch
    element = call.element
    named = {} if x.type.element is element else {"target_type": element.name}
    if count == 1:
        left = (1, *[3 + 2 * axis for axis in range(spatial)])
        axes = {"lhs_contract": left, "rhs_contract": tuple(range(1, 2 + spatial))}
        return apply("dot_general", x, kernel, **axes, **named)
    if of_batch > 1:
        x = reshaped(x, (of_batch, dims[0] // of_batch, *dims[1:]))
    else:
        x = reshaped(x, (dims[0], groups, dims[1] // groups, *dims[2:]))
        x = permuted(x, [1, 0, *range(2, x.type.rank)])
    kernel = reshaped(kernel, (count, of_kernel[0] // count, *of_kernel[1:]))
    left = (2, *[4 + 2 * axis for axis in range(spatial)])
    right = tuple(range(2, 3 + spatial))
    axes = {"lhs_batch": (0,), "rhs_batch": (0,), "lhs_contract": left, "rhs_contract": right}
    made = apply("dot_general", x, kernel, **axes, **named)
    # {groups, b, n, ..., o / groups}
    rank = made.type.rank
    made = permuted(made, [*range(1, rank - 1), 0, rank - 1])
    whole = made.type.dims
    return reshaped(made, (*whole[:-2], whole[-2] * whole[-1]))


RULES: dict[str, Rule] = {"stablehlo.convolution": _convolution}
