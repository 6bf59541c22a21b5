"""The reference of reshape and pad: numpy's, and bounds that move with the elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.reference import FloatRange, Range, evaluate_module

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def value_of(statement: str, type_: str = "f32", x: Any = X) -> Range:
    program = parse(f"x = @param:x -> {type_}, {{2,3}}\ny = {statement}(x)\n@return(y)\n", "move.gen")
    (found,) = evaluate_module(program.modules[0], iter([x]))
    return found


def test_reshape_is_row_major() -> None:
    assert value_of("reshape[dims={3,2}]").value.tolist() == X.reshape(3, 2).tolist()


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_pad_is_numpys(mode: Any) -> None:
    found = value_of(f"pad[pads={{1,0,0,2}}, mode={mode}]")
    assert found.value.tolist() == np.pad(X, ((1, 0), (0, 2)), mode=mode).tolist()
    assert found.low is found.high


def test_the_padded_number_is_of_the_type() -> None:
    found = value_of("pad[pads={0,0,0,1}, value=0.1]", "f16", X.astype(np.float16))
    assert found.low[0, 3] == float(np.float16(0.1))
    assert value_of("pad[pads={0,0,0,1}, value=7]", "i32", X.astype(np.int32)).value[1].tolist() == [3, 4, 5, 7]


def test_a_padded_nan_may_be_one() -> None:
    found = value_of("pad[pads={0,0,0,1}, value=nan]")
    assert isinstance(found, FloatRange)
    assert found.may_be_nan.tolist() == [[False, False, False, True]] * 2


def test_a_scalar_has_no_padding() -> None:
    """numpy refuses the empty list of widths."""
    (found,) = evaluate_module(parse("x = @literal{3} -> f32, {}\ny = pad[pads={}](x)\n@return(y)\n", "move.gen").modules[0], iter([]))
    assert found.value.tolist() == 3
