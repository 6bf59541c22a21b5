"""Rows of ops are found by name, and ops that are not lowered are refused. (test_parser.py compares the rows with the page.)"""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS, check_supported, graph_op
from isa.diagnostics import InputError, InternalError


def test_no_op_lowers_a_type_that_it_does_not_take() -> None:
    assert all(op.lowered <= op.types for op in GRAPH_OPS.values())


def test_a_row_is_found_by_name() -> None:
    assert graph_op("add") is GRAPH_OPS["add"]
    with pytest.raises(InternalError):
        _ = graph_op("load")


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        (
            "x = @param:x -> {4,4}\ny = dot_general[lhs_contract={1}, rhs_contract={0}](x, x)\n@return(y)",
            "GEN901",
            "t.gen:2:1",
            "dot_general is not lowered yet, wanted an op that is",
        ),
    ],
)
def test_what_is_not_lowered_is_refused_at_its_place(text: str, code: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_supported(parse(text, "t.gen"))
    assert str(caught.value).startswith(f"{place}: error[{code}]: ")
    assert message in caught.value.message


def test_what_is_lowered_passes() -> None:
    text = "x = @param:x -> f16, {4}\ny = exp(x)\nz = less(x, y)\nw = not(z)\nl = @literal{3} -> i32, {}\nv = div(l, l)\n@return(w, v, y)"
    check_supported(parse(text, "t.gen"))
