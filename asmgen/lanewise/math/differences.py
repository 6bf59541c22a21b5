"""Comparisons of a number with several that differ by constants, as comparisons of a single difference: the
columns of a causal mask, the places of a row of `one_hot`.

    a = add(column, one);  b = less(row, a)            d = sub(row, column);  b = less(d, one)
    c = add(column, two);  e = less(row, c)            becomes                e = less(d, two)

The sums are gone if nothing else reads them. Words that are equal have equal differences, whatever wraps. An
order stays only if nothing wraps: both sides are known to be below 2**31, so the difference is an i32.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Module, Statement, Value, with_regions
from asmgen.ir.types import I32, U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.math.unsigned import largest
from isa.named_tuple import NamedTuple

_EQUALITIES = frozenset({graph.EQUAL, ops.NOT_EQUAL})
_COMPARISONS = _EQUALITIES | {graph.LESS, graph.GREATER, ops.LESS_EQUAL, ops.GREATER_EQUAL}
_SAME_BITS = frozenset({graph.CONVERT, graph.BIT_CAST, graph.IDENTITY})
_WORDS = (LaneType(I32), LaneType(U32))
_FEWEST = 2  # sums that a difference replaces


class _Compared(NamedTuple):
    """A comparison of `number` with `base` and a constant; the sum is operand `place`."""

    number: Value
    base: Value
    constant: int
    place: int


def with_differences(module: Module) -> Module:
    """The module with such comparisons; the same module if it has none."""
    definitions = Definitions(module)
    words = [each for each in module.walk() if each.op in _COMPARISONS and each.operands[0].type in _WORDS]
    found = {each: compared for each in words if (compared := _of(each, definitions)) is not None}
    groups = defaultdict[tuple[Value, Value], list[Statement]](list)
    for statement, compared in found.items():
        groups[compared.number, compared.base].append(statement)
    chosen = {each: found[each] for group in groups.values() if len(group) >= _FEWEST for each in group}
    return Module(module.name, tuple(_rewritten(module.statements, chosen))) if chosen else module


def _of(comparison: Statement, definitions: Definitions) -> _Compared | None:
    for place, value in enumerate(comparison.operands):
        other = comparison.operands[1 - place]
        total = definitions.by(_bits(value, definitions), graph.ADD)
        for base, literal in () if total is None else (total.operands, total.operands[::-1]):
            constant = definitions.literal(literal)
            if constant is None or definitions.literal(base) is not None:
                continue
            if comparison.op in _EQUALITIES or _is_below(other, value, definitions):
                return _Compared(_bits(other, definitions), _bits(base, definitions), int(constant), place)
    return None


def _bits(value: Value, definitions: Definitions) -> Value:
    """The word that has the same bits before conversions between i32 and u32."""
    made = definitions.of.get(value)
    while made is not None and made.op in _SAME_BITS and made.operands[0].type in _WORDS:
        (value,) = made.operands
        made = definitions.of.get(value)
    return value


def _is_below(number: Value, total: Value, definitions: Definitions) -> bool:
    """Whether a number and a sum, and so each part of the sum, are below 2**31 and not negative."""
    return largest(number, definitions) is not None and largest(total, definitions) is not None


def _rewritten(statements: tuple[Statement, ...], chosen: dict[Statement, _Compared]) -> Iterator[Statement]:
    for statement in statements:
        compared = chosen.get(statement)
        if compared is None:
            yield with_regions(statement, lambda inner: _rewritten(inner, chosen))
        else:
            yield from _of_difference(statement, compared)


def _of_difference(comparison: Statement, compared: _Compared) -> Iterator[Statement]:
    name, place, type_ = comparison.result.name, comparison.place, LaneType(I32)
    parts = [Value(f"{name}_{part}", type_) for part in ("number", "base", "difference", "constant")]
    *words, difference, constant = parts
    for word, source in zip(words, (compared.number, compared.base), strict=True):
        yield Statement(graph.BIT_CAST, (source,), (word,), {"target_type": I32.name}, (), place)
    yield Statement(graph.SUB, tuple(words), (difference,), {}, (), place)
    wrapped = (compared.constant + (1 << 31)) % (1 << 32) - (1 << 31)
    yield Statement(LITERAL, (), (constant,), {"values": (wrapped,)}, (), place)
    operands = (constant, difference) if compared.place == 0 else (difference, constant)
    yield replace(comparison, operands=operands)
