"""Bools of a lane are reduced as lane masks, and become numbers once."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.ir.program import Value
from asmgen.ir.types import F32, I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.reduction_ops import LANE_REDUCE
from tests.unit.lanewise.test_math_rewrite import ops_of
from tools.measure_functions import lane_module, run

NUMBERS = np.resize(np.array([0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1], np.float32), 1024)


@pytest.mark.parametrize("lanes", [2, 3, 4])
@pytest.mark.parametrize(("kind", "op"), [("max", "logical_or"), ("min", "logical_and"), ("sum", "add")])
@pytest.mark.parametrize("is_shared", [False, True])
def test_any_and_every_bool_of_a_lane(kind: str, op: str, lanes: int, is_shared: bool) -> None:
    """A sum counts, and numbers with another reader are there anyway."""

    def body(b: LaneBuilder, x: Value) -> Value:
        numbers = b.convert(b.greater(x, b.like(0.5, x)), I32)
        taken = b.extract(numbers, 0, lanes) if lanes < 4 else numbers
        (reduced,) = b.apply(LANE_REDUCE, (taken,), {"op": kind})
        whole = b.splat(reduced, 4)
        return b.add(whole, numbers) if is_shared else whole

    final = expand_module(lane_module([F32], I32, NUMBERS.size, body), MathOptions())
    rows = NUMBERS.reshape(-1, 4).astype(np.int32)
    wanted = {"max": np.max, "min": np.min, "sum": np.sum}[kind](rows[:, :lanes], axis=1, keepdims=True)
    np.testing.assert_array_equal(run(final, [NUMBERS], np.int32), (wanted + rows * is_shared).reshape(-1))
    if lanes == 4 and not is_shared and kind != "sum":
        assert ops_of(final).count(op) == lanes - 1
        assert ops_of(final).count("where") == 1


def test_bools_compared_with_a_number() -> None:
    """As i64, of which the upper word of each is 0."""
    x = np.zeros((64, 64), np.bool_)
    (is_one,) = asmgen.compile(lambda x: x != 0, inputs=[x])(x, device="emulator")
    assert not is_one.any()
