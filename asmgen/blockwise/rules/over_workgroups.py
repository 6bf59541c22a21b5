"""The rules of scans that go on in other workgroups.

- Each workgroup has a tile of a single row, and the words that its type needs.
- Every workgroup comes to the scan, once: it is in no loop and in no region of some waves.
- All scans of a kernel go on along the same id, and each has words of its own, for all workgroups.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from asmgen.blockwise.actions import Scan
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.types import TileType, Type
from asmgen.index.size import equals
from asmgen.ir.passed_words import BLOCK, WORDS, halves, passed_words
from asmgen.ir.shapes import format_list
from asmgen.ir.types import U64, TensorType, computed, row_major


def check_one_row(types: tuple[Type, ...]) -> None:
    """A scan within workgroups has a tile and what comes before it."""
    if len(types) > 2:
        broken(f"there are {len(types)} operands, wanted a tile and what comes before it, or over=ID")


def check_words(tile: TileType, row: TileType, words: TensorType) -> None:
    if any(size != 1 for size in row.shape):
        broken(f"the tile has rows of {format_list(row.shape)}, wanted a single row for each workgroup")
    wanted = WORDS * halves(computed(tile.element))
    is_packed = words.strides == row_major(words.dims)
    if words.element is not U64 or words.rank != 3 or words.dims[2] != wanted or not is_packed:
        broken(f"the words are {words}, wanted u64, {{rows,blocks,{wanted}}}")


def faults_over_workgroups(kernel: Kernel) -> Iterator[tuple[str, TileStatement]]:
    """The broken rules, each with its statement."""
    scans = kernel.passes_on
    names = [symbol.name for symbol in kernel.grid]
    for scan in scans:
        assert isinstance(scan.op, Scan)
        words, over = scan.operands[-1], scan.op.over
        assert isinstance(words.type, TensorType)
        if over not in names:
            yield f"over={over} is not an id of a workgroup, wanted one of {', '.join(names)}", scan
            return
        if scan not in kernel.statements:
            yield "it is in a region, and every workgroup has to come to it once; move it out", scan
            return
        if {each.op.over for each in scans if isinstance(each.op, Scan)} != {over}:
            yield "another scan goes on along another id, wanted the same id for all", scan
            return
        if sum(words in each.operands for each in kernel.walk()) > 1:
            yield f"{words.name} has another use, wanted words of its own", scan
            return
        others = [count for name, count in zip(names, kernel.workgroups, strict=True) if name != over]
        parts = kernel.workgroups[names.index(over)]
        tile = scan.operands[0].type
        assert isinstance(tile, TileType)
        wanted = passed_words(prod(others), parts, computed(tile.element))
        if any(not equals(one, other).is_shown for one, other in zip(words.type.dims, wanted, strict=True)):
            blocks = f"a block for each {BLOCK} workgroups along {over} and one more"
            yield (
                f"the words are {format_list(words.type.dims)}, wanted {format_list(wanted)}: {blocks}",
                scan,
            )
            return
