"""Stores to neighbours are joined: the module stores the same."""

from __future__ import annotations

import random

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, U32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.joined_stores import join_stores
from asmgen.lanewise.records import ANY_BYTES, Access, Touched
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

STRIDE = 24
_STORES = (ops.STORE, ops.VECTOR_STORE)


def _sizes(module: Module) -> list[int]:
    return [Access.of(each).size for each in module.walk() if each.op in _STORES]


def random_stores(seed: int) -> Module:
    """A lane stores to elements near its index, to some of them twice, and to some in a region of their
    own."""
    rng = random.Random(seed)

    def body(builder: LaneBuilder, x: Value, h: Value, z: Value) -> None:
        lane = builder.local_id()
        at = builder.mul(lane, builder.constant(STRIDE, U32))
        number = builder.load(x, lane)

        def some(count: int) -> tuple[Value, ...]:
            for step in range(count):
                element, buffer = rng.choice([(F32, z), (F32, z), (F16, h)])
                lanes = rng.choice([1, 1, 1, 2, 4])
                parts = [builder.convert(builder.add(number, builder.constant(float(8 * step + i), F32)), element) for i in range(lanes)]
                value = builder.pack(*parts) if lanes > 1 else parts[0]
                builder.store(buffer, at, value, rng.randrange(STRIDE - lanes) * element.bytes)
            return ()

        _ = some(rng.randint(2, 24))
        _ = builder.if_(builder.less(lane, builder.constant(40, U32)), lambda: some(rng.randint(1, 8)))

    return module_of(body, (("f32", 64), ("f16", 64 * STRIDE), ("f32", 64 * STRIDE)))


def test_random_stores_store_the_same() -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    fewer = 0
    for number in range(40):
        module = random_stores(seed + number)
        joined = join_stores(module)
        fewer += len(_sizes(module)) - len(_sizes(joined))
        arrays = input_arrays(module, number, 2)
        wanted = interpreted(module, arrays)
        assert difference(wanted, interpreted(joined, arrays)) == "", f"seed {seed + number}"
        if number < 5:
            assert difference(wanted, emulated(allocated(selected(joined)), module, arrays)) == "", f"seed {seed + number}"
    assert fewer > 40


def _of(*stores: tuple[int, int], element: str = "f32", reads: bool = False, fence: int = -1) -> list[int]:
    """The sizes of stores, each of lanes from an offset in bytes on; `fence` is the number of that after a
    fence."""

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        at, zero = builder.local_id(), builder.constant(0, ELEMENT_TYPES[element])
        for number, (lanes, offset) in enumerate(stores):
            if number == fence:
                builder.barrier()
            builder.store(z, at, builder.splat(zero, lanes) if lanes > 1 else zero, offset)
        if reads:
            builder.store(x, at, builder.load(z, at))

    sizes = _sizes(join_stores(module_of(body, ((element, 2048), (element, 2048)))))
    return sizes[: len(sizes) - reads]


@pytest.mark.parametrize(
    ("stores", "wanted"),
    [
        ([(1, 8), (1, 0), (1, 4)], [3]),
        ([(1, 4 * n) for n in range(9)], [4, 4, 1]),
        ([(2, 0), (2, 8), (1, 16)], [4, 1]),
        ([(1, 0), (1, 8)], [1, 1]),
        ([(1, 0), (1, 4), (1, 0)], [2, 1]),  # the last store of an element stays the last
        ([(4, 0), (4, 16)], [4, 4]),
    ],
)
def test_pieces(stores: list[tuple[int, int]], wanted: list[int]) -> None:
    assert _of(*stores) == wanted


def test_bytes_fill_an_instruction() -> None:
    assert _of(*[(1, n) for n in range(24)], element="u8") == [16, 8]


def test_stores_stay_on_their_side_of_a_barrier_and_before_loads_of_the_buffer() -> None:
    assert _of((1, 0), (1, 4), (1, 8), fence=1) == [1, 2]
    assert _of((1, 0), (1, 4), reads=True) == [1, 1]


@pytest.mark.parametrize(("streams", "touched"), [(True, ANY_BYTES), (False, Touched(bytes=(4, 100, 8, 0))), (False, Touched(bytes=(4, 100, 4, 4)))])
def test_stores_that_state_something_else_stay_apart(streams: bool, touched: Touched) -> None:
    def body(builder: LaneBuilder, z: Value) -> None:
        at, zero = builder.local_id(), builder.constant(0.0, F32)
        builder.store(z, at, zero, 0, False, ANY_BYTES if streams else Touched(bytes=(0, 96, 4, 0)))
        builder.store(z, at, zero, 4, streams, touched)

    assert _sizes(join_stores(module_of(body, (("f32", 2048),)))) == [1, 1]
