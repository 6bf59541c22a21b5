"""The dot product of two vectors: a sum for each workgroup. Lanes combine by DPP, waves through LDS."""

from typing import Annotated

import numpy as np

from asmgen.assembly import Builder, below, f32, global_pointer, kernel, pseudo, u32

ITEMS = 256
EACH = 4  # elements of a lane, in one load


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 18, 1, 1))
def dot_product(
    k: Builder, x: global_pointer[f32], y: global_pointer[f32], sums: global_pointer[f32],
    n: Annotated[u32, below(1 << 28)],
) -> None:  # fmt: skip
    i = EACH * (ITEMS * k.workgroup_id.x + k.thread_id.x)
    total = k.vgpr()
    k.assign(total, 0.0)
    with k.where(i < n):  # n is a multiple of 4
        a = k.global_load_dwordx4(x, 4 * i)
        b = k.global_load_dwordx4(y, 4 * i)
        k.v_mul_f32(a[0], b[0], into=total)
        for part in range(1, EACH):
            k.v_fma_f32(a[part], b[part], total, into=total)
    wave_total = k.v_mov_b32(pseudo.reduce_wave(k, "v_add_f32", total))
    totals, waves = k.lds(4 * ITEMS // k.wave_size), ITEMS // k.wave_size
    with k.where(k.thread_id.x % k.wave_size < 1):
        k.ds_write_b32(totals, 4 * (k.thread_id.x // k.wave_size), wave_total)
    k.barrier()
    with k.where(k.thread_id.x < 1):
        whole = pseudo.combine(k, "v_add_f32", [k.ds_read_b32(totals, 4 * wave) for wave in range(waves)])
        k.global_store_dword(sums, 4 * k.workgroup_id.x, whole)


def verify(target: str) -> float:
    """The largest relative error on the emulator."""
    n, groups = 3000, 3
    rng = np.random.default_rng(1)
    x, y = rng.uniform(0.5, 1, n).astype(np.float32), rng.uniform(0.5, 1, n).astype(np.float32)

    def reference(x: np.ndarray, y: np.ndarray, sums: np.ndarray, n: int) -> dict[str, np.ndarray]:
        products = np.zeros(groups * ITEMS * EACH)
        products[:n] = x.astype(np.float64) * y
        return {"sums": products.reshape(groups, -1).sum(axis=1)}

    sums = np.zeros(groups, np.float32)
    return dot_product.compile(target).verify(reference, grid=(groups, 1, 1), x=x, y=y, sums=sums, n=n)
