"""The assembly of the catalogue and of tests/golden/programs, as it stands in tests/golden/<name>/<target>.s."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.golden.programs import NAMES, golden_program


@pytest.mark.parametrize("name", NAMES)
def test_assembly_is_the_golden_one(name: str, golden: Callable[[str, str], None]) -> None:
    (kernel,) = golden_program(name).kernels
    golden(f"{name}/gfx942.s", kernel.assembly)
