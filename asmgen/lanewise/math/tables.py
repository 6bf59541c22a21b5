"""The expansion of each op, by its first operand's element type and its result's.

An op that is in `final`'s set has no row. `fast` and `nan` choose rows, so no expansion tests them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import integer, precision, reductions, simple
from asmgen.lanewise.math.definitions import LARGER, SMALLER
from asmgen.lanewise.math.f32 import division, exponential, logarithm, trigonometric
from asmgen.lanewise.math.f32.precision import SINGLE, atan, cosh
from asmgen.lanewise.math.rewrite import ERF_GATE, LANE_DOT, RSQRT_NORMAL, TANH_GATE
from asmgen.lanewise.reduction_ops import DPP_REDUCE, DPP_SCAN, LANE_REDUCE, REDUCE_WAVES
from asmgen.options import MathOptions

Expansion = Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]
Expansions = dict[
    tuple[Op, str, str], Expansion
]  # by op, element type of the first operand, element type of the result


def expansion_of(table: Expansions, statement: Statement) -> Expansion | None:
    """The expansion of a statement, None if it stays as it is."""
    if not statement.operands or len(statement.results) != 1:
        return None
    return table.get(
        (statement.op, statement.operands[0].type.element.name, statement.result.type.element.name)
    )


@cache
def expansions(options: MathOptions) -> Expansions:
    """The table for these options."""
    table = ACCURATE | FAST if options.fast else ACCURATE
    if not options.slow_f64:
        table = table | IN_F64
    of_floats, of_vector = reductions.COMBINE, None
    if options.nan == "propagate":
        table, of_floats, of_vector = table | NAN_PROPAGATES, reductions.COMBINE_NAN, reductions.across_nan
        if options.keeps_nan:
            table, of_floats, of_vector = table | BY_MAXIMUM, reductions.COMBINE_EXTREMES, None
        table = table | {(DPP_REDUCE, "f32", "f32"): _over_lanes(options)}
    return {
        **table,
        (REDUCE_WAVES, "f32", "f32"): reductions.reduce_waves(of_floats, options.wave, of_vector),
        (REDUCE_WAVES, "i32", "i32"): reductions.reduce_waves(reductions.COMBINE, options.wave),
        (REDUCE_WAVES, "u32", "u32"): reductions.reduce_waves(reductions.COMBINE, options.wave),
    }


def _over_lanes(options: MathOptions) -> Expansion:
    """The expansion of maximum and minimum of f32 over lanes, if they keep a NaN."""
    if options.keeps_nan_of_lanes:
        return reductions.over_lanes_keeping_nan
    of_group = reductions.over_lanes_keeping_nan if options.keeps_nan else reductions.over_lanes_nan
    return reductions.over_wave_nan(options.wave, of_group)


def plain(function: Callable[..., Value]) -> Expansion:
    """An expansion that needs its operands alone."""
    return lambda builder, operands, _statement: function(builder, *operands)


def _from_bool(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    assert isinstance(statement.result.type, LaneType)
    return simple.from_bool(builder, operands[0], statement.result.type)


def _tanh_gate(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    coefficients = statement.attributes["coefficients"]
    assert isinstance(coefficients, tuple)
    return exponential.tanh_gate(
        builder, operands[0], tuple([float(c) for c in coefficients if isinstance(c, int | float)])
    )


def _erf_gate(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    scale = statement.attributes["scale"]
    assert isinstance(scale, float)
    return exponential.erf_gate(builder, operands[0], scale)


def divide(general: Callable[..., Value], by_constant: Callable[..., Value | None]) -> Expansion:
    def expand(builder: LaneBuilder, operands: tuple[Value, ...], _statement: Statement) -> Value:
        numerator, denominator = operands
        divisor = builder.literal_of(denominator)
        quotient = None if divisor is None else by_constant(builder, numerator, divisor)
        return general(builder, numerator, denominator) if quotient is None else quotient

    return expand


def of_precision(type_: precision.Precision) -> dict[Op, Callable[..., Value]]:
    """The functions that every float type computes alike."""
    functions = {
        graph.ASIN: precision.asin, graph.ACOS: precision.acos, graph.SINH: precision.sinh,
        graph.ASINH: precision.asinh, graph.ACOSH: precision.acosh,
        graph.ATANH: precision.atanh, graph.ATAN2: precision.atan2,
    }  # fmt: skip
    return {op: partial(function, type_) for op, function in functions.items()}


def each_plain(functions: dict[Op, Callable[..., Value]]) -> dict[Op, Expansion]:
    return {op: plain(function) for op, function in functions.items()}


def _rows(element: str, result: str, functions: dict[Op, Callable[..., Value]]) -> Expansions:
    return {(op, element, result): expansion for op, expansion in each_plain(functions).items()}


_BITS: dict[Op, Callable[..., Value]] = {
    graph.LEFT_SHIFT: integer.left_shift, graph.RIGHT_SHIFT: integer.right_shift,
    graph.LEADING_ZEROS: integer.leading_zeros,
}  # fmt: skip
ACCURATE: Expansions = {
    **_rows("f32", "f32", {
        graph.SIN: trigonometric.sin, graph.COS: trigonometric.cos, graph.TAN: trigonometric.tan,
        graph.ATAN: atan, graph.COSH: cosh, **of_precision(SINGLE),
        graph.LOG2: logarithm.log2, graph.POW: logarithm.power, graph.FMOD: division.fmod,
        graph.MOD: division.mod,
    }),
    **_rows("f32", "f32", {
        graph.EXP: exponential.exp, graph.SIGMOID: exponential.sigmoid, graph.TANH: exponential.tanh,
        graph.ERF: exponential.erf,
        graph.EXPM1: exponential.exp_minus_one, graph.LOG1P: logarithm.log_1_plus, graph.CBRT: division.cbrt,
        graph.LOG: logarithm.log, graph.RECIP: division.recip, graph.SQRT: division.sqrt,
        graph.RSQRT: division.rsqrt,
        graph.RELU: simple.relu, graph.CLIP: simple.clip_f32, graph.IDENTITY: simple.identity,
        graph.CONVERT: simple.identity, LARGER: LaneBuilder.max, SMALLER: LaneBuilder.min,
    }),
    **_rows("i32", "i32", {
        graph.ABS: integer.abs_i32, graph.NEG: integer.neg_i32, graph.RELU: simple.relu,
        graph.CLIP: simple.clip_words,
        graph.IDENTITY: simple.identity, graph.CONVERT: simple.identity,
    }),
    **_rows("u32", "u32", {
        graph.ABS: simple.identity, graph.RELU: simple.identity, graph.CLIP: simple.clip_words,
        graph.IDENTITY: simple.identity, graph.CONVERT: simple.identity,
    }),
    **_rows("i32", "i32", _BITS), **_rows("u32", "u32", _BITS),
    **_rows("f16", "f16", {graph.IDENTITY: simple.identity, graph.CONVERT: simple.identity}),
    **_rows("bool", "bool", {
        graph.WHERE: simple.where_bool, graph.IDENTITY: simple.identity, graph.CONVERT: simple.identity,
    }),
    **{(graph.CONVERT, source, "bool"): plain(simple.to_bool) for source in ("f32", "f16", "i32", "u32")},
    **{(graph.CONVERT, "bool", target): _from_bool for target in ("f32", "f16", "i32", "u32")},
    **{(LANE_REDUCE, element, element): reductions.lane_reduce(reductions.across(reductions.COMBINE))
        for element in ("f16", "f32", "i32")},
    (LANE_DOT, "f32", "f32"): reductions.lane_dot,
    (TANH_GATE, "f32", "f32"): _tanh_gate,
    (ERF_GATE, "f32", "f32"): _erf_gate,
    (RSQRT_NORMAL, "f32", "f32"): plain(division.rsqrt_normal),
    (graph.CONVERT, "i32", "f16"): plain(simple.integer_to_f16),
    (graph.DIV, "f32", "f32"): divide(division.div, division.div_by_constant),
    (graph.DIV, "i32", "i32"): divide(integer.div_i32, integer.div_i32_by_constant),
    (graph.DIV, "u32", "u32"): divide(integer.div_u32, integer.div_u32_by_constant),
}  # fmt: skip

FAST: Expansions = {
    **_rows("f32", "f32", {
        graph.EXP: exponential.exp_fast, graph.SIGMOID: exponential.sigmoid_fast,
        graph.TANH: exponential.tanh_fast, graph.EXPM1: exponential.exp_minus_one_fast,
        graph.LOG: logarithm.log_fast,
        graph.RECIP: division.recip_fast, graph.SQRT: division.sqrt_fast, graph.RSQRT: division.rsqrt_fast,
    }),
    (graph.DIV, "f32", "f32"): divide(division.div_fast, division.div_by_constant_fast),
}  # fmt: skip

IN_F64: Expansions = _rows("f32", "f32", {
    graph.SIN: trigonometric.sin_in_f64, graph.COS: trigonometric.cos_in_f64,
    graph.TAN: trigonometric.tan_in_f64,
    graph.FMOD: division.fmod_in_f64, graph.MOD: division.mod_in_f64, graph.POW: logarithm.power_in_f64,
})  # fmt: skip

NAN_PROPAGATES: Expansions = {
    **_rows("f32", "f32", {
        graph.MAX: simple.max_nan, graph.MIN: simple.min_nan, graph.RELU: simple.relu_nan,
        graph.CLIP: simple.clip_nan,
    }),
    (LANE_REDUCE, "f32", "f32"): reductions.lane_reduce(reductions.across_nan),
    (DPP_SCAN, "f32", "f32"): reductions.over_lanes_nan,
}  # fmt: skip

BY_MAXIMUM: Expansions = {
    **_rows("f32", "f32", {
        graph.MAX: LaneBuilder.maximum, graph.MIN: LaneBuilder.minimum, graph.RELU: simple.relu_maximum,
        graph.CLIP: simple.clip_maximum,
    }),
    (LANE_REDUCE, "f32", "f32"): reductions.lane_reduce(
        reductions.across(reductions.COMBINE_EXTREMES)
    ),
}  # fmt: skip
