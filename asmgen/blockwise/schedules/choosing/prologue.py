"""Decides if a computed factor of a matrix product is stored, or computed in the loads of each tile.

    y = relu(x); o = dot(y, w)    4096 cubed of f16, gfx942: a launch moves 67 MB in 31 thousand clocks; waves
                                  compute relu beside others that multiply, so it is in the loads
    y = tanh(x); o = dot(y, w)    16 tiles of columns would take 107 thousand clocks, so a launch stores it

Stored, the factor costs a launch that reads its operands and writes it. If an earlier launch has its elements
anyway, only the writes count. If that launch is there to reduce results of a product, the reads count too,
since the kernel of the product can reduce them in its place. The first launch of an attention then stores the
scores with the largest and the sum of each part of a row, and the launch with v computes the softmax of the
scores that it loads.

In the loads, each tile along the other axis of the product reads the operands and computes each of its
elements again. The clocks of both launches are those of the estimate (`product_clocks`), and the other
numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from enum import Enum
from math import prod

from asmgen.blockwise.schedules.choosing.computing import (
    Work,
    operands_of,
    planned_dim,
    planned_elements,
    work_of,
)
from asmgen.blockwise.schedules.choosing.contract import Shape, planned
from asmgen.blockwise.schedules.choosing.epilogue import LONGEST
from asmgen.blockwise.schedules.elements.neighbours import is_along
from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.keep import ComputedFactor, Verdict
from asmgen.graph.fusion.packed_factors import packed_bytes
from asmgen.graph.ops import DOT
from asmgen.ir.program import Statement, tensor_type
from isa.named_tuple import NamedTuple
from isa.target import Target

_LARGEST = 8  # bytes of operands for an element: more take too many registers a trip ahead
_LEAST = 200.0  # clocks more of a launch that computes a factor, since the estimate errs by some hundreds


def verdict(factor: ComputedFactor, target: Target, known: ShapesOfReaders) -> Verdict:
    """Whether to store a factor, by the clocks of both ways. `known` has the shapes of products of this
    graph, and gets those that are found."""
    if any(dot.op is not DOT for dot, _ in factor.readers):
        return Verdict(True, "a product of blocks with scales reads its operands from memory")
    work = work_of(factor.defined, factor.value, factor.launched)
    if work.of_element > _LARGEST:
        return Verdict(True, f"an element has {work.of_element} bytes of operands, wanted {_LARGEST} at most")
    for reader in factor.readers:
        if reader not in known:
            known[reader] = _shape(factor, reader)
    ways = [_in_loads(work, known[reader], reader, target) for reader in factor.readers]
    if None in ways:
        return Verdict(True, "no tile has room to compute it")
    computed = [way for way in ways if way is not None]
    in_loads = sum([way.clocks for way in computed])
    home = _home(factor)
    in_memory = _clocks_in_memory(factor, work, home, target)
    tiles = " and ".join([str(way.copies) for way in computed])
    why = f"{tiles} tiles compute it in {in_loads:.0f} clocks; {home.value} in {in_memory:.0f}"
    return Verdict(in_memory <= in_loads, why)


class _InLoads(NamedTuple):
    """The number of tiles that compute each element of a factor in their loads, and how many clocks more the
    launch takes."""

    copies: int
    clocks: float


ShapesOfReaders = dict[tuple[Statement, int], Shape]


class _Home(Enum):
    """The launch that stores a factor."""

    OWN = "a launch writes it"
    EARLIER = "an earlier launch also writes it"
    BEHIND_PRODUCT = "an earlier launch reads the product and writes it"
    PRODUCT = "the launch of the product writes it in place of its results"


def _home(factor: ComputedFactor) -> _Home:
    """If all operands with as many elements are results of products, their kernels can reduce their rows
    (`asmgen.blockwise.schedules.choosing.epilogue`). They have whole rows of at most a tile, and also store
    the factor. They reduce longer rows in parts, and then no earlier launch reads the results."""
    if not factor.is_beside:
        return _Home.OWN
    size = planned_elements(factor.value)
    operands = operands_of(factor.defined, factor.value, factor.launched)
    own = [value for value in operands if planned_elements(value) == size]
    if not all(factor.defined[value].op in PRODUCTS for value in own):
        return _Home.EARLIER
    is_long = planned_dim(tensor_type(factor.value).dims[-1]) > LONGEST
    return _Home.BEHIND_PRODUCT if is_long else _Home.PRODUCT


def _clocks_in_memory(factor: ComputedFactor, work: Work, home: _Home, target: Target) -> float:
    from isa.timing.caches import CACHES
    from isa.timing.chips import CHIPS

    if home is _Home.PRODUCT:
        return 0
    written = work.elements * tensor_type(factor.value).element.bytes
    moved = written if home is _Home.EARLIER else work.read + written
    rate = CACHES[target.name].with_buffers(moved).memory_rate.value * target.compute_units
    start = CHIPS[target.name].launch_clocks if home is _Home.OWN else 0.0
    return start + moved / rate


def _in_loads(work: Work, shape: Shape, reader: tuple[Statement, int], target: Target) -> _InLoads | None:
    """The product if it computes a factor in its loads and does not read it from memory. Returns None if no
    tile has room."""
    dot, number = reader
    issues = (0.0, work.issues) if number else (work.issues, 0.0)
    of_element = 0 if work.of_element == shape.element.bytes else work.of_element
    loaded = (0, of_element) if number else (of_element, 0)
    whole, plain = planned(shape._replace(issues=issues, loaded=loaded), target), planned(shape, target)
    if whole is None or plain is None:
        return None
    choice = whole.choice
    own = prod([planned_dim(dim) for dim in tensor_type(dot.operands[number]).dims[:-2]])
    tiles = -(-shape.m // choice.m) if number else -(-shape.n // choice.n)
    copies = shape.batch // max(1, own) * tiles
    least = _clocks_to_unpack(copies, work, target) if work.unpacks else _LEAST
    return _InLoads(copies, max(least, whole.clocks - plain.clocks))


def _clocks_to_unpack(copies: int, work: Work, target: Target) -> float:
    """The clocks in which all SIMDs unpack so many copies of a factor. Nothing hides them: {8192,256} by
    {256,8192} of f16 and 4 bits on gfx942 takes 127,764 clocks with 64 copies, 100,767 without."""
    from isa.timing.machine import MACHINES

    waves = copies * work.elements / (target.wave_size * target.simds * target.units)
    return waves * work.issues * MACHINES[target.name].issue.clocks


def _shape(factor: ComputedFactor, reader: tuple[Statement, int]) -> Shape:
    """The shape of a product that reads the factor from memory."""
    dot, _ = reader
    along = [is_along(factor.defined, value, -1 - each) for each, value in enumerate(dot.operands)]
    return Shape.of(dot, (along[0], along[1]), packed_bytes(factor.defined, dot), False, False)
