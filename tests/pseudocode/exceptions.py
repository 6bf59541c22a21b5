"""Differences of AMD's pseudocode from the hardware, by instruction: a reason, and the outcomes it
excuses."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import NamedTuple

from isa.constants import BITS, FLOAT_TYPES
from isa.instruction import Row, Trait
from tests.pseudocode.modifiers import elements, nan_format
from tests.pseudocode.trial import Outcome
from tests.pseudocode.values import FORMATS, Value, is_nan, to_float

_MOVED = "its registers are counted from M0, and are none of its operands; small programs test it"
_INDEXED = "sets the index of VGPRs, which no register of one instruction shows"
_BARRIERS = "acts on a workgroup's barriers, which one instruction alone has none of; small programs test it"
NOT_RUN: dict[str, str] = {
    **{f"s_movrel{kind}_b{width}": _MOVED for kind in "sd" for width in (32, 64)},
    **{f"v_movrel{kind}_b32": _MOVED for kind in ("s", "d", "sd")},
    **{f"s_set_gpr_idx_{what}": _INDEXED for what in ("on", "off", "mode", "idx")},
    **{f"s_{name}": _BARRIERS for name in ("barrier_signal", "barrier_signal_isfirst", "get_barrier_state")},
    "v_cvt_pkaccum_u8_f32": "the emulator does not model it: no pass makes it",
    "s_getpc_b64": "the program counter is the machine's own",
    "s_getreg_b32": "reads a hardware register, which one instruction alone has none of",
    "s_setreg_b32": "writes a hardware register",
    "s_setreg_imm32_b32": "writes a hardware register",
}  # fmt: skip


class Slip(NamedTuple):
    """`reason` in the manual's or LLVM's words, and whether it excuses an outcome (row, outcome, source 0 as a float's bits)."""

    reason: str
    excuses: Callable[[Row, Outcome], bool]


def _source(row: Row, outcome: Outcome) -> Value:
    width, _ = elements(row.operands[row.uses[0]].type)
    return Value("f", width, outcome.sources[0] & ((1 << width) - 1))


def _small(row: Row, outcome: Outcome) -> bool:
    """Source 0 is zero or denormal."""
    x = _source(row, outcome)
    shape = FORMATS[x.width]
    return not x.value >> (shape.precision - 1) & ((1 << shape.exponent_bits) - 1)


def _tiny(row: Row, outcome: Outcome) -> bool:
    """Source 0 is denormal, or the result is 0 instead of a denormal (2**-124: omod may have made it
    larger)."""
    exact = int(outcome.result.partition(" ")[0], 16) if outcome.type == "sdwa" else outcome.wanted[0]
    flushed = outcome.type == "sdwa" or not outcome.got & 0x7FFFFFFF
    return _small(row, outcome) or (flushed and abs(to_float(Value("f", 32, exact))) < 2.0**-124)


def _flushed(row: Row, outcome: Outcome) -> bool:
    """The row flushes, and an f16 of the first two sources, the addend or the result is denormal."""
    halves = [word >> shift & 0xFFFF for word in outcome.sources[:2] for shift in (0, 16)]
    words = [*outcome.sources[2:], *outcome.wanted]
    are_denormal = [not half & 0x7C00 and half & 0x3FF for half in halves] + [not word & 0x7F800000 for word in words]
    return Trait.FLUSHES in row.traits and any(are_denormal)


def _revolutions(row: Row, outcome: Outcome) -> bool:
    """Beyond the domain, or a zero of either sign."""
    width = _source(row, outcome).width
    zero = (1 << (width - 1)) - 1
    return (
        abs(to_float(_source(row, outcome))) > 256
        or (not outcome.got & zero and not outcome.wanted[0] & zero)
        or (outcome.type == "sdwa" and to_float(_source(row, outcome)) * 2 % 1 == 0)
    )


def _below_one(row: Row, outcome: Outcome) -> bool:
    x = to_float(_source(row, outcome))
    return -0.001 < x < 0


def _nearest(row: Row, outcome: Outcome) -> bool:
    """A zero of either sign, or a sum with 0.5 that rounds."""
    x = _source(row, outcome)
    number = to_float(x)
    if not math.isfinite(number) or (number < 0 and number >= -0.5) or number == 0:
        return True
    return math.floor(math.log2(abs(number))) not in range(FORMATS[x.width].precision - 1)


def _byte(row: Row, outcome: Outcome) -> bool:
    """1 more in the byte that is written, of a source with a fraction of at least a half."""
    x = to_float(_source(row, outcome))
    position = 8 * (outcome.sources[1] & 3)
    return outcome.got - outcome.wanted[0] == 1 << position and x % 1 >= 0.5


def _rounds_with_half(row: Row, outcome: Outcome) -> bool:
    """Source 0 and 0.5 have no exact sum of single precision. A tie has the fraction, so the text decides
    there."""
    x = to_float(_source(row, outcome))
    if not math.isfinite(x):
        return False
    total = x + 0.5  # exact here up to 2**53, and beyond 2**24 neither sum changes the integer
    return struct.unpack("f", struct.pack("f", total))[0] != total


def _sums(row: Row, outcome: Outcome) -> bool:
    """Each sum of 16 or 32 bits is the text's, or the largest."""
    width = 32 if outcome.type == "b128" else 16
    largest = (1 << width) - 1
    parts = [(outcome.wanted[0] >> i & largest, outcome.got >> i & largest) for i in range(0, BITS[outcome.type], width)]
    return all(got in (wanted, largest) for wanted, got in parts)


_SATURATES = Slip("under the clamp a sum is saturated (LLVM gives the instruction the modifier); the text cuts each down to its 16 bits", _sums)
_FREXP = Slip("the exponent of a zero is 0, of a denormal its own: LLVM lowers frexp to this instruction alone", _small)
_FRACT = Slip("the fraction stays below 1: LLVM matches min(x - floor(x), the float before 1) as this instruction", _below_one)
_RNDNE = Slip("the result is exact and keeps the sign of a zero (LLVM lowers rint to it); the text's sum with 0.5 rounds", _nearest)
_FLUSHES = Slip("the f32 approximations flush denormals, whatever MODE says: LLVM scales their arguments around them", _tiny)
_NO_DENORMALS = Slip("gfx90a flushes denormals of f16 (PyTorch's documentation, Numerical accuracy); the text is CDNA4's", _flushed)
_TURNS = Slip("the domain is 256 revolutions either way; the sign of a zero is not documented", _revolutions)
EXCEPTIONS: dict[str, tuple[Slip, ...]] = {
    **{f"v_frexp_exp_i{16 if width == 16 else 32}_f{width}": (_FREXP,) for width in (16, 32, 64)},
    **{f"v_fract_f{width}": (_FRACT,) for width in (16, 32, 64)},
    **{f"v_rndne_f{width}": (_RNDNE,) for width in (16, 32, 64)},
    **{f"s_rndne_f{width}": (_RNDNE,) for width in (16, 32)},
    **{f"v_{name}": (_SATURATES,) for name in ("qsad_pk_u16_u8", "mqsad_pk_u16_u8")},
    **{f"v_{name}_f32": (_FLUSHES,) for name in ("exp", "log", "rcp", "rcp_iflag", "rsq", "sqrt")},
    **{f"v_s_{name}_f32": (_FLUSHES,) for name in ("exp", "log", "rcp", "rsq", "sqrt")},
    **{f"v_{name}_f16": (_TURNS,) for name in ("sin", "cos")},
    **{f"v_{name}_f32": (_TURNS, _FLUSHES) for name in ("sin", "cos")},
    **{f"v_{name}_f32_f16": (_NO_DENORMALS,) for name in ("dot2", "dot2c")},
    "v_cvt_rpi_i32_f32": (
        Slip(
            "the sum with 0.5 is taken exactly here, the text rounds it; its neighbour differs by one",
            lambda row, outcome: _rounds_with_half(row, outcome) and (outcome.type == "sdwa" or abs(outcome.wanted[0] - outcome.got) == 1),
        ),
    ),
    "v_cvt_pk_u8_f32": (Slip("the byte is rounded (HSAIL's packcvt_u8x4_f32, which it implements, rounds to nearest even)", _byte),),
}


def agrees(outcome: Outcome) -> bool:
    """Equal bits, or within the tolerance of an approximation; NaNs are equal to NaNs."""
    if outcome.got in outcome.wanted:
        return True
    if outcome.type == "sdwa":  # a part of a NaN is not compared
        pattern, _, type_name = outcome.result.split()
        return type_name in FLOAT_TYPES and has_nan(int(pattern, 16), type_name)
    if outcome.type not in FLOAT_TYPES:
        return False
    shape = nan_format(outcome.type)
    width, count = elements(outcome.type)
    mask = (1 << width) - 1
    parts = [(outcome.wanted[0] >> i * width & mask, outcome.got >> i * width & mask) for i in range(count)]
    return all(a == b or (is_nan(a, width, shape) and is_nan(b, width, shape)) for a, b in parts)


def has_nan(pattern: int, type_name: str) -> bool:
    width, count = elements(type_name)
    return any(is_nan(pattern >> i * width & ((1 << width) - 1), width) for i in range(count))


def exceptions_of(row: Row, name: str) -> str:
    """The key of the exceptions for an instruction of a row: its name, or CDNA3's name of the operation;
    empty if there are none."""
    return next((key for key in (name, row.operation) if key in EXCEPTIONS), "")


def excused(row: Row, outcome: Outcome) -> bool:
    return any(exception.excuses(row, outcome) for exception in EXCEPTIONS.get(exceptions_of(row, outcome.name), ()))
