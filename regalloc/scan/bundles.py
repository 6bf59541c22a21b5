"""Bundles: virtual registers that move together, because the scan joined them to save copies.

The positions at which a register of a bundle is live are bits of an int, so registers of two bundles may be
the same physical register if these ints have no bit in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from isa.named_tuple import NamedTuple
from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL
from regalloc.pools import Pool
from regalloc.scan.linear_scan import Places, Problem, aligned

MOST_BLOCKS = 8  # blocks, those with most live values, of which a bundle knows its registers


class BundleRegister(NamedTuple):
    """A register of a bundle, `offset` registers above its lowest.

    `lives` has a bit for every position at which the register is live. `meets` has the bits that no other
    bundle may have in the same register: the bits of `lives`, and a bit for each unit that is parked at a
    write of a unit of this register, or the other way round (`Problem.parked`). Such a unit has that bit in
    its `lives` too.

    `enters` has a bit for each of a few blocks at the beginning of which the register is live. Most registers
    that meet in a crowded kernel have such a bit in common, which is found sooner than a bit of the long
    ints.
    """

    offset: int
    lives: int
    meets: int
    enters: int


class Bundle(NamedTuple):
    """Virtual registers that move together. `members` are the virtual registers, each with its offset from
    the lowest register of the bundle, and `registers` those of its registers that are ever live. `size` is
    the number of registers from the lowest to the highest. `bases` has a bit for every register number
    that the lowest may have."""

    members: tuple[tuple[VirtualRegister, int], ...]
    registers: tuple[BundleRegister, ...]
    size: int
    bases: int


def find_bundles(problem: Problem, pool: Pool, places: Places) -> list[Bundle]:
    """The bundles of the units that a scan gave `places`, in the order of the scan. Units that save a copy or
    a longer encoding by sharing a register keep together."""
    registers = _Registers(problem)
    last = min(pool.first + pool.mask.bit_length(), FIRST_VIRTUAL)
    fixed = [
        (unit - pool.first, registers.of(0, (unit,)).lives)
        for unit in registers.units
        if pool.first <= unit < last
    ]
    homes = {
        unit: physical - pool.first for unit, physical in problem.constraints.pinned.items() if unit in places
    }
    bundles: list[Bundle] = []
    for owners in _joined(problem, pool, places, homes):
        low = min(places[owner.first] for owner in owners)
        members = tuple((owner, places[owner.first] - low) for owner in owners)
        units: dict[int, list[int]] = {}
        bases = pool.mask
        for owner, offset in members:
            numbers = pool.starts(owner.count) & aligned(owner.align, pool.mask.bit_length() + offset)
            bases &= numbers >> offset
            for k in range(owner.count):
                units.setdefault(offset + k, []).append(owner.first + k)
                if owner.first + k in homes:
                    bases &= 1 << max(homes[owner.first + k] - offset - k, 0)
        bundle = [registers.of(offset, together) for offset, together in units.items()]
        for row in bundle:
            bases &= pool.mask >> row.offset & ~_taken(row, fixed)
        bundles.append(Bundle(members, tuple(row for row in bundle if row.meets), max(units) + 1, bases))
    return bundles


def _taken(row: BundleRegister, fixed: list[tuple[int, int]]) -> int:
    """A bit for every base at which a register of a bundle meets a physical register of the program."""
    return sum(
        1 << (register - row.offset)
        for register, lives in fixed
        if lives & row.meets and register >= row.offset
    )


def _joined(problem: Problem, pool: Pool, places: Places, homes: Places) -> list[list[VirtualRegister]]:
    """The virtual registers in groups: each saves something by sharing a register with another of its group.
    `homes` gets the place of a unit that shares a physical register in this way."""
    owners = problem.kernel.owners
    roots = {first: first for first in dict.fromkeys(owners[unit - FIRST_VIRTUAL].first for unit in places)}

    def root(unit: int) -> int:
        first = owners[unit - FIRST_VIRTUAL].first
        while roots[first] != first:
            first = roots[first]
        return first

    pairs = ((unit, partner) for unit, partners in problem.partners.items() for partner in partners)
    for unit, partner in chain(pairs, problem.constraints.overlays.items()):
        if unit not in places:
            continue
        if partner < FIRST_VIRTUAL:
            if places[unit] == partner - pool.first:
                homes[unit] = places[unit]
        elif places.get(partner) == places[unit]:
            roots[root(partner)] = root(unit)
    groups: dict[int, list[VirtualRegister]] = {}
    for first in roots:
        groups.setdefault(root(first), []).append(owners[first - FIRST_VIRTUAL])
    return list(groups.values())


class _Registers:
    """The registers of bundles, from the units that share each of them."""

    def __init__(self, problem: Problem) -> None:
        self.units = {**problem.intervals.segments, **problem.parked}
        self._segments = problem.intervals.segments
        self._parked = problem.parked
        above = 2 * len(problem.intervals.deaths) + 2
        self._bits = {unit: 1 << (above + i) for i, unit in enumerate(problem.parked)}
        liveness = problem.liveness
        crowded = sorted(range(len(liveness.slots)), key=lambda block: -len(liveness.entering(block)))
        self._begins = [2 * liveness.slots[block].first for block in crowded[:MOST_BLOCKS]]

    def of(self, offset: int, units: Iterable[int]) -> BundleRegister:
        """The register that some units share."""
        lives = meets = 0
        for unit in units:
            for start, end in self._segments.get(unit, ()):
                lives |= (1 << end) - (1 << start)
            for other in self._parked.get(unit, ()):
                meets |= self._bits[other]
            lives |= self._bits.get(unit, 0)
        enters = sum([1 << i for i, begin in enumerate(self._begins) if lives >> begin & 1])
        return BundleRegister(offset, lives, lives | meets, enters)
