"""The clocks that a decoder's layers leave to memory."""

from __future__ import annotations

import pytest

from isa.targets import TARGETS
from tools.decoder_shares import moved_bytes, moving_clocks
from tools.read_bound import loads_of_unit, reading_clocks
from tools.scoreboard.products.shapes import Product


def test_bytes_of_the_factor_the_weights_and_the_results() -> None:
    product = Product("k, v decode 8", 8, 1024, 4096, rows=True)
    assert moved_bytes(product, (1024,)) == 2 * (8 * 4096 + 4096 * 1024 + 8 * 1024)
    assert moved_bytes(product, (4096, 1024)) == 2 * (8 * 4096 + 4096 * 5120 + 8 * 5120)


@pytest.mark.parametrize(
    ("target", "moved", "moving"),
    [
        ("gfx942", 8_470_528, 8_470_528 / (304 * 8.28)),  # from the Infinity Cache
        ("gfx950", 8_470_528, 8_470_528 / (256 * 13)),
        ("gfx950", 1_050_000_000, 1_050_000_000 / (256 * 9.44)),  # it has 256 MB
    ],
)
def test_bytes_move_at_the_rate_of_memory_or_of_the_last_cache(target: str, moved: int, moving: float) -> None:
    assert moving_clocks(moved, target) == pytest.approx(moving)


@pytest.mark.parametrize(("target", "moved", "latency"), [("gfx942", 8_470_528, 798), ("gfx950", 33_620_000, 790)])
def test_a_launch_that_only_reads_waits_for_its_code_and_for_its_last_load(target: str, moved: int, latency: int) -> None:
    least = 24 + 300 + moving_clocks(moved, target) + latency
    assert least < reading_clocks(moved, TARGETS[target]) < least + 200  # the way of a load, and the last KB


@pytest.mark.parametrize("moved", [8_396_800, 8_396_801, 9_043_968, 304 * 64])
def test_units_read_all_bytes_and_hardly_more(moved: int) -> None:
    target = TARGETS["gfx942"]
    loads = loads_of_unit(moved, target)
    read = target.units * 64 * (16 * loads.wide + 4 * loads.narrow)
    assert 0 <= read - moved < target.units * 64 * 4
    assert loads.narrow <= 4
