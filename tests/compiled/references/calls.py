"""Functions that are called."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Changed, Out, case, kernels_of, random, words

MASK = 0xFFFFFFFF


def each(function: Callable[..., int], *columns: Array) -> Array:
    """The function of every lane's values as Python's whole numbers, as u32."""
    return np.array(
        [function(*(int(value) for value in values)) & MASK for values in zip(*columns, strict=True)],
        np.uint64,
    ).astype(np.uint32)


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def recursive_fibonacci(target: TargetId) -> Case:
    x = words(1, 128)
    return case(2, 64, x, Out(each(lambda n: fibonacci(n % 9), x)))


def ackermann(m: int, n: int) -> int:
    return n + 1 if m == 0 else ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


def ackermann_numbers(target: TargetId) -> Case:
    return case(1, 64, Out(np.array([ackermann(i % 3, i % 4) for i in range(64)], np.uint32)))


def step_even(x: int, depth: int) -> int:
    if depth == 0:
        return x
    rest = step_odd(x // 2, depth - 1) if x & 2 else step_even(x // 2 + 1, depth - 1)
    return (rest * 3 + x) & MASK


def step_odd(x: int, depth: int) -> int:
    if depth == 0:
        return ~x & MASK
    return (step_even((3 * x + 1) & MASK, depth - 1) if x & 1 else step_odd(x // 2, depth - 1)) ^ x


def mutual_recursion(target: TargetId) -> Case:
    x = words(2, 128)
    return case(2, 64, x, Out(each(lambda value: step_even(value, 7), x)))


def tree_depths(target: TargetId) -> Case:
    keys, value = random(3).permutation(64), words(4, 64, below=1000)
    left, right = np.full(64, -1, np.int32), np.full(64, -1, np.int32)
    for node in range(1, 64):
        at = 0
        while True:
            side = left if keys[node] < keys[at] else right
            if side[at] < 0:
                side[at] = node
                break
            at = int(side[at])

    def total(node: int, depth: int) -> int:
        return 0 if node < 0 else int(value[node]) * depth + total(int(left[node]), depth + 1) + total(int(right[node]), depth + 1)

    return case(1, 64, left, right, value, Out(np.array([total(i, 1) for i in range(64)], np.uint32)))


def virtual_shapes(target: TargetId) -> Case:
    x = words(5, 128, below=1 << 24)

    def area(value: int) -> int:
        size, by = value >> 8 & 255, value & 7
        if value % 3 == 0:
            return size * size * (1 + by)
        if value % 3 == 1:
            return 3 * size * size * (1 + by * by)
        return size * (value >> 16 & 255) * (1 + by)

    return case(2, 64, x, Out(each(area, x)))


def function_table(target: TargetId) -> Case:
    x = words(6, 128)
    functions: list[Callable[[int], int]] = [lambda a: a * 2, lambda a: a * a, lambda a: ~a, lambda a: a // 3]

    def chosen(value: int) -> int:
        for k in range(3):
            value = functions[(value >> k) % 4]((value + k) & MASK) & MASK
        return value

    return case(2, 64, x, Out(each(chosen, x)))


def uniform_function(target: TargetId) -> Case:
    x, lane = words(7, 128), np.arange(128, dtype=np.uint32) % 64
    return case(2, 64, x, Out(x + np.uint32(5) * lane), np.uint32(1))


def member_pointers(target: TargetId) -> Case:
    x = words(8, 128)

    def counted(value: int) -> int:
        sign = 1 if value & 1 else -2
        first = (value + sign * 7) & MASK
        return first * 31 + first + sign * (value & 15)

    return case(2, 64, x, Out(each(counted, x)))


def callbacks(target: TargetId) -> Case:
    x = words(9, 132)
    out = np.zeros((128, 2), np.uint32)
    for i in range(128):
        row = [int(value) for value in x[i : i + 5]]
        mixed = 1
        for value in row[:4]:
            mixed = (mixed * 33 & MASK) ^ value if i & 1 else max(mixed, value)
        out[i] = max(row[: 1 + i % 5]), mixed
    return case(2, 64, x, Out(out))


def returned_structs(target: TargetId) -> Case:
    x = random(10).standard_normal(136).astype(np.float32)
    sums, cubes, counts = np.zeros((128, 2), np.float32), np.zeros(128), np.zeros(128, np.uint32)
    for i in range(128):
        for k in range(1 + i % 9):
            value = x[i + k]
            sums[i] += value, value * value
            cubes[i] += float(value) * float(value) * float(value)
        ks = range(1 + i % 9)
        counts[i] = 100 * len(ks) + sum(k for k in ks if k % 6 == 0) + 2 * sum(k for k in ks if k % 6 == 5)
    return case(2, 64, x, Out(sums), Out(cubes), Out(counts))


def many_arguments(target: TargetId) -> Case:
    x = words(11, 128)

    def total(i: int) -> int:
        v = [int(value) for value in x]
        c = (v[i] & 0xFFFF) - (v[i] << 1 & 0x10000)
        result = (v[i] << 20 >> 16) + c * 3 + (v[i] & 255) * 5 + int((v[i] & 0xFFFF) / 4) + i * 7 + (~i & MASK) * 11
        return result + sum(v[(i + k) % 128] * k + v[(i + 3 * k) % 128] * (k + 20) for k in range(20))

    return case(2, 64, x, Out(each(total, np.arange(128))))


def towers_of_hanoi(target: TargetId) -> Case:
    def moves(lane: int) -> int:
        discs, number = 1 + lane % 5, 0

        def move(count: int, start: int, end: int, over: int) -> None:
            nonlocal number
            if count:
                move(count - 1, start, over, end)
                number = (number * 5 + start * 3 + end) & MASK
                move(count - 1, over, end, start)

        move(discs, 0, 2, 1)
        return number ^ discs << 28

    return case(1, 64, Out(each(moves, np.arange(64))))


def recursive_quicksort(target: TargetId) -> Case:
    x = words(12, 64, 12, below=50)
    return case(1, 64, Changed(x, np.sort(x, 1)))


def barrier_in_function(target: TargetId) -> Case:
    x = words(13, 2, 128)

    def sums(rows: Array) -> Array:
        return sum((np.roll(rows, -16 * k, 1) for k in range(8)), np.zeros_like(rows))

    return case(2, 128, x, Out(sums(sums(x) ^ np.uint32(5))))


def variadic_sums(target: TargetId) -> Case:
    x = random(14).integers(-(10**6), 10**6, 64).astype(np.int32)
    out = x + x / 2 + (7 - x) + np.where(np.arange(64) & 1, 0, 0.25)
    return case(1, 64, x, Out(out))


KERNELS = kernels_of(
    "calls.hip",
    recursive_fibonacci,
    ackermann_numbers,
    mutual_recursion,
    tree_depths,
    virtual_shapes,
    function_table,
    uniform_function,
    member_pointers,
    callbacks,
    returned_structs,
    many_arguments,
    towers_of_hanoi,
    recursive_quicksort,
    barrier_in_function,
    variadic_sums,
)
