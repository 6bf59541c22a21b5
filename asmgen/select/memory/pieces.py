"""Accesses of memory in pieces of up to 16 bytes, and bool in memory: a byte for each lane, 0 or 1, which is
a lane mask in registers."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.index.size import number
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import BOOL, LaneType, TensorType
from asmgen.select.arithmetic.narrow import are_bytes_read, lowest, place_of
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import DWORD, Register
from isa.target import WIDEST_ACCESS, round_up

HALF_BYTES = 2  # below its upper half
# in the tables of stores: the operations that store the lowest byte of a register's upper half, or both bytes
UPPER_BYTE, UPPER_HALF = 3, 5
_UPPER = {1: UPPER_BYTE, 2: UPPER_HALF}
_BYTE_SELECTS = (0, 1, 2, 3)
_DWORD = 6

PutPiece = Callable[
    [int, Register, int], None
]  # bytes of the access, register, and the byte that it begins at


def bytes_of(type_: LaneType) -> int:
    """The bytes of a value in memory."""
    return type_.lanes * type_.element.bytes


def allocated_bytes(type_: TensorType) -> int:
    """The bytes of a buffer in LDS or scratch: a multiple of the widest access."""
    return round_up(number(type_.elements) * type_.element.bytes, WIDEST_ACCESS)


def _pieces(size: int) -> list[tuple[int, int]]:
    """The first byte of each access to `size` bytes, and its width: 16 at most, whole dwords first, then the
    rest of a dword."""
    pieces: list[tuple[int, int]] = []
    done = 0
    while done < size:
        left = size - done
        width = WIDEST_ACCESS if left >= WIDEST_ACCESS else left // 4 * 4 or left
        pieces.append((done, width))
        done += width
    return pieces


def put_loads(s: Selection, register: Register, size: int, put: PutPiece) -> None:
    """Fill registers with `size` bytes by the loads that `put` appends. Three bytes take two loads."""
    for done, width in _pieces(size):
        part = register.part(done // 4, -(-width // 4))
        if width != 3:
            put(width, part, done)
            continue
        low, high = s.emitter.vgpr(), s.emitter.vgpr()
        put(2, low, done)
        put(1, high, done + 2)
        put_vector(s.emitter, "v_lshl_or_b32", (part,), (high, Immediate(16), low))


class Stored(NamedTuple):
    """The registers that a store of `size` bytes reads; `is_upper` if it reads their upper half alone."""

    data: Register
    size: int
    is_upper: bool = False


def put_stores(stored: Stored, put: PutPiece) -> None:
    """Store registers by the stores that `put` appends. Three bytes take two stores."""
    if stored.is_upper:
        put(_UPPER[stored.size], stored.data, 0)
        return
    for done, width in _pieces(stored.size):
        part = stored.data.part(done // 4, -(-width // 4))
        if width != 3:
            put(width, part, done)
        else:
            put(2, part, done)
            put(UPPER_BYTE, part, done + 2)


def load_value(s: Selection, result: Value, put: PutPiece, *, defines_late: bool = False) -> None:
    """Load a statement's result by the loads that `put` appends. With `defines_late`, the masks of loaded
    bools are computed at their first use, so later loads are issued first."""
    type_ = lane_type(result)
    if type_.element is not BOOL:
        put_loads(s, s.destination(result), bytes_of(type_), put)
        return
    raw = s.emitter.vgpr(-(-type_.lanes // DWORD), result.name)
    put_loads(s, raw, type_.lanes, put)
    if are_bytes_read(s, result):
        s.truths[result] = raw
    elif defines_late:
        s.define_late(result, lambda: masks_of_bytes(s, raw, type_.lanes, result.name))
    else:
        s.define(result, masks_of_bytes(s, raw, type_.lanes, result.name))


def stored_registers(s: Selection, value: Value) -> Stored:
    """The registers that a store of a value reads. A narrow lane stays in the upper half of its register."""
    type_ = lane_type(value)
    size = bytes_of(type_)
    if type_.element is BOOL:
        return Stored(bool_bytes(s, value), size)
    if type_.lanes > 1 or size not in _UPPER:
        return Stored(s.as_tuple(s.parts(value), value.name), size)
    place = place_of(s, value, 0)
    if place.byte == HALF_BYTES and isinstance(place.part, Register):
        return Stored(s.emitter.to_vgpr(place.part), size, is_upper=True)
    return Stored(s.as_tuple((lowest(s, place, size),), value.name), size)


def masks_of_bytes(s: Selection, raw: Register, lanes: int, name: str) -> tuple[Register, ...]:
    """One mask per byte: byte i of the registers is not zero."""
    masks: list[Register] = []
    for lane in range(lanes):
        mask = s.emitter.mask(name if lanes == 1 else f"{name}.{lane}")
        if lanes == 1:
            put_vector(s.emitter, "v_cmp_ne_u32", (mask,), (Immediate(0), raw))
        else:
            _put_byte_test(s, mask, raw.part(lane // DWORD), lane % DWORD)
        masks.append(mask)
    return tuple(masks)


def _put_byte_test(s: Selection, mask: Register, unit: Register, byte: int) -> None:
    """Test a byte for not being 0. SDWA reads a single byte; without it the other bytes are cleared first."""
    by_byte = s.emitter.table.find("v_cmp_ne_u32_sdwa")
    if by_byte is not None:
        s.emitter.put(
            by_byte, mask, unit, s.emitter.vector_constant(0), src0_sel=_BYTE_SELECTS[byte], src1_sel=_DWORD
        )
        return
    alone = s.emitter.vgpr()
    put_vector(s.emitter, "v_and_b32", (alone,), (Immediate(0xFF << 8 * byte), unit))
    put_vector(s.emitter, "v_cmp_ne_u32", (mask,), (Immediate(0), alone))


def bool_bytes(s: Selection, value: Value) -> Register:
    """The lanes of a bool as bytes, four to a register."""
    masks = s.mask_registers(value)
    result = s.emitter.vgpr(-(-len(masks) // DWORD))
    for unit in range(result.count):
        group = masks[unit * DWORD : (unit + 1) * DWORD]
        _join_bytes(s, result.part(unit), group)
    return result


def _join_bytes(s: Selection, unit: Register, masks: tuple[Register, ...]) -> None:
    """Choose each byte in its place, then join the bytes."""
    placed: list[Register] = []
    for lane, mask in enumerate(masks):
        register = unit if len(masks) == 1 else s.emitter.vgpr()
        put_vector(s.emitter, "v_cndmask_b32", (register,), (Immediate(0), Immediate(1 << 8 * lane), mask))
        placed.append(register)
    while len(placed) > 1:
        taken = placed[:3]
        joined = unit if len(placed) <= len(taken) else s.emitter.vgpr()
        put_vector(s.emitter, "v_or3_b32" if len(taken) == 3 else "v_or_b32", (joined,), tuple(taken))
        placed = [joined, *placed[3:]]
