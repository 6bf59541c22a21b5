"""One register class in few registers: from the bottom, and where that leaves gaps, in other ways."""

from __future__ import annotations

from isa.program import VirtualRegister
from isa.registers import RegisterClass
from regalloc.linear_scan import LinearScan, OutOfRegisters, Problem, SinglesOnTop
from regalloc.pools import Pool
from regalloc.slots import PARAMETERS

SLOTS = 4096  # of the largest kernel that is scanned again: in a larger one a register more shows less
TRIES = 16  # scans that close gaps
SCANNED = 1600  # slots of those scans together, which bounds the time they take

Places = dict[int, int]


def allocate_class(problem: Problem, pool: Pool) -> Places:
    """Place one class; a small kernel in as few registers as a few scans find, with no more copies.

    The first scan is from the bottom. Where its total is above the pressure, the next has single registers on
    top. Where both are more than a register and more than a twentieth above the pressure, some more close
    gaps. OutOfRegisters where the pool is too small for all of them.
    """
    pressure = problem.liveness.pressure.get(pool.register_class)
    if pressure is None:
        return LinearScan(problem, pool).run()
    enough = most_registers(pressure.units)
    failed, places = None, None
    try:
        places = LinearScan(problem, pool).run()
    except OutOfRegisters as out:
        failed = out
    is_small = len(problem.intervals.deaths) <= SLOTS and pool.register_class is not RegisterClass.SGPR
    if places is None or (is_small and _total(places) > pressure.units):
        places = _better(problem, places, _found(SinglesOnTop(problem, pool, pressure.units)))
    if places is None and pressure.units > pool.mask.bit_count():
        raise failed or AssertionError("there are no places because the first scan failed")
    if places is None or (is_small and _total(places) > enough):
        places = _better(problem, places, _closed(problem, pool, places, enough))
    if places is None:
        raise failed or AssertionError("there are no places because the first scan failed")
    return places


def most_registers(pressure: int) -> int:
    """What a small kernel is to take where that many are live at once: a register more, or a twentieth."""
    return max(pressure + 1, pressure * 21 // 20)


class _PlacedFirst(LinearScan):
    """A scan that has places for the registers `first` before it begins, in their order."""

    def __init__(self, problem: Problem, pool: Pool, first: list[VirtualRegister]) -> None:
        super().__init__(problem, pool)
        self._first = first

    def run(self) -> Places:
        """Place every unit of the class. OutOfRegisters where one finds no register."""
        for owner in self._first:
            base = self._choose(owner, [], 0)
            if base is None:
                raise OutOfRegisters(owner, 0, PARAMETERS)
            self._promise(owner, base, [])
        return super().run()


def _closed(problem: Problem, pool: Pool, places: Places | None, enough: int) -> Places | None:
    """Places in `enough` registers, or in the pool where there are no `places` yet; else None.

    Each scan has a register less than the best one so far. A virtual register that finds no place gets one
    before everything else from then on: what is wide or lives long comes to be among those in a few scans.
    """
    limit = pool.mask.bit_length() if places is None else _total(places) - 1
    first: list[VirtualRegister] = []
    found = None
    for _ in range(min(TRIES, SCANNED // len(problem.intervals.deaths))):
        within = pool._replace(mask=pool.mask & ((1 << limit) - 1))
        try:
            found = _PlacedFirst(problem, within, first).run()
        except OutOfRegisters as out:
            failed = out.owner
            first = [failed, *(owner for owner in first if owner.first != failed.first)]
            continue
        limit = _total(found) - 1
        if limit < enough:
            return found
    return found if places is None else None


def _found(scan: LinearScan) -> Places | None:
    try:
        return scan.run()
    except OutOfRegisters:
        return None


def _better(problem: Problem, one: Places | None, other: Places | None) -> Places | None:
    """`other` where it takes fewer registers than `one`, and no more copies."""
    if one is None or other is None:
        return other if one is None else one
    is_better = _total(other) < _total(one) and _parted(problem, other) <= _parted(problem, one)
    return other if is_better else one


def _parted(problem: Problem, places: Places) -> int:
    """How many units have another place than a partner, to which they are copied."""
    return sum(
        unit in places and partner in places and places[unit] != places[partner]
        for unit, partners in problem.partners.items()
        for partner in partners
    )


def _total(places: Places) -> int:
    return max(places.values(), default=-1) + 1
