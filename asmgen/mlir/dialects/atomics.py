"""`memref`: atomic operations. Kinds that lanewise has become an atomic instruction; the others become a loop
of compare-and-swap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, I64, LaneType
from asmgen.lanewise import atomic_ops
from asmgen.mlir.lowering.arithmetic.combine import COMBINED_BY_KIND, applied, combiner
from asmgen.mlir.lowering.arithmetic.lanes import as_unsigned, bits_as, lanes_of, unsigned_element
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.memory.buffers import memory_element_of, to_memory
from asmgen.mlir.lowering.memory.retyped import need_element
from asmgen.mlir.lowering.values import Index, Kind, Lowered, View
from asmgen.mlir.source import Operation, Ssa

_NATIVE = {
    "addf": "add", "addi": "add", "assign": "exchange", "maxs": "max", "mins": "min", "ori": "or",
    "andi": "and", "xori": "xor",
}  # fmt: skip
_WORD_BITS = 32


def _address(lower: Lowering, operation: Operation, view: View, numbers: Sequence[Index]) -> Value:
    """The number of an element in its memory."""
    element = memory_element_of(operation.result.type)
    if view.memory.element is not element and view.memory.kind is not Kind.PRIVATE:
        need_element(lower, view.memory, element, operation)
    if (
        view.memory.kind in (Kind.PRIVATE, Kind.SCRATCH)
        or view.memory.element.bits < _WORD_BITS
        or view.lanes != 1
    ):
        got = f"{operation.name} of {operation.result.type} in {view.memory.kind.value} memory"
        raise lower.refused(operation, "MLIR053", got, "numbers of 32 or 64 bits in global memory or LDS")
    return lower.indices.address(view.offset, numbers, view.strides)


def atomic_rmw(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, memref, *indices = operation.operands
    numbers = [lower.index(index) for index in indices]
    view = lower.view(memref)
    return (combined_atomically(lower, operation, view, numbers, value, operation.text("kind")),)


def combined_atomically(
    lower: Lowering, operation: Operation, view: View, numbers: Sequence[Index], value: Ssa, kind: str
) -> Lowered:
    """Combine an element of a memref with a value by a kind of `arith`; gives the old value."""
    address = _address(lower, operation, view, numbers)
    given = to_memory(lower, lower.value(value), view.memory.element)
    if kind in _NATIVE:
        op = atomic_ops.ATOMIC if view.memory.kind is Kind.GLOBAL else atomic_ops.LDS_ATOMIC
        assert view.memory.buffer is not None
        old = applied(lower.builder, op, (view.memory.buffer, address, given), _NATIVE[kind])
        return _result(lower, old, operation)
    combine = combiner(lower.builder, COMBINED_BY_KIND.get(kind, kind))
    assert combine is not None, kind

    def changed(old: Value) -> Value:
        element = lanes_of(old).element
        plain = unsigned_element(element)
        other = given if plain is element else as_unsigned(lower.builder, given)
        return combine(as_unsigned(lower.builder, old), other)

    return _result(lower, _swapped(lower, view, address, changed), operation)


def swapped_atomically(
    lower: Lowering, operation: Operation, view: View, expected: Ssa, value: Ssa
) -> Lowered:
    """Store a value if the element has the expected value; gives the old value."""
    address = _address(lower, operation, view, ())
    memory = view.memory
    assert memory.buffer is not None
    op = atomic_ops.COMPARE_SWAP if memory.kind is Kind.GLOBAL else atomic_ops.LDS_COMPARE_SWAP
    given = [to_memory(lower, lower.value(number), memory.element) for number in (expected, value)]
    return _result(lower, lower.builder.value(op, memory.buffer, address, *given), operation)


def _result(lower: Lowering, old: Value, operation: Operation) -> Lowered:
    if lanes_of(old).element is I64 and str(operation.result.type) == "index":
        return lower.indices.of_wide(old)
    return as_unsigned(lower.builder, old)


def generic_atomic_rmw(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The region computes the new value from the old value. The result is the old value."""
    memref, *indices = operation.operands
    view = lower.view(memref)
    address = _address(lower, operation, view, [lower.index(index) for index in indices])

    def changed(old: Value) -> Value:
        (made,) = lower_region(lower, operation.regions[0], (_result(lower, old, operation),))
        return to_memory(lower, made, view.memory.element)

    return (_result(lower, _swapped(lower, view, address, changed), operation),)


def _swapped(lower: Lowering, view: View, address: Value, changed: Callable[[Value], Value]) -> Value:
    """Repeat compare-and-swap until no other lane intervened; gives the old value."""
    builder, buffer = lower.builder, view.memory.buffer
    assert buffer is not None
    is_global = view.memory.kind is Kind.GLOBAL
    first = builder.load(buffer, address) if is_global else builder.lds_load(buffer, address)
    op = atomic_ops.COMPARE_SWAP if is_global else atomic_ops.LDS_COMPARE_SWAP

    def again(values: tuple[Value, ...]) -> Value:
        return values[0]

    def attempt(values: tuple[Value, ...]) -> Sequence[Value]:
        expected = values[1]
        new = to_memory(lower, changed(expected), view.memory.element)
        seen = builder.value(op, buffer, address, expected, new)
        bits = ELEMENT_TYPES[f"u{lanes_of(seen).element.bits}"]
        differs = builder.not_equal(bits_as(builder, seen, bits), bits_as(builder, expected, bits))
        return differs, seen

    yes = builder.constant(True, LaneType(BOOL))
    return builder.while_([yes, first], again, attempt)[1]


ROWS = rows(
    {"memref.atomic_rmw": atomic_rmw, "memref.generic_atomic_rmw": generic_atomic_rmw},
    ends=("memref.atomic_yield",),
)
