"""A loop becomes two loops, which compute the same, if its lanes begin next to each other."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, I32, U32, ElementType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.whole_trips import make_whole_trips
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

WAVE = 64
FAR = 1024  # the loads are from this element on, so that counters may be negative


class Strided(NamedTuple):
    """Each lane visits the numbers start + lane, start + lane + step, ... below stop."""

    element: ElementType
    start: int
    stop: int
    step: int
    block: tuple[int, int, int] = (128, 1, 1)
    axis: int = 0
    own_start: bool = False  # another start in each lane
    loads: bool = True
    known: bool = False  # start and stop are numbers of the text
    lanes: int = 1  # in a start: each lane begins so many times its number further on

    def module(self) -> Module:
        """A lane adds half of its sum to the element of each number."""

        def body(builder: LaneBuilder, x: Value, bounds: Value, z: Value) -> None:
            own = builder.add(builder.local_id(), builder.mul(builder.local_id(1), builder.constant(self.block[0], U32)))

            def bound(place: int) -> Value:
                if self.known and place < 2:
                    return builder.constant((self.start, self.stop)[place], self.element)
                at = builder.constant(place, U32)
                return builder.bit_cast(builder.load(bounds, builder.add(at, own) if self.own_start and not place else at), self.element)

            start = bound(0)
            for _ in range(self.lanes):
                start = builder.add(start, builder.bit_cast(builder.local_id(self.axis), self.element))

            def trip(counter: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
                at = builder.add(builder.bit_cast(counter, U32), builder.constant(FAR, U32))
                number = builder.load(x, at) if self.loads else builder.convert(at, F32)
                return (builder.add(builder.mul(carried[0], builder.constant(0.5, F32)), number),)

            (total,) = builder.for_(start, bound(1), bound(2), (builder.constant(0.0, F32),), trip)
            builder.store(z, own, total)

        return module_of(body, (("f32", 4 * FAR), ("i32", 256), ("f32", 256)), block=self.block)

    def holds(self) -> None:
        module = self.module()
        whole = make_whole_trips(module, WAVE)
        arrays = input_arrays(module, 1, 1)
        arrays[1][:3] = self[1:4]
        wanted = interpreted(module, arrays)
        assert difference(wanted, interpreted(whole, arrays)) == "", self
        assert difference(wanted, emulated(allocated(selected(whole)), module, arrays)) == "", self


def loops(module: Module) -> int:
    return sum(statement.op is ops.FOR for statement in module.walk())


@pytest.mark.parametrize(
    "loop",
    [
        Strided(U32, 0, 1000, 128),
        Strided(U32, 3, 130, 128),
        Strided(U32, 3, 131, 128),
        Strided(U32, 0, 50, 128),
        Strided(U32, 5, 0, 128),
        Strided(U32, 0, 1000, 7),
        Strided(U32, 0, 1000, 128, known=True),
        Strided(U32, 0, 900, 4, (32, 4, 1), axis=1),
        Strided(U32, 0, 1000, 7, lanes=3),
        Strided(I32, -1000, -500, 128),
        Strided(I32, -1000, 700, 100),
        Strided(I32, -100, -101, 128),
        Strided(I32, -100, -(1 << 31), 128),
        Strided(I32, -1000, 1000, 128, known=True),
    ],
    ids=str,
)  # fmt: skip
def test_two_loops_compute_the_same(loop: Strided) -> None:
    assert loops(make_whole_trips(loop.module(), WAVE)) == 2
    loop.holds()


@pytest.mark.parametrize(
    "loop",
    [
        Strided(U32, 0, 1000, 128, own_start=True),
        Strided(U32, 0, 1000, 128, loads=False),
        Strided(U32, 0, 127, 128, known=True),
        Strided(U32, 0, 900, 4, (128, 1, 1), axis=1),
    ],
    ids=["any starts", "nothing loaded", "never a whole trip", "one lane along the axis"],
)
def test_one_loop(loop: Strided) -> None:
    assert loops(make_whole_trips(loop.module(), WAVE)) == 1


@pytest.mark.parametrize("seed", range(6))
def test_random_bounds(seed: int) -> None:
    rng = random.Random(seed)
    element = rng.choice((U32, I32))
    start = rng.randrange(-FAR, FAR) if element is I32 else rng.randrange(FAR)
    stop = np.clip(start + rng.choice((rng.randrange(300), rng.randrange(1500))), None, 3 * FAR)
    Strided(element, start, int(stop), rng.choice((1, 33, 64, 128, 200, 1000)), known=rng.random() < 0.3).holds()
