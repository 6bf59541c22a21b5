"""One register class in fewer registers than a scan took: what is above a limit moves below it.

A scan meets values in the order of the program, and so single values come to lie between registers that a
tuple needs later. Here the order is another one: a web above the limit goes where it is in the way of the
least, and what it meets there looks for a place after it. A web that had to push others aside becomes dearer
to push aside itself, so that the search does not go in circles and what is hard to place stays where it is.
(Ejection chains with weights that grow: P. Morris, "The breakout method for escaping from local minima",
AAAI 1993.)
"""

from __future__ import annotations

from regalloc.pools import Pool
from regalloc.scan.linear_scan import Problem, result_banks
from regalloc.scan.webs import Places, Reasons, find_webs

AGAIN = 4  # how many times its own size a web pays for a base at which it has been before
VISITED = 40_000  # the steps of a packing times its webs, which bounds the time in a large kernel


class Packing:
    """The units of a class in the `places` of a scan, which may be above the pool. All searches together put
    a web somewhere for so many `steps` or fewer.

    Webs keep together: with the reasons of `savings`, what needs no copy there needs none afterwards.
    """

    def __init__(
        self, problem: Problem, pool: Pool, places: Places, reasons: Reasons, steps: int
    ) -> None:  # fmt: skip
        self._webs = find_webs(problem, pool, places, reasons)
        self._homes = [places[web.members[0][0].first] - web.members[0][1] for web in self._webs]
        self._places = self._homes
        self._banks = result_banks(problem.kernel.table)
        self._bases: dict[int, list[int]] = {}
        self._areas = [sum(row.lives.bit_count() for row in web.rows) for web in self._webs]
        self._rows = [
            (number, row.offset, row.lives) for number, web in enumerate(self._webs) for row in web.rows
        ]
        self._top = self.total()
        self._steps = min(steps, VISITED // max(len(self._webs), 1))
        self._meetings: dict[int, list[tuple[int, int]]] = {}

    def total(self) -> int:
        """The registers up to the highest one that is taken."""
        return max((place + web.size for place, web in zip(self._places, self._webs, strict=True)), default=0)

    def places(self) -> Places:
        """Where every unit is."""
        return {
            owner.first + k: place + offset + k
            for place, web in zip(self._places, self._webs, strict=True)
            for owner, offset in web.members
            for k in range(owner.count)
        }

    def pack(self, limit: int) -> bool:
        """Move everything below `limit`. False where the steps do not suffice for that; nothing has moved
        then."""
        found = self._search(limit)
        if found is not None:
            self._places = found
        return found is not None

    def _search(self, limit: int) -> list[int] | None:
        """The lowest register of each web in a legal placement below `limit`; None where none is found."""
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
        """The bases of a web, the best first: low ones for what is wide, high ones for single
        registers, and those before all others in the bank that the scan chose for the sake of dual
        instructions."""
        found = self._bases.get(number)
        if found is None:
            web, home = self._webs[number], self._homes[number]
            found = [base for base in range(self._top) if web.bases >> base & 1]
            if web.size == 1:
                found.sort(key=lambda base: ((base ^ home) & self._banks, -base))
            self._bases[number] = found
        return found

    def _meetings_of(self, number: int) -> list[tuple[int, int]]:
        """The webs that a web meets if it is so many registers above them, each with that number."""
        found = self._meetings.get(number)
        if found is None:
            met = {
                (other, upper - offset): None
                for offset, _, meets in self._webs[number].rows
                for other, upper, lives in self._rows
                if meets & lives and other != number
            }
            found = self._meetings[number] = list(met)
        return found
