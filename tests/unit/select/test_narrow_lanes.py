"""Lanes of 8 and 16 bits in registers: taken apart, put together, chosen, exchanged and carried as they are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Module, Value
from asmgen.ir.types import ELEMENT_TYPES, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.select.arithmetic.narrow import Place, joined, lowest
from asmgen.select.selection import Selection
from isa.instruction import Immediate, Unit
from isa.targets import TargetId
from tests.unit.select.modules import ELEMENTS, module_of
from tests.unit.select.running import TARGET, TARGETS, allocated, difference, emulated, interpreted, selected

NARROW = ("f16", "bf16", "i16", "u16", "i8", "u8", "fp8e4m3fnuz", "fp8e5m2fnuz")
LANES = 64
STORED = 16  # elements of a lane
STEPS = 14


def lanes_of(value: Value) -> int:
    assert isinstance(value.type, LaneType)
    return value.type.lanes


class _Moves:
    """Appends random moves of lanes; `pool` has the vectors so far."""

    def __init__(self, rng: random.Random, builder: LaneBuilder, source: Value) -> None:
        self.rng, self.builder = rng, builder
        self.lane = builder.local_id()
        first = builder.mul(self.lane, builder.constant(2, U32))
        self.pool = [builder.load(source, first, size) for size in (1, 2, 4, 8)]
        self.pool.append(builder.load(source, builder.constant(3, U32), 1))

    def of(self, lanes: int) -> Value:
        """A vector of so many lanes, made of some of the pool."""
        rng, builder = self.rng, self.builder
        parts: list[Value] = []
        while (left := lanes - sum(map(lanes_of, parts))) > 0:
            vector = rng.choice(self.pool)
            count = rng.randint(1, min(left, lanes_of(vector)))
            first = rng.randint(0, lanes_of(vector) - count)
            parts.append(vector if count == lanes_of(vector) else builder.extract(vector, first, count))
        return parts[0] if len(parts) == 1 else builder.pack(*parts)

    def condition(self, lanes: int) -> Value:
        """A bool for every lane: the same for all, for each half, or another for each."""

        def single() -> Value:
            bit = self.builder.bitwise_and(self.lane, self.builder.constant(1 << self.rng.randrange(6), U32))
            return self.builder.equal(bit, self.builder.constant(0, U32))

        runs = self.rng.choice((1, 2, lanes))
        if lanes % runs or runs == 1:
            return self.builder.splat(single(), lanes) if lanes > 1 else single()
        each = [self.builder.splat(single(), lanes // runs) if lanes > runs else single() for _ in range(runs)]
        return each[0] if runs == 1 else self.builder.pack(*each)

    def step(self) -> None:
        rng, builder = self.rng, self.builder
        lanes = rng.choice((1, 2, 3, 4, 6, 8))
        match rng.randrange(7):
            case 0:
                made = builder.where(self.condition(lanes), self.of(lanes), self.of(lanes))
            case 1:
                made = builder.splat(self.of(1), lanes)
            case 2:
                made = builder.lane_shuffle(self.of(lanes), builder.bitwise_xor(self.lane, builder.constant(rng.randrange(64), U32)))
            case 3:
                a, b = self.of(lanes), self.of(lanes)
                (made,) = builder.if_(self.condition(1), lambda: (a,), lambda: (b,))
            case 4:
                made = self.carried(lanes)
            case 5:
                made = self.converted(lanes)
            case _:
                made = self.of(lanes)
        self.pool.append(made)

    def carried(self, lanes: int) -> Value:
        """A loop that carries two vectors and exchanges them."""
        zero, one = (self.builder.constant(number, U32) for number in (0, 1))
        stop = self.builder.constant(self.rng.randint(1, 3), U32)
        first = (self.of(lanes), self.of(lanes))

        def body(_counter: Value, both: tuple[Value, ...]) -> Sequence[Value]:
            return both[1], self.builder.pack(*(self.builder.extract(both[0], lane) for lane in range(lanes))) if lanes > 1 else both[0]

        return self.builder.for_(zero, stop, one, first, body)[0]

    def converted(self, lanes: int) -> Value:
        """Widened, and rounded again: the numbers stay."""
        narrow = self.of(lanes)
        assert isinstance(narrow.type, LaneType)
        element = narrow.type.element
        wide = "f32" if element.is_float else "i32" if element.name.startswith("i") else "u32"
        return self.builder.convert(self.builder.convert(narrow, ELEMENT_TYPES[wide]), element)


def module(seed: int, element: str) -> Module:
    rng = random.Random(seed)

    def body(builder: LaneBuilder, source: Value, result: Value) -> None:
        moves = _Moves(rng, builder, source)
        for _ in range(STEPS):
            moves.step()
        first = builder.mul(builder.local_id(), builder.constant(STORED, U32))
        for at in range(0, STORED, 4):
            builder.store(result, builder.add(first, builder.constant(at, U32)), moves.of(4))

    return module_of(body, ((element, ELEMENTS), (element, LANES * STORED)), block=(LANES, 1, 1))


def finite(element: str, seed: int) -> list[Any]:
    """Every finite number of 8 bits, or many of 16; the result is empty."""
    dtype = numpy_dtype(ELEMENT_TYPES[element])
    draw = np.random.default_rng(seed)
    bits = draw.integers(0, 1 << 8 * dtype.itemsize, ELEMENTS).astype(f"u{dtype.itemsize}")
    numbers = bits.view(dtype)
    with np.errstate(invalid="ignore"):
        is_finite = np.isfinite(numbers.astype("f8"))
    return [np.where(is_finite, numbers, dtype.type(1)), np.zeros(LANES * STORED, dtype)]


def agree(seed: int, element: str, target: TargetId) -> None:
    whole = module(seed, element)
    arrays = finite(element, seed)
    kernel = selected(whole, target)
    wanted = interpreted(whole, arrays, target)
    for made in (kernel, allocated(kernel)):
        assert difference(wanted, emulated(made, whole, arrays)) == "", f"seed {seed} of {element} on {target}"


def has_conversions(element: str, target: TargetId) -> bool:
    return not element.startswith("fp8") or target is TARGET


@pytest.mark.parametrize("element", NARROW)
def test_random_moves(element: str) -> None:
    for seed in range(4):
        target = TARGETS[seed % len(TARGETS)]
        agree(seed, element, target if has_conversions(element, target) else TARGET)


@pytest.mark.slow
@pytest.mark.parametrize("element", NARROW)
def test_more_random_moves(element: str) -> None:
    for seed in range(4, 400):
        target = TARGETS[seed % len(TARGETS)]
        agree(seed, element, target if has_conversions(element, target) else TARGET)


def vector_instructions(body: Any, element: str) -> int:
    """The vector instructions of a module that loads eight elements and stores what `body` makes of them."""

    def whole(builder: LaneBuilder, source: Value, result: Value) -> None:
        first = builder.mul(builder.local_id(), builder.constant(8, U32))
        builder.store(result, first, body(builder, builder.load(source, first, 8)))

    made = selected(module_of(whole, ((element, 512), (element, 512)), block=(LANES, 1, 1)))
    return sum(instr.row.unit is Unit.VALU for instr in made.instructions())


@pytest.mark.parametrize("element", ["f16", "i8"])
def test_only_lanes_that_move_cost_an_instruction(element: str) -> None:
    plain = vector_instructions(lambda _, x: x, element)
    units = 8 * ELEMENT_TYPES[element].bytes // 4

    def taken_apart(builder: LaneBuilder, x: Value) -> Value:
        return builder.pack(*(builder.extract(x, lane) for lane in range(8)))

    def turned(builder: LaneBuilder, x: Value) -> Value:
        return builder.pack(*(builder.extract(x, lane) for lane in range(7, -1, -1)))

    def chosen(builder: LaneBuilder, x: Value) -> Value:
        lane = builder.local_id()
        condition = builder.less(lane, builder.constant(7, U32))
        return builder.where(builder.splat(condition, 8), x, builder.constant(0, LaneType(ELEMENT_TYPES[element], 8)))

    assert vector_instructions(taken_apart, element) == plain
    assert vector_instructions(turned, element) == plain + units
    assert vector_instructions(chosen, element) == plain + units + 1  # the comparison


def test_lanes_of_constants_are_a_constant() -> None:
    """Each lane leaves the bytes above it out."""
    selection = cast("Selection", None)  # constants need no instructions
    bytes_, halves = Immediate(0x44332211), Immediate(0xBEEFCAFE)
    assert joined(selection, [Place(bytes_, 1), Place(bytes_, 0), Place(bytes_, 2)], 1) == Immediate(0x331122)
    assert joined(selection, [Place(halves, 0), Place(halves, 2)], 2) == Immediate(0xBEEFCAFE)
    assert joined(selection, [Place(halves, 2), Place(halves, 0)], 2) == Immediate(0xCAFEBEEF)
    assert lowest(selection, Place(bytes_, 2), 1) == Immediate(0x33)
