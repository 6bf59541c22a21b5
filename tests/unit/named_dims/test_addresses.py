"""Buffers of several named dims take offsets of 32 bits, since a launch with a larger buffer is refused."""

from __future__ import annotations

import re

import pytest

from asmgen import compile as compile_source

SUM = """
x = @param:x -> f32, {{{dims}}}
b = @param:b -> f32, {{{row}}}
y = add(x, b)
@return(y)
"""
REVERSED = """
x = @param:x -> f32, {n,m}
y = reverse[axes={1}](x)
@return(y)
"""


def _assembly(text: str, target: str) -> str:
    return "\n".join(kernel.assembly for kernel in compile_source(text, target).kernels)


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
@pytest.mark.parametrize(("dims", "row", "is_far"), [("n,m", "m", False), ("40000,40000", "40000", True)])
def test_offsets_of_two_named_dims_have_32_bits(target: str, dims: str, row: str, is_far: bool) -> None:
    accesses = re.findall(r"global_(?:load|store)\w* .*", _assembly(SUM.format(dims=dims, row=row), target))
    assert accesses and any(", off" in access for access in accesses) == is_far


def test_an_offset_below_the_sum_is_added() -> None:
    """The sum without the offset may be 2^32: with an immediate it would wrap before it comes down."""
    assert "offset:-" not in _assembly(REVERSED, "gfx942")
    assert "offset:-" in _assembly(REVERSED.replace("n,m", "64,m"), "gfx942")
