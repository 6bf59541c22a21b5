"""Virtual registers that move together: what a scan joined to save copies keeps its places to each other.

A web has one row for each register that it takes. What a row is live in is one int, with a bit for every
position of the program, so two rows may share a register where those ints have no bit in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL
from regalloc.pools import Pool
from regalloc.scan.linear_scan import Problem, aligned


class Row(NamedTuple):
    """One register of a web, `offset` registers above its lowest.

    `lives` has a bit for every position in which it holds something. `meets` has the bits that no other row
    of the same register may have: those of `lives`, and one for each unit that is parked where a unit of this
    row is written, or the other way round (`Problem.parked`); such a unit has that bit in its `lives` too.
    """

    offset: int
    lives: int
    meets: int


class Web(NamedTuple):
    """`members` are virtual registers, each with its offset from the lowest register of the web; `rows` those
    of its registers in which something is live; `size` is the number of registers from the lowest to the
    highest. `bases` has a bit for every register number that the lowest may have."""

    members: tuple[tuple[VirtualRegister, int], ...]
    rows: tuple[Row, ...]
    size: int
    bases: int


Places = dict[int, int]
"""Register numbers within a pool, by virtual unit."""

Reasons = Iterable[tuple[int, int]]


def ties(problem: Problem) -> Reasons:
    """The pairs of a result and the operand that it may take over while that is read."""
    return problem.constraints.overlays.items()


def savings(problem: Problem) -> Reasons:
    """All pairs that save something where they share a register: a copy or a longer encoding."""
    pairs = ((unit, partner) for unit, partners in problem.partners.items() for partner in partners)
    return chain(pairs, ties(problem))


def find_webs(problem: Problem, pool: Pool, places: Places, reasons: Reasons) -> list[Web]:
    """The webs of the units that a scan gave `places`, in the order in which it met them. `reasons` are pairs
    of a virtual unit and another one that keep together where they share a register."""
    rows = _Rows(problem)
    last = min(pool.first + pool.mask.bit_length(), FIRST_VIRTUAL)
    fixed = [
        (unit - pool.first, rows.of(0, (unit,)).lives) for unit in rows.units if pool.first <= unit < last
    ]
    homes = {
        unit: physical - pool.first for unit, physical in problem.constraints.pinned.items() if unit in places
    }
    webs: list[Web] = []
    for owners in _joined(problem, pool, places, homes, reasons):
        low = min(places[owner.first] for owner in owners)
        members = tuple((owner, places[owner.first] - low) for owner in owners)
        units: dict[int, list[int]] = {}
        bases = pool.mask
        for owner, offset in members:
            bases &= aligned(owner.align, pool.mask.bit_length() + offset) >> offset
            for k in range(owner.count):
                units.setdefault(offset + k, []).append(owner.first + k)
                if owner.first + k in homes:
                    bases &= 1 << max(homes[owner.first + k] - offset - k, 0)
        web = [rows.of(offset, together) for offset, together in units.items()]
        for row in web:
            bases &= pool.mask >> row.offset & ~_taken(row, fixed)
        webs.append(Web(members, tuple(row for row in web if row.meets), max(units) + 1, bases))
    return webs


def _taken(row: Row, fixed: list[tuple[int, int]]) -> int:
    """A bit for every base at which a row meets a physical register of the program."""
    return sum(
        1 << (register - row.offset)
        for register, lives in fixed
        if lives & row.meets and register >= row.offset
    )


def _joined(
    problem: Problem, pool: Pool, places: Places, homes: Places, reasons: Reasons
) -> list[list[VirtualRegister]]:
    """The virtual registers in groups: each shares a register with another of its group for a reason. `homes`
    gets the place of a unit that shares a physical one for a reason."""
    owners = problem.kernel.owners
    roots = {first: first for first in dict.fromkeys(owners[unit - FIRST_VIRTUAL].first for unit in places)}

    def root(unit: int) -> int:
        first = owners[unit - FIRST_VIRTUAL].first
        while roots[first] != first:
            first = roots[first]
        return first

    for unit, partner in reasons:
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


class _Rows:
    """Rows from the units that share a register."""

    def __init__(self, problem: Problem) -> None:
        self.units = {**problem.intervals.segments, **problem.parked}
        self._segments = problem.intervals.segments
        self._parked = problem.parked
        above = 2 * len(problem.intervals.deaths) + 2
        self._bits = {unit: 1 << (above + i) for i, unit in enumerate(problem.parked)}

    def of(self, offset: int, units: Iterable[int]) -> Row:
        """The row in which some units are."""
        lives = meets = 0
        for unit in units:
            for start, end in self._segments.get(unit, ()):
                lives |= (1 << end) - (1 << start)
            for other in self._parked.get(unit, ()):
                meets |= self._bits[other]
            lives |= self._bits.get(unit, 0)
        return Row(offset, lives, lives | meets)
