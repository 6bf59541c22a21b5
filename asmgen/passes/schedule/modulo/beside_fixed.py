"""Windows of starts beside instructions that have a single start: no other has their slots of a resource.

    v_mfma at slots 0, 8, 16, ...   the matrix pipe is full, so each has its slot, also for its issue
    s_add -> buffer_load 2 slots    if buffer_load starts by slot 18, s_add starts by 15, since 16 is taken

An instruction at an end of its window that finds its slots taken moves on to free slots, and moves others by
their distances. So the windows become narrower step by step, and more instructions may have a single start.

    gfx950, a product of f16, 256 by 256 by 64, 4 waves with slices: the loads of the second half of the
    factors start by slot 130, by distances by slot 140

This needs no solver. Each order keeps these windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.windows import Window, add_around, matrix_of, windows
from isa.named_tuple import NamedTuple


class Part(NamedTuple):
    """A part of an instruction's use of a resource: the slot after its start at which the part begins, its
    slots, and the half slots that it takes of each."""

    begin: int
    length: int
    halves: int


Uses = Sequence[tuple[Resource, Sequence[Part]]]  # of an instruction

_HALVES = 2  # of a slot
_MOST_ROUNDS = 1000  # loops of products take 3 to 20. Windows of fewer rounds are right too, but wider


def windows_beside_fixed(
    uses: Sequence[Uses], distances: Mapping[tuple[int, int], int], anchor: int, slots: int
) -> list[Window] | None:
    """The windows of instructions by their distances and their uses of resources in an interval of so many
    slots. None if the rules contradict each other."""
    by_distances = windows(len(uses), distances, anchor)
    return None if by_distances is None else _Narrowing(uses, distances, slots, by_distances).run()


class _Narrowing:
    def __init__(
        self,
        uses: Sequence[Uses],
        distances: Mapping[tuple[int, int], int],
        slots: int,
        by_distances: Sequence[Window],
    ) -> None:
        self._uses, self._slots = uses, slots
        self._between = matrix_of(len(uses), distances)
        self._first = np.array([window.first for window in by_distances])
        self._last = np.array([window.last for window in by_distances])
        alike: dict[tuple[tuple[Resource, tuple[Part, ...]], ...], list[int]] = {}
        for number, some in enumerate(uses):
            alike.setdefault(tuple((resource, tuple(parts)) for resource, parts in some), []).append(number)
        self._alike = [(some, np.array(numbers)) for some, numbers in alike.items()]

    def run(self) -> list[Window] | None:
        for _ in range(_MOST_ROUNDS):
            before = self._first.copy(), self._last.copy()
            if not self._leave_taken_slots() or not self._keep_distances():
                return None
            if (before[0] == self._first).all() and (before[1] == self._last).all():
                break
        return [Window(int(a), int(b)) for a, b in zip(self._first, self._last, strict=True)]

    def _keep_distances(self) -> bool:
        while True:
            first = np.maximum(self._first, (self._first[:, None] + self._between).max(axis=0))
            last = np.minimum(self._last, (self._last[None, :] - self._between).min(axis=1))
            if (first > last).any():
                return False
            if (first == self._first).all() and (last == self._last).all():
                return True
            self._first, self._last = first, last

    def _leave_taken_slots(self) -> bool:
        """Move the ends of windows to free slots. False if there are none."""
        fixed = self._first == self._last
        taken = self._taken(np.nonzero(fixed)[0].tolist())
        if any((halves > _HALVES).any() for halves in taken.values()):
            return False
        for uses, numbers in self._alike:
            loose = numbers[~fixed[numbers]]
            free = self._free(uses, taken)
            if not len(loose) or free.all():
                continue
            if not free.any():
                return False
            self._first[loose] += _steps_to_free(free)[self._first[loose] % self._slots]
            self._last[loose] -= _steps_to_free(free[::-1])[-1 - self._last[loose] % self._slots]
        return True

    def _taken(self, numbers: Sequence[int]) -> dict[Resource, Any]:
        """The half slots that instructions with a single start take of each slot."""
        taken: dict[Resource, Any] = {}
        for number in numbers:
            for resource, parts in self._uses[number]:
                halves = taken.setdefault(resource, np.zeros(self._slots, dtype=np.int64))
                for begin, length, each in parts:
                    add_around(halves, int(self._first[number]) + begin, length, each)
        return taken

    def _free(self, uses: Uses, taken: Mapping[Resource, Any]) -> Any:
        """Whether the uses of an instruction fit if it starts in a slot of the interval."""
        free = np.ones(self._slots, dtype=bool)
        for resource, parts in uses:
            for begin, length, each in parts if resource in taken else ():
                full = taken[resource] + each > _HALVES
                before = np.concatenate(([0], np.concatenate((full, full)).cumsum()))  # full slots
                within = before[min(length, self._slots) :][: self._slots] - before[: self._slots]
                free &= np.roll(within, -begin) == 0
        return free


def _steps_to_free(free: Any) -> Any:
    """For each slot, the slots to the next that is free; some slot is."""
    count = len(free)
    around = np.where(np.concatenate((free, free)), np.arange(2 * count), 2 * count)
    return np.minimum.accumulate(around[::-1])[::-1][:count] - np.arange(count)
