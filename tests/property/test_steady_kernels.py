"""Launches of real kernels have the clocks, causes and culprits of a replay that looks at each step."""

from __future__ import annotations

import pytest

from asmgen.profile.build import Profiled, profile_launch
from asmgen.profile.launches import Launch
from isa.targets import TARGETS
from isa.timing.steady import Steady
from tests.property.test_timing import assert_charged, assert_same
from tools.bench_timing import of_catalogue, of_clang

ROWS = (
    ("cumsum", {"cols": "65536"}),
    ("cumsum", {"cols": "32768"}),
    ("gemm", {"m": "2048", "n": "2048", "k": "2048", "dtype": "f16"}),
    ("gemm", {"m": "512", "n": "2048", "k": "2048", "dtype": "bf16"}),
    ("int4_linear", {"m": "64", "n": "256"}),
    ("softmax", {"cols": "65536"}),
)
CASES = [
    pytest.param(name, sizes, target, marks=() if (row, target) == (0, "gfx1100") else pytest.mark.slow)
    for row, (name, sizes) in enumerate(ROWS)
    for target in TARGETS
]


def assert_exact(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare both replays. Returns how many clocks the fast replay skipped."""
    skip, skipped = Steady.skip, list[int]()

    def counted(steady: Steady, clock: int) -> int:
        skipped.append(skip(steady, clock))
        return skipped[-1]

    def nothing(_steady: Steady, _clock: int) -> int:
        return 0

    profiles: list[Profiled] = []
    for how in (counted, nothing):
        with monkeypatch.context() as patched:
            patched.setattr(Steady, "skip", how)
            profiles.append(profile_launch(launch))
    fast, full = profiles
    assert_charged(fast.timeline)
    assert_same(fast.timeline, full.timeline)
    assert fast.profile == full.profile
    return sum(skipped)


@pytest.mark.parametrize(("name", "sizes", "target"), CASES)
def test_kernels_of_the_catalogue(name: str, sizes: dict[str, str], target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    skipped = [assert_exact(launch, monkeypatch) for launch in of_catalogue(name, target, **sizes)]
    assert any(skipped) or name not in ("cumsum", "gemm"), skipped


@pytest.mark.slow
@pytest.mark.parametrize(("source", "target"), [("softmax", "gfx942"), ("layernorm", "gfx942"), ("row_sum_wave", "gfx1100")])
def test_kernels_of_clang(source: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for launch in of_clang(source, target):
        assert_exact(launch, monkeypatch)
