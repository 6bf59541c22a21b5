"""The clocks of a matrix product that lanes multiply without matrix instructions: outer products."""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choices import MANY_PRODUCTS, PRODUCTS_READ, Contract, lane_of
from asmgen.blockwise.schedules.choosing.product_estimate import Estimate, bent
from asmgen.blockwise.schedules.choosing.product_machine import Machine
from asmgen.blockwise.schedules.choosing.product_tile import USUAL_SUMS, Shape, has_wide_lanes
from asmgen.blockwise.schedules.choosing.product_trip import (
    clocks_alone,
    clocks_to_reduce,
    lds_rate,
    least_clocks,
    trip_of,
)
from asmgen.ir.types import computed
from isa.target import Target

_FETCHED = 6  # clocks to fetch a lane's instructions for a product, in the loop and after it
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


def clocks_of_outer(choice: Contract, shape: Shape, machine: Machine, target: Target) -> Estimate:
    """The clocks if lanes multiply without matrix instructions."""
    if choice.along:
        return _of_outer_along(choice, shape, machine, target)
    trip = trip_of(choice, shape, machine, None, target)
    of_unit, together, steps = trip.of_unit, trip.together, trip.steps
    alone = clocks_alone(choice, trip, shape, machine, None, target)
    reducing = clocks_to_reduce(choice, shape, None, machine, target) if shape.reductions else 0
    if not is_short_outer(shape, machine, target):
        start, fetched = alone + reducing, _fetched(choice, target)
        multiplied, lds, sent = trip.busy
        is_wide = prod(lane_of(choice, target)) > USUAL_SUMS
        has_open_waits = has_wide_lanes(shape, target) or not has_many_products(shape, target)
        if machine.holds_others and has_open_waits and not is_wide:
            lds += _BESIDE * multiplied
        busy = multiplied, lds, sent
        return Estimate(steps, of_unit, together, busy, alone, trip.memory, start=start, fetched=fetched)
    alone += clocks_of_pieces(choice)
    first = clocks_of_code(choice, target)
    start, of_vector = alone + reducing + first, _OPEN * trip.busy[0]
    return Estimate(
        steps, of_unit, together, trip.busy, alone, trip.memory, _OUTER_TOGETHER, start, code=first,
        vector=of_vector, follows=True,
    )  # fmt: skip


def _of_outer_along(choice: Contract, shape: Shape, machine: Machine, target: Target) -> Estimate:
    """The clocks if lanes multiply without matrix instructions, and waves lie along k."""
    trip, of_lane = trip_of(choice, shape, machine, None, target), prod(lane_of(choice, target))
    steps, lds = trip.steps, trip.stored + trip.read
    whole, rest = divmod(shape.k, choice.k)
    of_wave = _ALONG + choice.depth * (_ALONG_READ + _ALONG_PRODUCT * of_lane)
    if rest:
        of_wave += _ALONG_MASKED / steps
    multiplied = _ALONG_ISSUED * trip.busy[0]
    alone = bent(max(of_wave, multiplied, trip.arriving), lds, 2)
    summing = _clocks_to_sum(choice, shape, target)
    reducing = clocks_to_reduce(choice, shape, None, machine, target) if shape.reductions else 0
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
    return moved / lds_rate(target)


def has_many_products(shape: Shape, target: Target) -> bool:
    """Whether a unit certainly has so many outer products that LDS alone binds the launch."""
    products = shape.batch * shape.m * shape.n * shape.k
    return shape.is_known and products >= MANY_PRODUCTS * target.units


def is_short_outer(shape: Shape, machine: Machine, target: Target) -> bool:
    """Whether lanes multiply for so few clocks that pieces of a trip and the first instructions count."""
    return machine.holds_others and least_clocks(shape, machine, None, target) <= _LONG


def clocks_of_pieces(choice: Contract) -> float:
    """The clocks between the pieces of a trip that a lane reads from LDS at a time."""
    pieces = -(-choice.k // PRODUCTS_READ)
    return pieces * max(0, _PIECE / choice.waves - _LESS) / choice.buffers


def _fetched(choice: Contract, target: Target) -> float:
    """The clocks in which the instructions of outer products are fetched."""
    return _FETCHED * choice.k * prod(lane_of(choice, target))


def clocks_of_code(choice: Contract, target: Target) -> float:
    """The clocks until the first instructions of outer products are there."""
    return _CODE * _fetched(choice, target) + _FIRST
