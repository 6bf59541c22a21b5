"""The split barrier of gfx1201: signals and waits apart, its state, and numbers that name no barrier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator.sanitizer.faults import Check
from tests.unit.isa.programs import RDNA4_BEGIN, launch, out_on

WORDS = np.arange(64, dtype=np.uint32)
FIRST_WAVE_APART = "v_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc0 other\n"
RACES = frozenset({Check.RACE, Check.WAIT})


@pytest.mark.parametrize("sanitize", [False, RACES])
def test_a_wave_that_has_signalled_does_not_hold_the_others_at_their_wait(sanitize: Any) -> None:
    """The second wave signals, then looks for a word that the first wave stores behind its own wait."""
    text = f"""{RDNA4_BEGIN}
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v4, 7
    {FIRST_WAVE_APART}
    s_barrier_signal -1
    s_barrier_wait -1
    global_store_b32 v3, v4, s[6:7] scope:SCOPE_DEV
    s_endpgm
    other:
    s_barrier_signal -1
    loop:
    global_load_b32 v5, v3, s[6:7] scope:SCOPE_DEV
    s_wait_loadcnt 0x0
    v_cmp_eq_u32_e32 vcc_lo, v5, v4
    s_cbranch_vccz loop
    s_barrier_wait -1
    s_endpgm
    """
    zeros = np.zeros(64, np.uint32)
    assert launch(text, [WORDS, zeros], machine="gfx1201", sanitize=sanitize, undefined=())[1][0] == 7


STATES = (("s9", 2 << 4 | 1), ("s10", 1 << 16 | 2 << 4 | 1), ("s11", 1 << 4 | 1))


@pytest.mark.parametrize(("register", "state"), STATES)
def test_the_state_counts_signals_and_waves_that_have_not_ended(register: str, state: int) -> None:
    """The first wave asks before its signal, after it, and after the other has ended without a signal."""
    body = f"""
    {FIRST_WAVE_APART}
    s_get_barrier_state s9, -1
    s_barrier_signal -1
    s_get_barrier_state s10, -1
    s_barrier_wait -1
    s_get_barrier_state s11, -1
    s_wait_kmcnt 0x0
    v_mov_b32_e32 v2, {register}
    global_store_b32 v10, v2, s[6:7]
    other:
    s_endpgm
    """
    assert out_on("gfx1201", body, WORDS)[0] == state


FIRST = "s_barrier_signal_isfirst"
SIGNALS = (f"{FIRST} -1", f"{FIRST} 0", f"s_mov_b32 m0, 0\n{FIRST} m0")


@pytest.mark.parametrize("signal", [*SIGNALS, ""])
def test_a_workgroup_of_one_wave_has_no_barrier(signal: str) -> None:
    """No wave waits for a signal, no wave is the first, and there is no state."""
    body = f"""
    s_cmp_eq_u32 s0, s0
    {signal}
    s_barrier_wait -1
    s_barrier_wait -2
    s_get_barrier_state s9, -1
    s_wait_kmcnt 0x0
    s_cselect_b32 s8, 2, 0
    s_or_b32 s8, s8, s9
    v_mov_b32_e32 v2, s8
    """
    got = out_on("gfx1201", body, WORDS[:32])
    np.testing.assert_array_equal(got, 0 if signal else 2)


@pytest.mark.parametrize(("waves", "firsts"), [(1, 0), (2, 1)])
def test_one_wave_of_several_is_the_first(waves: int, firsts: int) -> None:
    body = f"{FIRST} -1\ns_wait_kmcnt 0x0\ns_barrier_wait -1\ns_cselect_b32 s8, 1, 0\nv_mov_b32_e32 v2, s8\n"
    assert out_on("gfx1201", body, WORDS[: 32 * waves]).sum() == 32 * firsts


NAMED = ("init m0", "join 1", "leave", "signal 1", "signal m0", "wait 1")


@pytest.mark.parametrize("named", [*(f"s_barrier_{step}" for step in NAMED), "s_get_barrier_state s9, 3"])
def test_named_barriers_are_of_later_machines(named: str) -> None:
    with pytest.raises(InputError, match="gfx1201 has no named barriers") as caught:
        out_on("gfx1201", f"s_mov_b32 m0, 3\nv_mov_b32_e32 v2, 0\n{named}\n", WORDS)
    assert caught.value.code == "EMU002"
