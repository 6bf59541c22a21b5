"""Memory of a function of the host: its operations allocate, copy, fill and free buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from asmgen.ir.arrays import strided
from asmgen.mlir.interpret.places import (
    Array,
    Number,
    Place,
    allocated_as,
    dtype_of,
    scalar_type,
    to_memory,
)
from asmgen.mlir.interpret.run import Thread
from asmgen.mlir.source import Dense, Operation
from isa.diagnostics import InputError


class Heap:
    """The freed buffers of a run, and its globals by name."""

    def __init__(self) -> None:
        self._freed: dict[int, Array] = {}  # by identity; kept alive, so that no other array gets the same id
        self.globals: dict[str, Place] = {}

    def free(self, place: Place) -> None:
        self._freed[id(place.memory)] = place.memory

    def check(self, values: Sequence[Number], operation: Operation) -> None:
        """`InputError` MLIR075 if an operation takes a freed buffer."""
        for value in values:
            if isinstance(value, Place) and id(value.memory) in self._freed:
                message = f"{operation.name} takes a freed buffer, wanted a live buffer"
                raise InputError(operation.place, "MLIR075", message)


Rule = Callable[[Heap, Thread, Operation], Sequence[Number]]


def array_of(place: Place, operation: Operation) -> Array:
    """The elements of a memref as an array that shares its memory. If elements are vectors, the last dim is
    their lanes. `InputError` MLIR090 if the memref leaves its memory."""
    sizes, strides = place.sizes, place.strides
    if place.lanes > 1:
        sizes, strides = (*sizes, place.lanes), (*strides, 1)
    if any(size < 0 for size in sizes):
        message = f"{operation.name} of a memref with the sizes {sizes}, wanted sizes from 0 on"
        raise InputError(operation.place, "MLIR090", message)
    reach = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
    first = place.offset + sum(step for step in reach if step < 0)
    last = place.offset + sum(step for step in reach if step > 0)
    if 0 not in sizes and not 0 <= first <= last < place.memory.size:
        message = f"{operation.name} of elements {first} to {last} of memory of {place.memory.size}"
        raise InputError(operation.place, "MLIR090", f"{message}, wanted elements of it")
    return strided(place.memory[max(place.offset, 0) :], sizes, strides)


def _alloc(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    """Zeros. Operands give the dynamic dims. Strides are those of the type, or packed."""
    type_ = operation.result.memref
    groups = operation.segments()
    dynamic = iter([thread.value(operand) for operand in (groups[-2] if groups else operation.operands)])
    dims = [next(dynamic) if dim is None else dim for dim in type_.dims]
    if any(dim < 0 for dim in dims):
        raise InputError(
            operation.place, "MLIR074", f"{operation.name} has the dims {dims}, wanted dims from 0 on"
        )
    return (allocated_as(type_, dims),)


def _free(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    (place,) = thread.operands(operation)
    heap.free(place)
    return ()


def _copy(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    source, target = thread.operands(operation)
    _move(source, target, operation)
    return ()


def _copy_to_first(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    """`gpu.memcpy`: the first operand is the destination."""
    target, source = thread.operands(operation)
    _move(source, target, operation)
    return ()


def _move(source: Place, target: Place, operation: Operation) -> None:
    given, taken = array_of(source, operation), array_of(target, operation)
    if given.shape != taken.shape:
        message = f"{operation.name} of {given.shape} to {taken.shape}, wanted memrefs of the same sizes"
        raise InputError(operation.place, "MLIR074", message)
    taken[...] = given.copy()


def _fill(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    place, value = thread.operands(operation)
    array_of(place, operation)[...] = to_memory(value, place.memory.dtype)
    return ()


def _global(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    symbol = operation.symbol("name")
    name = symbol.path[-1]
    if name not in heap.globals:
        heap.globals[name] = _initial(thread, name, operation)
    return (heap.globals[name],)


def _initial(thread: Thread, name: str, operation: Operation) -> Place:
    """The buffer of a `memref.global`, with its initial value if it has any."""
    declared = next(
        inner
        for inner in thread.launch.module.operation.walk()
        if inner.name == "memref.global" and inner.attributes.get("sym_name") == name
    )
    type_ = operation.result.memref
    place = allocated_as(type_, [dim or 0 for dim in type_.dims])
    value = declared.attributes.get("initial_value")
    if value is None:
        message = f"{name} has no value in this file, wanted a memref.global with a value"
        raise InputError(operation.place, "MLIR074", message)
    if value is True:  # uninitialized
        return place
    if not isinstance(value, Dense):
        message = f"the value of {name} is {value}, wanted dense<...> of numbers"
        raise InputError(declared.place, "MLIR074", message)
    dtype = dtype_of(scalar_type(type_)[0])
    array = array_of(place, operation)
    numbers = np.array([to_memory(number, dtype) for number in value.values], dtype)
    array[...] = numbers if len(numbers) == 1 else numbers.reshape(array.shape)
    return place


def _nothing(heap: Heap, thread: Thread, operation: Operation) -> Sequence[Number]:
    """No effect: memory is already that of the host, and operations run in order."""
    return ()


MEMORY: Mapping[str, Rule] = {
    "memref.alloc": _alloc,
    "memref.alloca": _alloc,
    "memref.dealloc": _free,
    "memref.copy": _copy,
    "memref.get_global": _global,
    "gpu.alloc": _alloc,
    "gpu.dealloc": _free,
    "gpu.memcpy": _copy_to_first,
    "gpu.memset": _fill,
    "gpu.wait": _nothing,
    "gpu.host_register": _nothing,
    "gpu.host_unregister": _nothing,
}
