"""The instructions of a wave around the matrix instructions of a product's trip."""

from __future__ import annotations

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_tile import Shape, held_type, lds_bytes
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import WIDEST_ACCESS, Target

_READ = 1.5  # instructions for a read from LDS: half of them have an address of their own
_APART = 2.5  # instructions to store an access's elements that are put side by side: as two stores
_MASKED = 20  # instructions more if only some lanes load and store a factor, and the loop has a branch
_OF_LOOP = 6
# Instructions of the vector ALU of RDNA. Fit to 30 tiles of 1,024 and 777 cubed and of {2000,3000} by
# {3000,1500}: a wave has 90 to 4,100 of them, most within 15 %.
_OF_WAVE, _OF_RESULT = 60, 4
_OF_SLOTS = 0.5  # for an access of LDS if the slot is part of its address


def others_of(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> float:
    """A trip's instructions for accesses, addresses, and to put elements side by side; 0 of outer products,
    of which most are dual instructions."""
    if rated is None:
        return 0
    size = held_type(rated, shape).bytes
    of_access = choice.waves * target.wave_size * WIDEST_ACCESS
    _, read = lds_bytes(choice, rated, shape, target)
    found = _OF_LOOP + _READ * read / of_access
    for lines, is_along in zip((choice.m, choice.n), shape.along, strict=True):
        accesses = lines * choice.k * size / of_access
        found += accesses
        if not choice.copies:
            found += accesses * (1 if is_along else _APART + _packs(size)) + (_MASKED if accesses < 1 else 0)
    return found


class Vector(NamedTuple):
    """Instructions of a wave for the vector ALU: of a trip, all others, and of a trip's for slots of LDS."""

    of_trip: float
    others: float
    slots: float = 0


def vector_of(choice: Contract, rated: Rated, shape: Shape, target: Target) -> Vector:
    """The instructions for the vector ALU of RDNA, which does not work beside matrix instructions."""
    size, lanes = held_type(rated, shape).bytes, choice.waves * target.wave_size
    stored, read = lds_bytes(choice, rated, shape, target)
    slots = _OF_SLOTS * (stored + read) / (lanes * WIDEST_ACCESS) if choice.buffers > 1 else 0
    apart = sum([lines for lines, along in zip((choice.m, choice.n), shape.along, strict=True) if not along])
    packs = apart * choice.k * size / (lanes * WIDEST_ACCESS) * _packs(size)
    return Vector(1 + slots + packs, _OF_WAVE + _OF_RESULT * choice.m * choice.n / lanes, slots)


def _packs(size: int) -> float:
    """Instructions to put the elements of an access side by side."""
    return WIDEST_ACCESS / DWORD * 2 / size if size < DWORD else 0
