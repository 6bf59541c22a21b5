"""The bytes that a matrix product moves, and the clocks of memory and of the way from the caches for them."""

from __future__ import annotations

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_caches import Way, different, own_lines, way_of
from asmgen.blockwise.schedules.choosing.product_machine import Machine
from asmgen.blockwise.schedules.choosing.product_tile import (
    Shape,
    asked_bytes,
    kept_bytes,
    read_bytes,
    requests,
)
from isa.target import Target

_REQUESTS = (2, 1)  # a clock of a compute unit, without and with AGPRs (`isa.timing.coalescing`)
_LINE_BYTES = 128  # of the caches
# The part of the lines in which a row ends and another begins that trips read again, by whether a few
# compute units share a cache. With 0.5 on gfx1201, tiles of 777 cubed and of {1023,1027} by {1027,1025} are
# estimated at 0.86 of their clocks, and the chosen tiles take 1.10 times those of the best; 1.06 with 0.75
_AGAIN = {False: 0.75, True: 0.5}
_STORED = 0.75  # of the lines of results, which the caches take. Waves do not wait for them


def way_of_factors(choice: Contract, shape: Shape, machine: Machine, groups: int, target: Target) -> Way:
    """The way of the factors of a launch of so many workgroups."""
    if not machine.holds_others:
        return Way(machine.cache_rate, machine.latency)
    buffers, (first, second) = int(shape.bytes) + shape.result_bytes, shape.sizes
    results = shape.result_bytes * choice.m * choice.n / (shape.batch * shape.m * shape.n)
    used = (choice.m * first + choice.n * second) * shape.k + results
    return way_of(target, buffers, groups, groups * used / buffers, _REQUESTS[target.has_agprs])


def clocks_of_requests(choice: Contract, shape: Shape, target: Target) -> float:
    """The clocks in which a unit requests the lines of a trip."""
    rate = _REQUESTS[target.has_agprs] * target.compute_units // target.units
    return requests(choice, shape, target.wave_size) / rate


def clocks_to_store(choice: Contract, rated: Rated, rate: float) -> float:
    """The clocks of the way from the caches, at a rate in bytes a clock, for the results of a workgroup of
    RDNA: each row of a matrix instruction's results is stored by itself, a line of the caches."""
    stores = choice.m * choice.n * _LINE_BYTES / rated.by.sizes[1]
    return _STORED * stores / rate


def bytes_sent(
    choice: Contract, shape: Shape, machine: Machine, together: int, of_unit: int, target: Target
) -> float:
    """The bytes that a trip of a workgroup asks of the caches that units share. Workgroups of a unit find
    tiles of each other in its own cache, as far as that has room for all of them: {1024,1280} by {1280,2048}
    of f16 on gfx950 takes 13,954 clocks in tiles of 64 by 64, estimated at 14,600, and at 17,400 without."""
    is_fit = choice.copies and all(shape.along) and together == of_unit
    if not (machine.holds_others or is_fit):
        return asked_bytes(choice, shape, together, machine.first_bytes)
    if choice.along and not choice.by:
        return _sent_along(choice, shape, together, target)
    first, second = kept_bytes(choice, shape, _AGAIN[machine.is_shared_by_few])
    rows, columns = -(-shape.m // choice.m), -(-shape.n // choice.n)
    tiles = different(rows, columns, together, target.units)
    shared = (first * tiles.rows + second * tiles.columns) / together
    room = machine.first_bytes * target.compute_units / target.units
    kept = min(1, room / ((first + second) * together))
    return kept * shared + (1 - kept) * (first + second)


def _sent_along(choice: Contract, shape: Shape, together: int, target: Target) -> float:
    """The bytes that a trip of waves along k asks of the caches that units share. Each wave loads its own
    part of a row along k. The others find the line of it in the unit's own cache, if that has room for such
    rows: {64,2048} by {2048,640} of 4 matrices of f32 on gfx1201 takes 107 thousand clocks in parts of 64
    bytes, 207 in parts of 32. Rows that are a power of two apart have few places."""
    room = own_lines(target, shape.k * shape.element.bytes)
    sent = 0.0
    for lines, loaded, along, size in zip(
        (choice.m, choice.n), read_bytes(choice, shape), shape.along, shape.sizes, strict=True
    ):
        stays = lines * together * target.units <= room * target.compute_units
        of_waves = lines * choice.waves * max(_LINE_BYTES, choice.depth * size)
        sent += max(loaded, of_waves) if along and not stays else loaded
    return sent


def unevenness(groups: int, target: Target) -> float:
    """The part of memory's work that the unit with the most workgroups has, times the units that have any:
    those with fewer end earlier."""
    return -(-groups // target.units) * min(groups, target.units) / groups


def bytes_from_memory(choice: Contract, shape: Shape, machine: Machine) -> float:
    """The bytes of memory that a trip loads: whole lines, but the last cache of RDNA keeps those along k for
    the next trips. With such lines in every trip, the tiles that are chosen of 444 for 37 products on gfx1100
    take 1.047 times the clocks of the best, 1.043 without."""
    whole = read_bytes(choice, shape)
    if not machine.holds_others:
        return sum(whole)
    lines, sizes = (choice.m, choice.n), shape.sizes
    return sum(
        [
            min(read, lines[side] * choice.k * sizes[side]) if shape.along[side] else read
            for side, read in enumerate(whole)
        ]
    )


def clocks_of_memory(
    choice: Contract, shape: Shape, machine: Machine, loaded: float, groups: int, target: Target
) -> float:
    """The clocks of memory for the lines of all factors, of which a trip loads so many bytes, and for the
    results."""
    first, second = shape.sizes
    m, n = (min(choice.m, shape.m), min(choice.n, shape.n)) if choice.along else (choice.m, choice.n)
    of_lines = loaded / ((m * first + n * second) * choice.k)
    clocks = (of_lines * shape.bytes + shape.result_bytes) / machine.memory_rate
    return clocks * unevenness(groups, target)
