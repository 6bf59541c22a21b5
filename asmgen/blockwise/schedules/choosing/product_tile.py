"""A tile of a matrix product: its registers, its bytes in LDS, and the bytes that a trip reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import gcd, prod

from msgspec.structs import replace

from asmgen.blockwise.actions import SCALED
from asmgen.blockwise.layout.layout import Layout, join
from asmgen.blockwise.layout.queries import within_axes
from asmgen.blockwise.matrix import Instruction, Rated
from asmgen.blockwise.schedules.choices import PRODUCTS_READ, QUAD, Contract, lane_of, lds_with_sums
from asmgen.blockwise.schedules.product_waves import of_wave, waves_of
from asmgen.graph.block_dots import block_of, has_powers
from asmgen.graph.fusion.siblings import lines_of, strips_of
from asmgen.index.size import most
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import ElementType, computed
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import CACHE_LINE, WIDEST_ACCESS, Target

_REQUEST_BYTES = 64
_LANES = 4  # of a request
_LEAST_ACCESS = 8  # bytes of a lane
_OF_GROUP = 2  # accesses of a lane: for a scale and a zero point
_FEW_RESULTS = 16  # smallest tiles for each unit
_SPARE_REGISTERS = 48  # of a lane, for addresses and to load factors ahead
_UNUSED = 24  # of the spare registers, of targets with AGPRs
# Registers that kernels of RDNA take: any, and for each of the sums, of the loads, and of the factors. Fit to
# 250 tiles of gfx1201, and, if lanes have the same elements, to 280 of gfx1100: most are within 8 %.
_TAKEN = {False: (11, 1, 0.7, 1.2), True: (38, 1, 0.5, 1.9)}
NARROW = 64  # rows or columns of a narrow matrix, at most
_BUSY = 1.5  # {64,K} by {K,14336} on gfx942 has 224 tiles for 304 units, which move all that memory gives
_STEPS = 3  # in which lanes combine results of outer products
_TILES = 16  # of which numbers are remembered: an estimate asks several times for those of a tile
WAVES_THAT_HIDE = 4  # of a SIMD: while a wave reads factors from LDS, others multiply
# Outer products of a unit with which lanes may have twice the sums. Clocks of f32 on gfx1201 with such lanes
# and with others, by the products of a unit:
#     2048x2048x1024    2^27      888,394      688,128
#     1536x1536x2048    2^27.2    913,078      903,168
#     2048x2048x2048    2^28    1,117,520    1,343,488
#     2560x2560x2560    2^29    2,269,410    3,161,600
#     2048x4096x2048    2^29    2,234,864    3,023,291
#     2048x2048x8192    2^30    4,465,912    4,456,448
_WIDE_PRODUCTS = 1 << 28, 1 << 30
WIDE_TILE = 128, 128, 16  # of such lanes: its rows, columns, and products along k of a trip
USUAL_SUMS = 64  # of a lane, at most. With more, LDS has time to spare
_PLANNED = 4096  # elements along a dim that only the launch knows


class _OfCode(NamedTuple):
    """Instructions of a wave: whatever the tile; for each matrix instruction, load, read of LDS, and element
    that is put next to another; and for each result."""

    wave: float
    product: float
    load: float
    read: float
    packed: float
    result: float


# Fit to the code of 156 tiles of 20 products of 128 to 2,048 rows and columns: half of them are within 6 % on
# CDNA, and within 10 % on RDNA, on which a factor of wmma has each element twice.
_OF_CDNA, _OF_RDNA = _OfCode(70, 2.5, 0.9, 1.6, 0.4, 4), _OfCode(95, 3.2, 0.9, 1.8, 1, 1.7)


class Shape(NamedTuple):
    """A product: how many matrices, their rows and columns, how many products a result sums, and whether the
    products of a row, and of a column, are neighbours in memory. If the second factor is computed from fewer
    bytes, an element of it takes `packed` bytes of memory. With `rounds` factors may be rounded. Each `block`
    products along k have a scale. `is_copied` says whether both factors can be copied straight to LDS.

    Products that share a factor are planned as a single product: its rows or columns are those of all of
    them, and `beside` are how many tiles of the smallest these are of, by rows and by columns.

    If the kernel also reduces rows, along `axis` 1 of a tile, or columns, along 0, it has so many
    `reductions`. A tile must have `length` elements along the axis, and 0 means any number. If `exchanges` is
    false, each wave must have them, so that waves exchange no results through LDS. With `has_powers` the
    instruction multiplies by the scales."""

    batch: int
    m: int
    n: int
    k: int
    element: ElementType
    along: tuple[bool, bool] = (True, False)
    packed: float = 0
    rounds: bool = False
    block: int = 0
    is_copied: bool = False
    # bytes that are loaded for an element of each factor if it is computed in the loads; 0 if it is in memory
    loaded: tuple[int, int] = (0, 0)
    issues: tuple[float, float] = (0, 0)  # instructions that compute an element of each factor in the loads
    stored: int = 0  # bytes of a result; 0 for those of a sum, or for none beside reductions
    beside: tuple[int, int] = (1, 1)
    axis: int = 1
    length: int = 0
    reductions: int = 0
    exchanges: bool = False
    has_powers: bool = False
    is_known: bool = True  # whether the launch has no dims of its own
    is_k_known: bool = True  # whether the number of products of a result is known
    # the columns of which each matrix has a multiple, if the second factor is several next to each other in
    # memory, and each workgroup reads one of them; 0 if not
    joined: int = 0

    @property
    def sizes(self) -> tuple[float, float]:
        """The bytes in memory of an element of each factor."""
        first, second = [size or self.element.bytes for size in self.loaded]
        return first, self.packed or second

    @property
    def bytes(self) -> float:
        """Those of the factors: of each matrix, as if no other had it too."""
        first, second = self.sizes
        return self.batch * (self.m * first + self.n * second) * self.k

    @property
    def result_bytes(self) -> int:
        """The bytes of the results in memory."""
        of_result = self.stored or (0 if self.reductions else computed(self.element).bytes)
        return self.batch * self.m * self.n * of_result

    @property
    def can_lie_along(self) -> bool:
        """Whether waves may share its products along k: factors with rows along k, of which memory has no
        more bytes than LDS."""
        return all(self.along) and not self.block and max(self.sizes) <= self.element.bytes

    def is_narrow(self, target: Target) -> bool:
        """Whether it has few rows or columns, and fewer tiles of them than keep the target's units busy."""
        tiles = self.batch * -(-self.m // NARROW) * -(-self.n // NARROW)
        return min(self.m, self.n) <= NARROW and _BUSY * tiles < target.units

    @property
    def is_joint(self) -> bool:
        """Whether it is several products."""
        return self.beside != (1, 1)

    def joint(self, dots: Sequence[Statement], results: int) -> Shape:
        """The shape of a kernel that multiplies all of `dots` and stores so many results, from the shape of
        the first."""
        if len(dots) == 1:
            return self
        (rows, columns), (of_rows, of_columns) = lines_of(dots), strips_of(dots[0], dots)
        stored = max(1, self.stored * results // len(dots))
        m, n = self.m // of_rows * rows, self.n // of_columns * columns
        return self._replace(m=m, n=n, stored=stored, beside=(rows, columns))

    def wide(self, choice: Contract) -> Contract:
        """The tile of all products, of the tile of each."""
        rows, columns = self.beside
        return replace(choice, m=choice.m * rows, n=choice.n * columns) if self.is_joint else choice

    @classmethod
    def of(
        cls,
        dot: Statement,
        along: tuple[bool, bool],
        packed: float,
        rounds: bool,
        is_copied: bool,
        loaded: tuple[int, int] = (0, 0),
    ) -> Shape:
        """Dims that the launch knows are planned as large dims."""
        factor = tensor_type(dot.operands[0])
        dims = (*tensor_type(dot.result).dims, factor.dims[-1])
        *batch, m, n, k = [dim if isinstance(dim, int) else min(most(dim), _PLANNED) for dim in dims]
        element, block, stored = factor.element, block_of(dot), tensor_type(dot.result).element.bytes
        shape = cls(prod(batch), m, n, k, element, along, packed, rounds, block, is_copied, loaded)
        is_known = all(isinstance(dim, int) for dim in dims)
        is_k_known = isinstance(dims[-1], int)
        return shape._replace(
            stored=stored, has_powers=has_powers(dot), is_known=is_known, is_k_known=is_k_known
        )


class Registers(NamedTuple):
    """The registers of a lane: of the sums, which may be AGPRs, and others."""

    sums: int
    others: int

    @property
    def all(self) -> int:
        return self.sums + self.others


def held_type(rated: Rated | None, shape: Shape) -> ElementType:
    """The type of the factors in LDS."""
    return shape.element if rated is not None else computed(shape.element)


@lru_cache(_TILES)
def registers_of(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> Registers:
    """The factors of a trip and those that are loaded for the next are live at once."""
    bytes_of_lanes = choice.waves * target.wave_size * DWORD
    factor = held_type(rated, shape)
    tiles = choice.waves if choice.along else 1
    sums = tiles * choice.m * choice.n * computed(factor).bytes // bytes_of_lanes
    if choice.quads:  # each result four times, and the factors as they are loaded
        loaded = (choice.m + choice.n) * choice.k * factor.bytes // bytes_of_lanes
        return Registers(QUAD * QUAD * sums, (1 if shape.k <= choice.k else 2) * loaded + _SPARE_REGISTERS)
    a, b = [size or factor.bytes for size in shape.loaded]
    of_a, of_b = (0, 0) if choice.copies else (choice.m * a, choice.n * b)
    if factor.bytes < DWORD:  # elements along k are put side by side in other registers
        of_a, of_b = of_a * (1 if shape.along[0] else 2), of_b * (1 if shape.along[1] else 2)
    loaded = (of_a + of_b) * choice.k // bytes_of_lanes
    # the first products of outer products need no more than half of the factors
    held = _held(choice, rated) if rated else PRODUCTS_READ * sum(lane_of(choice, target)) // 2
    return Registers(sums, loaded + held + _SPARE_REGISTERS)


def copies_of(layout: Layout) -> int:
    """How many lanes have each element."""
    return layout.register_count * (1 << len(layout.lanes)) // prod(layout.sizes)


def _held(choice: Contract, rated: Rated) -> int:
    """The registers of a lane with the factors of a trip, as the instruction takes them. If two lanes have
    each element, as on RDNA 3, half of them are read when they are needed."""
    (m, n, k), (a, b, _) = rated.by.sizes, rated.by.layouts
    across, along = waves_of(choice, rated.by)
    rows, columns = choice.m // m // across, choice.n // n // along
    elements = (rows * a.register_count + columns * b.register_count) * choice.depth // k
    return elements * rated.by.factor_bytes // (DWORD * copies_of(b))


class _Placed(NamedTuple):
    """The bytes in LDS of the factors of a product, and of the sums of waves along k."""

    factors: int
    sums: int


def lds_of(choice: Contract, factor: ElementType, has_powers: bool, target: Target) -> int:
    """The bytes of LDS that a workgroup has; with `has_powers` also for scales."""
    return lds_with_sums(*_placed(choice, factor, has_powers), target)


def shares_lds(choice: Contract, factor: ElementType, has_powers: bool, target: Target) -> bool:
    """Whether the sums of waves along k take the memory of the factors."""
    placed = _placed(choice, factor, has_powers)
    return lds_with_sums(*placed, target) < sum(placed)


def _placed(choice: Contract, factor: ElementType, has_powers: bool) -> _Placed:
    lines = choice.m + (0 if choice.apart else choice.n)
    each = choice.placed * factor.bytes + (choice.placed // SCALED if has_powers else 0)
    sums = choice.waves * choice.m * choice.n * computed(factor).bytes if choice.along else 0
    return _Placed(0 if choice.quads else choice.buffers * lines * each, sums)


def exchanged_bytes(choice: Contract, shape: Shape) -> int:
    """The bytes of LDS in which waves exchange results of reductions, at most: a number of each wave for each
    row or column."""
    if not (shape.exchanges or choice.along):
        return 0
    return shape.reductions * DWORD * choice.waves * max(choice.m, choice.n)


def has_length(choice: Contract, rated: Rated | None, shape: Shape) -> bool:
    """Whether a choice has the rows or columns that reductions need. With the sums of the largest tiles, a
    lane has no registers to keep results that it stores until they are reduced."""
    if choice.slices and not choice.along and shape.reductions and shape.stored:
        return False
    own = (choice.m, choice.n) if shape.exchanges else of_wave(choice, rated and rated.by)
    return shape.length in (0, own[shape.axis])


class OfLane(NamedTuple):
    """The results of a reduction that a lane has a part of, and the steps in which lanes combine them."""

    results: int
    steps: int


def reduced_by_lane(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> OfLane:
    """Of waves along k, each lane has a few of all results."""
    if choice.along:
        few = max(1, choice.m * choice.n // (choice.waves * target.wave_size))
        return OfLane(few, ((choice.m, choice.n)[shape.axis] - 1).bit_length())
    other = 1 - shape.axis
    if rated is None:
        return OfLane(lane_of(choice, target)[other], _STEPS)
    held, steps = _reduced_by_lane(rated.by, shape.axis)
    return OfLane(held * of_wave(choice, rated.by)[other] // rated.by.sizes[other], steps)


@cache
def _reduced_by_lane(by: Instruction, axis: int) -> OfLane:
    """Those of a tile of the instruction, of which a lane has adjacent elements of a row if it can."""
    own, turned = by.layouts[2], by.turned
    c = turned if turned is not None and join((0, 1), turned.sizes) in turned.registers else own
    bits = within_axes(c, (axis,))
    return OfLane(c.register_count >> len(bits.registers), len(bits.lanes))


def resident(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> int:
    """How many workgroups a unit runs at once."""
    lds = lds_of(choice, held_type(rated, shape), shape.has_powers, target) + exchanged_bytes(choice, shape)
    taken = min(taken_registers(choice, rated, shape, target), lane_registers(target))
    waves = target.simds * min(target.max_waves, target.vgpr_file // max(taken, target.vgpr_granule))
    return max(1, min(target.lds_file // lds, waves // choice.waves))


def lane_registers(target: Target) -> int:
    """The registers that a lane has, AGPRs included."""
    return target.arch_vgprs * (2 if target.has_agprs else 1)


def taken_registers(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> int:
    """The registers that a kernel takes in the order of the scheduler: if they are more than a lane has, the
    compile looks for another order."""
    planned = registers_of(choice, rated, shape, target)
    if rated is None or shape.k <= choice.k:  # without a loop nothing is loaded ahead
        return planned.all
    if target.has_agprs:
        return planned.all - _UNUSED
    held = _held(choice, rated)
    base, sums, loads, factors = _TAKEN[copies_of(rated.by.layouts[1]) > 1]
    loaded = planned.others - held - _SPARE_REGISTERS
    return int(base + sums * planned.sums + loads * loaded + factors * held)


class _Loaded(NamedTuple):
    """The loads of a trip: the bytes of the lines of each factor, and the requests to the first cache for
    each factor and for its scales."""

    bytes: tuple[int, int]
    requests: tuple[float, ...]


def read_bytes(choice: Contract, shape: Shape) -> tuple[int, int]:
    """The bytes of the lines that a trip reads of each factor."""
    return _loaded(choice.m, choice.n, choice.k, bool(choice.along), shape).bytes


@lru_cache(_TILES)
def kept_bytes(choice: Contract, shape: Shape, again: float) -> tuple[float, float]:
    """The bytes of the lines of each factor if trips read a part of the lines in which a row ends and another
    begins `again`."""
    rows = _rows_of(choice.m, choice.n, choice.k, bool(choice.along), shape)
    of_first, of_second = [
        count * max(CACHE_LINE, length + (CACHE_LINE - gcd(pitch, CACHE_LINE)) * again)
        for count, length, pitch in rows
    ]
    return of_first, of_second


def asked_bytes(choice: Contract, shape: Shape, together: int, room: float) -> int:
    """The bytes that a trip asks of the caches behind a unit's own, which has room for so many bytes. The
    next trip finds the rest of a line along k there, if `together` workgroups have room for their lines."""
    rows = list(_rows_of(choice.m, choice.n, choice.k, bool(choice.along), shape))
    stay = together * sum([count * max(CACHE_LINE, length) for count, length, _ in rows]) <= room
    of_factors = [
        count * length if is_along and stay else _bytes_of_lines(count, length, pitch)
        for (count, length, pitch), is_along in zip(rows, shape.along, strict=True)
    ]
    of_scales = [_bytes_of_lines(*each) for each in _rows_of_scales(choice.m, choice.n, choice.k, shape)]
    return sum([*of_factors, *of_scales])


def requests(choice: Contract, shape: Shape, lanes: int) -> float:
    """How often a trip asks the first cache (`isa.timing.coalescing`): four lanes ask once if their elements
    are in the same 64 bytes. The lanes of a wave with columns of its own are in different rows of memory."""
    asked = _loaded(choice.m, choice.n, choice.k, bool(choice.along), shape).requests
    if choice.apart:
        accesses = max(1, choice.n * choice.k * shape.sizes[1] / (choice.waves * lanes * WIDEST_ACCESS))
        return asked[0] + choice.waves * lanes * (accesses + _OF_GROUP)
    return sum(asked)


@lru_cache(_TILES)
def _loaded(m: int, n: int, k: int, is_shared: bool, shape: Shape) -> _Loaded:
    """The loads of a tile, whatever its waves and buffers."""
    rows = list(_rows_of(m, n, k, is_shared, shape))
    scales = _rows_of_scales(m, n, k, shape)
    first, second = [_bytes_of_lines(*each) for each in rows]
    of_first, of_second = [_bytes_of_lines(*each) for each in scales] or (0, 0)
    requests = tuple([_requests(*each) for each in (*rows, *scales)])
    return _Loaded((first + of_first, second + of_second), requests)


def _rows_of(m: int, n: int, k: int, is_shared: bool, shape: Shape) -> Iterator[tuple[int, int, int]]:
    """For each factor how many rows of memory a trip reads, their bytes, and the bytes from row to row.
    Waves along k share the rows of the tile, if there are so many."""
    for lines, whole, size, is_along in zip(
        (m, n), (shape.m, shape.n), shape.sizes, shape.along, strict=True
    ):
        lines = min(lines, whole) if is_shared else lines
        count, length, pitch = (lines, k, shape.k) if is_along else (k, lines, whole)
        yield count, int(length * size), int(pitch * size)


def _rows_of_scales(m: int, n: int, k: int, shape: Shape) -> list[tuple[int, int, int]]:
    """The same for the scales by which an instruction multiplies: rows along k of a byte each."""
    if not shape.has_powers:
        return []
    return [
        (min(lines, whole), k // SCALED, shape.k // SCALED) for lines, whole in ((m, shape.m), (n, shape.n))
    ]


def _bytes_of_lines(count: int, length: int, pitch: int) -> int:
    """Rows begin anywhere in a line if their pitch is no multiple of a line."""
    return count * max(CACHE_LINE, length + CACHE_LINE - gcd(pitch, CACHE_LINE))


def _requests(count: int, length: int, pitch: int) -> float:
    """A lane's access is as wide as its alignment allows. Narrow accesses count as of 8 bytes, since several
    lanes, and accesses of a lane, are in the same line."""
    together = _LANES * max(_LEAST_ACCESS, gcd(pitch, _REQUEST_BYTES // _LANES))
    parted = max(0, together - gcd(pitch, _REQUEST_BYTES)) / _REQUEST_BYTES
    return count * max(1, length / together) * (1 + parted)


def has_wide_lanes(shape: Shape, target: Target) -> bool:
    """Whether lanes of outer products may have twice the sums of others: L2 binds tiles of fewer sums, since
    no cache of a few compute units is before it, and LDS does not yet bind them alone. The matrices have
    whole such tiles: 2,100 cubed of f32 on gfx1201 takes 1,806,486 clocks by them, 1,522,761 by others."""
    from isa.timing.caches import CACHES

    m, n, _ = WIDE_TILE
    if m * n <= USUAL_SUMS * target.simds * target.wave_size or target.has_agprs:
        return False
    if not shape.is_known or shape.reductions or max(shape.beside) > 1:
        return False
    is_whole = not any(size % own for size, own in zip((shape.m, shape.n, shape.k), WIDE_TILE, strict=True))
    least, least_of_lds = [products * target.units for products in _WIDE_PRODUCTS]
    is_direct = CACHES[target.name].vector[1].sharers.value in (1, target.compute_units)
    products = shape.batch * shape.m * shape.n * shape.k
    return is_whole and is_direct and least <= products < least_of_lds


def has_few_results(shape: Shape, rated: Rated, target: Target) -> bool:
    """Whether a matrix has so few results that the trips of a unit wait for their loads and for their code.
    If lanes have each element of a factor twice, as on RDNA 3, they wait for LDS too."""
    m, n, _ = rated.by.sizes
    few = shape.m * shape.n <= _FEW_RESULTS * target.units * m * n
    return few and copies_of(rated.by.layouts[1]) == 1


def elements_loaded(choice: Contract, shape: Shape) -> int:
    """How many elements the workgroups of a matrix load for each of its products along k."""
    rows, columns = -(-shape.m // choice.m), -(-shape.n // choice.n)
    return rows * columns * (choice.m + choice.n)


def rows_read(choice: Contract, shape: Shape) -> int:
    """The pieces of memory that a trip reads. {1024,2048} by {2048,2048} of f32 on gfx1201 takes 630,784
    clocks with m=32 and n=64, which reads rows of 256 bytes, 671,744 with m=64 and n=32."""
    sides = zip((choice.m, choice.n), shape.along, strict=True)
    return sum([lines if is_along else choice.k for lines, is_along in sides])


@lru_cache(_TILES)
def lds_bytes(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> tuple[int, int]:
    """The bytes that a trip moves to LDS, and from it: each wave, and of outer products each lane, reads what
    its part of the tile needs. Lanes that multiply the same elements read them all."""
    if choice.quads:
        return 0, 0
    of_step = choice.k * held_type(rated, shape).bytes
    stored = (choice.m + (0 if choice.apart else choice.n)) * of_step
    if rated is None:
        of_lane = sum(lane_of(choice, target)) * choice.depth * held_type(rated, shape).bytes
        return stored, choice.waves * target.wave_size * of_lane
    across, along = waves_of(choice, rated.by)
    first, second = [copies_of(layout) for layout in rated.by.layouts[:2]]
    of_b = 0 if choice.apart else choice.n * across * second
    return stored, (choice.m * along * first + of_b) * of_step


def instructions_of(choice: Contract, rated: Rated, shape: Shape, target: Target) -> float:
    """About how many instructions the code of a wave has. Unless there is a single trip, the work of a trip
    is in the code twice: in the loop, and before or after it."""
    m, n, k = rated.by.sizes
    lanes, of = choice.waves * target.wave_size, _OF_CDNA if target.has_agprs else _OF_RDNA
    tiles = choice.m // m * (choice.n // n)
    products = max(1, tiles // choice.waves) * choice.k // k
    if choice.along:
        products = tiles * choice.k // (choice.waves * k) * (QUAD if choice.quads else 1)
    loads = max(1, sum(read_bytes(choice, shape)) / (lanes * WIDEST_ACCESS))
    reads = lds_bytes(choice, rated, shape, target)[1] / (lanes * WIDEST_ACCESS)
    lines = sum([size for size, along in zip((choice.m, choice.n), shape.along, strict=True) if not along])
    of_trip = of.product * products + of.load * loads + of.read * reads + of.packed * lines * choice.k / lanes
    trips = 1 if shape.k <= choice.k else 2
    return of.wave + trips * of_trip + of.result * choice.m * choice.n / lanes
