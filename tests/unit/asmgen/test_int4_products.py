"""Products with weights of four bits: results beside numpy in float64, and that only packed bytes are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.frontends.traced import functions
from asmgen.gridwise.tiles import tiles
from tests.device import chosen_device
from tests.rows import MACHINES, in_turn

Array = NDArray[Any]
GROUPED = """x = @param:x -> TYPE, {M,256}
packed = @param:packed -> u8, {24,128}
scale = @param:scale -> TYPE, {24,4}
packed_zero = @param:packed_zero -> u8, {24,2}
q = unpack[bits=4](packed)
zero = unpack[bits=4](packed_zero)
w = dequantize[blocks={64}](q, scale, zero)
columns = transpose[permutation={1,0}](w)
o = dot(x, columns)
@return(o)
"""
# GPTQ: eight weights to a word along k, groups along k; the zero points are eight to a word along n
WORDS = """x = @param:x -> TYPE, {M,256}
packed = @param:packed -> u32, {32,24}
scale = @param:scale -> TYPE, {4,24}
packed_zero = @param:packed_zero -> u32, {4,3}
q = unpack[bits=4, axis=0](packed)
zero = unpack[bits=4](packed_zero)
w = dequantize[blocks={64,1}](q, scale, zero)
o = dot(x, w)
@return(o)
"""


def _nibbles(packed: Array, axis: int) -> Array:
    """The numbers of four bits of the bytes or words of a matrix, in float64."""
    moved = packed if axis == -1 else packed.T
    count = 2 * packed.dtype.itemsize
    fields: Array = (moved[..., None] >> np.arange(count).astype(packed.dtype) * 4 & 15).astype(np.float64)
    numbers: Array = fields.reshape(*moved.shape[:-1], -1)
    return numbers if axis == -1 else numbers.T


def _random(m: int, type_: str, packed: tuple[int, int], scales: tuple[int, int], zero: tuple[int, int], word: str) -> list[Array]:
    random = np.random.default_rng(m)
    number = {"f16": np.float16, "f32": np.float32}[type_]

    def words(dims: tuple[int, int]) -> Array:
        size = np.dtype(word).itemsize
        return np.frombuffer(random.bytes(dims[0] * dims[1] * size), np.dtype(word)).reshape(dims)

    x, scale = random.standard_normal((m, 256)).astype(number), random.uniform(0.01, 0.1, scales).astype(number)
    return [x, words(packed), scale, words(zero)]


@pytest.mark.parametrize(("rows", "target"), in_turn([(1, "f16"), (7, "f16"), (2, "f32")], MACHINES, of=3))
def test_grouped_weights_in_bytes(rows: tuple[int, str], target: str) -> None:
    m, type_ = rows
    arrays = _random(m, type_, (24, 128), (24, 4), (24, 2), "u1")
    (found,) = asmgen.compile(GROUPED.replace("TYPE", type_).replace("M", str(m)), target=target)(*arrays, device=chosen_device())
    x, packed, scale, zero = arrays
    w = (_nibbles(packed, -1) - np.repeat(_nibbles(zero, -1), 64, 1)) * np.repeat(scale.astype(np.float64), 64, 1)
    _check(found, x, w.T)


@pytest.mark.parametrize("target", MACHINES[::2])
@pytest.mark.parametrize("m", [1, 5])
def test_grouped_weights_in_words_along_k(m: int, target: str) -> None:
    arrays = _random(m, "f16", (32, 24), (4, 24), (4, 3), "u4")
    (found,) = asmgen.compile(WORDS.replace("TYPE", "f16").replace("M", str(m)), target=target)(*arrays, device=chosen_device())
    x, packed, scale, zero = arrays
    w = (_nibbles(packed, 0) - np.repeat(_nibbles(zero, -1), 64, 0)) * np.repeat(scale.astype(np.float64), 64, 0)
    _check(found, x, w)


def _check(found: Array, x: Array, w: Array) -> None:
    """Each weight and the sum are rounded once to the type, and each addition to f32."""
    x = x.astype(np.float64)
    bound = np.finfo(found.dtype).eps * (np.abs(x) @ np.abs(w)) + 256 * 2.0**-24 * (np.abs(x) @ np.abs(w))
    assert (np.abs(found.astype(np.float64) - x @ w) <= bound).all()


@pytest.mark.parametrize("m", [1, 8, 64])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201"])
def test_few_rows_read_packed_bytes_alone(m: int, target: str) -> None:
    """The kernel that reads the weights multiplies them: none of 16 bits goes through memory."""
    text = GROUPED.replace("TYPE", "f16").replace("M", str(m)).replace("256", "4096").replace("128", "2048").replace("24,", "512,")
    program = asmgen.compile(text.replace("512,4}", "512,64}").replace("512,2}", "512,32}"), target=target)
    readers = [kernel for kernel in program.kernels if "packed" in [argument.name for argument in kernel.arguments]]
    assert readers == [program.kernels[0]]
    assert "x" in [argument.name for argument in readers[0].arguments]


@pytest.mark.parametrize(("m", "columns", "is_apart"), [(64, 24, False), (65, 24, False), (8192, 8192, True)])
def test_many_rows_unpack_once(m: int, columns: int, is_apart: bool) -> None:
    """A product of many rows has a kernel that unpacks, since each row of tiles would unpack again: 64 of them take
    more clocks than a launch, unless there are few weights."""
    text = GROUPED.replace("TYPE", "f16").replace("M", str(m)).replace("{24,", f"{{{columns},")
    kernels = asmgen.compile(text, target="gfx942").kernels
    arguments = [{argument.name for argument in kernel.arguments} for kernel in kernels]
    (reader,) = [names for names in arguments if "packed" in names]
    assert ("x" not in reader) == is_apart


def test_a_function_unpacks() -> None:
    def product(x: Array, packed: Array, scale: Array) -> Array:
        return x @ functions.dequantize(functions.unpack(packed, bits=4), scale, blocks=(32,)).T

    specs = [asmgen.spec(np.float32, (1, 64)), asmgen.spec(np.int8, (5, 32)), asmgen.spec(np.float32, (5, 2))]
    random = np.random.default_rng(1)
    x, scale = random.standard_normal((1, 64)).astype(np.float32), random.uniform(0.5, 1, (5, 2)).astype(np.float32)
    packed = random.integers(-128, 128, (5, 32), np.int8)
    (found,) = asmgen.compile(product, target="gfx1100", inputs=specs)(x, packed, scale, device=chosen_device())
    signed = (_nibbles(packed.view(np.uint8), -1) + 8) % 16 - 8
    _check(found, x, (signed * np.repeat(scale.astype(np.float64), 32, 1)).T)


def test_a_trip_is_long_enough_for_wide_loads() -> None:
    """{8,4096} by {4096,14336} on gfx950 took 38,707 clocks with 64 products along k a trip. Four lanes load 64
    bytes of a row, which are 128 weights: then the first cache serves them at once."""
    sizes = {"{24,128}": "{14336,2048}", "{24,4}": "{14336,32}", "{24,2}": "{14336,16}", "{64}": "{128}", "{M,256}": "{8,4096}"}
    text = GROUPED.replace("TYPE", "f16")
    for own, large in sizes.items():
        text = text.replace(own, large)
    gridwise = asmgen.compile(text, target="gfx950").compilation.stages.gridwise
    assert gridwise is not None
    (choice,) = [tile for tile in tiles(gridwise).values() if isinstance(tile, Contract)]
    assert (choice.along, choice.depth) == (1, 128)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_waves_along_k_load_sixteen_packed_bytes_a_lane(is_packed: bool, target: str) -> None:
    """The workgroups of {5,1024} by {1024,32} share no weight, and a lane unpacks what it loads before it stores
    it to LDS. {4,4096} by {4096,14336} of fp8 on gfx942 takes 49,934 clocks if lanes load what they multiply,
    31,552 now."""
    packed = "packed = @param:packed -> u8, {32,512}\nq = unpack[bits=4](packed)\n"
    weights = packed if is_packed else "q = @param:q -> u8, {32,1024}\n"
    text = f"""x = @param:x -> f16, {{5,1024}}
{weights}scale = @param:scale -> f16, {{32,8}}
w = dequantize[blocks={{128}}](q, scale)
columns = transpose[permutation={{1,0}}](w)
o = dot(x, columns)
@return(o)
"""
    program = asmgen.compile(text, target=target)
    (kernel,) = program.kernels
    assert program.compilation.stages.gridwise is not None
    (choice,) = tiles(program.compilation.stages.gridwise).values()
    assert isinstance(choice, Contract) and (choice.along, choice.apart, choice.depth) == (1, None, 128)
    mnemonics = {words[0] for line in kernel.assembly.splitlines() if (words := line.split())}
    loads = {name for name in mnemonics if name.startswith(("global_load", "buffer_load"))}
    assert {name for name in loads if name.endswith(("x4", "b128"))}
    assert not {name for name in loads if name.endswith(("dword", "x2", "b32", "b64"))}
    random = np.random.default_rng(2)
    x = random.standard_normal((5, 1024)).astype(np.float16)
    scale = random.uniform(0.01, 0.1, (32, 8)).astype(np.float16)
    q = random.integers(0, 256, (32, 512 if is_packed else 1024), np.uint8)
    (found,) = program(x, q, scale, device=chosen_device())
    numbers = _nibbles(q, -1) if is_packed else q.astype(np.float64)
    _check(found, x, (numbers * np.repeat(scale.astype(np.float64), 128, 1)).T)
