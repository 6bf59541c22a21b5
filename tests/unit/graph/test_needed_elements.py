"""Products, reductions, scans and sorts of the elements that slices leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.rewritings.needed_elements import with_needed_elements
from asmgen.ir.program import tensor_type

HEAD = "h = @param:h -> f32, {4,64,24}\nw = @param:w -> f32, {24,40}\n"
PRODUCT = HEAD + "y = dot(h, w)\n"
LAST = "t = slice[axes={1}, starts={63}, ends={64}]"
FEW = "t = slice[axes={0}, starts={3}, ends={5}]"
TWO = "a = slice[axes={1}, starts={3}, ends={5}](y)\nb = slice[axes={1}, starts={7}, ends={9}](y)\nt = add(a, b)\n"
ROWS = "t = slice[axes={1}, starts={1}, ends={33}]"


def dims_of_y(text: str) -> tuple[object, ...]:
    """The dims of y in the module that is made."""
    made = with_needed_elements(parse(text, "k.gen").modules[0])
    (dims,) = [tensor_type(each.result).dims for each in made.statements if each.results and each.result.name == "y"]
    return dims


@pytest.mark.parametrize(("text", "wanted"), [
    pytest.param(f"{PRODUCT}{LAST}(y)\n", (4, 1, 40), id="rows"),
    pytest.param(f"{PRODUCT}t = slice[axes={{2}}, starts={{8}}, ends={{30}}](y)\n", (4, 64, 22), id="columns"),
    pytest.param(f"{PRODUCT}t = slice[axes={{0}}, starts={{1}}, ends={{3}}](y)\n", (2, 64, 40), id="batch"),
    pytest.param(f"{PRODUCT}t = step[axes={{1}}, steps={{32}}](y)\n", (4, 33, 40), id="step"),
    pytest.param(f"{PRODUCT}e = relu(y)\nn = transpose[permutation={{1,2,0}}](e)\n{FEW}(n)\n", (4, 2, 40), id="turned"),
    pytest.param(f"{PRODUCT}n = reshape[dims={{4,64,5,8}}](y)\n{LAST}(n)\n", (4, 1, 40), id="a dim beside those that are split"),
    pytest.param(f"{PRODUCT}n = reshape[dims={{256,40}}](y)\n{FEW}(n)\n", (4, 64, 40), id="merged dims"),
    pytest.param(f"{PRODUCT}{TWO}", (4, 6, 40), id="two slices"),
    pytest.param(f"{PRODUCT}{ROWS}(y)\n@return(t, y)\n", (4, 64, 40), id="all elements too"),
    pytest.param(f"{PRODUCT}t = slice[axes={{1}}, starts={{0}}, ends={{63}}](y)\n", (4, 64, 40), id="most elements"),
    pytest.param(f"{HEAD}y = dot_general[lhs_contract={{2}}, rhs_contract={{0}}](h, w)\n{LAST}(y)\n", (4, 1, 40), id="contraction"),
    pytest.param(f"{HEAD}y = reduce_sum[axes={{2}}](h)\n{ROWS}(y)\n", (4, 32, 1), id="sums"),
    pytest.param(f"{HEAD}y = reduce_sum[axes={{1}}](h)\nt = slice[axes={{2}}, starts={{2}}, ends={{5}}](y)\n", (4, 1, 3), id="sums of columns"),
    pytest.param(f"{HEAD}y = cumsum[axis=2](h)\n{ROWS}(y)\n", (4, 32, 24), id="sums of parts"),
    pytest.param(f"{HEAD}y = cumsum[axis=1](h)\n{ROWS}(y)\n", (4, 64, 24), id="along the axis"),
    pytest.param(f"{HEAD}y = argsort[axis=2](h)\nt = slice[axes={{1,2}}, starts={{0,1}}, ends={{9,2}}](y)\n", (4, 9, 24), id="sort"),
])  # fmt: skip
def test_the_elements_that_are_made(text: str, wanted: tuple[int, ...]) -> None:
    text = text if "@return" in text else f"{text}@return(t)\n"
    module = parse(text, "k.gen").modules[0]
    made = with_needed_elements(module)
    assert dims_of_y(text) == wanted
    returned = [[tensor_type(value).dims for value in each.statements[-1].operands] for each in (module, made)]
    assert returned[0] == returned[1]


def last_logits(h: Any, w: Any) -> Any:
    norm = h / np.sqrt((h * h).sum(-1, keepdims=True))
    return np.maximum(norm @ w, 0)[:, -1]


def some_sums(h: Any, w: Any) -> Any:
    return (h * 2).sum(1)[1:3, ::5] + w[0, 0]


def some_sorted(h: Any, w: Any) -> Any:
    return np.sort(h, 1)[2, :, 3:7] * w[1, 1]


@pytest.mark.parametrize("of", [last_logits, some_sums, some_sorted])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_results_are_those_of_numpy(of: Callable[..., Any], target: str) -> None:
    random = np.random.default_rng(2)
    h, w = [random.integers(1, 5, dims).astype(np.float32) for dims in ((4, 30, 24), (24, 40))]
    (result,) = asmgen.compile(of, target=target, inputs=[h, w], assembler="builtin")(h, w, device="emulator")
    np.testing.assert_allclose(result, of(h.astype(np.float64), w.astype(np.float64)), rtol=1e-5)


def test_the_last_rows_of_open_dims() -> None:
    product = PRODUCT.replace("4,64,24", "b,s,24")
    text = f"{product}t = slice[axes={{1}}, starts={{-1}}, ends={{2147483647}}](y)\n@return(t)\n"
    program = asmgen.compile(text, target="gfx942", assembler="builtin")
    random = np.random.default_rng(3)
    for b, s in ((1, 1), (3, 70)):
        h, w = [random.integers(-3, 4, dims).astype(np.float32) for dims in ((b, s, 24), (24, 40))]
        np.testing.assert_array_equal(program(h, w, device="emulator")[0], (h @ w)[:, -1:])
    assert str(dims_of_y(text)[1]) == "min(s, 1)"
