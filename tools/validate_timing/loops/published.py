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
from tools.validate_timing.loops.writing import Loop, Skeleton

Make = Callable[[], Loop]


class Figure(NamedTuple):
    """A published figure: the clocks of a trip of a loop, divided by `per`, or by the clocks of a trip of
    another loop.

    `row` is the figure's id in loops.json, where several figures may share a row.
    """

    row: str
    what: str
    measured: float
    loop: Make
    per: float | Make
    trust: Trust = Trust.MEASURED


def _product(kernel: Gemm, skeleton: Skeleton, waits: tuple[int, ...]) -> Make:
    return lambda: kernel.loop(skeleton, waits)


_INTRA = "T gfx942 gemm intra_wave, "
_SWIZZLE = "T gfx942 ds_read_b128 swizzle good / bad"
_WRONG_PHASE = GFX942_4_WAVES._replace(rows_a_phase=2)
_ACCESSES = Skeleton("R32 W16")  # of a trip
_SIMDS = 4
_LLIR = "T LLIR scheduler intervals"
_MATRIX, _OTHERS = "Meta MFMA chains", "Meta v_fma, ds_read chains"


def _without(kinds: str, waits: tuple[int, ...] = FIRST_WAITS) -> Make:
    """The first version of the loop on gfx942 without some kinds of instruction. With either reads or writes
    alone the compiler had no reason for a barrier."""
    return _product(_WRONG_PHASE, FIRST_VERSION.without(kinds), waits)


def _ablation(what: str, milliseconds: float, kinds: str) -> Figure:
    alone = 0.379
    row = f"T gfx942 ablation: {what}"
    return Figure(row, "time to that of MFMA alone", milliseconds / alone, _without(kinds), _without("BRVWG"))


def _tile(rows: int, columns: int, percent: float) -> Figure:
    matrices = rows * columns * 64 / (16 * 16 * 32 * _SIMDS)
    what, clocks = f"T gfx950 TCP bound {rows}x{columns}", matrices * 16 / (percent / 100)
    return Figure(what, "clocks a step of K", clocks, lambda: small_tile(rows, columns), 1)


FIGURES: tuple[Figure, ...] = (
    Figure(_INTRA + "4 waves", "clocks a trip", 4588, _product(GFX942_4_WAVES, TUNED, TUNED_WAITS), 1),
    Figure(
        _INTRA + "LDS writes removed", "clocks a trip", 4253,
        _product(GFX942_4_WAVES, TUNED.without("W"), TUNED_WAITS), 1, Trust.DERIVED,
    ),
    Figure(
        _INTRA + "first version", "clocks a trip", 5877,
        _product(_WRONG_PHASE, FIRST_VERSION, FIRST_WAITS), 1, Trust.DERIVED,
    ),
    Figure(
        "T gfx942 gemm inter_wave, 8 waves", "clocks a trip", 4096 / 0.98,
        _product(GFX942_8_WAVES, PING_PONG, PING_PONG_WAITS), 1,
    ),
    Figure(
        _SWIZZLE, "LDS clocks an access, good", 8.0,
        _product(GFX942_4_WAVES, _ACCESSES, ()), 48 * _SIMDS,
    ),
    Figure(
        _SWIZZLE, "LDS clocks an access, bad", 13.33,
        _product(_WRONG_PHASE, _ACCESSES, ()), 48 * _SIMDS,
    ),
    Figure(
        _SWIZZLE, "8 waves, bad to good", 1 / (1 - 0.099),
        _product(GFX942_8_WAVES._replace(rows_a_phase=2), PING_PONG, PING_PONG_WAITS),
        _product(GFX942_8_WAVES, PING_PONG, PING_PONG_WAITS),
    ),
    _ablation("MFMA alone", 0.379, "BRVWG"),
    _ablation("MFMA + LDS reads", 0.372, "BVWG"),
    _ablation("MFMA + LDS writes", 0.417, "BRVG"),
    _ablation("MFMA + reads + writes", 0.536, "VG"),
    _ablation("all, with global loads", 0.582, ""),
    Figure(
        "T gfx950 gemm 4 waves v9", "clocks a trip", 4096 / 0.987,
        _product(GFX950_4_WAVES, V9, V9_WAITS), 1,
    ),
    Figure(
        "T gfx950 gemm 8 waves", "clocks a trip", 4096 / 0.998,
        _product(GFX950_8_WAVES, PING_PONG_950, PING_PONG_950_WAITS), 1,
    ),
    Figure(
        "T gfx950 gemm bf8 8 / 4 waves", "clocks a trip, 8 waves", 4096 / 0.999,
        _product(GFX950_BF8_8_WAVES, PING_PONG_BF8, PING_PONG_950_WAITS), 1,
    ),
    Figure(
        "T gfx950 gemm bf8 8 / 4 waves", "clocks a trip, 4 waves", 4096 / 0.997,
        _product(GFX950_BF8_4_WAVES, V9_BF8, V9_WAITS), 1,
    ),
    Figure("T gfx950 attention fav4", "clocks a trip", 4306, lambda: attention(LAZY), 1),
    Figure(
        "T gfx950 attention fav3 / FlyDSL lazy / eager", "clocks a trip, fav3", 4096 / 0.853,
        lambda: attention(EAGER), 1,
    ),
    _tile(256, 256, 96),
    _tile(256, 128, 83.5),
    _tile(128, 128, 69),
    _tile(256, 64, 55),
    _tile(128, 64, 47),
    Figure(_LLIR, "clocks a ds_read_b128", 16, lambda: chains.READS_ONLY, 64, Trust.DOCUMENTED),
    Figure(_LLIR, "clocks a load", 64, lambda: chains.LOADS_ONLY, 64, Trust.DOCUMENTED),
    Figure(_MATRIX, "clocks, dependent", 18, lambda: chains.matrix_chains(1), chains.UNROLLED),
    Figure(_MATRIX, "clocks, four streams", 17, lambda: chains.matrix_chains(4), chains.UNROLLED),
    Figure(_OTHERS, "clocks a v_fma", 8, chains.vector_chain, chains.UNROLLED),
    Figure(_OTHERS, "clocks a ds_read", 69, lambda: chains.lds_chains(1), chains.UNROLLED),
    Figure(_OTHERS, "clocks a ds_read, four streams", 28, lambda: chains.lds_chains(4), chains.UNROLLED),
    Figure(_OTHERS, "clocks a load", 790, chains.load_chain, 16),
)  # fmt: skip

WITHOUT_A_RECIPE = {
    "T gfx950 attention fav3 / FlyDSL lazy / eager": "FlyDSL's loops are not described",
    "pc samples, fp8 GEMM gfx942": "samples without a time of a trip",
}
"""Rows of loops.json, or parts of them, that no loop here is for, and why."""
