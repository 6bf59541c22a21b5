"""Scalar memory rows (RDNA3 ISA, chapter 8; RDNA4 ISA, chapter 8): s_load, s_buffer_load, cache control and
prefetch."""

from __future__ import annotations

from isa.constants import BITS
from isa.instruction import Event, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.table.declare import RDNA3, RDNA4, SIMM
from isa.table.rdna.cache import SCALAR_TH, SCOPE
from isa.table.rdna.declare import DLC, GLC, NULL, SGPR_OR_NULL, S, d, make, operand, u

LOADS = (("b32", "dword"), ("b64", "dwordx2"), ("b128", "dwordx4"), ("b256", "dwordx8"), ("b512", "dwordx16"))
# of RDNA4 alone: three units, and narrow loads that are extended to a unit
RDNA4_LOADS = (
    ("b96", "dwordx3", "b96", 12), ("u8", "", "b32", 1), ("i8", "", "b32", 1), ("u16", "", "b32", 2),
    ("i16", "", "b32", 2),
)  # fmt: skip


def offset(low: int, high: int, spelt: bool = False) -> ModifierSpec:
    return ModifierSpec("offset", "hex", 0, low, high, spelt=spelt)


def forms(
    name: str, operation: str, targets: frozenset[str], result_type: str, size: int, base_type: str
) -> tuple[Row, Row]:
    """An immediate offset (plain form), or an SGPR and an immediate offset (`sgpr`)."""
    rdna4 = targets <= RDNA4
    bits = (24 if rdna4 else 21) - (base_type == "b128")
    is_buffer = base_type == "b128"
    low, high = (0, (1 << bits) - 1) if is_buffer else (-(1 << bits - 1), (1 << bits - 1) - 1)
    result, base = d("sdst", SGPR_OR_NULL, result_type), u("sbase", S, base_type)
    immediate = operand("soffset", Role.USE, SIMM, f"{'u' if is_buffer else 'i'}{bits}")
    register = u("soffset", SGPR_OR_NULL | Kind.M0, "u32")
    cache = (SCALAR_TH, SCOPE) if rdna4 else (GLC, DLC)

    def row(last: OperandSpec, modifiers: tuple[ModifierSpec, ...], form: str) -> Row:
        return make(
            name, Unit.SMEM, (result, base, last), modifiers, events=(Event.SMEM_LOAD,), traits=(Trait.LOAD,),
            memory_bytes=size, form=form, targets=targets, operation=operation,
        )  # fmt: skip

    return row(immediate, cache, ""), row(register, (offset(low, high, spelt=rdna4), *cache), "sgpr")


def load(targets: frozenset[str], suffix: str, cdna: str, result_type: str, size: int) -> tuple[Row, ...]:
    """s_load and s_buffer_load of a width."""
    return tuple(
        row
        for prefix, base_type in (("s_load", "b64"), ("s_buffer_load", "b128"))
        for row in forms(
            f"{prefix}_{suffix}", f"{prefix}_{cdna}" if cdna else "", targets, result_type, size, base_type
        )
    )


def control(name: str, targets: frozenset[str]) -> Row:
    """Scalar cache control, which the counter of scalar loads counts."""
    return make(
        name, Unit.SMEM, (), events=(Event.SMEM_LOAD,), traits=(Trait.CACHE, Trait.SIDE_EFFECT),
        targets=targets, semantics="s_dcache_inv",
    )  # fmt: skip


def prefetch(name: str, base: OperandSpec | None, offset_type: str = "i24") -> Row:
    """A hint that brings `length` + 1 (the register's and the immediate's sum) lines of 128 bytes into a
    cache; nothing counts it."""
    spelt = (
        operand("offset", Role.USE, SIMM, offset_type),
        u("soffset", S | Kind.M0 | NULL, "u32"),
        operand("length", Role.USE, SIMM, "u5"),
    )
    operands = spelt if base is None else (base, *spelt)
    return make(
        name, Unit.SMEM, operands, traits=(Trait.CACHE, Trait.SIDE_EFFECT), targets=RDNA4, semantics="s_nop"
    )


ROWS: tuple[Row, ...] = (
    *(
        row
        for targets in (RDNA3, RDNA4)
        for suffix, cdna in LOADS
        for row in load(targets, suffix, cdna, suffix, BITS[suffix] // 8)
    ),
    *(
        row
        for suffix, cdna, result_type, size in RDNA4_LOADS
        for row in load(RDNA4, suffix, cdna, result_type, size)
    ),
    control("s_dcache_inv", RDNA3 | RDNA4),
    control("s_gl1_inv", RDNA3),
    prefetch("s_prefetch_data", u("sbase", S, "b64")),
    prefetch("s_prefetch_inst", u("sbase", S, "b64")),
    prefetch("s_prefetch_data_pc_rel", None),
    prefetch("s_prefetch_inst_pc_rel", None),
    prefetch("s_buffer_prefetch_data", u("srsrc", S, "b128"), "u23"),
)
