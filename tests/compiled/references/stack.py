"""Arrays of a work-item's own."""

from __future__ import annotations

from functools import reduce

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Case, Out, case, kernels_of, random, words
from tests.compiled.references.calls import MASK, each


def large_array(target: TargetId) -> Case:
    x = words(31, 64)

    def walked(value: int) -> int:
        cells = [k * value & MASK for k in range(300)]
        at, total = value % 300, 0
        for k in range(20):
            total = total * 7 + cells[at] & MASK
            cells[at] = total ^ k
            at = (at * 13 + total & MASK) % 300
        return total

    return case(1, 64, x, Out(each(walked, x)), np.uint32(20))


def stack_bytes(target: TargetId) -> Case:
    x = words(32, 64).astype(np.uint8)
    out = np.zeros(64, np.uint32)
    for i in range(64):
        text = x[i % 16 : i % 16 + 48]
        word = int.from_bytes(text[1 + i % 7 : 5 + i % 7].tobytes(), "little")
        out[i] = word + (int(text[(int(x[i]) + (i & 7)) % 48]) * 300 & 0xFFFF) & MASK
    return case(1, 64, x, Out(out))


def variable_array(target: TargetId) -> Case:
    x = words(33, 128)

    def total(i: int) -> int:
        return reduce(lambda s, k: s * 3 + int(x[(i + (k * 5 + i % 64) % 21) % 128]), range(21), 0)

    return case(2, 64, x, Out(each(total, np.arange(128))), np.uint32(21))


def allocated_in_loop(target: TargetId) -> Case:
    x = words(34, 64)
    out = each(lambda value: reduce(lambda s, k: s * 31 + (value >> k & 255), range(8, -1, -1), 0), x)
    return case(1, 64, x, Out(out), np.uint32(9))


def eight_queens(target: TargetId) -> Case:
    def ways(columns: tuple[int, ...]) -> int:
        if len(columns) == 6:
            return 1
        fits = [c for c in range(6) if all(c != other and abs(c - other) != len(columns) - k for k, other in enumerate(columns))]
        return sum(ways((*columns, c)) for c in fits)

    return case(1, 64, Out(np.array([ways((i % 6,)) for i in range(64)], np.uint32)), np.uint32(6))


def depth_first_search(target: TargetId) -> Case:
    edges = words(35, 12, below=1 << 12) & words(36, 12, below=1 << 12)
    out = np.zeros((64, 2), np.uint32)
    for lane in range(64):
        stack, seen, order = [lane % 12], [False] * 12, 0
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node], order = True, order * 29 + node & MASK
            stack += [k for k in range(12) if int(edges[node]) >> k & 1 and not seen[k]]
            assert len(stack) < 32
        out[lane] = order, sum(seen)
    return case(1, 64, edges, Out(out))


def hash_table(target: TargetId) -> Case:
    x = words(38, 256)
    out = np.zeros(64, np.uint32)
    for i in range(64):
        keys, counts = np.unique(x[(i * 7 + np.arange(12)) % 256] % 9 + 1, return_counts=True)
        out[i] = counts.max() * 1000 + keys.sum()
    return case(1, 64, x, Out(out))


def copied_structs(target: TargetId) -> Case:
    x = random(39).integers(0, 100, 64).astype(np.float32)
    out = np.zeros((64, 3), np.float32)
    for i in range(64):
        place = np.array([[x[(i + k * 3 + j) % 64] for j in range(3)] for k in range(3)], np.float32)
        kind = [0, 1, 2]
        for s in range(4):
            kind_before = kind.copy()
            for k in range(3):
                o = (k + s + i) % 3
                place[k] += [(0.5 * j - o) * 0.25 + (j + 2) * o for j in range(3)]
                kind[k] = kind_before[o]
        out[i] = [place[k, k] + kind[k] for k in range(3)]
    return case(1, 64, x, Out(out), np.uint32(4))


def many_live_values(target: TargetId) -> Case:
    x, i = words(40, 1024), np.arange(1024)
    v = [x[(i + k * 37) % 1024] for k in range(48)]
    for _ in range(3):
        for k in range(48):
            v[k] = v[k] * np.uint32(5) + v[(k * 7 + 11) % 48]
    return case(1, 1024, x, Out(reduce(lambda s, value: s * np.uint32(3) ^ value, v, np.zeros(1024, np.uint32))))


def pointer_to_stack(target: TargetId) -> Case:
    x = random(41).integers(-50, 50, 64).astype(np.float64)
    out = np.zeros(64)
    for i in range(64):
        row = x[(i + np.arange(10)) % 64]
        row[: 4 + i % 6] *= 0.5
        first = row[: 4 + i % 6].sum()
        row[2:7] *= 2
        out[i] = first + row[2:7].sum() + row[i % 10]
    return case(1, 64, x, Out(out))


def chosen_memory(target: TargetId) -> Case:
    x, lane = words(42, 128), np.arange(128) % 64
    which = x % 3
    own = x + (lane & 7).astype(np.uint32)
    value = np.choose(which, [own, x * np.uint32(2), x * np.uint32(3)]) + np.uint32(5)
    third = x + np.uint32(3) + np.where((which == 0) & (lane & 7 == 3), 5, 0).astype(np.uint32)
    more = x * np.uint32(3) + np.where(which == 2, 5, 0).astype(np.uint32)
    return case(2, 64, x, Out(value + third), Out(more))


KERNELS = kernels_of(
    "stack.hip",
    large_array,
    stack_bytes,
    variable_array,
    eight_queens,
    depth_first_search,
    hash_table,
    copied_structs,
    many_live_values,
    chosen_memory,
    pointer_to_stack,
) | kernels_of(
    # on gfx90a clang 22 stores to what alloca gives by the stack pointer of the wave, 64 times an offset in
    # a lane's memory, and from -O1 on reads it by a pointer that has that number as the lane's offset
    "stack.hip",
    allocated_in_loop,
    runs_on=lambda target: target.target.name != "gfx90a",
)
