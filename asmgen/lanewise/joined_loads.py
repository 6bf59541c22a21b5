"""Joins the loads of a lane that read neighbours in memory, and loads each element once.

    a = load[offset=0](x, i)                     v = vector_load[size=2, offset=0](x, i)
    b = load[offset=4](x, i)       becomes       a = extract[index=0](v)
    c = load[offset=0](x, i)                     b = extract[index=1](v)
                                                 c = extract[index=0](v)

Programs that compute with the columns of a matrix, such as the coordinates of points, load so. Only loads of
the same region and index are joined, of buffers that the kernel does not write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from asmgen.ir.names import fresh_name
from asmgen.ir.program import Module, Region, Statement, Value, tensor_type
from asmgen.ir.types import LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.records import Access
from isa.named_tuple import NamedTuple

WIDEST = 16  # bytes that an instruction loads
NARROWEST = 4  # bytes of an element that is a register of its own in a vector

_WRITES = frozenset({ops.STORE, ops.VECTOR_STORE, *GLOBAL_ATOMICS})
_FENCES = frozenset({ops.PRIORITY, ops.ORDER})  # no load passes them

_Loads = dict[int, list[Statement]]  # loads of an index, by their offset in bytes


def join_loads(module: Module) -> Module:
    """The module with fewer loads of the same elements."""
    loads = [statement.operands for statement in module.walk() if statement.op is ops.LOAD]
    if len(loads) == len(set(loads)):
        return module
    written = frozenset([each.operands[0] for each in module.walk() if each.op in _WRITES])
    taken = {value.name for statement in module.walk() for value in statement.results}
    return replace(module, statements=_with_joined(module.statements, written, taken))


class _Piece(NamedTuple):
    """Successive elements that an instruction loads: the loads of each, in the order of the elements."""

    elements: tuple[list[Statement], ...]


def _with_joined(
    statements: tuple[Statement, ...], written: frozenset[Value], taken: set[str]
) -> tuple[Statement, ...]:
    places = {statement: number for number, statement in enumerate(statements)}
    before: dict[Statement, Statement] = {}
    instead: dict[Statement, Statement] = {}
    for piece in _pieces(statements, written):
        earliest = min([load for loads in piece.elements for load in loads], key=places.__getitem__)
        vector = earliest.result
        if len(piece.elements) > 1:
            before[earliest] = _vector_load(piece, taken)
            vector = before[earliest].result
        for number, loads in enumerate(piece.elements):
            instead.update(
                {load: _element(load, vector, number) for load in loads if load.result is not vector}
            )
    result: list[Statement] = []
    for statement in statements:
        if statement in before:
            result.append(before[statement])
        result.append(_with_regions(instead.get(statement, statement), written, taken))
    return tuple(result)


def _with_regions(statement: Statement, written: frozenset[Value], taken: set[str]) -> Statement:
    if not statement.regions:
        return statement
    regions = [
        Region(region.parameters, _with_joined(region.statements, written, taken))
        for region in statement.regions
    ]
    return replace(statement, regions=tuple(regions))


def _vector_load(piece: _Piece, taken: set[str]) -> Statement:
    first = piece.elements[0][0]
    type_ = LaneType(first.result.type.element, len(piece.elements))
    vector = Value(fresh_name(f"{first.result.name}_joined", taken), type_)
    attributes = {"size": type_.lanes, **first.attributes}
    return Statement(ops.VECTOR_LOAD, first.operands, (vector,), attributes, (), first.place)


def _element(load: Statement, vector: Value, number: int) -> Statement:
    attributes = {"index": number, "size": 1}
    return Statement(ops.EXTRACT, (vector,), load.results, attributes, (), load.place)


def _pieces(statements: Iterable[Statement], written: frozenset[Value]) -> Iterator[_Piece]:
    """The pieces of the loads between statements that no load passes."""
    groups: dict[tuple[Value, Value], _Loads] = {}
    for statement in statements:
        if statement.op in _FENCES:
            yield from _cut(groups)
            groups = {}
        elif statement.op is ops.LOAD and statement.operands[0] not in written:
            buffer, index = statement.operands
            loads = groups.setdefault((buffer, index), {})
            loads.setdefault(Access.of(statement).offset, []).append(statement)
    yield from _cut(groups)


def _cut(groups: Mapping[tuple[Value, Value], _Loads]) -> Iterator[_Piece]:
    for (buffer, _), loads in groups.items():
        size = tensor_type(buffer).element.bytes
        most = WIDEST // size if size >= NARROWEST else 1
        piece: list[list[Statement]] = []
        end = None
        for offset in sorted(loads):
            if piece and (offset != end or len(piece) == most):
                yield _Piece(tuple(piece))
                piece = []
            piece.append(loads[offset])
            end = offset + size
        yield _Piece(tuple(piece))
