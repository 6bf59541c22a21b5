"""Scalar ALU rows: SOP1, SOP2, SOPC and SOPK (CDNA3 ISA, chapter 5 and section 12.1 to 12.4)."""

from __future__ import annotations

from isa.instruction import Encoding, Kind, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, M0, MODE, SCC, Register
from isa.table.declare import SDST, SIMM, SREG, SSRC, S, d, make, on, operand, scalar, scalar_scc, tied, u
from isa.table.declared import Declared

COMMUTES, MOVE, MULTIPLY = Trait.COMMUTES, Trait.MOVE, Trait.MULTIPLY


def both(name: str, *traits: Trait) -> tuple[Declared, ...]:
    """A bitwise SOP2 instruction of 32 and of 64 bits."""
    return (
        scalar_scc(f"{name}_b32", "b32 = b32 b32", *traits),
        scalar_scc(f"{name}_b64", "b64 = b64 b64", *traits),
    )


def saveexec(name: str) -> Declared:
    """sdst := EXEC, then EXEC := the operation of the source and EXEC; SCC := EXEC is not zero."""
    return scalar(name, "mask = mask", reads=(EXEC,), writes=(EXEC, SCC))


def compares(name: str, *traits: Trait) -> tuple[Declared, ...]:
    """SCC := ssrc0 relation ssrc1, signed and unsigned."""
    return tuple(scalar_scc(f"s_cmp_{name}_{t}", f"= {t} {t}", *traits) for t in ("i32", "u32"))


def immediate(
    name: str, type_name: str, *, reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
    source: bool = False, keeps: bool = False, traits: tuple[Trait, ...] = (),
) -> Row:  # fmt: skip
    """A SOPK row: a register and a 16-bit immediate. `source`: the register is read, not written; `keeps`: it
    is both."""
    if source:
        operands = (u("ssrc0", S | Kind.M0 | Kind.EXEC, "i32"), operand("simm16", Role.USE, SIMM, type_name))
    else:
        target = d("sdst", SDST, "i32")
        operands = (target, operand("simm16", Role.USE, SIMM, type_name)) + (
            (tied("old", target),) if keeps else ()
        )
    return make(name, Encoding.PLAIN, Unit.SALU, operands, reads=reads, writes=writes, traits=traits)


def compare_immediates() -> tuple[Row, ...]:
    relations = ("eq", "lg", "gt", "ge", "lt", "le")
    return tuple(
        immediate(f"s_cmpk_{r}_{t}32", f"{t}16", writes=(SCC,), source=True)
        for t in ("i", "u")
        for r in relations
    )


def mode_access(hwreg: OperandSpec) -> tuple[Row, ...]:
    """Reads and writes of bits of a hardware register. Each accesses all of MODE, since the operand may name
    it."""

    def write(name: str, source: OperandSpec) -> Row:
        return make(
            name, Encoding.PLAIN, Unit.SALU, (hwreg, source), reads=(MODE,), writes=(MODE,),
            traits=(Trait.SIDE_EFFECT,),
        )  # fmt: skip

    return (
        make("s_getreg_b32", Encoding.PLAIN, Unit.SALU, (d("sdst", SDST, "b32"), hwreg), reads=(MODE,)),
        write("s_setreg_b32", u("ssrc0", S | Kind.M0 | Kind.EXEC, "b32")),
        write("s_setreg_imm32_b32", u("simm32", Kind.LITERAL, "b32")),
    )


def relative() -> tuple[Row, ...]:
    """Moves with M0 added to the number of the source or destination register. The registers that they access
    are not operands, so no pass of ours makes such moves."""
    read = (
        make(
            f"s_movrels_b{n}", Encoding.PLAIN, Unit.SALU, (d("sdst", S, f"b{n}"), u("ssrc0", S, f"b{n}")),
            reads=(M0,),
        )
        for n in (32, 64)
    )  # fmt: skip
    write = (
        make(
            f"s_movreld_b{n}", Encoding.PLAIN, Unit.SALU, (u("sdst", S, f"b{n}"), u("ssrc0", SSRC, f"b{n}")),
            reads=(M0,), traits=(Trait.SIDE_EFFECT,),
        )
        for n in (32, 64)
    )  # fmt: skip
    return *read, *write


def index_mode(
    name: str, *operands: OperandSpec, reads: tuple[Register, ...] = (MODE,),
    writes: tuple[Register, ...] = (M0, MODE),
) -> Row:  # fmt: skip
    """What turns VGPR indexing by M0 on and off, or sets its index."""
    return make(
        name, Encoding.PLAIN, Unit.SALU, operands, reads=reads, writes=writes, traits=(Trait.SIDE_EFFECT,)
    )


INDEXED = operand("indexed", Role.USE, SIMM | Kind.FIELDS, "gpr_idx")


def hardware_register(type_name: str) -> OperandSpec:
    return operand("hwreg", Role.USE, SIMM | Kind.HWREG, type_name)


ROWS: tuple[Declared, ...] = (
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
    scalar("s_ff0_i32_b32", "i32 = b32"),
    scalar("s_ff0_i32_b64", "i32 = b64"),
    scalar("s_ff1_i32_b32", "i32 = b32"),
    scalar("s_ff1_i32_b64", "i32 = b64"),
    scalar("s_flbit_i32_b32", "i32 = b32"),
    scalar("s_flbit_i32_b64", "i32 = b64"),
    scalar("s_flbit_i32", "i32 = i32"),
    scalar("s_flbit_i32_i64", "i32 = i64"),
    scalar("s_sext_i32_i8", "i32 = i32"),
    scalar("s_sext_i32_i16", "i32 = i32"),
    scalar("s_bitset0_b32", "b32 = b32", tie=True),
    scalar("s_bitset1_b32", "b32 = b32", tie=True),
    scalar("s_bitset0_b64", "b64 = b32", tie=True),
    scalar("s_bitset1_b64", "b64 = b32", tie=True),
    scalar_scc("s_abs_i32", "i32 = i32"),
    saveexec("s_and_saveexec_b64"),
    saveexec("s_or_saveexec_b64"),
    saveexec("s_xor_saveexec_b64"),
    saveexec("s_andn1_saveexec_b64"),
    saveexec("s_andn2_saveexec_b64"),
    saveexec("s_orn1_saveexec_b64"),
    saveexec("s_orn2_saveexec_b64"),
    saveexec("s_nand_saveexec_b64"),
    saveexec("s_nor_saveexec_b64"),
    saveexec("s_xnor_saveexec_b64"),
    saveexec("s_andn1_wrexec_b64"),
    saveexec("s_andn2_wrexec_b64"),
    scalar_scc("s_add_u32", "u32 = u32 u32", COMMUTES),
    scalar_scc("s_sub_u32", "u32 = u32 u32"),
    scalar_scc("s_add_i32", "i32 = i32 i32", COMMUTES),
    scalar_scc("s_sub_i32", "i32 = i32 i32"),
    scalar_scc("s_addc_u32", "u32 = u32 u32", COMMUTES, reads=(SCC,)),
    scalar_scc("s_subb_u32", "u32 = u32 u32", reads=(SCC,)),
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
    *both("s_andn2"),
    *both("s_orn2"),
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
    scalar("s_pack_ll_b32_b16", "b32 = b32 b32"),
    scalar("s_pack_lh_b32_b16", "b32 = b32 b32"),
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
    immediate("s_addk_i32", "i16", writes=(SCC,), keeps=True),
    immediate("s_mulk_i32", "i16", keeps=True, traits=(MULTIPLY,)),
    *compare_immediates(),
    *relative(),
    index_mode("s_set_gpr_idx_on", u("ssrc0", SREG | Kind.INLINE, "u32"), INDEXED, reads=(M0, MODE)),
    index_mode("s_set_gpr_idx_idx", u("ssrc0", SREG | Kind.INLINE, "u32"), reads=(M0, MODE)),
    index_mode("s_set_gpr_idx_mode", INDEXED),
    index_mode("s_set_gpr_idx_off", writes=(MODE,)),
    *on("gfx90a", *mode_access(hardware_register("hwreg_cdna2"))),
    *on("gfx942 gfx950", *mode_access(hardware_register("b16"))),
)
