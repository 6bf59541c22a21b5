"""Tiles that begin at an origin in LDS: accesses are as wide as origin and placement permit."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device

# The lower half of x, by a loop of two trips of which the last counts, or by an origin that is known.
TEXT = """stage blockwise gfx942
kernel @k grid(b: 1) waves(1) lanes(64) {{
  layout rows = reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 4:0 8:0)
  layout part = reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 4:0 0:0)
  x = @param:x -> f32, {{16,16}}
  z = @param:z -> f32, {{8,16}}
  a = tile_load[at={{c0, c1}}](x) -> f32, {{16,16}} @ rows
  lds = lds_allocate() -> f32, {{16,16}} @ offset(0:1 0:2 0:4 0:8 1:0 2:0 4:0 {last})
  lds_store(a, lds)
  barrier()
{body}
  tile_store[at={{c0, c1}}](t, z)
}}
"""
KNOWN = "  t = lds_load[origin={8, 0}](lds) -> f32, {8,16} @ part"
LOOP = """  f = fill[value=0]() -> f32, {8,16} @ part
  t = for[i = 0 to 2](f) (c) {
    n = lds_load[origin={8*i, 0}](lds) -> f32, {8,16} @ part
    yield(n)
  } -> f32, {8,16} @ part"""


@pytest.mark.parametrize(("last", "read"), [("8:0", "b128"), ("8:4", "b128"), ("8:2", "b64"), ("8:1", "b32")])
@pytest.mark.parametrize("body", [KNOWN, LOOP], ids=["known", "loop"])
def test_an_origin_that_changes_low_bits_parts_accesses(last: str, read: str, body: str) -> None:
    """Row 8 begins at offset 128 + 1 if `offset` ends in 8:1, and its first two elements are the other way round."""
    program = asmgen.compile(TEXT.format(last=last, body=body), target="gfx942", verify_passes=True)
    x = np.arange(256, dtype=np.float32).reshape(16, 16)
    np.testing.assert_array_equal(program(x, device=chosen_device())[0], x[8:])
    reads = {line.split()[0] for line in program.kernels[0].assembly.splitlines() if line.startswith("\tds_read")}
    assert reads <= {f"ds_read_{read}", "ds_read2_b32"}, reads
