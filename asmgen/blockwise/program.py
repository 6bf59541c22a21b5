"""The form of a tile program: kernels of statements on named values. Nothing in it is changed in place.

A name is defined once, before its use. The ids of a workgroup and the counters of loops are symbols of index
expressions (`asmgen.index`) and not values: attributes name them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from asmgen.blockwise.actions import Action, Scan
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.types import TileType, Type
from asmgen.index import Symbol
from asmgen.index.size import Sizes
from asmgen.ir.program import Region, Relaunch, Statement, Value, walk
from isa.diagnostics import Place
from isa.targets import TargetId

TileValue = Value[Type]
TileStatement = Statement[Action, Type]
TileRegion = Region[Action, Type]


class Kernel(Struct, frozen=True, eq=False):
    """The program of each workgroup of a launch.

    `grid` are the ids of a workgroup, up to three, x first; a symbol's `high` is the number of workgroups
    minus 1. `dims` are sizes that the launch knows. If the numbers of workgroups depend on them, `counts` are
    these numbers, and `high` is that of the largest dims.

    Every layout has the bits of `waves` waves of `lanes` lanes. `layouts` are the named layouts of
    the text.

    `results` are the buffers written here that are results of the whole program, each with its number among
    the program's results. If no kernel of a file states any, the results are the written buffers that no
    later kernel reads, in the order of the text.
    """

    name: str
    grid: tuple[Symbol, ...]
    waves: int
    lanes: int
    statements: tuple[TileStatement, ...]
    layouts: tuple[tuple[str, Layout], ...] = ()
    place: Place | None = None
    results: tuple[tuple[str, int], ...] = ()
    dims: tuple[Symbol, ...] = ()
    counts: Sizes = ()

    @property
    def workgroups(self) -> Sizes:
        """How many workgroups there are along each id."""
        return self.counts or tuple([symbol.high + 1 for symbol in self.grid])

    @property
    def passes_on(self) -> tuple[TileStatement, ...]:
        """The scans that go on in other workgroups. If there are any, workgroups get their ids in the order
        in which they start.
        """
        return tuple([each for each in self.walk() if isinstance(each.op, Scan) and each.op.over])

    def walk(self) -> Iterator[TileStatement]:
        """Every statement, those of a region after the statement that has the region."""
        return walk(self.statements)


class TileProgram(Struct, frozen=True, eq=False):
    """A file of stage blockwise: the target and the kernels in the order of their first launches.
    `relaunches` are the other launches of kernels, in order."""

    target: TargetId
    kernels: tuple[Kernel, ...]
    relaunches: tuple[Relaunch, ...] = ()


def layout_of(tile: TileValue) -> Layout:
    """The layout of a tile, which is not a buffer."""
    assert isinstance(tile.type, TileType), tile
    return tile.type.layout
