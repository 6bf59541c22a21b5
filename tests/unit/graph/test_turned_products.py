"""Products with results that are stored transposed are multiplied as the transposed product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT
from asmgen.graph.rewritings.turned_products import with_turned_products
from asmgen.ir.program import tensor_type

HEAD = "a = @param:a -> f32, {96,16}\nb = @param:b -> f32, {16,80}\nc = @param:c -> f32, {80}\np = dot(a, b)\n"
TURN = "t = transpose[permutation={1,0}]"


@pytest.mark.parametrize(("rest", "wanted"), [
    pytest.param(f"{TURN}(p)\n@return(t)\n", (80, 96), id="matrix"),
    pytest.param(f"z = add(p, c)\nw = mul(z, z)\n{TURN}(w)\n@return(t)\n", (80, 96), id="pointwise ops between"),
    pytest.param("r = reshape[dims={4,24,80}](p)\nt = transpose[permutation={0,2,1}](r)\n@return(t)\n", (80, 96), id="rows apart"),
    pytest.param("r = reshape[dims={96,5,16}](p)\nt = transpose[permutation={1,0,2}](r)\n@return(t)\n", (96, 80), id="along a row"),
    pytest.param(f"{TURN}(p)\n@return(t, p)\n", (96, 80), id="stored both ways"),
    pytest.param(f"{TURN}(p)\ns = reduce_sum[axes={{0}}](t)\n@return(s)\n", (96, 80), id="reduced"),
])  # fmt: skip
def test_the_dims_of_the_product(rest: str, wanted: tuple[int, ...]) -> None:
    module = with_turned_products(parse(HEAD + rest, "k.gen").modules[0])
    (dims,) = [tensor_type(each.result).dims for each in module.statements if each.op is DOT]
    assert dims == wanted


def test_few_rows_stay() -> None:
    module = parse(HEAD.replace("96", "64") + f"{TURN}(p)\n@return(t)\n", "k.gen").modules[0]
    assert with_turned_products(module) is module


def turned(a: Any, b: Any, c: Any) -> Any:
    y = a @ b + c
    return (y * np.maximum(y, 0)).T


def channels_first(a: Any, b: Any, c: Any) -> Any:
    return np.moveaxis((a @ b - c).reshape(8, 12, 80), -1, 1)


@pytest.mark.parametrize("of", [turned, channels_first])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201:wave64"])
def test_results_are_those_of_numpy(of: Callable[..., Any], target: str) -> None:
    random = np.random.default_rng(1)
    a, b, c = [random.integers(-3, 4, dims).astype(np.float32) for dims in ((96, 16), (16, 80), (80,))]
    program = asmgen.compile(of, target=target, inputs=[a, b, c], assembler="builtin")
    assert len(program.launches) == 1
    np.testing.assert_array_equal(program(a, b, c, device="emulator")[0], of(a, b, c))
