"""`gpu`: exchange between the lanes of a wave, and reductions over a wave or a workgroup.

* A shuffle reads the lane that its mode selects. If that lane is outside of the group of `width` lanes, the
  lane keeps its own value and the second result is false.
* `gpu.subgroup_reduce` combines by powers of two into the first lane of each group; then all lanes read it.
* `gpu.all_reduce` does the same through LDS, for a workgroup of any size. A workgroup of whole waves uses DPP
  within each wave.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.index.interval import I32_BOUNDS
from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F32, U32, ElementType
from asmgen.lanewise import ops, reduction_ops
from asmgen.mlir.dialects.gpu import lane, linear_thread, threads
from asmgen.mlir.lowering.arithmetic import quotients, relations
from asmgen.mlir.lowering.arithmetic.combine import Combine, applied, combiner
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, as_unsigned, extended, lanes_of, truncated
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.memory.buffers import in_lds
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation
from isa.named_tuple import NamedTuple


class _ByWaves(NamedTuple):
    """A reduction op of lanewise, and whether it takes signed integers."""

    kind: str
    is_signed: bool = False


# The reductions of lanewise by the operations of gpu.all_reduce.
_BY_WAVES = {
    U32: {
        "add": _ByWaves("sum"),
        "mul": _ByWaves("prod"),
        "minui": _ByWaves("min"),
        "maxui": _ByWaves("max"),
        "minsi": _ByWaves("min", is_signed=True),
        "maxsi": _ByWaves("max", is_signed=True),
    },
    F32: {
        "add": _ByWaves("sum"),
        "mul": _ByWaves("prod"),
        "minnumf": _ByWaves("min"),
        "maxnumf": _ByWaves("max"),
    },
}


def moved(lower: Lowering, value: Value, from_lane: Value) -> Value:
    """The value of another lane. Types that lanewise does not exchange go through a u32."""
    builder, type_ = lower.builder, lanes_of(value)
    element = type_.element
    if element is BOOL:
        there = builder.lane_shuffle(extended(lower.builder, value, U32, signed=False), from_lane)
        return truncated(lower.builder, there, BOOL)
    if element.bits >= U32.bits:
        return builder.lane_shuffle(value, from_lane)
    narrow = builder.bit_cast(value, _bits_type(element)) if element.is_float else value
    there = builder.lane_shuffle(builder.convert(narrow, U32), from_lane)
    back = builder.convert(there, lanes_of(narrow).element)
    return builder.bit_cast(back, element) if element.is_float else back


def _bits_type(element: ElementType) -> ElementType:
    return ELEMENT_TYPES[f"u{element.bits}"]


def shuffle(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value = lower.lane(operation.operands[0])
    offset, width = (lower.index(operand) for operand in operation.operands[1:])
    indices, own = lower.indices, lane(lower)
    if not width.is_constant or width.low & (width.low - 1) or not 1 <= width.low <= lower.wave:
        wanted = f"a constant power of two up to {lower.wave}"
        raise lower.refused(
            operation, "MLIR050", "the width of the shuffle is not a constant power of two", wanted
        )
    first = indices.sub(own, quotients.remainder(indices, own, width))
    there = _target(lower, operation.text("mode"), own, first, offset)
    is_valid = lower.builder.logical_and(
        relations.compare(indices, "sge", there, first),
        relations.compare(indices, "slt", there, indices.add(first, width)),
    )
    chosen = indices.select(is_valid, there, own)
    other = moved(lower, value, indices.word(chosen))
    return other, is_valid


def _target(lower: Lowering, mode: str, own: Index, first: Index, offset: Index) -> Index:
    indices = lower.indices
    match mode:
        case "xor":
            return indices.of_word(
                lower.builder.bitwise_xor(indices.word(own), indices.word(offset)), *I32_BOUNDS
            )
        case "up":
            return indices.sub(own, offset)
        case "down":
            return indices.add(own, offset)
        case _:
            return indices.add(first, offset)


def rotate(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The value of the lane `offset` further on, cyclic in groups of `width` lanes."""
    value = lower.lane(operation.operands[0])
    indices, own = lower.indices, lane(lower)
    offset, width = operation.integer("offset"), operation.integer("width")
    rest = quotients.remainder(indices, own, indices.constant(width))
    turned = quotients.remainder(
        indices, indices.add(rest, indices.constant(offset)), indices.constant(width)
    )
    there = indices.add(indices.sub(own, rest), turned)
    other = moved(lower, value, indices.word(there))
    return other, relations.compare(indices, "slt", own, indices.constant(width))


def subgroup_broadcast(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The value of the first active lane, or of a given lane."""
    value = lower.lane(operation.operands[0])
    if operation.text("broadcast_type") == "first_active_lane":
        return (lower.builder.read_first_lane(value),)
    return (moved(lower, value, lower.indices.word(lower.index(operation.operands[1]))),)


def ballot(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A bit for each lane of the wave, set if its condition is true: of the lower 32 lanes, or of all 64."""
    condition = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation).element
    builder = lower.builder
    low = builder.value(ops.BALLOT, condition, word=0)
    if wanted is U32:
        return (low,)
    high = builder.value(ops.BALLOT, condition, word=1)
    return (builder.value(ops.JOIN_WORDS, low, high, type=wanted.name),)


def _combiner(lower: Lowering, operation: Operation) -> tuple[str, Combine]:
    """The name of the operation (empty for a region), and a function that combines two numbers."""
    if operation.regions and operation.regions[0].blocks:
        region = operation.regions[0]

        def combined(a: Value, b: Value) -> Value:
            (made,) = lower_region(lower, region, (a, b))
            assert isinstance(made, Value)
            return made

        return "", combined
    name = operation.text("op")
    combine = combiner(lower.builder, name)
    if combine is None:
        raise lower.refused(operation, "MLIR051", f"the operation {name}", "add, mul, min, max, and, or, xor")
    return name, combine


def _scalar(lower: Lowering, operation: Operation) -> Value:
    scalar = lower.value(operation.operands[0])
    if not isinstance(scalar, Value) or lanes_of(scalar).lanes != 1:
        got = f"{operation.name} of type {operation.operands[0].type}"
        raise lower.refused(operation, "MLIR010", got, "an integer or a float")
    return scalar


def subgroup_reduce(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value = _scalar(lower, operation)
    _, combine = _combiner(lower, operation)
    size = operation.integer("cluster_size", lower.wave)
    stride = operation.integer("cluster_stride", 1)
    if size & (size - 1) or stride & (stride - 1) or size * stride > lower.wave:
        raise lower.refused(
            operation,
            "MLIR052",
            f"clusters of {size} lanes, {stride} apart",
            f"powers of two within {lower.wave}",
        )
    return (_reduced_in_wave(lower, operation, value, combine, size, stride),)


def _reduced_in_wave(
    lower: Lowering, operation: Operation, value: Value, combine: Combine, size: int, stride: int
) -> Value:
    """Reduce `size` lanes, `stride` apart, into the first; then all lanes read it."""
    indices, own = lower.indices, lane(lower)
    block = lower.kernel.block
    is_whole = block is not None and prod(block) % lower.wave == 0
    position = quotients.remainder(
        indices, quotients.divide(indices, own, indices.constant(stride)), indices.constant(size)
    )
    first = indices.sub(own, indices.mul(position, indices.constant(stride)))
    limit = None if is_whole else _lanes_of_wave(lower, own)
    step = size // 2
    while step:
        there = indices.add(own, indices.constant(step * stride))
        there = indices.of_word(indices.word(there), 0, 2 * lower.wave)
        other = moved(lower, value, indices.word(there))
        counts = relations.compare(
            indices, "slt", indices.add(position, indices.constant(step)), indices.constant(size)
        )
        if limit is not None:
            counts = lower.builder.logical_and(counts, relations.compare(indices, "slt", there, limit))
        value = lower.builder.where(counts, combine(value, other), value)
        step //= 2
    return moved(lower, value, indices.word(first))


def _lanes_of_wave(lower: Lowering, own: Index) -> Index:
    """The number of lanes of this wave. The last wave of a workgroup may have fewer."""
    indices = lower.indices
    start = indices.sub(linear_thread(lower), own)
    return indices.with_bounds(indices.sub(threads(lower), start), 1, 1024)


def all_reduce(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value = _scalar(lower, operation)
    name, combine = _combiner(lower, operation)
    by_waves = _BY_WAVES.get(lanes_of(value).element, {}).get(name)
    block = lower.kernel.block
    if by_waves is not None and block is not None and _has_waves_along_x(block, lower.wave):
        return (_reduced_by_waves(lower, operation, value, by_waves),)
    return (_reduced_in_lds(lower, operation, value, combine),)


def _has_waves_along_x(block: tuple[int, int, int], wave: int) -> bool:
    """Whether the workgroup is a single wave, or whole waves along x."""
    return prod(block) == wave or (block[1:] == (1, 1) and block[0] % wave == 0)


def _reduced_by_waves(lower: Lowering, operation: Operation, value: Value, reduction: _ByWaves) -> Value:
    """Reduce each wave by DPP, then the last lanes of the waves through LDS."""
    builder = lower.builder
    assert lower.kernel.block is not None
    waves = prod(lower.kernel.block) // lower.wave
    number = as_signed(lower.builder, value) if reduction.is_signed else value
    last = applied(lower.builder, reduction_ops.DPP_REDUCE, (number,), reduction.kind, lanes=lower.wave)
    if waves == 1:
        return as_unsigned(lower.builder, builder.lane_shuffle(last, builder.constant(lower.wave - 1, U32)))
    lds = in_lds(lower, lanes_of(number).element, waves, operation.result).buffer
    assert lds is not None
    return as_unsigned(
        lower.builder,
        applied(lower.builder, reduction_ops.REDUCE_WAVES, (last, lds), reduction.kind, waves=waves),
    )


def _reduced_in_lds(lower: Lowering, operation: Operation, value: Value, combine: Combine) -> Value:
    """Reduce a workgroup of any size by a tree in LDS."""
    builder, indices = lower.builder, lower.indices
    block = lower.kernel.block
    most = prod(block) if block is not None else lower.kernel.most_items
    element = lanes_of(value).element
    lds = in_lds(lower, element, most, operation.result).buffer
    assert lds is not None
    own, count = linear_thread(lower), threads(lower)
    builder.lds_store(lds, indices.word(own), value)
    builder.barrier()
    step = 1 << max(most - 1, 0).bit_length() >> 1
    while step:
        there = indices.add(own, indices.constant(step))
        adds = builder.logical_and(
            relations.compare(indices, "slt", own, indices.constant(step)),
            relations.compare(indices, "slt", there, count),
        )

        def add(there: Index = there) -> Sequence[Lowered]:
            a = builder.lds_load(lds, indices.word(own))
            b = builder.lds_load(lds, indices.word(there))
            builder.lds_store(lds, indices.word(own), combine(a, b))
            return ()

        _ = branch(lower, operation, adds, add, None)
        builder.barrier()
        step //= 2
    total = builder.lds_load(lds, builder.constant(0, U32))
    builder.barrier()
    return total


ROWS = rows(
    {
        "gpu.ballot": ballot,
        "gpu.shuffle": shuffle,
        "gpu.rotate": rotate,
        "gpu.subgroup_broadcast": subgroup_broadcast,
        "gpu.subgroup_reduce": subgroup_reduce,
        "gpu.all_reduce": all_reduce,
    }
)
