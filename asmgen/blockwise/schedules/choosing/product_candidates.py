"""The tiles that fit a matrix product: in LDS, in the registers of a lane, and among its rows and columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from asmgen.blockwise.matrix import Rated, largest
from asmgen.blockwise.schedules.choices import BLOCK, QUAD, STAGGERED_TRIPS, Contract
from asmgen.blockwise.schedules.choosing.product_sums import tiles_of_many_sums
from asmgen.blockwise.schedules.choosing.product_tile import (
    NARROW,
    WAVES_THAT_HIDE,
    WIDE_TILE,
    Shape,
    copies_of,
    exchanged_bytes,
    has_few_results,
    has_length,
    has_wide_lanes,
    held_type,
    lane_registers,
    lds_of,
    registers_of,
    shares_lds,
    taken_registers,
)
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES
from isa.target import Target

_LARGEST = 256  # rows and columns of a tile
ROW_BYTES = (64, 128)  # of a tile along k, so that its loads are of whole lines
_LONG_ROW_BYTES = (256, 512)  # if few bytes are under way, or few results leave trips that wait
_BUFFERS = (1, 2)
COPIED = 16  # bytes of a lane's copy straight to LDS
_SLOTS = 3  # of LDS for copies: they run two trips ahead, which covers the latency of a short trip
_SLICES = 2  # of a trip along k
_MOST_SLOTS = 4  # of four waves for each SIMD: more slots gain nothing
# The clocks of a product for each byte of an element, from which short trips of large tiles suffice, and are
# half of the code: 4,096 cubed of f32 on gfx950 takes 2,119,679 clocks in trips of 16, 2,121,272 in trips of
# 32, and 2,141,936 in slices. {8192,1024} by {1024,2048} takes 546,790 and 561,727
_SLOW = 1 / 200
_SHARED = (64, 128)  # rows and columns of tiles with four waves for each SIMD
_HALF = _LARGEST // 2
_FILLED = 0.75  # of the compute units; if fewer have such a tile, smaller tiles keep more of them busy
# Trips that overlap, by whether elements along k are neighbours in memory in both factors
_OVERLAPPING_TRIPS = {True: 48, False: 16}
_LEAST_TRIPS = 8  # of a loop with slices, that pay for its long beginning and end
_PACKED_DEPTHS = (64, 128, 256)  # products along k of a trip with a factor that is computed
_DEEP_LDS = 128 * 1024  # bytes of a unit that has room for long trips of computed factors too
_QUAD_ROWS, _QUAD_COLUMNS = 16, (4, 8, 16)  # of products with four lanes along k
_QUAD_BYTES = (256, 512, 1024)  # of a row in a trip of a wave: 16 for each lane of the row, or several times
_OUTER_LINES = (8, 16, 32, 64, 128)  # rows and columns of outer products with waves along k
_OUTER_DEPTHS = (4, 8, 16)  # products along k of a wave's trip
_OUTER_SUMS = (8, 64)  # of a lane
_OUTER_WAVES = (1 / 2, 4)  # for each SIMD, at least and at most
_OUTER_PRODUCTS = 512  # of a lane's trip: more take longer to fetch, and the registers of loads
_PLAIN_ROWS = (8, 16, 32)  # products along k of a trip without matrix instructions


def tiles_of(shape: Shape, target: Target, rated: Rated | None) -> Iterator[Contract]:
    """The tiles that fit a product, with the matrix instruction `rated`, if any."""
    for choice in _all_tiles(shape, target, rated):
        if not shape.joined or (choice.reads_parts and shape.joined % choice.n == 0):
            yield choice


def _all_tiles(shape: Shape, target: Target, rated: Rated | None) -> Iterator[Contract]:
    if shape.packed and rated is not None:
        yield from _packed_tiles(shape, target, rated)
        if _lies_along(shape, target):
            yield from _tiles_along_k(shape, target, rated)
        return
    least = least_of(rated)
    name = rated.by.name if rated is not None else ""
    for k in _depths(rated, shape, target):
        for m in _powers(least[0], shape.m // shape.beside[0]):
            for n in _powers(least[1], shape.n // shape.beside[1]):
                for waves in _powers(1, GROUP_LANES // target.wave_size):
                    for buffers in _BUFFERS:
                        choice = Contract(m, n, k, waves, buffers, name)
                        if _fits(choice, rated, shape, target):
                            yield choice
                    for slots in (_SLOTS, *_BUFFERS[1:]) if shape.has_powers else (_SLOTS,):
                        choice = Contract(m, n, k, waves, slots, name, slots, copies=COPIED)
                        if shape.is_copied and name and _fits(choice, rated, shape, target):
                            yield choice
    if shape.has_powers:
        return
    if rated is None and not (target.has_agprs or shape.packed or shape.block or any(shape.loaded)):
        yield from _outer_tiles_along_k(shape, target)
        yield from _outer_tiles_of_wide_lanes(shape, target)
    if rated is not None and not target.has_agprs:
        yield from tiles_of_many_sums(shape, rated)
    if shape.is_copied and rated is not None:
        yield from _sliced_tiles(shape, target, rated)
        yield from _shared_tiles(shape, target, rated)
    if rated is not None and target.has_agprs:
        if shape.is_k_known:
            yield from _staggered_tiles(shape, target, rated)
        yield from _overlapping_tiles(shape, target)
    if rated is not None and _lies_along(shape, target):
        yield from _tiles_along_k(shape, target, rated)
    if rated is not None and target.has_agprs and shape.can_lie_along and shape.m <= _QUAD_ROWS:
        yield from _tiles_in_quads(shape, target, rated)


def _sliced_tiles(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Large tiles of a workgroup that has a compute unit alone. Slices of their factors are read while others
    are multiplied. Large instructions are few, so that a wave waits less between them: {4000,4096} by
    {4096,4000} of f16 on gfx950 takes 152,256 clocks, 155,677 by the smallest."""
    rows, columns = [_LARGEST // count for count in shape.beside]
    if rows & rows - 1 or columns & columns - 1:  # of three products
        return
    if _are_slow(rated, shape):
        return
    for k in _depths(rated, shape, target):
        for each in (largest(shape.element, target, shape.rounds) or rated, rated):
            choice = Contract(
                rows, columns, k, target.simds, 2, each.by.name, 2, copies=COPIED, slices=_SLICES
            )
            is_large = min(shape.m, shape.n) > _HALF and shape.k >= _LEAST_TRIPS * k
            if is_large and k // _SLICES % each.by.sizes[2] == 0 and _fits(choice, each, shape, target):
                yield choice
                break


def _are_slow(rated: Rated, shape: Shape) -> bool:
    """Whether products take so long that short trips hide all accesses."""
    return rated.pace > _SLOW * shape.element.bytes


def _shared_tiles(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Tiles of a workgroup that has a compute unit alone, with four waves for each SIMD, which hide each
    other's waits for LDS. Each wave copies whole accesses of both factors.

    f16 on gfx950               with them   with a slot less   with two waves for each SIMD   smaller tiles
    {4096,4096} {4096,1024}     55,739      57,745             62,470                         69,163
    {2048,4096} {4096,512}      25,710      26,524                                            31,082
    """
    waves = WAVES_THAT_HIDE * target.simds
    for m, n, size in product(_SHARED, _SHARED, (*ROW_BYTES[1:], *_LONG_ROW_BYTES[:1])):
        k, slots = size // shape.element.bytes, min(_MOST_SLOTS, target.lds_bytes // ((m + n) * size))
        choice = Contract(m, n, k, waves, slots, rated.by.name, _SLOTS, copies=COPIED)
        copies_whole = _copies_whole(choice, min(m, n), shape, target)
        is_long = all(shape.along) and not shape.is_joint and shape.k >= _LEAST_TRIPS * k
        if copies_whole and is_long and slots >= _SLOTS and _fits(choice, rated, shape, target):
            yield choice


def _staggered_tiles(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Large tiles of a workgroup that has a compute unit alone, with two waves for each SIMD, which take
    turns: a wave multiplies while the other accesses memory. If all is copied, also tiles of half the
    columns: {4096,4096} by {4096,2048} of f16 on gfx950 takes 81,951 clocks with them, 93,884 with half the
    rows, and 92,918 with quarters of four waves. Two products of 1,024 columns take 84,485 and 93,121."""
    is_whole, depths = shape.is_copied and not shape.reductions, _depths(rated, shape, target)
    if _are_slow(rated, shape):
        depths = depths[:1]
    for k, n in product(depths, (_LARGEST, _HALF)):
        rows, columns = _LARGEST // shape.beside[0], n // shape.beside[1]
        if rows & rows - 1 or columns & columns - 1 or shape.block:  # of three products, or with scales
            return
        choice = Contract(rows, columns, k, 2 * target.simds, 2, rated.by.name, 3, staggered=1)
        copies_whole = is_whole and _copies_whole(choice, min(rows // 2, columns), shape, target)
        if copies_whole and not (shape.m % _LARGEST or shape.n % n or shape.k % k):
            choice = replace(choice, stages=2, copies=COPIED)
        is_large = min(shape.m, shape.n) > _HALF and shape.k >= STAGGERED_TRIPS * k
        # the Infinity Cache binds halves of several matrices: four {8192,2048} by {2048,768} lose 3 %
        is_long = choice.copies and shape.batch == 1 and shape.k >= 2 * STAGGERED_TRIPS * k
        if is_large and (n == _LARGEST or is_long) and _fits(choice, rated, shape, target):
            yield choice


def _overlapping_tiles(shape: Shape, target: Target) -> Iterator[Contract]:
    """Tiles of a workgroup that has a compute unit alone, and of which the compiler lets the trips overlap
    (`passes.schedule.modulo`): products of a trip take as long as a load. Large instructions are few, and
    leave time to issue the accesses between them. If elements along k are put side by side, reads from LDS
    that all waves await are better than the registers of a second slot.

    f16 on gfx942                      with them   by small instructions   with a slot more or less   others
    {4096,4096} {1024,4096} turned     77,039      88,583                  83,845                     92,423
    {4096,4096} {4096,1024}            86,124                              94,831                     114,488
    {4096,1024} {1024,1024} turned     28,102                                                         26,068
    {4096,1024} {1024,1024}            30,938                              31,176                     34,100
    """
    rated, size, are_along = (
        largest(shape.element, target, shape.rounds),
        shape.element.bytes,
        all(shape.along),
    )
    is_plain = shape.along[0] and not (shape.is_copied or shape.packed or shape.block or any(shape.loaded))
    # many single bytes put side by side take longer than the products
    if rated is None or not is_plain or max(shape.beside) > 2 or (size == 1 and not are_along):
        return
    rows, columns = [_HALF // count for count in shape.beside]
    k = ROW_BYTES[-1] // size
    choice = Contract(rows, columns, k, target.simds, 2 if are_along else 1, rated.by.name, 1)
    is_whole = shape.is_known and not (shape.m % _HALF or shape.n % _HALF or shape.k % k)
    groups = shape.batch * (shape.m // _HALF) * (shape.n // _HALF)
    fills = _FILLED * target.units <= groups <= target.units
    is_long = shape.k >= _OVERLAPPING_TRIPS[are_along] * k
    if is_whole and fills and is_long and _hides_loads(choice, rated, shape, target):
        yield choice


def _hides_loads(choice: Contract, rated: Rated, shape: Shape, target: Target) -> bool:
    """Whether the products of a trip take as long as a load, and so few clocks that the trip is a third
    shorter if it does not wait for loads."""
    from isa.timing.caches import CACHES

    wide, load = shape.wide(choice), CACHES[target.name].memory.clocks
    multiplied = wide.m * wide.n * wide.k * rated.pace / min(wide.waves, target.simds)
    return load <= multiplied < 2 * load


def _copies_whole(choice: Contract, lines: int, shape: Shape, target: Target) -> bool:
    """Whether each wave copies whole accesses of so many lines of a trip straight to LDS."""
    return lines * choice.k * shape.element.bytes >= choice.waves * target.wave_size * COPIED


def _lies_along(shape: Shape, target: Target) -> bool:
    """Whether tiles of waves along k may take the fewest clocks: for few tiles, and for factors that loads
    compute from fewer bytes, since each wave then unpacks its own part once and waits for no other. Lanes of
    RDNA that unpack bytes for 32 rows take longer: {32,4096} by {4096,4096} of i8 weights as f16 on gfx1100
    takes 43,471 clocks with them, 32,868 without."""
    if not shape.can_lie_along:
        return False
    most = NARROW if shape.packed or target.has_agprs else _QUAD_ROWS
    is_computed = bool(shape.packed or any(shape.loaded))
    return shape.is_narrow(target) or (is_computed and shape.m <= most)


def _tiles_along_k(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Tiles of waves that share the products along k, for matrices with so few tiles that units would have
    few waves, or results would be added up by a second launch. Packed weights are read by whole lines, in
    which waves have the same scale: {4,4096} by {4096,14336} of fp8 on gfx950 takes 24,227 clocks with 128
    weights of a row a trip, 33,106 with 64, and 30,977 in slices."""
    m, n, least = rated.by.sizes
    most = GROUP_LANES // target.wave_size * 4
    is_narrower = min(shape.sizes) < shape.element.bytes
    is_deep = bool(shape.packed) or (is_narrower and target.lds_file >= _DEEP_LDS)
    sizes = _LONG_ROW_BYTES[:1] if is_deep else ROW_BYTES[1:] + _LONG_ROW_BYTES[:1]
    for rows in _powers(m, min(shape.m // shape.beside[0], NARROW)):
        for columns in _powers(n, min(shape.n // shape.beside[1], NARROW)):
            for waves in _powers(target.simds, most):
                for size in sizes:
                    depth = waves * max(least, size // shape.element.bytes)
                    tile = Contract(rows, columns, depth, waves, 1, rated.by.name, along=1)
                    sliced = () if is_deep else (replace(tile, k=2 * depth, slices=2),)
                    for choice in (tile, *sliced):
                        if choice.k < shape.k and _fits(choice, rated, shape, target):
                            yield choice


def _outer_tiles_along_k(shape: Shape, target: Target) -> Iterator[Contract]:
    """The same for outer products. A lane has so many sums that it reads few factors for its products: 512
    cubed of f32 on gfx1100 takes 23,808 clocks with them, 33,131 with waves next to each other. A trip has
    whole lines along k. Short products are a single trip of many waves, which is little code: 100 cubed of
    f32 on gfx1201 takes 4,312 clocks with 16 waves, 6,771 with eight, which have a loop and a masked trip."""
    lanes, line = target.wave_size, ROW_BYTES[-1] // shape.element.bytes
    fewest, most = [int(count * target.simds) for count in _OUTER_WAVES]
    for rows, columns in product(_OUTER_LINES, _OUTER_LINES):
        for waves, depth in product(_powers(fewest, most), _OUTER_DEPTHS):
            choice = Contract(rows, columns, waves * depth, waves, 1, along=1)
            has_many = _OUTER_SUMS[0] * lanes <= rows * columns <= _OUTER_SUMS[1] * lanes
            is_small = depth * rows * columns <= _OUTER_PRODUCTS * lanes
            has_lines = line <= choice.k < max(2 * shape.k, line + 1)
            if has_many and is_small and has_lines and _fits(choice, None, shape, target):
                yield choice


def _outer_tiles_of_wide_lanes(shape: Shape, target: Target) -> Iterator[Contract]:
    """A tile of lanes with twice the sums of others, which read fewer factors for their products."""
    m, n, k = WIDE_TILE
    choice = Contract(m, n, k, target.simds, 1)
    has_room = registers_of(choice, None, shape, target).all <= target.arch_vgprs
    if has_room and has_wide_lanes(shape, target):
        yield choice


def _tiles_in_quads(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Tiles of all rows, of which lanes read the factors without LDS, four along k."""
    rows = _powers(QUAD, shape.m // shape.beside[0])[-1]
    least = rated.by.sizes[shape.axis] if shape.reductions else 0  # of a part that is reduced
    for columns in _QUAD_COLUMNS:
        if (rows, columns)[shape.axis] < least:
            continue
        for waves in _powers(target.simds, GROUP_LANES // target.wave_size * 4):
            for size in _QUAD_BYTES:
                depth = waves * size // shape.element.bytes
                choice = Contract(rows, columns, depth, waves, 1, rated.by.name, along=1, quads=1)
                if shape.k % depth == 0 and _fits(choice, rated, shape, target):
                    yield choice


def smallest(shape: Shape, rated: Rated | None) -> Contract:
    """The tile of a single instruction, for factors that need the registers of larger tiles while they are
    loaded, such as factors of three parts."""
    m, n, k = least_of(rated)
    depth = k if shape.block % k == 0 else shape.block & -shape.block
    return Contract(m, n, depth, 1, 1, rated.by.name if rated is not None else "")


def _packed_tiles(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Tiles of all rows, in which each wave computes its own columns of the second factor. A line has many of
    its elements, so a trip has many products along k."""
    m, n, k = rated.by.sizes
    rows = _powers(m, shape.m)[-1]
    for depth in _PACKED_DEPTHS:
        for waves in _powers(1, GROUP_LANES // target.wave_size):
            choice = Contract(rows, waves * n, max(k, depth), waves, 2, rated.by.name, apart=1)
            if depth == _PACKED_DEPTHS[0] or _fits(choice, rated, shape, target):
                yield choice


def least_of(rated: Rated | None) -> tuple[int, int, int]:
    """Rows, columns and products along k that are multiplied at once."""
    return rated.by.sizes if rated is not None else (1, BLOCK, 1)


def _depths(rated: Rated | None, shape: Shape, target: Target) -> list[int]:
    """The products along k of a trip. Few results take long rows only if they leave no row over, which would
    be more code."""
    if rated is None:
        return list(_PLAIN_ROWS)
    sizes, longer = set(ROW_BYTES), set(_LONG_ROW_BYTES)
    if min(shape.m, shape.n) <= NARROW:
        sizes |= longer
    elif has_few_results(shape, rated, target):
        sizes |= {size for size in longer if shape.k % (size // shape.element.bytes) == 0}
    found = sorted({max(rated.by.sizes[2], size // shape.element.bytes) for size in sizes})
    return [k for k in found if shape.block % k == 0] or [shape.block & -shape.block]


def _powers(least: int, most: int) -> list[int]:
    """The powers of two from `least` to the first that is not less than `most`, and to the largest tile."""
    found = [least]
    while found[-1] < min(most, _LARGEST):
        found.append(2 * found[-1])
    return found


def _fits(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> bool:
    """Whether every wave has a tile of its own, and LDS and the registers of a lane suffice: for the sums,
    for the factors of a trip, and for those that are loaded for the next."""
    least, factor = least_of(rated), held_type(rated, shape)
    parts = choice.m // least[0] * (choice.n // least[1])
    if not has_length(choice, rated, shape):
        return False
    if not choice.along and choice.waves > max(1, parts if choice.by else parts // target.wave_size):
        return False
    wide = shape.wide(choice)
    if lds_of(wide, factor, shape.has_powers, target) + exchanged_bytes(choice, shape) > target.lds_bytes:
        return False
    if shares_lds(wide, factor, shape.has_powers, target) and not _may_share_lds(wide, rated, target):
        return False
    taken = registers_of(wide, rated, shape, target)
    vgprs = taken.others if target.has_agprs else taken.all
    if choice.quads:
        return taken.all <= target.vgpr_file // max(1, choice.waves // target.simds)
    if choice.staggered:  # two waves share the registers of a SIMD
        return taken_registers(wide, rated, shape, target) <= lane_registers(target) // 2
    has_all = choice.copies and (choice.slices or shape.has_powers)
    sums = target.arch_vgprs if has_all else _sums(rated, shape, target)
    return taken.sums <= sums and vgprs <= target.arch_vgprs


def _may_share_lds(choice: Contract, rated: Rated | None, target: Target) -> bool:
    """Whether sums may take the memory of the factors, for which waves wait once more. A tile with more waves
    than SIMDs has no room for both, and with a wave for each SIMD it mostly has: {64,4096} by {4096,4096} of
    f16 on gfx942 takes 16,279 clocks with eight waves, 15,899 with four. A SIMD with a single wave does not
    multiply while this waits for loads: {48,14336} by {14336,2048} on gfx90a takes 96,343 clocks by 64 rows
    and 32 columns, 73,540 by 16 and 64."""
    if rated is None or choice.waves > target.simds:
        return False
    from isa.timing.caches import CACHES

    multiplied = choice.m * choice.n * choice.k * rated.pace / choice.waves
    return multiplied < CACHES[target.name].memory.clocks


def _sums(rated: Rated | None, shape: Shape, target: Target) -> int:
    """The most sums of a lane. With AGPRs more would fit, but fewer waves: 4,096 cubed of f16 on gfx942 takes
    341 thousand clocks with 64 sums, 400 with 128; 172 and 305 on gfx950, for a transposed factor. With 128
    sums of outer products no factors are read ahead: 1,024 cubed on gfx1201 takes 246 thousand clocks, 169
    with 64. If lanes have the same elements of a factor, factors take the registers: 8,192 cubed of f16 on
    gfx1100 takes 23.2 million clocks with 64 sums, 22.4 with 32. Conditions of elements of open dims take two
    SGPRs of a wave of 64 lanes, and SGPRs without room take VGPRs: with 128 sums, the allocator finds no
    registers for {b,m,k} by {k,n} and a bias."""
    if target.has_agprs or rated is None:
        return target.arch_vgprs // 4
    if copies_of(rated.by.layouts[1]) > 1:
        return target.arch_vgprs // 8
    is_tight = not shape.is_known and target.wave_size == 64
    return target.arch_vgprs // (4 if is_tight else 2)
