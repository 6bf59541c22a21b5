"""Text of layouts: printed layouts read back, wrong layouts are refused with the rule."""

from __future__ import annotations

import pytest

from asmgen.blockwise.layout.layout import Holder, Layout, layout
from asmgen.blockwise.layout.text import print_layout
from isa.diagnostics import InputError, InternalError
from tests.layouts import read

TILE = "reg(0:1 0:2 1:0 2:0) lane(0:4 0:8 0:16 0:32 0:64 0:128)"  # the first example of the layout's docstring


def test_the_example() -> None:
    made = read(TILE)
    assert made == layout((4, 256), (1, 2, 256, 512), (4, 8, 16, 32, 64, 128))
    assert print_layout(made) == TILE
    assert made.shape == (4, 256)
    assert made.element(Holder(5, 3, 0)) == (1, 13)


def test_repeat_is_any_number_and_a_power_of_two_is_registers() -> None:
    five = read("reg(0:1) lane(0:2 0:4) repeat(1:5)")
    assert (five.shape, five.register_count) == ((1, 40), 10)
    assert five.element(Holder(7, 1, 0)) == (0, 8 * 3 + 1 + 2)
    assert read("reg(0:1) lane(0:2) repeat(3:4)").element(Holder(2 * 6 + 1, 1, 0)) == (1, 4 * 2 + 3)
    assert read("reg(0:1) lane(0:2) repeat(2:4)") == read("reg(0:1 0:4 0:8 1:0) lane(0:2)")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("reg(1 1)", "register bit 0 and register bit 1 have the same basis 1"),
        ("reg(0:1) lane(1:0) wave(0:1)", "register bit 0 and wave bit 0 have the same basis 0:1"),
        (
            "reg(1 2) lane(3)",
            "lane bit 0 has the basis 3, but the 2 bits of the tile of (4,) have their holders already",
        ),
        ("reg(1 2 3 8)", "the basis 3 of register bit 2 is the XOR of others"),
        ("reg(1 4)", "no holder has the element 2 of the tile of (8,)"),
        ("reg(0:1 2)", "the basis 2 has 1 coordinates, wanted 2"),
        ("reg(1) repeat(0)", "wanted a count of at least 1"),
        ("reg(1) repeat(2 3)", "repeat has 2 groups"),
        ("reg(1) repeat(1:2)", "the basis 1 has 1 coordinates, wanted 2"),
        ("reg(-1)", "got '-1', wanted a whole number"),
        ("reg(99999999999)", "wanted a whole number below"),
        ("lane", "wanted a layout"),
        ("reg(" + "0 " * 65 + ")", "65 bases, wanted at most 64"),
    ],
)
def test_a_broken_rule_is_named(text: str, rule: str) -> None:
    with pytest.raises(InputError) as raised:
        _ = read(text)
    assert rule in str(raised.value)
    assert str(raised.value).startswith("layout.gen:1:")


def test_a_basis_outside_the_tile_is_our_own_fault() -> None:
    with pytest.raises(InternalError, match="the basis of lane bit 0 is outside the tile"):
        _ = layout((4,), (1, 2), (4,))
    assert hash(layout((4,), (1, 2))) == hash(Layout((4,), (1, 2)))
