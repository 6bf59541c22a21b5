"""Scalar ALU rows: SOP1, SOP2, SOPC and SOPK (RDNA3 ISA, chapter 6 and section 16.1 to 16.4; RDNA4 ISA,
chapter 6 and 15.1 to 15.4).

RDNA4 has floats on the scalar unit, which round and flush by MODE as the vector unit does, and 64-bit sums
and products.
"""

from __future__ import annotations

from isa.instruction import Kind, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, M0, MODE, SCC, Register
from isa.table.declare import RDNA, RDNA3, RDNA4, SIMM
from isa.table.rdna.declare import NULL, SDST, SSRC, S, d, make, operand, scalar, scalar_scc, tied, u

COMMUTES, MOVE, MULTIPLY = Trait.COMMUTES, Trait.MOVE, Trait.MULTIPLY
REGISTER = S | Kind.M0 | Kind.EXEC | NULL


def both(name: str, *traits: Trait, operation: str = "") -> tuple[Row, ...]:
    """A bitwise SOP2 instruction of 32 and of 64 bits."""
    return tuple(
        scalar_scc(
            f"{name}_b{bits}", f"b{bits} = b{bits} b{bits}", *traits,
            operation=f"{operation}_b{bits}" if operation else "",
        )
        for bits in (32, 64)
    )  # fmt: skip


def saveexec(name: str, operation: str = "") -> tuple[Row, ...]:
    """sdst := EXEC, then EXEC := the operation of the source and EXEC; SCC := EXEC is not zero. The 32-bit
    instruction acts on EXEC_LO."""
    return tuple(
        scalar(
            f"{name}_b{bits}", f"{mask} = {mask}", reads=(EXEC,), writes=(EXEC, SCC),
            operation=f"{operation or name}_b{bits}",
        )
        for bits, mask in ((32, "mask32"), (64, "mask"))
    )  # fmt: skip


def compares(name: str, *traits: Trait) -> tuple[Row, ...]:
    """SCC := ssrc0 relation ssrc1, signed and unsigned."""
    return tuple(scalar_scc(f"s_cmp_{name}_{t}", f"= {t} {t}", *traits) for t in ("i32", "u32"))


def of_two_generations(
    rdna3: str, rdna4: str, text: str, *traits: Trait, reads: tuple[Register, ...] = ()
) -> tuple[Row, Row]:
    """An instruction that writes SCC. RDNA4 changed its name; RDNA3 has CDNA's name."""
    return (
        scalar_scc(rdna3, text, *traits, reads=reads, targets=RDNA3),
        scalar_scc(rdna4, text, *traits, reads=reads, targets=RDNA4, operation=rdna3),
    )


def immediate(
    name: str, type_name: str, *, reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
    source: bool = False, keeps: bool = False, targets: frozenset[str] = RDNA, operation: str = "",
    traits: tuple[Trait, ...] = (),
) -> Row:  # fmt: skip
    """A SOPK row: a register and a 16-bit immediate. `source`: the register is read, not written; `keeps`: it
    is both."""
    constant = operand("simm16", Role.USE, SIMM, type_name)
    if source:
        operands = (u("ssrc0", REGISTER, "i32"), constant)
    else:
        target = d("sdst", SDST, "i32")
        operands = (target, constant) + ((tied("old", target),) if keeps else ())
    return make(
        name, Unit.SALU, operands, reads=reads, writes=writes, targets=targets, operation=operation,
        traits=traits,
    )  # fmt: skip


def compare_immediates() -> tuple[Row, ...]:
    relations = ("eq", "lg", "gt", "ge", "lt", "le")
    return tuple(
        immediate(f"s_cmpk_{r}_{t}32", f"{t}16", writes=(SCC,), source=True, targets=RDNA3)
        for t in ("i", "u")
        for r in relations
    )


def mode_registers(targets: frozenset[str]) -> tuple[Row, ...]:
    """What reads and writes bits of a hardware register: MODE for all that the operand may name."""
    hwreg = operand(
        "hwreg", Role.USE, SIMM | Kind.HWREG, "hwreg_rdna3" if targets <= RDNA3 else "hwreg_rdna4"
    )

    def write(name: str, source: OperandSpec) -> Row:
        return make(
            name, Unit.SALU, (hwreg, source), reads=(MODE,), writes=(MODE,), traits=(Trait.SIDE_EFFECT,),
            targets=targets,
        )  # fmt: skip

    return (
        make("s_getreg_b32", Unit.SALU, (d("sdst", SDST, "b32"), hwreg), reads=(MODE,), targets=targets),
        write("s_setreg_b32", u("ssrc0", REGISTER, "b32")),
        write("s_setreg_imm32_b32", u("simm32", Kind.LITERAL, "b32")),
    )


def set_mode_field(name: str, type_name: str) -> Row:
    """s_round_mode and s_denorm_mode: four bits of MODE."""
    constant = operand("simm16", Role.USE, SIMM, type_name)
    return make(name, Unit.SALU, (constant,), reads=(MODE,), writes=(MODE,), traits=(Trait.SIDE_EFFECT,))


def relative_moves() -> tuple[Row, ...]:
    """Moves with M0 added to the number of the source or destination register. The registers that they access
    are not operands, so no pass of ours makes such moves."""
    rows: list[Row] = []
    for bits in ("b32", "b64"):
        rows.append(
            make(f"s_movrels_{bits}", Unit.SALU, (d("sdst", S, bits), u("ssrc0", S, bits)), reads=(M0,))
        )
        operands = (u("sdst", S, bits), u("ssrc0", SSRC, bits))
        rows.append(make(f"s_movreld_{bits}", Unit.SALU, operands, reads=(M0,), traits=(Trait.SIDE_EFFECT,)))
    return tuple(rows)


def floats(name: str, text: str, *traits: Trait, tie: bool = False) -> Row:
    """A float instruction of RDNA4's scalar unit."""
    return scalar(name, text, *traits, tie=tie, targets=RDNA4)


def float_pair(name: str, text: str, *traits: Trait, tie: bool = False) -> tuple[Row, ...]:
    """The same of f32 and of f16; `f` is the type in `text`."""
    return tuple(floats(f"s_{name}_{t}", text.replace("f", t), *traits, tie=tie) for t in ("f32", "f16"))


def float_compares() -> tuple[Row, ...]:
    exchangeable = {"eq", "lg", "o", "u", "nlg", "neq"}
    relations = ("lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt")
    return tuple(
        scalar_scc(
            f"s_cmp_{relation}_{t}", f"= {t} {t}", *((COMMUTES,) if relation in exchangeable else ()),
            targets=RDNA4,
        )
        for relation in relations
        for t in ("f32", "f16")
    )  # fmt: skip


def fused_with_constant() -> tuple[Row, Row]:
    """d := ssrc0 * ssrc1 + constant, and d := ssrc0 * constant + ssrc1. The sources cannot be literals, since
    the constant is the only literal."""
    result, constant = d("sdst", SDST, "f32"), u("simm32", Kind.LITERAL, "f32")
    first, second = (u(f"ssrc{i}", SSRC & ~Kind.LITERAL, "f32") for i in (0, 1))
    return (
        make("s_fmaak_f32", Unit.SALU, (result, first, second, constant), targets=RDNA4),
        make("s_fmamk_f32", Unit.SALU, (result, first, constant, second), targets=RDNA4),
    )


ROWS: tuple[Row, ...] = (
    scalar("s_mov_b32", "b32 = b32", MOVE),
    scalar("s_mov_b64", "b64 = b64", MOVE),
    scalar("s_cmov_b32", "b32 = b32", reads=(SCC,), tie=True),
    scalar("s_cmov_b64", "b64 = b64", reads=(SCC,), tie=True),
    scalar_scc("s_not_b32", "b32 = b32"),
    scalar_scc("s_not_b64", "b64 = b64"),
    scalar_scc("s_wqm_b32", "b32 = b32"),
    scalar_scc("s_wqm_b64", "mask = mask"),
    scalar_scc("s_quadmask_b32", "b32 = b32"),
    scalar_scc("s_quadmask_b64", "b64 = b64"),
    scalar("s_bitreplicate_b64_b32", "b64 = b32"),
    scalar("s_brev_b32", "b32 = b32"),
    scalar("s_brev_b64", "b64 = b64"),
    scalar_scc("s_bcnt0_i32_b32", "i32 = b32"),
    scalar_scc("s_bcnt0_i32_b64", "i32 = b64"),
    scalar_scc("s_bcnt1_i32_b32", "i32 = b32"),
    scalar_scc("s_bcnt1_i32_b64", "i32 = b64"),
    scalar("s_ctz_i32_b32", "i32 = b32", operation="s_ff1_i32_b32"),
    scalar("s_ctz_i32_b64", "i32 = b64", operation="s_ff1_i32_b64"),
    scalar("s_clz_i32_u32", "i32 = b32", operation="s_flbit_i32_b32"),
    scalar("s_clz_i32_u64", "i32 = b64", operation="s_flbit_i32_b64"),
    scalar("s_cls_i32", "i32 = i32", operation="s_flbit_i32"),
    scalar("s_cls_i32_i64", "i32 = i64", operation="s_flbit_i32_i64"),
    scalar("s_sext_i32_i8", "i32 = i32"),
    scalar("s_sext_i32_i16", "i32 = i32"),
    scalar("s_bitset0_b32", "b32 = b32", tie=True),
    scalar("s_bitset1_b32", "b32 = b32", tie=True),
    scalar("s_bitset0_b64", "b64 = b32", tie=True),
    scalar("s_bitset1_b64", "b64 = b32", tie=True),
    scalar_scc("s_abs_i32", "i32 = i32"),
    *relative_moves(),
    *saveexec("s_and_saveexec"),
    *saveexec("s_or_saveexec"),
    *saveexec("s_xor_saveexec"),
    *saveexec("s_nand_saveexec"),
    *saveexec("s_nor_saveexec"),
    *saveexec("s_xnor_saveexec"),
    *saveexec("s_and_not0_saveexec", "s_andn1_saveexec"),
    *saveexec("s_or_not0_saveexec", "s_orn1_saveexec"),
    *saveexec("s_and_not1_saveexec", "s_andn2_saveexec"),
    *saveexec("s_or_not1_saveexec", "s_orn2_saveexec"),
    *saveexec("s_and_not0_wrexec", "s_andn1_wrexec"),
    *saveexec("s_and_not1_wrexec", "s_andn2_wrexec"),
    *of_two_generations("s_add_u32", "s_add_co_u32", "u32 = u32 u32", COMMUTES),
    *of_two_generations("s_sub_u32", "s_sub_co_u32", "u32 = u32 u32"),
    *of_two_generations("s_add_i32", "s_add_co_i32", "i32 = i32 i32", COMMUTES),
    *of_two_generations("s_sub_i32", "s_sub_co_i32", "i32 = i32 i32"),
    *of_two_generations("s_addc_u32", "s_add_co_ci_u32", "u32 = u32 u32", COMMUTES, reads=(SCC,)),
    *of_two_generations("s_subb_u32", "s_sub_co_ci_u32", "u32 = u32 u32", reads=(SCC,)),
    scalar_scc("s_absdiff_i32", "i32 = i32 i32", COMMUTES),
    # SCC tells which source was taken, so these do not commute
    scalar_scc("s_min_i32", "i32 = i32 i32"),
    scalar_scc("s_min_u32", "u32 = u32 u32"),
    scalar_scc("s_max_i32", "i32 = i32 i32"),
    scalar_scc("s_max_u32", "u32 = u32 u32"),
    scalar("s_cselect_b32", "b32 = b32 b32", reads=(SCC,)),
    scalar("s_cselect_b64", "b64 = b64 b64", reads=(SCC,)),
    *both("s_and", COMMUTES),
    *both("s_or", COMMUTES),
    *both("s_xor", COMMUTES, Trait.MIXES),
    *both("s_and_not1", operation="s_andn2"),
    *both("s_or_not1", operation="s_orn2"),
    *both("s_nand", COMMUTES),
    *both("s_nor", COMMUTES),
    *both("s_xnor", COMMUTES, Trait.MIXES),
    scalar_scc("s_lshl_b32", "b32 = b32 u32"),
    scalar_scc("s_lshl_b64", "b64 = b64 u32"),
    scalar_scc("s_lshr_b32", "b32 = b32 u32"),
    scalar_scc("s_lshr_b64", "b64 = b64 u32"),
    scalar_scc("s_ashr_i32", "i32 = i32 u32"),
    scalar_scc("s_ashr_i64", "i64 = i64 u32"),
    scalar_scc("s_lshl1_add_u32", "u32 = u32 u32"),
    scalar_scc("s_lshl2_add_u32", "u32 = u32 u32"),
    scalar_scc("s_lshl3_add_u32", "u32 = u32 u32"),
    scalar_scc("s_lshl4_add_u32", "u32 = u32 u32"),
    scalar("s_bfm_b32", "b32 = b32 b32"),
    scalar("s_bfm_b64", "b64 = b32 b32"),
    scalar_scc("s_bfe_u32", "u32 = u32 u32"),
    scalar_scc("s_bfe_i32", "i32 = i32 u32"),
    scalar_scc("s_bfe_u64", "u64 = u64 u32"),
    scalar_scc("s_bfe_i64", "i64 = i64 u32"),
    scalar("s_mul_i32", "i32 = i32 i32", COMMUTES, MULTIPLY),
    scalar("s_mul_hi_u32", "u32 = u32 u32", COMMUTES, MULTIPLY),
    scalar("s_mul_hi_i32", "i32 = i32 i32", COMMUTES, MULTIPLY),
    scalar("s_add_nc_u64", "u64 = u64 u64", COMMUTES, targets=RDNA4),
    scalar("s_sub_nc_u64", "u64 = u64 u64", targets=RDNA4),
    scalar("s_mul_u64", "u64 = u64 u64", COMMUTES, MULTIPLY, targets=RDNA4),
    scalar("s_pack_ll_b32_b16", "b32 = b32 b32"),
    scalar("s_pack_lh_b32_b16", "b32 = b32 b32"),
    scalar("s_pack_hl_b32_b16", "b32 = b32 b32"),
    scalar("s_pack_hh_b32_b16", "b32 = b32 b32"),
    *compares("eq", COMMUTES),
    *compares("lg", COMMUTES),
    *compares("gt"),
    *compares("ge"),
    *compares("lt"),
    *compares("le"),
    scalar_scc("s_cmp_eq_u64", "= u64 u64", COMMUTES),
    scalar_scc("s_cmp_lg_u64", "= u64 u64", COMMUTES),
    scalar_scc("s_bitcmp0_b32", "= b32 u32"),
    scalar_scc("s_bitcmp1_b32", "= b32 u32"),
    scalar_scc("s_bitcmp0_b64", "= b64 u32"),
    scalar_scc("s_bitcmp1_b64", "= b64 u32"),
    immediate("s_movk_i32", "i16"),
    immediate("s_cmovk_i32", "i16", reads=(SCC,), keeps=True),
    immediate("s_addk_i32", "i16", writes=(SCC,), keeps=True, targets=RDNA3),
    immediate("s_addk_co_i32", "i16", writes=(SCC,), keeps=True, targets=RDNA4, operation="s_addk_i32"),
    immediate("s_mulk_i32", "i16", keeps=True, traits=(MULTIPLY,)),
    *compare_immediates(),
    make(
        "s_version", Unit.SALU, (operand("simm16", Role.USE, SIMM, "b16"),), traits=(Trait.SIDE_EFFECT,),
        semantics="s_nop",
    ),
    *mode_registers(RDNA3),
    *mode_registers(RDNA4),
    set_mode_field("s_round_mode", "b16"),
    set_mode_field("s_denorm_mode", "count16"),
    *float_pair("add", "f = f f", COMMUTES),
    *float_pair("sub", "f = f f"),
    *float_pair("mul", "f = f f", COMMUTES),
    *float_pair("min_num", "f = f f", COMMUTES),
    *float_pair("max_num", "f = f f", COMMUTES),
    *float_pair("minimum", "f = f f", COMMUTES),
    *float_pair("maximum", "f = f f", COMMUTES),
    *float_pair("fmac", "f = f f", COMMUTES, tie=True),
    *float_pair("ceil", "f = f"),
    *float_pair("floor", "f = f"),
    *float_pair("trunc", "f = f"),
    *float_pair("rndne", "f = f"),
    *fused_with_constant(),
    *float_compares(),
    floats("s_cvt_f32_i32", "f32 = i32"),
    floats("s_cvt_f32_u32", "f32 = u32"),
    floats("s_cvt_i32_f32", "i32 = f32"),
    floats("s_cvt_u32_f32", "u32 = f32"),
    floats("s_cvt_f16_f32", "f16 = f32"),
    floats("s_cvt_f32_f16", "f32 = f16"),
    floats("s_cvt_hi_f32_f16", "f32 = b32"),
    floats("s_cvt_pk_rtz_f16_f32", "f16x2 = f32 f32"),
)  # fmt: skip
