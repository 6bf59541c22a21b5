"""Lanes of 8 and 16 bits, which share registers: the place of each lane, and registers made of several lanes.

    v_perm_b32 v2, v1, v0, 0x05040100      the lower half of v0, above it the lower half of v1

A byte of the selector is a byte's number: 0 to 3 of the second source, 4 to 7 of the first, 12 is a byte of
zeros (CDNA3 ISA, V_PERM_B32).
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.ops import WHERE
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.lanewise.ops import EXTRACT
from asmgen.lanewise.records import Extract
from asmgen.select.operands import put_vector
from asmgen.select.selection import UNIT_BITS, Part, Selection, lanes_per_unit
from asmgen.select.uses import takes_place
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import Register

_BYTE_BITS = 8
BYTES = UNIT_BITS // _BYTE_BITS  # of a unit
HALVES = 2  # elements of 16 bits in a unit
_FIRST_SOURCE = 4  # added to the number of a byte of the first source
_ZEROS = 12


class Place(NamedTuple):
    """The part that has a lane, and the lane's first byte there."""

    part: Part
    byte: int = 0


def place_of(s: Selection, value: Value, lane: int) -> Place:
    """The place of a lane of a value; an extracted lane that is read in place is still in its vector."""
    while value in s.uses.in_place:
        statement = s.uses.defined[value]
        lane += Extract.of(statement).first
        (value,) = statement.operands
    apart = s.lanes_apart.get(value)
    if apart is not None:
        return Place(*apart[lane])
    per_unit = lanes_per_unit(lane_type(value).element)
    return Place(s.parts(value)[lane // per_unit], lane % per_unit * (BYTES // per_unit))


def is_taken_apart(s: Selection, value: Value) -> bool:
    """Whether all that reads a value of narrow lanes takes single lanes, which need not be joined then, or
    reads the only lane wherever it is in its register."""
    uses = s.uses.of(value)
    if lane_type(value).lanes == 1:
        return all(takes_place(use, s.uses) for use in uses)
    return all(use.statement.op is EXTRACT and Extract.of(use.statement).size == 1 for use in uses)


def are_bytes_read(s: Selection, value: Value) -> bool:
    """Whether all that reads a vector of bools in memory chooses elements of 16 bits: pairs of them take
    fewer instructions by masks in registers than by a lane mask each."""

    def is_choice(statement: Statement) -> bool:
        if statement.op is not WHERE or value in statement.operands[1:]:
            return False
        result = statement.result
        is_own = result not in s.uses.absorbed and not s.is_uniform(result)
        return is_own and lanes_per_unit(lane_type(result).element) == HALVES

    uses = s.uses.of(value)
    return lane_type(value).lanes > 1 and bool(uses) and all(is_choice(use.statement) for use in uses)


def lowest(s: Selection, place: Place, size: int) -> Part:
    """A lane of `size` bytes in the lowest bits of a part; the bits above are undefined."""
    part, byte = place
    if isinstance(part, Immediate):
        return Immediate(part.bits >> _BYTE_BITS * byte & (1 << _BYTE_BITS * size) - 1)
    if not byte:
        return part

    def make() -> Register:
        register = s.emitter.vgpr()
        put_vector(s.emitter, "v_lshrrev_b32", (register,), (Immediate(_BYTE_BITS * byte), part))
        return register

    return s.emitter.shared(("upper lane", part, byte), make)


def joined(s: Selection, places: Sequence[Place], size: int) -> Part | None:
    """A part that has lanes of `size` bytes in order already: of constants a constant. None if there is
    none."""
    if all(isinstance(place.part, Immediate) for place in places):
        lanes = [lowest(s, place, size) for place in places]
        return Immediate(
            sum(
                [
                    lane.bits << _BYTE_BITS * size * at
                    for at, lane in enumerate(lanes)
                    if isinstance(lane, Immediate)
                ]
            )
        )
    part = places[0].part
    return part if all(place == (part, size * at) for at, place in enumerate(places)) else None


def put_joined(s: Selection, result: Register, places: Sequence[Place], size: int) -> None:
    """Lanes of `size` bytes in one register. The bytes above them are zeros, but undefined above a single
    lane."""
    whole = joined(s, places, size)
    if whole is not None or len(places) == 1:
        s.emitter.move(result, lowest(s, places[0], size) if whole is None else whole)
        return
    if len({place.part for place in places}) > 2:
        places = [*_in_a_part(s, places[:2], size), *_in_a_part(s, places[2:], size)]
    _put_permuted(s, result, places, size)


def put_widened_bytes(s: Selection, result: Register, part: Register, places: Sequence[int]) -> None:
    """Up to two bytes of a part, each as a number of 16 bits; a missing second byte is 0."""
    first, second = (*places, _ZEROS)[:HALVES]
    selector = first | _ZEROS << _BYTE_BITS | second << 2 * _BYTE_BITS | _ZEROS << 3 * _BYTE_BITS
    put_vector(s.emitter, "v_perm_b32", (result,), (part, part, s.emitter.scalar_constant(selector)))


def _in_a_part(s: Selection, places: Sequence[Place], size: int) -> list[Place]:
    """Up to two lanes, brought into the lowest bytes of a single part unless they are in it."""
    if len({place.part for place in places}) == 1:
        return list(places)
    if size == 1 and not any(isinstance(place.part, Immediate) for place in places):
        return _interleaved(s, places)
    register = s.emitter.vgpr()
    _put_permuted(s, register, places, size)
    return [Place(register, size * at) for at in range(len(places))]


def _interleaved(s: Selection, places: Sequence[Place]) -> list[Place]:
    """Two bytes of different parts, in a part that also has the other bytes of their halves, for which a
    transpose asks next.

        a0 a1 a2 a3, b0 b1 b2 b3        a0 b0 a1 b1    for the bytes a0 and b0, and for a1 and b1
    """
    halves = [Place(part, byte // 2 * 2) for part, byte in places]

    def make() -> Register:
        register = s.emitter.vgpr()
        bytes_ = [Place(part, byte + step) for step in range(2) for part, byte in halves]
        _put_permuted(s, register, bytes_, 1)
        return register

    made = s.emitter.shared(("interleaved", *halves), make)
    return [Place(made, byte % 2 * 2 + at) for at, (_, byte) in enumerate(places)]


def _put_permuted(s: Selection, result: Register, places: Sequence[Place], size: int) -> None:
    """Lanes of at most two parts, by one instruction."""
    parts = list(dict.fromkeys(place.part for place in places))
    second, first = parts[0], parts[-1]
    selector = 0
    for byte in range(BYTES):
        number, within = divmod(byte, size)
        chosen = _ZEROS
        if number < len(places):
            part, begin = places[number]
            is_first = part != second if len(parts) > 1 else byte >= BYTES // 2
            chosen = begin + within + (_FIRST_SOURCE if is_first else 0)
        selector |= chosen << _BYTE_BITS * byte
    sources = [s.emitter.to_vgpr(part) if isinstance(part, Immediate) else part for part in (first, second)]
    put_vector(s.emitter, "v_perm_b32", (result,), (*sources, s.emitter.scalar_constant(selector)))
