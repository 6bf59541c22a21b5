"""The softmax of the rows of a matrix, a row a wave. A lane keeps its elements in registers, so that memory
is read once; the maximum and the sum of a row go over the lanes of the wave."""

from math import e, log2

import numpy as np

from asmgen.assembly import Builder, f32, global_pointer, kernel, pseudo

WAVES = 4
COLS = 1024


@kernel(workgroup=(64 * WAVES, 1, 1), most_workgroups=(1 << 16, 1, 1))
def softmax(k: Builder, x: global_pointer[f32], y: global_pointer[f32]) -> None:
    lanes = k.wave_size
    per_group = 64 * WAVES // lanes
    row = per_group * k.workgroup_id.x + k.thread_id.x // lanes
    first = 4 * (COLS * row + 4 * (k.thread_id.x % lanes))
    pieces = [k.global_load_dwordx4(x, first + 16 * lanes * i) for i in range(COLS // (4 * lanes))]
    values = [element for piece in pieces for element in piece]
    largest = pseudo.reduce_wave(k, "v_max_f32", pseudo.combine(k, "v_max_f32", values))
    shift = k.v_mul_f32(largest, log2(e))
    powers = [k.v_exp_f32(k.v_fma_f32(value, log2(e), -shift)) for value in values]
    total = pseudo.reduce_wave(k, "v_add_f32", pseudo.combine(k, "v_add_f32", powers))
    scale = k.v_rcp_f32(total)
    for i in range(len(pieces)):
        out = k.vgpr(4)
        for part in range(4):
            k.v_mul_f32(powers[4 * i + part], scale, into=out[part])
        k.global_store_dwordx4(y, first + 16 * lanes * i, out)


def verify(target: str) -> float:
    """The largest relative error on the emulator."""
    x = np.random.default_rng(2).standard_normal((8, COLS)).astype(np.float32)

    def reference(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
        powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        return {"y": powers / powers.sum(axis=1, keepdims=True)}

    program = softmax.compile(target)
    groups = 8 * softmax.compile(target).kernels[0].target.target.wave_size // (64 * WAVES)
    return program.verify(reference, grid=(groups, 1, 1), x=x, y=np.zeros_like(x))
