"""Pairs of instructions with a single equivalent instruction: the table of fusions, of integers and of the
order of floats; the bits of two words; any two functions of bits; a byte and its conversion to f32; a product
and its shift; two constant bounds of an integer.

The inner instruction has no other use, so it is dead afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from asmgen.passes.ssa import Rewriter, Site, constant
from isa.instruction import ExecMode, Immediate, Instr, ModifierValue, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operations import Meaning, Operation, meaning_of, plain_meaning, sources
from isa.registers import Register

_SIGNS = ("neg", "abs")  # in the order of the rows' modifiers
_PLAIN = (0, 0)
WORD_BITS = 32
_SIGN = 1 << WORD_BITS - 1
_OTHER = 2  # in `order`: the outer source that the inner instruction does not feed


class Fusion(NamedTuple):
    """`outer(inner(a, b), other)` as a single row. The inner result may be in any of `places` of the outer
    instruction.

    `order` gives the sources of the result: 0 and 1 are the inner sources, 2 is the other outer source. The
    inner source `zero` must be 0.
    """

    outer: Operation
    places: tuple[int, ...]
    inner: Operation
    result: str
    order: tuple[int, ...] = (0, 1, _OTHER)
    zero: int | None = None


VECTOR_FUSIONS: tuple[Fusion, ...] = (
    Fusion(Operation.ADD, (0, 1), Operation.SHIFT_LEFT, "v_lshl_add_u32"),
    Fusion(Operation.OR, (0, 1), Operation.SHIFT_LEFT, "v_lshl_or_b32"),
    Fusion(Operation.SHIFT_LEFT, (0,), Operation.ADD, "v_add_lshl_u32"),
    Fusion(Operation.OR, (0, 1), Operation.AND, "v_and_or_b32"),
    Fusion(Operation.OR, (0, 1), Operation.OR, "v_or3_b32"),
    Fusion(Operation.ADD, (0, 1), Operation.ADD, "v_add3_u32"),
    Fusion(Operation.ADD, (0, 1), Operation.XOR, "v_xad_u32"),
    Fusion(Operation.ADD, (0, 1), Operation.BIT_COUNT, "v_bcnt_u32_b32", (0, _OTHER), zero=1),
    Fusion(Operation.XOR, (0, 1), Operation.XOR, "v_xor3_b32"),
    Fusion(Operation.ADD, (0, 1), Operation.MULTIPLY_24, "v_mad_u32_u24"),
    Fusion(Operation.MINIMUM, (0, 1), Operation.MINIMUM, "v_min3_u32"),
    Fusion(Operation.MAXIMUM, (0, 1), Operation.MAXIMUM, "v_max3_u32"),
    Fusion(Operation.MINIMUM_SIGNED, (0, 1), Operation.MINIMUM_SIGNED, "v_min3_i32"),
    Fusion(Operation.MAXIMUM_SIGNED, (0, 1), Operation.MAXIMUM_SIGNED, "v_max3_i32"),
    Fusion(Operation.FLOAT_MINIMUM, (0, 1), Operation.FLOAT_MINIMUM, "v_min3_f32"),
    Fusion(Operation.FLOAT_MAXIMUM, (0, 1), Operation.FLOAT_MAXIMUM, "v_max3_f32"),
    Fusion(Operation.MAXIMUM, (0, 1), Operation.MINIMUM, "v_minmax_u32"),
    Fusion(Operation.MINIMUM, (0, 1), Operation.MAXIMUM, "v_maxmin_u32"),
    Fusion(Operation.MAXIMUM_SIGNED, (0, 1), Operation.MINIMUM_SIGNED, "v_minmax_i32"),
    Fusion(Operation.MINIMUM_SIGNED, (0, 1), Operation.MAXIMUM_SIGNED, "v_maxmin_i32"),
    Fusion(Operation.FLOAT_MAXIMUM, (0, 1), Operation.FLOAT_MINIMUM, "v_minmax_f32"),
    Fusion(Operation.FLOAT_MINIMUM, (0, 1), Operation.FLOAT_MAXIMUM, "v_maxmin_f32"),
)


class _Extreme(NamedTuple):
    """A minimum or a maximum of integers, and the median in the same order."""

    is_maximum: bool
    median: str
    bias: int  # the bits to invert in numbers so that their order is that of u32

    def stricter(self, a: int, b: int) -> int:
        choose = max if self.is_maximum else min
        return choose(a ^ self.bias, b ^ self.bias) ^ self.bias


_EXTREMES = {
    Operation.MINIMUM: _Extreme(False, "v_med3_u32", 0),
    Operation.MAXIMUM: _Extreme(True, "v_med3_u32", 0),
    Operation.MINIMUM_SIGNED: _Extreme(False, "v_med3_i32", _SIGN),
    Operation.MAXIMUM_SIGNED: _Extreme(True, "v_med3_i32", _SIGN),
}
_OF_FIELDS = frozenset({Operation.FIELD, Operation.FIELD_SIGNED, Operation.SHIFT_RIGHT, Operation.AND})
_JOINS = frozenset({Operation.OR, Operation.XOR, Operation.ADD})  # alike if no bit is in both sources
# functions of two bits, which a truth table of three sources has the result of
_OF_BITS: dict[Operation, Callable[[int, int], int]] = {
    Operation.AND: int.__and__,
    Operation.OR: int.__or__,
    Operation.XOR: int.__xor__,
}
_TABLES = (0xF0, 0xCC, 0xAA)  # of the sources themselves
_FLOATS_OF_BYTES = ("v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3")
_BYTE_BITS = 8
_FULL_RATE = 1 << 24  # factors of a product of the full rate are below
_SCALAR_SHIFT_ADDS = {1: "s_lshl1_add_u32", 2: "s_lshl2_add_u32", 3: "s_lshl3_add_u32", 4: "s_lshl4_add_u32"}


@cache
def _by_outer() -> dict[Operation, tuple[Fusion, ...]]:
    return {
        outer: tuple(f for f in VECTOR_FUSIONS if f.outer is outer)
        for outer in {f.outer for f in VECTOR_FUSIONS}
    }


@cache
def may_be_fused(row: Row) -> bool:
    """Whether any fusion has an outer instruction of this row."""
    meaning = meaning_of(row)
    if meaning is None:
        return False
    is_scalar_sum = row.exec_mode is ExecMode.SCALAR
    is_outer = meaning.operation in _by_outer() or meaning.operation is Operation.FLOAT_OF_UNSIGNED
    return is_scalar_sum or is_outer or meaning.operation in _JOINS or meaning.operation in _OF_BITS


class Source(NamedTuple):
    """A source of an instruction with its signs: `signs` has a 1 for each name of `_SIGNS` that applies."""

    operand: Operand
    signs: tuple[int, ...]


class Inner(NamedTuple):
    """An instruction with a single use: its meaning, its sources, and the source of its user that it does
    not feed."""

    place: int
    meaning: Meaning
    inputs: tuple[Source, ...]
    other: Source


class Field(NamedTuple):
    """`bits` bits of a value, from `first` on, extended by zeros or by their sign."""

    value: Operand
    first: int
    bits: int
    is_signed: bool = False

    def within(self, inner: Field) -> Field | None:
        """This field, of the result of another, as a field of the value of that; None if it is none."""
        left = inner.bits - self.first
        if left <= 0 or (inner.is_signed and left < self.bits):
            return None
        is_signed = self.is_signed and left >= self.bits
        return Field(inner.value, inner.first + self.first, min(self.bits, left), is_signed)


def inner_instructions(
    outer: Instr, meaning: Meaning, site: Site, rewriter: Rewriter, scc_reads: frozenset[Site]
) -> Iterator[Inner]:
    """The definitions of the two sources of `outer` that may be fused into it, the later first: then the
    operands of the other definition need not wait for its sources."""
    inputs = _signed_sources(outer, meaning)
    if inputs is None or len(inputs) != 2:
        return
    definitions: list[tuple[Site, int, Instr]] = []
    for place, (source, signs) in enumerate(inputs):
        if isinstance(source, Register) and not any(signs) and rewriter.is_used_once(source):
            made = rewriter.definition(source)
            if made is not None and made[0] not in scc_reads:
                definitions.append((made[0], place, made[1]))
    if len(definitions) == 2 and definitions[0][0] < definitions[1][0]:
        definitions.reverse()
    for _, place, instr in definitions:
        inner = meaning_of(instr.row)
        if inner is None or inner.bits != 32:
            continue
        inner_inputs = _signed_sources(instr, inner)
        if inner_inputs is None:
            continue
        read = [source.operand for source in inner_inputs if isinstance(source.operand, Register)]
        if all(rewriter.may_read(register, outer.row, site.block) for register in read):
            yield Inner(place, inner, inner_inputs, inputs[1 - place])


def _signed_sources(instr: Instr, meaning: Meaning) -> tuple[Source, ...] | None:
    """The sources of an instruction with their signs; None if it has another modifier."""
    if not instr.modifiers:
        return tuple([Source(operand, _PLAIN) for operand in sources(instr, meaning)])
    masks = dict(instr.modifiers)
    if not masks.keys() <= set(_SIGNS):
        return None
    spelt = [index for index in instr.row.uses if not instr.row.operands[index].hidden]
    signed: list[Source] = []
    for index in meaning.sources:
        bit = spelt.index(index)
        bits = [mask >> bit & 1 for mask in (masks.get(name, 0) for name in _SIGNS) if isinstance(mask, int)]
        signed.append(Source(instr.operands[index], tuple(bits)))
    return tuple(signed)


def fused(outer: Instr, site: Site, rewriter: Rewriter, scc_reads: frozenset[Site]) -> Instr | None:
    """The instruction that does `outer` together with the definition of one of its sources, or None."""
    meaning = meaning_of(outer.row)
    if meaning is None or meaning.bits != 32 or site in scc_reads:
        return None
    if outer.row.exec_mode is ExecMode.SCALAR:
        return _scalar_shift_add(outer, meaning, site, rewriter, scc_reads)
    if meaning.operation is Operation.FLOAT_OF_UNSIGNED:
        return _float_of_byte(outer, site, rewriter)
    inners = list(inner_instructions(outer, meaning, site, rewriter, scc_reads))
    if len(inners) == 2 and meaning.operation in _JOINS:
        whole = _joined_bits(outer, (inners[0], inners[1]), rewriter)
        if whole is not None:
            return whole
    if meaning.operation is Operation.SHIFT_LEFT and (product := _scaled_product(outer, inners, rewriter)):
        return product
    extreme = _EXTREMES.get(meaning.operation)
    if extreme is not None and (bounded := _bounded(outer, extreme, inners, rewriter)):
        return bounded
    fusions = _by_outer().get(meaning.operation, ())
    for inner in inners:
        for fusion in fusions:
            if fusion.inner is inner.meaning.operation and inner.place in fusion.places:
                if fusion.zero is not None and constant(inner.inputs[fusion.zero].operand) != 0:
                    continue
                pool = (*inner.inputs[:2], inner.other)
                taken = [pool[i] for i in fusion.order]
                operands = (outer.operands[0], *[source.operand for source in taken])
                result = rewriter.table.find(fusion.result)
                if result is not None and rewriter.is_legal(result, operands):
                    return _joined(result, operands, outer, _signs_of(taken))
    return _by_truth_table(outer, meaning, inners, rewriter)


def _scaled_product(outer: Instr, inners: Sequence[Inner], rewriter: Rewriter) -> Instr | None:
    """A shifted product by a constant, as the product by the shifted constant."""
    for inner in inners:
        if inner.meaning.operation is not Operation.MULTIPLY_24 or inner.place != 0:
            continue
        amount, (a, b) = constant(inner.other.operand), _operands(inner)
        for factor, value in ((a, b), (b, a)):
            by = constant(factor)
            scaled = None if by is None or amount is None else (by & _FULL_RATE - 1) << (amount & 31)
            if scaled is not None and scaled < _FULL_RATE:
                return _whole("v_mul_u32_u24_e32", (Immediate(scaled), value), outer, rewriter)
    return None


def _bounded(outer: Instr, extreme: _Extreme, inners: Sequence[Inner], rewriter: Rewriter) -> Instr | None:
    """Two bounds that are constants: `min(min(x, 7), 5)` as the extreme by the stricter bound, and
    `min(max(x, 1), 5)` as the median."""
    for inner in inners:
        other = _EXTREMES.get(inner.meaning.operation)
        bound = constant(inner.other.operand)
        if other is None or other.median != extreme.median or bound is None:
            continue
        for x, operand in (_operands(inner), _operands(inner)[::-1]):
            first = constant(operand)
            if first is None:
                continue
            if other.is_maximum is extreme.is_maximum:
                operands = (outer.operands[0], Immediate(extreme.stricter(first, bound)), x)
                return _joined(outer.row, operands, outer) if rewriter.is_legal(outer.row, operands) else None
            if extreme.stricter(first, bound) == first:
                return _whole(extreme.median, (x, Immediate(first), Immediate(bound)), outer, rewriter)
    return None


def _by_truth_table(
    outer: Instr, meaning: Meaning, inners: Sequence[Inner], rewriter: Rewriter
) -> Instr | None:
    """Any two functions of bits as a function of three bits, if the target has these."""
    row = rewriter.table.find("v_bitop3_b32") if meaning.operation in _OF_BITS else None
    if row is None:
        return None
    a, b, c = _TABLES
    for inner in inners:
        of_inner = _OF_BITS.get(inner.meaning.operation)
        if of_inner is None:
            continue
        operands = (outer.operands[0], *_operands(inner), inner.other.operand)
        if rewriter.is_legal(row, operands):
            table = _OF_BITS[meaning.operation](of_inner(a, b), c)
            return Instr(row, operands, (("bitop3", table),), outer.origin, False, outer.comment)
    return None


def _joined_bits(outer: Instr, inners: tuple[Inner, Inner], rewriter: Rewriter) -> Instr | None:
    """The bits of two words side by side, `x << n | y >> 32 - n`, as a rotation has them; or each bit of one
    of two words, `m & x | ~m & y`."""
    for first, second in (inners, inners[::-1]):
        operations = (first.meaning.operation, second.meaning.operation)
        if operations == (Operation.SHIFT_LEFT, Operation.SHIFT_RIGHT):
            (high, up), (low, down) = _operands(first), _operands(second)
            left, right = constant(up), constant(down)
            if left and right and left + right == WORD_BITS:
                return _whole("v_alignbit_b32", (high, low, down), outer, rewriter)
        elif operations == (Operation.AND, Operation.AND):
            for mask, x in (_operands(first), _operands(first)[::-1]):
                for other, y in (_operands(second), _operands(second)[::-1]):
                    if _is_inverse(other, mask, rewriter):
                        return _whole("v_bfi_b32", (mask, x, y), outer, rewriter)
    return None


def _operands(inner: Inner) -> tuple[Operand, Operand]:
    a, b = inner.inputs
    return a.operand, b.operand


def _is_inverse(operand: Operand, of: Operand, rewriter: Rewriter) -> bool:
    made = rewriter.definition(operand) if isinstance(operand, Register) else None
    meaning = None if made is None else plain_meaning(made[1])
    if made is None or meaning is None or meaning.operation is not Operation.NOT:
        return False
    return sources(made[1], meaning) == (of,)


def _whole(name: str, taken: tuple[Operand, ...], outer: Instr, rewriter: Rewriter) -> Instr | None:
    row, operands = rewriter.table.find(name), (outer.operands[0], *taken)
    return _joined(row, operands, outer) if row is not None and rewriter.is_legal(row, operands) else None


def _scalar_shift_add(
    outer: Instr, meaning: Meaning, site: Site, rewriter: Rewriter, scc_reads: frozenset[Site]
) -> Instr | None:
    if meaning.operation is not Operation.ADD:
        return None
    for inner in inner_instructions(outer, meaning, site, rewriter, scc_reads):
        amount = (
            constant(inner.inputs[1].operand) if inner.meaning.operation is Operation.SHIFT_LEFT else None
        )
        if amount in _SCALAR_SHIFT_ADDS:
            result = rewriter.table.row(_SCALAR_SHIFT_ADDS[amount])
            operands = (outer.operands[0], inner.inputs[0].operand, inner.other.operand)
            if rewriter.is_legal(result, operands):
                return _joined(result, operands, outer)
    return None


def _float_of_byte(outer: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The conversion of a byte in its place: v_cvt_f32_ubyte2 for bits 16 to 23 of a register."""
    meaning = plain_meaning(outer)
    taken = None if meaning is None else outer.operands[meaning.sources[0]]
    if not isinstance(taken, Register) or not rewriter.is_used_once(taken):
        return None
    made = rewriter.definition(taken)
    field = None if made is None else field_of(made[1])
    if field is None or field.is_signed or field.bits != _BYTE_BITS or field.first % _BYTE_BITS:
        return None
    if isinstance(field.value, Register) and not rewriter.may_read(field.value, outer.row, site.block):
        return None
    return _whole(_FLOATS_OF_BYTES[field.first // _BYTE_BITS], (field.value,), outer, rewriter)


def field_of(instr: Instr) -> Field | None:
    """The bits that an instruction takes out of a value."""
    meaning = plain_meaning(instr)
    if meaning is None or meaning.bits != WORD_BITS:
        return None
    inputs = sources(instr, meaning)
    match meaning.operation:
        case Operation.FIELD | Operation.FIELD_SIGNED:
            value, *numbers = inputs
            first, bits = [constant(number) for number in numbers]
            if first is None or bits is None:
                return None
            first, bits = first % WORD_BITS, bits % WORD_BITS  # five bits of each count
            is_signed = meaning.operation is Operation.FIELD_SIGNED
            return Field(value, first, min(bits, WORD_BITS - first), is_signed)
        case Operation.SHIFT_RIGHT:
            value, first = inputs
            amount = constant(first)
            return (
                None if amount is None else Field(value, amount % WORD_BITS, WORD_BITS - amount % WORD_BITS)
            )
        case Operation.AND:
            for value, other in (inputs, inputs[::-1]):
                mask = constant(other)
                if mask and mask & (mask + 1) == 0:
                    return Field(value, 0, mask.bit_length())
            return None
        case _:
            return None


def takes_field(row: Row) -> bool:
    """Whether instructions of a row may take a field out of a vector register."""
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation in _OF_FIELDS and row.exec_mode is ExecMode.MASKED


def gathers_bytes(row: Row) -> bool:
    """Whether instructions of a row choose bytes of two words."""
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation is Operation.BYTES


def _signs_of(taken: Sequence[Source]) -> tuple[tuple[str, ModifierValue], ...]:
    """The modifiers of an instruction with these sources, in the order of its operands."""
    masks = [sum([source.signs[number] << bit for bit, source in enumerate(taken)]) for number in range(2)]
    return tuple([(name, mask) for name, mask in zip(_SIGNS, masks, strict=True) if mask])


def _joined(
    result: Row,
    operands: tuple[Operand, ...],
    outer: Instr,
    signs: tuple[tuple[str, ModifierValue], ...] = (),
) -> Instr:
    return Instr(result, operands, signs, outer.origin, False, outer.comment)
