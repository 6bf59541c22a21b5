"""Sorts 1,024 keys of a workgroup by a bitonic network (K. Batcher, 1968). Neighbours within 32 lanes
exchange their keys directly; longer steps go through LDS."""

import numpy as np

from asmgen.assembly import Builder, Vector, global_pointer, kernel, pseudo, u32

KEYS = 1024


@kernel(workgroup=(KEYS, 1, 1), most_workgroups=(1 << 20, 1, 1))
def bitonic_sort(k: Builder, keys: global_pointer[u32]) -> None:
    shared = k.lds(4 * KEYS)
    i = k.thread_id.x
    first = 4 * KEYS * k.workgroup_id.x + 4 * i
    key = k.global_load_dword(keys, first)
    size = 2
    while size <= KEYS:
        step = size // 2
        while step:
            other = partner(k, key, step, shared)
            # the lower of two places keeps the smaller key where the sequence goes up, else the larger
            keeps_smaller = k.v_cmp_eq_u32(
                pseudo.bits(k, "and", i // step, 1), pseudo.bits(k, "and", i // size, 1)
            )
            key = k.v_cndmask_b32(k.v_max_u32(key, other), k.v_min_u32(key, other), keeps_smaller)
            step //= 2
        size *= 2
    k.global_store_dword(keys, first, key)


def partner(k: Builder, key: Vector, step: int, shared: object) -> Vector:
    """The key of the place `step` away."""
    i = k.thread_id.x
    if step < 32:
        return pseudo.exchange_lanes(k, key, step)
    k.barrier()
    k.ds_write_b32(shared, 4 * i, key)
    k.barrier()
    return k.ds_read_b32(shared, 4 * pseudo.bits(k, "xor", i, step))


def verify(target: str) -> float:
    """0 if the keys are sorted on the emulator."""
    keys = np.random.default_rng(3).integers(0, 1 << 32, (2, KEYS), dtype=np.uint32)
    return bitonic_sort.compile(target).verify(
        lambda keys: {"keys": np.sort(keys)}, grid=(2, 1, 1), keys=keys
    )
