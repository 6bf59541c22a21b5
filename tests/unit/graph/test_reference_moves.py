"""The reference of ops that move elements, against numpy's own functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.gentext.parser import parse
from asmgen.graph.reference import evaluate

Array = NDArray[Any]
X = np.arange(120, dtype=np.float32).reshape(4, 5, 6)
INDICES = np.array([[3, -1], [0, 9]], np.int32)

MOVES: dict[str, Callable[[Array], Array]] = {
    "transpose[permutation={2,0,1}](x)": lambda x: np.transpose(x, (2, 0, 1)),
    "reshape[dims={0,-1,3}](x)": lambda x: x.reshape(4, 10, 3),
    "reverse[axes={0,-1}](x)": lambda x: np.flip(x, (0, 2)),
    "slice[axes={0,-1}, starts={1,-4}, ends={9,-1}](x)": lambda x: x[1:9, :, -4:-1],
    "step[axes={0,2}, steps={3,2}](x)": lambda x: x[::3, :, ::2],
    "concat[axis=-2](x, x)": lambda x: np.concatenate([x, x], 1),
    "unsqueeze[axes={0,2}](x)": lambda x: x[None, :, None],
    "pad[pads={1,0,2,0,3,0}, value=7](x)": lambda x: np.pad(x, ((1, 0), (0, 3), (2, 0)), constant_values=7),
    "pad[pads={1,0,2,0,3,0}, mode=edge](x)": lambda x: np.pad(x, ((1, 0), (0, 3), (2, 0)), "edge"),
    "pad[pads={3,0,2,0,3,0}, mode=reflect](x)": lambda x: np.pad(x, ((3, 0), (0, 3), (2, 0)), "reflect"),
    "gather[axis=0](x, i)": lambda x: np.take(x, [[3, 3], [0, 3]], 0),
    "gather[axis=-2](x, i)": lambda x: np.take(x, [[3, 4], [0, 4]], 1),
}


@pytest.mark.parametrize("text", MOVES)
def test_a_move_is_numpys(text: str) -> None:
    graph = parse(f"x = @param:x -> {{4,5,6}}\ni = @param:i -> i32, {{2,2}}\ny = {text}\n@return(y)\n", "m.gen")
    (found,) = evaluate(graph, [X, INDICES])
    np.testing.assert_array_equal(found.value, MOVES[text](X))


def test_what_an_uncertain_index_takes_may_be_any_element() -> None:
    text = "x = @param:x -> {3}\na = @param:a -> {1}\ne = exp(a)\ni = convert[target_type=i32](e)\ny = gather(x, i)\n@return(y)\n"
    (found,) = evaluate(parse(text, "m.gen"), [np.array([5, 1, 9], np.float32), np.array([np.log(2.0)], np.float32)])
    assert (found.low.item(), found.high.item()) == (1, 9)


BAD = {
    "pad[pads={1,0}](x)": "GEN303",
    "pad[pads={-1,0,0,0,0,0}](x)": "GEN303",
    "pad[pads={4,0,0,0,0,0}, mode=reflect](x)": "GEN303",
    "pad[pads={0,0,0,0,0,0}, mode=wrap](x)": "GEN008",
    "pad[pads={0,0,0,0,0,0}, value=1.5](i)": "GEN303",
    "gather[axis=3](x, i)": "GEN303",
    "gather(x, x)": "GEN301",
    "reverse[axes={0,-3}](x)": "GEN303",
    "reverse[axes={3}](x)": "GEN303",
    "concat[axis=0](x, i)": "GEN301",
    "concat[axis=3](x, x)": "GEN303",
    "slice[axes={0}, starts={0,1}, ends={1}](x)": "GEN303",
    "step[axes={0}, steps={0}](x)": "GEN303",
    "transpose[permutation={0,0,1}](x)": "GEN303",
    "reshape[dims={-1,-1}](x)": "GEN303",
    "reshape[dims={7}](x)": "GEN302",
    "squeeze[axes={0}](x)": "GEN302",
    "unsqueeze[axes={5}](x)": "GEN303",
    "broadcast[axis=2, out_lens={4,5,6}](x)": "GEN302",
    "multibroadcast[out_lens={5,6}](x)": "GEN302",
}


@pytest.mark.parametrize("text", BAD)
def test_attributes_that_do_not_fit_are_refused_at_their_line(text: str) -> None:
    from isa.diagnostics import InputError

    lines = f"x = @param:x -> {{4,5,6}}\ni = @param:i -> i32, {{2,2,1}}\ny = {text}\n@return(y)\n"
    with pytest.raises(InputError) as caught:
        _ = parse(lines, "m.gen")
    assert (caught.value.code, str(caught.value.place).split(":")[:2]) == (BAD[text], ["m.gen", "3"])
