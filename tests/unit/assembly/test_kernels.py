"""Kernels as a kernel engineer writes them: rows of any length by a workgroup, padded LDS, atomics on LDS, packed numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import e, log2
from typing import Annotated, Any

import numpy as np
import pytest
import sympy

from asmgen.assembly import Builder, Vector, between, f16, f32, global_pointer, i8, kernel, pseudo, u8, u32

Array = np.ndarray[Any, Any]
ITEMS = 256


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 16, 1, 1))
def softmax_row(k: Builder, x: global_pointer[f32], y: global_pointer[f32], cols: Annotated[u32, between(1, 1 << 16)]) -> None:
    """A row by a workgroup, in three passes over memory."""
    t, largest, total = k.thread_id.x, k.vgpr(), k.vgpr()
    k.assign(largest, float("-inf"))
    k.assign(total, 0.0)

    def elements(each: Callable[[sympy.Expr], None]) -> None:
        with k.loop(0, (cols + ITEMS - 1) // ITEMS) as step:
            col = ITEMS * step + t
            with k.where(col < cols):
                each(4 * (cols * k.workgroup_id.x + col))

    elements(lambda at: k.v_max_f32(k.global_load_dword(x, at), largest, into=largest))
    shift = k.v_mul_f32(log2(e), pseudo.reduce_workgroup(k, "v_max_f32", largest))

    def power(at: sympy.Expr) -> None:
        value = k.v_exp_f32(k.v_fma_f32(k.global_load_dword(x, at), log2(e), -shift))
        k.v_add_f32(total, value, into=total)
        k.global_store_dword(y, at, value)

    elements(power)
    scale = k.v_rcp_f32(pseudo.reduce_workgroup(k, "v_add_f32", total))
    elements(lambda at: k.global_store_dword(y, at, k.v_mul_f32(scale, k.global_load_dword(y, at))))


def rows_of_softmax(target: str) -> float:
    x = np.random.default_rng(1).standard_normal((3, 700)).astype(np.float32)
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    wanted = powers / powers.sum(axis=1, keepdims=True)
    return softmax_row.compile(target).verify(lambda x, y, cols: {"y": wanted}, grid=(3, 1, 1), x=x, y=np.zeros_like(x), cols=700)


Size = Annotated[u32, between(1, 1 << 14)]


@kernel(workgroup=(32, 8, 1), most_workgroups=(1 << 10, 1 << 10, 1))
def transpose_edges(k: Builder, x: global_pointer[f16], y: global_pointer[f16], rows: Size, cols: Size) -> None:
    """Tiles of 32 x 32 halves in rows of 33 words; the matrix need not fill them."""
    tile, tx, ty = k.lds(4 * 32 * 33), k.thread_id.x, k.thread_id.y
    above, left = 32 * k.workgroup_id.y, 32 * k.workgroup_id.x
    for i in range(0, 32, 8):
        row, col = above + ty + i, left + tx
        with k.where(sympy.And(row < rows, col < cols)):
            k.ds_write_b32(tile, 4 * (33 * (ty + i) + tx), k.global_load_ushort(x, 2 * (row * cols + col)))
    k.barrier()
    for i in range(0, 32, 8):
        row, col = left + ty + i, above + tx
        with k.where(sympy.And(row < cols, col < rows)):
            k.global_store_short(y, 2 * (row * rows + col), k.ds_read_b32(tile, 4 * (33 * tx + ty + i)))


def halves_transposed(target: str) -> float:
    x = np.random.default_rng(1).standard_normal((70, 45)).astype(np.float16)
    y = np.zeros((45, 70), np.float16)
    return transpose_edges.compile(target).verify(lambda x, y, rows, cols: {"y": x.T}, grid=(2, 3, 1), x=x, y=y, rows=70, cols=45)


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 16, 1, 1))
def histogram(k: Builder, x: global_pointer[u8], counts: global_pointer[u32], n: u32) -> None:
    """Bytes counted in LDS, then added to memory; n is a multiple of 4."""
    bins, t = k.lds(4 * ITEMS), k.thread_id.x
    k.ds_write_b32(bins, 4 * t, k.v_mov_b32(0))
    k.barrier()
    first = 4 * (ITEMS * k.workgroup_id.x + t)
    with k.where(first < n):
        word = k.global_load_dword(x, first)
        for part in range(4):
            byte = k.index(k.v_bfe_u32(word, 8 * part, 8), 0, 255)
            k.ds_add_u32(bins, 4 * byte, k.v_mov_b32(1))
    k.barrier()
    count = k.ds_read_b32(bins, 4 * t)
    with k.where(k.v_cmp_ne_u32(0, count)):
        k.global_atomic_add(counts, 4 * t, count)


def bytes_counted(target: str) -> float:
    x = np.random.default_rng(1).integers(0, 256, 3000, dtype=np.uint8)
    wanted = np.bincount(x, minlength=256)
    counts = np.zeros(256, np.uint32)
    return histogram.compile(target).verify(lambda x, counts, n: {"counts": wanted}, grid=(3, 1, 1), x=x, counts=counts, n=3000)


@kernel(workgroup=(64, 1, 1), most_workgroups=(1 << 10, 1, 1))
def rows_times_vector(
    k: Builder, a: global_pointer[f16], b: global_pointer[f16], out: global_pointer[f32], depth: Annotated[u32, between(512, 1 << 16)]
) -> None:
    """A row a workgroup; two halves a lane and instruction. `depth` is a multiple of 512."""
    lane, row, total = k.thread_id.x, k.workgroup_id.x, k.variable(k.v_mov_b32(0))
    with k.loop(0, depth // 512) as step:
        place = 512 * step + 8 * lane
        left, right = k.global_load_dwordx4(a, 2 * (depth * row + place)), k.global_load_dwordx4(b, 2 * place)
        for i in range(4):
            k.v_dot2_f32_f16(left[i], right[i], total, into=total)
    whole = pseudo.reduce_workgroup(k, "v_add_f32", total)
    with k.where(sympy.Eq(lane, 0)):
        k.global_store_dword(out, 4 * row, whole)


def products_of_halves(target: str) -> float:
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((3, 1024), (1024,)))
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    out = np.zeros(3, np.float32)
    program = rows_times_vector.compile(target)
    return program.verify(lambda a, b, out, depth: {"out": wanted}, grid=(3, 1, 1), atol=1e-3, a=a, b=b, out=out, depth=1024)


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 16, 1, 1))
def quantise(k: Builder, x: global_pointer[f32], q: global_pointer[i8], scales: global_pointer[f32]) -> None:
    """Rows of 1,024 numbers as bytes and a scale."""
    row, t = k.workgroup_id.x, k.thread_id.x
    values = list(k.global_load_dwordx4(x, 16 * (ITEMS * row + t)))
    largest = pseudo.reduce_workgroup(k, "v_max_f32", pseudo.combine(k, "v_max_f32", [magnitude(k, value) for value in values]))
    inverse = k.v_mul_f32(127.0, k.v_rcp_f32(largest))
    word = k.v_mov_b32(0)
    for i, value in enumerate(values):
        number = k.v_cvt_i32_f32(k.v_rndne_f32(k.v_mul_f32(value, inverse)))
        word = k.v_lshl_or_b32(k.v_and_b32(0xFF, number), 8 * i, word)
    k.global_store_dword(q, 4 * (ITEMS * row + t), word)
    with k.where(t < 1):
        k.global_store_dword(scales, 4 * row, k.v_mul_f32(1 / 127, largest))


def magnitude(k: Builder, value: Any) -> Vector:
    return k.v_max_f32(abs(value), abs(value))


def bytes_of_rows(target: str) -> float:
    x = np.random.default_rng(1).standard_normal((3, 1024)).astype(np.float32)
    largest = np.abs(x).max(axis=1, keepdims=True).astype(np.float64)
    arguments: dict[str, Any] = {"x": x, "q": np.zeros(x.shape, np.int8), "scales": np.zeros(3, np.float32)}
    after = quantise.compile(target).launch((3, 1, 1), "emulator", **arguments)
    exact = x * 127 / largest
    assert np.abs(after["q"] - exact).max() < 0.501, "rounded to the nearest, but for the error of the reciprocal"
    return float(np.abs(after["scales"] / (largest[:, 0] / 127) - 1).max())


CASES = (rows_of_softmax, halves_transposed, bytes_counted, products_of_halves, bytes_of_rows)
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1100:wave64")


@pytest.mark.parametrize("turn", (0, 1))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_kernel_is_proven_on_two_targets(case: Callable[[str], float], turn: int) -> None:
    assert case(TARGETS[(CASES.index(case) + 3 * turn) % len(TARGETS)]) < 1e-5
