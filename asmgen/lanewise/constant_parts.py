"""Moves the constant part of an index into the offset of its access.

    i_1 = add(i, one)                         a = load[offset=0](x, i)
    a = load[offset=0](x, i)       becomes    b = load[offset=4](x, i)
    b = load[offset=0](x, i_1)

Accesses of neighbours then have the same index, so they are joined (`joined_loads`, `joined_stores`). The
sum must not pass 32 bits, as the machine adds the offset to 64 bits: i is bounded, or a multiple of a power
of two above the constant.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Statement, Value, tensor_type, with_regions
from asmgen.ir.types import U32
from asmgen.lanewise import ops
from asmgen.lanewise.math.cleanup import remove_dead, share_equal
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest
from asmgen.lanewise.records import Access, Multiple

_ACCESSES = ops.LOADS | ops.STORES
_WORD = 0xFFFFFFFF
_MOST_OFFSET = 1 << 12  # bytes, which the instructions of every target take


def move_constant_parts(module: Module) -> Module:
    """The module with constant parts of the indices of memory in the offsets."""
    sums = Definitions(module)
    if not any(_parts(statement, sums) for statement in module.walk()):
        return module

    def moved(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple([with_regions(_moved(statement, sums), moved) for statement in statements])

    return remove_dead(share_equal(replace(module, statements=moved(module.statements))))


def _moved(statement: Statement, definitions: Definitions) -> Statement:
    parts = _parts(statement, definitions)
    if parts is None:
        return statement
    buffer, _, *others = statement.operands
    index, offset = parts
    attributes = {**statement.attributes, "offset": offset}
    return replace(statement, operands=(buffer, index, *others), attributes=attributes)


def _parts(access: Statement, definitions: Definitions) -> tuple[Value, int] | None:
    """The index of an access without its constant part, and the offset in bytes with it; None if nothing can
    be moved."""
    if access.op not in _ACCESSES or access.operands[1].type.element is not U32:
        return None
    size, offset = tensor_type(access.operands[0]).element.bytes, Access.of(access).offset
    whole = index = access.operands[1]
    while (split := _split(index, definitions)) is not None and offset + split[1] * size < _MOST_OFFSET:
        index, offset = split[0], offset + split[1] * size
    return None if index is whole else (index, offset)


def _split(index: Value, definitions: Definitions) -> tuple[Value, int] | None:
    """A sum with a constant, which does not pass 32 bits, as the other term and the constant."""
    made = definitions.by(index, graph.ADD)
    for term, other in (made.operands, made.operands[::-1]) if made is not None else ():
        number = definitions.literal(other)
        if number is None:
            continue
        most = largest(term, definitions)
        if number < _power(term, definitions) or (most is not None and most + number <= _WORD):
            return term, int(number)
    return None


def _power(value: Value, definitions: Definitions) -> int:
    """A power of two that divides a number, by its statement."""
    made = definitions.of.get(value)
    if made is None:
        return 1
    if made.op is ops.MULTIPLE:
        factor = Multiple.of(made).by
    elif made.op is graph.MUL:
        factor = next((int(n) for each in made.operands if (n := definitions.literal(each))), 1)
    elif made.op is ops.SHIFT_LEFT and (count := definitions.literal(made.operands[1])) is not None:
        factor = 1 << (int(count) & 31)
    else:
        factor = 1
    return factor & -factor
