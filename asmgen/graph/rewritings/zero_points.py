"""Products of integers with zero points, as products of the numbers without these:

    a = sub(x, z)                     x of u8 or i8, made wider; z a number, or one for each row
    p = dot(a, w)                     becomes
    q = dot(x, w)
    t = reduce_sum[axes={-2}](w)      {1,n}, over k
    p = sub(q, mul(z, t))

The numbers are then of 8 bits, so a matrix instruction multiplies them. Arithmetic modulo 2**32 is exact in
any order. Few targets multiply u8, and none u8 by i8. Such numbers have a zero point of their own, 128, and
are i8 after it is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import ADD, DOT, MUL, MULTIBROADCAST, REDUCE_SUM, SUB
from asmgen.graph.rewritings.integer_bounds import Bounds, BoundsSearch
from asmgen.graph.rewritings.moves import REARRANGING
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import at_least
from asmgen.ir.program import Module, Op, Statement, Value, definitions, tensor_type
from asmgen.ir.types import I8, I32, U8, U32, ElementType
from isa.named_tuple import NamedTuple

_MATRIX = 2  # axes
_TILE = 16  # rows and columns of a matrix instruction
_ALONG_K = (-1, -2)  # the axis of each factor
_OWN = 128  # the zero point of u8 as i8


class _Factor(NamedTuple):
    """A factor as numbers, and those that are added to them or subtracted from them: the same along k."""

    numbers: Value
    zeros: tuple[tuple[Op, Value], ...]


def with_zero_points_apart(module: Module, multiplies: Callable[[ElementType], bool]) -> Module:
    """The module with such products of i32 or u32. `multiplies` says whether matrix instructions of the
    target multiply matrices of a type exactly. Statements that become unused stay."""
    if not multiplies(I8):
        return module
    writer = _Writer(module, multiplies(U8))
    for statement in module.statements:
        if statement.op is DOT and _is_taken(statement):
            writer.write(statement)
        else:
            writer.keep(statement)
    return writer.module()


def _is_taken(dot: Statement) -> bool:
    """Whether both factors are matrices of i32 or u32, and fill a tile of a matrix instruction."""
    a, b = [tensor_type(factor) for factor in dot.operands]
    is_wide = a.element in (I32, U32) and dot.result.type.element is a.element
    if not is_wide or min(a.rank, b.rank) < _MATRIX:
        return False
    return all(at_least(dim, _TILE).is_shown for dim in (a.dims[-2], b.dims[-1]))


class _Writer(Rewriter):
    """Writes the products, and the sums that make up for the zero points."""

    def __init__(self, module: Module, has_u8: bool) -> None:
        super().__init__(module)
        self._defined = definitions(module)
        self._bounds = BoundsSearch(self._defined.get)
        self._has_u8 = has_u8

    def write(self, dot: Statement) -> None:
        """(a + y) (b + z) is a b + y (b + z) + a z, each of them summed over k."""
        factors = [self._factor(each, axis) for each, axis in zip(dot.operands, _ALONG_K, strict=True)]
        bounds = [self._bounds.of(each.numbers) for each in factors]
        if not all(each.within(I8) or each.within(U8) for each in bounds):
            self.keep(dot)
            return
        if not (self._has_u8 and all(each.within(U8) for each in bounds)):
            if dot.result.type.element is U32 and not all(each.within(I8) for each in bounds):
                self.keep(dot)  # u32 has no numbers below 0
                return
            factors = [self._as_i8(*each, dot) for each in zip(factors, bounds, strict=True)]
        (a, of_a), (b, of_b) = factors
        if not (of_a or of_b):
            self.keep(dot)
            return
        terms = [(op, zero, dot.operands[1], _ALONG_K[1]) for op, zero in of_a]
        terms += [(op, zero, a, _ALONG_K[0]) for op, zero in of_b]
        total = self.apply(DOT, (a, b), dot)
        for number, (op, zero, other, axis) in enumerate(terms, 1):
            sums = self.apply(REDUCE_SUM, (other,), dot, axes=(axis,))
            term = self.apply(MUL, (zero, sums), dot)
            if number == len(terms):
                self.finish(op, (total, term), dot)
            else:
                total = self.apply(op, (total, term), dot)

    def _factor(self, value: Value, axis: int) -> _Factor:
        """The factor, of which `axis` is k, without the zero point that it has."""
        made = self._defined[value]
        if made.op in (ADD, SUB) and not self._bounds.of(value).within(I8):
            for numbers, zero in (made.operands, made.operands[::-1]):
                source = self._same_along(zero, axis)
                if source is not None and tensor_type(numbers).dims == tensor_type(value).dims:
                    return _Factor(numbers, ((made.op, source),))
                if made.op is SUB:
                    break
        return _Factor(value, ())

    def _same_along(self, value: Value, axis: int) -> Value | None:
        """A value without the axis, or with one element along it; None if it has several."""
        made = self._defined[value]
        source = made.operands[0] if made.op is MULTIBROADCAST else value
        dims = tensor_type(source).dims
        return source if len(dims) < -axis or dims[axis] == 1 else None

    def _as_i8(self, factor: _Factor, bounds: Bounds, dot: Statement) -> _Factor:
        if bounds.within(I8):
            return factor
        own = self.literal(_OWN, tensor_type(factor.numbers).element, dot)
        return _Factor(self._shifted(factor.numbers, own, dot), (*factor.zeros, (ADD, own)))

    def _shifted(self, value: Value, own: Value, dot: Statement) -> Value:
        """The numbers without their own zero point, before they are moved."""
        made = self._defined[value]
        if made.op not in REARRANGING:
            return self.apply(SUB, (value, own), dot)
        moved = self._shifted(made.operands[0], own, dot)
        return self.apply(made.op, (moved,), dot, "", **made.attributes)
