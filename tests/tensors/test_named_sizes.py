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
PROGRAMS = {
    "a bias and relu": _Program(_BIAS, lambda n: (numbers(n, (n, 8)), numbers(7, (8,))), lambda x, b: np.maximum(x + b, 0)),
    "softmax": _Program(_SOFTMAX, lambda n: (numbers(n, (n, 33), per=4),), _softmax, 40),
    "a product": _Program(_PRODUCT, lambda n: (numbers(n, (n, 12)), numbers(8, (12, 10))), np.matmul),
    "sums of columns": _Program(_COLUMNS, lambda n: (numbers(n, (n, 7)),), lambda x: x.sum(0)),
    "a generic op": _Program(_GENERIC, lambda n: (numbers(n, (n, 5)), numbers(n + 1, (n, 5))), lambda x, y: x * y + x),
}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in PROGRAMS for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    program = PROGRAMS[name]
    compiled = asmgen.compile(program.text, target=machine)
    for size in SIZES:
        inputs = program.inputs(size)
        wanted: Any = program.reference(*[x.astype(np.float64) for x in inputs])
        agree(compiled(*inputs, device=chosen_device()), [wanted.astype(np.float32)], program.ulps, program.scale)
