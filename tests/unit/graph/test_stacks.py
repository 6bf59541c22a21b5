"""Slices that are stacked become windows, and axes that a reshape merged are reduced apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import CONCAT, REDUCTIONS, WINDOWS
from asmgen.graph.rewritings.merged_axes import with_split_axes
from asmgen.graph.rewritings.stacks import with_windows
from asmgen.ir.stage import Stage

Floats = NDArray[np.float32]

ROWS = """x = @param:x -> f32, {dims}
a0 = slice[axes={{0}}, starts={{{first}}}, ends={{{first_end}}}](x)
b0 = slice[axes={{0}}, starts={{{second}}}, ends={{{second_end}}}](x)
c0 = slice[axes={{0}}, starts={{{third}}}, ends={{{third_end}}}](x)
a = unsqueeze[axes={{0}}](a0)
b = unsqueeze[axes={{0}}](b0)
c = unsqueeze[axes={{0}}](c0)
y = concat[axis=0](a, b, c)
@return(y)
"""


def _ops(starts: tuple[int, int, int], dims: str = "{30}", other: str = "") -> list[object]:
    """The ops of slices of eight elements from some starts on; `other` is a value that the last is of."""
    named = {"first": starts[0], "second": starts[1], "third": starts[2]}
    ends = {f"{name}_end": start + 8 for name, start in named.items()}
    text = ROWS.format(dims=dims, **named, **ends)
    if other:
        text = text.replace("\na0", f"\n{other} = @param:{other} -> f32, {dims}\na0", 1).replace("ends={28}](x)", f"ends={{28}}]({other})")
    (module,) = parse(text, "rows.gen").modules
    return [statement.op for statement in with_windows(module).statements]


@pytest.mark.parametrize("starts", [(0, 1, 2), (4, 12, 20), (0, 10, 20)])
def test_slices_at_equal_distances_are_windows(starts: tuple[int, int, int]) -> None:
    ops = _ops(starts)
    assert WINDOWS in ops
    assert CONCAT not in ops


@pytest.mark.parametrize(
    ("starts", "dims", "other"),
    [((0, 1, 3), "{30}", ""), ((2, 1, 0), "{30}", ""), ((5, 5, 5), "{30}", ""), ((0, 10, 20), "{30}", "z")],
)
def test_other_slices_stay(starts: tuple[int, int, int], dims: str, other: str) -> None:
    assert WINDOWS not in _ops(starts, dims, other)


def _patches(x: Floats) -> Floats:
    """Nine elements for each place: those around it, as convolutions by hand have them."""
    return np.stack([x[i : x.shape[0] - 2 + i, j : x.shape[1] - 2 + j] for i in range(3) for j in range(3)], -1)


def _columns_first(x: Floats) -> Floats:
    return np.stack([x[2 * i : 2 * i + 5, j : j + 9 : 2] for j in (0, 3) for i in range(4)], 1)


def _quarters(x: Floats) -> Floats:
    return np.stack([x[i::2, j::2] for i in (0, 1) for j in (0, 1)], 0)


def _pooled(x: Floats) -> Floats:
    return _quarters(x).max(0)


def _eroded(x: Floats) -> Floats:
    return _patches(x).min(-1)


def _convolved(x: Floats) -> Floats:
    return np.concatenate([x[:, None, i : i + 9] for i in range(4)], 1).sum((1, 2))


@pytest.mark.parametrize("function", [_patches, _columns_first, _quarters, _pooled, _eroded, _convolved])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_stacks_are_those_of_numpy(function: Callable[[Floats], Floats], target: str) -> None:
    x = np.random.default_rng(7).integers(-99, 99, (12, 14)).astype(np.float32)
    program = asmgen.compile(function, target=target, inputs=[asmgen.spec(np.float32, x.shape)])
    (graph,) = program.compilation.stages.programs[Stage.GRAPH].modules
    assert any(statement.op is WINDOWS for statement in with_windows(graph).statements)
    assert np.array_equal(program(x, device="emulator")[0], function(x))


def test_other_axes_may_be_known_at_the_launch() -> None:
    def function(x: Floats) -> Floats:
        return np.stack([x[:, i : i + 5] for i in range(3)], 2)

    program = asmgen.compile(function, target="gfx1100", inputs=[asmgen.spec(np.float32, ("n", 7))])
    (graph,) = program.compilation.stages.programs[Stage.GRAPH].modules
    assert any(statement.op is WINDOWS for statement in with_windows(graph).statements)
    for n in (0, 1, 9):
        x = np.arange(7 * n, dtype=np.float32).reshape(n, 7)
        assert np.array_equal(program(x, device="emulator")[0], function(x))


def test_slices_that_end_where_the_launch_says_stay() -> None:
    def function(x: Floats) -> Floats:
        return np.stack([x[i : x.shape[0] - 2 + i] for i in range(3)])

    program = asmgen.compile(function, target="gfx1100", inputs=[asmgen.spec(np.float32, "n")])
    (graph,) = program.compilation.stages.programs[Stage.GRAPH].modules
    assert not any(statement.op is WINDOWS for statement in with_windows(graph).statements)
    x = np.arange(9, dtype=np.float32)
    assert np.array_equal(program(x, device="emulator")[0], function(x))


MERGED = """x = @param:x -> f32, {{8,3,5,2}}
t = transpose[permutation={permutation}](x)
r = reshape[dims={dims}](t)
y = reduce_max[axes={axes}](r)
@return(y)
"""


@pytest.mark.parametrize(
    ("permutation", "dims", "axes", "wanted"),
    [
        ("{0,2,1,3}", "{8,30}", "{1}", [(1, 2, 3)]),
        ("{0,2,1,3}", "{2,4,30}", "{0,2}", None),
        ("{2,1,0,3}", "{15,2,8}", "{0}", [(0, 1)]),
        ("{0,2,1,3}", "{8,30}", "{0}", None),
        ("{0,1,2,3}", "{8,30}", "{1}", [(1, 2, 3)]),
        ("{0,2,1,3}", "{8,5,2,3}", "{2}", None),
    ],
)
def test_merged_axes_are_reduced_as_they_were(permutation: str, dims: str, axes: str, wanted: list[object] | None) -> None:
    """Not those that a reshape only takes a part of."""
    (module,) = parse(MERGED.format(permutation=permutation, dims=dims, axes=axes), "merged.gen").modules
    reduced = [statement.attributes["axes"] for statement in with_split_axes(module).statements if statement.op in REDUCTIONS]
    given = tuple(map(int, axes.strip("{}").split(",")))
    assert reduced == (wanted or [given])
