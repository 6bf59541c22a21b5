"""The ways to place a register class in few registers: from the bottom, with single registers on top, by
packing, and with the registers that found no room first."""

from __future__ import annotations

from collections.abc import Callable

from isa.named_tuple import NamedTuple
from isa.program import VirtualRegister
from isa.registers import RegisterClass
from regalloc.pools import Pool
from regalloc.scan.coalesce import Partners, find_saving_partners
from regalloc.scan.linear_scan import LinearScan, OutOfRegisters, OverfullScan, Places, Problem, SinglesOnTop

SLOTS = 4096  # of the largest kernel that tries other ways: in a larger kernel a register matters less
SCANS = 8  # for a class without room, each with a further register placed first
# Of 120 programs none found room by a search if a scan took more registers above the pool, or a larger part.
NEAR, NEAR_PART = 4, 8
STEPS = 240  # bundles that all searches for enough registers together put somewhere

PlaceClass = Callable[[Problem, Pool], Places]
"""Places the units of a class in a pool. Raises OutOfRegisters if there is no room."""


class Aim(NamedTuple):
    """The goal for the total of a class: no placement needs fewer than `least` registers, and up to `enough`
    no search is made."""

    least: int
    enough: int


def scan_class(problem: Problem, pool: Pool) -> Places:
    """Place a class by a scan from the bottom. If that takes slightly more registers than are live at once,
    try single registers on top, and keep the better result."""
    places = LinearScan(problem, pool).run()
    aim = _aim(problem, pool)
    if aim.least < _total(places) <= aim.enough:
        return _better(problem, places, _singles_on_top(problem, pool))
    return places


def scan_from_bottom(problem: Problem, pool: Pool) -> Places:
    """Place a class by a single scan."""
    return LinearScan(problem, pool).run()


def pack_class(problem: Problem, pool: Pool, most_above: int | None = None) -> Places:
    """Place a class. A small kernel gets as few registers as a few ways find, without additional copies.

    The first scan is from the bottom. If its total is above the pressure, the next scan has single registers
    on top. If the total is more than a register and more than a twentieth above the pressure, or if there is
    no room, the highest bundles move down (`packing`), which adds no copy; but not if the scan takes more
    registers above the pool than `most_above`.
    """
    if not is_small(problem):
        return _place_large(problem, pool)
    scan = OverfullScan(problem, pool)
    places = scan.run()
    aim = _aim(problem, pool)
    if scan.failed is not None:
        if _exceeds(problem, pool):
            raise scan.failed
        places = _singles_on_top(problem, pool) or places
        if most_above is not None and _total(places) > pool.mask.bit_length() + most_above:
            raise scan.failed
    if _total(places) > aim.enough:
        places = _packed(problem, pool, places, aim.enough)
    elif scan.failed is None and _total(places) > aim.least:
        places = _better(problem, places, _singles_on_top(problem, pool))
    if scan.failed is not None and _total(places) > pool.mask.bit_length():
        raise scan.failed
    return places


def pack_if_near(problem: Problem, pool: Pool) -> Places:
    """Place a class as `pack_class` does, for a kernel that has another order: raises OutOfRegisters without
    a search if a scan takes many more registers than there are."""
    return pack_class(problem, pool, max(NEAR, pool.mask.bit_length() // NEAR_PART))


def _place_large(problem: Problem, pool: Pool) -> Places:
    """Place a class of a large kernel: by a scan from the bottom, or with single registers on top if that
    scan finds no room."""
    try:
        return LinearScan(problem, pool).run()
    except OutOfRegisters:
        places = None if _exceeds(problem, pool) else _singles_on_top(problem, pool)
        if places is None:
            raise
        return places


def allocate_class(problem: Problem, pool: Pool) -> Places:
    """Place a class as `pack_class` does. If there is no room, further scans begin with the registers that
    found none, which may add copies but spills nothing."""
    try:
        return pack_class(problem, pool)
    except OutOfRegisters:
        places = None if _exceeds(problem, pool) else _failed_first(problem, pool)
        if places is None:
            raise
        return places


def _aim(problem: Problem, pool: Pool) -> Aim:
    """Any number of the pool's registers is as good as another for SGPRs and in a large kernel."""
    if pool.register_class is RegisterClass.SGPR or not is_small(problem):
        return Aim(pool.mask.bit_length(), pool.mask.bit_length())
    pressure = _pressure(problem, pool)
    return Aim(pressure, most_registers(pressure))


def is_small(problem: Problem) -> bool:
    """Whether a kernel is worth a search for fewer registers."""
    return len(problem.intervals.deaths) <= SLOTS


def _pressure(problem: Problem, pool: Pool) -> int:
    """The most registers of a class that are live at once."""
    pressure = problem.liveness.pressure.get(pool.register_class)
    return pressure.units if pressure is not None else 0


def _exceeds(problem: Problem, pool: Pool) -> bool:
    return _pressure(problem, pool) > pool.mask.bit_count()


def most_registers(pressure: int) -> int:
    """The target for a small kernel with that many values live at once: a register more, or a twentieth."""
    return max(pressure + 1, pressure * 21 // 20)


def _singles_on_top(problem: Problem, pool: Pool) -> Places | None:
    """The result of a scan with single registers on top; None if it finds no room."""
    try:
        return SinglesOnTop(problem, pool, _pressure(problem, pool)).run()
    except OutOfRegisters:
        return None


def _failed_first(problem: Problem, pool: Pool) -> Places | None:
    """The result of a scan that begins with the registers that found no room in earlier scans; None if there
    still is no room, or if the kernel is large."""
    first: list[VirtualRegister] = []
    for _ in range(SCANS if is_small(problem) else 0):
        scan = LinearScan(problem, pool)
        try:
            scan.place_first(first)
            return scan.run()
        except OutOfRegisters as out:
            first = [out.owner, *(owner for owner in first if owner is not out.owner)]
    return None


def _packed(problem: Problem, pool: Pool, places: Places, enough: int) -> Places:
    """The same units in fewer registers, in as few as are enough if a search finds such places."""
    from regalloc.scan.packing import Packing

    packing = Packing(problem, pool, places, STEPS)
    while (total := packing.total()) > enough:
        if not packing.pack(min(total - 1, pool.mask.bit_length())):
            break
    return packing.places()


def _better(problem: Problem, one: Places, other: Places | None) -> Places:
    """`other` if it takes fewer registers than `one` and no more copies."""
    if other is None or _total(other) >= _total(one):
        return one
    partners = find_saving_partners(problem.kernel, problem.liveness.flow)
    return other if _parted(partners, other) <= _parted(partners, one) else one


def _parted(partners: Partners, places: Places) -> int:
    """The copies between units and those partners that have another place."""
    return sum(
        unit in places and partner in places and places[unit] != places[partner]
        for unit, others in partners.items()
        for partner in others
    )


def _total(places: Places) -> int:
    return max(places.values(), default=-1) + 1
