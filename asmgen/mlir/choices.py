"""Short branches as choices: where both sides do little but arithmetic, all lanes do both, and choose.

    if(odd) {                                    tripled = mul(x, c3)
      tripled = mul(x, c3)                       raised = add(tripled, c1)
      raised = add(tripled, c1)        is        half = shift_right(x, c1)
      yield(raised)                              next = where(odd, raised, half)
    } {
      half = shift_right(x, c1)
      yield(half)
    }

which are four instructions, where the masks of a branch alone are three.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import LaneType, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.context import Lowering

MOST_DONE = 4  # statements of both sides that take an instruction
MOST_CHOSEN = 2  # results
_FREE = frozenset({graph.LITERAL, graph.BIT_CAST})
_SHORT = frozenset(
    {
        graph.ADD, graph.SUB, graph.MUL, graph.MIN, graph.MAX, graph.NEG, graph.ABS, graph.WHERE,
        graph.BITWISE_AND, ops.MULTIPLE, ops.SHIFT_LEFT, ops.SHIFT_RIGHT, ops.BITWISE_OR, ops.BITWISE_XOR,
        ops.BITWISE_NOT,
    }
)  # fmt: skip
_WORD_BITS = 32


def is_choice(
    lower: Lowering, sides: Sequence[Sequence[Statement]], results: Sequence[Sequence[Value]]
) -> bool:
    """Whether two sides of a branch with results are short enough."""
    chosen = results[0]
    if not 0 < len(chosen) <= MOST_CHOSEN or not all(map(_is_word, chosen)):
        return False
    done = [one for side in sides for one in side if one.op not in _FREE]
    return len(done) <= MOST_DONE and all(_is_short(one, lower.builder) for one in done)


def _is_word(value: Value) -> bool:
    """Whether a value is of 32 bits."""
    type_ = value.type
    is_one = isinstance(type_, LaneType) and type_.lanes == 1
    return is_one and type_.element.bits == _WORD_BITS


def _is_short(statement: Statement, builder: LaneBuilder) -> bool:
    """Whether a statement is one instruction, or few; of quotients those by a power of two without a sign."""
    if not all(map(_is_word, statement.results)):
        return False
    if statement.op is graph.DIV:
        divisor = builder.literal_of(statement.operands[1])
        is_power = isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0
        return is_power and _is_unsigned(statement.result)
    return statement.op in _SHORT


def _is_unsigned(value: Value) -> bool:
    assert isinstance(value.type, LaneType)
    return value.type.element.kind is NumberKind.UNSIGNED


def choose(
    lower: Lowering,
    condition: Value,
    sides: Sequence[Sequence[Statement]],
    results: Sequence[Sequence[Value]],
) -> tuple[Value, ...]:
    """Both sides, and what is chosen of their results."""
    for side in sides:
        for statement in side:
            lower.builder.append(statement)
    first, second = results
    return tuple([lower.builder.where(condition, a, b) for a, b in zip(first, second, strict=True)])
