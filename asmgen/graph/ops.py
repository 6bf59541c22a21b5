"""The rows of the graph's ops (gen text, "Ops of the graph"), and of the statement forms @param, @literal
and @return.

Type rules: operands of a statement have the same element type, unless a row's inference says otherwise;
arithmetic is on every number type, functions of analysis (exp, sqrt, floor, ...) on floats, logical ops on
bool. `div` of integers truncates toward zero, gives 0 if the divisor is 0, and wraps (-2^31 / -1 is
-2^31). `clip(x, lo, hi)` is `min(max(x, lo), hi)` and `relu(x)` is `max(x, 0)`, with the NaN rule of max
and min: a NaN loses. `convert` of a float to an integer truncates, saturates and gives 0 for NaN; to bool
it gives `x != 0`; between integers it wraps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

from asmgen.graph.infer import elementwise, layout, reduce, resample
from asmgen.ir.program import (
    AttributeKind,
    AttributeSpec,
    InferResult,
    Needs,
    Op,
    Stage,
    Statement,
    Value,
)
from asmgen.ir.types import BOOL, E8M0, ELEMENT_TYPES, NumberKind
from isa.diagnostics import InternalError

GRAPH_AND_LANES = frozenset({Stage.GRAPH, Stage.LANEWISE, Stage.FINAL})
GRAPH_ONLY = frozenset({Stage.GRAPH})

FLOATS = frozenset(element.name for element in ELEMENT_TYPES.values() if element.is_float)
INTEGERS = frozenset(
    element.name
    for element in ELEMENT_TYPES.values()
    if element.kind in (NumberKind.SIGNED, NumberKind.UNSIGNED)
)
NUMBERS = FLOATS | INTEGERS
BOOLS = frozenset({BOOL.name})
EVERY_TYPE = NUMBERS | BOOLS
CODES = frozenset(element.name for element in ELEMENT_TYPES.values() if element.is_code)
_CARRIED = frozenset({"i32", "u32", "i64", "u64", "f32", "f64", BOOL.name})
_INDICES = frozenset({"i32", "i64"})
PACKED = frozenset({"i8", "u8", "i16", "u16", "i32", "u32"})


def _pointwise(
    name: str, operands: int, infer_result: InferResult, types: frozenset[str],
    *attributes: AttributeSpec, modular: int = 0, commutes: bool = False, maximum: int | None = None,
    ulps: float = 0.5, masks: int = 0, chooses: bool = False, issues: int = 1, keeps_nan: bool = False,
) -> Op:  # fmt: skip
    return Op(
        name, GRAPH_AND_LANES, operands, maximum or operands, infer_result, attributes,
        pointwise=True, modular=modular, commutes=commutes, types=types, ulps=ulps,
        masks=masks, chooses=chooses, issues=issues, keeps_nan=keeps_nan,
    )  # fmt: skip


def _function(name: str, *, ulps: float = 0.5, masks: int = 0, issues: int = 1) -> Op:
    """A function of analysis of one float."""
    return _pointwise(
        name, 1, elementwise.same_type, FLOATS, ulps=ulps, masks=masks, issues=issues, keeps_nan=True
    )


def _tensor(
    name: str, minimum: int, maximum: int | None, infer_result: InferResult, *attributes: AttributeSpec,
    types: frozenset[str] = EVERY_TYPE,
    needs_elements: bool = False, finds_places: bool = False,
) -> Op:  # fmt: skip
    return Op(
        name,
        GRAPH_ONLY,
        minimum,
        maximum,
        infer_result,
        attributes,
        types=types,
        needs_elements=needs_elements,
        finds_places=finds_places,
    )


def _moving(
    name: str, infer_result: InferResult, *attributes: AttributeSpec, minimum: int = 1,
    maximum: int | None = 1, keeps_places: bool = False, keeps_order: bool = False,
    needs: Needs | None = None, unclamped: Needs | None = None,
) -> Op:  # fmt: skip
    """An op that moves elements: of every type that a kernel can read and write."""
    return Op(
        name, GRAPH_ONLY, minimum, maximum, infer_result, attributes, types=EVERY_TYPE | CODES,
        moves_elements=not keeps_places, keeps_order=keeps_order, needs=needs, unclamped=unclamped,
    )  # fmt: skip


def _scan(name: str, parts: int = 1) -> Op:
    """An op that combines each element with those before it along an axis. An element is of `parts` operands;
    a further operand precedes the elements."""
    return _tensor(
        name, parts, parts + 1, reduce.scan, _integer("axis"), _truth("exclusive"), _truth("reverse"),
        _integer("part", 0), _truth("passed_on"), types=NUMBERS,
    )  # fmt: skip


def _late(file: str, name: str) -> Callable[..., Any]:
    """A function of a file of `asmgen.graph.infer` for ops that few graphs have: the file is loaded for the
    first graph that does."""

    def infer(*given: Any) -> Any:
        function: Callable[..., Any] = getattr(import_module(f"asmgen.graph.infer.{file}"), name)
        return function(*given)

    return infer


def _sort(name: str, way: AttributeSpec, k: bool = False) -> Op:
    """An op that orders the elements along an axis."""
    of_count = (_integer("k"),) if k else ()
    return Op(
        name, GRAPH_ONLY, 1, 1, _late("sort", name), (*of_count, _integer("axis", -1), way), types=EVERY_TYPE,
        needs=_late("sort", "sort_needs"),
    )  # fmt: skip


def _pool(name: str, types: frozenset[str], *attributes: AttributeSpec) -> Op:
    """An op that combines the elements of each window."""
    return Op(
        name, GRAPH_ONLY, 1, 1, _late("windows", "pooled"), attributes, types=types,
        needs=_late("windows", "windows_needs"),
    )  # fmt: skip


def _integer(name: str, default: int | None = None) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.INTEGER, default)


def _truth(name: str) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.BOOL, False)


def _float(name: str, default: float, least: float = -math.inf, finite: bool = True) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.FLOAT, default, least=least, finite=finite)


def _list(name: str) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.LIST)


def _sizes(name: str) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.LIST, holds_sizes=True)


_ALL_AXES = AttributeSpec("axes", AttributeKind.LIST, ())
_WINDOWS = (
    AttributeSpec("sizes", AttributeKind.LIST),
    AttributeSpec("axes", AttributeKind.LIST, ()),
    AttributeSpec("strides", AttributeKind.LIST, ()),
    AttributeSpec("dilations", AttributeKind.LIST, ()),
)
_POOLED = (*_WINDOWS, AttributeSpec("pads", AttributeKind.LIST, ()))
_COMBINE = AttributeSpec("combine", AttributeKind.WORD, None, ("sum", "mean", "max", "min", "prod"))
_REDUCTION = AttributeSpec("reduction", AttributeKind.WORD, "mean", ("mean", "sum", "none"))
_MODE = AttributeSpec("mode", AttributeKind.WORD, None, resample.MODES)
_NO_SIZES = AttributeSpec("out_sizes", AttributeKind.LIST, ())
_NO_SCALES = AttributeSpec("scales", AttributeKind.LIST, ())
_TARGET_TYPE = AttributeSpec("target_type", AttributeKind.TYPE)
_RESULT_TYPE = AttributeSpec("target_type", AttributeKind.TYPE, "")  # that of the operands if it is left out
_PAIRED_AXES = ("lhs_batch", "rhs_batch", "lhs_contract", "rhs_contract")
_EPSILON = _float("epsilon", 1e-5, least=0.0)
_LAST_INDEX = AttributeSpec("select_last_index", AttributeKind.BOOL, False)
_LARGEST = AttributeSpec("largest", AttributeKind.BOOL, True)
_PAD_MODE = AttributeSpec("mode", AttributeKind.WORD, "constant", ("constant", "edge", "reflect"))

# Statement forms
PARAM = Op(
    "@param",
    GRAPH_AND_LANES,
    0,
    0,
    elementwise.written,
    (AttributeSpec("name", AttributeKind.WORD),),
    effects=True,
)
PARAM_SETTINGS = (
    AttributeSpec("donated", AttributeKind.BOOL, False),
    AttributeSpec("result", AttributeKind.INTEGER, -1),
    AttributeSpec("most", AttributeKind.LIST, ()),
)
"""The attributes that a `@param` of a graph may have in brackets. `donated`: a result may be written to its
memory, that of the number `result` if that is stated. `most`: the largest value of the dim of each axis, -1
for no bound."""
KERNEL_PARAM_SETTINGS = (AttributeSpec("result", AttributeKind.INTEGER, -1),)
"""Those of a kernel, from lanewise on. `result`: the kernel writes this result of the program in the memory
of the argument."""
LITERAL = Op(
    "@literal",
    GRAPH_AND_LANES,
    0,
    0,
    elementwise.written,
    (AttributeSpec("values", AttributeKind.LIST),),
)
RETURN = Op("@return", GRAPH_AND_LANES, 0, None, elementwise.nothing, effects=True)

# Arithmetic on two operands
ADD = _pointwise("add", 2, elementwise.same_type, NUMBERS, modular=2, commutes=True, keeps_nan=True)
SUB = _pointwise("sub", 2, elementwise.same_type, NUMBERS, modular=2, keeps_nan=True)
MUL = _pointwise("mul", 2, elementwise.same_type, NUMBERS, modular=2, commutes=True, keeps_nan=True)
DIV = _pointwise("div", 2, elementwise.same_type, NUMBERS, ulps=1, issues=12, keeps_nan=True)
POW = _pointwise("pow", 2, elementwise.same_type, NUMBERS, ulps=4, masks=8, issues=20)
MOD = _pointwise("mod", 2, elementwise.same_type, NUMBERS, issues=23)
FMOD = _pointwise("fmod", 2, elementwise.same_type, NUMBERS, issues=21)
MAX = _pointwise("max", 2, elementwise.same_type, NUMBERS, commutes=True)
MIN = _pointwise("min", 2, elementwise.same_type, NUMBERS, commutes=True)
ATAN2 = _pointwise("atan2", 2, elementwise.same_type, FLOATS, ulps=4, issues=20)
SQDIFF = _pointwise("sqdiff", 2, elementwise.same_type, NUMBERS, commutes=True, issues=2)
PRELU = _pointwise("prelu", 2, elementwise.same_type, NUMBERS, issues=3)
EQUAL = _pointwise("equal", 2, elementwise.to_bool, EVERY_TYPE, commutes=True)
LESS = _pointwise("less", 2, elementwise.to_bool, EVERY_TYPE)
GREATER = _pointwise("greater", 2, elementwise.to_bool, EVERY_TYPE)
LOGICAL_AND = _pointwise("logical_and", 2, elementwise.same_type, BOOLS, commutes=True)
LOGICAL_OR = _pointwise("logical_or", 2, elementwise.same_type, BOOLS, commutes=True)
LOGICAL_XOR = _pointwise("logical_xor", 2, elementwise.same_type, BOOLS, commutes=True)

# Bits of integers
BITWISE_AND = _pointwise("bitwise_and", 2, elementwise.same_type, INTEGERS | BOOLS, modular=2, commutes=True)
BITWISE_OR = _pointwise("bitwise_or", 2, elementwise.same_type, INTEGERS | BOOLS, modular=2, commutes=True)
BITWISE_XOR = _pointwise("bitwise_xor", 2, elementwise.same_type, INTEGERS | BOOLS, modular=2, commutes=True)
BITWISE_NOT = _pointwise("bitwise_not", 1, elementwise.same_type, INTEGERS, modular=1)
LEFT_SHIFT = _pointwise("left_shift", 2, elementwise.same_type, INTEGERS, modular=1)
RIGHT_SHIFT = _pointwise("right_shift", 2, elementwise.same_type, INTEGERS)
POPCOUNT = _pointwise("popcount", 1, elementwise.same_type, INTEGERS)
LEADING_ZEROS = _pointwise("leading_zeros", 1, elementwise.same_type, INTEGERS, issues=2)

# Functions of one operand
ABS = _pointwise("abs", 1, elementwise.same_type, NUMBERS, keeps_nan=True)
ACOS = _function("acos", ulps=4, issues=7)
ACOSH = _function("acosh", ulps=4, issues=16)
ASIN = _function("asin", ulps=4, issues=13)
ASINH = _function("asinh", ulps=4, issues=19)
ATAN = _function("atan", ulps=4, issues=11)
ATANH = _function("atanh", ulps=4, issues=11)
CBRT = _function("cbrt", ulps=1, issues=10)
CEIL = _function("ceil")
COS = _function("cos", ulps=4, masks=6, issues=20)
COSH = _function("cosh", ulps=4, issues=17)
ERF = _function("erf", ulps=4, issues=7)
EXP = _function("exp", ulps=2, issues=12)
EXPM1 = _function("expm1", ulps=3, issues=13)
FLOOR = _function("floor")
ISINF = _pointwise("isinf", 1, elementwise.to_bool, FLOATS)
ISNAN = _pointwise("isnan", 1, elementwise.to_bool, FLOATS)
LOG = _function("log", ulps=2, issues=9)
LOG1P = _function("log1p", ulps=3, issues=11)
LOG2 = _function("log2", ulps=2, issues=9)
NEARBYINT = _function("nearbyint")
NEG = _pointwise("neg", 1, elementwise.same_type, NUMBERS, modular=1, keeps_nan=True)
NOT = _pointwise("not", 1, elementwise.same_type, BOOLS)
RECIP = _function("recip", ulps=1, issues=10)
RELU = _pointwise("relu", 1, elementwise.same_type, NUMBERS)
RSQRT = _function("rsqrt", ulps=1, issues=12)
SIGMOID = _function("sigmoid", ulps=4, issues=9)
SIGN = _pointwise("sign", 1, elementwise.same_type, NUMBERS, issues=6)
SIN = _function("sin", ulps=4, masks=6, issues=20)
SINH = _function("sinh", ulps=4, issues=12)
SQRT = _function("sqrt", ulps=1, issues=12)
TAN = _function("tan", ulps=6, masks=6, issues=23)
TANH = _function("tanh", ulps=4, issues=8)
IDENTITY = _pointwise("identity", 1, elementwise.same_type, EVERY_TYPE, chooses=True)
ELU = _pointwise("elu", 1, elementwise.same_type, FLOATS, _float("alpha", 1.0), ulps=8, issues=16)
LEAKY_RELU = _pointwise("leaky_relu", 1, elementwise.same_type, FLOATS, _float("alpha", 0.01), issues=3)

# Three operands, and operands of several types
CLIP = _pointwise("clip", 3, elementwise.same_type, NUMBERS, issues=2)
WHERE = _pointwise("where", 3, elementwise.choose, EVERY_TYPE, chooses=True)
CONVERT = _pointwise("convert", 1, elementwise.convert, EVERY_TYPE | CODES, _TARGET_TYPE)
BIT_CAST = _pointwise("bit_cast", 1, elementwise.bit_cast, EVERY_TYPE | CODES, _TARGET_TYPE)
QUANTIZELINEAR = _pointwise("quantizelinear", 2, elementwise.quantize, NUMBERS, maximum=3)
DEQUANTIZELINEAR = _pointwise("dequantizelinear", 2, elementwise.dequantize, NUMBERS, maximum=3)
# Trips of a body, which is the attribute `body` too: the reader finds it after the operands
ITERATE = Op(
    "iterate", GRAPH_ONLY, 1, None, _late("iterate", "iterate"), (_integer("result", 0),), pointwise=True,
    types=_CARRIED, issues=1000, has_body=True,
)  # fmt: skip

DEQUANTIZE = _tensor(
    "dequantize", 2, 3, _late("blocks", "dequantize"), AttributeSpec("blocks", AttributeKind.LIST),
    _RESULT_TYPE, types=NUMBERS | CODES - {E8M0.name},
)  # fmt: skip

# Reductions and norms
REDUCE_SUM = _tensor("reduce_sum", 1, 1, reduce.reduce_to(None), _ALL_AXES, types=NUMBERS)
REDUCE_MEAN = _tensor("reduce_mean", 1, 1, reduce.reduce_to(None), _ALL_AXES, types=NUMBERS)
REDUCE_MAX = _tensor(
    "reduce_max",
    1,
    1,
    reduce.reduce_to(None, of_nothing=False),
    _ALL_AXES,
    types=NUMBERS,
    needs_elements=True,
)
REDUCE_MIN = _tensor(
    "reduce_min",
    1,
    1,
    reduce.reduce_to(None, of_nothing=False),
    _ALL_AXES,
    types=NUMBERS,
    needs_elements=True,
)
REDUCE_PROD = _tensor("reduce_prod", 1, 1, reduce.reduce_to(None), _ALL_AXES, types=NUMBERS)
REDUCE_ANY = _tensor("reduce_any", 1, 1, reduce.reduce_to(BOOL), _ALL_AXES, types=EVERY_TYPE)
REDUCE_ALL = _tensor("reduce_all", 1, 1, reduce.reduce_to(BOOL), _ALL_AXES, types=EVERY_TYPE)
ARGMAX = _tensor(
    "argmax", 1, 1, reduce.arg_reduce, _integer("axis"), _LAST_INDEX,
    types=NUMBERS, needs_elements=True, finds_places=True,
)  # fmt: skip
ARGMIN = _tensor(
    "argmin", 1, 1, reduce.arg_reduce, _integer("axis"), _LAST_INDEX,
    types=NUMBERS, needs_elements=True, finds_places=True,
)  # fmt: skip
CUMSUM = _scan("cumsum")
CUMPROD = _scan("cumprod")
CUMMAX = _scan("cummax")
CUMMIN = _scan("cummin")
LINEAR_RECURRENCE = _scan("linear_recurrence", 2)
SORT = _sort("sort", _truth("descending"))
ARGSORT = _sort("argsort", _truth("descending"))
TOP_K = _sort("top_k", _LARGEST, k=True)
TOP_K_INDICES = _sort("top_k_indices", _LARGEST, k=True)
SOFTMAX = _tensor("softmax", 1, 1, reduce.along_axis, _integer("axis"), types=FLOATS)
LOGSOFTMAX = _tensor("logsoftmax", 1, 1, reduce.along_axis, _integer("axis"), types=FLOATS)
LAYERNORM = _tensor(
    "layernorm",
    1,
    3,
    reduce.along_axis,
    _integer("axis", -1),
    _EPSILON,
    types=FLOATS,
)
RMSNORM = _tensor(
    "rmsnorm",
    1,
    2,
    reduce.along_axis,
    _integer("axis", -1),
    _EPSILON,
    types=FLOATS,
)
INSTANCENORM = _tensor("instancenorm", 3, 3, reduce.of_channels, _EPSILON, types=FLOATS)
GROUPNORM = _tensor(
    "groupnorm", 1, 3, reduce.of_channels, _integer("groups"), _EPSILON, types=FLOATS,
)  # fmt: skip
DOT = _tensor(
    "dot", 2, 2, _late("products", "dot"), _RESULT_TYPE, types=NUMBERS,
)  # fmt: skip
DOT_GENERAL = _tensor(
    "dot_general", 2, 2, _late("products", "dot_general"),
    *[AttributeSpec(name, AttributeKind.LIST, ()) for name in _PAIRED_AXES], _RESULT_TYPE, types=NUMBERS,
)  # fmt: skip

# Layout
PAD = _moving(
    "pad", layout.pad, _list("pads"), _PAD_MODE, _float("value", 0.0, finite=False),
    needs=layout.pad_needs,
)  # fmt: skip
GATHER = _moving(
    "gather",
    _late("choice", "gather"),
    _integer("axis", 0),
    minimum=2,
    maximum=2,
    needs=_late("choice", "chooses_needs"),
)
TAKE_ALONG_AXIS = _moving(
    "take_along_axis", _late("choice", "take_along_axis"), _integer("axis", -1), minimum=2, maximum=2,
    needs=_late("choice", "chooses_needs"),
)  # fmt: skip
RESAMPLE = _moving(
    "resample", resample.resample, _integer("axis"), _sizes("size"), _integer("by", 1),
    _integer("plus", 0), _integer("over", 1), needs=resample.resample_needs,
)  # fmt: skip
SCATTER_ADD = _tensor(
    "scatter_add", 3, 3, _late("scatter", "scatter"), _integer("axis", 0), _truth("deterministic"),
    types=NUMBERS,
)  # fmt: skip
HISTOGRAM = _tensor(
    "histogram", 1, 2, _late("scatter", "histogram"), _integer("bins"), _truth("deterministic"),
    types=NUMBERS,
)  # fmt: skip
REVERSE = _moving("reverse", layout.reverse, _list("axes"))
ROLL = _moving("roll", layout.roll, _list("axes"), _list("shifts"))
CONCAT = _moving("concat", layout.concat, _integer("axis"), maximum=None)
SLICE = _moving(
    "slice", layout.slice_, _list("axes"), _sizes("starts"), _sizes("ends"),
    needs=layout.slice_needs, unclamped=layout.slice_unclamped,
)  # fmt: skip
STEP = _moving("step", layout.step, _list("axes"), _list("steps"))
TRANSPOSE = _moving("transpose", layout.transpose, _list("permutation"))
RESHAPE = _moving("reshape", layout.reshape, _sizes("dims"), keeps_order=True, needs=layout.reshape_needs)
SQUEEZE = _moving("squeeze", layout.squeeze, _list("axes"), keeps_order=True)
UNSQUEEZE = _moving("unsqueeze", layout.unsqueeze, _list("axes"), keeps_order=True)
CONTIGUOUS = _moving("contiguous", layout.contiguous, keeps_places=True)
BROADCAST = _moving("broadcast", layout.broadcast, _integer("axis"), _sizes("out_lens"), keeps_places=True)
UNPACK = Op(
    "unpack", GRAPH_ONLY, 1, 1, _late("unpack", "unpack"),
    (_integer("bits"), _integer("axis", -1)), types=PACKED, moves_elements=True,
)  # fmt: skip
MULTIBROADCAST = _moving("multibroadcast", layout.multibroadcast, _sizes("out_lens"), keeps_places=True)

WINDOWS = _moving("windows", _late("windows", "windows"), *_WINDOWS, needs=_late("windows", "windows_needs"))

# Pooling
REDUCE_WINDOW = _pool("reduce_window", NUMBERS, _COMBINE, *_POOLED)
MAX_POOL = _pool("max_pool", NUMBERS, *_POOLED)
AVG_POOL = _pool("avg_pool", FLOATS, *_POOLED, _truth("count_pads"))

# Indices and places
ONE_HOT = _tensor(
    "one_hot", 1, 1, _late("choice", "one_hot"), _integer("depth"), _integer("axis", -1), _TARGET_TYPE,
    types=_INDICES,
)  # fmt: skip
NLL_LOSS = Op(
    "nll_loss", GRAPH_ONLY, 2, 3, _late("choice", "nll_loss"),
    (_REDUCTION, _integer("ignore_index", -100)),
    types=FLOATS, needs=_late("choice", "nll_loss_needs"),
)  # fmt: skip
INTERPOLATE = Op(
    "interpolate", GRAPH_ONLY, 1, 1, resample.interpolated,
    (_MODE, _NO_SIZES, _NO_SCALES, _ALL_AXES, _truth("align_corners")),
    types=EVERY_TYPE, needs=resample.interpolated_needs,
)  # fmt: skip

# What no program has to write: the index of each element along an axis, as i32.
IOTA = _tensor("iota", 0, 0, layout.iota, _integer("axis"), _sizes("out_lens"))

# The word for each reduction and scan, and the op that combines two of its partial results.
REDUCTIONS: dict[Op, str] = {
    REDUCE_SUM: "sum",
    REDUCE_MEAN: "mean",
    REDUCE_MAX: "max",
    REDUCE_MIN: "min",
    REDUCE_PROD: "prod",
}
SCANS: dict[Op, str] = {
    CUMSUM: "sum", CUMPROD: "prod", CUMMAX: "max", CUMMIN: "min", LINEAR_RECURRENCE: "linear",
}  # fmt: skip
ADDITIONS = frozenset({SCATTER_ADD, HISTOGRAM})
# Sorts, and whether the results are the indices of the elements.
SORTS: dict[Op, bool] = {SORT: False, ARGSORT: True, TOP_K: False, TOP_K_INDICES: True}
COMBINES: dict[str, Op] = {"sum": ADD, "mean": ADD, "max": MAX, "min": MIN, "prod": MUL}

FORMS: dict[str, Op] = {op.name: op for op in (PARAM, LITERAL, RETURN)}
GRAPH_OPS: dict[str, Op] = {
    op.name: op
    for op in (
        ADD, SUB, MUL, DIV, POW, ATAN2, MOD, FMOD, MAX, MIN, SQDIFF, PRELU, EQUAL, LESS, GREATER, LOGICAL_AND,
        LOGICAL_OR, LOGICAL_XOR,
        BITWISE_AND, BITWISE_OR, BITWISE_XOR, BITWISE_NOT, LEFT_SHIFT, RIGHT_SHIFT, POPCOUNT, LEADING_ZEROS,
        ABS, ACOS, ACOSH, ASIN, ASINH, ATAN, ATANH, CBRT, CEIL, COS, COSH, ERF, EXP, EXPM1, FLOOR,
        ISINF, ISNAN, LOG, LOG1P, LOG2, NEARBYINT,
        NEG, NOT, RECIP, RELU, RSQRT, SIGMOID, SIGN, SIN, SINH, SQRT, TAN, TANH, IDENTITY, ELU, LEAKY_RELU,
        CLIP, WHERE, CONVERT, ITERATE,
        BIT_CAST, QUANTIZELINEAR, DEQUANTIZELINEAR, DEQUANTIZE, REDUCE_SUM, REDUCE_MEAN, REDUCE_MAX,
        REDUCE_MIN,
        REDUCE_PROD, REDUCE_ANY,
        REDUCE_ALL, ARGMAX, ARGMIN, CUMSUM, CUMPROD, CUMMAX, CUMMIN,
        LINEAR_RECURRENCE,
        SORT, ARGSORT, TOP_K, TOP_K_INDICES,
        SOFTMAX, LOGSOFTMAX, LAYERNORM, RMSNORM, INSTANCENORM,
        GROUPNORM, IOTA, DOT, DOT_GENERAL, PAD, GATHER,
        TAKE_ALONG_AXIS, ONE_HOT, NLL_LOSS, RESAMPLE, INTERPOLATE,
        SCATTER_ADD, HISTOGRAM, REVERSE, ROLL, CONCAT, SLICE,
        WINDOWS, REDUCE_WINDOW, MAX_POOL, AVG_POOL,
        STEP, TRANSPOSE, RESHAPE, SQUEEZE, UNSQUEEZE, CONTIGUOUS, BROADCAST, MULTIBROADCAST, UNPACK,
    )
}  # fmt: skip


def graph_op(name: str) -> Op:
    """The row of a graph op."""
    op = GRAPH_OPS.get(name)
    if op is None:
        raise InternalError("tensor", name, "is not an op of the graph")
    return op


def scanned(scan: Statement) -> tuple[Value, ...]:
    """The operands that a scan combines along its axis: those of a linear recurrence are pairs."""
    return scan.operands[: scan.op.minimum]


def preceding(scan: Statement) -> tuple[Value, ...]:
    """The operand of a scan that precedes the elements, or the memory by which it is passed on, if any."""
    return scan.operands[scan.op.minimum :]
