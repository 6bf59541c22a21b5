"""Choices of carried loads in the next trip: the module computes the same, and no trip chooses its own
loads."""

from __future__ import annotations

import random
from collections.abc import Callable

from asmgen.graph.ops import WHERE
from asmgen.ir.program import Module, Value
from asmgen.ir.types import BOOL, F16, F32, U32, ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.late_choices import choose_late
from asmgen.lanewise.math.cleanup import remove_dead
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

SIZE = 512
BUFFERS = (("f32", SIZE), ("f16", SIZE), ("f32", 64 * 64))
TRIPS = 4


class Draw:
    """Random values of a trip, or of before the loop: loads, choices between loads and literals, packed loads."""

    def __init__(self, rng: random.Random, builder: LaneBuilder, buffers: dict[ElementType, Value], at: Value) -> None:
        self.rng, self.builder, self.buffers, self.at = rng, builder, buffers, at
        self.conditions: list[Value] = []
        self.others: tuple[Value, ...] = ()

    def condition(self) -> Value:
        builder = self.builder
        if not self.conditions or self.rng.random() < 0.5:
            limit = builder.constant(self.rng.randrange(SIZE // 4), U32)
            self.conditions.append(builder.less(self.at, limit))
        return self.rng.choice(self.conditions)

    def value(self, element: ElementType, lanes: int, depth: int = 2) -> Value:
        builder, kind = self.builder, self.rng.random()
        if depth and kind < 0.45:
            condition = self.condition()
            condition = builder.splat(condition, lanes) if lanes > 1 else condition
            type_ = LaneType(element, lanes)
            other = builder.constant(self.rng.choice((0.0, 1.5, -2.0)), type_)
            same = [value for value in self.others if value.type == type_]
            other = self.rng.choice(same) if same and self.rng.random() < 0.2 else other
            sides = [self.value(element, lanes, depth - 1), other]
            if self.rng.random() < 0.2:
                sides.reverse()
            return builder.where(condition, *sides)
        if lanes > 1 and kind < 0.7:
            parts = [self.value(element, lanes // 2, depth - 1 if depth else 0) for _ in range(2)]
            if depth and self.rng.random() < 0.3:  # a part that no trip loads
                parts[self.rng.randrange(2)] = builder.constant(self.rng.choice((0.0, 1.5)), LaneType(element, lanes // 2))
            return builder.pack(*parts)
        if lanes > 1 and kind < 0.8:
            return builder.extract(builder.load(self.buffers[element], self.at, 2 * lanes), lanes, lanes)
        return builder.load(self.buffers[element], self.at, lanes)


def random_loop(seed: int) -> Module:
    rng = random.Random(seed)
    kinds = [(rng.choice((F16, F32)), rng.choice((1, 2, 4))) for _ in range(rng.randint(1, 3))]

    def body(builder: LaneBuilder, x: Value, h: Value, z: Value) -> None:
        lane = builder.local_id()
        buffers = {F32: x, F16: h}
        draw = Draw(rng, builder, buffers, lane)
        firsts = [draw.value(*kind) if rng.random() < 0.7 else builder.constant(3.0, LaneType(*kind)) for kind in kinds]

        def turn(counter: Value, carried: tuple[Value, ...]) -> list[Value]:
            place = builder.add(builder.mul(lane, builder.constant(64, U32)), builder.mul(counter, builder.constant(12, U32)))
            put(builder, carried, z, place)
            own = Draw(rng, builder, buffers, builder.add(lane, builder.mul(counter, builder.constant(17, U32))))
            own.others = carried
            later = [own.value(*kind) for kind in kinds]
            return [value if rng.random() < 0.9 else builder.add(value, value) for value in later]

        start, stop, step = (builder.constant(number, U32) for number in (0, TRIPS, 1))
        last = builder.for_(start, stop, step, firsts, turn)
        put(builder, last, z, builder.add(builder.mul(lane, builder.constant(64, U32)), builder.constant(12 * TRIPS, U32)))

    return module_of(body, BUFFERS)


def put(builder: LaneBuilder, values: tuple[Value, ...], buffer: Value, place: Value) -> None:
    at = 0
    for value in values:
        wide = builder.convert(value, F32)
        builder.store(buffer, builder.add(place, builder.constant(at, U32)), wide)
        at += wide.type.lanes if isinstance(wide.type, LaneType) else 1


def test_random_loops_compute_the_same() -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    moved = 0
    for number in range(60):
        module = random_loop(seed + number)
        late = choose_late(module)
        moved += late is not module
        late = remove_dead(late)
        arrays = input_arrays(module, number, 1)
        wanted = interpreted(module, arrays)
        assert difference(wanted, interpreted(late, arrays)) == "", f"seed {seed + number}"
        if number < 6:
            assert difference(wanted, emulated(allocated(selected(late)), module, arrays)) == "", f"seed {seed + number}"
    assert moved > 20


Turn = Callable[[LaneBuilder, Value, Value], Value]


def chosen(builder: LaneBuilder, x: Value, at: Value) -> Value:
    return builder.where(builder.less(at, builder.constant(9, U32)), builder.load(x, at), builder.constant(2.0, F32))


def read_in_the_trip(builder: LaneBuilder, x: Value, at: Value) -> Value:
    value = chosen(builder, x, at)
    builder.store(x, at, value)
    return value


def computed(builder: LaneBuilder, x: Value, at: Value) -> Value:
    more = builder.add(builder.load(x, at), builder.constant(1.0, F32))
    return builder.where(builder.less(at, builder.constant(9, U32)), more, builder.constant(2.0, F32))


def loop_of(turn: Turn, has_choice: bool = False) -> Module:
    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane = builder.local_id()
        start, stop, step = (builder.constant(number, U32) for number in (0, TRIPS, 1))
        first = chosen(builder, x, lane) if has_choice else builder.load(x, lane)

        def trip(counter: Value, carried: tuple[Value, ...]) -> list[Value]:
            builder.store(z, counter, carried[0])
            return [turn(builder, x, builder.add(counter, lane))]

        _ = builder.for_(start, stop, step, [first], trip)

    return module_of(body, (("f32", SIZE), ("f32", SIZE)))


def test_first_values_with_two_conditions_for_one() -> None:
    """Both choices of a trip have the same condition, those before the loop do not."""

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane = builder.local_id()
        zero = builder.constant(0.0, F32)

        def choice(at: Value, most: int) -> Value:
            return builder.where(builder.less(lane, builder.constant(most, U32)), builder.load(x, at), zero)

        def trip(counter: Value, carried: tuple[Value, ...]) -> list[Value]:
            put(builder, carried, z, builder.add(builder.mul(lane, builder.constant(8, U32)), builder.mul(counter, builder.constant(2, U32))))
            condition = builder.less(builder.add(lane, counter), builder.constant(30, U32))
            return [builder.where(condition, builder.load(x, builder.add(lane, counter)), zero) for _ in range(2)]

        start, stop, step = (builder.constant(number, U32) for number in (0, TRIPS, 1))
        _ = builder.for_(start, stop, step, [choice(lane, 20), choice(lane, 40)], trip)

    module = module_of(body, (("f32", SIZE), ("f32", SIZE)))
    arrays = input_arrays(module, 0, 1)
    late = choose_late(module)
    assert late is not module
    assert difference(interpreted(module, arrays), interpreted(late, arrays)) == ""


def test_what_moves_and_what_stays() -> None:
    module = loop_of(chosen)
    late = remove_dead(choose_late(module))
    (loop,) = [statement for statement in late.walk() if statement.op is ops.FOR]
    assert [value.type for value in loop.operands[3:]] == [LaneType(BOOL), LaneType(F32)]
    first, *_ = [statement for statement in loop.regions[0].statements if statement.op is WHERE]
    assert first.operands[0] in loop.regions[0].parameters
    for turn in (read_in_the_trip, computed):
        module = loop_of(turn)
        assert choose_late(module) is module


def test_the_first_load_is_not_awaited_before_the_loop() -> None:
    late = remove_dead(choose_late(loop_of(chosen, has_choice=True)))
    assert not any(statement.op is WHERE for statement in late.statements)
