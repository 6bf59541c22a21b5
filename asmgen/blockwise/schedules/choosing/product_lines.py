"""Whether the results of a product go through LDS, so that lanes store whole lines (`Contract.lines`).

The first cache takes a request for each 64 bytes that four lanes touch (`isa.timing.coalescing`). Lanes next
to each other have results of different rows, so each makes a request; through LDS, four lanes make a single
request.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.layout.layout import join
from asmgen.blockwise.matrix import Instruction, instruction
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_tile import Shape, lds_of
from asmgen.ir.types import BF16, ElementType, computed
from isa.table import table_of
from isa.target import WIDEST_ACCESS, Target

_REQUEST_BYTES = 64
_LDS_BYTES = 128  # a clock, for the stores and for the loads
# Clocks of the barriers, the way through LDS, and the code. If they did not count, products of small tiles
# would take 1.007 to 1.09 times their clocks on gfx942 and gfx950
_FIXED = 700
_LEVELS = 2  # of caches without such a cache
_FEWER = 0.87  # of the clocks of stores; 7,168 by 16 of f16 on gfx950 lose 0.6 % at 0.89


def with_lines(choice: Contract, shape: Shape, target: Target) -> Contract:
    """The choice, with results through LDS if the stores of a unit then take fewer clocks."""
    by = instruction(choice.by, target) if choice.by else None
    size = shape.stored or computed(shape.element).bytes
    if by is None or not target.has_agprs or choice.along or choice.apart or shape.reductions:
        return choice
    tile = choice.m * choice.n * size
    has_halves = choice.staggered and choice.copies
    if not (_rounds_at_once(shape.element, target) and _is_cached(target)):
        return choice
    if has_halves or tile > lds_of(choice, shape.element, shape.has_powers, target) or shape.has_powers:
        return choice
    wide = shape.wide(choice)
    groups = shape.batch * -(-shape.m // wide.m) * -(-shape.n // wide.n)
    stored = wide.m * wide.n * size * -(-groups // target.units)  # of a unit
    lines = stored * (1 / _REQUEST_BYTES + 2 / _LDS_BYTES) + _FIXED
    return replace(choice, lines=1) if lines < _FEWER * stored / _bytes_of_lane(by, size) else choice


def _is_cached(target: Target) -> bool:
    """Whether a cache is between L2 and memory. Memory binds the stores of gfx90a, which has none: 10 of 16
    products take 1 to 1.014 times their clocks."""
    from isa.timing.caches import CACHES

    return len(CACHES[target.name].vector) > _LEVELS


def _rounds_at_once(element: ElementType, target: Target) -> bool:
    """Whether an instruction rounds sums. Otherwise the registers of the instructions that do, and those of
    addresses in LDS, leave no room for overlapping trips: 8 matrices of {1024,k} by {k,2048} of bf16 take
    101,107 clocks on gfx942, 76,986 with their own stores."""
    return element is not BF16 or table_of(target).rounds_to_bf16 is not None


def _bytes_of_lane(by: Instruction, size: int) -> int:
    """The bytes that a lane stores together at most: adjacent results of a row, of two tiles of c."""
    c, run = by.turned or by.layouts[2], 1
    while join((0, run), c.sizes) in c.registers:
        run *= 2
    return min(WIDEST_ACCESS, 2 * run * size) if run > 1 else size
