"""`python -m tools.decoder_shares TARGET...`: how near the layers of a decoder are to the hardware's limits.

A line has the clocks of each launch of a product, and the share: the clocks that the busiest unit needs at
least for the first launch, divided by the clocks from its first wave to the last wave of all launches. Those
of the end of a launch and the start of the next are included. It takes about half a minute for a target.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import asmgen
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.targets import TARGETS
from isa.timing.chips import CHIPS
from tools.scoreboard.products.shapes import PRODUCTS, Product

_STEPS = ("prefill", "decode")


def line_of(product: Product, target: str) -> str:
    """The line of a product on a target."""
    program = asmgen.compile(product.text, target=target)
    launches = launches_of_program(program, product.name, (), {})
    profiles = [profile_launch(launch).profile for launch in launches]
    clocks = [profile.launch_clocks for profile in profiles]
    busiest = profiles[0].uses[0]
    total = sum(clocks) + (len(clocks) - 1) * CHIPS[target].launch_clocks
    shown = " + ".join(f"{each:,.0f}" for each in clocks)
    return f"{target} {product.name:18} {shown:18} {busiest.at_least / total:4.0%} {busiest.unit}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.decoder_shares", description=__doc__)
    _ = parser.add_argument("targets", nargs="+", metavar="TARGET", choices=list(TARGETS))
    for target in parser.parse_args(arguments).targets:
        for product in PRODUCTS:
            if any(step in product.name for step in _STEPS) and product.rows and product.batch == 1:
                print(line_of(product, target), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
