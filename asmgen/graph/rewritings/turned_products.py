"""Products with results that are stored transposed, as the transposed product:

    p = dot(x, w)                                   {4096,1024}
    z = relu(p)
    t = transpose[permutation={1,0}](z)

becomes

    p = dot(w', x')                                 {1024,4096}, of the transposed factors
    z = relu(p)
    t = identity(z)

A lane has neighbours along a row of a product. Stored along its columns, they would be apart in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.ops import DOT, IDENTITY, TRANSPOSE
from asmgen.graph.rewritings.moves import MOVES, permutation_of, source_of, turning
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.index.size import Sizes, most
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from isa.named_tuple import NamedTuple

_MATRIX = 2  # axes
_FEW = 64  # rows: their weights may be computed in the kernel, as the second factor


class _Turned(NamedTuple):
    """A product, the pointwise ops on its results in their order, and the first op that moves these."""

    dot: Statement
    pointwise: tuple[Statement, ...]
    move: Statement


def with_turned_products(module: Module) -> Module:
    """The module with such products, of which nothing else reads the results, transposed."""
    graph = _Graph(module)
    found = [graph.turned(value) for value in module.statements[-1].operands]
    turned = [each for each in found if each is not None]
    if not turned:
        return module
    copy = _Copy(module, turned)
    for statement in module.statements:
        copy.visit(statement)
    return copy.module()


class _Graph:
    """Finds such products."""

    def __init__(self, module: Module) -> None:
        self._statements = module.statements
        self._defined = definitions(module)
        self._readers: dict[Value, set[int]] = {}
        for number, statement in enumerate(module.statements):
            for operand in statement.operands:
                self._readers.setdefault(operand, set()).add(number)

    def turned(self, value: Value) -> _Turned | None:
        """The product of which a result has columns as rows; None if there is none."""
        moves: list[Statement] = []
        while (made := self._defined[value]).op.keeps_order or made.op in MOVES:
            if moves and len(self._readers[value]) != 1:
                return None
            moves.insert(0, made)
            (value,) = made.operands
        if not moves or len(self._readers[value]) != 1 or not _is_along_rows(moves):
            return None
        return self._product(value, moves[0])

    def _product(self, value: Value, move: Statement) -> _Turned | None:
        """The single product from which a value is computed at its own places, by values that nothing else
        reads."""
        dims = tensor_type(value).dims
        inside = set(self._readers[value])
        pointwise: list[Statement] = []
        dots: list[Statement] = []
        for number, made in reversed(list(enumerate(self._statements[:-1]))):
            if not self._readers.get(made.result, {-1}) <= inside or tensor_type(made.result).dims != dims:
                continue
            if made.op is DOT:
                dots.append(made)
            elif made.op.pointwise and made.operands:
                inside.add(number)
                pointwise.append(made)
        if len(dots) != 1 or any(tensor_type(operand).rank < _MATRIX for operand in dots[0].operands):
            return None
        return _Turned(dots[0], tuple(pointwise), move)


def _is_along_rows(moves: list[Statement]) -> bool:
    """Whether neighbours in the result of moves are in a column of the matrices that they read."""
    rows, dims = [tensor_type(each).dims for each in (moves[0].operands[0], moves[-1].result)]
    is_known = all(isinstance(dim, int) for move in moves for dim in (*tensor_type(move.result).dims, *rows))
    if len(rows) < _MATRIX or not is_known or most(rows[-2]) <= _FEW or 0 in dims or set(dims) == {1}:
        return False
    axis = max([axis for axis, dim in enumerate(dims) if dim != 1])
    first, second = [source_of(moves, _unit(dims, axis, place)) for place in (0, 1)]
    steps = [one - other for one, other in zip(second, first, strict=True)]
    return steps[-2] == 1 and steps.count(0) == len(steps) - 1


def _unit(dims: Sizes, axis: int, place: int) -> Sizes:
    return tuple([place if each == axis else 0 for each in range(len(dims))])


class _Copy(RetypedCopy):
    """The copy with the products transposed, and the values that are computed from them."""

    def __init__(self, module: Module, turned: Sequence[_Turned]) -> None:
        super().__init__(module)
        self._dots = {each.dot.result for each in turned}
        self._inside = self._dots | {made.result for each in turned for made in each.pointwise}
        self._moves = {each.move.result for each in turned}
        self._transposed: dict[Value, Value] = {}

    def visit(self, statement: Statement) -> None:
        if not self._inside.isdisjoint(statement.results):
            turned = [self._turned(operand, statement) for operand in statement.operands]
            operands = reversed(turned) if statement.result in self._dots else turned
            self.write(statement, statement.op, tuple(operands), statement.attributes)
        elif not self._moves.isdisjoint(statement.results):
            self._move(statement)
        else:
            self.keep(statement)

    def _move(self, statement: Statement) -> None:
        """The first move reads the transposed results."""
        (operand,) = statement.operands
        order = turning(tensor_type(operand).rank)
        if statement.op is not TRANSPOSE:
            back = self.apply(statement, TRANSPOSE, (operand,), {"permutation": order})
            self.write(statement, statement.op, (back,), statement.attributes)
            return
        whole = tuple([order[axis] for axis in permutation_of(statement)])
        if whole == tuple(range(len(whole))):
            self.write(statement, IDENTITY, (operand,), {})
        else:
            self.write(statement, TRANSPOSE, (operand,), {"permutation": whole})

    def _turned(self, value: Value, reader: Statement) -> Value:
        """A value transposed. Those inside are so in the copy."""
        if value in self._inside:
            return value
        if value not in self._transposed:
            order = turning(tensor_type(value).rank)
            self._transposed[value] = self.apply(reader, TRANSPOSE, (value,), {"permutation": order})
        return self._transposed[value]
