"""Pointwise rows of a length that only the launch knows: workgroups of their own, or together if they are short."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM
from asmgen.gridwise.choose import chosen
from asmgen.ir.program import tensor_type
from asmgen.profile.programs import launches_of_program
from asmgen.verification.sizes import launch_sizes
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

Floats = NDArray[np.float32]


def text_of(x: str, b: str, op: str = "add(x, b)", element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {x}\nb = @param:b -> {element}, {b}\no = {op}\n@return(o)\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (text_of("{m,n}", "{n}"), (255, 1216)),
        (text_of("{m,n}", "{n}", element="f16"), (511, 1216)),
        (text_of("{m,n}", "{m,1}"), (255, 1216)),
        (text_of("{m,k,8,n}", "{m,1,1,n}"), (127, 1216)),  # two divisions by dims that only the launch knows
        (text_of("{m,n}", "{m,n}"), (None, None)),  # a single row
        (text_of("{m,1000}", "{1000}"), (None, None)),
        (text_of("{1215,n}", "{n}"), (None, None)),
        (text_of("{1216,n}", "{n}"), (255, 1216)),
        (text_of("{m,256*n}", "{256*n}"), (None, None)),  # no row is short
    ],
)
def test_many_rows_of_a_named_dim_share_workgroups_if_they_are_short(text: str, wanted: tuple[int | None, ...]) -> None:
    choice = chosen(graph_of(text), TARGETS["gfx942"])
    assert isinstance(choice, Pointwise) and (choice.short, choice.many) == wanted


def test_the_grid_has_the_workgroups_of_its_version() -> None:
    program = asmgen.compile(text_of("{m,n}", "{n}"), target="gfx942")

    def groups(m: int, n: int) -> tuple[int, ...]:
        (launch,) = launches_of_program(program, "bias", (), {"m": m, "n": n})
        return tuple(launch.call.grid[:2])

    assert groups(1216, 5) == (-(-1216 * 5 // 1024), 1)
    assert groups(1216, 255) == (-(-1216 * 255 // 1024), 1)
    assert groups(1216, 256) == (1, 1216)
    assert groups(1215, 5) == (1, 1215)
    assert groups(2000, 1025) == (2, 2000)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201:wave64"])
@pytest.mark.parametrize(
    ("text", "function"),
    [
        (text_of("{m,n}", "{n}"), lambda x, b: x + b),
        (text_of("{k,m,n}", "{k,1,n}"), lambda x, b: x + b),
        (text_of("{m,n}", "{m,n}", "concat[axis=1](x, b)"), lambda x, b: np.concatenate((x, b), 1)),
    ],
)
def test_both_versions_are_right(text: str, function: Callable[[Floats, Floats], Floats], target: str) -> None:
    program = asmgen.compile(text, target=target, schedules=("pointwise[vector=4, waves=1, short=20, many=3]",))
    for n, m in ((0, 7), (1, 1), (1, 7), (3, 0), (7, 2), (7, 3), (20, 5), (21, 5), (300, 3)):
        dims = {"n": n, "m": m, "k": 2}
        shapes = [tensor_type(each.result).dims for each in parse(text, "t").modules[0].statements if each.op is PARAM]
        x, b = [
            np.random.default_rng(n).standard_normal([dims.get(str(dim), 1) for dim in shape], np.float32)
            for shape in shapes
        ]
        (found,) = program(x, b, device="emulator")
        np.testing.assert_array_equal(found, function(x, b))


def test_verification_has_many_short_rows() -> None:
    (module,) = parse(text_of("{m,n}", "{n}"), "t").modules
    sizes = launch_sizes([each for each in module.statements if each.op is PARAM])
    assert any(each["m"] > 1216 and each["n"] < 255 for each in sizes)


def test_short_rows_need_a_named_dim() -> None:
    graph = graph_of(text_of("{8,100}", "{100}"))
    assert misfit(graph, Pointwise(4, 4, short=16, many=1), TARGETS["gfx942"]) == (
        "short is for an output with rows of a length that the launch knows"
    )
    open_rows = graph_of(text_of("{m,n}", "{n}"))
    assert misfit(open_rows, Pointwise(4, 4, many=1), TARGETS["gfx942"]) == (
        "many is 1 without a short, wanted the most elements of a short row too"
    )
