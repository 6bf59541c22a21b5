"""Whole forms, contraction and cleaning up: the exact statements that come out."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.graph import ops as graph
from asmgen.graph.reference import evaluate
from asmgen.graph.reference.ranges import FloatRange
from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, LaneType
from asmgen.kernels.catalogue import build_kernel
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from isa.semantics.mode import Approximation
from tools.measure_functions import Body, lane_module, run, samples

COUNT = 1 << 16


def ops_of(module: Module) -> list[str]:
    """The names of the statements between the load and the store, without literals."""
    names = [statement.op.name for statement in module.walk() if statement.op is not graph.LITERAL]
    return names[names.index("vector_load") + 1 : names.index("vector_store")]


def expanded(body: Body, options: MathOptions | None = None, count: int = 1024) -> Module:
    return expand_module(lane_module([F32], F32, count, body), options or MathOptions())


def tanh_form(builder: LaneBuilder, x: Value) -> Value:
    """The factors in another order than the catalogue's, and the cube multiplied out."""
    cube = builder.mul(builder.mul(x, x), x)
    u = builder.mul(builder.add(builder.mul(cube, builder.like(0.044715, x)), x), builder.like(0.7978845608, x))
    gate = builder.add(builder.value(graph.TANH, u), builder.like(1.0, x))
    return builder.mul(builder.like(0.5, x), builder.mul(gate, x))


def erf_form(builder: LaneBuilder, x: Value) -> Value:
    gate = builder.add(builder.like(1.0, x), builder.value(graph.ERF, builder.mul(builder.like(0.70710678, x), x)))
    return builder.mul(builder.mul(x, gate), builder.like(0.5, x))


TANH_GATE = ["mul", "fma", "mul", "hw_exp2", "add", "hw_rcp", "mul"]
ERF_GATE = ["mul", "neg", "max", "fma", "fma", "fma", "fma", "mul", "hw_exp2", "sub", "fma"]


@pytest.mark.parametrize(("body", "wanted"), [(tanh_form, TANH_GATE), (erf_form, ERF_GATE)])
@pytest.mark.parametrize("options", [MathOptions(), MathOptions(fast=True), MathOptions(contract=False)])
def test_gelu_is_recognised(body: Body, wanted: list[str], options: MathOptions) -> None:
    assert ops_of(expanded(body, options)) == wanted


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize(("body", "kernel"), [(tanh_form, "gelu"), (erf_form, "gelu_erf")])
def test_gelu_is_within_its_bound(body: Body, kernel: str, approximation: Approximation) -> None:
    x = np.concatenate([samples(COUNT // 2, -8, 8), samples(COUNT // 2, -1, 1, 9)])
    with np.errstate(all="ignore"):
        (wanted,) = evaluate(build_kernel(kernel, [("n", str(COUNT))]), [x])
        got = run(expanded(body, count=COUNT), [x], approximation=approximation).astype(np.float64)
        error = np.abs(got - wanted.value) - 2.0**-149
        magnitude = np.abs(x.astype(np.float64))
    assert isinstance(wanted, FloatRange)
    ordinary = magnitude < 3.4e38  # beyond, an error of the bound's size can overflow
    assert (error[ordinary] <= 4 * 2.0**-23 * magnitude[ordinary]).all()
    assert (np.isnan(got) <= wanted.may_be_nan).all()
    assert (np.isnan(got) | ((got >= wanted.low) & (got <= wanted.high))).all()


def test_a_product_with_another_factor_is_no_gelu() -> None:
    def body(builder: LaneBuilder, x: Value) -> Value:
        gate = builder.add(builder.like(1.0, x), builder.value(graph.TANH, builder.floor(x)))
        return builder.mul(builder.mul(x, builder.like(0.5, x)), gate)

    assert "copysign" in ops_of(expanded(body))  # tanh itself


SCALE_OF_ROW = ["extract", "abs", "less", "where", "neg"]  # 1 in place of log2 e, if the number is very large


def exp_of_difference(builder: LaneBuilder, x: Value) -> Value:
    """The four lanes of x have the same subtrahend."""
    return builder.value(graph.EXP, builder.sub(x, builder.splat(builder.extract(x, 0), 4)))


def exp_of_difference_read_twice(builder: LaneBuilder, x: Value) -> Value:
    difference = builder.sub(x, builder.splat(builder.extract(x, 0), 4))
    return builder.add(difference, builder.value(graph.EXP, difference))


@pytest.mark.parametrize(
    ("body", "options", "wanted"),
    [
        (exp_of_difference, MathOptions(fast=True), [*SCALE_OF_ROW, "mul", "splat", "splat", "fma", "hw_exp2"]),
        (exp_of_difference, MathOptions(fast=True, contract=False), ["extract", "splat", "sub", "mul", "hw_exp2"]),
        (
            exp_of_difference_read_twice,
            MathOptions(fast=True),
            ["extract", "splat", "sub", "mul", "hw_exp2", "add"],
        ),
    ],
)
def test_exp_of_a_difference_is_an_fma_with_fast_math(body: Body, options: MathOptions, wanted: list[str]) -> None:
    module = expanded(body, options)
    assert ops_of(module) == wanted


def exp_of_product_less_a_number(builder: LaneBuilder, x: Value) -> Value:
    return builder.value(graph.EXP, builder.sub(builder.mul(x, x), builder.like(3.0, x)))


def product_less_a_number(builder: LaneBuilder, x: Value) -> Value:
    return builder.sub(builder.mul(x, x), builder.like(3.0, x))


def test_the_product_in_an_exponent_is_rounded() -> None:
    """In a softmax, the subtrahend is the greatest of the rounded products."""
    assert ops_of(expanded(exp_of_product_less_a_number))[:2] == ["mul", "sub"]
    assert ops_of(expanded(product_less_a_number)) == ["neg", "fma"]


def product_of_factors(builder: LaneBuilder, x: Value) -> Value:
    """Both factors are the same in every lane."""
    first, second = (builder.splat(builder.floor(builder.extract(x, lane)), 4) for lane in range(2))
    return builder.mul(builder.mul(x, first), second)


def product_of_factors_read_twice(builder: LaneBuilder, x: Value) -> Value:
    first, second = (builder.splat(builder.floor(builder.extract(x, lane)), 4) for lane in range(2))
    product = builder.mul(x, first)
    return builder.max(builder.mul(product, second), product)


def product_of_lanes(builder: LaneBuilder, x: Value) -> Value:
    """Lanes of a vector, each times the same number: the vector is multiplied once."""
    number = builder.splat(builder.floor(builder.extract(x, 3)), 4)
    parts = [builder.mul(builder.mul(x, builder.splat(builder.extract(x, lane), 4)), number) for lane in range(2)]
    return builder.max(*parts)


@pytest.mark.parametrize(
    ("body", "fast", "muls"),
    [
        (product_of_factors, True, 2),
        (product_of_factors, False, 2),
        (product_of_factors_read_twice, True, 2),
        (product_of_lanes, True, 3),
        (product_of_lanes, False, 4),
    ],
)
def test_factors_of_every_lane_are_multiplied_first_with_fast_math(body: Body, fast: bool, muls: int) -> None:
    module = expanded(body, MathOptions(fast=fast))
    made = [statement for statement in module.walk() if statement.op is graph.MUL and statement.result.type.element is F32]
    of_numbers = [statement for statement in made if statement.result.type == LaneType(F32)]
    assert (len(made), len(of_numbers)) == (muls, int(fast and body is product_of_factors))


def moved_and_scaled(builder: LaneBuilder, x: Value, count: int) -> Value:
    """(x - m) a + b for several x."""
    m, a, b = (builder.splat(builder.floor(builder.extract(x, lane)), 4) for lane in range(3))
    several = [x, builder.floor(x), builder.neg(x)][:count]
    made = [builder.add(builder.mul(builder.sub(value, m), a), b) for value in several]
    return made[0] if count == 1 else builder.max(builder.max(made[0], made[1]), made[-1])


@pytest.mark.parametrize(("count", "fast", "ops"), [(3, True, (0, 4)), (3, False, (3, 3)), (1, True, (1, 1))])
def test_what_is_moved_and_scaled_is_an_fma_with_fast_math(count: int, fast: bool, ops: tuple[int, int]) -> None:
    """The subtractions, and the fmas, one of which is b - m a."""
    names = ops_of(expanded(lambda builder, x: moved_and_scaled(builder, x, count), MathOptions(fast=fast)))
    assert (names.count("sub"), names.count("fma")) == ops


def weighted(builder: LaneBuilder, x: Value, is_added: bool) -> Value:
    """x times a number of the row, times a weight of each element."""
    number, weight = builder.splat(builder.floor(builder.extract(x, 0)), 4), builder.floor(x)
    product = builder.mul(builder.mul(x, number), weight)
    return builder.add(product, weight) if is_added else product


def weighted_alone(builder: LaneBuilder, x: Value) -> Value:
    return weighted(builder, x, False)


@pytest.mark.parametrize(("is_added", "fast", "firsts"), [(False, True, 0), (False, False, 1), (True, True, 1)])
def test_the_number_of_a_row_comes_last_with_fast_math(is_added: bool, fast: bool, firsts: int) -> None:
    """Unless the product with the weights is an fma."""
    module = expanded(lambda builder, x: weighted(builder, x, is_added), MathOptions(fast=fast))
    splats = {statement.result for statement in module.walk() if statement.op is ops.SPLAT}
    first = next(statement for statement in module.walk() if statement.op is graph.MUL and statement.result.type.element is F32)
    assert len(splats.intersection(first.operands)) == firsts


@pytest.mark.parametrize(
    "body",
    [
        exp_of_difference,
        weighted_alone,
        product_of_factors,
        product_of_factors_read_twice,
        product_of_lanes,
        lambda builder, x: moved_and_scaled(builder, x, 3),
    ],
)
def test_numbers_are_about_the_same_with_fast_math(body: Body) -> None:
    x = np.random.default_rng(3).uniform(1, 5, 1024).astype(np.float32)
    fast, plain = (run(expanded(body, options), [x]) for options in (MathOptions(fast=True), MathOptions()))
    np.testing.assert_allclose(fast, plain, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("masked", [-3.4028235e38, -2.5e38, 3e38])
def test_a_row_that_a_mask_fills_has_equal_weights_with_fast_math(masked: float) -> None:
    """m log2 e overflows, and so the row was NaN."""
    x = np.full(1024, masked, np.float32)
    np.testing.assert_array_equal(run(expanded(exp_of_difference, MathOptions(fast=True)), [x]), np.ones(1024))


def packed_product_read_twice(builder: LaneBuilder, x: Value) -> Value:
    product = builder.mul(x, x)
    both = builder.add(builder.pack(product, builder.mul(x, builder.neg(x))), builder.pack(x, x))
    return builder.mul(builder.extract(both, 0, 4), product)


def product_read_twice(builder: LaneBuilder, x: Value) -> Value:
    product = builder.mul(x, x)
    return builder.mul(builder.add(product, x), product)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (lambda b, x: b.add(b.mul(x, x), x), ["fma"]),
        (lambda b, x: b.add(x, b.mul(x, x)), ["fma"]),
        (lambda b, x: b.sub(b.mul(x, x), x), ["neg", "fma"]),
        (lambda b, x: b.sub(x, b.mul(x, x)), ["neg", "fma"]),
        (lambda b, x: b.extract(b.add(b.pack(b.mul(x, x), b.mul(x, x)), b.pack(x, x)), 0, 4), ["pack", "fma", "extract"]),
        (packed_product_read_twice, ["mul", "neg", "mul", "pack", "pack", "add", "extract", "mul"]),
        (product_read_twice, ["mul", "add", "mul"]),  # an fma would save nothing
    ],
)
def test_contraction(body: Body, wanted: list[str]) -> None:
    assert ops_of(expanded(body)) == wanted
    assert "fma" not in ops_of(expanded(body, MathOptions(contract=False)))


@pytest.mark.parametrize("sign", [1, -1])
def test_contracted_differences(sign: int) -> None:
    def body(builder: LaneBuilder, x: Value) -> Value:
        product = builder.mul(x, builder.like(3.0, x))
        return builder.sub(product, builder.abs(x)) if sign > 0 else builder.sub(builder.abs(x), product)

    x = np.random.default_rng(1).uniform(-2, 2, 1024).astype(np.float32)
    want = sign * (x.astype(np.float64) * 3 - np.abs(x.astype(np.float64)))
    np.testing.assert_array_equal(run(expanded(body), [x]), want.astype(np.float32))


def test_equal_statements_are_shared_and_dead_ones_removed() -> None:
    def body(builder: LaneBuilder, x: Value) -> Value:
        _ = builder.value(graph.EXP, x)
        return builder.max(builder.add(x, builder.like(1.0, x)), builder.min(builder.add(builder.like(1.0, x), x), x))

    assert ops_of(expanded(body)) == ["add", "min", "max"]


def test_conversions_and_choices() -> None:
    def body(builder: LaneBuilder, x: Value) -> Value:
        clipped = builder.value(graph.CLIP, x, builder.like(-1.0, x), builder.like(1.0, x))
        relu = builder.value(graph.RELU, clipped)
        flag = builder.emit(graph.CONVERT, relu, target_type="bool")[0]
        return builder.emit(graph.CONVERT, flag, target_type="f32")[0]

    module = expanded(body)
    assert ops_of(module) == ["med3", "max", "not_equal", "where"]
    x = np.linspace(-2, 2, 1024, dtype=np.float32)
    np.testing.assert_array_equal(run(module, [x]), (x > 0).astype(np.float32))
    assert LaneType(F32, 4) in [statement.result.type for statement in module.walk() if statement.results]
