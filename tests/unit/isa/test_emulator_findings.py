"""A run that goes on after a fault reports each fault once, and has the results of the other lanes and
waves."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.sanitizer.faults import SanitizerError
from isa.emulator.sanitizer.sanitizer import Sanitizer
from tests.unit.isa.programs import BEGIN, END, Array, image_of

X = np.arange(64, dtype=np.uint32)


class Stop(Exception):
    pass


def findings(
    text: str, *, waves: int = 1, grid: int = 1, most: int = 100, groups: tuple[int, ...] | None = None
) -> tuple[list[SanitizerError], Array]:
    image = image_of(text, lds_bytes=1024)
    found: list[SanitizerError] = []

    def report(error: SanitizerError) -> None:
        found.append(error)
        if len(found) == most:
            raise Stop

    checker = Sanitizer(image, True, report=report)
    x = np.resize(X, 64 * waves)
    out = np.zeros_like(x)
    try:
        settings = Settings(chunk_waves=waves, groups=groups)
        out = run_image(image, KernelCall((grid, 1, 1), (64 * waves, 1, 1), (x, out), frozenset({1})), checker=checker, settings=settings)[1]
    except Stop:
        pass
    return found, out


def codes(found: list[SanitizerError]) -> list[tuple[str, int]]:
    return [(error.code, getattr(error.place, "line", 0)) for error in found]


LOADS = BEGIN.replace("s_waitcnt vmcnt(0)\n", "")
STRAY = "v_mov_b32_e32 v2, v1\nv_lshlrev_b32_e32 v3, 12, v0\nglobal_load_dword v4, v3, s[4:5]\ns_waitcnt vmcnt(0)\n"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        # a missing wait counts as there from then on, so later uses of the register are no findings
        (LOADS + "v_add_u32_e32 v2, 1, v1\nv_add_u32_e32 v3, 2, v1\n", [("SAN001", 6)]),
        (LOADS + "v_add_u32_e32 v2, 1, v1\nglobal_store_dword v10, v9, s[6:7]\n", [("SAN001", 6), ("SAN004", 7)]),
        (BEGIN + STRAY + "v_add_u32_e32 v2, v1, v9\n", [("SAN005", 9), ("SAN004", 11)]),
        (BEGIN + "v_cmp_eq_u32_e32 vcc, v1, v1\nv_readlane_b32 s9, v1, 0\nv_mov_b32_e32 v2, v1\nv_readlane_b32 s8, v2, s9\n", [("SAN002", 10)]),
    ],
)
def test_two_findings_of_one_run_are_both_told(body: str, wanted: list[tuple[str, int]]) -> None:
    found, _ = findings(body + END)
    assert codes(found) == wanted


def test_a_run_stops_at_the_wanted_number_of_findings() -> None:
    text = LOADS + "v_add_u32_e32 v2, 1, v1\nglobal_store_dword v10, v9, s[6:7]\n" + END
    assert len(findings(text, most=1)[0]) == 1


def test_lanes_within_bounds_load_what_they_would_alone() -> None:
    """Lane 0 is within x; the other lanes keep their registers."""
    body = "v_mov_b32_e32 v4, 7\n" + STRAY.replace("v_mov_b32_e32 v2, v1\n", "") + "v_add_u32_e32 v2, v1, v4\n"
    found, out = findings(BEGIN + body + END)
    assert codes(found) == [("SAN005", 9)]
    assert (out == np.where(X == 0, 0, X + 7)).all()


def test_lanes_within_bounds_store() -> None:
    """Of stores by twice the offset, the first half is within out."""
    body = "v_lshlrev_b32_e32 v3, 1, v10\nglobal_store_dword v3, v1, s[6:7]\nv_mov_b32_e32 v2, v1\n"
    found, out = findings(BEGIN + body + END.replace("global_store_dword v10, v2, s[6:7]\n", ""))
    assert codes(found) == [("SAN005", 8)]
    assert (out[::2] == X[:32]).all()


def test_a_scalar_load_out_of_bounds_leaves_the_registers() -> None:
    body = "s_mov_b32 s8, 5\ns_load_dword s8, s[4:5], 0x10000\ns_waitcnt lgkmcnt(0)\nv_add_u32_e32 v2, s8, v1\n"
    found, out = findings(BEGIN + body + END, waves=2)
    assert codes(found) == [("SAN005", 8)]
    assert (out == np.resize(X, 128) + 5).all()


def test_lds_out_of_bounds() -> None:
    body = "v_lshlrev_b32_e32 v3, 5, v0\nds_write_b32 v3, v1\nv_mov_b32_e32 v2, v1\n"
    found, out = findings(BEGIN + body + END)
    assert codes(found) == [("SAN005", 8)] and (out == X).all()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ((0x7FC00000, 0xFFC00000), []),  # NaNs of f32
        ((0x7E003C00, 0xFE003C00), []),  # f16: a NaN and 1
        ((0x7E003C00, 0xFE003C01), [("SAN003", 12)]),
        ((0x7F800000, 0xFF800000), [("SAN003", 12)]),  # infinities
    ],
)
@pytest.mark.parametrize("chunk", [1, 2])
def test_workgroups_may_store_nans_of_two_signs(
    words: tuple[int, int],
    wanted: list[tuple[str, int]],
    chunk: int,
) -> None:
    """The emulator computes with numpy, which gives NaNs at other positions of an array other signs."""
    one, other = words
    body = (
        f"v_mov_b32_e32 v2, {one:#x}\nv_mov_b32_e32 v3, {other:#x}\ns_cmp_eq_u32 s2, 0\ns_cselect_b64 vcc, -1, 0\n"
        "v_cndmask_b32_e32 v2, v2, v3, vcc\nglobal_store_dword v10, v2, s[6:7]\n"
    )
    image = image_of(BEGIN + body + "s_endpgm\n", lds_bytes=0)
    found: list[SanitizerError] = []
    call = KernelCall((2, 1, 1), (64, 1, 1), (X, np.zeros_like(X)), frozenset({1}))
    _ = run_image(image, call, checker=Sanitizer(image, True, report=found.append), settings=Settings(chunk_waves=chunk))
    assert sorted(set(codes(found))) == wanted


def test_races_are_told_once_for_each_pair_of_instructions() -> None:
    body = "ds_write_b32 v10, v1\nv_xor_b32_e32 v3, 0x100, v10\nds_read_b32 v2, v3\nds_read_b32 v4, v3 offset:0\ns_waitcnt lgkmcnt(0)\n"
    found, _ = findings(BEGIN + body + END, waves=2)
    assert codes(found) == [("SAN003", 9), ("SAN003", 10)]


def test_a_finding_names_the_wave_by_its_number_in_the_launch() -> None:
    found, _ = findings(LOADS + "v_add_u32_e32 v2, 1, v1\n" + END, grid=4, groups=(3,))
    assert [error.wave for error in found] == [3]
