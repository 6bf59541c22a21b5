"""Products of f32 matrices in the precision that the user asks for, by matrix instructions of bf16.

    bf16x3: dot(a, b)      a0 = convert[bf16](a)            a is a0 + a1, to 2**-16
                           a1 = convert[bf16](a - a0)       b likewise
                           dot(concat(a1, a0, a0), concat(b0, b1, b0))

An f32 has 24 bits and a bf16 has 8: three parts have all of them. The pairs of parts are successive along k,
those with the smallest products first, so that the sums in f32 add them up. docs/numerics.md derives the
error of each precision.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from asmgen.graph.ops import CONCAT, CONVERT, DOT, SUB
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, F32
from asmgen.options import BF16_PARTS

_BF16 = ELEMENT_TYPES["bf16"]


def with_parts(module: Module, precision: str, is_taken: Callable[[Statement], bool]) -> Module:
    """The module with products of f32 matrices as products of bf16 matrices, if `is_taken` says so."""
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement.op is DOT and tensor_type(statement.operands[0]).element is F32 and is_taken(statement):
            _multiply(rewriter, statement, BF16_PARTS[precision])
        else:
            rewriter.keep(statement)
    return rewriter.module()


def _multiply(rewriter: Rewriter, dot: Statement, count: int) -> None:
    parts = [_parts(rewriter, dot, factor, count) for factor in dot.operands]
    pairs = [pair for pair in product(range(count), repeat=2) if sum(pair) < count]
    pairs.sort(key=sum, reverse=True)
    factors: list[Value] = []
    for side, of_factor in enumerate(parts):
        chosen = tuple([of_factor[pair[side]] for pair in pairs])
        axis = tensor_type(chosen[0]).rank - 1 - side  # k
        factors.append(chosen[0] if count == 1 else rewriter.apply(CONCAT, chosen, dot, axis=axis))
    rewriter.finish(DOT, tuple(factors), dot, target_type=F32.name)


def _parts(rewriter: Rewriter, dot: Statement, factor: Value, count: int) -> list[Value]:
    """The factor as a sum of bf16, the largest part first."""
    parts: list[Value] = []
    rest = factor
    for number in range(count):
        if number:
            wide = rewriter.apply(CONVERT, (parts[-1],), dot, target_type=F32.name)
            rest = rewriter.apply(SUB, (rest, wide), dot)
        parts.append(rewriter.apply(CONVERT, (rest,), dot, target_type=_BF16.name))
    return parts
