"""Exchange between threads, and atomic operations, in the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asmgen.ir.program import Scope
from asmgen.mlir.interpret.numbers import bits_of, rounded, signed, wrapped
from asmgen.mlir.interpret.places import Number, element_number, from_memory, to_memory
from asmgen.mlir.interpret.run import Meeting, Steps, Thread
from asmgen.mlir.source import Operation
from asmgen.mlir.types import FloatType, Type


def _by_lane(threads: list[Thread]) -> dict[int, int]:
    return {thread.lane: i for i, thread in enumerate(threads)}


def shuffle(thread: Thread, operation: Operation) -> Steps:
    mode = operation.text("mode")

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places, results = _by_lane(threads), list[Number]()
        for thread, (value, offset, width) in zip(threads, values, strict=True):
            by = signed(offset, 32)
            first = thread.lane // width * width
            there = {"xor": thread.lane ^ by, "up": thread.lane - by, "down": thread.lane + by}.get(
                mode, first + by
            )
            is_valid = first <= there < first + width
            lane = there if is_valid and there in places else thread.lane
            results.append((values[places[lane]][0], int(is_valid)))
            _ = value
        return results

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def rotate(thread: Thread, operation: Operation) -> Steps:
    offset, width = operation.integer("offset"), operation.integer("width")

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = _by_lane(threads)
        there = [thread.lane // width * width + (thread.lane + offset) % width for thread in threads]
        return [
            (values[places.get(to, i)][0], int(each.lane < width))
            for i, (each, to) in enumerate(zip(threads, there, strict=True))
        ]

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def broadcast(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        places = _by_lane(threads)
        lanes = [places[given[1]] if len(given) > 1 else 0 for given in values]
        return [(values[lane][0],) for lane in lanes]

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def ballot(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        bits = sum(1 << thread.lane for thread, (holds,) in zip(threads, values, strict=True) if holds)
        return [(wrapped(bits, operation.result.type),)] * len(threads)

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def subgroup_reduce(thread: Thread, operation: Operation) -> Steps:
    size = operation.integer("cluster_size", thread.launch.wave)
    stride = operation.integer("cluster_stride", 1)

    def cluster(thread: Thread) -> tuple[int, int]:
        return thread.lane // (size * stride), thread.lane % stride

    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        results: list[Number] = []
        for thread in threads:
            numbers = [
                v[0] for other, v in zip(threads, values, strict=True) if cluster(other) == cluster(thread)
            ]
            results.append((_reduced(operation, numbers, thread),))
        return results

    return (yield Meeting(operation, Scope.WAVE, tuple(thread.operands(operation)), meet))


def all_reduce(thread: Thread, operation: Operation) -> Steps:
    def meet(threads: list[Thread], values: list[tuple[Number, ...]]) -> list[Number]:
        total = _reduced(operation, [value for (value,) in values], threads[0])
        return [(total,)] * len(threads)

    return (yield Meeting(operation, Scope.WORKGROUP, tuple(thread.operands(operation)), meet))


def _reduced(operation: Operation, numbers: list[Number], thread: Thread) -> Number:
    """Combine by a tree."""
    while len(numbers) > 1:
        paired = [
            _combined(operation, a, b, thread) for a, b in zip(numbers[::2], numbers[1::2], strict=False)
        ]
        numbers = [*paired, *numbers[len(numbers) // 2 * 2 :]]
    return numbers[0]


def _combined(operation: Operation, a: Number, b: Number, thread: Thread) -> Number:
    if operation.regions and operation.regions[0].blocks:
        steps = thread.region(operation.regions[0], (a, b))
        try:
            _ = next(steps)
        except StopIteration as done:
            return done.value[0]
        raise AssertionError("the region of a reduction waits for other threads")
    return combine(operation.text("op"), a, b, operation.result.type)


def combine(name: str, a: Any, b: Any, type_: Type) -> Number:
    """Combine two numbers of a type."""
    if isinstance(type_, FloatType):
        with np.errstate(all="ignore"):
            return rounded(_of_floats(name, a, b), type_)
    bits = bits_of(type_)
    x, y = (signed(a, bits), signed(b, bits)) if name in ("minsi", "maxsi", "mins", "maxs") else (a, b)
    made = {
        "add": x + y, "mul": x * y, "and": x & y, "or": x | y, "xor": x ^ y,
        "minui": min(x, y), "minsi": min(x, y), "maxui": max(x, y), "maxsi": max(x, y),
    }[name]  # fmt: skip
    return wrapped(made, type_)


_NAN_WINS = ("minimumf", "maximumf")
_MINIMA = ("minimumf", "minnumf")


def _of_floats(name: str, a: Any, b: Any) -> Any:
    if name in ("add", "mul"):
        return a + b if name == "add" else a * b
    if a != a or b != b:
        return (a if a != a else b) if name in _NAN_WINS else (b if a != a else a)
    return min(a, b) if name in _MINIMA else max(a, b)


KIND_NAMES = {
    "addf": "add", "addi": "add", "mulf": "mul", "muli": "mul", "ori": "or", "andi": "and", "xori": "xor",
    "maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui",
}  # fmt: skip


def atomic_rmw(thread: Thread, operation: Operation) -> Sequence[Number]:
    value, place, *indices = thread.operands(operation)
    kind = operation.text("kind")
    number = element_number(place, indices, operation, 1)
    type_ = operation.result.type
    old = from_memory(place.memory[number], type_)
    new = value if kind == "assign" else combine(KIND_NAMES.get(kind, kind), old, value, type_)
    place.memory[number] = to_memory(new, place.memory.dtype)
    return (old,)


def generic_atomic_rmw(thread: Thread, operation: Operation) -> Steps:
    place, *indices = thread.operands(operation)
    number = element_number(place, indices, operation, 1)
    old = from_memory(place.memory[number], operation.result.type)
    (new,) = yield from thread.region(operation.regions[0], (old,))
    place.memory[number] = to_memory(new, place.memory.dtype)
    return (old,)
