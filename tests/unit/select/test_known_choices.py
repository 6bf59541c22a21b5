"""A choice by a condition of which some lanes are known: these are moved, the others chosen."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

TEXT = """stage final {target}
module @m {{
launch[grid={{1,1,1}}, block={{64,1,1}}]
x = @param:x -> f32, {{128}}
y = @param:y -> f32, {{128}}
r = @param:r -> f32, {{128}}
lane = local_id
two = @literal{{2}} -> u32
at = mul(lane, two) -> u32
a = vector_load[size=2](x, at) -> f32x2
b = vector_load[size=2](y, at) -> f32x2
bound = @literal{{9}} -> u32
some = less(lane, bound)
every = @literal{{{known}}} -> bool
c = pack(every, some)
chosen = where(c, a, b)
vector_store[size=2](r, at, chosen)
@return(r)
}}"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("known", [True, False])
def test_only_the_unknown_lane_is_chosen(target: str, known: bool) -> None:
    program = asmgen.compile(TEXT.format(target=target, known=str(known).lower()), target=target)
    assert program.kernels[0].assembly.count("v_cndmask") == 1
    x = np.arange(128, dtype=np.float32)
    y = -1 - x
    (got,) = program(x, y, device="emulator")
    wanted = np.where(np.stack([np.full(64, known), np.arange(64) < 9], axis=1).ravel(), x, y)
    np.testing.assert_array_equal(got, wanted)
