"""The clocks of a matrix product by a tile. Those of outer products are in `product_outer`.

A workgroup waits for its trips (`product_trip`), and for its instructions, which it fetches once. Tiles
beyond the matrix cost time and give no results.
"""

from __future__ import annotations

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import QUAD, Contract
from asmgen.blockwise.schedules.choosing.product_estimate import Estimate, bent
from asmgen.blockwise.schedules.choosing.product_machine import START, Machine
from asmgen.blockwise.schedules.choosing.product_memory import clocks_of_memory, unevenness
from asmgen.blockwise.schedules.choosing.product_outer import (
    clocks_of_code,
    clocks_of_outer,
    clocks_of_pieces,
    is_short_outer,
)
from asmgen.blockwise.schedules.choosing.product_sums import has_many_sums
from asmgen.blockwise.schedules.choosing.product_tile import Shape, instructions_of, read_bytes, resident
from asmgen.blockwise.schedules.choosing.product_trip import (
    AHEAD,
    clocks_alone,
    clocks_to_reduce,
    issued_to_compute,
    outer_cost,
    overlaps,
    stored_and_read,
    trip_of,
    turns,
)
from isa.target import Target

# Instructions in which waves along k compute an element of a factor of bytes in memory, and of fewer bits
_UNPACKED_ALONG = (3.8, 5.5)
_COPIES_OF_COMPUTED = 2  # of the instructions in the code: in the loop, and in the last trip
# The part of the clocks that a workgroup alone waits, if others begin with it, in a long loop; in a single
# trip all of them. {512,512} by {512,512} turned of f16 on gfx942 takes 4,761 clocks with the tile that is
# chosen with 0.5 for any number of trips, 3,558 with that of fewer workgroups
_TOGETHER = 0.5
# The same of RDNA, for long loops. Fit with `_SWITCHED`, `_OUTSIDE`, `product_machine._START_OF_RDNA` and
# `product_memory._STORED` to 850 tiles of 78 products: most are estimated within 10 %, and the chosen tile
# takes 1.05 times the clocks of the best that was measured
_OF_WAITS = 0.45
# The same if units have many rounds of workgroups, and more for each wave of a workgroup: waves wait for each
# other at barriers, and a unit has fewer workgroups at once. In 65 launches of several rounds, the part is
# 0.6 with two waves, 0.7 with four, and 1.0 with eight. 2,048 cubed of f16 on gfx1201 takes 283,961 clocks
# with the tile of 128 by 128 that is chosen without it, 262,489 with 64 by 64
_OF_ROUNDS, _OF_BARRIERS = 0.37, 0.07
_CODE_OF_SLOTS = 4  # instructions in the code for each of a trip that has the slot in its address
# The part of the code that a wave of many sums waits for. Its products hide the fetch of instructions behind
# them (`isa.timing.machine`): 2,035 of 4,769 clocks are left in {512,64} by {64,512} of f16 on gfx1100
_AWAITED = 0.4
_SWITCHED = 1.5  # clocks of matrix units for an instruction of the vector ALU between matrix instructions
_OUTSIDE = 0.75  # the same for one outside the loop
_PARTLY = 2  # trips that overlap with fewer others, before the loop and after it
# Waves along k do not wait for each other, so that a part of the latency of a trip's loads is hidden. Few
# waves cannot keep LDS busy. Clocks of a workgroup besides, and those in which memory has nothing to do at
# its beginning and end, if it has a unit alone. Fit to 800 tiles of 120 products on all targets: two thirds
# are estimated within 8 % on gfx942 and gfx950, 12 % on gfx90a, 17 % on RDNA. Of 118 products on gfx942 and
# gfx950 the chosen tiles take 1.018 times the clocks of the best
_UNHIDDEN, _ALONE, _ENDS, _IDLE = 0.9, 3, 600, 2000
# Clocks of a workgroup with four lanes along k for the sums of each wave, and for each trip besides. Those in
# which memory has nothing to do, if a unit has several such workgroups at once. Of 24 products of 2 to 16
# rows on gfx942 and gfx950, the chosen tiles take 1.007 times the clocks of the best; of five on gfx90a 1.004
_QUAD_WAVE, _QUAD_TRIP, _QUAD_IDLE = 15, 20, 2000


def estimate_of(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> Estimate:
    """The clocks of a launch by a choice."""
    if rated is None:
        return clocks_of_outer(choice, shape, machine, target)
    if choice.quads:
        return _of_quads(choice, shape, machine, rated, target)
    if choice.along:
        return _of_waves_along(choice, shape, machine, rated, target)
    trip = trip_of(choice, shape, machine, rated, target)
    of_unit, together, steps, vector = trip.of_unit, trip.together, trip.steps, trip.vector
    alone = clocks_alone(choice, trip, shape, machine, rated, target)
    instructions = instructions_of(choice, rated, shape, target) + _CODE_OF_SLOTS * vector.slots
    lanes = choice.waves * target.wave_size
    instructions += _COPIES_OF_COMPUTED * issued_to_compute(choice, shape) / lanes
    awaited = _AWAITED if has_many_sums(choice, rated) else 1
    code, memory = awaited * instructions * machine.of_fetch, trip.memory
    reducing = clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    # the first loads arrive while instructions are fetched; on RDNA, waves issue loads later
    first = trip.arriving + code if machine.holds_others else max(trip.arriving, code)
    start = first + machine.start + reducing
    if overlaps(choice):
        start += _PARTLY * alone
    if not machine.holds_others:
        waits = _TOGETHER + (1 - _TOGETHER) / steps
        return Estimate(steps, of_unit, together, trip.busy, alone, memory, waits, start)
    of_rounds = _OF_ROUNDS + _OF_BARRIERS * choice.waves
    waits = _OF_WAITS + (of_rounds - _OF_WAITS) * (1 - together / of_unit)
    waits += max(0, 1 - waits) / steps
    issued = _SWITCHED * vector.of_trip + _OUTSIDE * vector.others / steps
    of_vector = issued * choice.waves / target.simds
    return Estimate(
        steps, of_unit, together, trip.busy, alone, memory, waits, start, code=code, vector=of_vector,
        stored=steps * trip.sent + trip.storing, follows=True,
    )  # fmt: skip


def _of_waves_along(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated, target: Target
) -> Estimate:
    """The clocks if waves lie along k. The first load and the last use of LDS, of a slice, are apart."""
    trip = trip_of(choice, shape, machine, rated, target)
    latency, lds = _UNHIDDEN * trip.latency, trip.stored + trip.read
    alone = max(trip.multiplied, bent(bent(trip.sent, latency), lds * _ALONE / choice.waves))
    of_element = _UNPACKED_ALONG[shape.packed < 1] * machine.of_element if shape.packed else 0
    unpacking = choice.n * choice.k * of_element
    alone += trip.computed + unpacking / min(choice.waves, target.simds)
    multiplying, of_lds, sent = trip.busy
    busy = multiplying + unpacking / target.simds, of_lds, sent
    code = instructions_of(choice, rated, shape, target) * machine.of_fetch
    reducing = clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    start = _ENDS + lds / (choice.slices or 1) + code + reducing
    memory = trip.memory + (_IDLE if trip.together == 1 else 0)
    return Estimate(trip.steps, trip.of_unit, trip.together, busy, alone, memory, 1, start)


def _of_quads(choice: Contract, shape: Shape, machine: Machine, rated: Rated, target: Target) -> Estimate:
    """The clocks if lanes read their factors without LDS. Loads under way have places in the first cache, so
    that a trip that reads more than its bytes takes several latencies. Of 60 tiles for 2 to 16 rows on CDNA,
    most are estimated within 15 %."""
    groups, of_unit, steps = turns(choice, shape, target)
    together = min(resident(choice, rated, shape, target), of_unit)
    read = sum(read_bytes(choice, shape))
    multiplied = QUAD * choice.m * choice.n * choice.k * machine.of_product
    arriving = max(read / machine.cache_rate, machine.shared_latency * read / machine.first_bytes)
    alone = max(multiplied / min(choice.waves, target.simds), arriving, machine.latency)
    if together == 1:  # memory has nothing to do at the beginning and at the end
        alone = max(
            alone, clocks_of_memory(choice, shape, machine, read, groups, target) / (of_unit * steps)
        )
    code = instructions_of(choice, rated, shape, target) * machine.of_fetch
    summing = _QUAD_WAVE * choice.waves + _QUAD_TRIP * steps
    reducing = clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    busy = multiplied / target.simds, 0, arriving
    memory = (shape.bytes + shape.result_bytes) / machine.memory_rate * unevenness(groups, target)
    memory += _QUAD_IDLE if together > 1 else 0
    # the loads of the first trip arrive before a trip; a single trip waits for its own
    start = code + START + summing + reducing + (machine.latency if steps > 1 else 0)
    return Estimate(steps, of_unit, together, busy, alone, memory, start=start)


def least_of_tile(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> float:
    """Clocks that the estimate of a tile does not undercut. They take a tenth of its time, since they need
    neither the registers of a lane nor the lines that a trip loads."""
    groups, of_unit, steps = turns(choice, shape, target)
    each = (1 if choice.by else outer_cost(choice, target)) * (QUAD if choice.quads else 1)
    multiplied = choice.m * choice.n * choice.k * machine.of_product * each
    ahead = max(AHEAD, (choice.stages or 1) - 1) if choice.copies or choice.slices else 1
    latency = (machine.least_latency if machine.holds_others else machine.shared_latency) / ahead
    busiest, of_trip = multiplied / target.simds, multiplied / min(choice.waves, target.simds)
    code = 0.0  # later workgroups find it
    if rated is not None and choice.along and not choice.quads:
        alone = steps * max(of_trip, _UNHIDDEN * latency) + _ENDS
    elif rated is not None:
        alone = steps * max(of_trip, latency) + machine.start + (0 if choice.along else latency)
    else:
        stored, read = stored_and_read(choice, None, shape, target)
        busiest = max(busiest, stored + read)
        alone = steps * (busiest if choice.along else max(of_trip + read, latency) + stored)
        if not choice.along and is_short_outer(shape, machine, target):
            alone += steps * clocks_of_pieces(choice)
            code = clocks_of_code(choice, target)
    together = min(of_unit, max(1, target.simds * target.max_waves // choice.waves))
    trips = max(of_unit * steps * busiest, of_unit // together * alone + code)
    moved = (shape.bytes + shape.result_bytes) / machine.memory_rate
    return bent(trips, moved * unevenness(groups, target))
