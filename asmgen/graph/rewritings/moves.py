"""Ops that move elements and compute nothing, and the source of an element.

    t = transpose[permutation={1,0}](x)               element {2,5} of s is {9,2} of x
    s = slice[axes={1}, starts={4}, ends={9}](t)
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.ops import (
    BROADCAST,
    CONTIGUOUS,
    IDENTITY,
    MULTIBROADCAST,
    RESHAPE,
    REVERSE,
    ROLL,
    SLICE,
    SQUEEZE,
    STEP,
    TRANSPOSE,
    UNSQUEEZE,
    WINDOWS,
)
from asmgen.index.size import Sizes
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.slices import kept_by
from asmgen.ir.types import row_major

MOVES = frozenset({SLICE, TRANSPOSE})  # besides ops that keep the order of elements
# ops of one operand with the numbers of it, some of them several times, or not at all
REARRANGING = frozenset(
    {
        BROADCAST, CONTIGUOUS, IDENTITY, MULTIBROADCAST, RESHAPE, REVERSE, ROLL, SLICE, SQUEEZE, STEP,
        TRANSPOSE, UNSQUEEZE, WINDOWS,
    }
)  # fmt: skip


def permutation_of(transpose: Statement) -> tuple[int, ...]:
    """The axis of the operand that each axis of the result is."""
    return axes_of(transpose, "permutation", tensor_type(transpose.operands[0]).rank)


def integers_of(statement: Statement, name: str) -> tuple[int, ...]:
    """A list of integers among the attributes of a statement."""
    given = statement.attributes[name]
    listed = given if isinstance(given, tuple) else (given,)
    return tuple([number for number in listed if isinstance(number, int)])


def axes_of(statement: Statement, name: str, rank: int) -> tuple[int, ...]:
    """A list of axes among the attributes of a statement, counted from the first."""
    return tuple([axis % rank for axis in integers_of(statement, name)])


def turning(rank: int) -> tuple[int, ...]:
    """The permutation that exchanges the last two axes."""
    return (*range(rank - 2), rank - 1, rank - 2)


def source_of(moves: Sequence[Statement], at: Sizes) -> Sizes:
    """The element of the first operand that moves put at `at`."""
    for move in reversed(moves):
        of, made = [tensor_type(each).dims for each in (move.operands[0], move.result)]
        if move.op is TRANSPOSE:
            moved = dict(zip(permutation_of(move), at, strict=True))
            at = tuple([moved[axis] for axis in range(len(of))])
        elif move.op is SLICE:
            at = tuple([index + first for index, (first, _) in zip(at, kept_by(move), strict=True)])
        else:
            number = sum([index * stride for index, stride in zip(at, row_major(made), strict=True)])
            at = tuple([number // stride % dim for dim, stride in zip(of, row_major(of), strict=True)])
    return at
