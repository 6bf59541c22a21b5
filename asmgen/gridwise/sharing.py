"""Launches that compute the same share a kernel: a later launch runs the kernel of the first, on its own
buffers.

    launch @main(x, w_0) -> (y) grid(8) by contract[...] { ... }
    launch @main_3(z, w_1) -> (u) runs @main

Two launches compute the same if their bodies are equal up to names: the same ops with the same attributes on
values of the same types. Constants, strides, named dims, and a buffer that is read and written at once are
parts of the form. The order of statements that do not need each other, and places in the source, are not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from msgspec.structs import replace

from asmgen.graph.ops import PARAM
from asmgen.gridwise.program import Launch
from asmgen.ir.constants import Constants
from asmgen.ir.program import Attribute, Module, Statement, Value, argument_name, definitions
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple


class Form(NamedTuple):
    """A body without its names: launches of equal `key` compute the same. `buffers` are its buffers, in an
    order that is the same for equal keys."""

    key: Hashable
    buffers: tuple[str, ...]


def form_of(body: Module, writes: Iterable[str]) -> Form | None:
    """The form of a launch that writes such buffers; None if it shares no kernel: it has a tensor without
    elements, of which kernels store nothing."""
    values = [value for statement in body.statements for value in statement.results]
    if any(map(_is_empty, values)) or any(statement.regions for statement in body.statements):
        return None
    numbered = _Numbered(definitions(body))
    return_ = body.statements[-1]
    for value in return_.operands:
        numbered.reach(value)
    for value in values:  # parameters of the program that it does not read
        numbered.reach(value)
    return Form(numbered.key(return_, writes), tuple(numbered.buffers))


class _Numbered:
    """The statements of a body from its results backwards, each after its operands; each value by a
    number."""

    def __init__(self, defined: Mapping[Value, Statement]) -> None:
        self.buffers: list[str] = []
        self._defined = defined
        self._key: list[Hashable] = []
        self._numbers: dict[Value, int] = {}

    def reach(self, value: Value) -> None:
        """Number a value, after those that it is made of."""
        pending = [value]
        while pending:
            statement = self._defined[pending[-1]]
            rest = [operand for operand in statement.operands if operand not in self._numbers]
            if pending[-1] in self._numbers:
                _ = pending.pop()
            elif rest:
                pending.extend(reversed(rest))
            else:
                self._number(statement)

    def _number(self, statement: Statement) -> None:
        attributes = dict(statement.attributes)
        if statement.op is PARAM:
            del attributes["name"]
            self.buffers.append(argument_name(statement))
        operands = tuple([self._numbers[operand] for operand in statement.operands])
        compared = tuple([(name, _comparable(value)) for name, value in attributes.items()])
        self._key.append((statement.op, operands, compared, tuple([each.type for each in statement.results])))
        for result in statement.results:
            self._numbers[result] = len(self._numbers)

    def key(self, return_: Statement, writes: Iterable[str]) -> Hashable:
        """The statements, the returned values, and which written buffers the body also reads."""
        returned = tuple([self._numbers[value] for value in return_.operands])
        read = {name: number for number, name in enumerate(self.buffers)}
        self.buffers += writes
        return (*self._key, returned, tuple([read.get(name) for name in writes]))


def _is_empty(value: Value) -> bool:
    return isinstance(value.type, TensorType) and 0 in value.type.dims


def _comparable(value: Attribute) -> Hashable:
    """An attribute to compare. Its text tells 0.0 from -0.0, and 1 from true."""
    return value if isinstance(value, Constants) else repr(value)


def relaunched(first: Launch, buffers: Mapping[str, str], name: str, body: Module) -> Launch:
    """The launch `name` of the kernel of an earlier launch. `buffers` has its buffers by those of that
    launch; `body` is its own."""
    reads, writes = ([buffers[each] for each in names] for names in (first.reads, first.writes))
    return replace(first, name=name, reads=tuple(reads), writes=tuple(writes), body=body, runs=first.name)


def renamed(body: Module, buffers: Mapping[str, str]) -> Module:
    """A body that reads other buffers."""
    return replace(body, statements=tuple([_renamed(each, buffers) for each in body.statements]))


def _renamed(statement: Statement, buffers: Mapping[str, str]) -> Statement:
    if statement.op is not PARAM:
        return statement
    name = argument_name(statement)
    return replace(statement, attributes=statement.attributes | {"name": buffers.get(name, name)})
