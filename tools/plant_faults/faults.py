"""The faults of a file, and the order of a seed. Each fault changes an expression or statement of the syntax
tree.

Code that cannot change a result is left alone: strings, the texts of errors, annotations, assertions, and
checks that raise InternalError.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tools.plant_faults.blocks import Block, Blocks


class Fault(Struct, frozen=True):
    """The bytes from `start` to `end` become `after`. `copy` counts equal changes in a function."""

    kind: str
    block: Block
    line: int
    start: int
    end: int
    before: str
    after: str
    copy: int = 0

    @property
    def name(self) -> str:
        """Unique, and unchanged when other lines of the file change."""
        copy = f" #{self.copy + 1}" if self.copy else ""
        return f"{self.block.file} {self.block.function or '<module>'}: {self.before} -> {self.after}{copy}"

    def planted(self, source: str) -> str:
        data = source.encode()
        after = "pass" if self.kind == "dropped" else f"({self.after})"
        return (data[: self.start] + after.encode() + data[self.end :]).decode()


_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
}
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
_ANY_ORDER = frozenset({"isinstance", "issubclass", "max", "min", "cast", "print", "gcd", "lcm"})
_NO_EFFECT = frozenset({"strict", "maxsize", "frozen", "gc", "kw_only", "help", "indent"})  # keywords
_TEXT_METHODS = frozenset({"__repr__", "__str__"})
_OURS = "InternalError"


def faults_of(file: str, source: str) -> list[Fault]:
    """Every fault of a file, in the order of its lines."""
    tree = ast.parse(source)
    found = sorted(
        _Faults(file, source, tree).of_tree(), key=lambda fault: (fault.start, fault.end, fault.after)
    )
    seen: Counter[str] = Counter()
    result: list[Fault] = []
    for fault in found:
        result.append(replace(fault, copy=seen[fault.name]))
        seen[fault.name] += 1
    return result


class _Faults:
    def __init__(self, file: str, source: str, tree: ast.Module) -> None:
        self._blocks = Blocks(file, tree)
        self._tree = tree
        self._starts = [0]
        for line in source.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._block = Block(file, "", 0)

    def of_tree(self) -> Iterator[Fault]:
        yield from self._below(self._tree)

    def _below(self, node: ast.AST) -> Iterator[Fault]:
        for child in ast.iter_child_nodes(node):
            yield from self._of(child)

    def _of(self, node: ast.AST) -> Iterator[Fault]:
        outer, self._block = self._block, self._blocks.of.get(node, self._block)
        if not _is_without_effect(node):
            if isinstance(node, ast.stmt):
                yield from self._dropped(node)
            if isinstance(node, ast.expr):
                yield from self._changed(node)
            yield from self._negated(node)
            for child in _children(node):
                yield from self._of(child)
        self._block = outer

    def _fault(self, kind: str, node: ast.stmt | ast.expr, after: str) -> Fault:
        assert node.end_lineno is not None and node.end_col_offset is not None, (
            "a node of a parsed text has an end"
        )
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        return Fault(kind, self._block, node.lineno, start, end, _text(node), after)

    def _dropped(self, node: ast.stmt) -> Iterator[Fault]:
        if _may_be_dropped(node):
            yield self._fault("dropped", node, "pass")

    def _negated(self, node: ast.AST) -> Iterator[Fault]:
        tests = node.ifs if isinstance(node, ast.comprehension) else ()
        if isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Constant):
            tests = (node.test,)
        for test in tests:
            if not isinstance(test, ast.Compare) or len(test.ops) > 1:
                yield self._fault("negated", test, _text(ast.UnaryOp(ast.Not(), test)))

    def _changed(self, node: ast.expr) -> Iterator[Fault]:
        match node:
            case ast.Compare():
                for at, op in enumerate(node.ops):
                    for other in _COMPARISONS[type(op)]:
                        ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                        yield self._fault(
                            "comparison", node, _text(ast.Compare(node.left, ops, node.comparators))
                        )
            case ast.BinOp():
                yield from self._arithmetic(node)
            case ast.BoolOp():
                other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
                yield self._fault("logic", node, _text(ast.BoolOp(other, node.values)))
            case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
                yield self._fault(
                    "logic" if isinstance(node.op, ast.Not) else "arithmetic", node, _text(node.operand)
                )
            case ast.Constant():
                for value in _other_values(node.value):
                    yield self._fault("constant", node, repr(value))
            case ast.Call():
                yield from self._ordered(node)
            case _:
                return

    def _arithmetic(self, node: ast.BinOp) -> Iterator[Fault]:
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield self._fault("arithmetic", node, _text(ast.BinOp(node.left, other(), node.right)))
        if isinstance(node.op, _ORDERED):
            yield self._fault("order", node, _text(ast.BinOp(node.right, node.op, node.left)))

    def _ordered(self, node: ast.Call) -> Iterator[Fault]:
        """Two operands that stand next to each other, swapped."""
        if _last_name(node.func) in _ANY_ORDER or any(isinstance(value, ast.Starred) for value in node.args):
            return
        for at in range(len(node.args) - 1):
            swapped = [*node.args[:at], node.args[at + 1], node.args[at], *node.args[at + 2 :]]
            if _text(node.args[at]) != _text(node.args[at + 1]):
                yield self._fault("order", node, _text(ast.Call(node.func, swapped, node.keywords)))


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _other_values(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1) if value > 0 else (value + 1,)
    return (value + 1,) if isinstance(value, float) else ()


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _may_be_dropped(node: ast.stmt) -> bool:
    """Whether the file still compiles without it and no name goes missing."""
    match node:
        case ast.Expr():
            return isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
        case ast.Assign():
            return any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
        case ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise() | ast.Delete():
            return True
        case ast.If():
            leaves = isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break | ast.Raise)
            return leaves and not node.orelse and not _is_without_effect(node.body[-1])
        case _:
            return False


def _is_without_effect(node: ast.AST) -> bool:
    match node:
        case ast.Raise():
            return node.exc is None or _OURS in _text(node.exc)
        case ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.FunctionDef():
            error = node.returns is not None and _text(node.returns).strip("'\"").endswith("Error")
            return node.name in _TEXT_METHODS or error
        case ast.If():
            return _text(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'") or _only_ours(node)
        case ast.Call():
            return _last_name(node.func).endswith("Error")
        case ast.BinOp(op=ast.BitOr()):
            return _is_type(node)
        case ast.keyword():
            return node.arg in _NO_EFFECT
        case _:
            return False


def _only_ours(node: ast.If) -> bool:
    """A condition that is true in no right program."""
    (first, *more) = node.body
    return not more and not node.orelse and isinstance(first, ast.Raise) and _is_without_effect(first)


def _is_type(node: ast.expr) -> bool:
    """Whether an expression is a class, or one of several."""
    if isinstance(node, ast.BinOp):
        return _is_type(node.left) and _is_type(node.right)
    name = _last_name(node)
    return (name[:1].isupper() and not name.isupper()) or (
        isinstance(node, ast.Constant) and node.value is None
    )


def _children(node: ast.AST) -> Sequence[ast.AST]:
    """The nodes below a node, without annotations."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return (*node.decorator_list, node.args, *node.body)
        case ast.arguments():
            return (*node.defaults, *[value for value in node.kw_defaults if value is not None])
        case ast.AnnAssign():
            return (node.value,) if node.value is not None else ()
        case ast.ClassDef():
            return (*node.decorator_list, *node.body)
        case ast.Raise():
            return ()
        case _:
            return tuple(ast.iter_child_nodes(node))


class Drawn(NamedTuple):
    fault: Fault
    source: str


def package_of(file: str) -> str:
    """The package of a file; its faults share a weight."""
    return "/".join(file.split("/")[:-1][:2])


def drawn(sources: dict[str, str], seed: int, below: str = "") -> list[Drawn]:
    """All faults of the files below a folder, in the order of the seed.

    The weight of a package is the square root of its number of faults, so that tables do not dominate. All
    kinds of a package weigh the same. A change of a file does not change the order of the other files'
    faults.
    """
    faults = [
        Drawn(fault, source)
        for file, source in sources.items()
        if file.startswith(below)
        for fault in faults_of(file, source)
    ]
    of_package = Counter(package_of(each.fault.block.file) for each in faults)
    of_kind = Counter((package_of(each.fault.block.file), each.fault.kind) for each in faults)

    def place(each: Drawn) -> float:
        """Weighted sampling without replacement (Efraimidis and Spirakis, 2006)."""
        package = package_of(each.fault.block.file)
        weight = sqrt(of_package[package]) / of_kind[package, each.fault.kind]
        return random.Random(f"{seed} {each.fault.name}").expovariate(weight)

    return sorted(faults, key=place)
