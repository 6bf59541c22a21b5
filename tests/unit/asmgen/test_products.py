"""Products of matrices with more accumulators than VGPRs: no copies and no spills in their loops."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import asmgen
from asmgen.compiled import CompiledProgram

TEXT = """stage gridwise {target}
program @product {{
  a = parameter -> f16, {{{m},{k}}}
  b = parameter -> f16, {{{k},{n}}}
  z = result -> f16, {{{m},{n}}}
  launch @product(a, b) -> (z) grid(1, 1) by contract[m={m}, n={n}, k={part}, waves={waves}, buffers={buffers}, by=v_mfma_f32_16x16x16_f16] {{
    a = @param:a -> f16, {{{m},{k}}}
    b = @param:b -> f16, {{{k},{n}}}
    d = dot(a, b) -> f16, {{{m},{n}}}
    @return(d)
  }}
}}
"""
TARGETS = ("gfx90a", "gfx942", "gfx950")
SIZE = 256


def product(directory: Path, target: str, part: int, waves: int, *, verify: bool = False) -> CompiledProgram:
    """A product of 256 x 256, with `part` of the inner dimension in each trip, of which there are two."""
    path = directory / "product.gen"
    buffers = 2 if part == 32 or target == "gfx950" else 1
    path.write_text(TEXT.format(target=target, m=SIZE, n=SIZE, k=2 * part, part=part, waves=waves, buffers=buffers))
    return asmgen.compile(path, target=target, verify_passes=verify)


def loop_of(assembly: str) -> list[str]:
    """The mnemonics of the only loop."""
    lines = assembly.splitlines()
    begin = next(number for number, line in enumerate(lines) if re.match(r"\.L\w+\.loop:", line))
    end = next(number for number, line in enumerate(lines) if re.match(r"\s+s_c?branch\w*\s+\.L\w+\.loop", line))
    assert begin < end
    return [line.split()[0] for line in lines[begin:end] if re.match(r"\s+[a-z]", line)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("part", "waves"), [(32, 4), pytest.param(32, 8, marks=pytest.mark.slow), pytest.param(64, 4, marks=pytest.mark.slow), (64, 8)]
)
def test_accumulators_stay_where_they_are(tmp_path: Path, target: str, part: int, waves: int) -> None:
    kernel = product(tmp_path, target, part, waves).kernels[0]
    used = kernel.resources
    assert used.spills == used.scratch_bytes == 0
    assert (used.agprs > 0) is (waves == 4), used
    loop = loop_of(kernel.assembly)
    assert sum("mfma" in name for name in loop) == SIZE * SIZE * part // (16 * 16 * 16 * waves)
    assert not [name for name in loop if "accvgpr" in name or name.startswith("v_mov")]
    assert kernel.assembly.count("global_store_dwordx2") == SIZE * SIZE // (waves * 64 * 4)  # four columns each


def test_the_product_with_accumulators_in_agprs_is_right(tmp_path: Path) -> None:
    program = product(tmp_path, "gfx942", 32, 4, verify=True)
    random = np.random.default_rng(1)
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((SIZE, 64), (64, SIZE)))
    (z,) = program(a, b, device="emulator")
    assert_allclose(z, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=0.02)
