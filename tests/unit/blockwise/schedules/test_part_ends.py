"""Loops over parts of a named number of rows end with the rows, if a part takes several trips."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choosing import column
from asmgen.blockwise.text.printer import print_program
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import tile_program
from isa.targets import parse_target


def loops(dims: str, statement: str, axis: int) -> list[str]:
    return loops_of(f"x = @param:x -> f32, {dims}\ny = {statement}[axes={axis}](x)\n@return(y)\n")


def loops_of(text: str, target: str = "gfx942") -> list[str]:
    tiles = tile_program(cut(parse(text, "kernel.gen"), parse_target(target)).file)
    return [line.partition("for[k = 0 to ")[2].partition(" step")[0] for line in print_program(tiles).splitlines() if "for[k" in line]


@pytest.fixture
def several_trips(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text may state fewer pieces than the compiler chooses."""
    monkeypatch.setattr(column, "OPEN_PIECES", 1)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201"])
def test_a_part_of_named_columns_needs_no_loop(target: str) -> None:
    text = "x = @param:x -> f32, {m,n}\ny = reduce_sum[axes={0}](x)\n@return(y)\n"
    assert not [loop for loop in loops_of(text, target) if "other" in loop]


@pytest.mark.usefixtures("several_trips")
@pytest.mark.parametrize("op", ["sum", "max", "prod", "mean"])
def test_the_loop_over_a_part_ends_with_the_rows(op: str) -> None:
    of_part, *_ = loops("{m,n}", f"reduce_{op}", 0)
    assert of_part == "min(256, m - 256*other)"


@pytest.mark.usefixtures("several_trips")
def test_a_part_of_several_matrices_ends_with_the_rows_of_its_matrix() -> None:
    of_part, *_ = loops("{b,m,768}", "reduce_sum", 1)
    assert of_part == "min(256, m - 256*(other mod (m floordiv 256 + 1)))"


@pytest.mark.usefixtures("several_trips")
def test_a_loop_of_lanes_that_have_several_parts_ends_with_the_parts() -> None:
    of_parts, *_ = loops("{b,m,3}", "reduce_sum", 1)
    assert of_parts == "256"


ENDS = "min(256, m - 256*other)"
SUM = "y = reduce_sum[axes={1}](q)\n@return(y)"


@pytest.mark.usefixtures("several_trips")
@pytest.mark.parametrize(
    ("pads", "parts", "reduced", "wanted"),
    [
        ("0,0,256,0", 1, SUM, ENDS),
        ("0,0,512,0", 2, SUM, "256"),  # the loop of the second part ran to m - 256*other, below 0, and did not end
        ("256,0,0,0", 1, SUM, "256"),
        ("0,0,256,1", 1, SUM, "256"),
        ("0,0,256,0", 1, "y = reduce_max[axes={1}](q)\n@return(y)", "256"),  # the zeros count
        ("0,0,256,0", 1, "s = exp(q)\ny = reduce_sum[axes={1}](q)\nz = reduce_sum[axes={1}](s)\n@return(y, z)", "256"),
    ],
)
def test_only_a_part_of_zeros_that_change_no_result_ends_early(pads: str, parts: int, reduced: str, wanted: str) -> None:
    columns = "n + 1" if pads.endswith("1") else "n"
    text = (
        f"x = @param:x -> f32, {{m,n}}\np = pad[pads={{{pads}}}](x)\n"
        f"w = slice[axes={{0}}, starts={{0}}, ends={{256*(m floordiv 256)+{256 * parts}}}](p)\n"
        f"q = reshape[dims={{m floordiv 256 + {parts},256,{columns}}}](w)\n{reduced}\n"
    )
    assert set(loops_of(text)) == {wanted}
