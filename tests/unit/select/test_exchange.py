"""`lane_exchange` brings the value of the other lane, for every mask that a wave has."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from isa.targets import parse_target
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, interpreted, selected


@pytest.mark.parametrize("name", ["gfx90a", "gfx950", "gfx1100", "gfx1201", "gfx1100:wave64", "gfx1201:wave64"])
def test_every_mask(name: str) -> None:
    target = parse_target(name)
    masks = range(1, target.target.wave_size)

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane = builder.local_id()
        value, first = builder.load(x, lane), builder.mul(lane, builder.constant(64, U32))
        for mask in masks:
            builder.store(z, first, builder.lane_exchange(value, mask), 4 * mask)

    module = module_of(body, (("u32", 64), ("u32", 4096)))
    arrays = [np.arange(64, dtype=np.uint32), np.zeros(4096, np.uint32)]
    wanted = interpreted(module, arrays, target)
    for mask in masks:
        np.testing.assert_array_equal(wanted[1].reshape(64, 64)[:, mask], arrays[0] ^ mask)
    assert difference(wanted, emulated(allocated(selected(module, target)), module, arrays)) == ""
