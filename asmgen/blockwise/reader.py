"""Reads tile programs, as `asmgen.blockwise.printer` prints them. Every refusal is an `InputError` at its
place.

Codes: GEN0xx as in gen text (`asmgen.frontends.text.parser`), BLK001 for a layout that breaks a rule of
layouts, BLK002 for an index that cannot be read, BLK003 for a rule of tile programs that is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from asmgen.blockwise import actions as ops
from asmgen.blockwise.infer import infer
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, Region, Statement, TileProgram, Value
from asmgen.blockwise.read_attributes import OPEN_COORDINATES, Scoped, read_attributes
from asmgen.blockwise.read_types import read_type
from asmgen.blockwise.rows import BY_NAME, Row, pointwise_ops, row_of
from asmgen.blockwise.rules import BrokenRule
from asmgen.blockwise.substitute import substituted
from asmgen.blockwise.types import Type, coordinates
from asmgen.blockwise.verify import access_shape, check, check_count, check_result_numbers, check_results
from asmgen.frontends.text.cursor import Cursor, counted
from asmgen.frontends.text.header import read_header
from asmgen.frontends.text.lexer import TILE_TOKENS, SourceText, Token, TokenKind, tokenize
from asmgen.frontends.text.named_dims import NamedDims, check_range
from asmgen.frontends.text.read_literal import literal_values, read_numbers
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.size import most_where_alone, size_of, symbols_of
from asmgen.index.text import read_index
from asmgen.ir.named_dims import why_reserved
from asmgen.ir.program import Stage
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError, close_names
from isa.target import Target

R = TypeVar("R")
_DEEPEST = 64  # regions in regions


def read_program(text: str, file_name: str) -> TileProgram:
    """Read a file of stage blockwise; each kernel keeps the rules of `asmgen.blockwise.verify`."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    if stage is not Stage.BLOCKWISE or not target:
        raise InputError(source.place(0), "GEN017", "wanted 'stage blockwise TARGET' as the first line")
    return TileProgram(target, read_kernels(source, start, target.target))


def read_kernels(source: SourceText, start: int, machine: Target) -> tuple[Kernel, ...]:
    """The kernels from the offset `start` on, after the stage line."""
    cursor = Cursor(source, tokenize(source, start, TILE_TOKENS))
    cursor.skip_newlines()
    kernels: list[Kernel] = []
    while not cursor.at_end():
        kernels.append(_KernelReader(cursor).kernel())
        if kernels[-1].name in [kernel.name for kernel in kernels[:-1]]:
            raise InputError(
                kernels[-1].place or "", "GEN005", f"kernel {kernels[-1].name} is defined a second time"
            )
        check(kernels[-1], machine)
    check_result_numbers(kernels)
    return tuple(kernels)


class _KernelReader:
    """One kernel. `_scope` are the values that may be named, `_indices` the ids and counters."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._layouts: dict[str, Layout] = {}
        self._indices: dict[str, Index] = {}
        self._sizes = NamedDims({})
        self._scope: dict[str, Value] = {}
        self._depth = 0

    def kernel(self) -> Kernel:
        cursor = self._cursor
        place = cursor.place(cursor.expect("kernel", "'kernel' or the end of the file"))
        _ = cursor.expect("@")
        name = cursor.identifier("the kernel's name").text
        dims = self._named_dims() if cursor.at("dims") else ()
        _ = cursor.expect("grid")
        ids = cursor.listed("(", ")", self._workgroup_id)
        grid = tuple([as_symbol(index) for index, _ in ids])
        counts = tuple([count for _, count in ids])
        waves, lanes = self._count("waves"), self._count("lanes")
        results = self._results() if cursor.at("results") else ()
        _ = cursor.expect("{")
        cursor.skip_newlines()
        while cursor.at("layout"):
            self._name_layout()
        statements = self._statements("of the kernel")
        cursor.end_of_statement()
        return Kernel(
            name, grid, waves, lanes, statements, tuple(self._layouts.items()), place, results, dims,
            counts if any(symbols_of(counts)) else (),
        )  # fmt: skip

    def _named_dims(self) -> tuple[Symbol, ...]:
        """`dims(n: 1 to 1048573)`: the sizes that the launch knows."""
        cursor = self._cursor
        _ = cursor.next()

        def one() -> Symbol:
            name = cursor.identifier("the name of a dim")
            why = why_reserved(name.text) or ("it is there already" if name.text in self._indices else "")
            if why:
                cursor.fail(name, "GEN014", f"{name.text} is the name of a dim: {why}")
            _ = cursor.expect(":")
            low = self._scoped().integer()
            _ = cursor.expect("to", "'to' and the largest size")
            place = cursor.peek()
            high = self._scoped().integer()
            check_range(cursor, place, low, high)
            self._indices[name.text] = symbol(name.text, low, high)
            return as_symbol(self._indices[name.text])

        found = tuple(cursor.listed("(", ")", one))
        self._sizes = NamedDims(dict(self._indices))
        return found

    def _scoped(self) -> Scoped:
        return Scoped(self._cursor, self._indices, self._layouts)

    def _workgroup_id(self) -> tuple[Index, int]:
        """An id and how many workgroups there are along it."""
        name = self._cursor.identifier("the name of a workgroup's id")
        _ = self._cursor.expect(":")
        place = self._cursor.peek()
        is_plain = place.kind is TokenKind.NUMBER and self._cursor.peek(1).text in (",", ")")
        count = self._scoped().integer() if is_plain else size_of(self._count_of_dims())
        if count < 1 or most_where_alone(count) >= 1 << 32:
            self._cursor.fail(place, "GEN008", f"got a grid of {count} workgroups, wanted 1 to 2^32 - 1")
        self._indices[name.text] = symbol(name.text, 0, count - 1)
        return self._indices[name.text], count

    def _count_of_dims(self) -> Index:
        """An expression of the named dims."""
        if not self._sizes.known:
            self._cursor.fail(
                self._cursor.peek(), "GEN008", f"got {self._cursor.peek()}, wanted a whole number"
            )
        return read_index(self._cursor, self._sizes.known)

    def _count(self, what: str) -> int:
        _ = self._cursor.expect(what, f"'{what}(number)'")
        _ = self._cursor.expect("(")
        count = self._scoped().integer()
        _ = self._cursor.expect(")")
        return count

    def _results(self) -> tuple[tuple[str, int], ...]:
        cursor = self._cursor
        _ = cursor.next()

        def one() -> tuple[str, int]:
            name = cursor.identifier("the name of a buffer").text
            _ = cursor.expect(":")
            return name, self._scoped().integer()

        return tuple(cursor.listed("(", ")", one))

    def _name_layout(self) -> None:
        cursor = self._cursor
        _ = cursor.next()
        name = cursor.identifier("the layout's name")
        if name.text in self._layouts:
            cursor.fail(
                name, "GEN005", f"layout {name.text} is defined a second time, wanted a name of its own"
            )
        _ = cursor.expect("=")
        self._layouts[name.text] = self._scoped().layout()
        cursor.end_of_statement()

    def _statements(self, whose: str) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        while not self._cursor.at("}"):
            if self._cursor.at_end():
                self._cursor.fail(
                    self._cursor.peek(), "GEN019", f"got the end of the file, wanted '}}' {whose}"
                )
            statements.append(self._statement())
        _ = self._cursor.next()
        return tuple(statements)

    def _statement(self) -> Statement:
        cursor = self._cursor
        first = cursor.peek()
        names = self._names()
        opening = cursor.peek()
        if cursor.at("@", "literal"):
            return self._literal(names)
        action = self._action(opening)
        if isinstance(action, ops.Parameter):
            operands: tuple[Value, ...] = ()
        else:
            operands = tuple(cursor.listed("(", ")", self._operand))
        row = row_of(action)
        self._told(opening, row, lambda: check_count(row, len(operands)))
        regions = (self._region(action, operands),) if isinstance(action, ops.For) else ()
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
        return Statement(action, operands, results, regions, cursor.place(first))

    def _literal(self, names: list[Token]) -> Statement:
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
        return Statement(action, (), (result,), (), cursor.place(mark))

    def _names(self) -> list[Token]:
        cursor = self._cursor
        names: list[Token] = []
        if cursor.peek().kind is TokenKind.IDENTIFIER and cursor.peek(1).text in ("=", ","):
            names.append(cursor.next())
            while cursor.at(","):
                _ = cursor.next()
                names.append(cursor.identifier("a name"))
            _ = cursor.expect("=")
        return names

    def _define(self, name: Token, type_: Type) -> Value:
        if name.text in self._scope:
            self._cursor.fail(
                name, "GEN005", f"value {name.text} is defined a second time, wanted a name of its own"
            )
        self._scope[name.text] = Value(name.text, type_)
        return self._scope[name.text]

    def _operand(self) -> Value:
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
            return ops.Parameter(cursor.identifier("the argument's name").text)
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
        return read_attributes(self._scoped(), row.record, opening)

    def _loop(self) -> ops.For:
        """`[k = 0 to 64 step 16]`."""
        cursor = self._cursor
        _ = cursor.expect("[", "'[counter = start to stop step number]'")
        name = cursor.identifier("the counter's name")
        if name.text in self._indices:
            cursor.fail(
                name, "GEN005", f"the index {name.text} is defined a second time, wanted a name of its own"
            )
        _ = cursor.expect("=")
        start = self._scoped().index()
        _ = cursor.expect("to")
        stop = self._scoped().index()
        step = 1
        if cursor.at("step"):
            _ = cursor.next()
            place = cursor.peek()
            step = self._scoped().integer()
            if not step:
                cursor.fail(place, "GEN008", "got a step of 0, wanted a positive number")
        _ = cursor.expect("]")
        return ops.counted(name.text, start, stop, step)

    def _region(self, action: ops.For, operands: tuple[Value, ...]) -> Region:
        cursor = self._cursor
        if self._depth == _DEEPEST:
            cursor.fail(
                cursor.peek(), "GEN019", f"regions are nested more than {_DEEPEST} deep, wanted fewer"
            )
        scope, indices = dict(self._scope), dict(self._indices)
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
        self._indices[action.counter.name] = only(action.counter)
        _ = cursor.expect("{")
        cursor.skip_newlines()
        statements = self._statements("of the loop")
        self._depth -= 1
        self._scope, self._indices = scope, indices
        return Region(parameters, statements)

    def _stated_types(self) -> tuple[Type, ...]:
        cursor = self._cursor
        if cursor.peek().kind is not TokenKind.ARROW:
            return ()
        _ = cursor.next()
        types = [read_type(cursor, self._scoped(), self._sizes)]
        while cursor.at(","):
            _ = cursor.next()
            types.append(read_type(cursor, self._scoped(), self._sizes))
        return tuple(types)

    def _told(self, place: Token, row: Row, ask: Callable[[], R]) -> R:
        """The result of `ask`; a rule that it finds broken becomes an `InputError` at the op."""
        try:
            return ask()
        except BrokenRule as rule:
            self._refuse(place, row, str(rule))

    def _refuse(self, place: Token, row: Row, rule: str) -> NoReturn:
        self._cursor.fail(place, "BLK003", f"{row.name}: {rule}")


def _settled(action: ops.Action, types: tuple[Type, ...]) -> ops.Action:
    """The attributes with coordinates that have bounds. They were read before the tile's type, when the
    bounds were not known.
    """
    shape = access_shape(action, types)
    known = zip(OPEN_COORDINATES, coordinates(shape), strict=False)
    return substituted(action, {as_symbol(of): index for of, index in known}) if shape else action


def _types(action: ops.Action, operands: tuple[Value, ...], stated: tuple[Type, ...]) -> tuple[Type, ...]:
    types = infer(action, tuple([operand.type for operand in operands]), stated[0] if stated else None)
    if stated:
        check_results(types, stated)
    return types
