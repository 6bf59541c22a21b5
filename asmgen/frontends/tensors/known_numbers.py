"""The numbers of small arrays that follow from no argument, such as an index that is computed from the
counter of a loop:

    i = iota[axis=0, out_lens={6}]; x = convert[target_type=f32](i); h = div(x, two); w = floor(h)
                                                                            w is 0.0 0.0 1.0 1.0 2.0 2.0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.graph import ops
from asmgen.index.size import Size
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Op, Statement, Value, literal_numbers, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, TensorType

_Numbers = NDArray[Any]
_Function = Callable[..., Any]
_MOST_ELEMENTS = 1 << 12
_MOST_STATEMENTS = 64


def numbers_of(value: Value, definition: Callable[[Value], Statement | None]) -> _Numbers | None:
    """The numbers of a value in its type; None if they follow from an argument, are many, or are computed by
    an op that is not exact in numpy, too."""
    needed = _needed(value, definition)
    if needed is None:
        return None
    with np.errstate(all="ignore"):
        return _evaluated(value, needed, {})


def _needed(value: Value, definition: Callable[[Value], Statement | None]) -> dict[Value, Statement] | None:
    """The statements that compute a value; None if numpy does not compute them all."""
    needed: dict[Value, Statement] = {}
    pending = [value]
    while pending:
        each = pending.pop()
        if each in needed:
            continue
        statement = definition(each)
        if statement is None or statement.op not in _KNOWN or _elements(each) > _MOST_ELEMENTS:
            return None
        if len(needed) == _MOST_STATEMENTS:
            return None
        needed[each] = statement
        pending.extend(statement.operands)
    return needed


def _elements(value: Value) -> int:
    """The number of elements; more than the most if only the launch knows it."""
    count = tensor_type(value).elements
    return _MOST_ELEMENTS + 1 if isinstance(count, Size) else count


def _evaluated(
    value: Value, needed: Mapping[Value, Statement], made: dict[Value, _Numbers]
) -> _Numbers | None:
    if value in made:
        return made[value]
    statement = needed[value]
    operands: list[_Numbers] = []
    for operand in statement.operands:
        numbers = _evaluated(operand, needed, made)
        if numbers is None:
            return None
        operands.append(numbers)
    result = _KNOWN[statement.op](statement, *operands)
    if result is not None:
        made[value] = result
    return result


def _literal(statement: Statement) -> _Numbers:
    type_ = tensor_type(statement.result)
    return np.array(list(literal_numbers(statement)), numpy_dtype(type_.element)).reshape(_dims(type_))


def _iota(statement: Statement) -> _Numbers:
    dims, axis = _dims(tensor_type(statement.result)), statement.attributes["axis"]
    assert isinstance(axis, int), "the axis of an iota is an integer"
    shape = [dim if at == axis else 1 for at, dim in enumerate(dims)]
    return np.broadcast_to(np.arange(dims[axis], dtype=np.int32).reshape(shape), dims)


def _dims(type_: TensorType) -> tuple[int, ...]:
    return tuple([int(dim) for dim in type_.dims if not isinstance(dim, Size)])


def _reshape(statement: Statement, x: _Numbers) -> _Numbers:
    return x.reshape(_dims(tensor_type(statement.result)))


def _broadcast(statement: Statement, x: _Numbers) -> _Numbers:
    return np.broadcast_to(x, _dims(tensor_type(statement.result)))


def _transpose(statement: Statement, x: _Numbers) -> _Numbers:
    permutation = statement.attributes["permutation"]
    assert isinstance(permutation, tuple), "a permutation is a list"
    return x.transpose([int(axis) for axis in permutation if isinstance(axis, int)])


def _slice(statement: Statement, x: _Numbers) -> _Numbers | None:
    """None for ends that only the launch knows."""
    axes, starts, ends = [statement.attributes[name] for name in ("axes", "starts", "ends")]
    assert isinstance(axes, tuple) and isinstance(starts, tuple) and isinstance(ends, tuple), "lists"
    taken = [slice(None)] * x.ndim
    for axis, start, end in zip(axes, starts, ends, strict=True):
        if not (isinstance(axis, int) and isinstance(start, int) and isinstance(end, int)):
            return None
        taken[axis] = slice(start, end)
    return x[tuple(taken)]


def _concat(statement: Statement, *parts: _Numbers) -> _Numbers:
    axis = statement.attributes["axis"]
    assert isinstance(axis, int), "the axis of a concat is an integer"
    return np.concatenate(parts, axis)


def _convert(statement: Statement, x: _Numbers) -> _Numbers | None:
    """None for floats that an integer type does not have."""
    to = numpy_dtype(ELEMENT_TYPES[str(statement.attributes["target_type"])])
    if to.kind == "b":
        return x != 0
    if to.kind in "iu" and x.dtype.kind not in "biu":
        whole, limits = np.trunc(x.astype(np.float64)), np.iinfo(to)
        if not np.all((whole >= limits.min) & (whole < limits.max)):
            return None
        return whole.astype(to)
    return x.astype(to)


def _divide(_statement: Statement, a: _Numbers, b: _Numbers) -> _Numbers:
    if a.dtype.kind not in "iu":
        return a / b
    divisor = np.where(b == 0, 1, b)
    return np.where(b == 0, 0, (a - np.fmod(a, divisor)) // divisor).astype(a.dtype)


def _extreme(function: _Function) -> _Function:
    """None if a number is NaN: the result depends on an option."""

    def extreme(_statement: Statement, a: _Numbers, b: _Numbers) -> _Numbers | None:
        return None if np.any(a != a) or np.any(b != b) else function(a, b)

    return extreme


def _remainder(_statement: Statement, a: _Numbers, b: _Numbers) -> _Numbers | None:
    return None if a.dtype.kind in "iu" and np.any(b == 0) else np.fmod(a, b)


def _plain(function: _Function) -> _Function:
    def plain(_statement: Statement, *operands: _Numbers) -> _Numbers:
        return function(*operands)

    return plain


_KNOWN: dict[Op, _Function] = {
    ops.LITERAL: _literal, ops.IOTA: _iota,
    ops.RESHAPE: _reshape, ops.SQUEEZE: _reshape, ops.UNSQUEEZE: _reshape, ops.MULTIBROADCAST: _broadcast,
    ops.TRANSPOSE: _transpose, ops.CONCAT: _concat, ops.SLICE: _slice, ops.CONVERT: _convert,
    ops.IDENTITY: _plain(np.copy), ops.ADD: _plain(np.add), ops.SUB: _plain(np.subtract),
    ops.MUL: _plain(np.multiply), ops.DIV: _divide, ops.FMOD: _remainder, ops.MAX: _extreme(np.maximum),
    ops.MIN: _extreme(np.minimum),
    ops.ABS: _plain(np.abs), ops.NEG: _plain(np.negative), ops.FLOOR: _plain(np.floor),
    ops.CEIL: _plain(np.ceil), ops.NEARBYINT: _plain(np.rint), ops.ISNAN: _plain(np.isnan),
    ops.WHERE: _plain(np.where), ops.EQUAL: _plain(np.equal), ops.LESS: _plain(np.less),
    ops.GREATER: _plain(np.greater), ops.NOT: _plain(np.logical_not),
    ops.LOGICAL_AND: _plain(np.logical_and), ops.LOGICAL_OR: _plain(np.logical_or),
    ops.LOGICAL_XOR: _plain(np.logical_xor), ops.BITWISE_AND: _plain(np.bitwise_and),
    ops.BITWISE_OR: _plain(np.bitwise_or), ops.BITWISE_XOR: _plain(np.bitwise_xor),
    ops.BITWISE_NOT: _plain(np.invert), ops.LEFT_SHIFT: _plain(np.left_shift),
    ops.RIGHT_SHIFT: _plain(np.right_shift),
}  # fmt: skip
"""The ops of which numpy's results are exactly those of the program."""
