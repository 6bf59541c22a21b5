"""Random tile programs that access LDS, and what races in them by brute force: every workgroup, trip, element
and wave.

The programs are records of their own, with indices of their own, so that the answer uses nothing of
`asmgen.blockwise.rules` and of `asmgen.index`. `kernel_of` gives the kernel of a program.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

from asmgen.blockwise import actions as ops
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index import Index, constant
from asmgen.index.size import named_dim
from asmgen.ir.types import F32, TensorType, tensor
from tests.layouts import random_parts

Values = Mapping[str, int]
LANES = 4


class Number(NamedTuple):
    """An index: `of` with `operator` and a number, or with another index."""

    operator: str  # number, name, +, *, floordiv, mod, min
    left: Number | str | int
    right: Number | int = 0

    def value(self, known: Values) -> int:
        left, right = self.left, self.right
        if isinstance(left, str):
            return known[left]
        if isinstance(left, int):
            return left
        a = left.value(known)
        b = right if isinstance(right, int) else right.value(known)
        match self.operator:
            case "+":
                return a + b
            case "*":
                return a * b
            case "floordiv":
                return a // b
            case "mod":
                return a % b
            case _:
                return min(a, b)

    def expression(self, known: Mapping[str, Index]) -> Index:
        left, right = self.left, self.right
        if isinstance(left, str):
            return known[left]
        if isinstance(left, int):
            return constant(left)
        a = left.expression(known)
        b = constant(right) if isinstance(right, int) else right.expression(known)
        match self.operator:
            case "+":
                return a + b
            case "*":
                return a.times(b)
            case "floordiv":
                return a.divided(b)
            case "mod":
                return a.remaining(b)
            case _:
                return a.smaller(b)

    def __str__(self) -> str:
        if not isinstance(self.left, Number):
            return str(self.left)
        return f"({self.left} {self.operator} {self.right})"


def number(value: int) -> Number:
    return Number("number", value)


def name(of: str) -> Number:
    return Number("name", of)


class Barrier(NamedTuple):
    pass


class Wait(NamedTuple):
    pending: int


class Access(NamedTuple):
    """`kind` is load, store or copy; `slot` and `origin` are numbers of ids, dims and counters."""

    at: int  # its number in the program
    kind: str
    lds: int
    slot: Number
    origin: tuple[Number, ...]
    layout: Layout


class Loop(NamedTuple):
    counter: str
    start: Number
    stop: Number
    step: int
    body: tuple[Item, ...]
    staggered: bool = False


class Part(NamedTuple):
    """The waves of a region; their number divides `first`."""

    first: int
    waves: int
    body: tuple[Item, ...]


Item = Barrier | Wait | Access | Loop | Part


class Program(NamedTuple):
    """`grid` are ids with the number of workgroups along each, or the name of the dim that is this number;
    `dims` are named dims with their ranges."""

    grid: dict[str, int | str]
    dims: dict[str, tuple[int, int]]
    waves: int
    lds: tuple[tuple[tuple[int, ...], int], ...]  # the shape of a slot, and the slots
    items: tuple[Item, ...]


# Kernels


def kernel_of(program: Program) -> tuple[Kernel, dict[int, int]]:
    """The kernel, and for each of its statements (by `id`) the number of the access that it is."""
    dims = {of: named_dim(of, *ends) for of, ends in program.dims.items()}
    grid = {of: dims[count] if isinstance(count, str) else count for of, count in program.grid.items()}
    builder = TileBuilder("random", grid, program.waves, LANES)
    sized = tensor(F32, (64, *dims.values()))
    buffer = builder.parameter("x", sized)
    memory = [builder.lds(LdsType(F32, _placement(shape), slots)) for shape, slots in program.lds]
    known = dict(zip(program.grid, builder.ids, strict=True))
    known |= {of: constant(size) for of, size in dims.items()}
    accesses: list[Access] = []
    _build(builder, program.items, memory, buffer, known, accesses)
    kernel = builder.kernel()
    statements = [s for s in kernel.walk() if isinstance(s.op, ops.LdsStore | ops.LdsLoad | ops.AsyncCopy)]
    numbers = [access.at for access in accesses]
    return kernel, dict(zip(map(id, statements), numbers, strict=True))


def _placement(shape: tuple[int, ...]) -> Placement:
    size = 1
    for count in shape:
        size *= count
    return Placement(shape, tuple([1 << bit for bit in range(size.bit_length() - 1)]))


def _build(
    builder: TileBuilder,
    items: tuple[Item, ...],
    memory: list[TileValue],
    buffer: TileValue,
    known: dict[str, Index],
    accesses: list[Access],
) -> None:
    for item in items:
        match item:
            case Barrier():
                builder.barrier()
            case Wait(pending):
                _ = builder.apply(ops.AsyncWait(pending))
            case Loop():
                _loop(builder, item, memory, buffer, known, accesses)
            case Part(first, count, inside):
                with builder.waves(first, first + count):
                    _build(builder, inside, memory, buffer, known, accesses)
            case Access():
                accesses.append(item)
                tile = TileType(F32, item.layout)
                slot = item.slot.expression(known)
                origin = tuple([index.expression(known) for index in item.origin])
                if item.kind == "load":
                    _ = builder.lds_load(memory[item.lds], tile, origin, slot)
                elif item.kind == "store":
                    builder.lds_store(builder.fill(0, tile), memory[item.lds], origin, slot)
                else:
                    assert isinstance(buffer.type, TensorType)
                    at = (constant(0),) * buffer.type.rank
                    copy = ops.AsyncCopy(at, item.layout, (), origin, slot)
                    _ = builder.apply(copy, buffer, memory[item.lds])


def _loop(
    builder: TileBuilder,
    loop: Loop,
    memory: list[TileValue],
    buffer: TileValue,
    known: dict[str, Index],
    accesses: list[Access],
) -> None:
    def body(counter: Index, carried: tuple[TileValue, ...]) -> tuple[TileValue, ...]:
        _build(builder, loop.body, memory, buffer, known | {loop.counter: counter}, accesses)
        return carried

    _ = builder.for_(loop.counter, loop.start.expression(known), loop.stop.expression(known), loop.step, (), body, loop.staggered)


# Brute force

Counters = tuple[tuple[str, int], ...]


class Meeting(NamedTuple):
    """Two accesses of a workgroup that meet: the counters of both, the slot, the element and the waves."""

    counters: tuple[tuple[int, ...], tuple[int, ...]]
    slot: int
    element: tuple[int, ...]
    waves: tuple[int, int]


Pair = tuple[int, int]  # the numbers of the earlier and of the later access


def racing(program: Program) -> set[Pair]:
    """The pairs of accesses that race in some workgroup."""
    found: set[Pair] = set()
    for known in workgroups(program):
        _Workgroup(program.waves, known, found, None).run(program.items, ())
    return found


def is_race(program: Program, pair: Pair, known: Values, meeting: Meeting) -> bool:
    """Whether two accesses meet so in the workgroups with these ids and dims. Names that are left out may
    have any value."""
    workgroup = next(each for each in workgroups(program) if known.items() <= each.items())
    found: set[Pair] = set()
    _Workgroup(program.waves, workgroup, found, (pair, meeting)).run(program.items, ())
    return bool(found)


def workgroups(program: Program) -> Iterator[dict[str, int]]:
    """The ids and dims of every workgroup."""
    for dims in product(*[range(low, high + 1) for low, high in program.dims.values()]):
        known = dict(zip(program.dims, dims, strict=True))
        counts = [known[count] if isinstance(count, str) else count for count in program.grid.values()]
        for ids in product(*map(range, counts)):
            yield known | dict(zip(program.grid, ids, strict=True))


class _Event(NamedTuple):
    access: Access
    counters: Counters
    slot: int
    waves: dict[tuple[int, ...], frozenset[int]]  # those that access each element
    passed: tuple[int, int]  # the barriers that either half of the waves passed before


class _Workgroup:
    """`found` gets the pairs that race; if one meeting of a pair is `wanted`, that pair if they meet so."""

    def __init__(self, waves: int, known: dict[str, int], found: set[Pair], wanted: tuple[Pair, Meeting] | None) -> None:
        self._half = waves // 2
        self._passed = [0, 0]
        self._known = known
        self._found = found
        self._wanted = wanted
        self._since: list[_Event] = []  # that some waves may still be at
        self._flying: list[list[_Event]] = [[] for _ in range(waves)]  # copies of each wave that are under way

    def run(self, items: tuple[Item, ...], counters: Counters, here: range | None = None) -> None:
        here = range(len(self._flying)) if here is None else here  # the waves
        for item in items:
            match item:
                case Barrier():
                    self._pass(0, 1)
                case Wait(pending):
                    passed = self._passed[0], self._passed[1]
                    for flying in [self._flying[wave] for wave in here]:
                        landed = max(len(flying) - pending, 0)
                        self._since += [event._replace(passed=passed) for event in flying[:landed]]
                        del flying[:landed]
                case Loop():
                    values = self._known | dict(counters)
                    if item.staggered:
                        self._pass(1)
                    for value in range(item.start.value(values), item.stop.value(values), item.step):
                        self.run(item.body, (*counters, (item.counter, value)), here)
                    if item.staggered:
                        self._pass(0)
                case Part():
                    self.run(item.body, counters, range(item.first, item.first + item.waves))
                case Access():
                    self._access(item, counters, here)

    def _pass(self, *halves: int) -> None:
        for half in halves:
            self._passed[half] += 1
        self._since = [event for event in self._since if max(event.passed) >= min(self._passed)]

    def _access(self, access: Access, counters: Counters, here: range) -> None:
        values = self._known | dict(counters)
        origin = [index.value(values) for index in access.origin]
        waves: dict[tuple[int, ...], frozenset[int]] = {}
        for element, some in holders(access.layout).items():
            ones = some if access.kind == "load" else (min(some),)
            waves[tuple(map(int.__add__, origin, element))] = frozenset([here[wave] for wave in ones])
        event = _Event(access, counters, access.slot.value(values), waves, (self._passed[0], self._passed[1]))
        for earlier in self._since:
            self._meet(earlier, event, is_apart=True)
        for earlier in [one for flying in self._flying for one in flying]:
            self._meet(earlier, event, is_apart=False)
        if access.kind != "copy":
            self._since.append(event)
            return
        for wave in here:
            own = {at: ones & {wave} for at, ones in event.waves.items() if wave in ones}
            self._flying[wave].append(event._replace(waves=own))

    def _meet(self, one: _Event, other: _Event, is_apart: bool) -> None:
        a, b = one.access, other.access
        pair = a.at, b.at
        if pair in self._found or a.lds != b.lds or one.slot != other.slot or a.kind == b.kind == "load":
            return
        if self._wanted is not None and self._wanted[0] != pair:
            return
        counters = tuple([value for _, value in one.counters]), tuple([value for _, value in other.counters])
        for element, waves in one.waves.items():
            for each in product(waves, other.waves.get(element, ())):
                first, second = [wave >= self._half for wave in each]
                is_met = not is_apart or (each[0] != each[1] and one.passed[first] >= other.passed[second])
                if is_met and self._wanted in (None, (pair, Meeting(counters, one.slot, element, each))):
                    self._found.add(pair)


@cache
def holders(layout: Layout) -> dict[tuple[int, ...], frozenset[int]]:
    """The waves that have each element."""
    columns = [*layout.registers, *layout.lanes, *layout.waves]
    below = len(layout.registers) + len(layout.lanes)
    found: dict[tuple[int, ...], frozenset[int]] = {}
    for turn in product(*map(range, layout.repeat or (1,) * len(layout.sizes))):
        for holder in range(1 << len(columns)):
            flat = 0
            for bit, column in enumerate(columns):
                flat ^= column * (holder >> bit & 1)
            element: list[int] = []
            for size, times in zip(reversed(layout.sizes), reversed(turn), strict=True):
                element.append(flat % size + times * size)
                flat //= size
            at = tuple(reversed(element))
            found[at] = found.get(at, frozenset()) | {holder >> below}
    return found


# Random programs


def random_program(draw: random.Random, accesses: int, copies: bool = False) -> Program:
    """A program with some accesses of one or two tiles in LDS, in loops, with barriers among them."""
    dims = {"n": (1, draw.randint(2, 6))} if draw.random() < 0.4 else {}
    grid: dict[str, int | str] = {}
    for of in draw.sample(("row", "column"), draw.randint(1, 2)):
        grid[of] = draw.choice(("n", draw.randint(1, 6))) if dims else draw.randint(1, 6)
    waves = draw.choice((2, 2, 4))
    lds = tuple([_lds(draw) for _ in range(draw.choice((1, 1, 1, 2)))])
    make = _Maker(draw, lds, waves, copies)
    while True:
        make.left = accesses
        items = make.items(sorted((*grid, *dims)), 0)
        if not make.left:
            return Program(grid, dims, waves, lds, items)


def _lds(draw: random.Random) -> tuple[tuple[int, ...], int]:
    shape = draw.choice(((4, 4), (2, 8), (8,), (1, 16), (2, 2, 4)))
    return shape, draw.choice((1, 2, 2, 3, 4))


class _Maker:
    def __init__(self, draw: random.Random, lds: tuple[tuple[tuple[int, ...], int], ...], waves: int, copies: bool) -> None:
        self._draw, self._lds, self._waves, self._copies = draw, lds, waves, copies
        self.left = 0  # accesses to make
        self._staggered = False  # whether a loop around is
        self._is_part = False  # whether a region of some waves is around
        self._count = waves  # of the layouts here

    def items(self, known: list[str], depth: int) -> tuple[Item, ...]:
        draw = self._draw
        found: list[Item] = []
        for _ in range(draw.randint(1, 4)):
            what = draw.random()
            if what < 0.35 and depth < 3:
                found.append(self._loop(known, depth))
            elif what < 0.42 and not self._is_part and self.left:
                found.append(self._part(known, depth))
            elif what < 0.52 and self._is_part:
                continue
            elif what < 0.52:
                found.append(Barrier())
            elif what < 0.65 and self._copies:
                found.append(Wait(draw.choice((0, 0, 1, 2, 3))))
            elif self.left:
                self.left -= 1
                found.append(self._access(known))
        return tuple(found)

    def _part(self, known: list[str], depth: int) -> Part:
        draw, all_waves = self._draw, self._count
        self._count = draw.choice([count for count in (1, 2) if count < all_waves])
        self._is_part = True
        first = draw.randrange(0, all_waves, self._count)
        part = Part(first, self._count, self.items(known, depth + 1))
        self._count, self._is_part = all_waves, False
        return part

    def _loop(self, known: list[str], depth: int) -> Loop:
        draw = self._draw
        counter, step = "kij"[depth], draw.choice((1, 1, 2, 3, 4))
        staggered = not self._staggered and not self._is_part and draw.random() < 0.25
        start = number(draw.choice((0, 0, 1, 4)))
        if known and draw.random() < 0.15:
            start = name(draw.choice(known))
        stop = Number("+", start, number(step * draw.choice((0, 1, 2, 3, 4, 5)) + draw.choice((0, 0, 1))))
        if known and draw.random() < 0.35:
            stop = name(draw.choice(known))
            if draw.random() < 0.5:
                stop = Number("*", Number("floordiv", Number("+", stop, number(draw.randint(0, 3))), step), step)
            stop = Number("+", stop, number(draw.choice((0, 0, 1, 3))))
        self._staggered, outside = self._staggered or staggered, self._staggered
        body = self.items([*known, counter], depth + 1)
        self._staggered = outside
        return Loop(counter, start, stop, step, body, staggered)

    def _access(self, known: list[str]) -> Access:
        draw = self._draw
        lds = draw.randrange(len(self._lds))
        shape, slots = self._lds[lds]
        kinds = ("load", "store", "copy") if self._copies else ("load", "store")
        sizes = [draw.choice((size, size, size // 2)) if size > 1 else 1 for size in shape]
        origin = tuple(
            [number(0) if size == whole else Number("*", self._within(known, whole // size), size) for size, whole in zip(sizes, shape, strict=True)]
        )
        layout = self._layout(tuple(sizes))
        return Access(self.left, draw.choice(kinds), lds, self._within(known, slots), origin, layout)

    def _layout(self, sizes: tuple[int, ...]) -> Layout:
        """Its waves have the bits of the kernel's; registers and lanes have any number."""
        draw = self._draw
        while True:
            registers, lanes, waves = random_parts(draw, sizes, 2)
            bits = self._count.bit_length() - 1
            if len(waves) == bits:
                return Layout(sizes, registers, lanes, waves)

    def _within(self, known: list[str], limit: int) -> Number:
        """A number from 0 to `limit - 1`."""
        draw = self._draw
        if limit == 1 or not known or draw.random() < 0.2:
            return number(draw.randrange(limit))
        if draw.random() < 0.1:
            return Number("min", name(draw.choice(known)), number(limit - 1))
        return Number("mod", self._sum(known), limit)

    def _sum(self, known: list[str]) -> Number:
        draw = self._draw
        total = number(draw.choice((0, 0, 1, 2, 3)))
        for _ in range(draw.choice((1, 1, 1, 2, 2, 3))):
            # the counter of the innermost loop is the likeliest
            term = name(known[-1] if draw.random() < 0.6 else draw.choice(known))
            kind = draw.random()
            if kind < 0.25:
                term = Number("floordiv", term, draw.choice((2, 3, 4)))
            elif kind < 0.35:
                term = Number("*", term, draw.choice((2, 3)))
            elif kind < 0.4:
                term = Number("mod", term, draw.choice((2, 3)))
            elif kind < 0.45:
                term = Number("*", term, name(draw.choice(known)))
            total = Number("+", total, term)
        return total


def smaller(program: Program) -> Iterator[Program]:
    """Programs without an item, or with the body of a loop in place of the loop."""
    for items in _smaller(program.items):
        yield program._replace(items=items)


def _smaller(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    for at, item in enumerate(items):
        yield (*items[:at], *items[at + 1 :])
        if isinstance(item, Loop | Part):
            for body in _smaller(item.body):
                yield (*items[:at], item._replace(body=body), *items[at + 1 :])


def text_of(program: Program) -> str:
    """The program as lines."""
    head = f"grid {program.grid} dims {program.dims} waves {program.waves} lds {program.lds}"
    return "\n".join([head, *_lines(program.items, 1)])


def _lines(items: tuple[Item, ...], depth: int) -> Iterator[str]:
    margin = "  " * depth
    for item in items:
        match item:
            case Loop():
                yield f"{margin}for {item.counter} = {item.start} to {item.stop} step {item.step} {'staggered' * item.staggered}"
                yield from _lines(item.body, depth + 1)
            case Part():
                yield f"{margin}waves {item.first} to {item.first + item.waves}"
                yield from _lines(item.body, depth + 1)
            case Access():
                origin = ", ".join(map(str, item.origin))
                yield f"{margin}{item.at}: {item.kind}[slot={item.slot}, origin={{{origin}}}] lds{item.lds} {item.layout}"
            case _:
                yield f"{margin}{item}"


def hold_counts(unsafe: int, safe: int, needless: list[str], least: int, most: int) -> None:
    """Assert that a search saw at least `least` programs with a race and as many without, and that at most
    `most` refusals were needless, which it prints."""
    print(f"{unsafe} race, {safe} are safe, {len(needless)} refused without need", *needless, sep="\n")
    assert min(unsafe, safe) > least
    assert len(needless) <= most
