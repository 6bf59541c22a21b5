"""Accesses of registers that have no bits in common.

    rows 0 to 3 of three columns     reg(0:1 0:2) repeat(1:3), the address of row r, column c is 3*r + c
    addresses by register            0 3 6 9  1 4 7 10  2 5 8 11
    accesses                         registers (0 4 8 1) (5 9 2 6) (10 3 7 11)

No register bit is a step of 1 in memory, and yet a lane has 12 elements next to each other.
"""

from __future__ import annotations

from asmgen.blockwise.lowering.access import WIDEST, Accesses, ElementAddress
from asmgen.lanewise.ops import MAX_LANES

Registers = tuple[int, ...]


def runs(found: Accesses, element: int) -> list[Registers]:
    """The registers of each access of elements of so many bytes, in the order of their addresses; one
    register for each place. Empty where some register bits make accesses already, and where no two registers
    follow each other.
    """
    if found.bits:
        return []
    first: dict[ElementAddress, int] = {}
    for register, place in enumerate(found.places):
        if not register & found.copies:
            _ = first.setdefault(place, register)
    alike: dict[object, list[tuple[int, int]]] = {}
    for (address, where), register in first.items():
        alike.setdefault((address.terms, where), []).append((address.constant, register))
    most = min(WIDEST // element, MAX_LANES)
    made = [access for some in alike.values() for access in _cut(sorted(some), most)]
    return made if len(made) < len(first) else []


def _cut(places: list[tuple[int, int]], most: int) -> list[Registers]:
    """Addresses in their order with their registers, in parts that follow each other: the longest powers of
    two from each part's beginning on.
    """
    made: list[Registers] = []
    while places:
        length = most
        while length > 1 and (len(places) < length or places[length - 1][0] != places[0][0] + length - 1):
            length //= 2
        made.append(tuple([register for _, register in places[:length]]))
        places = places[length:]
    return made
