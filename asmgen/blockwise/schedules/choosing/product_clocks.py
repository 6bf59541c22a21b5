"""The clocks of a matrix product by a tile, from the numbers of the clock model (`isa.timing`).

A trip of a workgroup multiplies `k` products for each of its results. If a unit has many workgroups, their
trips take as long as the busiest part of it: the matrix units of its SIMDs, LDS, or the way from the caches.
Alone, a workgroup waits for its loads, a trip ahead, or reads from LDS and multiplies meanwhile; then it
stores to LDS. It also waits for its instructions, which it fetches once.
A launch takes as many turns as a unit has workgroups; tiles beyond the matrix cost time and give no results.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import MANY_PRODUCTS, PRODUCTS_READ, QUAD, Contract, lane_of
from asmgen.blockwise.schedules.choosing.product_caches import Way, different, own_lines, way_of
from asmgen.blockwise.schedules.choosing.product_code import Vector, others_of, vector_of
from asmgen.blockwise.schedules.choosing.product_sums import has_many_sums
from asmgen.blockwise.schedules.choosing.product_tile import (
    NARROW,
    USUAL_SUMS,
    WAVES_THAT_HIDE,
    Shape,
    asked_bytes,
    copies_of,
    has_few_results,
    has_wide_lanes,
    instructions_of,
    kept_bytes,
    lds_bytes,
    read_bytes,
    reduced_by_lane,
    requests,
    resident,
)
from asmgen.ir.types import computed
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target

_DUAL = (0.53, 0.6)  # instructions for a product of f32 with dual instructions, by the buffers: with two,
# the scheduler mixes the order in which most products have a partner
_INSTRUCTION_BYTES = 8
_FETCHED = 6  # clocks to fetch a lane's instructions for a product, in the loop and after it
_UNPACKED = 2.5  # instructions to compute an element of such a factor
# The same of waves along k, for elements of a byte in memory, and for those of fewer bits
_UNPACKED_ALONG = (3.8, 5.5)
# Instructions for each that an op of a computed factor counts; some are for two elements. Of 48 tiles of the
# factors softmax and gelu on four targets, 37 take 0.70 to 0.85 of the clocks that are estimated with 1
_OF_COMPUTED = 0.8
_COPIES_OF_COMPUTED = 2  # of the instructions in the code: in the loop, and in the last trip
_ACCESS_BYTES = 16
_LDS_BYTES = 128  # a clock, of a compute unit (`isa.lds_banks`: 16 bytes for each of 8 lanes of a phase)
_BANKS = 32  # of LDS that moves so many bytes
_REQUESTS = (2, 1)  # a clock of a compute unit, without and with AGPRs (`isa.timing.coalescing`)
_SHARPNESS = 4  # of the bend between memory and trips
# The part of the clocks that a workgroup alone waits, if others begin with it, in a long loop; in a single
# trip all of them. {512,512} by {512,512} turned of f16 on gfx942 takes 4,761 clocks with the tile that is
# chosen with 0.5 for any number of trips, 3,558 with that of fewer workgroups
_TOGETHER = 0.5
# The same of RDNA, for long loops. Fit with `_START_OF_RDNA`, `_STORED`, `_SWITCHED` and `_OUTSIDE` to 850
# tiles of 78 products: most are estimated within 10 %, and the chosen tile takes 1.05 times the clocks of the
# best that was measured
_OF_WAITS = 0.45
# The same if units have many rounds of workgroups, and more for each wave of a workgroup: waves wait for each
# other at barriers, and a unit has fewer workgroups at once. In 65 launches of several rounds, the part is
# 0.6 with two waves, 0.7 with four, and 1.0 with eight. 2,048 cubed of f16 on gfx1201 takes 283,961 clocks
# with the tile of 128 by 128 that is chosen without it, 262,489 with 64 by 64
_OF_ROUNDS, _OF_BARRIERS = 0.37, 0.07
_START, _START_OF_RDNA = 600, 400  # clocks of a workgroup before its first load and after its last trip
_WAITED = 0.25  # of the latency of a wave's instructions, which others of the wave hide
_LINE_BYTES = 128  # that a row of a matrix instruction's results takes, which RDNA stores by itself
_CODE_OF_SLOTS = 4  # instructions in the code for each of a trip that has the slot in its address
# The part of the code that a wave of many sums waits for. Its products hide the fetch of instructions behind
# them (`isa.timing.machine`): 2,035 of 4,769 clocks are left in {512,64} by {64,512} of f16 on gfx1100
_AWAITED = 0.4
# The part of the lines in which a row ends and another begins that trips read again, by whether a few
# compute units share a cache. With 0.5 on gfx1201, tiles of 777 cubed and of {1023,1027} by {1027,1025} are
# estimated at 0.86 of their clocks, and the chosen tiles take 1.10 times those of the best; 1.06 with 0.75
_AGAIN = {False: 0.75, True: 0.5}
_STORED = 0.75  # of these lines, which the caches take. Waves do not wait for them
# Outer products on RDNA that take at most `_LONG` clocks if all lanes multiply, fit to 100 tiles of six
# products: clocks of a workgroup for each `PRODUCTS_READ` products along k, divided by its waves, and less of
# every wave; for the first instructions; the part of a wait alone; and the part of multiply-adds that nothing
# hides. The tile of a longer product, such as 4,096 cubed, takes 0.7 times the clocks if it is chosen without
# them
_LONG = 120_000
_PIECE, _LESS, _CODE, _FIRST, _OUTER_TOGETHER, _OPEN = 500, 50, 1.4, 2500, 0.7, 0.2
# The part of multiply-adds that LDS waits for in longer launches, if waves wait for each other in each trip
# and a unit has few products. It is 0.24 to 0.74 for most of 30 tiles of six products on gfx1100 and gfx1201.
# 2,048 cubed on gfx1100 takes 1,072,950 clocks with the tile that is chosen without it, 866,148 with it
_BESIDE = 0.4
# Outer products of waves along k, fit to 460 tiles of 21 products on gfx1100 and gfx1201, most of them of few
# trips: two thirds are estimated within 12 %. Clocks of a wave for a trip, for each product along k and each
# of its multiply-adds, and for a trip of which some elements are masked; of a workgroup, whatever its trips,
# and for each sum of a lane; the part of a wait alone; and the clocks of a multiply-add, of those of dual
# instructions
_ALONG, _ALONG_READ, _ALONG_PRODUCT, _ALONG_MASKED = 8, 26, 0.5, 608
_ALONG_START, _ALONG_RESULT = 440, 21
_ALONG_TOGETHER, _ALONG_ISSUED = 0.63, 1.15
# The instructions that such a wave fetches: whatever its trips, and for a multiply-add of a trip, of which
# most are dual. The code has whole trips twice, in the loop and after it, and a trip that is masked
_ALONG_FIRST, _ALONG_CODE, _ALONG_COPIES = 130, 0.53, 2
_SWITCHED = 1.5  # clocks of matrix units for an instruction of the vector ALU between matrix instructions
_OUTSIDE = 0.75  # the same for one outside the loop
_BETWEEN = 1.05  # clocks for products if reads from LDS are between them: with a buffer, the barrier that
# frees it comes after the reads. 4,096 cubed of f16 on gfx1100 takes 2.98 million clocks, 3.11 with two
_LONE_TRIPS = 16  # in which workgroups are so far apart that the products of others are between these reads:
# {512,512} by {512,64} of 96 matrices on gfx1100 takes 70,084 clocks with two buffers, 74,298 with the tile
# of a single buffer
_AHEAD = 1.5  # trips for which copies of a loop with slices are under way
_SLICED = 45  # clocks of such a trip in which nothing is multiplied: two barriers and the branch
_STAGGERED = 10  # clocks of a trip of waves out of step in which nothing is multiplied
_AT_BARRIER = 2  # chains of LDS for which overlapping trips wait at a barrier: the stores, and the reads
_PARTLY = 2  # trips that overlap with fewer others, before the loop and after it
_STORING_WAVES = 2.5  # that store to LDS at its rate (`isa.timing.lds`: 20 clocks for 16 bytes a lane)
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
_REDUCED = 2  # instructions for an element that is reduced, with those of the function of it
_STEP = 2  # instructions in which lanes combine a result with that of another
_LONGER = 1.05  # clocks of a trip that latency limits, by those of its busiest part
PRODUCTS_LIMIT = "products"
_LIMITS = (PRODUCTS_LIMIT, "LDS", "the caches")  # the parts of a unit that `Estimate.busy` is of


class Machine(NamedTuple):
    """Numbers of the clock model: clocks for each product of a SIMD, and for each element of an instruction
    without matrices, bytes a clock of a unit from its own cache, from the cache that units share, and of all
    units from memory, the latency of a load from memory, the same if half of the loads find lines that
    another workgroup has loaded, the clocks for LDS and a barrier, for which a wave waits for an instruction,
    and to fetch it, whether matrix instructions keep others of the SIMD waiting, the bytes of a unit's own
    cache, the latency of the next level, and whether a few compute units share that."""

    of_product: float
    of_element: float
    first_rate: float
    cache_rate: float
    memory_rate: float
    latency: int
    shared_latency: float
    overhead: int
    of_result: float
    of_fetch: float
    holds_others: bool
    first_bytes: float
    least_latency: int
    is_shared_by_few: bool

    @property
    def start(self) -> int:
        """The clocks of a workgroup before its first load and after its last trip."""
        return _START_OF_RDNA if self.holds_others else _START

    @classmethod
    def of(cls, shape: Shape, target: Target, rated: Rated | None) -> Machine:
        from isa.timing.caches import CACHES
        from isa.timing.machine import MACHINES

        machine = MACHINES[target.name]
        caches = CACHES[target.name].with_buffers(int(shape.bytes) + shape.result_bytes)
        plain = machine.issue.clocks / target.wave_size
        of_product = plain if rated is None else rated.pace
        overhead = machine.lds_chain.clocks + machine.barrier.clocks
        units = target.compute_units / target.units
        first, of_unit = [level.rate.value * units for level in caches.vector[:2]]
        of_chip = caches.memory_rate.value * target.compute_units
        latency = caches.memory.clocks
        shared = (latency + caches.vector[-1].latency.clocks) / 2
        of_fetch = _INSTRUCTION_BYTES * machine.fetch.clocks / machine.fetched.clocks
        return cls(
            of_product, plain, first, of_unit, of_chip, latency, shared, overhead,
            _WAITED * machine.vector.clocks, of_fetch, machine.matrix_drain.clocks > 0,
            caches.vector[0].size.value, caches.vector[1].latency.clocks,
            1 < caches.vector[1].sharers.value < target.compute_units,
        )  # fmt: skip

    def left(self, groups: float) -> float:
        """How often the rate of the shared cache a unit has, if there are fewer workgroups than units: so
        many for each."""
        return max(1.0, min(self.first_rate / self.cache_rate, 1 / groups))


class Estimate(NamedTuple):
    """The clocks of a launch: of its trips, of memory for all factors, and the limit of a trip.

    `busy` are clocks of a workgroup's trip for each part of a unit."""

    steps: int  # trips of a workgroup
    of_unit: int  # workgroups of a unit
    together: int  # of these, that a unit has at once
    busy: tuple[float, float, float]  # matrix units or lanes, LDS, the way from the caches
    alone: float  # clocks of a trip of a single workgroup
    memory: float
    waits: float = 0  # part of the clocks that a workgroup alone waits, if others begin with it
    start: float = 0  # of a workgroup, before its first trip and after its last
    fetched: float = 0  # until the instructions are there, if all workgroups wait for them
    code: float = 0  # of `start`, until the instructions are there, if later workgroups find them
    vector: float = 0  # of a trip for other vector instructions, which matrix units wait for
    stored: float = 0  # of a workgroup for the caches, with its stores, which end after its waves
    follows: bool = False  # whether each workgroup begins when another ends

    @property
    def sent(self) -> float:
        """The clocks of a workgroup's trip for the way from the caches."""
        return self.busy[2]

    @property
    def clocks(self) -> float:
        """Near both limits, neither is reached."""
        return _bent(self._of_trips + self.fetched, self.memory)

    @property
    def _of_trips(self) -> float:
        """Workgroups that begin together wait together too, for a part of the wait of a workgroup alone.
        Others begin when these end, and a workgroup that begins last is alone at the end
        (`isa.timing.chip`)."""
        if self.follows:
            return max(self._of_rounds(), max(self._busiest, self.stored) * self.of_unit)
        waited = self.waits * max(0.0, self._alone - self._busiest)
        first = max(self._alone, self.together * self._busiest + (waited if self.together > 1 else 0.0))
        pace = max(self._busiest, self._alone / self.together)
        rounds, rest = divmod(self.of_unit - self.together, self.together)
        last = max(rest * pace, self._alone) if rest else 0.0
        return first + rounds * self.together * pace + last

    @property
    def steady(self) -> float:
        """The clocks of trips if no workgroup ends sooner after another than the busiest part of a unit
        allows; 0 if workgroups do not follow each other. Tells tiles apart if memory limits the launch."""
        return self._of_rounds(self._busiest) if self.follows else 0.0

    def _of_rounds(self, least: float = 0.0) -> float:
        """As in `isa.timing.chip`: each further workgroup adds as many clocks as those at once add to the
        first, at least as many as given."""
        alone, busy, together = self._alone, self._busiest + self.steps * self.vector, self.together
        waited = self.waits * max(0.0, alone - busy)
        first = max(alone, together * busy + (waited if together > 1 else 0.0))
        later = alone - self.code
        added = (first - alone) / (together - 1) if together > 1 else 0.0
        pace = max(added, later / together, least)
        rounds, rest = divmod(self.of_unit - together, together)
        return first + rounds * together * pace + (max(rest * pace, later) if rest else 0.0)

    @property
    def _busiest(self) -> float:
        return self.steps * max(self.busy)

    @property
    def _alone(self) -> float:
        return self.steps * self.alone + self.start

    @property
    def limit(self) -> str:
        busiest = self._busiest * self.of_unit
        if self.memory >= max(busiest, self._alone * self.of_unit / self.together):
            return "memory"
        waits = self.alone > _LONGER * max(self.busy) * self.together
        return "the latency of a trip" if waits else _LIMITS[self.busy.index(max(self.busy))]


def _bent(one: float, other: float, sharpness: int = _SHARPNESS) -> float:
    return (one**sharpness + other**sharpness) ** (1 / sharpness)


class _Trip(NamedTuple):
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


def estimate_of(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> Estimate:
    """The clocks of a launch by a choice."""
    if rated is None:
        return _of_outer(choice, shape, machine, target)
    if choice.quads:
        return _of_quads(choice, shape, machine, rated, target)
    if choice.along:
        return _of_waves_along(choice, shape, machine, rated, target)
    trip = _trip_of(choice, shape, machine, rated, target)
    of_unit, together, steps, vector = trip.of_unit, trip.together, trip.steps, trip.vector
    alone = _clocks_alone(choice, trip, shape, machine, rated, target)
    instructions = instructions_of(choice, rated, shape, target) + _CODE_OF_SLOTS * vector.slots
    lanes = choice.waves * target.wave_size
    instructions += _COPIES_OF_COMPUTED * _issued_to_compute(choice, shape) / lanes
    awaited = _AWAITED if has_many_sums(choice, rated) else 1
    code, memory = awaited * instructions * machine.of_fetch, trip.memory
    reducing = _clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    # the first loads arrive while instructions are fetched; on RDNA, waves issue loads later
    first = trip.arriving + code if machine.holds_others else max(trip.arriving, code)
    start = first + machine.start + reducing
    if _overlaps(choice):
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
    trip = _trip_of(choice, shape, machine, rated, target)
    latency, lds = _UNHIDDEN * trip.latency, trip.stored + trip.read
    alone = max(trip.multiplied, _bent(_bent(trip.sent, latency), lds * _ALONE / choice.waves))
    of_element = _UNPACKED_ALONG[shape.packed < 1] * machine.of_element if shape.packed else 0
    unpacking = choice.n * choice.k * of_element
    alone += trip.computed + unpacking / min(choice.waves, target.simds)
    multiplying, of_lds, sent = trip.busy
    busy = multiplying + unpacking / target.simds, of_lds, sent
    code = instructions_of(choice, rated, shape, target) * machine.of_fetch
    reducing = _clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    start = _ENDS + lds / (choice.slices or 1) + code + reducing
    memory = trip.memory + (_IDLE if trip.together == 1 else 0)
    return Estimate(trip.steps, trip.of_unit, trip.together, busy, alone, memory, 1, start)


def _of_outer(choice: Contract, shape: Shape, machine: Machine, target: Target) -> Estimate:
    """The clocks if lanes multiply without matrix instructions."""
    if choice.along:
        return _of_outer_along(choice, shape, machine, target)
    trip = _trip_of(choice, shape, machine, None, target)
    of_unit, together, steps = trip.of_unit, trip.together, trip.steps
    alone = _clocks_alone(choice, trip, shape, machine, None, target)
    reducing = _clocks_to_reduce(choice, shape, None, machine, target) if shape.reductions else 0
    if not _is_short_outer(shape, machine, target):
        start, fetched = alone + reducing, _fetched(choice, target)
        multiplied, lds, sent = trip.busy
        is_wide = prod(lane_of(choice, target)) > USUAL_SUMS
        has_open_waits = has_wide_lanes(shape, target) or not has_many_products(shape, target)
        if machine.holds_others and has_open_waits and not is_wide:
            lds += _BESIDE * multiplied
        busy = multiplied, lds, sent
        return Estimate(steps, of_unit, together, busy, alone, trip.memory, start=start, fetched=fetched)
    alone += _clocks_of_pieces(choice)
    first = _clocks_of_code(choice, target)
    start, of_vector = alone + reducing + first, _OPEN * trip.busy[0]
    return Estimate(
        steps, of_unit, together, trip.busy, alone, trip.memory, _OUTER_TOGETHER, start, code=first,
        vector=of_vector, follows=True,
    )  # fmt: skip


def _of_outer_along(choice: Contract, shape: Shape, machine: Machine, target: Target) -> Estimate:
    """The clocks if lanes multiply without matrix instructions, and waves lie along k."""
    trip, of_lane = _trip_of(choice, shape, machine, None, target), prod(lane_of(choice, target))
    steps, lds = trip.steps, trip.stored + trip.read
    whole, rest = divmod(shape.k, choice.k)
    of_wave = _ALONG + choice.depth * (_ALONG_READ + _ALONG_PRODUCT * of_lane)
    if rest:
        of_wave += _ALONG_MASKED / steps
    multiplied = _ALONG_ISSUED * trip.busy[0]
    alone = _bent(max(of_wave, multiplied, trip.arriving), lds, 2)
    summing = _clocks_to_sum(choice, shape, target)
    reducing = _clocks_to_reduce(choice, shape, None, machine, target) if shape.reductions else 0
    copies = min(whole, _ALONG_COPIES) + (rest > 0)
    code = (_ALONG_FIRST + _ALONG_CODE * copies * choice.depth * of_lane) * machine.of_fetch
    start = code + _ALONG_START + _ALONG_RESULT * of_lane + summing + reducing
    busy = multiplied, lds + summing / steps, trip.sent
    return Estimate(
        steps, trip.of_unit, trip.together, busy, alone, trip.memory, _ALONG_TOGETHER, start, code=code,
        follows=True,
    )  # fmt: skip


def _clocks_to_sum(choice: Contract, shape: Shape, target: Target) -> float:
    """The clocks of LDS in which waves along k store their sums and read those of others."""
    moved = 2 * choice.waves * choice.m * choice.n * computed(shape.element).bytes
    return moved / (_LDS_BYTES * target.compute_units // target.units)


def has_many_products(shape: Shape, target: Target) -> bool:
    """Whether a unit certainly has so many outer products that LDS alone binds the launch."""
    products = shape.batch * shape.m * shape.n * shape.k
    return shape.is_known and products >= MANY_PRODUCTS * target.units


def _is_short_outer(shape: Shape, machine: Machine, target: Target) -> bool:
    """Whether lanes multiply for so few clocks that pieces of a trip and the first instructions count."""
    return machine.holds_others and least_clocks(shape, machine, None, target) <= _LONG


def _clocks_of_pieces(choice: Contract) -> float:
    """The clocks between the pieces of a trip that a lane reads from LDS at a time."""
    pieces = -(-choice.k // PRODUCTS_READ)
    return pieces * max(0, _PIECE / choice.waves - _LESS) / choice.buffers


def _fetched(choice: Contract, target: Target) -> float:
    """The clocks in which the instructions of outer products are fetched."""
    return _FETCHED * choice.k * prod(lane_of(choice, target))


def _clocks_of_code(choice: Contract, target: Target) -> float:
    """The clocks until the first instructions of outer products are there."""
    return _CODE * _fetched(choice, target) + _FIRST


def _trip_of(choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target) -> _Trip:
    groups, of_unit, steps = _turns(choice, shape, target)
    together = min(resident(choice, rated, shape, target), of_unit)
    stored, read = _stored_and_read(choice, rated, shape, target)
    asked = requests(choice, shape, target.wave_size) / (
        _REQUESTS[target.has_agprs] * target.compute_units // target.units
    )
    way = _way(choice, shape, machine, groups, target)
    sent = _sent(choice, shape, machine, together, of_unit, target) / way.rate
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
    products = choice.m * choice.n * choice.k * (1 if choice.by else _outer_cost(choice, target))
    unpacked = _unpacking(choice, rated, machine) if choice.apart else 0
    computing = _issued_to_compute(choice, shape) * machine.of_element
    multiplying = (products * machine.of_product + choice.waves * unpacked) / target.simds
    if computing:
        multiplying = _with_computing(multiplying, computing, choice, rated, shape, machine, target)
    if choice.by and choice.buffers > 1 and machine.holds_others:
        multiplying *= 1 + (_BETWEEN - 1) * max(0, 1 - _LONE_TRIPS / steps)
    holding = rated if machine.holds_others else None
    stores = choice.m * choice.n * _LINE_BYTES / holding.by.sizes[1] if holding else 0
    multiplied = products * machine.of_product / min(choice.waves, target.simds)
    loaded = _from_memory(choice, shape, machine)
    return _Trip(
        of_unit, together, steps, multiplied, unpacked,
        computing / min(choice.waves, target.simds), stored, read, latency, sent, arriving,
        memory=_clocks_of_memory(choice, shape, machine, loaded, groups, target),
        vector=vector_of(choice, holding, shape, target) if holding else Vector(0, 0),
        busy=(multiplying, stored + read, sent),
        storing=_STORED * stores / way.rate,
    )  # fmt: skip


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


def _issued_to_compute(choice: Contract, shape: Shape) -> float:
    """The instructions of lanes that compute the factors of a trip as they load them."""
    return _OF_COMPUTED * (choice.m * shape.issues[0] + choice.n * shape.issues[1]) * choice.k


def _clocks_alone(
    choice: Contract, trip: _Trip, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> float:
    """The clocks of a trip of a workgroup that has a unit alone."""
    storing = 0 if choice.copies else trip.stored * max(1, _STORING_WAVES / choice.waves)
    computed = trip.computed
    if choice.staggered:  # one half of the waves reads and stores while the other multiplies
        arrival = max(trip.latency, trip.sent) if choice.copies else trip.latency + trip.sent
        waiting = max(trip.multiplied, trip.stored + trip.read + trip.computed / 2, arrival)
        storing, computed, waited = 0, 0, _STAGGERED * (2 if choice.copies else 1)
    elif choice.slices:  # read while others are multiplied; copies have a trip and a half
        waiting = max(trip.multiplied, (trip.latency + trip.sent) / _AHEAD)
        waited = _SLICED
    elif _overlaps(choice):
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


def _hidden(choice: Contract, trip: _Trip, shape: Shape, rated: Rated | None, target: Target) -> float:
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


def _overlaps(choice: Contract) -> bool:
    """Whether the compiler lets the trips of a product by matrix instructions overlap."""
    return choice.stages == 1 and not (choice.copies or choice.along)


def _stored_and_read(
    choice: Contract, rated: Rated | None, shape: Shape, target: Target
) -> tuple[float, float]:
    """The clocks of LDS for the stores of a trip, and for its loads."""
    rate = _LDS_BYTES * target.compute_units // target.units
    stored, read = lds_bytes(choice, rated, shape, target)
    return stored / rate, read / rate * _BANKS / target.lds_access(_ACCESS_BYTES, stores=False).banks


def least_clocks(shape: Shape, machine: Machine, rated: Rated | None, target: Target) -> float:
    """Clocks that no tile undercuts: those of the products, if all SIMDs multiply all the time."""
    is_dual = rated is None and table_of(target).duals
    each = machine.of_product * (min(_DUAL) if is_dual else 1)
    return shape.batch * shape.m * shape.n * shape.k * each / (target.simds * target.units)


def least_of_tile(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> float:
    """Clocks that the estimate of a tile does not undercut. They take a tenth of its time, since they need
    neither the registers of a lane nor the lines that a trip loads."""
    groups, of_unit, steps = _turns(choice, shape, target)
    each = (1 if choice.by else _outer_cost(choice, target)) * (QUAD if choice.quads else 1)
    multiplied = choice.m * choice.n * choice.k * machine.of_product * each
    ahead = max(_AHEAD, (choice.stages or 1) - 1) if choice.copies or choice.slices else 1
    latency = (machine.least_latency if machine.holds_others else machine.shared_latency) / ahead
    busiest, of_trip = multiplied / target.simds, multiplied / min(choice.waves, target.simds)
    code = 0.0  # later workgroups find it
    if rated is not None and choice.along and not choice.quads:
        alone = steps * max(of_trip, _UNHIDDEN * latency) + _ENDS
    elif rated is not None:
        alone = steps * max(of_trip, latency) + machine.start + (0 if choice.along else latency)
    else:
        stored, read = _stored_and_read(choice, None, shape, target)
        busiest = max(busiest, stored + read)
        alone = steps * (busiest if choice.along else max(of_trip + read, latency) + stored)
        if not choice.along and _is_short_outer(shape, machine, target):
            alone += steps * _clocks_of_pieces(choice)
            code = _clocks_of_code(choice, target)
    together = min(of_unit, max(1, target.simds * target.max_waves // choice.waves))
    trips = max(of_unit * steps * busiest, of_unit // together * alone + code)
    moved = (shape.bytes + shape.result_bytes) / machine.memory_rate
    return _bent(trips, moved * _unevenness(groups, target))


def _turns(choice: Contract, shape: Shape, target: Target) -> tuple[int, int, int]:
    """The workgroups of a launch, those of the unit with the most, and the trips of each."""
    groups = shape.batch * -(-shape.m // choice.m) * -(-shape.n // choice.n)
    return groups, -(-groups // target.units), -(-shape.k // choice.k)


def _of_quads(choice: Contract, shape: Shape, machine: Machine, rated: Rated, target: Target) -> Estimate:
    """The clocks if lanes read their factors without LDS. Loads under way have places in the first cache, so
    that a trip that reads more than its bytes takes several latencies. Of 60 tiles for 2 to 16 rows on CDNA,
    most are estimated within 15 %."""
    groups, of_unit, steps = _turns(choice, shape, target)
    together = min(resident(choice, rated, shape, target), of_unit)
    read = sum(read_bytes(choice, shape))
    multiplied = QUAD * choice.m * choice.n * choice.k * machine.of_product
    arriving = max(read / machine.cache_rate, machine.shared_latency * read / machine.first_bytes)
    alone = max(multiplied / min(choice.waves, target.simds), arriving, machine.latency)
    if together == 1:  # memory has nothing to do at the beginning and at the end
        alone = max(
            alone, _clocks_of_memory(choice, shape, machine, read, groups, target) / (of_unit * steps)
        )
    code = instructions_of(choice, rated, shape, target) * machine.of_fetch
    summing = _QUAD_WAVE * choice.waves + _QUAD_TRIP * steps
    reducing = _clocks_to_reduce(choice, shape, rated, machine, target) if shape.reductions else 0
    busy = multiplied / target.simds, 0, arriving
    memory = (shape.bytes + shape.result_bytes) / machine.memory_rate * _unevenness(groups, target)
    memory += _QUAD_IDLE if together > 1 else 0
    # the loads of the first trip arrive before a trip; a single trip waits for its own
    start = code + _START + summing + reducing + (machine.latency if steps > 1 else 0)
    return Estimate(steps, of_unit, together, busy, alone, memory, start=start)


def _way(choice: Contract, shape: Shape, machine: Machine, groups: int, target: Target) -> Way:
    """The way of the factors of a launch of so many workgroups."""
    if not machine.holds_others:
        return Way(machine.cache_rate, machine.latency)
    buffers, (first, second) = int(shape.bytes) + shape.result_bytes, shape.sizes
    results = shape.result_bytes * choice.m * choice.n / (shape.batch * shape.m * shape.n)
    used = (choice.m * first + choice.n * second) * shape.k + results
    return way_of(target, buffers, groups, groups * used / buffers, _REQUESTS[target.has_agprs])


def _sent(
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


def _unevenness(groups: int, target: Target) -> float:
    """The part of memory's work that the unit with the most workgroups has, times the units that have any:
    those with fewer end earlier."""
    return -(-groups // target.units) * min(groups, target.units) / groups


def _from_memory(choice: Contract, shape: Shape, machine: Machine) -> float:
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


def _clocks_of_memory(
    choice: Contract, shape: Shape, machine: Machine, loaded: float, groups: int, target: Target
) -> float:
    """The clocks of memory for the lines of all factors, of which a trip loads so many bytes, and for the
    results."""
    first, second = shape.sizes
    m, n = (min(choice.m, shape.m), min(choice.n, shape.n)) if choice.along else (choice.m, choice.n)
    of_lines = loaded / ((m * first + n * second) * choice.k)
    clocks = (of_lines * shape.bytes + shape.result_bytes) / machine.memory_rate
    return clocks * _unevenness(groups, target)


def _clocks_to_reduce(
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


def _outer_cost(choice: Contract, target: Target) -> float:
    """Instructions for a product of a lane."""
    return _DUAL[min(choice.buffers, len(_DUAL)) - 1] if table_of(target).duals else 1


def _unpacking(choice: Contract, rated: Rated | None, machine: Machine) -> float:
    """The clocks in which a wave computes its columns of the second factor. Lanes that multiply the same
    elements compute them all."""
    assert rated is not None, "an instruction multiplies factors that waves compute"
    b = rated.by.layouts[1]
    copies = copies_of(b)
    return choice.n * choice.k // choice.waves * copies * _UNPACKED * machine.of_element
