"""Random tile programs that store to a buffer and load from it, and what races in them by brute force: every
workgroup, trip, element and wave.

The programs are records of their own, with the indices of `lds_programs`, so that the answer uses nothing of
`asmgen.blockwise.rules` and of `asmgen.index`. `kernel_of` gives the kernel of a program.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from asmgen.blockwise import actions as ops
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.types import TileType
from asmgen.index import Index
from asmgen.ir.types import F32, tensor
from tests.layouts import random_parts
from tests.property.lds_programs import Number, holders, name, number

WAVES, BITS = 2, 1
RANK = 2


class Barrier(NamedTuple):
    pass


class Access(NamedTuple):
    """A load, or a store of the element `value` of a buffer that is only read. Elements for which `left` is
    not less than `limit` are not accessed."""

    at: int  # its number in the program
    is_store: bool
    place: tuple[Number, ...]
    left: Number
    limit: int
    value: Number
    layout: Layout


class Loop(NamedTuple):
    counter: str
    trips: int
    step: int
    body: tuple[Item, ...]


Item = Barrier | Access | Loop


class Program(NamedTuple):
    grid: dict[str, int]
    items: tuple[Item, ...]


# Kernels


def kernel_of(program: Program) -> tuple[Kernel, dict[int, int]]:
    """The kernel, and for each of its statements (by `id`) the number of the access that it is."""
    builder = TileBuilder("random", program.grid, WAVES, 4)
    known = dict(zip(program.grid, builder.ids, strict=True))
    buffer, source = (builder.parameter(of, tensor(F32, (4096,) * rank)) for of, rank in (("z", RANK), ("x", 1)))
    order: list[int] = []
    _build(builder, program.items, (buffer, source), known, order)
    kernel = builder.kernel()
    statements = [s for s in kernel.walk() if isinstance(s.op, ops.TileStore | ops.TileLoad) and buffer in s.operands]
    return kernel, dict(zip(map(id, statements), order, strict=True))


def _build(
    builder: TileBuilder,
    items: tuple[Item, ...],
    buffers: tuple[TileValue, TileValue],
    known: dict[str, Index],
    order: list[int],
) -> None:
    for item in items:
        match item:
            case Barrier():
                builder.barrier()
            case Loop(counter, trips, step, inside):

                def body(index: Index, carried: tuple[TileValue, ...], of: str = counter, some: tuple[Item, ...] = inside) -> tuple[TileValue, ...]:
                    _build(builder, some, buffers, known | {of: index}, order)
                    return carried

                _ = builder.for_(counter, 0, trips * step, step, (), body)
            case Access():
                order.append(item.at)
                _access(builder, item, buffers, known)


def _access(builder: TileBuilder, access: Access, buffers: tuple[TileValue, TileValue], known: dict[str, Index]) -> None:
    tile = TileType(F32, access.layout)
    names = known | {f"c{axis}": index for axis, index in enumerate(tile.coordinates)}
    place = [index.expression(names) for index in access.place]
    where = [ops.Below(access.left.expression(names), ops.ZERO + access.limit)]
    if access.is_store:
        value = builder.load(buffers[1], (access.value.expression(names),), tile)
        builder.store(value, buffers[0], place, where)
        return
    loaded = builder.load(buffers[0], place, tile, where)
    mine = (*known.values(), *tile.coordinates)  # an element of its own for each: no race
    copy = builder.parameter(f"copy{access.at}", tensor(F32, tuple([index.high + 1 for index in mine])))
    builder.store(loaded, copy, mine)


# Brute force

Pair = tuple[int, int]  # the numbers of the two accesses, the smaller first
Element = tuple[int, ...]


class Touch(NamedTuple):
    """An element that an access touches: the waves that do, and the value that is stored."""

    access: Access
    workgroup: tuple[int, ...]
    moment: tuple[int, int]  # in the order of the workgroup: barriers before, and the number of the statement run
    waves: frozenset[int]
    value: int | None


class Truth(NamedTuple):
    """`races` are the pairs of accesses that race, and `harmless` those that only store a value again."""

    races: set[Pair]
    harmless: set[Pair]


def racing(program: Program) -> Truth:
    touches: dict[Element, list[Touch]] = {}
    for ids in product(*map(range, program.grid.values())):
        _Workgroup(ids, touches).run(program.items, dict(zip(program.grid, ids, strict=True)))
    races, same = set[Pair](), set[Pair]()
    for some in touches.values():
        for number_, one in enumerate(some):
            for other in some[:number_]:
                if _meets(one, other):
                    pair = (min(one.access.at, other.access.at), max(one.access.at, other.access.at))
                    is_same = one.access is other.access and one.value == other.value
                    (same if is_same else races).add(pair)
    return Truth(races, same - races)


def _meets(one: Touch, other: Touch) -> bool:
    if not (one.access.is_store or other.access.is_store):
        return False
    if one.workgroup != other.workgroup or one.moment == other.moment:
        return one.workgroup != other.workgroup or one.access.is_store
    return one.moment[0] == other.moment[0] and len(one.waves | other.waves) > 1


class _Workgroup:
    def __init__(self, ids: tuple[int, ...], touches: dict[Element, list[Touch]]) -> None:
        self._ids = ids
        self._touches = touches
        self._barriers = self._runs = 0

    def run(self, items: tuple[Item, ...], known: Mapping[str, int]) -> None:
        for item in items:
            match item:
                case Barrier():
                    self._barriers += 1
                case Loop():
                    for trip in range(item.trips):
                        self.run(item.body, {**known, item.counter: trip * item.step})
                case Access():
                    self._access(item, known)

    def _access(self, access: Access, known: Mapping[str, int]) -> None:
        self._runs += 1
        for element, waves in holders(access.layout).items():
            values = {**known, **{f"c{axis}": at for axis, at in enumerate(element)}}
            if access.left.value(values) >= access.limit:
                continue
            some = frozenset([min(waves)]) if access.is_store else waves
            value = access.value.value(values) if access.is_store else None
            touch = Touch(access, self._ids, (self._barriers, self._runs), some, value)
            place = tuple([index.value(values) for index in access.place])
            self._touches.setdefault(place, []).append(touch)


# Random programs


def random_program(draw: random.Random, accesses: int) -> Program:
    grid = {of: draw.choice((1, 2, 3, 4)) for of in draw.sample(("row", "column"), draw.randint(1, 2))}
    make = _Maker(draw)
    while True:
        make.left = accesses
        items = make.items(sorted(grid), 0)
        if not make.left and any(access.is_store for access in _accesses(items)):
            return Program(grid, items)


def _accesses(items: tuple[Item, ...]) -> Iterator[Access]:
    for item in items:
        if isinstance(item, Access):
            yield item
        elif isinstance(item, Loop):
            yield from _accesses(item.body)


class _Maker:
    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self.left = 0  # accesses to make
        self._place: tuple[Number, ...] = ()  # of the last access, for another of the same

    def items(self, known: list[str], depth: int) -> tuple[Item, ...]:
        draw = self._draw
        found: list[Item] = []
        for _ in range(draw.randint(1, 4)):
            what = draw.random()
            if what < 0.3 and depth < 2:
                counter = "kj"[depth]
                body = self.items([*known, counter], depth + 1)
                found.append(Loop(counter, draw.choice((1, 2, 3)), draw.choice((1, 2, 4)), body))
            elif what < 0.5:
                found.append(Barrier())
            elif self.left:
                self.left -= 1
                found.append(self._access(known))
        return tuple(found)

    def _access(self, known: list[str]) -> Access:
        draw = self._draw
        sizes = draw.choice(((4, 4), (2, 8), (1, 16), (8, 1)))
        names = [*known, *[f"c{axis}" for axis, size in enumerate(sizes) if size > 1]]
        place = tuple([self._index(names, axis) for axis in range(RANK)])
        if draw.random() < 0.3 and self._place and all(one in names for index in self._place for one in _names(index)):
            place = self._place
        self._place = place
        left, limit = number(0), 1
        if draw.random() < 0.3:
            left, limit = name(draw.choice(names)), draw.choice((1, 2, 3, 5))
        value = self._index(names, 0) if draw.random() < 0.5 else place[0]
        return Access(self.left, draw.random() < 0.65, place, left, limit, value, self._layout(sizes))

    def _layout(self, sizes: tuple[int, ...]) -> Layout:
        while True:
            registers, lanes, waves = random_parts(self._draw, sizes, 2)
            if len(waves) == BITS:
                return Layout(sizes, registers, lanes, waves)

    def _index(self, names: list[str], axis: int) -> Number:
        """Often a coordinate and a multiple of an id or a counter: such indices are apart."""
        draw = self._draw
        total = name(f"c{axis}") if f"c{axis}" in names and draw.random() < 0.8 else number(draw.choice((0, 0, 1, 4)))
        for of in names:
            if of[0] == "c" and of[1:].isdigit():
                if draw.random() > 0.15:
                    continue
            elif draw.random() > 0.6:
                continue
            term = Number("*", name(of), draw.choice((1, 2, 4, 4, 8, 16)))
            if draw.random() < 0.2:
                term = Number(draw.choice(("floordiv", "mod")), term, draw.choice((2, 3, 4)))
            total = Number("+", total, term)
        kind = draw.random()
        if kind < 0.1:
            return Number(draw.choice(("floordiv", "mod")), total, draw.choice((2, 3, 4, 8)))
        return Number("min", total, number(draw.choice((2, 5, 8)))) if kind < 0.2 else total


def _names(of: Number) -> Iterator[str]:
    for side in (of.left, of.right):
        if isinstance(side, Number):
            yield from _names(side)
        elif isinstance(side, str):
            yield side


def smaller(program: Program) -> Iterator[Program]:
    """Programs without an item, or with the body of a loop without an item."""
    for items in _smaller(program.items):
        if any(access.is_store for access in _accesses(items)):
            yield program._replace(items=items)


def _smaller(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    for at, item in enumerate(items):
        yield (*items[:at], *items[at + 1 :])
        if isinstance(item, Loop):
            for body in _smaller(item.body):
                yield (*items[:at], item._replace(body=body), *items[at + 1 :])


def text_of(program: Program) -> str:
    return "\n".join([f"grid {program.grid}", *_lines(program.items, 1)])


def _lines(items: tuple[Item, ...], depth: int) -> Iterator[str]:
    margin = "  " * depth
    for item in items:
        match item:
            case Loop():
                yield f"{margin}for {item.counter} = 0 to {item.trips * item.step} step {item.step}"
                yield from _lines(item.body, depth + 1)
            case Access():
                kind = f"store x[{item.value}] to" if item.is_store else "load"
                place = ", ".join(map(str, item.place))
                yield f"{margin}{item.at}: {kind} [{place}] where {item.left} < {item.limit} {item.layout}"
            case _:
                yield f"{margin}barrier"
