"""Gives a lane of a stencil its elements in several rows, so that it reads each row of a buffer once for all.

    sums of 9 by 9 elements of {1024,1024} f32      rows=1: an element reads 9 rows
                                                    rows=4: four elements read 12

Without that a workgroup has a row of the result, and other workgroups read the same rows again, most of them
from the second cache. The variance of 9 by 9 elements takes 18,416 clocks on gfx1201 with four rows, and
58,720 without; on gfx942 13,357 with two rows, and 17,424 without.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.choosing.budget import cost_of
from asmgen.blockwise.schedules.choosing.light import LEAST_LANES
from asmgen.blockwise.schedules.elements.indices import Indices
from asmgen.blockwise.schedules.elements.maps import leaves
from asmgen.blockwise.schedules.elements.merged_dims import coordinate_symbols
from asmgen.blockwise.schedules.elements.sections import SPARE, Section
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.fusion.evaluations import evaluations, issues
from asmgen.graph.ops import ADD, MAX, MIN
from asmgen.index import Index
from asmgen.index.expression import as_symbol
from asmgen.ir.program import Value
from isa.target import Target

COMBINED = frozenset({ADD, MAX, MIN})
LEAST_HEIGHT = 3  # rows that an element reads
MOST_ROWS = 4  # of a lane
# Of rows that follow each other without gaps: lanes next to each other have several short rows anyway. Means
# of 20 rows take 0.34 times the clocks on gfx1201 with rows of 64 columns, 1.13 times with 10, and 1.24 times
# with 4.
LEAST_COLUMNS = 64
# Instructions of an element for each row that it reads. With more the vector ALU binds, and a lane with more
# registers takes longer: sums of squares of differences from a mean of 9 by 9 elements have 18, and take 1.3
# times the clocks on gfx942 and 1.6 times on gfx1201 with rows; Sobel's filter has 11, and takes 0.88 and
# 0.85. A filter of 7 by 7 weights of {1024,1024} takes 1.2 times the clocks on gfx942, which has few waves
# for it, and 0.6 times on gfx1201; of {4096,4096} 0.55 times on gfx942.
MOST_WORK = 14
MOST_STATEMENTS = 2048  # of a lane, by the estimate of `budget`


def in_rows(choice: Pointwise, graph: Graph, target: Target) -> Pointwise:
    """The choice with several rows a lane, if elements read several rows and enough waves are left."""
    if len(graph.sections) != 1 or choice.rest is not None or choice.repeat > 1:
        return choice
    section = graph.sections[0].in_rows
    sizes = section.merged
    if len(sizes) < 2 or section.is_of_rows or section.row or section.copies.number > 1:
        return choice
    if graph.named:
        return choice
    height = height_of(graph, section)
    if height < LEAST_HEIGHT or _work_of(graph) > MOST_WORK * height:
        return choice
    *_, rows_of_axis, columns = [size for size in sizes if isinstance(size, int)]
    if len(graph.sections[0].merged) < len(sizes) and columns < LEAST_COLUMNS:
        return choice
    least = 1 if target.has_agprs else LEAST_LANES // target.wave_size
    waves = graph.work.planned[0] // (choice.vector * target.wave_size * least * target.simds * target.units)
    fit = min(MOST_ROWS, rows_of_axis, waves, MOST_STATEMENTS // (choice.vector * cost_of(graph, target)))
    if fit < 2 or columns < choice.vector:
        return choice
    row = choice.row or -(-columns // choice.vector) * choice.vector
    power = 1 << (row - 1).bit_length()
    is_near = (power - columns) * SPARE <= columns
    return replace(choice, row=power if is_near else row, rows=1 << fit.bit_length() - 1)


def _work_of(graph: Graph) -> float:
    """About how many instructions an element of the result takes, without the additions and maxima by which
    windows are combined: elements next to each other share most of these."""
    often = evaluations(graph.module)
    apart = [(value, each) for value, each in graph.defined.items() if each.op not in COMBINED]
    return sum([often.get(value, 0.0) * issues(each) for value, each in apart]) / graph.work.planned[0]


def height_of(graph: Graph, section: Section) -> int:
    """The most rows of a buffer that an element reads in the same column, if the element of the next row
    reads some of them too: pairs of rows are no stencil."""
    symbols = coordinate_symbols(section.dims)
    along = as_symbol(symbols[section.groups[-2][-1]])
    rows: dict[tuple[Value, Indices], set[Index]] = {}
    for stored in section.stored:
        for leaf in leaves(graph.defined, stored.value, stored.of_value(symbols)):
            others = tuple([index for index in leaf.indices if along not in index.symbols])
            if len(others) == len(leaf.indices) - 1:
                (row,) = [index for index in leaf.indices if along in index.symbols]
                rows.setdefault((leaf.value, others), set()).add(row)
    shared = [each for each in rows.values() if len(each) > max(row.coefficient(along) for row in each)]
    return max(map(len, shared), default=0)
