"""Finds loads from LDS of elements that no statement has written before.

    for[k = 0 to 64 step 16] {
      u = lds_load[slot=(k floordiv 16) mod 2](lds)           in trip k = 0 nothing is in slot 0
      lds_store[slot=(k floordiv 16 + 1) mod 2](t, lds)
    }

The kernel is run with nothing but the parts of LDS that it writes and reads. A part that is written stays
written, so a loop is run until its parts are those of earlier trips again. Ids and named dims that decide
parts or trips have their smallest values first, then others. The search is bounded: each refusal is an error
in the named case, and the sanitizer finds the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from math import lcm

from asmgen.blockwise.actions import For, Waves
from asmgen.blockwise.layout.layout import Sizes, join, split
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.races.accesses import accesses
from asmgen.blockwise.rules.races.path import Access, InLds
from asmgen.blockwise.types import LdsType
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.boxes import repetition
from asmgen.index.expression import as_symbol
from asmgen.ir.program import walk
from asmgen.ir.shapes import format_list
from isa.named_tuple import NamedTuple

_MOST_STEPS = 2000  # accesses that are run
_VALUES = 4  # of an id or a dim
_CASES = 64


class Unwritten(NamedTuple):
    rule: str
    statement: TileStatement


def unwritten(kernel: Kernel) -> Iterator[Unwritten]:
    """The loads that read elements which were never written, each once."""
    if not any(
        isinstance(value.type, LdsType) for statement in kernel.statements for value in statement.results
    ):
        return
    reported: set[int] = set()
    run = _Run()
    try:
        for known in islice(_cases(kernel), _CASES):
            for fault in run.of(kernel.statements, known):
                if id(fault.statement) not in reported:
                    reported.add(id(fault.statement))
                    yield fault
    except _TooLong:
        return


def _cases(kernel: Kernel) -> Iterator[dict[Symbol, int]]:
    """Values of the ids and dims that decide the parts of LDS and the trips of loops."""
    deciding: set[Symbol] = set()
    for statement in kernel.walk():
        for index in _indices(statement):
            deciding |= index.symbols
    known = [symbol for symbol in (*kernel.grid, *kernel.dims) if symbol in deciding]
    ranges = [range(symbol.low, min(symbol.high, symbol.low + _VALUES - 1) + 1) for symbol in known]
    for values in product(*ranges):
        case = dict(zip(known, values, strict=True))
        sizes = {**{dim: dim.high for dim in kernel.dims}, **case}
        counts = zip(kernel.grid, kernel.counts, strict=False)  # no counts if all are constant
        if all(constant(count).evaluate(sizes, 0) > case.get(symbol, 0) for symbol, count in counts):
            yield case


def _indices(statement: TileStatement) -> list[Index]:
    """The indices that decide a part of LDS, or the trips of a loop."""
    if isinstance(statement.op, For):
        return [statement.op.start, statement.op.stop]
    return [index for access in _of_lds(statement) for index in _parts(access)]


def _of_lds(statement: TileStatement) -> list[Access]:
    return [access for access in accesses(statement, (), None) if isinstance(access.place, InLds)]


def _parts(access: Access) -> tuple[Index, ...]:
    assert isinstance(access.place, InLds)
    return (access.place.slot, *access.place.origin)


class _TooLong(Exception):
    pass


class _Run:
    """A run of a kernel: the elements of each slot that are written, a bit each."""

    def __init__(self) -> None:
        self._steps = 0
        self._written: dict[tuple[TileValue, int], int] = {}
        self._known: dict[Symbol, int] = {}
        self._counters: list[Symbol] = []

    def of(self, statements: Sequence[TileStatement], known: dict[Symbol, int]) -> Iterator[Unwritten]:
        self._written, self._known = {}, known
        yield from self._run(statements)

    def _run(self, statements: Sequence[TileStatement]) -> Iterator[Unwritten]:
        for statement in statements:
            match statement.op:
                case For() as loop:
                    yield from self._loop(statement, loop)
                case Waves():
                    yield from self._run(statement.regions[0].statements)
                case _:
                    for access in _of_lds(statement):
                        yield from self._access(access)

    def _loop(self, statement: TileStatement, loop: For) -> Iterator[Unwritten]:
        (region,) = statement.regions
        indices = [index for inner in walk(region.statements) for index in _indices(inner)]
        if not indices:
            return
        start, stop = loop.start.evaluate(self._known, 0), loop.stop.evaluate(self._known, 0)
        trips = min(-(-(stop - start) // loop.step), _period(loop, start, indices))
        self._counters.append(loop.counter)
        for trip in range(trips):
            self._known[loop.counter] = start + trip * loop.step
            yield from self._run(region.statements)
        _ = self._known.pop(self._counters.pop(), None)

    def _access(self, access: Access) -> Iterator[Unwritten]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooLong
        slot, *origin = [index.evaluate(self._known, 0) for index in _parts(access)]
        type_ = access.memory.type
        assert isinstance(type_, LdsType)
        part = _box(access.tile.layout.shape, type_.shape) << join(tuple(origin), type_.shape[: len(origin)])
        before = self._written.get((access.memory, slot), 0)
        if access.tile.writes:
            self._written[access.memory, slot] = before | part
        elif part & ~before:
            missing = part & ~before
            element = split((missing & -missing).bit_length() - 1, type_.shape)
            yield Unwritten(self._words(access, slot, element), access.statement)

    def _words(self, access: Access, slot: int, element: Sizes) -> str:
        ids = [
            f"{symbol.name} = {value}"
            for symbol, value in self._known.items()
            if symbol not in self._counters
        ]
        trips = [f"{symbol.name} = {self._known[symbol]}" for symbol in self._counters]
        when = (f" for {', '.join(ids)}" if ids else "") + (f" in trip {', '.join(trips)}" if trips else "")
        name = access.memory.name
        read = f"it reads element {format_list(element)} of slot {slot} of {name}{when}"
        return f"{read}, and no statement before writes it; store to it first, or read another slot or part"


def _period(loop: For, start: int, indices: Sequence[Index]) -> int:
    """After how many trips the parts of LDS and the trips of inner loops are those of earlier trips."""
    trip = symbol("trip", 0, 1 << 30)
    counter, period = trip * loop.step + start, 1
    for index in indices:
        own = repetition(index.substitute({loop.counter: counter}), as_symbol(trip))
        if own is None or own.growth:
            return _MOST_STEPS
        period = lcm(period, own.period)
    return period


@cache
def _box(shape: Sizes, whole: Sizes) -> int:
    """A bit for each element of a tile of a shape at the beginning of a slot, by its row-major number."""
    bits, step = 1, 1
    for size, of in zip(reversed(shape), reversed(whole), strict=True):
        row, bits = bits, 0
        for at in range(size):
            bits |= row << at * step
        step *= of
    return bits
