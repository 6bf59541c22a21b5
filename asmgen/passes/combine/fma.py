"""Fused multiply-add: a float product and a sum become an fma if the source program's own operations carry
the mark for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from asmgen.passes.ssa import Rewriter, Site
from isa.instruction import Instr, ModifierValue, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operations import Meaning, Operation, literal_forms, meaning_of
from isa.registers import Register
from isa.table import Table

_SUMS = frozenset({Operation.FLOAT_ADD, Operation.FLOAT_SUBTRACT, Operation.PACKED_ADD})
_PRODUCT_OF = {
    Operation.FLOAT_ADD: Operation.FLOAT_MULTIPLY,
    Operation.FLOAT_SUBTRACT: Operation.FLOAT_MULTIPLY,
    Operation.PACKED_ADD: Operation.PACKED_MULTIPLY,
}


class _Pair(NamedTuple):
    """A sum, and the product that feeds its source at `place`."""

    total: Instr
    meaning: Meaning
    place: int
    product: Instr


@cache
def _fma(table: Table, operation: Operation, bits: int, packed_pairs: bool) -> Row:
    if operation is Operation.PACKED_ADD:
        return table.row("v_pk_fma_f32" if packed_pairs else "v_pk_fma_f16")
    return table.row({16: "v_fma_f16", 32: "v_fma_f32", 64: "v_fma_f64"}[bits])


def is_sum(row: Row) -> bool:
    """Whether instructions of a row may become an fma together with a product."""
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation in _SUMS


def contracted(total: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The fma that does `total` together with a product it adds, or None."""
    if not total.contract:
        return None
    meaning = meaning_of(total.row)
    if meaning is None or meaning.operation not in _SUMS:
        return None
    for pair in _products(total, meaning, site, rewriter):
        packed = meaning.operation is Operation.PACKED_ADD
        modifiers = _packed_modifiers(pair) if packed else _modifiers(pair)
        if modifiers is None:
            continue
        target = _fma(rewriter.table, meaning.operation, meaning.bits, meaning.bits == 32)
        given = _for_row(target, modifiers)
        if given is None:
            continue
        operands = (
            total.operands[0],
            *pair.product.operands[1:3],
            total.operands[meaning.sources[1 - pair.place]],
        )
        result = _legal(target, operands, given, total, rewriter)
        if result is not None:
            return result
    return None


def _products(total: Instr, meaning: Meaning, site: Site, rewriter: Rewriter) -> Iterator[_Pair]:
    for place, index in enumerate(meaning.sources):
        source = total.operands[index]
        if not isinstance(source, Register) or not rewriter.is_used_once(source):
            continue
        definition = rewriter.definition(source)
        if definition is None or not definition[1].contract:
            continue
        inner = meaning_of(definition[1].row)
        if (
            inner is None
            or inner.operation is not _PRODUCT_OF[meaning.operation]
            or inner.bits != meaning.bits
        ):
            continue
        if all(
            rewriter.may_read(s, total.row, site.block)
            for s in definition[1].operands[1:3]
            if isinstance(s, Register)
        ):
            yield _Pair(total, meaning, place, definition[1])


def _number(instr: Instr, name: str) -> int:
    value = dict(instr.modifiers).get(name, 0)
    return value if isinstance(value, int) else 0


def _modifiers(pair: _Pair) -> dict[str, ModifierValue] | None:
    """Signs and clamps of the fma; None if the product is rounded or its absolute value is taken in
    between."""
    total, product = pair.total, pair.product
    index = pair.meaning.sources[pair.place]
    other = pair.meaning.sources[1 - pair.place]
    if _number(product, "clamp") or _number(product, "omod") or _number(total, "abs") >> (index - 1) & 1:
        return None
    subtracts = pair.meaning.operation is Operation.FLOAT_SUBTRACT
    product_sign = _number(total, "neg") >> (index - 1) & 1 ^ (subtracts and pair.place == 1)
    other_sign = _number(total, "neg") >> (other - 1) & 1 ^ (subtracts and pair.place == 0)
    neg = _number(product, "neg") ^ product_sign | other_sign << 2
    absolute = _number(product, "abs") | (_number(total, "abs") >> (other - 1) & 1) << 2
    return {"neg": neg, "abs": absolute, "clamp": _number(total, "clamp"), "omod": _number(total, "omod")}


def _bits(instr: Instr, name: str, default: tuple[int, int]) -> tuple[int, int]:
    value = dict(instr.modifiers).get(name, default)
    return (value[0], value[1]) if isinstance(value, tuple) else default


def _packed_modifiers(pair: _Pair) -> dict[str, ModifierValue] | None:
    """Like `_modifiers` for packed instructions; None if the sum reads the halves of the product in another
    order."""
    total, product = pair.total, pair.product
    place, other = pair.place, 1 - pair.place
    low, high = _bits(total, "op_sel", (0, 0)), _bits(total, "op_sel_hi", (1, 1))
    if low[place] or not high[place] or _number(product, "clamp"):
        return None
    given: dict[str, ModifierValue] = {
        "op_sel": (*_bits(product, "op_sel", (0, 0)), low[other]),
        "op_sel_hi": (*_bits(product, "op_sel_hi", (1, 1)), high[other]),
        "clamp": _number(total, "clamp"),
    }
    for name in ("neg_lo", "neg_hi"):
        inner, outer = _bits(product, name, (0, 0)), _bits(total, name, (0, 0))
        given[name] = (inner[0] ^ outer[place], inner[1], outer[other])
    return given


def _for_row(target: Row, given: dict[str, ModifierValue]) -> tuple[tuple[str, ModifierValue], ...] | None:
    """The modifiers that differ from the row's defaults; None if the row lacks a needed modifier."""
    defaults = {spec.name: spec.default for spec in target.modifiers}
    if any(name not in defaults and value for name, value in given.items()):
        return None
    return tuple((name, given[name]) for name in defaults if name in given and given[name] != defaults[name])


def _legal(
    target: Row, operands: tuple[Operand, ...], modifiers: tuple[tuple[str, ModifierValue], ...],
    total: Instr, rewriter: Rewriter,
) -> Instr | None:  # fmt: skip
    """The fma, or a form with a literal if only that is legal."""
    if rewriter.is_legal(target, operands):
        return Instr(target, operands, modifiers, total.origin, False, total.comment)
    if modifiers:
        return None
    for alternative, order in literal_forms(rewriter.table, target):
        reordered = tuple(operands[i] for i in order)
        if rewriter.is_legal(alternative, reordered):
            return Instr(alternative, reordered, (), total.origin, False, total.comment)
    return None
