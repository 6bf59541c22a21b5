"""A reduction of computed bf16 reads the computed values, not the rounded values."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import asmgen
from tests.device import chosen_device

TEXT = """x = @param:x -> bf16, {4,1024}
y = @param:y -> bf16, {4,1024}
h = add(x, y)
o = reduce_sum[axes={1}](h)
@return(o, h)
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1201"])
def test_sums_of_bf16_are_not_rounded_before_they_are_summed(target: str) -> None:
    """1 + 2^-10 and -1 + 2^-10 round to 1 and -1; 512 of each sum up to 1."""
    x = np.tile(np.array([1, -1], ml_dtypes.bfloat16), (4, 512))
    y = np.full((4, 1024), 2.0**-10, ml_dtypes.bfloat16)
    total, h = asmgen.compile(TEXT, target=target)(x, y, device=chosen_device())
    assert (np.asarray(total).astype(np.float32) == 1).all()
    assert (np.asarray(h) == x).all()


def test_a_conversion_that_is_written_rounds() -> None:
    text = TEXT.replace("o = reduce_sum[axes={1}](h)", "w = convert[target_type=f32](h)\no = reduce_sum[axes={1}](w)")
    x = np.tile(np.array([1, -1], ml_dtypes.bfloat16), (4, 512))
    y = np.full((4, 1024), 2.0**-10, ml_dtypes.bfloat16)
    total, _ = asmgen.compile(text, target="gfx942")(x, y, device=chosen_device())
    assert (np.asarray(total) == 0).all()
