"""Chooses `Transpose` for kernels that read along another axis than they write.

    {2048,2048} f16           transpose[across=8, vector=8, waves=1, lanes=8]
    {64,3136} f32             transpose[across=4, vector=4, waves=1, lanes=8]
    {4096,4096} f32, gfx1100  transpose[across=4, vector=4, waves=2, lanes=8]      two waves store a line
    {3,50176} f32             transpose[across=3, vector=4, waves=4]            a lane has all three channels
    {4,512,12,64} f16         transpose[across=4, vector=8, waves=4]            four heads of a token

A square has accesses of 16 bytes on both sides, but smaller sides if

- an axis has fewer elements. Up to twice as many elements as an access has are all in a lane;
- its elements, in the types in which they are computed, would not fit in registers;
- fewer than an eighth of the target's SIMDs would have a wave.

A workgroup is a wave. If not all waves run at once, it has as many as store whole lines together: {4096,4096}
f32 takes 349,525 clocks on gfx1100, and 493,839 if two workgroups, on different units, store a line.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choices import Transpose
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    ceil_power,
    floor_power,
    holds,
    widest_access,
)
from asmgen.blockwise.schedules.elements.squares import ACCESSES, Axes
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.ops import PARAM
from asmgen.index.size import Dim, Size, divides, number
from asmgen.ir.program import tensor_type
from asmgen.ir.types import F32, TensorType
from isa.target import WIDEST_ACCESS, Target

SEGMENT_LANES = 8  # with accesses of 16 bytes a cache line
LEAST_LANES = SEGMENT_LANES // 2
SQUARE_BYTES = 256  # of a lane's elements
SHARE = 8  # times as many elements as a lane has if every SIMD has a wave
SPARE = 8  # an eighth more squares at most, for lanes in tiles


def choose_squares(graph: Graph, axes: Axes, target: Target) -> Transpose | None:
    """The choice, or None if accesses would have a single element, or if lanes that have successive squares
    would need what only the launch knows: a size by which an id is divided, or the elements after the last
    whole square.
    """
    sizes = axes.sizes(tensor_type(graph.returns[0]).dims)
    read, written = sizes[axes.read], sizes[axes.written]
    others = [size for axis, size in enumerate(sizes) if axis not in (axes.read, axes.written)]
    if axes.is_kept:
        return _several(graph, read, written, target)
    across, vector = _square(graph, read, written, target)
    if 1 in (across, vector) or sum(isinstance(size, Size) for size in others) > 1:
        return None
    even = _lanes_of_a_line(tensor_type(graph.returns[0]), target)
    lanes = _lanes(-(-read // across), -(-written // vector), target.wave_size, even)
    if lanes is None:
        is_whole = _is_whole(across, read) and _is_whole(vector, written)
        return Transpose(across, vector, GROUP_LANES // target.wave_size) if is_whole else None
    waves = prod(graph.work.planned) // (across * vector * target.wave_size)
    run_at_once = waves <= target.units * target.simds * target.max_waves
    columns = -(-written // vector)
    return Transpose(
        across, vector, 1 if run_at_once else _waves_of_a_line(columns, target.wave_size // lanes), lanes
    )


def _is_whole(own: int, size: Dim) -> bool:
    """Whether the elements after the last whole square of an axis are known."""
    return not isinstance(size, Size) or divides(own, size).is_shown


def _several(graph: Graph, read: Dim, written: Dim, target: Target) -> Transpose | None:
    """Several accesses of a lane along the axis `read`, which share the arithmetic of their addresses; None
    if few elements leave lanes idle.
    """
    work = graph.work
    vector = min(widest_access(work), floor_power(number(written)))
    most_accesses = min(
        ACCESSES, SQUARE_BYTES // (vector * work.widest_element), work.share(target) // vector
    )
    across = _own(read, floor_power(max(1, most_accesses)))
    if across == 1 or not holds(work, across * vector):
        return None
    return Transpose(across, vector, GROUP_LANES // target.wave_size)


def _square(graph: Graph, read: Dim, written: Dim, target: Target) -> tuple[int, int]:
    """The elements of a lane along both axes."""
    params = [
        tensor_type(statement.result).element.bytes
        for statement in graph.module.statements
        if statement.op is PARAM
    ]
    stored = [tensor_type(value).element.bytes for value in graph.returns]
    across, vector = _own(read, WIDEST_ACCESS // min(params)), _own(written, WIDEST_ACCESS // min(stored))
    computes = any(statement.op.pointwise for statement in graph.module.statements)
    widest = max(*params, *stored, F32.bytes if computes else 1)
    most_elements = min(SQUARE_BYTES // widest, SHARE * max(1, graph.work.share(target)))
    while across * vector > max(1, most_elements) or not holds(graph.work, across * vector):
        if across * vector == 1:
            break
        across, vector = (_less(across), vector) if across >= vector else (across, _less(vector))
    return across, vector


def _own(size: Dim, access: int) -> int:
    """The elements of a lane along an axis: an access, or all of a short axis."""
    if isinstance(size, Size):
        return access
    return size if size <= access or (size < 2 * access and size % access) else access


def _less(own: int) -> int:
    """The next smaller power of two."""
    return floor_power(own - 1)


def _lanes_of_a_line(written: TensorType, target: Target) -> int:
    """The lanes along the input's memory. If they cannot fill lines on both sides, they read whole lines: a
    wave waits for its loads, and the cache puts the stores of waves together. An output that fits in no cache
    is written by whole lines.
    """
    span, size = written.span, written.element.bytes
    is_large = isinstance(span, int) and span * size > target.last_cache_bytes
    return target.wave_size // SEGMENT_LANES if is_large else SEGMENT_LANES


def _lanes(rows: Dim, columns: Dim, wave: int, even: int) -> int | None:
    """The lanes of a wave along `rows` of squares, if the others lie along `columns`: close to `even`, if
    they fill half of a line along both, and few have no square. None if no number is so.
    """
    counts = [1 << bit for bit in range(wave.bit_length())]
    counts = [count for count in counts if _fills(rows, count) and _fills(columns, wave // count)]
    if not isinstance(rows, Size) and not isinstance(columns, Size):
        squares = rows * columns * (SPARE + 1)
        counts = [count for count in counts if _taken(rows, columns, count, wave) * SPARE <= squares]
    return min(counts, key=lambda count: abs(count.bit_length() - even.bit_length()), default=None)


def _fills(squares: Dim, lanes: int) -> bool:
    """Whether lanes along an axis fill half of a line of the cache or have all squares, and few are idle."""
    if isinstance(squares, Size):
        return lanes >= LEAST_LANES
    return min(LEAST_LANES, ceil_power(squares)) <= lanes <= ceil_power(squares)


def _waves_of_a_line(columns: Dim, lanes: int) -> int:
    """The waves that fill a line together along `columns` of squares, if each has `lanes` lanes there; 1 if
    they would have all columns."""
    waves = max(1, SEGMENT_LANES // lanes)
    return waves if isinstance(columns, Size) or columns > lanes * waves else 1


def _taken(rows: int, columns: int, count: int, wave: int) -> int:
    """The lanes of the tiles, if `count` lanes of a wave lie along the rows."""
    return -(-rows // count) * -(-columns // (wave // count)) * wave
