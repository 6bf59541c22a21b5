"""Loads of neighbours are joined: the module computes the same, and loads each element once."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import F16, F32, U32, ElementType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.joined_loads import join_loads
from asmgen.lanewise.records import Access, Touched
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

STRIDE = 16
BUFFERS = (("f32", 64 * STRIDE + 64), ("f16", 64 * STRIDE + 64), ("f32", 64 * 64))
_LOADS = (ops.LOAD, ops.VECTOR_LOAD)


def _loads(module: Module) -> list[Statement]:
    return [statement for statement in module.walk() if statement.op in _LOADS]


def _sizes(module: Module) -> list[int]:
    return [Access.of(load).size for load in _loads(module)]


def random_loads(seed: int) -> Module:
    """A lane sums elements near its index, some of them in a region of their own."""
    rng = random.Random(seed)

    def body(builder: LaneBuilder, x: Value, h: Value, z: Value) -> None:
        buffers: dict[ElementType, Value] = {F32: x, F16: h}
        lane = builder.local_id()
        at = builder.mul(lane, builder.constant(STRIDE, U32))
        places = iter(range(64))

        def some(count: int) -> tuple[Value, ...]:
            for _ in range(count):
                element = rng.choice([F32, F32, F16])
                lanes = rng.choice([1, 1, 1, 2, 3, 4, 4])
                offset = rng.randrange(12) * element.bytes
                value = builder.load(buffers[element], at, lanes, offset)
                parts = [builder.extract(value, number) if lanes > 1 else value for number in range(lanes)]
                total = builder.convert(parts[0], F32)
                for part in parts[1:]:
                    total = builder.add(builder.add(total, total), builder.convert(part, F32))
                place = builder.add(builder.mul(lane, builder.constant(64, U32)), builder.constant(next(places), U32))
                builder.store(z, place, total)
            return ()

        _ = some(rng.randint(2, 24))
        _ = builder.if_(builder.less(lane, builder.constant(40, U32)), lambda: some(rng.randint(1, 8)))

    return module_of(body, BUFFERS)


def test_random_loads_compute_the_same() -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    fewer = 0
    for number in range(40):
        module = random_loads(seed + number)
        joined = join_loads(module)
        fewer += len(_loads(module)) - len(_loads(joined))
        arrays = input_arrays(module, number, 1)
        wanted = interpreted(module, arrays)
        assert difference(wanted, interpreted(joined, arrays)) == "", f"seed {seed + number}"
        if number < 5:
            assert difference(wanted, emulated(allocated(selected(joined)), module, arrays)) == "", f"seed {seed + number}"
    assert fewer > 100


def _of(*loads: tuple[int, int], element: str = "f32", writes: bool = False, touched: Touched | None = None) -> list[int]:
    """How many elements each load loads after loads of (elements, offset in bytes) are joined."""

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        at = builder.mul(builder.local_id(), builder.constant(STRIDE, U32))
        for lanes, offset in loads:
            value = builder.load(
                x, at, lanes, offset, touched._replace(bytes=(offset, *touched.bytes[1:])) if touched and touched.bytes else Touched()
            )
            builder.store(x if writes else z, at, value)

    return _sizes(join_loads(module_of(body, ((element, 2048), (element, 2048)))))


@pytest.mark.parametrize(
    ("loads", "wanted"),
    [
        ([(1, 0), (1, 4), (1, 8), (1, 12)], [4]),
        ([(1, 12), (1, 4), (1, 0), (1, 8), (1, 4)], [4]),
        ([(1, 0), (1, 4), (1, 8)], [3]),
        ([(1, 4 * n) for n in range(9)], [4, 4, 1]),
        ([(1, 0), (1, 8)], [1, 1]),
        ([(1, 0), (1, 0)], [1]),
        ([(4, 0), (4, 0), (4, 16)], [4, 4]),
        ([(4, -4), (4, 0), (4, 4)], [4, 2]),
        ([(4, 0), (4, 8)], [4, 4]),
    ],
)
def test_pieces(loads: list[tuple[int, int]], wanted: list[int]) -> None:
    """Single elements that follow each other, the same loads, and vectors that load each element twice."""
    assert _of(*loads) == wanted


def test_small_elements_are_joined_if_they_are_single_and_fill_a_register() -> None:
    assert _of((1, 0), (1, 2), (1, 0), (2, 4), (2, 4), element="f16") == [2, 2]
    assert _of(*[(1, n) for n in range(23)], element="u8") == [16, 7]
    assert _of(*[(1, n) for n in range(3)], element="u8") == [1, 1, 1]
    assert _of((4, 0), (4, 1), element="u8") == [4, 4]


def test_buffers_that_the_kernel_writes_are_loaded_as_the_program_says() -> None:
    assert _of((1, 0), (1, 4), (1, 0), writes=True) == [1, 1, 1]


def test_no_load_touches_two_lines_if_lanes_begin_at_lines() -> None:
    touched = Touched(bytes=(0, 4096, 128, 0))
    loads = [(1, 120), (1, 124), (1, 128), (1, 132)]
    assert _of(*loads, touched=touched) == [2, 2]
    assert _of(*loads, touched=touched._replace(bytes=(0, 4096, 4, 0))) == [4]


def test_no_load_passes_an_order() -> None:
    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        at = builder.local_id()
        builder.store(z, at, builder.load(x, at))
        builder.priority(1)
        builder.store(z, at, builder.load(x, at))

    assert _sizes(join_loads(module_of(body))) == [1, 1]


def _products(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cross product, by its columns."""
    x, y, z = [a[:, i] for i in range(3)]
    u, v, w = [b[:, i] for i in range(3)]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], 1).astype(np.float32)


def _filtered(x: NDArray[np.float32], h: NDArray[np.float32]) -> NDArray[np.float32]:
    total = h[0] * x[:, : x.shape[1] - 6]
    for i in range(1, 7):
        total = total + h[i] * x[:, i : x.shape[1] - 6 + i]
    return total.astype(np.float32)


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1100", "gfx1201:wave64"])
def test_columns_and_filters(target: str) -> None:
    """Numbers of a few bits, so that all sums are exact."""
    rng = np.random.default_rng(3)
    for function, shapes in ((_products, ((70, 3), (70, 3))), (_filtered, ((5, 77), (7,)))):
        arrays = [rng.integers(-99, 99, shape).astype(np.float32) for shape in shapes]
        program = asmgen.compile(function, target=target, inputs=arrays)
        assert np.array_equal(program(*arrays, device="emulator")[0], function(*arrays))
