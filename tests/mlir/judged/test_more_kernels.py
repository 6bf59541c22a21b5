"""More kernels next to numpy: widths of numbers that are carried, graphs of blocks, conversions at their
ends, workgroup memory of several types, and words of it that a single instruction accesses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.mlir.judge import ALL, launch
from tests.rows import spread

Sizes = tuple[int, int, int]
_numpy: Any = np  # if its own types say little
IDS = """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = gpu.global_id x
    %t = gpu.thread_id x
"""
CASES: dict[str, tuple[str, Sizes, Sizes, Callable[[], list[Any]], Callable[..., list[Any]]]] = {}


def kernel(signature: str, body: str, extra: str = "") -> str:
    return f"gpu.module @m {{\n  gpu.func @k({signature}) {extra} kernel {{\n{body}\n    gpu.return\n  }}\n}}\n"


def _halved(v: int) -> float:
    return 0.5 ** (0 if v <= 0 else (v - 7 if v > 7 else v))


def _place(x: Any, wanted: int) -> list[int]:
    return _numpy.argwhere(x == wanted)[0].tolist() if wanted < 64 else [8, 8]


def _thirds(a: int) -> int:
    n = 0
    while True:
        a, n = int(a / 3), n + 1
        if a == 0:
            return n


CASES["while carries i1, i8, f64"] = (
    kernel(
        "%x: memref<?xi8>, %out: memref<?xf64>",
        IDS
        + """
    %f = arith.constant 1.0 : f64
    %h = arith.constant 0.5 : f64
    %z8 = arith.constant 0 : i8
    %o8 = arith.constant 1 : i8
    %tr = arith.constant true
    %v = memref.load %x[%i] : memref<?xi8>
    %r:3 = scf.while (%a = %v, %b = %tr, %c = %f) : (i8, i1, f64) -> (i8, i1, f64) {
      %p = arith.cmpi sgt, %a, %z8 : i8
      %q = arith.andi %p, %b : i1
      scf.condition(%q) %a, %b, %c : i8, i1, f64
    } do {
    ^bb0(%a: i8, %b: i1, %c: f64):
      %s = arith.subi %a, %o8 : i8
      %c7 = arith.constant 7 : i8
      %e = arith.cmpi ne, %s, %c7 : i8
      %d = arith.mulf %c, %h : f64
      scf.yield %s, %e, %d : i8, i1, f64
    }
    memref.store %r#2, %out[%i] : memref<?xf64>""",
    ),
    (2, 1, 1),
    (40, 1, 1),
    lambda: [_numpy.arange(-40, 40).astype(_numpy.int8), _numpy.zeros(80)],
    lambda x, o: [x, _numpy.array(list(map(_halved, map(int, x))))],
)
CASES["do-while of a loop with early store"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xi32>
    cf.br ^b(%v, %zero : i32, i32)
  ^b(%a: i32, %n: i32):
    %c3 = arith.constant 3 : i32
    %d = arith.divsi %a, %c3 : i32
    %n1 = arith.addi %n, %one : i32
    memref.store %n1, %out[%i] : memref<?xi32>
    %g = arith.cmpi ne, %d, %zero : i32
    cf.cond_br %g, ^b(%d, %n1 : i32, i32), ^e
  ^e:""",
    ),
    (1, 1, 1),
    (70, 1, 1),
    lambda: [_numpy.random.default_rng(1).integers(-5000, 5000, 70).astype(_numpy.int32), _numpy.zeros(70, _numpy.int32)],
    lambda x, o: [x, _numpy.array(list(map(_thirds, map(int, x))))],
)
CASES["break out of two loops"] = (
    kernel(
        "%x: memref<8x8xi32>, %out: memref<?x2xi32>, %want: memref<?xi32>",
        IDS
        + """
    %c8 = arith.constant 8 : index
    %w = memref.load %want[%i] : memref<?xi32>
    cf.br ^r(%c0 : index)
  ^r(%a: index):
    %p = arith.cmpi ult, %a, %c8 : index
    cf.cond_br %p, ^c(%c0 : index), ^f(%c8, %c8 : index, index)
  ^c(%b: index):
    %q = arith.cmpi ult, %b, %c8 : index
    %an = arith.addi %a, %c1 : index
    cf.cond_br %q, ^l, ^r(%an : index)
  ^l:
    %v = memref.load %x[%a, %b] : memref<8x8xi32>
    %e = arith.cmpi eq, %v, %w : i32
    %bn = arith.addi %b, %c1 : index
    cf.cond_br %e, ^f(%a, %b : index, index), ^c(%bn : index)
  ^f(%fa: index, %fb: index):
    %ia = arith.index_cast %fa : index to i32
    %ib = arith.index_cast %fb : index to i32
    memref.store %ia, %out[%i, %c0] : memref<?x2xi32>
    memref.store %ib, %out[%i, %c1] : memref<?x2xi32>""",
    ),
    (1, 1, 1),
    (50, 1, 1),
    lambda: [
        _numpy.random.default_rng(2).permutation(64).reshape(8, 8).astype(_numpy.int32),
        _numpy.zeros((50, 2), _numpy.int32),
        (_numpy.arange(50) * 2).astype(_numpy.int32),
    ],
    lambda x, o, w: [x, _numpy.array([_place(x, int(w[k])) for k in range(50)]), w],
)
CASES["a switch with arguments"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xi32>
    %c100 = arith.constant 100 : i32
    cf.switch %v : i32, [
      default: ^d(%v : i32),
      -2: ^d(%c100 : i32),
      3: ^s,
      7: ^d(%one : i32)
    ]
  ^s:
    %m = arith.muli %v, %c100 : i32
    cf.br ^d(%m : i32)
  ^d(%r: i32):
    memref.store %r, %out[%i] : memref<?xi32>""",
    ),
    (1, 1, 1),
    (33, 1, 1),
    lambda: [(_numpy.arange(33) % 11 - 3).astype(_numpy.int32), _numpy.zeros(33, _numpy.int32)],
    lambda x, o: [x, _numpy.where(x == -2, 100, _numpy.where(x == 3, 300, _numpy.where(x == 7, 1, x)))],
)
CASES["execute_region and select of indices"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>",
        IDS
        + """
    %r = scf.execute_region -> index {
      %v = memref.load %x[%i] : memref<?xi32>
      %n = arith.cmpi slt, %v, %zero : i32
      cf.cond_br %n, ^a, ^b
    ^a:
      scf.yield %c0 : index
    ^b:
      %w = arith.index_cast %v : i32 to index
      scf.yield %w : index
    }
    %k = arith.index_cast %r : index to i32
    memref.store %k, %out[%i] : memref<?xi32>""",
    ),
    (1, 1, 1),
    (64, 1, 1),
    lambda: [_numpy.arange(-30, 34).astype(_numpy.int32), _numpy.zeros(64, _numpy.int32)],
    lambda x, o: [x, _numpy.maximum(x, 0)],
)
CASES["index casts sign and wide"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?x4xi64>",
        IDS
        + """
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %v = memref.load %x[%i] : memref<?xi32>
    %s = arith.index_cast %v : i32 to index
    %u = arith.index_castui %v : i32 to index
    %m = arith.muli %s, %u : index
    %h = arith.shrui %s, %c3 : index
    %a = arith.index_cast %s : index to i64
    %b = arith.index_cast %u : index to i64
    %c = arith.index_cast %m : index to i64
    %d = arith.index_cast %h : index to i64
    memref.store %a, %out[%i, %c0] : memref<?x4xi64>
    memref.store %b, %out[%i, %c1] : memref<?x4xi64>
    memref.store %c, %out[%i, %c2] : memref<?x4xi64>
    memref.store %d, %out[%i, %c3] : memref<?x4xi64>""",
    ),
    (1, 1, 1),
    (5, 1, 1),
    lambda: [_numpy.array([-1, 0, 7, -(2**31), 2**31 - 1], _numpy.int32), _numpy.zeros((5, 4), _numpy.int64)],
    lambda x, o: [
        x,
        _numpy.stack(
            [
                x.astype(_numpy.int64),
                x.view(_numpy.uint32).astype(_numpy.int64),
                x.astype(_numpy.int64) * x.view(_numpy.uint32).astype(_numpy.int64),
                (x.astype(_numpy.int64).view(_numpy.uint64) >> _numpy.uint64(3)).view(_numpy.int64),
            ],
            1,
        ),
    ],
)
CASES["fptosi at the ends, uitofp, truncf ties"] = (
    kernel(
        "%x: memref<?xf32>, %a: memref<?xi8>, %b: memref<?xi16>, %c: memref<?xi32>, %d: memref<?xf16>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xf32>
    %p = arith.fptosi %v : f32 to i8
    %q = arith.fptosi %v : f32 to i16
    %r = arith.fptosi %v : f32 to i32
    %s = arith.truncf %v : f32 to f16
    memref.store %p, %a[%i] : memref<?xi8>
    memref.store %q, %b[%i] : memref<?xi16>
    memref.store %r, %c[%i] : memref<?xi32>
    memref.store %s, %d[%i] : memref<?xf16>""",
    ),
    (1, 1, 1),
    (10, 1, 1),
    lambda: [
        _numpy.array([-128.9, 127.9, -0.99, 0.99, 1.5, -1.5, 2.0009765625, 1.00048828125, 1.00146484375, -0.0], _numpy.float32),
        _numpy.zeros(10, _numpy.int8),
        _numpy.zeros(10, _numpy.int16),
        _numpy.zeros(10, _numpy.int32),
        _numpy.zeros(10, _numpy.float16),
    ],
    lambda x, a, b, c, d: [
        x,
        _numpy.trunc(x).astype(_numpy.int8),
        _numpy.trunc(x).astype(_numpy.int16),
        _numpy.trunc(x).astype(_numpy.int32),
        x.astype(_numpy.float16),
    ],
)
CASES["uitofp of all sizes"] = (
    kernel(
        "%x: memref<?xi64>, %a: memref<?xf32>, %b: memref<?xf64>, %c: memref<?xf32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xi64>
    %p = arith.uitofp %v : i64 to f32
    %q = arith.sitofp %v : i64 to f64
    %w = arith.trunci %v : i64 to i8
    %r = arith.uitofp %w : i8 to f32
    memref.store %p, %a[%i] : memref<?xf32>
    memref.store %q, %b[%i] : memref<?xf64>
    memref.store %r, %c[%i] : memref<?xf32>""",
    ),
    (1, 1, 1),
    (7, 1, 1),
    lambda: [
        _numpy.array([-1, 2**62 + 1, 255, -(2**63), 16777217, 33554435, 0], _numpy.int64),
        _numpy.zeros(7, _numpy.float32),
        _numpy.zeros(7),
        _numpy.zeros(7, _numpy.float32),
    ],
    lambda x, a, b, c: [
        x,
        x.view(_numpy.uint64).astype(_numpy.float32),
        x.astype(_numpy.float64),
        (x.view(_numpy.uint64) & _numpy.uint64(255)).astype(_numpy.float32),
    ],
)
CASES["a loop of i32 from a negative number"] = (
    kernel(
        "%out: memref<?xi32>, %n: i32",
        IDS
        + """
    %m3 = arith.constant -7 : i32
    %two = arith.constant 2 : i32
    %w = arith.index_cast %i : index to i32
    %e = arith.addi %w, %n : i32
    %r = scf.for %k = %m3 to %e step %two iter_args(%s = %zero) -> (i32) : i32 {
      %q = arith.muli %k, %k : i32
      %z = arith.addi %s, %q : i32
      scf.yield %z : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
    ),
    (1, 1, 1),
    (40, 1, 1),
    lambda: [_numpy.zeros(40, _numpy.int32), -12],
    lambda o, n: [_numpy.array([sum(k * k for k in range(-7, i + n, 2)) for i in range(40)])],
)
CASES["a vote through flags in LDS"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xi32>
    %p = arith.cmpi sgt, %v, %zero : i32
    memref.store %p, %own[%t] : memref<96xi1, 3>
    gpu.barrier
    %c96 = arith.constant 96 : index
    %r = scf.for %k = %c0 to %c96 step %c1 iter_args(%s = %zero) -> (i32) {
      %q = memref.load %own[%k] : memref<96xi1, 3>
      %z = arith.extui %q : i1 to i32
      %y = arith.addi %s, %z : i32
      scf.yield %y : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
        "workgroup(%own: memref<96xi1, 3>)",
    ),
    (2, 1, 1),
    (96, 1, 1),
    lambda: [_numpy.random.default_rng(5).integers(-9, 9, 192).astype(_numpy.int32), _numpy.zeros(192, _numpy.int32)],
    lambda x, o: [x, _numpy.repeat((x.reshape(2, 96) > 0).sum(1), 96)],
)
CASES["LDS of f16 and i64 and vectors next to each other"] = (
    kernel(
        "%x: memref<?xf16>, %y: memref<?xi64>, %o: memref<?xf16>, %p: memref<?xi64>",
        IDS
        + """
    %c31 = arith.constant 31 : index
    %v = memref.load %x[%t] : memref<?xf16>
    %w = memref.load %y[%t] : memref<?xi64>
    memref.store %v, %a[%t] : memref<33xf16, 3>
    memref.store %w, %b[%t] : memref<32xi64, 3>
    %vec = vector.broadcast %w : i64 to vector<2xi64>
    vector.store %vec, %c[%t, %c0] : memref<32x2xi64, 3>, vector<2xi64>
    gpu.barrier
    %r = arith.subi %c31, %t : index
    %v2 = memref.load %a[%r] : memref<33xf16, 3>
    %w2 = memref.load %b[%r] : memref<32xi64, 3>
    %u2 = memref.load %c[%r, %c1] : memref<32x2xi64, 3>
    %s = arith.addi %w2, %u2 : i64
    memref.store %v2, %o[%t] : memref<?xf16>
    memref.store %s, %p[%t] : memref<?xi64>""",
        "workgroup(%a: memref<33xf16, 3>, %b: memref<32xi64, 3>, %c: memref<32x2xi64, 3>)",
    ),
    (1, 1, 1),
    (32, 1, 1),
    lambda: [
        _numpy.arange(32).astype(_numpy.float16),
        _numpy.arange(32) * (1 << 40),
        _numpy.zeros(32, _numpy.float16),
        _numpy.zeros(32, _numpy.int64),
    ],
    lambda x, y, o, p: [x, y, x[::-1], 2 * y[::-1]],
)
CASES["LDS words joined in a loop with stores between"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>, %n: i32",
        IDS
        + """
    %c4 = arith.constant 4 : index
    %e = arith.index_cast %n : i32 to index
    %b = arith.muli %t, %c4 : index
    %b1 = arith.addi %b, %c1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %b2 = arith.addi %b, %c2 : index
    %b3 = arith.addi %b, %c3 : index
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %own[%b] : memref<256xi32, 3>
    memref.store %one, %own[%b1] : memref<256xi32, 3>
    memref.store %zero, %own[%b2] : memref<256xi32, 3>
    memref.store %v, %own[%b3] : memref<256xi32, 3>
    scf.for %k = %c0 to %e step %c1 {
      %p = memref.load %own[%b] : memref<256xi32, 3>
      %q = memref.load %own[%b1] : memref<256xi32, 3>
      %s = arith.addi %p, %q : i32
      memref.store %s, %own[%b1] : memref<256xi32, 3>
      %r = memref.load %own[%b1] : memref<256xi32, 3>
      %u = memref.load %own[%b2] : memref<256xi32, 3>
      %w = arith.addi %r, %u : i32
      memref.store %w, %own[%b2] : memref<256xi32, 3>
    }
    %f = memref.load %own[%b2] : memref<256xi32, 3>
    %g = memref.load %own[%b3] : memref<256xi32, 3>
    %h = arith.subi %f, %g : i32
    memref.store %h, %out[%i] : memref<?xi32>""",
        "workgroup(%own: memref<256xi32, 3>)",
    ),
    (2, 1, 1),
    (64, 1, 1),
    lambda: [_numpy.arange(128).astype(_numpy.int32) * 3 - 50, _numpy.zeros(128, _numpy.int32), 5],
    lambda x, o, n: [x, sum(x * k + 1 for k in range(1, n + 1)) - x],
)
CASES["a loop whose number passes 32 bits after its last trip"] = (
    kernel(
        "%out: memref<?xi32>, %n: i32, %s: i32",
        IDS
        + """
    %e = arith.index_castui %n : i32 to index
    %st = arith.index_castui %s : i32 to index
    %r = scf.for %k = %c0 to %e step %st iter_args(%a = %zero) -> (i32) {
      %z = arith.addi %a, %one : i32
      scf.yield %z : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
    ),
    (1, 1, 1),
    (3, 1, 1),
    lambda: [_numpy.zeros(3, _numpy.int32), -1, 1 << 30],
    lambda o, n, s: [_numpy.full(3, 4)],
)
CASES["affine loops with a bound of the outer one"] = (
    kernel(
        "%out: memref<6x7xi32>",
        IDS
        + """
    affine.for %a = 0 to 6 step 2 {
      affine.for %b = affine_map<(d0) -> (d0)>(%a) to 7 {
        %v = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1 floordiv 2 + (d1 mod 3))>(%a, %b)
        %w = arith.index_cast %v : index to i32
        affine.store %w, %out[%a, %b] : memref<6x7xi32>
      }
    }""",
    ),
    (1, 1, 1),
    (1, 1, 1),
    lambda: [_numpy.zeros((6, 7), _numpy.int32)],
    lambda o: [_numpy.array([[a * 10 + b // 2 + b % 3 if a % 2 == 0 and b >= a else 0 for b in range(7)] for a in range(6)])],
)
CASES["a rotation in groups of 16"] = (
    kernel(
        "%x: memref<?xi32>, %out: memref<?xi32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xi32>
    %r, %ok = gpu.rotate %v, 5, 16 : i32
    memref.store %r, %out[%i] : memref<?xi32>""",
    ),
    (1, 1, 1),
    (64, 1, 1),
    lambda: [_numpy.arange(64).astype(_numpy.int32) * 7, _numpy.zeros(64, _numpy.int32)],
    lambda x, o: [x, _numpy.roll(x.reshape(4, 16), -5, axis=1).reshape(-1)],
)
CASES["the range of a workgroup"] = (
    kernel(
        "%x: memref<?xf32>, %out: memref<?xf32>",
        IDS
        + """
    %v = memref.load %x[%i] : memref<?xf32>
    %s = gpu.all_reduce maximumf %v uniform {} : (f32) -> (f32)
    %m = gpu.all_reduce minnumf %v uniform {} : (f32) -> (f32)
    %d = arith.subf %s, %m : f32
    memref.store %d, %out[%i] : memref<?xf32>""",
    ),
    (2, 1, 1),
    (77, 1, 1),
    lambda: [_numpy.random.default_rng(5).standard_normal(154).astype(_numpy.float32), _numpy.zeros(154, _numpy.float32)],
    lambda x, o: [x, _numpy.repeat(x.reshape(2, 77).max(1) - x.reshape(2, 77).min(1), 77)],
)
CASES["strides, an offset and sizes that the launch says"] = (
    kernel(
        "%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %out: memref<?xf32>",
        IDS
        + """
    %n = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %r = arith.divui %i, %n : index
    %c = arith.remui %i, %n : index
    %v = memref.load %x[%r, %c] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    memref.store %v, %out[%i] : memref<?xf32>""",
    ),
    (1, 1, 1),
    (15, 1, 1),
    lambda: [_numpy.arange(15).reshape(3, 5).astype(_numpy.float32), _numpy.zeros(15, _numpy.float32)],
    lambda x, o: [x, x.reshape(-1)],
)


@pytest.mark.parametrize(("target", "name"), spread([(target, name) for name in CASES for target in ALL], 1))
def test_kernel(target: str, name: str) -> None:
    text, grid, block, make, truth = CASES[name]
    args = make()
    for got, wanted in zip(launch(text, grid, block, args, target), truth(*args), strict=True):
        np.testing.assert_array_equal(got, wanted)
