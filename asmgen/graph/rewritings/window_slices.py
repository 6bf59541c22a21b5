"""Combines the slices of windows that overlap, in place of a reduction of each window.

    w = windows[sizes={3,3}, axes={0,1}, strides={1,1}](x)      a = x[:-2] + x[1:-1] + x[2:]
    s = reduce_sum[axes={1,3}](w)                      becomes  s = a[:, :-2] + a[:, 1:-1] + a[:, 2:]

A lane of a pointwise kernel has adjacent elements of the result, and most elements of their windows are the
same. It reads each of them once, by accesses of 16 bytes, and combines the elements along an axis once for
all windows that have them. The variance of 9 by 9 elements of {1024,1024} f32, by two means, takes 17,424
clocks on gfx942, and 171,498 as a reduction of 81 elements.

A window of many elements along an axis is a window of windows:

    s = reduce_sum of x[i:i+250]       becomes       a = sums of x[i:i+25], s = a[i] + a[i+25] + ...

Other pointwise ops on windows, such as products with weights, are computed for each element of a window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from asmgen.graph.infer.windows import windows_of
from asmgen.graph.ops import (
    ADD,
    COMBINES,
    CONVERT,
    DIV,
    MUL,
    REDUCE_MAX,
    REDUCE_MEAN,
    REDUCE_MIN,
    REDUCE_SUM,
    REDUCTIONS,
    RESHAPE,
    SLICE,
    STEP,
    TRANSPOSE,
    WINDOWS,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.rounded import WIDEN
from asmgen.index.size import Dim, at_least, most
from asmgen.ir.numbers import round_float
from asmgen.ir.program import Attribute, Module, Op, Statement, Value, definitions, tensor_type
from asmgen.ir.types import F32, computed
from isa.named_tuple import NamedTuple

_TAKEN = frozenset({REDUCE_SUM, REDUCE_MEAN, REDUCE_MAX, REDUCE_MIN})
MOST_SLICES = 32  # along an axis: longer windows are windows of windows
MOST_ELEMENTS = 4096  # of a window along an axis
MOST_TERMS = 512  # instructions for an element of the result, if each element of a window is computed


class _Element(NamedTuple):
    """An axis of the elements of windows along an axis of a value."""

    of: int
    length: int
    dilation: int


class _Place(NamedTuple):
    """An axis of the places of windows along an axis of a value, or of all its elements."""

    of: int
    stride: int


class _View(NamedTuple):
    """A value with its windows in another value, and the meaning of each axis of the other."""

    value: Value
    axes: tuple[_Element | _Place, ...]

    @property
    def elements(self) -> frozenset[int]:
        """The axes of the elements of windows."""
        return frozenset([axis for axis, each in enumerate(self.axes) if isinstance(each, _Element)])

    @property
    def overlaps(self) -> bool:
        """Whether windows have elements in common."""
        strides = {each.of: each.stride for each in self.axes if isinstance(each, _Place)}
        spans = [(each.of, each.length * each.dilation) for each in self.axes if isinstance(each, _Element)]
        return any(strides[of] < span for of, span in spans)


def with_window_slices(module: Module) -> Module:
    """The module with such slices in place of reductions of windows."""
    defined, rewriter = definitions(module), Rewriter(module)
    for statement in module.statements:
        reduced = _Reduced.of(statement, defined) if statement.op in _TAKEN else None
        if reduced is None:
            rewriter.keep(statement)
        else:
            _Slices(rewriter, statement).write(reduced)
    return rewriter.module()


class _Reduced(NamedTuple):
    """The windows that a reduction takes; without a view each element of them is computed."""

    axes: tuple[int, ...]
    view: _View | None

    @classmethod
    def of(cls, reduction: Statement, defined: Mapping[Value, Statement]) -> _Reduced | None:
        """None if a reduction is not of windows that overlap, or if that is too much code."""
        (x,) = reduction.operands
        type_, results = tensor_type(x), tensor_type(reduction.result).elements
        if reduction.op is REDUCE_MEAN and not type_.element.is_float:
            return None  # of a type with few bits it divides the sum that has wrapped
        axes, size = _axes(reduction), _reduced_elements(reduction)
        if not axes or not isinstance(size, int) or not size or not at_least(results, size).is_possible:
            return None
        view = _view(x, defined)
        if view.overlaps and view.elements == _with_ones(axes, view, x):
            lengths = [each.length for each in view.axes if isinstance(each, _Element)]
            return cls(axes, view) if max(lengths) <= MOST_ELEMENTS else None
        leaves, issues = _leaves(x, defined)
        views = [view for view in [_view(leaf, defined) for leaf in leaves] if view.elements]
        is_whole = all(view.elements.issuperset(axes) for view in views)
        few = size * (1 + issues) <= MOST_TERMS
        return cls(axes, None) if few and is_whole and any(view.overlaps for view in views) else None


class _Slices:
    """Writes the slices in place of a reduction, and combines them."""

    def __init__(self, rewriter: Rewriter, reduction: Statement) -> None:
        self._rewriter, self._reduction = rewriter, reduction
        is_sum = reduction.op in (REDUCE_SUM, REDUCE_MEAN)
        self._op = ADD if is_sum else COMBINES[REDUCTIONS[reduction.op]]

    def write(self, reduced: _Reduced) -> None:
        reduction = self._reduction
        (x,) = reduction.operands
        value = self._terms(x, reduced.axes) if reduced.view is None else self._folded(reduced.view)
        if reduction.op is REDUCE_MEAN:
            value = self._mean(value)
        if value.type.element is not reduction.result.type.element:
            value = self._apply(CONVERT, value, target_type=reduction.result.type.element.name)
        self._rewriter.finish(RESHAPE, (value,), reduction, dims=tensor_type(reduction.result).dims)

    def _apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        return self._rewriter.apply(op, operands, self._reduction, "", **attributes)

    def _terms(self, x: Value, axes: tuple[int, ...]) -> Value:
        """Each element of the windows, combined."""
        wide, dims = self._widened(x), tensor_type(x).dims
        places = product(*[range(most(dims[axis])) for axis in axes])
        parts = [
            self._apply(SLICE, wide, axes=axes, starts=place, ends=tuple([at + 1 for at in place]))
            for place in places
        ]
        return self._combined(parts)

    def _folded(self, view: _View) -> Value:
        """The windows along each axis combined in turn."""
        value = self._widened(view.value)
        places = [each for each in view.axes if isinstance(each, _Place)]
        for place in sorted(places):
            for each in view.axes:
                if isinstance(each, _Element) and each.of == place.of:
                    value = self._along(value, each)
            if place.stride > 1:
                value = self._apply(STEP, value, axes=(place.of,), steps=(place.stride,))
        order = tuple([place.of for place in places])
        return value if order == tuple(sorted(order)) else self._apply(TRANSPOSE, value, permutation=order)

    def _along(self, value: Value, window: _Element) -> Value:
        """The windows along an axis; those of many elements as windows of windows."""
        if window.length <= MOST_SLICES:
            return self._combined(self._slices(value, window, range(window.length), 1))
        is_sum = self._op is ADD
        part = min(range(2, window.length), key=lambda part: _slices_of(window.length, part, is_sum))
        parts = self._along(value, window._replace(length=part))
        if not is_sum:
            starts = [*range(0, window.length - part, part), window.length - part]
            return self._combined(self._slices(parts, window, starts, part))
        whole = window.length // part * part
        rest = self._slices(value, window, range(whole, window.length), 1)
        return self._combined(self._slices(parts, window, range(0, whole, part), part) + rest)

    def _slices(self, value: Value, window: _Element, starts: Iterable[int], part: int) -> list[Value]:
        """The elements of a value for each place of a window, from each start on. The value has windows of
        `part` elements."""
        axis = window.of
        room = tensor_type(value).dims[axis] - (window.length - part) * window.dilation
        firsts = [start * window.dilation for start in starts]
        return [
            self._apply(SLICE, value, axes=(axis,), starts=(first,), ends=(first + room,)) for first in firsts
        ]

    def _widened(self, x: Value) -> Value:
        """The value in the type in which sums are computed. A maximum is exact in each type."""
        element = x.type.element
        if computed(element) is element or self._op is not ADD:
            return x
        if element.is_float:
            return self._apply(WIDEN, x)
        return self._apply(CONVERT, x, target_type=computed(element).name)

    def _combined(self, values: Sequence[Value]) -> Value:
        """A chain: the next product is the operand of an fma, and the next element the third of a maximum. On
        gfx942 the local variance of 9 by 9 elements takes 1.26 times the clocks with sums of neighbours."""
        total, *others = values
        for other in others:
            total = self._apply(self._op, total, other)
        return total

    def _mean(self, total: Value) -> Value:
        """A sum by the number of the elements of a window, as in a reduction (`schedules.tiles.means`)."""
        number, element = most(_reduced_elements(self._reduction)), total.type.element
        if element is F32:
            share = self._rewriter.literal(round_float(1 / number, F32), F32, self._reduction)
            return self._apply(MUL, total, share)
        return self._apply(DIV, total, self._rewriter.literal(number, element, self._reduction))


def _slices_of(length: int, part: int, is_sum: bool) -> int:
    """The slices of windows of `part` elements and of windows of these; those of a maximum may overlap."""
    return part + (length // part + length % part if is_sum else -(-length // part))


def _view(value: Value, defined: Mapping[Value, Statement]) -> _View:
    """The value with its windows in another; itself if it has none."""
    statement = defined[value]
    itself = _View(value, tuple([_Place(axis, 1) for axis in range(tensor_type(value).rank)]))
    if statement.op is TRANSPOSE:
        before, order = _view(statement.operands[0], defined), statement.attributes["permutation"]
        assert isinstance(order, tuple), "the parser reads a list"
        return before._replace(axes=tuple([before.axes[axis] for axis in order if isinstance(axis, int)]))
    if statement.op is not WINDOWS:
        return itself
    before = _view(statement.operands[0], defined)
    windows = {each.axis: each for each in windows_of(statement.op, statement.attributes, len(before.axes))}
    axes: list[_Element | _Place] = []
    for axis, each in enumerate(before.axes):
        window = windows.get(axis)
        if window is None:
            axes.append(each)
        elif isinstance(each, _Element):
            return itself
        else:
            axes.append(_Place(each.of, each.stride * window.stride))
            axes.append(_Element(each.of, window.length, window.dilation * each.stride))
    return before._replace(axes=tuple(axes))


def _with_ones(axes: Iterable[int], view: _View, x: Value) -> frozenset[int]:
    """Axes, and those of windows of an element."""
    return frozenset([*axes, *[axis for axis in view.elements if tensor_type(x).dims[axis] == 1]])


def _leaves(x: Value, defined: Mapping[Value, Statement]) -> tuple[list[Value], int]:
    """The values that pointwise ops make a value of, and about how many instructions these take. Not all of
    them if these are too many, so that a graph of many reductions takes a time of its length."""
    reached, issues, pending = dict.fromkeys([x]), 0, [x]
    leaves: list[Value] = []
    while pending and issues <= MOST_TERMS:
        value = pending.pop()
        statement = defined[value]
        if not statement.op.pointwise:
            leaves.append(value)
            continue
        issues += statement.op.issues
        new = [operand for operand in statement.operands if operand not in reached]
        reached |= dict.fromkeys(new)
        pending += dict.fromkeys(new)
    return leaves, issues


def _axes(reduction: Statement) -> tuple[int, ...]:
    """The axes that a reduction changes."""
    dims, kept = tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims
    return tuple([axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left])


def _reduced_elements(reduction: Statement) -> Dim:
    """The number of elements that a reduction combines into one element."""
    dims = tensor_type(reduction.operands[0]).dims
    return prod([dims[axis] for axis in _axes(reduction)])
