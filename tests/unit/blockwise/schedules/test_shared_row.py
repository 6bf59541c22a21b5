"""The rows of a wave if each is multiplied by the same row."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.parts import share_of
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from isa.targets import parse_target
from tests.unit.blockwise.schedules.graphs import graph_of


def choice_of(n: int, k: int, target: str, element: str = "f16") -> Row:
    """The choice for {1,k} by {n,k} turned, in a single launch."""
    text = f"""x = @param:x -> {element}, {{1,{k}}}
    w = @param:w -> {element}, {{{n},{k}}}
    t = transpose[permutation={{1,0}}](w)
    y = dot(x, t)
    @return(y)
    """
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    (launch,) = program.launches
    assert isinstance(launch.choice, Row)
    return launch.choice


@pytest.mark.parametrize(
    ("n", "k", "target", "wanted"),
    [
        (14336, 4096, "gfx950", (2, 1)),  # a wave of a row has 8 accesses, and more waves follow
        (4096, 4096, "gfx950", (1, 1)),  # all waves run at once
        (5120, 4096, "gfx942", (1, 1)),  # 9 pairs of rows for the busiest unit are more than 17 rows
        (4096, 14336, "gfx942", (1, 1)),  # a wave of a row has 28 accesses
        (4096, 14336, "gfx90a", (2, 2)),  # its cache has no room for the shared row besides
        (14336, 4096, "gfx90a", (4, 1)),
        (1024, 4096, "gfx90a", (2, 1)),  # 3 times 4 rows are more than 5 times 2
    ],
)
def test_rows_of_a_wave_share_a_row(n: int, k: int, target: str, wanted: tuple[int, int]) -> None:
    choice = choice_of(n, k, target)
    assert (choice.rows, choice.waves) == wanted


@pytest.mark.parametrize(
    ("n", "k", "target", "wanted"),
    [
        (1024, 4096, "gfx942", (1, 4)),  # 256 workgroups of four rows for 304 units, and not 1,024 of a row
        (4096, 4096, "gfx942", (1, 16)),
        (2560, 2560, "gfx942", (2, 8)),  # 160 units load the shared row once for two rows
        (5120, 5120, "gfx942", (1, 1)),  # 17 rows of the busiest unit are hardly more than 16.8
        (3072, 7168, "gfx942", (2, 8)),  # 16 waves that have a row each take more than the registers of a unit
        (14336, 4096, "gfx942", (2, 1)),  # no power of two divides the rows among 152 to 304 units
        (4096, 4096, "gfx950", (1, 1)),  # all units have as many rows anyway
        (1024, 4096, "gfx90a", (2, 1)),  # the cache of one of 64 units has no room for its loads
    ],
)
def test_units_have_as_many_rows_each(n: int, k: int, target: str, wanted: tuple[int, int]) -> None:
    choice = choice_of(n, k, target)
    assert (choice.rows, choice.teams) == wanted


def test_an_odd_number_of_rows_has_a_wave_for_each() -> None:
    assert choice_of(14337, 4096, "gfx950").rows == 1


@pytest.mark.parametrize(
    ("dims", "target", "choice", "is_alone"),
    [
        ("1024,4096", "gfx942", Row(1, 64, 1, 4, 8, 8), True),
        ("1024,65536", "gfx942", Row(1, 64, 1, 4, 8, 8), False),  # a loop reads parts of a row in turn
        ("256,4096", "gfx942", Row(1, 64, 1, 4, 8, 8), False),  # 64 of 304 units
        ("192,4096", "gfx1100", Row(1, 32, 1, 4, 8, 16), False),
    ],
)
def test_rows_of_a_unit_alone_have_no_parts(dims: str, target: str, choice: Row, is_alone: bool) -> None:
    graph = graph_of(f"x = @param:x -> f16, {{{dims}}}\no = reduce_sum[axes={{1}}](x)\n@return(o)\n")
    share = share_of(graph.work, choice, parse_target(target).target)
    assert ("units read as fast as all of them" in share.why) == is_alone


@pytest.mark.parametrize(
    ("n", "k", "target", "wanted"),
    [
        (14336, 4096, "gfx942", (4, 2, 4)),
        (14336, 2048, "gfx950", (4, 1, 4)),
        (4096, 14336, "gfx90a", (4, 4, 7)),  # four waves at most
        (4096, 4096, "gfx942", (2, 2, 4)),  # the busiest unit has 16 rows if waves have four, else 14
        (1024, 4096, "gfx950", (1, 1, 8)),  # a unit has four rows
    ],
)
def test_rows_of_bytes_share_a_row_of_halves(
    n: int,
    k: int,
    target: str,
    wanted: tuple[int, int, int],
) -> None:
    """{1,4096} by {4096,14336} of i8 with a scale for each column took 33,575 clocks on gfx942, and takes
    25,807."""
    text = f"""x = @param:x -> f16, {{1,{k}}}
    w = @param:w -> i8, {{{n},{k}}}
    scale = @param:scale -> f16, {{{n}}}
    whole = convert[target_type=f16](w)
    t = transpose[permutation={{1,0}}](whole)
    product = dot(x, t)
    y = mul(product, scale)
    @return(y)
    """
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    (launch,) = program.launches
    assert isinstance(launch.choice, Row)
    assert (launch.choice.rows, launch.choice.waves, launch.choice.repeat) == wanted
