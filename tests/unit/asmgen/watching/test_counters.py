"""`run --counters`: what numpy says of the addresses that a kernel accesses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asmgen.cli.main import main
from tests.unit.asmgen.watching.programs import Folder, source


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def counters(folder: Folder, **launch: int) -> dict[str, Any]:
    assert folder.run("--counters", "@c.json", **launch) == 0
    (record,) = json.loads(folder.read("c.json"))
    return record


def test_the_counters_of_a_sum(folder: Folder) -> None:
    """Three loads of 100 lanes; two waves that store 64 words each; LDS a word a lane, and a pair."""
    c = counters(folder)
    assert (c["kernel"], c["target"], c["workgroups"], c["waves"], c["line"]) == ("sum", "gfx942", 1, 2, 128)
    assert c["memory"]["load"] == {"accesses": 6, "bytes": 3 * 400, "transactions": 3 * 4}
    assert c["memory"]["store"] == {"accesses": 2, "bytes": 512, "transactions": 4}
    assert c["scalar"] == {"accesses": 4, "bytes": 2 * 20, "transactions": 4}
    assert c["lds"]["store"] == {"accesses": 2, "bytes": 512, "transactions": 4}
    assert c["lds"]["load"]["accesses"] == 4 and c["lds"]["load"]["bytes"] == 1024
    assert c["lds_conflicts"] == 0 and c["scratch"] == {}
    assert c["instructions"]["vmem"] == 8 and c["instructions"]["lds"] == 4 and c["instructions"]["smem"] == 4
    # the load and the addition of each trip leave 28 lanes off
    assert c["idle_lanes"] == 3 * 2 * 28
    vector = 2 * (3 + 2 * 3 + 3)  # v_lshlrev, v_mov, v_cmp; the loop; ds_write, ds_read2, the store
    assert c["vector_lanes"] == 64 * vector
    assert c["touched_bytes"] == 128 * (4 + 4 + 1)


def test_the_first_cache_gives_repeated_lines(folder: Folder) -> None:
    """Of three loads of the same lines the first comes from memory; stores go on."""
    c = counters(folder, n=128)
    assert c["level_bytes"] == {"L2": 512 + 512, "Infinity Cache": 512 + 512, "memory": 512 + 512}


def test_text(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.run("--counters", "-") == 0
    out = capsys.readouterr().out
    assert "counters of launch 0: sum of" in out and "workgroups, waves             1  2\n" in out
    assert "  L2, by vector accesses, if caches are empty before\n" in out
    assert "lanes idle" in out and "memory loads                  6  1200 bytes, 12 lines of 128 bytes" in out


STRIDED = """
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mul_u32_u24_e32 v1, STRIDE, v0
  v_mov_b32_e32 v2, 1
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[2:3]
  s_endpgm
"""


@pytest.mark.parametrize("stride", [4, 8, 32, 128])
def test_strides(tmp_path: Path, stride: int) -> None:
    """Banks of four bytes: 32 of them serve the lanes of two phases; lines have 128 bytes."""
    (tmp_path / "k.s").write_text(source("k", STRIDED.replace("STRIDE", hex(stride)), "out", lds=64 * stride))
    np.save(tmp_path / "out.npy", np.zeros(16 * stride, np.uint32))
    launch = ["--kernel", "k", "--grid", "1", "--block", "64", "--arg", f"{tmp_path}/out.npy"]
    assert main(["run", f"{tmp_path}/k.s", *launch, "--counters", f"{tmp_path}/c.json"]) == 0
    (c,) = json.loads((tmp_path / "c.json").read_text())
    words = np.arange(64) * stride // 4
    banks = sum(int(np.bincount(half % 32).max()) for half in np.split(words, 2))
    assert c["lds"]["store"]["transactions"] == banks and c["lds_conflicts"] == banks - 2
    assert c["memory"]["store"]["transactions"] == len(np.unique(np.arange(64) * stride // 128))
