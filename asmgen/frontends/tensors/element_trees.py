"""The computation of a value from the elements of others, as a tree of ops on single elements.

A tree is the same for operands of other sizes, so trees show that several operations have the same body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from asmgen.frontends.tensors.stablehlo import elementwise
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Attribute, Block, Dense, Operation, Ssa
from asmgen.mlir.types import TensorType

_CONSTANT = "stablehlo.constant"
_MOST = 256  # ops and operands of a tree


class Read(Struct, frozen=True):
    """An element of an operand of a combination, which are the earlier and the later of two elements. `of` is
    the array."""

    is_later: bool
    of: Ssa


class Number(Struct, frozen=True):
    value: int | float
    element: ElementType


class Applied(Struct, frozen=True):
    """An op on the elements that `operands` compute."""

    name: str
    attributes: dict[str, Attribute]
    element: ElementType
    operands: tuple[Tree, ...]


Tree = Read | Number | Applied
ReadBy = Callable[[Ssa], Read | None]


def tree_of(value: Ssa, read: ReadBy) -> Tree | None:
    """The tree of a value; `read` gives the operands of its operations. None if it has ops of more than
    elements."""
    return _Trees(read).of(value)


class _Trees:
    def __init__(self, read: ReadBy) -> None:
        self._read = read
        self._left = _MOST

    def of(self, value: Ssa) -> Tree | None:
        self._left -= 1
        if self._left < 0:
            return None
        read = self._read(value)
        return read if read is not None else number_of(value) or self._applied(value)

    def _applied(self, value: Ssa) -> Tree | None:
        if not is_applied(value):
            return None
        operation, operands = value.owner, list[Tree]()
        assert operation is not None, "it is the result of an op"
        for operand in operation.operands:
            tree = self.of(operand)
            if tree is None:
                return None
            operands.append(tree)
        element = element_of(value)
        return element and Applied(operation.name, operation.attributes, element, tuple(operands))


def is_applied(value: Ssa) -> bool:
    """Whether an op of single elements, all with operands of the same dims, computes a value."""
    operation = value.owner
    if operation is None or operation.name not in elementwise.RULES or operation.regions:
        return False
    return bool(operation.operands) and all(dims_of(each) == dims_of(value) for each in operation.operands)


def number_of(value: Ssa) -> Number | None:
    """The number that all elements of a constant are, or of a constant that is broadcast."""
    operation = value.owner
    while operation is not None and operation.name == "stablehlo.broadcast_in_dim":
        operation = operation.operands[0].owner
    if operation is None or operation.name != _CONSTANT:
        return None
    dense, element = operation.attributes.get("value"), element_of(value)
    if not isinstance(dense, Dense) or element is None or len(set(dense.values)) != 1:
        return None
    return Number(dense.values[0], element)


def element_of(value: Ssa) -> ElementType | None:
    type_ = value.type
    return type_.element if isinstance(type_, TensorType) and isinstance(type_.element, ElementType) else None


def dims_of(value: Ssa) -> tuple[int | None, ...]:
    return value.type.dims if isinstance(value.type, TensorType) else (None,)


def reads(tree: Tree) -> list[Read]:
    """The operands of a tree, in order."""
    if isinstance(tree, Applied):
        return [read for operand in tree.operands for read in reads(operand)]
    return [tree] if isinstance(tree, Read) else []


def block_of(arrays: Sequence[Ssa], trees: Mapping[Ssa, Tree], operation: Operation) -> Block:
    """A body that combines two elements, each with a part of each array, by their trees. `operation` gives
    its ops their place."""
    return _Body(arrays, operation).of(trees)


class _Body:
    def __init__(self, arrays: Sequence[Ssa], operation: Operation) -> None:
        self._operation = operation
        self._arrays = arrays
        self._arguments = {
            Read(is_later, array): self._value(element_of(array), f"{word}{number}")
            for word, is_later in (("a", False), ("b", True))
            for number, array in enumerate(arrays)
        }
        self._operations: list[Operation] = []
        self._known: list[tuple[Tree, Ssa]] = []

    def of(self, trees: Mapping[Ssa, Tree]) -> Block:
        results = tuple([self._computed(trees[array]) for array in self._arrays])
        end = Operation("stablehlo.return", results, {}, self._operation.place)
        return Block(0, tuple(self._arguments.values()), [*self._operations, end])

    def _value(self, element: ElementType | None, name: str, owner: Operation | None = None) -> Ssa:
        assert element is not None, "the elements of trees have types of the graph"
        return Ssa(TensorType((), element, f"tensor<{element}>"), name, self._operation.place, owner)

    def _computed(self, tree: Tree) -> Ssa:
        if isinstance(tree, Read):
            return self._arguments[tree]
        for known, value in self._known:
            if known is tree or known == tree:
                return value
        value = self._number(tree) if isinstance(tree, Number) else self._applied(tree)
        self._known.append((tree, value))
        return value

    def _number(self, tree: Number) -> Ssa:
        dense = Dense(TensorType((), tree.element, f"tensor<{tree.element}>"), (tree.value,))
        return self._result(Operation(_CONSTANT, (), {"value": dense}, self._operation.place), tree.element)

    def _applied(self, tree: Applied) -> Ssa:
        operands = tuple([self._computed(operand) for operand in tree.operands])
        operation = Operation(tree.name, operands, tree.attributes, self._operation.place)
        return self._result(operation, tree.element)

    def _result(self, operation: Operation, element: ElementType) -> Ssa:
        result = self._value(element, f"v{len(self._operations)}", operation)
        operation.results = (result,)
        self._operations.append(operation)
        return result
