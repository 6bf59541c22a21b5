"""Conditions of a kernel by hand: for lanes as a mask, for the wave as SCC.

A condition is a relation of index expressions (`i < n`), a `sympy.And`, `Or` or `Not` of relations, or the
mask in SGPRs that a comparison wrote.
"""

from __future__ import annotations

from typing import Any, cast

import sympy
from sympy.logic.boolalg import Boolean

from asmgen.assembly.index_code import Part
from asmgen.assembly.indices import spelt
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import NARROWER, Fact, Symbols
from asmgen.assembly.values import Registers
from asmgen.select.operands import put_mask, put_scalar, put_vector
from isa.instruction import Immediate
from isa.lane_masks import MaskOperation
from isa.named_tuple import NamedTuple
from isa.registers import Register, RegisterClass

Condition = Boolean | Registers[Any]
GivenCondition = sympy.Basic | Registers[Any]
"""A condition as type checkers see it: SymPy's relations have no narrower type."""


class _Comparison(NamedTuple):
    """The instructions of a relation: of vectors, with exchanged operands, and of scalars; `{}` is
    u32 or i32."""

    vector: str
    exchanged: str
    scalar: str


_COMPARISONS: dict[Any, _Comparison] = {
    sympy.StrictLessThan: _Comparison("v_cmp_lt_", "v_cmp_gt_", "s_cmp_lt_"),
    sympy.LessThan: _Comparison("v_cmp_le_", "v_cmp_ge_", "s_cmp_le_"),
    sympy.StrictGreaterThan: _Comparison("v_cmp_gt_", "v_cmp_lt_", "s_cmp_gt_"),
    sympy.GreaterThan: _Comparison("v_cmp_ge_", "v_cmp_le_", "s_cmp_ge_"),
    sympy.Equality: _Comparison("v_cmp_eq_", "v_cmp_eq_", "s_cmp_eq_"),
    sympy.Unequality: _Comparison("v_cmp_ne_", "v_cmp_ne_", "s_cmp_lg_"),
}
_OPERATIONS: dict[Any, MaskOperation] = {sympy.And: MaskOperation.AND, sympy.Or: MaskOperation.OR}
_WANTED = "i < n, sympy.And(i < n, j < m), or the mask of a comparison"


class Conditions:
    """Computes conditions for a builder."""

    def __init__(self, recorder: Recorder, symbols: Symbols) -> None:
        self._recorder = recorder
        self._symbols = symbols

    def is_uniform(self, condition: Condition) -> bool:
        """Whether the whole wave has the same answer: a relation of uniform indices."""
        if condition in (sympy.true, sympy.false):
            return True
        if isinstance(condition, Registers):
            return False
        if condition.func in _COMPARISONS:
            return all(self._symbols.is_uniform(side) for side in self._sides(condition))
        return all(self.is_uniform(cast("Condition", inner)) for inner in condition.args)

    def known(self, condition: Condition) -> bool | None:
        """The answer if it is the same for every lane of every launch."""
        if condition is sympy.true or condition is sympy.false:
            return condition is sympy.true
        return None

    def mask(self, condition: Condition) -> Register:
        """The lanes for which a condition is true, in SGPRs."""
        recorder = self._recorder
        known = self.known(condition)
        if known is not None:
            return recorder.scalar_mask(recorder.masks.every_lane if known else 0)
        if isinstance(condition, Registers):
            return self._own_mask(condition)
        if condition.func in _COMPARISONS:
            return self._compared(condition, recorder.mask())
        if condition.func is sympy.Not:
            result = recorder.mask()
            recorder.put_mask(MaskOperation.NOT, result, self.mask(cast("Condition", condition.args[0])))
            return result
        operation = _OPERATIONS.get(condition.func)
        if operation is None:
            message = f"got the condition {spelt(condition)}, wanted relations"
            raise self._recorder.fault("HND020", message, _WANTED)
        first, *rest = [self.mask(cast("Condition", inner)) for inner in condition.args]
        for other in rest:
            result = recorder.mask()
            put_mask(recorder, operation, result, first, other)
            first = result
        return first

    def _own_mask(self, mask: Registers[Any]) -> Register:
        units = self._recorder.masks.units
        if mask.register_class is not RegisterClass.SGPR or len(mask) != units:
            message = (
                f"got {mask!r} as a condition of lanes, wanted a mask in {units} SGPR{'s' * (units > 1)}"
            )
            raise self._recorder.fault("HND020", message, _WANTED)
        return mask.register

    def lanes(self, condition: Condition) -> Register:
        """As `mask`, for a reader that follows at once: a single relation is in VCC, which short encodings
        write."""
        if isinstance(condition, Boolean) and condition.func in _COMPARISONS:
            return self._compared(condition, self._recorder.masks.vcc)
        return self.mask(condition)

    def _compared(self, condition: Boolean, result: Register) -> Register:
        recorder, names = self._recorder, _COMPARISONS[condition.func]
        kind, left, right = self._words(condition)
        put_vector(recorder, names.vector + kind, (result,), (left, right), reversed=names.exchanged + kind)
        return result

    def scc(self, condition: Condition) -> None:
        """Set SCC if a uniform condition is true, or if a mask has a lane that is on."""
        recorder = self._recorder
        known = self.known(condition)
        if known is not None:
            recorder.put("s_cmp_eq_u32", recorder.scalar_constant(int(known)), 1)
        elif isinstance(condition, Registers):
            put_mask(
                recorder, MaskOperation.AND, recorder.mask(), self._own_mask(condition), recorder.masks.exec
            )
        elif condition.func in _COMPARISONS and self.is_uniform(condition):
            kind, left, right = self._words(condition)
            put_scalar(
                recorder,
                _COMPARISONS[condition.func].scalar + kind,
                (),
                (_register(self._recorder, left), right),
            )
        else:
            mask = self.mask(condition)
            put_mask(recorder, MaskOperation.AND, recorder.mask(), mask, recorder.masks.exec)

    def _words(self, condition: Boolean) -> tuple[str, Part, Part]:
        """The type of a comparison, and both sides."""
        left, right = (self._symbols.index_of(side) for side in self._sides(condition))
        bounds = left.bounds.joined(right.bounds)
        if not bounds.is_word:
            message = f"{spelt(condition)} compares {bounds.low} to {bounds.high}, wanted u32 or i32"
            raise self._recorder.fault("HND021", message, NARROWER)
        kind = "u32" if bounds.is_u32 else "i32"
        return kind, self._symbols.part(left), self._symbols.part(right)

    def _sides(self, condition: Boolean) -> tuple[sympy.Expr, sympy.Expr]:
        left, right = condition.args
        return cast("sympy.Expr", left), cast("sympy.Expr", right)

    def facts(self, condition: Condition) -> list[Fact]:
        """The bounds of indices that follow from a condition if it is true."""
        if not isinstance(condition, Boolean):
            return []
        if condition.func is sympy.And:
            return [fact for inner in condition.args for fact in self.facts(cast("Condition", inner))]
        if condition.func not in _COMPARISONS:
            return []
        left, right = (self._symbols.index_of(side) for side in self._sides(condition))
        facts: dict[Any, list[Fact]] = {
            sympy.StrictLessThan: [(left, right - 1)],
            sympy.LessThan: [(left, right)],
            sympy.StrictGreaterThan: [(right, left - 1)],
            sympy.GreaterThan: [(right, left)],
            sympy.Equality: [(left, right), (right, left)],
        }
        return facts.get(condition.func, [])


def _register(recorder: Recorder, part: Part) -> Part:
    """The first operand of a scalar comparison: not a constant, so that the second may be a constant."""
    return recorder.scalar_constant(part.bits) if isinstance(part, Immediate) else part
