"""Calls of a graph by another: `op` calls a module, `pointwise` computes a module for each element.

    module @scaled {                                   y = op[module=scaled](x, s)
      a = @param:a -> {4,5}                            y = op(x, s) (a, b) {
      b = @param:b -> {5}                                m = mul(a, b)
      m = mul(a, b)                                      @return(m)
      @return(m)                                       }
    }

A call is read as the statements of the module. A called module is not a program of the file. A module that
`pointwise` calls has pointwise ops only, and its parameters may be single elements, like the operands of
pointwise ops. Named dims of a module are its own: each call may have other names, or numbers, for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import IDENTITY, LITERAL, PARAM
from asmgen.index.size import Dim, Size
from asmgen.ir.named_dims import named_dims
from asmgen.ir.program import Module, Value, literal_numbers, tensor_type
from asmgen.ir.shapes import format_type
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple


class Call(NamedTuple):
    """How an op calls a module: `is_pointwise` element by element."""

    name: str
    is_pointwise: bool


CALLS = {call.name: call for call in (Call("op", False), Call("pointwise", True))}


def inline(
    builder: GraphBuilder,
    call: Call,
    module: Module,
    operands: tuple[Value, ...],
    names: Sequence[str],
    place: Place,
) -> tuple[Value, ...]:
    """Add the statements of a module for some operands; returns its results under the given names.

    Raises `InputError` GEN021 if operands or names do not fit the module.
    """
    fitted = _fitted(module, operands, names, place)
    for parameter, operand in zip(_parameters(fitted), operands, strict=True):
        _check(call, fitted, parameter, operand, place)
    new = _written(builder, call, fitted, operands, names, place)
    results: list[Value] = []
    for value, name in zip(fitted.statements[-1].operands, names, strict=True):
        made = new[value]
        results.append(made if made.name == name else builder.apply(IDENTITY, (made,), {}, name, place))
    return tuple(results)


def _parameters(module: Module) -> list[Value]:
    return [statement.result for statement in module.statements if statement.op is PARAM]


def _fitted(module: Module, operands: Sequence[Value], names: Sequence[str], place: Place) -> Module:
    """The module with the dims of the call in place of its own named dims, if operands and names are as many
    as it has."""
    parameters, returned = _parameters(module), module.statements[-1].operands
    if len(parameters) != len(operands):
        raise _misfit(place, f"{module.name} is given {len(operands)} operands, wanted {len(parameters)}")
    if len(names) != len(returned):
        raise _misfit(
            place, f"{module.name} gives {len(returned)} results, wanted as many names and not {len(names)}"
        )
    other = _other_dims(parameters, operands)
    if not other:
        return module
    from asmgen.graph.at_sizes import module_at

    return module_at(module, other)


def _written(
    builder: GraphBuilder, call: Call, module: Module, operands: Sequence[Value], names: Sequence[str],
    place: Place,
) -> dict[Value, Value]:  # fmt: skip
    """Write the statements of a module; the new value of each of its values. A value that is returned twice
    gets the first of its names."""
    new = dict(zip(_parameters(module), operands, strict=True))
    wanted = dict(zip(module.statements[-1].operands[::-1], names[::-1], strict=True))
    for statement in module.statements[:-1]:
        if statement.op is PARAM:
            continue
        if call.is_pointwise and not statement.op.pointwise and statement.op is not LITERAL:
            raise _misfit(place, f"{module.name} has {statement.op.name}, wanted pointwise ops alone")
        value = statement.result
        name = wanted.get(value) or builder.fresh(value.name)
        given = tuple([new[operand] for operand in statement.operands])
        if statement.op is LITERAL:
            numbers = literal_numbers(statement)
            new[value] = builder.literal(name, numbers, value.type, statement.place)
        else:
            new[value] = builder.apply(statement.op, given, statement.attributes, name, statement.place)
    return new


def _other_dims(parameters: Sequence[Value], operands: Sequence[Value]) -> dict[str, Dim]:
    """The dims of a call for the named dims of a module that have another name or a number there."""
    named = named_dims([tensor_type(parameter) for parameter in parameters])
    other: dict[str, Dim] = {}
    for parameter, operand in zip(parameters, operands, strict=True):
        wanted, have = tensor_type(parameter).dims, tensor_type(operand).dims
        if len(wanted) == len(have):
            for dim, given in zip(wanted, have, strict=True):
                if isinstance(dim, Size) and str(dim) in named:
                    _ = other.setdefault(str(dim), given)
    return {name: given for name, given in other.items() if str(given) != name}


def _check(call: Call, module: Module, parameter: Value, operand: Value, place: Place) -> None:
    wanted, have = tensor_type(parameter), tensor_type(operand)
    fits = wanted.dims == have.dims or (call.is_pointwise and wanted.elements == 1)
    if wanted.element is not have.element or not fits:
        got, needed = format_type(have), format_type(wanted)
        raise _misfit(place, f"{parameter.name} of {module.name} is {operand.name}, {got}, wanted {needed}")


def _misfit(place: Place, message: str) -> InputError:
    return InputError(place, "GEN021", message)
