"""Modules with dims that only the launch knows: one compiled program for ten sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.rows import MACHINES, spread
from tests.tensors.case import Array, numbers
from tests.tensors.running import agree

SIZES = (1, 2, 3, 17, 64, 65, 100, 127, 256, 300)


class _Program(NamedTuple):
    text: str
    inputs: Callable[[int], tuple[Array, ...]]
    reference: Callable[..., Any]
    ulps: float = 0
    scale: float = 0


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


_BIAS = """
func.func @main(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %c = stablehlo.constant dense<8> : tensor<1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %b, %1, dims = [1] : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %3 = stablehlo.add %x, %2 : tensor<?x8xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %z, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x8xf32>
  %5 = stablehlo.maximum %3, %4 : tensor<?x8xf32>
  return %5 : tensor<?x8xf32>
}
"""
_SHAPE = """
func.func @main(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %0 = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %0, dims = [1] : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x8xf32>
  %2 = stablehlo.add %x, %1 : tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
"""
_SOFTMAX = """
func.func @main(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<33> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x33xf32>) -> tensor<i32>
  %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %m, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<?x33xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x33xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<?x33xf32>
  %3 = stablehlo.exponential %2 : tensor<?x33xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x33xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = stablehlo.dynamic_broadcast_in_dim %4, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x33xf32>
  %6 = stablehlo.divide %3, %5 : tensor<?x33xf32>
  return %6 : tensor<?x33xf32>
}
"""
_PRODUCT = """
func.func @main(%x: tensor<?x12xf32>, %w: tensor<12x10xf32>) -> tensor<?x10xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x12xf32>, tensor<12x10xf32>) -> tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}
"""
_COLUMNS = """
func.func @main(%x: tensor<?x7xf32>) -> tensor<7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x7xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
"""
_GENERIC = """
func.func @main(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %c = arith.constant 0 : index
  %n = tensor.dim %x, %c : tensor<?x5xf32>
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x5xf32>, tensor<?x5xf32>) outs(%e : tensor<?x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}
"""
_MEAN = """
func.func @main(%x: tensor<?x7xf32>) -> tensor<7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x7xf32>) -> tensor<i32>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x7xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<7xf32>
  %2 = stablehlo.divide %0, %1 : tensor<7xf32>
  return %2 : tensor<7xf32>
}
"""
_SCAN = """
func.func @main(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 7>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x7xf32>, tensor<f32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}
"""
_ROWS = """
func.func @main(%t: tensor<20x8xf32>, %i: tensor<?x1xi32>) -> tensor<?x8xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<20x8xf32>, tensor<?x1xi32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
"""
_TABLE = """
func.func @main(%t: tensor<?x8xf32>, %i: tensor<6x1xi32>, %j: tensor<2xui8>) -> (tensor<6x8xf32>, tensor<1x2x8xf32>) {
  %z = stablehlo.constant dense<0> : tensor<6x1xi32>
  %n = stablehlo.get_dimension_size %t, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %m = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
  %a = stablehlo.add %i, %m : tensor<6x1xi32>
  %c = stablehlo.compare LT, %i, %z, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
  %k = stablehlo.select %c, %a, %i : tensor<6x1xi1>, tensor<6x1xi32>
  %0 = "stablehlo.gather"(%t, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %1 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<2xui8>) -> tensor<1x2x8xf32>
  return %0, %1 : tensor<6x8xf32>, tensor<1x2x8xf32>
}
"""
_PAIRS = """
func.func @main(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}
"""
# what torch exports for softmax of {n,33}: a maximum with its index, and dims of 1
_TORCH = """
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<?x33xf32>) -> tensor<?x33xf32> {
    %c0 = arith.constant 0 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x33xf32>
    %0 = tensor.empty(%dim) : tensor<?xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<?xi64>) -> tensor<?xi64>
    %2 = tensor.empty(%dim) : tensor<?xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x33xf32>) outs(%3, %1 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %12 = linalg.index 1 : index
      %13 = arith.index_cast %12 : index to i64
      %14 = arith.maximumf %in, %out : f32
      %15 = arith.cmpf ogt, %in, %out : f32
      %16 = arith.select %15, %13, %out_1 : i64
      linalg.yield %14, %16 : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xf32> into tensor<?x1xf32>
    %5 = tensor.empty(%dim) : tensor<?x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<?x33xf32>, tensor<?x1xf32>) outs(%5 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.subf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<?x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x33xf32>) outs(%5 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = math.exp %in : f32
      linalg.yield %12 : f32
    } -> tensor<?x33xf32>
    %8 = tensor.empty(%dim) : tensor<?x1xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<?x33xf32>) outs(%9 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<?x33xf32>, tensor<?x1xf32>) outs(%5 : tensor<?x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.divf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<?x33xf32>
    return %11 : tensor<?x33xf32>
  }
}
"""
_NUMBERS = """
func.func @main(%x: tensor<?x3xf32>, %i: tensor<4xi8>) -> (tensor<2x2xi32>, tensor<4xi8>, tensor<f32>, tensor<?x3xf32>, tensor<i64>, tensor<1xi32>) {
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %one = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %less = stablehlo.subtract %one, %five : tensor<1xi32>
  %square = stablehlo.multiply %less, %one : tensor<1xi32>
  %list = stablehlo.concatenate %one, %less, %square, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %table = stablehlo.reshape %list : (tensor<4xi32>) -> tensor<2x2xi32>
  %negative = stablehlo.negate %table : tensor<2x2xi32>
  %byte = stablehlo.convert %n : (tensor<i32>) -> tensor<i8>
  %bytes = stablehlo.broadcast_in_dim %byte, dims = [] : (tensor<i8>) -> tensor<4xi8>
  %places = stablehlo.subtract %i, %bytes : tensor<4xi8>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %later = stablehlo.add %f, %half : tensor<f32>
  %root = stablehlo.sqrt %later : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %shape = stablehlo.concatenate %one, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %spread = stablehlo.dynamic_broadcast_in_dim %f, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  %sum = stablehlo.add %x, %spread : tensor<?x3xf32>
  %wide = stablehlo.convert %n : (tensor<i32>) -> tensor<i64>
  %last = stablehlo.dynamic_update_slice %five, %one, %n : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  return %negative, %places, %root, %sum, %wide, %last : tensor<2x2xi32>, tensor<4xi8>, tensor<f32>, tensor<?x3xf32>, tensor<i64>, tensor<1xi32>
}
"""
_DIVISOR = """
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %c = arith.constant 0 : index
  %n = tensor.dim %x, %c : tensor<?x5xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%e : tensor<?x5xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.mulf %p, %f : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}
"""
_EVEN_ROWS = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.constant dense<0> : tensor<1xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %4 = stablehlo.constant dense<4> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %r = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %starts = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ends = stablehlo.concatenate %r, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %steps = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s = stablehlo.real_dynamic_slice %x, %starts, %ends, %steps : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %s : tensor<?x2xf32>
}
"""
_BITS = """
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xi32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<?x3xf32>) -> tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}
"""


def _rows_of_a_table(t: Array, i: Array, j: Array) -> list[Array]:
    n, first = len(t), i[:, 0].astype(int)
    wrapped = np.where(first < 0, first + n, first)
    t = t.astype(np.float32)
    return [t[np.clip(wrapped, 0, n - 1)], t[np.clip(j.astype(int), 0, n - 1)][None]]


def _numbers_of_sizes(x: Array, i: Array) -> list[Array]:
    n = len(x)
    table = -np.array([[n, n - 5], [n * (n - 5), 2]], np.int32)
    root, sums = np.sqrt(n + 0.5).astype(np.float32), (x + n).astype(np.float32)
    return [table, i.astype(np.int8) - np.int32(n).astype(np.int8), root, sums, np.array(n), np.array([n], np.int32)]


PROGRAMS = {
    "a bias by the shape": _Program(_SHAPE, lambda n: (numbers(n, (n, 8)), numbers(7, (8,))), lambda x, b: x + b),
    "a bias and relu": _Program(_BIAS, lambda n: (numbers(n, (n, 8)), numbers(7, (8,))), lambda x, b: np.maximum(x + b, 0)),
    "softmax": _Program(_SOFTMAX, lambda n: (numbers(n, (n, 33), per=4),), _softmax, 40),
    "a product": _Program(_PRODUCT, lambda n: (numbers(n, (n, 12)), numbers(8, (12, 10))), np.matmul),
    "sums of columns": _Program(_COLUMNS, lambda n: (numbers(n, (n, 7)),), lambda x: x.sum(0)),
    "a mean of columns": _Program(_MEAN, lambda n: (numbers(n, (n, 7)),), lambda x: x.mean(0), 4, 1),
    "a scan of rows": _Program(_SCAN, lambda n: (numbers(n, (n, 7)),), lambda x: x.cumsum(1)),
    "rows by indices": _Program(_ROWS, lambda n: (numbers(9, (20, 8)), numbers(n, (n, 1), np.int32, 0, 19)), lambda t, i: t[i[:, 0].astype(int)]),
    "rows of a table of any length": _Program(
        _TABLE, lambda n: (numbers(n, (n, 8)), numbers(n, (6, 1), np.int32, -20, 20), numbers(3, (2,), np.uint8, 0, 255)), _rows_of_a_table
    ),
    "dims that products pair": _Program(
        _PAIRS, lambda n: tuple(numbers(n + k, (n, 8), least=-2, most=2) for k in range(3)), lambda q, k, v: q @ k.T @ v
    ),
    "softmax of torch": _Program(_TORCH, lambda n: (numbers(n, (n, 33), per=4),), _softmax, 40),
    "sizes as numbers": _Program(
        _NUMBERS, lambda n: (numbers(n, (n, 3)), numbers(n, (4,), np.int8, -9, 9)), _numbers_of_sizes, 1
    ),
    "bits": _Program(_BITS, lambda n: (numbers(n, (n, 3)),), lambda x: [x.astype(np.float32).view(np.int32)]),
    "a size in a generic op": _Program(_DIVISOR, lambda n: (numbers(n, (n, 5)),), lambda x: x * len(x), 1),
    "a slice to the end": _Program(_EVEN_ROWS, lambda n: (numbers(n, (n, 4)),), lambda x: x[:, 1:4:2]),
    "a generic op": _Program(_GENERIC, lambda n: (numbers(n, (n, 5)), numbers(n + 1, (n, 5))), lambda x, y: x * y + x),
}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in PROGRAMS for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    program = PROGRAMS[name]
    compiled = asmgen.compile(program.text, target=machine)
    for size in SIZES:
        inputs = program.inputs(size)
        wanted: Any = program.reference(*[x.astype(np.float64) for x in inputs])
        results: list[Array] = [wanted.astype(np.float32)] if hasattr(wanted, "astype") else wanted
        agree(compiled(*inputs, device=chosen_device()), results, program.ulps, program.scale)
