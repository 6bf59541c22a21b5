"""The rows of a wave if each is multiplied by the same row."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import Row
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from isa.targets import parse_target


def rows_of_wave(n: int, k: int, target: str, element: str = "f16") -> tuple[int, int]:
    """The rows of a wave and the waves of a row of {1,k} by {n,k} turned."""
    text = f"""x = @param:x -> {element}, {{1,{k}}}
    w = @param:w -> {element}, {{{n},{k}}}
    t = transpose[permutation={{1,0}}](w)
    y = dot(x, t)
    @return(y)
    """
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    (launch,) = program.launches
    assert isinstance(launch.choice, Row)
    return launch.choice.rows, launch.choice.waves


@pytest.mark.parametrize(
    ("n", "k", "target", "wanted"),
    [
        (14336, 4096, "gfx950", (2, 1)),  # a wave of a row has 8 accesses, and more waves follow
        (4096, 4096, "gfx950", (1, 1)),  # all waves run at once
        (6144, 4096, "gfx942", (1, 1)),  # 11 pairs of rows for the busiest unit are more than 21 rows
        (4096, 14336, "gfx942", (1, 1)),  # a wave of a row has 28 accesses
        (4096, 14336, "gfx90a", (2, 2)),  # its cache has no room for the shared row besides
        (14336, 4096, "gfx90a", (4, 1)),
        (1024, 4096, "gfx90a", (2, 1)),  # 3 times 4 rows are more than 5 times 2
    ],
)
def test_rows_of_a_wave_share_a_row(n: int, k: int, target: str, wanted: tuple[int, int]) -> None:
    assert rows_of_wave(n, k, target) == wanted


def test_an_odd_number_of_rows_has_a_wave_for_each() -> None:
    assert rows_of_wave(14337, 4096, "gfx950")[0] == 1
