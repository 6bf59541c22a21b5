"""Random loops with stages: the pipelined program has the results of the loop as it is written, in the
interpreter and on the emulator with the sanitizer. A loop that is refused is not counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.pipelining import pipelined
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from isa.diagnostics import InputError
from tests.property.shrinking import check_shrinking
from tests.property.staged_loops import LANES, Loop, staged_loop

Array = NDArray[Any]
LARGEST = 14  # statements of a loop


def read(loop: Loop) -> TileProgram | None:
    """The program as it is written; None if a rule for stages is broken."""
    try:
        return read_program(loop.text, "loop.gen")
    except InputError as refused:
        assert refused.code == "BLK003", refused
        return None


def memory(loop: Loop, seed: int) -> dict[str, Array]:
    """The buffers, two-dimensional."""
    draw = np.random.default_rng(seed)
    found = {name: draw.integers(-99, 99, (loop.rows, loop.columns)).astype("i4") for name in ("x", "y", "z")}
    if loop.sizes:
        found["open"] = draw.integers(-99, 99, (loop.sizes["n"], loop.columns)).astype("i4")
    return found


def interpreted(kernel: Kernel, loop: Loop, seed: int, tiles: Tiles) -> Array:
    buffers = {name: array.reshape(-1) for name, array in memory(loop, seed).items()}
    interpret(kernel, buffers, tiles, loop.sizes)
    return buffers["z"].reshape(loop.rows, loop.columns)


def is_pipelined(seed: int, size: int, tiles: Tiles = Tiles.WHOLE) -> bool:
    """Whether the loop of the seed is pipelined, and then to a program that does the same and reads back."""
    loop = staged_loop(seed, size)
    before = read(loop)
    if before is None:
        return False
    after = pipelined(before)
    printed = print_program(after)
    assert "stage()" not in printed, loop.text
    assert print_program(read_program(printed, "written.gen")) == printed, loop.text
    results = [interpreted(program.kernels[0], loop, seed, tiles) for program in (before, after)]
    np.testing.assert_array_equal(results[1], results[0], f"seed {seed}, size {size}:\n{loop.text}\n{printed}")
    return True


def run_all(seeds: range) -> int:
    """The number of loops that are pipelined. A loop that fails is shown at the smallest size that fails."""
    outcomes: dict[int, bool] = {}
    for seed in seeds:
        tiles = Tiles.HOLDERS if seed % 8 == 0 else Tiles.WHOLE

        def check(size: int, seed: int = seed, tiles: Tiles = tiles) -> None:
            outcomes[seed] = is_pipelined(seed, size, tiles)

        check_shrinking(check, 1 + seed % LARGEST)
    return sum(outcomes.values())


def test_pipelined_loops_do_what_they_did() -> None:
    assert run_all(range(32)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_pipelined_loops_do_what_they_did(part: int) -> None:
    assert run_all(range(1000 + 500 * part, 1500 + 500 * part)) > 200


def run_on_emulator(seed: int, size: int, target: str) -> bool:
    """Whether the loop is pipelined; its code does the same then, and the sanitizer finds nothing."""
    loop = staged_loop(seed, size, target)
    before = read(loop)
    if before is None:
        return False
    wanted = interpreted(before.kernels[0], loop, seed, Tiles.WHOLE)
    (kernel,) = asmgen.compile(loop.text, target=target).kernels
    buffers = memory(loop, seed)
    arrays = [buffers[argument.name].reshape(-1) for argument in kernel.arguments if argument.name in buffers]
    sizes = [np.uint32(size) for size in loop.sizes.values()]
    names = [argument.name for argument in kernel.arguments if argument.name in buffers]
    after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=(1, 1, 1), block=kernel.block, args=[*arrays, *sizes], device="emulator")
    found = np.asarray(after[names.index("z")]).reshape(wanted.shape)
    np.testing.assert_array_equal(found, wanted, f"seed {seed}, size {size}:\n{loop.text}")
    return True


@pytest.mark.parametrize("target", LANES)
def test_pipelined_loops_on_the_emulator(target: str) -> None:
    assert sum(run_on_emulator(seed, 8, target) for seed in range(8)) > 2


@pytest.mark.slow
@pytest.mark.parametrize("target", LANES)
def test_many_pipelined_loops_on_the_emulator(target: str) -> None:
    assert sum(run_on_emulator(seed, 1 + seed % LARGEST, target) for seed in range(100, 200)) > 30
