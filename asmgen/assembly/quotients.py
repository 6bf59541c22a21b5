"""Quotients and remainders of 32-bit numbers by a number that only the launch knows, on the vector ALU.

The quotient is estimated by the reciprocal in f32, a little too small, and corrected. Conversion, reciprocal
and product err by 2.5 * 2**-23 together, so the estimate is made smaller by 2**-21.

    numbers below 2**20    the estimate is at most 1 too small
    others                 a Newton step in integers makes it at most 2 too small

A quotient by 0 is any number.
"""

from __future__ import annotations

from asmgen.assembly.recorder import Recorder
from asmgen.select.operands import put_vector
from isa.constants import float_bits
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import Register

Part = Register | Immediate


class _Estimate(NamedTuple):
    """A quotient that is too small by `most` at most, and its rest: the value less the quotient times the
    divisor."""

    quotient: Register
    rest: Register
    most: int


_SMALLER = 1 - 2.0**-21
_FEW = 1 << 20


def put_quotient(recorder: Recorder, value: Part, by: Part, most: int) -> Register:
    """The quotient of a u32, of at most `most`, rounded down."""
    quotient, rest, steps = _estimated(recorder, value, by, most)
    for left in range(steps, 0, -1):
        again = recorder.mask()
        put_vector(recorder, "v_cmp_ge_u32", (again,), (rest, by), reversed="v_cmp_le_u32")
        more = recorder.vgpr()
        put_vector(recorder, "v_addc_co_u32", (more, recorder.mask()), (quotient, Immediate(0), again))
        quotient = more
        if left > 1:
            rest = _less(recorder, rest, by)
    return quotient


def put_remainder(recorder: Recorder, value: Part, by: Part, most: int) -> Register:
    """The remainder of a u32 of at most `most`."""
    _, rest, steps = _estimated(recorder, value, by, most)
    for _ in range(steps):
        rest = _less(recorder, rest, by)
    return rest


def _less(recorder: Recorder, rest: Register, by: Part) -> Register:
    """The rest less the divisor, if it is not smaller: else the difference is above any rest."""
    return _put(recorder, "v_min_u32", rest, _put(recorder, "v_sub_u32", rest, by))


def _estimated(recorder: Recorder, value: Part, by: Part, most: int) -> _Estimate:
    """The quotient of a u32, of at most `most`, by its reciprocal."""
    is_short = most < _FEW
    inverse = _put(recorder, "v_rcp_f32", _put(recorder, "v_cvt_f32_u32", by))
    scale = _SMALLER if is_short else _SMALLER * (1 << 32)
    inverse = _put(recorder, "v_mul_f32", inverse, Immediate(_bits(scale)))
    if is_short:
        product = _put(recorder, "v_mul_f32", inverse, _put(recorder, "v_cvt_f32_u32", value))
        quotient = _put(recorder, "v_cvt_u32_f32", product)
    else:
        inverse = _put(recorder, "v_cvt_u32_f32", inverse)
        error = _put(recorder, "v_mul_lo_u32", inverse, _put(recorder, "v_sub_u32", Immediate(0), by))
        inverse = _put(recorder, "v_add_u32", inverse, _put(recorder, "v_mul_hi_u32", inverse, error))
        quotient = _put(recorder, "v_mul_hi_u32", value, inverse)
    whole = _put(recorder, "v_mul_lo_u32", quotient, by)
    return _Estimate(quotient, _put(recorder, "v_sub_u32", value, whole), 1 if is_short else 2)


def _bits(number: float) -> int:
    bits = float_bits(number, "f32")
    assert bits is not None
    return bits


def _put(recorder: Recorder, name: str, *sources: Part) -> Register:
    register = recorder.vgpr()
    put_vector(recorder, name, (register,), sources)
    return register
