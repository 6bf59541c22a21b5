"""Checks whether a choice fits a kernel. A choice in text is used as written, or refused with the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from asmgen.blockwise.actions import SCALED
from asmgen.blockwise.schedules.choices import (
    BLOCK,
    QUAD,
    STAGGERED_TRIPS,
    Choice,
    Column,
    Contract,
    Pairs,
    Pointwise,
    Row,
    Scan,
    Sort,
    Transpose,
    lds_with_sums,
    name_of,
)
from asmgen.blockwise.schedules.elements.sections import Section, has_open_rows
from asmgen.blockwise.schedules.elements.straight import is_copied
from asmgen.blockwise.schedules.kernel_graph import LEAST_OF_PAIRS, RESULTS_OF_PAIRS, Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.block_dots import block_of, has_powers
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Size, most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import ElementType, computed
from isa.target import Target

if TYPE_CHECKING:
    from asmgen.blockwise.matrix import Instruction

_POWERS = ("rows", "lanes", "waves", "teams", "vector", "m", "n", "k", "elements")
_LARGEST_ACCESS = 16  # elements
PRODUCT_STAGES = 3  # from memory, to LDS, multiplied


def misfit(graph: Graph, choice: Choice, target: Target) -> str:
    """The rule that a choice breaks for a kernel, in words; empty if it breaks none."""
    broken = (
        _of_kind(graph, choice, target)
        or misfit_of_powers(choice, target)
        or _of_sizes(choice, target)
        or _of_passed_on(graph, choice, target)
    )
    if broken or not isinstance(choice, Contract):
        return broken
    return _of_product_choice(graph, choice, target)


def _of_kind(graph: Graph, choice: Choice, target: Target) -> str:
    if choice.body is not graph.body:
        return f"{name_of(choice)} is for kernels with {choice.body.value}"
    match choice:
        case Column() if graph.work.reduces_fast:
            return "column is for a last dim that is kept; row is for a last dim that is reduced"
        case Pairs():
            return _of_pairs(graph.work, choice, target)
        case Row(short=int()) if not isinstance(graph.work.dims[graph.work.reduced[-1]], Size):
            return "short is for rows of a length that the launch knows"
        case Row(joined=int()) if not _has_open_rows(graph.work):
            return "joined is for several reduced axes, of which the launch knows the last"
        case Row(middle=int(middle), short=None):
            return f"middle is {middle} without a short, wanted a short that is below middle"
        case Row(middle=int(middle), short=int(short)) if middle <= short:
            return f"short is {short} and middle is {middle}, wanted a short that is below middle"
        case Pointwise(rest=int(rest)) if rest != 1 or choice.row:
            return f"rest is {rest} and row is {choice.row}, wanted rest=1 without row"
        case Pointwise(row=None, rows=int(rows)):
            return f"rows is {rows}, wanted row=N too, the elements from a row to the next"
        case Pointwise(short=int()) if not has_open_rows(graph.sections):
            return "short is for an output with rows of a length that the launch knows"
        case Pointwise(short=None, many=int(many)):
            return f"many is {many} without a short, wanted the most elements of a short row too"
        case Pointwise(row=int(row)):
            sections = [section.in_rows if choice.rows else section for section in graph.sections]
            return _of_padded_rows(sections, row, choice.vector) or _of_several_rows(sections, choice.rows)
        case Transpose():
            return _of_squares(graph, choice)
        case Sort():
            return _of_sort(graph, choice)
        case Contract():
            return _of_product(graph)
        case _:
            return ""


def _has_open_rows(work: Work) -> bool:
    """Whether loops go along outer reduced dims, and the launch knows the last."""
    return work.reduces_fast and len(work.reduced) > 1 and isinstance(work.dims[-1], Size)


def _of_pairs(work: Work, choice: Pairs, target: Target) -> str:
    """The rule that rows of two buffers break."""
    if not work.of_pairs:
        return (
            f"pairs is for reductions over the last dim, of rows of two buffers: {LEAST_OF_PAIRS} of each at "
            f"least, and {RESULTS_OF_PAIRS} results"
        )
    lanes, columns = choice.lanes * choice.across, work.dims[work.kept[-1]]
    if lanes > target.wave_size:
        return f"lanes * across is {lanes}, and a wave has {target.wave_size}"
    if isinstance(columns, int) and columns < choice.columns:
        return f"columns is {choice.columns}, and the second buffer has {columns} rows"
    return ""


def _of_padded_rows(sections: Sequence[Section], row: int, vector: int) -> str:
    """The rule that rows break that begin at multiples of `row`."""
    if row % vector:
        return f"row is {row}, wanted a multiple of the {vector} elements of a vector"
    for section in sections:
        if (
            not section.groups
            or any(isinstance(size, Size) for size in section.merged[1:])
            or section.is_of_rows
        ):
            return "row is for outputs of rows with a known number of elements"
        if row < most(section.merged[-1]):
            return f"row is {row}, and a row has {section.merged[-1]} elements"
    return ""


def _of_several_rows(sections: Sequence[Section], rows: int | None) -> str:
    """The rule that a lane with elements in several rows breaks."""
    if rows is None:
        return ""
    for section in sections:
        size = (1, *section.merged[:-1])[-1]
        if isinstance(size, Size) or size < rows:
            return f"rows is {rows}, and the axis has {size} rows"
        if section.copies.number > 1:
            return f"rows is {rows}, and elements are copies of each other"
    return ""


def _of_sort(graph: Graph, choice: Sort) -> str:
    """A sort has its whole row at once."""
    size, held = graph.work.planned[graph.work.reduced[-1]], choice.lanes * choice.waves * choice.elements
    if held < size or held >= 2 * size:
        return f"a workgroup has {held} elements of a row, wanted the least power of two from {size} on"
    if graph.work.reduces_fast and choice.vector != 1:
        return f"vector is {choice.vector}, wanted 1: memory is contiguous along the row"
    return ""


def _of_squares(graph: Graph, choice: Transpose) -> str:
    """The rule that a square breaks. A square is no longer than its axes; its sides are powers of two, or a
    side is a whole axis."""
    axes = graph.transposed
    if axes is None:
        return "transpose is for buffers that are contiguous along another dim than the output"
    sizes = axes.sizes(tensor_type(graph.returns[0]).dims)
    for name, own, size in (
        ("across", choice.across, sizes[axes.read]),
        ("vector", choice.vector, sizes[axes.written]),
    ):
        if not isinstance(size, Size) and own > size:
            return f"{name} is {own}, and the axis has {size} elements"
        if own & (own - 1) and size != own:
            return f"{name} is {own}, wanted a power of two or {size}, all elements of the axis"
    return ""


def misfit_of_powers(choice: Choice, target: Target) -> str:
    """The rule of powers of two that a choice breaks, whatever its kernel; empty if it breaks none."""
    given = _numbers(choice)
    for name in _powers(choice):
        count = given.get(name, 1)
        if count < 1 or count & (count - 1):
            return f"{name} is {count}, wanted a power of two"
    if given.get("lanes", 1) > target.wave_size:
        return f"lanes is {given['lanes']}, and a wave has {target.wave_size}"
    return ""


def _of_sizes(choice: Choice, target: Target) -> str:
    given, most = _numbers(choice), target.max_workgroup
    if not isinstance(choice, Transpose) and given.get("vector", 1) > _LARGEST_ACCESS:
        return f"vector is {given['vector']}, wanted {_LARGEST_ACCESS} at most"
    lanes = target.wave_size * given.get("waves", 1) * given.get("teams", 1)
    return f"a workgroup of {lanes} lanes, and the target's has {most} at most" if lanes > most else ""


def _numbers(choice: Choice) -> dict[str, int]:
    return {name: value for name, value in asdict(choice).items() if isinstance(value, int)}


def _powers(choice: Choice) -> tuple[str, ...]:
    """The numbers of a choice that are powers of two."""
    if isinstance(choice, Scan):
        return (*_POWERS, "repeat")
    if isinstance(choice, Pairs):
        return (*_POWERS, "columns", "across")
    return tuple([name for name in _POWERS if name != "vector"]) if isinstance(choice, Transpose) else _POWERS


def _of_passed_on(graph: Graph, choice: Choice, target: Target) -> str:
    """The rule of scans of which workgroups pass on what precedes their parts."""
    if not isinstance(choice, Scan) or not graph.way.is_passed_on:
        return ""
    part, has = graph.way.part, target.wave_size * choice.waves * choice.vector * choice.repeat
    if not graph.work.reduces_fast:
        return "passed_on is for a scan along which memory is contiguous"
    if choice.lanes != target.wave_size or choice.teams != 1 or has != part:
        whole = f"lanes={target.wave_size}, teams=1, and waves * vector * repeat = part / {target.wave_size}"
        return f"a workgroup has to have the {part} elements of a part of a row at a time, wanted {whole}"
    return ""


def _of_product(graph: Graph) -> str:
    """The rule that a kernel breaks, in words; empty if the kernel fits contract."""
    kinds = {_kind_of(dot) for dot in graph.products}
    if len(kinds) != 1:
        return "contract is for products of the same types, k and batch dims, and those of the kernel differ"
    if not graph.has_even_products and (broken := _of_strips(graph)):
        return broken
    least = min([tensor_type(value).rank for dot in graph.products for value in dot.operands])
    if least < 2:
        return f"contract is for matrices, and an operand has {least} dims"
    return _of_reduced_axes(graph) if graph.reductions else ""


def _of_strips(graph: Graph) -> str:
    """The rule that products of different dims break."""
    from asmgen.graph.fusion.siblings import MOST_STRIPS, are_multiples

    dots = graph.products
    side = next((side for side in (0, 1) if len({dot.operands[side] for dot in dots}) == 1), None)
    if side is None or graph.reductions or not are_multiples(dots, side):
        return (
            "contract is for products of the same dims, or for products without scales and reductions that "
            f"share a factor, each with a multiple of the rows or columns of the smallest, {MOST_STRIPS} "
            "times these together at most"
        )
    mixed = [value.name for value in graph.returns if not _has_dims_of_products(graph, value)]
    return f"{mixed[0]} has to be made of products of its own dims" if mixed else ""


def _has_dims_of_products(graph: Graph, value: Value) -> bool:
    """Whether a value, before a reshape of it, has the dims of all products that it is made of."""
    reached: set[Value] = set()
    pending = [value]
    while pending:
        if (own := pending.pop()) not in reached:
            reached.add(own)
            pending += graph.defined[own].operands
    dims = {tensor_type(dot.result).dims for dot in graph.products if dot.result in reached}
    return len(dims) == 1 and in_dims(graph.defined, value, dims) is not None


def _of_reduced_axes(graph: Graph) -> str:
    from asmgen.graph.fusion.epilogues import view_of

    if all(view_of(graph.defined, reduction) for reduction in graph.reductions):
        return ""
    return "contract is for reductions over the last dim of the products, or over the dim before it"


def _kind_of(dot: Statement) -> tuple[object, ...]:
    """The facts that products of one kernel share."""
    a, result = tensor_type(dot.operands[0]), tensor_type(dot.result)
    return dot.op, block_of(dot), has_powers(dot), a.dims[-1], a.element, result.dims[:-2]


def _of_product_choice(graph: Graph, choice: Contract, target: Target) -> str:
    """The rule that the numbers or the instruction break."""
    from asmgen.blockwise.matrix import instruction

    if choice.stages is not None and choice.stages > PRODUCT_STAGES:
        return f"stages is {choice.stages}, wanted {PRODUCT_STAGES} at most"
    if choice.apart is not None and (choice.apart != 1 or not choice.by):
        return f"apart is {choice.apart}, wanted 1, with a matrix instruction, or nothing"
    dot = graph.products[0]
    block = block_of(dot)
    if (
        broken := _of_waves_along(choice, block)
        or _of_quads(choice, target)
        or _of_lines(graph, choice, target)
        or _of_parts(graph, choice)
    ):
        return broken
    if block % choice.k:
        return f"k is {choice.k}, wanted a divisor of {block}, the products along k of a scale"
    element = tensor_type(dot.operands[0]).element
    held = element if choice.by else computed(element)
    if broken := _of_copies(graph, choice, held, target):
        return broken
    if broken := _of_waves_out_of_step(graph, choice, block) or _of_halves(graph, choice, held, target):
        return broken
    each = choice.placed * held.bytes + (choice.placed // SCALED if has_powers(dot) else 0)
    size = 0 if choice.quads else choice.buffers * _lines(graph, choice) * each
    if choice.along:
        size = lds_with_sums(size, _bytes_of_sums(graph, choice), target)
    if size > target.lds_bytes:
        what = "tiles and sums" if choice.along else "tiles"
        return f"the {what} in LDS have {size} bytes, and the target has {target.lds_bytes} for a workgroup"
    if choice.slices is not None and not choice.by:
        return "slices is for products by a matrix instruction"
    if not choice.by:
        few = "" if choice.n >= BLOCK else f"n is {choice.n}, wanted {BLOCK} at least"
        return few or _of_reductions(graph, choice, None)
    by = instruction(choice.by, target)
    if by is None:
        waves = f"in waves of {target.wave_size} lanes"
        return f"{choice.by} is not a matrix instruction of {target.name} {waves}"
    if (by.scales is None) is has_powers(dot):
        return f"{choice.by} multiplies by {'no' if by.scales is None else 'its'} scales, unlike the product"
    if by.scales and (choice.slices or choice.along or choice.apart or choice.staggered):
        return "slices, along, apart and staggered are for products without scales of the instruction"
    return _of_slices(choice, by) or _of_instruction(dot, choice, by) or _of_reductions(graph, choice, by)


def _of_waves_along(choice: Contract, block: int) -> str:
    """The rule that waves along k break."""
    if choice.along is None:
        return ""
    if choice.along != 1:
        return f"along is {choice.along}, wanted 1 or nothing"
    if choice.k < choice.waves:
        return f"k is {choice.k}, wanted a product along k at least for each of {choice.waves} waves"
    if choice.apart or choice.copies or block or (choice.stages or 1) > 2:
        return (
            "along is for factors that all go through registers and LDS, in 2 stages at most, without scales"
        )
    return ""


def _of_quads(choice: Contract, target: Target) -> str:
    """The rule that four lanes along k break."""
    if choice.quads is None:
        return ""
    if choice.quads != 1 or not choice.along or choice.slices or choice.buffers > 1:
        return f"quads is {choice.quads}, wanted 1, with along=1, without slices, and 1 buffer; or nothing"
    if not target.has_agprs:
        return "quads is for instructions of CDNA, of which four lanes next to each other have four rows"
    return ""


def _of_parts(graph: Graph, choice: Contract) -> str:
    """The rule that workgroups with parts of k break."""
    if choice.parts is None:
        return ""
    dims = [tensor_type(dot.result).dims for dot in graph.products]
    k = tensor_type(graph.products[0].operands[0]).dims[-1]
    others = choice.lines or choice.apart or choice.staggered or block_of(graph.products[0])
    is_batch = any(dim != 1 for each in dims for dim in each[:-2])
    if choice.parts < 2 or others or graph.reductions or has_powers(graph.products[0]):
        return (
            f"parts is {choice.parts}, wanted 2 at least, without lines, apart, staggered, scales and "
            "reductions; or nothing"
        )
    if isinstance(k, Size) or k % (choice.parts * choice.k) or is_batch:
        return f"parts is {choice.parts}, wanted matrices with whole trips of {choice.k} along k in each part"
    if any(isinstance(each, Size) for some in dims for each in some):
        return f"parts is {choice.parts}, and only the launch knows the rows or columns"
    return ""


def _of_lines(graph: Graph, choice: Contract, target: Target) -> str:
    """The rule that results on their way through LDS break."""
    if choice.lines is None:
        return ""
    has_halves = choice.staggered and choice.copies
    if choice.lines != 1 or not choice.by or choice.along or has_halves or graph.reductions:
        return (
            f"lines is {choice.lines}, wanted 1, with a matrix instruction, and without along, reductions, "
            "and copies by waves out of step; or nothing"
        )
    size = choice.m * choice.n * max([tensor_type(value).element.bytes for value in graph.returns])
    if size > target.lds_bytes:
        return f"the results have {size} bytes, and the target has {target.lds_bytes} of LDS for a workgroup"
    return ""


def _of_waves_out_of_step(graph: Graph, choice: Contract, block: int) -> str:
    """The rule that waves out of step break."""
    if choice.staggered is None:
        return ""
    if choice.staggered != 1 or not choice.by:
        return f"staggered is {choice.staggered}, wanted 1, with a matrix instruction, or nothing"
    if choice.apart or choice.along or choice.slices or block:
        return "staggered is for factors that all go through LDS, without slices and scales"
    stages = 2 if choice.copies else 3
    if choice.waves < 2 or choice.buffers < 2 or choice.stages != stages:
        return f"staggered is for 2 waves at least, 2 buffers at least and {stages} stages"
    k = tensor_type(graph.products[0].operands[0]).dims[-1]
    if isinstance(k, Size) or k < STAGGERED_TRIPS * choice.k:
        return f"k has {k} elements, and staggered is for {STAGGERED_TRIPS} trips of {choice.k} at least"
    return ""


def _of_halves(graph: Graph, choice: Contract, held: ElementType, target: Target) -> str:
    """The rule that copies by waves out of step break."""
    from asmgen.blockwise.schedules.elements.neighbours import is_along
    from asmgen.blockwise.transposes import transposing_loads

    if not (choice.staggered and choice.copies):
        return ""
    if graph.reductions or choice.buffers > 2:
        return "staggered with copies is for products without reductions, and 2 buffers"
    factors = [list(dict.fromkeys([dot.operands[side] for dot in graph.products])) for side in (0, 1)]
    k = tensor_type(factors[0][0]).dims[-1]
    if not isinstance(k, int) or k % choice.k:
        return f"k has {k} elements, and staggered with copies is for whole trips of {choice.k}"
    turns = any(load.loads(held) for load in transposing_loads(target))
    are_read = all(is_along(graph.defined, a, -1) for a in factors[0]) and (
        turns or all(is_along(graph.defined, b, -2) for b in factors[1])
    )
    both = (*factors[0], *factors[1])
    if not are_read or not all(is_copied(graph.defined, value, held, choice.copies) for value in both):
        return "staggered with copies is for factors that can all be copied"
    least = choice.waves * target.wave_size * choice.copies
    if min(choice.m // 2, choice.n) * choice.k * held.bytes < least:
        return (
            f"staggered with copies is for halves of rows, and columns, of {least} bytes at least in a trip"
        )
    return ""


def _lines(graph: Graph, choice: Contract) -> int:
    """The rows and columns of the tiles in LDS: of each factor once."""
    from asmgen.graph.fusion.siblings import lines_of

    rows, columns = lines_of(graph.products)
    return choice.m * rows + (0 if choice.apart else choice.n * columns)


def _bytes_of_sums(graph: Graph, choice: Contract) -> int:
    """The sums in LDS of waves along k."""
    from asmgen.graph.fusion.siblings import strips

    element = computed(tensor_type(graph.products[0].operands[0]).element)
    return choice.waves * len(strips(graph.products)) * choice.m * choice.n * element.bytes


def _of_reductions(graph: Graph, choice: Contract, by: Instruction | None) -> str:
    """The rule that reductions break: a tile has whole rows or columns, or those of a part. If no reduction
    needs another, each wave may have those of a part."""
    if not graph.reductions:
        return ""
    from asmgen.blockwise.schedules.choosing.product_tile import of_wave
    from asmgen.graph.fusion.epilogues import view_of

    view, dims = view_of(graph.defined, graph.reductions[0]), tensor_type(graph.products[0].result).dims
    assert view is not None, "checked before"
    length, tile = most(view.length), view.axis - (len(dims) - 2)
    own = (choice.m, choice.n)[tile]
    is_alone = view.in_parts and len(graph.levels) == 1
    if own == length or (own > length and not view.in_parts):
        return ""
    if is_alone and of_wave(choice, by)[tile] == length:
        return ""
    return f"{'mn'[tile]} is {own}, wanted {length}{'' if view.in_parts else ' at least'}, to reduce a tile"


def _of_copies(graph: Graph, choice: Contract, held: ElementType, target: Target) -> str:
    """The rule that copies straight to LDS break."""
    if choice.copies is None:
        return ""
    widths = [width for width in target.lds_copy_bytes if width & width - 1 == 0]
    if choice.copies not in widths:
        listed = " or ".join(map(str, widths))
        return f"copies is {choice.copies}, and {target.name} copies {listed or 'no'} bytes a lane to LDS"
    stages = choice.stages or 1
    if stages > choice.buffers:
        return f"stages is {stages}, and copies {stages - 1} trips ahead need as many buffers"
    if not choice.by:
        return "copies is for products by a matrix instruction"
    factors = [value for dot in graph.products for value in dot.operands[:2]]
    if not any(is_copied(graph.defined, value, held, choice.copies) for value in factors):
        return f"copies is {choice.copies}, and no factor is in memory with so many bytes in a row"
    return ""


def _of_slices(choice: Contract, by: Instruction) -> str:
    """The rule that slices of a trip break."""
    if choice.slices is None:
        return ""
    least = by.sizes[2]
    if choice.along:
        return "" if choice.slices > 1 else f"slices is {choice.slices}, wanted at least 2"
    if choice.slices < 2 or choice.k % (choice.slices * least):
        return f"slices is {choice.slices}, wanted at least 2 parts of k={choice.k} in multiples of {least}"
    if choice.apart or choice.buffers < 2 or (choice.stages or 1) != 2:
        return "slices is for factors that all go through LDS, 2 stages and at least 2 buffers"
    return ""


def _of_instruction(dot: Statement, choice: Contract, by: Instruction) -> str:
    element = tensor_type(dot.operands[0]).element
    wanted = (element, element, computed(element))
    if wanted not in by.elements:
        a, b, c = by.elements[0]
        return f"{by.name} multiplies {a} and {b} and sums {c}, wanted {element} and {computed(element)}"
    if choice.apart and choice.n < choice.waves * by.sizes[1]:
        return f"n is {choice.n}, wanted {by.sizes[1]} columns for each of {choice.waves} waves"
    m, n, k = by.sizes
    k *= choice.waves * (choice.slices or 1) if choice.along else 1
    if choice.quads:
        m, n, k = -(-m // QUAD), -(-n // QUAD), QUAD * k
    for name, least in zip(("m", "n", "k"), (m, n, k), strict=True):
        number = {"m": choice.m, "n": choice.n, "k": choice.k}[name]
        if number < least:
            return f"{name} is {number}, and {by.name} takes {least}"
    return ""
