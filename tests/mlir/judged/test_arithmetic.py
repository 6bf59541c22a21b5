"""Arithmetic at its edges, type by type, next to numpy: the rules of `arith` and `math` for signs, NaNs,
zeros, rounding and widths. Undefined results (a division by zero, a shift by the width, a float that does not
fit) are not tested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

from tests.mlir.judge import ALL, launch
from tests.rows import spread

DTYPES: dict[str, Any] = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
UNSIGNED = {np.int8: np.uint8, np.int16: np.uint16, np.int32: np.uint32, np.int64: np.uint64}
INTEGERS = ("i8", "i16", "i32", "i64", "index")
FLOATS = ("f16", "bf16", "f32", "f64")
_BLOCK = 50


class Case(NamedTuple):
    """Statements that give %r of %x and %y; what numpy makes of them; and numbers to try in pairs."""

    lines: str
    truth: Callable[[Any, Any], Any]
    numbers: Callable[[str], tuple[Any, Any]]
    given: tuple[str, ...]
    result: str = ""  # the type, if it is another


def kernel(case: Case, type_: str) -> str:
    result = case.result or type_
    lines = case.lines.replace("T", type_)
    return f"""gpu.module @m {{
  gpu.func @k(%a: memref<?x{type_}>, %b: memref<?x{type_}>, %out: memref<?x{result}>, %n: index) kernel {{
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {{
      %x = memref.load %a[%i] : memref<?x{type_}>
      %y = memref.load %b[%i] : memref<?x{type_}>
      {lines}
      memref.store %r, %out[%i] : memref<?x{result}>
    }}
    gpu.return
  }}
}}
"""


def unsigned(x: Any) -> Any:
    return x.view(UNSIGNED[x.dtype.type])


def pairs(values: list[Any], dtype: Any) -> tuple[Any, Any]:
    """Every value with every other value."""
    x, y = np.meshgrid(np.array(values, dtype), np.array(values, dtype))
    return x.reshape(-1).copy(), y.reshape(-1).copy()


def whole(type_: str) -> tuple[Any, Any]:
    info = np.iinfo(DTYPES[type_])
    return pairs([info.min, info.min + 1, -100, -7, -2, -1, 0, 1, 2, 3, 7, 16, 100, info.max - 1, info.max], DTYPES[type_])


def divided(type_: str) -> tuple[Any, Any]:
    x, y = whole(type_)
    kept = (y != 0) & ~((y == -1) & (x == np.iinfo(DTYPES[type_]).min))
    return x[kept], y[kept]


def shifted(type_: str) -> tuple[Any, Any]:
    x, _ = whole(type_)
    bits = np.iinfo(DTYPES[type_]).bits
    return x, np.resize(np.array([0, 1, 2, 5, bits // 2, bits - 2, bits - 1], DTYPES[type_]), x.size)


_limits: Any = ml_dtypes.finfo
_where: Any = np.where


def real(type_: str) -> tuple[Any, Any]:
    """Zeros of both signs, ties, numbers near 1, the largest and smallest, infinities and NaN."""
    info = _limits(DTYPES[type_])
    numbers = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, 0.75, 100.0, -7.0]
    numbers += [float(info.max), -float(info.max), float(info.smallest_normal), float("inf"), -float("inf"), float("nan")]
    return pairs(numbers, DTYPES[type_])


def as_whole(found: list[int], x: Any) -> Any:
    mask = (1 << 8 * x.itemsize) - 1
    return np.array([one & mask for one in found], UNSIGNED[x.dtype.type]).view(x.dtype)


def exact(make: Callable[[int, int], int], *, signed: bool = True) -> Callable[[Any, Any], Any]:
    """What Python's whole numbers give, in the width of the type."""

    def truth(x: Any, y: Any) -> Any:
        a, b = (x, y) if signed else (unsigned(x), unsigned(y))
        return as_whole([make(int(p), int(q)) for p, q in zip(a, b, strict=True)], x)

    return truth


def high(x: Any, y: Any) -> Any:
    """The upper halves of products."""
    return as_whole([int(p) * int(q) >> 8 * x.itemsize for p, q in zip(x, y, strict=True)], x)


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def two(op: str) -> str:
    return f"%r = {op} %x, %y : T"


CASES: dict[str, Case] = {
    # whole numbers: division with every pair of signs, and of the largest unsigned numbers
    "divsi": Case(two("arith.divsi"), exact(quotient), divided, INTEGERS),
    "remsi": Case(two("arith.remsi"), exact(lambda a, b: a - quotient(a, b) * b), divided, INTEGERS),
    "floordivsi": Case(two("arith.floordivsi"), exact(lambda a, b: a // b), divided, INTEGERS),
    "ceildivsi": Case(two("arith.ceildivsi"), exact(lambda a, b: -(-a // b)), divided, INTEGERS),
    "divui": Case(two("arith.divui"), exact(lambda a, b: a // b, signed=False), divided, INTEGERS),
    "remui": Case(two("arith.remui"), exact(lambda a, b: a % b, signed=False), divided, INTEGERS),
    "ceildivui": Case(two("arith.ceildivui"), exact(lambda a, b: -(-a // b), signed=False), divided, INTEGERS),
    "shli": Case(two("arith.shli"), exact(lambda a, b: a << b, signed=False), shifted, INTEGERS),
    "shrsi": Case(two("arith.shrsi"), exact(lambda a, b: a >> b), shifted, INTEGERS),
    "shrui": Case(two("arith.shrui"), exact(lambda a, b: a >> b, signed=False), shifted, INTEGERS),
    "muli": Case(two("arith.muli"), exact(lambda a, b: a * b), whole, INTEGERS),
    "subi": Case(two("arith.subi"), exact(lambda a, b: a - b), whole, INTEGERS),
    "minsi": Case(two("arith.minsi"), exact(min), whole, INTEGERS),
    "maxui": Case(two("arith.maxui"), exact(max, signed=False), whole, INTEGERS),
    "high of mulsi_extended": Case(
        "%low, %r = arith.mulsi_extended %x, %y : T",
        high,
        whole, ("i8", "i16", "i32", "i64"),
    ),
    "high of mului_extended": Case(
        "%low, %r = arith.mului_extended %x, %y : T",
        lambda x, y: as_whole(
            [int(a) * int(b) >> 8 * x.itemsize for a, b in zip(unsigned(x), unsigned(y), strict=True)], x
        ),
        whole, ("i8", "i16", "i32", "i64"),
    ),
    "carry of addui_extended": Case(
        "%sum, %carry = arith.addui_extended %x, %y : T, i1\n      %r = arith.extui %carry : i1 to i32",
        lambda x, y: [int(a) + int(b) >> 8 * x.itemsize for a, b in zip(unsigned(x), unsigned(y), strict=True)],
        whole, ("i8", "i16", "i32", "i64"), "i32",
    ),
    "absi": Case("%r = math.absi %x : T", exact(lambda a, _: abs(a)), whole, ("i8", "i16", "i32", "i64")),
    "ctlz": Case(
        "%r = math.ctlz %x : T", lambda x, y: [8 * x.itemsize - int(a).bit_length() for a in unsigned(x)], whole,
        ("i8", "i16", "i32", "i64"),
    ),
    "cttz": Case(
        "%r = math.cttz %x : T",
        lambda x, y: [(int(a) & -int(a)).bit_length() - 1 if a else 8 * x.itemsize for a in unsigned(x)], whole,
        ("i8", "i16", "i32", "i64"),
    ),
    "ctpop": Case("%r = math.ctpop %x : T", lambda x, y: [int(a).bit_count() for a in unsigned(x)], whole, ("i8", "i16", "i32", "i64")),
    # floats: of NaN, of zeros of both signs
    "minimumf": Case(two("arith.minimumf"), np.minimum, real, FLOATS),
    "maximumf": Case(two("arith.maximumf"), np.maximum, real, FLOATS),
    "minnumf": Case(two("arith.minnumf"), np.fmin, real, FLOATS),
    "maxnumf": Case(two("arith.maxnumf"), np.fmax, real, FLOATS),
    "addf": Case(two("arith.addf"), lambda x, y: x + y, real, FLOATS),
    "mulf": Case(two("arith.mulf"), lambda x, y: x * y, real, FLOATS),
    "divf": Case(two("arith.divf"), lambda x, y: x / y, real, FLOATS),
    "remf": Case(two("arith.remf"), np.fmod, real, FLOATS),
    "negf": Case("%r = arith.negf %x : T", lambda x, y: -x, real, FLOATS),
    "copysign": Case(two("math.copysign"), np.copysign, real, FLOATS),
    "absf": Case("%r = math.absf %x : T", lambda x, y: np.abs(x), real, FLOATS),
    "floor": Case("%r = math.floor %x : T", lambda x, y: np.floor(x), real, FLOATS),
    "ceil": Case("%r = math.ceil %x : T", lambda x, y: np.ceil(x), real, FLOATS),
    "trunc": Case("%r = math.trunc %x : T", lambda x, y: np.trunc(x), real, FLOATS),
    "roundeven": Case("%r = math.roundeven %x : T", lambda x, y: np.rint(x), real, FLOATS),
    "round": Case("%r = math.round %x : T", lambda x, y: np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x), real, FLOATS),
    "sqrt": Case("%r = math.sqrt %x : T", lambda x, y: np.sqrt(x), real, FLOATS),
    "fma": Case(
        "%r = math.fma %x, %y, %x : T",
        lambda x, y: (x.astype(np.longdouble) * y.astype(np.longdouble) + x.astype(np.longdouble)).astype(x.dtype),
        real, ("f32", "f16"),
    ),
}  # fmt: skip

_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "oeq": lambda x, y: x == y,
    "ogt": lambda x, y: x > y,
    "oge": lambda x, y: x >= y,
    "olt": lambda x, y: x < y,
    "ole": lambda x, y: x <= y,
    "one": lambda x, y: (x < y) | (x > y),
    "ord": lambda x, y: (x == x) & (y == y),
    "ueq": lambda x, y: ~((x < y) | (x > y)),
    "ugt": lambda x, y: ~(x <= y),
    "uge": lambda x, y: ~(x < y),
    "ult": lambda x, y: ~(x >= y),
    "ule": lambda x, y: ~(x > y),
    "une": lambda x, y: ~(x == y),
    "uno": lambda x, y: (x != x) | (y != y),
}
_BIT = "\n      %zero = arith.constant 0 : i32\n      %one = arith.constant 1 : i32\n      %r = arith.select %c, %one, %zero : i32"
for _name, _order in _ORDERS.items():
    CASES[f"cmpf {_name}"] = Case(f"%c = arith.cmpf {_name}, %x, %y : T{_BIT}", _order, real, FLOATS, "i32")
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda x, y: x == y,
    "slt": lambda x, y: x < y,
    "sge": lambda x, y: x >= y,
    "ult": lambda x, y: unsigned(x) < unsigned(y),
    "ule": lambda x, y: unsigned(x) <= unsigned(y),
    "ugt": lambda x, y: unsigned(x) > unsigned(y),
}
for _name, _order in _RELATIONS.items():
    CASES[f"cmpi {_name}"] = Case(f"%c = arith.cmpi {_name}, %x, %y : T{_BIT}", _order, whole, INTEGERS, "i32")

_ROUNDED = {"sqrt": 1, "divf": 1}  # ULP that docs/numerics.md allows of f32 and f64; others are exact


def _cells() -> list[object]:
    """Of each op every second type on one target, other types from one op to the next; the other types are slow."""
    ordinary: list[tuple[str, str]] = []
    slow: list[object] = []
    for number, (name, case) in enumerate(CASES.items()):
        kept = case.given[number % 2 :: 2] or case.given
        for type_ in case.given:
            pairs = [(target, f"{name}: {type_}") for target in ALL]
            if type_ in kept:
                ordinary += pairs
            else:
                slow += [pytest.param(*pair, marks=pytest.mark.slow) for pair in pairs]
    return [*spread(ordinary, 1), *slow]


@pytest.mark.broad
@pytest.mark.parametrize(("target", "cell"), _cells())
def test_arithmetic(target: str, cell: str) -> None:
    name, type_ = cell.split(": ")
    case = CASES[name]
    x, y = case.numbers(type_)
    with np.errstate(all="ignore"):
        wanted: Any = np.asarray(case.truth(x, y)).astype(DTYPES[case.result or type_])
    blocks = -(-x.size // _BLOCK)
    args = [x, y, np.zeros(x.size, wanted.dtype), x.size]
    found: Any = launch(kernel(case, type_), (blocks, 1, 1), (_BLOCK, 1, 1), args, target)[2]
    if not type_.startswith(("f", "b")) or case.result:
        np.testing.assert_array_equal(found, wanted)
        return
    same = (found == wanted) & (np.signbit(found) == np.signbit(wanted)) | (np.isnan(found) & np.isnan(wanted))
    if name in _ROUNDED:
        with np.errstate(all="ignore"):
            apart: Any = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
            same |= apart <= _ROUNDED[name] * np.spacing(np.abs(wanted).astype(np.float32 if type_ != "f64" else np.float64))
    # the sign of a zero is that of either operand if both are zeros, but for minimumf and maximumf
    if name in ("minnumf", "maxnumf"):
        same |= (found == 0) & (wanted == 0)
    if name in ("minimumf", "maximumf"):
        is_zero = (x == 0) & (y == 0)
        signs = np.signbit(x) | np.signbit(y) if name == "minimumf" else np.signbit(x) & np.signbit(y)
        same = _where(is_zero, (found == 0) & (np.signbit(found) == signs), same)
    wrong = np.flatnonzero(~same)
    assert not wrong.size, [(x[k], y[k], found[k], wanted[k]) for k in wrong[:8]]


# functions of floats of fewer bits than f32: one rounding of the result of f32
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "acos": np.arccos, "asin": np.arcsin, "atan": np.arctan, "cos": np.cos, "cosh": np.cosh, "exp": np.exp, "exp2": np.exp2,
    "expm1": np.expm1, "log": np.log, "log10": np.log10, "log1p": np.log1p, "log2": np.log2, "sin": np.sin, "sinh": np.sinh,
    "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt,
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize(("target", "cell"), spread([(t, f"{name}: {kind}") for name in FUNCTIONS for kind in ("f16", "bf16") for t in ALL], 1))
def test_functions_of_small_floats(target: str, cell: str) -> None:
    name, type_ = cell.split(": ")
    x = np.linspace(0.01, 0.99, 64).astype(DTYPES[type_])
    with np.errstate(all="ignore"):
        wanted = FUNCTIONS[name](x.astype(np.float64))
    case = Case(f"%r = math.{name} %x : T", lambda a, _: a, real, ())
    found = launch(kernel(case, type_), (2, 1, 1), (33, 1, 1), [x, x.copy(), x.copy(), 64], target)[2].astype(np.float64)
    rounded = wanted.astype(DTYPES[type_]).astype(np.float64)
    step = float(_limits(DTYPES[type_]).eps)
    assert (np.abs(found - rounded) <= step * np.abs(wanted)).all()


@pytest.mark.broad
@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("type_", ["f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"])
def test_constants_of_small_floats(type_: str, target: str) -> None:
    """A constant has the bits of its own format."""
    names = {"f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz"}
    dtype: Any = DTYPES.get(type_) or getattr(ml_dtypes, names[type_])
    lines = (
        "%c = arith.constant 1.5 : T\n      %sum = arith.addf %x, %c : T\n      %d = arith.constant -0.375 : T\n      %r = arith.mulf %sum, %d : T"
    )
    x = np.array([0.0, 1.0, -2.0, 0.5, 6.5], dtype)
    case = Case(lines, lambda a, _: a, real, ())
    found = launch(kernel(case, type_), (1, 1, 1), (5, 1, 1), [x, x.copy(), x.copy(), 5], target)[2]
    sums = (x.astype(np.float64) + 1.5).astype(dtype).astype(np.float64)
    np.testing.assert_array_equal(found, (sums * -0.375).astype(dtype))
