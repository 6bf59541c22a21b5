"""`python -m tools.random_latencies [TARGET...] [--draws N] [--schedule TEXT]`: the loops that
`tools.loop_shares` measures, on the emulator, in orders for latencies drawn at random.

A draw gives each kind of instruction another latency, from a clock to 800. The scheduler and the overlap of
trips order the loop for these latencies, and the sanitizer watches the emulator run it: results must be right
whatever an order expects. The factors are small integers, so that every sum is exact. The products have the
schedule of 4,096 cubed, two tiles of rows and of columns, and 2,048 products for each result. With
--schedule, they have this schedule in place of the compiler's.

Exits 1 if a result is wrong, or if the sanitizer has a finding.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

import numpy as np

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.compiled import CompiledProgram
from asmgen.gridwise.tiles import tiles
from asmgen.passes.schedule.timing import Rates
from isa.diagnostics import InputError
from isa.emulator import run
from isa.instruction import Row
from isa.targets import TARGETS
from tools.loop_shares import SIDE, schedules_of
from tools.reasons import exit_status
from tools.scoreboard.products.shapes import Product

LATENCIES = (1, 10, 40, 200, 800)  # clocks; a draw also leaves every sixth latency as it is
DRAWS, LENGTH = 4, 2048


class Loop(NamedTuple):
    """A product for the emulator, and its schedule."""

    target: str
    product: Product
    schedules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.target} {self.product}"


@contextmanager
def random_latencies(seed: int) -> Generator[None]:
    """Programs compiled meanwhile are ordered for latencies drawn at random."""
    own = Rates.of

    def drawn(self: Rates, row: Row) -> tuple[int, int]:
        hold, latency = own(self, row)
        return hold, max(hold, Random(f"{seed} {row.mnemonic}").choice((*LATENCIES, latency)))

    Rates.of = drawn
    try:
        yield
    finally:
        Rates.of = own


def loop_of(target: str, rows: bool, schedules: tuple[str, ...]) -> Loop:
    """The loop of a product of SIDE cubed; `rows` says whether the second factor is {n,k}."""
    square = Product("square", SIDE, SIDE, SIDE, "f16", rows)
    program = asmgen.compile(square.text, target=target, schedules=schedules)
    file = program.compilation.stages.gridwise
    assert file is not None, "a product is a tensor program"
    (choice,) = tiles(file).values()
    assert isinstance(choice, Contract), "the launch has matrix instructions"
    return Loop(
        target, Product("loop", 2 * choice.m, 2 * choice.n, LENGTH, "f16", rows), schedules_of(program)
    )


def faults(loop: Loop, draws: int) -> tuple[int, list[str]]:
    """The number of different orders, and the faults of their runs."""
    programs: dict[str, CompiledProgram] = {}
    for seed in range(draws):
        with random_latencies(seed):
            program = asmgen.compile(loop.product.text, target=loop.target, schedules=loop.schedules)
        programs.setdefault(program.kernels[0].assembly, program)
    found = [_fault(loop.product, program) for program in programs.values()]
    return len(programs), [f"{loop}: {fault}" for fault in found if fault]


def _fault(product: Product, program: CompiledProgram) -> str:
    """How the emulator's run is wrong; empty if it is right and the sanitizer silent."""
    (kernel,) = program.kernels
    draw = np.random.default_rng(1)
    left = draw.integers(-2, 3, (product.m, product.k)).astype(np.float16)
    right = draw.integers(-2, 3, (product.k, product.n)).astype(np.float16)
    second = np.ascontiguousarray(right.T) if product.rows else right
    buffers = [left.reshape(-1), second.reshape(-1), np.zeros(product.m * product.n, np.float16)]
    try:
        *_, result = run(
            kernel.assembly, kernel.name, kernel.workgroups, kernel.block, buffers, sanitize=True
        )
    except InputError as error:
        return str(error)
    exact = left.astype(np.float64) @ right.astype(np.float64)
    wrong = np.count_nonzero(np.asarray(result) != exact.astype(np.float16).reshape(-1))
    return f"{wrong} of {exact.size} results are wrong" if wrong else ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.random_latencies", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--draws", type=int, default=DRAWS, help=f"orders of a loop, {DRAWS} by default")
    _ = parser.add_argument("--schedule", action="append", default=[], help="as of `kernel --schedule`")
    given = parser.parse_args(arguments)
    targets: list[str] = given.targets
    failures: list[str] = []
    for target in targets or TARGETS:
        for rows in (True, False):
            loop = loop_of(target, rows, tuple(given.schedule))
            orders, wrong = faults(loop, given.draws)
            failures += wrong
            print(f"{loop}: {orders} orders, {len(wrong)} faults", flush=True)
    return exit_status("random_latencies", failures)


if __name__ == "__main__":
    sys.exit(main())
