"""Decides if a computed factor of a matrix product is stored, or computed in the loads of each tile.

    y = relu(x); o = dot(y, w)    4096 cubed of f16, gfx942: a launch moves 67 MB in 31 thousand clocks;
                                  32 tiles of columns compute relu in 14 thousand, so it is in the loads
    y = gelu(x); o = dot(y, w)    32 tiles would take 700 thousand clocks, so a launch stores it

Stored, the factor costs a launch that reads its operands and writes it. If an earlier launch has its elements
anyway, only the writes count. In the loads, each tile along the other axis of the product reads the operands
and computes each of its elements again, on the lanes of the units that have workgroups. Instructions count as
if nothing else ran beside them. The numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choosing.contract import Shape, tile_of
from asmgen.blockwise.schedules.elements.maps import is_chosen, moves
from asmgen.blockwise.schedules.elements.neighbours import is_along
from asmgen.blockwise.schedules.tiles.halves import halves
from asmgen.graph.fusion.keep import ComputedFactor, Verdict
from asmgen.graph.fusion.packed_factors import packed_bytes
from asmgen.graph.ops import CONCAT, DOT, LITERAL, PAD, PARAM
from asmgen.index.size import Dim, most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import computed
from isa.named_tuple import NamedTuple
from isa.target import Target

_OF_PAIRS = 0.5  # an instruction computes two elements of f16
_LARGEST = 8  # bytes of operands for an element: more take too many registers a trip ahead
_INSTRUCTION_BYTES = 8
_PLANNED = 4096  # elements along a dim that only the launch knows


def verdict(factor: ComputedFactor, target: Target, known: TilesOfReaders) -> Verdict:
    """Whether to store a factor, by the clocks of both ways. `known` has the tiles of products of this graph,
    and gets those that are found."""
    if any(dot.op is not DOT for dot, _ in factor.readers):
        return Verdict(True, "a product of blocks with scales reads its operands from memory")
    work = _work_of(factor)
    if work.of_element > _LARGEST:
        return Verdict(True, f"an element has {work.of_element} bytes of operands, wanted {_LARGEST} at most")
    for reader in factor.readers:
        if reader not in known:
            known[reader] = _tiles(factor, reader, target)
    shared = [known[reader] for reader in factor.readers]
    in_loads = sum([_clocks_in_loads(factor, work, each, target) for each in shared])
    in_memory = _clocks_in_memory(factor, work, target)
    tiles = " and ".join([str(each.copies) for each in shared])
    way = "an earlier launch also writes it" if factor.is_beside else "a launch writes it"
    why = f"{tiles} tiles compute it in {in_loads:.0f} clocks; {way} in {in_memory:.0f}"
    return Verdict(in_memory <= in_loads, why)


class _Work(NamedTuple):
    """Of a factor: its elements, instructions for each of them, the bytes of all operands, and the bytes of
    the operands of an element."""

    elements: int
    issues: float
    read: int
    of_element: int


class Tiles(NamedTuple):
    """Of a product that reads a factor: how many tiles have each element of it, how many workgroups multiply,
    and how many elements of it a lane has in a trip."""

    copies: int
    groups: int
    of_lane: float


TilesOfReaders = dict[tuple[Statement, int], Tiles]


def _work_of(factor: ComputedFactor) -> _Work:
    """An operand with fewer elements, such as a scale of each row, is read and computed as often as it has
    elements."""
    made, elements = _made(factor), planned_elements(factor.value)
    packed = halves(made)
    issues, read, of_element = 0.0, 0, 0
    for value, statement in made.items():
        share = min(1.0, planned_elements(value) / max(1, elements))
        if value in factor.launched or statement.op in (PARAM, LITERAL):
            size = tensor_type(value).element.bytes
            read += min(elements, planned_elements(value)) * size
            of_element += size if share >= 0.5 else 0
        elif value in packed:
            issues += share * _OF_PAIRS
        elif statement.op in (CONCAT, PAD):
            issues += share * 2 * len(statement.operands)
        elif not moves(statement) and not is_chosen(statement):
            issues += share * statement.op.issues
    element = tensor_type(factor.value).element
    is_rounded = computed(element) is not element and factor.value not in packed
    return _Work(elements, issues + is_rounded, read, of_element)


def _made(factor: ComputedFactor) -> dict[Value, Statement]:
    """The statements that make a factor from buffers, in the order of the graph."""
    reached: set[Value] = set()
    pending = [factor.value]
    while pending:
        value = pending.pop()
        if value in reached:
            continue
        reached.add(value)
        if value not in factor.launched:
            pending.extend(factor.defined[value].operands)
    return {value: factor.defined[value] for value in sorted(reached, key=factor.places.__getitem__)}


def _clocks_in_memory(factor: ComputedFactor, work: _Work, target: Target) -> float:
    from isa.timing.caches import CACHES
    from isa.timing.chips import CHIPS

    written = work.elements * tensor_type(factor.value).element.bytes
    moved = written if factor.is_beside else work.read + written
    rate = CACHES[target.name].with_buffers(moved).memory_rate.value * target.compute_units
    start = 0.0 if factor.is_beside else CHIPS[target.name].launch_clocks
    return start + moved / rate


def _clocks_in_loads(factor: ComputedFactor, work: _Work, tiles: Tiles, target: Target) -> float:
    from isa.timing.caches import CACHES
    from isa.timing.machine import MACHINES

    units, machine = min(tiles.groups, target.units), MACHINES[target.name]
    lanes = units * target.simds * target.wave_size / machine.issue.clocks
    fetched = tiles.of_lane * work.issues * _INSTRUCTION_BYTES * machine.fetch.clocks / machine.fetched.clocks
    more = max(0, work.read - work.elements * tensor_type(factor.value).element.bytes)
    rate = CACHES[target.name].vector[1].rate.value * target.compute_units / target.units * units
    return fetched + tiles.copies * (work.elements * work.issues / lanes + more / rate)


def _tiles(factor: ComputedFactor, reader: tuple[Statement, int], target: Target) -> Tiles:
    dot, number = reader
    along = [is_along(factor.defined, value, -1 - each) for each, value in enumerate(dot.operands)]
    shape = Shape.of(dot, (along[0], along[1]), packed_bytes(factor.defined, dot), False, False)
    choice = tile_of(shape, target)
    rows, columns = -(-shape.m // choice.m), -(-shape.n // choice.n)
    own = prod([_planned(dim) for dim in tensor_type(dot.operands[number]).dims[:-2]])
    of_lane = (choice.n if number else choice.m) * choice.k / (choice.waves * target.wave_size)
    copies = shape.batch // max(1, own) * (rows if number else columns)
    return Tiles(copies, shape.batch * rows * columns, of_lane)


def planned_elements(value: Value) -> int:
    """The elements of a value, with some number for a dim that only the launch knows."""
    return prod([_planned(dim) for dim in tensor_type(value).dims])


def _planned(dim: Dim) -> int:
    return dim if isinstance(dim, int) else min(most(dim), _PLANNED)
