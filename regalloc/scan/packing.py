"""Fewer registers for a class than a scan took: bundles above a limit move below it.

A scan meets values in program order, so single values come to lie between registers that a tuple needs later.
Packing uses another order: a bundle above the limit goes to the place with the cheapest occupants, and these
look for another place afterwards. A bundle that pushed others aside becomes more expensive to push aside
itself, so the search does not go in circles, and bundles that are hard to place stay in place. (Ejection
chains with growing weights: P. Morris, "The breakout method for escaping from local minima", AAAI 1993.)
"""

from __future__ import annotations

from itertools import accumulate, compress
from operator import add

from regalloc.pools import Pool
from regalloc.scan.bundles import find_bundles
from regalloc.scan.linear_scan import Places, Problem, result_banks

AGAIN = 4  # how many times its own size a bundle pays for a base at which it has been before
VISITED = 40_000  # the steps of a packing times its bundles, which bounds the time in a large kernel


class Packing:
    """The units of a class in the `places` of a scan, which may be above the pool. All searches together
    place bundles at most `steps` times.

    A bundle keeps together: copies that the scan made unnecessary stay unnecessary.
    """

    def __init__(self, problem: Problem, pool: Pool, places: Places, steps: int) -> None:
        self._bundles = find_bundles(problem, pool, places)
        self._homes = [places[bundle.members[0][0].first] - bundle.members[0][1] for bundle in self._bundles]
        self._places = self._homes
        self._banks = result_banks(problem.kernel.table)
        self._bases: dict[tuple[int, bool, int], list[int]] = {}  # by the properties that order the bases
        self._areas = [
            sum(register.lives.bit_count() for register in bundle.registers) for bundle in self._bundles
        ]
        self._widest = max((bundle.size for bundle in self._bundles), default=0)
        # A bundle and a difference of registers are one number, so that they are cheap to tell apart.
        self._rows = [
            (2 * self._widest * number + self._widest + register.offset, register.lives, register.enters)
            for number, bundle in enumerate(self._bundles)
            for register in bundle.registers
        ]
        # the first row of each bundle
        self._firsts = [0, *accumulate([len(bundle.registers) for bundle in self._bundles])]
        self._top = self.total()
        self._steps = min(steps, VISITED // max(len(self._bundles), 1))
        self._meetings: dict[int, tuple[list[int], list[int]]] = {}

    def total(self) -> int:
        """The number of registers up to the highest register in use."""
        return max(
            (place + bundle.size for place, bundle in zip(self._places, self._bundles, strict=True)),
            default=0,
        )

    def places(self) -> Places:
        """The place of every unit."""
        return {
            owner.first + k: place + offset + k
            for place, bundle in zip(self._places, self._bundles, strict=True)
            for owner, offset in bundle.members
            for k in range(owner.count)
        }

    def pack(self, limit: int) -> bool:
        """Move everything below `limit`. Returns False, and moves nothing, if the steps do not suffice."""
        bases = self._search(limit)
        if bases is not None:
            self._places = bases
        return bases is not None

    def _search(self, limit: int) -> list[int] | None:
        """The lowest register of each bundle in a legal placement below `limit`; None if the search finds
        none."""
        bundles, prices = self._bundles, list(self._areas)
        widest = self._widest
        nowhere = limit + widest
        below: dict[tuple[int, int], list[int]] = {}  # bases up to the highest, by its number and the list's
        places = [
            place if place + bundle.size <= limit else nowhere
            for place, bundle in zip(self._places, bundles, strict=True)
        ]
        waiting = [number for number, place in enumerate(places) if place == nowhere]
        pushes = [0] * len(bundles)
        tried: list[dict[int, int]] = [{} for _ in bundles]
        while waiting:
            if not self._steps:
                return None
            self._steps -= 1
            number = max(waiting, key=prices.__getitem__)
            waiting.remove(number)
            top = limit - bundles[number].size
            every = self._bases_of(number)
            bases = below.get((id(every), top))
            if bases is None:
                bases = below[id(every), top] = [base for base in every if base <= top]
            if not bases:
                return None
            others, shifts = self._meetings_of(number)
            met = list(map(add, map(places.__getitem__, others), shifts))  # the bases that meet each of them
            costs = [0] * (nowhere + 2 * widest)
            for base, price in zip(met, map(prices.__getitem__, others), strict=True):
                costs[base] += price
            fees = tried[number]
            for base, fee in fees.items():
                costs[base] += fee
            base = min(bases, key=costs.__getitem__)
            fee = fees.get(base, 0)
            fees[base] = fee + AGAIN * self._areas[number]
            if costs[base] > fee:
                pushed = list(compress(others, map(base.__eq__, met)))
                pushes[number] += 1
                prices[number] = (pushes[number] + 1) ** 2 * self._areas[number]
                waiting += pushed
                for other in pushed:
                    places[other] = nowhere
            places[number] = base
        return places

    def _bases_of(self, number: int) -> list[int]:
        """The bases of a bundle, the best first: low bases for wide bundles, high bases for single registers.
        Bases in the bank that the scan chose for dual instructions come first."""
        bundle, bank = self._bundles[number], self._homes[number] & self._banks
        is_single = bundle.size == 1
        bases = self._bases.get((bundle.bases, is_single, bank))
        if bases is None:
            bases = [base for base in range(self._top) if bundle.bases >> base & 1]
            if is_single:
                bases.sort(key=lambda base: (base & self._banks ^ bank, -base))
            self._bases[bundle.bases, is_single, bank] = bases
        return bases

    def _meetings_of(self, number: int) -> tuple[list[int], list[int]]:
        """The bundles that a bundle meets if it is so many registers above them, and these numbers."""
        meetings = self._meetings.get(number)
        if meetings is None:
            others = self._rows[: self._firsts[number]] + self._rows[self._firsts[number + 1] :]
            met = dict.fromkeys(
                [
                    at - offset
                    for offset, _, meets, enters in self._bundles[number].registers
                    for at, lives, its in others
                    if meets & lives or enters & its
                ]
            )
            span, zero = 2 * self._widest, self._widest
            meetings = [at // span for at in met], [at % span - zero for at in met]
            self._meetings[number] = meetings
        return meetings
