"""Finds words of an access that another wave accessed before, without an order between the two."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isa.emulator.sanitizer.races.order import LDS_READS, MEMORY_READS, Order
from isa.emulator.sanitizer.races.shadow import Lanes, Shadow, Words, group_lane, lane_of

Positions = NDArray[np.intp]


class Unordered:
    """The unordered accesses of a chunk of waves; `one_group` if a single workgroup is the whole launch."""

    def __init__(self, order: Order, lanes: int, one_group: bool) -> None:
        self._order = order
        self._lanes = lanes
        self._one_group = one_group

    def writes(self, shadow: Shadow, words: Words, table: int, lds: bool) -> Positions:
        """The positions among the words that another wave wrote; `table` of `order.py` has the wave's
        knowledge."""
        times = shadow.write_time.take(words.at)
        late = np.flatnonzero(times > (self._order.floors[table] if lds or self._one_group else 0))
        if not late.size:
            return late
        mine, owners = words.lanes[late] // self._lanes, shadow.write_lane.take(words.at[late]) // self._lanes
        other = mine != owners
        late, mine, owners = late[other], mine[other], owners[other]
        if not late.size:
            return late
        return late[~self._order.knows(table, mine.astype(np.intp), owners.astype(np.intp), times[late])]

    def reads(self, shadow: Shadow, words: Words, lds: bool) -> Iterator[tuple[int, int, int, int]]:
        """The positions among the words that another wave read, the lane, the time, and how many positions
        there are.

        A wave may know of the read all the same. That is `knows_readers`, which takes long and is asked last.
        """
        floor = self._order.floors[LDS_READS] if lds else 0
        shadow.enter_reads(floor, int(words.at.min()), int(words.at.max()))
        if not shadow.has_reads():
            return
        all_times, all_lanes = shadow.readers()
        times = all_times.take(words.at)
        late = np.flatnonzero(times > floor)
        if not late.size:
            return
        readers: Lanes = all_lanes.take(words.at[late])
        mine = words.lanes[late] // self._lanes
        first = np.where(readers < 0, group_lane(readers), readers)
        other = np.flatnonzero((readers < 0) | (first // self._lanes != mine))
        for i in other:
            yield int(late[i]), int(readers[i]), int(times[late[i]]), len(other)

    def knows_readers(self, shadow: Shadow, word: int, lds: bool, wave: int, reader: int, time: int) -> bool:
        """Whether a wave knows the reads of a word, the last at a time, by the lane or the group of lanes
        that `reader` stands for."""
        order = self._order
        several, lane = reader < 0, lane_of(reader)
        if lane < 0:  # waves of several workgroups, which only other knowledge than a barrier's orders
            return wave - order.first in order.foreign
        owner = lane // self._lanes
        base = owner - owner % order.per_group
        members = dict.fromkeys(range(base, base + order.per_group), time)
        owners = (shadow.sharers(word) or members) if several else {owner: time}
        table = LDS_READS if lds else MEMORY_READS
        others = [(other, when) for other, when in owners.items() if other != wave]
        waves = np.full(len(others), wave, np.intp)
        readers = np.array([other for other, _ in others], np.intp)
        return bool(
            order.knows(table, waves, readers, np.array([when for _, when in others], np.int32)).all()
        )
