"""What modifiers do to operands and results, from the row's facts alone: neg, abs, sext, op_sel, SDWA, DPP,
omod, clamp."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.emulator.operands.dpp import LaneMap
from isa.emulator.operands.operands import DTYPES, PACKED_HALVES, PACKED_WORDS, Reader
from isa.instruction import Encoding, Instr, ModifierValue, OperandSpec, Row, Trait
from isa.semantics.accesses import Half
from isa.semantics.formats import from_bf16, to_bf16
from isa.semantics.mode import clamp_float, flush, where

FLOATS = frozenset({"f16", "f32", "f64", "f16x2", "f32x2"})
FINISHED = FLOATS | {"bf16", "bf16x2"}  # results that omod and clamp take for floats
_SELECTED = (
    (np.uint8, 0),
    (np.uint8, 1),
    (np.uint8, 2),
    (np.uint8, 3),
    (np.uint16, 0),
    (np.uint16, 1),
    (np.uint32, 0),
)
_DWORD = 6
LANE_CONTROLLED = (Encoding.DPP, Encoding.E64_DPP)
_SIGN_EXTEND, _PRESERVE = 1, 2  # of dst_unused


def given(instr: Instr, name: str, default: ModifierValue = 0) -> ModifierValue:
    """The value of a modifier; `default` if the row has no modifier of this name."""
    for spec in instr.row.modifiers:  # a loop, since decoding an instruction spends most of its time here
        if spec.name == name:
            return instr.modifier(name)
    return default


def number(instr: Instr, name: str, default: int = 0) -> int:
    value = given(instr, name, default)
    assert isinstance(value, int)
    return value


def sequence(instr: Instr, name: str, length: int, default: int) -> tuple[int, ...]:
    value = given(instr, name, (default,) * length)
    assert isinstance(value, tuple)
    return value


def merged_source(row: Row) -> int:
    """The index of the tied operand that the destination preserves in part and lane functions do not see; -1
    if none."""
    partial = row.encoding in (*LANE_CONTROLLED, Encoding.SDWA) or Trait.HALF_WRITE in row.traits
    return next((use for use, _ in row.ties if partial and row.operands[use].name == "old"), -1)


def half_of(instr: Instr, index: int) -> Half:
    """The half of its register that operand `index` uses, if the row has halves; an accumulator has the half
    of its destination."""
    spec = instr.row.operands[index]
    if spec.hidden and spec.tied:
        index = next(define for use, define in instr.row.ties if use == index)
    return Half(number(instr, "half") >> index & 1)


def halves_of(instr: Instr, index: int, count: int, spec: OperandSpec) -> tuple[int, int]:
    """The halves that source `index` of `count` takes: op_sel and op_sel_hi for packed types, op_sel for
    16-bit types."""
    if spec.half:
        return half_of(instr, instr.row.operands.index(spec)).value, 1
    low = (*sequence(instr, "op_sel", count, 0), *(0,) * count)
    if np.dtype(DTYPES.get(spec.type, np.uint32)).itemsize > 2 and spec.type not in PACKED_WORDS:
        return 0, 1
    if spec.type == "b32x2":  # v_pk_mov takes a word of each source, whatever op_sel_hi is
        return low[index], low[index]
    if spec.type in PACKED_HALVES or spec.type in PACKED_WORDS:
        high = sequence(instr, "op_sel_hi", count, 1)
        return low[index], high[index]
    return (low[index], 1) if index < len(low) else (0, 1)


def with_sdwa(read: Reader, select: int, sign_extend: bool, spec: OperandSpec) -> Reader:
    """A byte or word of a raw 32-bit source, extended, then read as the operand's type."""
    part, position = _SELECTED[select]
    bits = np.dtype(part).itemsize * 8
    dtype = np.dtype(DTYPES[spec.type])

    def call(w: Any) -> Any:
        field = (read(w) >> np.uint32(bits * position)).astype(part)
        if sign_extend:
            field = field.view(f"i{part().itemsize}").astype(np.int32).view(np.uint32)
        raw = field.astype(np.uint32)
        if spec.type in PACKED_HALVES:
            return raw[..., None].view(dtype)
        if dtype.itemsize == 2:
            return raw.astype(np.uint16).view(dtype)
        return raw.view(dtype)

    return call


def with_dpp(read: Reader, lanes: LaneMap, inactive: bool) -> Reader:
    """The operand of other lanes; 0 for a lane without a source, or with a source that EXEC has off (unless
    `inactive` lanes are read too)."""
    everywhere = bool(lanes.valid.all())

    def call(w: Any) -> Any:
        moved = read(w)[:, lanes.source]
        if (w.full or inactive) and everywhere:
            return moved
        valid = dpp_valid(lanes, w, inactive)
        return where(valid[..., None] if moved.ndim == 3 else valid, moved, moved.dtype.type(0))

    return call


def dpp_valid(lanes: LaneMap, w: Any, inactive: bool) -> Any:
    """bool[wave or 1, lane]: whether the DPP operand has a source lane that is enabled, or may be
    `inactive`."""
    if w.full or inactive:
        return lanes.valid[None, :]
    return w.active[:, lanes.source] & lanes.valid


def with_signs(read: Reader, absolute: bool, negative: tuple[bool, bool] | bool) -> Reader:
    """abs, then neg; a pair negates the low and the high part of a packed source apart."""
    if isinstance(negative, tuple):
        if not any(negative):
            return read
        signs = np.array([-1.0 if bit else 1.0 for bit in negative], np.float32)
        return lambda w: _negate_parts(read(w), signs)
    if absolute and negative:
        return lambda w: _negated(_magnitude(read(w)))
    if absolute:
        return lambda w: _magnitude(read(w))
    return (lambda w: _negated(read(w))) if negative else read


def _sign_bit(value: Any) -> Any:
    return value.dtype.type(1 << (8 * value.dtype.itemsize - 1))


def _negated(value: Any) -> Any:
    """The sign flipped: of a float, or of the raw bits of a float (v_cndmask)."""
    return value ^ _sign_bit(value) if value.dtype.kind == "u" else -value


def _magnitude(value: Any) -> Any:
    return value & ~_sign_bit(value) if value.dtype.kind == "u" else np.abs(value)


def _negate_parts(value: Any, signs: Any) -> Any:
    return where(signs < 0, _negated(value), value)


def signs_of(
    instr: Instr, index: int, spec: OperandSpec, count: int
) -> tuple[bool, tuple[bool, bool] | bool]:
    """abs and neg of source `index`."""
    if spec.type in PACKED_HALVES or spec.type in PACKED_WORDS:
        low, high = sequence(instr, "neg_lo", count, 0), sequence(instr, "neg_hi", count, 0)
        return False, (bool(low[index]), bool(high[index]))
    scalar_neg = sequence(instr, "neg_lo", count, 0) if spec.type in FLOATS else ()
    negative = number(instr, "neg") >> index & 1 or (scalar_neg[index] if index < len(scalar_neg) else 0)
    return bool(number(instr, "abs") >> index & 1), bool(negative)


def with_flush(value: Any, denormals_32: int, denormals_16_64: int, bit: int) -> Any:
    """A float with denormals flushed if the mode says so; other types as they are."""
    if value.dtype.kind != "f":
        return value
    kept = denormals_32 if value.dtype.itemsize == 4 else denormals_16_64
    return value if kept & bit else flush(value)


def finish_float(value: Any, omod: int, clamp: bool, dx10_clamp: bool) -> Any:
    """The output modifier (x2, x4, /2), then clamp. Patterns are bf16's."""
    if value.dtype == np.uint16:
        return to_bf16(finish_float(from_bf16(value), omod, clamp, dx10_clamp))
    if omod:
        value = value * value.dtype.type((1.0, 2.0, 4.0, 0.5)[omod])
    return clamp_float(value, dx10_clamp) if clamp else value


def merge_sdwa(result: Any, old: Any, select: int, unused: int) -> Any:
    """An SDWA result in its byte or word; `unused` chooses the rest: zero, the sign above and zero below, or
    the old value."""
    if select == _DWORD:
        return result
    part, position = _SELECTED[select]
    bits = np.dtype(part).itemsize * 8
    mask = np.uint32(((1 << bits) - 1) << (bits * position))
    moved = (result << np.uint32(bits * position)) & mask
    if unused == _PRESERVE:
        return moved | (old & ~mask)
    if unused == _SIGN_EXTEND:
        above = np.uint32(0xFFFFFFFF & ~((1 << (bits * (position + 1))) - 1))
        return moved | where(result >> np.uint32(bits - 1) & np.uint32(1), above, np.uint32(0))
    return moved
