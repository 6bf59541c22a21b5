"""Random kernels of MLIR on the emulator, next to the interpreter that runs them thread by thread."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.mlir.judge import ALL, holds
from tests.mlir.random_programs import random_program
from tests.property.shrinking import check_shrinking

_SMALL, _SIZES = (3, 5, 7, 9), (6, 10, 16, 24)


def _check(seed: int, sizes: Sequence[int]) -> None:
    """A failure has the seed and the text of the smallest program that fails."""
    target = ALL[seed % len(ALL)]

    def check(size: int) -> None:
        program = random_program(seed, size)
        try:
            _ = holds(program.text, program.grid, program.block, program.arguments, (target,))
        except Exception as failure:
            failure.add_note(f"seed {seed}, size {size}, {target}:\n{program.text}")
            raise

    check_shrinking(check, sizes[seed // len(ALL) % len(sizes)])


@pytest.mark.broad
@pytest.mark.parametrize("start", range(0, 40, 20))
def test_random_programs(start: int) -> None:
    """Three of each pair of a target and a size."""
    for seed in range(start, start + 20):
        _check(seed, _SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(40, 300, 20))
def test_more_random_programs(start: int) -> None:
    for seed in range(start, start + 20):
        _check(seed, _SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 3000, 50))
def test_many_random_programs(start: int) -> None:
    for seed in range(start, start + 50):
        _check(seed, _SIZES)
