"""Choices that do not fit are refused by a rule with a name."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import Choice, Column, Contract, Pointwise, Row, Scan, Sort, Transpose
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule
from isa.diagnostics import InternalError
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of, reduced

TARGET = TARGETS["gfx942"]
ROWS, COLUMNS = reduced((64, 100), (1,)), reduced((64, 100), (0,))
POINTWISE = graph_of("x = @param:x -> f32, {64,100}\ny = neg(x)\n@return(y)\n")
TURNED = graph_of("x = @param:x -> f32, {64,100}\ny = transpose[permutation={1,0}](x)\n@return(y)\n")
STENCIL = graph_of(
    "x = @param:x -> f32, {64,100}\na = slice[axes={0,1}, starts={0,0}, ends={62,96}](x)\n"
    "b = slice[axes={0,1}, starts={2,4}, ends={64,100}](x)\ny = add(a, b)\n@return(y)\n"
)
TWICE = graph_of("x = @param:x -> f32, {64,1,1024}\ny = multibroadcast[out_lens={64,96,1024}](x)\n@return(y)\n")
SCANS = graph_of("x = @param:x -> f32, {64,3072}\ny = cumsum[axis=1](x)\n@return(y)\n")
OPEN_SCANS = graph_of("x = @param:x -> f32, {m,n}\ny = cumsum[axis=1](x)\n@return(y)\n")
SCANS_IN_PARTS = graph_of(
    "x = @param:x -> f32, {m,n}\nb = @param:b -> f32, {m,n floordiv 64 + 1}\ny = cumsum[axis=1, part=64](x, b)\n@return(y)\n"
)
SORTS = {
    (dims, axis): graph_of(f"x = @param:x -> f32, {{{dims}}}\ny = sort[axis={axis}](x)\n@return(y)\n")
    for dims, axis in (("m,n", 0), ("m,n", 1), ("m,100", 1))
}
NO_SHORT_ROWS = "short is for rows along memory of a length that the launch knows, which are not in parts"
OPEN_ROWS = "shared is for rows of a length that the launch knows"
ROW = Row(1, 32, 1, 4, 4, 1)


@pytest.mark.parametrize(
    ("graph", "choice", "rule"),
    [
        (ROWS, Pointwise(4, 4), "pointwise is for kernels with no reductions"),
        (POINTWISE, ROW, "row is for kernels with reductions"),
        (COLUMNS, ROW, ""),
        (
            ROWS,
            Column(1, 1, 8, 4, 1, 4, 1),
            "column is for a last dim that is kept; row is for a last dim that is reduced",
        ),
        (
            POINTWISE,
            Transpose(4, 4, 4),
            "transpose is for buffers that are contiguous along another dim than the output",
        ),
        (POINTWISE, Pointwise(4, 4, rest=2), "rest is 2 and row is None, wanted rest=1 without row"),
        (POINTWISE, Pointwise(4, 4, row=64, rest=1), "rest is 1 and row is 64, wanted rest=1 without row"),
        (POINTWISE, Pointwise(4, 4, rows=2), "rows is 2, wanted row=N too, the elements from a row to the next"),
        (STENCIL, Pointwise(4, 4, row=100, rows=2), ""),
        (STENCIL, Pointwise(4, 4, row=100, rows=3), "rows is 3, wanted a power of two"),
        (STENCIL, Pointwise(4, 4, row=100, rows=64), "rows is 64, and the axis has 62 rows"),
        (TWICE, Pointwise(4, 4, row=1024, rows=2), "rows is 2, and elements are copies of each other"),
        (TURNED, Transpose(128, 4, 4), "across is 128, and the axis has 100 elements"),
        (TURNED, Transpose(4, 6, 4), "vector is 6, wanted a power of two or 64, all elements of the axis"),
        (TURNED, Transpose(4, 4, 4, 24), "lanes is 24, wanted a power of two"),
        (TURNED, Transpose(100, 64, 1, 1), ""),
        (POINTWISE, Contract(64, 64, 16, 4), "contract is for kernels with a matrix product"),
        (POINTWISE, Scan(64, 4, 1, 4, 1), "scan is for kernels with scans"),
        (ROWS, Row(1, 24, 1, 4, 4, 1), "lanes is 24, wanted a power of two"),
        (SCANS, Scan(64, 4, 1, 4, 3), "repeat is 3, wanted a power of two"),
        (OPEN_SCANS, Scan(64, 4, 1, 4, 1, short=128), ""),
        (OPEN_SCANS, Scan(64, 4, 1, 4, 1, short=96), "short is 96, wanted a power of two"),
        (SCANS, Scan(64, 4, 1, 4, 1, short=64), NO_SHORT_ROWS),
        (SCANS_IN_PARTS, Scan(64, 4, 1, 4, 1, short=64), NO_SHORT_ROWS),
        (SORTS["m,n", 1], Sort(64, 4, 1, 1, 16, shared=1), ""),
        (SORTS["m,n", 1], Sort(64, 4, 1, 1, 16, shared=2), "shared is 2, wanted 1 or nothing"),
        (SORTS["m,n", 1], Sort(64, 2, 1, 1, 16, shared=1), "shared wants teams=1, vector=1 and places for 4096 elements, got 2048"),
        (SORTS["m,n", 1], Sort(32, 8, 1, 1, 16, shared=1), "lanes is 32, wanted 64 if rows along memory share a workgroup"),
        (SORTS["m,n", 0], Sort(16, 8, 1, 1, 32, shared=1), ""),
        (SORTS["m,100", 1], Sort(64, 4, 1, 1, 16, shared=1), OPEN_ROWS),
        (ROWS, Row(1, 128, 1, 4, 4, 1), "lanes is 128, and a wave has 64"),
        (ROWS, Row(1, 64, 16, 2, 4, 1), "a workgroup of 2048 lanes, and the target's has 1024 at most"),
        (ROWS, Row(1, 64, 1, 1, 32, 1), "vector is 32, wanted 16 at most"),
        (ROWS, ROW, ""),
    ],
)
def test_the_rule_is_named(graph: Graph, choice: Choice, rule: str) -> None:
    assert misfit(graph, choice, TARGET) == rule
    if rule:
        with pytest.raises(InternalError, match=rule):
            _ = schedule(graph.module, choice, TARGET)
