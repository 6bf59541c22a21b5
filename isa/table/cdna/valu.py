"""Vector ALU rows: VOP1, VOP2, VOP3 and VOPC (CDNA3 ISA, chapter 6 and sections 12.7 to 12.11)."""

from __future__ import annotations

from msgspec.structs import replace

from isa.constants import BITS
from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, VCC
from isa.table.cdna.vector import (
    DPP,
    E32,
    E64,
    PAIR,
    SDWA,
    SDWA_SRC,
    of_whole_rows,
    vop,
    vop3,
    vopc,
)
from isa.table.declare import (
    CLAMP,
    DPP_CONTROL,
    DPP_CONTROL_64,
    DPP_WHOLE,
    MASK,
    OMOD,
    SRC0_SEL,
    SREG,
    VSRC,
    VSRC9,
    S,
    V,
    d,
    flag,
    list_modifier,
    make,
    on,
    operand,
    signature,
    source_modifier,
    source_modifiers,
    tied,
    u,
    vector,
)
from isa.table.declared import Declared, changed, instruction

COMMUTES, MOVE = Trait.COMMUTES, Trait.MOVE
TRANS = Unit.TRANS
NO_SDWA = (E32, E64, DPP)


def move_lane() -> tuple[Row, ...]:
    """A move between a lane of a VGPR and an SGPR. EXEC does not mask it, but v_readfirstlane looks for its
    first lane in EXEC."""
    lane = u("lane_select", S | Kind.M0 | Kind.INLINE, "u32")
    source = u("src0", V, "b32")
    scalar = d("sdst", S, "b32")
    written = d("vdst", V, "b32")
    first = make(
        "v_readfirstlane_b32", Encoding.PLAIN, Unit.VALU, (scalar, source), reads=(EXEC,),
        exec_mode=ExecMode.MASKED, traits=(Trait.LANE_READ, Trait.CROSS_LANE),
    )  # fmt: skip
    read = make(
        "v_readlane_b32", Encoding.PLAIN, Unit.VALU, (scalar, source, lane), exec_mode=ExecMode.IGNORED,
        bus=1, traits=(Trait.LANE_READ, Trait.CROSS_LANE, Trait.DOUBLE_LENGTH),
    )  # fmt: skip
    write = make(
        "v_writelane_b32", Encoding.PLAIN, Unit.VALU,
        (written, u("src0", SREG | Kind.INLINE, "b32"), lane, tied("old", written)),
        exec_mode=ExecMode.IGNORED, bus=1, traits=(Trait.LANE_WRITE, Trait.DOUBLE_LENGTH),
    )  # fmt: skip
    return first, read, write


def with_literal(operation: str, name: str, type_name: str) -> tuple[Row, ...]:
    """v_fmaak (a b + literal) and v_fmamk (a literal + b), and v_madak and v_madmk that round twice: the
    literal is always there, and may be src0 too."""
    result, first = d("vdst", V, type_name), u("src0", VSRC9, type_name)
    added = (result, first, u("src1", V, type_name), u("src2", Kind.LITERAL, type_name))
    multiplied = (result, first, u("src1", Kind.LITERAL, type_name), u("src2", V, type_name))
    return (
        vector(f"v_{operation}ak_{name}", Encoding.PLAIN, Unit.VALU, added, (), ()),
        vector(f"v_{operation}mk_{name}", Encoding.PLAIN, Unit.VALU, multiplied, (), ()),
    )


def swap(name: str, *traits: Trait) -> Row:
    """Two VGPRs exchange their values, or some lanes of them."""
    first, second = d("vdst", V, "b32"), d("vdst1", V, "b32")
    return vector(
        name, Encoding.PLAIN, Unit.VALU, (first, second, tied("old", first), tied("old1", second)), (), traits
    )


def division(name: str, type_name: str) -> tuple[Declared, ...]:
    """The steps of a correctly rounded division: scale (writes VCC or an SGPR pair), fmas (reads VCC),
    fixup."""
    sources = tuple(u(f"src{i}", VSRC, type_name) for i in range(3))
    scale = (d("vdst", V, type_name), operand("sdst", Role.DEFINE, MASK, "mask"), *sources)
    return (
        vector(
            f"v_div_scale_{name}", E64, Unit.VALU, scale, (NEG3, CLAMP, OMOD), (),
            mnemonic=f"v_div_scale_{name}",
        ),
        *vop3(
            f"v_div_fmas_{name}", f"{type_name} = {type_name} {type_name} {type_name}", Trait.DIV_FMAS,
            reads=(VCC,),
        ),
        *vop3(f"v_div_fixup_{name}", f"{type_name} = {type_name} {type_name} {type_name}"),
    )  # fmt: skip


@instruction
def from_bytes(name: str, type_name: str) -> tuple[Row, ...]:
    """Conversions from the 8-bit floats in a register; the sub-dword encoding chooses the byte or the
    half."""
    operands = (d("vdst", V, type_name), u("src0", VSRC9, "b32"))
    chosen = (operands[0], u("src0", SDWA_SRC, "b32"))
    kept = (operands[0], u("src0", V, "b32"), tied("old", operands[0]))
    return (
        vector(name, E32, Unit.VALU, operands, (), ()),
        vector(name, E64, Unit.VALU, (operands[0], u("src0", VSRC, "b32")), (CLAMP, OMOD), ()),
        vector(name, SDWA, Unit.VALU, chosen, (CLAMP, OMOD, SRC0_SEL), ()),
        vector(
            name, DPP, Unit.VALU, kept, DPP_CONTROL_64 if BITS[type_name] == 64 else DPP_CONTROL,
            (Trait.CROSS_LANE,),
        ),
    )  # fmt: skip


@instruction
def to_bytes(name: str) -> tuple[Row, ...]:
    """Two floats to two 8-bit floats in half of the destination; the other half stays."""
    result = d("vdst", V, "b32")
    operands = (result, u("src0", VSRC, "f32"), u("src1", VSRC, "f32"), tied("old", result))
    return tuple(
        vector(
            name, E64, Unit.VALU, operands,
            (*source_modifiers(("f32", "f32")), list_modifier("op_sel", 2, tail=(high,))),
            (Trait.HALF_WRITE,), mnemonic=name, form="high" if high else "",
        )
        for high in (0, 1)
    )  # fmt: skip


def both_formats(*declared: Declared) -> tuple[Declared, ...]:
    """Instructions of the 8-bit floats: gfx942 has AMD's own formats (FNUZ), gfx950 those of OCP."""
    return (
        *on("gfx942", *declared),
        *on("gfx950", *changed(declared, lambda row: replace(row, semantics=f"{row.semantics}_ocp"))),
    )


@instruction
def to_one_byte(name: str) -> tuple[Row, ...]:
    """A float to an 8-bit float, rounded by the random bits of `seed`; the other bytes of the destination
    stay."""
    result = d("vdst", V, "b32")
    operands = (result, u("src0", VSRC, "f32"), u("seed", VSRC, "b32"), tied("old", result))
    inputs = source_modifiers(("f32", "b32"))
    return tuple(
        vector(
            name, E64, Unit.VALU, operands, (*inputs, written(2, place)), (Trait.HALF_WRITE,), mnemonic=name,
            form=form,
        )
        for form, place in (("", (0, 0)), ("byte1", (1, 0)), ("byte2", (0, 1)), ("byte3", (1, 1)))
    )  # fmt: skip


@instruction
def to_half(name: str, text: str) -> tuple[Row, ...]:
    """A result of 16 bits in either half of its destination; the sources are whole registers, and the other
    half stays."""
    results, types = signature(text)
    result = d("vdst", V, results[0])
    operands = (
        result,
        *(u(f"src{i}", VSRC, type_name) for i, type_name in enumerate(types)),
        tied("old", result),
    )
    inputs = source_modifiers(types)
    return tuple(
        vector(
            name, E64, Unit.VALU, operands, (*inputs, written(len(types), (high,))), (Trait.HALF_WRITE,),
            mnemonic=name, form=form,
        )
        for form, high in (("", 0), ("high", 1))
    )  # fmt: skip


def written(sources: int, place: tuple[int, ...]) -> ModifierSpec:
    """op_sel of an instruction in which it chooses only the part of the destination that is written."""
    return ModifierSpec("op_sel", "list", (), tail=(0,) * sources + place)


def with_tuple_in_vgprs(row: Row) -> Row:
    """The same row with VGPRs as sources of more than two registers."""
    return replace(
        row, operands=tuple(replace(spec, kinds=V) if spec.count > 2 else spec for spec in row.operands)
    )


def with_kept_destination(row: Row) -> Row:
    """The same row, but a source chooses bytes of the destination that stay."""
    return replace(row, operands=(*row.operands, tied("vdst_in", row.operands[0])))


def boolean_choice(name: str, text: str, halves: bool) -> tuple[Declared, ...]:
    """Any function of three bits, by its truth table."""
    table = ModifierSpec("bitop3", "truth table", 0, 0, 255)
    return changed(
        vop3(name, text, op_sel=halves), lambda row: replace(row, modifiers=(table, *row.modifiers))
    )


@instruction
def swap_lanes(name: str) -> tuple[Row, ...]:
    """Rows or halves of two VGPRs exchanged; each destination is tied to its own source."""
    plain = swap(name, Trait.PERMLANE, Trait.CROSS_LANE)
    fetches = (flag("bound_ctrl"), ModifierSpec("fi", "number", 0, 0, 1))
    return (
        replace(plain, encoding=E32, mnemonic=f"{name}_e32"),
        replace(plain, encoding=E64, mnemonic=f"{name}_e64", modifiers=fetches),
    )


def half_dot(*traits: Trait) -> tuple[Declared, ...]:
    """A product of two pairs of f16 that is added to the result."""
    name, text = "v_dot2c_f32_f16", "f32 = f16x2 f16x2"
    return vop(name, text, Trait.DOT, *traits, encodings=(E32, DPP), accumulates=True)


def relations(prefix: str, type_name: str, names: str, writes_exec: bool = False) -> tuple[Declared, ...]:
    """Compares by relation. A symmetric relation commutes."""
    return tuple(
        declared
        for name in names.split()
        for declared in vopc(
            f"{prefix}_{name}_{type_name}", type_name, *((COMMUTES,) if name in SYMMETRIC else ()),
            writes_exec=writes_exec,
        )
    )  # fmt: skip


FLOAT_RELATIONS = "f lt eq le gt lg ge o u nge nlg ngt nle neq nlt tru"
INTEGER_RELATIONS = "f lt eq le gt ne ge t"
SYMMETRIC = frozenset({"f", "t", "tru", "eq", "ne", "neq", "lg", "nlg", "o", "u"})

NEG3 = source_modifier("neg", 7)

MOVES: tuple[Declared, ...] = (
    make("v_nop", Encoding.E32, Unit.VALU, (), mnemonic="v_nop"),
    vector(
        "v_mov_b32",
        DPP,
        Unit.VALU,
        (d("vdst", V, "b32"), u("src0", V, "b32")),
        (*DPP_CONTROL[:1], *DPP_WHOLE),
        (MOVE, Trait.CROSS_LANE),
        form="bound",
    ),
    *vop("v_mov_b32", "b32 = b32", MOVE),
    *on("gfx942 gfx950", *vop("v_mov_b64", "b64 = b64", MOVE, encodings=NO_SDWA)),
    *move_lane(),
    swap("v_swap_b32"),
    *vop("v_cndmask_b32", "b32 = b32 b32 mask", negatable=0b11),
)

ONE_SOURCE: tuple[Declared, ...] = (
    *vop("v_cvt_f32_i32", "f32 = i32"),
    *vop("v_cvt_f32_u32", "f32 = u32"),
    *vop("v_cvt_u32_f32", "u32 = f32", clamp=True),
    *vop("v_cvt_i32_f32", "i32 = f32", clamp=True),
    *vop("v_cvt_f16_f32", "f16 = f32"),
    *vop("v_cvt_f32_f16", "f32 = f16"),
    *vop("v_cvt_rpi_i32_f32", "i32 = f32", clamp=True),
    *vop("v_cvt_flr_i32_f32", "i32 = f32", clamp=True),
    *vop("v_cvt_off_f32_i4", "f32 = b32"),
    *vop("v_cvt_f32_ubyte0", "f32 = u32"),
    *vop("v_cvt_f32_ubyte1", "f32 = u32"),
    *vop("v_cvt_f32_ubyte2", "f32 = u32"),
    *vop("v_cvt_f32_ubyte3", "f32 = u32"),
    *vop("v_cvt_f16_u16", "f16 = u16"),
    *vop("v_cvt_f16_i16", "f16 = i16"),
    *vop("v_cvt_u16_f16", "u16 = f16", clamp=True),
    *vop("v_cvt_i16_f16", "i16 = f16", clamp=True),
    *vop("v_cvt_f64_i32", "f64 = i32", encodings=PAIR),
    *vop("v_cvt_f64_u32", "f64 = u32", encodings=PAIR),
    *vop("v_cvt_i32_f64", "i32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_u32_f64", "u32 = f64", encodings=PAIR, clamp=True),
    *vop("v_cvt_f32_f64", "f32 = f64", encodings=PAIR),
    *vop("v_cvt_f64_f32", "f64 = f32", encodings=PAIR),
    *vop("v_cvt_norm_i16_f16", "i16 = f16", clamp=True),
    *vop("v_cvt_norm_u16_f16", "u16 = f16", clamp=True),
    *both_formats(*from_bytes("v_cvt_f32_fp8", "f32")),
    *both_formats(*from_bytes("v_cvt_f32_bf8", "f32")),
    *both_formats(*from_bytes("v_cvt_pk_f32_fp8", "f32x2")),
    *both_formats(*from_bytes("v_cvt_pk_f32_bf8", "f32x2")),
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
    *vop("v_not_b32", "b32 = b32"),
    *vop("v_bfrev_b32", "b32 = b32"),
    *vop("v_ffbh_u32", "u32 = u32"),
    *vop("v_ffbl_b32", "b32 = b32"),
    *vop("v_ffbh_i32", "i32 = i32"),
    *vop("v_sat_pk_u8_i16", "b16 = i16x2"),
    *vop("v_exp_legacy_f32", "f32 = f32", unit=TRANS),
    *vop("v_log_legacy_f32", "f32 = f32", unit=TRANS),
    *on("gfx950", *vop("v_prng_b32", "b32 = b32"), *vop("v_cvt_f32_bf16", "f32 = bf16")),
    *on("gfx950", *swap_lanes("v_permlane16_swap_b32"), *swap_lanes("v_permlane32_swap_b32")),
)

TWO_SOURCES: tuple[Declared, ...] = (
    *vop("v_add_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_sub_f32", "f32 = f32 f32"),
    *vop("v_subrev_f32", "f32 = f32 f32"),
    *vop("v_mul_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_min_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_max_f32", "f32 = f32 f32", COMMUTES),
    *vop("v_fmac_f32", "f32 = f32 f32", COMMUTES, encodings=NO_SDWA, accumulates=True),
    *vop("v_fmac_f64", "f64 = f64 f64", COMMUTES, Trait.DOUBLE_FMA, encodings=NO_SDWA, accumulates=True),
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
    *vop("v_add_u32", "u32 = u32 u32", COMMUTES, clamp=True),
    *vop("v_sub_u32", "u32 = u32 u32", clamp=True),
    *vop("v_subrev_u32", "u32 = u32 u32", clamp=True),
    *vop("v_add_co_u32", "u32 mask = u32 u32", COMMUTES, clamp=True),
    *vop("v_sub_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop("v_subrev_co_u32", "u32 mask = u32 u32", clamp=True),
    *vop("v_addc_co_u32", "u32 mask = u32 u32 mask", COMMUTES, clamp=True),
    *vop("v_subb_co_u32", "u32 mask = u32 u32 mask", clamp=True),
    *vop("v_subbrev_co_u32", "u32 mask = u32 u32 mask", clamp=True),
    *vop("v_add_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_sub_f16", "f16 = f16 f16"),
    *vop("v_subrev_f16", "f16 = f16 f16"),
    *vop("v_mul_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_max_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_min_f16", "f16 = f16 f16", COMMUTES),
    *vop("v_ldexp_f16", "f16 = f16 i16"),
    *vop("v_add_u16", "u16 = u16 u16", COMMUTES, clamp=True),
    *vop("v_sub_u16", "u16 = u16 u16", clamp=True),
    *vop("v_subrev_u16", "u16 = u16 u16", clamp=True),
    *vop("v_mul_lo_u16", "u16 = u16 u16", COMMUTES),
    *vop("v_lshlrev_b16", "b16 = u16 b16"),
    *vop("v_lshrrev_b16", "b16 = u16 b16"),
    *vop("v_ashrrev_i16", "i16 = u16 i16"),
    *vop("v_max_u16", "u16 = u16 u16", COMMUTES),
    *vop("v_max_i16", "i16 = i16 i16", COMMUTES),
    *vop("v_min_u16", "u16 = u16 u16", COMMUTES),
    *vop("v_min_i16", "i16 = i16 i16", COMMUTES),
    *on("gfx90a", *half_dot(Trait.FLUSHES)),
    *on("gfx942 gfx950", *half_dot()),
    *vop("v_dot2c_i32_i16", "i32 = i16x2 i16x2", Trait.DOT, encodings=(E32, DPP), accumulates=True),
    *vop("v_dot8c_i32_i4", "i32 = b32 b32", Trait.DOT, encodings=(E32, DPP), accumulates=True),
    *vop("v_dot4c_i32_i8", "i32 = i8x4 i8x4", Trait.DOT, encodings=(E32, DPP), accumulates=True),
    *on("gfx942 gfx950", *with_literal("fma", "f32", "f32")),
    *vop("v_mac_f16", "f16 = f16 f16", COMMUTES, encodings=NO_SDWA, accumulates=True),
    *with_literal("mad", "f16", "f16"),
    *on(
        "gfx90a",
        *vop("v_mac_f32", "f32 = f32 f32", COMMUTES, encodings=NO_SDWA, accumulates=True),
        *with_literal("mad", "f32", "f32"),
    ),
    *on(
        "gfx950",
        *vop("v_dot2c_f32_bf16", "f32 = bf16x2 bf16x2", Trait.DOT, encodings=(E32, DPP), accumulates=True),
    ),
    *vop("v_pk_fmac_f16", "f16x2 = f16x2 f16x2", COMMUTES, encodings=(E32,), accumulates=True),
)

THREE_OPERANDS: tuple[Declared, ...] = (
    *vop3("v_fma_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_fma_f64", "f64 = f64 f64 f64", COMMUTES, Trait.DOUBLE_FMA),
    *vop3("v_fma_f16", "f16 = f16 f16 f16", COMMUTES, op_sel=True, clamp=True),
    *vop3("v_mul_legacy_f32", "f32 = f32 f32", COMMUTES),
    *vop3("v_mad_i32_i24", "i32 = i32 i32 i32", COMMUTES, clamp=True),
    *vop3("v_mad_u32_u24", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3("v_mad_u64_u32", "u64 mask = u32 u32 u64", COMMUTES, clamp=True),
    *vop3("v_mad_i64_i32", "i64 mask = i32 i32 i64", COMMUTES, clamp=True),
    *vop3("v_mad_u16", "u16 = u16 u16 u16", COMMUTES, op_sel=True, clamp=True),
    *vop3("v_mad_i16", "i16 = i16 i16 i16", COMMUTES, op_sel=True, clamp=True),
    *vop3("v_mad_legacy_u16", "u16 = u16 u16 u16", COMMUTES, clamp=True),
    *vop3("v_mad_legacy_i16", "i16 = i16 i16 i16", COMMUTES, clamp=True),
    *vop3("v_mad_u32_u16", "u32 = u16 u16 u32", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_mad_i32_i16", "i32 = i16 i16 i32", COMMUTES, clamp=True, op_sel=True),
    *vop3("v_mul_lo_u32", "u32 = u32 u32", COMMUTES),
    *vop3("v_mul_hi_u32", "u32 = u32 u32", COMMUTES),
    *vop3("v_mul_hi_i32", "i32 = i32 i32", COMMUTES),
    *vop3("v_lshl_add_u32", "u32 = u32 u32 u32"),
    *vop3("v_add_lshl_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_lshl_or_b32", "b32 = b32 u32 b32"),
    *vop3("v_and_or_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_or3_b32", "b32 = b32 b32 b32", COMMUTES),
    *vop3("v_xad_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_add3_u32", "u32 = u32 u32 u32", COMMUTES),
    *on("gfx942 gfx950", *vop3("v_lshl_add_u64", "u64 = u64 u32 u64")),
    *vop3("v_lshlrev_b64", "b64 = u32 b64", Trait.WIDE_SHIFT),
    *vop3("v_lshrrev_b64", "b64 = u32 b64", Trait.WIDE_SHIFT),
    *vop3("v_ashrrev_i64", "i64 = u32 i64", Trait.WIDE_SHIFT),
    *vop3("v_add_f64", "f64 = f64 f64", COMMUTES),
    *vop3("v_mul_f64", "f64 = f64 f64", COMMUTES),
    *vop3("v_min_f64", "f64 = f64 f64", COMMUTES),
    *vop3("v_max_f64", "f64 = f64 f64", COMMUTES),
    *vop3("v_ldexp_f64", "f64 = f64 i32"),
    *vop3("v_ldexp_f32", "f32 = f32 i32"),
    *vop3("v_trig_preop_f64", "f64 = f64 i32"),
    *division("f32", "f32"),
    *division("f64", "f64"),
    *vop3("v_div_fixup_f16", "f16 = f16 f16 f16", op_sel=True, clamp=True),
    *vop3("v_min3_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_max3_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_med3_f32", "f32 = f32 f32 f32"),
    *vop3("v_min3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_max3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_med3_i32", "i32 = i32 i32 i32", COMMUTES),
    *vop3("v_min3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_max3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_med3_u32", "u32 = u32 u32 u32", COMMUTES),
    *vop3("v_min3_f16", "f16 = f16 f16 f16", op_sel=True, clamp=True),
    *vop3("v_max3_f16", "f16 = f16 f16 f16", op_sel=True, clamp=True),
    *vop3("v_med3_f16", "f16 = f16 f16 f16", op_sel=True, clamp=True),
    *vop3("v_min3_i16", "i16 = i16 i16 i16", op_sel=True),
    *vop3("v_max3_i16", "i16 = i16 i16 i16", op_sel=True),
    *vop3("v_med3_i16", "i16 = i16 i16 i16", op_sel=True),
    *vop3("v_min3_u16", "u16 = u16 u16 u16", op_sel=True),
    *vop3("v_max3_u16", "u16 = u16 u16 u16", op_sel=True),
    *vop3("v_med3_u16", "u16 = u16 u16 u16", op_sel=True),
    *vop3("v_add_i16", "i16 = i16 i16", COMMUTES, op_sel=True, clamp=True),
    *vop3("v_sub_i16", "i16 = i16 i16", op_sel=True, clamp=True),
    *vop3("v_add_i32", "i32 = i32 i32", COMMUTES, clamp=True),
    *vop3("v_sub_i32", "i32 = i32 i32", clamp=True),
    *vop3("v_pack_b32_f16", "b32 = f16 f16", op_sel=True),
    *vop3("v_bfe_u32", "u32 = u32 u32 u32"),
    *vop3("v_bfe_i32", "i32 = i32 u32 u32"),
    *vop3("v_bfi_b32", "b32 = b32 b32 b32"),
    *vop3("v_bfm_b32", "b32 = b32 b32"),
    *vop3("v_alignbit_b32", "b32 = b32 b32 u32"),
    *vop3("v_alignbyte_b32", "b32 = b32 b32 u32"),
    *vop3("v_perm_b32", "b32 = b32 b32 b32"),
    *vop3("v_bcnt_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_lo_u32_b32", "u32 = b32 u32"),
    *vop3("v_mbcnt_hi_u32_b32", "u32 = b32 u32"),
    *vop3("v_sad_u32", "u32 = u32 u32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_u16", "u32 = b32 b32 u32", COMMUTES, clamp=True),
    *vop3("v_sad_hi_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_msad_u8", "u32 = u8x4 u8x4 u32", clamp=True),
    *vop3("v_lerp_u8", "u8x4 = u8x4 u8x4 u8x4"),
    *vop3("v_sad_u8", "u32 = u8x4 u8x4 u32", COMMUTES, clamp=True),
    *vop3("v_cvt_pknorm_i16_f32", "i16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pknorm_u16_f32", "u16x2 = f32 f32", omod=False),
    *vop3("v_cvt_pkrtz_f16_f32", "f16x2 = f32 f32"),
    *vop3("v_cvt_pk_u16_u32", "u16x2 = u32 u32"),
    *vop3("v_cvt_pk_i16_i32", "i16x2 = i32 i32"),
    *vop3("v_cvt_pk_u8_f32", "b32 = f32 u32 b32"),
    *both_formats(*to_bytes("v_cvt_pk_fp8_f32"), *to_one_byte("v_cvt_sr_fp8_f32")),
    *both_formats(*to_bytes("v_cvt_pk_bf8_f32"), *to_one_byte("v_cvt_sr_bf8_f32")),
)

LEGACY: tuple[Declared, ...] = (
    *vop3("v_cubeid_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubesc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubetc_f32", "f32 = f32 f32 f32"),
    *vop3("v_cubema_f32", "f32 = f32 f32 f32"),
    *vop3("v_mad_f16", "f16 = f16 f16 f16", COMMUTES, op_sel=True, clamp=True),
    *vop3("v_mad_legacy_f16", "f16 = f16 f16 f16", COMMUTES),
    *vop3("v_fma_legacy_f16", "f16 = f16 f16 f16", COMMUTES),
    *vop3("v_div_fixup_legacy_f16", "f16 = f16 f16 f16"),
    *vop3("v_cvt_pknorm_i16_f16", "i16x2 = f16 f16", op_sel=True),
    *vop3("v_cvt_pknorm_u16_f16", "u16x2 = f16 f16", op_sel=True),
    *changed(vop3("v_cvt_pkaccum_u8_f32", "b32 = f32 u32"), with_kept_destination),
    *vop3("v_qsad_pk_u16_u8", "b64 = b64 b32 b64", clamp=True),
    *vop3("v_mqsad_pk_u16_u8", "b64 = b64 b32 b64", clamp=True),
    *changed(vop3("v_mqsad_u32_u8", "b128 = b64 b32 b128", clamp=True), with_tuple_in_vgprs),
    *on(
        "gfx90a",
        *vop3("v_mad_f32", "f32 = f32 f32 f32", COMMUTES),
        *vop3("v_mad_legacy_f32", "f32 = f32 f32 f32", COMMUTES),
    ),
)

GFX950: tuple[Declared, ...] = on(
    "gfx950",
    *vop3("v_minimum3_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_maximum3_f32", "f32 = f32 f32 f32", COMMUTES),
    *vop3("v_cvt_pk_bf16_f32", "bf16x2 = f32 f32"),
    *vop3("v_cvt_pk_f16_f32", "f16x2 = f32 f32"),
    *to_half("v_cvt_sr_bf16_f32", "bf16 = f32 b32"),
    *to_half("v_cvt_sr_f16_f32", "f16 = f32 b32"),
    *to_half("v_ashr_pk_i8_i32", "b16 = i32 i32 u32"),
    *to_half("v_ashr_pk_u8_i32", "b16 = i32 i32 u32"),
    *boolean_choice("v_bitop3_b32", "b32 = b32 b32 b32", halves=False),
    *boolean_choice("v_bitop3_b16", "b16 = b16 b16 b16", halves=True),
)

COMPARES: tuple[Declared, ...] = (
    *relations("v_cmp", "f32", FLOAT_RELATIONS),
    *relations("v_cmp", "f16", FLOAT_RELATIONS),
    *relations("v_cmp", "f64", FLOAT_RELATIONS),
    *relations("v_cmp", "i32", INTEGER_RELATIONS),
    *relations("v_cmp", "u32", INTEGER_RELATIONS),
    *relations("v_cmp", "i64", INTEGER_RELATIONS),
    *relations("v_cmp", "u64", INTEGER_RELATIONS),
    *relations("v_cmp", "i16", INTEGER_RELATIONS),
    *relations("v_cmp", "u16", INTEGER_RELATIONS),
    *relations("v_cmpx", "f32", FLOAT_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "f16", FLOAT_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "f64", FLOAT_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "i32", INTEGER_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "u32", INTEGER_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "i64", INTEGER_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "u64", INTEGER_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "i16", INTEGER_RELATIONS, writes_exec=True),
    *relations("v_cmpx", "u16", INTEGER_RELATIONS, writes_exec=True),
    *vopc("v_cmp_class_f32", "f32", second="b32"),
    *vopc("v_cmp_class_f64", "f64", second="b32"),
    *vopc("v_cmp_class_f16", "f16", second="b32"),
    *vopc("v_cmpx_class_f32", "f32", second="b32", writes_exec=True),
    *vopc("v_cmpx_class_f64", "f64", second="b32", writes_exec=True),
    *vopc("v_cmpx_class_f16", "f16", second="b32", writes_exec=True),
)

ROWS: tuple[Declared, ...] = (*MOVES, *ONE_SOURCE, *TWO_SOURCES, *THREE_OPERANDS, *LEGACY, *GFX950, *COMPARES)
