"""A worklist solver for bit-set dataflow problems, forward and backward."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush


class Worklist:
    """The blocks that wait for a visit: at first all blocks of an order. The earliest comes first, so a loop
    settles before the blocks after it."""

    def __init__(self, order: Sequence[int]) -> None:
        self._order = order
        self._ranks = {block: rank for rank, block in enumerate(order)}
        self._heap = list(range(len(order)))
        self._waiting = set(self._heap)

    def __iter__(self) -> Iterator[int]:
        while self._heap:
            rank = heappop(self._heap)
            self._waiting.discard(rank)
            yield self._order[rank]

    def add(self, blocks: Iterable[int]) -> None:
        """Blocks wait again. Blocks outside of the order never do."""
        for block in blocks:
            rank = self._ranks.get(block)
            if rank is not None and rank not in self._waiting:
                self._waiting.add(rank)
                heappush(self._heap, rank)


def solve(
    order: Sequence[int], inputs: Sequence[Sequence[int]], outputs: Sequence[Sequence[int]],
    generate: Sequence[int], kill: Sequence[int],
) -> tuple[list[int], list[int]]:  # fmt: skip
    """The least solution of `met[b] = union of result[i] for i in inputs[b]`,
    `result[b] = generate[b] | met[b] & ~kill[b]`.

    A set is an int with a bit for each element. A forward problem passes predecessors as `inputs` and
    successors as `outputs`; a backward problem swaps them. `order` lists the blocks to solve, ideally in the
    direction of the problem; a block that is not listed keeps the empty set. Returns (met, result), by block.
    """
    met = [0] * len(inputs)
    result = [0] * len(inputs)
    pending = deque(order)
    queued = bytearray(len(inputs))
    wanted = bytearray(len(inputs))
    for block in order:
        queued[block] = wanted[block] = 1
    while pending:
        block = pending.popleft()
        queued[block] = 0
        union = 0
        for source in inputs[block]:
            union |= result[source]
        met[block] = union
        new = generate[block] | union & ~kill[block]
        if new == result[block]:
            continue
        result[block] = new
        for dependent in outputs[block]:
            if wanted[dependent] and not queued[dependent]:
                queued[dependent] = 1
                pending.append(dependent)
    return met, result


def elements(bits: int) -> list[int]:
    """The elements of a bit set, ascending; quick on wide sets with few elements."""
    digits = bin(bits)[:1:-1]
    numbers: list[int] = []
    position = digits.find("1")
    while position >= 0:
        numbers.append(position)
        position = digits.find("1", position + 1)
    return numbers
