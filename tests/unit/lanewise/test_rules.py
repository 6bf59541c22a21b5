"""Numbers of results in texts of lanewise: each result of the file is given back once."""

from __future__ import annotations

import pytest

from asmgen import lanewise
from asmgen.compiler import check_lanes
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from isa.diagnostics import InputError

KERNEL = """module @{name} {{
  launch[grid={{1,1,1}}, block={{64,1,1}}{results}]
  o = @param:{buffer} -> f32, {{64}}
  lane = local_id -> u32
  one = @literal{{1.0}} -> f32
  store(o, lane, one)
  @return(o)
}}
"""


def held(*results: str) -> None:
    kernels = [
        KERNEL.format(name=f"k{number}", buffer=f"o{number}", results=f", results={{{stated}}}" if stated else "")
        for number, stated in enumerate(results)
    ]
    check_lanes(parse("stage lanewise gfx942\n" + "".join(kernels), "k.gen"))


@pytest.mark.parametrize("results", [("",), ("0",), ("1", "0"), ("-1", "0"), ("", "1")])
def test_numbers_that_are_taken_once_are_held(results: tuple[str, ...]) -> None:
    held(*results)


@pytest.mark.parametrize(
    ("results", "line", "wanted"),
    [
        (("5",), 3, "result 5 is given back of 1, wanted 0 to 0, each once"),
        (("-7",), 3, "result -7 is given back of 1"),
        (("0,1",), 3, "got 2 numbers in `results`, wanted 1: a number for each buffer"),
        (("-1",), 3, "no kernel gives a result back"),
        (("", ""), 11, "result 0 is given back by two launches, wanted 0 to 1, each once"),
    ],
)
def test_others_are_refused_at_their_launch(results: tuple[str, ...], line: int, wanted: str) -> None:
    with pytest.raises(InputError, match=wanted) as raised:
        held(*results)
    assert str(raised.value).startswith(f"k.gen:{line}:3: error[GEN123]")


def test_the_example_of_the_package_is_one() -> None:
    lines = [line[4:] for line in (lanewise.__doc__ or "").splitlines() if line.startswith("    ")]
    text = "\n".join(lines) + "\n"
    program = parse(text, "squares.gen")
    check_lanes(program)
    assert print_program(program) == text


STEP = """stage final gfx942
module @k {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  o = @param:o -> f32, {{64}}
  lane = local_id -> u32
  one = @literal{{1.0}} -> f32
  x = load(o, lane) -> f32
  y = lane_step[way=reduce, combined={combined}](x, one) -> f32
  store(o, lane, y)
  @return(o)
}}
"""


@pytest.mark.parametrize("combined", [1, 2, 32])
def test_a_step_combines_groups_of_lanes(combined: int) -> None:
    _ = parse(STEP.format(combined=combined), "k.gen")


@pytest.mark.parametrize("combined", [0, 3, 64])
def test_a_step_of_another_number_of_lanes_is_refused(combined: int) -> None:
    """Of 64 combined lanes no wave has a second group."""
    with pytest.raises(InputError, match=f"combined is {combined}, wanted one of"):
        _ = parse(STEP.format(combined=combined), "k.gen")
