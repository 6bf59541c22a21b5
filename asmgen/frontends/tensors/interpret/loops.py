"""The loops of ops of linalg with maps.

Trips of reductions run in succession; each computes the body for all trips of the other loops at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import chain, product
from typing import Any

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, OpenOrder, Semantics, Unknown
from asmgen.frontends.tensors.interpret.values import Array, Value, element_of, rounded
from asmgen.mlir.source import AffineMap, Binary, Block, Dim, Expression, Operation, Ssa

_MOST_TRIPS = 1 << 14


def _up(a: Any, b: Any) -> Any:
    return -(-np.asarray(a) // b)


_OPS: dict[str, Any] = {
    "+": np.add, "*": np.multiply, "mod": np.mod, "floordiv": np.floor_divide,
    "ceildiv": _up,
}  # fmt: skip


def _number(expression: Expression, loops: Sequence[Any]) -> Any:
    if isinstance(expression, Dim):
        return loops[expression.number]
    if isinstance(expression, Binary):
        return _OPS[expression.op](_number(expression.left, loops), _number(expression.right, loops))
    return expression


def _structured(call: Call) -> list[Value]:
    given = call.operation.attributes
    maps = given.get("indexing_maps", given.get("linalg.memoized_indexing_maps"))
    if not isinstance(maps, tuple):
        raise Unknown(call.operation)
    return _looped(call, [each for each in maps if isinstance(each, AffineMap)])


def _looped(call: Call, maps: Sequence[AffineMap]) -> list[Value]:
    arrays, count = call.arrays, len(call.operation.results)
    sizes = _sizes(maps, arrays)
    of_results = maps[len(maps) - count :]
    has_nan = any(x.dtype.kind == "f" and np.isnan(x).any() for x in arrays)
    if count > 1 and has_nan and any(len(set(_dims(each))) < len(sizes) for each in of_results):
        raise OpenOrder
    parallel = [axis for axis in range(len(sizes)) if all(Dim(axis) in each.results for each in of_results)]
    reduced = [axis for axis in range(len(sizes)) if axis not in parallel]
    if math.prod([sizes[axis] for axis in reduced]) > _MOST_TRIPS:
        raise Unknown(call.operation)
    whole = np.indices([sizes[axis] for axis in parallel])
    inputs = len(arrays) - count
    results = [
        rounded(x, element_of(each.type)).copy()
        for x, each in zip(arrays[inputs:], call.operation.results, strict=True)
    ]
    sums = [_is_float_sum(call, inputs + number) for number in range(count)]
    for trip in product(*[range(sizes[axis]) for axis in reduced]):
        loops: list[Any] = [0] * len(sizes)
        for axis, value in (*zip(parallel, whole, strict=True), *zip(reduced, trip, strict=True)):
            loops[axis] = value
        places = [tuple([_number(each, loops) for each in map_.results]) for map_ in maps]
        values = [np.asarray(x[place]) for x, place in zip([*arrays[:inputs], *results], places, strict=True)]
        made = _body(call, values, loops, sums)
        for result, place, value in zip(results, places[inputs:], made, strict=True):
            result[place] = value
    return [
        rounded(x, element_of(each.type)) for x, each in zip(results, call.operation.results, strict=True)
    ]


def _dims(map_: AffineMap) -> list[Expression]:
    return [each for each in map_.results if isinstance(each, Dim)]


def _sizes(maps: Sequence[AffineMap], arrays: Sequence[Array]) -> list[int]:
    sizes: dict[int, int] = {}
    for map_, array in zip(maps, arrays, strict=True):
        for expression, dim in zip(map_.results, array.shape, strict=True):
            if isinstance(expression, Dim):
                sizes[expression.number] = dim
    return [sizes[axis] for axis in range(maps[0].dims)]


def _is_float_sum(call: Call, number: int) -> bool:
    """Whether the body adds floats to an argument: these sums are rounded once, at their end, and products
    that are added are not."""
    body = call.operation.body
    argument = body.arguments[number]
    end = body.terminator.operands[number - (len(body.arguments) - len(body.terminator.operands))]
    owner = end.owner
    return owner is not None and owner.name == "arith.addf" and list(owner.operands).count(argument) == 1


def _body(call: Call, values: Sequence[Array], loops: Sequence[Any], sums: Sequence[bool]) -> list[Array]:
    body = call.operation.body
    indices = [each for each in body.operations if each.name == "linalg.index"]
    ends = list(body.terminator.operands)
    of_sums = [each.owner for each, is_sum in zip(ends, sums, strict=True) if is_sum]
    others = [each for each in body.operations[:-1] if each.name != "linalg.index" and each not in of_sums]
    accumulators = dict(zip(ends, body.arguments[len(body.arguments) - len(ends) :], strict=True))
    factors: list[tuple[Ssa, ...]] = [(end,) for end in ends]
    for number, (end, is_sum) in enumerate(zip(ends, sums, strict=True)):
        if is_sum and end.owner is not None:
            added = next(each for each in end.owner.operands if each is not accumulators[end])
            is_product = added.owner is not None and added.owner.name == "arith.mulf"
            factors[number] = added.owner.operands if added.owner is not None and is_product else (added,)
    yielded = Operation("linalg.yield", tuple(chain(*factors)), {}, body.terminator.place)
    block = Block(0, (*body.arguments, *[each.result for each in indices]), [*others, yielded])
    given = [*values, *[np.asarray(loops[each.integer("dim")], np.int64) for each in indices]]
    made = iter([value for value in call.block(block, given) if not isinstance(value, tuple)])
    ended = [reduce(np.multiply, [next(made) for _ in each]) for each in factors]
    starts = values[len(values) - len(ends) :]
    return [
        start + value if is_sum else value for start, value, is_sum in zip(starts, ended, sums, strict=True)
    ]


def _map(call: Call) -> list[Value]:
    return _looped(call, [_whole(call.arrays[-1].ndim)] * len(call.arrays))


def _reduce(call: Call) -> list[Value]:
    rank, count = call.arrays[0].ndim, len(call.operation.results)
    gone = call.operation.integers("dimensions")
    kept = AffineMap(rank, 0, tuple([Dim(axis) for axis in range(rank) if axis not in gone]))
    return _looped(call, [*[_whole(rank)] * count, *[kept] * count])


def _whole(rank: int) -> AffineMap:
    return AffineMap(rank, 0, tuple([Dim(axis) for axis in range(rank)]))


def _softmax(call: Call) -> list[Value]:
    x, axis = call.arrays[0], call.operation.integer("dimension")
    power = np.exp(x - x.max(axis, keepdims=True))
    return [rounded(power / power.sum(axis, keepdims=True), call.element)]


SEMANTICS: dict[str, Semantics] = {
    "linalg.map": _map, "linalg.reduce": _reduce, "linalg.softmax": _softmax, "linalg.*": _structured,
}  # fmt: skip
"""`linalg.*` are the other ops of linalg that have maps."""
