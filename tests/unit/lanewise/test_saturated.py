"""A float that is clipped to the range of a small integer is not clipped again as it becomes one; others are."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.graph import ops as graph
from asmgen.ir.program import Value
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, I32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from tests.unit.lanewise.test_math_rewrite import ops_of
from tools.measure_functions import Body, lane_module, run

WHOLE = {"rounded": graph.NEARBYINT, "down": graph.FLOOR, "up": graph.CEIL, "towards 0": ops.TRUNC}
NUMBERS = np.resize(np.array([np.nan, np.inf, -np.inf, 1e9, -1e9, 127.5, -128.5, 0.5], np.float32), 1024)


def clipped(low: float, high: float, small: str, after: str) -> Body:
    def body(b: LaneBuilder, x: Value) -> Value:
        inside = b.min(b.max(x, b.like(low, x)), b.like(high, x))
        if after == "swapped":
            inside = b.max(b.min(x, b.like(high, x)), b.like(low, x))
        if after in WHOLE:
            inside = b.value(WHOLE[after], inside)
        elif after == "sum":
            inside = b.add(inside, b.like(1.0, x))
        elif after == "half":
            inside = b.convert(b.convert(inside, F16), F32)
        return b.convert(b.convert(inside, ELEMENT_TYPES[small]), I32)

    return body


@pytest.mark.parametrize(
    ("low", "high", "small", "after", "clips"),
    [
        (-128, 127, "i8", "", 1),
        (-128, 127, "i8", "rounded", 1),
        (-128, 127, "i8", "down", 1),
        (-128, 127, "i8", "up", 1),
        (-128, 127, "i8", "towards 0", 1),
        (-128, 127, "i8", "half", 1),
        (-32768, 32767, "i16", "", 1),
        (-32768, 32767, "i16", "half", 2),  # an f16 is 32,768 then
        (0, 255, "u8", "", 1),
        (0, 255, "u8", "swapped", 1),
        (0, 256, "u8", "swapped", 2),
        (-128, 127, "i8", "sum", 2),
        (-128, 128, "i8", "", 2),
        (-129, 127, "i8", "", 2),
        (-1, 255, "u8", "", 2),
    ],
)
@pytest.mark.parametrize("nan", ["ieee", "propagate"])
def test_a_clipped_float_is_clipped_once(low: int, high: int, small: str, after: str, clips: int, nan: str) -> None:
    final = expand_module(lane_module([F32], I32, NUMBERS.size, clipped(low, high, small, after)), MathOptions(nan=nan))
    assert sum(op in ("med3", "min") for op in ops_of(final)) == clips
    is_integer = nan == "propagate" and after in ("", "swapped", *WHOLE) and clips == 1
    assert (is_integer or nan == "ieee") == ("not_equal" not in ops_of(final)), "the clip of an i32 tests for no NaN"
    inside = np.clip(NUMBERS.astype(np.float64), low, high)
    inside[np.isnan(inside)] = {"ieee": high if after == "swapped" else low, "propagate": np.nan}[nan]
    inside = {"rounded": np.rint, "down": np.floor, "up": np.ceil, "towards 0": np.trunc}.get(after, np.positive)(inside) + (after == "sum")
    inside = inside.astype(np.float16).astype(float) if after == "half" else inside
    kept = np.iinfo({"i8": np.int8, "u8": np.uint8, "i16": np.int16}[small])
    np.testing.assert_array_equal(run(final, [NUMBERS], np.int32), np.clip(np.nan_to_num(np.trunc(inside)), kept.min, kept.max))


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (-1.5, 2.5, ("rounded",)),
        (-1.5, 2.5, ("up",)),
        (3, 9, ()),  # a NaN becomes 0, which is below all others
        (0, 127, ("up", "towards 0")),
    ],
)
def test_other_bounds_of_a_clip_stay(low: float, high: float, steps: tuple[str, ...]) -> None:
    def body(b: LaneBuilder, x: Value) -> Value:
        inside = b.value(graph.CLIP, x, b.like(low, x), b.like(high, x))
        for step in steps:
            inside = b.value(WHOLE[step], inside)
        return b.convert(inside, I32)

    final = expand_module(lane_module([F32], I32, NUMBERS.size, body), MathOptions(nan="propagate"))
    wanted = np.clip(NUMBERS, low, high)
    for step in steps:
        wanted = {"rounded": np.rint, "up": np.ceil, "towards 0": np.trunc}[step](wanted)
    np.testing.assert_array_equal(run(final, [NUMBERS], np.int32), np.nan_to_num(np.trunc(wanted)))


@pytest.mark.parametrize(("low", "high"), [(5, 2), (2, 5), (-4, -4)])
def test_bounds_of_integers_may_be_in_either_order(low: int, high: int) -> None:
    """numpy takes the upper bound then."""
    x = np.resize(np.arange(-9, 9, dtype=np.int32), 1024)

    def body(b: LaneBuilder, v: Value) -> Value:
        return b.value(graph.CLIP, v, b.like(low, v), b.like(high, v))

    final = expand_module(lane_module([I32], I32, x.size, body), MathOptions())
    np.testing.assert_array_equal(run(final, [x], np.int32), np.clip(x, low, high))
