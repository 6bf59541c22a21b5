"""The rules of tiles that workgroups along an id add up (`sum_parts`).

- The tiles are of f32 or i32. The sums have the words of each workgroup, and the arrivals count the
  workgroups of each wave: a literal of u32 that are 0.
- Every workgroup comes to the statement, once: it is in no loop and in no region of some waves.
- Each wave goes on alone, so the statements after it exchange nothing between lanes or waves, and do not ask
  for the id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from asmgen.blockwise.actions import Literal, SumParts, indices_of
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.types import TileType
from asmgen.index.size import Dim
from asmgen.ir.shapes import format_type
from asmgen.ir.types import F32, I32, U32, U64, ElementType, TensorType, row_major, tensor

_ELEMENTS = (F32, I32)


def word_of(tiles: Sequence[TileType]) -> ElementType:
    """The words in which lanes pass their elements: two of them each, unless a lane has an odd number."""
    return U32 if any(tile.layout.register_count % 2 for tile in tiles) else U64


def sums_and_arrivals(
    tiles: Sequence[TileType], lanes: int, over: Dim, others: Sequence[Dim]
) -> tuple[TensorType, TensorType]:
    """The types of the sums, {workgroups,parts,words}, and of the arrivals, {workgroups,waves}, if
    workgroups of waves of so many lanes lie along `over` and the others."""
    word, waves, groups = word_of(tiles), 1 << len(tiles[0].layout.waves), prod(others)
    elements = sum([tile.layout.register_count for tile in tiles])
    words = elements * F32.bytes // word.bytes * waves * lanes
    return tensor(word, (groups, over, words)), tensor(U32, (groups, waves))


def check_sums(tiles: Sequence[TileType], sums: TensorType, arrived: TensorType) -> None:
    for tile in tiles:
        if tile.element not in _ELEMENTS:
            broken(f"a tile is of {tile.element}, wanted f32 or i32; convert the tile")
    for buffer, element, rank, what in ((sums, word_of(tiles), 3, "sums"), (arrived, U32, 2, "arrivals")):
        is_packed = buffer.strides == row_major(buffer.dims)
        if buffer.element is not element or buffer.rank != rank or not is_packed:
            broken(f"the {what} are {format_type(buffer)}, wanted {element} of rank {rank}, row-major")


def faults_of_summed_parts(kernel: Kernel) -> Iterator[tuple[str, TileStatement]]:
    """The broken rules, each with its statement."""
    made = [each for each in kernel.walk() if isinstance(each.op, SumParts)]
    for statement in made:
        rule = _fault(kernel, statement, len(made))
        if rule:
            yield rule, statement
            return


def _fault(kernel: Kernel, statement: TileStatement, count: int) -> str:
    assert isinstance(statement.op, SumParts)
    over, names = statement.op.over, [symbol.name for symbol in kernel.grid]
    if over not in names:
        return f"over={over} is no id of a workgroup, wanted one of {', '.join(names)}"
    if count > 1:
        return "the kernel has another sum_parts, wanted a single statement with all tiles"
    if statement not in kernel.statements:
        return "it is in a region, and every workgroup has to come to it once; move it out"
    *values, sums, arrived = statement.operands
    tiles = [value.type for value in values if isinstance(value.type, TileType)]
    counts = dict(zip(names, kernel.workgroups, strict=True))
    parts = counts.pop(over)
    wanted = sums_and_arrivals(tiles, kernel.lanes, parts, list(counts.values()))
    for buffer, type_, what in zip((sums, arrived), wanted, ("sums", "arrivals"), strict=True):
        assert isinstance(buffer.type, TensorType), "the types follow the rule of the op"
        if buffer.type != type_:
            return f"the {what} are {format_type(buffer.type)}, wanted {format_type(type_)}"
    return _fault_of_others(kernel, statement, sums, arrived)


def _fault_of_others(kernel: Kernel, statement: TileStatement, sums: TileValue, arrived: TileValue) -> str:
    """The rule that the other statements break."""
    if any(not {sums, arrived}.isdisjoint(each.operands) for each in kernel.walk() if each is not statement):
        return "another statement has its sums or arrivals, wanted buffers of its own"
    made = next(each for each in kernel.statements if arrived in each.results)
    if not isinstance(made.op, Literal) or any(made.op.values):
        return f"{arrived.name} is no literal of zeros, from which the workgroups count"
    assert isinstance(statement.op, SumParts)
    for each in after_parts(kernel):
        row = row_of(each.op)
        if row.crosses or row.has_region:
            return f"{row.name} comes after it, when each wave is alone; move it before"
        if any(symbol.name == statement.op.over for index in indices_of(each.op) for symbol in index.symbols):
            return f"{row.name} after it names {statement.op.over}, and all of them are added up"
    return ""


def after_parts(kernel: Kernel) -> tuple[TileStatement, ...]:
    """The statements after `sum_parts`; none if a kernel has none."""
    for number, statement in enumerate(kernel.statements):
        if isinstance(statement.op, SumParts):
            return kernel.statements[number + 1 :]
    return ()
