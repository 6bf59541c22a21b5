"""The figures of other compilers' kernels for the products: tools/product-peers.json.

`python -m tools.product_peers` makes the file. The clocks are those of our model, so renew them after a
change of the model.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

FILE = Path(__file__).parents[2] / "product-peers.json"


class Measured(Struct, frozen=True):
    """A program of at least one launch: the clocks of all launches, in succession. The rest is of the
    launch that takes longest; `bound` says what limits it."""

    name: str
    clocks: int
    launches: int
    vgprs: int
    lds_bytes: int
    groups: int
    bound: str


class PeerRow(Struct, frozen=True):
    """The kernel of a compiler with the fewest clocks for a product on a target."""

    target: str
    product: str
    compiler: str
    date: str
    best: Measured


@cache
def read_rows() -> tuple[PeerRow, ...]:
    """Every row of the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[PeerRow, ...])


def peers_of(target: str, product: str) -> tuple[Measured, ...]:
    """The best kernel of each compiler for a product on a target."""
    return tuple(row.best for row in read_rows() if (row.target, row.product) == (target, product))
