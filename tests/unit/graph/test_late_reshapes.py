"""Reshapes of results of reductions, or of products, come after the pointwise ops that read them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.rewritings.late_reshapes import with_late_reshapes

Array = NDArray[np.float32]
X = "x = @param:x -> f32, {6,5}\nb = @param:b -> f32, {6}\ns = reduce_sum[axes={1}](x)\nq = squeeze[axes={1}](s)\n"


def ops_of(text: str) -> list[str]:
    (module,) = parse(text, "late.gen").modules
    return [statement.op.name for statement in with_late_reshapes(module).statements]


def test_an_op_reads_the_result_before_its_reshape() -> None:
    text = f"{X}y = add(q, b)\nz = relu(y)\n@return(z)\n"
    assert ops_of(text) == ["@param", "@param", "reduce_sum", "squeeze", "reshape", "add", "reshape", "relu", "reshape", "@return"]


@pytest.mark.parametrize(
    "rest",
    [
        "y = add(b, b)\n@return(y)\n",  # made without the result
        "p = reduce_sum[axes={0}](x)\ni = slice[axes={1}, starts={0}, ends={1}](p)\nj = squeeze[axes={0,1}](i)\ny = add(q, j)\n@return(y)\n",
        "c = cumsum[axis=0](b)\ny = add(q, c)\n@return(y)\n",  # of a scan
    ],
)
def test_other_ops_stay(rest: str) -> None:
    (module,) = parse(X + rest, "late.gen").modules
    assert with_late_reshapes(module).statements == module.statements


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        ("y = add(q, b)\nz = relu(y)\n@return(z, q)\n", lambda x, b: [np.maximum(x.sum(1) + b, 0), x.sum(1)]),
        (
            "u = mul(q, b)\nk = unsqueeze[axes={1}](u)\ny = mul(x, k)\n@return(y)\n",
            lambda x, b: [x * (x.sum(1) * b)[:, None]],
        ),
        (
            "m = reduce_max[axes={1}](x)\nn = squeeze[axes={1}](m)\ny = sub(q, n)\nz = reshape[dims={2,3}](y)\nw = neg(z)\n@return(w, y)\n",
            lambda x, _b: [-(x.sum(1) - x.max(1)).reshape(2, 3), x.sum(1) - x.max(1)],
        ),
    ],
)
def test_a_single_launch_has_the_results(rest: str, wanted: Callable[[Array, Array], list[Array]]) -> None:
    program = asmgen.compile(X + rest, target="gfx942")
    assert len(program.kernels) == 1
    random = np.random.default_rng(1)
    x, b = random.integers(-9, 9, (6, 5)).astype(np.float32), random.integers(-9, 9, 6).astype(np.float32)
    for result, each in zip(program(x, b, device="emulator"), wanted(x, b), strict=True):
        np.testing.assert_array_equal(result, each)


def test_rows_of_the_launch() -> None:
    text = X.replace("{6", "{n") + "y = add(q, b)\n@return(y)\n"
    program = asmgen.compile(text, target="gfx1201")
    assert len(program.kernels) == 1
    for n in (0, 1, 70):
        x, b = np.ones((n, 5), np.float32), np.arange(n, dtype=np.float32)
        np.testing.assert_array_equal(program(x, b, device="emulator")[0], b + 5)


def test_the_kernel_of_a_product_computes_what_follows_its_reshape() -> None:
    """As of JAX's products of rows in batches."""
    text = (
        "x = @param:x -> f32, {2,5,16}\nw = @param:w -> f32, {16,24}\nb = @param:b -> f32, {24}\nr = @param:r -> f32, {2,5,24}\n"
        "y = dot_general[lhs_contract={2}, rhs_contract={0}](x, w)\nz = add(y, b)\na = relu(z)\nc = add(a, r)\n@return(c)\n"
    )
    program = asmgen.compile(text, target="gfx942")
    assert len(program.kernels) == 1
    random = np.random.default_rng(1)
    x, w, b, r = [random.integers(-3, 4, dims).astype(np.float32) for dims in ((2, 5, 16), (16, 24), (24,), (2, 5, 24))]
    np.testing.assert_array_equal(program(x, w, b, r, device="emulator")[0], np.maximum(x @ w + b, 0) + r)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_results_of_few_columns_are_reshaped_apart(target: str) -> None:
    """A tile has columns beyond the last; their places are not those of other rows."""
    def of(x: Array, w: Array, z: Array) -> Array:
        return (x.reshape(-1, 64) @ w).reshape(17, 33, 7) + z

    random = np.random.default_rng(1)
    x, w, z = [random.integers(-3, 4, dims).astype(np.float32) for dims in ((17, 33, 64), (64, 7), (17, 33, 7))]
    program = asmgen.compile(of, target=target, inputs=[x, w, z])
    assert len(program.kernels) == 1
    np.testing.assert_array_equal(program(x, w, z, device="emulator")[0], of(x, w, z))
