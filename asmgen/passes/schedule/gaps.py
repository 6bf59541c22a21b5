"""Wait states in an order: instructions from the shadow of a load move into them if that saves a NOP.

A list scheduler puts ready instructions into the first shadow that it meets, usually that of a load, which is
long enough without them. A DPP step after its producer needs instructions in between, or else NOPs:

    global_load %x              global_load %x
    v_mov_b32 %zero, 0          v_add_f32 %y, %x, %x
    v_add_f32 %y, %x, %x   is   v_mov_b32 %zero, 0
    (two NOPs)                  (one NOP)
    v_add_f32_dpp %z, %y        v_add_f32_dpp %z, %y
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asmgen.passes.schedule.timing import Clocks, Timing

# 97 programs on gfx942 with half and double (`tools.judge_choices --neighbours`). REACH: 16 loses up to 1.5 %
# and takes 1.06 times the instructions, 64 gains nothing. MOST_VISITED: none changes,
# and no block of the catalogue looks at more than 4,017.
REACH = 32  # instructions before a gap that are looked at
MOST_VISITED = 32_768  # instructions of all orders of which the clocks are computed


def fill_gaps(
    order: Sequence[int], clocks: Clocks, timing: Timing, movable: Sequence[bool]
) -> tuple[list[int], Clocks]:
    """The order with fewer wait states and no more clocks, and its clocks. `movable` says for each
    instruction, by number, whether it may fill a wait state. If all moves together would cost clocks, each
    move is tried by itself."""
    filling = _Filling(list(order), timing, movable)
    filling.run()
    filled = timing.clocks(filling.order)
    if filled.both <= clocks.both:
        return filling.order, filled
    filling = _Filling(list(order), timing, movable, clocks.both)
    filling.run()
    return filling.order, timing.clocks(filling.order)


class _Filling:
    """`most` is the maximum of clocks for an order, if each move is checked."""

    def __init__(
        self, order: list[int], timing: Timing, movable: Sequence[bool], most: int | None = None
    ) -> None:
        self.order = order
        self._timing = timing
        self._movable = movable
        self._most = most
        self._visited = 0
        self._place = [0] * len(order)
        self._in_gap = {number for gap in timing.gaps for number in gap[:2]}
        self._renumber(0, len(order))

    def run(self) -> None:
        """Fill the last gap first, so that the operands of a filler may still fill an earlier gap."""
        for consumer in sorted(self._timing.gaps_of, key=self._place.__getitem__, reverse=True):
            stays: set[int] = set()
            while self._missing(consumer) > 0:
                filler = self._filler(consumer, stays)
                if filler is None or self._visited > MOST_VISITED:
                    break
                before = self._place[filler]
                self._move(filler, self._place[consumer] - 1)
                if self._is_longer():
                    self._move(filler, before)
                    stays.add(filler)

    def _is_longer(self) -> bool:
        if self._most is None:
            return False
        self._visited += len(self.order)
        return self._timing.clocks(self.order).both > self._most

    def _missing(self, consumer: int) -> int:
        """The states that are left to pass before an instruction."""
        place = self._place
        return max(
            states - (place[consumer] - place[producer] - 1)
            for producer, _, states in self._timing.gaps_of[consumer]
        )

    def _filler(self, consumer: int, stays: Collection[int]) -> int | None:
        """The nearest instruction before the gap on which nothing up to the gap depends, but for some that
        stay."""
        places, after = self._place, self._timing.after
        end = places[consumer]
        start = max([places[producer] for producer, _, _ in self._timing.gaps_of[consumer]])
        for place in range(start - 1, max(start - REACH, -1), -1):
            number = self.order[place]
            if not self._movable[number] or number in self._in_gap or number in stays:
                continue
            is_late = [places[later] > end for later, _ in after[number]]
            if all(is_late) and not self._is_needed(place):
                return number
        return None

    def _is_needed(self, place: int) -> bool:
        """Whether the instruction at a place fills another gap."""
        end = min(place + REACH, len(self.order))
        for consumer in self.order[place + 1 : end]:
            for producer, _, states in self._timing.gaps_of.get(consumer, ()):
                before = self._place[producer]
                if before < place and self._place[consumer] - before - 1 <= states:
                    return True
        return False

    def _move(self, number: int, to: int) -> None:
        place = self._place[number]
        del self.order[place]
        self.order.insert(to, number)
        self._renumber(min(place, to), max(place, to) + 1)

    def _renumber(self, first: int, end: int) -> None:
        for place in range(first, end):
            self._place[self.order[place]] = place
