"""The runs of a program share the known paths, but for paths that depend on the memory of a run."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.sanitizer.faults import ALL_CHECKS, SanitizerError
from isa.emulator.sanitizer.paths.launched import Launched, paths_of
from tests.unit.isa.programs import BEGIN, END, image_of

WORDS = np.arange(64, dtype=np.uint32)
LOAD = BEGIN + "global_load_dword v2, v10, s[6:7]\ns_waitcnt vmcnt(0)\nglobal_store_dword v10, v2, s[6:7]\n" + END


def test_what_one_run_reads_unwritten_is_no_doubt_of_the_next() -> None:
    image = image_of(LOAD)
    for undefined, is_right in (((), True), ((1,), False), ((), True), ((1,), False)):
        arrays = (WORDS, np.zeros(64, np.uint32))
        if is_right:
            _ = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), tuple(arrays), frozenset(undefined)), sanitize=True)
        else:
            with pytest.raises(SanitizerError):
                _ = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), tuple(arrays), frozenset(undefined)), sanitize=True)
    assert not paths_of(Launched(image, True), ALL_CHECKS).empty_loads


def test_a_program_is_walked_once_for_all_of_its_runs() -> None:
    image = image_of(LOAD)
    shared = paths_of(Launched(image, True), ALL_CHECKS)
    _ = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (WORDS, np.zeros(64, np.uint32))), sanitize=True)
    found = len(shared.states)
    assert found > 1
    _ = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (WORDS, np.zeros(64, np.uint32))), sanitize=True)
    assert len(shared.states) == found
    assert paths_of(Launched(image, True), ALL_CHECKS) is shared
    assert paths_of(Launched(image_of(LOAD), True), ALL_CHECKS) is not shared
