"""Waves that lie apart work on copies of their registers, which come back to the registers of all waves."""

from __future__ import annotations

import numpy as np

from isa.emulator.state.global_memory import Memory
from isa.emulator.state.waves import Waves

APART = np.array([0, 2, 3])


def waves_apart() -> Waves:
    waves = Waves(4, 1, 8, 128, Memory(), 0, 0)
    waves.u32[:] = 7
    waves.s32[:] = 7
    waves.choose(APART)
    return waves


def test_what_is_changed_in_place_or_stored_reaches_the_registers() -> None:
    waves = waves_apart()
    waves.targets[1, np.float32][...] = 1.0
    waves.rows[2] = np.uint32(2)
    waves.signed_rows[3] = np.int32(-1)
    waves.changing[4][:, 5] = 4
    waves.blocks[6, 8] = np.full((3, 2, 64), 6, np.uint32)
    waves.scalars[10, 1] = np.arange(3, dtype=np.uint32)
    waves.scalar_pairs[11] = np.uint64(1 << 32)
    waves.choose(np.array([1]))
    assert (waves.u32[1, APART].view(np.float32) == 1.0).all()
    assert (waves.u32[2, APART] == 2).all() and (waves.u32[3, APART] == 0xFFFFFFFF).all()
    assert (waves.u32[4, APART, 5] == 4).all() and (waves.u32[4, APART, 6] == 7).all()
    assert (waves.u32[6:8, APART] == 6).all()
    assert (waves.s32[10, APART] == [[7, 0], [7, 1], [7, 2]]).all() and (waves.s32[11, APART] == [0, 1]).all()
    assert (waves.u32[:, 1] == 7).all() and (waves.s32[:, 1] == 7).all()


def test_registers_that_are_changed_for_all_waves_are_read_anew() -> None:
    waves = waves_apart()
    assert (waves.rows[1] == 7).all() and (waves.columns[10, 0] == 7).all()
    waves.u32[1] = 8
    waves.s32[10] = 9
    assert (waves.rows[1] == 8).all() and (waves.float_rows[1].view(np.uint32) == 8).all()
    assert (waves.columns[10, 0] == 9).all()


def test_a_register_is_not_taken_for_a_result_of_its_own() -> None:
    """An instruction that reads all its sources before it writes keeps those that are views, by a copy."""
    assert waves_apart().rows[1].base is not None
