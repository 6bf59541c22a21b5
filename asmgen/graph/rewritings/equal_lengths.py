"""Reductions of about as many elements become reductions of as many, which are a single kernel.

    a = mul(x[0:2047], x[1:2048])       s = reduce_sum[axes={0}](a)
    b = mul(x[0:2046], x[2:2048])       t = reduce_sum[axes={0}](b)     of b and a zero

Autocorrelations and other reductions over lags are such sums. The elements after the end are zeros;
of a product they are 1, and of a maximum the last element again, so that a row of NaN stays NaN. A mean of
f32 or f64 becomes a sum, times the share of an element.
"""

from __future__ import annotations

from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import MUL, PAD, REDUCE_MEAN, REDUCE_SUM, REDUCTIONS, SCANS, SORTS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Sizes, most, number
from asmgen.ir.identities import identity
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import F32, F64

# The most elements for each of the shorter sum. With a kernel each, 24 sums over lags of 2,048 f32 take 93 us
# on gfx942, and 23 in a kernel; six of 1,500 f64 take 25 and 10; 16 means over lags of 4,096 f32 take 65 and
# 18.
_MORE = 1.25
_MOST = 1 << 18  # elements of an operand: the start of a launch is a part of the time of more
_LATER = frozenset({*REDUCTIONS, *SCANS, *SORTS})

Key = tuple[int, Sizes, object, object]  # the level of a reduction, its dims, its axes and its type


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
        _pad(rewriter, statement, dims[statement])
    return rewriter.module()


def _pad(rewriter: Rewriter, statement: Statement, dims: Sizes) -> None:
    """Write a reduction of its operand and as many more elements as `dims` say."""
    (x,) = statement.operands
    of, kind = tensor_type(x), REDUCTIONS[statement.op]
    after = [new - old for old, new in zip(of.dims, dims, strict=True)]
    pads = (*[0] * len(after), *after)
    more = {"mode": "edge"} if kind in ("max", "min") else {"value": float(identity(kind, of.element))}
    padded = rewriter.apply(PAD, (x,), statement, "padded", pads=pads, **more)
    if kind != "mean":
        rewriter.finish(statement.op, (padded,), statement, **statement.attributes)
        return
    total = rewriter.apply(REDUCE_SUM, (padded,), statement, "total", **statement.attributes)
    share = number(tensor_type(statement.result).elements) / number(of.elements)
    part = rewriter.literal(share, of.element, statement)
    rewriter.finish(MUL, (total, part), statement)


def _padded(module: Module) -> dict[Statement, Sizes]:
    """The reductions to pad, each with the new dims of its operand. Reductions of products may be in the
    kernels of these, and they may share a kernel with other reductions of the same dims: they stay."""
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
    """The reductions of known dims that could share a kernel if their operands had the same dims."""
    level: dict[Value, int] = {}
    groups: dict[Key, list[Statement]] = {}
    for statement in module.statements:
        deepest = max([level.get(operand, 0) for operand in statement.operands], default=0)
        if _is_taken(statement):
            x, kept = tensor_type(statement.operands[0]), tensor_type(statement.result).dims
            if isinstance(x.elements, int) and 0 < x.elements <= _MOST:
                axes = _axes(x.dims, kept)
                groups.setdefault((deepest, kept, axes, x.element), []).append(statement)
        level.update(dict.fromkeys(statement.results, deepest + (statement.op in _LATER)))
    return groups


def _is_taken(statement: Statement) -> bool:
    """Whether a statement is a reduction that may be padded: a mean of other types has its own rounding."""
    is_mean = statement.op is REDUCE_MEAN
    return statement.op in REDUCTIONS and (not is_mean or statement.result.type.element in (F32, F64))


def _axes(dims: Sizes, kept: Sizes) -> tuple[int, ...]:
    """The axes that a reduction reduces."""
    return tuple([axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left])
