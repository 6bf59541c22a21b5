"""Arguments that the caller gives away: a result may be written to the memory of a donated argument.

a = @param:a[donated=true, result=0] -> f32, {8}     result 0
b = @param:b[donated=true] -> f32, {8}               any result of the same type and sizes
"""

from __future__ import annotations

from asmgen.graph.ops import PARAM
from asmgen.ir.program import Module, Statement, argument_name
from asmgen.ir.shapes import format_type
from asmgen.ir.types import TensorType, row_major
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple


class Donation(NamedTuple):
    """A donated argument, and the number of the result that is to be in its memory; None if any may be."""

    parameter: str
    result: int | None
    place: Place | None = None


def donations(module: Module) -> list[Donation]:
    """The donated arguments, in their order."""
    return [
        Donation(argument_name(statement), _result_of(statement), statement.place)
        for statement in module.statements
        if statement.op is PARAM and statement.attributes.get("donated") is True
    ]


def _result_of(statement: Statement) -> int | None:
    result = statement.attributes.get("result")
    return result if isinstance(result, int) else None


def check_donations(module: Module) -> None:
    """`InputError` DON001 for a result that the module does not have, DON002 for two arguments of a result,
    DON003 for a result of another type or other sizes."""
    results = module.statements[-1].operands
    taken: dict[int, str] = {}
    for statement in module.statements:
        number = _result_of(statement) if statement.op is PARAM else None
        if number is None:
            continue
        name = argument_name(statement)
        place = statement.place or name
        if not 0 <= number < len(results):
            message = f"{name} is donated to result {number}, wanted a result from 0 to {len(results) - 1}"
            raise InputError(place, "DON001", message)
        if number in taken:
            message = f"{name} is donated to result {number}, as {taken[number]} is, wanted one argument"
            raise InputError(place, "DON002", message)
        taken[number] = name
        given, made = statement.result.type, results[number].type
        assert isinstance(given, TensorType) and isinstance(made, TensorType), "a graph has tensors"
        if given[:2] != made[:2] or given.strides != row_major(given.dims):
            message = f"{name} is {format_type(given)}, and result {number} is {format_type(made)}"
            help = "an argument is donated to a result of its type and sizes, and is row-major"
            raise InputError(place, "DON003", f"{message}, wanted the same", help=help)
