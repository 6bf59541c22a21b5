"""The clocks that a decoder's layers leave to memory."""

from __future__ import annotations

import pytest

from tools.decoder_shares import moved_bytes, moving_clocks, waiting_clocks
from tools.scoreboard.products.shapes import Product


def test_bytes_of_the_factor_the_weights_and_the_results() -> None:
    product = Product("k, v decode 8", 8, 1024, 4096, rows=True)
    assert moved_bytes(product, (1024,)) == 2 * (8 * 4096 + 4096 * 1024 + 8 * 1024)
    assert moved_bytes(product, (4096, 1024)) == 2 * (8 * 4096 + 4096 * 5120 + 8 * 5120)


@pytest.mark.parametrize(
    ("target", "moved", "moving", "waiting"),
    [
        ("gfx942", 8_470_528, 8_470_528 / (304 * 8.28), 24 + 300 + 567),  # from the Infinity Cache
        ("gfx950", 8_470_528, 8_470_528 / (256 * 13), 24 + 300 + 648),
        ("gfx950", 1_050_000_000, 1_050_000_000 / (256 * 9.44), 24 + 300 + 790),  # it has 256 MB
    ],
)
def test_a_launch_waits_for_its_code_and_for_its_last_load(target: str, moved: int, moving: float, waiting: int) -> None:
    assert moving_clocks(moved, target) == pytest.approx(moving)
    assert waiting_clocks(moved, target) == waiting
