"""The figures of the clock model beside those of real machines: the arithmetic of the figures, and the loops."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from isa.lds_banks import CDNA3_LDS, CDNA4_LDS
from tools.validate_timing.__main__ import main
from tools.validate_timing.gaps import Gap, Warmth, agreement, rank_correlation, spread
from tools.validate_timing.loops import compare
from tools.validate_timing.loops.gemm import (
    FIRST_VERSION,
    GFX942_4_WAVES,
    GFX942_8_WAVES,
    GFX950_4_WAVES,
    GFX950_8_WAVES,
    PING_PONG,
    PING_PONG_950,
    TUNED,
    V9,
    Gemm,
)  # fmt: skip
from tools.validate_timing.loops.published import FIGURES, Figure
from tools.validate_timing.loops.writing import Loop, Skeleton, lines, write
from tools.validate_timing.repeats import figures_of, repeats_of


def gap(measured: int, modelled: int) -> Gap:
    return Gap(0, Warmth.WARM, 0, 1, measured, modelled, 1)


def test_figures_are_of_stalls() -> None:
    found = agreement([gap(1, 1)] * 90 + [gap(10, 9)] * 5 + [gap(10, 15)] * 4)
    assert (found.gaps, found.stalls) == (99, 9)
    assert found.median == pytest.approx(0.1)
    assert found.time_weighted == pytest.approx((5 * 1 + 4 * 5) / (90 + 90))


def test_whole_waves() -> None:
    assert spread([(100, 110), (100, 100 / 1.1), (50, 80)]) == pytest.approx(0.1)
    assert rank_correlation([(1, 10), (2, 20), (3, 30)]) == pytest.approx(1)
    assert rank_correlation([(1, 30), (2, 20), (3, 10)]) == pytest.approx(-1)
    assert rank_correlation([(1, 5), (2, 5), (3, 9), (4, 9)]) == pytest.approx(0.894, abs=1e-3)


def test_repetitions_predict_each_other() -> None:
    """The gaps of a pair are 2, 2 and 8, so the medians of the others are 5, 5 and 2. The wait and the second
    pair, which is there once, have no error."""
    gaps = [Gap(wave, Warmth.WARM, 0, 1, clocks, 99, 1) for wave, clocks in enumerate((2, 2, 8))]
    gaps += [Gap(0, Warmth.WAIT, 1, 2, 50, 99, 1), Gap(0, Warmth.WARM, 2, 3, 6, 99, 1)]
    warm, waves = figures_of([repeats_of(gaps)])
    assert (warm.gaps, warm.stalls, warm.median) == (4, 4, pytest.approx((0.75 + 1.5) / 2))
    assert warm.time_weighted == pytest.approx((3 + 3 + 6) / 18)
    assert waves == pytest.approx(spread([(8, 5), (2, 8), (8, 5)]))


PUBLISHED = {  # matrix instructions, reads, writes and loads of a trip
    "first version": (GFX942_4_WAVES, FIRST_VERSION, (256, 32, 16, 16)),
    "tuned": (GFX942_4_WAVES, TUNED, (256, 32, 16, 16)),
    "eight waves": (GFX942_8_WAVES, PING_PONG, (128, 24, 8, 8)),
    "gfx950, two steps": (GFX950_4_WAVES, V9, (256, 64, 0, 32)),
    "gfx950, eight waves, two steps": (GFX950_8_WAVES, PING_PONG_950, (128, 48, 0, 16)),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_loops_have_the_published_instructions(name: str) -> None:
    kernel, skeleton, counts = PUBLISHED[name]
    names = Counter(line.text.split()[0] for line in kernel.loop(skeleton).body)
    found = (kernel.matrix.split()[0], "ds_read_b128", "ds_write_b128", "buffer_load_dwordx4")
    assert tuple(names[name] for name in found) == counts


def lds_clocks(kernel: Gemm, stores: bool) -> set[int]:
    """The clocks of the LDS accesses of a kernel by the phases and banks of its target."""
    banks = CDNA3_LDS if kernel.target == "gfx942" else CDNA4_LDS
    served = next(access for access in banks if access.bytes == 16 and access.stores == stores)
    body = kernel.loop(Skeleton("W16" if stores else "R32")).body
    places = [line.where(wave, 0).addresses[0].tolist() for line in body for wave in range(4) if line.where]
    return {served.cycles(addresses) for addresses in places}


@pytest.mark.parametrize(
    ("kernel", "stores", "clocks"),
    [
        (GFX942_4_WAVES, False, 8), (GFX942_4_WAVES, True, 8), (GFX950_4_WAVES, False, 4),
        (GFX942_4_WAVES._replace(rows_a_phase=2), False, 16),
        (GFX942_4_WAVES._replace(rows_a_phase=2), True, 8),
    ],
)  # fmt: skip
def test_layouts_of_lds_conflict_as_published(kernel: Gemm, stores: bool, clocks: int) -> None:
    # 13.33 clocks of the wrong phase are (32 * 16 + 16 * 8) / 48
    assert lds_clocks(kernel, stores) == {clocks}


def test_shifted_waves_pass_the_same_number_of_barriers() -> None:
    loop = Loop("gfx942", lines("v_mov_b32 v0, v1", "s_barrier"), waves=8, shifted=4, trips=3)
    trace = write(loop).trace
    names: list[list[str]] = [[trace.instructions[step].row.name for step in wave.steps.tolist()] for wave in trace.waves]
    assert {of_wave.count("s_barrier") for of_wave in names} == {4}
    assert (names[0][1], names[4][1]) == ("s_barrier", "v_mov_b32")


def test_the_tool_reads_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = [[0, 0, 0], [1, 4, 0], [500, 8, 0]]
    wave = {"slot": 0, "simd": 0, "cu": 0, "start": 0, "end": 2000, "ev": events}
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "nops.json").write_text(
        json.dumps({
            "target": "gfx1100", "wave_size": 32, "launch": {"block": [32, 1, 1]}, "kinds": ["IMM"],
            "code": [[0, "s_nop 0"], [4, "s_nop 0"], [8, "s_nop 0"]], "runs": [{"waves": [wave]}],
        })
    )  # fmt: skip
    (tmp_path / "traces" / "wrong.json").write_text("[]")
    out = tmp_path / "predictions.json"
    assert main(["--data", str(tmp_path), "--predictions", str(out), "--part", "traces"]) == 0
    told = capsys.readouterr().out
    assert "not read: " in told
    assert "wrong.json" in told
    assert "RDNA: warm stalls, median of the relative error: 0.000" in told
    assert len(json.loads(out.read_text())["traces"]["nops.json"]["0"]) == 3


def test_the_tool_says_what_is_missed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    figure = Figure("a row", "clocks", 100.0, lambda: 120.0)
    monkeypatch.setattr(compare, "FIGURES", (figure,))
    assert main(["--data", "nowhere", "--part", "loops"]) == 1
    told = capsys.readouterr().out
    assert "+20.0 %" in told
    assert "a row, clocks: relative error: 0.200, wanted at most 0.1   MISSED" in told
    assert "1 of 2 figures are missed" in told


# the loops of which the time depends on the rules of CDNA most
CHEAP = (
    "T gfx942 gemm intra_wave, 4 waves", "T gfx942 gemm intra_wave, LDS writes removed",
    "T gfx942 gemm intra_wave, first version", "T gfx942 gemm inter_wave, 8 waves",
    "T gfx942 ds_read_b128 swizzle good / bad", "T gfx942 ablation: MFMA + reads + writes",
    "T gfx950 attention fav4", "T gfx950 TCP bound 128x64", "T LLIR scheduler intervals",
)  # fmt: skip


@pytest.mark.parametrize("row", CHEAP)
def test_published_loops_take_their_time(row: str) -> None:
    for figure in FIGURES:
        if figure.row == row:
            assert figure.modelled() == pytest.approx(figure.measured, rel=0.10), figure.what


def test_the_ablation_keeps_its_order() -> None:
    results = [compare.LoopResult(figure, figure.modelled()) for figure in FIGURES if "ablation" in figure.row]
    assert list(compare.loop_goals(results))[-1].is_reached
    assert len(results) == 5
