"""How much code an op on one element becomes: the statements of its expansion."""

from __future__ import annotations

from functools import cache

from asmgen.ir.program import Attribute, Module, Op, Statement, Value
from asmgen.ir.types import F32, ElementType, LaneType
from asmgen.lanewise.math.expand import expand_by, expansions_for
from asmgen.lanewise.math.options import MathOptions
from isa.targets import Target


@cache
def statements_of(
    op: Op,
    operands: tuple[ElementType, ...],
    result: ElementType,
    attributes: tuple[tuple[str, Attribute], ...],
    target: Target,
) -> int:
    """Statements of `final` for a pointwise op, each of 64 bits counted twice."""
    values = tuple([Value(f"x{number}", LaneType(element)) for number, element in enumerate(operands)])
    statement = Statement(op, values, (Value("y", LaneType(result)),), dict(attributes))
    module = Module("cost", (statement,))
    expanded = expand_by(module, expansions_for(module, MathOptions(), target))
    words = max([element.bits for element in (*operands, result)]) // F32.bits
    return len(list(expanded.walk())) * max(1, words)
