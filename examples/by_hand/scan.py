"""The running sum of a vector, in one pass over memory: each workgroup looks back at those before it.

A workgroup takes a number, so that it only waits for workgroups that run already. It adds up its part, and
writes the total to its word: the number in the upper half, a mark in the lower half. A later workgroup reads
the words before its own, from the nearest on: it adds totals until a word has the sum of everything before
(D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
"""

import numpy as np
import sympy

from asmgen.assembly import Builder, Scalar, Vector, global_pointer, kernel, pseudo, u32, u64

ITEMS, EACH = 256, 4
TOTAL, SUM = 1, 2  # marks: the total of a workgroup, the sum of it and all before


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 18, 1, 1))
def scan(k: Builder, x: global_pointer[u32], y: global_pointer[u32], words: global_pointer[u64],
         counter: global_pointer[u32]) -> None:  # fmt: skip
    t, lanes = k.thread_id.x, k.wave_size
    shared = k.lds(4 * 64)
    with k.where(t < 1):
        k.ds_write_b32(shared, 0, pseudo.atomic(k, "global_atomic_add", counter, 0, k.v_mov_b32(1)))
    k.barrier()
    group = k.index(k.v_readfirstlane_b32(k.ds_read_b32(shared, 0)), 0, (1 << 18) - 1)
    k.barrier()
    own = 4 * EACH * (ITEMS * group + t)
    values = list(k.global_load_dwordx4(x, own))
    for i in range(1, EACH):
        values[i] = k.v_add_u32(values[i], values[i - 1])
    before_lane = pseudo.scan_lanes(k, "v_add_u32", values[-1])
    with k.where(sympy.Eq(t % lanes, lanes - 1)):
        k.ds_write_b32(shared, 4 * (t // lanes), before_lane)
    k.barrier()
    totals = [k.v_readfirstlane_b32(k.ds_read_b32(shared, 4 * wave)) for wave in range(ITEMS // lanes)]
    total = k.sgpr()
    k.assign(total, 0)
    before_wave = k.vgpr()
    k.assign(before_wave, 0)
    for wave, one in enumerate(totals):
        with k.where(sympy.Eq(t // lanes, wave)):
            k.assign(before_wave, total)
        k.s_add_u32(total, one, into=total)
    before_group = look_back(k, words, group, total)
    start = k.v_add_u32(before_group, k.v_add_u32(before_wave, k.v_sub_u32(before_lane, values[-1])))
    out = k.vgpr(EACH)
    for i, value in enumerate(values):
        k.v_add_u32(start, value, into=out[i])
    k.global_store_dwordx4(y, own, out)


def look_back(k: Builder, words: global_pointer[u64], group: sympy.Symbol, total: Scalar) -> Scalar:
    """The sum of the workgroups before this one; writes the word of this one. Each wave looks for itself."""
    before, at, mark = k.sgpr(), k.sgpr(), k.sgpr()
    k.assign(before, 0)
    k.assign(at, group)
    k.assign(mark, TOTAL)
    publish(k, words, group, total, TOTAL)
    with k.while_(lambda: sympy.And(k.index(at, 0, 1 << 18) > 0, k.index(mark, 0, SUM) < SUM)):
        place = k.index(at, 1, 1 << 18) - 1
        word = pseudo.atomic(
            k, "global_atomic_or_x2", words, 8 * place, pair(k, 0, 0)
        )  # reads the word whole
        k.v_readfirstlane_b32(word[0], into=mark)
        with k.uniform_if(k.index(mark, 0, SUM) > 0):
            k.s_add_u32(before, k.v_readfirstlane_b32(word[1]), into=before)
            k.s_sub_u32(at, 1, into=at)
    publish(k, words, group, k.s_add_u32(before, total), SUM)
    return before


def publish(k: Builder, words: global_pointer[u64], group: sympy.Symbol, value: Scalar, mark: int) -> None:
    with k.where(k.thread_id.x < 1):
        k.global_atomic_swap_x2(words, 8 * group, pair(k, mark, value))


def pair(k: Builder, low: int, high: Scalar | int) -> Vector:
    result = k.vgpr(2)
    k.assign(result[0], low)
    k.assign(result[1], high)
    return result


def verify(target: str) -> float:
    """0 if the sums are right on the emulator."""
    groups = 5
    x = np.random.default_rng(6).integers(0, 1 << 20, groups * ITEMS * EACH, dtype=np.uint32)
    return scan.compile(target).verify(
        lambda x, y, words, counter: {"y": np.cumsum(x, dtype=np.uint32)}, grid=(groups, 1, 1), x=x,
        y=np.zeros_like(x), words=np.zeros(groups, np.uint64), counter=np.zeros(1, np.uint32),
    )  # fmt: skip
