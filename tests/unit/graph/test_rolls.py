"""`roll`, and concats of two parts of a value that change places, which become rolls."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import ROLL
from asmgen.graph.rewritings.rolls import with_rolls
from isa.diagnostics import InputError

PARTS = """x = @param:x -> f32, {{4,10}}
a = slice[axes={axes}, starts={{{first}}}, ends={{{last}}}](x)
b = slice[axes={{1}}, starts={{0}}, ends={{{other}}}](x)
y = concat[axis=-1](a, b)
@return(y)
"""


def shifts(text: str) -> list[object]:
    """The shifts of the rolls that a program becomes."""
    (module,) = parse(text, "rolls.gen").modules
    return [statement.attributes["shifts"] for statement in with_rolls(module).statements if statement.op is ROLL]


@pytest.mark.parametrize(
    ("first", "last", "other", "wanted"),
    [(7, 10, 7, [(3,)]), (-3, 99, -3, [(3,)]), (7, 9, 7, []), (7, 10, 8, []), (8, 10, 7, []), (0, 10, 0, [(10,)])],
)
def test_parts_that_change_places_are_a_roll(first: int, last: int, other: int, wanted: list[object]) -> None:
    assert shifts(PARTS.format(axes="{1}", first=first, last=last, other=other)) == wanted


def test_parts_along_another_axis_are_none() -> None:
    assert shifts(PARTS.format(axes="{0}", first=0, last=4, other=7).replace("{7}", "{10}")) == []


def test_parts_of_two_values_are_none() -> None:
    text = PARTS.format(axes="{1}", first=7, last=10, other=7).replace("a =", "z = @param:z -> f32, {4,10}\na =")
    assert shifts(text) != []
    assert shifts(text.replace("ends={7}](x)", "ends={7}](z)")) == []


@pytest.mark.parametrize("shift", [0, 1, -1, 3, 1023, 1024, -5000])
@pytest.mark.parametrize(("element", "target"), [("f32", "gfx942"), ("f16", "gfx1100"), ("i8", "gfx1201"), ("f64", "gfx90a")])
def test_rolls_are_those_of_numpy(shift: int, element: str, target: str) -> None:
    text = f"x = @param:x -> {element}, {{3,1023}}\ny = roll[axes={{-1,0}}, shifts={{{shift},2}}](x)\n@return(y)\n"
    x = np.arange(3 * 1023).reshape(3, 1023).astype({"f32": "f4", "f16": "f2", "i8": "i1", "f64": "f8"}[element])
    (y,) = asmgen.compile(text, target=target)(x, device="emulator")
    assert np.array_equal(y, np.roll(x, (shift, 2), (-1, 0)))


@pytest.mark.parametrize(
    ("dims", "attributes", "words"),
    [
        ("{4,10}", "axes={0,1}, shifts={1}", r"GEN303.*shifts is \{1\}, wanted 2 numbers"),
        ("{4,10}", "axes={0,0}, shifts={1,2}", "GEN303.*wanted each axis once"),
        ("{n,10}", "axes={0}, shifts={1}", "GEN903.*only the launch knows dim 0"),
    ],
)
def test_bad_shifts(dims: str, attributes: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        _ = parse(f"x = @param:x -> f32, {dims}\ny = roll[{attributes}](x)\n@return(y)\n", "rolls.gen")


@pytest.mark.parametrize(("shift", "least"), [(3, 3), (-4, 4), (1, 0), (-1, 0)])
def test_a_dim_of_the_launch_has_as_many_elements_as_the_shift(shift: int, least: int) -> None:
    """Two slices are numpy's roll only then: {1,2} by 3 was wrong."""
    dims = asmgen.spec("f32", ("n", "m"))
    program = asmgen.compile(lambda x: np.roll(x, shift, axis=1), target="gfx942", inputs=[dims])
    for m in (0, 1, 2, 3, 4, 5, 9):
        x = np.arange(2 * m, dtype=np.float32).reshape(2, m)
        if 0 < m < least:
            with pytest.raises(InputError, match="CALL010"):
                _ = program(x, device="emulator")
        else:
            np.testing.assert_array_equal(program(x, device="emulator")[0], np.roll(x, shift, axis=1))
