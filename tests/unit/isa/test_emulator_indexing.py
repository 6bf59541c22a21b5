"""Registers that a program numbers: relative moves, indexed vector instructions; flat accesses that lanes send to different memories."""

from __future__ import annotations

import numpy as np
import pytest

from isa.diagnostics import InputError
from tests.rows import MACHINES
from tests.unit.isa.programs import Array, out_of, out_on

LANES = np.arange(64, dtype=np.uint32)
X = LANES * np.uint32(3) + np.uint32(1)
RDNA = [machine for machine in MACHINES if machine.startswith("gfx1")]
COPIES = "v_mov_b32_e32 v2, 7\nv_add_nc_u32_e32 v3, 100, v1\nv_add_nc_u32_e32 v4, 200, v1\n"


def lanes_of(machine: str) -> Array:
    return X if machine.endswith("wave64") else X[:32]


@pytest.mark.parametrize("machine", RDNA)
@pytest.mark.parametrize("index", [0, 1, 2])
def test_relative_moves(machine: str, index: int) -> None:
    x = lanes_of(machine)
    read = out_on(machine, COPIES + f"s_mov_b32 m0, {index + 1}\nv_movrels_b32_e32 v2, v1", x)
    np.testing.assert_array_equal(read, [np.full_like(x, 7), x + 100, x + 200][index])
    written = out_on(machine, COPIES + f"s_mov_b32 m0, {index}\nv_movreld_b32_e32 v2, 42", x)
    np.testing.assert_array_equal(written, np.full_like(x, 7 if index else 42))
    both = out_on(machine, COPIES + f"s_mov_b32 m0, {index}\nv_movrelsd_b32_e32 v2, v2", x)
    np.testing.assert_array_equal(both, np.full_like(x, 7))
    table = "s_movk_i32 s8, 5\ns_movk_i32 s9, 6\ns_movk_i32 s10, 9\n"
    scalar = out_on(machine, table + f"s_mov_b32 m0, {index}\ns_movrels_b32 s11, s8\nv_mov_b32_e32 v2, s11", x)
    np.testing.assert_array_equal(scalar, np.full_like(x, [5, 6, 9][index]))


@pytest.mark.parametrize(("choice", "expected"), [("SRC0", 203), ("SRC1", 203), ("SRC0,SRC1", 303), ("DST", 0)])
def test_indexed_vector_instructions(choice: str, expected: int) -> None:
    """v2 = v3 + v4 with the index 2: an indexed v3 is v5, an indexed v4 is v6, and an indexed v2 is v4. v3 to
    v6 are 100, 3, 200, 103."""
    body = (
        "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0x64\nv_mov_b32_e32 v4, 3\nv_mov_b32_e32 v5, 0xc8\nv_mov_b32_e32 v6, 0x67\ns_mov_b32 s8, 2\n"
        f"s_mov_b32 m0, 0\ns_set_gpr_idx_on s8, gpr_idx({choice})\nv_add_u32_e32 v2, v3, v4\ns_set_gpr_idx_off"
    )
    np.testing.assert_array_equal(out_of(body, X), np.full_like(X, expected))


def test_an_index_beyond_the_registers_is_refused() -> None:
    with pytest.raises(InputError, match="beyond the machine"):
        out_on("gfx1100", COPIES + "s_movk_i32 m0, 0x12c\nv_movrels_b32_e32 v2, v1", X[:32])


def test_a_flat_load_from_memory_and_lds_at_once() -> None:
    """Odd lanes read LDS, even lanes memory."""
    body = """
        v_add_u32_e32 v3, 1000, v1
        ds_write_b32 v10, v3
        s_waitcnt lgkmcnt(0)
        v_mov_b32_e32 v5, s5
        v_add_co_u32_e32 v4, vcc, s4, v10
        s_nop 1
        v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
        s_mov_b64 s[8:9], src_shared_base
        v_and_b32_e32 v6, 1, v0
        v_mov_b32_e32 v7, s9
        v_cmp_eq_u32_e32 vcc, 1, v6
        s_nop 1
        v_cndmask_b32_e32 v4, v4, v10, vcc
        v_cndmask_b32_e32 v5, v5, v7, vcc
        flat_load_dword v2, v[4:5]
        s_waitcnt vmcnt(0) lgkmcnt(0)
    """
    np.testing.assert_array_equal(out_of(body, X, lds_bytes=256), np.where(LANES & 1, X + 1000, X))
    np.testing.assert_array_equal(out_on("gfx90a", body, X, lds_bytes=256), np.where(LANES & 1, X + 1000, X))


def test_the_index_and_the_choice_of_operands_change_while_the_mode_is_on() -> None:
    """v4 to v7 are the lane number times 1, 2, 4 and 8; first the source is indexed, then the destination."""
    fill = "\n".join(f"v_lshlrev_b32_e32 v{4 + i}, {i}, v0" for i in range(4))
    body = f"""
    {fill}
    s_mov_b32 s8, 2
    s_set_gpr_idx_on s8, 0x1
    v_mov_b32_e32 v2, v4
    s_mov_b32 s8, 0x303
    s_set_gpr_idx_idx s8
    v_add_u32_e32 v2, v4, v2
    s_set_gpr_idx_mode 0x8
    v_mov_b32_e32 v5, 7
    s_set_gpr_idx_off
    v_add_u32_e32 v2, v2, v8
    """
    got = out_of(body, np.zeros(64, np.uint32), sanitize=False)
    np.testing.assert_array_equal(got, np.arange(64) * 12 + 7)
