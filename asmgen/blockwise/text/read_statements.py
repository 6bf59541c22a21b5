"""Reads the statements of tile programs: ops with their attributes, operands and types, and loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from msgspec.structs import replace

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import substituted
from asmgen.blockwise.op_table import BY_NAME, TileOpRow, pointwise_ops, row_of
from asmgen.blockwise.program import TileRegion, TileStatement, TileValue
from asmgen.blockwise.rules.codes import BrokenRule
from asmgen.blockwise.rules.infer import infer
from asmgen.blockwise.rules.verify import access_layout, check_count, check_results
from asmgen.blockwise.text.read_attributes import OPEN_COORDINATES, OPEN_WAVE, read_attributes, read_type
from asmgen.blockwise.text.read_head import Names, check_index_name
from asmgen.blockwise.types import Type, coordinates, wave_of
from asmgen.graph.ops import ITERATE
from asmgen.index.expression import as_symbol, only
from asmgen.index.text import read_index
from asmgen.ir.program import Body, Module, Region, Stage, Statement, Value
from asmgen.ir.read_literal import literal_values, read_numbers
from asmgen.ir.types import TensorType
from asmgen.text.cursor import Cursor, counted
from asmgen.text.lexer import Token, TokenKind
from isa.diagnostics import close_names

R = TypeVar("R")
_NO_BODY = Body(Module("", ()), "")
_DEEPEST = 64  # regions in regions


class StatementReader:
    """The statements of a kernel. `_scope` are the visible values."""

    def __init__(self, cursor: Cursor, names: Names) -> None:
        self._cursor = cursor
        self._names = names
        self._scope: dict[str, TileValue] = {}
        self._depth = 0

    def statements(self, whose: str) -> tuple[TileStatement, ...]:
        statements: list[TileStatement] = []
        while not self._cursor.at("}"):
            if self._cursor.at_end():
                self._cursor.fail(
                    self._cursor.peek(), "GEN019", f"got the end of the file, wanted '}}' {whose}"
                )
            statements.append(self._statement())
        _ = self._cursor.next()
        return tuple(statements)

    def _statement(self) -> TileStatement:
        cursor = self._cursor
        first = cursor.peek()
        names = self._result_names()
        opening = cursor.peek()
        if cursor.at("@", "literal"):
            return self._literal(names)
        action = self._action(opening)
        if isinstance(action, ops.Parameter):
            operands: tuple[TileValue, ...] = ()
        else:
            operands = tuple(cursor.listed("(", ")", self._operand))
        row = row_of(action)
        if isinstance(action, ops.Iterate):
            action = self._with_body(action, operands)
        self._told(opening, row, lambda: check_count(row, len(operands)))
        regions = (self._region(action, operands),) if row.has_region else ()
        stated = self._stated_types()
        action = _settled(action, (*stated, *(value.type for value in operands)))
        types = self._told(opening, row, lambda: _types(action, operands, stated))
        if not names and len(types) == 1:
            names = [Token(TokenKind.IDENTIFIER, row.name, first.offset)]
        if len(names) != len(types):
            cursor.fail(
                first, "GEN010", f"{row.name} gives {counted(len(types), 'result')}, wanted as many names"
            )
        results = tuple([self._define(name, type_) for name, type_ in zip(names, types, strict=True)])
        cursor.end_of_statement()
        return Statement(action, operands, results, {}, regions, cursor.place(first))

    def _literal(self, names: list[Token]) -> TileStatement:
        """`w = @literal{1, 2} -> f32, {2}`: its type comes after its numbers, which are of it."""
        cursor = self._cursor
        mark = cursor.next()
        row = BY_NAME[f"@{cursor.next().text}"]
        opening = cursor.peek()
        numbers = read_numbers(cursor)
        stated = self._stated_types()
        if len(names) != 1 or len(stated) != 1 or not isinstance(stated[0], TensorType):
            self._refuse(mark, row, "wanted a name and a buffer's type: NAME = @literal{1} -> f32, {1}")
        action = ops.Literal(literal_values(cursor, opening, numbers, stated[0]))
        result = self._define(names[0], stated[0])
        cursor.end_of_statement()
        return Statement(action, (), (result,), {}, (), cursor.place(mark))

    def _result_names(self) -> list[Token]:
        cursor = self._cursor
        names: list[Token] = []
        if cursor.peek().kind is TokenKind.IDENTIFIER and cursor.peek(1).text in ("=", ","):
            names.append(cursor.next())
            while cursor.at(","):
                _ = cursor.next()
                names.append(cursor.identifier("a name"))
            _ = cursor.expect("=")
        return names

    def _define(self, name: Token, type_: Type) -> TileValue:
        if name.text in self._scope:
            self._cursor.fail(
                name, "GEN005", f"value {name.text} is defined a second time, wanted a name of its own"
            )
        self._scope[name.text] = Value(name.text, type_)
        return self._scope[name.text]

    def _operand(self) -> TileValue:
        name = self._cursor.identifier("the name of a value")
        value = self._scope.get(name.text)
        if value is None:
            help = close_names(name.text, self._scope)
            self._cursor.fail(
                name, "GEN004", f"{name.text} is not defined here, wanted a name defined before", help
            )
        return value

    def _action(self, opening: Token) -> ops.Action:
        cursor = self._cursor
        if cursor.at("@", "param"):
            _ = cursor.next(), cursor.next()
            _ = cursor.expect(":", "':' and the argument's name")
            name = cursor.identifier("the argument's name").text
            return read_attributes(self._names.scoped(cursor), ops.Parameter, opening, {"name": name})
        name = cursor.identifier("an op").text
        if name in pointwise_ops():
            return ops.Pointwise(pointwise_ops()[name])
        row = BY_NAME.get(name)
        if row is None:
            known = (*BY_NAME, *pointwise_ops())
            cursor.fail(
                opening,
                "GEN003",
                f"unknown op {name}, wanted an op of tile programs",
                close_names(name, known),
            )
        if row.record is ops.For:
            return self._loop()
        if row.record is ops.Waves:
            return self._waves()
        if row.record is ops.Iterate:
            return read_attributes(self._names.scoped(cursor), ops.Iterate, opening, {"body": _NO_BODY})
        return read_attributes(self._names.scoped(cursor), row.record, opening)

    def _loop(self) -> ops.For:
        """`[k = 0 to 64 step 16, staggered=true]`."""
        cursor = self._cursor
        _ = cursor.expect("[", "'[counter = start to stop step number]'")
        name = cursor.identifier("the counter's name")
        check_index_name(cursor, name)
        if name.text in self._names.indices:
            cursor.fail(
                name, "GEN005", f"the index {name.text} is defined a second time, wanted a name of its own"
            )
        _ = cursor.expect("=")
        start = read_index(cursor, self._names.indices)
        _ = cursor.expect("to")
        stop = read_index(cursor, self._names.indices)
        step = 1
        if cursor.at("step"):
            _ = cursor.next()
            place = cursor.peek()
            step = self._names.scoped(cursor).integer()
            if not step:
                cursor.fail(place, "GEN008", "got a step of 0, wanted a positive number")
        staggered = False
        if cursor.at(","):
            _ = cursor.next(), cursor.expect("staggered"), cursor.expect("=")
            staggered = self._names.scoped(cursor).truth()
        _ = cursor.expect("]")
        return ops.counted(name.text, start, stop, step, staggered)

    def _with_body(self, action: ops.Iterate, operands: tuple[TileValue, ...]) -> ops.Iterate:
        """`(x, y) { ... @return(more, next_x, next_y) }`, after the operands."""
        from asmgen.gentext.parser import ModuleParser

        carried = operands[: len(operands) - action.masked]
        elements, place = [value.type.element for value in carried], self._cursor.place(self._cursor.peek())
        body = ModuleParser(self._cursor, Stage.GRAPH).body(ITERATE, elements, place)
        return replace(action, body=body)

    def _waves(self) -> ops.Waves:
        """`[0 to 4]`."""
        cursor = self._cursor
        _ = cursor.expect("[", "'[first to stop]'")
        first = self._names.scoped(cursor).integer()
        _ = cursor.expect("to")
        stop = self._names.scoped(cursor).integer()
        _ = cursor.expect("]")
        return ops.Waves(first, stop)

    def _region(self, action: ops.Action, operands: tuple[TileValue, ...]) -> TileRegion:
        cursor = self._cursor
        if self._depth == _DEEPEST:
            cursor.fail(
                cursor.peek(), "GEN019", f"regions are nested more than {_DEEPEST} deep, wanted fewer"
            )
        scope, outer = dict(self._scope), self._names
        self._names = outer._replace(indices=dict(outer.indices))
        self._depth += 1
        opening = cursor.peek()
        names = cursor.listed("(", ")", lambda: cursor.identifier("a value's name")) if cursor.at("(") else []
        if len(names) != len(operands):
            cursor.fail(
                opening,
                "GEN019",
                f"the region has {counted(len(names), 'parameter')}, wanted {len(operands)}",
            )
        parameters = tuple(
            [self._define(name, value.type) for name, value in zip(names, operands, strict=True)]
        )
        if isinstance(action, ops.For):
            self._names.indices[action.counter.name] = only(action.counter)
        _ = cursor.expect("{")
        cursor.skip_newlines()
        statements = self.statements(f"of the {row_of(action).name}")
        self._depth -= 1
        self._scope, self._names = scope, outer
        return Region(parameters, statements)

    def _stated_types(self) -> tuple[Type, ...]:
        cursor = self._cursor
        if cursor.peek().kind is not TokenKind.ARROW:
            return ()
        _ = cursor.next()
        types = [read_type(cursor, self._names.scoped(cursor), self._names.sizes)]
        while cursor.at(","):
            _ = cursor.next()
            types.append(read_type(cursor, self._names.scoped(cursor), self._names.sizes))
        return tuple(types)

    def _told(self, place: Token, row: TileOpRow, ask: Callable[[], R]) -> R:
        """The result of `ask`; a rule that it finds broken becomes an `InputError` at the op."""
        try:
            return ask()
        except BrokenRule as rule:
            self._refuse(place, row, str(rule))

    def _refuse(self, place: Token, row: TileOpRow, rule: str) -> NoReturn:
        self._cursor.fail(place, "BLK003", f"{row.name}: {rule}")


def _settled(action: ops.Action, types: tuple[Type, ...]) -> ops.Action:
    """The attributes with coordinates, and a wave, that have bounds. They were read before the tile's type,
    when the bounds were not known.
    """
    layout = access_layout(action, types)
    if layout is None:
        return action
    known = zip(OPEN_COORDINATES, coordinates(layout.shape), strict=False)
    values = {as_symbol(of): index for of, index in known}
    return substituted(action, values | {as_symbol(OPEN_WAVE): wave_of(layout)})


def _types(action: ops.Action, operands: tuple[TileValue, ...], stated: tuple[Type, ...]) -> tuple[Type, ...]:
    if isinstance(action, ops.Waves):  # what its region yields: the verifier compares them
        return stated
    types = infer(action, tuple([operand.type for operand in operands]), stated[0] if stated else None)
    if stated:
        check_results(types, stated)
    return types
