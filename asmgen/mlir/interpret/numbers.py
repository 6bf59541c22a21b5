"""The arith, math and index ops of the interpreter, for a single element of a thread."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, cast

import ml_dtypes
import numpy as np

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.mlir.source import Operation
from asmgen.mlir.types import FloatType, IndexType, IntegerType, Type, VectorType

INDEX_BITS = 64
Elementwise = Callable[[Operation, list[Any]], Any]


def element(type_: Type) -> Type:
    return type_.element if isinstance(type_, VectorType) else type_


def bits_of(type_: Type) -> int:
    """The bits of an integer or an index."""
    scalar = element(type_)
    return scalar.width if isinstance(scalar, IntegerType) else INDEX_BITS


def signed(value: int, bits: int) -> int:
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


def wrapped(value: int, type_: Type) -> int:
    """An integer modulo its width: signed for an index, unsigned for other types."""
    scalar = element(type_)
    if isinstance(scalar, IndexType):
        return signed(value, INDEX_BITS)
    return value & ((1 << bits_of(scalar)) - 1)


def rounded(value: float, type_: Type) -> Any:
    """A float rounded to its type."""
    scalar = element(type_)
    assert isinstance(scalar, FloatType), scalar
    return numpy_dtype(ELEMENT_TYPES[scalar.name]).type(value)


def _towards_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _unsigned(make: Callable[[int, int], int]) -> Elementwise:
    def run(operation: Operation, values: list[Any]) -> int:
        bits = bits_of(operation.result.type)
        a, b = (int(value) & ((1 << bits) - 1) for value in values)
        return wrapped(make(a, b), operation.result.type)

    return run


def _signed(make: Callable[[int, int], int]) -> Elementwise:
    def run(operation: Operation, values: list[Any]) -> int:
        bits = bits_of(operation.result.type)
        a, b = (signed(int(value), bits) for value in values)
        return wrapped(make(a, b), operation.result.type)

    return run


def _float(make: Callable[..., Any]) -> Elementwise:
    """Compute in the type itself, so that the result is rounded once."""

    def run(operation: Operation, values: list[Any]) -> Any:
        with np.errstate(all="ignore"):
            return rounded(make(*values), operation.result.type)

    return run


def _double(make: Callable[..., Any]) -> Elementwise:
    """Compute in float64 and round once to the type."""

    def run(operation: Operation, values: list[Any]) -> Any:
        with np.errstate(all="ignore"):
            return rounded(make(*[np.float64(value) for value in values]), operation.result.type)

    return run


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def related(predicate: str, a: int, b: int, bits: int) -> int:
    """A comparison of two integers."""
    if predicate in ("eq", "ne"):
        return int(_RELATIONS[predicate](a & ((1 << bits) - 1), b & ((1 << bits) - 1)))
    if predicate[0] == "s":
        return int(_RELATIONS[predicate[1:]](signed(a, bits), signed(b, bits)))
    return int(_RELATIONS[predicate[1:]](a & ((1 << bits) - 1), b & ((1 << bits) - 1)))


def _compare_integers(operation: Operation, values: list[Any]) -> int:
    predicate = operation.text("predicate")
    return related(predicate, values[0], values[1], bits_of(operation.operands[0].type))


def _compare_indices(operation: Operation, values: list[Any]) -> int:
    return related(operation.text("pred"), values[0], values[1], INDEX_BITS)


def _compare_floats(operation: Operation, values: list[Any]) -> int:
    predicate = operation.text("predicate")
    a, b = float(values[0]), float(values[1])
    is_ordered = not (math.isnan(a) or math.isnan(b))
    match predicate:
        case "alwaysfalse" | "alwaystrue" | "false" | "true":
            return int(predicate in ("alwaystrue", "true"))
        case "ord" | "uno":
            return int(is_ordered == (predicate == "ord"))
        case _:
            holds = _RELATIONS[predicate[1:]](a, b)
            return int((is_ordered and holds) if predicate[0] == "o" else (not is_ordered or holds))


def _convert_index(is_signed: bool) -> Elementwise:
    def run(operation: Operation, values: list[Any]) -> int:
        given = bits_of(operation.operands[0].type)
        value = signed(values[0], given) if is_signed else values[0] & ((1 << given) - 1)
        return wrapped(value, operation.result.type)

    return run


def _to_float(is_signed: bool) -> Elementwise:
    def run(operation: Operation, values: list[Any]) -> Any:
        bits = bits_of(operation.operands[0].type)
        value = signed(values[0], bits) if is_signed else values[0]
        scalar = element(operation.result.type)
        assert isinstance(scalar, FloatType)
        if scalar.name in ("f32", "f64"):
            return numpy_dtype(ELEMENT_TYPES[scalar.name]).type(value)
        return rounded(float(np.float32(value)), scalar)

    return run


def _to_integer(operation: Operation, values: list[Any]) -> int:
    value = float(values[0])
    return wrapped(math.trunc(value) if math.isfinite(value) else 0, operation.result.type)


def _bitcast(operation: Operation, values: list[Any]) -> Any:
    source, target = element(operation.operands[0].type), element(operation.result.type)
    raw = values[0]
    if isinstance(source, IntegerType):
        raw = np.array(raw, f"u{source.width // 8}")
    raw = np.asarray(raw)
    if isinstance(target, IntegerType):
        return int(raw.view(f"u{target.width // 8}"))
    assert isinstance(target, FloatType)
    return raw.view(numpy_dtype(ELEMENT_TYPES[target.name]))[()]


def _maximum(a: Any, b: Any) -> Any:
    return a if a != a else b if b != b else max(a, b)


def _minimum(a: Any, b: Any) -> Any:
    return a if a != a else b if b != b else min(a, b)


def _maxnum(a: Any, b: Any) -> Any:
    return b if a != a else a if b != b else max(a, b)


def _minnum(a: Any, b: Any) -> Any:
    return b if a != a else a if b != b else min(a, b)


def _is_normal(operation: Operation, values: list[Any]) -> int:
    limits = cast("Any", ml_dtypes.finfo(values[0].dtype))
    value = abs(float(values[0]))
    return int(math.isfinite(value) and value >= float(limits.smallest_normal))


def _fma(operation: Operation, values: list[Any]) -> Any:
    from fractions import Fraction

    if not all(math.isfinite(float(value)) for value in values):
        return rounded(float(values[0]) * float(values[1]) + float(values[2]), operation.result.type)
    a, b, c = (Fraction(float(value)) for value in values)
    return rounded(float(a * b + c), operation.result.type)


def _round_away(value: Any) -> Any:
    return (
        math.copysign(math.floor(abs(float(value)) + 0.5), float(value))
        if math.isfinite(float(value))
        else value
    )


def _divide(a: Any, b: Any) -> Any:
    return a / b


def _inverse_root(value: Any) -> Any:
    return 1 / np.sqrt(value)


def _clamped(value: Any, low: Any, high: Any) -> Any:
    return min(max(value, low), high)


def _ceil_signed(a: int, b: int) -> int:
    return -((-a) // b)


def _integer_power(base: int, count: int) -> int:
    if count >= 0:
        return pow(base, count, 1 << INDEX_BITS)
    return (base if count % 2 else 1) if abs(base) == 1 else 0


def _shift_left(a: int, b: int) -> int:
    return a << (b & 63)


_TWO: dict[str, Elementwise] = {
    "add": _unsigned(lambda a, b: a + b),
    "sub": _unsigned(lambda a, b: a - b),
    "mul": _unsigned(lambda a, b: a * b),
    "and": _unsigned(lambda a, b: a & b),
    "or": _unsigned(lambda a, b: a | b),
    "xor": _unsigned(lambda a, b: a ^ b),
    "shl": _unsigned(_shift_left),
    "shru": _unsigned(lambda a, b: a >> b),
    "shrs": _signed(lambda a, b: a >> (b & 63)),
    "divu": _unsigned(lambda a, b: a // b),
    "divs": _signed(_towards_zero),
    "remu": _unsigned(lambda a, b: a % b),
    "rems": _signed(lambda a, b: a - b * _towards_zero(a, b)),
    "ceildivs": _signed(_ceil_signed),
    "ceildivu": _unsigned(_ceil_signed),
    "floordivs": _signed(lambda a, b: a // b),
    "maxs": _signed(max),
    "maxu": _unsigned(max),
    "mins": _signed(min),
    "minu": _unsigned(min),
}
_OF_ARITH = {
    "add": "addi",
    "sub": "subi",
    "mul": "muli",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
    "shl": "shli",
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "exp": np.exp, "floor": np.floor,
    "exp2": np.exp2, "log": np.log, "log10": np.log10, "log2": np.log2, "roundeven": np.rint, "sin": np.sin,
    "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc, "absf": np.abs,
    "erf": math.erf,
    "rsqrt": _inverse_root, "powf": np.power, "copysign": np.copysign, "round": _round_away,
    "clampf": _clamped,
}  # fmt: skip

ELEMENTWISE: dict[str, Elementwise] = {
    **{f"index.{name}": run for name, run in _TWO.items()},
    **{f"arith.{_OF_ARITH.get(name, f'{name}i')}": run for name, run in _TWO.items() if name[-1] not in "su"},
    **{f"arith.{name}i": run for name, run in _TWO.items() if name[-1] in "su"},
    **{f"math.{name}": _double(make) for name, make in _FUNCTIONS.items()},
    "arith.cmpi": _compare_integers,
    "index.cmp": _compare_indices,
    "arith.cmpf": _compare_floats,
    "arith.index_cast": _convert_index(True),
    "arith.index_castui": _convert_index(False),
    "index.casts": _convert_index(True),
    "index.castu": _convert_index(False),
    "arith.extsi": _convert_index(True),
    "arith.extui": _convert_index(False),
    "arith.trunci": _convert_index(False),
    "arith.sitofp": _to_float(True),
    "arith.uitofp": _to_float(False),
    "arith.fptosi": _to_integer,
    "arith.fptoui": _to_integer,
    "arith.extf": lambda operation, values: rounded(float(values[0]), operation.result.type),
    "arith.truncf": lambda operation, values: rounded(values[0], operation.result.type),
    "arith.bitcast": _bitcast,
    "arith.addf": _float(operator.add),
    "arith.subf": _float(operator.sub),
    "arith.mulf": _float(operator.mul),
    "arith.divf": _float(_divide),
    "arith.remf": _float(np.fmod),
    "arith.negf": _float(operator.neg),
    "arith.maximumf": _float(_maximum),
    "arith.minimumf": _float(_minimum),
    "arith.maxnumf": _float(_maxnum),
    "arith.minnumf": _float(_minnum),
    "arith.maximumnumf": _float(_maxnum),
    "arith.minimumnumf": _float(_minnum),
    "math.atan2": _double(np.arctan2),
    "math.cbrt": _double(np.cbrt),
    "math.expm1": _double(np.expm1),
    "math.log1p": _double(np.log1p),
    "math.fpowi": lambda operation, values: rounded(
        np.float64(values[0]) ** signed(values[1], bits_of(operation.operands[1].type)), operation.result.type
    ),
    "math.ipowi": _signed(_integer_power),
    "math.isnormal": _is_normal,
    "math.fma": _fma,
    "vector.fma": _fma,
    "math.absi": lambda operation, values: wrapped(
        abs(signed(values[0], bits_of(operation.result.type))), operation.result.type
    ),
    "math.ctpop": lambda operation, values: values[0].bit_count(),
    "math.ctlz": lambda operation, values: bits_of(operation.result.type) - values[0].bit_length(),
    "math.cttz": lambda operation, values: (
        (values[0] & -values[0]).bit_length() - 1 if values[0] else bits_of(operation.result.type)
    ),
    "math.isnan": lambda operation, values: int(math.isnan(float(values[0]))),
    "math.isinf": lambda operation, values: int(math.isinf(float(values[0]))),
    "math.isfinite": lambda operation, values: int(math.isfinite(float(values[0]))),
}
