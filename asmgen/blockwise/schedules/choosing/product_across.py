"""Products in parts along k, and the clocks to add the parts up.

* A launch stores the parts of each result, and another adds them up.
* Several workgroups have a part of the same tile (`Contract.parts`). The last of them waits for its stores
  and for the count, and reads the tiles of all parts: fewer clocks than those of another launch.
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.ir.types import computed
from isa.target import Target

PARTS = (2, 4, 8, 16, 32, 64, 128)
# Products have parts if the estimate is at most this share of the clocks without parts: {64,4096} by
# {4096,14336} of f16 on gfx942 is estimated at 0.97 in four parts, and takes 53,428 clocks, 47,594 without
GAIN = 0.95
# The same if waves lie along k with parts and without, as both estimates have the same error then. Of 30
# products on gfx942 and gfx950 that are estimated at 0.95 to 1.06, the ten below 0.985 take 0.71 to 1.00 of
# the clocks, and most others more. {64,14336} by {14336,4096} of f16 on gfx950 takes 41,004 clocks in two
# parts, 44,610 without; {48,14336} by {14336,4096} on gfx942 is estimated at 0.99, and takes 1.05
GAIN_ALONG = 0.98
# Clocks of the last workgroup for its code, which no workgroup has executed before, and for its instructions:
# 600 of 2,640 in the tail of {64,4096} by {4096,1024} of f16 on gfx950. 1,000 more are for the error of the
# estimates: 512 cubed of f32 on gfx950 would take 10,668 clocks in four parts, 9,974 without
_CODE = 1600
_SUM_BYTES = 4  # of f32 and i32
# Bytes of the sums of all parts, by those of the factors, at most. {4096,4096} by {4096,1024} of f16 on
# gfx950 takes 61,603 clocks in two parts, with 0.8 of the bytes, and 62,607 without parts. Few bytes of sums
# stay in the last cache: {128,512} by {512,512} of f32 on gfx942 takes 6,031 clocks in eight parts, 11,384
# without; {512,2048} by {2048,512} of f16 11,671 in four, 17,892 without. Of 20 such products, 18 take 0.53
# to 0.97 of the clocks, and two of f32 on gfx90a, which were in fewer parts, 1.07 and 1.18.
_OF_FACTORS, _FEW_SUMS = 0.25, 4 << 20


def may_cross(shape: Shape) -> bool:
    """Whether workgroups may have parts of k of these products (`misfit`). The estimates do not tell products
    that share a factor apart: queries, keys and values of 8 tokens on gfx942 are estimated at 25,184 clocks
    in a launch without parts, which takes 20,061, and at 23,770 in four parts, which take 31,219."""
    is_plain = not (shape.block or shape.has_powers or shape.packed or shape.reductions or shape.is_joint)
    is_plain = is_plain and computed(shape.element).bytes == _SUM_BYTES
    return is_plain and shape.batch == 1 and shape.is_known and shape.is_k_known


def part_of(shape: Shape, parts: int) -> Shape | None:
    """The shape of each part, as matrices of a batch; None if the parts differ, or if their sums take too
    much memory."""
    sums = parts * shape.m * shape.n * _SUM_BYTES
    if shape.k % parts or sums > max(_OF_FACTORS * shape.bytes, _FEW_SUMS):
        return None
    return shape._replace(batch=parts, k=shape.k // parts, stored=0)


def crosses(choice: Contract, part: Shape) -> bool:
    """Whether workgroups by a choice may have parts of this shape."""
    return not (choice.lines or choice.apart or choice.staggered) and part.k % choice.k == 0


def gain_of(whole: Contract, part: Contract, target: Target) -> float:
    """The most of the clocks by a choice that parts by another may take."""
    return GAIN_ALONG if whole.along and part.along and target.has_agprs else GAIN


def clocks_to_cross(wide: Contract, parts: int, groups: int, target: Target) -> float:
    """The clocks of the last workgroup from its own sums to those of all parts, if `wide` is the tile of all
    products and a launch has so many workgroups: of a store, of the count and of a load from the last cache,
    and of the words on their way, to it or to all workgroups of the launch."""
    from isa.timing.caches import CACHES

    caches = CACHES[target.name]
    last = caches.vector[-1]
    tile = wide.m * wide.n * _SUM_BYTES
    rate = last.rate.value * target.compute_units / min(groups, target.units)
    read = max(parts * tile / rate, groups * tile / (caches.resident_rate.value * target.compute_units))
    return 2 * caches.store.clocks + last.latency.clocks + read + _CODE


def clocks_to_add(shape: Shape, parts: int, target: Target) -> float:
    """The clocks of a launch that adds up the parts of each result, which the first launch has stored."""
    from isa.timing.caches import CACHES
    from isa.timing.chips import CHIPS

    start = CHIPS[target.name].launch_clocks
    moved = 2 * parts * shape.batch * shape.m * shape.n * computed(shape.element).bytes
    rate = CACHES[target.name].with_buffers(moved).memory_rate.value
    return start + moved / (rate * target.compute_units)
