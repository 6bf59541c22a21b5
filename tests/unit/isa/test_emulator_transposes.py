"""Loads that transpose, with results that the manuals leave undefined: lanes that are off, addresses not
aligned.

Kernels that clang compiled test the defined results (sources/transposes.cl in tests/compiled).
"""

from __future__ import annotations

import numpy as np
import pytest

from isa.diagnostics import InputError
from tests.unit.isa.programs import out_on

WORDS = np.arange(64, dtype=np.uint32)
LDS = """
v_lshlrev_b32_e32 v3, 3, v0
v_mov_b32_e32 v2, 0
{before}
ds_read_b64_tr_b16 v[4:5], v3 offset:{offset}
s_waitcnt lgkmcnt(0)
"""
GLOBAL = "v_mov_b32_e32 v2, 0\nglobal_load_tr_b64 {result}, v2, s[4:5]\ns_wait_loadcnt 0x0\n"


@pytest.mark.parametrize(
    ("before", "offset", "code", "why"),
    [
        ("s_mov_b64 exec, 0xffff", 0, "EMU023", "some lanes of a wave off"),
        ("", 4, "EMU020", "the address of 8 bytes to transpose is not a multiple of 8"),
    ],
)
def test_what_the_manual_leaves_undefined_is_an_error(before: str, offset: int, code: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        out_on("gfx950", LDS.format(before=before, offset=offset), WORDS, lds_bytes=1024)
    assert caught.value.code == code


def test_a_wave_without_lanes_loads_nothing() -> None:
    body = LDS.format(before="v_mov_b32_e32 v4, 7\ns_mov_b64 exec, 0", offset=0)
    body += "s_mov_b64 exec, -1\nv_mov_b32_e32 v2, v4\n"
    np.testing.assert_array_equal(out_on("gfx950", body, WORDS, lds_bytes=1024), 7)


def test_waves_of_64_lanes_of_rdna4_are_refused() -> None:
    with pytest.raises(InputError, match="what goes to which lane of a wave of 64 is not published"):
        out_on("gfx1201:wave64", GLOBAL.format(result="v4"), WORDS)
    out_on("gfx1201", GLOBAL.format(result="v[4:5]"), WORDS[:32])
