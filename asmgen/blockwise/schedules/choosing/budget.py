"""Bounds the code of a choice: the statements for the elements that a lane has at a time.

The estimate counts the statements to which the ops of a graph expand. If a row stays in registers, each op is
computed once. Loops compute it once for each level of reductions and once for the outputs, in the loop and
again in the piece after it.

A choice beyond the budget gets fewer elements at a time, and a loop takes the rest:

    softmax over axis 0 of f16 {n,11}    2 rows a lane at a time, 22 elements, in place of 32 rows

If a single row of few columns is beyond the budget, lanes lie along the columns.
"""

from __future__ import annotations

from itertools import islice
from math import prod

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row, Scan
from asmgen.blockwise.schedules.choosing.room import UNROLLED, covers_outer_axes, floor_power, most_held
from asmgen.blockwise.schedules.elements.maps import has_border, is_chosen
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.ops import CONCAT, CONVERT, PARAM, REDUCTIONS, SCANS, SORTS
from asmgen.graph.rounded import WIDEN, rounded_to
from asmgen.index.size import Dim, Size
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import F32, ElementType, computed
from asmgen.lanewise.math.expand import statements_of
from isa.target import Target

MOST_STATEMENTS = 4096  # of a kernel, by the estimate: about two seconds of a compile
MOVED = 2  # statements for an element that is combined, or chosen under a condition, about
COPIES = 2  # of a loop body: the loop itself, and the piece after it
MOST_PARTS = 64  # of concats in a value: graphs of more are beyond the budget anyway
COMBINED = 16  # statements for each copy of a column, which combine its results of lanes and waves, about


def bounded_scan(choice: Scan, graph: Graph, target: Target) -> Scan:
    """The choice, or a choice with fewer accesses at a time if its code would be beyond the budget."""
    most = MOST_STATEMENTS // (COPIES * cost_of(graph, target))
    accesses = max(1, most // choice.vector)
    return replace(choice, repeat=floor_power(accesses)) if choice.repeat > accesses else choice


def bounded(choice: Pointwise | Row | Column, graph: Graph, target: Target) -> Pointwise | Row | Column:
    """The choice, or a choice with fewer elements at a time if its code would be beyond the budget."""
    most = max(1, MOST_STATEMENTS // cost_of(graph, target))
    if isinstance(choice, Pointwise):
        return _fewer_accesses(choice, most)
    if isinstance(choice, Column):
        choice = _within_lds(choice, graph, target)
    work = graph.work
    of_loop = _of_loop(work, most)
    if not work.is_sum:
        of_loop = min(of_loop, most_held(work, choice.waves * choice.teams * target.wave_size))
    elif isinstance(choice, Column) and choice.columns > 1:
        of_loop = min(of_loop, UNROLLED // F32.bytes)  # narrow elements are widened before they are added
    while _of_access(choice) > of_loop and not _is_held(choice, work, target, most):
        fewer = _narrower(choice)
        if fewer is None:
            break
        choice = fewer
    return choice if _is_held(choice, work, target, most) else _in_loop(choice, work, target, of_loop)


def _within_lds(choice: Column, graph: Graph, target: Target) -> Column:
    """The choice with as many waves as LDS has room for the results of all lanes: of u8 that becomes u64, a
    lane has 16 results of 8 bytes."""
    of_result = max([computed(tensor_type(each.result).element).bytes for each in graph.reductions])
    of_wave = choice.vector * choice.columns * choice.teams * target.wave_size * of_result
    waves = choice.waves
    while waves > 1 and waves * of_wave > target.lds_bytes:
        waves //= 2
    return replace(choice, waves=waves) if waves < choice.waves else choice


def has_too_many_columns(choice: Column, graph: Graph, target: Target) -> bool:
    """Whether a row of all columns of a lane is beyond the budget in loops, and a lane has more rows."""
    most = max(1, MOST_STATEMENTS // (cost_of(graph, target) + COMBINED))
    return choice.columns > _of_loop(graph.work, most) and not _is_held(choice, graph.work, target, most)


def cost_of(graph: Graph, target: Target) -> int:
    """Statements for an element, at least 1; those that are the same for a row are not counted. In rows, each
    operand of a concat computes its elements by itself, even if another operand computes the same value."""
    total = sum([_converted(value, True, target) for value in graph.whole]) if graph.of_rows else 0
    apart = _times_computed(graph.module) if graph.of_rows else {}
    for statement in graph.module.statements:
        if statement.results and not _is_of_row(graph, statement.result):
            read = _converted(statement.result, False, target) if statement.op is PARAM else 0
            total += apart.get(statement.result, 1) * (read + _made(statement, target))
    return max(1, total)


def _times_computed(module: Module) -> dict[Value, int]:
    """How many operands of concats compute each value by themselves, at most `MOST_PARTS`. An operand that
    is a concat has operands for each of its own users."""
    ways: dict[Value, dict[tuple[int, ...], None]] = {}  # to a result: the places of operands of concats
    for number, statement in reversed(list(enumerate(module.statements))):
        own = {way: None for value in statement.results for way in ways.get(value, {})} or {(): None}
        for place, operand in enumerate(statement.operands):
            step = (number, place) if statement.op is CONCAT else ()
            known = ways.setdefault(operand, {})
            known.update({(*way, *step): None for way in islice(own, MOST_PARTS)})
    return {value: min(len(known), MOST_PARTS) for value, known in ways.items()}


def _is_of_row(graph: Graph, value: Value) -> bool:
    """Whether a value has a single element along each reduced dim: a result of rows, or a part of such."""
    if not graph.of_rows:
        return False
    dims, rows = tensor_type(value).dims, graph.row_dims
    return len(dims) == len(rows) and all(dim in (1, row) for dim, row in zip(dims, rows, strict=True))


def _made(statement: Statement, target: Target) -> int:
    op = statement.op
    if op in REDUCTIONS or op in SCANS or op in SORTS or op is CONCAT:
        return MOVED
    if is_chosen(statement) or has_border(statement):
        return MOVED
    if not op.pointwise:
        return 0
    operands = [computed(tensor_type(value).element) for value in statement.operands]
    attributes = tuple(sorted(statement.attributes.items()))
    result = tensor_type(statement.result).element
    if op is WIDEN:
        return _conversion(operands[0], result, target)
    if op is CONVERT:
        return _conversion(operands[0], result, target)
    return statements_of(rounded_to(op, result), tuple(operands), computed(result), attributes, target)


def _conversion(source: ElementType, to: ElementType, target: Target) -> int:
    return 0 if source is to else statements_of(CONVERT, (source,), to, (("target_type", to.name),), target)


def _converted(value: Value, is_written: bool, target: Target) -> int:
    """Statements that widen an element of a parameter, or narrow an element of a result."""
    element = tensor_type(value).element
    source, to = (computed(element), element) if is_written else (element, computed(element))
    return _conversion(source, to, target)


def _fewer_accesses(choice: Pointwise, most: int) -> Pointwise:
    """Accesses of fewer elements, in more lanes."""
    if choice.vector * choice.repeat <= most:
        return choice
    return replace(choice, vector=min(choice.vector, floor_power(most)), repeat=1)


def _narrower(choice: Row | Column) -> Row | Column | None:
    """Half of the rows of a lane, or accesses of half the width; None if both are 1."""
    if choice.rows > 1:
        return replace(choice, rows=choice.rows // 2)
    return replace(choice, vector=choice.vector // 2) if choice.vector > 1 else None


def _of_access(choice: Row | Column) -> int:
    """Elements of a lane in a piece that is not repeated."""
    return choice.rows * choice.vector * (choice.columns if isinstance(choice, Column) else 1)


def _accesses(choice: Row | Column, work: Work, target: Target) -> Dim:
    """How many pieces of one access a lane a row has."""
    if isinstance(choice, Column):
        of_lane, lanes = choice.rows, target.wave_size // choice.lanes * choice.waves
    else:
        of_lane, lanes = choice.vector, choice.lanes * choice.waves
    return -(-work.dims[work.reduced[-1]] // (of_lane * lanes))


def _of_loop(work: Work, most: int) -> int:
    """The most elements in a trip of a loop over rows, if a kernel computes at most `most` elements."""
    return max(1, most // (COPIES * (work.levels + work.whole)))


def _is_held(choice: Row | Column, work: Work, target: Target, most: int) -> bool:
    """Whether a lane has its elements of a row without a loop, and no more than `most`."""
    outer, accesses = prod([work.dims[axis] for axis in work.reduced[:-1]]), _accesses(choice, work, target)
    if isinstance(outer, Size) or isinstance(accesses, Size):
        return False
    fits = accesses < 2 * choice.repeat
    if outer > 1:
        fits = isinstance(choice, Row) and covers_outer_axes(work, choice)
    return fits and outer * accesses * _of_access(choice) <= most


def _in_loop(choice: Row | Column, work: Work, target: Target, most: int) -> Row | Column:
    """The choice with at most `most` elements in a trip, or one access if that has more."""
    accesses, repeat = max(1, most // _of_access(choice)), choice.repeat
    if repeat > accesses:
        repeat = _even(_accesses(choice, work, target), accesses)
        choice = replace(choice, repeat=repeat)
    if not work.is_sum:
        return choice
    usual = max(1, UNROLLED // (_of_access(choice) * repeat * work.element * work.streams))
    pieces, fit = choice.pieces or usual, max(1, accesses // repeat)
    return replace(choice, pieces=fit) if pieces > fit else choice


def _even(count: Dim, most: int) -> int:
    """How many of `count` accesses a trip of a loop takes: as many as leave none over, if that is at least
    half of `most`.
    """
    if isinstance(count, Size):
        return most
    fit = max(1, min(most, count // 2))
    return next((few for few in range(fit, fit // 2, -1) if count % few == 0), fit)
