"""Every op of integers, indices and floats, one element a lane, next to the interpreter: one kernel a
type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.mlir.judge import ALL, holds, launch
from tests.rows import spread

_COUNT = 64
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_ORDERS = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
_TWO = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")
_DIVIDING = ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
_SHIFTING = ("shli", "shrsi", "shrui")
_BITS = ("ctlz", "cttz", "ctpop", "absi")
_OF_INDEX = (
    "add", "sub", "mul", "divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs", "maxs", "maxu",
    "mins", "minu", "and", "or", "xor",
)  # fmt: skip
_FLOAT_TWO = ("addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf", "maximumnumf", "minimumnumf")
_FLOAT_ONE = ("absf", "ceil", "floor", "roundeven", "round", "trunc")
_CLASSES = ("isnan", "isinf", "isfinite", "isnormal")


def kernel(type_: str, statements: list[tuple[str, str]]) -> str:
    """A kernel that stores the result of each statement, of a type, in a column; `%a`, `%b` are operands, and
    `%s` is the count of a shift."""
    lines = [
        "gpu.module @m {",
        f"gpu.func @ops(%x: memref<?x{type_}>, %y: memref<?x{type_}>, %c: memref<?x{type_}>,",
        f"  %out: memref<{len(statements)}x{_COUNT}x{type_}>) kernel {{",
        "%i = gpu.thread_id x",
        f"%a = memref.load %x[%i] : memref<?x{type_}>",
        f"%b = memref.load %y[%i] : memref<?x{type_}>",
        f"%s = memref.load %c[%i] : memref<?x{type_}>",
    ]
    for number, (statement, result) in enumerate(statements):
        lines.append(f"%k{number} = arith.constant {number} : index")
        name = f"%r{number}"
        lines.append(f"{name} = {statement}")
        if result != type_:
            lines.append(f"%w{number} = {_widened(name, result, type_)}")
            name = f"%w{number}"
        lines.append(f"memref.store {name}, %out[%k{number}, %i] : memref<{len(statements)}x{_COUNT}x{type_}>")
    return "\n".join([*lines, "gpu.return", "}", "}", ""])


def _widened(name: str, result: str, type_: str) -> str:
    if type_ == "index":
        return f"arith.index_castui {name} : {result} to index"
    if type_.startswith("f"):
        return f"arith.uitofp {name} : {result} to {type_}"
    return f"arith.extui {name} : {result} to {type_}"


def integer_statements(type_: str) -> list[tuple[str, str]]:
    found = [(f"arith.{op} %a, %b : {type_}", type_) for op in (*_TWO, *_DIVIDING)]
    found += [(f"arith.{op} %a, %s : {type_}", type_) for op in _SHIFTING]
    found += [(f"arith.cmpi {one}, %a, %b : {type_}", "i1") for one in _PREDICATES]
    if type_ == "index":
        found += [(f"index.{op} %a, %b", type_) for op in _OF_INDEX]
        found += [(f"index.{op} %a, %s", type_) for op in ("shl", "shrs", "shru")]
        return found + [(f"index.cmp {one}(%a, %b)", "i1") for one in _PREDICATES]
    found += [(f"math.ipowi %a, %s : {type_}", type_)] if type_ in ("i32", "i64") else []
    return found + [(f"math.{op} %a : {type_}", type_) for op in _BITS]


_LLVM_TWO = ("add", "sub", "mul", "and", "or", "xor", "intr.smax", "intr.smin", "intr.umax", "intr.umin")
_LLVM_FLOATS = ("fadd", "fsub", "fmul", "intr.maximum", "intr.minimum", "intr.maxnum", "intr.minnum", "intr.copysign")
_LLVM_ROUNDING = ("fabs", "ceil", "floor", "rint", "round", "roundeven", "trunc")
_LLVM_FUNCTIONS = ("cos", "exp", "exp2", "log", "log10", "log2", "sin", "sqrt", "tanh")


def llvm_integers(type_: str) -> list[tuple[str, str]]:
    """The LLVM dialect's operations of integers."""
    one = {True: [f"({{}}) : ({type_}, {type_}) -> {type_}"], False: [f" {{}} : {type_}"]}
    found: list[tuple[str, str]] = []
    for op in (*_LLVM_TWO, "sdiv", "udiv", "srem", "urem"):
        form = one[op.startswith("intr")][0]
        found.append((f"llvm.{op}{form.format('%a, %b')}", type_))
    found += [(f"llvm.{op} %a, %s : {type_}", type_) for op in ("shl", "ashr", "lshr")]
    found += [(f'llvm.icmp "{name}" %a, %b : {type_}', "i1") for name in _PREDICATES]
    found += [(f'"llvm.intr.{op}"(%a) <{{is_zero_poison = false}}> : ({type_}) -> {type_}', type_) for op in ("ctlz", "cttz")]
    found += [(f'"llvm.intr.abs"(%a) <{{is_int_min_poison = false}}> : ({type_}) -> {type_}', type_)]
    found += [(f"llvm.intr.ctpop(%a) : ({type_}) -> {type_}", type_)]
    return found


def llvm_floats(type_: str) -> list[tuple[str, str]]:
    found = [(f"llvm.{op} %a, %b : {type_}" if op[0] == "f" else f"llvm.{op}(%a, %b) : ({type_}, {type_}) -> {type_}", type_)
             for op in _LLVM_FLOATS]  # fmt: skip
    found += [(f"llvm.intr.{op}(%a) : ({type_}) -> {type_}", type_) for op in _LLVM_ROUNDING]
    found += [(f"llvm.intr.{op}(%a, %b, %s) : ({type_}, {type_}, {type_}) -> {type_}", type_) for op in ("fma", "fmuladd")]
    found += [(f'llvm.fcmp "{"_" * (one in ("false", "true"))}{one}" %a, %b : {type_}', "i1") for one in _ORDERS]
    found += [(f"llvm.fneg %a : {type_}", type_)]
    return found


def llvm_functions(type_: str) -> list[tuple[str, str]]:
    found = [(f"llvm.intr.{op}(%a) : ({type_}) -> {type_}", type_) for op in _LLVM_FUNCTIONS]
    return [*found, (f"llvm.intr.pow(%a, %b) : ({type_}, {type_}) -> {type_}", type_),
            (f"llvm.fdiv %a, %b : {type_}", type_), (f"llvm.frem %b, %a : {type_}", type_)]  # fmt: skip


@pytest.mark.parametrize("type_", ["i32", "i64"])
def test_llvm_integers(type_: str) -> None:
    statements = llvm_integers(type_)
    out = np.zeros((len(statements), _COUNT), f"int{type_[1:]}")
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), [*numbers(f"int{type_[1:]}"), out], ("gfx942",))


@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_llvm_floats(type_: str) -> None:
    dtype = f"float{type_[1:]}"
    operands = [np.random.default_rng(number).standard_normal(_COUNT).astype(dtype) for number in range(3)]
    operands[0][:4] = [np.nan, np.inf, -np.inf, 0.0]
    operands[1][2:6] = [np.nan, np.inf, 1.5, -2.5]
    statements = llvm_floats(type_)
    out = np.zeros((len(statements), _COUNT), dtype)
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), [*operands, out], ("gfx1100",))


@pytest.mark.broad
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_llvm_functions(type_: str) -> None:
    dtype = f"float{type_[1:]}"
    random = np.random.default_rng(7)
    a, b = random.uniform(0.05, 0.95, _COUNT).astype(dtype), random.uniform(1.1, 3.0, _COUNT).astype(dtype)
    statements = llvm_functions(type_)
    out = np.zeros((len(statements), _COUNT), dtype)
    tolerance = 2.0**-20 if type_ == "f32" else 2.0**-48
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), [a, b, b.copy(), out], ("gfx1201",), tolerance)


LLVM_CONVERSIONS = """
llvm.func @k(%x: !llvm.ptr, %y: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel} {
  %tx = rocdl.workitem.id.x : i32
  %ty = rocdl.workitem.id.y : i32
  %tz = rocdl.workitem.id.z : i32
  %gx = rocdl.workgroup.id.x : i32
  %gy = rocdl.workgroup.id.y : i32
  %gz = rocdl.workgroup.id.z : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %g0 = llvm.shl %gz, %two : i32
  %g1 = llvm.add %g0, %gy : i32
  %g2 = llvm.add %g1, %gx : i32
  %z0 = llvm.shl %tz, %two : i32
  %z1 = llvm.add %z0, %ty : i32
  %z2 = llvm.shl %z1, %two : i32
  %z3 = llvm.add %z2, %tx : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %z4 = llvm.shl %g2, %five : i32
  %t = llvm.add %z3, %z4 : i32
  %px = llvm.getelementptr %x[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %a = llvm.load %px : !llvm.ptr -> i32
  %py = llvm.getelementptr %y[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %f = llvm.load %py : !llvm.ptr -> f32
  %wide = llvm.sext %a : i32 to i64
  %low = llvm.zext %a : i32 to i64
  %which = llvm.icmp "ult" %wide, %low : i64
  %narrow = llvm.trunc %wide : i64 to i8
  %s = llvm.sitofp %narrow : i8 to f32
  %u = llvm.uitofp %narrow : i8 to f64
  %d = llvm.fpext %f : f32 to f64
  %sum = llvm.fadd %d, %u : f64
  %h = llvm.fptrunc %sum : f64 to f32
  %i = llvm.fptosi %h : f32 to i32
  %abs = llvm.intr.fabs(%h) : (f32) -> f32
  %j = llvm.fptoui %abs : f32 to i32
  %bits = llvm.bitcast %s : f32 to i32
  %k = llvm.select %which, %i, %bits : i1, i32
  %l = llvm.add %j, %k : i32
  %po = llvm.getelementptr %out[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %l, %po : i32, !llvm.ptr
  llvm.return
}
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_llvm_conversions(target: str) -> None:
    y = (100 * np.random.default_rng(3).standard_normal(_COUNT)).astype(np.float32)
    args = [numbers("int32")[0], y, np.zeros(_COUNT, np.int32)]
    _ = holds(LLVM_CONVERSIONS, (1, 2, 1), (4, 4, 2), args, (target,))


def numbers(dtype: str) -> list[Any]:
    """Small and large integers; no division by zero, or of the smallest number by -1."""
    random = np.random.default_rng(5)
    info = np.iinfo(dtype)
    a = random.integers(info.min + 1, info.max, _COUNT, endpoint=True).astype(dtype)
    a[::3] = random.integers(-9, 100, a[::3].shape)
    b = random.integers(1, info.max, _COUNT, endpoint=True).astype(dtype)
    b[::2] = random.integers(-100, -1, b[::2].shape)
    b[1::4] = random.integers(1, 9, b[1::4].shape)
    return [a, b, random.integers(0, info.bits, _COUNT).astype(dtype)]


@pytest.mark.broad
@pytest.mark.parametrize(("target", "type_"), spread([(t, one) for one in ("i8", "i16", "i32", "i64", "index") for t in ALL], 1))
def test_integers(target: str, type_: str) -> None:
    dtype = f"int{64 if type_ == 'index' else type_[1:]}"
    statements = integer_statements(type_)
    out = np.zeros((len(statements), _COUNT), dtype)
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), [*numbers(dtype), out], (target,))


def float_statements(type_: str) -> list[tuple[str, str]]:
    found = [(f"arith.{op} %a, %b : {type_}", type_) for op in _FLOAT_TWO]
    found += [(f"math.{op} %a : {type_}", type_) for op in _FLOAT_ONE]
    found += [(f"math.{op} %a : {type_}", "i1") for op in _CLASSES]
    found += [(f"arith.cmpf {one}, %a, %b : {type_}", "i1") for one in _ORDERS]
    found += [(f"arith.negf %a : {type_}", type_), (f"math.fma %a, %b, %s : {type_}", type_)]
    if type_ != "f16":
        found += [(f"math.copysign %a, %b : {type_}", type_)]
    return found


@pytest.mark.broad
@pytest.mark.parametrize(("target", "type_"), spread([(t, one) for one in ("f16", "f32", "f64") for t in ALL], 1))
def test_floats(target: str, type_: str) -> None:
    statements = float_statements(type_)
    random = np.random.default_rng(6)
    dtype = f"float{type_[1:]}"
    operands = [random.standard_normal(_COUNT).astype(dtype) for _ in range(3)]
    operands[0][:4] = [np.nan, np.inf, -np.inf, 0.0]
    operands[1][2:6] = [np.nan, np.inf, 1.5, -2.5]
    operands[0][8:12] = [0.5, 1.5, -0.5, -2.5]
    operands[1][12:16] = operands[0][12:16]
    out = np.zeros((len(statements), _COUNT), dtype)
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), [*operands, out], (target,))


_FUNCTIONS = (
    "acos", "asin", "atan", "cos", "cosh", "erf", "exp", "exp2", "log", "log10", "log2", "rsqrt", "sin", "sinh",
    "sqrt", "tan", "tanh", "asinh", "atanh", "expm1", "log1p", "cbrt",
)  # fmt: skip


def functions(type_: str) -> list[tuple[str, str]]:
    found = [(f"math.{op} %a : {type_}", type_) for op in _FUNCTIONS]
    found += [(f"arith.divf %a, %b : {type_}", type_), (f"math.powf %a, %b : {type_}", type_)]
    found += [(f"math.acosh %b : {type_}", type_), (f"arith.remf %b, %a : {type_}", type_)]
    found += [(f"math.atan2 %a, %b : {type_}", type_), (f"math.atan2 %b, %a : {type_}", type_)]
    return found


@pytest.mark.broad
@pytest.mark.parametrize(("target", "type_"), spread([(t, one) for one in ("f32", "f64") for t in ALL], 1))
def test_functions(target: str, type_: str) -> None:
    """Within a few units in the last place; the operands are in the domain of each."""
    statements = functions(type_)
    random = np.random.default_rng(7)
    dtype = f"float{type_[1:]}"
    a, b = random.uniform(0.05, 0.95, _COUNT).astype(dtype), random.uniform(1.1, 3.0, _COUNT).astype(dtype)
    out = np.zeros((len(statements), _COUNT), dtype)
    args = [a, b, b.copy(), out]
    tolerance = 2.0**-20 if type_ == "f32" else 2.0**-48
    _ = holds(kernel(type_, statements), (1, 1, 1), (_COUNT, 1, 1), args, (target,), tolerance)


ENDS = """
gpu.module @m {
  gpu.func @k(%x: memref<16xf32>, %y: memref<16xf32>, %n: memref<16xi32>, %out: memref<7x16xf32>) kernel {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<16xf32>
    %b = memref.load %y[%i] : memref<16xf32>
    %c = memref.load %n[%i] : memref<16xi32>
    %0 = math.atan2 %a, %b : f32
    %1 = math.expm1 %a : f32
    %2 = math.log1p %a : f32
    %3 = math.cbrt %a : f32
    %4 = math.fpowi %a, %c : f32, i32
    %5, %6 = math.sincos %b : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    memref.store %0, %out[%k0, %i] : memref<7x16xf32>
    memref.store %1, %out[%k1, %i] : memref<7x16xf32>
    memref.store %2, %out[%k2, %i] : memref<7x16xf32>
    memref.store %3, %out[%k3, %i] : memref<7x16xf32>
    memref.store %4, %out[%k4, %i] : memref<7x16xf32>
    memref.store %5, %out[%k5, %i] : memref<7x16xf32>
    memref.store %6, %out[%k6, %i] : memref<7x16xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_functions_at_the_ends_of_their_domains(target: str) -> None:
    """Signs of zero, infinities, NaN, huge and tiny numbers, next to numpy's float64."""
    x = np.array([0, -0.0, 0, -0.0, np.inf, -np.inf, np.inf, np.nan, 1e-30, -1e-30, 3, -3, 80, -2, 100, -0.75], np.float32)
    y = np.array([0, 0, -0.0, -0.0, np.inf, -np.inf, -np.inf, 1, -1, 2, -4, -1e-20, 1, 1e20, np.nan, 5], np.float32)
    n = np.array([3, 3, 2, -1, -2, 3, 0, 2, 1, 1, -5, 5, 3, -3, 2, 7], np.int32)
    found = launch(ENDS, (1, 1, 1), (16, 1, 1), [x, y, n, np.zeros((7, 16), np.float32)], target)[3]
    with np.errstate(all="ignore"):
        a, b = x.astype(np.float64), y.astype(np.float64)
        rows = [np.arctan2(a, b), np.expm1(a), np.log1p(a), np.cbrt(a), a**n, np.sin(np.clip(b, -100, 100)), np.cos(np.clip(b, -100, 100))]
        wanted = np.array(rows).astype(np.float32)
    tame = np.abs(y) < 100
    found[5:, ~tame], wanted[5:, ~tame] = 0, 0
    np.testing.assert_allclose(found, wanted, rtol=2.0**-20, atol=1e-45)
    np.testing.assert_array_equal(np.signbit(found[0])[:7], np.signbit(wanted[0])[:7])
