"""Tiles of matrix products that `tools.find_tiles` has measured.

The estimate of clocks (`product_clocks`) errs by a few hundredths, so its tile is not always the best of
those that it finds alike. `product_table.json` has the products of which another tile takes fewer clocks by
the clock model. A row is for a target, the sizes, the types and the layouts: a product that differs in one of
these has no tile here, but k may be about that of the row (`_NEAR`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from asmgen.blockwise.schedules.choices import Contract, read_choice
from asmgen.blockwise.schedules.choosing.product_tile import NARROW, Shape
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, tokenize
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.target_records import RECORDS

TABLE = Path(__file__).with_suffix(".json")
# Products along k for which a row serves too, of those that it was measured with, if it has so many trips
# and factors of at most so many bytes (`_serves`). Of 45 products of f16, bf16 and i8 on gfx942, gfx1100 and
# gfx1201 with 0.75, 1.5 and 2 times the k of a row, 44 take 0.71 to 1.00 of the clocks of the estimate's
# tile, and the last takes 1.03. The tile of {1024,1024} by {1024,1024} of f32 on gfx942 takes 1.2 with 1.5
# times the k, that of a single trip 1.4, and a tile of few rows 1.06
_NEAR = 0.75, 2
_LEAST_TRIPS, _MOST_BYTES = 4, 2
_LANES = {target.name: target.wave_size for target in RECORDS}  # of a wave, for which tiles were measured


class MeasuredTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile as `--schedule` takes it, the clocks of the launch by it, and those by the estimate's tile."""

    tile: str
    clocks: int
    estimated: int

    @property
    def choice(self) -> Contract:
        source = SourceText(self.tile, TABLE.name)
        choice = read_choice(Cursor(source, tokenize(source)))
        if not isinstance(choice, Contract):
            raise InternalError("product table", TABLE.name, f"{self.tile} is no tile of a product")
        return choice

    @property
    def share(self) -> float:
        """The clocks, of those by the estimate's tile."""
        return self.clocks / self.estimated


Tiles = dict[str, dict[int, MeasuredTile]]
"""Tiles by the names of products, and by their products along k."""


class Known(NamedTuple):
    """A tile of the table, and the products along k with which it was measured."""

    choice: Contract
    k: int
    measured: MeasuredTile


def read_tables() -> dict[str, Tiles]:
    """The tiles of each target."""
    return msgspec.json.decode(TABLE.read_bytes(), type=dict[str, Tiles])


@cache
def _tiles_of(target: str) -> Tiles:
    """The tiles of a target: those of others stay bytes."""
    tables = msgspec.json.decode(TABLE.read_bytes(), type=dict[str, msgspec.Raw])
    return msgspec.json.decode(tables[target], type=Tiles) if target in tables else {}


def name_of(shape: Shape) -> str | None:
    """`4096x1024 of 8 f16 mk nk to 2` for rows and columns, matrices, the type of factors, the layouts, of
    which the last dim is contiguous, and the bytes of a result. None for products that have no tiles in the
    table: of open sizes, with scales, with reductions, by computed factors, or of several."""
    plain = Shape(
        shape.batch, shape.m, shape.n, shape.k, shape.element, shape.along, is_copied=shape.is_copied,
        stored=shape.stored,
    )  # fmt: skip
    if shape != plain:
        return None
    first, second = "mk" if shape.along[0] else "km", "nk" if shape.along[1] else "kn"
    batch = f" of {shape.batch}" if shape.batch > 1 else ""
    copied = " copied" if shape.is_copied else ""
    return f"{shape.m}x{shape.n}{batch} {shape.element} {first} {second} to {shape.stored}{copied}"


def known_tile(shape: Shape, graph: Graph, target: Target) -> Known | None:
    """The tile of the table for the product of a kernel; None if it has none, or if the rest of
    the kernel leaves no room for the tile."""
    if target.wave_size != _LANES[target.name] or graph.room is not None:
        return None
    name = name_of(shape)
    tiles = _tiles_of(target.name).get(name, {}) if name is not None else {}
    if not tiles:
        return None
    for k in sorted(tiles, key=lambda k: max(k / shape.k, shape.k / k)):
        known = Known(tiles[k].choice, k, tiles[k])
        if _serves(known, shape) and not misfit(graph, known.choice, target):
            return known
    return None


def _serves(known: Known, shape: Shape) -> bool:
    """Whether a row serves a product: of the k that it was measured with, and of about that k if both are
    whole trips, and neither memory nor the first trip limits the launch."""
    (least, most), choice, k = _NEAR, known.choice, known.k
    if shape.k == k:
        return True
    if not choice.by or min(shape.m, shape.n) <= NARROW or shape.element.bytes > _MOST_BYTES:
        return False
    is_loop = k >= _LEAST_TRIPS * choice.k and k % choice.k == shape.k % choice.k == 0
    return is_loop and least * k <= shape.k <= most * k
