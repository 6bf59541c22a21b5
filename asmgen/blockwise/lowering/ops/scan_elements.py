"""The elements that a scan combines: a number each, or for a linear recurrence h = a h + b a pair.

    (a, b) before (c, d)     (a c, b c + d)

An element is a tuple of values; the last is the result. The order counts: the earlier element is the first.
"""

from __future__ import annotations

from asmgen.blockwise.actions import Combine, Scan
from asmgen.blockwise.lowering.context import COMBINES, Context
from asmgen.blockwise.lowering.ops.exchange import from_lane
from asmgen.blockwise.lowering.ops.reduction import KINDS
from asmgen.ir.identities import identity
from asmgen.ir.program import Attribute, Value, lane_type
from asmgen.ir.types import ElementType
from asmgen.lanewise.reduction_ops import DPP_SCAN, LANE_BEFORE, LANE_STEP

Element = tuple[Value, ...]


class Numbers:
    """Elements that are a number each."""

    def __init__(self, context: Context, action: Scan) -> None:
        self._context, self._builder = context, context.builder
        self._op, self._way = action.op, action.reverse

    def combined(self, early: Element, late: Element) -> Element:
        return (self._builder.value(COMBINES[self._op], *early, *late),)

    def nothing(self, like: Element, element: ElementType) -> Element:
        """The identity element of a type."""
        return (self._builder.like(identity(self._op.value, element), like[-1]),)

    def over_lanes(self, element: Element, lanes: int) -> Element:
        """Each lane's element combined with those of the lanes before it in groups of adjacent lanes."""
        attributes: dict[str, Attribute] = {"op": KINDS[self._op], "lanes": lanes, "reverse": self._way}
        return self._builder.apply(DPP_SCAN, element, attributes)

    def of_both(self, own: Element, other: Element, is_late: Value) -> Element:
        """A lane's element and another lane's combined; `is_late` says whether the lane is the later."""
        return self.combined(own, other)

    # Parts that move by themselves

    def of_lane_before(self, element: Element, first: Element, lanes: int) -> Element:
        whole: dict[str, Attribute] = {"lanes": lanes, "reverse": self._way}
        pairs = zip(element, first, strict=True)
        return tuple([self._builder.apply(LANE_BEFORE, pair, whole)[0] for pair in pairs])

    def of_lane(self, element: Element, bit: int) -> Element:
        """The element of the lane with the same number except for a bit."""
        return tuple([from_lane(self._context, part, bit) for part in element])

    def where(self, condition: Value, chosen: Element, otherwise: Element) -> Element:
        pairs = zip(chosen, otherwise, strict=True)
        return tuple([self._builder.where(condition, *pair) for pair in pairs])


class Pairs(Numbers):
    """Elements of a linear recurrence: a factor and a summand."""

    def combined(self, early: Element, late: Element) -> Element:
        builder, (a, b), (factor, summand) = self._builder, early, late
        return builder.mul(a, factor), builder.add(builder.mul(b, factor), summand)

    def nothing(self, like: Element, element: ElementType) -> Element:
        return tuple([self._builder.like(number, like[-1]) for number in (1, 0)])

    def over_lanes(self, element: Element, lanes: int) -> Element:
        builder, way = self._builder, "reverse" if self._way else "scan"
        nothing = self.nothing(element, lane_type(element[-1]).element)
        for bit in range(lanes.bit_length() - 1):
            early = [
                builder.value(LANE_STEP, part, otherwise, way=way, combined=1 << bit)
                for part, otherwise in zip(element, nothing, strict=True)
            ]
            element = self.combined(tuple(early), element)
        return element

    def of_both(self, own: Element, other: Element, is_late: Value) -> Element:
        builder = self._builder
        (a, b), (factor, summand) = own, other
        moved = builder.mul(builder.where(is_late, summand, b), builder.where(is_late, a, factor))
        return builder.mul(a, factor), builder.add(moved, builder.where(is_late, b, summand))


def elements_of(context: Context, action: Scan) -> Numbers:
    return (Pairs if action.op is Combine.LINEAR else Numbers)(context, action)
