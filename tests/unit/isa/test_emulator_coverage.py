"""The stores of a run of a whole grid, and runs of some workgroups of a grid."""

from __future__ import annotations

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.launching.loaded import Kept
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.coverage import Coverage
from isa.emulator.sanitizer.sanitizer import Sanitizer
from tests.unit.isa.programs import image_of

GROUPS, LANES = 6, 64
STORES = """
    s_load_dwordx2 s[4:5], s[0:1], 0x8
    v_lshlrev_b32_e32 v0, 2, v0
    s_lshl_b32 s3, s2, 8
    v_add_u32_e32 v0, s3, v0
    v_mov_b32_e32 v1, s2
    s_waitcnt lgkmcnt(0)
    {}
    global_store_dword v0, v1, s[4:5]
    s_endpgm
"""
X = np.zeros(1, np.uint32)


def out() -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.zeros(GROUPS * LANES, np.uint32)


def covered(image: Image, groups: int = GROUPS) -> bool:
    coverage = Coverage(image)
    _ = run_image(image, KernelCall((groups, 1, 1), (LANES, 1, 1), (X, out()), frozenset({1})), checker=coverage)
    return coverage.is_each_byte_stored_once


def test_each_byte_is_stored_once() -> None:
    assert covered(image_of(STORES.format("")))


@pytest.mark.parametrize(
    "line",
    [
        "v_and_b32_e32 v0, 0xff, v0",  # every workgroup stores to the same words
        "global_store_dword v0, v1, s[4:5]",  # twice
        "global_store_byte v0, v1, s[4:5]\n    s_endpgm",  # a byte of each word
        "global_load_dword v2, v0, s[4:5]",  # the stores of the launch are read
        "s_mov_b32 exec_hi, 0",  # half of the lanes store
    ],
)
def test_other_stores_are_not_taken_for_that(line: str) -> None:
    if line.startswith("v_cmp"):
        line = "s_mov_b32 exec_hi, 0"  # half of the lanes
    assert not covered(image_of(STORES.format(line.replace("\\\\n", "\\n"))))


def test_a_grid_without_its_last_workgroup_does_not_cover() -> None:
    assert not covered(image_of(STORES.format("")), GROUPS - 1)


def test_a_store_out_of_bounds_is_told_as_by_the_sanitizer() -> None:
    with pytest.raises(InputError) as caught:
        _ = covered(image_of(STORES.format("")), GROUPS + 1)
    assert caught.value.code == "SAN005"


def test_chosen_workgroups_run_as_those_of_the_whole_grid() -> None:
    image = image_of(STORES.format(""))
    kept, result = Kept(), out()
    for groups, wanted in (((1, 4), {0, 1, 4}), ((5,), {0, 1, 4, 5})):
        sanitizer = Sanitizer(image, preload=True)
        settings = Settings(groups=groups, kept=kept)
        _, found = run_image(image, KernelCall((GROUPS, 1, 1), (LANES, 1, 1), (X, result), frozenset({1})), settings=settings, checker=sanitizer)
        assert {*np.unique(found).tolist()} == wanted, "the memory is kept from run to run"
        (written,) = sanitizer.written()
        assert np.flatnonzero(np.all(written.reshape(GROUPS, -1), axis=1)).tolist() == [*groups]
        assert written.sum() == len(groups) * LANES * 4
