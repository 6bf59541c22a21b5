"""The instructions of addresses, and accesses that workgroups make atomically."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
import pytest
import sympy

from asmgen.assembly import Builder, HandKernel, between, global_pointer, kernel, pseudo, u32, u64
from tests.unit.assembly.test_examples import EVERYWHERE


def names_of(most_workgroups: int) -> list[str]:
    """The instructions of a kernel that stores its zero at an offset that is the same for the wave."""

    def store(k: Builder, x: global_pointer[u32]) -> None:
        k.global_store_dword(x, 4 * k.workgroup_id.x, k.v_mov_b32(0))

    text = str(HandKernel(store, (64, 1, 1), "", (most_workgroups, 1, 1)).compile("gfx942"))
    return re.findall(r"^\t([sv]_\w+)", text, re.MULTILINE)


def test_an_offset_of_the_wave_is_moved_to_a_vector_register_if_32_bits_suffice() -> None:
    names = names_of(1 << 20)
    assert names.count("s_lshl_b32") == 1 and names.count("v_mov_b32_e32") == 2
    assert not {"s_add_u32", "s_addc_u32"} & set(names)


def test_a_longer_offset_of_the_wave_is_added_to_the_pointer() -> None:
    names = names_of(1 << 31)
    assert {"s_add_u32", "s_addc_u32"} <= set(names)
    assert names.count("v_mov_b32_e32") == 1, "the zero of the address is that of the data"


@kernel(workgroup=(64, 1, 1), most_workgroups=(1024, 1, 1))
def edges(k: Builder, x: global_pointer[u32], y: global_pointer[u32], n: Annotated[u32, between(1, 1 << 20)]) -> None:
    """The sum of the element before and the element after, or of the outermost element."""
    i = 64 * k.workgroup_id.x + k.thread_id.x
    with k.where(i < n):
        before = k.global_load_dword(x, 4 * sympy.Max(i - 1, 0))
        after = k.global_load_dword(x, 4 * sympy.Min(i + 1, n - 1))
        k.global_store_dword(y, 4 * i, k.v_add_u32(before, after))


@pytest.mark.parametrize("target", EVERYWHERE)
def test_the_larger_of_two_indices_is_an_instruction_and_an_offset(target: str) -> None:
    program, x = edges.compile(target), np.arange(100, dtype=np.uint32) ** 2
    padded = np.pad(x, 1, mode="edge")
    program.verify(lambda **_: {"y": padded[:-2] + padded[2:]}, x=x, y=np.zeros_like(x), n=100)
    assert "v_max_i32" in str(program) and "v_sub" not in str(program)


@kernel(workgroup=(64, 1, 1), most_workgroups=(1024, 1024, 1))
def rows(k: Builder, y: global_pointer[u32], n: Annotated[u32, between(1, 1 << 10)]) -> None:
    for row in range(8):
        place = n * (8 * k.workgroup_id.y + row) + 64 * k.workgroup_id.x + k.thread_id.x
        k.global_store_dword(y, 4 * place, k.v_mov_b32(row))


def test_offsets_of_rows_share_the_sum_that_does_not_change() -> None:
    scalars = re.findall(r"^\ts_(?:add|lshl._add)_u32", str(rows.compile("gfx942")), re.MULTILINE)
    assert len(scalars) == 8, "the sum of ids, and a multiple of n for each other row"


@kernel(workgroup=(64, 1, 1), most_workgroups=(1024, 1, 1))
def relay(k: Builder, words: global_pointer[u64], n: u32) -> None:
    """Each workgroup waits for the word of the workgroup before, and writes its own: twice that, plus 1."""
    group = k.workgroup_id.x
    low = k.sgpr()
    k.assign(low, 1)
    with k.uniform_if(group > 0):
        k.assign(low, 0)
        with k.while_(lambda: k.index(low, 0, 1 << 30) < 1):
            word = pseudo.atomic_load(k, "global_load_dwordx2", words, 8 * group - 8)
            k.v_readfirstlane_b32(word[0], into=low)
        k.s_lshl_b32(low, 1, into=low)
        k.s_add_u32(low, 1, into=low)
    with k.where(k.thread_id.x < 1):
        word = k.vgpr(2)
        k.assign(word[0], low)
        k.assign(word[1], group)
        pseudo.atomic_store(k, "global_store_dwordx2", words, 8 * group, word)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_workgroups_pass_words_on_by_atomic_loads_and_stores(target: str) -> None:
    groups = 4
    wanted = np.array([(2 << i) - 1 | i << 32 for i in range(groups)], np.uint64)
    words = np.zeros(groups, np.uint64)
    assert relay.compile(target).verify(lambda words, n: {"words": wanted}, grid=(groups, 1, 1), words=words, n=groups) == 0


@kernel(workgroup=(64, 1, 1))
def sums_of_planes(k: Builder, x: global_pointer[u32], y: global_pointer[u32], rows: u32, cols: u32) -> None:
    """A sum over planes and rows; an offset may need more than 32 bits."""
    t, total = k.thread_id.x, k.vgpr()
    k.assign(total, 0)
    with k.loop(0, rows) as row, k.loop(0, cols // 64) as step, k.where(step < 1000):
        place = 4 * (cols * row + 64 * step + t)
        k.v_add_u32(total, k.global_load_dword(x, place), into=total)
    k.global_store_dword(y, 256 * k.workgroup_id.x + 4 * t, total)


@pytest.mark.parametrize("target", ("gfx942", "gfx1100"))
def test_a_pointer_is_advanced_before_the_loops_that_do_not_change_its_offset(target: str) -> None:
    program = sums_of_planes.compile(target)
    (finished,) = program.compilation.stages.finished
    inner = next(block for block in finished.blocks if any(instr.row.mnemonic.startswith("global_load") for instr in block.instructions))
    assert not [instr for instr in inner.instructions if instr.row.mnemonic in {"s_mul_i32", "s_mul_hi_u32", "s_addc_u32"}]
    x = np.arange(5 * 192, dtype=np.uint32)
    wanted = x.reshape(-1, 64).sum(axis=0)
    y = np.zeros(64, np.uint32)
    assert program.verify(lambda x, y, rows, cols: {"y": wanted}, grid=(1, 1, 1), x=x, y=y, rows=5, cols=192) == 0



@kernel(workgroup=(64, 1, 1), most_workgroups=(1 << 10, 1, 1))
def row_above(k: Builder, x: global_pointer[u32], y: global_pointer[u32], w: Annotated[u32, between(8, 1 << 12)]) -> None:
    row, column = k.thread_id.x // 8, k.thread_id.x % 8
    above = k.global_load_dword(x, 4 * (sympy.Max(row - 1, 0) * w + column))
    k.global_store_dword(y, 4 * k.thread_id.x, above)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_the_larger_of_two_indices_is_multiplied_without_a_change_of_its_sign(target: str) -> None:
    program, x = row_above.compile(target), np.arange(8 * 50, dtype=np.uint32)
    wanted = x.reshape(8, 50)[[0, 0, 1, 2, 3, 4, 5, 6], :8].ravel()
    program.verify(lambda **_: {"y": wanted}, grid=(1, 1, 1), x=x, y=np.zeros(64, np.uint32), w=50)
    assert "v_mad_u32_u24" in str(program) and "v_mul_lo_u32" not in str(program)
