"""Traces of workgroups for the clock model, next to traces written by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.emulator.recording.record import record, waits_for_others
from isa.instruction import Label, Trait
from isa.timing.batches import located
from isa.timing.trace import Trace
from tests.unit.isa.programs import image_of

GRID, BLOCK = (5, 1, 1), (128, 1, 1)
FIRST, MIDDLE, LAST = 0, 2, 4


def launch(image: Image, groups: tuple[int, ...], block: tuple[int, int, int] = BLOCK) -> Trace:
    data = np.arange(5 * 128, dtype=np.uint32)
    return record(image, KernelCall(GRID, block, (data, np.zeros_like(data))), groups).trace


def names(trace: Trace, wave: int) -> list[str]:
    return [trace.instructions[step].row.mnemonic for step in trace.waves[wave].steps]


STRAIGHT = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_lshl_b32 s3, s2, 9
v_add_u32_e32 v10, s3, v10
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[4:5]
s_waitcnt vmcnt(0)
global_store_dword v10, v1, s[6:7]
s_endpgm
"""


def test_addresses_are_those_of_each_lane() -> None:
    trace = launch(image_of(STRAIGHT), (FIRST, MIDDLE, LAST))
    assert [(wave.group, wave.number) for wave in trace.waves] == [(g, n) for g in (0, 2, 4) for n in (0, 1)]
    assert (trace.groups, trace.waves_a_group) == (5, 2)
    base = trace.waves[0].accesses[5].addresses[0, 0]
    for wave in trace.waves:
        assert wave.steps.tolist() == list(range(9)) and not wave.idle.any()
        assert sorted(wave.accesses) == [0, 5, 7]
        access = wave.accesses[5]
        assert access.size == 4 and access.lanes.tolist() == list(range(64))
        assert (access.addresses - base)[0].tolist() == [512 * wave.group + 256 * wave.number + 4 * i for i in range(64)]
        scalar = wave.accesses[0]
        assert (scalar.lanes.tolist(), scalar.size, scalar.addresses.shape) == ([0], 16, (1, 1))
    assert trace.addresses == (0, 8, 12, 16, 20, 24, 32, 36, 44)


# Lane i of the workgroup goes round i / 64 + 1 times; of the second wave only a third of the lanes is on.
DIVERGENT = """
v_lshrrev_b32_e32 v1, 6, v0
v_readfirstlane_b32 s3, v1
v_cmp_gt_u32_e32 vcc, 96, v0
s_and_saveexec_b64 s[8:9], vcc
v_mov_b32_e32 v2, 0
loop:
v_lshlrev_b32_e32 v3, 3, v0
ds_read2_b32 v[4:5], v3 offset0:1 offset1:2
s_waitcnt lgkmcnt(0)
s_sub_u32 s3, s3, 1
s_cbranch_scc0 loop
v_cmp_gt_u32_e32 vcc, 64, v0
s_and_b64 exec, exec, vcc
v_mov_b32_e32 v6, 1
s_mov_b64 exec, s[8:9]
v_mov_b32_e32 v7, 1
s_endpgm
"""


def test_each_wave_has_its_own_path_and_lanes() -> None:
    trace = launch(image_of(DIVERGENT, lds_bytes=2048), (MIDDLE,))
    one, two = trace.waves
    loop = list(range(5, 10))
    assert one.steps.tolist() == [*range(5), *loop, *range(10, 16)]
    assert two.steps.tolist() == [*range(5), *loop, *loop, *range(10, 16)]
    assert not one.idle.any()
    assert [two.steps[i] for i in np.flatnonzero(two.idle)] == [12, 13]
    reads = two.accesses[6]
    assert reads.lanes.tolist() == list(range(32))
    assert reads.addresses.tolist() == [[8 * (64 + i) + 4 * k for i in range(32)] for k in (1, 2)]
    assert sorted(two.accesses) == [6, 11]


# Lane i of the workgroup takes part if its bit 5 or 7 is set, and accesses LDS at its own number of words.
MASKED = """
v_lshlrev_b32_e32 v3, 2, v0
v_and_b32_e32 v1, 0xa0, v0
v_cmp_ne_u32_e32 vcc, 0, v1
s_and_saveexec_b64 s[8:9], vcc
ds_write_b32 v3, v0
s_mov_b64 exec, s[8:9]
ds_read_b32 v4, v3
s_endpgm
"""


def test_waves_of_which_other_lanes_take_part() -> None:
    trace = launch(image_of(MASKED, lds_bytes=1024), (FIRST, LAST), (256, 1, 1))
    assert [wave.number for wave in trace.waves] == [0, 1, 2, 3] * 2
    for wave in trace.waves:
        on = [lane for lane in range(64) if (64 * wave.number + lane) & 0xA0]
        written, read = wave.accesses[4], wave.accesses[6]
        assert written.lanes.tolist() == on and read.lanes.tolist() == list(range(64))
        assert written.addresses.tolist() == [[4 * (64 * wave.number + lane) for lane in on]]


def test_accesses_of_several_waves_are_those_of_each() -> None:
    trace = launch(image_of(DIVERGENT, lds_bytes=2048), (FIRST, MIDDLE))
    every = located(trace.waves)
    assert len(every.steps) == sum(len(wave.accesses) for wave in trace.waves)
    for numbers, batch in every.rows.by_batch():
        for number, addresses in zip(numbers.tolist(), batch.addresses, strict=True):
            access = trace.waves[every.waves[number]].accesses[int(every.steps[number])]
            assert np.array_equal(access.addresses, addresses) and np.array_equal(access.lanes, batch.lanes)
    with pytest.raises(KeyError):
        _ = trace.waves[0].accesses[7]


SKIPPED = """
v_cmp_gt_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
s_cbranch_execz over
v_mov_b32_e32 v2, 0
over:
v_cmpx_gt_u32_e32 vcc, 0, v0
v_mov_b32_e32 v3, 0
s_endpgm
"""


def test_a_wave_without_lanes_is_idle_until_its_mask_changes() -> None:
    trace = launch(image_of(SKIPPED), (FIRST,))
    wave = trace.waves[0]
    assert wave.steps.tolist() == [0, 1, 2, 4, 5, 6]
    assert wave.idle.tolist() == [False, False, True, True, True, True]


SCRATCH = """
v_mov_b32_e32 v1, 4
scratch_store_dwordx2 v1, v[2:3], off
s_endpgm
"""


def test_scratch_of_neighbouring_lanes_lies_together() -> None:
    trace = launch(image_of(SCRATCH, scratch_bytes=64), (FIRST,))
    addresses = trace.waves[1].accesses[1].addresses[0]
    assert np.diff(addresses).tolist() == [4] * 63
    assert addresses[0] - trace.waves[0].accesses[1].addresses[0, 0] == 64 * 64


def is_a_path(trace: Trace, labels: dict[str, int]) -> bool:
    """Whether each step of each wave goes to the next instruction, or to the target of a branch."""
    for wave in trace.waves:
        for before, after in pairwise([int(step) for step in wave.steps]):
            instr = trace.instructions[before]
            target = instr.operands[-1] if instr.operands else None
            jumps = isinstance(target, Label) and labels.get(target.name) == after
            if after != before + 1 and not jumps:
                return False
        if Trait.END not in trace.instructions[wave.steps[-1]].row.traits:
            return False
    return True


@pytest.mark.parametrize("text", (STRAIGHT, DIVERGENT, SKIPPED))
def test_steps_are_a_path_through_the_program(text: str) -> None:
    image = image_of(text, lds_bytes=2048)
    assert is_a_path(launch(image, (FIRST, LAST)), image.code.labels)


WAITING = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_mov_b32_e32 v1, 0
s_waitcnt lgkmcnt(0)
wait:
s_sleep 1
global_load_dword v2, v1, s[4:5] sc1
s_waitcnt vmcnt(0)
v_cmp_eq_u32_e32 vcc, 0, v2
s_cbranch_vccnz wait
s_endpgm
"""


def test_a_wait_for_a_workgroup_that_is_not_recorded_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        launch(image_of(WAITING), (FIRST,))
    assert caught.value.code == "EMU021"


HANDED_ON = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v3, 1
s_waitcnt lgkmcnt(0)
s_cmp_lg_u32 s2, 2
s_cbranch_scc1 wait
s_movk_i32 s8, 0x80
delay:
s_sub_u32 s8, s8, 1
s_cbranch_scc0 delay
global_store_dword v1, v3, s[4:5] sc1
s_endpgm
wait:
s_sleep 1
global_load_dword v2, v1, s[4:5] sc1
s_waitcnt vmcnt(0)
v_cmp_eq_u32_e32 vcc, 0, v2
s_cbranch_vccnz wait
s_endpgm
"""


def test_a_loop_that_waits_for_others_is_named_with_its_trips() -> None:
    image = image_of(HANDED_ON)
    data = np.zeros(640, np.uint32)
    recording = record(image, KernelCall(GRID, BLOCK, (data, data.copy())), (1, 2))
    (spin,) = recording.spins
    assert recording.trace.instructions[spin.index].row.mnemonic == "global_load_dword"
    assert spin.trips > 2
    assert not record(image_of(STRAIGHT), KernelCall(GRID, BLOCK, (data, data.copy())), (1, 2)).spins


def test_a_loop_that_loads_the_same_words_again_does_not_wait_for_others() -> None:
    """A counter ends the loop, whatever it loads."""
    text = "s_mov_b32 s8, 9\nagain:\nds_read_b32 v2, v1\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 again"
    image = image_of(f"v_lshlrev_b32_e32 v1, 2, v0\n{text}\ns_endpgm", arguments=(), lds_bytes=1024)
    recording = record(image, KernelCall(GRID, BLOCK, ()), (1, 2))
    assert not recording.spins and not waits_for_others(image.code, 64)
    (steps, *_) = [wave.steps for wave in recording.trace.waves]
    assert (steps == 2).sum() == 9
