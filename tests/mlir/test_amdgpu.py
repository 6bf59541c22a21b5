"""The dialect amdgpu: permutations and buffers next to the interpreter, matrices next to numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError
from tests.mlir.judge import ALL, holds, launch
from tests.rows import spread

PERMUTATIONS = (
    "quad_perm([3, 3, 0, 1])", "row_shl(3 : i32)", "row_shr(1 : i32)", "row_ror(5 : i32)", "wave_shl(unit)",
    "wave_shr(unit)", "wave_rol(unit)", "wave_ror(unit)", "row_mirror(unit)", "row_half_mirror(unit)",
    "row_bcast_15(unit)", "row_bcast_31(unit)",
)  # fmt: skip
MASKS = ("", " row_mask(5 : i32)", " bank_mask(9 : i32)", " bound_ctrl(true)")


def permuting() -> str:
    """A kernel that stores each permutation of a value with each mask in a column."""
    lines: list[str] = []
    cases = [(kind, mask) for kind in PERMUTATIONS for mask in range(4)]
    for number, (kind, mask) in enumerate(cases):
        name, _, argument = kind.partition("(")
        given = {"[": f"permArgument = {argument[:-1]}, ", "u": "permArgument, "}.get(argument[0], f"permArgument = {argument[:-1]}, ")
        attributes = [f"bank_mask = {9 if mask == 2 else 15} : i32", f"bound_ctrl = {str(mask == 3).lower()}",
                      f"kind = #amdgpu.dpp_perm<{name}>", f"row_mask = {5 if mask == 1 else 15} : i32"]  # fmt: skip
        lines.append(f'%r{number} = "amdgpu.dpp"(%old, %v) <{{{given}{", ".join(attributes)}}}> : (i32, i32) -> i32')
        lines.append(f"%k{number} = arith.constant {number} : index")
        lines.append(f"memref.store %r{number}, %out[%k{number}, %i] : memref<{len(cases) + 2}x?xi32>")
    last = len(cases)
    return f"""
gpu.module @m {{
  gpu.func @k(%x: memref<?xi32>, %y: memref<?xi32>, %h: memref<?xf16>, %out: memref<{last + 2}x?xi32>) kernel {{
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %old = memref.load %y[%i] : memref<?xi32>
    {chr(10).join(lines)}
    %s = amdgpu.swizzle_bitmode %v 19 8 5 : i32
    %ks = arith.constant {last} : index
    memref.store %s, %out[%ks, %i] : memref<{last + 2}x?xi32>
    %f = memref.load %h[%i] : memref<?xf16>
    %zero = arith.constant 0.0 : f16
    %g = amdgpu.dpp %zero %f row_shr(2 : i32) : f16
    %bits = arith.bitcast %g : f16 to i16
    %wide = arith.extui %bits : i16 to i32
    %kf = arith.constant {last + 1} : index
    memref.store %wide, %out[%kf, %i] : memref<{last + 2}x?xi32>
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize(("target", "lanes"), spread([(one, n) for n in ("64", "90") for one in ALL], 1))
def test_permutations(target: str, lanes: str) -> None:
    """Every kind with every mask, of whole waves and of a wave without some of its lanes."""
    x, y = (np.arange(int(lanes), dtype=np.int32) * by + by for by in (3, -7))
    out = np.zeros((4 * len(PERMUTATIONS) + 2, len(x)), np.int32)
    _ = holds(permuting(), (1, 1, 1), (len(x), 1, 1), [x, y, x.astype(np.float16), out], (target,))


BUFFERS = """
gpu.module @m {
  gpu.func @k(%x: memref<?xf32>, %y: memref<6x8xi32>, %out: memref<?x4xi32>, %most: memref<5xf32>, %bits: memref<4xi32>, %z: memref<6x8xi32>,
      %peak: memref<5xf32>, %low: memref<4xi32>, %swapped: memref<?xi32>) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %eight = arith.constant 8 : i32
    %before = arith.subi %i, %four : i32
    %a = amdgpu.raw_buffer_load boundsCheck(true) %x[%before] : memref<?xf32>, i32 -> f32
    %row = arith.divui %i, %eight : i32
    %column = arith.remui %i, %eight : i32
    %v = amdgpu.raw_buffer_load boundsCheck(true) %y[%row, %column] indexOffset(2) sgprOffset(%one) : memref<6x8xi32>, i32, i32 -> vector<2xi32>
    %v0 = vector.extract %v[0] : i32 from vector<2xi32>
    %v1 = vector.extract %v[1] : i32 from vector<2xi32>
    %ai = arith.fptosi %a : f32 to i32
    %sum = arith.addi %v0, %v1 : i32
    memref.store %sum, %out[%t, %c0] : memref<?x4xi32>
    memref.store %ai, %out[%t, %c1] : memref<?x4xi32>
    %place = arith.muli %i, %four : i32
    %pi = arith.addi %place, %four : i32
    amdgpu.raw_buffer_store boundsCheck(true) %i -> %z[%row, %pi] : i32 -> memref<6x8xi32>, i32, i32
    %f = arith.sitofp %i : i32 to f32
    %r0 = amdgpu.raw_buffer_atomic_fadd boundsCheck(true) %f -> %most[%column] : f32 -> memref<5xf32>, i32
    %r1 = amdgpu.raw_buffer_atomic_smax boundsCheck(true) %i -> %bits[%row] : i32 -> memref<4xi32>, i32
    %r2 = amdgpu.raw_buffer_atomic_fmax boundsCheck(true) %f -> %peak[%column] : f32 -> memref<5xf32>, i32
    %r3 = amdgpu.raw_buffer_atomic_umin boundsCheck(true) %i -> %low[%row] : i32 -> memref<4xi32>, i32
    %r4 = amdgpu.raw_buffer_atomic_cmpswap boundsCheck(true) %i, %four -> %swapped[%i] : i32 -> memref<?xi32>, i32
    %inside = amdgpu.raw_buffer_load boundsCheck(false) %out[%i, %one] : memref<?x4xi32>, i32, i32 -> i32
    %two = arith.constant 2 : i32
    amdgpu.raw_buffer_store boundsCheck(false) %inside -> %out[%i, %two] : i32 -> memref<?x4xi32>, i32, i32
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ALL)
def test_buffers_know_their_bounds(target: str) -> None:
    """Loads outside give zero, stores and atomic operations there do nothing."""
    lanes = 64
    x = np.arange(50, dtype=np.float32) + 1
    y, out = np.arange(48, dtype=np.int32).reshape(6, 8) * 3, np.zeros((lanes, 4), np.int32)
    args = [x, y, out, np.zeros(5, np.float32), np.zeros(4, np.int32), np.zeros((6, 8), np.int32)]
    swapped = np.random.default_rng(2).integers(3, 6, 60).astype(np.int32)
    args += [np.full(5, -1, np.float32), np.full(4, -1, np.int32), swapped]
    found = launch(BUFFERS, (1, 1, 1), (lanes, 1, 1), args, target)
    i = np.arange(lanes)
    wanted = np.where((i >= 4) & (i < 54), i - 3, 0)
    np.testing.assert_array_equal(found[2][:, 1], wanted)
    np.testing.assert_array_equal(found[2][:, 2], wanted)
    flat = 3 * np.arange(64)
    pairs = flat[np.minimum(i + 3, 63)] + flat[np.minimum(i + 4, 63)]
    np.testing.assert_array_equal(found[2][:, 0], np.where(i + 5 <= 48, pairs, 0))
    stored = np.zeros(48, np.int32)
    places = i // 8 * 8 + 4 * i + 4
    stored[places[places < 48]] = i[places < 48]
    np.testing.assert_array_equal(found[5].reshape(-1), stored)
    np.testing.assert_array_equal(found[3], [float(i[i % 8 == column].sum()) for column in range(5)])
    np.testing.assert_array_equal(found[4], [7, 15, 23, 31])
    np.testing.assert_array_equal(found[6], [56, 57, 58, 59, 60])
    np.testing.assert_array_equal(found[7], [0, 8, 16, 24])
    np.testing.assert_array_equal(found[8], np.where(swapped == 4, i[:60], swapped))


def product(op: str, shape: str, a: str, c: str, lanes: int) -> str:
    return f"""
gpu.module @m {{
  gpu.func @k(%x: memref<?x{a}>, %y: memref<?x{a}>, %z: memref<?x{c}>)
      kernel attributes {{known_block_size = array<i32: {lanes}, 1, 1>}} {{
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<?x{a}>
    %b = memref.load %y[%i] : memref<?x{a}>
    %c = memref.load %z[%i] : memref<?x{c}>
    %d = amdgpu.{op} {shape} %a * %b + %c : {a}, {a}, {c}
    memref.store %d, %z[%i] : memref<?x{c}>
    gpu.return
  }}
}}
"""


MATRICES = [
    ("gfx942", "mfma", "16x16x16", "vector<4xf16>", "vector<4xf32>"),
    ("gfx942", "mfma", "32x32x8", "vector<4xf16>", "vector<16xf32>"),
    ("gfx90a", "mfma", "16x16x4", "f32", "vector<4xf32>"),
    ("gfx950", "mfma", "32x32x2", "f32", "vector<16xf32>"),
    ("gfx942", "mfma", "16x16x16", "vector<4xbf16>", "vector<4xf32>"),
    ("gfx942", "mfma", "16x16x32", "vector<8xi8>", "vector<4xi32>"),
    ("gfx1100", "wmma", "16x16x16", "vector<16xf16>", "vector<8xf32>"),
    ("gfx1201", "wmma", "16x16x16", "vector<8xf16>", "vector<8xf32>"),
    ("gfx1201", "wmma", "16x16x16", "vector<8xi8>", "vector<8xi32>"),
    ("gfx1100", "wmma", "16x16x16", "vector<16xi8>", "vector<8xi32>"),
]


@pytest.mark.parametrize("number", range(len(MATRICES)))
def test_matrices(number: int) -> None:
    """Small whole numbers, whose products and sums are exact, next to the interpreter's layouts."""
    target, op, shape, a, c = MATRICES[number]
    lanes = 64 if op == "mfma" else 32
    random = np.random.default_rng(number)

    def matrix(type_: str) -> Any:
        import ml_dtypes

        scalar = type_.removeprefix("vector<").removesuffix(">").rpartition("x")[2]
        count = int(type_.removeprefix("vector<").partition("x")[0]) if "<" in type_ else 0
        dtype = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32}[scalar]
        return random.integers(-9, 10, (lanes, count) if count else (lanes,)).astype(dtype)

    x, y, z = matrix(a), matrix(a), matrix(c)
    if (op, target) == ("wmma", "gfx1100"):  # both halves of a wave have the same lines
        x[16:], y[16:] = x[:16], y[:16]
    texts = [product(op, shape, a, c, lanes)]
    if op == "wmma" and "i8" in a:
        texts += [texts[0].replace("%c :", f"%c {signs} :") for signs in ("unsignedA", "unsignedB", "unsignedA unsignedB")]
    results = [holds(text, (1, 1, 1), (lanes, 1, 1), [x, y, z.copy()], (target,))[2] for text in texts]
    assert all((found != z).any() for found in results)
    assert len({found.tobytes() for found in results}) == len(texts)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (product("mfma", "16x16x16", "vector<4xf16>", "vector<4xf32>", 32), r"9:10: error\[MLIR056\]: .*gfx1100"),
        (product("wmma", "16x16x16", "vector<16xf16>", "vector<8xf32>", 32).replace("%c :", "%c subwordOffset(1) :"), "MLIR0"),
        ("gpu.module @m { gpu.func @k() kernel {\n amdgpu.sched_barrier allow = none\n gpu.return } }", "2:2: .*sched_barrier"),
        ("gpu.module @m { gpu.func @k() kernel {\n amdgpu.memory_counter_wait load(0)\n gpu.return } }", "2:2: .*memory_counter_wait"),
    ],
)
def test_what_is_refused(text: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        _ = launch(text, (1, 1, 1), (32, 1, 1), [], "gfx1100")


REVERSING = """
gpu.module @m {
  gpu.func @k(%x: memref<128xi32>) workgroup(%w: memref<128xi32, 3>) kernel {
    %i = gpu.thread_id x
    %last = arith.constant 127 : index
    %v = memref.load %x[%i] : memref<128xi32>
    memref.store %v, %w[%i] : memref<128xi32, 3>
    amdgpu.lds_barrier
    %o = arith.subi %last, %i : index
    %u = memref.load %w[%o] : memref<128xi32, 3>
    memref.store %u, %x[%i] : memref<128xi32>
    gpu.return
  }
}
"""


def test_the_barrier_of_lds() -> None:
    """Without it the emulator finds the race of the two waves."""
    x = np.arange(128, dtype=np.int32)
    (found,) = launch(REVERSING, (1, 1, 1), (128, 1, 1), [x], "gfx942")
    np.testing.assert_array_equal(found, x[::-1])
    with pytest.raises(InputError, match="SAN003"):
        _ = launch(REVERSING.replace("    amdgpu.lds_barrier\n", ""), (1, 1, 1), (128, 1, 1), [x], "gfx942")
