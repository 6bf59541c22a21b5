"""The assembly of the catalogue and of tests/golden/programs, as it is in tests/golden/<name>/<target>.s."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.golden.programs import NAMES, SEVERAL, golden_program

# What differs most: entry registers, wave sizes, steps of a reduction, halves, dual instructions, waits, delays.
OTHERS = (
    ("row_sum", "gfx90a"), ("vecadd", "gfx1100"), ("softmax", "gfx1100"), ("half", "gfx1100"), ("row_sum", "gfx1100:wave64"),
    ("vecadd", "gfx1201"), ("row_sum", "gfx1201"), ("select", "gfx1201"),
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_assembly_is_the_golden_one(name: str, golden: Callable[[str, str], None]) -> None:
    (kernel,) = golden_program(name).kernels
    golden(f"{name}/gfx942.s", kernel.assembly)


@pytest.mark.parametrize("name", SEVERAL)
def test_assembly_of_each_kernel_is_the_golden_one(name: str, golden: Callable[[str, str], None]) -> None:
    for number, kernel in enumerate(golden_program(name).kernels, 1):
        golden(f"{name}/gfx942.{number}.s", kernel.assembly)


@pytest.mark.parametrize(("name", "target"), OTHERS)
def test_assembly_of_other_targets_is_the_golden_one(name: str, target: str, golden: Callable[[str, str], None]) -> None:
    (kernel,) = golden_program(name, target).kernels
    golden(f"{name}/{target.replace(':', '-')}.s", kernel.assembly)
