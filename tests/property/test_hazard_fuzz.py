"""LLVM judges our waits and wait states in random programs over all rows of every target: never weaker, seldom stronger.

`python -m tools.fuzz` does the same by hand, and makes what fails small. The differences that are right are listed with
their reasons in `tools.fuzz.corners`.
"""

from __future__ import annotations

import pytest

from isa.program import Kernel
from isa.targets import TARGETS, parse_target
from tests.fuzzers import fuzzer_of, fuzzer_with, grouped, whole_fuzzer_of
from tools.fuzz.corners import CORNERS
from tools.fuzz.running import Figures, Fuzzer
from tools.judge import WEAKER

pytestmark = pytest.mark.needs_llvm("llvm-mc-22", "llc-22")

# Programs a target. Waves of 64 lanes have half as many: their rules are those of 32 but for lane masks.
COUNT = 32
MORE, SEEDS = 10000, range(100, 110)
STRONGER_AT_MOST = 0.005  # of all places
IDS = tuple(TARGETS)
WITHOUT_XNACK = tuple(f"{name}:xnack-" for name, target in TARGETS.items() if "xnack" in target.features)
WAVE64 = ("gfx1100:wave64", "gfx1201:wave64")


def hold(fuzzer: Fuzzer, count: int) -> Figures:
    """Judge `count` programs; a failure names the command that makes it small."""
    target, seed = str(fuzzer.target), fuzzer.seed
    figures = fuzzer.run(count)
    weaker = [failure.number for failure in figures.failures if WEAKER in failure.kinds]
    assert not weaker, f"python -m tools.fuzz --target {target} --seed {seed} --count {max(weaker) + 1} --kind weaker, programs {weaker[:20]}"
    assert figures.stronger_share < STRONGER_AT_MOST, f"{figures.stronger} of {figures.places} places of {target}, seed {seed}"
    assert figures.programs == count
    return figures


@pytest.mark.parametrize("target", grouped((*IDS, *WAVE64)))
def test_random_programs_are_never_weaker(target: str) -> None:
    count = COUNT // 2 if target in WAVE64 else COUNT
    figures = hold(fuzzer_of(target), count)
    assert not figures.refused
    assert figures.places > count * 10


@pytest.mark.slow
@pytest.mark.parametrize("target", WITHOUT_XNACK)
def test_other_ids_of_the_targets(target: str) -> None:
    hold(Fuzzer(parse_target(target), 2), MORE // 50)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("target", IDS)
def test_more_random_programs(target: str, seed: int) -> None:
    hold(Fuzzer(parse_target(target), seed), MORE)


@pytest.mark.parametrize("target", grouped(IDS))
def test_nearly_every_row_is_asked_about(target: str) -> None:
    hold_rows(fuzzer_of(target))


@pytest.mark.slow
@pytest.mark.parametrize("target", grouped(IDS))
def test_of_all_rows_too(target: str) -> None:
    fuzzer = whole_fuzzer_of(target)
    hold_rows(fuzzer)
    assert hold(fuzzer, 10 * COUNT).places > 100 * COUNT


def hold_rows(fuzzer: Fuzzer) -> None:
    """LLVM takes nearly all that is drawn."""
    assert not fuzzer.pool.undrawable
    assert len(fuzzer.refused) < len(fuzzer.pool.instructions()) // 50, fuzzer.refused


def test_corners_have_reasons_and_names_of_their_own() -> None:
    assert len({corner.name for corner in CORNERS}) == len(CORNERS)
    assert all(corner.reason for corner in CORNERS)


@pytest.mark.parametrize("target", grouped(["gfx942", "gfx1201"]))
def test_without_our_passes_nearly_everything_is_weaker(target: str) -> None:
    """The judge is no rubber stamp."""

    def nothing(kernel: Kernel) -> Kernel:
        return kernel

    figures = fuzzer_with(target, nothing).run(40)
    assert figures.weaker > 40


@pytest.mark.xdist_group("gfx942")
def test_a_failure_is_made_small() -> None:
    def nothing(kernel: Kernel) -> Kernel:
        return kernel

    fuzzer = fuzzer_with("gfx942", nothing)
    failure = next(failure for failure in fuzzer.run(50).failures if WEAKER in failure.kinds)
    small = fuzzer.shrink(failure.program, WEAKER)
    assert sum(len(piece.instructions) for piece in small) <= 3
