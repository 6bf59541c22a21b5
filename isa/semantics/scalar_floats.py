"""Floats of RDNA4's scalar unit: the vector unit's functions, on a value for each wave (RDNA4 ISA, sections
15.1 to 15.3)."""

from __future__ import annotations

import numpy as np

from isa.semantics.conversions import f32_to_f16, integer_to_f32, pack_rtz, to_integer
from isa.semantics.float_arithmetic import add, fma, multiply, subtract
from isa.semantics.float_choice import (
    maximum_number,
    minimum_number,
    propagating_maximum,
    propagating_minimum,
)
from isa.semantics.floats import COMPARES
from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.mode import Array


def upper_half(x: Array) -> Array:
    """Bits 31:16 as an f16, widened (S_CVT_HI_F32_F16)."""
    return (x >> np.uint32(16)).astype(np.uint16).view(np.float16).astype(np.float32)


def _table() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for t in ("f16", "f32"):
        table |= {
            f"s_add_{t}": moded(add), f"s_sub_{t}": moded(subtract), f"s_mul_{t}": moded(multiply),
            f"s_fmac_{t}": moded(fma), f"s_min_num_{t}": pure(minimum_number),
            f"s_max_num_{t}": pure(maximum_number), f"s_minimum_{t}": pure(propagating_minimum),
            f"s_maximum_{t}": pure(propagating_maximum), f"s_ceil_{t}": pure(np.ceil),
            f"s_floor_{t}": pure(np.floor), f"s_trunc_{t}": pure(np.trunc), f"s_rndne_{t}": pure(np.rint),
        }  # fmt: skip
        for name, compare in COMPARES.items():
            table[f"s_cmp_{name}_{t}"] = pure(compare)
    return table


SCALAR_FLOATS: dict[str, LaneFunction] = {
    **_table(), "s_fmaak_f32": moded(fma), "s_fmamk_f32": moded(fma), "s_cvt_f32_i32": moded(integer_to_f32),
    "s_cvt_f32_u32": moded(integer_to_f32), "s_cvt_i32_f32": pure(to_integer(np.int32)),
    "s_cvt_u32_f32": pure(to_integer(np.uint32)), "s_cvt_f16_f32": moded(f32_to_f16),
    "s_cvt_f32_f16": pure(lambda x: x.astype(np.float32)), "s_cvt_hi_f32_f16": pure(upper_half),
    "s_cvt_pk_rtz_f16_f32": pure(pack_rtz),
}  # fmt: skip
