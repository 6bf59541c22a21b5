"""Code selected by its syntax tree: a definition by its name, and code in it by its shape.

Layout, comments and the folder of a module do not matter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, cast

_TREE = Path(__file__).parents[2]
MUTABLE = ("asmgen", "regalloc")  # the packages that a fault is planted in


class Definition(NamedTuple):
    """A function, a class, or the assignment of a name outside functions; `tree` is the whole module."""

    module: str
    node: ast.AST
    tree: ast.Module


def definition_of(where: str) -> Definition:
    """The only definition of this name; AssertionError if there is none or another.

    The name is qualified, as in `Range.join`. As much of the dotted name of the module may stand before it as
    tells it from others: `transpose.schedule`.
    """
    module, at = _place_of(where)
    tree = ast.parse(_texts()[module])
    return Definition(module, [node for _, node in _definitions(tree.body, "")][at], tree)


@cache
def _place_of(where: str) -> tuple[str, int]:
    """The module of a definition, and its number among the definitions of the module."""
    last = where.rpartition(".")[2]
    defined = re.compile(rf"\b(def|class) {last}\b|\b{last}\b[^=(\n]*=")
    matches = [
        (module, at)
        for module, text in _texts().items()
        if last in text and defined.search(text)
        for at, name in enumerate(_names(module))
        if f".{where}".endswith(f".{name}") and f".{module}.{name}".endswith(f".{where}")
    ]
    names = [f"{module}.{_names(module)[at]}" for module, at in matches]
    assert len(matches) == 1, f"{where} names {' and '.join(names) or 'nothing'}, wanted one definition"
    return matches[0]


@cache
def _texts() -> dict[str, str]:
    """The text of each module by the module's dotted name."""
    paths = sorted(path for package in MUTABLE for path in (_TREE / package).rglob("*.py"))
    names = [".".join(path.relative_to(_TREE).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return {name: path.read_text(encoding="utf-8") for name, path in zip(names, paths, strict=True)}


@cache
def _names(module: str) -> tuple[str, ...]:
    return tuple(name for name, _ in _definitions(ast.parse(_texts()[module]).body, ""))


def _definitions(body: Sequence[ast.stmt], outer: str, in_function: bool = False) -> Iterator[tuple[str, ast.AST]]:
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield f"{outer}{statement.name}", statement
                is_function = not isinstance(statement, ast.ClassDef)
                yield from _definitions(statement.body, f"{outer}{statement.name}.", is_function)
            case ast.Assign() | ast.AnnAssign() if not in_function:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                assigned = [node for target in targets for node in ast.walk(target)]
                yield from ((f"{outer}{node.id}", statement) for node in assigned if isinstance(node, ast.Name))
            case _:
                inner = [node for node in ast.iter_child_nodes(statement) if isinstance(node, ast.stmt)]
                yield from _definitions(inner, outer, in_function)


def replace_code(inside: ast.AST, old: str, new: str, number: int = 0) -> None:
    """Replace the code `old` in a tree; AssertionError unless it occurs once, or `number` says which (from 1).

    Code is an expression, or statements that follow each other. `{key: value}` is an entry of a dict.
    """
    before, after = ast.parse(old).body, ast.parse(new or "pass").body
    match before, after:
        case [ast.Expr(ast.Dict([ast.expr() as key], [value]))], [ast.Expr(ast.Dict([ast.expr() as other], [changed]))]:
            places = list(_entries(inside, key, value))
            nodes: list[ast.AST] = [other, changed]
        case [ast.Expr(expression)], [ast.Expr(changed)]:
            places = list(_places(inside, [expression]))
            nodes = [changed]
        case _:
            places = list(_places(inside, before))
            nodes = list(after)
    assert 0 < number <= len(places) or (number == 0 and len(places) == 1), f"{old!r} occurs {len(places)} times, wanted once"
    places[max(number - 1, 0)](nodes)


_Put = Callable[[list[ast.AST]], None]


def _places(inside: ast.AST, code: Sequence[ast.AST]) -> Iterator[_Put]:
    """What puts other nodes in the place of nodes like `code`, for each place."""
    wanted = [ast.dump(node) for node in code]
    for node in ast.walk(inside):
        for field, value in ast.iter_fields(node):
            nodes = cast("list[object]", value) if isinstance(value, list) else [value]
            for at in range(len(nodes) - len(code) + 1):
                here = [item for item in nodes[at : at + len(code)] if isinstance(item, ast.AST)]
                if [ast.dump(item) for item in here] == wanted:
                    yield partial(_put, node, field, slice(at, at + len(code)), here[0])


def _put(node: ast.AST, field: str, at: slice, old: ast.AST, new: list[ast.AST]) -> None:
    _locate(new, old)
    value = getattr(node, field)
    if isinstance(value, list):
        value[at] = new
    else:
        setattr(node, field, new[0])


def _entries(inside: ast.AST, key: ast.AST, value: ast.AST) -> Iterator[_Put]:
    """What puts another key and value in the place of an entry, for each dict that has it."""
    wanted = (ast.dump(key), ast.dump(value))
    for node in ast.walk(inside):
        if isinstance(node, ast.Dict):
            for at, pair in enumerate(zip(node.keys, node.values, strict=True)):
                if pair[0] is not None and (ast.dump(pair[0]), ast.dump(pair[1])) == wanted:
                    yield partial(_put_entry, node, at)


def _put_entry(node: ast.Dict, at: int, new: list[ast.AST]) -> None:
    _locate(new, node)
    node.keys[at], node.values[at] = cast("list[ast.expr]", new)


def _locate(new: Sequence[ast.AST], old: ast.AST) -> None:
    """Give new nodes the lines of the nodes that they replace: a traceback shows them there."""
    for node in new:
        for below in ast.walk(node):
            ast.copy_location(below, old)
