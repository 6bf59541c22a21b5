"""The expansions of ops on elements of 64 bits, and on integers of 8 and 16. Read only if a module has such
elements.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from asmgen.graph import ops as graph
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Op, Value
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, F64, I32, I64, U32, U64, ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import reductions, simple
from asmgen.lanewise.math.definitions import LARGER, SMALLER
from asmgen.lanewise.math.tables import Expansions, of_precision, plain
from asmgen.lanewise.math.wide import arithmetic, bits, functions, remainder, trigonometric
from asmgen.lanewise.math.wide.arithmetic import Expand
from asmgen.lanewise.math.wide.precision import DOUBLE, atan, cosh, log_of_one_more
from asmgen.lanewise.reduction_ops import DPP_REDUCE, DPP_SCAN, REDUCE_WAVES

_SMALL = tuple(ELEMENT_TYPES[name] for name in ("i8", "u8", "i16", "u16"))
_LONG = (I64, U64)


def _each(functions: dict[Op, Callable[..., Value]], *elements: ElementType) -> Expansions:
    return {(op, e.name, e.name): plain(function) for op, function in functions.items() for e in elements}


def _conversions(functions_by_types: dict[tuple[ElementType, ElementType], Expand]) -> Expansions:
    return {
        (graph.CONVERT, source.name, target.name): plain(function)
        for (source, target), function in functions_by_types.items()
    }


def _to(element: ElementType) -> Expand:
    return lambda builder, x: builder.convert(x, element)


def _saturated(element: ElementType) -> Expand:
    """From an i32 into the range of a smaller type."""
    lowest, highest = integer_range(element)

    def expand(builder: LaneBuilder, x: Value) -> Value:
        least, most = builder.like(lowest, x), builder.like(highest, x)
        assert isinstance(x.type, LaneType)
        # a median takes its numbers from registers, which a maximum and a minimum have in themselves
        is_single = x.type.lanes == 1
        inside = simple.clip(builder, x, least, most) if is_single else builder.med3(x, least, most)
        return builder.convert(inside, element)

    return expand


def _from_bool(element: ElementType, by_word: bool, builder: LaneBuilder, condition: Value) -> Value:
    assert isinstance(condition.type, LaneType)
    number = simple.from_bool(builder, condition, LaneType(I32 if by_word else element, condition.type.lanes))
    return builder.convert(number, element) if by_word else number


def _long_conversions() -> Expansions:
    conversions: dict[tuple[ElementType, ElementType], Expand] = {
        (I64, F64): arithmetic.i64_to_f64, (U64, F64): arithmetic.u64_to_f64,
        (I64, F32): arithmetic.i64_to_f32, (U64, F32): arithmetic.u64_to_f32,
        (I64, F16): arithmetic.and_convert(arithmetic.i64_to_f32, F16),
        (U64, F16): arithmetic.and_convert(arithmetic.u64_to_f32, F16),
        (F64, F16): arithmetic.f64_to_f16, (F16, F64): arithmetic.through(F32, _to(F64)),
    }  # fmt: skip
    for element, from_f64 in ((I64, arithmetic.f64_to_i64), (U64, arithmetic.f64_to_u64)):
        conversions |= {
            (I32, element): arithmetic.from_i32(element),
            (U32, element): arithmetic.from_u32(element),
            (F64, element): from_f64,
        }
        conversions |= {(element, word): arithmetic.to_word(word) for word in (I32, U32)}
        conversions[F32, element] = arithmetic.through(F64, from_f64)
        conversions[F16, element] = arithmetic.through(F32, arithmetic.through(F64, from_f64))
    return _conversions(conversions)


def _small_conversions() -> Expansions:
    conversions: dict[tuple[ElementType, ElementType], Expand] = {}
    for small in _SMALL:
        conversions |= {
            (small, other): arithmetic.through(I32, _to(other))
            for other in (F32, F64, *_SMALL)
            if other is not small
        }
        conversions[small, F16] = arithmetic.through(I32, arithmetic.through(F32, _to(F16)))
        conversions |= {(small, long): arithmetic.through(I32, arithmetic.from_i32(long)) for long in _LONG}
        conversions |= {
            (long, small): arithmetic.and_convert(arithmetic.to_word(I32), small) for long in _LONG
        }
        conversions |= {(source, small): arithmetic.through(I32, _saturated(small)) for source in (F32, F64)}
        conversions[F16, small] = arithmetic.through(F32, arithmetic.through(I32, _saturated(small)))
    return _conversions(conversions)


def _truths() -> Expansions:
    """From and to bool."""
    expansions: Expansions = {}
    for element in (*_LONG, F64, *_SMALL):
        is_small = element in _SMALL
        to_bool = arithmetic.through(I32, simple.to_bool) if is_small else simple.to_bool
        expansions[graph.CONVERT, element.name, "bool"] = plain(to_bool)
        expansions[graph.CONVERT, "bool", element.name] = plain(partial(_from_bool, element, is_small))
    return expansions


_OF_LONG = {**reductions.COMBINE, "max": arithmetic.larger, "min": arithmetic.smaller}


def over_lanes(wave: int, nan: bool) -> Expansions:
    """The ops that combine lanes and waves, of elements of 64 bits."""
    expansions: Expansions = {}
    for element in (*_LONG, F64):
        of_f64 = reductions.COMBINE_NAN if nan else reductions.COMBINE
        combine = of_f64 if element is F64 else _OF_LONG
        of_vector = reductions.across_nan if nan and element is F64 else None
        expansions |= {
            (DPP_REDUCE, element.name, element.name): reductions.dpp_reduce_by_steps(combine),
            (DPP_SCAN, element.name, element.name): reductions.dpp_scan_by_steps(combine),
            (REDUCE_WAVES, element.name, element.name): reductions.reduce_waves(combine, wave, of_vector),
        }
    return expansions


WIDE: Expansions = {
    **_each({graph.MAX: arithmetic.larger, graph.MIN: arithmetic.smaller, graph.RELU: arithmetic.relu,
        graph.CLIP: arithmetic.clip, graph.LEFT_SHIFT: bits.left_shift_long,
        graph.POPCOUNT: bits.popcount_long, graph.LEADING_ZEROS: bits.leading_zeros_long}, *_LONG),
    **_each({graph.ABS: arithmetic.magnitude, graph.NEG: arithmetic.negative, graph.DIV: arithmetic.div_i64,
        ops.MULTIPLY_HIGH: arithmetic.multiply_high_i64,
        graph.RIGHT_SHIFT: bits.right_shift_signed}, I64),
    **_each({graph.ABS: simple.identity, graph.NEG: arithmetic.negative, graph.DIV: arithmetic.div_u64,
        ops.MULTIPLY_HIGH: arithmetic.multiply_high_u64,
        graph.RIGHT_SHIFT: bits.right_shift_long}, U64),
    **_each({
        graph.RELU: simple.relu, graph.CLIP: simple.clip, graph.DIV: arithmetic.div_f64,
        LARGER: LaneBuilder.max, SMALLER: LaneBuilder.min,
        graph.RECIP: arithmetic.recip_f64, graph.SQRT: arithmetic.sqrt_f64,
        graph.RSQRT: functions.rsqrt, graph.EXP: functions.exp, graph.LOG: functions.log,
        graph.TANH: functions.tanh, graph.SIGMOID: functions.sigmoid, graph.ERF: functions.erf,
        graph.LOG2: functions.log2, graph.POW: functions.power, graph.CBRT: functions.cbrt,
        graph.EXPM1: functions.exp_minus_one, graph.LOG1P: log_of_one_more,
        graph.FMOD: remainder.fmod, graph.MOD: remainder.mod,
        graph.SIN: trigonometric.sin, graph.COS: trigonometric.cos,
        graph.TAN: trigonometric.tan,
        graph.ATAN: atan, graph.COSH: cosh, **of_precision(DOUBLE),
    }, F64),
    **_each({graph.IDENTITY: simple.identity, graph.CONVERT: simple.identity}, *_LONG, F64, *_SMALL),
    **_long_conversions(),
    **_small_conversions(),
    **_truths(),
}  # fmt: skip
WIDE_NAN_PROPAGATES = _each(
    {
        graph.MAX: simple.max_nan,
        graph.MIN: simple.min_nan,
        graph.RELU: simple.relu_nan,
        graph.CLIP: simple.clip_nan,
    },
    F64,
)
