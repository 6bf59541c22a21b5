"""Reciprocals of bounded quotients are exact, and as short as the bound allows."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.lanewise.math import MathOptions
from asmgen.lanewise.math.quotients import Reciprocal, short_reciprocal, upper_reciprocal
from asmgen.lanewise.math.rewrite import rewrite

DIVISORS = (3, 5, 6, 7, 25, 36, 42, 100, 300, 641, 999, 1000, 4095, 65537, 16777213, (1 << 31) - 1)
BOUNDS = (1, 9, 255, 1007, 19199, 65535, 99999, 1 << 20, (1 << 24) - 1, 1 << 24, (1 << 31) - 1)


def _critical(divisor: int, most: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Numbers up to `most` at which a quotient is about to change, and the first and the last ones."""
    multiples = np.linspace(0, most // divisor, 1000, dtype=np.uint64) * np.uint64(divisor)
    ends = np.arange(min(most + 1, 1000), dtype=np.uint64)
    numbers = np.concatenate([multiples, multiples - np.uint64(1), ends, np.uint64(most) - ends])
    return numbers[numbers <= most]


@pytest.mark.parametrize("most", BOUNDS)
def test_a_reciprocal_is_exact(most: int) -> None:
    for divisor in DIVISORS:
        numbers = _critical(divisor, most)
        quotients = numbers // np.uint64(divisor)
        short, upper = short_reciprocal(divisor, most), upper_reciprocal(divisor, most)
        if short is not None:
            assert short.factor < 1 << 24 and most < 1 << 24 and short.factor * most < 1 << 32
            assert (numbers * np.uint64(short.factor) >> np.uint64(short.shift) == quotients).all()
        assert upper is not None and upper.factor < 1 << 32 <= 1 << upper.shift
        products = [int(number) * upper.factor >> upper.shift for number in numbers]
        assert products == quotients.tolist()


@pytest.mark.parametrize(
    ("divisor", "most", "short", "upper"),
    [
        (3, 255, Reciprocal(171, 9), Reciprocal(1431655766, 32)),  # 171 / 512, as compilers divide bytes
        (5, 65535, Reciprocal(52429, 18), Reciprocal(858993460, 32)),
        (7, 65535, None, Reciprocal(613566757, 32)),  # 65,535 times 74,899 has 33 bits
        (7, (1 << 31) - 1, None, Reciprocal(2454267027, 34)),
    ],
)
def test_the_factor_is_the_least(divisor: int, most: int, short: Reciprocal | None, upper: Reciprocal) -> None:
    assert short_reciprocal(divisor, most) == short
    assert upper_reciprocal(divisor, most) == upper


TEXT = """stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  z = @param:z -> u32, {{64}}
  lane = local_id -> u32
  large = multiple[by=20000000, most=63](lane) -> u32
  by = @literal{{{by}}} -> u32
  q = div({x}, by) -> u32
  store(z, lane, q)
  @return(z)
}}
"""


@pytest.mark.parametrize(
    ("x", "by", "ops"),
    [
        ("lane", 7, ["multiple", "@literal", "shift_right"]),
        ("large", 3, ["@literal", "multiply_high"]),
        ("large", 11, ["@literal", "multiply_high", "@literal", "shift_right"]),
        ("lane", 8, ["div"]),
    ],
)
def test_a_bounded_quotient_is_a_product(x: str, by: int, ops: list[str]) -> None:
    (module,) = parse(TEXT.format(x=x, by=by), "m.gen").modules
    names = [each.op.name for each in rewrite(module, MathOptions()).walk()]
    assert names[names.index("store") - len(ops) : names.index("store")] == ops
