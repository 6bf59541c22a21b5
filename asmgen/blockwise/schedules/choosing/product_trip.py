"""The clocks of a trip of a workgroup, which multiplies `k` products for each of its results.

Alone, a workgroup waits for its loads, a trip ahead, or reads from LDS and multiplies meanwhile; then it
stores to LDS.
"""

from __future__ import annotations

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_code import Vector, others_of, vector_of
from asmgen.blockwise.schedules.choosing.product_machine import Machine
from asmgen.blockwise.schedules.choosing.product_memory import (
    bytes_from_memory,
    bytes_sent,
    clocks_of_memory,
    clocks_of_requests,
    clocks_to_store,
    way_of_factors,
)
from asmgen.blockwise.schedules.choosing.product_tile import (
    NARROW,
    WAVES_THAT_HIDE,
    Shape,
    copies_of,
    has_few_results,
    lds_bytes,
    reduced_by_lane,
    resident,
)
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target

_DUAL = (0.53, 0.6)  # instructions for a product of f32 with dual instructions, by the buffers: with two,
# the scheduler mixes the order in which most products have a partner
_UNPACKED = 2.5  # instructions to compute an element of a factor that a wave multiplies itself
# Instructions for each that an op of a computed factor counts; some are for two elements. Of 48 tiles of the
# factors softmax and gelu on four targets, 37 take 0.70 to 0.85 of the clocks that are estimated with 1
_OF_COMPUTED = 0.8
_ACCESS_BYTES = 16
_LDS_BYTES = 128  # a clock, of a compute unit (`isa.lds_banks`: 16 bytes for each of 8 lanes of a phase)
_BANKS = 32  # of LDS that moves so many bytes
_BETWEEN = 1.05  # clocks for products if reads from LDS are between them: with a buffer, the barrier that
# frees it comes after the reads. 4,096 cubed of f16 on gfx1100 takes 2.98 million clocks, 3.11 with two
_LONE_TRIPS = 16  # in which workgroups are so far apart that the products of others are between these reads:
# {512,512} by {512,64} of 96 matrices on gfx1100 takes 70,084 clocks with two buffers, 74,298 with the tile
# of a single buffer
AHEAD = 1.5  # trips for which copies of a loop with slices are under way
_SLICED = 45  # clocks of such a trip in which nothing is multiplied: two barriers and the branch
_STAGGERED = 10  # clocks of a trip of waves out of step in which nothing is multiplied
_AT_BARRIER = 2  # chains of LDS for which overlapping trips wait at a barrier: the stores, and the reads
_STORING_WAVES = 2.5  # that store to LDS at its rate (`isa.timing.lds`: 20 clocks for 16 bytes a lane)
_REDUCED = 2  # instructions for an element that is reduced, with those of the function of it
_STEP = 2  # instructions in which lanes combine a result with that of another


class Trip(NamedTuple):
    """A trip of a workgroup: how many there are, and its clocks."""

    of_unit: int  # workgroups of the unit with the most
    together: int  # of these, that a unit has at once
    steps: int  # trips of a workgroup
    multiplied: float  # of the SIMDs that have waves of the workgroup
    unpacked: float  # in which a wave computes factors that it multiplies itself
    computed: float  # of the SIMDs that have waves of the workgroup, which compute factors as they load them
    stored: float  # of LDS, for stores
    read: float  # of LDS, for loads
    latency: float  # of a load
    sent: float  # of the way from the caches
    arriving: float  # until the loads are there
    memory: float  # of the launch
    vector: Vector  # instructions between matrix instructions
    busy: tuple[float, float, float]  # as in `Estimate`
    storing: float  # of the way from the caches, for the results of a workgroup


def trip_of(choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target) -> Trip:
    groups, of_unit, steps = turns(choice, shape, target)
    together = min(resident(choice, rated, shape, target), of_unit)
    stored, read = stored_and_read(choice, rated, shape, target)
    asked = clocks_of_requests(choice, shape, target)
    way = way_of_factors(choice, shape, machine, groups, target)
    sent = bytes_sent(choice, shape, machine, together, of_unit, target) / way.rate
    if choice.along:
        sent = max(asked, sent) / machine.left(groups / target.units)
    elif machine.holds_others or choice.staggered or choice.slices:
        sent = max(asked, sent)
    else:
        sent = max(asked, sent / machine.left(groups / target.units))
    is_narrow = min(shape.m, shape.n) <= NARROW
    is_few = rated is not None and not is_narrow and has_few_results(shape, rated, target)
    latency = machine.shared_latency if (is_few or choice.along) and not machine.holds_others else way.latency
    has_pairs = choice.copies and choice.waves > target.simds  # of waves, which hide each other's waits
    is_apart = is_narrow or (together == 1 and not (is_few or has_pairs))
    arriving = _clocks_of_loads(choice, latency, sent, is_apart and not choice.along)
    products = choice.m * choice.n * choice.k * (1 if choice.by else outer_cost(choice, target))
    unpacked = _unpacking(choice, rated, machine) if choice.apart else 0
    computing = issued_to_compute(choice, shape) * machine.of_element
    multiplying = (products * machine.of_product + choice.waves * unpacked) / target.simds
    if computing:
        multiplying = _with_computing(multiplying, computing, choice, rated, shape, machine, target)
    if choice.by and choice.buffers > 1 and machine.holds_others:
        multiplying *= 1 + (_BETWEEN - 1) * max(0, 1 - _LONE_TRIPS / steps)
    holding = rated if machine.holds_others else None
    multiplied = products * machine.of_product / min(choice.waves, target.simds)
    loaded = bytes_from_memory(choice, shape, machine)
    return Trip(
        of_unit, together, steps, multiplied, unpacked,
        computing / min(choice.waves, target.simds), stored, read, latency, sent, arriving,
        memory=clocks_of_memory(choice, shape, machine, loaded, groups, target),
        vector=vector_of(choice, holding, shape, target) if holding else Vector(0, 0),
        busy=(multiplying, stored + read, sent),
        storing=clocks_to_store(choice, holding, way.rate) if holding else 0,
    )  # fmt: skip


def turns(choice: Contract, shape: Shape, target: Target) -> tuple[int, int, int]:
    """The workgroups of a launch, those of the unit with the most, and the trips of each."""
    groups = shape.batch * -(-shape.m // choice.m) * -(-shape.n // choice.n)
    return groups, -(-groups // target.units), -(-shape.k // choice.k)


def _with_computing(
    multiplying: float, computing: float, choice: Contract, rated: Rated | None, shape: Shape,
    machine: Machine, target: Target,
) -> float:  # fmt: skip
    """The clocks of a trip if waves also compute factors. On CDNA, the trip's other instructions run beside
    the matrix instructions."""
    others = others_of(choice, rated, shape, target) * machine.of_element * target.wave_size
    others *= choice.waves / target.simds
    beside = multiplying + others if machine.holds_others else max(multiplying, others)
    return computing / target.simds + beside


def issued_to_compute(choice: Contract, shape: Shape) -> float:
    """The instructions of lanes that compute the factors of a trip as they load them."""
    return _OF_COMPUTED * (choice.m * shape.issues[0] + choice.n * shape.issues[1]) * choice.k


def clocks_alone(
    choice: Contract, trip: Trip, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> float:
    """The clocks of a trip of a workgroup that has a unit alone."""
    storing = 0 if choice.copies else trip.stored * max(1, _STORING_WAVES / choice.waves)
    computed = trip.computed
    if choice.staggered:  # one half of the waves reads and stores while the other multiplies
        arrival = max(trip.latency, trip.sent) if choice.copies else trip.latency + trip.sent
        waiting = max(trip.multiplied, trip.stored + trip.read + trip.computed / 2, arrival)
        storing, computed, waited = 0, 0, _STAGGERED * (2 if choice.copies else 1)
    elif choice.slices:  # read while others are multiplied; copies have a trip and a half
        waiting = max(trip.multiplied, (trip.latency + trip.sent) / AHEAD)
        waited = _SLICED
    elif overlaps(choice):
        waiting = max(trip.multiplied, trip.stored + trip.read, trip.latency, trip.sent)
        storing, waited = 0, max(1, 3 - choice.buffers) * _AT_BARRIER * machine.overhead
    else:
        others = others_of(choice, rated, shape, target) * machine.of_result
        hides = choice.copies and choice.waves >= WAVES_THAT_HIDE * target.simds
        read = trip.read - _hidden(choice, trip, shape, rated, target)
        reading = max(trip.multiplied, read) if hides else trip.multiplied + read
        waiting = max(trip.arriving, reading + others)
        if trip.together == 1:  # memory has nothing to do while the workgroup stores to LDS
            waiting = max(waiting, trip.memory / (trip.of_unit * trip.steps))
        waited = max(1, 3 - choice.buffers) * machine.overhead  # at its barriers
    vector = trip.vector.of_trip * max(1, choice.waves / target.simds)
    return waiting + trip.unpacked + computed + storing + waited + vector


def _hidden(choice: Contract, trip: Trip, shape: Shape, rated: Rated | None, target: Target) -> float:
    """The clocks of a trip in which waves of RDNA 3 read from LDS while others of their SIMDs multiply, if
    they put elements side by side between two buffers, and workgroups follow each other. {512,512} by
    {512,64} of 96 matrices of f16 on gfx1100 takes 70,533 clocks with eight waves, 73,839 with four;
    {3072,768} by {768,768} takes 79,522 and 86,012. Without elements to put side by side, eight waves take up
    to 1.04 times the clocks of four."""
    if rated is None or choice.buffers == 1 or all(shape.along) or trip.of_unit <= trip.together:
        return 0
    if copies_of(rated.by.layouts[1]) == 1:
        return 0
    return trip.read * max(0, 1 - target.simds / choice.waves)


def overlaps(choice: Contract) -> bool:
    """Whether the compiler lets the trips of a product by matrix instructions overlap."""
    return choice.stages == 1 and not (choice.copies or choice.along)


def lds_rate(target: Target) -> int:
    """The bytes of LDS that a unit stores in a clock."""
    return _LDS_BYTES * target.compute_units // target.units


def stored_and_read(
    choice: Contract, rated: Rated | None, shape: Shape, target: Target
) -> tuple[float, float]:
    """The clocks of LDS for the stores of a trip, and for its loads."""
    rate = lds_rate(target)
    stored, read = lds_bytes(choice, rated, shape, target)
    return stored / rate, read / rate * _BANKS / target.lds_access(_ACCESS_BYTES, stores=False).banks


def clocks_to_reduce(
    choice: Contract, shape: Shape, rated: Rated | None, machine: Machine, target: Target
) -> float:
    """The clocks in which a workgroup reduces the rows or columns of its tile: a lane its own elements, then
    lanes in steps, then waves through LDS."""
    results, steps = reduced_by_lane(choice, rated, shape, target)
    issued = _REDUCED * choice.m * choice.n / target.wave_size + _STEP * results * steps * choice.waves
    exchanging = machine.overhead if shape.exchanges or choice.along else 0
    return shape.reductions * (issued / target.simds * machine.of_element * target.wave_size + exchanging)


def _clocks_of_loads(choice: Contract, latency: float, sent: float, is_apart: bool) -> float:
    """The clocks until the loads of a trip are there. `is_apart`: no products of others hide their way."""
    latency /= choice.stages - 1 if choice.copies and choice.stages else 1
    return latency + sent if is_apart else max(latency, sent)


def outer_cost(choice: Contract, target: Target) -> float:
    """Instructions for a product of a lane."""
    return _DUAL[min(choice.buffers, len(_DUAL)) - 1] if table_of(target).duals else 1


def least_clocks(shape: Shape, machine: Machine, rated: Rated | None, target: Target) -> float:
    """Clocks that no tile undercuts: those of the products, if all SIMDs multiply all the time."""
    is_dual = rated is None and table_of(target).duals
    each = machine.of_product * (min(_DUAL) if is_dual else 1)
    return shape.batch * shape.m * shape.n * shape.k * each / (target.simds * target.units)


def _unpacking(choice: Contract, rated: Rated | None, machine: Machine) -> float:
    """The clocks in which a wave computes its columns of the second factor. Lanes that multiply the same
    elements compute them all."""
    assert rated is not None, "an instruction multiplies factors that waves compute"
    b = rated.by.layouts[1]
    copies = copies_of(b)
    return choice.n * choice.k // choice.waves * copies * _UNPACKED * machine.of_element
