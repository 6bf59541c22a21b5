"""Small tables of floats that follow from no argument, as literals: the weights of an interpolation, say.

    i = iota[axis=0, out_lens={5}]
    f = convert[target_type=f32](i)
    a = add(f, half)
    b = mul(a, ratio)
    w = sub(b, half)                becomes   w = @literal{-0.2,0.4,1,1.6,2.2} -> f32, {5}
    y = mul(x, w)

A number of a table is loaded; otherwise each element of y would compute it.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.frontends.tensors.known_numbers import numbers_of
from asmgen.graph.ops import IOTA, LITERAL
from asmgen.ir.constants import of_array
from asmgen.ir.program import Attributes, Module, Statement, Value, definitions, tensor_type

_LEAST_STATEMENTS = 4  # with floats as results: fewer take about as many instructions as a load
_MOST_ELEMENTS = 256


def with_known_tables(module: Module) -> Module:
    """The module with such literals; statements that become unused stay."""
    defined = definitions(module)
    unknown = _unknown(module)
    tables: dict[Value, Statement] = {}
    for statement in module.statements:
        if not statement.op.pointwise or unknown.isdisjoint(statement.operands):
            continue
        for operand in statement.operands:
            source = operand if operand in unknown else _smallest(operand, defined)
            if source not in unknown and source not in tables and _is_long(source, defined):
                numbers = numbers_of(source, defined.get)
                if numbers is not None:
                    attributes: Attributes = {"values": of_array(numbers)}
                    place = defined[source].place
                    tables[source] = Statement(LITERAL, (), (source,), attributes, (), place)
    if not tables:
        return module
    changed = [tables.get(each.results[0], each) if each.results else each for each in module.statements]
    return Module(module.name, tuple(changed))


def _unknown(module: Module) -> set[Value]:
    """The values that follow from an argument."""
    unknown: set[Value] = set()
    for statement in module.statements:
        is_source = not statement.operands and statement.op not in (LITERAL, IOTA)
        if is_source or not unknown.isdisjoint(statement.operands):
            unknown.update(statement.results)
    return unknown


def _smallest(value: Value, defined: Mapping[Value, Statement]) -> Value:
    """The value that a value moves or repeats."""
    while len(defined[value].operands) == 1 and not defined[value].op.pointwise:
        (value,) = defined[value].operands
    return value


def _is_long(value: Value, defined: Mapping[Value, Statement]) -> bool:
    """Whether floats are few, and computed from several others."""
    count = tensor_type(value).elements
    if not value.type.element.is_float or not isinstance(count, int) or not 1 < count <= _MOST_ELEMENTS:
        return False
    pending, seen, statements = [value], {value}, 0
    while pending and statements < _LEAST_STATEMENTS:
        statement = defined[pending.pop()]
        statements += statement.op.pointwise and statement.result.type.element.is_float
        pending += [operand for operand in statement.operands if operand not in seen]
        seen.update(statement.operands)
    return statements >= _LEAST_STATEMENTS
