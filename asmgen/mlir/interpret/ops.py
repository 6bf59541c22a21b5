"""Ops that are not elementwise and that a function of the host may also have: memory, views, control flow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from asmgen.mlir.interpret import affine, exchange, vectors
from asmgen.mlir.interpret.numbers import rounded, signed
from asmgen.mlir.interpret.places import Number, Place, dtype_of, place_in, read, scalar_type, write
from asmgen.mlir.interpret.run import Controlled, Plain, Steps, Thread, chosen, constant_of, elementwise
from asmgen.mlir.source import DYNAMIC, Operation
from asmgen.mlir.types import IndexType, IntegerType
from isa.diagnostics import InputError


def _load(thread: Thread, operation: Operation) -> Sequence[Number]:
    place, *indices = thread.operands(operation)
    return (read(place, indices, operation.result.type, operation),)


def _store(thread: Thread, operation: Operation) -> Sequence[Number]:
    value, place, *indices = thread.operands(operation)
    write(place, indices, value, operation)
    return ()


def _mixed(thread: Thread, operation: Operation, name: str, group: int) -> list[int]:
    dynamic = iter(operation.segments()[group])
    static = operation.integers(f"static_{name}")
    return [thread.value(next(dynamic)) if number == DYNAMIC else number for number in static]


def _subview(thread: Thread, operation: Operation) -> Sequence[Number]:
    place: Place = thread.value(operation.operands[0])
    offsets, sizes, strides = (
        _mixed(thread, operation, name, group)
        for group, name in enumerate(("offsets", "sizes", "strides"), 1)
    )
    offset = place.offset + sum(a * b for a, b in zip(offsets, place.strides, strict=True))
    steps = [a * b for a, b in zip(strides, place.strides, strict=True)]
    type_ = operation.result.memref
    kept = list(range(len(sizes)))
    static = operation.integers("static_sizes")
    for position in reversed(range(len(sizes))):
        if len(kept) > len(type_.dims) and static[position] == 1:
            dims = [static[axis] for axis in kept if axis != position]
            fits = all(
                dim is None or dim in (size, DYNAMIC) or size == DYNAMIC
                for dim, size in zip(type_.dims, dims, strict=False)
            )
            if fits:
                kept.remove(position)
    return (
        Place(
            place.memory, offset, tuple(sizes[i] for i in kept), tuple(steps[i] for i in kept), place.lanes
        ),
    )


def _reinterpret(thread: Thread, operation: Operation) -> Sequence[Number]:
    place: Place = thread.value(operation.operands[0])
    offsets, sizes, strides = (
        _mixed(thread, operation, name, group)
        for group, name in enumerate(("offsets", "sizes", "strides"), 1)
    )
    lanes = place.lanes
    return (
        Place(
            place.memory, offsets[0] * lanes, tuple(sizes), tuple(stride * lanes for stride in strides), lanes
        ),
    )


def _metadata(thread: Thread, operation: Operation) -> Sequence[Number]:
    (place,) = thread.operands(operation)
    lanes = place.lanes
    base = Place(place.memory, 0, (), (), lanes)
    return base, place.offset // lanes, *place.sizes, *[stride // lanes for stride in place.strides]


def _transpose(thread: Thread, operation: Operation) -> Sequence[Number]:
    (place,) = thread.operands(operation)
    map_ = operation.map("permutation")
    order = [affine.evaluated(result, range(map_.dims), ()) for result in map_.results]
    sizes, strides = (tuple([given[i] for i in order]) for given in (place.sizes, place.strides))
    return (place._replace(sizes=sizes, strides=strides),)


def _view(thread: Thread, operation: Operation) -> Sequence[Number]:
    place, shift, *dynamic = thread.operands(operation)
    type_ = operation.result.memref
    scalar, _ = scalar_type(type_)
    dtype = dtype_of(scalar)
    given = iter(dynamic)
    dims = [next(given) if dim is None else dim for dim in type_.dims]
    first = place.offset + shift
    count = (place.memory.size - first) // dtype.itemsize
    if not 0 <= first <= place.memory.size:
        message = (
            f"memref.view from byte {shift} of memory of {place.memory.size} bytes, wanted a byte inside"
        )
        raise InputError(operation.place, "MLIR090", message)
    inner = place.memory[first : first + count * dtype.itemsize].view(dtype)
    return (place_in(inner, type_, dims),)


def _dim(thread: Thread, operation: Operation) -> Sequence[Number]:
    place, number = thread.operands(operation)
    return (place.sizes[number],)


def _if(thread: Thread, operation: Operation) -> Steps:
    then, otherwise = operation.regions
    taken = then if thread.value(operation.operands[0]) else otherwise
    return (yield from thread.region(taken, ())) if taken.blocks else []


def _for(thread: Thread, operation: Operation) -> Steps:
    start, stop, step, *carried = thread.operands(operation)
    type_ = operation.operands[0].type
    bits = type_.width if isinstance(type_, IntegerType) else 64
    start, stop, step = (signed(number, bits) for number in (start, stop, step))
    if start < stop:
        _check_steps(operation, (step,))
    while start < stop:
        counter = start if isinstance(type_, IndexType) else start & ((1 << bits) - 1)
        carried = yield from thread.region(operation.regions[0], (counter, *carried))
        start += step
    return carried


def _check_steps(operation: Operation, steps: Sequence[int]) -> None:
    """`InputError` MLIR094 for a step that is not positive."""
    for step in steps:
        if step <= 0:
            message = f"{operation.name} has the step {step}, wanted a step of at least 1"
            raise InputError(operation.place, "MLIR094", message)


def _parallel(thread: Thread, operation: Operation) -> Steps:
    starts, stops, steps, carried = (
        [thread.value(operand) for operand in group] for group in operation.segments()
    )
    reductions = operation.body.terminator.regions
    _check_steps(operation, steps)
    for numbers in product(*map(range, starts, stops, steps)):
        results = yield from thread.region(operation.regions[0], numbers)
        for number, region in enumerate(reductions):
            (carried[number],) = yield from thread.region(region, (carried[number], results[number]))
    return carried


def _while(thread: Thread, operation: Operation) -> Steps:
    before, after = operation.regions
    carried = thread.operands(operation)
    while True:
        go, *passed = yield from thread.region(before, carried)
        if not go:
            return passed
        carried = yield from thread.region(after, passed)


def _index_switch(thread: Thread, operation: Operation) -> Steps:
    number = thread.value(operation.operands[0])
    default, *regions = operation.regions
    cases = dict(zip(operation.integers("cases"), regions, strict=True))
    return (yield from thread.region(cases.get(number, default), ()))


def _execute(thread: Thread, operation: Operation) -> Steps:
    return (yield from thread.region(operation.regions[0], ()))


def _call(thread: Thread, operation: Operation) -> Steps:
    symbol = operation.symbol("callee")
    functions = thread.launch.module.operation.walk()
    called = next(
        function for function in functions if function.attributes.get("sym_name") == symbol.path[-1]
    )
    return (yield from thread.region(called.regions[0], thread.operands(operation)))


def _add_with_carry(thread: Thread, operation: Operation) -> Sequence[Number]:
    a, b = thread.operands(operation)
    type_ = operation.results[0].type
    assert isinstance(type_, IntegerType)
    bits = type_.width
    return (a + b) & ((1 << bits) - 1), (a + b) >> bits


def _subtract_with_borrow(thread: Thread, operation: Operation) -> Sequence[Number]:
    a, b = thread.operands(operation)
    type_ = operation.results[0].type
    assert isinstance(type_, IntegerType)
    return (a - b) & ((1 << type_.width) - 1), int(a < b)


def _sine_and_cosine(thread: Thread, operation: Operation) -> Sequence[Number]:
    (value,) = thread.operands(operation)
    type_ = operation.results[0].type
    return rounded(np.sin(np.float64(value)), type_), rounded(np.cos(np.float64(value)), type_)


def _multiply_wide(thread: Thread, operation: Operation) -> Sequence[Number]:
    a, b = thread.operands(operation)
    type_ = operation.results[0].type
    assert isinstance(type_, IntegerType)
    if operation.name == "arith.mulsi_extended":
        a, b = signed(a, type_.width), signed(b, type_.width)
    mask = (1 << type_.width) - 1
    return a * b & mask, a * b >> type_.width & mask


PLAIN: dict[str, Plain] = {
    "arith.constant": lambda thread, operation: (constant_of(operation),),
    "index.constant": lambda thread, operation: (operation.integer("value"),),
    "index.bool.constant": lambda thread, operation: (int(bool(operation.attributes["value"])),),
    "index.sizeof": lambda thread, operation: (64,),
    "arith.select": chosen,
    "arith.addui_extended": _add_with_carry,
    "arith.subui_extended": _subtract_with_borrow,
    "math.sincos": _sine_and_cosine,
    "arith.mulsi_extended": _multiply_wide,
    "arith.mului_extended": _multiply_wide,
    "memref.load": _load,
    "memref.store": _store,
    "memref.subview": _subview,
    "memref.reinterpret_cast": _reinterpret,
    "memref.dim": _dim,
    "memref.view": _view,
    "memref.extract_strided_metadata": _metadata,
    "memref.transpose": _transpose,
    "memref.rank": lambda thread, operation: (len(thread.operands(operation)[0].sizes),),
    "memref.collapse_shape": vectors.collapse,
    "memref.expand_shape": vectors.expand,
    "memref.assume_alignment": lambda thread, operation: thread.operands(operation),
    "affine.apply": affine.apply,
    "affine.min": affine.least,
    "affine.max": affine.greatest,
    "affine.delinearize_index": affine.delinearize,
    "affine.linearize_index": affine.linearize,
    "affine.load": affine.load,
    "affine.vector_load": affine.load,
    "affine.vector_store": affine.store,
    "affine.prefetch": lambda thread, operation: (),
    "memref.prefetch": lambda thread, operation: (),
    "memref.distinct_objects": lambda thread, operation: thread.operands(operation),
    "affine.store": affine.store,
    "vector.load": vectors.load,
    "vector.store": vectors.store,
    "vector.transfer_read": vectors.transfer_read,
    "vector.transfer_write": vectors.transfer_write,
    "vector.broadcast": vectors.broadcast,
    "vector.extract": vectors.extract,
    "vector.insert": vectors.insert,
    "vector.shuffle": vectors.shuffle,
    "vector.reduction": vectors.reduction,
    "vector.from_elements": vectors.from_elements,
    "vector.to_elements": vectors.to_elements,
    "vector.shape_cast": lambda thread, operation: thread.operands(operation),
    "vector.fma": lambda thread, operation: (elementwise(operation, thread.operands(operation)),),
    "memref.atomic_rmw": exchange.atomic_rmw,
    "memref.cast": lambda thread, operation: thread.operands(operation),
    "memref.memory_space_cast": lambda thread, operation: thread.operands(operation),
}
CONTROLLED: dict[str, Controlled] = {
    "scf.if": _if,
    "scf.for": _for,
    "affine.for": affine.for_,
    "affine.if": affine.if_,
    "affine.parallel": affine.parallel,
    "scf.parallel": _parallel,
    "scf.while": _while,
    "scf.index_switch": _index_switch,
    "scf.execute_region": _execute,
    "memref.alloca_scope": _execute,
    "func.call": _call,
    "memref.generic_atomic_rmw": exchange.generic_atomic_rmw,
}
