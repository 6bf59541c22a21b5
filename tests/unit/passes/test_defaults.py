"""Constants of lanes that skip a branch: when they are set in front of it, and that all lanes keep their values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.passes.peephole.defaults import set_defaults_first
from isa.emulator import run_kernel
from isa.mir.parser import parse_kernel

TEXT = (Path(__file__).parents[2] / "filecheck" / "passes" / "defaults.mir").read_text(encoding="utf-8").partition("# the constants")[0]
STAY = (
    ("the lanes of the branch read a register before they write it", "v2, v1, v1", "v2, v1, v3"),
    ("the lanes of the branch leave a register as it was", "global_load_dwordx2 v[2:3]", "global_load_dword v2"),
    ("the branch writes lanes that skip it", "v_add_u32_e32 v2, v1, v1", "v_mfma_f32_4x4x1_16b_f32 v[2:5], v1, v1, 0\n  v_mov_b32_e32 v2, v1"),
    ("the mask reads a register", "s_and_saveexec_b64 s[8:9], vcc", "v_cmpx_gt_u32_e32 vcc, 40, v3"),
    ("the lanes that skip the branch compute", "v_mov_b32_e32 v3, 0", "v_add_u32_e32 v3, 1, v1"),
    ("a register is no constant", "v_mov_b32_e32 v3, 0", "v_mov_b32_e32 v3, v1"),
    ("another branch leads to the constants", "block then", "block before\n  linear then\n  logical else\nblock then"),
    ("all lanes go one way", "s_and_saveexec_b64 s[8:9], vcc\n  terminator s_cbranch_execz", "s_mov_b64 exec, s[8:9]\n  terminator s_cbranch_scc0"),
)  # fmt: skip


def test_all_lanes_have_their_values() -> None:
    kernel = parse_kernel(TEXT, "test.mir")
    first = set_defaults_first(kernel)
    assert first is not kernel and set_defaults_first(first) is first
    x = np.arange(128, dtype=np.uint32)
    wanted = np.where(np.arange(64) < 40, x.reshape(64, 2).sum(axis=1), 7)
    for each in (kernel, first):
        out = np.zeros(64, np.uint32)
        found = run_kernel(each, (1, 1, 1), [x, out])
        assert (np.asarray(found[1]) == wanted).all()


@pytest.mark.parametrize(("reason", "old", "new"), STAY, ids=[reason for reason, _, _ in STAY])
def test_constants_stay_behind_the_branch_if(reason: str, old: str, new: str) -> None:
    assert TEXT.count(old) == 1, reason
    kernel = parse_kernel(TEXT.replace(old, new), "test.mir")
    assert set_defaults_first(kernel) is kernel


def test_constants_stay_if_a_later_block_of_the_branch_writes_lanes_that_are_off() -> None:
    later = "  linear more\n  logical more\nblock more\n  v_writelane_b32 v2, s9, 50\n  v_mov_b32_e32 v2, v4\n  linear flow\n  logical join\n"
    text = TEXT.replace("  linear flow\n  logical join\n", "  v_mov_b32_e32 v4, v2\n" + later, 1)
    kernel = parse_kernel(text, "test.mir")
    assert set_defaults_first(kernel) is kernel
    masked = parse_kernel(text.replace("v_writelane_b32 v2, s9, 50", "v_mov_b32_e32 v2, 5"), "test.mir")
    assert set_defaults_first(masked) is not masked


def test_loads_of_the_last_columns_wait_together() -> None:
    """Each of the loads waited for the load before, of which it set the registers of the other lanes."""
    text = "x = @param:x -> f32, {rows,cols}\no = reduce_sum[axes=1](x)\n@return(o)\n"
    code = asmgen.compile(text, target="gfx942").kernels[0].assembly
    loads = code.partition("done:")[2].partition("v_pk_add_f32")[0]
    assert loads.count("\tglobal_load_dwordx4") == 4 and loads.count("\ts_waitcnt") == 1
