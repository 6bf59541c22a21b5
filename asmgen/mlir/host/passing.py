"""What a launch passes to its kernel: its operands, or pointers and descriptors of them if it takes these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asmgen.mlir.interpret.memory import Array, Number, Place
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import MemrefType, PointerType
from isa.diagnostics import InputError


def passed_values(
    operands: Sequence[Ssa], values: Sequence[Number], taken: Sequence[Ssa], operation: Operation
) -> list[Number]:
    """A value for each argument of a kernel. A memref is itself; a pointer, if the kernel takes one for each
    memref; else its descriptor: the allocated and the aligned pointer, the offset, the sizes, the strides.
    `InputError` MLIR077 if the kernel takes neither."""
    pairs = list(zip(operands, values, strict=True))
    bare = [[value] for _, value in pairs]
    described = [_descriptor(value) if isinstance(value, Place) else [value] for _, value in pairs]
    for parts in (bare, described):
        flat = [one for part in parts for one in part]
        if _fits(flat, taken):
            return [_pointed(one) if _is_pointer(ssa) else one for one, ssa in zip(flat, taken, strict=True)]
    given = ", ".join(str(ssa.type) for ssa in operands) or "nothing"
    wanted = ", ".join(str(ssa.type) for ssa in taken) or "nothing"
    message = f"{operation.name} passes {given}, wanted what the kernel takes: {wanted}"
    raise InputError(operation.place, "MLIR077", message)


def _fits(values: Sequence[Number], taken: Sequence[Ssa]) -> bool:
    """Whether each argument that is a place gets a place, and each other one a number."""
    if len(values) != len(taken):
        return False
    places = [isinstance(ssa.type, MemrefType | PointerType) for ssa in taken]
    return all(isinstance(one, Place) == is_place for one, is_place in zip(values, places, strict=True))


def _is_pointer(ssa: Ssa) -> bool:
    return isinstance(ssa.type, PointerType)


def _descriptor(place: Place) -> list[Number]:
    """Kernels do not use the allocated pointer, which would be the same memory a second time."""
    lanes = place.lanes
    strides = [stride // lanes for stride in place.strides]
    allocated = _whole(np.zeros(1, place.memory.dtype))
    return [allocated, _whole(place.memory), place.offset // lanes, *place.sizes, *strides]


def _pointed(value: Number) -> Number:
    """The memory from the first element of a place on."""
    assert isinstance(value, Place), value
    return _whole(value.memory[value.offset :]) if value.offset else _whole(value.memory)


def _whole(memory: Array) -> Place:
    return Place(memory, 0, memory.shape, (1,))
