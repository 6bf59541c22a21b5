"""The sums of workgroups that have a part of k each, for the same tile of results (`Contract.parts`).

{64,4096} x {4096,1024} of f16    contract[m=32, n=32, k=1024, ..., parts=4]: 256 workgroups for 64 tiles
part 0 has the products of elements 0 to 1023 along k, and the last workgroup of a tile stores it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.blockwise.actions import SumParts
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.summed_parts import sums_and_arrivals
from asmgen.blockwise.types import TileType
from asmgen.index.size import Dim, number


def over_workgroups(
    builder: TileBuilder, grid: Mapping[str, Dim], lanes: int, tiles: Sequence[TileValue]
) -> Mapping[TileValue, TileValue]:
    """The sum of each tile over the workgroups along the first id of a grid. The statements after it are for
    those waves that come last."""
    (over, parts), *others = zip(builder.id_names, grid.values(), strict=True)
    types = [tile.type for tile in tiles if isinstance(tile.type, TileType)]
    sums, arrived = sums_and_arrivals(types, lanes, parts, [count for _, count in others])
    through = builder.parameter(builder.fresh("sums"), sums)
    counts = builder.literal("arrived", (0,) * number(arrived.elements), arrived)
    return dict(zip(tiles, builder.apply(SumParts(over), *tiles, through, counts, name="total"), strict=True))
