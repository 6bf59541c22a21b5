"""A loaded program is decoded once for all of its runs, each of which has its own arguments, checker and results."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest

from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.faults import SanitizerError
from isa.emulator.steps import block_plans
from tests.unit.isa.programs import BEGIN, END, Array, image_of

ADD_ONE = BEGIN + "v_add_u32_e32 v2, 1, v1\n" + END
PAIRS = (
    BEGIN
    + "v_mov_b32_e32 v3, v1\nv_mov_b32_e32 v4, v1\nv_mov_b32_e32 v5, v1\n"
    + "v_pk_add_f32 v[2:3], v[4:5], v[4:5]\nv_add_f32_e32 v2, v2, v3\n"
    + END
)


def run(image: Image, x: Array, sanitize: bool = True, undefined: tuple[int, ...] = (1,)) -> Array:
    return run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (x, np.zeros(64, x.dtype)), frozenset(undefined)), sanitize=sanitize)[1]


def test_a_second_run_decodes_nothing() -> None:
    image = image_of(ADD_ONE)
    x = np.arange(64, dtype=np.uint32)
    assert (run(image, x) == x + 1).all()
    with mock.patch.object(block_plans, "step_of", side_effect=AssertionError("decoded again")):
        assert (run(image, x * 3) == x * 3 + 1).all()


def test_each_run_has_its_own_checker() -> None:
    """The first run is not watched at all; of the second, the input counts as not written."""
    image = image_of(ADD_ONE)
    x = np.arange(64, dtype=np.uint32)
    assert (run(image, x, sanitize=False) == x + 1).all()
    with pytest.raises(SanitizerError):
        run(image, x, undefined=(0, 1))
    assert (run(image, x) == x + 1).all()


def test_runs_in_threads_do_not_meet() -> None:
    image = image_of(PAIRS)

    def right(seed: int) -> bool:
        x = np.random.default_rng(seed).standard_normal(64).astype(np.float32)
        return all((run(image, x, sanitize=False) == 4 * x).all() for _ in range(8))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(right, range(8)))
