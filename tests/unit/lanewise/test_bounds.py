"""Known lower bounds of floats, and rsqrt of numbers that are known to be not small."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from asmgen.graph import ops as graph
from asmgen.ir.program import Value
from asmgen.ir.types import F32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.math.bounds import least
from isa.semantics.mode import Approximation
from tests.unit.lanewise.test_math_rewrite import ops_of
from tools.measure_functions import Body, lane_module, run, samples


def square_and(number: float) -> Body:
    def body(builder: LaneBuilder, x: Value) -> Value:
        return builder.add(builder.mul(x, x), builder.like(number, x))

    return body


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (square_and(1e-5), 1e-5),
        (square_and(-1.0), -inf),
        (lambda b, x: b.add(x, b.like(1.0, x)), -inf),
        (lambda b, x: b.mul(b.like(3.0, x), b.mul(x, x)), 0.0),
        (lambda b, x: b.mul(b.like(-3.0, x), b.mul(x, x)), -inf),
        (lambda b, x: b.min(b.value(graph.ABS, x), b.like(2.0, x)), 0.0),
        (lambda b, x: b.max(x, b.like(2.0, x)), -inf),  # of a NaN and a number max is the number
    ],
)
def test_least(body: Body, wanted: float) -> None:
    module = lane_module([F32], F32, 256, body)
    defined = {result: statement for statement in module.walk() for result in statement.results}
    stored = next(s for s in module.walk() if s.op.name == "vector_store").operands[2]
    assert least(stored, defined.get) == pytest.approx(wanted)


ROOT = ["mul", "add", "hw_rsq", "mul", "neg", "fma", "mul", "max", "fma"]


def rsqrt_of(number: float) -> Body:
    def body(builder: LaneBuilder, x: Value) -> Value:
        return builder.value(graph.RSQRT, square_and(number)(builder, x))

    return body


def test_rsqrt_of_a_number_that_is_not_small_is_not_scaled() -> None:
    options = MathOptions(contract=False)
    assert ops_of(expand_module(lane_module([F32], F32, 256, rsqrt_of(1e-5)), options)) == ROOT
    assert "is_class" in ops_of(expand_module(lane_module([F32], F32, 256, rsqrt_of(1e-30)), options))


@pytest.mark.parametrize("approximation", list(Approximation))
def test_rsqrt_is_within_its_bound(approximation: Approximation) -> None:
    edges = np.array([0.0, 1e-3, 3e38, -3e38, np.inf, np.nan, 1.8e19, 1.9e19], np.float32)
    x = np.concatenate([samples((1 << 14) - edges.size, -4, 4), edges])
    with np.errstate(all="ignore"):
        total = (x * x + np.float32(1e-5)).astype(np.float32)
        exact = 1 / np.sqrt(total.astype(np.float64))
        module = expand_module(lane_module([F32], F32, x.size, rsqrt_of(1e-5)), MathOptions(contract=False))
        got = run(module, [x], approximation=approximation)
        error = np.abs(got.astype(np.float64) - exact)
    assert (np.isnan(got) == np.isnan(exact)).all()
    assert (got[np.isinf(total)] == 0).all()
    ordinary = np.isfinite(total)
    assert (error[ordinary] <= np.spacing(exact[ordinary].astype(np.float32)).astype(np.float64)).all()
