"""Matrix rows (CDNA3 ISA, chapter 7): D := A B + C over a whole wave, whatever EXEC says."""

from __future__ import annotations

from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, Row, Trait, Unit
from isa.registers import EXEC
from isa.table.declare import VA, VSRC, V, beside, d, make, signature, u, words

BROADCASTS = (ModifierSpec("cbsz", "number", 0, 0, 7), ModifierSpec("abid", "number", 0, 0, 15), ModifierSpec("blgp", "number", 0, 0, 7))


def matrix(name: str, text: str, passes: int, *traits: Trait) -> Row:
    """D and C are both VGPRs or both AGPRs. A D of more than four registers is written while the sources are still read: it is C's
    register or apart from it, and apart from A and B."""
    results, types = signature(text)
    result = d("vdst", VA, results[0], early_clobber=words(results[0]) > 4)
    operands = (result, u("src0", VA, types[0]), u("src1", VA, types[1]), beside("src2", VA | Kind.INLINE, types[2], "vdst"))
    return make(name, Encoding.E64, Unit.MATRIX, operands, BROADCASTS, mnemonic=name, exec_mode=ExecMode.IGNORED, traits=traits, passes=passes)


ROWS: tuple[Row, ...] = (
    matrix("v_mfma_f32_32x32x8_f16", "f32x16 = f16x4 f16x4 f32x16", 8, Trait.XDL),
    matrix("v_mfma_f32_16x16x16_f16", "f32x4 = f16x4 f16x4 f32x4", 4, Trait.XDL),
    matrix("v_mfma_f32_4x4x4_16b_f16", "f32x4 = f16x4 f16x4 f32x4", 2, Trait.XDL),
    matrix("v_mfma_f32_32x32x4_2b_f16", "f32x32 = f16x4 f16x4 f32x32", 16, Trait.XDL),
    matrix("v_mfma_f32_32x32x2_f32", "f32x16 = f32 f32 f32x16", 16),
    matrix("v_mfma_f32_16x16x4_f32", "f32x4 = f32 f32 f32x4", 8),
    matrix("v_mfma_f32_4x4x1_16b_f32", "f32x4 = f32 f32 f32x4", 2),
    make(
        "v_accvgpr_read_b32", Encoding.PLAIN, Unit.VALU, (d("vdst", V, "b32"), u("src0", Kind.AGPR, "b32")), reads=(EXEC,),
        exec_mode=ExecMode.MASKED, traits=(Trait.MOVE,),
    ),
    make(
        "v_accvgpr_mov_b32", Encoding.PLAIN, Unit.VALU, (d("vdst", Kind.AGPR, "b32"), u("src0", Kind.AGPR, "b32")), reads=(EXEC,),
        exec_mode=ExecMode.MASKED, traits=(Trait.MOVE,),
    ),
    make(
        "v_accvgpr_write_b32", Encoding.PLAIN, Unit.VALU, (d("vdst", Kind.AGPR, "b32"), u("src0", VSRC, "b32")), reads=(EXEC,),
        exec_mode=ExecMode.MASKED, traits=(Trait.MOVE,), bus=1,
    ),
)  # fmt: skip
