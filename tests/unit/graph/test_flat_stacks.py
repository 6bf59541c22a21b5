"""Reshapes of concats that merge the axis of the concat, which become concats of the operands."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import CONCAT
from asmgen.graph.rewritings.flat_stacks import with_flat_stacks
from asmgen.ir.program import definitions, tensor_type
from asmgen.ir.shapes import format_list

TEXT = """x = @param:x -> f32, {{4,33}}
y = @param:y -> f32, {{4,66}}
a = reshape[dims={{4,1,33}}](x)
b = reshape[dims={{4,2,33}}](y)
c = concat[axis={axis}]({parts})
r = reshape[dims={{{dims}}}](c)
@return(r)
"""


@pytest.mark.parametrize(
    ("axis", "parts", "dims", "wanted"),
    [
        (1, "a, b", "4,99", "{4,33} {4,66} 1"), (1, "b, a, b", "4,1,165", "{4,1,66} {4,1,33} {4,1,66} 2"),
        (1, "a, b", "2,2,3,33", "{2,2,1,33} {2,2,2,33} 2"), (0, "a, a", "8,33", "{4,33} {4,33} 0"),
        (0, "b, b", "528", "{264} {264} 0"), (-1, "a, a", "4,66", "{4,33} {4,33} 1"), (2, "b, b", "8,66", "{8,33} {8,33} 1"),
        (2, "b, b", "4,132", None), (1, "a, b", "12,33", None), (1, "a, b", "4,11,9", None),
    ],
)  # fmt: skip
def test_operands_are_reshaped_first(axis: int, parts: str, dims: str, wanted: str | None) -> None:
    """The dims of the operands and the axis of the concat that gives the result."""
    module = with_flat_stacks(parse(TEXT.format(axis=axis, parts=parts, dims=dims), "stacks.gen").modules[0])
    made = definitions(module)[module.statements[-1].operands[0]]
    shown = " ".join([format_list(tensor_type(each).dims) for each in made.operands])
    assert (f"{shown} {made.attributes['axis']}" if made.op is CONCAT else None) == wanted


def test_results_are_those_of_numpy() -> None:
    x, y = np.arange(132, dtype=np.float32).reshape(4, 33), np.arange(264, dtype=np.float32).reshape(4, 66)
    (flat,) = asmgen.compile(TEXT.format(axis=0, parts="b, b", dims="528"), target="gfx942")(x, y, device="emulator")
    assert np.array_equal(flat, np.concatenate([y, y]).ravel())
    (rows,) = asmgen.compile(TEXT.format(axis=1, parts="b, a", dims="4,99"), target="gfx1100")(x, y, device="emulator")
    assert np.array_equal(rows, np.concatenate([y, x], 1))
