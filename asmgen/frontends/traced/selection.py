"""The elements that a mask chooses, `x[mask]`; only the launch knows how many.

    x[x > 0].sum()          sum(where(x > 0, x, 0))
    x[x < 0] *= 2           x becomes where(x < 0, x * 2, x)
    y[m] = np.exp(x[m])     y becomes where(m, exp(x), y)

A selection is used element by element, reduced to a number, or written at the same mask. It has no shape,
so it cannot be a result of a program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.places import caller
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

_REDUCTIONS = frozenset({"sum", "prod", "mean", "max", "min", "any", "all", "var", "std"})
_WAYS_OUT = "np.where(mask, x, 0) keeps the shape; x[mask].sum() and x[mask] = v are traced, too"


class Selection(NDArrayOperatorsMixin):
    """The elements of `full` for which `mask` is true; the mask may lack the last axes."""

    def __init__(self, full: Array, mask: Array) -> None:
        self._full = full
        self._mask = mask

    @property
    def tracer(self) -> Tracer:
        return self._full.tracer

    def refuse(self, what: str) -> NoReturn:
        message = f"{what} is made of x[mask], which has as many elements as the mask is true for"
        raise InputError(caller(), "TRC006", f"{message}; wanted a shape", help=_WAYS_OUT)

    def placed(self, mask: Array | None) -> Array:
        """The array of a selection that is assigned at `mask`, which must be the selection's own mask."""
        if mask is None or not same_value(mask.tracer, mask.value, self._mask.value):
            self.refuse("an assignment at another mask")
        return self._full

    def astype(self, dtype: object) -> Selection:
        return Selection(self._full.astype(dtype), self._mask)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: object, **keywords: object) -> object:
        is_own = (
            cast("Any", keywords.pop("out", (self,)))[0] is self
        )  # x[mask] *= 2, which x[mask] = ... then writes
        if method != "__call__" or keywords or not is_own:
            self.refuse(f"np.{ufunc.__name__}")
        given: list[object] = []
        for operand in operands:
            if isinstance(operand, Selection):
                given.append(operand.placed(self._mask))
            elif np.ndim(cast("Any", operand)) == 0:
                given.append(operand)
            else:
                self.refuse(f"np.{ufunc.__name__} with an array")
        chosen = cast("Array", self.tracer.operations.operator(ufunc.__name__, *given))
        return Selection(chosen, self._mask)

    def __array_function__(
        self,
        function: Callable[..., object],
        types: object,
        operands: Sequence[object],
        keywords: Mapping[str, object],
    ) -> object:
        name = (
            function.__name__.removeprefix("a")
            if function.__name__ in ("amax", "amin")
            else function.__name__
        )
        if name not in _REDUCTIONS or len(operands) != 1 or operands[0] is not self:
            self.refuse(f"np.{function.__name__}")
        return getattr(self, name)(**keywords)

    def __getattr__(self, name: str) -> Callable[..., Array]:
        if name not in _REDUCTIONS:
            if name.startswith("_"):
                raise AttributeError(name)
            self.refuse(f".{name}")

        def reduction(axis: object = None, **keywords: object) -> Array:
            if axis is not None and not (axis in (0, -1) and self._mask.ndim == self._full.ndim):
                self.refuse(f".{name} of an axis")
            return self._reduced(name, keywords)

        return reduction

    def __iter__(self) -> NoReturn:
        self.refuse("a loop")

    def _reduced(self, name: str, keywords: Mapping[str, object]) -> Array:
        mask = self._mask
        for _ in range(self._full.ndim - mask.ndim):
            mask = apply("unsqueeze", mask, axes=(mask.ndim,))
        mask = apply("multibroadcast", mask, out_lens=self._full.type.dims)
        if name in ("max", "min"):
            chosen = apply("where", mask, self._full, self._neutral(name))
            return getattr(chosen, name)(**keywords)
        return getattr(self._full, name)(where=mask, **keywords)

    def _neutral(self, name: str) -> Array:
        """The identity element of a maximum or minimum."""
        element = self._full.type.element
        sign = -1 if name == "max" else 1
        if element.is_float:
            number: float = sign * math.inf
        elif element is BOOL:
            number = sign > 0
        else:
            number = integer_range(element)[sign > 0]
        return Array(self.tracer.number(number, element, caller()), self.tracer)


def mask_of(x: Array, key: object) -> Array | None:
    """The mask that a key is: a traced array of bools that has the first axes of the array."""
    if isinstance(key, tuple) and len(cast("tuple[object, ...]", key)) == 1:
        (key,) = cast("tuple[object]", key)
    if not isinstance(key, Array) or key.type.element is not BOOL:
        return None
    if not key.ndim or key.type.dims != x.type.dims[: key.ndim]:
        message = f"got a mask of shape {key.type.dims} for an array of shape {x.type.dims}"
        raise InputError(caller(), "TRC006", f"{message}, wanted one of its first axes")
    return Array(key.value, key.tracer)


def same_value(tracer: Tracer, a: Value, b: Value) -> bool:
    """Whether two values are computed by equal statements from the same values."""
    defined = {statement.results[0]: statement for statement in tracer.builder.statements}
    pending, seen = [(a, b)], set[tuple[Value, Value]]()
    while pending:
        pair = pending.pop()
        if pair[0] is pair[1] or pair in seen:
            continue
        seen.add(pair)
        left, right = defined[pair[0]], defined[pair[1]]
        if not _alike(left, right):
            return False
        pending += zip(left.operands, right.operands, strict=True)
    return True


def _alike(left: Statement, right: Statement) -> bool:
    return (
        left.op is right.op
        and not left.op.effects
        and len(left.operands) == len(right.operands)
        and repr(left.attributes) == repr(right.attributes)
    )
