"""Reading and writing operands: each is resolved once to a closure on `Waves`.

| operand | reads as |
|---|---|
| vector | [wave, lane]; packed types have a last axis of 2 |
| scalar in a vector instruction | [wave, 1] |
| scalar in a scalar instruction | [wave]; a numpy scalar if the group is a single wave |
| constant | an array without axes; a numpy scalar in a scalar instruction |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.diagnostics import InternalError
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves, pack_lanes, unpack_lanes
from isa.instruction import Immediate, Kind, Operand, OperandSpec, Role
from isa.lane_masks import MASK_TYPES, lane_masks
from isa.registers import EXEC, NAMED_REGISTERS, NULL, SCC, Register

Reader = Callable[[Waves], Any]
Writer = Callable[[Waves, Any], None]

DTYPES: dict[str, type[np.generic]] = {
    "b8": np.uint8, "b16": np.uint16, "u16": np.uint16, "i16": np.int16, "f16": np.float16, "bf16": np.uint16,
    "b32": np.uint32, "u32": np.uint32, "i32": np.int32, "f32": np.float32,
    "b64": np.uint64, "u64": np.uint64, "i64": np.int64, "f64": np.float64, "mask": np.uint64,
    "mask32": np.uint32,
    "f16x2": np.float16, "u16x2": np.uint16, "i16x2": np.int16, "bf16x2": np.uint16, "f32x2": np.float32,
    "b32x2": np.uint32,
    "u8x4": np.uint32, "i8x4": np.uint32, "fp8x4": np.uint32, "count16": np.uint16, "i21": np.int32,
    "u20": np.uint32,
}  # fmt: skip
PACKED_HALVES = frozenset({"f16x2", "u16x2", "i16x2", "bf16x2"})
PACKED_WORDS = frozenset({"f32x2", "b32x2"})
WIDE = frozenset(
    {"b128", "f6x32", "f32x16", "f32x32", "f16x32", "bf16x32"}
)  # tuples that are read and written as words, last axis
_VCCZ, _EXECZ = NAMED_REGISTERS["src_vccz"].first, NAMED_REGISTERS["src_execz"].first
# the upper halves of addresses that a flat access sends to LDS and to scratch, and their limits
APERTURES = {
    NAMED_REGISTERS["src_shared_base"].first: 0x0001_0000_0000_0000,
    NAMED_REGISTERS["src_shared_limit"].first: 0x0001_0000_FFFF_FFFF,
    NAMED_REGISTERS["src_private_base"].first: 0x0002_0000_0000_0000,
    NAMED_REGISTERS["src_private_limit"].first: 0x0002_0000_FFFF_FFFF,
}
PLAIN_BITS = {
    count: OperandSpec("", Role.USE, Kind.SGPR, f"b{32 * count}") for count in (1, 2)
}  # of registers that no operand spells
_COMPUTED = frozenset({_VCCZ, _EXECZ, *APERTURES, SCC.first})


def constant(bits: int, type_name: str) -> Any:
    """A constant operand as a numpy value of its type."""
    if type_name in PACKED_HALVES:
        return np.array([bits], np.uint32).view(DTYPES[type_name])
    if type_name in PACKED_WORDS:
        return np.array([bits, 0], np.uint32).view(DTYPES[type_name])
    dtype = np.dtype(DTYPES[type_name])
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return np.array([bits & ((1 << 8 * dtype.itemsize) - 1)], unsigned).view(dtype)[0]


def is_status(register: Register) -> bool:
    """A scalar source that is computed when it is read, not stored."""
    return register.first in _COMPUTED


def status_reader(register: Register, layout: RegisterLayout) -> Reader:
    """src_vccz, src_execz: 1 if the mask is zero; src_scc; an aperture register: its 64-bit value, or the
    upper half as 32 bits."""
    if register.first == SCC.first:
        return lambda w: w.columns[SCC.first >> 1, SCC.first & 1].reshape(w.width)
    if register.first in (_VCCZ, _EXECZ):
        masks = lane_masks(layout.lanes)
        mask = masks.vcc if register.first == _VCCZ else masks.exec
        read = scalar_reader(mask, "u64" if mask.count == 2 else "u32", layout)
        return lambda w: (read(w) == 0).astype(np.uint32)
    value = APERTURES[register.first]
    plain = np.uint64(value) if register.count == 2 else np.uint32(value >> 32)
    return lambda w: np.full(w.width, plain)


def scalar_reader(register: Register, type_name: str, layout: RegisterLayout) -> Reader:
    """A scalar register as [wave] of the type's dtype ([wave, 2] for packed types)."""
    if is_status(register):
        dtype = np.dtype(DTYPES[type_name])
        parts = 2 if type_name in PACKED_HALVES or type_name in PACKED_WORDS else 1
        wide = status_reader(
            Register(register.first, max(register.count, parts * dtype.itemsize // 4)), layout
        )
        if parts == 2:
            return lambda w: wide(w).astype(f"u{2 * dtype.itemsize}")[:, None].view(dtype)
        return lambda w: wide(w).astype(f"u{dtype.itemsize}").view(dtype)
    dtype = DTYPES[type_name]
    if register.first == NULL.first:
        shape = (2,) if type_name in PACKED_HALVES or type_name in PACKED_WORDS else ()
        return lambda w: np.zeros((w.width, *shape), dtype)
    pair, half = place = layout.place(register.first)
    if type_name in PACKED_HALVES:
        return lambda w: w.columns[place].reshape(w.width, 1).view(dtype)
    if type_name in PACKED_WORDS:
        return lambda w: w.scalar_pairs[pair].reshape(w.width, 1).view(dtype)
    size = np.dtype(dtype).itemsize
    if size == 8:
        if half:
            raise InternalError(
                "emulator", str(register), f"a {type_name} operand does not start at an even register"
            )
        return lambda w: w.scalar_pairs[pair].reshape(w.width).view(dtype)
    if size == 2:
        return lambda w: w.columns[place].reshape(w.width, 1).view(dtype)[:, 0]
    return lambda w: w.columns[place].reshape(w.width).view(dtype)


def vector_reader(
    register: Register, type_name: str, layout: RegisterLayout, halves: tuple[int, int] = (0, 1)
) -> Reader:
    """A vector register as [wave, lane]; `halves` says which half (or word) each part of a packed pair takes,
    and its first element which half of the register a 16-bit type takes."""
    row = layout.row(register.first)
    if type_name in WIDE:
        return lambda w: np.stack([w.rows[row + i] for i in range(register.count)], -1)
    low, high = halves
    dtype = DTYPES[type_name]
    if type_name in PACKED_HALVES:
        return pick_halves(lambda w: w.rows[row].view(dtype).reshape(w.width, w.lanes, 2), halves)
    if type_name in PACKED_WORDS:
        return lambda w: np.stack([w.rows[row + low].view(dtype), w.rows[row + high].view(dtype)], -1)
    size = np.dtype(dtype).itemsize
    if size == 8:
        return lambda w: _join(w.rows[row], w.rows[row + 1]).view(dtype)
    if size < 4:
        step = 4 // size
        return lambda w: w.rows[row].view(dtype)[:, low::step]
    if dtype is np.uint32:
        return lambda w: w.rows[row]
    if dtype is np.float32:
        return lambda w: w.float_rows[row]
    return lambda w: w.signed_rows[row]


def vector_target(register: Register, type_name: str, layout: RegisterLayout) -> Reader:
    """A vector register of 32 bits as [wave, lane], to be changed in place."""
    key = layout.row(register.first), DTYPES[type_name]
    return lambda w: w.targets[key]


def _join(low: Any, high: Any) -> Any:
    joined = np.empty((*low.shape, 2), np.uint32)
    joined[..., 0] = low
    joined[..., 1] = high
    return joined.view(np.uint64)[..., 0]


def broadcast_reader(register: Register, type_name: str, layout: RegisterLayout) -> Reader:
    """A scalar register in a vector instruction: [wave, 1] (no axis for a single wave), [wave, 1, 2] for
    packed types, bool[wave, lane] for a mask."""
    if type_name in MASK_TYPES:
        masks = scalar_reader(register, type_name, layout)
        return lambda w: unpack_lanes(masks(w))
    dtype = DTYPES[type_name]
    if not is_status(register) and register.first != NULL.first:
        place = layout.place(register.first)
        if dtype is np.float32 and type_name not in PACKED_WORDS:
            return lambda w: w.float_columns[place]
        if dtype is np.int32:
            return lambda w: w.signed_columns[place]
        if dtype is np.uint32 and type_name not in PACKED_WORDS:
            return lambda w: w.columns[place]
    read = scalar_reader(register, type_name, layout)
    return lambda w: read(w)[:, None]


def constant_reader(value: Any) -> Reader:
    return lambda w: value


def pick_halves(read: Reader, halves: tuple[int, int]) -> Reader:
    """Both parts of a packed pair, chosen from a value with a last axis of 2."""
    if halves == (0, 1):
        return read
    chosen = list(halves)
    return lambda w: read(w)[..., chosen]


def source_reader(
    operand: Operand, spec: OperandSpec, layout: RegisterLayout, halves: tuple[int, int] = (0, 1)
) -> Reader:
    """A source of a vector instruction."""
    if isinstance(operand, Immediate):
        value = np.asarray(constant(operand.bits, spec.type))
        if spec.type in PACKED_HALVES or spec.type in PACKED_WORDS:
            return pick_halves(constant_reader(value), halves)
        if halves[0] and np.dtype(DTYPES[spec.type]).itemsize == 2:
            return constant_reader(np.asarray(constant(operand.bits >> 16, spec.type)))
        return constant_reader(value)
    if not isinstance(operand, Register):
        raise InternalError("emulator", spec.name, f"{operand!r} is not a value")
    if layout.is_vector(operand):
        return vector_reader(operand, spec.type, layout, halves)
    read = broadcast_reader(operand, spec.type, layout)
    if spec.type in PACKED_HALVES or spec.type in PACKED_WORDS:
        return pick_halves(read, halves)
    if halves[0] and np.dtype(DTYPES[spec.type]).itemsize == 2:
        whole = broadcast_reader(operand, "u32", layout)
        dtype = DTYPES[spec.type]
        return lambda w: (whole(w) >> np.uint32(16)).astype(np.uint16).view(dtype)
    return read


def scalar_value(operand: Operand, spec: OperandSpec, layout: RegisterLayout) -> Reader:
    """A source of a scalar instruction, as [wave]; a numpy scalar for a constant, or if the group is a single
    wave."""
    if (
        not isinstance(operand, Register)
        or is_status(operand)
        or operand.first == NULL.first
        or spec.type in PACKED_HALVES
    ):
        return _plain(scalar_source(operand, spec, layout), spec)
    dtype = DTYPES[spec.type]
    pair, half = place = layout.place(operand.first)
    size = np.dtype(dtype).itemsize
    if size == 8 and half:
        raise InternalError(
            "emulator", str(operand), f"a {spec.type} operand does not start at an even register"
        )
    if dtype is np.uint32:
        return lambda w: w.scalars[place]
    if dtype is np.int32:
        return lambda w: w.signed_scalars[place]
    if dtype is np.uint64:
        return lambda w: w.scalar_pairs[pair]
    if size == 8:
        return lambda w: w.scalar_pairs[pair].view(dtype)
    if size == 4:
        return lambda w: w.scalars[place].view(dtype)
    return _plain(scalar_source(operand, spec, layout), spec)


def _plain(read: Reader, spec: OperandSpec) -> Reader:
    """A value with axis [wave] first, without that axis if the group is a single wave."""
    parts = 1 if spec.type in PACKED_HALVES else 0

    def call(w: Waves) -> Any:
        value = read(w)
        return value[0] if w.width == 1 and value.ndim > parts else value

    return call


def scalar_source(operand: Operand, spec: OperandSpec, layout: RegisterLayout) -> Reader:
    """A source of a scalar instruction, as [wave] or a numpy scalar."""
    if isinstance(operand, Immediate):
        return constant_reader(constant(operand.bits, spec.type))
    if not isinstance(operand, Register):
        raise InternalError("emulator", spec.name, f"{operand!r} is not a value")
    return scalar_reader(operand, spec.type, layout)


def scalar_writer(register: Register, layout: RegisterLayout) -> Writer:
    """As `scalar_result`, for values that are [wave] even if the group is a single wave."""
    write = scalar_result(register, layout)
    return lambda w, value: write(w, value[0] if w.width == 1 and value.ndim else value)


def _drop(w: Waves, value: Any) -> None:
    """Ignore a write to NULL."""


def scalar_result(register: Register, layout: RegisterLayout) -> Writer:
    """Results of scalar instructions, as `scalar_value` gives values: 32 bits, or an aligned 64-bit pair.
    A write of EXEC takes effect at once."""
    if register.first == NULL.first:
        return _drop
    pair, _ = place = layout.place(register.first)
    if register == SCC:
        return lambda w, value: w.scalars.__setitem__(place, value)
    changes_exec = register.overlaps(EXEC)

    def write32(w: Waves, value: Any) -> None:
        w.scalars[place] = value.view(np.uint32) if value.dtype.kind == "f" else value
        if changes_exec:
            w.refresh_exec()

    def write64(w: Waves, value: Any) -> None:
        w.scalar_pairs[pair] = value.view(np.uint64) if value.dtype.kind == "f" else value
        if changes_exec:
            w.refresh_exec()

    return write32 if register.count == 1 else write64


def mask_writer(register: Register, layout: RegisterLayout) -> Writer:
    """A lane mask from bool[wave, lane]: inactive lanes give 0."""
    lanes_of_wave, write_masks = layout.lanes, scalar_result(register, layout)
    exec_mask = scalar_value(lane_masks(lanes_of_wave).exec, PLAIN_BITS[lanes_of_wave // 32], layout)

    def write(w: Waves, lanes: Any) -> None:
        packed = pack_lanes(lanes, (w.width, lanes_of_wave))
        masks = packed[0] if w.width == 1 else packed
        write_masks(w, masks if w.full else masks & exec_mask(w))

    return write


def vector_writer(register: Register, type_name: str, layout: RegisterLayout) -> Writer:
    """Results of vector instructions in the active lanes; 16-bit results clear the upper half of the
    register."""
    row = layout.row(register.first)
    if type_name in WIDE:

        def write_wide(w: Waves, value: Any) -> None:
            for i in range(register.count):
                w.write_row(row + i, value[..., i])

        return write_wide
    dtype = np.dtype(DTYPES[type_name])
    if type_name in PACKED_WORDS:

        def write_words(w: Waves, value: Any) -> None:
            bits = value.view(np.uint32) if value.dtype != np.uint32 else value
            w.write_row(row, bits[..., 0])
            w.write_row(row + 1, bits[..., 1])

        return write_words
    if dtype.itemsize == 8:

        def write64(w: Waves, value: Any) -> None:
            words = np.atleast_1d(np.ascontiguousarray(value, dtype)).view(np.uint32)
            w.write_row(row, words[..., 0::2])
            w.write_row(row + 1, words[..., 1::2])

        return write64
    if type_name in PACKED_HALVES:
        return lambda w, value: w.write_row(
            row, np.ascontiguousarray(value.astype(dtype, copy=False)).view(np.uint32)[..., 0]
        )
    if dtype.itemsize == 2:
        return lambda w, value: w.write_row(
            row, np.asarray(value).astype(dtype, copy=False).view(np.uint16).astype(np.uint32)
        )
    return lambda w, value: w.write_row(row, np.asarray(value).astype(dtype, copy=False).view(np.uint32))
