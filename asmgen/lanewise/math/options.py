"""The user's choices about arithmetic, and the facts about the target that it needs."""

from __future__ import annotations

from isa.named_tuple import NamedTuple


class MathOptions(NamedTuple):
    """`fast` gives up the error bounds of docs/numerics.md for fewer instructions; `contract` fuses a
    multiply into the add that alone reads it; `nan` is the rule of max and min for a NaN: `ieee` (it loses)
    or `propagate`. `wave` is the target's wave size, `slow_f64` whether f64 takes many times the clocks
    of f32 on it, and `keeps_nan` whether it has a maximum and a minimum of f32 in which a NaN stays, and
    `keeps_nan_of_lanes` whether these read other lanes."""

    fast: bool = False
    contract: bool = True
    nan: str = "ieee"
    wave: int = 64
    slow_f64: bool = False
    keeps_nan: bool = False
    keeps_nan_of_lanes: bool = False
