"""Cases of the dialects around linalg: tensor, and arith and math on tensors."""

from __future__ import annotations

from math import erf

import numpy as np

from tests.tensors.case import BF16, Array, Case, array, case, dense, element, numbers, t

X = numbers(231, (4, 6))


def of(op: str, about: str, body: str, wanted: Array, dialect: str = "tensor.", ulps: float = 0, **inputs: Array) -> Case:
    return case(op, about, body, inputs or {"a": X}, wanted, dialect=dialect, ulps=ulps)


def _tensors() -> list[Case]:
    part = X[1:3, 2:6]
    inserted = X.copy()
    inserted[0:4:2, 1:4] = 9
    nine = np.full((2, 3), 9, np.float32)
    padded = np.pad(X, ((1, 0), (2, 3)), constant_values=7)
    pad = f"%z = arith.constant 7.0 : f32\n%r = tensor.pad %a low[1, 2] high[0, 3] {{\n^bb0(%i: index, %j: index):\n  tensor.yield %z : f32\n}} : {t(X)} to {t(padded)}"
    generated = np.add.outer(np.arange(3) * 10, np.arange(5)).astype(np.int32)
    generate = f"%r = tensor.generate {{\n^bb0(%i: index, %j: index):\n  %c = arith.constant 10 : index\n  %m = arith.muli %i, %c : index\n  %s = arith.addi %m, %j : index\n  %v = arith.index_cast %s : index to i32\n  tensor.yield %v : i32\n}} : {t(generated)}"
    joined = np.concatenate([X, nine[:, :1].repeat(6, 1)])
    rows = array([[3], [0], [3]], np.int32)
    return [
        of("splat", "a constant", f"%z = arith.constant 2.5 : f32\n%r = tensor.splat %z : {t(X)}", np.full_like(X, 2.5)),
        of(
            "from_elements",
            "constants",
            "%p = arith.constant 1.0 : f32\n%q = arith.constant 2.0 : f32\n%r = tensor.from_elements %p, %q, %q, %p : tensor<2x2xf32>",
            array([[1.0, 2], [2, 1]]),
        ),
        of("extract_slice", "a block", f"%r = tensor.extract_slice %a[1, 2] [2, 4] [1, 1] : {t(X)} to {t(part)}", part),
        of("extract_slice", "with strides", f"%r = tensor.extract_slice %a[0, 1] [2, 2] [2, 3] : {t(X)} to tensor<2x2xf32>", X[0:3:2, 1:5:3]),
        of("extract_slice", "a row, without its dim", f"%r = tensor.extract_slice %a[2, 0] [1, 6] [1, 1] : {t(X)} to tensor<6xf32>", X[2]),
        of("insert_slice", "with strides", f"%r = tensor.insert_slice %b into %a[0, 1] [2, 3] [2, 1] : {t(nine)} into {t(X)}", inserted, a=X, b=nine),
        of(
            "insert_slice",
            "a row, without its dim",
            f"%r = tensor.insert_slice %b into %a[3, 0] [1, 6] [1, 1] : tensor<6xf32> into {t(X)}",
            np.concatenate([X[:3], X[:1]]),
            a=X,
            b=X[0],
        ),
        of("pad", "constants around", pad, padded),
        of(
            "concat",
            "rows",
            f"%r = tensor.concat dim(0) %a, %b : ({t(X)}, tensor<2x6xf32>) -> {t(joined)}",
            joined,
            a=X,
            b=np.full((2, 6), 9, np.float32),
        ),
        of("collapse_shape", "to a vector", f"%r = tensor.collapse_shape %a [[0, 1]] : {t(X)} into tensor<24xf32>", X.reshape(24)),
        of(
            "expand_shape",
            "a dim to two",
            f"%r = tensor.expand_shape %a [[0], [1, 2]] output_shape [4, 2, 3] : {t(X)} into tensor<4x2x3xf32>",
            X.reshape(4, 2, 3),
        ),
        of(
            "reshape",
            "by a constant shape",
            f"%s = arith.constant dense<[3, 8]> : tensor<2xi64>\n%r = tensor.reshape %a(%s) : ({t(X)}, tensor<2xi64>) -> tensor<3x8xf32>",
            X.reshape(3, 8),
        ),
        of(
            "cast",
            "to a dynamic dim and back",
            f"%0 = tensor.cast %a : {t(X)} to tensor<?x6xf32>\n%r = tensor.cast %0 : tensor<?x6xf32> to {t(X)}",
            X,
        ),
        of("generate", "numbers of the indices", generate, generated),
        of(
            "gather",
            "rows",
            f"%r = tensor.gather %a[%i] gather_dims([0]) : ({t(X)}, {t(rows)}) -> tensor<3x1x6xf32>",
            X[rows[:, 0]][:, None],
            a=X,
            i=rows,
        ),
        of(
            "empty",
            "that a fill writes",
            f"%e = tensor.empty() : {t(X)}\n%z = arith.constant 0.5 : f32\n%r = linalg.fill ins(%z : f32) outs(%e : {t(X)}) -> {t(X)}",
            np.full_like(X, 0.5),
        ),
    ]


def _arith() -> list[Case]:
    y = numbers(232, (4, 6), least=1, most=5)
    i, j = numbers(233, (4, 6), np.int32), numbers(234, (4, 6), np.int32, least=1)
    f, n, b = t(X), t(i), "tensor<4x6xi1>"
    mask = y < X
    made = [
        of(op, "f32", f"%r = arith.{op} %a, %b : {f}", wanted, "arith.", 1.5 if op == "divf" else 0, a=X, b=y)
        for op, wanted in (
            ("addf", X + y), ("subf", X - y), ("mulf", X * y), ("divf", X / y), ("maximumf", np.maximum(X, y)),
            ("minnumf", np.minimum(X, y)), ("remf", np.fmod(X, y)),
        )
    ]  # fmt: skip
    made += [
        of(op, "i32", f"%r = arith.{op} %a, %b : {n}", wanted.astype(np.int32), "arith.", a=i, b=j)
        for op, wanted in (
            ("addi", i + j), ("muli", i * j), ("divsi", np.trunc(i / j)), ("remsi", np.fmod(i, j)), ("floordivsi", i // j), ("andi", i & j),
            ("xori", i ^ j), ("shli", i << j), ("shrsi", i >> j), ("maxsi", np.maximum(i, j)),
            ("minui", np.minimum(i.view(np.uint32), j.view(np.uint32))), ("divui", i.view(np.uint32) // j.view(np.uint32)),
            ("shrui", i.view(np.uint32) >> j.view(np.uint32)),
        )
    ]  # fmt: skip
    half = X.astype(np.float16)
    other = X > 0
    made += [
        of(op, "i1", f"%r = arith.{op} %a, %b : {b}", wanted, "arith.", a=mask, b=other)
        for op, wanted in (
            ("addi", mask ^ other), ("subi", mask ^ other), ("muli", mask & other), ("maxsi", mask & other), ("minsi", mask | other),
            ("maxui", mask | other),
        )
    ]  # fmt: skip
    made.append(of("cmpi", "i1, where true is -1", f"%r = arith.cmpi slt, %a, %b : {b}", mask & ~other, "arith.", a=mask, b=other))
    return [
        *made,
        of(
            "cmpf",
            "olt, with a select",
            f"%c = arith.cmpf olt, %b, %a : {f}\n%r = arith.select %c, %a, %b : {b}, {f}",
            np.where(mask, X, y),
            "arith.",
            a=X,
            b=y,
        ),
        of("cmpi", "unsigned", f"%r = arith.cmpi ult, %a, %b : {n}", i.view(np.uint32) < j.view(np.uint32), "arith.", a=i, b=j),
        of("constant", "dense", f"%c = arith.constant {dense(y)}\n%r = arith.addf %a, %c : {f}", X + y, "arith."),
        of("truncf", "f32 to f16", f"%r = arith.truncf %a : {f} to {t(half)}", half, "arith."),
        of("extf", "bf16 to f32", f"%r = arith.extf %a : tensor<4x6xbf16> to {f}", X, "arith.", a=X.astype(BF16)),
        of("sitofp", "i32 to f32", f"%r = arith.sitofp %a : {n} to {f}", i.astype(np.float32), "arith.", a=i),
        of("uitofp", "i32 is read without a sign", f"%r = arith.uitofp %a : {n} to {f}", i.view(np.uint32).astype(np.float32), "arith.", a=i),
        of("fptosi", "f32 to i32", f"%r = arith.fptosi %a : {f} to {n}", X.astype(np.int32), "arith."),
        of("extui", "i1 to i32", f"%r = arith.extui %a : {b} to {n}", mask.astype(np.int32), "arith.", a=mask),
        of("trunci", "i32 to i8", f"%r = arith.trunci %a : {n} to tensor<4x6xi8>", (i * 37).astype(np.int8), "arith.", a=i * 37),
    ]


def _math() -> list[Case]:
    wide = X.astype(np.float64)
    positive = np.abs(X) + 0.5
    f = t(X)
    functions = (
        ("exp", X, np.exp(wide), 2.5), ("tanh", X, np.tanh(wide), 4.5), ("erf", X, np.vectorize(erf)(wide), 4.5), ("absf", X, np.abs(wide), 0),
        ("sqrt", positive, np.sqrt(positive.astype(np.float64)), 1.5), ("rsqrt", positive, 1 / np.sqrt(positive.astype(np.float64)), 1.5),
        ("log", positive, np.log(positive.astype(np.float64)), 2.5), ("sin", X, np.sin(wide), 4.5), ("cos", X, np.cos(wide), 4.5),
        ("floor", X / 4, np.floor(wide / 4), 0), ("roundeven", X / 4, np.rint(wide / 4), 0), ("exp2", X, np.exp2(wide), 2.5),
        ("log1p", positive, np.log1p(positive.astype(np.float64)), 8), ("expm1", X / 64, np.expm1(wide / 64), 8),
    )  # fmt: skip
    made = [
        of(op, element(np.float32), f"%r = math.{op} %a : {f}", wanted.astype(np.float32), "math.", ulps, a=x) for op, x, wanted, ulps in functions
    ]
    i = numbers(235, (5,), np.int32)
    bits = np.array([(int(value) & 0xFFFFFFFF).bit_count() for value in i], np.int32)
    b, c = numbers(236, (4, 6)), numbers(237, (4, 6))
    return [
        *made,
        of("ctpop", "i32", f"%r = math.ctpop %a : {t(i)}", bits, "math.", a=i),
        of("fma", "f32", f"%r = math.fma %a, %b, %c : {f}", X * b + c, "math.", a=X, b=b, c=c),
        of("powf", "f32", f"%r = math.powf %a, %b : {f}", (positive.astype(np.float64) ** b).astype(np.float32), "math.", 5, a=positive, b=b),
    ]


CASES = (*_tensors(), *_arith(), *_math())
