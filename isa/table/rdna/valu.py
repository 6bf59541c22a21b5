"""RDNA's vector ALU rows: VOP1, VOP2, VOP3 and VOPC (RDNA3 ISA, chapter 7 and sections 16.7 to 16.12; RDNA4
ISA likewise).

`operation` is CDNA3's name if CDNA3 has the instruction under another name. If a result may differ in a bit,
as AMD's newer minimum and maximum treat NaNs differently, `semantics` is the target's own name.
"""

from __future__ import annotations

from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, M0, VCC, VCC_LO
from isa.table.declare import (
    CLAMP,
    DPP_WHOLE_MASKS,
    OMOD,
    RDNA,
    RDNA3,
    RDNA4,
    signature,
    source_modifier,
    source_modifiers,
)
from isa.table.declared import Declaration, Declared, instruction
from isa.table.rdna.vector import (
    ANY,
    BOUND_CTRL_SET,
    DPP,
    DPP8_CONTROLS,
    DPP16_CONTROLS,
    E32,
    E64,
    LANES_ANY,
    PAIR,
    SCALAR,
    V,
    by_halves,
    d,
    destinations,
    half_modifier,
    of_whole_rows,
    operand,
    row,
    sources,
    tied,
    u,
    vop,
    vop3,
    vopc,
    vopcx,
    with_lane_controls,
)

PLAIN = Encoding.PLAIN
COMMUTES, MOVE = Trait.COMMUTES, Trait.MOVE
TRANS = Unit.TRANS

SCALAR_SOURCE = SCALAR | Kind.INLINE | Kind.LITERAL
SCALAR_RESULT = Kind.SGPR | Kind.EXEC | Kind.NULL


def move_lane() -> tuple[Row, ...]:
    """A move between a lane of a VGPR and an SGPR. EXEC does not mask it, but v_readfirstlane looks for its
    first lane in EXEC."""
    lane = u("lane_select", SCALAR | Kind.INLINE, "u32")
    source, scalar, written = u("src0", V, "b32"), d("sdst", SCALAR_RESULT, "b32"), d("vdst", V, "b32")
    reads = frozenset({Trait.LANE_READ, Trait.CROSS_LANE})
    return (
        row("v_readfirstlane_b32", PLAIN, Unit.VALU, (scalar, source), (), reads, bus=0),
        row(
            "v_readlane_b32", PLAIN, Unit.VALU, (scalar, source, lane), (), reads | {Trait.DOUBLE_LENGTH},
            reads=(), exec_mode=ExecMode.IGNORED,
        ),
        row(
            "v_writelane_b32", PLAIN, Unit.VALU,
            (written, u("src0", SCALAR_SOURCE, "b32"), lane, tied("old", written)), (),
            frozenset({Trait.LANE_WRITE, Trait.DOUBLE_LENGTH}), reads=(), exec_mode=ExecMode.IGNORED,
        ),
    )  # fmt: skip


@instruction
def permute(name: str, *selects: OperandSpec, targets: frozenset[str] = RDNA) -> tuple[Row, ...]:
    """Lanes of a row of 16 are exchanged by selectors. `op_sel` also reads lanes that are off, and gives
    zeros for lanes that do not exist (`bound`): then nothing is kept of the destination."""
    result = d("vdst", V, "b32")
    operands = (result, u("src0", V, "b32"), *selects)
    traits = frozenset({Trait.PERMLANE, Trait.CROSS_LANE})
    bound, keeping = (
        ModifierSpec("op_sel", "list", (0,), tail=(zero,), spelt=bool(zero), required=bool(zero))
        for zero in (1, 0)
    )
    forms = (("bound", bound, operands), ("", keeping, (*operands, tied("old", result))))
    return tuple(
        row(name, E64, Unit.VALU, given, (modifier,), traits, mnemonic=name, form=form, targets=targets)
        for form, modifier, given in forms
    )


def permutes() -> tuple[Declared, ...]:
    """v_permlane16, v_permlanex16 (from the other row of a pair), v_permlane64 (from the other half of a
    wave)."""
    scalar = tuple(u(f"src{i}", SCALAR_SOURCE, "b32") for i in (1, 2))
    vector = u("src1", V, "b32")
    halves = (d("vdst", V, "b32"), u("src0", V, "b32"))
    return (
        *permute("v_permlane16_b32", *scalar),
        *permute("v_permlanex16_b32", *scalar),
        *permute("v_permlane16_var_b32", vector, targets=RDNA4),
        *permute("v_permlanex16_var_b32", vector, targets=RDNA4),
        row(
            "v_permlane64_b32", PLAIN, Unit.VALU, halves, (), frozenset({Trait.PERMLANE, Trait.CROSS_LANE}),
            bus=0,
        ),
    )  # fmt: skip


def relative_moves() -> tuple[Row, ...]:
    """Moves with M0 added to the number of the source register, the destination register, or both. The
    registers that they access are not operands, so no pass of ours makes such moves. (Their forms with lane
    controls are left out.)"""
    rows: list[Row] = []
    for encoding in PAIR:
        for name, target, source in (
            ("v_movrels_b32", d("vdst", V, "b32"), u("src0", V, "b32")),
            ("v_movreld_b32", u("vdst", V, "b32"), u("src0", ANY, "b32")),
            ("v_movrelsd_b32", u("vdst", V, "b32"), u("src0", V, "b32")),
        ):
            traits = frozenset({Trait.SIDE_EFFECT}) if target.role is Role.USE else frozenset[Trait]()
            rows.append(row(name, encoding, Unit.VALU, (target, source), (), traits, reads=(EXEC, M0)))
    return tuple(rows)


def swap(name: str, type_name: str, targets: frozenset[str] = RDNA) -> Row:
    """Exchanges two VGPRs or halves; each destination is tied to the other's source."""
    first, second = d("vdst", V, type_name, short=True), d("vdst1", V, type_name, short=True)
    operands = (first, second, tied("old", first), tied("old1", second))
    return row(
        name, PLAIN, Unit.VALU, operands, half_modifier(operands, True, ()), frozenset(), targets=targets,
        bus=0,
    )  # fmt: skip


def literal_fma(type_name: str) -> tuple[Row, ...]:
    """v_fmaak (a b + literal) and v_fmamk (a literal + b): the literal is always there, and may be src0
    too."""
    first, literal = u("src0", ANY, type_name, short=True), u("src2", Kind.LITERAL, type_name)
    result = d("vdst", V, type_name, short=True)
    added = (result, first, u("src1", V, type_name, short=True), literal)
    multiplied = (result, first, u("src1", Kind.LITERAL, type_name), u("src2", V, type_name, short=True))
    return tuple(
        row(
            name, PLAIN, Unit.VALU, operands, half_modifier(operands, targets <= RDNA3, ()), frozenset(),
            targets=targets,
        )
        for targets in by_halves(type_name, RDNA)
        for name, operands in ((f"v_fmaak_{type_name}", added), (f"v_fmamk_{type_name}", multiplied))
    )  # fmt: skip


def division(type_name: str) -> tuple[Declared, ...]:
    """The steps of a correctly rounded division: scale (writes a lane mask), fmas (reads VCC), fixup."""
    types = (type_name, type_name, type_name)
    given, result = sources(types, False, ANY), d("vdst", V, type_name)
    rows: list[Row] = []
    for mask, vcc, lanes in (("mask", VCC, 64), ("mask32", VCC_LO, 32)):
        scaled = (*destinations((type_name, mask), False), *given)
        waves = frozenset({lanes})
        scale, fmas = f"v_div_scale_{type_name}", f"v_div_fmas_{type_name}"
        rows.append(
            row(scale, E64, Unit.VALU, scaled, (NEG3, CLAMP, OMOD), frozenset(), mnemonic=scale, waves=waves)
        )
        modifiers = (*source_modifiers(types), CLAMP, OMOD)
        facts = frozenset({Trait.DIV_FMAS})
        rows.append(
            row(
                fmas, E64, Unit.VALU, (result, *given), modifiers, facts, mnemonic=fmas, waves=waves,
                reads=(EXEC, vcc),
            )
        )  # fmt: skip
    return (
        *rows,
        *vop3(f"v_div_fixup_{type_name}", f"{type_name} = {type_name} {type_name} {type_name}", lanes=False),
    )


def scalar_trans(name: str, type_name: str) -> Row:
    """A transcendental of a scalar (gfx1201)."""
    modifiers = (*source_modifiers((type_name,)), CLAMP, OMOD)
    operands = (d("sdst", Kind.SGPR | Kind.M0 | Kind.NULL, type_name), u("src0", SCALAR_SOURCE, type_name))
    return row(
        f"v_s_{name}_{type_name}", E64, TRANS, operands, modifiers, frozenset(),
        mnemonic=f"v_s_{name}_{type_name}", reads=(), exec_mode=ExecMode.SCALAR, targets=RDNA4,
    )  # fmt: skip


@instruction
def rounded_bytes(name: str) -> tuple[Row, ...]:
    """A float rounded by random bits to an 8-bit float in a byte of the destination; the other bytes stay
    (gfx1201)."""
    result = d("vdst", V, "b32")
    modifiers = (*source_modifiers(("f32", "b32")), BYTE_SEL)
    old = (tied("old", result),)
    facts = frozenset({Trait.HALF_WRITE})
    semantics = f"{name}_ocp"
    operands = (result, *sources(("f32", "b32"), False, ANY), *old)
    plain = row(
        name, E64, Unit.VALU, operands, modifiers, facts, mnemonic=name, targets=RDNA4, semantics=semantics
    )
    operands = (result, *sources(("f32", "b32"), False, V, LANES_ANY), *old)
    return plain, *with_lane_controls(name, operands, modifiers, facts, RDNA4, semantics=semantics)


@instruction
def accumulating(name: str, text: str, *traits: Trait, operation: str) -> tuple[Row, ...]:
    """Instructions that add to their destination and have only the short encoding, spelt without its suffix
    (gfx1100)."""
    results, types = signature(text)
    result = destinations(results, True)
    facts, old = frozenset(traits), (tied("src2", result[0]),)
    crossed = facts | {Trait.CROSS_LANE}
    crossing = result + sources(types, True, V) + old
    return (
        row(
            name, E32, Unit.VALU, result + sources(types, True, ANY, V) + old, (), facts, mnemonic=name,
            targets=RDNA3, operation=operation,
        ),
        row(
            name, DPP, Unit.VALU, crossing, source_modifiers(types) + DPP16_CONTROLS, crossed, targets=RDNA3,
            operation=operation,
        ),
        row(
            name, DPP, Unit.VALU, crossing, DPP8_CONTROLS, crossed, form="dpp8", targets=RDNA3,
            operation=operation,
        ),
    )  # fmt: skip


def packed_fmac() -> Row:
    """v_pk_fmac_f16 on registers: LLVM reads an inline float of it as a literal."""
    (kept,) = destinations(("f16x2",), True)
    operands = (kept, u("src0", SCALAR | V, "f16x2"), u("src1", V, "f16x2"), tied("src2", kept))
    return row("v_pk_fmac_f16", E32, Unit.VALU, operands, (), frozenset(), mnemonic="v_pk_fmac_f16")


def byte_differences(name: str, type_name: str, *traits: Trait, third: Kind = ANY) -> Row:
    """Sums of absolute differences of four bytes at four offsets; written while the sources are still
    read."""
    result = operand("vdst", Role.DEFINE, V, type_name, early_clobber=True)
    operands = (result, u("src0", ANY, "b64"), u("src1", ANY, "b32"), u("src2", third, type_name))
    return row(name, E64, Unit.VALU, operands, (CLAMP,), frozenset(traits), mnemonic=name)


NEG3 = source_modifier("neg", 7)
BYTE_SEL = ModifierSpec("byte_sel", "number", 0, 0, 3)

MOVES: tuple[Declared, ...] = (
    row(
        "v_nop", E32, Unit.VALU, (), (), frozenset(), mnemonic="v_nop", reads=(), exec_mode=ExecMode.SCALAR,
        bus=0,
    ),
    row(
        "v_mov_b32", DPP, Unit.VALU, (d("vdst", V, "b32"), u("src0", V, "b32")),
        (*DPP16_CONTROLS[:1], *DPP_WHOLE_MASKS, BOUND_CTRL_SET, *DPP16_CONTROLS[-1:]),
        frozenset({MOVE, Trait.CROSS_LANE}),
        form="bound",
    ),
    *vop("v_mov_b32", "b32 = b32", MOVE),
    *vop("v_mov_b16", "b16 = b16", targets=RDNA3),
    *move_lane(),
    *permutes(),
    *relative_moves(),
    swap("v_swap_b32", "b32"),
    swap("v_swap_b16", "b16", targets=RDNA3),
    *vop3("v_cndmask_b16", "b16 = b16 b16 mask", negatable=0b11),
    *vop("v_cndmask_b32", "b32 = b32 b32 mask", negatable=0b11),
)  # fmt: skip

ONE_SOURCE: tuple[Declared, ...] = (
    *vop("v_cvt_f32_i32", "f32 = i32"),
    *vop("v_cvt_f32_u32", "f32 = u32"),
    *vop("v_cvt_u32_f32", "u32 = f32", clamp=True),
    *vop("v_cvt_i32_f32", "i32 = f32", clamp=True),
    *vop("v_cvt_nearest_i32_f32", "i32 = f32", clamp=True, operation="v_cvt_rpi_i32_f32"),
    *vop("v_cvt_floor_i32_f32", "i32 = f32", clamp=True, operation="v_cvt_flr_i32_f32"),
    *vop("v_cvt_off_f32_i4", "f32 = b32"),
    *vop("v_cvt_f32_ubyte0", "f32 = u32"),
    *vop("v_cvt_f32_ubyte1", "f32 = u32"),
    *vop("v_cvt_f32_ubyte2", "f32 = u32"),
    *vop("v_cvt_f32_ubyte3", "f32 = u32"),
    *vop("v_cvt_f64_i32", "f64 = i32", encodings=PAIR),
    *vop("v_cvt_f64_u32", "f64 = u32", encodings=PAIR),
    *vop("v_cvt_i32_f64", "i32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_u32_f64", "u32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_f32_f64", "f32 = f64", encodings=PAIR),
    *vop("v_cvt_f64_f32", "f64 = f32", encodings=PAIR),
    *vop("v_fract_f32", "f32 = f32"),
    *vop("v_trunc_f32", "f32 = f32"),
    *vop("v_ceil_f32", "f32 = f32"),
    *vop("v_rndne_f32", "f32 = f32"),
    *vop("v_floor_f32", "f32 = f32"),
    *vop("v_exp_f32", "f32 = f32", unit=TRANS),
    *vop("v_log_f32", "f32 = f32", unit=TRANS),
    *vop("v_rcp_f32", "f32 = f32", unit=TRANS),
    *vop("v_rcp_iflag_f32", "f32 = f32", unit=TRANS),
    *vop("v_rsq_f32", "f32 = f32", unit=TRANS),
    *vop("v_sqrt_f32", "f32 = f32", unit=TRANS),
    *vop("v_sin_f32", "f32 = f32", unit=TRANS),
    *vop("v_cos_f32", "f32 = f32", unit=TRANS),
    *vop("v_frexp_exp_i32_f32", "i32 = f32"),
    *vop("v_frexp_mant_f32", "f32 = f32"),
    *vop("v_fract_f64", "f64 = f64", encodings=PAIR),
    *vop("v_trunc_f64", "f64 = f64", encodings=PAIR),
    *vop("v_ceil_f64", "f64 = f64", encodings=PAIR),
    *vop("v_rndne_f64", "f64 = f64", encodings=PAIR),
    *vop("v_floor_f64", "f64 = f64", encodings=PAIR),
    *vop("v_rcp_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_rsq_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_sqrt_f64", "f64 = f64", encodings=PAIR, unit=TRANS),
    *vop("v_frexp_exp_i32_f64", "i32 = f64", encodings=PAIR),
    *vop("v_frexp_mant_f64", "f64 = f64", encodings=PAIR),
    *vop("v_cvt_f16_f32", "f16 = f32"),
    *vop("v_cvt_f32_f16", "f32 = f16"),
    *vop("v_cvt_f16_u16", "f16 = u16"),
    *vop("v_cvt_f16_i16", "f16 = i16"),
    *vop("v_cvt_u16_f16", "u16 = f16", clamp=True),
    *vop("v_cvt_i16_f16", "i16 = f16", clamp=True),
    *vop("v_cvt_norm_i16_f16", "i16 = f16", clamp=True),
    *vop("v_cvt_norm_u16_f16", "u16 = f16", clamp=True),
    *vop("v_cvt_i32_i16", "i32 = i16"),
    *vop("v_cvt_u32_u16", "u32 = u16"),
    *vop(
        "v_cvt_f32_fp8", "f32 = b32", targets=RDNA4, omod=False, chooses=(BYTE_SEL,),
        semantics="v_cvt_f32_fp8_ocp",
    ),
    *vop(
        "v_cvt_f32_bf8", "f32 = b32", targets=RDNA4, omod=False, chooses=(BYTE_SEL,),
        semantics="v_cvt_f32_bf8_ocp",
    ),
    *vop(
        "v_cvt_pk_f32_fp8", "f32x2 = b16", targets=RDNA4, omod=False, encodings=PAIR, op_sel=True,
        semantics="v_cvt_pk_f32_fp8_ocp",
    ),
    *vop(
        "v_cvt_pk_f32_bf8", "f32x2 = b16", targets=RDNA4, omod=False, encodings=PAIR, op_sel=True,
        semantics="v_cvt_pk_f32_bf8_ocp",
    ),
    *vop("v_fract_f16", "f16 = f16"),
    *vop("v_trunc_f16", "f16 = f16"),
    *vop("v_ceil_f16", "f16 = f16"),
    *vop("v_rndne_f16", "f16 = f16"),
    *vop("v_floor_f16", "f16 = f16"),
    *vop("v_exp_f16", "f16 = f16", unit=TRANS),
    *vop("v_log_f16", "f16 = f16", unit=TRANS),
    *vop("v_rcp_f16", "f16 = f16", unit=TRANS),
    *vop("v_rsq_f16", "f16 = f16", unit=TRANS),
    *vop("v_sqrt_f16", "f16 = f16", unit=TRANS),
    *vop("v_sin_f16", "f16 = f16", unit=TRANS),
    *vop("v_cos_f16", "f16 = f16", unit=TRANS),
    *vop("v_frexp_exp_i16_f16", "i16 = f16"),
    *vop("v_frexp_mant_f16", "f16 = f16"),
    *vop("v_sat_pk_u8_i16", "b16 = i16x2"),
    *vop("v_not_b16", "b16 = b16"),
    *vop("v_not_b32", "b32 = b32"),
    *vop("v_bfrev_b32", "b32 = b32"),
    *(
        scalar_trans(name, type_name)
        for type_name in ("f32", "f16")
        for name in ("exp", "log", "rcp", "rsq", "sqrt")
    ),
    *vop("v_clz_i32_u32", "u32 = u32", operation="v_ffbh_u32"),
    *vop("v_ctz_i32_b32", "b32 = b32", operation="v_ffbl_b32"),
    *vop("v_cls_i32", "i32 = i32", operation="v_ffbh_i32"),
)  # fmt: skip

TWO_SOURCES: tuple[Declared, ...] = (
    *vop("v_add_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_sub_f32", "f32 = f32 f32"),
    *vop("v_subrev_f32", "f32 = f32 f32"),
    *vop("v_mul_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_mul_dx9_zero_f32", "f32 = f32 f32", COMMUTES, operation="v_mul_legacy_f32"),
    *vop("v_min_f32", "f32 = f32 f32", COMMUTES, targets=RDNA3),
    *vop("v_max_f32", "f32 = f32 f32", COMMUTES, targets=RDNA3),
    *vop(
        "v_min_num_f32", "f32 = f32 f32", COMMUTES, targets=RDNA4, operation="v_min_f32",
        semantics="v_min_num_f32",
    ),
    *vop(
        "v_max_num_f32", "f32 = f32 f32", COMMUTES, targets=RDNA4, operation="v_max_f32",
        semantics="v_max_num_f32",
    ),
    *vop("v_fmac_f32", "f32 = f32 f32", COMMUTES, accumulates=True),
    *vop("v_fmac_dx9_zero_f32", "f32 = f32 f32", COMMUTES, accumulates=True, encodings=PAIR, targets=RDNA3),
    *vop("v_mul_i32_i24", "i32 = i32 i32", COMMUTES, clamp=True),
    *vop("v_mul_hi_i32_i24", "i32 = i32 i32", COMMUTES),
    *vop("v_mul_u32_u24", "u32 = u32 u32", COMMUTES, clamp=True),
    *vop("v_mul_hi_u32_u24", "u32 = u32 u32", COMMUTES),
    *of_whole_rows("v_min_i32", "i32 = i32 i32"),
    *vop("v_min_i32", "i32 = i32 i32", COMMUTES),
    *of_whole_rows("v_max_i32", "i32 = i32 i32"),
    *vop("v_max_i32", "i32 = i32 i32", COMMUTES),
    *of_whole_rows("v_min_u32", "u32 = u32 u32"),
    *vop("v_min_u32", "u32 = u32 u32", COMMUTES),
    *of_whole_rows("v_max_u32", "u32 = u32 u32"),
    *vop("v_max_u32", "u32 = u32 u32", COMMUTES),
    *vop("v_lshrrev_b32", "b32 = u32 b32"),
    *vop("v_ashrrev_i32", "i32 = u32 i32"),
    *vop("v_lshlrev_b32", "b32 = u32 b32"),
    *vop("v_and_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_or_b32", "b32 = b32 b32", COMMUTES),
    *vop("v_xor_b32", "b32 = b32 b32", COMMUTES, Trait.MIXES),
    *vop("v_xnor_b32", "b32 = b32 b32", COMMUTES, Trait.MIXES),
    *vop("v_add_nc_u32", "u32 = u32 u32", COMMUTES, clamp=True, operation="v_add_u32"),
    *vop("v_sub_nc_u32", "u32 = u32 u32", clamp=True, operation="v_sub_u32"),
    *vop("v_subrev_nc_u32", "u32 = u32 u32", clamp=True, operation="v_subrev_u32"),
    *vop("v_add_co_ci_u32", "u32 mask = u32 u32 mask", COMMUTES, clamp=True, operation="v_addc_co_u32"),
    *vop("v_sub_co_ci_u32", "u32 mask = u32 u32 mask", clamp=True, operation="v_subb_co_u32"),
    *vop("v_subrev_co_ci_u32", "u32 mask = u32 u32 mask", clamp=True, operation="v_subbrev_co_u32"),
    *vop("v_cvt_pk_rtz_f16_f32", "f16x2 = f32 f32", operation="v_cvt_pkrtz_f16_f32"),
    *vop("v_add_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_sub_f16", "f16 = f16 f16"),
    *vop("v_subrev_f16", "f16 = f16 f16"),
    *vop("v_mul_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_fmac_f16", "f16 = f16 f16", COMMUTES, accumulates=True),
    *vop("v_min_f16", "f16 = f16 f16", COMMUTES, targets=RDNA3),
    *vop("v_max_f16", "f16 = f16 f16", COMMUTES, targets=RDNA3),
    *vop(
        "v_min_num_f16", "f16 = f16 f16", COMMUTES, targets=RDNA4, operation="v_min_f16",
        semantics="v_min_num_f16",
    ),
    *vop(
        "v_max_num_f16", "f16 = f16 f16", COMMUTES, targets=RDNA4, operation="v_max_f16",
        semantics="v_max_num_f16",
    ),
    *vop("v_ldexp_f16", "f16 = f16 i16"),
    *vop("v_add_f64", "f64 = f64 f64", COMMUTES, targets=RDNA4, encodings=PAIR),
    *vop("v_mul_f64", "f64 = f64 f64", COMMUTES, targets=RDNA4, encodings=PAIR),
    *vop(
        "v_min_num_f64", "f64 = f64 f64", COMMUTES, targets=RDNA4, encodings=PAIR, operation="v_min_f64",
        semantics="v_min_num_f64",
    ),
    *vop(
        "v_max_num_f64", "f64 = f64 f64", COMMUTES, targets=RDNA4, encodings=PAIR, operation="v_max_f64",
        semantics="v_max_num_f64",
    ),
    *vop("v_lshlrev_b64", "b64 = u32 b64", targets=RDNA4, encodings=PAIR, bus=1),
    *literal_fma("f32"),
    *literal_fma("f16"),
    packed_fmac(),
    *accumulating("v_dot2acc_f32_f16", "f32 = f16x2 f16x2", Trait.DOT, operation="v_dot2c_f32_f16"),
)  # fmt: skip

THREE_OPERANDS: tuple[Declared, ...] = (
    *vop3("v_fma_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_fma_f64", "f64 = f64 f64 f64", COMMUTES, lanes=False),
    *vop3("v_fma_dx9_zero_f32", "f32 = f32 f32 f32", COMMUTES, lanes=False),
    *vop3("v_mad_i32_i24", "i32 = i32 i32 i32", COMMUTES, clamp=True),
    *vop3("v_mad_u32_u24", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3(
        "v_mad_u64_u32", "u64 mask = u32 u32 u64", COMMUTES, Trait.QUARTER, clamp=True, lanes=False,
        targets=RDNA3,
    ),
    *vop3(
        "v_mad_i64_i32", "i64 mask = i32 i32 i64", COMMUTES, Trait.QUARTER, clamp=True, lanes=False,
        targets=RDNA3,
    ),
    *vop3(
        "v_mad_co_u64_u32", "u64 mask = u32 u32 u64", COMMUTES, Trait.QUARTER, clamp=True, lanes=False,
        targets=RDNA4, operation="v_mad_u64_u32",
    ),
    *vop3(
        "v_mad_co_i64_i32", "i64 mask = i32 i32 i64", COMMUTES, Trait.QUARTER, clamp=True, lanes=False,
        targets=RDNA4, operation="v_mad_i64_i32",
    ),
    *vop3("v_mul_lo_u32", "u32 = u32 u32", COMMUTES, Trait.QUARTER, lanes=False),
    *vop3("v_mul_hi_u32", "u32 = u32 u32", COMMUTES, Trait.QUARTER, lanes=False),
    *vop3("v_mul_hi_i32", "i32 = i32 i32", COMMUTES, Trait.QUARTER, lanes=False),
    *vop3("v_add_co_u32", "u32 mask = u32 u32", COMMUTES, clamp=True),
    *vop3("v_sub_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop3("v_subrev_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop3("v_add_nc_i32", "i32 = i32 i32", COMMUTES, clamp=True, operation="v_add_i32"),
    *vop3("v_sub_nc_i32", "i32 = i32 i32", clamp=True, operation="v_sub_i32"),
    *vop3("v_lshl_add_u32", "u32 = u32 u32 u32"),
    *vop3("v_add_lshl_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_lshl_or_b32", "b32 = b32 u32 b32"),
    *vop3("v_and_or_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_or3_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_xor3_b32", "b32 = b32 b32 b32", COMMUTES, Trait.MIXES),
    *vop3("v_xad_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_add3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_lshlrev_b64", "b64 = u32 b64", lanes=False, bus=1, targets=RDNA3),
    *vop3("v_lshrrev_b64", "b64 = u32 b64", lanes=False, bus=1),
    *vop3("v_ashrrev_i64", "i64 = u32 i64", lanes=False, bus=1),
    *vop3("v_add_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA3),
    *vop3("v_mul_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA3),
    *vop3("v_min_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA3),
    *vop3("v_max_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA3),
    *vop3("v_minimum_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA4),
    *vop3("v_maximum_f64", "f64 = f64 f64", COMMUTES, lanes=False, targets=RDNA4),
    *vop3("v_minimum_f32", "f32 = f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_maximum_f32", "f32 = f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_minimum3_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_maximum3_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_minimummaximum_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_maximumminimum_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4),
    *vop3("v_ldexp_f64", "f64 = f64 i32", lanes=False),
    *vop3("v_ldexp_f32", "f32 = f32 i32"),
    *division("f32"),
    *division("f64"),
    *vop3("v_trig_preop_f64", "f64 = f64 i32", lanes=False),
    *vop3("v_cubeid_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubesc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubetc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubema_f32", "f32 = f32 f32 f32"),
    *vop3("v_mullit_f32", "f32 = f32 f32 f32"),
    *vop3("v_min3_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA3),
    *vop3("v_max3_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA3),
    *vop3("v_med3_f32", "f32 = f32 f32 f32", targets=RDNA3),
    *vop3("v_minmax_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA3),
    *vop3("v_maxmin_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA3),
    *vop3(
        "v_min3_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4, operation="v_min3_f32",
        semantics="v_min3_num_f32",
    ),
    *vop3(
        "v_max3_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4, operation="v_max3_f32",
        semantics="v_max3_num_f32",
    ),
    *vop3(
        "v_med3_num_f32", "f32 = f32 f32 f32", targets=RDNA4, operation="v_med3_f32",
        semantics="v_med3_num_f32",
    ),
    *vop3(
        "v_minmax_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4, operation="v_minmax_f32",
        semantics="v_minmax_num_f32",
    ),
    *vop3(
        "v_maxmin_num_f32", "f32 = f32 f32 f32", COMMUTES, targets=RDNA4, operation="v_maxmin_f32",
        semantics="v_maxmin_num_f32",
    ),
    *vop3("v_min3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_max3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_med3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_min3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_max3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_med3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_minmax_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_maxmin_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_minmax_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_maxmin_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_fma_f16", "f16 = f16 f16 f16", COMMUTES, op_sel=True),
    *vop3("v_div_fixup_f16", "f16 = f16 f16 f16", op_sel=True),
    *vop3("v_mad_u16", "u16 = u16 u16 u16", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_mad_i16", "i16 = i16 i16 i16", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_mad_u32_u16", "u32 = u16 u16 u32", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_mad_i32_i16", "i32 = i16 i16 i32", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_add_nc_u16", "u16 = u16 u16", COMMUTES, clamp=True, op_sel=True, operation="v_add_u16"),
    *vop3("v_sub_nc_u16", "u16 = u16 u16", clamp=True, op_sel=True, operation="v_sub_u16"),
    *vop3("v_add_nc_i16", "i16 = i16 i16", COMMUTES, clamp=True, op_sel=True, operation="v_add_i16"),
    *vop3("v_sub_nc_i16", "i16 = i16 i16", clamp=True, op_sel=True, operation="v_sub_i16"),
    *vop3("v_mul_lo_u16", "u16 = u16 u16", COMMUTES),
    *vop3("v_lshlrev_b16", "b16 = u16 b16"),
    *vop3("v_lshrrev_b16", "b16 = u16 b16"),
    *vop3("v_ashrrev_i16", "i16 = u16 i16"),
    *vop3("v_min_u16", "u16 = u16 u16", COMMUTES),
    *vop3("v_max_u16", "u16 = u16 u16", COMMUTES),
    *vop3("v_min_i16", "i16 = i16 i16", COMMUTES),
    *vop3("v_max_i16", "i16 = i16 i16", COMMUTES),
    *vop3("v_and_b16", "b16 = b16 b16", COMMUTES),
    *vop3("v_or_b16", "b16 = b16 b16", COMMUTES),
    *vop3("v_xor_b16", "b16 = b16 b16", COMMUTES, Trait.MIXES),
    *vop3("v_min3_i16", "i16 = i16 i16 i16", COMMUTES, op_sel=True),
    *vop3("v_max3_i16", "i16 = i16 i16 i16", COMMUTES, op_sel=True),
    *vop3("v_med3_i16", "i16 = i16 i16 i16", COMMUTES, op_sel=True),
    *vop3("v_min3_u16", "u16 = u16 u16 u16", COMMUTES, op_sel=True),
    *vop3("v_max3_u16", "u16 = u16 u16 u16", COMMUTES, op_sel=True),
    *vop3("v_med3_u16", "u16 = u16 u16 u16", COMMUTES, op_sel=True),
    *vop3("v_min3_f16", "f16 = f16 f16 f16", targets=RDNA3),
    *vop3("v_max3_f16", "f16 = f16 f16 f16", targets=RDNA3),
    *vop3("v_med3_f16", "f16 = f16 f16 f16", targets=RDNA3),
    *vop3("v_minmax_f16", "f16 = f16 f16 f16", targets=RDNA3),
    *vop3("v_maxmin_f16", "f16 = f16 f16 f16", targets=RDNA3),
    *vop3(
        "v_min3_num_f16", "f16 = f16 f16 f16", targets=RDNA4, op_sel=True, operation="v_min3_f16",
        semantics="v_min3_num_f16",
    ),
    *vop3(
        "v_max3_num_f16", "f16 = f16 f16 f16", targets=RDNA4, op_sel=True, operation="v_max3_f16",
        semantics="v_max3_num_f16",
    ),
    *vop3(
        "v_med3_num_f16", "f16 = f16 f16 f16", targets=RDNA4, op_sel=True, operation="v_med3_f16",
        semantics="v_med3_num_f16",
    ),
    *vop3(
        "v_minmax_num_f16", "f16 = f16 f16 f16", targets=RDNA4, op_sel=True, operation="v_minmax_f16",
        semantics="v_minmax_num_f16",
    ),
    *vop3(
        "v_maxmin_num_f16", "f16 = f16 f16 f16", targets=RDNA4, op_sel=True, operation="v_maxmin_f16",
        semantics="v_maxmin_num_f16",
    ),
    *vop3("v_minimum_f16", "f16 = f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_maximum_f16", "f16 = f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_minimum3_f16", "f16 = f16 f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_maximum3_f16", "f16 = f16 f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_minimummaximum_f16", "f16 = f16 f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_maximumminimum_f16", "f16 = f16 f16 f16", COMMUTES, targets=RDNA4, op_sel=True),
    *vop3("v_pack_b32_f16", "b32 = f16 f16", op_sel=True),
    *vop3("v_cvt_pk_norm_i16_f16", "i16x2 = f16 f16", op_sel=True, operation="v_cvt_pknorm_i16_f16"),
    *vop3("v_cvt_pk_norm_u16_f16", "u16x2 = f16 f16", op_sel=True, operation="v_cvt_pknorm_u16_f16"),
    *vop3("v_alignbit_b32", "b32 = b32 b32 u16", op_sel=True),
    *vop3("v_alignbyte_b32", "b32 = b32 b32 u16", op_sel=True),
    *vop3("v_dot2_f16_f16", "f16 = f16x2 f16x2 f16", Trait.DOT, omod=False, op_sel=True),
    *vop3("v_dot2_bf16_bf16", "bf16 = bf16x2 bf16x2 bf16", Trait.DOT, omod=False, op_sel=True),
    *rounded_bytes("v_cvt_sr_fp8_f32"),
    *rounded_bytes("v_cvt_sr_bf8_f32"),
    *vop3(
        "v_cvt_pk_fp8_f32", "b16 = f32 f32", Trait.HALF_WRITE, keeps=True, targets=RDNA4, op_sel=True,
        semantics="v_cvt_pk_fp8_f32_ocp",
    ),
    *vop3(
        "v_cvt_pk_bf8_f32", "b16 = f32 f32", Trait.HALF_WRITE, keeps=True, targets=RDNA4, op_sel=True,
        semantics="v_cvt_pk_bf8_f32_ocp",
    ),
    *vop3("v_bfe_u32", "u32 = u32 u32 u32"),
    *vop3("v_bfe_i32", "i32 = i32 u32 u32"),
    *vop3("v_bfi_b32", "b32 = b32 b32 b32"),
    *vop3("v_bfm_b32", "b32 = b32 b32"),
    *vop3("v_perm_b32", "b32 = b32 b32 b32"),
    *vop3("v_bcnt_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_lo_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_hi_u32_b32", "u32 = b32 u32"),
    *vop3("v_sad_u32", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_u16", "u32 = b32 b32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_hi_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_msad_u8", "u32 = u8x4 u8x4 u32", clamp=True),
    byte_differences("v_qsad_pk_u16_u8", "b64", Trait.QUARTER),
    byte_differences("v_mqsad_pk_u16_u8", "b64"),
    byte_differences("v_mqsad_u32_u8", "b128", Trait.QUARTER, third=V),
    *vop3("v_lerp_u8", "u8x4 = u8x4 u8x4 u8x4"),
    *vop3("v_sad_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_cvt_pk_norm_i16_f32", "i16x2 = f32 f32", omod=False, operation="v_cvt_pknorm_i16_f32"),
    *vop3("v_cvt_pk_norm_u16_f32", "u16x2 = f32 f32", omod=False, operation="v_cvt_pknorm_u16_f32"),
    *vop3("v_cvt_pk_i16_f32", "i16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pk_u16_f32", "u16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pk_u16_u32", "u16x2 = u32 u32"),
    *vop3("v_cvt_pk_i16_i32", "i16x2 = i32 i32"),
    *vop3("v_cvt_pk_u8_f32", "b32 = f32 u32 b32"),
)  # fmt: skip

FLOAT_RELATIONS = "lt eq le gt lg ge o u nge nlg ngt nle neq nlt"
INTEGER_RELATIONS = "lt eq le gt ne ge"
SYMMETRIC = frozenset({"f", "t", "eq", "ne", "neq", "lg", "nlg", "o", "u"})


def relations(type_name: str, names: str, always: str = "", never: str = "") -> tuple[Declaration, ...]:
    """Compares by relation, to a mask and to EXEC; gfx1100 also has the relations that are always or never
    true."""
    declared: list[Declaration] = []
    for relation in (*names.split(), *filter(None, (always, never))):
        targets = RDNA3 if relation in (always, never) else RDNA3 | RDNA4
        # RDNA shortens CDNA's "tru"
        old = "tru" if relation == "t" and type_name.startswith("f") else relation
        traits = (COMMUTES,) if relation in SYMMETRIC else ()
        for prefix, helper in (("v_cmp", vopc), ("v_cmpx", vopcx)):
            declared += helper(
                f"{prefix}_{relation}_{type_name}", type_name, *traits, targets=targets,
                operation=f"{prefix}_{old}_{type_name}",
            )  # fmt: skip
    return tuple(declared)


COMPARES: tuple[Declared, ...] = (
    *relations("f32", FLOAT_RELATIONS, "t", "f"),
    *relations("f64", FLOAT_RELATIONS, "t", "f"),
    *relations("i32", INTEGER_RELATIONS, "t", "f"),
    *relations("u32", INTEGER_RELATIONS, "t", "f"),
    *relations("i64", INTEGER_RELATIONS, "t", "f"),
    *relations("u64", INTEGER_RELATIONS, "t", "f"),
    *relations("f16", FLOAT_RELATIONS, "t", "f"),
    *relations("i16", INTEGER_RELATIONS),
    *relations("u16", INTEGER_RELATIONS),
    *vopc("v_cmp_class_f16", "f16", second="b16"),
    *vopcx("v_cmpx_class_f16", "f16", second="b16"),
    *vopc("v_cmp_class_f32", "f32", second="b32"),
    *vopc("v_cmp_class_f64", "f64", second="b32"),
    *vopcx("v_cmpx_class_f32", "f32", second="b32"),
    *vopcx("v_cmpx_class_f64", "f64", second="b32"),
)

ROWS: tuple[Declared, ...] = (*MOVES, *ONE_SOURCE, *TWO_SOURCES, *THREE_OPERANDS, *COMPARES)
