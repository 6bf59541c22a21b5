"""The instructions and the bytes of operands that compute an element of a factor of a matrix product."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod

from asmgen.blockwise.schedules.elements.maps import is_chosen, moves
from asmgen.blockwise.schedules.tiles.halves import halves
from asmgen.graph.ops import CONCAT, LITERAL, PAD, PARAM, UNPACK
from asmgen.index.size import Dim, most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import computed
from isa.named_tuple import NamedTuple

_OF_PAIRS = 0.5  # an instruction computes two elements of f16
_PLANNED = 4096  # elements along a dim that only the launch knows


class Work(NamedTuple):
    """The elements of a factor, the instructions for each of them, the bytes of all operands, and of the
    operands of an element, and whether elements are unpacked from a few bits each."""

    elements: int
    issues: float
    read: int
    of_element: int
    unpacks: bool


def work_of(defined: Mapping[Value, Statement], value: Value, launched: Collection[Value] = ()) -> Work:
    """The work of a value that is computed from parameters and from the values in `launched`. An operand with
    fewer elements, such as a scale of each row, is read and computed as often as it has elements."""
    made, elements = _made(defined, value, launched), planned_elements(value)
    packed = halves(made)
    issues, read, of_element = 0.0, 0, 0
    for each, statement in made.items():
        share = min(1.0, planned_elements(each) / max(1, elements))
        if each in launched or statement.op in (PARAM, LITERAL):
            size = tensor_type(each).element.bytes
            read += min(elements, planned_elements(each)) * size
            of_element += size if share >= 0.5 else 0
        elif each in packed:
            issues += share * _OF_PAIRS
        elif statement.op in (CONCAT, PAD):
            issues += share * 2 * len(statement.operands)
        elif not moves(statement) and not is_chosen(statement):
            issues += share * statement.op.issues
    element = tensor_type(value).element
    is_rounded = computed(element) is not element and value not in packed
    unpacks = any(statement.op is UNPACK for statement in made.values())
    return Work(elements, issues + is_rounded, read, of_element, unpacks)


def _made(
    defined: Mapping[Value, Statement], value: Value, launched: Collection[Value]
) -> dict[Value, Statement]:
    """The statements that make a value from buffers, in the order of the graph."""
    reached: set[Value] = set()
    pending = [value]
    while pending:
        each = pending.pop()
        if each in reached:
            continue
        reached.add(each)
        if each not in launched:
            pending.extend(defined[each].operands)
    return {each: statement for each, statement in defined.items() if each in reached}


def operands_of(defined: Mapping[Value, Statement], value: Value, launched: Collection[Value]) -> list[Value]:
    """The parameters and the values in `launched` that a value is computed from."""
    made = _made(defined, value, launched)
    return [each for each, statement in made.items() if each in launched or statement.op is PARAM]


def planned_elements(value: Value) -> int:
    """The elements of a value, with some number for a dim that only the launch knows."""
    return prod([planned_dim(dim) for dim in tensor_type(value).dims])


def planned_dim(dim: Dim) -> int:
    return dim if isinstance(dim, int) else min(most(dim), _PLANNED)
