"""Chooses the tile of a matrix product: the one for which the launch takes the fewest clocks.

A trip of a workgroup multiplies `k` products for each of its results. If a unit has many workgroups, their
trips take as long as the busiest part of it: the matrix units of its SIMDs, LDS, or the way from the caches.
Alone, a workgroup waits for its loads, a trip ahead, or multiplies meanwhile; then it stores to LDS.
A launch takes as many turns as a unit has workgroups; tiles beyond the matrix cost time and give no results.

    4096 cubed of f16, gfx942    m=256, n=256: 256 workgroups for 304 units, bound by the matrix units
    the same, 8 rows             m=16, n=64: bound by memory

The numbers of the machine are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import prod

from asmgen.blockwise.matrix import Rated, fastest
from asmgen.blockwise.schedules.choices import BLOCK, Contract
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES
from asmgen.blockwise.schedules.elements.neighbours import is_along, loaded_bytes
from asmgen.blockwise.schedules.elements.straight import is_copied
from asmgen.blockwise.schedules.work import Graph
from asmgen.blockwise.transposes import transposing_loads
from asmgen.graph.block_dots import PRODUCTS, block_of
from asmgen.graph.packed_factors import packed_bytes
from asmgen.index.size import Size, most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import F32, ElementType, computed
from isa.named_tuple import NamedTuple
from isa.target import Target

_LARGEST = 256  # rows and columns of a tile
_ROW_BYTES = (64, 128)  # of a tile along k, so that its loads are of whole lines
_LONG_ROW_BYTES = (256, 512)  # of tiles of a narrow matrix, so that more bytes are under way
_NARROW = 64  # rows or columns of such a matrix, at most
_BUFFERS = (1, 2)
_LINE_BYTES = 128  # of the caches: a shorter row takes a whole line, which is gone before the next trip
_PARTS = (2, 4, 8, 16, 32, 64, 128)
_PLANNED = 4096  # elements along a dim that only the launch knows
_LEAST_PART = 64  # products along k of a part
_ALIKE = 1.03  # clocks that the model does not tell apart: of such tiles, those that load the least
_COPIED = 16  # bytes of a lane's copy straight to LDS
_SLOTS = 3  # of LDS for copies: they run two trips ahead, which covers the latency of a short trip
_PACKED_DEPTHS = (64, 128, 256)  # products along k of a trip with a factor that is computed
_UNPACKED = 2.5  # instructions to compute an element of such a factor
_PLAIN_ROW = 16  # products along k of a trip without matrix instructions
_LDS_BYTES = 128  # a clock, of a unit (`isa.lds_banks`: 16 bytes for each of 8 lanes of a phase)
_REGISTER_BYTES = 4
_SHARPNESS = 4  # of the bend between two limits
_STORING_WAVES = 2.5  # that store to LDS at its rate (`isa.timing.lds`: 20 clocks for 16 bytes a lane)
_LIMITS = ("products", "LDS", "the caches")  # the parts of a unit that `_Estimate.busy` is of
_SPARE_REGISTERS = 48  # of a lane, for addresses and to load factors ahead


class Shape(NamedTuple):
    """A product: how many matrices, their rows and columns, how many products a result sums, and whether the
    products of a row, and of a column, are neighbours in memory. If the second factor is computed from fewer
    bytes, an element of it takes `packed` bytes of memory. With `rounds` factors may be rounded. Each `block`
    products along k have a scale. `is_copied` says whether both factors can be copied straight to LDS."""

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
    loaded: tuple[int, int] = (0, 0)  # bytes of an element of each factor in memory; 0 for those of its type

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
        """Dims that the launch knows are planned as large ones."""
        factor = tensor_type(dot.operands[0])
        dims = (*tensor_type(dot.result).dims, factor.dims[-1])
        *batch, m, n, k = [dim if isinstance(dim, int) else min(most(dim), _PLANNED) for dim in dims]
        element, block = factor.element, block_of(dot)
        return cls(prod(batch), m, n, k, element, along, packed, rounds, block, is_copied, loaded)


def takes(dot: Statement, target: Target) -> bool:
    """Whether the schedule takes a product: of matrices, in a type that the target has matrix
    instructions for, or in f32. A matrix of a single row or column is a vector: a kernel of reductions
    multiplies it as fast as memory allows."""
    factors = [tensor_type(factor) for factor in dot.operands[:2]]
    if min(factor.rank for factor in factors) < 2:
        return False
    dims = (*tensor_type(dot.result).dims, factors[0].dims[-1])
    if 0 in dims or 1 in dims[-3:]:
        return False
    element = factors[0].element
    return computed(element) is F32 or fastest(element, target) is not None


def parts_of(dot: Statement, defined: Mapping[Value, Statement], target: Target, rounds: bool = False) -> int:
    """In how many parts along k a product takes the fewest clocks, the launch that adds them up included."""
    a, b = [tensor_type(factor) for factor in dot.operands[:2]]
    packed = packed_bytes(defined, dot)
    along = a.strides[-2] != 1, is_along(defined, dot.operands[1], -2) if packed else b.strides[-2] == 1
    shape = Shape.of(dot, along, packed, rounds, _is_copied(defined, dot, along, target))
    if isinstance(a.dims[-1], Size):
        return 1
    whole = _best(shape, target).clocks
    found = [(whole, 1)]
    for parts in _PARTS:
        is_whole = shape.k % parts == 0 and shape.k // parts % max(1, shape.block) == 0
        if is_whole and shape.k // parts >= _LEAST_PART:
            cut = _best(shape._replace(batch=shape.batch * parts, k=shape.k // parts), target).clocks
            found.append((cut + _clocks_to_add(shape, parts, target), parts))
    return min(found)[1]


def choose_contract(graph: Graph, target: Target) -> Contract:
    """The choice for a kernel with a matrix product."""
    return _best(_shape(graph, target), target).choice


def tile_of(shape: Shape, target: Target) -> Contract:
    """The choice for a product of this shape."""
    return _best(shape, target).choice


class Candidate(NamedTuple):
    """A tile that fits, the clocks of the launch by it, and why it is not the chosen tile."""

    choice: Contract
    clocks: float
    why: str


def candidates_of(graph: Graph, target: Target) -> list[Candidate]:
    """The tiles that fit, from the fewest clocks. The chosen tile is the first, with what limits it."""
    shape = _shape(graph, target)
    best, estimates = _best(shape, target), _estimates(shape, target)
    chosen = Candidate(best.choice, best.clocks, f"chosen, limited by {estimates[best.choice].limit}")
    others = [
        Candidate(choice, estimate.clocks, _why_not(choice, estimate, best, shape))
        for choice, estimate in estimates.items()
        if choice != best.choice
    ]
    return [chosen, *sorted(others, key=lambda other: other.clocks)]


def _why_not(choice: Contract, estimate: _Estimate, best: _Best, shape: Shape) -> str:
    if estimate.clocks > _ALIKE * best.least:
        return f"{estimate.clocks / best.clocks:.2f} times the clocks, limited by {estimate.limit}"
    loaded, least = _loaded(choice, shape), _loaded(best.choice, shape)
    if loaded > least:
        return f"alike in clocks, and loads {loaded / least:.2f} times the elements"
    if estimate.clocks > best.clocks:
        return "alike in clocks and loads, and takes more clocks"
    return "alike in clocks and loads, with fewer buffers, or other waves than a SIMD each"


def _shape(graph: Graph, target: Target) -> Shape:
    (dot,) = [statement for statement in graph.module.statements if statement.op in PRODUCTS]
    a, b = dot.operands[:2]
    along = (is_along(graph.defined, a, -1), is_along(graph.defined, b, -2))
    packed, copied = packed_bytes(graph.defined, dot), _is_copied(graph.defined, dot, along, target)
    element = tensor_type(a).element.bytes
    first, second = [loaded_bytes(graph.defined, factor) for factor in (a, b)]
    loaded = (0 if first == element else first, 0 if packed or second == element else second)
    return Shape.of(dot, along, packed, graph.rounds_factors, copied, loaded)


def _is_copied(
    defined: Mapping[Value, Statement], dot: Statement, along: tuple[bool, bool], target: Target
) -> bool:
    """Whether both factors can go straight to LDS, and lanes load several of their elements at once from
    there."""
    element = tensor_type(dot.operands[0]).element
    if _COPIED not in target.lds_copy_bytes or not along[0]:
        return False
    if not along[1] and not any(load.loads(element) for load in transposing_loads(target)):
        return False
    return all(is_copied(defined, factor, element, _COPIED) for factor in dot.operands[:2])


class _Best(NamedTuple):
    least: float  # clocks of any tile
    clocks: float
    choice: Contract


@cache
def _best(shape: Shape, target: Target) -> _Best:
    clocks = {choice: estimate.clocks for choice, estimate in _estimates(shape, target).items()}
    least = min(clocks.values())
    alike = [choice for choice, own in clocks.items() if own <= _ALIKE * least]
    choice = min(alike, key=lambda choice: (_loaded(choice, shape), clocks[choice], *_ease(choice, target)))
    return _Best(least, clocks[choice], choice)


def _estimates(shape: Shape, target: Target) -> dict[Contract, _Estimate]:
    rated = fastest(shape.element, target, shape.rounds)
    machine = _Machine.of(shape, target, rated)
    candidates = _candidates(shape, target, rated)
    return {choice: _estimate(choice, shape, machine, rated, target) for choice in candidates}


def _ease(choice: Contract, target: Target) -> tuple[int, ...]:
    """Of tiles with equal clocks, those with a slot of LDS to spare and with a wave for each SIMD are better:
    1,024 cubed of f16 on gfx942 takes 19 thousand clocks with four waves of a tile, 27 with one."""
    return -choice.buffers, -min(choice.waves, target.simds), choice.waves


def _clocks_to_add(shape: Shape, parts: int, target: Target) -> float:
    """The clocks of a launch that adds up the parts of each result, which the first launch has stored."""
    from isa.timing.caches import CACHES
    from isa.timing.chip import CHIPS

    chip = CHIPS[target.name]
    start = chip.launch_ns.value * chip.megahertz.value / 1000
    moved = 2 * parts * shape.batch * shape.m * shape.n * computed(shape.element).bytes
    return start + moved / (CACHES[target.name].resident_rate.value * target.compute_units)


class _Machine(NamedTuple):
    """Numbers of the clock model: clocks for each product of a SIMD, and for each element of an instruction
    without matrices, bytes a clock of a unit from the cache
    that units share, and of all units from memory, the latency of a load from memory, and the clocks for LDS
    and a barrier."""

    of_product: float
    of_element: float
    cache_rate: float
    memory_rate: float
    latency: int
    overhead: int

    @classmethod
    def of(cls, shape: Shape, target: Target, rated: Rated | None) -> _Machine:
        from isa.timing.caches import CACHES
        from isa.timing.machine import MACHINES

        caches, machine = CACHES[target.name].with_buffers(int(shape.bytes)), MACHINES[target.name]
        plain = machine.issue.clocks / target.wave_size
        of_product = plain if rated is None else rated.clocks / prod(rated.by.sizes)
        overhead = machine.lds_chain.clocks + machine.barrier.clocks
        of_unit = caches.vector[1].rate.value * target.compute_units / target.units
        of_chip = caches.memory_rate.value * target.compute_units
        return cls(of_product, plain, of_unit, of_chip, caches.memory.clocks, overhead)


def _candidates(shape: Shape, target: Target, rated: Rated | None) -> Iterator[Contract]:
    """The tiles that fit in LDS and in registers. The smallest is always among them."""
    if shape.packed and rated is not None:
        yield from _packed_candidates(shape, target, rated)
        return
    least = _least(rated)
    name = rated.by.name if rated is not None else ""
    for k in _depths(least[2], _held_type(rated, shape), shape):
        for m in _powers(least[0], shape.m):
            for n in _powers(least[1], shape.n):
                for waves in _powers(1, GROUP_LANES // target.wave_size):
                    for buffers in _BUFFERS:
                        choice = Contract(m, n, k, waves, buffers, name)
                        if _fits(choice, rated, shape, target):
                            yield choice
                    choice = Contract(m, n, k, waves, _SLOTS, name, _SLOTS, copies=_COPIED)
                    if shape.is_copied and name and _fits(choice, rated, shape, target):
                        yield choice


def _packed_candidates(shape: Shape, target: Target, rated: Rated) -> Iterator[Contract]:
    """Tiles of all rows, in which each wave computes its own columns of the second factor. A line has many of
    its elements, so a trip has many products along k."""
    m, n, k = rated.by.sizes
    rows = _powers(m, shape.m)[-1]
    for depth in _PACKED_DEPTHS:
        for waves in _powers(1, GROUP_LANES // target.wave_size):
            choice = Contract(rows, waves * n, max(k, depth), waves, 2, rated.by.name, apart=1)
            if depth == _PACKED_DEPTHS[0] or _fits(choice, rated, shape, target):
                yield choice


def _held_type(rated: Rated | None, shape: Shape) -> ElementType:
    """The type of the factors in LDS."""
    return shape.element if rated is not None else computed(shape.element)


def _least(rated: Rated | None) -> tuple[int, int, int]:
    """Rows, columns and products along k that are multiplied at once."""
    return rated.by.sizes if rated is not None else (1, BLOCK, 1)


def _depths(least: int, factor: ElementType, shape: Shape) -> list[int]:
    if least == 1:
        return [_PLAIN_ROW]
    sizes = (*_ROW_BYTES, *_LONG_ROW_BYTES) if min(shape.m, shape.n) <= _NARROW else _ROW_BYTES
    found = sorted({max(least, size // factor.bytes) for size in sizes})
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
    least, factor = _least(rated), _held_type(rated, shape)
    parts = choice.m // least[0] * (choice.n // least[1])
    if choice.waves > max(1, parts if choice.by else parts // target.wave_size):
        return False
    if _lds_of(choice, factor) > target.lds_bytes:
        return False
    taken = _registers(choice, rated, shape, target)
    vgprs = taken.others if target.has_agprs else taken.all
    return taken.sums <= _sums(target) and vgprs <= target.arch_vgprs


def _lds_of(choice: Contract, factor: ElementType) -> int:
    """The bytes of LDS that a workgroup has."""
    lines = choice.m + (0 if choice.apart else choice.n)
    return choice.buffers * lines * choice.k * factor.bytes


def _sums(target: Target) -> int:
    """The most sums of a lane. With AGPRs more would fit, but fewer waves: 4,096 cubed of f16 on gfx942 takes
    341 thousand clocks with 64 sums, 400 with 128; 172 and 305 on gfx950, for a transposed factor."""
    return target.arch_vgprs // (4 if target.has_agprs else 2)


class _Registers(NamedTuple):
    """The registers of a lane: of the sums, which may be AGPRs, and others."""

    sums: int
    others: int

    @property
    def all(self) -> int:
        return self.sums + self.others


def _registers(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> _Registers:
    """The factors of a trip and those that are loaded for the next are live at once."""
    bytes_of_lanes = choice.waves * target.wave_size * _REGISTER_BYTES
    factor = _held_type(rated, shape)
    sums = choice.m * choice.n * computed(factor).bytes // bytes_of_lanes
    a, b = [size or factor.bytes for size in shape.loaded]
    loaded = 0 if choice.copies else (choice.m * a + choice.n * b) * choice.k // bytes_of_lanes
    held = _held(choice, rated) if rated is not None else 0
    return _Registers(sums, loaded + held + _SPARE_REGISTERS)


def _held(choice: Contract, rated: Rated) -> int:
    """The registers of a lane with the factors of a trip, as the instruction takes them."""
    (m, n, k), (a, b, _) = rated.by.sizes, rated.by.layouts
    across, along = _waves(choice)
    rows, columns = max(1, choice.m // m // across), max(1, choice.n // n // along)
    elements = (rows * a.register_count + columns * b.register_count) * choice.k // k
    return elements * rated.by.factor_bytes // _REGISTER_BYTES


def _waves(choice: Contract) -> tuple[int, int]:
    """How many waves have rows of their own, and how many have columns (`product_layouts`)."""
    along = choice.waves if choice.apart else 1 << (choice.waves.bit_length() - 1) // 2
    return choice.waves // along, along


class _Estimate(NamedTuple):
    """The clocks of a launch: of its trips, of memory for all factors, and the limit of a trip.

    `busy` are clocks of a trip for each part of a unit, of all workgroups that a unit holds at once."""

    trips: int  # of all workgroups that a place in a unit takes in turn
    busy: tuple[float, float, float]  # matrix units or lanes, LDS, the way from the caches
    alone: float  # clocks of a trip of a single workgroup
    memory: float

    @property
    def clocks(self) -> float:
        """Near both limits, neither is reached."""
        of_trips = self.trips * max(*self.busy, self.alone)
        return (of_trips**_SHARPNESS + self.memory**_SHARPNESS) ** (1 / _SHARPNESS)

    @property
    def limit(self) -> str:
        of_trip = max(*self.busy, self.alone)
        if self.memory >= self.trips * of_trip:
            return "memory"
        return "the latency of a trip" if of_trip == self.alone else _LIMITS[self.busy.index(of_trip)]


def _estimate(
    choice: Contract, shape: Shape, machine: _Machine, rated: Rated | None, target: Target
) -> _Estimate:
    """The clocks of a launch by a choice."""
    groups = shape.batch * -(-shape.m // choice.m) * -(-shape.n // choice.n)
    bytes_of_trip = sum(_read_bytes(choice, shape))
    products = choice.m * choice.n * choice.k
    multiplied = products * machine.of_product / min(choice.waves, target.simds)
    stored, read = [count / _LDS_BYTES for count in _lds_bytes(choice, shape.element)]
    of_unit = -(-groups // target.units)
    together = min(_resident(choice, rated, shape, target), of_unit)
    unpacked = _unpacking(choice, rated, machine) if choice.apart else 0
    multiplying = (products * machine.of_product + choice.waves * unpacked) / target.simds * together
    busy = multiplying, (stored + read) * together, bytes_of_trip / machine.cache_rate * together
    barriers = max(1, 3 - choice.buffers)  # of a trip
    turns = -(-groups // (target.units * together))
    first, second = shape.sizes
    of_lines = bytes_of_trip / ((choice.m * first + choice.n * second) * choice.k)
    memory = of_lines * shape.bytes / machine.memory_rate
    memory *= of_unit * min(groups, target.units) / groups  # units with fewer workgroups end earlier
    trips = turns * -(-shape.k // choice.k)
    stored *= 0 if choice.copies else max(1, _STORING_WAVES / choice.waves)
    sent = bytes_of_trip / machine.cache_rate
    is_narrow = min(shape.m, shape.n) <= _NARROW  # its loads do not hide behind products
    latency = machine.latency / (choice.stages - 1 if choice.copies and choice.stages else 1)
    arriving = latency + sent if is_narrow else max(latency, sent)
    waiting = max(arriving, multiplied + read)
    if together == 1:  # memory has nothing to do while the workgroup stores to LDS
        waiting = max(waiting, memory / trips)
    alone = waiting + unpacked + stored + barriers * machine.overhead
    return _Estimate(trips + turns, busy, alone, memory)


def _unpacking(choice: Contract, rated: Rated | None, machine: _Machine) -> float:
    """The clocks in which a wave computes its columns of the second factor. Lanes that multiply the same
    elements compute them all."""
    assert rated is not None, "an instruction multiplies factors that waves compute"
    b = rated.by.layouts[1]
    copies = b.register_count * (1 << len(b.lanes)) // prod(b.sizes)
    return choice.n * choice.k // choice.waves * copies * _UNPACKED * machine.of_element


def _read_bytes(choice: Contract, shape: Shape) -> tuple[int, int]:
    """The bytes of the lines that a trip reads of each factor."""
    rows = (choice.m, choice.k) if shape.along[0] else (choice.k, choice.m)
    columns = (choice.n, choice.k) if shape.along[1] else (choice.k, choice.n)
    first, second = [
        count * max(_LINE_BYTES, int(length * size))
        for (count, length), size in zip((rows, columns), shape.sizes, strict=True)
    ]
    return first, second


def _loaded(choice: Contract, shape: Shape) -> int:
    """How many elements the workgroups of a matrix load for each of its products along k."""
    rows, columns = -(-shape.m // choice.m), -(-shape.n // choice.n)
    return rows * columns * (choice.m + choice.n)


def _lds_bytes(choice: Contract, element: ElementType) -> tuple[int, int]:
    """The bytes that a trip moves to LDS, and from it: each wave reads what its part of the tile needs."""
    across, along = _waves(choice)
    of_step = choice.k * element.bytes
    if choice.apart:
        return choice.m * of_step, choice.m * along * of_step
    return (choice.m + choice.n) * of_step, (choice.m * along + choice.n * across) * of_step


def _resident(choice: Contract, rated: Rated | None, shape: Shape, target: Target) -> int:
    """How many workgroups a unit holds at once."""
    factor = _held_type(rated, shape)
    lds = _lds_of(choice, factor)
    registers = max(_registers(choice, rated, shape, target).all, target.vgpr_granule)
    waves = target.simds * min(target.max_waves, target.vgpr_file // registers)
    return max(1, min(target.lds_file // lds, waves // choice.waves))
