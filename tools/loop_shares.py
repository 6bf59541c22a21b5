"""`python -m tools.loop_shares [TARGET...] [--schedule TEXT]`: the part of their time in which loops of large
products keep the matrix pipe busy, by the clock model; with --schedule by this schedule in place of the best.

A row is a product of f16 of 4,096 rows and columns. The share is of the clocks by which the launch is longer
with 8,192 products for each result than with 4,096, so it is that of the loop without its beginning and end.
*Next* is the busiest part of the machine after the matrix pipe. docs/timing.md has the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from msgspec import Struct

import asmgen
from asmgen.blockwise.schedules.choices import choice_text
from asmgen.compiled import CompiledProgram
from asmgen.gridwise.tiles import tiles
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.targets import TARGETS
from tools.scoreboard.products.shapes import Product

SIDE, _LENGTHS = 4096, (4096, 8192)
_MATRIX = "matrix cores"


class Share(Struct, frozen=True):
    """The clocks of a launch with fewer products for each result, the share of its loop, and the next busiest
    part of the machine with its share."""

    target: str
    product: str
    clocks: float
    matrix: float
    next: str
    of_next: float

    def __str__(self) -> str:
        shares = f"{self.matrix:>8.1%}  {self.next} {self.of_next:.1%}"
        return f"{self.target:<9}{self.product:<38}{self.clocks:>12,.0f}{shares}"


def share_of(target: str, rows: bool, schedules: tuple[str, ...] = ()) -> Share:
    """The share of a product; `rows` says whether the second factor is {n,k}. Without `schedules`, the
    compiler chooses."""
    clocks: list[float] = []
    busy: list[dict[str, float]] = []
    for length in _LENGTHS:
        product = Product("square", SIDE, SIDE, length, "f16", rows)
        program = asmgen.compile(product.text, target=target, schedules=schedules)
        profiles = [
            profile_launch(launch).profile for launch in launches_of_program(program, "product", (), {})
        ]
        clocks.append(sum(profile.launch_clocks for profile in profiles))
        busy.append({use.unit: use.at_least for use in profiles[0].uses})
        schedules = schedules or schedules_of(program)  # the table of measured tiles has few lengths
    longer = clocks[1] - clocks[0]
    shares = {unit: (most - busy[0].get(unit, 0.0)) / longer for unit, most in busy[1].items()}
    matrix = shares.pop(_MATRIX)
    name = max(shares, key=lambda unit: shares[unit])
    return Share(
        target,
        str(Product("square", SIDE, SIDE, SIDE, "f16", rows)),
        clocks[0],
        matrix,
        name,
        shares[name],
    )


def schedules_of(program: CompiledProgram) -> tuple[str, ...]:
    """The schedules that the compiler chose."""
    file = program.compilation.stages.gridwise
    assert file is not None, "a product is a tensor program"
    return tuple(f"{name}={choice_text(choice)}" for name, choice in tiles(file).items())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.loop_shares", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--schedule", action="append", default=[], help="as of `kernel --schedule`")
    given = parser.parse_args(arguments)
    targets: list[str] = given.targets
    print(f"{'target':<9}{'product':<38}{'clocks':>12}{'matrix':>8}  next")
    for target in targets or TARGETS:
        for rows in (True, False):
            print(share_of(target, rows, tuple(given.schedule)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
