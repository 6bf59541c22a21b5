"""The parts of values that control flow joins: lane values, indices with bounds, and cells of private
memory."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.index.interval import I32_BOUNDS, I64_BOUNDS, U32_BOUNDS, Interval
from asmgen.ir.program import Value
from asmgen.mlir.lowering.arithmetic.lanes import lanes_of, zero
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.values import Aggregate, Index, Lowered, Memory, Pointer, Slot, View
from asmgen.mlir.source import Operation
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

WIDER = (U32_BOUNDS, I32_BOUNDS, I64_BOUNDS)
SlotBounds = Interval | None  # of an index; None for a lane value


class Cell(NamedTuple):
    memory: Memory
    number: int


def slots_of(lowered: Lowered) -> tuple[Slot, ...]:
    """The lane values and indices that make up a lowered value."""
    if isinstance(lowered, View):
        return (lowered.offset, *lowered.sizes, *lowered.strides)
    if isinstance(lowered, Aggregate):
        return tuple([slot for field in lowered.fields if field is not None for slot in slots_of(field)])
    return (lowered.offset, lowered.bytes) if isinstance(lowered, Pointer) else (lowered,)


def rebuilt(like: Lowered, slots: Sequence[Slot]) -> Lowered:
    """The value `like`, with other slots."""
    if isinstance(like, View):
        offset, *rest = [slot for slot in slots if isinstance(slot, Index)]
        rank = len(like.sizes)
        return like._replace(offset=offset, sizes=tuple(rest[:rank]), strides=tuple(rest[rank:]))
    if isinstance(like, Aggregate):
        fields: list[Lowered | None] = []
        for field in like.fields:
            count = 0 if field is None else len(slots_of(field))
            fields.append(None if field is None else rebuilt(field, slots[:count]))
            slots = slots[count:]
        return Aggregate(tuple(fields))
    if isinstance(like, Pointer):
        offset, rest = slots
        assert isinstance(offset, Index) and isinstance(rest, Index)
        return like._replace(offset=offset, bytes=rest)
    (slot,) = slots
    return slot


def all_slots(values: Sequence[Lowered]) -> list[Slot]:
    return [slot for value in values for slot in slots_of(value)]


def rebuilt_all(like: Sequence[Lowered], slots: Sequence[Slot]) -> list[Lowered]:
    values_: list[Lowered] = []
    first = 0
    for value in like:
        count = len(slots_of(value))
        values_.append(rebuilt(value, slots[first : first + count]))
        first += count
    return values_


def check_same_memory(a: Sequence[Lowered], b: Sequence[Lowered], operation: Operation) -> None:
    """`InputError` MLIR030 if two values that are joined point into different memories."""
    for value, other in zip(a, b, strict=True):
        if (
            isinstance(value, View | Pointer)
            and isinstance(other, View | Pointer)
            and value.memory is not other.memory
        ):
            message = f"{operation.name} chooses between two buffers, wanted places in the same buffer"
            help = "load from both, and choose between the values"
            raise InputError(operation.place, "MLIR030", message, help=help)


def joined(slot: Slot, other: Slot) -> SlotBounds:
    if isinstance(slot, Index) and isinstance(other, Index):
        return slot.bounds.joined(other.bounds)
    return None


def in_form(lower: Lowering, slot: Slot, bounds: SlotBounds) -> Value:
    if not isinstance(slot, Index):
        return slot
    assert bounds is not None
    return lower.indices.in_form(slot, *bounds)


def slots_from(values: Sequence[Value], bounds: Sequence[SlotBounds]) -> list[Slot]:
    return [
        value if known is None else Index(value, *known) for value, known in zip(values, bounds, strict=True)
    ]


def copied(cells: dict[Memory, list[Value]]) -> dict[Memory, list[Value]]:
    return {memory: list(values) for memory, values in cells.items()}


def with_cell(cells: list[Value], number: int, value: Value) -> list[Value]:
    return [*cells[:number], value, *cells[number + 1 :]]


def nothing_like(lower: Lowering, value: Lowered) -> Lowered:
    """A placeholder of the same type."""
    slots: list[Slot] = []
    for slot in slots_of(value):
        if isinstance(slot, Index):
            slots.append(lower.indices.constant(slot.low if slot.low > I64_BOUNDS.low else 0))
        else:
            slots.append(zero(lower.builder, lanes_of(slot)))
    return rebuilt(value, slots)
