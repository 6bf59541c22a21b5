"""Vector instructions and s_nop behind accesses of memory wait until these have sent their registers. The clocks
are those of tinygrad's thread traces in which nothing else is in the way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from isa.timing.unit import replay
from tests.unit.isa.timing_programs import straight

_RDNA = pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])


def _behind(target: str, lines: Sequence[str]) -> int:
    """The clocks from the last but one instruction of a program to the last."""
    wave = replay(straight(target, lines)).waves[0]
    return int(wave.issue[-1] - wave.issue[-2])


@_RDNA
def test_a_vector_instruction_waits_though_it_writes_no_register_of_the_access(target: str) -> None:
    load = "global_load_b32 v1, v[2:3], off"
    assert _behind(target, [load, "v_lshlrev_b32_e32 v0, 2, v0"]) == 8, "E_32_4_8_16_4 of gfx1200, 0x58"
    assert _behind(target, [load, "s_lshl_b32 s2, s2, 4"]) == 1, "r_32_16 of gfx1200, 0x100: a scalar one does not wait"


@_RDNA
def test_it_waits_for_every_access_before(target: str) -> None:
    """r_2_8_16 of all GPUs, 0x120 or 0x13c."""
    row, column = "global_load_b128 v[22:25], v[16:17], off", "global_load_b128 v[34:37], v[46:47], off"
    loads = ["s_clause 0x2", *[row] * 3, "s_clause 0x3", *[column] * 4, row]
    assert _behind(target, [*loads, "v_add_co_u32 v16, vcc_lo, 0x400, v16"]) == 12


@_RDNA
def test_an_s_nop_waits_for_a_store(target: str) -> None:
    """E_3 of gfx1100 and gfx1201, the last but one instruction."""
    store = "global_store_b32 v0, v1, s[4:5]"
    assert _behind(target, [store, "s_nop 0"]) == 8
    assert _behind(target, [store, "s_clause 0x1"]) == 3, "a clause does not wait"


def test_on_cdna_only_the_registers_of_the_access_matter() -> None:
    load = "global_load_dword v1, v[2:3], off"
    assert _behind("gfx942", [load, "v_lshlrev_b32_e32 v0, 2, v0"]) == 4
