"""Known lower bounds of floats, and rsqrt of numbers that are known to be not small."""

from __future__ import annotations

from math import inf

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.graph import ops as graph
from asmgen.ir.program import Value
from asmgen.ir.types import BF16, ELEMENT_TYPES, F32, I32, U32, ElementType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.math.bounds import is_short, least
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


@pytest.mark.parametrize(
    ("source", "body", "wanted"),
    [
        (BF16, lambda b, x: b.convert(x, F32), True),
        (BF16, lambda b, x: b.max(b.convert(x, F32), b.like(0.0, b.convert(x, F32))), True),
        (BF16, lambda b, x: b.max(b.convert(x, F32), b.like(0.1, b.convert(x, F32))), False),
        (BF16, lambda b, x: b.mul(b.convert(x, F32), b.like(256.0, b.convert(x, F32))), True),
        (BF16, lambda b, x: b.mul(b.convert(x, F32), b.like(0.5, b.convert(x, F32))), False),  # half a denormal
        (BF16, lambda b, x: b.mul(b.convert(x, F32), b.like(3.0, b.convert(x, F32))), False),
        (BF16, lambda b, x: b.add(b.convert(x, F32), b.convert(x, F32)), False),
        (U32, lambda b, x: b.bit_cast(b.bitwise_and(x, b.like(0xFFFF0000, x)), F32), True),
        (U32, lambda b, x: b.bit_cast(b.bitwise_and(x, b.like(0xFFFF8000, x)), F32), False),
        (ELEMENT_TYPES["i8"], lambda b, x: b.convert(b.convert(x, I32), F32), True),
        (ELEMENT_TYPES["i16"], lambda b, x: b.convert(b.convert(x, I32), F32), False),
        (F32, lambda _, x: x, False),
    ],
)
def test_numbers_with_the_digits_of_a_bf16(source: ElementType, body: Body, wanted: bool) -> None:
    module = lane_module([source], F32, 256, body)
    defined = {result: statement for statement in module.walk() for result in statement.results}
    stored = next(s for s in module.walk() if s.op.name == "vector_store").operands[2]
    assert is_short(stored, defined.get) == wanted


@pytest.mark.parametrize(
    ("source", "target"),
    [("int8", "gfx90a"), ("uint8", "gfx942"), ("int8", "gfx1100"), ("uint8", "gfx1201"), ("float8_e4m3fn", "gfx90a")],
)
def test_every_byte_is_the_bf16_of_numpy(source: str, target: str) -> None:
    """Without a rounding in the code."""
    bytes_ = np.arange(256, dtype=np.uint8).view(source)
    name = {"int8": "i8", "uint8": "u8"}.get(source, "fp8" + source[7:].replace("_", ""))
    program = asmgen.compile(f"x = @param:x -> {name}, {{256}}\ny = convert[target_type=bf16](x)\n@return(y)", target)
    (result,) = program(bytes_, device="emulator")
    wanted = bytes_.astype(np.float32).astype(ml_dtypes.bfloat16)
    assert (np.isnan(result) == np.isnan(wanted)).all()
    assert (result.view(np.uint16) == wanted.view(np.uint16))[~np.isnan(wanted)].all()
    assert "v_add3_u32" not in program.kernels[0].assembly


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
