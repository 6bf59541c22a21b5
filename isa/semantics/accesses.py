"""The data that memory instructions move: sizes, extension below a dword, halves, and operations of
atomics."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
from msgspec import Struct

from isa.semantics.float_atomics import (
    FloatUpdate,
    add,
    add_bf16,
    add_keeping,
    compare_swap,
    larger,
    larger_number,
    smaller,
    smaller_number,
)
from isa.semantics.mode import Array


class Half(Enum):
    """The half of a 32-bit register that a 16-bit access reads or writes."""

    LOW = 0
    HIGH = 1


class Load(Struct, frozen=True):
    """`size` bytes at each lane's address; fewer than 4 are extended, or put into a `half` of the
    register."""

    size: int
    signed: bool = False
    half: Half | None = None


class Store(Struct, frozen=True):
    size: int
    half: Half = Half.LOW


class PairLoad(Struct, frozen=True):
    """Two elements of `size` bytes at offset0 and offset1 times `stride` bytes (ds_read2)."""

    size: int
    stride: int


class PairStore(Struct, frozen=True):
    size: int
    stride: int


class LdsDma(Struct, frozen=True):
    """Memory to LDS: lane i's `size` bytes go to M0's base + 4 * i."""

    size: int
    signed: bool = False


class PairExchange(Struct, frozen=True):
    """Two elements of `size` bytes at offset0 and offset1 times `stride` bytes, exchanged for data0 and data1
    (ds_wrxchg2)."""

    size: int
    stride: int


class LaneCount(Struct, frozen=True):
    """The number of active lanes added (`sign` 1) to a dword of LDS at M0's base, or taken from it; its value
    before is the result."""

    sign: int


class DataOrder(Enum):
    """The order of an atomic's two values: a compare-and-swap names the compared value first, or the new
    value; other atomics have an order too."""

    SINGLE = "single"
    COMPARE_FIRST = "compare first"
    NEW_FIRST = "new first"


class Denormals(Enum):
    """What decides whether an atomic on floats keeps denormals: MODE, nothing (it keeps them), or the
    target's memory."""

    MODE = "mode"
    KEPT = "kept"
    MEMORY = "memory"


class AtomicUpdate(Struct, frozen=True):
    """`update(old, data)` returns the new value of a location of numpy type `dtype`, `update(old, new,
    compare)` for a compare-and-swap. `scatter` is a ufunc for a whole batch of colliding lanes, if there is
    any. `denormals`: an update of floats takes a Mode first."""

    dtype: str
    update: Callable[..., Array]
    scatter: Any = None
    order: DataOrder = DataOrder.SINGLE
    pair: bool = False
    denormals: Denormals | None = None

    @property
    def size(self) -> int:
        return np.dtype(self.dtype).itemsize * (2 if self.pair else 1)


class ScalarLoad(Struct, frozen=True):
    """`size` bytes; fewer than 4 are extended."""

    size: int
    signed: bool = False


class ReadTime(Struct, frozen=True):
    """s_memtime, s_memrealtime, and the message that asks for the time: a count that grows."""


def _swap(old: Array, data: Array) -> Array:
    return data


def _sub(old: Array, data: Array) -> Array:
    return old - data


def _rsub(old: Array, data: Array) -> Array:
    return data - old


def _inc(old: Array, data: Array) -> Array:
    return np.where(old >= data, 0, old + 1).astype(old.dtype)


def _dec(old: Array, data: Array) -> Array:
    return np.where((old == 0) | (old > data), data, old - 1).astype(old.dtype)


def _compare_swap(old: Array, new: Array, compare: Array) -> Array:
    return np.where(old == compare, new, old)


def _sub_clamp(old: Array, data: Array) -> Array:
    return np.where(old < data, 0, old - data).astype(old.dtype)


def _conditional_sub(old: Array, data: Array) -> Array:
    return np.where(old >= data, old - data, old)


def _masked_or(old: Array, mask: Array, data: Array) -> Array:
    return (old & ~mask) | data


def _wrap(old: Array, limit: Array, step: Array) -> Array:
    return np.where(old >= limit, old - limit, old + step)


def _exchange_marked(old: Array, data: Array) -> Array:
    """The data without its top bit, if that is set."""
    return np.where(data >> np.uint32(31), data & np.uint32(0x7FFFFFFF), old)


_INTEGER_ATOMICS: tuple[tuple[str, str, str, Callable[..., Array], Any], ...] = (
    # name in LDS, name in memory, number kind, update, scatter
    ("add_u", "add", "u", np.add, np.add),
    ("sub_u", "sub", "u", _sub, np.subtract),
    ("rsub_u", "", "u", _rsub, None),
    ("inc_u", "inc", "u", _inc, None),
    ("dec_u", "dec", "u", _dec, None),
    ("min_i", "smin", "i", np.minimum, np.minimum),
    ("max_i", "smax", "i", np.maximum, np.maximum),
    ("min_u", "umin", "u", np.minimum, np.minimum),
    ("max_u", "umax", "u", np.maximum, np.maximum),
    ("and_b", "and", "u", np.bitwise_and, np.bitwise_and),
    ("or_b", "or", "u", np.bitwise_or, np.bitwise_or),
    ("xor_b", "xor", "u", np.bitwise_xor, np.bitwise_xor),
    ("", "swap", "u", _swap, None),
)
_FLOAT_ATOMICS: tuple[tuple[str, str, FloatUpdate, Denormals], ...] = (
    # name, number type, update, what decides on denormals in memory; in LDS MODE does
    ("add_f32", "f4", add, Denormals.MEMORY),
    ("add_f64", "f8", add_keeping, Denormals.KEPT),
    ("min_f32", "f4", smaller, Denormals.MODE),
    ("max_f32", "f4", larger, Denormals.MODE),
    ("min_f64", "f8", smaller, Denormals.KEPT),
    ("max_f64", "f8", larger, Denormals.KEPT),
    ("min_num_f32", "f4", smaller_number, Denormals.KEPT),
    ("max_num_f32", "f4", larger_number, Denormals.KEPT),
    ("min_num_f64", "f8", smaller_number, Denormals.KEPT),
    ("max_num_f64", "f8", larger_number, Denormals.KEPT),
    ("pk_add_f16", "f2", add, Denormals.KEPT),
    ("pk_add_bf16", "u2", add_bf16, Denormals.KEPT),
)


def _of_floats(
    dtype: str, update: FloatUpdate, denormals: Denormals, order: DataOrder = DataOrder.SINGLE
) -> AtomicUpdate:
    return AtomicUpdate(dtype, update, None, order, np.dtype(dtype).itemsize == 2, denormals)


def _lds() -> dict[str, object]:
    table: dict[str, object] = {}
    for name, _, kind, update, scatter in _INTEGER_ATOMICS:
        for bits in (32, 64) if name else ():
            operation, _, letter = name.partition("_")
            atomic = AtomicUpdate(f"{kind}{bits // 8}", update, scatter)
            table[f"ds_{name}{bits}"] = table[f"ds_{operation}_rtn_{letter}{bits}"] = atomic
    for name, dtype, update, _ in _FLOAT_ATOMICS:
        operation, _, type_name = name.rpartition("_")
        table[f"ds_{name}"] = table[f"ds_{operation}_rtn_{type_name}"] = _of_floats(
            dtype, update, Denormals.MODE
        )
    for bits in (32, 64):
        table[f"ds_wrxchg_rtn_b{bits}"] = AtomicUpdate(f"u{bits // 8}", _swap)
        compare = AtomicUpdate(f"u{bits // 8}", _compare_swap, order=DataOrder.COMPARE_FIRST)
        table[f"ds_cmpst_b{bits}"] = table[f"ds_cmpst_rtn_b{bits}"] = compare
        floats = _of_floats(f"f{bits // 8}", compare_swap, Denormals.MODE, DataOrder.COMPARE_FIRST)
        table[f"ds_cmpst_f{bits}"] = table[f"ds_cmpst_rtn_f{bits}"] = floats
        table[f"ds_cmpstore_b{bits}"] = table[f"ds_cmpstore_rtn_b{bits}"] = AtomicUpdate(
            f"u{bits // 8}", _compare_swap, order=DataOrder.NEW_FIRST
        )
        table[f"ds_cmpstore_f{bits}"] = table[f"ds_cmpstore_rtn_f{bits}"] = _of_floats(
            f"f{bits // 8}", compare_swap, Denormals.MODE, DataOrder.NEW_FIRST
        )
        table[f"ds_mskor_b{bits}"] = table[f"ds_mskor_rtn_b{bits}"] = AtomicUpdate(
            f"u{bits // 8}", _masked_or, order=DataOrder.NEW_FIRST
        )
        size = bits // 8
        table |= {
            f"ds_wrxchg2_rtn_b{bits}": PairExchange(size, size),
            f"ds_wrxchg2st64_rtn_b{bits}": PairExchange(size, 64 * size),
            f"ds_read2_b{bits}": PairLoad(size, size), f"ds_read2st64_b{bits}": PairLoad(size, 64 * size),
            f"ds_write2_b{bits}": PairStore(size, size), f"ds_write2st64_b{bits}": PairStore(size, 64 * size),
        }  # fmt: skip
    for name, update in (("sub_clamp", _sub_clamp), ("cond_sub", _conditional_sub)):
        table[f"ds_{name}_u32"] = table[f"ds_{name}_rtn_u32"] = AtomicUpdate("u4", update)
    table |= {
        "ds_wrap_rtn_b32": AtomicUpdate("u4", _wrap, order=DataOrder.NEW_FIRST),
        "ds_condxchg32_rtn_b64": AtomicUpdate("u4", _exchange_marked, pair=True), "ds_append": LaneCount(1),
        "ds_consume": LaneCount(-1), "ds_read_addtid_b32": Load(4), "ds_write_addtid_b32": Store(4),
    }  # fmt: skip
    for bits in (32, 64, 96, 128):
        table[f"ds_read_b{bits}"] = Load(bits // 8)
        table[f"ds_write_b{bits}"] = Store(bits // 8)
    for size, letter in ((1, "8"), (2, "16")):
        table[f"ds_write_b{letter}"] = Store(size)
        table[f"ds_write_b{letter}_d16_hi"] = Store(size, Half.HIGH)
        for sign, signed in (("u", False), ("i", True)):
            table[f"ds_read_{sign}{letter}"] = Load(size, signed)
            table[f"ds_read_{sign}{letter}_d16"] = Load(size, signed, Half.LOW)
            table[f"ds_read_{sign}{letter}_d16_hi"] = Load(size, signed, Half.HIGH)
    return table


def _vector_memory(prefix: str) -> dict[str, object]:
    table: dict[str, object] = {}
    for name, load in (
        ("ubyte", Load(1)), ("sbyte", Load(1, True)), ("ushort", Load(2)), ("sshort", Load(2, True)),
        ("dword", Load(4)), ("dwordx2", Load(8)), ("dwordx3", Load(12)), ("dwordx4", Load(16)),
        ("ubyte_d16", Load(1, False, Half.LOW)), ("ubyte_d16_hi", Load(1, False, Half.HIGH)),
        ("sbyte_d16", Load(1, True, Half.LOW)), ("sbyte_d16_hi", Load(1, True, Half.HIGH)),
        ("short_d16", Load(2, False, Half.LOW)), ("short_d16_hi", Load(2, False, Half.HIGH)),
    ):  # fmt: skip
        table[f"{prefix}_load_{name}"] = load
    for name, store in (
        ("byte", Store(1)), ("byte_d16_hi", Store(1, Half.HIGH)), ("short", Store(2)),
        ("short_d16_hi", Store(2, Half.HIGH)), ("dword", Store(4)), ("dwordx2", Store(8)),
        ("dwordx3", Store(12)), ("dwordx4", Store(16)),
    ):  # fmt: skip
        table[f"{prefix}_store_{name}"] = store
    for _, name, kind, update, scatter in _INTEGER_ATOMICS:
        for suffix, size in (("", 4), ("_x2", 8)) if name else ():
            table[f"{prefix}_atomic_{name}{suffix}"] = AtomicUpdate(f"{kind}{size}", update, scatter)
    for name, dtype, update, denormals in _FLOAT_ATOMICS:
        table[f"{prefix}_atomic_{name}"] = _of_floats(dtype, update, denormals)
    for suffix, size in (("", 4), ("_x2", 8)):
        table[f"{prefix}_atomic_cmpswap{suffix}"] = AtomicUpdate(
            f"u{size}", _compare_swap, order=DataOrder.NEW_FIRST
        )
    table[f"{prefix}_atomic_cmpswap_f32"] = _of_floats(
        "f4", compare_swap, Denormals.MODE, DataOrder.NEW_FIRST
    )
    table[f"{prefix}_atomic_sub_clamp_u32"] = AtomicUpdate("u4", _sub_clamp)
    table[f"{prefix}_atomic_cond_sub_u32"] = AtomicUpdate("u4", _conditional_sub)
    for name, size, signed in (
        ("dword", 4, False), ("dwordx3", 12, False), ("dwordx4", 16, False), ("ubyte", 1, False),
        ("ushort", 2, False), ("sbyte", 1, True), ("sshort", 2, True),
    ):  # fmt: skip
        table[f"{prefix}_load_lds_{name}"] = LdsDma(size, signed)
    return table


def _table() -> dict[str, object]:
    table = _lds()
    for prefix in ("global", "flat", "scratch", "buffer"):
        table |= _vector_memory(prefix)
    for dwords in (1, 2, 3, 4, 8, 16):
        suffix = "" if dwords == 1 else f"x{dwords}"
        table[f"s_load_dword{suffix}"] = table[f"s_buffer_load_dword{suffix}"] = ScalarLoad(4 * dwords)
    for name, size, signed in (("i8", 1, True), ("u8", 1, False), ("i16", 2, True), ("u16", 2, False)):
        table[f"s_load_{name}"] = table[f"s_buffer_load_{name}"] = ScalarLoad(size, signed)
    return table | {"s_memtime": ReadTime(), "s_memrealtime": ReadTime(), "s_sendmsg_rtn_b64": ReadTime()}


MEMORY = _table()
