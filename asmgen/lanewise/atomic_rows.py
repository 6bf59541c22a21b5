"""The operation of the machine for each atomic op, by its kind and element type; not every target has those
on floats."""

from __future__ import annotations

from asmgen.ir.program import Op
from asmgen.ir.types import ElementType
from asmgen.lanewise.atomic_ops import ATOMIC

_GLOBAL = {
    ("add", "i32"): "global_atomic_add", ("add", "u32"): "global_atomic_add",
    ("add", "i64"): "global_atomic_add_x2",
    ("add", "u64"): "global_atomic_add_x2", ("add", "f32"): "global_atomic_add_f32",
    ("add", "f64"): "global_atomic_add_f64",
    ("min", "i32"): "global_atomic_smin", ("min", "u32"): "global_atomic_umin",
    ("min", "i64"): "global_atomic_smin_x2",
    ("min", "u64"): "global_atomic_umin_x2", ("min", "f32"): "global_atomic_min_f32",
    ("min", "f64"): "global_atomic_min_f64",
    ("max", "i32"): "global_atomic_smax", ("max", "u32"): "global_atomic_umax",
    ("max", "i64"): "global_atomic_smax_x2",
    ("max", "u64"): "global_atomic_umax_x2", ("max", "f32"): "global_atomic_max_f32",
    ("max", "f64"): "global_atomic_max_f64",
}  # fmt: skip
_GLOBAL_BITS = {  # by the bits of the element
    ("and", 32): "global_atomic_and", ("and", 64): "global_atomic_and_x2", ("or", 32): "global_atomic_or",
    ("or", 64): "global_atomic_or_x2",
    ("xor", 32): "global_atomic_xor", ("xor", 64): "global_atomic_xor_x2",
    ("exchange", 32): "global_atomic_swap", ("exchange", 64): "global_atomic_swap_x2",
}  # fmt: skip
_LDS = {
    ("add", "i32"): "ds_add_rtn_u32", ("add", "u32"): "ds_add_rtn_u32", ("add", "i64"): "ds_add_rtn_u64",
    ("add", "u64"): "ds_add_rtn_u64", ("add", "f32"): "ds_add_rtn_f32", ("add", "f64"): "ds_add_rtn_f64",
    ("min", "i32"): "ds_min_rtn_i32", ("min", "u32"): "ds_min_rtn_u32", ("min", "i64"): "ds_min_rtn_i64",
    ("min", "u64"): "ds_min_rtn_u64", ("min", "f32"): "ds_min_rtn_f32", ("min", "f64"): "ds_min_rtn_f64",
    ("max", "i32"): "ds_max_rtn_i32", ("max", "u32"): "ds_max_rtn_u32", ("max", "i64"): "ds_max_rtn_i64",
    ("max", "u64"): "ds_max_rtn_u64", ("max", "f32"): "ds_max_rtn_f32", ("max", "f64"): "ds_max_rtn_f64",
}  # fmt: skip
_LDS_BITS = {
    ("and", 32): "ds_and_rtn_b32", ("and", 64): "ds_and_rtn_b64", ("or", 32): "ds_or_rtn_b32",
    ("or", 64): "ds_or_rtn_b64",
    ("xor", 32): "ds_xor_rtn_b32", ("xor", 64): "ds_xor_rtn_b64", ("exchange", 32): "ds_wrxchg_rtn_b32",
    ("exchange", 64): "ds_wrxchg_rtn_b64",
}  # fmt: skip


def row_name(op: Op, kind: str, element: ElementType) -> str:
    """The operation that does `atomic` or `lds_atomic` of a kind and gives what was there."""
    numbers, bits = (_GLOBAL, _GLOBAL_BITS) if op is ATOMIC else (_LDS, _LDS_BITS)
    return numbers.get((kind, element.name)) or bits[kind, element.bits]
