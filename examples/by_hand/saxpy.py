"""y := a * x + y, an element a lane: the first kernel that a person writes."""

from typing import Annotated

import numpy as np

from asmgen.assembly import Builder, below, f32, global_pointer, kernel, u32

ITEMS = 256


@kernel(workgroup=(ITEMS, 1, 1))
def saxpy(
    k: Builder, x: global_pointer[f32], y: global_pointer[f32], a: f32, n: Annotated[u32, below(1 << 30)]
) -> None:
    i = ITEMS * k.workgroup_id.x + k.thread_id.x
    with k.where(i < n):
        v = k.global_load_dword(x, 4 * i)
        w = k.global_load_dword(y, 4 * i)
        k.global_store_dword(y, 4 * i, k.v_fma_f32(a, v, w))


def verify(target: str) -> float:
    """The largest relative error on the emulator."""
    x = np.linspace(-3, 5, 1000, dtype=np.float32)
    y = np.linspace(7, 1, 1000, dtype=np.float32)
    return saxpy.compile(target).verify(
        lambda x, y, a, n: {"y": a * x + y}, grid=(-(-1000 // ITEMS), 1, 1), x=x, y=y, a=2.5, n=1000
    )
