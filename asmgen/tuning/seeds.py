"""Candidates to begin with, next to the schedule that the compiler chooses, and the builds that may suit a
schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from asmgen.blockwise.matrix import multiplying
from asmgen.blockwise.schedules.choices import Choice, Column, Contract, Pairs, Pointwise, Row, Transpose
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.block_dots import has_powers
from asmgen.gridwise.choose import chosen
from asmgen.ir.program import tensor_type
from asmgen.options import EXACT_ORDER
from asmgen.tuning.build import Build
from isa.target import Target

_ROOMS = (128, 64, 32)  # registers of a lane, for which the compiler chooses other schedules
_WAVES = (2, 3, 4, 5, 6, 8, 10, 12, 16)  # of a SIMD
_VGPRS = (48, 64, 80, 96, 128, 168)


Graphs = Callable[[int | None], Graph]
"""The graph of a launch, for a number of registers that a lane may have."""


def seeds(graphs: Graphs, choice: Choice, target: Target) -> Iterator[Choice]:
    """Other schedules for a launch that has the schedule `choice`: those for fewer registers, other kinds of
    schedules, and tiles of a product from the fewest clocks by the chooser's estimate."""
    if isinstance(choice, Contract):
        yield from _tiles(graphs(None), choice, target)
        return
    for room in _ROOMS:
        yield chosen(graphs(room), target)
    match choice:
        case Pointwise():
            yield from (Transpose(side, side, 1, 8) for side in (4, 8))
        case Transpose():
            yield from (Pointwise(vector, 4) for vector in (1, 4))
        case Row():
            yield Column(1, 1, target.wave_size, 1, 1, 4, 4)
        case Column():
            yield Row(1, 1, 1, 4, 1, 4)
        case Pairs():
            yield Row(1, 1, 1, 4, 4, 4)
        case _:
            return


def _tiles(graph: Graph, choice: Contract, target: Target) -> Iterator[Choice]:
    """The choice with other matrix instructions, then the tiles among which the compiler chooses."""
    from asmgen.blockwise.schedules.choosing.contract import candidates_of

    dot = graph.products[0]
    if choice.by:
        element = tensor_type(dot.operands[0]).element
        for rated in multiplying(element, target, graph.rounds_factors, has_powers(dot)):
            yield replace(choice, by=rated.by.name)
    yield from (tile.choice for tile in candidates_of(graph, target))


def builds(base: Build, target: Target, vgprs: int, has_exact: bool) -> Iterator[Build]:
    """The builds next to `base` for a program with launches of at most `vgprs` VGPRs: orders as selected,
    and limits of registers below these, within the limits of `base`. With `has_exact` an order by a solver
    is among them."""
    yield replace(base, schedule=not base.schedule)
    if has_exact:
        yield replace(base, order=EXACT_ORDER)
    for count in _WAVES:
        fits = target.vgpr_file // count
        if (base.waves_per_eu or 1) < count <= target.max_waves and fits < vgprs:
            yield replace(base, waves_per_eu=count)
    for count in _VGPRS:
        if count < min(vgprs, base.max_vgprs or vgprs):
            yield replace(base, max_vgprs=count)
