"""Choices between a loaded value and another value, in the trip that reads them.

A loop may load a value for its next trip, and take another value for the lanes that do not load:

    for(..., first) (i, now) {
      w = convert(now) -> f32
      x = load(buffer, at) -> f16
      next = where(c, x, zero)             waits for the load at once
      yield(next)
    }

Here the loop carries the loaded value and the condition instead, so the next trip waits for the load:

    for(..., first, true) (i, x_1, c_1) {
      now = where(c_1, x_1, zero)
      w = convert(now) -> f32
      x = load(buffer, at) -> f16
      yield(x, c)
    }

Vectors of several loads are packed in the next trip too, if a choice is among the parts, or a part does not
fill its registers. Parts that no trip loads must be the same in the first value. If the first value is the
result of an equal choice, its load and condition are the first to be carried; the condition is otherwise
true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec.structs import replace

from asmgen.graph.ops import LITERAL, WHERE
from asmgen.ir.program import Module, Region, Statement, Value, lane_type, walk
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.records import splat_literal
from isa.named_tuple import NamedTuple

WORD = 32  # bits of a register
MOST_CARRIED = 64  # loads and conditions that a loop carries in place of choices

Values = Mapping[Value, Value]


class _Leaf(NamedTuple):
    """A load, or a part of a load in registers of its own."""

    value: Value


class _Same(NamedTuple):
    """A literal, or a value from outside of the loop."""

    value: Value


class _Pack(NamedTuple):
    statement: Statement
    parts: tuple[_Node, ...]


class _Choice(NamedTuple):
    """`where`, which takes the loaded value if the condition is `polarity`."""

    statement: Statement
    condition: Value
    polarity: bool
    loaded: _Node
    other: _Same


_Node = _Leaf | _Same | _Pack | _Choice


def choose_late(module: Module) -> Module:
    """The module with the choices between carried loads and other values in the trip that reads them."""
    if not any(_choices(statement) for statement in module.walk() if statement.op is ops.FOR):
        return module
    return replace(module, statements=_Mover(module).moved(module.statements))


# ---- the choices of a loop


def _choices(loop: Statement) -> dict[int, _Node]:
    """The carried values of a loop that are choices of loads, by their number."""
    (region,) = loop.regions
    made = {result: inner for inner in region.statements for result in inner.results}
    yielded = region.yielded
    if not any(value in made and made[value].op in (WHERE, ops.PACK) for value in yielded):
        return {}
    reader = _Reader(made, region)
    choices: dict[int, _Node] = {}
    room = MOST_CARRIED
    for number, value in enumerate(yielded):
        node = reader.node(value)
        if node is None or not any(_waits(part) for part in _walk(node)):
            continue
        count = len(_leaves([node]))
        if count <= room:
            choices[number] = node
            room -= count
    return choices if _is_consistent(choices.values()) else {}


def _walk(node: _Node) -> Iterator[_Node]:
    yield node
    for part in node.parts if isinstance(node, _Pack) else ():
        yield from _walk(part)
    if isinstance(node, _Choice):
        yield from _walk(node.loaded)


def _waits(node: _Node) -> bool:
    """Whether a node takes instructions that read loads: a vector of whole registers takes none."""
    return isinstance(node, _Choice) or (
        isinstance(node, _Pack) and any(not _is_whole(operand) for operand in node.statement.operands)
    )


def _is_whole(value: Value) -> bool:
    """Whether a value fills its registers."""
    type_ = lane_type(value)
    return type_.lanes * type_.element.bits % WORD == 0


def _leaves(nodes: Iterable[_Node]) -> list[Value]:
    """The loads and conditions of some nodes."""
    leaves: dict[Value, None] = {}
    for node in nodes:
        for part in _walk(node):
            if isinstance(part, _Leaf):
                leaves[part.value] = None
            elif isinstance(part, _Choice):
                leaves[part.condition] = None
    return list(leaves)


def _is_consistent(nodes: Iterable[_Node]) -> bool:
    """Whether every choice by the same condition has its load on the same side."""
    choices = [part for node in nodes for part in _walk(node) if isinstance(part, _Choice)]
    return len({choice.condition for choice in choices}) == len({choice[1:3] for choice in choices})


class _Reader:
    """Follows the values of a region from its yield to loads. `made` are the statements of the region."""

    def __init__(self, made: Mapping[Value, Statement], region: Region) -> None:
        self._made, self._parameters = made, region.parameters
        self._readers: dict[Value, int] = {}
        for statement in walk(region.statements):
            for operand in statement.operands:
                self._readers[operand] = self._readers.get(operand, 0) + 1

    def node(self, value: Value) -> _Node | None:
        """How a value is made of loads by choices; None if it is not, or has another reader."""
        statement = self._made.get(value)
        if statement is None:
            return None if value in self._parameters else _Same(value)
        if statement.op is LITERAL:
            return None if splat_literal(statement) is None else _Same(value)
        if self._readers[value] > 1:
            return None
        if statement.op in ops.LOADS or (statement.op is ops.EXTRACT and self._is_part(statement)):
            return _Leaf(value)
        if statement.op is ops.PACK:
            parts = [self.node(operand) for operand in statement.operands]
            known = tuple([part for part in parts if part is not None])
            return _Pack(statement, known) if len(known) == len(parts) else None
        return self._choice(statement) if statement.op is WHERE else None

    def _choice(self, statement: Statement) -> _Node | None:
        condition, *sides = statement.operands
        by = self._made.get(condition)
        if by is not None and by.op is ops.SPLAT:
            (condition,) = by.operands
        yes, no = [self.node(side) for side in sides]
        if isinstance(no, _Same) and yes is not None and not isinstance(yes, _Same):
            return _Choice(statement, condition, True, yes, no)
        if isinstance(yes, _Same) and no is not None and not isinstance(no, _Same):
            return _Choice(statement, condition, False, no, yes)
        return None

    def _is_part(self, extract: Statement) -> bool:
        """Whether an `extract` of a load takes whole registers."""
        (vector,) = extract.operands
        made, index = self._made.get(vector), extract.attributes["index"]
        assert isinstance(index, int)
        is_aligned = index * lane_type(vector).element.bits % WORD == 0 and _is_whole(extract.result)
        return made is not None and made.op in ops.LOADS and is_aligned


# ---- moving


class _Mover:
    """Copies the statements of a module, with choices moved."""

    def __init__(self, module: Module) -> None:
        self._made = {result: statement for statement in module.walk() for result in statement.results}
        regions = [region for statement in module.walk() for region in statement.regions]
        parameters = [value for region in regions for value in region.parameters]
        self._builder = LaneBuilder([value.name for value in (*self._made, *parameters)])

    def moved(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements of a region."""
        copied: list[Statement] = []
        for statement in statements:
            regions = tuple(
                [Region(region.parameters, self.moved(region.statements)) for region in statement.regions]
            )
            current = replace(statement, regions=regions) if regions else statement
            choices = _choices(current) if current.op is ops.FOR else {}
            choices = {at: node for at, node in choices.items() if self._fits(node, current.operands[3 + at])}
            copied += self._loop(current, choices) if choices else (current,)
        return tuple(copied)

    def _loop(self, loop: Statement, choices: Mapping[int, _Node]) -> list[Statement]:
        """The loop with the choices in the next trip, between those before the first and after the last."""
        (region,) = loop.regions
        counter, *parameters = region.parameters
        *inside, last = region.statements
        initial, leaves = loop.operands[3:], _leaves(choices.values())
        kept = [number for number in range(len(parameters)) if number not in choices]
        with self._builder.nested() as before:
            firsts = self._firsts(choices, initial)
        carried, left = self._another(leaves), self._another(leaves)
        begin, end = list[Statement](), list[Statement]()
        for number, node in choices.items():
            begin += self._chosen(node, carried, parameters[number])
            end += self._chosen(node, left, loop.results[number])
        yields = replace(last, operands=(*[last.operands[number] for number in kept], *leaves))
        body = Region(
            (counter, *[parameters[number] for number in kept], *carried.values()), (*begin, *inside, yields)
        )
        operands = (*[initial[number] for number in kept], *[firsts[leaf] for leaf in leaves])
        results = (*[loop.results[number] for number in kept], *left.values())
        operands = (*loop.operands[:3], *operands)
        return [*before, replace(loop, operands=operands, results=results, regions=(body,)), *end]

    def _fits(self, node: _Node, first: Value) -> bool:
        """Whether the first value has the parts that no trip loads: only the other parts are carried."""
        if isinstance(node, _Leaf):
            return True
        if isinstance(node, _Same):
            return self._is_same(first, node.value)
        made = self._made.get(first)
        if isinstance(node, _Choice):
            sides = made.operands[1:] if made is not None and made.op is WHERE else (first,)
            return all(self._fits(node.loaded, side) for side in sides)
        wanted, parts = node.statement.operands, made.operands if made is not None else ()
        if made is None or made.op is not ops.PACK or list(map(_lanes, parts)) != list(map(_lanes, wanted)):
            parts = (first,) * len(wanted)
        return all(self._fits(part, own) for part, own in zip(node.parts, parts, strict=True))

    def _is_same(self, one: Value, other: Value) -> bool:
        """Whether values are the same, or literals of the same number."""
        made = [self._made.get(value) for value in (one, other)]
        numbers = [None if statement is None else splat_literal(statement) for statement in made]
        return one is other or (numbers[0] is not None and repr(numbers[0]) == repr(numbers[1]))

    def _another(self, values: Sequence[Value]) -> dict[Value, Value]:
        return {value: Value(self._builder.fresh(value.name), value.type) for value in values}

    def _chosen(self, node: _Node, values: Values, result: Value) -> list[Statement]:
        """The statements that make `result` of other loads and conditions."""
        with self._builder.nested() as statements:
            _ = self._copied(node, values)
        statements[-1] = replace(statements[-1], results=(result,))
        return statements

    def _copied(self, node: _Node, values: Values) -> Value:
        builder = self._builder
        if isinstance(node, _Leaf):
            return values[node.value]
        if isinstance(node, _Same):
            made = self._made.get(node.value)
            number = None if made is None else splat_literal(made)
            return node.value if number is None else builder.constant(number, lane_type(node.value))
        with builder.at(node.statement):
            if isinstance(node, _Pack):
                return builder.pack(*[self._copied(part, values) for part in node.parts])
            condition, lanes = values[node.condition], lane_type(node.statement.operands[0]).lanes
            if lane_type(condition).lanes < lanes:
                condition = builder.splat(condition, lanes)
            sides = self._copied(node.loaded, values), self._copied(node.other, values)
            return builder.where(condition, *(sides if node.polarity else reversed(sides)))

    # ---- before the first trip

    def _firsts(self, choices: Mapping[int, _Node], initial: Sequence[Value]) -> dict[Value, Value]:
        """The first loads and conditions."""
        alike = _Firsts(self._builder, self._made, is_alike=True)
        if all(alike.take(node, initial[number]) for number, node in choices.items()):
            return alike.leaves
        split = _Firsts(self._builder, self._made, is_alike=False)
        for number, node in choices.items():
            _ = split.take(node, initial[number])
        return split.leaves


class _Firsts:
    """The loads and conditions that make the first values of a loop.

    With `is_alike` they are those of the statements that make a first value, if these are the same choices.
    Otherwise the loads are the parts of the first value, and the conditions choose them.
    """

    def __init__(self, builder: LaneBuilder, made: Mapping[Value, Statement], is_alike: bool) -> None:
        self._builder, self._made, self._is_alike = builder, made, is_alike
        self.leaves: dict[Value, Value] = {}

    def take(self, node: _Node, first: Value) -> bool:
        """Add the leaves of a node; False if a condition would have two values."""
        if isinstance(node, _Leaf):
            return self._add(node.value, first)
        if isinstance(node, _Same):
            return True
        statement = self._made.get(first) if self._is_alike else None
        if isinstance(node, _Pack):
            parts = self._parts(node, first, statement)
            return all(self.take(part, own) for part, own in zip(node.parts, parts, strict=True))
        if statement is not None and statement.op is WHERE and self._is_same_choice(node, statement):
            condition = statement.operands[0]
            by = self._made.get(condition)
            if by is not None and by.op is ops.SPLAT and node.condition.type != condition.type:
                (condition,) = by.operands
            if condition.type == node.condition.type:
                loaded = statement.operands[1 if node.polarity else 2]
                return self._add(node.condition, condition) and self.take(node.loaded, loaded)
        always = self._builder.constant(node.polarity, lane_type(node.condition))
        return self._add(node.condition, always) and self.take(node.loaded, first)

    def _add(self, leaf: Value, first: Value) -> bool:
        return self.leaves.setdefault(leaf, first) is first

    def _parts(self, node: _Pack, first: Value, made: Statement | None) -> Sequence[Value]:
        lanes = list(map(_lanes, node.statement.operands))
        own = made.operands if made is not None and made.op is ops.PACK else ()
        if list(map(_lanes, own)) == lanes:
            return own
        starts = accumulate(lanes, initial=0)
        return [self._builder.extract(first, at, count) for at, count in zip(starts, lanes, strict=False)]

    def _is_same_choice(self, node: _Choice, statement: Statement) -> bool:
        """Whether a `where` takes the same other value."""
        other = statement.operands[2 if node.polarity else 1]
        own, wanted = self._made.get(other), self._made.get(node.other.value)
        if other is node.other.value or own is None or wanted is None:
            return other is node.other.value
        number = splat_literal(own)
        return number is not None and repr(number) == repr(splat_literal(wanted))


def _lanes(value: Value) -> int:
    return lane_type(value).lanes
