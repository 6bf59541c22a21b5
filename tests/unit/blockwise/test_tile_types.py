"""A tile has the type that its program says: in registers, in loops, and in the result of each op."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from isa.instruction import Instr, Trait, Unit
from tests.machine_code import longest_loop, reads, writes
from tests.rows import in_turn

Array = NDArray[Any]
ROWS = 8


def dtype_of(element: str) -> np.dtype[Any]:
    return numpy_dtype(ELEMENT_TYPES[element])


# Loops that carry a tile that the trip before has loaded

PREFETCH = """stage blockwise {target}
kernel @prefetch grid(group: 1) waves(1) lanes({lanes}) {{
  layout row = reg(0:1 0:2 0:4) lane({bases})
  x = @param:x -> {element}, {{{rows},{columns}}}
  z = @param:z -> f32, {{1,{columns}}}
  zero = fill[value=0.0]() -> f32, {{1,{columns}}} @ row
  first = tile_load[at={{0, c1}}](x) -> {element}, {{1,{columns}}} @ row
  total, last = for[k = 0 to {trips}](zero, first) (sum, now) {{
    next = tile_load[at={{k + 1, c1}}](x) -> {element}, {{1,{columns}}} @ row
    {now}
    more = add(sum, w) -> f32, {{1,{columns}}} @ row
    yield(more, next)
  }}
  {last}
  whole = add(total, v) -> f32, {{1,{columns}}} @ row
  tile_store[at={{0, c1}}](whole, z)
}}
"""
VECTOR = 8  # elements of a lane
CASES = [
    ("gfx90a", "f16"), ("gfx942", "f16"), ("gfx950", "f16"), ("gfx1100", "f16"), ("gfx1201", "f16"),
    ("gfx90a", "bf16"), ("gfx942", "bf16"), ("gfx950", "bf16"), ("gfx1100", "bf16"), ("gfx1201", "bf16"),
    ("gfx942", "fp8e4m3fnuz"), ("gfx950", "fp8e4m3fn"), ("gfx950", "fp8e5m2"), ("gfx1201", "fp8e4m3fn"),
    ("gfx90a", "i8"), ("gfx942", "i8"), ("gfx950", "u8"), ("gfx1100", "i8"), ("gfx1201", "i16"),
]  # fmt: skip


def widened(operand: str, result: str, element: str, columns: int) -> str:
    """A tile of f32 of a narrow tile: of integers by way of their 32 bits."""
    type_ = f"{{1,{columns}}} @ row"
    if ELEMENT_TYPES[element].is_float:
        return f"{result} = convert[to=f32]({operand}) -> f32, {type_}"
    wide = "i32" if element.startswith("i") else "u32"
    whole = f"{result}_whole = convert[to={wide}]({operand}) -> {wide}, {type_}"
    return f"{whole}\n  {result} = convert[to=f32]({result}_whole) -> f32, {type_}"


def prefetch(target: str, element: str) -> str:
    lanes = 32 if target in ("gfx1100", "gfx1201") else 64
    columns = VECTOR * lanes
    bases = " ".join(f"0:{VECTOR << bit}" for bit in range(lanes.bit_length() - 1))
    return PREFETCH.format(
        target=target, element=element, lanes=lanes, columns=columns, bases=bases, rows=ROWS, trips=ROWS - 1,
        now=widened("now", "w", element, columns), last=widened("last", "v", element, columns),
    )  # fmt: skip


@pytest.mark.parametrize("target, element", CASES)
def test_a_carried_tile_is_awaited_one_trip_later(target: str, element: str) -> None:
    text = prefetch(target, element)
    (kernel,) = asmgen.compile(text, target=target).kernels
    loop = longest_loop(kernel.assembly, target)
    (load,) = [place for place, instr in enumerate(loop) if Trait.LOAD in instr.row.traits]
    loaded, after = writes(loop[load]), loop[load + 1 :]
    assert len(loaded) == VECTOR * ELEMENT_TYPES[element].bytes // 4
    assert not any(Trait.WAIT in instr.row.traits for instr in after)
    assert not any(loaded & (reads(instr) | writes(instr)) for instr in after)
    readers = [instr for instr in loop[:load] if loaded & reads(instr)]
    assert len(readers) == VECTOR
    assert not any(loaded & writes(instr) for instr in loop[:load])
    converts = VECTOR if ELEMENT_TYPES[element].is_float else 2 * VECTOR
    is_vector = [instr.row.unit is Unit.VALU for instr in loop]
    assert sum(is_vector) <= converts + VECTOR + 2  # the sums, and the address of the next row


@pytest.mark.parametrize("target, element", CASES[1::3])
def test_a_carried_tile_has_its_numbers(target: str, element: str) -> None:
    (kernel,) = asmgen.compile(prefetch(target, element), target=target).kernels
    dtype, columns = dtype_of(element), VECTOR * (32 if target in ("gfx1100", "gfx1201") else 64)
    x = np.random.default_rng(0).integers(0, 8, (ROWS, columns)).astype(dtype)
    *_, z = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block or (1, 1, 1),
        args=[x.reshape(-1), np.zeros(columns, np.float32)], device="emulator",
    )  # fmt: skip
    np.testing.assert_array_equal(np.asarray(z), x.astype("f8").sum(axis=0))


# The loop of a matrix product

PRODUCT = """stage gridwise {target}
program @product {{
  a = parameter -> f16, {{128,128}}
  b = parameter -> f16, {{128,128}}
  z = result -> f16, {{128,128}}
  launch @product(a, b) -> (z) grid(1, 1) by contract[{choice}] {{
    a = @param:a -> f16, {{128,128}}
    b = @param:b -> f16, {{128,128}}
    d = dot(a, b)
    @return(d)
  }}
}}
"""
CHOICE = "m=128, n=128, k=32, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16"
TURNED = 8  # registers of a lane in which memory has b by rows, and the instruction wants columns


def sources(loop: list[Instr], reader: Unit) -> list[set[Unit]]:
    """For each instruction of a unit the units that made its operands, in this trip or in the trip before."""
    made: dict[int, Unit] = {}
    found: list[set[Unit]] = []
    for instr in [*loop, *loop]:
        if instr.row.unit is reader:
            found.append({made[register] for register in reads(instr) if register in made})
        made |= dict.fromkeys(writes(instr), instr.row.unit)
    return found[len(found) // 2 :]


def types_of(instr: Instr) -> set[str]:
    return {instr.row.operands[at].type for at in (*instr.row.defines, *instr.row.uses)}


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_the_loop_of_a_product_neither_converts_nor_packs(target: str) -> None:
    (kernel,) = asmgen.compile(PRODUCT.format(target=target, choice=CHOICE), target=target).kernels
    loop = longest_loop(kernel.assembly, target)
    assert sum(instr.row.unit is Unit.MATRIX for instr in loop) == 32
    made = [instr for instr in loop if instr.row.unit is Unit.VALU]
    assert not any({"f16", "f32"} <= types_of(instr) for instr in made)
    assert sum(Unit.VMEM in units for units in sources(loop, Unit.VALU)) <= TURNED
    assert any(Unit.VMEM in units for units in sources(loop, Unit.LDS))
    assert all(units <= {Unit.LDS, Unit.MATRIX} for units in sources(loop, Unit.MATRIX))


def test_a_product_of_f32_multiplies_in_pairs() -> None:
    text = PRODUCT.format(target="gfx942", choice="m=64, n=64, k=16, waves=4, buffers=2").replace("f16", "f32").replace("grid(1, 1)", "grid(2, 2)")
    (kernel,) = asmgen.compile(text).kernels
    loop = longest_loop(kernel.assembly, "gfx942")
    assert sum(types_of(instr) == {"f32x2"} for instr in loop) == 128  # of 64 by 64 by 16 products, 256 lanes and two each
    assert not any(Trait.MOVE in instr.row.traits for instr in loop)
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-4, 5, (128, 128)).astype(np.float32) for _ in range(2))
    *_, z = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block or (1, 1, 1),
        args=[a.reshape(-1), b.reshape(-1), np.zeros(a.size, np.float32)], device="emulator",
    )  # fmt: skip
    np.testing.assert_array_equal(np.asarray(z).reshape(a.shape), a @ b)


# The type of each result

OPS = """stage blockwise gfx942
kernel @ops grid(group: 1) waves(2) lanes(64) {{
  layout rows = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 0:64 0:128 0:256) wave(1:0)
  layout across = reg(0:64 0:128 0:256) lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(1:0)
  layout turned = reg(0:4 0:1 0:2) lane(0:8 0:16 0:32 0:64 0:128 0:256) wave(1:0)
  layout shared = reg(0:1 0:2 1:0) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256)
  layout each = lane(0:0 0:0 0:0 0:0 0:0 0:0) wave(1:0)
  x = @param:x -> {element}, {{2,512}}
  y = @param:y -> {element}, {{2,512}}
  z = @param:z -> {element}, {{5,2,512}}
  r = @param:r -> {element}, {{2,1}}
  t = tile_load[at={{c0, c1}}](x) -> {element}, {{2,512}} @ rows
  u = tile_load[at={{c0, c1}}, where={{c1 < 509}}, otherwise=1](y) -> {element}, {{2,512}} @ rows
  product = mul(t, u) -> {element}, {{2,512}} @ rows
  sum = add(product, t) -> {element}, {{2,512}} @ rows
  tile_store[at={{0, c0, c1}}](sum, z)
  a = relayout(sum) -> {element}, {{2,512}} @ across
  b = mask[where={{c1 < 500}}](a) -> {element}, {{2,512}} @ across
  c = relayout(b) -> {element}, {{2,512}} @ shared
  d = relayout(c) -> {element}, {{2,512}} @ turned
  tile_store[at={{1, c0, c1}}](d, z)
  e = relayout(d) -> {element}, {{2,512}} @ rows
  less = less(e, t) -> bool, {{2,512}} @ rows
  f = where(less, e, u) -> {element}, {{2,512}} @ rows
  tile_store[at={{2, c0, c1}}](f, z)
  g = scan[op=max, axis=1](t) -> {element}, {{2,512}} @ rows
  tile_store[at={{3, c0, c1}}](g, z)
  one = fill[value=1]() -> {element}, {{2,512}} @ rows
  h, i = for[k = 0 to 3](t, one) (p, q) {{
    n = sub(p, q) -> {element}, {{2,512}} @ rows
    yield(q, n)
  }}
  j = add(h, i) -> {element}, {{2,512}} @ rows
  tile_store[at={{4, c0, c1}}](j, z)
  m = reduce[op=sum, axes={{1}}](t) -> {element}, {{2,1}} @ each
  tile_store[at={{c0, 0}}](m, r)
}}
"""


def numbers(element: str) -> list[Array]:
    """Numbers with products that round, and of each row a sum that is one number with three others."""
    draw, dtype = np.random.default_rng(1), dtype_of(element)
    if not ELEMENT_TYPES[element].is_float:
        bits = [draw.integers(0, 256, 1024 * dtype.itemsize).astype("u1").view(dtype) for _ in range(2)]
        return [*bits, np.zeros(5 * 1024, dtype), np.zeros(2, dtype)]
    x = np.zeros((2, 512), dtype)
    x[:, 7:400:131] = draw.integers(-4, 5, (2, 3)).astype(dtype)
    x[:, 450] = dtype.type(1.375)
    y = draw.normal(size=1024).astype(dtype)
    return [x.reshape(-1), y, np.zeros(5 * 1024, dtype), np.zeros(2, dtype)]


@pytest.mark.parametrize(("element", "target"), in_turn(["f16", "bf16", "i8", "u8", "i16", "u16", "fp8"], ["gfx942", "gfx950"], of=2))
def test_each_result_is_rounded_to_its_type(element: str, target: str) -> None:
    of_target = {"gfx942": "fp8e4m3fnuz", "gfx950": "fp8e4m3fn"}[target] if element == "fp8" else element
    text = OPS.format(element=of_target).replace("gfx942", target)
    arrays = numbers(of_target)
    memory = dict(zip("xyzr", [array.copy() for array in arrays], strict=True))
    (program,) = read_program(text, "ops.gen").kernels
    interpret(program, memory, Tiles.HOLDERS)
    (kernel,) = asmgen.compile(text, target=target, contract=False).kernels
    *_, z, r = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block or (1, 1, 1),
        args=arrays, device="emulator",
    )  # fmt: skip
    for name, array in (("z", z), ("r", r)):
        np.testing.assert_array_equal(np.asarray(array).view(memory[name].dtype).astype("f8"), memory[name].astype("f8"), err_msg=name)


def test_a_sum_of_halves_is_rounded_once() -> None:
    """2,048 and 512 numbers of 1: in f16 each 1 alone would be lost."""
    text = OPS.format(element="f16")
    x = np.ones((2, 512), np.float16)
    x[:, 0] = 2048
    memory = {"x": x.reshape(-1), "y": x.reshape(-1), "z": np.zeros(5 * 1024, np.float16), "r": np.zeros(2, np.float16)}
    (program,) = read_program(text, "ops.gen").kernels
    for tiles in Tiles:
        interpret(program, memory, tiles)
        assert memory["r"].tolist() == [2560, 2560]  # 2,559 rounded to even
    (kernel,) = asmgen.compile(text).kernels
    *_, r = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block or (1, 1, 1),
        args=list(memory.values()), device="emulator",
    )  # fmt: skip
    assert np.asarray(r).view(np.float16).tolist() == [2560, 2560]
