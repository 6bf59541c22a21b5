"""The middle of two u32 in order, by a sum that stays in the word: two instructions, not three.

    m = add(l, div(sub(h, l), two))           becomes m = div(add(l, h), two)

A binary search takes such a middle in each step, as JAX's `searchsorted` does. Its ends stay in order:

    l, h = where(c, l, m), where(c, m, h)     l <= m <= h
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import U32
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from isa.named_tuple import NamedTuple

_WORD = (1 << 32) - 1
# ops of u32 that give nothing above their first operand, and the literal by which they halve it
_HALF = {graph.DIV: 2, ops.SHIFT_RIGHT: 1, graph.RIGHT_SHIFT: 1}
_DEEPEST = 96  # statements that are followed from a value: three for each step of a search


class Middle(NamedTuple):
    """The middle of two values, and the statement that halves their difference."""

    low: Value
    high: Value
    half: Statement


def sum_of_ends(total: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The middle of two u32 that are in order as half of their sum."""
    middle = _middle_of(total, definitions)
    if middle is None:
        return None
    order = _Order(definitions)
    if not order.is_kept(middle.low, middle.high) or order.most(middle.low) + order.most(middle.high) > _WORD:
        return None
    ends = Value(f"{total.result.name}_ends", total.result.type)
    halving, place = middle.half, total.place
    return (
        Statement(graph.ADD, (middle.low, middle.high), (ends,), {}, (), place),
        Statement(
            halving.op, (ends, halving.operands[1]), total.results, dict(halving.attributes), (), place
        ),
    )


def _middle_of(total: Statement | None, definitions: Definitions) -> Middle | None:
    if total is None or total.op is not graph.ADD or total.result.type.element is not U32:
        return None
    for low, value in (total.operands, total.operands[::-1]):
        half = definitions.of.get(value)
        if half is None or half.op not in _HALF or definitions.literal(half.operands[1]) != _HALF[half.op]:
            continue
        difference = definitions.by(half.operands[0], graph.SUB)
        if difference is not None and difference.operands[1] is low:
            return Middle(low, difference.operands[0], half)
    return None


class _Order:
    """The u32 that are never above others, and the most that each may be."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._most: dict[Value, int] = {}
        self._kept: dict[tuple[Value, Value], bool] = {}

    def most(self, value: Value, deepest: int = _DEEPEST) -> int:
        if value not in self._most:
            self._most[value] = self._most_of(value, deepest)
        return self._most[value]

    def _most_of(self, value: Value, deepest: int) -> int:
        number = self._definitions.literal(value)
        if number is not None:
            return int(number)
        made = self._definitions.of.get(value)
        if made is None or not deepest:
            return _WORD
        if made.op is graph.WHERE:
            return max([self.most(arm, deepest - 1) for arm in made.operands[1:]])
        if made.op in _HALF:
            return self.most(made.operands[0], deepest - 1)
        middle = _middle_of(made, self._definitions)
        if middle is None or not self.is_kept(middle.low, middle.high, deepest - 1):
            return _WORD
        return self.most(middle.high, deepest - 1)

    def is_kept(self, low: Value, high: Value, deepest: int = _DEEPEST) -> bool:
        """Whether `low` is certainly not above `high`."""
        if low is high:
            return True
        if not deepest:
            return False
        key = (low, high)
        if key not in self._kept:
            self._kept[key] = self._follows(low, high, deepest - 1)
        return self._kept[key]

    def _follows(self, low: Value, high: Value, deepest: int) -> bool:
        definitions = self._definitions
        numbers = definitions.literal(low), definitions.literal(high)
        if numbers[0] is not None and (numbers[0] == 0 or numbers[1] is not None):
            return numbers[1] is None or numbers[0] <= numbers[1]
        first, second = definitions.by(low, graph.WHERE), definitions.by(high, graph.WHERE)
        if first is not None and second is not None and first.operands[0] is second.operands[0]:
            arms = zip(first.operands[1:], second.operands[1:], strict=True)
            return all(self.is_kept(*pair, deepest) for pair in arms)
        above = _middle_of(definitions.of.get(high), definitions)
        if above is not None:
            return self.is_kept(above.low, above.high, deepest) and self.is_kept(low, above.low, deepest)
        made = definitions.of.get(low)
        if made is not None and made.op in _HALF:
            return self.is_kept(made.operands[0], high, deepest)
        below = _middle_of(made, definitions)
        if below is None:
            return False
        return self.is_kept(below.low, below.high, deepest) and self.is_kept(below.high, high, deepest)
