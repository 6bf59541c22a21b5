"""Random tile programs on small numbers: the emulator, with the sanitizer, has the results of the interpreter
of tiles, bit by bit."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.text.reader import read_program
from asmgen.index.size import number
from asmgen.ir.arrays import numpy_dtype
from isa.diagnostics import InputError
from isa.emulator import run
from tests.property.small_tiles import small_tiles
from tests.property.test_tile_lowering import parameters


def hold(seed: int) -> str:
    """Run the program of a seed; the code of the error if it is refused."""
    text, target = small_tiles(seed)
    try:
        (compiled,) = asmgen.compile(text, target=target).kernels
    except InputError as refused:
        return refused.code
    (kernel,), draw = read_program(text, "small.gen").kernels, np.random.default_rng(seed)
    memory: dict[str, NDArray[Any]] = {}
    for name, type_ in parameters(kernel).items():
        dtype = numpy_dtype(type_.element)
        is_whole = dtype.kind in "iu" and seed % 3 == 0
        low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if is_whole else (0 if dtype.kind == "u" else -8, 8)
        memory[name] = draw.integers(low, high, number(type_.span), endpoint=True).astype(dtype)
    buffers = [array.copy() for array in memory.values()]
    with np.errstate(all="ignore"):
        interpret(kernel, memory, Tiles.WHOLE)
    found = run(compiled.assembly, compiled.name, compiled.workgroups, compiled.block, buffers, sanitize=True)
    for (name, wanted), got in zip(memory.items(), found, strict=True):
        np.testing.assert_array_equal(np.asarray(got).astype("f8"), wanted.astype("f8"), f"seed {seed}, {name}\n{text}")
    return "ran"


def test_small_numbers() -> None:
    counts = Counter(map(hold, range(12)))
    assert counts["ran"] >= 10, counts


def test_exchanges_between_lanes_are_no_loads_of_lds() -> None:
    """A wait before a barrier leaves exchanges under way, and the loads of LDS before them are done."""
    assert hold(1308) == "ran"


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1400, 50))
def test_more_small_numbers(start: int) -> None:
    counts = Counter(map(hold, range(start, start + 50)))
    assert counts["ran"] >= 40 and set(counts) <= {"ran", "BLK011"}, counts
