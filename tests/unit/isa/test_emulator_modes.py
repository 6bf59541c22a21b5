"""Workgroups on one compute unit, and on several, which have a cache each: as the descriptor says."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator import load
from isa.emulator.sanitizer.faults import Check, SanitizerError
from isa.targets import TARGETS
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import out_on

WORDS = np.arange(64, dtype=np.uint32)
EXCHANGE = {
    "gfx1100": ("v_add_nc_u32_e32 v1, 1, v1", "global_store_b32", "global_load_b32"),
    "gfx90a": ("v_add_u32_e32 v1, 1, v1", "global_store_dword", "global_load_dword"),
}


def exchanged(machine: str, spread: bool) -> None:
    """Waves read what others stored before a barrier, with no wait before it and no invalidation after it."""
    add, store, read = EXCHANGE[machine]
    lanes = 2 * TARGETS[machine].wave_size
    text = f"""
    {add}
    {store} v10, v1, s[4:5]
    s_barrier
    v_xor_b32_e32 v3, {lanes * 2}, v10
    {read} v2, v3, s[4:5]
    s_waitcnt vmcnt(0)
    """
    x = np.arange(lanes, dtype=np.uint32)
    got = out_on(machine, text, x, sanitize=frozenset({Check.RACE}), spread=spread)
    np.testing.assert_array_equal(got, (x ^ lanes // 2) + 1)


@pytest.mark.parametrize("machine", sorted(EXCHANGE))
def test_one_cache_keeps_the_order_of_a_workgroup(machine: str) -> None:
    exchanged(machine, spread=False)
    with pytest.raises(SanitizerError, match=r"completion is not guaranteed|not invalidated after"):
        exchanged(machine, spread=True)


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("assembly", [True, False])
@pytest.mark.parametrize(
    ("machine", "option", "spread"),
    [("gfx1100", "-mcumode", False), ("gfx1100", "-mno-cumode", True), ("gfx1201", "-mcumode", False),
     ("gfx90a", "-mtgsplit", True), ("gfx90a", "-mno-tgsplit", False)],
)  # fmt: skip
def test_the_mode_is_read_from_the_descriptor(machine: str, option: str, spread: bool, assembly: bool) -> None:
    assert load(compiled("ids", "-O2", assembly, machine, (option,))).descriptor.spread is spread


def test_a_compute_unit_has_its_part_of_a_workgroup_processor() -> None:
    """A compute unit has the LDS for one workgroup of 48 KB, both together for two and a half."""
    target = TARGETS["gfx1100"]
    assert target.resident_groups(32, 128, 49152, 64) == 48 * 2
    assert target.on_compute_units().resident_groups(32, 128, 49152, 64) == 96
    assert target.resident_groups(32, 128, 40960, 64) == 48 * 3
    assert target.on_compute_units().resident_groups(32, 128, 40960, 64) == 96
