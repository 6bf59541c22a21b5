"""The rows of the atomic ops, and the machine's operation for each: an element of memory is read and changed
in a single step, and the result is its old value.

`atomic` combines a number with the element. `compare_swap` replaces the element if it is the expected number.
`atomic_load` and `atomic_store` only read and only write it: other lanes see all of a number of 64 bits or
nothing of it, and a loop that repeats the load sees the store. The ops with names that begin with `lds_` do
so in LDS. The orders are those of LLVM's memory model. If a lane sees the result of another lane's `release`,
by an `acquire` of its own, it also sees everything that the other lane had written before. `relaxed` promises
nothing about other memory. `waits` first waits until the wave's own accesses are done, which orders those
that are atomic themselves. The scope names the lanes for which this is true: the lanes of the workgroup, or
of all workgroups of the launch (`agent`).

    ticket = atomic[op=add, order=acq_rel](counter, zero, one) -> u32

Not every target has the operations on floats.
"""

from __future__ import annotations

from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, InferResult, Op, Scope
from asmgen.ir.types import F32, F64, I32, I64, U32, U64, ElementType, LaneType, TensorType, ValueType
from asmgen.lanewise.reduction_ops import LANEWISE_ON
from isa.diagnostics import InputError, Place

KINDS = ("add", "min", "max", "and", "or", "xor", "exchange")
OF_BITS = frozenset({"and", "or", "xor"})  # integers alone
WAITS = "waits"
ORDERS = ("relaxed", "acquire", "release", "acq_rel", WAITS)
RELEASING, ACQUIRING = frozenset({"release", "acq_rel"}), frozenset({"acquire", "acq_rel"})
SCOPES = ("workgroup", "agent")
_INTEGERS = (I32, U32, I64, U64)
_NUMBERS = (*_INTEGERS, F32, F64)


def _refuse(op: Op, place: Place | None, message: str) -> InputError:
    return InputError(place or op.name, "GEN103", f"{op.name}: {message}")


def _infer(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """A buffer, a u32 index, and a number or two of the buffer's type."""
    buffer, index, *numbers = types
    if not isinstance(buffer, TensorType):
        raise _refuse(op, place, f"operand 1 is {buffer}, wanted a buffer")
    if index != LaneType(U32):
        raise _refuse(op, place, f"operand 2 is {index}, wanted a u32 index")
    allowed: tuple[ElementType, ...] = _INTEGERS if attributes.get("op") in OF_BITS else _NUMBERS
    if buffer.element not in allowed:
        raise _refuse(
            op, place, f"the buffer is of {buffer.element}, wanted one of {' '.join(e.name for e in allowed)}"
        )
    wanted = LaneType(buffer.element)
    for number, type_ in enumerate(numbers, 3):
        if type_ != wanted:
            raise _refuse(op, place, f"operand {number} is {type_}, wanted {wanted} as the buffer has")
    return (wanted,)


def _row(name: str, operands: int, infer: InferResult, *attributes: AttributeSpec) -> Op:
    return Op(name, LANEWISE_ON, operands, operands, infer, attributes, effects=True, most=Scope.LANE)


def _infer_store(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _infer(op, types, attributes, place)
    return ()


_KIND = AttributeSpec("op", AttributeKind.WORD, None, KINDS)
_ORDER = AttributeSpec("order", AttributeKind.WORD, "relaxed", ORDERS)
_SCOPE = AttributeSpec("scope", AttributeKind.WORD, "agent", SCOPES)
_OFFSET = AttributeSpec("offset", AttributeKind.INTEGER, 0)

_ORDER_OF_LOAD = AttributeSpec("order", AttributeKind.WORD, "relaxed", ("relaxed", "acquire"))
_ORDER_OF_STORE = AttributeSpec("order", AttributeKind.WORD, "relaxed", ("relaxed", "release"))

ATOMIC = _row("atomic", 3, _infer, _KIND, _ORDER, _SCOPE, _OFFSET)
COMPARE_SWAP = _row("compare_swap", 4, _infer, _ORDER, _SCOPE, _OFFSET)
ATOMIC_LOAD = _row("atomic_load", 2, _infer, _ORDER_OF_LOAD, _SCOPE, _OFFSET)
ATOMIC_STORE = _row("atomic_store", 3, _infer_store, _ORDER_OF_STORE, _SCOPE, _OFFSET)
LDS_ATOMIC = _row("lds_atomic", 3, _infer, _KIND, _ORDER, _OFFSET)
LDS_COMPARE_SWAP = _row("lds_compare_swap", 4, _infer, _ORDER, _OFFSET)
GLOBAL_ATOMICS = frozenset({ATOMIC, COMPARE_SWAP, ATOMIC_LOAD, ATOMIC_STORE})
ATOMIC_OPS = (ATOMIC, COMPARE_SWAP, ATOMIC_LOAD, ATOMIC_STORE, LDS_ATOMIC, LDS_COMPARE_SWAP)


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
_LDS_PLAIN = {  # without the old value
    ("add", "i32"): "ds_add_u32", ("add", "u32"): "ds_add_u32", ("add", "i64"): "ds_add_u64",
    ("add", "u64"): "ds_add_u64", ("add", "f32"): "ds_add_f32", ("add", "f64"): "ds_add_f64",
}  # fmt: skip
_LDS_BITS = {
    ("and", 32): "ds_and_rtn_b32", ("and", 64): "ds_and_rtn_b64", ("or", 32): "ds_or_rtn_b32",
    ("or", 64): "ds_or_rtn_b64",
    ("xor", 32): "ds_xor_rtn_b32", ("xor", 64): "ds_xor_rtn_b64", ("exchange", 32): "ds_wrxchg_rtn_b32",
    ("exchange", 64): "ds_wrxchg_rtn_b64",
}  # fmt: skip


def row_name(op: Op, kind: str, element: ElementType) -> str:
    """The operation for `atomic` or `lds_atomic` of a kind that returns the old value."""
    numbers, bits = (_GLOBAL, _GLOBAL_BITS) if op is ATOMIC else (_LDS, _LDS_BITS)
    return numbers.get((kind, element.name)) or bits[kind, element.bits]


def plain_row_name(kind: str, element: ElementType) -> str | None:
    """The operation for an `lds_atomic` with an old value that nothing reads; None if it is the same."""
    return _LDS_PLAIN.get((kind, element.name))
