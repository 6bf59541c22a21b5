"""Scans that are written as a recursion over even and odd elements, as JAX's `associative_scan` prints them.

    scan(x):
        s = scan(op(x[0:n-1:2], x[1:n:2]))        x itself if n is 1
        e = concat(x[0:1], op(s[0:n/2-1], x[2:n:2]))        op(s, x[2:n:2]) if n is odd
        result = pad(e, low=0, interior=1) + pad(s, low=1, interior=1)

x may be several arrays. Dead code is left out: if s is needed of some of them alone, the others are never put
together. The shortest recursion is read first. In a longer recursion, s must be a known scan, and op the same
at each length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from asmgen.frontends.tensors.element_trees import (
    Applied,
    Read,
    Tree,
    block_of,
    dims_of,
    element_of,
    is_applied,
    number_of,
    reads,
    tree_of,
)
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Block, Operation, Ssa
from isa.named_tuple import NamedTuple

_PUT_TOGETHER = frozenset(["stablehlo.add", "stablehlo.or"])
_REVERSE = "stablehlo.reverse"
_PAD = "stablehlo.pad"
_Known = TypeVar("_Known")


class Recursion(Struct, frozen=True, eq=False):
    """A value that is the scan of an array along an axis, perhaps together with other arrays.

    The innermost arrays name the parts of an element: `arrays` has the array of each part, `bodies` what
    combines a part of two elements, as far as the recursion shows it. `part` is the part that is scanned.
    """

    part: Ssa
    axis: int
    arrays: Mapping[Ssa, Ssa]
    bodies: Mapping[Ssa, Tree]
    is_reverse: bool = False

    @property
    def inputs(self) -> tuple[Ssa, ...]:
        """The arrays that are scanned together."""
        return tuple([self.arrays[part] for part in self._parts()])

    @property
    def number(self) -> int:
        """The number of the input that the scan reads."""
        return self._parts().index(self.part)

    def body(self, operation: Operation) -> Block | None:
        """The body that combines an element of each input with the next; None if a recursion is too short to
        show it."""
        parts = self._parts()
        known = {part: self.bodies[part] for part in parts if part in self.bodies}
        return block_of(parts, known, operation) if len(known) == len(parts) else None

    def _parts(self) -> list[Ssa]:
        """The parts that the scanned part depends on, in the order in which bodies read them."""
        parts: dict[Ssa, None] = {}
        for part in (pending := [self.part]):
            of = dict.fromkeys([each.of for each in reads(self.bodies[part])] if part in self.bodies else [])
            pending += [each for each in of if each not in parts and each is not part]
            parts.update(of)
        return list(parts | {self.part: None})


IsScanned = Callable[[Block, Sequence[ElementType]], bool]
"""Whether a scan by a body, of arrays of these types, can be written in place of a recursion."""


class Recursions(NamedTuple):
    """The recursions of a block by their operations, and the operations that only they need."""

    found: Mapping[Operation, Recursion]
    unneeded: frozenset[Operation]


def recursions(block: Block, is_scanned: IsScanned) -> Recursions:
    """Those with a body that `is_scanned` accepts."""
    if not any(operation.name == _PAD for operation in block.operations):
        return Recursions({}, frozenset())
    reader = _Reader(is_scanned)
    found: dict[Operation, Recursion] = {}
    unneeded: set[Operation] = set()
    read, released = set(block.terminator.operands), set[Ssa]()
    for operation in reversed(block.operations[:-1]):
        is_read = any(result in read for result in operation.results)
        if not is_read and any(result in released for result in operation.results):
            unneeded.add(operation)
            released.update(operation.operands)
        elif is_read and (recursion := reader.outermost(operation)) is not None:
            found[operation] = recursion
            read.update(recursion.inputs)
            released.update(operation.operands)
        else:
            read.update([operand for each in operation.walk() for operand in each.operands])
    return Recursions(found, frozenset(unneeded))


class _Reader:
    def __init__(self, is_scanned: IsScanned) -> None:
        self._is_scanned = is_scanned
        self._known: dict[Ssa, Recursion | None] = {}

    def outermost(self, operation: Operation) -> Recursion | None:
        """The recursion that an operation ends. Its body is known; None for any other operation."""
        if operation.name == _REVERSE:
            found = self._reversed(operation)
        elif operation.name in _PUT_TOGETHER:
            found = self._of(operation.result)
        else:
            return None
        body = found and found.body(operation)
        if found is None or body is None:
            return None
        elements = [element_of(array) for array in found.inputs]
        return found if self._is_scanned(body, [each for each in elements if each is not None]) else None

    def _reversed(self, operation: Operation) -> Recursion | None:
        """A scan of reversed arrays that is reversed."""
        found = self._of(operation.operands[0])
        if found is None:
            return None
        arrays: dict[Ssa, Ssa] = {}
        for part, array in found.arrays.items():
            owner = array.owner
            if owner is None or owner.name != _REVERSE:
                return None
            if any(each.integers("dimensions") != (found.axis,) for each in (operation, owner)):
                return None
            arrays[part] = owner.operands[0]
        return Recursion(found.part, found.axis, arrays, found.bodies, True)

    def _of(self, value: Ssa) -> Recursion | None:
        # the recursions in a recursion are half as long each, so that they end
        if value not in self._known:
            woven = _woven(value)
            self._known[value] = woven and self._level(woven)
        return self._known[value]

    def _level(self, woven: _Woven) -> Recursion | None:
        if woven.length < 4:
            inner = Recursion(woven.array, woven.axis, {woven.array: woven.odd}, {})
        else:
            inner = self._of(woven.odd)
        if inner is None or inner.axis != woven.axis:
            return None
        level = _Level(self._of, woven, inner)
        return level.recursion() if level.is_scan() else None


class _Woven(NamedTuple):
    """A value of `length` elements along an axis. Element 0 is that of `array`, the others of even places are
    `even`, those of odd places `odd`. `even` is None if there are none."""

    axis: int
    length: int
    array: Ssa
    even: Ssa | None
    odd: Ssa


def _woven(value: Ssa) -> _Woven | None:
    operation = value.owner
    if operation is None or operation.name not in _PUT_TOGETHER:
        return None
    pads = [_spread(operand) for operand in operation.operands]
    first, second = pads[0], pads[-1]
    if first is None or second is None or (first.axis, first.low, second.low) != (second.axis, 0, 1):
        return None
    axis, length = first.axis, dims_of(value)[first.axis]
    if length is None or [_length(each.of, axis) for each in (first, second)] != [
        length - length // 2,
        length // 2,
    ]:
        return None
    owner = first.of.owner
    if owner is not None and owner.name == "stablehlo.concatenate" and owner.integer("dimension") == axis:
        start, *rest = owner.operands
    else:
        start, rest = first.of, []
    part = _part(start, axis)
    if part is None or (part.start, part.elements) != (0, 1) or len(rest) > 1:
        return None
    if _length(part.of, axis) != length:
        return None
    even = rest[0] if length > 2 and rest else None
    return _Woven(axis, length, part.of, even, second.of) if even is not None or length == 2 else None


class _Spread(NamedTuple):
    """The elements of an array along an axis, with a 0 between them and `low` zeros before them."""

    of: Ssa
    axis: int
    low: int


def _spread(value: Ssa) -> _Spread | None:
    operation = value.owner
    if operation is None or operation.name != _PAD:
        return None
    low, high, between = [
        operation.integers(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    ]
    axes = [axis for axis, each in enumerate(between) if each]
    zero = number_of(operation.operands[1])
    if len(axes) != 1 or between[axes[0]] != 1 or zero is None or zero.value != 0:
        return None
    axis = axes[0]
    others = sum([*low, *high]) - low[axis] - high[axis]
    if others or min(*low, *high) < 0:
        return None
    return _Spread(operation.operands[0], axis, low[axis])


class _Part(NamedTuple):
    """`elements` of an array along an axis, from `start` on, `step` places apart."""

    of: Ssa
    start: int
    step: int
    elements: int


def _part(value: Ssa, axis: int) -> _Part | None:
    """The part of an array along an axis that a value is; None if it is not a slice along that axis alone."""
    operation = value.owner
    if operation is None or operation.name != "stablehlo.slice":
        return None
    starts, steps = operation.integers("start_indices"), operation.integers("strides")
    (of,) = operation.operands
    before, after = dims_of(of), dims_of(value)
    if any(before[each] != after[each] for each in range(len(before)) if each != axis):
        return None
    count = after[axis]
    return None if count is None else _Part(of, starts[axis], steps[axis] if count > 1 else 0, count)


def _length(value: Ssa, axis: int) -> int | None:
    return dims_of(value)[axis]


class _Level:
    """The arrays and bodies of a recursion; `inner` is its recursion of half the length."""

    def __init__(self, of: Callable[[Ssa], Recursion | None], woven: _Woven, inner: Recursion) -> None:
        self._of = of
        self._woven = woven
        self._inner = inner
        self._is_innermost = woven.length < 4
        self._halves = dict(inner.arrays)  # part -> the array of half the length
        self._inner_bodies = dict(inner.bodies)
        self._arrays: dict[Ssa, Ssa] = {inner.part: woven.array}
        self._bodies: dict[Ssa, Tree] = {}

    def recursion(self) -> Recursion:
        return Recursion(self._inner.part, self._woven.axis, self._arrays, self._bodies)

    def is_scan(self) -> bool:
        """Whether the elements are those of a scan; then `recursion` is that scan."""
        if not self._visit(self._inner.part):
            return False
        body, even = self._bodies[self._inner.part], self._woven.even
        if even is not None and not self._combines(body, even):
            return False
        while missing := [part for part in self._halves if part not in self._bodies]:
            part = next((each for each in missing if each in self._arrays), None)
            if part is None or not self._visit(part):
                return False
        return len(set(self._arrays.values())) == len(self._arrays)  # else a tree may name either part

    def _visit(self, part: Ssa) -> bool:
        """Read the body of a part from its array of half the length, which combines pairs of elements."""
        tree = tree_of(self._halves[part], self._of_pair)
        known = self._inner_bodies.get(part)
        named = tree and (self._named(tree) if known is None else self._as(tree, known))
        if named is None:
            return False
        self._bodies[part] = named
        return True

    def _of_pair(self, value: Ssa) -> Read | None:
        """The first or the second element of each pair of an array."""
        part, half = _part(value, self._woven.axis), self._woven.length // 2
        if part is None or _length(part.of, self._woven.axis) != self._woven.length:
            return None
        is_pair = part.elements == half and part.step == (2 if half > 1 else 0) and part.start in (0, 1)
        return Read(part.start == 1, part.of) if is_pair else None

    def _named(self, tree: Tree) -> Tree:
        """A tree with parts in place of arrays."""
        if isinstance(tree, Applied):
            operands = tuple([self._named(operand) for operand in tree.operands])
            return Applied(tree.name, tree.attributes, tree.element, operands)
        if not isinstance(tree, Read):
            return tree
        part = next((each for each, array in self._arrays.items() if array is tree.of), tree.of)
        self._arrays[part] = tree.of
        return Read(tree.is_later, part)

    def _as(self, tree: Tree, known: Tree) -> Tree | None:
        """`known` if a tree is the same with arrays in place of parts; else None."""
        if isinstance(tree, Read) and isinstance(known, Read):
            is_same = tree.is_later == known.is_later and self._is_array(known.of, tree.of)
        elif isinstance(tree, Applied) and isinstance(known, Applied):
            is_same = (tree.name, tree.attributes, tree.element, len(tree.operands)) == (
                known.name,
                known.attributes,
                known.element,
                len(known.operands),
            )
            pairs = zip(tree.operands, known.operands, strict=False)
            is_same = is_same and all(self._as(*pair) is not None for pair in pairs)
        else:
            is_same = tree == known
        return known if is_same else None

    def _is_array(self, part: Ssa, array: Ssa) -> bool:
        """Whether an array is that of a part, which may be seen for the first time."""
        return self._arrays.setdefault(part, array) is array

    def _combines(self, body: Tree, value: Ssa) -> bool:
        """Whether a value combines the scanned elements before each even place with the element at it."""
        if isinstance(body, Read):
            return self._is_later(body.of, value) if body.is_later else self._is_before(body.of, value)
        if not isinstance(body, Applied):
            return number_of(value) == body
        owner = value.owner
        if owner is None or not is_applied(value) or element_of(value) is not body.element:
            return False
        if (owner.name, owner.attributes) != (body.name, body.attributes):
            return False
        pairs = list(zip(body.operands, owner.operands, strict=False))
        return len(owner.operands) == len(body.operands) and all(self._combines(*pair) for pair in pairs)

    def _is_later(self, part: Ssa, value: Ssa) -> bool:
        given, count = _part(value, self._woven.axis), (self._woven.length - 1) // 2
        wanted = _Part(self._arrays[part], 2, 2 if count > 1 else 0, count)
        return given == wanted

    def _is_before(self, part: Ssa, value: Ssa) -> bool:
        """Whether a value is what scans the part before the even places."""
        scanned, count = value, (self._woven.length - 1) // 2
        if self._woven.length % 2 == 0:
            given = _part(value, self._woven.axis)
            if (
                given is None
                or (given.start, given.elements) != (0, count)
                or given.step != min(count - 1, 1)
            ):
                return False
            scanned = given.of
        if self._is_innermost:
            return self._halves.setdefault(part, scanned) is scanned
        found = self._of(scanned)
        if found is None or found.part is not part or found.axis != self._woven.axis:
            return False
        return all([_joins(self._halves, found.arrays), _joins(self._inner_bodies, found.bodies)])


def _joins(known: dict[Ssa, _Known], others: Mapping[Ssa, _Known]) -> bool:
    """Add the items of parts. False if a part has another item already."""
    return all(known.setdefault(part, item) == item for part, item in others.items())
