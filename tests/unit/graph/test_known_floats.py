"""Roots of literals as literals."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import LITERAL
from asmgen.graph.rewritings.known_floats import with_known_floats
from asmgen.ir.program import definitions

TEXT = """d = @literal{NUMBER} -> f32, {}
one = @literal{1.0} -> f32, {}
root = sqrt(d)
scale = div(one, root)
@return(scale)
"""


def scale_of(number: str) -> object:
    """The literal that the scale becomes, or the op that computes it."""
    (module,) = parse(TEXT.replace("NUMBER", number), "scale.gen").modules
    made = with_known_floats(module)
    scale = definitions(made)[made.statements[-1].operands[0]]
    return scale.attributes["values"] if scale.op is LITERAL else scale.op.name


@pytest.mark.parametrize("number", ["64.0", "96.0", "1e-40"])
def test_each_op_is_rounded_once(number: str) -> None:
    root = np.sqrt(np.float32(number))
    assert scale_of(number) == (float(np.float32(1) / root),)


@pytest.mark.parametrize("number", ["0.0", "-1.0", "inf", "nan"])
def test_numbers_with_rules_of_their_own_stay(number: str) -> None:
    assert scale_of(number) == "div"
