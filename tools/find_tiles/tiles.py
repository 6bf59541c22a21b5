"""The clocks of a product by several tiles, by the clock model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from asmgen.blockwise.schedules.choices import Contract, choice_text
from asmgen.blockwise.schedules.choosing.contract import candidates_of, choose_contract, estimated_tile
from asmgen.blockwise.schedules.choosing.product_lines import with_lines
from asmgen.blockwise.schedules.choosing.product_shapes import shape_of
from asmgen.blockwise.schedules.choosing.product_table import MeasuredTile, name_of
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.compiler import compile_read
from asmgen.frontends.sources import read_text
from asmgen.options import Options
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate
from asmgen.tuning.judge import Judge
from asmgen.tuning.neighbours import neighbours
from isa.diagnostics import InputError
from isa.target import Target
from isa.targets import parse_target
from tools.scoreboard.products.shapes import Product

FURTHEST = 1.3  # times the fewest clocks by the estimate: tiles beyond are not measured
LEAST_GAIN = 0.998  # of the clocks of the estimate's tile, for a row of the table


class Launch(Struct, frozen=True):
    """A launch of a product: its name in the table, without k, and what measures its tiles."""

    name: str
    number: int
    shape: Shape
    graph: Graph
    judge: Judge

    @property
    def target(self) -> Target:
        return self.judge.target.target

    @property
    def estimated(self) -> Contract:
        """The tile that the estimate chooses."""
        return estimated_tile(self.shape, self.target)

    def candidates(self, most: int) -> list[Contract]:
        """The tile of the estimate, that of the table, and at most so many of the fewest clocks estimated."""
        found = candidates_of(self.graph, self.target)
        near = FURTHEST * min(candidate.clocks for candidate in found)
        tiles = [candidate.choice for candidate in found if candidate.clocks <= near]
        whole = [tile if tile.parts else with_lines(tile, self.shape, self.target) for tile in tiles]
        return list(dict.fromkeys([self.estimated, choose_contract(self.graph, self.target), *whole[:most]]))

    def neighbours(self, tile: Contract) -> list[Contract]:
        """The tiles that differ from a tile in a single way, and fit."""
        found = [choice for choice in neighbours(tile) if isinstance(choice, Contract)]
        return [choice for choice in dict.fromkeys(found) if not misfit(self.graph, choice, self.target)]

    def clocks(self, tile: Contract) -> int | None:
        """The clocks of the launch by a tile; None if it does not compile."""
        try:
            return round(self.judge.measure(Candidate(self.number, tile, Build())).clocks)
        except InputError:
            return None


def launches_of(product: Product, target: str) -> Iterator[Launch]:
    """The launches of a product that the table may have a tile for. Raises `InputError` if the product is
    refused."""
    program = compile_read(read_text(product.text, product.name), parse_target(target), Options())
    file = program.compilation.stages.gridwise
    assert file is not None, "a product is a tensor program"
    judge = Judge(file, program.compilation.options, {})
    for number, launch in enumerate(judge.launches):
        if isinstance(launch.choice, Contract):
            graph = judge.graph(number)
            shape = shape_of(graph, judge.target.target)
            name = name_of(shape)
            if name is not None:
                yield Launch(name, number, shape, graph, judge)


def best_of(launch: Launch, most: int, with_neighbours: bool = False) -> MeasuredTile | None:
    """The tile of the fewest clocks among so many, and among the neighbours of the best if asked for, with
    the clocks of the estimate's; None if the estimate's takes as few, or does not compile."""
    tiles = launch.candidates(most)
    found = _measured(launch, tiles)
    estimated = found.get(launch.estimated)
    if estimated is None:
        return None
    if with_neighbours:
        around = launch.neighbours(min(found, key=found.__getitem__))
        found |= _measured(launch, [tile for tile in around if tile not in tiles])
    best = min(found, key=found.__getitem__)
    if found[best] > LEAST_GAIN * estimated:
        return None
    return MeasuredTile(choice_text(best), found[best], estimated)


def _measured(launch: Launch, tiles: Sequence[Contract]) -> dict[Contract, int]:
    """The clocks of the tiles that compile."""
    clocks = [launch.clocks(tile) for tile in tiles]
    return {tile: each for tile, each in zip(tiles, clocks, strict=True) if each is not None}
