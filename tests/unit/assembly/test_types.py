"""A type checker refuses wrong calls of instructions at their lines, and accepts right calls; the stubs are
those of the rows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.assembly_stubs import stubs

ROOT = Path(__file__).parents[3]
HEAD = """
from asmgen.assembly import Gfx90a, Gfx942, Gfx950, Gfx1100, Gfx1201, f32, f64, global_pointer, i32, u32, u64
import sympy


def kernel(
    k: Gfx942, m: Gfx90a, n: Gfx950, r: Gfx1100, s: Gfx1201, x: global_pointer[f32], a: f32, d: f64, count: u32, w: u64
) -> None:
    t = k.thread_id.x
    v = k.v_mov_b32(1.0)
    two = k.global_load_dwordx2(x, 8 * t)
    four = k.global_load_dwordx4(x, 16 * t)
    mask = k.v_cmp_lt_f32(v, a)
    one = k.s_mov_b32(1)
    pair = k.s_mov_b64(0)
    tile = k.lds(1024)
"""
RIGHT = """
k.v_fma_f32(a, v, four[0])
k.v_fma_f32(-v, abs(v), 2.0)
k.v_add_f32(v, v, clamp=True)
k.v_add_u32(t, v)
k.v_mov_b32(v, v, row_shr=1, bank_mask=15)
k.v_cndmask_b32(v, 1.0, mask)
k.v_mfma_f32_16x16x16_f16(two, two, four, into=four)
k.v_mfma_f32_16x16x16_f16(four[0:2], four[2:4], 0)
k.v_fma_f64(two, d, two)
k.v_readfirstlane_b32(v)
k.s_add_u32(one, 4)
k.s_and_b64(mask, pair)
k.s_load_dwordx2(x, 8)
k.global_load_dword(x, 4 * t + 16, nt=True)
k.global_store_dwordx4(x, 16 * count, four)
k.ds_write_b64(tile, 8 * t, two)
k.ds_read2_b32(v, offset0=1, offset1=3)
k.s_cbranch_scc1("top")
m.v_mfma_f32_16x16x8bf16(v, v, four)
n.v_mfma_f32_16x16x32_f16(four, four, four)
r.v_wmma_f32_16x16x16_f16(r.vgpr(8), r.vgpr(8), r.vgpr(8))
s.global_load_b32(x, 4 * s.thread_id.x)
s.v_add_nc_u32(v, 3)
k.where(t < count)
"""
WRONG = """
k.v_ad_f32(v, v)
k.v_add_f32(v)
k.v_add_f32(v, two)
k.v_add_f32(two, v)
k.v_fma_f32(v, v)
k.v_fma_f32(v, v, v, v)
k.v_fma_f32(v, v, "1.0")
k.v_fma_f64(v, two, two)
k.v_fma_f64(two, two, a)
k.v_add_f32(v, v, saturate=True)
k.v_mov_b32(v, clamp="yes")
k.v_cmp_lt_f32(v, two)
k.v_cndmask_b32(v, v, one)
k.v_cndmask_b32(v, v, v)
k.v_readfirstlane_b32(one)
k.v_readlane_b32(v, v)
k.v_mfma_f32_16x16x16_f16(v, two, four)
k.v_mfma_f32_16x16x16_f16(two, two, two)
k.v_mfma_f32_16x16x32_f16(four, four, four)
k.v_wmma_f32_16x16x16_f16(four, four, four)
k.s_add_u32(v, 1)
k.s_add_u32(one, 1.5)
k.s_add_u32(pair, 1)
k.s_and_b64(mask, one)
k.s_mov_b64(v)
k.s_load_dwordx2(v, 8)
k.s_load_dwordx2(one, 8)
k.s_waitcnt(vm=2)
k.s_nop(v)
k.global_load_dword(v, 4)
k.global_load_dword(x, v)
k.global_load_dword(x, 4 * t, slc=True)
k.global_store_dwordx4(x, 16 * t, two)
k.global_store_dword(x, 4 * t)
k.ds_read_b32(one)
k.ds_read_b32(tile, 4 * t, v)
k.ds_write_b64(tile, 8 * t, v)
k.ds_write_b32(x, 4 * t, v)
k.s_cbranch_scc1(4)
k.s_cbranch_scc1()
k.s_endpgm()
m.v_mfma_f32_16x16x32_fp8_fp8(two, two, four)
m.global_load_b32(x, 4)
n.v_mfma_f32_16x16x4_4b_f64(two, two, two)
r.v_mfma_f32_16x16x16_f16(two, two, four)
r.v_wmma_f32_16x16x16_f16(four, four, r.vgpr(8)[0])
s.s_waitcnt(vmcnt=0)
s.v_wmma_f32_16x16x16_f16(v, v, v)
k.where(4)
k.loop(0)
k.vgpr("4")
"""


def lines_of(part: str) -> list[str]:
    return [line for line in part.splitlines() if line]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """The messages of the type checker by line: first the right lines, then the wrong lines."""
    folder = tmp_path_factory.mktemp("typed")
    program = folder / "kernels.py"
    _ = program.write_text(HEAD + "".join(f"    {line}\n" for line in lines_of(RIGHT) + lines_of(WRONG)), encoding="utf-8")
    config = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "pythonVersion": "3.11"}
    _ = (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson", "--project", str(folder)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    first = len(HEAD.splitlines())
    return {found["range"]["start"]["line"] - first: found["message"] for found in answer["generalDiagnostics"] if found["severity"] == "error"}


def test_right_lines_are_accepted(faults: dict[int, str]) -> None:
    right = lines_of(RIGHT)
    assert {right[number]: message for number, message in faults.items() if number < len(right)} == {}


@pytest.mark.parametrize("line", lines_of(WRONG))
def test_a_wrong_line_is_refused(line: str, faults: dict[int, str]) -> None:
    assert len(lines_of(RIGHT)) + lines_of(WRONG).index(line) in faults


def test_there_are_forty_wrong_lines() -> None:
    assert len(lines_of(WRONG)) >= 40


def test_the_stubs_are_those_of_the_rows() -> None:
    old = [path.name for path, text in stubs().items() if path.read_text(encoding="utf-8") != text]
    assert old == [], "python -m tools.assembly_stubs"
