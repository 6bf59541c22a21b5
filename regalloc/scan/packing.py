"""Fewer registers for a class than a scan took: webs above a limit move below it.

A scan meets values in program order, so single values come to lie between registers that a tuple needs later.
Packing uses another order: a web above the limit goes to the place with the cheapest occupants, and these
look for another place afterwards. A web that pushed others aside becomes more expensive to push aside itself,
so the search does not go in circles, and webs that are hard to place stay in place. (Ejection chains with
growing weights: P. Morris, "The breakout method for escaping from local minima", AAAI 1993.)
"""

from __future__ import annotations

from regalloc.pools import Pool
from regalloc.scan.linear_scan import Problem, result_banks
from regalloc.scan.webs import Places, Reasons, find_webs

AGAIN = 4  # how many times its own size a web pays for a base at which it has been before
VISITED = 40_000  # the steps of a packing times its webs, which bounds the time in a large kernel


class Packing:
    """The units of a class in the `places` of a scan, which may be above the pool. All searches together
    place webs at most `steps` times.

    A web keeps together: copies that `savings` made unnecessary stay unnecessary.
    """

    def __init__(
        self, problem: Problem, pool: Pool, places: Places, reasons: Reasons, steps: int
    ) -> None:  # fmt: skip
        self._webs = find_webs(problem, pool, places, reasons)
        self._homes = [places[web.members[0][0].first] - web.members[0][1] for web in self._webs]
        self._places = self._homes
        self._banks = result_banks(problem.kernel.table)
        self._bases: dict[int, list[int]] = {}
        self._areas = [sum(register.lives.bit_count() for register in web.registers) for web in self._webs]
        self._rows = [
            (number, register.offset, register.lives)
            for number, web in enumerate(self._webs)
            for register in web.registers
        ]
        self._top = self.total()
        self._steps = min(steps, VISITED // max(len(self._webs), 1))
        self._meetings: dict[int, list[tuple[int, int]]] = {}

    def total(self) -> int:
        """The number of registers up to the highest register in use."""
        return max((place + web.size for place, web in zip(self._places, self._webs, strict=True)), default=0)

    def places(self) -> Places:
        """The place of every unit."""
        return {
            owner.first + k: place + offset + k
            for place, web in zip(self._places, self._webs, strict=True)
            for owner, offset in web.members
            for k in range(owner.count)
        }

    def pack(self, limit: int) -> bool:
        """Move everything below `limit`. Returns False, and moves nothing, if the steps do not suffice."""
        bases = self._search(limit)
        if bases is not None:
            self._places = bases
        return bases is not None

    def _search(self, limit: int) -> list[int] | None:
        """The lowest register of each web in a legal placement below `limit`; None if the search finds
        none."""
        webs, prices = self._webs, list(self._areas)
        widest = max((web.size for web in webs), default=0)
        nowhere = limit + widest
        places = [
            place if place + web.size <= limit else nowhere
            for place, web in zip(self._places, webs, strict=True)
        ]
        waiting = [number for number, place in enumerate(places) if place == nowhere]
        pushes = [0] * len(webs)
        tried: list[dict[int, int]] = [{} for _ in webs]
        while waiting:
            if not self._steps:
                return None
            self._steps -= 1
            number = max(waiting, key=prices.__getitem__)
            waiting.remove(number)
            top = limit - webs[number].size
            bases = [base for base in self._bases_of(number) if base <= top]
            if not bases:
                return None
            meetings = self._meetings_of(number)
            costs = [0] * (nowhere + 2 * widest)
            for other, shift in meetings:
                costs[places[other] + shift] += prices[other]
            for base, fee in tried[number].items():
                costs[base] += fee
            base = min(bases, key=costs.__getitem__)
            tried[number][base] = tried[number].get(base, 0) + AGAIN * self._areas[number]
            pushed = [other for other, shift in meetings if places[other] + shift == base]
            if pushed:
                pushes[number] += 1
                prices[number] = (pushes[number] + 1) ** 2 * self._areas[number]
                waiting += pushed
                for other in pushed:
                    places[other] = nowhere
            places[number] = base
        return places

    def _bases_of(self, number: int) -> list[int]:
        """The bases of a web, the best first: low bases for wide webs, high bases for single registers. Bases
        in the bank that the scan chose for dual instructions come first."""
        bases = self._bases.get(number)
        if bases is None:
            web, home = self._webs[number], self._homes[number]
            bases = [base for base in range(self._top) if web.bases >> base & 1]
            if web.size == 1:
                bases.sort(key=lambda base: ((base ^ home) & self._banks, -base))
            self._bases[number] = bases
        return bases

    def _meetings_of(self, number: int) -> list[tuple[int, int]]:
        """The webs that a web meets if it is so many registers above them, each with that number."""
        meetings = self._meetings.get(number)
        if meetings is None:
            met = {
                (other, upper - offset): None
                for offset, _, meets in self._webs[number].registers
                for other, upper, lives in self._rows
                if meets & lives and other != number
            }
            meetings = self._meetings[number] = list(met)
        return meetings
