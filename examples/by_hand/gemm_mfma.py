"""C = A Bᵀ of f16 with sums in f32, 128 x 128 of C a workgroup, by the matrix instructions of gfx942.

Four waves have a quarter of the tile each, as 4 x 4 results of 16 x 16. While a K step of 32 is multiplied
from one half of LDS, the next one is on its way from memory to the other half. A row of a
tile in LDS has four pieces of 16 bytes, exchanged by bits of the row: the reads of a phase meet all banks.
"""

from typing import Annotated

import numpy as np
import sympy

from asmgen.assembly import (
    Gfx942,
    Lds,
    Pointer,
    Vector,
    below,
    between,
    f16,
    f32,
    global_pointer,
    kernel,
    pseudo,
    u32,
)

TILE, STEP = 128, 32
BUFFER = 2 * TILE * STEP  # bytes of a tile of A or of B


@kernel(workgroup=(256, 1, 1), most_workgroups=(256, 256, 1))
def gemm(
    k: Gfx942, a: global_pointer[f16], b: global_pointer[f16], c: global_pointer[f32],
    n: Annotated[u32, below(1 << 15)], depth: Annotated[u32, between(64, 1 << 15)],
) -> None:  # fmt: skip
    t, lane = k.thread_id.x, k.thread_id.x % 64
    wave_row, wave_col = t // 128, t // 64 % 2
    tiles = [k.lds(2 * BUFFER), k.lds(2 * BUFFER)]
    corners = [TILE * k.workgroup_id.y, TILE * k.workgroup_id.x]
    sums = [[k.vgpr(4) for _ in range(4)] for _ in range(4)]
    for line in sums:
        for total in line:
            k.assign(total, 0)

    def fetch(step: sympy.Expr | int) -> list[Vector]:
        """The pieces of a K step that this lane brings, of A and of B in turn."""
        at = [
            (matrix, corner + t // 4 + 64 * half)
            for half in (0, 1)
            for matrix, corner in zip((a, b), corners, strict=True)
        ]
        return [
            k.global_load_dwordx4(matrix, 2 * (depth * row + STEP * step + 8 * (t % 4))) for matrix, row in at
        ]

    def put(pieces: list[Vector], slot: int) -> None:
        place = 2 * (STEP * (t // 4) + 8 * pseudo.bits(k, "xor", t % 4, t // 8 % 4))
        for number, piece in enumerate(pieces):
            k.ds_write_b128(tiles[number % 2], place + BUFFER * slot + 2 * STEP * 64 * (number // 2), piece)

    def multiply(slot: int) -> None:
        lefts, rights = (
            fragments(k, tiles[i], part, lane, slot) for i, part in ((0, wave_row), (1, wave_col))
        )
        for i, left in enumerate(lefts):
            for j, right in enumerate(rights):
                for half in (slice(0, 2), slice(2, 4)):
                    k.v_mfma_f32_16x16x16_f16(left[half], right[half], sums[i][j], into=sums[i][j])

    put(fetch(0), 0)
    k.barrier()
    last = depth // STEP - 1  # depth is a multiple of 64
    with k.loop(0, depth // STEP, step=2) as step:
        for slot in (0, 1):
            coming = fetch(sympy.Min(step + slot + 1, last))
            multiply(slot)
            put(coming, 1 - slot)
            k.barrier()
    store(k, c, sums, [corners[0] + 64 * wave_row, corners[1] + 64 * wave_col], n)


def fragments(k: Gfx942, tile: Lds, part: sympy.Expr, lane: sympy.Expr, slot: int) -> list[Vector]:
    """Four operands of 16 rows: 8 neighbours along K for each lane."""
    row = 64 * part + lane % 16
    place = 2 * (STEP * row + 8 * pseudo.bits(k, "xor", lane // 16, row // 2 % 4))
    return [k.ds_read_b128(tile, place + BUFFER * slot + 2 * STEP * 16 * i) for i in range(4)]


def store(k: Gfx942, c: Pointer, sums: list[list[Vector]], corner: list[sympy.Expr], n: sympy.Expr) -> None:
    lane = k.thread_id.x % 64
    for i, line in enumerate(sums):
        for j, total in enumerate(line):
            for part in range(4):
                row, col = corner[0] + 16 * i + 4 * (lane // 16) + part, corner[1] + 16 * j + lane % 16
                k.global_store_dword(c, 4 * (n * row + col), total[part])


def verify(target: str) -> float:
    """The largest relative error on the emulator."""
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-8, 8, (rows, 128)).astype(np.float16) for rows in (128, 256))

    def reference(a: np.ndarray, b: np.ndarray, c: np.ndarray, n: int, depth: int) -> dict[str, np.ndarray]:
        return {"c": a.astype(np.float64) @ b.astype(np.float64).T}

    c = np.zeros((128, 256), np.float32)
    return gemm.compile(target).verify(reference, grid=(2, 1, 1), a=a, b=b, c=c, n=256, depth=128)
