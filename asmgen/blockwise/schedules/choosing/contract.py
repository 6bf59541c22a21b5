"""Chooses the tile of a matrix product: the tile with which the launch takes the fewest clocks, by the table
of measured tiles or by an estimate.

4096 cubed of f16, gfx942    m=256, n=256: 256 workgroups for 304 units, bound by the matrix units
the same, 8 rows             m=16, n=64: bound by memory
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from math import inf

from msgspec.structs import replace

from asmgen.blockwise.actions import SCALED
from asmgen.blockwise.matrix import Rated, fastest, largest
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_across import (
    GAIN_ALONG,
    PARTS,
    clocks_to_add,
    clocks_to_cross,
    crosses,
    gain_of,
    may_cross,
    part_of,
)
from asmgen.blockwise.schedules.choosing.product_alike import best_of_steady, ease, is_steady
from asmgen.blockwise.schedules.choosing.product_candidates import (
    ROW_BYTES,
    smallest,
    tiles_of,
)
from asmgen.blockwise.schedules.choosing.product_clocks import estimate_of, least_of_tile
from asmgen.blockwise.schedules.choosing.product_estimate import PRODUCTS_LIMIT, Estimate
from asmgen.blockwise.schedules.choosing.product_lines import with_lines
from asmgen.blockwise.schedules.choosing.product_machine import Machine
from asmgen.blockwise.schedules.choosing.product_outer import has_many_products
from asmgen.blockwise.schedules.choosing.product_shapes import rated_of, shape_of, shape_of_dots
from asmgen.blockwise.schedules.choosing.product_sums import has_many_sums
from asmgen.blockwise.schedules.choosing.product_table import Known, known_tile
from asmgen.blockwise.schedules.choosing.product_tile import (
    Shape,
    copies_of,
    elements_loaded,
    has_few_results,
    lane_registers,
    rows_read,
    taken_registers,
)
from asmgen.blockwise.schedules.choosing.product_trip import least_clocks
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.block_dots import has_powers
from asmgen.graph.ops import DOT
from asmgen.index.size import Dim, Size, at_most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import F32, computed
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS, Target

# If k and the rows or the columns are at most so many, sums take 0.23 to 0.9 of the clocks of this schedule:
# 100,000 products of 4x4 matrices, say, or the rotation of 100,003 points. An instruction multiplies tiles of
# 16 by 16. Two of 54 cases take 1.07. Sums of 8x8 matrices take 1.1 on gfx942, 0.9 on gfx1201.
NARROW = 6
_ENOUGH = 3  # workgroups of a unit
_GAIN = 0.97  # of the clocks of a whole product, at most, for parts: they take more memory
_LEAST_PART = 64  # products along k of a part
_LEFT = 2  # products along k that no part has, at most: the launch that adds the parts computes them
_ALIKE = 1.02  # clocks that the model does not tell apart: of such tiles, those that load the least
# The same of tiles with four lanes along k: of these, those with the fewest workgroups of a unit and the
# shortest trips. {8,4096} by {4096,6144} of f16 on gfx950 takes 16,727 clocks with trips of 512 along k,
# 18,294 with 1,024
_QUADS_ALIKE = 1.01
# Clocks of a launch that memory does not limit, for which the tile of fewer clocks is the choice if the
# estimates tell tiles apart: of 21 products on gfx1100 it takes 1.04 times the clocks of the best tile. The
# tile that loads least takes 1.07 times
_SHORT = 1_000_000
# The same as `_ALIKE` for longer launches by matrix instructions of RDNA. The clocks of large tiles are
# estimated 1.04 to 1.06 times too high, and small tiles ask the caches for more: {4096,4096} by {4096,128256}
# of f16 on gfx1201 takes 65.7 million clocks with m=128, 100.6 million with m=32
_LONG_ALIKE = 1.06
_OF_MEMORY = 0.85  # of the clocks, from which memory limits a launch
# Workgroups of a unit of RDNA in a launch that memory limits, below which it waits for the last: {512,512} by
# {512,64} of 96 matrices of f16 on gfx1201 takes 100,250 clocks with 6, 98,304 with 12
_FEW = 8


def takes(dot: Statement, target: Target) -> bool:
    """Whether the schedule takes a product: of matrices, in a type that the target has matrix
    instructions for, or in f32. A kernel of reductions multiplies a matrix of a single row or column, which
    is a vector, as fast as memory allows. It also takes less time for small matrices (`NARROW`)."""
    factors = [tensor_type(factor) for factor in dot.operands[:2]]
    if min(factor.rank for factor in factors) < 2:
        return False
    dims = (*tensor_type(dot.result).dims, factors[0].dims[-1])
    if 0 in dims or 1 in dims[-3:]:
        return False
    rows, columns, k = dims[-3:]
    if dot.op is DOT and _is_narrow(k) and (_is_narrow(rows) or _is_narrow(columns)):
        return False
    element = factors[0].element
    if has_powers(dot):
        return fastest(element, target, has_powers=True) is not None
    return computed(element) is F32 or fastest(element, target) is not None


def _is_narrow(size: Dim) -> bool:
    return at_most(size, NARROW).is_shown


class InParts(NamedTuple):
    """The parts along k in which products take the fewest clocks, the launch that adds them up included.
    `fits` is false if the registers of a lane do not suffice for a tile of all of them."""

    clocks: float
    parts: int
    fits: bool = True


def best_parts(
    dots: Sequence[Statement],
    defined: Mapping[Value, Statement],
    target: Target,
    rounds: bool = False,
    results: int = 1,
    cuts: bool = True,
) -> InParts:
    """The best parts for a kernel of products that share factors, which stores so many `results`; a single
    part unless `cuts`."""
    shape = shape_of_dots(dots, defined, target, rounds, results)
    whole = _best_across(shape, target)
    fits = not shape.is_joint or any(
        tiles_of(shape, target, fastest(shape.element, target, rounds, shape.has_powers))
    )
    k = tensor_type(dots[0].operands[0]).dims[-1]
    if not cuts or isinstance(k, Size) or _keeps_units_multiplying(whole.choice, shape, target):
        return InParts(whole.clocks, 1, fits)
    found: list[tuple[float, int]] = [(whole.clocks, 1)]
    rated = rated_of(shape, target)
    least = least_clocks(shape, Machine.of(shape, target, rated), rated, target)
    for parts in map(partial(_parts_near, shape), PARTS):
        adding = clocks_to_add(shape, parts, target)
        if least + adding > min(whole.clocks * _GAIN, min(found)[0]):
            break  # more parts take even longer to add
        if parts > 1 and shape.k // parts >= _LEAST_PART:
            part = shape._replace(batch=shape.batch * parts, k=shape.k // parts, stored=0)
            cut = _best(part, target).clocks
            found.append((cut + adding, parts))
    clocks, parts = min(found)
    return InParts(clocks, parts, fits) if clocks <= whole.clocks * _GAIN else InParts(whole.clocks, 1, fits)


def _parts_near(shape: Shape, wanted: int) -> int:
    """So many parts along k, or somewhat fewer if a few products or none are left over; 1 if there are no
    such parts. If rows begin at the multiples of an access, parts do if they can."""
    block = max(1, SCALED if shape.has_powers else shape.block)
    if shape.k % wanted == 0:
        return wanted if shape.k // wanted % block == 0 else 1
    if block > 1 or shape.is_joint or shape.packed or shape.k // wanted < _LEAST_PART:
        return 1
    is_aligned = shape.k * shape.element.bytes % WIDEST_ACCESS == 0

    def rank(parts: int) -> tuple[int, bool, int]:
        bytes_of_part = shape.k // parts * shape.element.bytes
        return shape.k % parts, is_aligned and bytes_of_part % WIDEST_ACCESS != 0, -parts

    best = min(range(wanted // 2 + 1, wanted + 1), key=rank)
    return best if shape.k % best <= _LEFT else 1


def _keeps_units_multiplying(choice: Contract, shape: Shape, target: Target) -> bool:
    """Whether products bind a launch, and units have so many workgroups that parts along k gain nothing."""
    wide = shape.wide(choice)
    groups = shape.batch * -(-shape.m // wide.m) * -(-shape.n // wide.n)
    if choice.parts or groups < _ENOUGH * target.units:
        return False
    return _near(shape, target)[choice].limit == PRODUCTS_LIMIT


def choose_contract(graph: Graph, target: Target) -> Contract:
    """The choice for a kernel with a matrix product."""
    shape = shape_of(graph, target)
    known = known_tile(shape, graph, target)
    return estimated_tile(shape, target) if known is None else known.choice


def estimated_tile(shape: Shape, target: Target) -> Contract:
    """The choice by the estimate of clocks alone."""
    choice = _best_across(shape, target).choice
    return choice if choice.parts else with_lines(choice, shape, target)


def clocks_of_products(graph: Graph, target: Target) -> float:
    """The estimated clocks of a kernel with matrix products."""
    return _best_across(shape_of(graph, target), target).clocks


def tile_of(shape: Shape, target: Target) -> Contract:
    """The choice for a product of this shape."""
    return _best(shape, target).choice


class Candidate(NamedTuple):
    """A tile that fits, the clocks of the launch by it, and why it is not the chosen tile."""

    choice: Contract
    clocks: float
    why: str


def candidates_of(graph: Graph, target: Target) -> list[Candidate]:
    """The tiles that fit, from the fewest clocks. The chosen tile is the first, with what limits it. If it
    is of the table, the tile that the estimate would choose is the second."""
    shape = shape_of(graph, target)
    best, estimates = _best_across(shape, target), _estimates(shape, target)
    limit, known = _limit(best, shape, target), known_tile(shape, graph, target)
    chosen = [Candidate(estimated_tile(shape, target), best.clocks, f"chosen, limited by {limit}")]
    if known is not None:
        chosen = [_of_table(known, best, shape), chosen[0]._replace(why=f"the estimate, limited by {limit}")]
    others = [
        Candidate(choice, estimate.clocks, _why_not(choice, estimate, best, shape))
        for choice, estimate in estimates.items()
        if choice not in (best.choice, chosen[0].choice)
    ]
    return [*chosen, *sorted(others, key=lambda other: other.clocks)]


def _of_table(known: Known, best: _Best, shape: Shape) -> Candidate:
    """A tile of the table as the chosen candidate."""
    is_own, share = known.k == shape.k, known.measured.share
    clocks = known.measured.clocks if is_own else share * best.clocks
    of = "" if is_own else f" for k={known.k}"
    why = f"chosen from the table of measured tiles{of}: {share:.3f} times the clocks of the estimate's tile"
    return Candidate(known.choice, clocks, why)


def _limit(best: _Best, shape: Shape, target: Target) -> str:
    """The limit of the launch by the best tile, or by that of a part."""
    part = part_of(shape, best.choice.parts) if best.choice.parts else shape
    assert part is not None, "the choice has parts of the same length"
    return _near(part, target)[replace(best.choice, parts=None)].limit


def _why_not(choice: Contract, estimate: Estimate, best: _Best, shape: Shape) -> str:
    if estimate.clocks > _ALIKE * best.least:
        return f"{estimate.clocks / best.clocks:.2f} times the clocks, limited by {estimate.limit}"
    loaded, least = [elements_loaded(shape.wide(each), shape) for each in (choice, best.choice)]
    if loaded > least:
        return f"alike in clocks, and loads {loaded / least:.2f} times the elements"
    if estimate.clocks > best.clocks:
        return "alike in clocks and loads, and takes more clocks"
    return (
        "alike in clocks and loads, with rows of half a line, fewer buffers, or other waves than a SIMD each"
    )


class Planned(NamedTuple):
    """The choice for a product, and the clocks of the launch."""

    clocks: float
    choice: Contract


def planned(shape: Shape, target: Target) -> Planned | None:
    """The choice for a product of this shape; None if no tile fits."""
    if not any(tiles_of(shape, target, rated_of(shape, target))):
        return None
    best = _best_across(shape, target)
    return Planned(best.clocks, best.choice)


class _Best(NamedTuple):
    least: float  # clocks of any tile
    clocks: float
    choice: Contract


@cache
def _best(shape: Shape, target: Target) -> _Best:
    near = _near(shape, target)
    clocks = {choice: estimate.clocks for choice, estimate in near.items()}

    def order(choice: Contract) -> tuple[float, ...]:
        if not choice.along:
            return clocks[choice], 0
        outer = (0,) if choice.by else (near[choice].sent, rows_read(choice, shape))
        return clocks[choice], *outer, -choice.m

    first = min(clocks, key=order)
    least = clocks[first]
    if first.quads:
        alike = [choice for choice, own in clocks.items() if choice.quads and own <= _QUADS_ALIKE * least]
        first = min(alike, key=lambda choice: (near[choice].of_unit, choice.n, choice.k, clocks[choice]))
    # Of outer products along k with equal clocks, those that ask the caches for less, or read fewer rows:
    # 2,048 cubed of f32 on gfx1100 takes 866 thousand clocks with m=32 and n=64, 1,042 with m=64 and n=32.
    # Others with more rows read the second factor less often: {32,4096} by {4096,4096} of f16 takes 15,872
    # clocks on gfx942 with m=32 and n=16, 16,402 with m=16 and n=32. Too few wider tiles keep memory busy.
    if first.along:
        return _Best(least, least, first)
    if is_steady(near[first], target):
        choice = best_of_steady(least, clocks, shape, target)
        return _Best(least, clocks[choice], choice)
    rated = rated_of(shape, target)
    is_told = rated is not None and _tells_apart(shape, rated, target)
    is_of_memory = near[first].memory >= _OF_MEMORY * least
    is_short = least < _SHORT and not is_of_memory
    is_long = rated is not None and not target.has_agprs and least >= _SHORT
    within = _LONG_ALIKE if is_long and not is_of_memory else _ALIKE
    alike = [choice for choice, own in clocks.items() if own <= within * least]
    # A trip of few outer products along k is less code. {4096,k} by {k,4096} of f32 on gfx1100 takes 1.4
    # times the clocks with it at k=512, 1.08 at 4,096
    has_many = rated is None and has_many_products(shape, target)
    # Waves along k wait for each other once, others in each trip: {1024,2048} by {2048,2048} of f32 takes
    # 671,744 clocks on gfx1201 with them, 766,375 with waves next to each other. Waves of many sums wait for
    # LDS the least (`product_sums`)

    def rank(choice: Contract) -> tuple[float, ...]:
        wide = shape.wide(choice)
        has_half_lines = choice.k * shape.element.bytes < ROW_BYTES[-1]
        length = choice.k if has_many else has_half_lines
        taken = taken_registers(wide, _rated(choice, rated, shape, target), shape, target)
        is_crowded = taken > lane_registers(target)
        is_last = length, is_crowded
        loads = elements_loaded(wide, shape)
        loaded = 0 if is_told and is_short else loads
        packed = 0 if all(shape.along) else loads
        is_few, steady = False, 0.0
        if is_of_memory and not target.has_agprs:
            is_few, steady = near[choice].of_unit < _FEW, near[choice].steady
        is_first = choice.along if rated is None else has_many_sums(choice, rated) and not is_long
        return is_few, not is_first, loaded, *is_last, clocks[choice], steady, packed, *ease(choice, target)

    choice = min(alike, key=rank)
    return _Best(least, clocks[choice], choice)


@cache
def _best_across(shape: Shape, target: Target) -> _Best:
    """The best tile, with workgroups that have parts of k if that takes fewer clocks."""
    whole = found = _best(shape, target)
    rated = rated_of(shape, target)
    least = least_clocks(shape, Machine.of(shape, target, rated), rated, target)
    for parts in PARTS if may_cross(shape) else ():
        part = part_of(shape, parts)
        if part is None or part.k < _LEAST_PART:
            break
        crossing = clocks_to_cross(smallest(shape, rated), parts, target.units, target)
        if least + crossing > found.clocks * GAIN_ALONG:
            break
        own = _best(part, target)
        wide = shape.wide(own.choice)
        groups = parts * -(-shape.m // wide.m) * -(-shape.n // wide.n)
        clocks = own.clocks + clocks_to_cross(wide, parts, groups, target)
        most = whole.clocks * gain_of(whole.choice, own.choice, target)
        if crosses(own.choice, part) and clocks < min(found.clocks, most):
            found = _Best(clocks, clocks, replace(own.choice, parts=parts))
    return found


def _tells_apart(shape: Shape, rated: Rated, target: Target) -> bool:
    """Whether the estimates of RDNA tell tiles of about the same clocks apart: if lanes have the same
    elements of a factor, or if units have a workgroup or two."""
    has_few = copies_of(rated.by.layouts[1]) > 1 or has_few_results(shape, rated, target)
    return has_few and not target.has_agprs


@cache
def _near(shape: Shape, target: Target) -> dict[Contract, Estimate]:
    """The estimates of the tiles that fit, without tiles of which a bound is already over the best."""
    machine, tiles = _machine(shape, target), _fitting(shape, target)
    bounds = [least_of_tile(tile.wide, shape, machine, tile.rated, target) for tile in tiles]
    found: dict[int, Estimate] = {}
    least = inf
    for place in sorted(range(len(bounds)), key=bounds.__getitem__):
        if bounds[place] > _LONG_ALIKE * least:
            break
        tile = tiles[place]
        found[place] = estimate_of(tile.wide, shape, machine, tile.rated, target)
        least = min(least, found[place].clocks)
    return {tiles[place].choice: found[place] for place in sorted(found)}


def _estimates(shape: Shape, target: Target) -> dict[Contract, Estimate]:
    machine = _machine(shape, target)
    return {
        choice: estimate_of(wide, shape, machine, rated, target)
        for choice, wide, rated in _fitting(shape, target)
    }


def _machine(shape: Shape, target: Target) -> Machine:
    return Machine.of(shape, target, rated_of(shape, target))


class _Tile(NamedTuple):
    """A choice that fits, the tile of all products by it, and its matrix instruction."""

    choice: Contract
    wide: Contract
    rated: Rated | None


def _fitting(shape: Shape, target: Target) -> list[_Tile]:
    """The tiles that fit a product, by the fastest instruction, or by the largest that is as fast."""
    own = rated_of(shape, target)
    found = [
        _Tile(choice, shape.wide(choice), _rated(choice, own, shape, target))
        for choice in tiles_of(shape, target, own)
    ]
    last = smallest(shape, own)
    return found or [_Tile(last, shape.wide(last), own)]


def _rated(choice: Contract, own: Rated | None, shape: Shape, target: Target) -> Rated | None:
    if own is None or choice.by == own.by.name:
        return own
    return largest(shape.element, target, shape.rounds, shape.has_powers)
