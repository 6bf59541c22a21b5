"""Checks whether a choice fits a kernel with products. `misfit` is the check for all kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.blockwise.actions import SCALED
from asmgen.blockwise.schedules.choices import (
    BLOCK,
    QUAD,
    STAGGERED_TRIPS,
    Contract,
    lds_with_sums,
)
from asmgen.blockwise.schedules.elements.straight import is_copied
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.block_dots import block_of, has_powers
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Size, most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import ElementType, computed
from isa.target import Target

if TYPE_CHECKING:
    from asmgen.blockwise.matrix import Instruction

PRODUCT_STAGES = 3  # from memory, to LDS, multiplied


def misfit_of_products(graph: Graph) -> str:
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


def misfit_of_choice(graph: Graph, choice: Contract, target: Target) -> str:
    """The rule that the numbers or the instruction break, in words; empty if they break none."""
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
    return (
        _of_copies(graph, choice, held, target)
        or _of_waves_out_of_step(graph, choice, block)
        or _of_halves(graph, choice, held, target)
        or _of_lds(graph, choice, held, target)
        or _of_instruction(graph, choice, target)
    )


def _of_lds(graph: Graph, choice: Contract, held: ElementType, target: Target) -> str:
    """The rule that the sizes of tiles and sums in LDS break."""
    each = choice.placed * held.bytes + (choice.placed // SCALED if has_powers(graph.products[0]) else 0)
    size = 0 if choice.quads else choice.buffers * _lines(graph, choice) * each
    if choice.along:
        size = lds_with_sums(size, _bytes_of_sums(graph, choice), target)
    if size > target.lds_bytes:
        what = "tiles and sums" if choice.along else "tiles"
        return f"the {what} in LDS have {size} bytes, and the target has {target.lds_bytes} for a workgroup"
    return ""


def _of_instruction(graph: Graph, choice: Contract, target: Target) -> str:
    """The rule that the matrix instruction breaks, or the choice of none."""
    from asmgen.blockwise.matrix import instruction

    dot = graph.products[0]
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
    return _of_slices(choice, by) or _of_sizes(dot, choice, by) or _of_reductions(graph, choice, by)


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
    from asmgen.blockwise.schedules.product_waves import of_wave
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


def _of_sizes(dot: Statement, choice: Contract, by: Instruction) -> str:
    """The rule that the types or the sizes of a matrix instruction break."""
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
