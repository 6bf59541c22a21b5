"""Helpers for vector ALU rows: a call gives the rows of every encoding and form of an instruction."""

from __future__ import annotations

from collections.abc import Iterable

from isa.constants import BITS, FLOAT_TYPES
from isa.instruction import Encoding, Kind, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, VCC, Register
from isa.table.declare import (
    CLAMP,
    DPP_CONTROL,
    DPP_CONTROL_64,
    DPP_WHOLE,
    DST_PAD,
    DST_PRESERVE,
    DST_SEL,
    MASK,
    OMOD,
    SRC0_SEL,
    SRC1_SEL,
    SREG,
    VSRC,
    VSRC9,
    V,
    d,
    float_mask,
    list_modifier,
    operand,
    result_modifiers,
    signature,
    source_modifier,
    source_modifiers,
    tied,
    u,
    vector,
)
from isa.table.declared import instruction

E32, E64, DPP, SDWA = Encoding.E32, Encoding.E64, Encoding.DPP, Encoding.SDWA
ALL = (E32, E64, DPP, SDWA)
PAIR = (E32, E64)
SDWA_SRC = SREG | Kind.VGPR | Kind.INLINE


def sources(
    types: Iterable[str], first: Kind, others: Kind, mask: Register | None
) -> tuple[OperandSpec, ...]:
    """`src0`, `src1`, ...; a lane mask is the register `mask`, or any SGPR pair if `mask` is None."""
    specs: list[OperandSpec] = []
    for i, type_name in enumerate(types):
        if type_name == "mask":
            specs.append(operand(f"src{i}", Role.USE, MASK, "mask", fixed=mask))
        else:
            specs.append(u(f"src{i}", others if i else first, type_name))
    return tuple(specs)


def destinations(types: Iterable[str], mask: Register | None) -> tuple[OperandSpec, ...]:
    """`vdst`, and `sdst` for a lane mask."""
    return tuple(
        operand("sdst", Role.DEFINE, MASK, t, fixed=mask) if t == "mask" else d("vdst", V, t) for t in types
    )


@instruction
def vop(
    name: str, text: str, *traits: Trait, encodings: tuple[Encoding, ...] = ALL, unit: Unit = Unit.VALU,
    clamp: bool = False, accumulates: bool = False, negatable: int = 0,
) -> tuple[Row, ...]:  # fmt: skip
    """VOP1 and VOP2 instructions.

    `accumulates`: the destination is an unspelt third source (v_fmac). `negatable`: the mask of the sources
    that take `neg` and `abs` although their type is not a float.
    """
    results, types = signature(text)
    rows: list[Row] = []
    accumulator = (tied("src2", d("vdst", V, results[0])),) if accumulates else ()
    if E32 in encodings:
        operands = destinations(results, VCC) + sources(types, VSRC9, V, VCC) + accumulator
        rows.append(vector(name, E32, unit, operands, (), traits))
    if E64 in encodings:
        operands = destinations(results, None) + sources(types, VSRC, VSRC, None) + accumulator
        rows.append(
            vector(
                name, E64, unit, operands,
                source_modifiers(types, negatable) + result_modifiers(results, clamp), traits,
            )
        )  # fmt: skip
    if SDWA in encodings:
        rows += sdwa(name, results, types, traits, unit, negatable)
    if DPP in encodings:
        kept = destinations(results, VCC)
        operands = kept + sources(types, V, V, VCC) + (accumulator or (tied("old", kept[0]),))
        control = DPP_CONTROL_64 if BITS[results[0]] == 64 else DPP_CONTROL
        modifiers = source_modifiers(types, negatable) + control
        rows.append(vector(name, DPP, unit, operands, modifiers, (*traits, Trait.CROSS_LANE)))
    return tuple(rows)


@instruction
def of_whole_rows(name: str, text: str) -> tuple[Row, ...]:
    """The row of DPP in which every lane has a source or a 0: nothing is kept of the destination."""
    (result,), types = signature(text)
    operands = (d("vdst", V, result), *[u(f"src{i}", V, type_name) for i, type_name in enumerate(types)])
    control = (*DPP_CONTROL[:1], *DPP_WHOLE)
    return (vector(name, DPP, Unit.VALU, operands, control, (Trait.CROSS_LANE,), form="bound"),)


def sdwa(
    name: str, results: tuple[str, ...], types: tuple[str, ...], traits: Iterable[Trait], unit: Unit,
    negatable: int,
) -> tuple[Row, ...]:  # fmt: skip
    """The two sub-dword rows: the first pads or sign-extends, the second preserves the rest of its
    destination."""
    spelt = tuple(t for t in types if t != "mask")
    selects = (SRC0_SEL, SRC1_SEL)[: len(spelt)]
    extends = sum(1 << i for i, t in enumerate(spelt) if t not in FLOAT_TYPES) & ~negatable
    inputs = source_modifiers(spelt, negatable) + ((source_modifier("sext", extends),) if extends else ())
    output = (CLAMP, OMOD) if results[0] in FLOAT_TYPES else (CLAMP,)
    operands = destinations(results, VCC) + sources(types, SDWA_SRC, SDWA_SRC, VCC)
    pad = vector(name, SDWA, unit, operands, (*inputs, *output, DST_SEL, DST_PAD, *selects), traits)
    kept = (*operands, tied("old", operands[0]))
    preserve = vector(
        name, SDWA, unit, kept, (*inputs, *output, DST_SEL, DST_PRESERVE, *selects),
        (*traits, Trait.HALF_WRITE), form="preserve",
    )  # fmt: skip
    return pad, preserve


@instruction
def vop3(
    name: str, text: str, *traits: Trait, unit: Unit = Unit.VALU, clamp: bool = False, omod: bool = True,
    op_sel: bool = False, reads: tuple[Register, ...] = (),
) -> tuple[Row, ...]:  # fmt: skip
    """Instructions that have the three-operand encoding alone; with `op_sel`, 16-bit results have a row that
    writes the upper half."""
    results, types = signature(text)
    operands = destinations(results, None) + sources(types, VSRC, VSRC, None)
    inputs = source_modifiers(types)
    output = result_modifiers(results, clamp) if omod else ()
    if not op_sel:
        return (vector(name, E64, unit, operands, inputs + output, traits, reads=reads, mnemonic=name),)
    output = result_modifiers(results, clamp) if clamp else ()
    low = vector(
        name, E64, unit, operands, (*inputs, list_modifier("op_sel", len(types), tail=(0,)), *output), traits,
        mnemonic=name,
    )  # fmt: skip
    if BITS[results[0]] > 16:
        return (low,)
    upper = (*inputs, list_modifier("op_sel", len(types), tail=(1,)), *output)
    kept = (*operands, tied("old", operands[0]))
    return low, vector(name, E64, unit, kept, upper, (*traits, Trait.HALF_WRITE), mnemonic=name, form="high")


@instruction
def vopc(
    name: str, type_name: str, *traits: Trait, second: str = "", writes_exec: bool = False
) -> tuple[Row, ...]:
    """Compares: the result is VCC in the short encoding; `v_cmpx` also writes EXEC."""
    types = (type_name, second or type_name)
    wide = type_name in ("f64", "i64", "u64")
    modifiers = source_modifiers(types)
    clamp = (CLAMP,) if float_mask(types) and not second else ()
    rows = [
        vector(
            name, E32, Unit.VALU, destinations(("mask",), VCC) + sources(types, VSRC9, V, VCC), (), traits
        ),
        vector(
            name, E64, Unit.VALU, destinations(("mask",), None) + sources(types, VSRC, VSRC, None),
            modifiers + clamp, traits,
        ),
    ]  # fmt: skip
    if not wide:
        extends = sum(1 << i for i, t in enumerate(types) if t not in FLOAT_TYPES)
        inputs = modifiers + ((source_modifier("sext", extends),) if extends else ())
        operands = destinations(("mask",), None) + sources(types, SDWA_SRC, SDWA_SRC, None)
        rows.append(vector(name, SDWA, Unit.VALU, operands, (*inputs, SRC0_SEL, SRC1_SEL), traits))
    return tuple(with_exec_write(row) for row in rows) if writes_exec else tuple(rows)


def with_exec_write(row: Row) -> Row:
    """The same row, which also writes EXEC."""
    return vector(row.name, row.encoding, row.unit, row.operands, row.modifiers, row.traits, writes=(EXEC,))


@instruction
def packed(
    name: str, text: str, *traits: Trait, neg: bool = True, clamp: bool = True, halves: bool = True,
) -> tuple[Row, ...]:  # fmt: skip
    """VOP3P instructions: with `halves`, `op_sel` and `op_sel_hi` choose the half of each source that the low
    and the high result read."""
    results, types = signature(text)
    operands = destinations(results, None) + sources(types, VSRC, VSRC, None)
    modifiers = (
        [list_modifier("op_sel", len(types)), list_modifier("op_sel_hi", len(types), 1)] if halves else []
    )
    if neg:
        modifiers += [list_modifier("neg_lo", len(types)), list_modifier("neg_hi", len(types))]
    if clamp:
        modifiers.append(CLAMP)
    return (vector(name, E64, Unit.VALU, operands, tuple(modifiers), traits, mnemonic=name),)


@instruction
def mixed(name: str, type_name: str, *traits: Trait) -> tuple[Row, ...]:
    """v_fma_mix: each source is f32, or by op_sel_hi the half of an f16 pair that op_sel names; mixlo and
    mixhi keep the other half."""
    result = d("vdst", V, type_name)
    operands = (result, *sources(("f32", "f32", "f32"), VSRC, VSRC, None))
    if type_name != "f32":
        operands = (*operands, tied("old", result))
    modifiers = (
        *source_modifiers(("f32", "f32", "f32")), list_modifier("op_sel", 3), list_modifier("op_sel_hi", 3),
        CLAMP,
    )  # fmt: skip
    return (vector(name, E64, Unit.VALU, operands, modifiers, traits, mnemonic=name),)
