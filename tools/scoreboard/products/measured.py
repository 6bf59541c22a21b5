"""Clocks of products by the clock model.

No launch is run whole: the model replays a few of its workgroups (`asmgen.profile`), so that a kernel takes
seconds whatever its size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

import asmgen
from asmgen.ir.arrays import Array
from asmgen.profile.build import profile_launch
from asmgen.profile.launches import Launch, zeros
from asmgen.profile.programs import launches_of_program
from asmgen.profile.text import bound_text
from isa.diagnostics import InputError
from tools.scoreboard.clocks import clocks_between
from tools.scoreboard.products.clang import ProductKernel, launches_of, scratch_size, scratch_type
from tools.scoreboard.products.file import Measured, peers_of
from tools.scoreboard.products.shapes import Product, dtype_of


class ProductRow(Struct, frozen=True):
    """A product on a target. `refused` is the message if ours does not compile it, and `ours` is None."""

    target: str
    product: Product
    ours: Measured | None
    peers: tuple[Measured, ...]
    refused: str = ""

    @property
    def best(self) -> Measured:
        """The peer with the fewest clocks."""
        return min(self.peers, key=lambda peer: peer.clocks)

    @property
    def ratio(self) -> float | None:
        """The clocks of ours over those of the best peer."""
        return None if self.ours is None else self.ours.clocks / self.best.clocks


def row_of(product: Product, target: str) -> ProductRow:
    """The row of a product on a target; the peers' figures come from their file."""
    peers = peers_of(target, str(product))
    try:
        return ProductRow(target, product, ours_of(product, target), peers)
    except InputError as error:
        return ProductRow(target, product, None, peers, str(error).splitlines()[0])


def ours_of(product: Product, target: str) -> Measured:
    """The clocks of our program."""
    program = asmgen.compile(product.text, target=target)
    return measured("asmgen", launches_of_program(program, product.name, (), {}))


def clang_of(kernel: ProductKernel, product: Product, target: str) -> Measured:
    """The clocks of clang's kernel."""
    scratch = zeros(np.dtype(scratch_type(product)), (scratch_size(kernel, product),))
    return measured(f"clang {kernel.name}", launches_of(kernel, product, target, arrays_of(product), scratch))


def measured(name: str, launches: Sequence[Launch]) -> Measured:
    """The clocks of successive launches. A launch begins when the previous launch has ended."""
    profiles = [profile_launch(launch).profile for launch in launches]
    longest = max(profiles, key=lambda profile: profile.launch_clocks)
    clocks = sum(profile.launch_clocks for profile in profiles)
    clocks += clocks_between(len(launches), launches[0].image.target)
    return Measured(
        name, round(clocks), len(profiles), longest.vgprs, longest.lds_bytes, longest.groups,
        bound_text(longest),
    )  # fmt: skip


def arrays_of(product: Product) -> tuple[Array, Array, Array]:
    """Zeros for a, b and c that take no memory: the clocks depend on no number."""
    a, b, c = product.shapes
    factor, result = dtype_of(product.element), dtype_of(product.result)
    return zeros(factor, a), zeros(factor, b), zeros(result, c)
