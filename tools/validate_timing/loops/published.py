"""What sources published of the loops, and how to get the same figure from the clocks of a trip."""

from __future__ import annotations

from collections.abc import Callable

from isa.named_tuple import NamedTuple
from isa.trust import Trust
from tools.validate_timing.loops import chains
from tools.validate_timing.loops.attention import EAGER, LAZY, attention
from tools.validate_timing.loops.gemm import (
    FIRST_VERSION,
    FIRST_WAITS,
    GFX942_4_WAVES,
    GFX942_8_WAVES,
    GFX950_4_WAVES,
    GFX950_8_WAVES,
    GFX950_BF8_4_WAVES,
    GFX950_BF8_8_WAVES,
    PING_PONG,
    PING_PONG_950,
    PING_PONG_950_WAITS,
    PING_PONG_BF8,
    PING_PONG_WAITS,
    TUNED,
    TUNED_WAITS,
    V9,
    V9_BF8,
    V9_WAITS,
    Gemm,
    small_tile,
)  # fmt: skip
from tools.validate_timing.loops.running import clocks_a_trip, clocks_between
from tools.validate_timing.loops.writing import Loop, Skeleton

Make = Callable[[], Loop]
Value = Callable[[], float]


class Figure(NamedTuple):
    """A published figure and how the model gets it. `row` is its id in loops.json, in which several figures
    may share a row."""

    row: str
    what: str
    measured: float
    modelled: Value
    trust: Trust = Trust.MEASURED


def _trip(make: Make, per: float = 1) -> Value:
    """The clocks of a trip, or of a part of it."""
    return lambda: clocks_a_trip(make()) / per


def _ratio(make: Make, other: Make) -> Value:
    """The clocks of a trip to those of another loop."""
    return lambda: clocks_a_trip(make()) / clocks_a_trip(other())


def _product(kernel: Gemm, skeleton: Skeleton, waits: tuple[int, ...]) -> Make:
    return lambda: kernel.loop(skeleton, waits)


_INTRA = "T gfx942 gemm intra_wave, "
_SWIZZLE = "T gfx942 ds_read_b128 swizzle good / bad"
_LLIR = "T LLIR scheduler intervals"
_MATRIX, _OTHERS = "Meta MFMA chains", "Meta v_fma, ds_read chains"
_BF8 = "T gfx950 gemm bf8 8 / 4 waves"
_SIMDS = 4
_ACCESSES = Skeleton("R32 W16")  # of LDS in a trip
_WRONG_PHASE = GFX942_4_WAVES._replace(rows_a_phase=2)
_PING_PONG = _product(GFX942_8_WAVES, PING_PONG, PING_PONG_WAITS)
_PING_PONG_WRONG = _product(GFX942_8_WAVES._replace(rows_a_phase=2), PING_PONG, PING_PONG_WAITS)


def _without(kinds: str) -> Make:
    """The first version of the loop on gfx942, which had the swizzle that conflicts, without some kinds of
    instruction. With either reads or writes alone the compiler had no reason for a barrier."""
    return _product(_WRONG_PHASE, FIRST_VERSION.without(kinds), FIRST_WAITS)


def _ablation(what: str, milliseconds: float, kinds: str) -> Figure:
    row, alone = f"T gfx942 ablation: {what}", 0.379
    ratio = _ratio(_without(kinds), _without("BRVWG"))
    return Figure(row, "time to that of MFMA alone", milliseconds / alone, ratio)


def _tile(rows: int, columns: int, percent: float) -> Figure:
    matrices = rows * columns * 64 / (16 * 16 * 32 * _SIMDS)
    what, clocks = f"T gfx950 TCP bound {rows}x{columns}", matrices * 16 / (percent / 100)
    return Figure(what, "clocks a step of K", clocks, _trip(lambda: small_tile(rows, columns)))


FIGURES: tuple[Figure, ...] = (
    Figure(_INTRA + "4 waves", "clocks a trip", 4588, _trip(_product(GFX942_4_WAVES, TUNED, TUNED_WAITS))),
    Figure(
        _INTRA + "LDS writes removed", "clocks a trip", 4253,
        _trip(_product(GFX942_4_WAVES, TUNED.without("W"), TUNED_WAITS)), Trust.DERIVED,
    ),
    Figure(_INTRA + "first version", "clocks a trip", 5877, _trip(_without("")), Trust.DERIVED),
    Figure("T gfx942 gemm inter_wave, 8 waves", "clocks a trip", 4096 / 0.98, _trip(_PING_PONG)),
    Figure(
        _SWIZZLE, "LDS clocks an access, good", 8.0,
        _trip(_product(GFX942_4_WAVES, _ACCESSES, ()), 48 * _SIMDS),
    ),
    Figure(
        _SWIZZLE, "LDS clocks an access, bad", 13.33,
        _trip(_product(_WRONG_PHASE, _ACCESSES, ()), 48 * _SIMDS),
    ),
    Figure(_SWIZZLE, "8 waves, bad to good", 1 / (1 - 0.099), _ratio(_PING_PONG_WRONG, _PING_PONG)),
    _ablation("MFMA alone", 0.379, "BRVWG"),
    _ablation("MFMA + LDS reads", 0.372, "BVWG"),
    _ablation("MFMA + LDS writes", 0.417, "BRVG"),
    _ablation("MFMA + reads + writes", 0.536, "VG"),
    _ablation("all, with global loads", 0.582, ""),
    Figure(
        "T gfx950 gemm 4 waves v9", "clocks a trip", 4096 / 0.987,
        _trip(_product(GFX950_4_WAVES, V9, V9_WAITS)),
    ),
    Figure(
        "T gfx950 gemm 8 waves", "clocks a trip", 4096 / 0.998,
        _trip(_product(GFX950_8_WAVES, PING_PONG_950, PING_PONG_950_WAITS)),
    ),
    Figure(
        _BF8, "clocks a trip, 8 waves", 4096 / 0.999,
        _trip(_product(GFX950_BF8_8_WAVES, PING_PONG_BF8, PING_PONG_950_WAITS)),
    ),
    Figure(
        _BF8, "clocks a trip, 4 waves", 4096 / 0.997,
        _trip(_product(GFX950_BF8_4_WAVES, V9_BF8, V9_WAITS)),
    ),
    Figure("T gfx950 attention fav4", "clocks a trip", 4306, _trip(lambda: attention(LAZY))),
    Figure(
        "T gfx950 attention fav3 / FlyDSL lazy / eager", "clocks a trip, fav3", 4096 / 0.853,
        _trip(lambda: attention(EAGER)),
    ),
    _tile(256, 256, 96),
    _tile(256, 128, 83.5),
    _tile(128, 128, 69),
    _tile(256, 64, 55),
    _tile(128, 64, 47),
    Figure(_LLIR, "clocks a ds_read_b128", 16, _trip(lambda: chains.READS, 64), Trust.DOCUMENTED),
    Figure(
        _LLIR, "clocks a load, of the fifth to the eleventh", 64,
        lambda: clocks_between(chains.LOADS, chains.nth_load(5), chains.nth_load(11)) / 6, Trust.DOCUMENTED,
    ),
    Figure(_MATRIX, "clocks, dependent", 18, _trip(lambda: chains.matrix_chains(1), chains.STEPS)),
    Figure(_MATRIX, "clocks, four streams", 17, _trip(lambda: chains.matrix_chains(4), 4 * chains.STEPS)),
    Figure(_OTHERS, "clocks a v_fma", 8, _trip(chains.vector_chain, chains.STEPS)),
    Figure(_OTHERS, "clocks a ds_read", 69, _trip(lambda: chains.lds_chains(1), chains.STEPS)),
    Figure(
        _OTHERS, "clocks a ds_read, four streams", 28,
        _trip(lambda: chains.lds_chains(4), 4 * chains.STEPS),
    ),
    Figure(_OTHERS, "clocks a load", 790, _trip(chains.load_chain, 16), Trust.DOCUMENTED),
)  # fmt: skip

_ORDER = "the model of a launch does not know the order of workgroups, which changes hits of L2 and power"
WITHOUT_A_RECIPE = {
    **{f"HK workgroup order, group {group}": _ORDER for group in (0, 2, 4, 8, 32)},
    "T gfx950 attention fav3 / FlyDSL lazy / eager": "FlyDSL's loops are not described",
    "pc samples, fp8 GEMM gfx942": "samples without a time of a trip",
}
"""Rows of loops.json, or parts of them, that no loop here is for, and why."""
