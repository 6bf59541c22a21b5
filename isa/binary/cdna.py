"""The formats of gfx90a, gfx942 and gfx950 (CDNA3 ISA, chapter 12; CDNA4 ISA, chapter 12).

The bits of cache control are named as the rows of a target name them: `glc slc scc` on gfx90a, `sc0 nt sc1`
since gfx942.
"""

from __future__ import annotations

from isa.binary.formats import Field, Format, at, mask_of
from isa.binary.operands import ADDRESS, NUMBER, SIMM, VECTOR, ResultField, ScalarField, SdwaMask, SdwaSource
from isa.instruction import Encoding

_E32 = frozenset({Encoding.E32, Encoding.PLAIN})
_E64 = frozenset({Encoding.E64, Encoding.PLAIN})
_DPP = frozenset({Encoding.DPP})
_SDWA = frozenset({Encoding.SDWA})
_PLAIN = frozenset({Encoding.PLAIN})

_LAST_SGPR, _VCC = 101, 106
# FLAT_SCRATCH and XNACK_MASK have units of their own (isa.registers)
NUMBERS = {128: 102, 129: 103, 130: 104, 131: 105}
SCALAR = ScalarField(NUMBERS, _LAST_SGPR)
PAIR = ScalarField(NUMBERS, _LAST_SGPR, unit=2)
FOUR = ScalarField(NUMBERS, _LAST_SGPR, unit=4)
SDWA = SdwaSource(NUMBERS, _LAST_SGPR)
SDWA_MASK = SdwaMask(NUMBERS, _LAST_SGPR, _VCC)
RESULT = ResultField(SCALAR)


def _scalar_formats() -> tuple[Format, ...]:
    sdst, ssrc0, ssrc1 = at("sdst", 16, 7, SCALAR), at("ssrc0", 0, 8, SCALAR), at("ssrc1", 8, 8, SCALAR)
    simm16 = at("simm16", 0, 16, SIMM)
    return (
        Format(
            "SOP1", 4, ((23, 9, 0b101111101),), ((8, 8),), "SOP1", _PLAIN, (sdst, ssrc0),
            mask_of(((0, 8), (16, 7))),
        ),
        Format("SOP2", 4, ((30, 2, 0b10),), ((23, 7),), "SOP2", _PLAIN, (sdst, ssrc0, ssrc1)),
        Format(
            "SOPC", 4, ((23, 9, 0b101111110),), ((16, 7),), "SOPC", _PLAIN,
            (ssrc0, ssrc1, at("simm8", 8, 8, SIMM)),
        ),
        Format(
            "SOPK", 4, ((28, 4, 0b1011),), ((23, 5),), "SOPK", _PLAIN,
            (at("sdst", 16, 7, SCALAR, "ssrc0"), simm16), mask_of(((16, 7),)),
        ),
        Format("SOPP", 4, ((23, 9, 0b101111111),), ((16, 7),), "SOPP", _PLAIN, (simm16,)),
    )  # fmt: skip


_ANY_OFFSET = mask_of(((0, 18), (32, 32)))


def _scalar_memory() -> tuple[Format, ...]:
    """An offset is immediate, or a register, or both. A register alone is in the place of the immediate;
    disassemblers read it in its own place too (SMEM_SOFFSET)."""
    base, data, glc = at("sbase", 0, 6, PAIR), at("sdst", 6, 7, SCALAR), at("glc", 16, 1)
    immediate, register = at("offset", 32, 21, SIMM, "soffset"), at("soffset", 57, 7, SCALAR)
    alone = at("soffset", 32, 7, SCALAR)

    def scalar_memory(name: str, offset_bits: tuple[tuple[int, int, int], ...], *offsets: Field) -> Format:
        bits = ((26, 6, 0b110000), *offset_bits)
        needs = frozenset(field.name for field in offsets)
        return Format(
            name, 8, bits, ((18, 8),), "SMEM", _PLAIN, (base, data, glc, *offsets), _ANY_OFFSET, needs
        )

    return (
        scalar_memory("SMEM", ((17, 1, 1), (14, 1, 0)), immediate),
        scalar_memory("SMEM_SGPR", ((17, 1, 0), (14, 1, 0)), alone),
        scalar_memory("SMEM_BOTH", ((17, 1, 1), (14, 1, 1)), immediate, register),
        scalar_memory("SMEM_SOFFSET", ((17, 1, 0), (14, 1, 1)), register),
        scalar_memory("SMEM_NONE", ((17, 1, 0),)),
    )


def _vector_formats() -> tuple[Format, ...]:
    """VOP1, VOP2 and VOPC, each with its DPP and SDWA form, with the first source in a second word."""
    formats: list[Format] = []
    vdst, src0 = at("vdst", 17, 8, RESULT), at("src0", 0, 9, SCALAR, "vdst1")
    src1 = at("src1", 9, 8, VECTOR)
    for name, kind, opcode, fields in (
        ("VOP1", (25, 7, 0b0111111), ((9, 8),), (vdst,)),
        ("VOP2", (31, 1, 0), ((25, 6),), (vdst, src1)),
        ("VOPC", (25, 7, 0b0111110), ((17, 8),), (src1,)),
    ):
        dpp, sdwa = (0, 9, 0xFA), (0, 9, 0xF9)
        formats.append(Format(name, 4, (kind,), opcode, name, _E32, (src0, *fields), mask_of(((0, 9),))))
        if name != "VOPC":
            formats.append(
                Format(
                    f"{name}_DPP", 8, (kind, dpp), opcode, name, _DPP, (*fields, *_DPP_FIELDS),
                    mask_of(((49, 2),)),
                )
            )  # fmt: skip
        second = tuple(
            Field(field.name, ((9, 8), (63, 1)), SDWA) if field is src1 else field for field in fields
        )
        unread = mask_of(((43, 2), (54, 1), (62, 1)))
        own = _SDWA_RESULT if name == "VOPC" else _SDWA_OUTPUT
        formats.append(
            Format(
                f"{name}_SDWA", 8, (kind, sdwa), opcode, name, _SDWA, (*second, *_SDWA_FIELDS, *own), unread
            )
        )
    return tuple(formats)


_DPP_FIELDS = (
    at("src0", 32, 8, VECTOR),
    at("dpp_ctrl", 40, 9), at("bound_ctrl", 51, 1), at("bank_mask", 56, 4), at("row_mask", 60, 4),
    Field("neg", ((52, 1), (54, 1))), Field("abs", ((53, 1), (55, 1))),
)  # fmt: skip
_SDWA_FIELDS = (
    Field("src0", ((32, 8), (55, 1)), SDWA),
    at("src0_sel", 48, 3), at("src1_sel", 56, 3),
    Field("sext", ((51, 1), (59, 1))), Field("neg", ((52, 1), (60, 1))), Field("abs", ((53, 1), (61, 1))),
)  # fmt: skip
_SDWA_OUTPUT = (at("dst_sel", 40, 3, idle=6), at("dst_unused", 43, 2), at("clamp", 45, 1), at("omod", 46, 2))
_SDWA_RESULT = (at("sdst", 40, 8, SDWA_MASK),)


def _three_operand_formats() -> tuple[Format, ...]:
    sources = (at("src0", 32, 9, SCALAR, "vdst1"), at("src1", 41, 9, SCALAR), at("src2", 50, 9, SCALAR))
    opcode, clamp = ((16, 10),), at("clamp", 15, 1)
    vop3 = (
        at("vdst", 0, 8, RESULT), *sources, clamp, at("abs", 8, 3),
        Field("op_sel", ((11, 1), (12, 1), (13, 1), (14, 1)), result_last=True), at("fi", 11, 1),
        at("bound_ctrl", 12, 1), at("omod", 59, 2), at("neg", 61, 3),
    )  # fmt: skip
    table = (*vop3[:4], vop3[6], Field("bitop3", ((61, 3), (8, 3), (59, 2))))
    vop3b = (
        at("vdst", 0, 8, VECTOR), at("sdst", 8, 7, SCALAR), *sources, clamp, at("omod", 59, 2),
        at("neg", 61, 3),
    )  # fmt: skip
    packed = (
        at("vdst", 0, 8, RESULT), *sources, clamp, at("neg_hi", 8, 3, NUMBER, "abs"), at("op_sel", 11, 3),
        Field("op_sel_hi", ((59, 1), (60, 1), (14, 1)), idle=7), at("neg_lo", 61, 3, NUMBER, "neg"),
    )  # fmt: skip
    matrix = (
        Field("vdst", ((0, 8), (15, 1)), VECTOR), Field("src0", ((32, 9), (59, 1)), SCALAR),
        Field("src1", ((41, 9), (60, 1)), SCALAR), Field("src2", ((50, 9), (15, 1)), SCALAR),
        at("cbsz", 8, 3), at("abid", 11, 4), at("blgp", 61, 3, NUMBER, "neg"),
    )  # fmt: skip
    vector, packed_bits = (26, 6, 0b110100), (23, 9, 0b110100111)
    later_sources = (41, 18)
    return (
        Format("VOP3_BITOP3", 8, (vector,), opcode, "BITOP3", _E64, table, needs=frozenset({"bitop3"})),
        Format("VOP3A", 8, (vector,), opcode, "VOP3A", _E64, vop3, mask_of(((11, 4), later_sources))),
        Format("VOP3B", 8, (vector,), opcode, "VOP3B", _E64, vop3b, mask_of((later_sources,))),
        Format("VOP3P", 8, (packed_bits,), ((16, 7),), "VOP3P", _E64, packed, mask_of((later_sources,))),
        Format("MAI", 8, (packed_bits,), ((16, 7),), "MAI", _E64, matrix),
    )


def _scaled_formats() -> tuple[Format, ...]:
    """gfx950's matrix instructions with a scale: the scales in the first 64 bits, the instruction itself in
    the second."""
    kind = 0b110100111
    fields = (
        Field("vdst", ((64, 8), (79, 1)), VECTOR), Field("src0", ((96, 9), (123, 1)), SCALAR),
        Field("src1", ((105, 9), (124, 1)), SCALAR), Field("src2", ((114, 9), (79, 1)), SCALAR),
        at("scale0", 32, 9, SCALAR), at("scale1", 41, 9, SCALAR),
        Field("op_sel", ((11, 1), (12, 1), (13, 1))), Field("op_sel_hi", ((59, 1), (60, 1), (14, 1)), idle=7),
        at("cbsz", 72, 3), at("blgp", 125, 3),
    )  # fmt: skip
    bits = ((23, 9, kind), (16, 7, 0x2C), (87, 9, kind), (75, 1, 1))
    return (
        Format(
            "MAI_SCALE", 16, bits, ((80, 7),), "MAI_SCALE", _E64, fields,
            mask_of(((0, 11), (14, 2), (50, 14))),
        ),
    )  # fmt: skip


def _lds_formats() -> tuple[Format, ...]:
    """LDS instructions; their data operands share a bit for AGPRs."""
    fields = (
        at("offset", 0, 16), at("offset0", 0, 8), at("offset1", 8, 8), at("addr", 32, 8, VECTOR),
        Field("data0", ((40, 8), (25, 1)), VECTOR), Field("data1", ((48, 8), (25, 1)), VECTOR),
        Field("vdst", ((56, 8), (25, 1)), VECTOR),
    )  # fmt: skip
    return (Format("DS", 8, ((26, 6, 0b110110),), ((17, 8),), "DS", _PLAIN, fields),)


def _memory_formats(coherent: str, streaming: str, system: str, scratch_address: bool) -> tuple[Format, ...]:
    """FLAT with its two segments, and MUBUF; the names are those of the cache bits. `scratch_address` says
    that a bit of a scratch access tells whether it has a VGPR address; elsewhere that bit says that a load
    goes to LDS."""
    cache = (at(coherent, 16, 1), at(streaming, 17, 1), at(system, 25, 1))
    data = (Field("vdata", ((40, 8), (55, 1)), VECTOR), Field("vdst", ((56, 8), (55, 1)), VECTOR))
    address = at("vaddr", 32, 8, VECTOR)
    chosen = Field("vaddr", ((32, 8), (13, 1)), ADDRESS) if scratch_address else address
    base, kind, opcode = at("saddr", 48, 7, SCALAR, absent=0x7F), (26, 6, 0b110111), ((18, 7),)
    signed = at("offset", 0, 13)
    to_lds = () if scratch_address else (at("lds", 13, 1),)
    buffer = (
        at("offset", 0, 12), at("offen", 12, 1), at("idxen", 13, 1), at(coherent, 14, 1), at(system, 15, 1),
        at("lds", 16, 1), at(streaming, 17, 1), address, Field("vdata", ((40, 8), (55, 1)), VECTOR),
        at("srsrc", 48, 5, FOUR), at("soffset", 56, 8, SCALAR),
    )  # fmt: skip
    registers = mask_of(((32, 16), (56, 8)))
    buffer_unread = mask_of(((0, 12), (17, 1), (25, 1), (32, 23), (56, 8)))
    return (
        Format(
            "FLAT", 8, (kind, (14, 2, 0)), opcode, "FLAT", _PLAIN, (signed, *cache, *data, address), registers
        ),
        Format(
            "SCRATCH", 8, (kind, (14, 2, 1)), opcode, "SCRATCH", _PLAIN,
            (signed, *to_lds, *cache, *data, chosen, base), registers,
        ),
        Format(
            "GLOBAL", 8, (kind, (14, 2, 2)), opcode, "GLOBAL", _PLAIN,
            (signed, *to_lds, *cache, *data, address, base), registers,
        ),
        Format(
            "MUBUF",
            8,
            ((26, 6, 0b111000),),
            ((18, 7),),
            "MUBUF",
            _PLAIN,
            buffer,
            buffer_unread,
            cache_bits=mask_of(((14, 2),)),
        ),
    )  # fmt: skip


_COMMON = (
    *_scalar_formats(), *_scalar_memory(), *_vector_formats(), *_three_operand_formats(), *_lds_formats(),
)  # fmt: skip
_SINCE_GFX942 = _memory_formats("sc0", "nt", "sc1", scratch_address=True)
FORMATS: dict[str, tuple[Format, ...]] = {
    "cdna2": (*_COMMON, *_memory_formats("glc", "slc", "scc", scratch_address=False)),
    "cdna3": (*_COMMON, *_SINCE_GFX942),
    "cdna4": (*_COMMON, *_SINCE_GFX942, *_scaled_formats()),
}
