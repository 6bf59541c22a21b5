"""A scan that goes on in other workgroups: the total of a workgroup's tile is passed on to those after it.

    ticket = the number of workgroups that started before: an atomic addition; the ids follow from it
    total of the tile     ->  its word of the block
    the totals of the workgroups before it in its block, as soon as they are there, combined as a tree
    the total before the block, as soon as it is there, combined with these
    the last workgroup of a block writes the total before the next block

A workgroup only waits for workgroups that started before it, so all of them end. The order in which numbers
are combined depends on the places of the workgroups alone, so that a result is the same in every run. In the
chain of a row is a step for each block, and not for each workgroup.

The first wave does this, and the others have the result through LDS. Every word is written once, by a store
that is atomic for all workgroups, and a loop of atomic loads reads it. A number and its mark are in the same
word, so no other memory has to be ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise.actions import Combine, Scan
from asmgen.blockwise.lowering.context import COMBINES, Context, tree
from asmgen.blockwise.lowering.ops.reduction import KINDS
from asmgen.blockwise.program import Kernel
from asmgen.index import Index, constant, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.size import Dim, equals, most
from asmgen.ir.identities import identity
from asmgen.ir.passed_words import BEFORE, BLOCK, BYTES, COUNTER, WORDS, halves
from asmgen.ir.program import Attribute, Value, lane_type
from asmgen.ir.types import U32, U64, ElementType
from asmgen.lanewise.atomic_ops import ATOMIC, ATOMIC_LOAD, ATOMIC_STORE
from asmgen.lanewise.ops import ANY_LANE, HIGH_WORD, JOIN_WORDS, LOW_WORD
from asmgen.lanewise.reduction_ops import DPP_REDUCE, IS_LANE

_ADD: dict[str, Attribute] = {"op": "add", "order": "relaxed", "scope": "agent", "offset": 0}


def number_workgroups(context: Context, words: Value) -> None:
    """Give the workgroup its ids, in the order in which workgroups start."""
    builder, kernel = context.builder, context.kernel
    zero = builder.constant(0, U32)
    is_first = builder.equal(context.indices.local(), zero)

    def take() -> Value:
        one = builder.constant(1, U64)
        (old,) = builder.apply(ATOMIC, (words, builder.constant(COUNTER, U32), one), dict(_ADD), "ticket")
        return builder.value(LOW_WORD, old)

    if kernel.waves == 1:
        (taken,) = builder.if_(is_first, lambda: (take(),), lambda: (zero,))
    else:
        lds = context.lds(U32, 1, "ticket")
        context.guarded(is_first, lambda: builder.lds_store(lds, zero, take()))
        builder.barrier()
        taken = builder.lds_load(lds, zero)
    total = _product(kernel.workgroups)
    ticket = symbol("ticket", 0, most(total) - 1)
    context.indices.define(as_symbol(ticket), builder.read_first_lane(taken))
    rest = ticket
    for number, (id_, count) in enumerate(zip(kernel.grid, kernel.workgroups, strict=True), 1):
        if equals(count, 1).is_shown:
            continue
        if most(count) == 1:  # or the launch has no workgroups
            context.indices.define(id_, zero)
            continue
        left = _product(kernel.workgroups[number:])
        own = rest if equals(left, 1).is_shown else rest % count
        context.indices.define(id_, context.indices.value(own))
        rest = rest // count


def _product(counts: Sequence[Dim]) -> Dim:
    total: Dim = 1
    for count in counts:
        total = total * count
    return total


class Preceding:
    """The total before the tile of a workgroup in its row. `first` is the number before the row."""

    def __init__(self, context: Context, action: Scan, words: Value, first: Value) -> None:
        self._context, self._builder = context, context.builder
        self._op, self._words, self._first = action.op, words, first
        self._element = lane_type(first).element
        kernel = context.kernel
        part = next(each for each in kernel.grid if each.name == action.over)
        self._parts = part.high + 1
        self._place = only(part) % BLOCK if self._parts > BLOCK else only(part)
        self._block = only(part) // BLOCK if self._parts > BLOCK else constant(0)
        blocks = _count_of(kernel, action.over) // BLOCK + 1
        self._start = (_row(kernel, action.over) * blocks + self._block) * (WORDS * halves(self._element))

    def of(self, total: Value) -> Value:
        """The total before the tile with this total, which every lane has."""
        context, builder = self._context, self._builder
        if context.kernel.waves == 1:
            return self._passed_on(total)
        lds = context.lds(self._element, 1, "before")
        zero = builder.constant(0, U32)

        def in_first_wave() -> None:
            with context.indices.nested():
                before = self._passed_on(total)
                context.guarded(self._in_last_lane(), lambda: builder.lds_store(lds, zero, before))

        context.before_write(lds)
        context.guarded(context.is_part(1, 0), in_first_wave)
        builder.barrier()
        return builder.lds_load(lds, zero)

    def _passed_on(self, total: Value) -> Value:
        """In the last lane of a wave, or in every lane if it is the only wave."""
        self._write(self._start + self._place, 0, total)
        before = self._combined(self._of_block(), self._of_earlier())
        if self._parts > BLOCK:
            is_last = self._builder.equal(
                self._context.indices.value(self._place), self._builder.constant(BLOCK - 1, U32)
            )
            next_block = self._start + WORDS * halves(self._element)
            self._context.guarded(
                is_last, lambda: self._write(next_block, BEFORE, self._combined(before, total))
            )
        return self._everywhere(before) if self._context.kernel.waves == 1 else before

    def _everywhere(self, value: Value) -> Value:
        builder = self._builder
        return builder.lane_shuffle(value, builder.constant(self._context.kernel.lanes - 1, U32))

    def _combined(self, a: Value, b: Value) -> Value:
        nothing = identity(self._op.value, self._element)
        for one, other in ((a, b), (b, a)):
            if self._builder.literal_of(one) == nothing and self._is_exact:
                return other
        return self._builder.value(COMBINES[self._op], a, b)

    @property
    def _is_exact(self) -> bool:
        """Whether the identity element leaves every number as it is, NaN included."""
        return self._op not in (Combine.MAX, Combine.MIN) or not self._element.is_float

    # What precedes the block

    def _of_block(self) -> Value:
        """The total before the block: the first block of a row waits for nothing."""
        builder = self._builder
        if self._parts <= BLOCK:
            return self._first
        block = self._context.indices.value(self._block)
        is_later = builder.less(builder.constant(0, U32), block)

        def waited() -> tuple[Value, ...]:
            with self._context.indices.nested():
                return (self._number(self._awaited(self._start, [BEFORE], [None]), 0),)

        (value,) = builder.if_(is_later, waited, lambda: (self._first,))
        return value

    def _of_earlier(self) -> Value:
        """The totals of the workgroups before it in its block, combined: in the last lane."""
        builder, context = self._builder, self._context
        lanes, count = context.kernel.lanes, min(BLOCK, self._parts)
        lane, place = context.indices.lane(), context.indices.value(self._place)
        firsts = range(0, count, lanes)
        needed = [builder.less(self._plus(lane, first), place) for first in firsts]
        own = context.indices.data(lane, lanes - 1)
        words = self._awaited(self._start + own, firsts, needed)
        nothing = self._nothing()
        numbers = [
            builder.where(is_needed, self._number(words, number), nothing)
            for number, is_needed in enumerate(needed)
        ]
        both = tree(builder, self._op, numbers)
        kind: dict[str, Attribute] = {"op": KINDS[self._op], "lanes": lanes, "keeps_nan": False}
        (found,) = builder.apply(DPP_REDUCE, (both,), kind)
        return found

    def _nothing(self) -> Value:
        """A number that changes no combination with what precedes the row."""
        if self._is_exact:
            return self._builder.constant(identity(self._op.value, self._element), self._element)
        return self._first

    def _plus(self, value: Value, number: int) -> Value:
        return self._builder.add(value, self._builder.constant(number, U32)) if number else value

    # Words

    def _awaited(
        self, first: Index, places: Sequence[int], needed: Sequence[Value | None]
    ) -> list[list[Value]]:
        """The words of the numbers at some places behind the first, once those that are needed are there."""
        builder = self._builder
        count = halves(self._element)
        base = self._context.indices.value(first)
        offsets = [place + WORDS * half for place in places for half in range(count)]

        def load() -> list[Value]:
            return [
                builder.value(ATOMIC_LOAD, self._words, base, offset=BYTES * offset, name="word")
                for offset in offsets
            ]

        def is_missing(words: tuple[Value, ...]) -> Value:
            found: Value | None = None
            for number, is_needed in enumerate(needed):
                marks = [builder.value(HIGH_WORD, word) for word in words[count * number :][:count]]
                mark = marks[0] if count == 1 else builder.min(*marks)
                missing = builder.equal(mark, builder.constant(0, U32))
                if is_needed is not None:
                    missing = builder.logical_and(is_needed, missing)
                found = missing if found is None else builder.logical_or(found, missing)
            assert found is not None
            return builder.value(ANY_LANE, found)

        words = builder.while_(load(), is_missing, lambda _: load())
        return [list(words[count * number :][:count]) for number in range(len(places))]

    def _number(self, words: list[list[Value]], number: int) -> Value:
        builder, element = self._builder, self._element
        parts = [builder.value(LOW_WORD, word) for word in words[number]]
        if len(parts) > 1:
            return builder.value(JOIN_WORDS, *parts, type=element.name)
        return _cast(builder.bit_cast, parts[0], element)

    def _write(self, first: Index, place: int, value: Value) -> None:
        """A number into the words at a place behind the first, by the last lane."""
        builder, element = self._builder, self._element
        if halves(element) == 1:
            parts = [_cast(builder.bit_cast, value, U32)]
        else:
            parts = [builder.value(op, value) for op in (LOW_WORD, HIGH_WORD)]
        mark = builder.constant(1, U32)

        def write() -> None:
            with self._context.indices.nested():
                at = self._context.indices.value(first)
                for half, part in enumerate(parts):
                    word = builder.value(JOIN_WORDS, part, mark)
                    _ = builder.emit(
                        ATOMIC_STORE, self._words, at, word, offset=BYTES * (place + WORDS * half)
                    )

        self._context.guarded(self._in_last_lane(), write)

    def _in_last_lane(self) -> Value:
        return self._builder.value(IS_LANE, lane=self._context.kernel.lanes - 1)


def _cast(bit_cast: Callable[[Value, ElementType], Value], value: Value, element: ElementType) -> Value:
    return value if lane_type(value).element is element else bit_cast(value, element)


def _count_of(kernel: Kernel, over: str) -> Dim:
    return next(
        count for each, count in zip(kernel.grid, kernel.workgroups, strict=True) if each.name == over
    )


def _row(kernel: Kernel, over: str) -> Index:
    """The number of the workgroup's row, among all rows of workgroups."""
    row = constant(0)
    for each, count in reversed(list(zip(kernel.grid, kernel.workgroups, strict=True))):
        if each.name != over and not equals(count, 1).is_shown:
            row = row * count + only(each)
    return row
