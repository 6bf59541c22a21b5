"""The blocks of a file: a test that runs the first statement of a block runs the whole block."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast

from msgspec import Struct

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Block(Struct, frozen=True):
    """`number` counts the blocks of a function. `function` is its qualified name; the file's own is empty."""

    file: str
    function: str
    number: int

    @property
    def runs_at_import(self) -> bool:
        return not self.function

    def __str__(self) -> str:
        return f"{self.file}:{self.function}:{self.number}"


class Blocks:
    """The block of each node of a tree, and the start of each block."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        self._file = file
        self._counts: dict[str, int] = {}
        self.of: dict[ast.AST, Block] = {}
        self.starts: list[tuple[list[ast.stmt], ast.stmt, Block]] = []
        self.lambdas: list[tuple[ast.Lambda, Block]] = []
        self._statements(tree.body, "", self._next(""))

    def _next(self, function: str) -> Block:
        number = self._counts.get(function, 0)
        self._counts[function] = number + 1
        return Block(self._file, function, number)

    def _begin(self, body: list[ast.stmt], at: int, function: str) -> Block:
        block = self._next(function)
        if function:
            self.starts.append((body, body[at], block))
        return block

    def _statements(self, body: list[ast.stmt], function: str, block: Block | None = None) -> None:
        """Without `block`, `body` starts a block. So does each statement after a statement that may jump
        away."""
        if not body:
            return
        current = block or self._begin(body, 0, function)
        for index, statement in enumerate(body):
            self._statement(statement, function, current)
            if function and index + 1 < len(body) and _may_jump(statement):
                current = self._begin(body, index + 1, function)

    def _statement(self, statement: ast.stmt, function: str, block: Block) -> None:
        self.of[statement] = block
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._expressions([*statement.decorator_list, statement.args], function, block)
                self._function(statement, function)
            case ast.ClassDef():
                self._expressions([*statement.decorator_list, *statement.bases], function, block)
                self._class(statement, function, block)
            case ast.With() | ast.AsyncWith():
                self._expressions(statement.items, function, block)
                self._statements(statement.body, function, block)
            case _:
                for _, value in ast.iter_fields(statement):
                    self._field(value, function, block)

    def _field(self, value: object, function: str, block: Block) -> None:
        """A list of statements below a compound statement, an expression, or a node around either."""
        if isinstance(value, ast.expr):
            self._expressions([value], function, block)
        if not isinstance(value, list):
            return
        items = cast("list[ast.AST]", value)
        if items and isinstance(items[0], ast.stmt):
            self._statements(cast("list[ast.stmt]", value), function, None if function else block)
        for item in items:
            if isinstance(item, ast.ExceptHandler | ast.match_case):
                self.of[item] = block
                for _, inner in ast.iter_fields(item):
                    self._field(inner, function, block)
        self._expressions([item for item in items if isinstance(item, ast.expr)], function, block)

    def _function(self, definition: Function, outer: str) -> None:
        name = f"{outer}.{definition.name}" if outer else definition.name
        body = definition.body
        first = 1 if ast.get_docstring(definition, clean=False) is not None else 0
        if first < len(body):
            block = self._begin(body, first, name)
            self._statements(body, name, block)

    def _class(self, definition: ast.ClassDef, outer: str, block: Block) -> None:
        """The statements of a class run at its declaration; its functions are named after it."""
        name = f"{outer}.{definition.name}" if outer else definition.name
        for statement in definition.body:
            self.of[statement] = block
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._expressions([*statement.decorator_list, statement.args], outer, block)
                self._function(statement, name)
            elif isinstance(statement, ast.ClassDef):
                self._class(statement, name, block)
            else:
                self._statement(statement, outer, block)

    def _expressions(self, nodes: Sequence[ast.AST], function: str, block: Block) -> None:
        for node in nodes:
            self.of[node] = block
            if isinstance(node, ast.Lambda):
                inner = self._next(function or "<lambda>")
                self.lambdas.append((node, inner))
                self._expressions([node.args], function, block)
                self._expressions([node.body], function, inner)
            else:
                self._expressions(list(ast.iter_child_nodes(node)), function, block)


def _may_jump(statement: ast.stmt) -> bool:
    return not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and any(
        isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break) for node in ast.walk(statement)
    )


def with_marks(tree: ast.Module, blocks: Blocks, numbers: dict[Block, int], table: str) -> ast.Module:
    """`tree` with a mark at the start of each block: `table[number] = 1`."""

    def index(block: Block) -> ast.Subscript:
        return ast.Subscript(ast.Name(table, ast.Load()), ast.Constant(numbers[block]), ast.Store())

    for body, statement, block in blocks.starts:
        mark = ast.Assign([index(block)], ast.Constant(1))
        ast.fix_missing_locations(ast.copy_location(mark, statement))
        body.insert(body.index(statement), mark)
    for function, block in blocks.lambdas:
        setter = ast.Attribute(ast.Name(table, ast.Load()), "__setitem__", ast.Load())
        call = ast.Call(setter, [ast.Constant(numbers[block]), ast.Constant(1)], [])
        function.body = ast.copy_location(ast.BoolOp(ast.Or(), [call, function.body]), function.body)
        ast.fix_missing_locations(function)
    return tree
