"""The figures of the clock model beside those of real machines: the arithmetic of the figures, and the loops."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from isa.lds_banks import CDNA3_LDS, CDNA4_LDS
from tools.validate_timing.__main__ import main
from tools.validate_timing.gaps import Gap, Warmth, agreement, rank_correlation, spread
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
from tools.validate_timing.loops.writing import Loop, Skeleton, lines, write


def gap(measured: int, modelled: int) -> Gap:
    return Gap(Warmth.WARM, 0, 1, measured, modelled, 1)


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
    names = [[trace.instructions[step].row.name for step in wave.steps.tolist()] for wave in trace.waves]
    assert {of_wave.count("s_barrier") for of_wave in names} == {4}
    assert (names[0][1], names[4][1]) == ("s_barrier", "v_mov_b32")


def test_the_tool_says_what_is_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert main(["--data", str(tmp_path), "--predictions", str(out)]) == 1
    told = capsys.readouterr().out
    assert "not read: " in told
    assert "wrong.json" in told
    assert "figures are missed: " in told
    assert "whole waves, median error" in told.splitlines()[-1]
    assert len(json.loads(out.read_text())["traces"]["nops.json"]["0"]) == 3
