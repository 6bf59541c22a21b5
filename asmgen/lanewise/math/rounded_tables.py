"""The expansions of functions with a result that is rounded to 16 bits (`asmgen.graph.rounded`)."""

from __future__ import annotations

from functools import cache

from asmgen.graph import ops as graph
from asmgen.graph.rounded import ROUNDED_FUNCTIONS, function_of, rounding_of
from asmgen.ir.program import Op
from asmgen.ir.types import BF16, F32
from asmgen.lanewise.math.f32 import division, exponential, logarithm, rounded
from asmgen.lanewise.math.tables import (
    ACCURATE,
    FAST,
    Expansion,
    Expansions,
    divide,
    each_plain,
    plain,
)
from asmgen.options import MathOptions

_OF_F16: dict[Op, Expansion] = {
    **each_plain({
        graph.EXP: exponential.exp_fast, graph.SIGMOID: exponential.sigmoid_fast, graph.TANH: rounded.tanh,
        graph.ERF: rounded.erf,
        graph.LOG: logarithm.log_fast, graph.LOG2: rounded.log2_for_f16,
        graph.RECIP: division.recip_fast, graph.SQRT: division.sqrt_fast, graph.RSQRT: division.rsqrt_fast,
    }),
    graph.DIV: divide(rounded.div_for_f16, division.div_by_constant_fast),
    graph.POW: plain(rounded.power_for_f16),
}  # fmt: skip
_OF_BF16: dict[Op, Expansion] = {
    **each_plain({
        graph.EXP: rounded.exp_for_bf16, graph.SIGMOID: rounded.sigmoid_for_bf16, graph.TANH: rounded.tanh,
        graph.ERF: rounded.erf,
        graph.LOG: rounded.log_for_bf16, graph.LOG2: rounded.log2_for_bf16,
        graph.RECIP: rounded.recip_for_bf16, graph.SQRT: rounded.sqrt_for_bf16,
        graph.RSQRT: rounded.rsqrt_for_bf16,
    }),
    graph.DIV: divide(rounded.div_for_bf16, division.div_by_constant_fast),
    graph.POW: plain(rounded.power_for_bf16),
}  # fmt: skip


def _of_functions(rows: Expansions, others: Expansions) -> Expansions:
    """The rows of results that are rounded to 16 bits, of functions with an expansion in another table."""
    moved = {key: (function_of(key[0]), *key[1:]) for key in rows}
    return {key: others[function] for key, function in moved.items() if function in others}


def _rounded() -> Expansions:
    """Each function for results of f16 and bf16; an accurate function if no other is cheaper."""
    rows: Expansions = {}
    for row in ROUNDED_FUNCTIONS.values():
        function = function_of(row)
        of_type = _OF_BF16 if rounding_of(row, F32) is BF16 else _OF_F16
        rows[row, "f32", "f32"] = of_type.get(function, ACCURATE[function, "f32", "f32"])
    return rows


_ROWS = _rounded()


@cache
def rounded_expansions(options: MathOptions) -> Expansions:
    """The table for these options."""
    return _ROWS | _of_functions(_ROWS, FAST) if options.fast else _ROWS
