"""One register class in few registers: from the bottom, and where that leaves gaps, in other ways."""

from __future__ import annotations

from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL, RegisterClass
from regalloc.coalesce import Partners, find_saving_partners
from regalloc.linear_scan import LinearScan, OutOfRegisters, Problem
from regalloc.pools import Pool
from regalloc.singles_on_top import SinglesOnTop

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


def _closed(problem: Problem, pool: Pool, places: Places | None, enough: int) -> Places | None:
    """Places in `enough` registers, or in as few as are found: in the pool where there are no `places` yet,
    else in fewer than those; None where none are.

    Each scan has a register less than the best one so far. A virtual register that finds no place gets one
    before everything else from then on: what is wide or lives long comes to be among those in a few scans.
    Where that does not lead far enough, tuples begin among them, those that take most over time first.
    """
    limit = pool.mask.bit_length() if places is None else _total(places) - 1
    found = None
    for first in ([], _widest(problem, pool)):
        for _ in range(min(TRIES, SCANNED // len(problem.intervals.deaths))):
            within = pool._replace(mask=pool.mask & ((1 << limit) - 1))
            scan = LinearScan(problem, within)
            try:
                scan.place_first(first)
                found = scan.run()
            except OutOfRegisters as out:
                failed = out.owner
                first = [failed, *(owner for owner in first if owner.first != failed.first)]
                continue
            limit = _total(found) - 1
            if limit < enough:
                return found
    return found


def _widest(problem: Problem, pool: Pool) -> list[VirtualRegister]:
    """The tuples of a class, those with the most registers and positions together first."""
    segments = problem.intervals.segments
    sizes = {
        owner.first: sum(
            end - start for unit in owner.register.units for start, end in segments.get(unit, ())
        )
        for owner in problem.kernel.owners
        if owner.count > 1 and owner.register_class is pool.register_class
    }
    owners = [problem.kernel.owners[first - FIRST_VIRTUAL] for first, size in sizes.items() if size]
    return sorted(owners, key=lambda owner: -sizes[owner.first])


def _found(scan: LinearScan) -> Places | None:
    try:
        return scan.run()
    except OutOfRegisters:
        return None


def _better(problem: Problem, one: Places | None, other: Places | None) -> Places | None:
    """`other` where it takes fewer registers than `one`, and no more copies."""
    if one is None or other is None:
        return other if one is None else one
    if _total(other) >= _total(one):
        return one
    partners = find_saving_partners(problem.kernel, problem.liveness.flow)
    return other if _parted(partners, other) <= _parted(partners, one) else one


def _parted(partners: Partners, places: Places) -> int:
    """How many units have another place than a partner, to which they are copied."""
    return sum(
        unit in places and partner in places and places[unit] != places[partner]
        for unit, others in partners.items()
        for partner in others
    )


def _total(places: Places) -> int:
    return max(places.values(), default=-1) + 1
