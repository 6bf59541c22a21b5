"""Decides if the kernel of a matrix product reduces its rows or columns (`asmgen.graph.fusion.epilogues`).

    y = dot(a, b); s = reduce_sum[axes=1](mul(y, y))    4,096 cubed of f16, gfx942: the launch of s would
                                                        read the 34 MB of y; the parts have 0.5 MB

Apart, the kernel of the products stores results that a launch reads to reduce them. If a tile has whole
rows, its kernel needs no other launch, and also stores the results of that launch. Otherwise it stores a
result for each row of a tile, or of each wave of the tile, and the launch reads these. The numbers are those
of the clock model (`isa.timing`).
"""

from __future__ import annotations

from asmgen.blockwise.matrix import fastest
from asmgen.blockwise.schedules.choosing.contract import planned
from asmgen.blockwise.schedules.choosing.joint import clocks_to_move, launch_clocks
from asmgen.blockwise.schedules.choosing.product_shapes import reducing, shape_of
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.product_waves import of_wave
from asmgen.graph.fusion.epilogues import Epilogue
from asmgen.index.size import most
from asmgen.ir.program import Value, tensor_type
from isa.named_tuple import NamedTuple
from isa.target import Target

LONGEST = 256  # rows or columns of a tile
_MORE = 2  # reductions of a part in place of a reduction, if another is moved to its shift


class Taken(NamedTuple):
    """Whether a kernel of products takes reductions, and the reason in words. `length` are the elements of
    the parts that it reduces, and 0 for whole rows."""

    is_taken: bool
    length: int
    why: str


class _Way(NamedTuple):
    clocks: float
    length: int
    name: str


def verdict(epilogue: Epilogue, parts: bool, target: Target, rounds: bool) -> Taken:
    """Whether the kernel of the products takes the reductions, by the clocks of each way. `parts` says
    whether they may be in parts."""
    shape = shape_of(Graph(epilogue.kernel.module, rounds_factors=rounds), target)
    if shape.packed:
        return Taken(False, 0, "waves compute the second factor from fewer bytes")
    elements = shape.batch * shape.m * shape.n // (shape.beside[0] * shape.beside[1])
    product = planned(shape._replace(stored=_bytes(epilogue.results)), target)
    if product is None:
        return Taken(False, 0, "no tile fits")
    moved = elements * (_bytes(epilogue.read) + _bytes(epilogue.beside))
    apart = product.clocks + launch_clocks(target) + clocks_to_move(moved, target)
    ways = [_whole(epilogue, shape, target)]
    if parts and not epilogue.beside:
        ways.append(_in_parts(epilogue, shape, elements, target))
    best = min([way for way in ways if way is not None], default=None)
    if best is None:
        return Taken(False, 0, "their kernel reads the whole product anyway" if parts else "of whole rows")
    why = f"{best.name}, {best.clocks:.0f} clocks, apart {apart:.0f}"
    return Taken(best.clocks < apart, best.length, why)


def _whole(epilogue: Epilogue, shape: Shape, target: Target) -> _Way | None:
    """The way in which a tile has whole rows, and no other launch is needed."""
    length = most(epilogue.dims[epilogue.axis])
    if length > LONGEST:
        return None
    stored = _kept(epilogue) + _bytes(epilogue.beside)
    own = shape._replace(reductions=len(epilogue.reductions), exchanges=True, stored=stored)
    made = planned(reducing(own, _tile_axis(epilogue), length, target), target)
    return None if made is None else _Way(made.clocks, 0, "in whole rows")


def _in_parts(epilogue: Epilogue, shape: Shape, elements: int, target: Target) -> _Way | None:
    """The way in which a launch combines the results of tiles, or of their waves. If a reduction needs the
    result of another, waves exchange those of their tile."""
    count = len(epilogue.reductions) * (_MORE if epilogue.is_chain else 1)
    stored = _kept(epilogue)
    own = shape._replace(reductions=count, exchanges=epilogue.is_chain, stored=stored)
    own = reducing(own, _tile_axis(epilogue), 0, target)
    made = planned(own, target)
    if made is None:
        return None
    rated = fastest(own.element, target, own.rounds, own.has_powers)
    sizes = (made.choice.m, made.choice.n) if own.exchanges else of_wave(made.choice, rated and rated.by)
    length = sizes[_tile_axis(epilogue)]
    if not 1 < length < most(epilogue.dims[epilogue.axis]):
        return None
    bytes_ = sum([each.result.type.element.bytes for each in epilogue.reductions])
    combined = launch_clocks(target) + clocks_to_move(2 * bytes_ * elements // length, target)
    return _Way(made.clocks + combined, length, f"in parts of {length}")


def _tile_axis(epilogue: Epilogue) -> int:
    return epilogue.axis - (len(epilogue.dims) - 2)


def _kept(epilogue: Epilogue) -> int:
    """The bytes of the results of an element that the kernel of the products stores for others."""
    return _bytes(epilogue.results) - _bytes(epilogue.unused)


def _bytes(values: tuple[Value, ...]) -> int:
    return sum([tensor_type(value).element.bytes for value in values])
