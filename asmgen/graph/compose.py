"""Ops as sequences of simpler ops, so that the same lowering serves them on every type.

sqdiff(a, b) is d = a - b times itself; mod of integers is a - a/b * b, plus b if the signs differ;
isinf(x) is |x| = infinity. An op with numbers of its own, such as elu's alpha, is computed in the wide type
of small floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.compose_choices import nll_loss, one_hot
from asmgen.graph.compose_resample import interpolate
from asmgen.graph.infer_reduce import MOST_PLACES
from asmgen.graph.infer_windows import Window, windows_of
from asmgen.graph.rounded import rounded_to
from asmgen.graph.writer import Writer
from asmgen.index.size import Dim, Size, least
from asmgen.ir.identities import filling
from asmgen.ir.program import Module, Op, Statement, Value, tensor_type
from asmgen.ir.types import BOOL, F32, I32, U8, U32, ElementType, NumberKind, computed


def compose(module: Module, propagates_nan: bool = False) -> Module:
    """The module without the ops that are made of others. `propagates_nan` is the rule of max and min."""
    if not any(is_composed(statement) for statement in module.statements):
        return module
    builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])
    for statement in module.statements:
        if is_composed(statement):
            made = COMPOSED[statement.op](Writer(builder, statement, propagates_nan), *statement.operands)
            builder.statements.append(_finished(builder, statement, made))
        else:
            builder.statements.append(statement)
    return Module(module.name, tuple(builder.statements))


def _finished(builder: GraphBuilder, origin: Statement, made: Value) -> Statement:
    """The statement that gives the result of `origin`: the last written statement, or a conversion."""
    last = builder.statements[-1]
    if made.type == origin.result.type and made in last.results:
        _ = builder.statements.pop()
        return Statement(last.op, last.operands, origin.results, last.attributes, (), origin.place)
    element = origin.result.type.element.name
    return Statement(ops.CONVERT, (made,), origin.results, {"target_type": element}, (), origin.place)


Form = Callable[..., Value]


def _sqdiff(write: Writer, a: Value, b: Value) -> Value:
    difference = write.apply(ops.SUB, a, b)
    return write.apply(ops.MUL, difference, difference)


def _prelu(write: Writer, x: Value, slope: Value) -> Value:
    return write.apply(ops.WHERE, write.is_less(x, 0), write.apply(ops.MUL, x, slope), x)


def _sign(write: Writer, x: Value) -> Value:
    """0 of both zeros, and NaN of NaN."""
    one, zero = write.number(1, x), write.number(0, x)
    above = write.apply(ops.WHERE, write.apply(ops.GREATER, x, zero), one, x)
    if x.type.element.is_float:
        above = write.apply(ops.WHERE, write.is_equal(x, 0), zero, above)
    least = write.apply(ops.NEG, one)
    return write.apply(ops.WHERE, write.is_less(x, 0), least, above)


def _isnan(write: Writer, x: Value) -> Value:
    return write.apply(ops.NOT, write.apply(ops.EQUAL, x, x))


def _isinf(write: Writer, x: Value) -> Value:
    return write.is_equal(write.apply(ops.ABS, write.wide(x)), math.inf)


def _leaky_relu(write: Writer, x: Value) -> Value:
    wide = write.wide(x)
    slope = write.number(write.attribute("alpha"), wide)
    return write.apply(ops.WHERE, write.is_less(wide, 0), write.apply(ops.MUL, wide, slope), wide)


def _elu(write: Writer, x: Value) -> Value:
    """alpha (exp(x) - 1) below 0; exp(x) - 1 is 2 t / (1 - t) with t = tanh(x/2), so nothing cancels. For
    a tiny x, exp(x) - 1 is x, since half of a denormal may round to 0."""
    wide = write.wide(x)
    half = write.apply(ops.MUL, wide, write.number(0.5, wide))
    t = write.apply(ops.TANH, write.apply(ops.MIN, half, write.number(0, wide)))
    twice = write.apply(ops.ADD, t, t)
    less_one = write.apply(ops.DIV, twice, write.apply(ops.SUB, write.number(1, wide), t))
    less_one = write.apply(ops.WHERE, write.is_less(wide, -(2.0**-60)), less_one, wide)
    scaled = write.apply(ops.MUL, less_one, write.number(write.attribute("alpha"), wide))
    return write.apply(ops.WHERE, write.is_less(wide, 0), scaled, wide)


def _fmod(write: Writer, a: Value, b: Value) -> Value:
    """Of integers; by 0 it is 0."""
    whole = write.apply(ops.MUL, write.apply(ops.DIV, a, b), b)
    rest = write.apply(ops.SUB, a, whole)
    return write.apply(ops.WHERE, write.is_equal(b, 0), write.number(0, a), rest)


def _mod(write: Writer, a: Value, b: Value) -> Value:
    rest = _fmod(write, a, b)
    differs = write.apply(ops.LOGICAL_XOR, write.is_less(rest, 0), write.is_less(b, 0))
    is_some = write.apply(ops.NOT, write.is_equal(rest, 0))
    moves = write.apply(ops.LOGICAL_AND, differs, is_some)
    return write.apply(ops.WHERE, moves, write.apply(ops.ADD, rest, b), rest)


def _pow(write: Writer, a: Value, b: Value) -> Value:
    """Of integers, by squares; to a negative power it is the whole part of the quotient, and 0 of 0."""
    element = a.type.element
    result, square = write.number(1, a), a
    digits = element.bits - int(element.kind is NumberKind.SIGNED)
    for digit in range(digits):
        if digit:
            square = write.apply(ops.MUL, square, square)
        factor = write.apply(ops.WHERE, _has_bit(write, b, digit), square, write.number(1, a))
        result = write.apply(ops.MUL, result, factor)
    if element.kind is NumberKind.UNSIGNED:
        return result
    is_odd = _has_bit(write, b, 0)
    minus_one = write.apply(ops.SUB, write.number(0, a), write.number(1, a))
    sign = write.apply(ops.WHERE, is_odd, minus_one, write.number(1, a))
    is_minus_one = write.apply(ops.EQUAL, a, minus_one)
    of_one = write.apply(ops.WHERE, write.is_equal(a, 1), write.number(1, a), write.number(0, a))
    negative = write.apply(ops.WHERE, is_minus_one, sign, of_one)
    return write.apply(ops.WHERE, write.is_less(b, 0), negative, result)


def _has_bit(write: Writer, x: Value, bit: int) -> Value:
    digit = write.apply(ops.BITWISE_AND, x, write.number(1 << bit, x))
    return write.apply(ops.NOT, write.is_equal(digit, 0))


def _bitwise_and(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_AND, a, b)


def _bitwise_or(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_OR, a, b)


def _bitwise_xor(write: Writer, a: Value, b: Value) -> Value:
    return write.apply(ops.LOGICAL_XOR, a, b)


def _popcount(write: Writer, x: Value) -> Value:
    """The bit count of a signed integer. Registers have copies of its sign above it, so its bits are counted
    as unsigned."""
    unsigned = write.apply(ops.BIT_CAST, x, target_type=f"u{x.type.element.bits}")
    return write.apply(ops.POPCOUNT, unsigned)


def _leading_zeros(write: Writer, x: Value) -> Value:
    """The leading zeros of an integer that is computed in 32 bits."""
    bits = x.type.element.bits
    unsigned = x
    if x.type.element.kind is NumberKind.SIGNED:
        unsigned = write.apply(ops.BIT_CAST, x, target_type=f"u{bits}")
    zeros = write.apply(ops.LEADING_ZEROS, write.wide(unsigned, U32))
    return write.apply(ops.SUB, zeros, write.number(U32.bits - bits, zeros))


def _bit_cast(write: Writer, x: Value) -> Value:
    """A bool is the byte 0 or 1, and a byte other than 0 is true."""
    result = write.origin.result.type.element
    if x.type.element is BOOL and (result.is_float or result.is_code):
        x = write.apply(ops.CONVERT, x, target_type=U8.name)
        return write.apply(ops.BIT_CAST, x, target_type=result.name)
    return (
        write.apply(ops.BIT_CAST, x, target_type=U8.name)
        if x.type.element.is_float or x.type.element.is_code
        else x
    )


def _quantize(write: Writer, x: Value, scale: Value, *zero_point: Value) -> Value:
    """x / scale, rounded to the nearest whole number for a type of those, and the zero point: saturated."""
    wide = computed(scale.type.element) if scale.type.element.is_float else F32
    quotient = write.apply(ops.DIV, write.wide(x, wide), write.wide(scale, wide))
    is_whole = not write.origin.result.type.element.is_float
    if is_whole:
        quotient = write.apply(ops.NEARBYINT, quotient)
    if not zero_point or (is_whole and write.is_zero(zero_point[0])):  # a sum with 0 has no sign
        return quotient
    return write.apply(ops.ADD, quotient, write.wide(zero_point[0], wide))


def _dequantize(write: Writer, x: Value, scale: Value, *zero_point: Value) -> Value:
    """(x - zero point) scale."""
    wide = computed(scale.type.element)
    moved = write.wide(x, wide)
    if zero_point and not write.is_zero(zero_point[0]):
        moved = write.apply(ops.SUB, moved, write.wide(zero_point[0], wide))
    return write.apply(ops.MUL, moved, write.wide(scale, wide))


# Of rows


def _any(write: Writer, x: Value) -> Value:
    return _of_truths(write, x, ops.REDUCE_MAX, ops.REDUCE_SUM)


def _all(write: Writer, x: Value) -> Value:
    return _of_truths(write, x, ops.REDUCE_MIN, ops.REDUCE_PROD)


def _of_truths(write: Writer, x: Value, op: Op, of_nothing: Op) -> Value:
    """A reduction of 1 for each element that is not 0. If the axis is or may be empty, it is a sum or a
    product."""
    truth = x if x.type.element is BOOL else write.wide(x, BOOL)
    if tensor_type(x).dims == tensor_type(write.origin.result).dims:
        return truth
    used = of_nothing if 0 in map(least, tensor_type(x).dims) else op
    return write.apply(used, write.wide(truth, I32), axes=write.origin.attributes["axes"])


def _argmax(write: Writer, x: Value) -> Value:
    return _arg(write, x, ops.REDUCE_MAX)


def _argmin(write: Writer, x: Value) -> Value:
    return _arg(write, x, ops.REDUCE_MIN)


def _arg(write: Writer, x: Value, op: Op) -> Value:
    """The first or the last index of the extreme element. All steps are in the type of computation:
    elements are compared with the extreme as it is rounded there.

    If a NaN wins and the extreme is NaN, the index is that of a NaN. If a NaN loses, the extreme is NaN
    only in a row of NaN alone, which equals no element: the index is then the first or the last of the
    row.
    """
    x = write.wide(x)
    axis, is_last = write.origin.attributes["axis"], write.origin.attributes["select_last_index"]
    assert isinstance(axis, int)
    dims = tensor_type(x).dims
    axis %= len(dims)
    extreme = write.apply(op, x, axes=(axis,))
    is_found = write.apply(ops.EQUAL, x, extreme)
    if x.type.element.is_float and write.propagates_nan:
        both = write.apply(ops.LOGICAL_AND, _isnan(write, x), _isnan(write, extreme))
        is_found = write.apply(ops.LOGICAL_OR, is_found, both)
    index = write.apply(ops.IOTA, axis=axis, out_lens=dims)
    nowhere = _nowhere(dims[axis], bool(is_last))
    places = write.apply(ops.WHERE, is_found, index, write.number(nowhere, index))
    place = write.apply(ops.REDUCE_MAX if is_last else ops.REDUCE_MIN, places, axes=(axis,))
    if not x.type.element.is_float or write.propagates_nan:
        return place
    only = _last(write, index, axis) if is_last else write.number(0, place)
    return write.apply(ops.WHERE, write.is_equal(place, nowhere), only, place)


def _nowhere(size: Dim, is_last: bool) -> int:
    """A number outside of all indices that loses against each: before the first index, or after the last."""
    if is_last:
        return -1
    return MOST_PLACES if isinstance(size, Size) else size


def _last(write: Writer, index: Value, axis: int) -> Value:
    """The last index along an axis: a number, or an element of the indices if the launch knows the size."""
    size = tensor_type(index).dims[axis]
    if not isinstance(size, Size):
        return write.number(size - 1, index)
    return write.apply(ops.SLICE, index, axes=(axis,), starts=(size - 1,), ends=(size,))


def _logsoftmax(write: Writer, x: Value) -> Value:
    """x - m - log(sum(exp(x - m))), m the greatest of the row."""
    wide, axes = write.wide(x), (write.origin.attributes["axis"],)
    shifted = write.apply(ops.SUB, wide, write.apply(ops.REDUCE_MAX, wide, axes=axes))
    exp, log = (rounded_to(op, x.type.element) for op in (ops.EXP, ops.LOG))
    total = write.apply(ops.REDUCE_SUM, write.apply(exp, shifted), axes=axes)
    return write.apply(ops.SUB, shifted, write.apply(log, total))


def _instancenorm(write: Writer, x: Value, *others: Value) -> Value:
    return _of_groups(write, x, tensor_type(x).dims[1], others)


def _groupnorm(write: Writer, x: Value, *others: Value) -> Value:
    return _of_groups(write, x, int(write.attribute("groups")), others)


def _of_groups(write: Writer, x: Value, groups: Dim, others: tuple[Value, ...]) -> Value:
    """(x - m) / sqrt(v + epsilon) with the mean and the variance of each group of channels, times scale and
    with bias, which channels have.
    """
    batch, channels, *rest = tensor_type(x).dims
    grouped = (batch, groups, channels // (max(groups, 1) if isinstance(groups, int) else groups), *rest)
    axes = tuple(range(2, len(grouped)))
    wide = write.wide(x)
    if 0 in grouped:
        return x
    wide = write.apply(ops.RESHAPE, wide, dims=grouped)
    centred = write.apply(ops.SUB, wide, write.apply(ops.REDUCE_MEAN, wide, axes=axes))
    square = write.apply(ops.REDUCE_MEAN, write.apply(ops.MUL, centred, centred), axes=axes)
    epsilon = write.number(write.attribute("epsilon"), wide)
    root = rounded_to(ops.RSQRT, x.type.element)
    value = write.apply(ops.MUL, centred, write.apply(root, write.apply(ops.ADD, square, epsilon)))
    for op, other in zip((ops.MUL, ops.ADD), others, strict=False):
        dims = (1, *grouped[1:3], *[1] * (len(grouped) - 3))
        value = write.apply(op, value, write.apply(ops.RESHAPE, write.wide(other), dims=dims))
    value = write.wide(value, x.type.element)
    same = tensor_type(x).dims
    return value if grouped == same else write.apply(ops.RESHAPE, value, dims=same)


def _reduce_window(write: Writer, x: Value) -> Value:
    return _pooled(write, x, str(write.origin.attributes["combine"]))


def _max_pool(write: Writer, x: Value) -> Value:
    return _pooled(write, x, "max")


def _avg_pool(write: Writer, x: Value) -> Value:
    """The sum of the elements that exist by their number, or the mean of whole windows."""
    windows = windows_of(write.origin.op, write.origin.attributes, tensor_type(x).rank)
    padded = [window for window in windows if window.before or window.after]
    if not padded or write.origin.attributes["count_pads"]:
        return _pooled(write, x, "mean")
    total = _of_windows(write, write.wide(x), "sum")
    counts = [_count_of(write, number, window, x, total) for number, window in enumerate(windows)]
    count = reduce(lambda a, b: write.apply(ops.MUL, a, b), counts)
    inverse = write.apply(ops.RECIP, write.wide(count, total.type.element))
    return _squeezed(write, write.apply(ops.MUL, total, inverse), windows)


def _pooled(write: Writer, x: Value, combine: str) -> Value:
    windows = windows_of(write.origin.op, write.origin.attributes, tensor_type(x).rank)
    return _squeezed(write, _of_windows(write, x, combine), windows)


def _squeezed(write: Writer, pooled: Value, windows: tuple[Window, ...]) -> Value:
    """Without the dims of the elements of windows."""
    axes = tuple([window.axis + number for number, window in enumerate(windows, 1)])
    return write.apply(ops.SQUEEZE, pooled, axes=axes)


def _of_windows(write: Writer, x: Value, combine: str) -> Value:
    """The elements of each window combined, with the identity element in the padding; a dim of 1 is next to
    each dim of windows.
    """
    type_ = tensor_type(x)
    windows = windows_of(write.origin.op, write.origin.attributes, type_.rank)
    pads = {window.axis: (window.before, window.after) for window in windows}
    widths = [pads.get(axis, (0, 0)) for axis in range(type_.rank)]
    if any(map(any, widths)):
        number = filling(combine, type_.element, write.propagates_nan)
        before, after = zip(*widths, strict=True)
        x = write.apply(ops.PAD, x, pads=(*before, *after), mode="constant", value=number)
    listed = {
        "axes": tuple([window.axis for window in windows]),
        "sizes": tuple([window.length for window in windows]),
        "strides": tuple([window.stride for window in windows]),
        "dilations": tuple([window.dilation for window in windows]),
    }
    own = tuple([window.axis + number for number, window in enumerate(windows, 1)])
    spread = write.apply(ops.WINDOWS, x, **listed)
    return write.apply(_REDUCES[combine], spread, axes=own)


def _count_of(write: Writer, before: int, window: Window, x: Value, total: Value) -> Value:
    """How many elements each window along an axis has: those from index 0 on and before the last. `before`
    axes of windows are before it.
    """
    own, rank, size = window.axis + before, tensor_type(total).rank, tensor_type(x).dims[window.axis]

    def along(dim: Dim) -> Value:
        dims = tuple([dim if axis == own else 1 for axis in range(rank)])
        return write.apply(ops.IOTA, axis=own, out_lens=dims)

    def number(value: int) -> Value:
        return write.number(value, place)

    def by_dilation(value: Value) -> Value:
        positive = write.apply(ops.MAX, value, number(0))
        return positive if window.dilation == 1 else write.apply(ops.DIV, positive, number(window.dilation))

    place = along(tensor_type(total).dims[own])
    moved = place if window.stride == 1 else write.apply(ops.MUL, place, number(window.stride))
    first = write.apply(ops.SUB, number(window.before + window.dilation - 1), moved)
    if isinstance(size, int):
        after = write.apply(ops.ADD, first, number(size))
    else:
        last = _last(write, along(size), own)
        after = write.apply(ops.ADD, write.apply(ops.ADD, first, last), number(1))
    end = write.apply(ops.MIN, by_dilation(after), number(window.length))
    return write.apply(ops.MAX, write.apply(ops.SUB, end, by_dilation(first)), number(0))


_REDUCES: dict[str, Op] = {kind: op for op, kind in ops.REDUCTIONS.items()}
COMPOSED: dict[Op, Form] = {
    ops.SQDIFF: _sqdiff, ops.PRELU: _prelu, ops.SIGN: _sign, ops.ISNAN: _isnan, ops.ISINF: _isinf,
    ops.ELU: _elu, ops.LEAKY_RELU: _leaky_relu, ops.FMOD: _fmod, ops.MOD: _mod, ops.POW: _pow,
    ops.BITWISE_AND: _bitwise_and, ops.BITWISE_OR: _bitwise_or,
    ops.BITWISE_XOR: _bitwise_xor, ops.POPCOUNT: _popcount, ops.LEADING_ZEROS: _leading_zeros,
    ops.BIT_CAST: _bit_cast, ops.QUANTIZELINEAR: _quantize,
    ops.DEQUANTIZELINEAR: _dequantize, ops.REDUCE_ANY: _any, ops.REDUCE_ALL: _all, ops.ARGMAX: _argmax,
    ops.ARGMIN: _argmin, ops.LOGSOFTMAX: _logsoftmax, ops.INSTANCENORM: _instancenorm,
    ops.GROUPNORM: _groupnorm, ops.REDUCE_WINDOW: _reduce_window, ops.MAX_POOL: _max_pool,
    ops.AVG_POOL: _avg_pool, ops.ONE_HOT: one_hot, ops.NLL_LOSS: nll_loss, ops.INTERPOLATE: interpolate,
}  # fmt: skip


Types = tuple[ElementType, ElementType]  # of the first operand and of the result


def _of_floats(types: Types) -> bool:
    return types[1].is_float


def _of_numbers(types: Types) -> bool:
    return BOOL not in types


def _is_extended_by_zeros(types: Types) -> bool:
    return types[0].kind is NumberKind.UNSIGNED or _is_long(types)


def _is_long(types: Types) -> bool:
    return types[0].bits >= U32.bits


# Ops that exist on lanes too.
_STAYS: dict[Op, Callable[[Types], bool]] = {
    ops.FMOD: _of_floats, ops.MOD: _of_floats, ops.POW: _of_floats, ops.BITWISE_AND: _of_numbers,
    ops.BIT_CAST: _of_numbers, ops.BITWISE_OR: _of_numbers, ops.BITWISE_XOR: _of_numbers,
    ops.POPCOUNT: _is_extended_by_zeros, ops.LEADING_ZEROS: _is_long,
}  # fmt: skip


def is_composed(statement: Statement) -> bool:
    """Whether a statement is replaced by simpler statements."""
    op = statement.op
    if op not in COMPOSED:  # some have no operands
        return False
    return is_made_of_others(op, (statement.operands[0].type.element, statement.result.type.element))


def is_made_of_others(op: Op, types: Types) -> bool:
    """Whether an op of these types is only an op of the graph, made of simpler ops before tiles."""
    if op not in COMPOSED:
        return False
    stays = _STAYS.get(op)
    return stays is None or not stays(types)
