"""A graph for given values of its named dims: its parameters get the sizes, and every type is inferred anew.

    x {n,1024}, y = reshape[dims={2*n,512}](x)      at n = 3: x {3,1024}, y {6,512}

The float64 reference runs the graph at the sizes of the arrays that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.needed import needed
from asmgen.graph.ops import LITERAL, PARAM, RESHAPE
from asmgen.index.size import Dim, Size, at
from asmgen.ir.program import (
    Attribute,
    Attributes,
    Module,
    Program,
    Statement,
    Value,
    literal_numbers,
    tensor_type,
)
from asmgen.ir.types import LaneType, TensorType


def is_named(program: Program) -> bool:
    """Whether a program has a size that only the launch knows."""
    return any(
        isinstance(size, Size)
        for module in program.modules
        for statement in module.statements
        for value in statement.results
        if isinstance(value.type, TensorType)
        for size in (*value.type.dims, *value.type.strides)
    )


def at_sizes(program: Program, values: Mapping[str, Dim]) -> Program:
    """The graph with the numbers or sizes of `values` for its named dims, without the statements that no
    result needs. Raises `InputError` if an op does not take the new dims."""
    return replace(program, modules=tuple([module_at(needed(module), values) for module in program.modules]))


def module_at(module: Module, values: Mapping[str, Dim]) -> Module:
    """`at_sizes` of a module."""
    builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])
    new: dict[Value, Value] = {}
    for statement in module.statements[:-1]:
        operands = tuple([new[operand] for operand in statement.operands])
        new[statement.result] = _statement_at(builder, statement, operands, values)
    last = module.statements[-1]
    return builder.finish(module.name, tuple([new[operand] for operand in last.operands]), last.place)


def type_at(type_: TensorType, values: Mapping[str, Dim]) -> TensorType:
    return TensorType(type_.element, at(type_.dims, values), at(type_.strides, values))


def parameter_at(parameter: Statement, values: Mapping[str, Dim]) -> Statement:
    """A `@param` with its dims at the given sizes."""
    type_ = parameter.result.type
    if isinstance(type_, LaneType):
        return parameter
    return replace(parameter, results=(Value(parameter.result.name, type_at(type_, values)),))


def _statement_at(
    builder: GraphBuilder, statement: Statement, operands: tuple[Value, ...], values: Mapping[str, Dim]
) -> Value:
    result = statement.result
    if statement.op is PARAM:
        assert isinstance(result.type, TensorType), "a graph's parameters are tensors"
        name, type_ = str(statement.attributes["name"]), type_at(result.type, values)
        return builder.param(result.name, name, type_, statement.place, statement.attributes)
    if statement.op is LITERAL:
        type_ = result.type if isinstance(result.type, LaneType) else type_at(result.type, values)
        return builder.literal(result.name, literal_numbers(statement), type_, statement.place)
    attributes = attributes_at(statement.attributes, values)
    if statement.op is RESHAPE and _has_new_zero(statement.attributes["dims"], attributes["dims"]):
        # a 0 would keep the operand's dim, and there are no elements
        return builder.literal(result.name, (), type_at(tensor_type(result), values), statement.place)
    return builder.apply(statement.op, operands, attributes, result.name, statement.place)


def _has_new_zero(before: Attribute, after: Attribute) -> bool:
    """Whether a size of the launch is 0."""
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    return any(isinstance(old, Size) and new == 0 for old, new in zip(before, after, strict=True))


def attributes_at(attributes: Attributes, values: Mapping[str, Dim]) -> Attributes:
    """Attributes with the named dims in their lists as numbers."""
    return {name: _attribute_at(value, values) for name, value in attributes.items()}


def _attribute_at(value: Attribute, values: Mapping[str, Dim]) -> Attribute:
    if not isinstance(value, tuple):
        return value
    return tuple([at((item,), values)[0] if isinstance(item, Size) else item for item in value])
