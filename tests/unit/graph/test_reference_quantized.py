"""The reference of quantized numbers: docs/gen-text.md states both formulas."""

from __future__ import annotations

import numpy as np

from asmgen.gentext.parser import parse
from asmgen.graph.reference import evaluate


def test_numbers_are_rounded_shifted_and_saturated() -> None:
    text = """x = @param:x -> f32, {7}
s = @literal{0.5} -> f32, {}
z = @literal{-3} -> i8, {}
y = quantizelinear(x, s, z)
@return(y)
"""
    (found,) = evaluate(parse(text, "q.gen"), [np.array([0, 1.3, 1.2, -1.3, -1.2, 200, -200], np.float32)])
    assert found.value.tolist() == [-3, 0, -1, -6, -5, 127, -128]  # 2.6, 2.4, -2.6 and -2.4 are 3, 2, -3 and -2 before the zero point


def test_numbers_come_back() -> None:
    text = """x = @param:x -> i8, {3}
s = @literal{0.5} -> f32, {}
z = @literal{-3} -> i8, {}
y = dequantizelinear(x, s, z)
@return(y)
"""
    (found,) = evaluate(parse(text, "q.gen"), [np.array([-3, 1, -128], np.int8)])
    assert found.value.tolist() == [0, 2, -62.5]
