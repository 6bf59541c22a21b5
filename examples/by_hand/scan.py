"""The running sum of a vector, in one pass over memory: each workgroup looks back at those before it.

A workgroup takes a number, so that it only waits for workgroups that run already. It adds up its part, and
writes the total to its word: the number in the upper half, a mark in the lower half. A later workgroup reads
the words before its own, from the nearest on: it adds totals until a word has the sum of everything before
(D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
"""

import numpy as np
import sympy

from asmgen.assembly import Builder, Scalar, global_pointer, kernel, pseudo, u32, u64

ITEMS, EACH = 256, 4
TOTAL, SUM = 1, 2  # marks: the total of a workgroup, the sum of it and all before


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(1 << 18, 1, 1))
def scan(k: Builder, x: global_pointer[u32], y: global_pointer[u32], words: global_pointer[u64],
         counter: global_pointer[u32]) -> None:  # fmt: skip
    t, lanes = k.thread_id.x, k.wave_size
    wave = k.index(k.v_readfirstlane_b32(t // lanes), 0, ITEMS // lanes - 1)
    is_first = k.v_cmp_gt_u32(1, t)
    number, ends = k.lds(4), k.lds(4 * ITEMS // lanes)
    with k.where(is_first):
        k.ds_write_b32(number, 0, pseudo.atomic(k, "global_atomic_add", counter, 0, k.v_mov_b32(1)))
    k.barrier()
    group = k.index(k.v_readfirstlane_b32(k.ds_read_b32(number, 0)), 0, (1 << 18) - 1)
    own = 4 * EACH * (ITEMS * group + t)
    values = list(k.global_load_dwordx4(x, own))
    for i in range(1, EACH):
        values[i] = k.v_add_u32(values[i], values[i - 1])
    before_lane = pseudo.scan_lanes(k, "v_add_u32", values[-1])
    with k.where(t % lanes > lanes - 2):
        k.ds_write_b32(ends, 4 * wave, before_lane)
    k.barrier()
    before_wave, total = k.sgpr(), k.sgpr()
    k.assign(before_wave, 0)
    k.assign(total, 0)
    for first in range(0, ITEMS // lanes, 4):
        for place, end in enumerate(k.ds_read_b128(ends, 4 * first)):
            k.s_cmp_eq_u32(wave, first + place)
            k.s_cselect_b32(total, before_wave, into=before_wave)
            k.s_add_u32(total, k.v_readfirstlane_b32(end), into=total)
    before_group = look_back(k, words, group, total, is_first)
    before = k.s_add_u32(before_group, before_wave)
    start = k.v_add_u32(before, k.v_sub_u32(before_lane, values[-1]))
    out = k.vgpr(EACH)
    for i, value in enumerate(values):
        k.v_add_u32(start, value, into=out[i])
    k.global_store_dwordx4(y, own, out)


def look_back(
    k: Builder, words: global_pointer[u64], group: sympy.Symbol, total: Scalar, is_first: Scalar
) -> Scalar:
    """The sum of the workgroups before this one; writes the word of this one. Each wave looks for itself."""
    before, at, mark = k.sgpr(), k.sgpr(), k.sgpr()
    k.assign(before, 0)
    k.assign(at, group)
    k.assign(mark, SUM - sympy.Min(group, 1))  # the total of the first workgroup is its sum
    publish(k, words, group, mark, total, is_first)
    with k.while_(lambda: k.index(mark, 0, SUM) < SUM):
        word = pseudo.atomic_load(k, "global_load_dwordx2", words, 8 * k.index(at, 1, 1 << 18) - 8)
        k.v_readfirstlane_b32(word[0], into=mark)
        with k.uniform_if(k.index(mark, 0, SUM) > 0):
            k.s_add_u32(before, k.v_readfirstlane_b32(word[1]), into=before)
            k.s_sub_u32(at, 1, into=at)
    publish(k, words, group, SUM, k.s_add_u32(before, total), is_first)
    return before


def publish(
    k: Builder, words: global_pointer[u64], group: sympy.Symbol, mark: Scalar | int, value: Scalar,
    is_first: Scalar,
) -> None:  # fmt: skip
    with k.where(is_first):
        word = k.vgpr(2)
        k.assign(word[0], mark)
        k.assign(word[1], value)
        pseudo.atomic_store(k, "global_store_dwordx2", words, 8 * group, word)


def verify(target: str) -> float:
    """0 if the sums are right on the emulator."""
    groups = 5
    x = np.random.default_rng(6).integers(0, 1 << 20, groups * ITEMS * EACH, dtype=np.uint32)
    return scan.compile(target).verify(
        lambda x, y, words, counter: {"y": np.cumsum(x, dtype=np.uint32)}, grid=(groups, 1, 1), x=x,
        y=np.zeros_like(x), words=np.zeros(groups, np.uint64), counter=np.zeros(1, np.uint32),
    )  # fmt: skip
