"""A scan in parts: workgroups share a row. There are two ways.

    y = cumsum[axis=1](x)                                     x is {2,16777216}

is two rows. If memory is contiguous along a row, a workgroup scans a part in its registers and waits for the
total before it (`blockwise.lowering.ops.over_workgroups`). With parts of 8,192 elements it is

    words = contiguous(multibroadcast[out_lens={2,9,264}](0))
    y = cumsum[axis=1, part=8192, passed_on=true](x, words)

These are two launches: the first fills the words with zeros. The second reads x once and writes y once.

Otherwise a workgroup has many rows at a time, and would have as many numbers to pass on. Of x {2,1048576}
in 128 parts of 8,192 elements it is

    run = slice[axes={1}, starts={0}, ends={1040384}](x)      all parts but the last
    parts = reshape[dims={2,127,8192}](run)
    totals = reduce_sum[axes={2}](parts)                      {2,127,1}
    flat = reshape[dims={2,127}](totals)
    shifted = pad[pads={0,1,0,0}](flat)                       {2,128}, nothing precedes the first part
    before = cumsum[axis=1](shifted)
    y = cumsum[axis=1, part=8192](x, before)

These are three launches: the totals of the parts, their scan, and the scan of each part. They read x twice
and write y once.

A part of a linear recurrence has two totals: the product of its factors, and its last state. A launch more
stores all states of the parts, and the next launch reads the last of each.

In both ways the order of the additions is fixed, so a result is the same in every run.

Of an axis that only the launch knows, the length of a part is fixed, and there are n floordiv length + 1
parts; the last may be empty. If no launch has more elements than a part, as in a slice of the first 200,
there are no parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.infer.reduce import words_of
from asmgen.graph.ops import (
    CONTIGUOUS,
    MULTIBROADCAST,
    PAD,
    REDUCE_PROD,
    REDUCTIONS,
    RESHAPE,
    SCANS,
    SLICE,
    preceding,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Dim, Size, most
from asmgen.ir.identities import fillings, identity
from asmgen.ir.program import Attribute, Op, Statement, Value, tensor_type
from asmgen.ir.types import U64

# Elements of a part, if only the launch knows how many parts there are. A workgroup takes all of them even if
# a row has fewer. cumsum over axis 0 of f32 takes on gfx942, with parts of 16,384, 1,024, 512 and 256:
#
#     {64,8}          102,592    29,148    24,544    21,116
#     {100000,8}      167,909   160,947    98,702    67,788
#     {1000000,8}     174,783   220,778   151,465   125,194
#     {30000,1000}  1,411,621   264,041   249,329   203,118
OPEN_LENGTH = 256
_TOTALS = {kind: op for op, kind in REDUCTIONS.items()}


def scan_in_parts(rewriter: Rewriter, scan: Statement, parts: int, propagates_nan: bool) -> None:
    """Write a scan in so many parts, or as it is if a part is as long as every row or if it was written in
    parts.
    """
    axis = scan.attributes["axis"]
    dims = tensor_type(scan.result).dims
    assert isinstance(axis, int), "the parser reads an integer"
    axis %= len(dims)
    size = dims[axis]
    length = OPEN_LENGTH if isinstance(size, Size) else part_length(size, parts)
    if length == 1 or most(size) <= length or preceding(scan) or scan.attributes["part"]:
        rewriter.keep(scan)
        return
    before = _Preceding(rewriter, scan, axis, length, propagates_nan).value()
    rewriter.finish(scan.op, (*scan.operands, before), scan, **{**scan.attributes, "part": length})


def scan_passed_on(rewriter: Rewriter, scan: Statement, length: int) -> None:
    """Write a scan in parts of which workgroups pass on what precedes them, or as it is if a part is as long
    as every row or if it was written in parts.
    """
    x, axis = scan.operands[0], scan.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    axis %= tensor_type(x).rank
    if most(tensor_type(x).dims[axis]) <= length or len(scan.operands) > 1 or scan.attributes["part"]:
        rewriter.keep(scan)
        return
    zero = rewriter.literal(0, U64, scan)
    dims = words_of(tensor_type(x), axis, length)
    zeros = rewriter.apply(MULTIBROADCAST, (zero,), scan, "zeros", out_lens=dims)
    words = rewriter.apply(CONTIGUOUS, (zeros,), scan, "words")
    attributes = {**scan.attributes, "axis": axis, "part": length, "passed_on": True}
    rewriter.finish(scan.op, (x, words), scan, **attributes)


def part_length(size: int, parts: int) -> int:
    """The length of so many parts: the multiple of the largest power of two that gives this number of
    parts.
    """
    least = -(-size // parts)
    for bit in range(least.bit_length(), 0, -1):
        length = -(-least >> bit) << bit
        if -(-size // length) == -(-size // least):
            return length
    return least


class _Preceding:
    """Writes what precedes each part of a scan: the scan of the totals of the parts before it."""

    def __init__(
        self, rewriter: Rewriter, scan: Statement, axis: int, length: int, propagates_nan: bool
    ) -> None:
        self._rewriter, self._scan = rewriter, scan
        self._axis, self._length = axis, length
        self._reverse, self._exclusive = bool(scan.attributes["reverse"]), bool(scan.attributes["exclusive"])
        self._kind, element = SCANS[scan.op], scan.result.type.element
        self._nothing = fillings(self._kind, element, propagates_nan)
        self._first = fillings(self._kind, element, propagates_nan)
        if self._exclusive:
            self._first = (*self._first[:-1], identity(self._kind, element))

    def value(self) -> Value:
        apart = [self._apart(x, by) for x, by in zip(self._scan.operands, self._nothing, strict=True)]
        shifted = [
            self._shifted(total, by) for total, by in zip(self._totals(apart), self._first, strict=True)
        ]
        return self._apply(self._scan.op, shifted, "before", axis=self._axis, reverse=self._reverse)

    def _totals(self, apart: list[Value]) -> list[Value]:
        """The contribution of each part to the state before it: a factor and the last state of a linear
        recurrence."""
        axis = self._axis + 1
        if self._kind in _TOTALS:
            return [self._apply(_TOTALS[self._kind], apart, "totals", axes=(axis,))]
        factors = self._apply(REDUCE_PROD, apart[:1], "factors", axes=(axis,))
        states = self._apply(self._scan.op, apart, "states", axis=axis, reverse=self._reverse)
        last = 0 if self._reverse else self._length - 1
        return [factors, self._apply(SLICE, [states], "last", axes=(axis,), starts=(last,), ends=(last + 1,))]

    def _shifted(self, total: Value, first: int | float) -> Value:
        """The totals of the parts, each at the part that follows."""
        dims = tensor_type(total).dims
        flat = self._apply(RESHAPE, [total], "flat", dims=(*dims[: self._axis + 1], *dims[self._axis + 2 :]))
        return self._padded(flat, 0 if self._reverse else 1, 1 if self._reverse else 0, first)

    def _apart(self, x: Value, nothing: int | float) -> Value:
        """The elements of all parts that others follow, an axis of the parts and an axis of their elements.
        The last part may be shorter than the others, or empty if only the launch knows its size: it is padded
        in a reverse scan.
        """
        dims, length = tensor_type(x).dims, self._length
        before, size, after = dims[: self._axis], dims[self._axis], dims[self._axis + 1 :]
        counted = size // length if isinstance(size, Size) else (size - 1) // length
        if self._reverse:
            missing = length if isinstance(size, Size) else -size % length
            padded = self._padded(x, 0, missing, nothing)
            run = self._sliced(padded, length, (counted + 1) * length, "run")
        else:
            run = self._sliced(x, 0, counted * length, "run")
        return self._apply(RESHAPE, [run], "parts", dims=(*before, counted, length, *after))

    def _sliced(self, value: Value, start: Dim, end: Dim, name: str) -> Value:
        return self._apply(SLICE, [value], name, axes=(self._axis,), starts=(start,), ends=(end,))

    def _padded(self, value: Value, before: int, after: int, by: int | float) -> Value:
        if not before and not after:
            return value
        rank = len(tensor_type(value).dims)
        pads = [0] * (2 * rank)
        pads[self._axis], pads[rank + self._axis] = before, after
        return self._apply(PAD, [value], "padded", pads=tuple(pads), value=by)

    def _apply(self, op: Op, of: Sequence[Value], name: str, **attributes: Attribute) -> Value:
        return self._rewriter.apply(op, tuple(of), self._scan, name, **attributes)
