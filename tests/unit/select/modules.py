"""Lanewise modules for the selection tests: by hand with a `LaneBuilder`, and at random with every kind of
control flow.

A random module is a legal `final` program: indices are masked into their buffers, loops end, and the stores
of a lane have a place of their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from asmgen.graph.ops import PARAM, RETURN
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F16, F32, I32, U32, ElementType, LaneType, tensor
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder

Body = Callable[..., None]
ELEMENTS = 256  # of an input buffer
SLOTS = 24  # results of one lane in each output buffer


def module_of(
    body: Body, buffers: Sequence[tuple[str, int]] = (("f32", ELEMENTS), ("f32", ELEMENTS)), grid: tuple[int, int, int] = (1, 1, 1),
    block: tuple[int, int, int] = (64, 1, 1),
) -> Module:  # fmt: skip
    """A module of the given buffers (element type, elements); `body` gets the builder and them, the last is returned."""
    builder = LaneBuilder()
    builder.launch(grid, block)
    parameters: list[Value] = []
    for i, (element, size) in enumerate(buffers):
        value = Value(builder.fresh(f"p{i}"), tensor(ELEMENT_TYPES[element], (size,)))
        builder.append(Statement(PARAM, (), (value,), {"name": value.name}))
        parameters.append(value)
    body(builder, *parameters)
    builder.append(Statement(RETURN, (parameters[-1],)))
    return builder.module("kernel")


RANDOM_BUFFERS: tuple[str, ...] = ("f32", "i32", "bool", "f16")


def random_module(seed: int, statements: int = 24) -> Module:
    """A module that reads one buffer of each of `RANDOM_BUFFERS` and writes one of each, `SLOTS` elements a lane."""
    rng = random.Random(seed)
    grid, block = (rng.choice((1, 2)), 1, 1), (rng.choice((64, 128)), 1, 1)
    lanes = grid[0] * block[0]
    buffers = [(name, ELEMENTS) for name in RANDOM_BUFFERS] + [(name, lanes * SLOTS) for name in RANDOM_BUFFERS]

    def body(builder: LaneBuilder, *parameters: Value) -> None:
        _Generator(rng, builder, parameters, block[0]).fill(statements)

    return module_of(body, buffers, grid, block)


Pool = dict[str, list[Value]]


class _Generator:
    """Appends random statements; `pool` has the visible values by type."""

    def __init__(self, rng: random.Random, builder: LaneBuilder, parameters: Sequence[Value], threads: int) -> None:
        self._rng = rng
        self._b = builder
        self._inputs = dict(zip(RANDOM_BUFFERS, parameters[:4], strict=True))
        self._outputs = dict(zip(RANDOM_BUFFERS, parameters[4:], strict=True))
        self._slot = 0
        self._depth = 0
        self._pool: Pool = {}
        local, group = builder.local_id(), builder.workgroup_id()
        self._lane = builder.add(builder.mul(group, builder.constant(threads, U32)), local)
        for value in (local, group, self._lane):
            self._add(value)
        for element, values in ((F32, (0.0, 1.0, -2.5, 1e30)), (I32, (-3, 0, 70000)), (U32, (0, 5, 0xFFFF0000)), (BOOL, (True, False))):
            for value in values:
                self._add(builder.constant(value, element))
        for _ in range(2):
            self._load()
        self._where_vector()

    def _add(self, value: Value) -> None:
        self._pool.setdefault(str(value.type), []).append(value)

    def _any(self, type_: LaneType | ElementType) -> Value:
        """A visible value of a type, more likely a recent value; a constant if there is none."""
        wanted = type_ if isinstance(type_, LaneType) else LaneType(type_)
        found = self._pool.get(str(wanted), [])
        if not found:
            value = self._b.constant(self._rng.choice((0, 1, 3)), wanted)
            self._add(value)
            return value
        return found[-1 - min(int(self._rng.expovariate(0.35)), len(found) - 1)]

    def fill(self, statements: int) -> None:
        for _ in range(statements):
            self._statement()
        for name in RANDOM_BUFFERS:
            for value in self._pool.get(name, [])[-3:]:
                self._store(value)
        for value in self._pool.get("u32", [])[-2:]:
            self._store(self._b.bit_cast(value, I32))
        for type_ in ("f32x2", "f32x4"):
            for value in self._pool.get(type_, [])[-1:]:
                self._store(self._b.extract(value, self._rng.randrange(2)))

    def _statement(self) -> None:
        choices = [self._float, self._float, self._integer, self._integer, self._compare, self._logic, self._where, self._convert, self._load]
        choices += [self._vector, self._vector, self._where_vector, self._half, self._first_lane, self._sign]
        if self._depth < 3:
            choices += [self._if, self._if, self._for]
        if self._slot < SLOTS - 12:
            choices.append(self._store_something)
        self._rng.choice(choices)()

    # Arithmetic

    def _float(self) -> None:
        b, rng = self._b, self._rng
        two = rng.choice((b.add, b.sub, b.mul, b.max, b.min))
        x, y, z = (self._any(F32) for _ in range(3))
        self._add(rng.choice((lambda: two(x, y), lambda: two(x, y), lambda: b.fma(x, y, z), lambda: b.med3(x, y, z), lambda: b.floor(x)))())

    def _integer(self) -> None:
        b, rng = self._b, self._rng
        element = rng.choice((I32, U32, U32))
        x, y = self._any(element), self._any(element)
        count = b.bitwise_and(self._any(element), b.constant(31, element))
        two = rng.choice((b.add, b.add, b.sub, b.mul, b.max, b.min, b.bitwise_and, b.bitwise_or, b.bitwise_xor, b.multiply_high))
        made = (
            lambda: two(x, y), lambda: two(x, y), lambda: b.shift_left(x, count), lambda: b.shift_right(x, count), lambda: b.bitwise_not(x),
            lambda: b.mul(x, b.constant(rng.choice((4, 12)), element)),
        )  # fmt: skip
        self._add(rng.choice(made)())

    def _sign(self) -> None:
        b, rng = self._b, self._rng
        value = self._any(rng.choice((F32, I32, LaneType(F32, 2))))
        self._add(rng.choice((b.neg, b.abs))(value))

    def _compare(self) -> None:
        b, rng = self._b, self._rng
        element = rng.choice((F32, F32, I32, U32, BOOL))
        relations = (b.less, b.greater, b.equal, b.not_equal)
        relation = rng.choice(relations if element is BOOL else (*relations, b.less_equal, b.greater_equal))
        self._add(relation(self._any(element), self._any(element)))

    def _logic(self) -> None:
        b = self._b
        x, y = self._any(BOOL), self._any(BOOL)
        two = self._rng.choice((b.logical_and, b.logical_or, b.logical_xor))
        self._add(self._rng.choice((lambda: two(x, y), lambda: two(x, y), lambda: b.logical_not(x)))())

    def _where(self) -> None:
        element = self._rng.choice((F32, I32, U32, BOOL, F16))
        self._add(self._b.where(self._any(BOOL), self._any(element), self._any(element)))

    def _convert(self) -> None:
        source, target = self._rng.choice(
            ((F32, I32), (I32, F32), (U32, F32), (F32, U32), (BOOL, F32), (BOOL, I32), (I32, BOOL), (F32, BOOL), (F32, F16), (F16, F32), (I32, U32))
        )
        self._add(self._b.convert(self._any(source), target))

    # Memory

    def _index(self) -> Value:
        return self._b.bitwise_and(self._any(U32), self._b.constant(ELEMENTS // 2 - 1, U32))

    def _load(self) -> None:
        b, rng = self._b, self._rng
        index = self._index()
        if rng.random() < 0.4:
            index = b.add(b.mul(index, b.constant(1, U32)), b.constant(rng.randrange(8), U32))
        name = rng.choice(RANDOM_BUFFERS)
        self._add(b.load(self._inputs[name], index, offset=4 * rng.randrange(2)))

    def _store_something(self) -> None:
        self._store(self._any(self._rng.choice((F32, I32, BOOL, F16))))

    def _store(self, value: Value) -> None:
        if self._slot >= SLOTS:
            return
        b = self._b
        index = b.add(b.mul(self._lane, b.constant(SLOTS, U32)), b.constant(self._slot, U32))
        self._slot += 1
        b.store(self._outputs[str(value.type)], index, value)

    # Vectors

    def _vector(self) -> None:
        b, rng = self._b, self._rng
        lanes = rng.choice((2, 4))
        type_ = LaneType(F32, lanes)
        x, y = self._any(type_), self._any(type_)
        made = (
            lambda: b.add(x, y), lambda: b.mul(x, y), lambda: b.fma(x, y, x), lambda: b.sub(x, y), lambda: b.max(x, y),
            lambda: b.load(self._inputs["f32"], self._index(), lanes), lambda: b.pack(*(self._any(F32) for _ in range(lanes))),
            lambda: b.pack(*(b.add(self._any(F32), self._any(F32)) for _ in range(lanes))), lambda: b.splat(self._any(F32), lanes),
            lambda: b.extract(x, rng.randrange(lanes)), lambda: b.mul(x, b.constant(0.3, type_)), lambda: b.add(x, b.constant(2.0, type_)),
            lambda: b.fma(x, b.constant(0.3, type_), b.constant(0.7, type_)),
        )  # fmt: skip
        self._add(rng.choice(made)())

    def _where_vector(self) -> None:
        b = self._b
        type_ = LaneType(F32, self._rng.choice((2, 4)))
        x, y = self._any(type_), self._any(type_)
        self._add(b.where(b.less(x, y), y, self._any(type_)))

    def _half(self) -> None:
        b, rng = self._b, self._rng
        lanes = rng.choice((2, 4))
        half = b.load(self._inputs["f16"], self._index(), lanes) if rng.random() < 0.5 else b.convert(self._any(LaneType(F32, lanes)), F16)
        self._add(half)
        made = (
            lambda: b.convert(half, F32), lambda: b.extract(half, rng.randrange(lanes)), lambda: b.add(half, half), lambda: b.extract(half, 0, 2),
            lambda: b.splat(self._any(F16), 2), lambda: b.pack(self._any(F16), self._any(F16)), lambda: b.neg(self._any(F16)),
        )  # fmt: skip
        self._add(rng.choice(made)())

    def _first_lane(self) -> None:
        self._add(self._b.read_first_lane(self._any(self._rng.choice((F32, I32, U32)))))

    # Control flow

    def _region(self, types: Sequence[LaneType], parameters: Sequence[Value] = ()) -> tuple[Value, ...]:
        """Fill a region; values of these types to yield."""
        kept = {name: list(values) for name, values in self._pool.items()}
        for value in parameters:
            self._add(value)
        self._depth += 1
        for _ in range(self._rng.randrange(1, 6)):
            self._statement()
        yielded = tuple(self._any(type_) for type_ in types)
        self._depth -= 1
        self._pool = kept
        return yielded

    def _types(self) -> list[LaneType]:
        options = (LaneType(F32), LaneType(I32), LaneType(U32), LaneType(BOOL), LaneType(F32, 2), LaneType(F32, 4), LaneType(F16))
        return [self._rng.choice(options) for _ in range(self._rng.randrange(4))]

    def _if(self) -> None:
        types = self._types()
        then = lambda: self._region(types)  # noqa: E731
        other = (lambda: self._region(types)) if types or self._rng.random() < 0.3 else None
        for value in self._b.if_(self._any(BOOL), then, other):
            self._add(value)

    def _for(self) -> None:
        b, rng = self._b, self._rng
        types = self._types()
        start = b.constant(rng.randrange(2), U32)
        stop = b.bitwise_and(self._any(U32), b.constant(3, U32)) if rng.random() < 0.7 else b.constant(3, U32)
        initial = [self._any(type_) for type_ in types]
        results = b.for_(start, stop, b.constant(rng.randrange(1, 3), U32), initial, lambda i, carried: self._region(types, (i, *carried)))
        for value in results:
            self._add(value)


def count_ops(module: Module) -> dict[str, int]:
    """How often each op stands in a module."""
    found: dict[str, int] = {}
    for statement in module.walk():
        found[statement.op.name] = found.get(statement.op.name, 0) + 1
    return found


def has_regions(module: Module) -> bool:
    return any(statement.op in (ops.IF, ops.FOR) for statement in module.walk())
