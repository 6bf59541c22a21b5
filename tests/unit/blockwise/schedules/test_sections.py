"""How many elements a lane takes where rows end within vectors."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.work import Graph
from asmgen.gentext.parser import parse


def vector_of(shape: str, other: str, op: str = "add(x, b)") -> int:
    text = f"x = @param:x -> f32, {shape}\nb = @param:b -> f32, {other}\no = {op}\n@return(o)\n"
    (section,) = Graph(parse(text, "t").modules[0]).sections
    return section.vector(4)


@pytest.mark.parametrize(
    ("shape", "other", "wanted"),
    [
        ("{40,1023}", "{1023}", 4),  # x is contiguous over both dims: one access, and b is gathered
        ("{40,50257}", "{40,1}", 4),
        ("{40,7}", "{7}", 4),
        ("{40,3}", "{3}", 2),  # four would have two ends of rows in them
        ("{40,6}", "{6}", 4),
    ],
)
def test_rows_may_end_within_a_vector(shape: str, other: str, wanted: int) -> None:
    assert vector_of(shape, other) == wanted


def test_what_is_nowhere_contiguous_is_read_as_before() -> None:
    assert vector_of("{7,40}", "{40,7}", "transpose[permutation={1,0}](x)") == 1
