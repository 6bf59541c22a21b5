"""The operand of s_getreg and s_setreg: a hardware register, a bit offset and a width (CDNA3 ISA, section
5.8).

The operand's type chooses the family's names: `hwreg_cdna2`, `hwreg_rdna3`, `hwreg_rdna4`, otherwise CDNA3's.
"""

from __future__ import annotations

import re
from functools import cache

from isa.constants import parse_integer
from isa.named_tuple import NamedTuple

_CDNA = {
    "HW_REG_MODE": 1, "HW_REG_STATUS": 2, "HW_REG_TRAPSTS": 3, "HW_REG_HW_ID": 4, "HW_REG_GPR_ALLOC": 5,
    "HW_REG_LDS_ALLOC": 6, "HW_REG_IB_STS": 7, "HW_REG_SH_MEM_BASES": 15, "HW_REG_TBA_LO": 16,
    "HW_REG_TBA_HI": 17, "HW_REG_TMA_LO": 18, "HW_REG_TMA_HI": 19, "HW_REG_XCC_ID": 20,
    "HW_REG_SQ_PERF_SNAPSHOT_DATA": 21, "HW_REG_SQ_PERF_SNAPSHOT_DATA1": 22,
    "HW_REG_SQ_PERF_SNAPSHOT_PC_LO": 23, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI": 24,
}  # fmt: skip
_CDNA2 = {name: number for name, number in _CDNA.items() if number < 20}
_RDNA3 = {
    "HW_REG_MODE": 1, "HW_REG_STATUS": 2, "HW_REG_TRAPSTS": 3, "HW_REG_GPR_ALLOC": 5, "HW_REG_LDS_ALLOC": 6,
    "HW_REG_IB_STS": 7, "HW_REG_SH_MEM_BASES": 15, "HW_REG_PERF_SNAPSHOT_PC_LO": 18,
    "HW_REG_PERF_SNAPSHOT_PC_HI": 19, "HW_REG_FLAT_SCR_LO": 20, "HW_REG_FLAT_SCR_HI": 21, "HW_REG_HW_ID1": 23,
    "HW_REG_HW_ID2": 24, "HW_REG_PERF_SNAPSHOT_DATA": 27, "HW_REG_SHADER_CYCLES": 29,
}  # fmt: skip
_RDNA4 = {
    "HW_REG_WAVE_MODE": 1, "HW_REG_WAVE_STATUS": 2, "HW_REG_WAVE_STATE_PRIV": 4, "HW_REG_WAVE_GPR_ALLOC": 5,
    "HW_REG_WAVE_LDS_ALLOC": 6, "HW_REG_IB_STS": 7, "HW_REG_PERF_SNAPSHOT_DATA": 10,
    "HW_REG_PERF_SNAPSHOT_PC_LO": 11, "HW_REG_PERF_SNAPSHOT_PC_HI": 12, "HW_REG_PERF_SNAPSHOT_DATA1": 15,
    "HW_REG_PERF_SNAPSHOT_DATA2": 16, "HW_REG_WAVE_EXCP_FLAG_PRIV": 17, "HW_REG_WAVE_EXCP_FLAG_USER": 18,
    "HW_REG_WAVE_TRAP_CTRL": 19, "HW_REG_WAVE_SCRATCH_BASE_LO": 20, "HW_REG_WAVE_SCRATCH_BASE_HI": 21,
    "HW_REG_WAVE_HW_ID1": 23, "HW_REG_WAVE_HW_ID2": 24, "HW_REG_WAVE_SCHED_MODE": 26,
    "HW_REG_SHADER_CYCLES_LO": 29, "HW_REG_SHADER_CYCLES_HI": 30, "HW_REG_WAVE_DVGPR_ALLOC_LO": 31,
    "HW_REG_WAVE_DVGPR_ALLOC_HI": 32,
}  # fmt: skip
# names of RDNA3 that are read for RDNA4 too
_RDNA4_ALIASES = {
    "HW_REG_MODE": 1, "HW_REG_STATUS": 2, "HW_REG_GPR_ALLOC": 5, "HW_REG_LDS_ALLOC": 6, "HW_REG_HW_ID1": 23,
    "HW_REG_HW_ID2": 24,
}  # fmt: skip
_IDS = {"hwreg_cdna2": _CDNA2, "hwreg_rdna3": _RDNA3, "hwreg_rdna4": _RDNA4}
_ALIASES = {"hwreg_rdna4": _RDNA4_ALIASES}
# Patterns are text here: `re` compiles each at its first use and keeps it, and most compiles use none.
_TEXT = r"hwreg\((\w+)(?:,(\d{1,2}),(\d{1,2}))?\)\Z"


class ClockPart(NamedTuple):
    """The bits of the cycle counter in a hardware register: `bits` bits from bit `first` on."""

    first: int
    bits: int


# RDNA3 counts 20 bits of cycles; RDNA4 counts 64 in two registers
_CLOCKS: dict[str, dict[str, ClockPart]] = {
    "hwreg_rdna3": {"HW_REG_SHADER_CYCLES": ClockPart(0, 20)},
    "hwreg_rdna4": {
        "HW_REG_SHADER_CYCLES_LO": ClockPart(0, 32),
        "HW_REG_SHADER_CYCLES_HI": ClockPart(32, 32),
    },
}
MODE_ID, TRAPSTS_ID = _CDNA["HW_REG_MODE"], _CDNA["HW_REG_TRAPSTS"]


def encode(register: int, offset: int = 0, width: int = 32) -> int:
    """The 16-bit operand for `width` bits from bit `offset` of hardware register number `register`."""
    return register | offset << 6 | (width - 1) << 11


def decode(bits: int) -> tuple[int, int, int]:
    """Register number, bit offset and width of a 16-bit operand."""
    return bits & 63, bits >> 6 & 31, (bits >> 11) + 1


def clock_part(number: int, type_name: str) -> ClockPart | None:
    """The part of the cycle counter that a register contains, by its number and the operand's type; None for
    any other register."""
    return _CLOCKS.get(type_name, {}).get(_names(type_name).get(number, ""))


@cache
def parse_hwreg(text: str, type_name: str = "") -> int | None:
    """The operand of `hwreg(HW_REG_MODE,0,4)` (no spaces) or of a plain number, or None."""
    match = re.match(_TEXT, text, re.ASCII)
    if match is None:
        value = parse_integer(text)
        return value if value is not None and 0 <= value < 1 << 16 else None
    name, offset, width = match.groups(default="")
    number = (_IDS.get(type_name, _CDNA) | _ALIASES.get(type_name, {})).get(name, parse_integer(name))
    first, bits = int(offset or 0), int(width or 32)
    if number is None or not 0 <= number < 64 or first > 31 or not 1 <= bits <= 32:
        return None
    return encode(number, first, bits)


def format_hwreg(bits: int, type_name: str = "") -> str:
    """The spelling of a 16-bit operand."""
    number, offset, width = decode(bits)
    name = _names(type_name).get(number, str(number))
    return f"hwreg({name})" if (offset, width) == (0, 32) else f"hwreg({name}, {offset}, {width})"


@cache
def _names(type_name: str) -> dict[int, str]:
    return {number: name for name, number in _IDS.get(type_name, _CDNA).items()}
