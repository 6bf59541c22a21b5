"""Products of factors that were made wider, as products of the narrow numbers if these are exact:

    a = convert[target_type=f32](x)       x and w of f16
    b = convert[target_type=f32](w)                           becomes
    p = dot(a, b)                                             p = dot[target_type=f32](x, w)

Products of f16 are exact in f32, and products of i8 in i32, in which both sum up. A target multiplies narrow
matrices many times faster, and they are fewer bytes. Users write the conversions since numpy sums in the type
of the factors.

A narrow type may be that of one factor if it has all numbers of the other, or i8, f16 or bf16. Integers that
cannot sum up to more than i32 has are converted to the wider type last, also to a float. A computed integer
becomes narrow if its bounds are known: clip(x, -127, 127).
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import CONVERT, DOT
from asmgen.graph.rewritings.integer_bounds import BoundsSearch
from asmgen.graph.rewritings.moves import REARRANGING
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import most
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import BF16, F16, F32, I8, I32, U8, U32, ElementType, computed

_WORDS = (I32, U32)  # of which sums are modulo 2**32


def with_narrow_factors(module: Module, multiplies: Callable[[ElementType], bool]) -> Module:
    """The module with such products. `multiplies` says whether matrix instructions of the target multiply
    matrices of a type exactly. Statements that become unused stay."""
    writer = _Writer(module)
    for statement in module.statements:
        narrow = writer.narrow_type(statement, multiplies) if statement.op is DOT else None
        if narrow is None:
            writer.keep(statement)
        else:
            writer.write(statement, narrow)
    return writer.module()


class _Writer(Rewriter):
    """Finds and writes the products of narrow factors."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self._defined = definitions(module)
        self._bounds = BoundsSearch(self._defined.get)
        self._narrow: dict[tuple[Value, ElementType], Value] = {}  # of factors that products may share

    def narrow_type(self, dot: Statement, multiplies: Callable[[ElementType], bool]) -> ElementType | None:
        """The type in which a product is as exact; None if it stays."""
        wide = tensor_type(dot.operands[0]).element
        if wide.bits < F32.bits or wide is not dot.result.type.element:
            return None
        types = [self._type_of_numbers(factor) for factor in dot.operands]
        length = most(tensor_type(dot.operands[0]).dims[-1])
        for narrow in dict.fromkeys((*types, I8, F16, BF16)):
            is_narrow = narrow.bits < wide.bits and narrow.name in DOT.types
            is_narrow = is_narrow and all(has_numbers(narrow, each) for each in types)
            if is_narrow and _has_sums(narrow, wide, length) and multiplies(narrow):
                return narrow
        return None

    def write(self, dot: Statement, narrow: ElementType) -> None:
        factors = tuple([self._narrowed(factor, dot, narrow) for factor in dot.operands])
        wide, sums = dot.result.type.element, computed(narrow)
        if wide is sums:
            self.finish(DOT, factors, dot, target_type=sums.name)
        else:
            product = self.apply(DOT, factors, dot, target_type=sums.name)
            self.finish(CONVERT, (product,), dot, target_type=wide.name)

    def _type_of_numbers(self, factor: Value) -> ElementType:
        """The narrowest type that is known to have the numbers of a factor."""
        made, own = self._defined[factor], tensor_type(factor).element
        if made.op in REARRANGING:
            return self._type_of_numbers(made.operands[0])
        if made.op is CONVERT and _keeps_numbers(made):
            return tensor_type(made.operands[0]).element
        if own.is_float:
            return own
        bounds = self._bounds.of(factor)
        return next((each for each in (I8, U8) if bounds.within(each)), own)

    def _narrowed(self, value: Value, dot: Statement, narrow: ElementType) -> Value:
        """A factor in the narrow type, by the same moves."""
        if tensor_type(value).element is narrow:
            return value
        if (value, narrow) not in self._narrow:
            made = self._defined[value]
            if made.op in REARRANGING:
                moved = self._narrowed(made.operands[0], dot, narrow)
                found = self.apply(made.op, (moved,), dot, "", **made.attributes)
            elif made.op is CONVERT and _keeps_numbers(made):
                found = self._narrowed(made.operands[0], dot, narrow)
            else:
                found = self.apply(CONVERT, (value,), dot, target_type=narrow.name)
            self._narrow[value, narrow] = found
        return self._narrow[value, narrow]


def _keeps_numbers(convert: Statement) -> bool:
    """Whether a conversion makes numbers wider; integers, of 32 bits if it is modulo 2**32."""
    own, given = [tensor_type(value).element for value in (convert.result, convert.operands[0])]
    is_modular = own in _WORDS and given.bits < own.bits and not (given.is_float or given.is_code)
    return is_modular or has_numbers(own, given)


def has_numbers(type_: ElementType, other: ElementType) -> bool:
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
