"""`python -m tools.decoder_shares TARGET...`: how near the layers of a decoder are to the hardware's limits.

A line has the clocks of each launch of a product, and the share: the clocks that the busiest unit of each
launch needs at least, divided by the clocks from the first wave to the last wave of all launches. Those of
the end of a launch and the start of the next are included. The queries, keys and values of a token are also
three products of a program.

A line of decoding ends with the share of memory, or of the last cache if that has the buffers. On targets
that preload arguments, it also has the share of a kernel that only reads the same bytes, the most that is
possible (`tools.read_bound`). It takes about half a minute for a target.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import asmgen
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.targets import TARGETS
from isa.timing.caches import CACHES
from tools.read_bound import reading_clocks
from tools.scoreboard.clocks import clocks_between
from tools.scoreboard.products.shapes import PRODUCTS, Product

_DECODING = "decode"
_STEPS = ("prefill", _DECODING)
_TOGETHER = (("q", 4096), ("k", 1024), ("v", 1024))  # the columns of products with the same factor


def moving_clocks(moved: int, target: str) -> float:
    """The clocks in which memory, or the last cache if it has the buffers, moves so many bytes."""
    caches = CACHES[target].with_buffers(moved)
    return moved / (caches.memory_rate.value * TARGETS[target].compute_units)


def moved_bytes(product: Product, columns: Sequence[int]) -> int:
    """The bytes of the factor of `product`, and of its weights and results of some columns, in f16."""
    return 2 * (product.m * product.k + sum(columns) * (product.k + product.m))


def line_of(name: str, text: str, target: str, moved: int) -> str:
    """The line of a program of products on a target, that moves so many bytes."""
    program = asmgen.compile(text, target=target)
    launches = launches_of_program(program, name, (), {})
    profiles = [profile_launch(launch).profile for launch in launches]
    clocks = [profile.launch_clocks for profile in profiles]
    least = sum([profile.uses[0].at_least for profile in profiles])
    total = sum(clocks) + clocks_between(len(clocks), target)
    shown = " + ".join(f"{each:,.0f}" for each in clocks)
    line = f"{target} {name:18} {shown:18} {least / total:4.0%} {profiles[0].uses[0].unit}"
    if _DECODING not in name:
        return line
    moving = moving_clocks(moved, target)
    line = f"{line}, memory {moving / total:.0%}"
    if not TARGETS[target].preload:
        return line
    return f"{line} of {moving / reading_clocks(moved, TARGETS[target]):.0%} at most"


def together(product: Product) -> str:
    """The text of products of the factor of `product` by several weights {n,k}."""
    k = product.k
    lines = [f"x = @param:x -> f16, {{{product.m},{k}}}"]
    for name, n in _TOGETHER:
        lines += [
            f"w{name} = @param:w{name} -> f16, {{{n},{k}}}",
            f"t{name} = transpose[permutation={{1,0}}](w{name})",
            f"{name} = dot(x, t{name})",
        ]
    return "\n".join([*lines, f"@return({', '.join(name for name, _ in _TOGETHER)})\n"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.decoder_shares", description=__doc__)
    _ = parser.add_argument("targets", nargs="+", metavar="TARGET", choices=list(TARGETS))
    for target in parser.parse_args(arguments).targets:
        for product in PRODUCTS:
            if any(step in product.name for step in _STEPS) and product.rows and product.batch == 1:
                moved = moved_bytes(product, (product.n,))
                print(line_of(product.name, product.text, target, moved), flush=True)
            if product.name.startswith("k, v"):
                moved = moved_bytes(product, [columns for _, columns in _TOGETHER])
                print(line_of(f"q, {product.name}", together(product), target, moved), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
