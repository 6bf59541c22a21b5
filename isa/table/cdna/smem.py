"""Scalar memory rows (CDNA3 ISA, chapter 7 and section 12.6)."""

from __future__ import annotations

from isa.instruction import Encoding, Event, Kind, ModifierSpec, Role, Row, Trait, Unit
from isa.table.declare import SIMM, S, d, make, operand, u

PLAIN = Encoding.PLAIN
OFFSET = ModifierSpec("offset", "hex", 0, -(1 << 20), (1 << 20) - 1)
BUFFER_OFFSET = ModifierSpec("offset", "hex", 0, 0, (1 << 20) - 1)
GLC = ModifierSpec("glc", "flag", 0)


def load(words: int) -> tuple[Row, ...]:
    """s_load_dword* and s_buffer_load_dword*: an immediate offset (plain form), or an SGPR and an immediate
    offset (`sgpr`)."""
    suffix = "" if words == 1 else f"x{words}"
    return (
        *forms(f"s_load_dword{suffix}", "b64", words, "i21", OFFSET),
        *forms(f"s_buffer_load_dword{suffix}", "b128", words, "u20", BUFFER_OFFSET),
    )


def forms(name: str, base_type: str, words: int, offset_type: str, offset: ModifierSpec) -> tuple[Row, Row]:
    """The two forms of a scalar load of `words` units."""
    result, base = d("sdst", S, f"b{32 * words}"), u("sbase", S, base_type)
    immediate, register = operand("soffset", Role.USE, SIMM, offset_type), u("soffset", S | Kind.M0, "u32")
    events, traits = (Event.SMEM_LOAD,), (Trait.LOAD,)
    plain = make(
        name, PLAIN, Unit.SMEM, (result, base, immediate), (GLC,), events=events, traits=traits,
        memory_bytes=4 * words,
    )  # fmt: skip
    operands, modifiers = (result, base, register), (offset, GLC)
    return plain, make(
        name, PLAIN, Unit.SMEM, operands, modifiers, events=events, traits=traits, memory_bytes=4 * words,
        form="sgpr",
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *load(1),
    *load(2),
    *load(4),
    *load(8),
    *load(16),
    make(
        "s_memtime", PLAIN, Unit.SMEM, (d("sdst", S, "b64"),), events=(Event.SMEM_LOAD,),
        traits=(Trait.SIDE_EFFECT,),
    ),
    make(
        "s_memrealtime", PLAIN, Unit.SMEM, (d("sdst", S, "b64"),), events=(Event.SMEM_LOAD,),
        traits=(Trait.SIDE_EFFECT,),
    ),
    make(
        "s_dcache_inv", PLAIN, Unit.SMEM, (), events=(Event.SMEM_LOAD,),
        traits=(Trait.CACHE, Trait.SIDE_EFFECT),
    ),
    make(
        "s_dcache_wb", PLAIN, Unit.SMEM, (), events=(Event.SMEM_LOAD,),
        traits=(Trait.CACHE, Trait.SIDE_EFFECT),
    ),
)  # fmt: skip
