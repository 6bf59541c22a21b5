"""The body of a loop, as a module on single elements.

    a, b -> @return(more, next_a, next_b)     of `iterate`: whether there is a trip, and the next values

Its parameters and results are tensors of rank 0, so that a body does not depend on the dims of the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.infer.checks import fail
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.ir.program import Body, Module, Op, Statement, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import BOOL, ElementType, TensorType
from asmgen.text.cursor import counted
from isa.diagnostics import InputError, Place


def body_of(module: Module) -> Body:
    """A module as a body; its text numbers the values."""
    numbers: dict[Value, int] = {}
    lines: list[str] = []
    for statement in module.statements:
        for result in statement.results:
            numbers[result] = len(numbers)
        given = ",".join([str(numbers[operand]) for operand in statement.operands])
        attributes = "" if statement.op is PARAM else repr(statement.attributes)
        types = ",".join([format_type(result.type) for result in statement.results])
        lines.append(f"{statement.op.name}{attributes}({given}){types}")
    return Body(module, ";".join(lines))


def of_attributes(statement: Statement) -> Body:
    """The body that a statement of a loop has."""
    body = statement.attributes["body"]
    assert isinstance(body, Body), "the reader has checked it"
    return body


def carried_number(statement: Statement) -> int:
    """The number of the carried value that a loop's statement gives."""
    number = statement.attributes["result"]
    assert isinstance(number, int), "the reader has checked it"
    return number


def parameters_of(body: Body) -> tuple[Value, ...]:
    return tuple([each.result for each in body.module.statements if each.op is PARAM])


def computed_of(body: Body) -> tuple[Statement, ...]:
    """The statements between the parameters and the end."""
    return tuple([each for each in body.module.statements[:-1] if each.op is not PARAM])


def returned_of(body: Body) -> tuple[Value, ...]:
    return body.module.statements[-1].operands


def needed_for(body: Body, wanted: Sequence[Value]) -> tuple[Statement, ...]:
    """The statements that some values need, in order."""
    needed, kept = set(wanted), list[Statement]()
    for statement in reversed(computed_of(body)):
        if not needed.isdisjoint(statement.results):
            kept.append(statement)
            needed.update(statement.operands)
    return tuple(reversed(kept))


def check_trip(op: Op, body: Body, elements: Sequence[ElementType], place: Place | None) -> None:
    """A trip of `iterate` takes values of these types, and returns a bool and values of the same types.
    Raises `InputError` GEN304."""
    for statement in computed_of(body):
        if statement.op is not LITERAL and not statement.op.pointwise:
            raise InputError(
                statement.place or place or op.name, "GEN304",
                f"the body of {op.name} has {statement.op.name}, wanted pointwise ops and literals alone",
            )  # fmt: skip
    parameters, returned = parameters_of(body), returned_of(body)
    if len(parameters) != len(elements):
        got = counted(len(parameters), "parameter")
        fail(
            op,
            place,
            "GEN304",
            f"the body has {got}, wanted as many as the {counted(len(elements), 'operand')}",
        )
    wanted = (BOOL, *elements)
    if len(returned) != len(wanted):
        got = counted(len(returned), "value")
        fail(op, place, "GEN304", f"the body returns {got}, wanted a bool and {len(elements)} next values")
    for number, (value, element) in enumerate(zip(returned, wanted, strict=True)):
        rank = value.type.rank if isinstance(value.type, TensorType) else 0
        if value.type.element is not element or rank:
            got = format_type(value.type)
            fail(op, place, "GEN304", f"the body returns {got} as value {number + 1}, wanted {element}, {{}}")
    for parameter, element in zip(parameters, elements, strict=True):
        if parameter.type.element is not element:
            message = f"{parameter.name} of the body is {parameter.type.element}, wanted {element}"
            fail(op, place, "GEN304", message)
