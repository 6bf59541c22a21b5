"""Which of the tiles of a product with about the same clocks is the best, if the estimates tell them apart.

16 products of 1,024 cubed of bf16, gfx90a; the matrix units limit the launch:
m=64, n=128     339,443 clocks estimated, 328,039 by the clock model: the choice
m=128, n=64     339,443                   345,434
m=128, n=128    340,736                   343,480, and loads the least
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_estimate import PRODUCTS_LIMIT, Estimate
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.ir.types import F32
from isa.target import Target

# Clocks that the model does not tell apart if a launch is steady. For 33 products on gfx90a, this tile is not
# the tile that loads the least, and takes 0.982 times its clocks, 0.92 to 1.05
_TOLD = 1.006


def is_steady(estimate: Estimate, target: Target) -> bool:
    """Whether products limit a launch of MFMA instructions, and workgroups begin when others end."""
    follows = estimate.of_unit > estimate.together
    return target.has_agprs and estimate.limit == PRODUCTS_LIMIT and follows


def best_of_steady(least: float, clocks: Mapping[Contract, float], shape: Shape, target: Target) -> Contract:
    """The tile of the fewest clocks. Of tiles with about as many, those that are taller than wide come last:
    64 columns of 16 bits are loads of 8 bytes, and the trips of such a loop do not overlap. {4096,4096} by
    {4096,4096} of f16 on gfx90a takes 1,774,534 clocks with m=128 and n=64, 1,286,568 with m=64 and n=128."""

    def rank(choice: Contract) -> tuple[float, ...]:
        is_tall = choice.m > choice.n and shape.element.bytes < F32.bytes
        return is_tall, clocks[choice], *ease(choice, target)

    return min([choice for choice, own in clocks.items() if own <= _TOLD * least], key=rank)


def ease(choice: Contract, target: Target) -> tuple[int, ...]:
    """Of tiles with equal clocks, those with a slot of LDS to spare and with a wave for each SIMD are better:
    1,024 cubed of f16 on gfx942 takes 19 thousand clocks with four waves of a tile, 27 thousand with a single
    wave."""
    return -choice.buffers, -min(choice.waves, target.simds), choice.waves
