"""Waves that wait for each other: every wave gets its turn, and waves that wait for ever are named."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator import run, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.observers import Observer
from isa.emulator.state.waves import Waves
from isa.targets import parse_target
from tests.rows import MACHINES
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import BEGIN, image_of, launch

Array = np.ndarray[Any, Any]
LLVM = pytest.mark.needs_llvm("clang-22", "ld.lld-22")


def words(count: int) -> Array:
    return np.zeros(count, np.uint32)


def spinning(kernel: str, machine: str, level: str, groups: int, args: list[Any], **options: Any) -> list[Array]:
    block = 128 if kernel == "lock_counter" else 64
    return run(compiled("spinning", level, False, machine), kernel, (groups, 1, 1), (block, 1, 1), args, **options)


@LLVM
@pytest.mark.parametrize(("machine", "level"), list(zip(MACHINES, cycle(("-O2", "-O0", "-O1")), strict=False)))
def test_a_spinning_wave_does_not_starve_those_it_waits_for(machine: str, level: str) -> None:
    waves = 4 * 128 // parse_target(machine).target.wave_size
    counter, order = spinning("lock_counter", machine, level, 4, [words(1), words(1), words(waves)])[1:]
    assert counter[0] == waves and sorted(order) == list(range(waves))
    out = spinning("consume", machine, level, 9, [words(1), words(64), words(64), np.uint32(9)])[2]
    np.testing.assert_array_equal(out, 3 * np.arange(64) + 2)


@LLVM
@pytest.mark.parametrize("machine", MACHINES)
def test_a_scan_that_looks_back_reaches_every_workgroup_in_order(machine: str) -> None:
    groups = 60
    values = np.random.default_rng(1).integers(1, 9, 64 * groups).astype(np.uint32)
    sums = spinning("look_back", machine, "-O2", groups, [values, words(groups), words(groups)])[2]
    np.testing.assert_array_equal(sums, values.reshape(groups, 64).sum(axis=1).cumsum())


@LLVM
def test_a_flag_that_nobody_sets_is_told_with_the_loop_that_waits() -> None:
    with pytest.raises(InputError) as caught:
        spinning("never", "gfx942", "-O2", 3, [words(1), words(192)])
    assert caught.value.code == "EMU021"
    assert "3 waves of 3 workgroups from 0 to 2 go round the loop from" in str(caught.value)


@pytest.mark.parametrize("waves", [1, 3])
def test_waves_that_change_nothing_get_no_further(waves: int) -> None:
    """The last wave waits at a barrier for the others, which go round a loop of two instructions."""
    text = f"""{BEGIN}
    v_readfirstlane_b32 s8, v0
    s_cmp_eq_u32 s8, {64 * (waves - 1) if waves > 1 else -1}
    s_cbranch_scc1 out
    loop:
    s_nop 0
    s_branch loop
    out:
    s_barrier
    s_endpgm
    """
    with pytest.raises(InputError) as caught:
        launch(text, [words(192), words(192)], block=64 * waves)
    line = text.splitlines().index("    s_nop 0") + 1
    assert caught.value.code == "EMU021"
    assert str(caught.value).startswith(f"test.s:{line}:1")
    assert (f"1 wave of workgroup 0 waits at a barrier, before test.s:{line + 4}:1 (s_endpgm" in str(caught.value)) == (waves > 1)


def test_a_wave_that_rests_at_a_barrier_lets_the_others_come_there() -> None:
    """The first wave sleeps right before the barrier, while the second wave sleeps in a loop of nine
    rounds."""
    text = f"""{BEGIN}
    s_mov_b32 s9, 0
    v_readfirstlane_b32 s8, v0
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 out
    loop:
    s_sleep 1
    s_add_u32 s9, s9, 1
    s_cmp_lt_u32 s9, 9
    s_cbranch_scc1 loop
    out:
    s_sleep 1
    s_barrier
    s_endpgm
    """
    launch(text, [words(128), words(128)], block=128)


def test_a_loop_that_counts_is_no_standstill() -> None:
    text = f"{BEGIN}s_mov_b32 s8, 0\nloop:\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 9000\ns_cbranch_scc1 loop\ns_endpgm\n"
    launch(text, [words(64), words(64)])


@pytest.mark.parametrize(("settings", "code"), [(Settings(step_limit=5000), "EMU011"), (Settings(seconds=0.05), "EMU022")])
def test_a_loop_that_goes_on_counting_ends_with_the_budget(settings: Settings, code: str) -> None:
    text = f"{BEGIN}loop:\ns_add_u32 s8, s8, 1\ns_branch loop\ns_endpgm\n"
    with pytest.raises(InputError) as caught:
        launch(text, [words(64), words(64)], settings=settings)
    assert caught.value.code == code


COUNTING = f"{BEGIN}loop:\ns_add_u32 s8, s8, 1\ns_branch loop\ns_endpgm\n"
POLLING = f"{BEGIN}v_mov_b32_e32 v3, 0\nloop:\nglobal_load_dword v5, v3, s[6:7] sc1\ns_add_u32 s8, s8, 1\ns_branch loop\ns_endpgm\n"


class Begun(Observer):
    """Counts the chunks that start."""

    def __init__(self) -> None:
        self.chunks = 0

    def begin(self, w: Waves) -> None:
        self.chunks += 1


@pytest.mark.parametrize(("text", "others"), [(COUNTING, False), (POLLING, True)], ids=["counting", "polling"])
def test_other_workgroups_start_beside_an_endless_one_only_if_it_may_wait_for_them(text: str, others: bool) -> None:
    begun = Begun()
    settings = Settings(step_limit=60_000, chunk_waves=4)
    with pytest.raises(InputError) as caught:
        run_image(image_of(text), KernelCall((64, 1, 1), (64, 1, 1), (words(64), words(64))), settings=settings, observers=[begun])
    assert caught.value.code == "EMU011"
    assert (begun.chunks > 1) == others


@pytest.mark.parametrize("order", [0, 1])
def test_a_wave_that_counts_does_not_keep_the_one_waiting_that_stops_it(order: int) -> None:
    """Every turn of the loop changes a register. One wave loops until the other has stored: the first or the last."""
    text = f"""{BEGIN}
    v_readfirstlane_b32 s8, v0
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v4, 7
    s_lshr_b32 s8, s8, 6
    s_cmp_eq_u32 s8, {order}
    s_cbranch_scc1 other
    loop:
    s_add_u32 s9, s9, 1
    global_load_dword v5, v3, s[6:7] sc1
    s_waitcnt vmcnt(0)
    v_cmp_eq_u32_e32 vcc, v5, v4
    s_cbranch_vccz loop
    s_endpgm
    other:
    global_store_dword v3, v4, s[6:7] sc1
    s_endpgm
    """
    launch(text, [words(128), words(128)], block=128, settings=Settings(step_limit=3000))
