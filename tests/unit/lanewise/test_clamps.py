"""An index within bounds is one median."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.compiler import start
from asmgen.frontends.sources import read_source
from asmgen.ir.program import Stage
from asmgen.options import Options
from asmgen.pipeline import advance
from isa.targets import parse_target

TEXT = """stage lanewise gfx942
module @clamped {
  launch[grid={1,1,1}, block={64,1,1}]
  i = @param:i -> i32, {64}
  z = @param:z -> u32, {64}
  lane = local_id -> u32
  least = @literal{0} -> i32
  most = @literal{999} -> u32
  v = load(i, lane) -> i32
  a = max(v, least) -> i32
  u = convert[target_type=u32](a) -> u32
  y = min(u, most) -> u32
  store(z, lane, y)
  @return(z)
}
"""


def ops_of(text: str) -> list[str]:
    compilation = start(read_source(text, None, Options()), parse_target("gfx942"), Options())
    advance(compilation, "final")
    return [statement.op.name for statement in compilation.stages.programs[Stage.FINAL].modules[0].walk()]


@pytest.mark.parametrize(
    ("old", "new", "is_median"),
    [("", "", True), ("@literal{0}", "@literal{1}", False), ("@literal{999}", "@literal{2147483648}", False)],
)
def test_only_a_maximum_with_zero_and_a_bound_that_is_an_i32_are_a_median(old: str, new: str, is_median: bool) -> None:
    assert ("med3" in ops_of(TEXT.replace(old, new) if old else TEXT)) is is_median


def test_numbers_are_kept_within_the_bounds() -> None:
    i = np.resize(np.array([-(1 << 31), -1, 0, 1, 998, 999, 1000, (1 << 31) - 1], np.int32), 64)
    (z,) = asmgen.compile(TEXT)(i)
    assert np.array_equal(z, np.clip(i, 0, 999))
