"""The result type of a loop over a body of single elements (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_element, fail, one_integer
from asmgen.graph.infer.elementwise import element_by_element
from asmgen.ir.program import Attributes, Op
from isa.diagnostics import Place


def iterate(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """The type of the carried value that is the result. The reader of a text checks the body after the
    operands."""
    for index, type_ in enumerate(types):
        check_element(op, type_, index, place)
    result = one_integer(op, attributes, "result", place)
    if not 0 <= result < len(types):
        fail(
            op, place, "GEN303", f"result is {result}, wanted 0 to {len(types) - 1}, the number of an operand"
        )
    return element_by_element(op, types, types[result].element, place)
