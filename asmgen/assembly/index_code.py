"""Instructions that compute an index expression.

Terms that are the same for the wave are summed in SGPRs, the rest in VGPRs, and the two sums are added. The
terms that change last come first, so that other indices share their sum.
Products by a power of two are shifts. Quotients by other numbers are products with a rounded reciprocal that
is exact within the bounds; `quotients` divides by indices. `passes.combine` joins shifts and additions, makes
ORs of additions without common bits, and computes equal values once; `passes.motion` moves computations that
a loop does not change before it.

    u32, i32    an index with bounds within them is a register
    u64         a larger index is a pair: only an address may be that large
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd
from typing import TypeGuard

from asmgen.assembly.quotients import put_quotient, put_remainder
from asmgen.assembly.recorder import Recorder
from asmgen.index.interval import Interval
from asmgen.index.nodes import (
    Atom,
    Index,
    Minimum,
    NotAnIndex,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
)
from asmgen.select.operands import put_scalar, put_vector
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import Register

WORD = (1 << 32) - 1
_U24 = (1 << 24) - 1
Part = Register | Immediate
_Put = Callable[..., Part]
Places = Mapping[Symbol, Register]
"""The register of each symbol."""


class _Larger(NamedTuple):
    """The larger of two indices: minus the smaller of their negatives."""

    one: Index
    other: Index
    low: int
    high: int
    text: str


def is_uniform(recorder: Recorder, index: Index, places: Places) -> bool:
    """Whether the whole wave has the same value."""
    return not any(recorder.is_vgpr(places[symbol]) for symbol in index.symbols)


class IndexCode:
    """Writes the code of indices; `places` are the registers of their symbols, `bounds` those of an index at
    the present place of the program. `changes` says of a term how soon it changes."""

    def __init__(
        self,
        recorder: Recorder,
        places: Places,
        bounds: Callable[[Index], Interval],
        changes: Callable[[Atom], tuple[int, bool]],
    ) -> None:
        self._recorder = recorder
        self._places = places
        self._bounds = bounds
        self._changes = changes

    def word(self, index: Index) -> Part:
        """The value in a register, an SGPR if it is the same for the wave, or a constant.

        `NotAnIndex` if it may need more than 32 bits, or is divided by a number that may be negative.
        """
        bounds = self._bounds(index)
        if not bounds.is_word:
            raise NotAnIndex(f"{index.text} is from {bounds.low} to {bounds.high}, wanted 32 bits")
        if index.is_constant:
            return Immediate(index.constant & WORD)
        factor = gcd(index.constant, *(coefficient for _, coefficient in index.terms))
        if factor > 1 and len(index.terms) > 1:
            inner = index // factor
            return self._times(self.word(inner), factor, _atom_of(inner), self._put_for(inner))
        uniform, varied = self._parts(index)
        if not varied.terms:
            return self._sum(uniform, self._scalar)
        total = self._sum(varied, self._vector)
        if not uniform.terms and not uniform.constant:
            return total
        return self._vector("v_add_u32", total, self._sum(uniform, self._scalar))

    def _parts(self, index: Index) -> tuple[Index, Index]:
        """The terms that are the same for the wave with the constant, and the others."""
        varied = index.part(
            [symbol for symbol in index.symbols if self._recorder.is_vgpr(self._places[symbol])]
        )
        return index - varied, varied

    def _sum(self, index: Index, put: _Put) -> Part:
        """A sum of terms that the same unit computes: positive terms first, so that the rest is
        subtracted."""
        total: Part | None = None
        for atom, coefficient in self._in_order(index):
            value = self._times(self._atom(atom), abs(coefficient), atom, put)
            if total is None and coefficient > 0:
                total = value
            elif coefficient > 0:
                total = put("v_add_u32", total or Immediate(0), value)
            else:
                total = put("v_sub_u32", total or Immediate(0), value)
        if total is None:
            return Immediate(index.constant & WORD)
        return put("v_add_u32", total, Immediate(index.constant & WORD)) if index.constant else total

    def _in_order(self, index: Index) -> list[tuple[Atom | _Larger, int]]:
        """The terms, those to subtract last."""
        terms = sorted(index.terms, key=lambda term: self._changes(term[0]))
        return sorted(map(_with_larger, terms), key=lambda term: term[1] < 0)

    def _times(self, value: Part, factor: int, atom: Atom | _Larger, put: _Put) -> Part:
        if factor == 1:
            return value
        if factor & factor - 1 == 0:
            return put("v_lshlrev_b32", Immediate(factor.bit_length() - 1), value)
        name = "v_mul_u32_u24" if atom.low >= 0 and atom.high <= _U24 >= factor else "v_mul_lo_u32"
        return put(name, value, Immediate(factor & WORD))

    def _atom(self, atom: Atom | _Larger) -> Part:
        match atom:
            case Symbol():
                return self._places[atom]
            case Quotient():
                return self._quotient(atom.inner, atom.by)
            case Remainder():
                return self._remainder(atom.inner, atom.by)
            case Minimum() | Smaller():
                return self._either("min", *atom.sides)
            case _Larger():
                return self._either("max", atom.one, atom.other)
            case Product():
                return self._product(atom.inner, atom.by)
            case SizedQuotient():
                return self._by_index(atom.inner, atom.by, put_quotient)
            case SizedRemainder():
                return self._by_index(atom.inner, atom.by, put_remainder)

    def _put_for(self, *indices: Index) -> _Put:
        uniform = all(is_uniform(self._recorder, index, self._places) for index in indices)
        return self._scalar if uniform else self._vector

    def _product(self, one: Index, other: Index) -> Part:
        put = self._put_for(one, other)
        fits = all(index.low >= 0 and index.high <= _U24 for index in (one, other))
        return put("v_mul_u32_u24" if fits else "v_mul_lo_u32", self.word(one), self.word(other))

    def _either(self, which: str, one: Index, other: Index) -> Part:
        """The smaller (min) or the larger (max) of two indices."""
        put = self._put_for(one, other)
        is_u32 = one.bounds.is_u32 and other.bounds.is_u32
        if not is_u32 and not (one.bounds.is_i32 and other.bounds.is_i32):
            raise NotAnIndex(
                f"{which}({one.text}, {other.text}) may be negative or above 2**31, wanted u32 or i32"
            )
        return put(f"v_{which}_{'u32' if is_u32 else 'i32'}", self.word(one), self.word(other))

    def _remainder(self, inner: Index, by: int) -> Part:
        put = self._put_for(inner)
        if by & by - 1 == 0:
            return put("v_and_b32", Immediate(by - 1), self.word(inner))
        value = self.word(inner)
        multiple = self._times(self._quotient(inner, by), by, _atom_of(inner // by), put)
        return put("v_sub_u32", value, multiple)

    def _quotient(self, inner: Index, by: int) -> Part:
        """The quotient rounded down."""
        put = self._put_for(inner)
        if by & by - 1 == 0:
            name = "v_lshrrev_b32" if inner.bounds.is_u32 else "v_ashrrev_i32"
            return put(name, Immediate(by.bit_length() - 1), self.word(inner))
        if inner.low < 0:
            return self._signed_quotient(inner, by, put)
        return self._by_reciprocal(self.word(inner), by, inner.high, put)

    def _signed_quotient(self, inner: Index, by: int, put: _Put) -> Part:
        """The number is raised by a multiple of the divisor first. If that needs more than 32 bits, the bits
        of negative numbers are inverted: `~(~x // by)` is `x // by`."""
        raised = -(inner.low // by)
        if inner.high + raised * by <= WORD:
            return put("v_sub_u32", self._quotient(inner + raised * by, by), Immediate(raised))
        value = self.word(inner)
        sign = put("v_ashrrev_i32", Immediate(31), value)
        magnitude = put("v_xor_b32", sign, value)
        quotient = self._by_reciprocal(magnitude, by, max(inner.high, -inner.low - 1), put)
        return put("v_xor_b32", sign, quotient)

    def _by_index(self, inner: Index, divisor: Index, result: Callable[..., Register]) -> Part:
        """The quotient or the remainder by a number from 0 on that only the launch knows."""
        if divisor.low < 0:
            raise NotAnIndex(
                f"{inner.text} is divided by {divisor.text}, which may be {divisor.low}, wanted 0 or more"
            )
        put, value, by = self._put_for(inner, divisor), self.word(inner), self.word(divisor)
        most = max(self._bounds(inner).high, -inner.low - 1)
        if inner.low < 0:
            sign = self._vector("v_ashrrev_i32", Immediate(31), value)
            magnitude = self._vector("v_xor_b32", sign, value)
            quotient = self._vector("v_xor_b32", sign, put_quotient(self._recorder, magnitude, by, most))
            whole = quotient if result is put_quotient else self._vector("v_mul_lo_u32", quotient, by)
            made = whole if result is put_quotient else self._vector("v_sub_u32", value, whole)
        else:
            made = result(self._recorder, value, by, most)
        return made if put == self._vector else self._first_lane(made)

    def _first_lane(self, value: Register) -> Register:
        """A value that all lanes have, in an SGPR."""
        result = self._recorder.sgpr()
        put_vector(self._recorder, "v_readfirstlane_b32", (result,), (value,))
        return result

    def _by_reciprocal(self, value: Part, by: int, most: int, put: _Put) -> Part:
        """`value * m >> s` for values up to `most` (T. Granlund, P. Montgomery, "Division by Invariant
        Integers using Multiplication", 1994): exact if `m * by - 2**s` is at most `2**s / (most + 1)`."""
        for shift in range(33):
            factor = -(-(1 << shift) // by)
            if factor * most > WORD:
                break
            if (factor * by - (1 << shift)) * (most + 1) <= 1 << shift:
                name = "v_mul_u32_u24" if most <= _U24 >= factor else "v_mul_lo_u32"
                return put("v_lshrrev_b32", Immediate(shift), put(name, value, Immediate(factor)))
        for shift in range(33):
            factor = -(-(1 << 32 + shift) // by)
            if factor > WORD:
                break
            if (factor * by - (1 << 32 + shift)) * (most + 1) <= 1 << 32 + shift:
                high = put("v_mul_hi_u32", value, Immediate(factor))
                return put("v_lshrrev_b32", Immediate(shift), high) if shift else high
        return self._by_longer_reciprocal(value, by, put)

    def _by_longer_reciprocal(self, value: Part, by: int, put: _Put) -> Part:
        """The same with a reciprocal of 33 bits: its uppermost bit is added by hand, halved so that the sum
        fits."""
        shift = by.bit_length()
        factor = (1 << 32 + shift) // by + 1 - (1 << 32)
        high = put("v_mul_hi_u32", value, Immediate(factor))
        half = put("v_lshrrev_b32", Immediate(1), put("v_sub_u32", value, high))
        return put("v_lshrrev_b32", Immediate(shift - 1), put("v_add_u32", half, high))

    # Instructions

    def _vector(self, name: str, *sources: Part) -> Register:
        register = self._recorder.vgpr()
        put_vector(self._recorder, name, (register,), sources)
        return register

    def _scalar(self, name: str, *sources: Part) -> Part:
        """The scalar instruction of a vector instruction's name."""
        scalar, is_reversed = _SCALAR[name]
        register = self._recorder.sgpr()
        put_scalar(self._recorder, scalar, (register,), sources[::-1] if is_reversed else sources)
        return register

    # Pairs

    def pair(self, index: Index) -> Register:
        """The value of an index that is not negative in a pair of registers, SGPRs if it is the same for the
        wave. Each term is a word or a product of two words, times a number."""
        if index.low < 0:
            raise NotAnIndex(f"{index.text} may be {index.low}, wanted an offset from 0 on")
        put = self._scalar_pair if is_uniform(self._recorder, index, self._places) else self._vector_pair
        total: Register | None = None
        for atom, coefficient in self._in_order(index):
            factors = self._factors(atom, coefficient)
            if factors is None:
                raise NotAnIndex(
                    f"{index.text} is larger than 32 bits and has the term {atom.text}, wanted less"
                )
            total = put(factors, total)
        if index.constant > WORD:
            return self._plus_wide(total, index.constant)
        if index.constant or total is None:
            total = put(_Factors(Immediate(1), Immediate(index.constant)), total)
        return total

    def _plus_wide(self, total: Register | None, number: int) -> Register:
        """A pair plus a number of 64 bits."""
        pair = self._recorder.scalar_pair(number & WORD, number >> 32)
        if total is None:
            return pair
        add = add_vector_pairs if self._recorder.is_vgpr(total) else add_pairs
        return add(self._recorder, pair, total)

    def _factors(self, atom: Atom | _Larger, coefficient: int) -> _Factors | None:
        """A term as a product of two words, shifted; None if it is none."""
        if coefficient < 0:
            return None
        if Interval(atom.low, atom.high).is_u32 and coefficient <= WORD:
            return _Factors(self._atom(atom), Immediate(coefficient))
        if not isinstance(atom, Product) or not all(side.bounds.is_u32 for side in atom.sides):
            return None
        for one, other in (atom.sides, atom.sides[::-1]):
            if one.high * coefficient <= WORD:
                return _Factors(self.word(one * coefficient), self.word(other))
        if coefficient & coefficient - 1:
            return None
        return _Factors(self.word(atom.inner), self.word(atom.by), coefficient.bit_length() - 1)

    def _vector_pair(self, factors: _Factors, total: Register | None) -> Register:
        recorder, sources = self._recorder, (factors.one, factors.other)
        product, carry = recorder.vgpr(2), recorder.mask()
        addend = total if total is not None and not factors.shift else Immediate(0)
        put_vector(recorder, "v_mad_u64_u32", (product, carry), (*sources, addend))
        if not factors.shift:
            return product
        shifted = recorder.vgpr(2)
        put_vector(recorder, "v_lshlrev_b64", (shifted,), (Immediate(factors.shift), product))
        return shifted if total is None else add_vector_pairs(recorder, total, shifted)

    def _scalar_pair(self, factors: _Factors, total: Register | None) -> Register:
        recorder, sources = self._recorder, (factors.one, factors.other)
        product = recorder.sgpr(2)
        put_scalar(recorder, "s_mul_i32", (product.part(0),), sources)
        put_scalar(recorder, "s_mul_hi_u32", (product.part(1),), sources)
        if factors.shift:
            shifted = recorder.sgpr(2)
            put_scalar(recorder, "s_lshl_b64", (shifted,), (product, Immediate(factors.shift)))
            product = shifted
        return product if total is None else add_pairs(recorder, total, product)


class _Factors(NamedTuple):
    """A product of two words, shifted to the left."""

    one: Part
    other: Part
    shift: int = 0


def add_vector_pairs(recorder: Recorder, one: Register, other: Register) -> Register:
    """The sum of two pairs in VGPRs; the first may be in SGPRs."""
    result, carry = recorder.vgpr(2), recorder.mask()
    put_vector(recorder, "v_add_co_u32", (result.part(0), carry), (one.part(0), other.part(0)))
    high = one.part(1), other.part(1), carry
    put_vector(recorder, "v_addc_co_u32", (result.part(1), recorder.mask()), high)
    return result


def add_pairs(recorder: Recorder, one: Register, other: Register) -> Register:
    """The sum of two pairs of SGPRs."""
    result = recorder.sgpr(2)
    put_scalar(recorder, "s_add_u32", (result.part(0),), (one.part(0), other.part(0)))
    put_scalar(recorder, "s_addc_u32", (result.part(1),), (one.part(1), other.part(1)))
    return result


def _with_larger(term: tuple[Atom, int]) -> tuple[Atom | _Larger, int]:
    """Minus the smaller of indices with negative terms is the larger of the positive indices, alone or as a
    factor."""
    atom, coefficient = term
    if coefficient > 0:
        return term
    if isinstance(atom, Product):
        return _with_larger_factor(atom, coefficient)
    if not _is_minus_larger(atom):
        return term
    one, other = [-side for side in atom.sides]
    text = f"max({one.text}, {other.text})"
    return _Larger(one, other, -atom.high, -atom.low, text), -coefficient


def _with_larger_factor(product: Product, coefficient: int) -> tuple[Product, int]:
    """Minus a product, with a factor that is minus the larger of two indices: the product by the larger."""
    for side, other in (product.sides, product.sides[::-1]):
        ((atom, _),) = side.terms
        if _is_minus_larger(atom):
            larger = -side
            text, bounds = f"({larger.text})*({other.text})", larger.bounds.times(other.bounds)
            return Product(larger, other, text, *bounds, product.multiple), -coefficient
    return product, coefficient


def _is_minus_larger(atom: Atom) -> TypeGuard[Minimum | Smaller]:
    """Whether the atom is the smaller of two indices, and not both have positive terms only."""
    if not isinstance(atom, Minimum | Smaller):
        return False
    return any(number < 0 for side in atom.sides for _, number in side.terms)


def _atom_of(index: Index) -> Atom:
    """A symbol with the bounds of an index, for functions that need only the bounds."""
    return Symbol(index.text, index.low, index.high, 1)


# the scalar instruction, and whether it takes its operands in the other order
_SCALAR = {
    "v_add_u32": ("s_add_u32", False), "v_sub_u32": ("s_sub_u32", False),
    "v_lshlrev_b32": ("s_lshl_b32", True), "v_lshrrev_b32": ("s_lshr_b32", True),
    "v_ashrrev_i32": ("s_ashr_i32", True), "v_and_b32": ("s_and_b32", False),
    "v_xor_b32": ("s_xor_b32", False),
    "v_mul_u32_u24": ("s_mul_i32", False), "v_mul_lo_u32": ("s_mul_i32", False),
    "v_mul_hi_u32": ("s_mul_hi_u32", False), "v_min_u32": ("s_min_u32", False),
    "v_min_i32": ("s_min_i32", False),
    "v_max_u32": ("s_max_u32", False), "v_max_i32": ("s_max_i32", False),
}  # fmt: skip
