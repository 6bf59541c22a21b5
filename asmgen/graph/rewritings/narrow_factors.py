"""Products of factors that were made wider, as products of the narrow numbers if these are exact:

    a = convert[target_type=f32](x)       x and w of f16
    b = convert[target_type=f32](w)                           becomes
    p = dot(a, b)                                             p = dot[target_type=f32](x, w)

Products of f16 are exact in f32, and products of i8 in i32, in which both sum up. A target multiplies narrow
matrices many times faster, and they are fewer bytes. Users write the conversions since numpy sums in the type
of the factors.

A narrow type may be that of one factor if it has all numbers of the other, or i8, f16 or bf16. Integers that
cannot sum up to more than i32 has are converted to the wider type last, also to a float.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asmgen.graph.ops import (
    BROADCAST,
    CONTIGUOUS,
    CONVERT,
    DOT,
    IDENTITY,
    MULTIBROADCAST,
    RESHAPE,
    REVERSE,
    ROLL,
    SLICE,
    SQUEEZE,
    STEP,
    TRANSPOSE,
    UNSQUEEZE,
    WINDOWS,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import most
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import BF16, F16, F32, I8, I32, U32, ElementType, computed

_MOVES = frozenset(
    {
        BROADCAST, CONTIGUOUS, IDENTITY, MULTIBROADCAST, RESHAPE, REVERSE, ROLL, SLICE, SQUEEZE, STEP,
        TRANSPOSE, UNSQUEEZE, WINDOWS,
    }
)  # fmt: skip
_WORDS = (I32, U32)  # of which sums are modulo 2**32


def with_narrow_factors(module: Module, multiplies: Callable[[ElementType], bool]) -> Module:
    """The module with such products. `multiplies` says whether matrix instructions of the target multiply
    matrices of a type exactly. Statements that become unused stay."""
    writer = _Writer(module)
    for statement in module.statements:
        narrow = _narrow_type(statement, writer.defined, multiplies)
        if narrow is None:
            writer.keep(statement)
        else:
            writer.write(statement, narrow)
    return writer.module()


class _Writer(Rewriter):
    """Writes the products of narrow factors."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.defined = definitions(module)
        self._narrow: dict[tuple[Value, ElementType], Value] = {}  # of factors that products may share

    def write(self, dot: Statement, narrow: ElementType) -> None:
        factors = tuple([self._narrowed(factor, dot, narrow) for factor in dot.operands])
        wide, sums = dot.result.type.element, computed(narrow)
        if wide is sums:
            self.finish(DOT, factors, dot, target_type=sums.name)
        else:
            product = self.apply(DOT, factors, dot, target_type=sums.name)
            self.finish(CONVERT, (product,), dot, target_type=wide.name)

    def _narrowed(self, value: Value, dot: Statement, narrow: ElementType) -> Value:
        """A factor in the narrow type, by the same moves."""
        if (value, narrow) not in self._narrow:
            made = self.defined[value]
            (operand,) = made.operands
            if made.op is not CONVERT:
                moved = self._narrowed(operand, dot, narrow)
                operand = self.apply(made.op, (moved,), dot, "", **made.attributes)
            elif tensor_type(operand).element is not narrow:
                operand = self.apply(CONVERT, (operand,), dot, target_type=narrow.name)
            self._narrow[value, narrow] = operand
        return self._narrow[value, narrow]


def _narrow_type(
    statement: Statement, defined: Mapping[Value, Statement], multiplies: Callable[[ElementType], bool]
) -> ElementType | None:
    """The type in which a product is as exact; None if it stays."""
    if statement.op is not DOT:
        return None
    wide = tensor_type(statement.operands[0]).element
    sources = [_source(factor, defined) for factor in statement.operands]
    if wide.bits < F32.bits or wide is not statement.result.type.element or None in sources:
        return None
    types = [tensor_type(source).element for source in sources if source is not None]
    length = most(tensor_type(statement.operands[0]).dims[-1])
    for narrow in dict.fromkeys((*types, I8, F16, BF16)):
        is_narrow = narrow.bits < wide.bits and narrow.name in DOT.types
        is_narrow = is_narrow and all(_has_numbers(narrow, each) for each in types)
        if is_narrow and _has_sums(narrow, wide, length) and multiplies(narrow):
            return narrow
    return None


def _source(factor: Value, defined: Mapping[Value, Statement]) -> Value | None:
    """The numbers that a factor has in a wider type, in another order; None if it is no such copy."""
    while (made := defined[factor]).op in _MOVES:
        (factor,) = made.operands
    return made.operands[0] if made.op is CONVERT else None


def _has_numbers(type_: ElementType, other: ElementType) -> bool:
    """Whether a type has all numbers of the other."""
    if type_ is other:
        return True
    if other.is_code or type_.is_code or (other.is_float and not type_.is_float):
        return False
    if not other.is_float:
        low, high = integer_range(other)
        if type_.is_float:
            return max(-low, high) <= 1 << FLOAT_FORMATS[type_.name].precision
        least, greatest = integer_range(type_)
        return least <= low and high <= greatest
    form, of = FLOAT_FORMATS[type_.name], FLOAT_FORMATS[other.name]
    least = [each.minimum_exponent - each.precision for each in (form, of)]
    has_values = form.precision >= of.precision and least[0] <= least[1] and form.largest >= of.largest
    return has_values and form.infinities >= of.infinities and form.negative_zero >= of.negative_zero


def _has_sums(narrow: ElementType, wide: ElementType, length: int) -> bool:
    """Whether `length` products of a narrow type sum up as exactly as those of the wider type."""
    if narrow.is_float:
        return wide is F32
    low, high = integer_range(narrow)
    return wide in _WORDS or length * max(-low, high) ** 2 <= integer_range(computed(narrow))[1]
