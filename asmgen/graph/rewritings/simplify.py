"""Reductions and scans that have nothing to do, over dims of size 1 or of nothing, and empty concats."""

from __future__ import annotations

from math import nan

from asmgen.graph.ops import (
    ADD,
    COMBINES,
    CONCAT,
    CONTIGUOUS,
    CONVERT,
    IDENTITY,
    LINEAR_RECURRENCE,
    MUL,
    MULTIBROADCAST,
    REDUCE_MEAN,
    REDUCTIONS,
    SCANS,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.rounded import WIDEN
from asmgen.ir.identities import identity
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import computed


def without_trivial_reductions(module: Module) -> Module:
    """The module with such statements replaced by their operand or a constant."""
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement.op in REDUCTIONS:
            _reduction(rewriter, statement)
        elif statement.op in SCANS and _is_of_ones(statement):
            _scan_of_one(rewriter, statement)
        elif statement.op is CONCAT and 0 in tensor_type(statement.result).dims:
            rewriter.finish(CONTIGUOUS, (_everywhere(rewriter, 0, statement),), statement)
        else:
            rewriter.keep(statement)
    return rewriter.module()


def _reduction(rewriter: Rewriter, statement: Statement) -> None:
    (operand,) = statement.operands
    dims, type_ = tensor_type(operand).dims, tensor_type(statement.result)
    if dims == type_.dims:
        rewriter.finish(IDENTITY, (operand,), statement)
    elif 0 not in dims or 0 in type_.dims:
        rewriter.keep(statement)
    else:
        kind, is_mean = REDUCTIONS[statement.op], statement.op is REDUCE_MEAN
        # numpy's mean of nothing is NaN
        number = nan if is_mean and type_.element.is_float else identity(kind, type_.element)
        rewriter.finish(CONTIGUOUS, (_everywhere(rewriter, number, statement),), statement)


def _is_of_ones(scan: Statement) -> bool:
    """Whether each part of a scan is a single element."""
    axis = scan.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return scan.attributes["part"] == 1 or tensor_type(scan.result).dims[axis] == 1


def _scan_of_one(rewriter: Rewriter, scan: Statement) -> None:
    """A scan of a single element is that element after what precedes it; an exclusive scan is the identity
    element after that.
    """
    x, *before = scan.operands[scan.op.minimum - 1 :]
    if scan.op is LINEAR_RECURRENCE and before and not scan.attributes["exclusive"]:
        _step(rewriter, scan)
        return
    combine = COMBINES.get(SCANS[scan.op], ADD)
    if not scan.attributes["exclusive"]:
        rewriter.finish(combine if before else IDENTITY, (*before, x), scan)
        return
    nothing = _everywhere(rewriter, identity(SCANS[scan.op], tensor_type(x).element), scan)
    rewriter.finish(combine if before else CONTIGUOUS, (*before, nothing), scan)


def _step(rewriter: Rewriter, scan: Statement) -> None:
    """A step of a linear recurrence, which rounds to a narrow type once."""
    element = tensor_type(scan.result).element
    a, b, before = scan.operands
    if element is not computed(element) and element.is_float:
        a, b, before = (rewriter.apply(WIDEN, (each,), scan, "wide") for each in (a, b, before))
    total = rewriter.apply(ADD, (rewriter.apply(MUL, (a, before), scan, "moved"), b), scan, "step")
    if total.type.element is element:
        rewriter.finish(IDENTITY, (total,), scan)
    else:
        rewriter.finish(CONVERT, (total,), scan, target_type=element.name)


def _everywhere(rewriter: Rewriter, number: float, statement: Statement) -> Value:
    """A number for each element of a statement's result."""
    type_ = tensor_type(statement.result)
    literal = rewriter.literal(number, type_.element, statement)
    return rewriter.apply(MULTIBROADCAST, (literal,), statement, "nothing", out_lens=type_.dims)
