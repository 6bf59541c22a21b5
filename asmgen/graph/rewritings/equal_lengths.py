"""Sums of about as many elements become sums of as many, which are a single kernel.

    a = mul(x[0:2047], x[1:2048])       s = reduce_sum[axes={0}](a)
    b = mul(x[0:2046], x[2:2048])       t = reduce_sum[axes={0}](b)     of b and a zero

Autocorrelations and other sums over lags are such sums. The elements after the end are zeros.
"""

from __future__ import annotations

from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import PAD, REDUCE_SUM, REDUCTIONS, SCANS, SORTS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Sizes, most
from asmgen.ir.program import Module, Statement, Value, tensor_type

# The most elements for each of the shorter sum. With a kernel each, 24 sums over lags of 2,048 f32 take 93 us
# on gfx942, and 23 in a kernel; six of 1,500 f64 take 25 and 10.
_MORE = 1.25
_MOST = 1 << 18  # elements of an operand: the start of a launch is a part of the time of more
_LATER = frozenset({*REDUCTIONS, *SCANS, *SORTS})

Key = tuple[int, Sizes, object, object]  # the level of a sum, its dims, its axes and its type


def with_equal_lengths(module: Module) -> Module:
    """The module with the operands of such sums padded."""
    dims = _padded(module)
    if not dims:
        return module
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement not in dims:
            rewriter.keep(statement)
            continue
        (x,) = statement.operands
        after = [new - old for old, new in zip(tensor_type(x).dims, dims[statement], strict=True)]
        padded = rewriter.apply(PAD, (x,), statement, "padded", pads=(*[0] * len(after), *after), value=0.0)
        rewriter.finish(REDUCE_SUM, (padded,), statement, **statement.attributes)
    return rewriter.module()


def _padded(module: Module) -> dict[Statement, Sizes]:
    """The sums to pad, each with the new dims of its operand. Reductions of products may be in the kernels of
    these, and sums may share a kernel with other reductions of the same dims: they stay."""
    if any(statement.op in PRODUCTS for statement in module.statements):
        return {}
    groups = _groups(module)
    alike = {each for sums in groups.values() for each in sums}
    others = {
        tensor_type(each.operands[0]).dims
        for each in module.statements
        if each.op in REDUCTIONS and each not in alike
    }
    padded: dict[Statement, Sizes] = {}
    for sums in groups.values():
        dims_of = {each: tensor_type(each.operands[0]).dims for each in sums}
        longest = tuple([max(of_axis, key=most) for of_axis in zip(*dims_of.values(), strict=True)])
        for each, dims in dims_of.items():
            if dims != longest and dims not in others and most(prod(longest)) <= _MORE * most(prod(dims)):
                padded[each] = longest
    return padded


def _groups(module: Module) -> dict[Key, list[Statement]]:
    """The sums of known dims that could share a kernel if their operands had the same dims."""
    level: dict[Value, int] = {}
    groups: dict[Key, list[Statement]] = {}
    for statement in module.statements:
        deepest = max([level.get(operand, 0) for operand in statement.operands], default=0)
        if statement.op is REDUCE_SUM:
            x, kept = tensor_type(statement.operands[0]), tensor_type(statement.result).dims
            if isinstance(x.elements, int) and 0 < x.elements <= _MOST:
                axes = _axes(x.dims, kept)
                groups.setdefault((deepest, kept, axes, x.element), []).append(statement)
        level.update(dict.fromkeys(statement.results, deepest + (statement.op in _LATER)))
    return groups


def _axes(dims: Sizes, kept: Sizes) -> tuple[int, ...]:
    """The axes that a sum reduces."""
    return tuple([axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left])
