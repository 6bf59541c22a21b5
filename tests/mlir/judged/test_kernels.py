"""Small kernels of control flow, memory and exchange, each with what numpy says of it.

A case is the arguments after `%` names, the body, and the truth: a function of the arguments that gives the arrays after the
launch. `W` is the address space of workgroup memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.mlir.judge import ALL, launch
from tests.rows import spread

Sizes = tuple[int, int, int]
Arrays = list[Any]
_numpy: Any = np  # if its own types say little


class Kernel(NamedTuple):
    """A kernel, its launch and its truth, which may depend on the lanes of a wave."""

    signature: str
    body: str
    grid: Sizes
    block: Sizes
    make: Callable[[], Arrays]
    truth: Callable[..., Arrays]
    extra: str = ""  # attributions
    before: str = ""  # functions that it calls

    @property
    def text(self) -> str:
        body = self.body.replace("W>", "#gpu.address_space<workgroup>>")
        extra = self.extra.replace("W>", "#gpu.address_space<workgroup>>")
        return f"gpu.module @m {{{self.before}\n  gpu.func @k({self.signature}) {extra} kernel {{\n{body}\n    gpu.return\n  }}\n}}\n"


def ints(*shape: int, low: int = -100, high: int = 100) -> Any:
    return np.random.default_rng(sum(shape)).integers(low, high, shape).astype(np.int32)


def reals(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).integers(-64, 64, shape).astype(np.float32)


def zeros(*shape: int) -> Any:
    return np.zeros(shape, np.int32)


IDS = """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = gpu.global_id x
    %t = gpu.thread_id x
"""
KERNELS: dict[str, Kernel] = {}


# Shapes of launches


def space(out: Any) -> Arrays:
    z, y, x = _numpy.indices(out.shape)
    return [(100 * z + 10 * y + x).astype(np.int32)]


KERNELS["grid and block of three dims, no multiple of a wave"] = Kernel(
    "%out: memref<6x10x9xi32>",
    """    %x = gpu.global_id x
    %y = gpu.global_id y
    %z = gpu.global_id z
    %c10 = arith.constant 10 : index
    %zy = arith.muli %z, %c10 : index
    %s = arith.addi %zy, %y : index
    %p = arith.muli %s, %c10 : index
    %n = arith.addi %p, %x : index
    %v = arith.index_cast %n : index to i32
    memref.store %v, %out[%z, %y, %x] : memref<6x10x9xi32>""",
    (3, 2, 2), (3, 5, 3), lambda: [zeros(6, 10, 9)], space,
)  # fmt: skip

KERNELS["waves of a block of three dims are filled x first"] = Kernel(
    "%out: memref<?x2xi32>",
    """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %sx = gpu.block_dim x
    %sy = gpu.block_dim y
    %a = arith.muli %z, %sy : index
    %b = arith.addi %a, %y : index
    %c = arith.muli %b, %sx : index
    %n = arith.addi %c, %x : index
    %l = gpu.lane_id
    %s = gpu.subgroup_id : index
    %lane = arith.index_cast %l : index to i32
    %wave = arith.index_cast %s : index to i32
    memref.store %lane, %out[%n, %c0] : memref<?x2xi32>
    memref.store %wave, %out[%n, %c1] : memref<?x2xi32>""",
    (1, 1, 1), (7, 5, 4), lambda: [zeros(140, 2)],
    lambda out, wave: [np.stack([np.arange(140) % wave, np.arange(140) // wave], axis=1)],
)  # fmt: skip


# Control flow

KERNELS["branches in branches in a loop"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi32>",
    IDS + """    %c7 = arith.constant 7 : index
    %three = arith.constant 3 : i32
    %v = memref.load %x[%i] : memref<?xi32>
    %r = scf.for %k = %c0 to %c7 step %c1 iter_args(%a = %v) -> (i32) {
      %n = arith.index_cast %k : index to i32
      %odd = arith.andi %a, %one : i32
      %is_odd = arith.cmpi ne, %odd, %zero : i32
      %b = scf.if %is_odd -> (i32) {
        %neg = arith.cmpi slt, %a, %zero : i32
        %c = scf.if %neg -> (i32) {
          %d = arith.muli %a, %three : i32
          scf.yield %d : i32
        } else {
          %small = arith.cmpi slt, %n, %three : i32
          %e = scf.if %small -> (i32) {
            %f = arith.addi %a, %n : i32
            scf.yield %f : i32
          } else {
            scf.yield %zero : i32
          }
          scf.yield %e : i32
        }
        scf.yield %c : i32
      } else {
        %g = arith.addi %a, %one : i32
        scf.yield %g : i32
      }
      scf.yield %b : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (50, 1, 1), lambda: [ints(100), zeros(100)], lambda x, out: [x, np.array(list(map(_nested, map(int, x))))],
)  # fmt: skip


def _nested(a: int) -> int:
    for n in range(7):
        a = (a * 3 if a < 0 else a + n if n < 3 else 0) if a % 2 else a + 1
    return a


KERNELS["a loop that is left at the first number that fits, by blocks"] = Kernel(
    "%x: memref<?x?xi32>, %out: memref<?xi32>",
    """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant -1 : i32
    %i = gpu.global_id x
    %cols = memref.dim %x, %c1 : memref<?x?xi32>
    cf.br ^head(%c0 : index)
  ^head(%k: index):
    %more = arith.cmpi slt, %k, %cols : index
    cf.cond_br %more, ^look, ^done(%none : i32)
  ^look:
    %v = memref.load %x[%i, %k] : memref<?x?xi32>
    %c90 = arith.constant 60 : i32
    %fits = arith.cmpi sgt, %v, %c90 : i32
    %n = arith.index_cast %k : index to i32
    %next = arith.addi %k, %c1 : index
    cf.cond_br %fits, ^done(%n : i32), ^head(%next : index)
  ^done(%r: i32):
    memref.store %r, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (37, 1, 1), lambda: [ints(74, 13), zeros(74)],
    lambda x, out: [x, np.where((x > 60).any(1), (x > 60).argmax(1), -1)],
)  # fmt: skip

KERNELS["an early return, and a second one in a loop"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi32>, %n: i32",
    """    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %i = gpu.global_id x
    %w = arith.index_cast %i : index to i32
    %beyond = arith.cmpi sge, %w, %n : i32
    cf.cond_br %beyond, ^end, ^start
  ^start:
    %v = memref.load %x[%i] : memref<?xi32>
    cf.br ^loop(%v, %c0 : i32, i32)
  ^loop(%a: i32, %s: i32):
    %s1 = arith.addi %s, %a : i32
    %bad = arith.cmpi eq, %a, %c0 : i32
    cf.cond_br %bad, ^store(%s1 : i32), ^down
  ^down:
    %neg = arith.cmpi slt, %a, %c0 : i32
    cf.cond_br %neg, ^end, ^next
  ^next:
    %b = arith.subi %a, %c1 : i32
    cf.br ^loop(%b, %s1 : i32, i32)
  ^store(%r: i32):
    memref.store %r, %out[%i] : memref<?xi32>
    gpu.return
  ^end:""",
    (3, 1, 1), (40, 1, 1), lambda: [ints(120, low=-5, high=30), zeros(120) - 7, 101],
    lambda x, out, n: [x, np.where((np.arange(120) < n) & (x >= 0), x * (x + 1) // 2, -7)],
)  # fmt: skip

KERNELS["index_switch with results, and one within another"] = Kernel(
    "%x: memref<?xindex>, %out: memref<?xi32>",
    IDS + """    %v = memref.load %x[%i] : memref<?xindex>
    %r = scf.index_switch %v -> i32
    case -3 {
      %a = arith.constant 11 : i32
      scf.yield %a : i32
    }
    case 5 {
      %a = arith.constant 22 : i32
      %b = scf.index_switch %t -> i32
      case 0 { scf.yield %a : i32 }
      default { scf.yield %one : i32 }
      scf.yield %b : i32
    }
    default {
      %a = arith.index_cast %v : index to i32
      scf.yield %a : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
    (4, 1, 1), (10, 1, 1), lambda: [(np.arange(40) % 12 - 4).astype(np.int64), zeros(40)],
    lambda x, out: [x, np.where(x == -3, 11, np.where(x == 5, np.where(np.arange(40) % 10 == 0, 22, 1), x))],
)  # fmt: skip

KERNELS["a loop down to the greatest common divisor"] = Kernel(
    "%x: memref<?xi32>, %y: memref<?xi32>, %out: memref<?xi32>",
    IDS + """    %a0 = memref.load %x[%i] : memref<?xi32>
    %b0 = memref.load %y[%i] : memref<?xi32>
    %r:2 = scf.while (%a = %a0, %b = %b0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %b, %zero : i32
      scf.condition(%go) %a, %b : i32, i32
    } do {
    ^bb0(%a: i32, %b: i32):
      %rest = arith.remui %a, %b : i32
      scf.yield %b, %rest : i32, i32
    }
    memref.store %r#0, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (70, 1, 1), lambda: [ints(140, low=1, high=5000), ints(140, low=0, high=300), zeros(140)],
    lambda x, y, out: [x, y, np.gcd(x, y)],
)  # fmt: skip

KERNELS["loops in loops of other lengths in each lane, with carried floats"] = Kernel(
    "%n: memref<?xindex>, %out: memref<?xf32>",
    IDS + """    %f0 = arith.constant 0.0 : f32
    %m = memref.load %n[%i] : memref<?xindex>
    %r = scf.for %j = %c0 to %m step %c1 iter_args(%s = %f0) -> (f32) {
      %end = arith.addi %j, %m : index
      %u = scf.for %k = %j to %end step %m iter_args(%q = %s) -> (f32) {
        %w = arith.index_cast %k : index to i32
        %f = arith.sitofp %w : i32 to f32
        %p = arith.addf %q, %f : f32
        scf.yield %p : f32
      }
      scf.yield %u : f32
    }
    memref.store %r, %out[%i] : memref<?xf32>""",
    (1, 1, 1), (45, 1, 1), lambda: [np.arange(45) % 9, np.zeros(45, np.float32)],
    lambda n, out: [n, (n * (n - 1) // 2).astype(np.float32)],
)  # fmt: skip

KERNELS["a barrier in a loop that all lanes run as often"] = Kernel(
    "%x: memref<?xi32>, %n: i32, %out: memref<?xi32>",
    IDS + """    %size = gpu.block_dim x
    %end = arith.index_cast %n : i32 to index
    %v = memref.load %x[%i] : memref<?xi32>
    %r = scf.for %k = %c0 to %end step %c1 iter_args(%a = %v) -> (i32) {
      memref.store %a, %own[%t] : memref<64xi32, W>
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %at = arith.remui %next, %size : index
      %b = memref.load %own[%at] : memref<64xi32, W>
      gpu.barrier
      %s = arith.addi %a, %b : i32
      scf.yield %s : i32
    }
    memref.store %r, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (45, 1, 1), lambda: [ints(90), 5, zeros(90)], lambda x, n, out: [x, _rolled(x.reshape(2, 45), n).reshape(-1)],
    "workgroup(%own: memref<64xi32, W>)",
)  # fmt: skip


def _rolled(rows: Any, times: int) -> Any:
    for _ in range(times):
        rows = rows + np.roll(rows, -1, axis=1)
    return rows


KERNELS["functions that call functions, with several results"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?x2xi32>",
    IDS + """    %v = memref.load %x[%i] : memref<?xi32>
    %q, %r = func.call @divided(%v) : (i32) -> (i32, i32)
    memref.store %q, %out[%i, %c0] : memref<?x2xi32>
    memref.store %r, %out[%i, %c1] : memref<?x2xi32>""",
    (1, 1, 1), (33, 1, 1), lambda: [ints(33), zeros(33, 2)], lambda x, out: [x, np.stack([2 * (x // 7), x % 7], axis=1)],
    before="""
  func.func @twice(%a: i32) -> i32 {
    %b = arith.addi %a, %a : i32
    return %b : i32
  }
  func.func @divided(%a: i32) -> (i32, i32) {
    %c7 = arith.constant 7 : i32
    %q = arith.floordivsi %a, %c7 : i32
    %p = arith.muli %q, %c7 : i32
    %r = arith.subi %a, %p : i32
    %t = func.call @twice(%q) : (i32) -> i32
    return %t, %r : i32, i32
  }""",
)  # fmt: skip


# Memory

KERNELS["a strided memref and its transpose"] = Kernel(
    "%x: memref<8x12xi32, strided<[24, 2], offset: 1>>, %out: memref<12x8xi32>",
    """    %a = gpu.thread_id x
    %b = gpu.thread_id y
    %v = memref.load %x[%b, %a] : memref<8x12xi32, strided<[24, 2], offset: 1>>
    memref.store %v, %out[%a, %b] : memref<12x8xi32>""",
    (1, 1, 1), (12, 8, 1), lambda: [ints(8, 12), zeros(12, 8)],
    lambda x, out: [x, x.T],
)  # fmt: skip

KERNELS["subviews of subviews with sizes of the launch"] = Kernel(
    "%x: memref<?x?xi32>, %out: memref<?xi32>, %from: index, %step: index",
    """    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %i = gpu.global_id x
    %rows = memref.dim %x, %c0 : memref<?x?xi32>
    %half = arith.divui %rows, %c2 : index
    %v = memref.subview %x[%from, %c1] [%half, 4] [%step, 2] : memref<?x?xi32> to memref<?x4xi32, strided<[?, 2], offset: ?>>
    %w = memref.subview %v[%c1, 1] [%c2, 3] [1, 1] : memref<?x4xi32, strided<[?, 2], offset: ?>> to memref<?x3xi32, strided<[?, 2], offset: ?>>
    %c3 = arith.constant 3 : index
    %r = arith.divui %i, %c3 : index
    %c = arith.remui %i, %c3 : index
    %a = memref.load %w[%r, %c] : memref<?x3xi32, strided<[?, 2], offset: ?>>
    memref.store %a, %out[%i] : memref<?xi32>""",
    (1, 1, 1), (6, 1, 1), lambda: [ints(20, 11), zeros(6), 2, 3],
    lambda x, out, start, step: [x, x[start::step, 1::2][1:3, 1:4].reshape(-1)],
)  # fmt: skip

KERNELS["collapsed, expanded and cast again"] = Kernel(
    "%x: memref<4x6xi32>, %out: memref<?xi32>",
    """    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %i = gpu.global_id x
    %flat = memref.collapse_shape %x [[0, 1]] : memref<4x6xi32> into memref<24xi32>
    %box = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 4, 3] : memref<24xi32> into memref<2x4x3xi32>
    %open = memref.cast %box : memref<2x4x3xi32> to memref<?x?x3xi32>
    %c = arith.remui %i, %c3 : index
    %p = arith.divui %i, %c3 : index
    %a = arith.remui %p, %c2 : index
    %b = arith.divui %p, %c2 : index
    %v = memref.load %open[%a, %b, %c] : memref<?x?x3xi32>
    memref.store %v, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (12, 1, 1), lambda: [ints(4, 6), zeros(24)],
    lambda x, out: [x, x.reshape(2, 4, 3).transpose(1, 0, 2).reshape(-1)],
)  # fmt: skip

KERNELS["bytes and halves: sums of i8 and i16 wrap, and lie next to each other"] = Kernel(
    "%x: memref<?xi8>, %y: memref<?xi16>, %out: memref<?xi8>",
    IDS + """    %a = memref.load %x[%i] : memref<?xi8>
    %b = memref.load %y[%i] : memref<?xi16>
    %b8 = arith.trunci %b : i16 to i8
    %s = arith.addi %a, %b8 : i8
    %wide = arith.extsi %a : i8 to i16
    %p = arith.muli %wide, %b : i16
    memref.store %s, %out[%i] : memref<?xi8>
    memref.store %p, %y[%i] : memref<?xi16>""",
    (3, 1, 1), (21, 1, 1),
    lambda: [ints(63).astype(np.int8), (ints(63) * 300).astype(np.int16), np.zeros(63, np.int8)],
    lambda x, y, out: [x, x.astype(np.int16) * y, x + y.astype(np.int8)],
)  # fmt: skip

KERNELS["bits: a memref of i1 has a byte an element"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi1>, %count: memref<?xi32>",
    IDS + """    %v = memref.load %x[%i] : memref<?xi32>
    %p = arith.cmpi sgt, %v, %zero : i32
    memref.store %p, %out[%i] : memref<?xi1>
    %q = memref.load %out[%i] : memref<?xi1>
    %n = arith.extui %q : i1 to i32
    %m = arith.extsi %q : i1 to i32
    %s = arith.subi %n, %m : i32
    memref.store %s, %count[%i] : memref<?xi32>""",
    (1, 1, 1), (50, 1, 1), lambda: [ints(50), np.zeros(50, np.bool_), zeros(50)],
    lambda x, out, count: [x, x > 0, 2 * (x > 0)],
)  # fmt: skip

KERNELS["private memory, filled and read by a number of the lane"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi32>",
    IDS + """    %c5 = arith.constant 5 : index
    %own = memref.alloca() : memref<5xi32>
    scf.for %k = %c0 to %c5 step %c1 {
      %at = arith.addi %i, %k : index
      %size = memref.dim %x, %c0 : memref<?xi32>
      %in = arith.remui %at, %size : index
      %v = memref.load %x[%in] : memref<?xi32>
      memref.store %v, %own[%k] : memref<5xi32>
    }
    %w = arith.remui %t, %c5 : index
    %a = memref.load %own[%w] : memref<5xi32>
    memref.store %a, %out[%i] : memref<?xi32>""",
    (1, 1, 1), (41, 1, 1), lambda: [ints(41), zeros(41)],
    lambda x, out: [x, x[(np.arange(41) + np.arange(41) % 5) % 41]],
)  # fmt: skip

KERNELS["vectors: loads, a shuffle, an insert and a reduction"] = Kernel(
    "%x: memref<?x4xf32>, %out: memref<?x4xf32>, %sum: memref<?xf32>",
    IDS + """    %v = vector.load %x[%i, %c0] : memref<?x4xf32>, vector<4xf32>
    %w = vector.shuffle %v, %v [3, 6, 1, 4] : vector<4xf32>, vector<4xf32>
    %f = vector.extract %v[2] : f32 from vector<4xf32>
    %u = vector.insert %f, %w[0] : f32 into vector<4xf32>
    %p = arith.mulf %u, %v : vector<4xf32>
    vector.store %p, %out[%i, %c0] : memref<?x4xf32>, vector<4xf32>
    %s = vector.reduction <add>, %p : vector<4xf32> into f32
    memref.store %s, %sum[%i] : memref<?xf32>""",
    (2, 1, 1), (19, 1, 1), lambda: [reals(38, 4), np.zeros((38, 4), np.float32), np.zeros(38, np.float32)],
    lambda x, out, s: [x, x[:, [2, 2, 1, 0]] * x, (x[:, [2, 2, 1, 0]] * x).sum(1)],
)  # fmt: skip

KERNELS["affine: a stencil with a minimum and a condition"] = Kernel(
    "%x: memref<64xi32>, %out: memref<64xi32>",
    IDS + """    %lo = affine.max affine_map<(d0) -> (0, d0 - 2)>(%i)
    %hi = affine.min affine_map<(d0) -> (64, d0 + 3)>(%i)
    %s = affine.for %k = %lo to %hi iter_args(%a = %zero) -> (i32) {
      %v = affine.load %x[%k] : memref<64xi32>
      %b = arith.addi %a, %v : i32
      affine.yield %b : i32
    }
    affine.if affine_set<(d0) : (d0 mod 3 == 0, d0 - 6 >= 0)>(%i) {
      affine.store %s, %out[%i] : memref<64xi32>
    } else {
      affine.store %one, %out[%i] : memref<64xi32>
    }""",
    (2, 1, 1), (32, 1, 1), lambda: [ints(64), zeros(64)], lambda x, out: [x, _stencil(x)],
)  # fmt: skip


def _stencil(x: Any) -> Any:
    n = np.arange(64)
    sums = np.array([x[max(0, i - 2) : min(64, i + 3)].sum() for i in n])
    return np.where((n % 3 == 0) & (n >= 6), sums, 1)


# Between lanes

for _items in (1, 7, 63, 65, 100, 333, 1024):
    KERNELS[f"all_reduce of {_items} work-items: greatest, and bits"] = Kernel(
        "%x: memref<?xi32>, %most: memref<?xi32>, %bits: memref<?xi32>",
        IDS + """    %v = memref.load %x[%i] : memref<?xi32>
    %m = gpu.all_reduce maxsi %v uniform {} : (i32) -> (i32)
    %b = gpu.all_reduce xor %v uniform {} : (i32) -> (i32)
    memref.store %m, %most[%i] : memref<?xi32>
    memref.store %b, %bits[%i] : memref<?xi32>""",
        (2, 1, 1), (_items, 1, 1), lambda n=_items: [ints(2 * n), zeros(2 * n), zeros(2 * n)],
        lambda x, most, bits, n=_items: [
            x, np.repeat(x.reshape(2, n).max(1), n), np.repeat(np.bitwise_xor.reduce(x.reshape(2, n), axis=1), n)
        ],
    )  # fmt: skip

KERNELS["shuffles down and up with lanes that have no source"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?x2xi32>, %ok: memref<?x2xi32>",
    IDS + """    %three = arith.constant 3 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%i] : memref<?xi32>
    %a, %p = gpu.shuffle down %v, %three, %width : i32
    %b, %q = gpu.shuffle up %v, %three, %width : i32
    %a1 = arith.select %p, %a, %zero : i32
    %b1 = arith.select %q, %b, %zero : i32
    %p1 = arith.extui %p : i1 to i32
    %q1 = arith.extui %q : i1 to i32
    memref.store %a1, %out[%i, %c0] : memref<?x2xi32>
    memref.store %b1, %out[%i, %c1] : memref<?x2xi32>
    memref.store %p1, %ok[%i, %c0] : memref<?x2xi32>
    memref.store %q1, %ok[%i, %c1] : memref<?x2xi32>""",
    (1, 1, 1), (128, 1, 1), lambda: [ints(128), zeros(128, 2), zeros(128, 2)], lambda x, out, ok: [x, *_shuffled(x)],
)  # fmt: skip


def _shuffled(x: Any) -> Arrays:
    n = np.arange(128)
    down, up = n % 32 + 3 < 32, n % 32 >= 3
    found = np.stack([np.where(down, np.roll(x, -3), 0), np.where(up, np.roll(x, 3), 0)], axis=1)
    return [found, np.stack([down, up], axis=1).astype(np.int32)]


KERNELS["a reverse by idx and a butterfly of f32"] = Kernel(
    "%x: memref<?xf32>, %out: memref<?xf32>",
    IDS + """    %width = arith.constant 16 : i32
    %c15 = arith.constant 15 : i32
    %l = arith.index_cast %t : index to i32
    %in = arith.andi %l, %c15 : i32
    %from = arith.subi %c15, %in : i32
    %v = memref.load %x[%i] : memref<?xf32>
    %a, %p = gpu.shuffle idx %v, %from, %width : f32
    %eight = arith.constant 8 : i32
    %b, %q = gpu.shuffle xor %a, %eight, %width : f32
    %s = arith.subf %a, %b : f32
    memref.store %s, %out[%i] : memref<?xf32>""",
    (1, 1, 1), (64, 1, 1), lambda: [reals(64), np.zeros(64, np.float32)],
    lambda x, out: [x, (x.reshape(4, 16)[:, ::-1] - x.reshape(4, 16)[:, ::-1][:, np.arange(16) ^ 8]).reshape(-1)],
)  # fmt: skip

KERNELS["subgroup_reduce of clusters with a stride"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi32>",
    IDS + """    %v = memref.load %x[%i] : memref<?xi32>
    %s = gpu.subgroup_reduce add %v cluster(size = 8, stride = 4) : (i32) -> (i32)
    memref.store %s, %out[%i] : memref<?xi32>""",
    (1, 1, 1), (64, 1, 1), lambda: [ints(64), zeros(64)],
    lambda x, out: [x, np.broadcast_to(x.reshape(2, 8, 4).sum(1, keepdims=True), (2, 8, 4)).reshape(-1)],
)  # fmt: skip

KERNELS["atomics: a histogram of all workgroups, in LDS first"] = Kernel(
    "%x: memref<?xi32>, %bins: memref<10xi32>, %most: memref<1xi32>",
    IDS + """    %c10 = arith.constant 10 : index
    %low = arith.cmpi ult, %t, %c10 : index
    scf.if %low {
      memref.store %zero, %own[%t] : memref<10xi32, W>
    }
    gpu.barrier
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.index_cast %v : i32 to index
    %bin = arith.remui %w, %c10 : index
    %old = memref.atomic_rmw addi %one, %own[%bin] : (i32, memref<10xi32, W>) -> i32
    %big = memref.atomic_rmw maxs %v, %most[%c0] : (i32, memref<1xi32>) -> i32
    gpu.barrier
    scf.if %low {
      %n = memref.load %own[%t] : memref<10xi32, W>
      %was = memref.atomic_rmw addi %n, %bins[%t] : (i32, memref<10xi32>) -> i32
    }""",
    (3, 1, 1), (100, 1, 1), lambda: [ints(300, low=0, high=1000), ints(10), zeros(1)],
    lambda x, bins, most: [x, bins + np.bincount(x % 10, minlength=10), np.array([x.max()])],
    "workgroup(%own: memref<10xi32, W>)",
)  # fmt: skip

KERNELS["generic_atomic_rmw: the least of squares"] = Kernel(
    "%x: memref<?xi32>, %least: memref<2xi32>",
    IDS + """    %c2 = arith.constant 2 : index
    %v = memref.load %x[%i] : memref<?xi32>
    %at = arith.remui %i, %c2 : index
    %r = memref.generic_atomic_rmw %least[%at] : memref<2xi32> {
    ^bb0(%old: i32):
      %sq = arith.muli %v, %v : i32
      %new = arith.minsi %old, %sq : i32
      memref.atomic_yield %new : i32
    }""",
    (2, 1, 1), (40, 1, 1), lambda: [ints(80), np.full(2, 1 << 30, np.int32)],
    lambda x, least: [x, np.array([(x[0::2] ** 2).min(), (x[1::2] ** 2).min()])],
)  # fmt: skip

KERNELS["a transpose of a tile through LDS with a padded row"] = Kernel(
    "%x: memref<32x48xf32>, %out: memref<48x32xf32>",
    """    %a = gpu.thread_id x
    %b = gpu.thread_id y
    %c = gpu.global_id x
    %r = gpu.global_id y
    %v = memref.load %x[%r, %c] : memref<32x48xf32>
    memref.store %v, %own[%b, %a] : memref<16x17xf32, W>
    gpu.barrier
    %w = memref.load %own[%a, %b] : memref<16x17xf32, W>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %c16 = arith.constant 16 : index
    %p = arith.muli %bx, %c16 : index
    %q = arith.muli %by, %c16 : index
    %row = arith.addi %p, %b : index
    %col = arith.addi %q, %a : index
    memref.store %w, %out[%row, %col] : memref<48x32xf32>""",
    (3, 2, 1), (16, 16, 1), lambda: [reals(32, 48), np.zeros((48, 32), np.float32)], lambda x, out: [x, x.T],
    "workgroup(%own: memref<16x17xf32, W>)",
)  # fmt: skip

KERNELS["a scan of a block through LDS, in steps of two"] = Kernel(
    "%x: memref<?xi32>, %out: memref<?xi32>",
    IDS + """    %c128 = arith.constant 128 : index
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %own[%t] : memref<128xi32, W>
    gpu.barrier
    %end = scf.while (%d = %c1) : (index) -> index {
      %go = arith.cmpi ult, %d, %c128 : index
      scf.condition(%go) %d : index
    } do {
    ^bb0(%d: index):
      %has = arith.cmpi uge, %t, %d : index
      %add = scf.if %has -> (i32) {
        %at = arith.subi %t, %d : index
        %a = memref.load %own[%at] : memref<128xi32, W>
        scf.yield %a : i32
      } else {
        scf.yield %zero : i32
      }
      gpu.barrier
      %b = memref.load %own[%t] : memref<128xi32, W>
      %s = arith.addi %b, %add : i32
      memref.store %s, %own[%t] : memref<128xi32, W>
      gpu.barrier
      %twice = arith.addi %d, %d : index
      scf.yield %twice : index
    }
    %r = memref.load %own[%t] : memref<128xi32, W>
    memref.store %r, %out[%i] : memref<?xi32>""",
    (2, 1, 1), (128, 1, 1), lambda: [ints(256), zeros(256)], lambda x, out: [x, np.cumsum(x.reshape(2, 128), axis=1).reshape(-1)],
    "workgroup(%own: memref<128xi32, W>)",
)  # fmt: skip

KERNELS["64-bit numbers: a product of large ones, shifts and a comparison"] = Kernel(
    "%x: memref<?xi64>, %y: memref<?xi64>, %out: memref<?xi64>",
    IDS + """    %c33 = arith.constant 33 : i64
    %a = memref.load %x[%i] : memref<?xi64>
    %b = memref.load %y[%i] : memref<?xi64>
    %p = arith.muli %a, %b : i64
    %q = arith.shrsi %p, %c33 : i64
    %r = arith.xori %q, %a : i64
    %less = arith.cmpi slt, %r, %b : i64
    %s = arith.select %less, %r, %p : i64
    memref.store %s, %out[%i] : memref<?xi64>""",
    (1, 1, 1), (60, 1, 1), lambda: [_large(60), _large(60)[::-1].copy(), np.zeros(60, np.int64)], lambda x, y, out: [x, y, _mixed(x, y)],
)  # fmt: skip


def _large(count: int) -> Any:
    return np.random.default_rng(count).integers(-(1 << 62), 1 << 62, count)


def _mixed(x: Any, y: Any) -> Any:
    with np.errstate(over="ignore"):
        p = x * y
    r: Any = (p >> 33) ^ x
    return _numpy.where(r < y, r, p)


_WAVE = {"gfx90a": 64, "gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}


@pytest.mark.broad
@pytest.mark.parametrize(("target", "name"), spread([(target, name) for name in KERNELS for target in ALL], 1))
def test_kernel(target: str, name: str) -> None:
    kernel = KERNELS[name]
    args = kernel.make()
    wanted = kernel.truth(*args, *([_WAVE[target]] if "waves" in name else []))
    found = launch(kernel.text, kernel.grid, kernel.block, args, target)
    for got, one in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(got, one)
