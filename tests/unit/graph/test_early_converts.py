"""Sums of transposed numbers, which are read as they lie in memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import CONVERT
from asmgen.graph.rewritings.early_converts import with_early_converts
from tests.device import chosen_device

Array = np.ndarray[Any, Any]


def _of_transposed(x: Array) -> Array:
    return x.reshape(x.shape[0], -1).T.astype(np.int32).sum(0, dtype=np.int32)


def _of_channels_last(x: Array) -> Array:
    return x.transpose(1, 2, 3, 0).reshape(-1, x.shape[0]).astype(np.int32).sum(0, dtype=np.int32)


def _greatest(x: Array) -> Array:
    return x.transpose(1, 2, 3, 0).reshape(-1, x.shape[0]).max(0)


@pytest.mark.parametrize("function", [_of_transposed, _of_channels_last, _greatest])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_lane_loads_neighbours_along_the_reduced_axis(function: Callable[[Array], Array], target: str) -> None:
    x = np.random.default_rng(6).integers(-128, 128, (24, 32, 4, 4)).astype(np.int8)
    program = asmgen.compile(function, target=target, inputs=[asmgen.spec(x.dtype, x.shape)])
    np.testing.assert_array_equal(program(x, device=chosen_device())[0], function(x))
    assert re.search(r"load_([us]byte|[iu]8)", program.kernels[0].assembly) is None


@pytest.mark.parametrize(
    ("moves", "is_early"),
    [
        ("t = transpose[permutation={1,0}](x)\n", True),
        ("r = reshape[dims={2,2,8}](x)\nt = transpose[permutation={2,0,1}](r)\n", True),
        ("t = reshape[dims={8,4}](x)\n", False),
    ],
)
def test_only_transposes_are_exchanged(moves: str, is_early: bool) -> None:
    text = f"x = @param:x -> i8, {{4,8}}\n{moves}a = convert[target_type=i32](t)\ny = reduce_sum[axes={{0}}](a)\n@return(y)\n"
    (module,) = parse(text, "early.gen").modules
    (convert,) = [each for each in with_early_converts(module).statements if each.op is CONVERT]
    assert (convert.operands[0] is module.statements[0].result) is is_early
