"""The rows of the atomic ops: an element of memory is read and changed in one step, and its old value is the
result.

`atomic` combines a number with the element. `compare_swap` replaces the element if it is the expected number.
The ops whose names begin with `lds_` do so in LDS. The orders are those of LLVM's memory model: a lane that
sees the result of an operation with `release`, by one of its own with `acquire`, also sees everything that
the other lane had written before it; `relaxed` promises nothing about other memory. The scope says between
which lanes this holds: those of the workgroup, or those of all workgroups of the launch (`agent`).

    ticket = atomic[op=add, order=acq_rel](counter, zero, one) -> u32
"""

from __future__ import annotations

from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, InferResult, Op, Scope, Stage
from asmgen.ir.types import F32, F64, I32, I64, U32, U64, ElementType, LaneType, TensorType, ValueType
from isa.diagnostics import InputError, Place

LANEWISE_ON = frozenset({Stage.LANEWISE, Stage.FINAL})
KINDS = ("add", "min", "max", "and", "or", "xor", "exchange")
OF_BITS = frozenset({"and", "or", "xor"})  # integers alone
ORDERS = ("relaxed", "acquire", "release", "acq_rel")
RELEASING, ACQUIRING = frozenset({"release", "acq_rel"}), frozenset({"acquire", "acq_rel"})
SCOPES = ("workgroup", "agent")
_INTEGERS = (I32, U32, I64, U64)
_NUMBERS = (*_INTEGERS, F32, F64)


def _refuse(op: Op, place: Place | None, message: str) -> InputError:
    return InputError(place or op.name, "GEN103", f"{op.name}: {message}")


def _infer(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """A buffer, a u32 index, and one number or two of the buffer's type."""
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


_KIND = AttributeSpec("op", AttributeKind.WORD, None, KINDS)
_ORDER = AttributeSpec("order", AttributeKind.WORD, "relaxed", ORDERS)
_SCOPE = AttributeSpec("scope", AttributeKind.WORD, "agent", SCOPES)
_OFFSET = AttributeSpec("offset", AttributeKind.INTEGER, 0)

ATOMIC = _row("atomic", 3, _infer, _KIND, _ORDER, _SCOPE, _OFFSET)
COMPARE_SWAP = _row("compare_swap", 4, _infer, _ORDER, _SCOPE, _OFFSET)
LDS_ATOMIC = _row("lds_atomic", 3, _infer, _KIND, _ORDER, _OFFSET)
LDS_COMPARE_SWAP = _row("lds_compare_swap", 4, _infer, _ORDER, _OFFSET)
ATOMIC_OPS = (ATOMIC, COMPARE_SWAP, LDS_ATOMIC, LDS_COMPARE_SWAP)
GLOBAL_ATOMICS = frozenset({ATOMIC, COMPARE_SWAP})
