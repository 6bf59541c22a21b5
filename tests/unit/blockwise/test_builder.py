"""Programs that a schedule builds are those that their text is."""

from __future__ import annotations

import pytest

from asmgen.blockwise.actions import Below, Combine, Parameter, TileLoad, TileStore
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import project
from asmgen.blockwise.layout.layout import layout
from asmgen.blockwise.program import TileProgram, TileValue
from asmgen.blockwise.rules.verify import check, faults
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.blockwise.types import TileType
from asmgen.graph import ops as graph
from asmgen.index import Index
from asmgen.ir.types import F16, F32, tensor
from isa.diagnostics import InternalError
from isa.targets import TARGETS, parse_target

LANES = (4, 8, 16, 32, 64, 128)
TARGET = TARGETS["gfx942"]


def long_rows() -> TileBuilder:
    """Sums of rows of 1,100 columns, 256 at a time: 4 of them in a loop, and a tail of 76."""
    builder = TileBuilder("row_sum", {"row": 7}, waves=1, lanes=64)
    (row,) = builder.ids
    a = builder.layout("a", layout((1, 256), (1, 2), LANES))
    b = project(a, (1,))
    assert b is not None
    _ = builder.layout("b", b)
    tile = TileType(F32, a)
    x, z = builder.parameter("x", tensor(F32, (7, 1100))), builder.parameter("z", tensor(F32, (7, 1)))

    def body(k: Index, carried: tuple[TileValue, ...]) -> list[TileValue]:
        return [builder.pointwise(graph.ADD, carried[0], builder.load(x, (row, k + tile.coordinates[1]), tile))]

    (sums,) = builder.for_("k", 0, 1024, 256, [builder.fill(0.0, tile)], body)
    last = tile.coordinates[1] + 1024
    tail = builder.load(x, (row, last), tile, [Below(last, last - last + 1100)])
    builder.store(builder.reduce(Combine.SUM, (1,), builder.pointwise(graph.ADD, sums, tail)), z, (row, 0))
    return builder


def test_what_is_built_reads_back() -> None:
    kernel = long_rows().kernel()
    check(kernel, TARGET)
    text = print_program(TileProgram(parse_target("gfx942"), (kernel,)))
    assert print_program(read_program(text, "built.gen")) == text
    assert "where={c1 + 1024 < 1100}" in text
    assert "for[k = 0 to 1024 step 256](fill) (fill_1) {" in text


def test_what_nothing_reads_is_left_out() -> None:
    """A step of halves is copied as it is: the numbers that it was widened to are not in its text."""
    builder = TileBuilder("copy", {"row": 7}, waves=1, lanes=64)
    (row,) = builder.ids
    tile = TileType(F16, layout((1, 256), (1, 2), LANES))
    x, z = builder.parameter("x", tensor(F16, (7, 256))), builder.parameter("z", tensor(F16, (7, 256)))
    loaded = builder.load(x, (row, tile.coordinates[1]), tile)
    _ = builder.pointwise(graph.NEG, builder.convert(loaded, F32))
    builder.store(loaded, z, (row, tile.coordinates[1]))
    made = [statement.op for statement in builder.kernel().statements]
    assert [type(action) for action in made] == [Parameter, Parameter, TileLoad, TileStore]


def test_a_broken_rule_is_our_own_fault() -> None:
    builder = TileBuilder("wrong", {"row": 7}, waves=1, lanes=64)
    tile = TileType(F32, layout((1, 256), (1, 2), LANES))
    other = TileType(F32, layout((1, 256), (2, 1), LANES))
    with pytest.raises(InternalError, match="operand layouts differ in register bit 0: 0:1 and 0:2; relayout one of them"):
        _ = builder.pointwise(graph.ADD, builder.fill(0, tile), builder.fill(0, other))


def test_the_verifier_finds_what_the_builder_cannot_see() -> None:
    kernel = long_rows().kernel()
    assert [fault.rule for fault in faults(kernel, TARGETS["gfx1100"])] == ["waves of 64 lanes, and the target's have 32"]
    with pytest.raises(InternalError, match="waves of 64 lanes"):
        check(kernel, TARGETS["gfx1100"])
