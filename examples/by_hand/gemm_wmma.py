"""C = A Bᵀ of f16 with sums in f32, 128 x 128 of C a workgroup, by the matrix instructions of gfx1201.

Four waves have a quarter of the tile each, as 4 x 4 results of 16 x 16. While a K step of 32 is multiplied
from one half of LDS, the next one is on its way from memory to the other half.
"""

from typing import Annotated

import numpy as np
import sympy

from asmgen.assembly import (
    Gfx1201,
    Lds,
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

TILE, STEP, ITEMS = 128, 32, 128
BUFFER = 2 * TILE * STEP  # bytes of a tile of A or of B
PASSES = TILE * STEP // 8 // ITEMS  # pieces of 16 bytes that a lane brings of each matrix


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(256, 256, 1))
def gemm(
    k: Gfx1201, a: global_pointer[f16], b: global_pointer[f16], c: global_pointer[f32],
    n: Annotated[u32, below(1 << 15)], depth: Annotated[u32, between(64, 1 << 15)],
) -> None:  # fmt: skip
    t, lane, wave = k.thread_id.x, k.thread_id.x % 32, k.thread_id.x // 32
    tiles = [k.lds(2 * BUFFER), k.lds(2 * BUFFER)]
    corners = [TILE * k.workgroup_id.y, TILE * k.workgroup_id.x]
    sums = [[k.vgpr(8) for _ in range(4)] for _ in range(4)]
    for line in sums:
        for total in line:
            k.assign(total, 0)

    def fetch(step: sympy.Expr | int) -> list[Vector]:
        """The pieces of a K step that this lane brings, those of A first."""
        rows = [
            (m, corner + t // 4 + ITEMS // 4 * i)
            for m, corner in zip((a, b), corners, strict=True)
            for i in range(PASSES)
        ]
        return [k.global_load_dwordx4(m, 2 * (depth * row + STEP * step + 8 * (t % 4))) for m, row in rows]

    def put(pieces: list[Vector], slot: int) -> None:
        place = 2 * (STEP * (t // 4) + 8 * pseudo.bits(k, "xor", t % 4, t // 8 % 4))
        for number, piece in enumerate(pieces):
            below_it = 2 * STEP * (ITEMS // 4) * (number % PASSES)
            k.ds_write_b128(tiles[number // PASSES], place + BUFFER * slot + below_it, piece)

    def multiply(slot: int) -> None:
        for half in range(STEP // 16):
            lefts = fragments(k, tiles[0], wave // 2, lane, slot, half)
            rights = fragments(k, tiles[1], wave % 2, lane, slot, half)
            for i, left in enumerate(lefts):
                for j, right in enumerate(rights):
                    k.v_wmma_f32_16x16x16_f16(left, right, sums[i][j], into=sums[i][j])

    put(fetch(0), 0)
    k.barrier()
    last = depth // STEP - 1  # depth is a multiple of 64
    with k.loop(0, depth // STEP, step=2) as step:
        for slot in (0, 1):
            coming = fetch(sympy.Min(step + slot + 1, last))
            multiply(slot)
            put(coming, 1 - slot)
            k.barrier()
    for i, line in enumerate(sums):
        for j, total in enumerate(line):
            for part in range(8):
                row = corners[0] + 64 * (wave // 2) + 16 * i + 8 * (lane // 16) + part
                col = corners[1] + 64 * (wave % 2) + 16 * j + lane % 16
                k.global_store_b32(c, 4 * (n * row + col), total[part])


def fragments(
    k: Gfx1201, tile: Lds, part: sympy.Expr, lane: sympy.Expr, slot: int, half: int
) -> list[Vector]:
    """Four operands of 16 rows: 8 neighbours along K for each lane."""
    row = 64 * part + lane % 16
    place = 2 * (STEP * row + 8 * pseudo.bits(k, "xor", 2 * half + lane // 16, row // 2 % 4))
    return [k.ds_read_b128(tile, place + BUFFER * slot + 2 * STEP * 16 * i) for i in range(4)]


def verify(target: str) -> float:
    """The largest relative error on the emulator."""
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-8, 8, (rows, 128)).astype(np.float16) for rows in (128, 256))

    def reference(a: np.ndarray, b: np.ndarray, c: np.ndarray, n: int, depth: int) -> dict[str, np.ndarray]:
        return {"c": a.astype(np.float64) @ b.astype(np.float64).T}

    c = np.zeros((128, 256), np.float32)
    return gemm.compile(target).verify(reference, grid=(2, 1, 1), a=a, b=b, c=c, n=256, depth=128)
