"""The formats of gfx1100 and gfx1201 (RDNA3 ISA, chapter 15; RDNA4 ISA, chapter 15).

Both have the same scalar and vector formats; scalar and vector memory differ, and gfx1100 names halves of
VGPRs in the short vector formats, by the highest bit of a VGPR's number.
"""

from __future__ import annotations

from isa.binary.formats import Field, Format, Pieces, at, mask_of
from isa.binary.operands import (
    ADDRESS,
    HALF_VECTOR,
    INLINE,
    NUMBER,
    SIMM,
    VECTOR,
    HalfSource,
    OddOrEven,
    ResultField,
    ScalarField,
)
from isa.instruction import Encoding

_PLAIN = frozenset({Encoding.PLAIN})
_E32 = frozenset({Encoding.E32, Encoding.PLAIN})
_E64 = frozenset({Encoding.E64, Encoding.PLAIN})
_DPP = frozenset({Encoding.DPP})
_E64_DPP = frozenset({Encoding.E64_DPP})
_DUAL = frozenset({Encoding.DUAL})

_LAST_SGPR = 105
_NUMBERS = {124: 125, 125: 124}  # M0 and NULL; their units are those of CDNA (isa.registers)
_NULL = 124
_EXEC = 126
_SCALAR = ScalarField(_NUMBERS, _LAST_SGPR)
_HALF_SOURCE = HalfSource(_NUMBERS, _LAST_SGPR)
_PAIR = ScalarField(_NUMBERS, _LAST_SGPR, unit=2)
_FOUR = ScalarField(_NUMBERS, _LAST_SGPR, unit=4)
_RESULT = ResultField(_SCALAR)

# src0 of these says that a word of lane controls follows
_LITERAL_TO_DPP16, _LITERAL_TO_DPP8 = (0, 9, 250), (2, 7, 0b0111010)
_FETCH = {"0": 1, "1": 2}  # the lowest bits of src0 with DPP8


def _scalar_formats() -> tuple[Format, ...]:
    sdst, ssrc1 = at("sdst", 16, 7, _SCALAR), at("ssrc1", 8, 8, _SCALAR)
    ssrc0 = at("ssrc0", 0, 8, _SCALAR, "barrier")
    simm16 = at("simm16", 0, 16, SIMM)
    return (
        Format(
            "SOP1", 4, ((23, 9, 0b101111101),), ((8, 8),), "SOP1", _PLAIN,
            (sdst, ssrc0, at("message", 0, 8, SIMM)), mask_of(((0, 8), (16, 7))),
        ),
        Format("SOP2", 4, ((30, 2, 0b10),), ((23, 7),), "SOP2", _PLAIN, (sdst, ssrc0, ssrc1)),
        Format("SOPC", 4, ((23, 9, 0b101111110),), ((16, 7),), "SOPC", _PLAIN, (ssrc0, ssrc1)),
        Format(
            "SOPK", 4, ((28, 4, 0b1011),), ((23, 5),), "SOPK", _PLAIN,
            (at("sdst", 16, 7, _SCALAR, "ssrc0"), simm16), mask_of(((16, 7),)),
        ),
        Format(
            "SOPP", 4, ((23, 9, 0b101111111),), ((16, 7),), "SOPP", _PLAIN,
            (simm16, at("barrier", 0, 16, INLINE)),
        ),
    )  # fmt: skip


def _scalar_memory(
    opcode: Pieces, cache: tuple[Field, ...], offset_bits: int, unread: Pieces, null_first: bool
) -> tuple[Format, ...]:
    """Loads have an immediate offset, and a register that is NULL if the row has none.

    If both are absent, NULL and 0, LLVM's disassembler reads NULL on gfx1100 (`null_first`) and 0 on gfx1201.
    """
    kind = (26, 6, 0b111101)
    base, data = at("sbase", 0, 6, _PAIR, "srsrc"), at("sdst", 6, 7, _SCALAR)
    offset, register = at("offset", 32, offset_bits, SIMM), at("soffset", 57, 7, _SCALAR, idle=_NULL)
    by_register = Format(
        "SMEM_SGPR", 8, (kind,), opcode, "SMEM", _PLAIN, (base, data, *cache, register), mask_of(unread)
    )
    return (
        *((by_register,) if null_first else ()),
        Format(
            "SMEM", 8, (kind,), opcode, "SMEM", _PLAIN,
            (base, data, *cache, register, offset, at("length", 6, 5, SIMM)), mask_of(unread),
        ),
        Format(
            "SMEM_CONTROL", 8, (kind,), opcode, "SMEM_CONTROL", _PLAIN, (),
            mask_of(((0, 13), *unread, (32, 32))),
        ),
    )  # fmt: skip


def _short_formats(halves: bool, suffix: str = "", needs: frozenset[str] = frozenset()) -> tuple[Format, ...]:
    """VOP1, VOP2 and VOPC, each with its forms with lane controls, with the first source in a second word.
    `suffix` distinguishes their names, and rows must have the operands that they need."""
    vector, source = (HALF_VECTOR, _HALF_SOURCE) if halves else (VECTOR, _SCALAR)
    vdst = at("vdst", 17, 8, ResultField(_SCALAR, vector), half=24)
    src0 = at("src0", 0, 9, source, "vdst1", half=7)
    src1 = at("src1", 9, 8, vector, "src2", half=16)
    crossed = at("src0", 32, 8, vector, half=39)
    formats: list[Format] = []
    for name, kind, opcode, fields in (
        ("VOP1", (25, 7, 0b0111111), ((9, 8),), (vdst,)),
        ("VOPC", (25, 7, 0b0111110), ((17, 8),), (src1,)),
        ("VOP2", (31, 1, 0), ((25, 6),), (vdst, src1)),
    ):
        formats += (
            Format(
                f"{name}{suffix}", 4, (kind,), opcode, name, _E32, (*fields, src0), mask_of(((0, 9),)),
                needs=needs,
            ),
            Format(
                f"{name}_DPP16{suffix}", 8, (kind, _LITERAL_TO_DPP16), opcode, name, _DPP,
                (*fields, crossed, *_dpp16(32), *_dpp16_signs(32)), mask_of(((49, 1),)), needs=needs,
            ),
            Format(
                f"{name}_DPP8{suffix}", 8, (kind, _LITERAL_TO_DPP8), opcode, name, _DPP,
                (*fields, crossed, *_dpp8(32, 0)), needs=needs,
            ),
        )  # fmt: skip
    return tuple(formats)


def _dpp16(first: int) -> tuple[Field, ...]:
    """The lane controls in the word from bit `first` on."""
    return (
        at("dpp_ctrl", first + 8, 9), at("fi", first + 18, 1), at("bound_ctrl", first + 19, 1),
        at("bank_mask", first + 24, 4), at("row_mask", first + 28, 4),
    )  # fmt: skip


def _dpp16_signs(first: int) -> tuple[Field, ...]:
    return Field("neg", ((first + 20, 1), (first + 22, 1))), Field("abs", ((first + 21, 1), (first + 23, 1)))


def _dpp8(first: int, src0: int) -> tuple[Field, ...]:
    """The lanes in the word from bit `first` on, and what else the number of src0 says."""
    return at("dpp8", first + 8, 24), at("fi", src0, 2, numbers=_FETCH)


def _long_formats() -> tuple[Format, ...]:
    """VOP3, VOP3SD and VOP3P, each with its forms with lane controls, with the first source in a third
    word."""
    rest = at("src1", 41, 9, _SCALAR, half=12), at("src2", 50, 9, _SCALAR, half=13)
    clamp = at("clamp", 15, 1)
    vop3 = (
        at("vdst", 0, 8, _RESULT, half=14, idle=_EXEC), *rest, clamp, at("abs", 8, 3), at("op_sel", 11, 4),
        at("omod", 59, 2), at("neg", 61, 3),
    )  # fmt: skip
    read_byte, written_byte = Field("byte_sel", ((12, 1), (11, 1))), at("byte_sel", 13, 2)
    with_mask = (
        at("vdst", 0, 8, VECTOR), at("sdst", 8, 7, _SCALAR), *rest, clamp, at("omod", 59, 2),
        at("neg", 61, 3),
    )  # fmt: skip
    packed = (
        at("vdst", 0, 8, VECTOR), *rest, clamp, at("neg_hi", 8, 3, NUMBER, "abs"),
        at("op_sel", 11, 3, NUMBER, "index_key"), Field("op_sel_hi", ((59, 1), (60, 1), (14, 1)), idle=7),
        at("neg_lo", 61, 3, NUMBER, "neg"),
    )  # fmt: skip
    src0 = at("src0", 32, 9, _SCALAR, half=11)
    crossed = at("src0", 64, 8, VECTOR, half=11)
    formats: list[Format] = []
    no_result = ((0, 8), (11, 4))
    for name, kind, opcode, fields, result in (
        ("VOP3", (26, 6, 0b110101), ((16, 10),), (*vop3, read_byte), no_result),
        ("VOP3_BYTE", (26, 6, 0b110101), ((16, 10),), (*vop3, written_byte), ()),
        ("VOP3SD", (26, 6, 0b110101), ((16, 10),), with_mask, ()),
        ("VOP3P", (24, 8, 0b11001100), ((16, 7),), packed, ()),
    ):
        dpp16, dpp8 = (32, 9, 250), (34, 7, 0b0111010)
        unread = mask_of((*result, (41, 18)))
        formats += (
            Format(name, 8, (kind,), opcode, name, _E64, (*fields, src0), unread),
            Format(
                f"{name}_DPP16", 12, (kind, dpp16), opcode, name, _E64_DPP, (*fields, crossed, *_dpp16(64)),
                unread | mask_of(((81, 1), (84, 4))),
            ),
            Format(
                f"{name}_DPP8", 12, (kind, dpp8), opcode, name, _E64_DPP, (*fields, crossed, *_dpp8(64, 32)),
                unread,
            ),
        )  # fmt: skip
    return tuple(formats)


def _dual_formats() -> tuple[Format, ...]:
    """VOPD. The destination of Y is of the other parity than that of X, so that its lowest bit is not
    there."""
    fields = (
        at("src0X", 0, 9, _SCALAR), at("src1X", 9, 8, VECTOR, "src2X"), at("src0Y", 32, 9, _SCALAR),
        at("src1Y", 41, 8, VECTOR, "src2Y"), at("vdstX", 56, 8, VECTOR),
        Field("vdstY", ((49, 7), (56, 1)), OddOrEven()),
    )  # fmt: skip
    return (Format("VOPD", 8, ((26, 6, 0b110010),), ((22, 4), (17, 5)), "VOPD", _DUAL, fields),)


def _lds_formats() -> tuple[Format, ...]:
    fields = (
        at("offset", 0, 16), at("offset0", 0, 8), at("offset1", 8, 8), at("addr", 32, 8, VECTOR),
        at("data0", 40, 8, VECTOR), at("data1", 48, 8, VECTOR), at("vdst", 56, 8, VECTOR),
    )  # fmt: skip
    return (Format("DS", 8, ((26, 6, 0b110110),), ((18, 8),), "DS", _PLAIN, fields, mask_of(((16, 1),))),)


def _rdna3_memory() -> tuple[Format, ...]:
    """FLAT with its segments, and MUBUF. A bit of a scratch access tells whether it has a VGPR address."""
    kind, opcode = (26, 6, 0b110111), ((18, 7),)
    data = (at("vdata", 40, 8, VECTOR), at("vdst", 56, 8, VECTOR))
    address, base = at("vaddr", 32, 8, VECTOR), at("saddr", 48, 7, _SCALAR, idle=_NULL, absent=_NULL)
    fields = (at("offset", 0, 13), at("dlc", 13, 1), at("glc", 14, 1), at("slc", 15, 1), *data, base)
    buffer = (
        at("offset", 0, 12), at("slc", 12, 1), at("dlc", 13, 1), at("glc", 14, 1), address,
        at("vdata", 40, 8, VECTOR), at("srsrc", 48, 5, _FOUR), at("offen", 54, 1), at("idxen", 55, 1),
        at("soffset", 56, 8, _SCALAR),
    )  # fmt: skip
    unread = mask_of(((25, 1), (32, 16), (56, 8)))
    return (
        Format("FLAT", 8, (kind, (16, 2, 0)), opcode, "FLAT", _PLAIN, (*fields, address), unread),
        Format(
            "SCRATCH", 8, (kind, (16, 2, 1)), opcode, "SCRATCH", _PLAIN,
            (*fields, Field("vaddr", ((32, 8), (55, 1)), ADDRESS)), unread,
        ),
        Format("GLOBAL", 8, (kind, (16, 2, 2)), opcode, "GLOBAL", _PLAIN, (*fields, address), unread),
        Format(
            "MUBUF", 8, ((26, 6, 0b111000),), ((18, 8),), "MUBUF", _PLAIN, buffer,
            mask_of(((0, 13), (15, 3), (32, 21), (56, 8))),
        ),
    )  # fmt: skip


# The temporal hints: their meaning depends on the kind of access, and on the scope if two share a
# number.
_HINTS = {
    "TH_LOAD_RT": 0, "TH_LOAD_NT": 1, "TH_LOAD_HT": 2, "TH_LOAD_LU": 3, "TH_LOAD_BYPASS": 3,
    "TH_LOAD_NT_RT": 4, "TH_LOAD_RT_NT": 5, "TH_LOAD_NT_HT": 6, "TH_STORE_RT": 0, "TH_STORE_NT": 1,
    "TH_STORE_HT": 2, "TH_STORE_WB": 3, "TH_STORE_BYPASS": 3, "TH_STORE_NT_RT": 4, "TH_STORE_RT_NT": 5,
    "TH_STORE_NT_HT": 6, "TH_STORE_NT_WB": 7, "TH_ATOMIC_RT": 0, "TH_ATOMIC_RETURN": 1, "TH_ATOMIC_NT": 2,
    "TH_ATOMIC_NT_RETURN": 3, "TH_ATOMIC_CASCADE_RT": 4, "TH_ATOMIC_CASCADE_NT": 6,
}  # fmt: skip


def _cache(scope: int, hint: int, hint_bits: int) -> tuple[Field, ...]:
    return at("scope", scope, 2), at("th", hint, hint_bits, numbers=_HINTS)


def _rdna4_memory() -> tuple[Format, ...]:
    """VFLAT with its segments, and VBUFFER: three words."""
    kind, opcode = (26, 6, 0b111011), ((14, 8),)
    address, offset = at("vaddr", 64, 8, VECTOR), at("offset", 72, 24)
    base = at("saddr", 0, 7, _SCALAR, idle=_NULL, absent=_NULL)
    fields = (base, at("vdst", 32, 8, VECTOR), at("vdata", 55, 8, VECTOR), offset, *_cache(50, 52, 3))
    buffer = (
        at("soffset", 0, 7, _SCALAR), at("vdata", 32, 8, VECTOR), at("srsrc", 41, 9, _SCALAR),
        at("offen", 62, 1), at("idxen", 63, 1), at("format", 55, 7, idle=1), address, offset,
        *_cache(50, 52, 3),
    )  # fmt: skip
    unread = mask_of(((8, 6), (22, 2), (32, 16), (55, 41)))
    return (
        Format("VFLAT", 12, (kind, (24, 2, 0)), opcode, "FLAT", _PLAIN, (*fields, address), unread),
        Format(
            "VSCRATCH", 12, (kind, (24, 2, 1)), opcode, "SCRATCH", _PLAIN,
            (*fields, Field("vaddr", ((64, 8), (49, 1)), ADDRESS)), unread,
        ),
        Format("VGLOBAL", 12, (kind, (24, 2, 2)), opcode, "GLOBAL", _PLAIN, (*fields, address), unread),
        Format(
            "VBUFFER", 12, ((26, 6, 0b110001),), opcode, "MUBUF", _PLAIN, buffer,
            mask_of(((8, 6), (23, 3), (40, 1), (55, 7), (64, 8))),
        ),
    )  # fmt: skip


_COMMON = (*_scalar_formats(), *_long_formats(), *_dual_formats(), *_lds_formats())
_RDNA3_CACHE = (at("dlc", 13, 1), at("glc", 14, 1))
_RDNA4_CACHE = _cache(21, 23, 2)
FORMATS: dict[str, tuple[Format, ...]] = {
    "rdna3": (
        *_COMMON, *_short_formats(halves=True),
        *_scalar_memory(((18, 8),), _RDNA3_CACHE, 21, ((15, 3), (53, 4)), null_first=True), *_rdna3_memory(),
    ),
    "rdna4": (
        *_COMMON, *_short_formats(True, "_HALVES", frozenset({"half"})), *_short_formats(halves=False),
        *_scalar_memory(((13, 6),), _RDNA4_CACHE, 24, ((0, 6), (19, 1), (21, 5)), null_first=False),
        *_rdna4_memory(),
    ),
}  # fmt: skip
