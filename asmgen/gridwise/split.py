"""The algorithm of a reduction, chosen before launches are cut: in one piece, or partial results that another
reduction combines.

    s = reduce_sum[axes={1}](x)       x is {2,1048576}

is two rows, and a workgroup a row leaves most of the target idle. In 128 parts it is

    parts = reshape[dims={2,128,8192}](x)
    sums = reduce_sum[axes={2}](parts)          {2,128,1}
    flat = reshape[dims={2,128}](sums)
    s = reduce_sum[axes={1}](flat)

The two reductions have other dims, and so they are two launches. What is no whole number of parts is padded
with what changes no result.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, nan, prod
from typing import NamedTuple

from asmgen.graph.ops import DIV, MUL, PAD, REDUCE_MEAN, REDUCE_SUM, RESHAPE
from asmgen.gridwise.prepare import Rewriter
from asmgen.ir.numbers import integer_range, round_float
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import ElementType, TensorType
from asmgen.lanewise.reduction_ops import REDUCTIONS

ACCESS_BYTES = 16  # of a lane's widest access of memory

Dims = tuple[int, ...]


class Run(NamedTuple):
    """Axes next to each other that are reduced, from `first` to `last`, and how many elements they have."""

    first: int
    last: int
    size: int


def split(module: Module, parts: Mapping[Value, int], propagates_nan: bool = False) -> Module:
    """The module, with the reductions of which `parts` has the result in so many parts, or somewhat more.

    `propagates_nan` is the rule of max and min, on which it depends what changes no result of theirs.
    """
    rewriter = Rewriter(module)
    for statement in module.statements:
        wanted = parts.get(statement.results[0], 1) if statement.results else 1
        if wanted > 1:
            _Splitter(rewriter, statement, propagates_nan).split(wanted)
        else:
            rewriter.keep(statement)
    return rewriter.module()


def runs(dims: Dims, kept: Dims) -> list[Run]:
    """The axes that are reduced, those next to each other in one; axes of size 1 between them join."""
    found: list[Run] = []
    joins = False
    for axis, dim in enumerate(dims):
        if dim == 1:
            continue
        if dim != kept[axis] and joins:
            first, _, size = found.pop()
            found.append(Run(first, axis, size * dim))
        elif dim != kept[axis]:
            found.append(Run(axis, axis, dim))
        joins = dim != kept[axis]
    return found


def parts_of(size: int, wanted: int, step: int) -> tuple[int, int]:
    """How many parts, and the length of each: at least `wanted`, if the size has so many, of whole steps.

    Parts without a remainder are taken where there are some up to twice as many.
    """
    for parts in range(wanted, min(2 * wanted, size) + 1):
        if size % parts == 0 and size // parts % step == 0:
            return parts, size // parts
    length = max(step, size // wanted // step * step)
    return -(-size // length), length


class _Splitter:
    """One reduction in two steps."""

    def __init__(self, rewriter: Rewriter, statement: Statement, propagates_nan: bool) -> None:
        self._rewriter = rewriter
        self._statement = statement
        (self._x,) = statement.operands
        self._dims, self._kept = _tensor(self._x).dims, _tensor(statement.result).dims
        self._op = REDUCE_SUM if statement.op is REDUCE_MEAN else statement.op
        self._propagates_nan = propagates_nan

    def split(self, wanted: int) -> None:
        write, dims = self._rewriter.apply, self._dims
        all_runs = runs(dims, self._kept)
        run = next((run for run in all_runs if run.size >= wanted), max(all_runs, key=lambda run: run.size))
        is_fast = prod(dims[run.last + 1 :]) == 1
        step = max(1, ACCESS_BYTES // self._x.type.element.bytes) if is_fast else 1
        parts, length = parts_of(run.size, wanted, step)
        if parts == 1 or (length == 1 and len(all_runs) == 1):
            self._rewriter.keep(self._statement)
            return
        x = self._padded(run, parts * length - run.size)
        x = write(
            RESHAPE,
            (x,),
            self._statement,
            "parts",
            dims=(*dims[: run.first], parts, length, *dims[run.last + 1 :]),
        )
        shift = run.first + 2 - (run.last + 1)
        others = [
            axis + shift * (axis > run.last)
            for other in all_runs
            for axis in range(other.first, other.last + 1)
            if other != run
        ]
        partial = write(
            self._op, (x,), self._statement, "partial", axes=tuple(sorted([run.first + 1, *others]))
        )
        flat = tuple([parts if axis == run.first else dim for axis, dim in enumerate(self._kept)])
        self._combine(write(RESHAPE, (partial,), self._statement, "flat", dims=flat), (run.first,))

    def _padded(self, run: Run, missing: int) -> Value:
        if not missing:
            return self._x
        dims = (*self._dims[: run.first], run.size, *self._dims[run.last + 1 :])
        x = (
            self._x
            if dims == self._dims
            else self._rewriter.apply(RESHAPE, (self._x,), self._statement, "run", dims=dims)
        )
        after = tuple([missing if axis == run.first else 0 for axis in range(len(dims))])
        value = identity(REDUCTIONS[self._op], x.type.element, self._propagates_nan)
        return self._rewriter.apply(
            PAD, (x,), self._statement, "padded", pads=(*[0] * len(dims), *after), value=value
        )

    def _combine(self, partial: Value, axes: Dims) -> None:
        """The partial results along `axes` as one; of a mean, by the number of elements, a float's times the
        reciprocal, as one reduction has it.
        """
        statement, element = self._statement, partial.type.element
        if statement.op is not REDUCE_MEAN:
            self._rewriter.finish(self._op, (partial,), statement, axes=axes)
            return
        whole = self._rewriter.apply(self._op, (partial,), statement, "sum", axes=axes)
        count = prod(self._dims) // prod(self._kept)
        number = self._rewriter.literal(
            round_float(1 / count, element) if element.is_float else count, element, statement
        )
        self._rewriter.finish(MUL if element.is_float else DIV, (whole, number), statement)


def identity(kind: str, element: ElementType, propagates_nan: bool) -> float | int:
    """What changes no sum, product, maximum or minimum. A NaN loses in max and min, or `propagates`."""
    if kind in ("sum", "prod"):
        return 0.0 if kind == "sum" else 1.0
    if not element.is_float:
        low, high = integer_range(element)
        return low if kind == "max" else high
    if not propagates_nan:
        return nan
    return -inf if kind == "max" else inf


def _tensor(value: Value) -> TensorType:
    assert isinstance(value.type, TensorType), "a graph's values are tensors"
    return value.type
