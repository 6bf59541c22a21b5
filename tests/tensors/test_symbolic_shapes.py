"""Modules as `jax.export` writes them for symbolic shapes: their graphs at sizes, and the interpreter, compared with numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from asmgen.frontends.tensors.interpret import run_entry
from asmgen.frontends.tensors.lowering import graph_of
from asmgen.graph.array_sizes import sizes_of
from asmgen.graph.at_sizes import at_sizes
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import Rules, evaluate
from asmgen.mlir.file import read_module
from asmgen.mlir.tensor_functions import TensorText
from isa.diagnostics import InputError
from tests.tensors import semantics
from tests.tensors.case import Array, array, dense, numbers


class _Module(NamedTuple):
    """The body of @main, its inputs at a size, and its result in numpy. `size` is a dim that the first argument has."""

    name: str
    text: str
    inputs: Callable[[int], Sequence[Array]]
    reference: Callable[..., Array]


def _rows(n: int) -> Array:
    return numbers(621, (n, 6), per=4)


def _whole(*given: int) -> Array:
    return array(given, np.int32)


def _updated(x: Array, update: Array, at: int) -> Array:
    result = x.copy()
    at = int(np.clip(at, 0, x.shape[1] - update.shape[1]))
    result[:, at : at + update.shape[1]] = update
    return result


def _added(x: Array, places: Array, updates: Array) -> Array:
    result = x.copy()
    np.add.at(result, places[:, 0], updates)
    return result


def _set(x: Array, places: Array, updates: Array) -> Array:
    result = x.copy()
    for place, update in zip(places[:, 0], updates, strict=True):
        if 0 <= place < len(x):
            result[place] = update
    return result


def _pooled(x: Array) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, 2, 1)[:, ::2].max(-1)


_SIZE = "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>\n"
_LIST = "%n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
_DIV = """
func.func private @divide(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %q = stablehlo.divide %a, %b : tensor<i32>
  %s = stablehlo.sign %a : tensor<i32>
  %t = stablehlo.sign %b : tensor<i32>
  %c = stablehlo.compare NE, %s, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = stablehlo.remainder %a, %b : tensor<i32>
  %d = stablehlo.compare NE, %r, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %e = stablehlo.and %c, %d : tensor<i1>
  %p = stablehlo.subtract %q, %o : tensor<i32>
  %y = stablehlo.select %e, %p, %q : tensor<i1>, tensor<i32>
  return %y : tensor<i32>
}
func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %a, %b : tensor<f32>
  return %y : tensor<f32>
}
"""

_MODULES = (
    _Module(
        "a sort of rows, with constants outside of its comparator",
        """(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %q = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %y = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
%1 = stablehlo.compare EQ, %a, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %z, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %q, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %z, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %q, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n)],
        lambda x: np.sort(x, 1),
    ),
    _Module(
        "columns by indices: a gather with sizes as an operand",
        "(%x: tensor<?x6xf32>, %i: tensor<4x1xi32>) -> tensor<?x4xf32> {\n"
        + _SIZE
        + _LIST
        + """  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x6xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}""",
        lambda n: [_rows(n), _whole(5, 0, 9, -1).reshape(4, 1)],
        lambda x, i: x[:, np.clip(i[:, 0], 0, 5)],
    ),
    _Module(
        "an element of each row: a gather of two indices",
        """(%x: tensor<?x6xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
"""
        + _SIZE
        + _LIST
        + """  %m = stablehlo.get_dimension_size %i, dim = 0 : (tensor<?x1xi32>) -> tensor<i32>
  %c = stablehlo.compare EQ, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %m) {has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x1xi32>
  %j = stablehlo.concatenate %r, %i, dim = 1 : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  %y = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x6xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}""",
        lambda n: [_rows(n), array(np.arange(n) % 6, np.int32).reshape(n, 1)],
        lambda x, i: np.take_along_axis(x, i, 1)[:, 0],
    ),
    _Module(
        "the last row",
        "(%x: tensor<?x6xf32>) -> tensor<1x6xf32> {\n"
        + _SIZE
        + """  %o = stablehlo.constant dense<-1> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.compare LT, %o, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %p = stablehlo.add %o, %n : tensor<i32>
  %k = stablehlo.select %c, %p, %o : tensor<i1>, tensor<i32>
  %y = stablehlo.dynamic_slice %x, %k, %z, sizes = [1, 6] : (tensor<?x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  return %y : tensor<1x6xf32>
}""",
        lambda n: [_rows(n)],
        lambda x: x[-1:],
    ),
    _Module(
        "rows from a computed place",
        """(%x: tensor<?x6xf32>, %k: tensor<i32>) -> tensor<2x6xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_slice %x, %k, %z, sizes = [2, 6] : (tensor<?x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}""",
        lambda n: [_rows(n), array(n - 1, np.int32)],
        lambda x, k: x[int(np.clip(k, 0, len(x) - 2)) :][:2],
    ),
    _Module(
        "columns written at a computed place",
        """(%x: tensor<?x6xf32>, %u: tensor<?x2xf32>, %k: tensor<i32>) -> tensor<?x6xf32> {
"""
        + _SIZE
        + """  %m = stablehlo.get_dimension_size %u, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %c = stablehlo.compare EQ, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %m) {has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_update_slice %x, %u, %z, %k : (tensor<?x6xf32>, tensor<?x2xf32>, tensor<i32>, tensor<i32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n), numbers(622, (n, 2)), array(5, np.int32)],
        _updated,
    ),
    _Module(
        "rows added to a table, as the gradient of an embedding",
        """(%x: tensor<?x6xf32>, %i: tensor<?x1xi32>, %t: tensor<9x6xf32>) -> tensor<9x6xf32> {
"""
        + _SIZE
        + """  %m = stablehlo.get_dimension_size %i, dim = 0 : (tensor<?x1xi32>) -> tensor<i32>
  %c = stablehlo.compare EQ, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %m) {has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %y = "stablehlo.scatter"(%t, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9x6xf32>, tensor<?x1xi32>, tensor<?x6xf32>) -> tensor<9x6xf32>
  return %y : tensor<9x6xf32>
}""",
        lambda n: [_rows(n), array(np.arange(n) % 5, np.int32).reshape(n, 1), numbers(623, (9, 6), per=4)],
        lambda x, i, t: _added(t, i, x),
    ),
    _Module(
        "rows that are set; a place that does not exist changes nothing",
        """(%x: tensor<?x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>) -> tensor<?x6xf32> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<?x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n), _whole(1, 99, 0).reshape(3, 1), numbers(624, (3, 6))],
        _set,
    ),
    _Module(
        "sums of all rows so far",
        "(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {\n"
        + _SIZE
        + _LIST
        + """  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %m = stablehlo.subtract %n1, %o : tensor<1xi32>
  %l = stablehlo.concatenate %m, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %h = stablehlo.concatenate %z, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p = stablehlo.reshape %l : (tensor<2xi32>) -> tensor<1x2xi32>
  %q = stablehlo.reshape %h : (tensor<2xi32>) -> tensor<1x2xi32>
  %d = stablehlo.concatenate %p, %q, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %w = stablehlo.concatenate %n1, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s = stablehlo.concatenate %o, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %f, %w, %s, %s, %s, %d) {called_computations = [@add]} : (tensor<?x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n)],
        lambda x: np.cumsum(x, 0),
    ),
    _Module(
        "every other row: (n + 1) / 2 of them",
        "(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {\n"
        + _SIZE
        + """  %o = stablehlo.constant dense<1> : tensor<i32>
  %w = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.add %n, %o : tensor<i32>
  %q = call @divide(%m, %w) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %l = stablehlo.reshape %q : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %t = stablehlo.dynamic_broadcast_in_dim %w, %l, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %j = stablehlo.multiply %i, %t : tensor<?xi32>
  %y = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<?x6xf32>, tensor<?xi32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n)],
        lambda x: x[::2],
    ),
    _Module(
        "maxima of pairs in each row",
        """(%x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %l) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x6xf32>, tensor<f32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}""",
        lambda n: [_rows(n)],
        _pooled,
    ),
    _Module(
        "rows and columns of padding, also between columns",
        """(%x: tensor<?x6xf32>) -> tensor<?x12xf32> {
  %f = stablehlo.constant dense<2.0> : tensor<f32>
  %y = stablehlo.pad %x, %f, low = [1, 0], high = [2, 1], interior = [0, 1] : (tensor<?x6xf32>, tensor<f32>) -> tensor<?x12xf32>
  return %y : tensor<?x12xf32>
}""",
        lambda n: [_rows(n)],
        lambda x: semantics.pad(x, np.float32(2), low=(1, 0), high=(2, 1), interior=(0, 1)),
    ),
    _Module(
        "a convolution of a batch",
        """(%x: tensor<?x6xf32>, %w: tensor<3x1x2xf32>) -> tensor<?x4x2xf32> {
"""
        + _SIZE
        + _LIST
        + """  %a = stablehlo.constant dense<[6, 1]> : tensor<2xi32>
  %s = stablehlo.concatenate %n1, %a, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
  %y = stablehlo.convolution(%r, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x6x1xf32>, tensor<3x1x2xf32>) -> tensor<?x4x2xf32>
  return %y : tensor<?x4x2xf32>
}""",
        lambda n: [_rows(n), numbers(625, (3, 1, 2))],
        lambda x, w: np.lib.stride_tricks.sliding_window_view(x, 3, 1) @ w[:, 0],
    ),
    _Module(
        "columns turned, from a place that the program computes",
        "(%x: tensor<?x6xf32>, %k: tensor<i32>) -> tensor<?x6xf32> {\n"
        + _SIZE
        + """  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.remainder %k, %n : tensor<i32>
  %r1 = stablehlo.reshape %r : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.concatenate %r1, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.concatenate %n1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s = stablehlo.concatenate %o, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  %t = stablehlo.remainder %k, %n : tensor<i32>
  %t1 = stablehlo.reshape %t : (tensor<i32>) -> tensor<1xi32>
  %d = stablehlo.concatenate %z, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = stablehlo.concatenate %t1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %q = stablehlo.real_dynamic_slice %x, %d, %e, %s : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  %y = stablehlo.concatenate %p, %q, dim = 0 : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n), array(11, np.int32)],
        lambda x, k: np.roll(x, -int(k), 0),
    ),
    _Module(
        "all rows but two, from a place that the program computes",
        "(%x: tensor<?x6xf32>, %k: tensor<i32>) -> tensor<?x6xf32> {\n"
        + _SIZE
        + """  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %w = stablehlo.constant dense<-2> : tensor<i32>
  %m = stablehlo.add %n, %w : tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.concatenate %k1, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %l = stablehlo.concatenate %m1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.add %a, %l : tensor<2xi32>
  %s = stablehlo.concatenate %o, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}""",
        lambda n: [_rows(n), array(1, np.int32)],
        lambda x, k: x[1:-1],
    ),
)


_LOOP = """ {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %last = stablehlo.subtract %n, %one : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<6xf32>
  %w:5 = stablehlo.while(%a = %x, %i = %zero, %h = %half, %t = %half, %y = %x) : tensor<?x6xf32>, tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<?x6xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %at = AT : tensor<i32>
    %s = stablehlo.dynamic_slice %a, %at, %zero, sizes = [1, 6] : (tensor<?x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    %r = stablehlo.reshape %s : (tensor<1x6xf32>) -> tensor<6xf32>
    BODY
    %u = stablehlo.reshape %out : (tensor<6xf32>) -> tensor<1x6xf32>
    %v = stablehlo.dynamic_update_slice %y, %u, %at, %zero : (tensor<?x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<?x6xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %a, %j, %next, %total, %v : tensor<?x6xf32>, tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<?x6xf32>
  }
  %k:2 = stablehlo.optimization_barrier %w#3, %w#4 : tensor<6xf32>, tensor<?x6xf32>
  %m = stablehlo.dynamic_broadcast_in_dim %k#0, %shape, dims = [1] : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x6xf32>
  %o = stablehlo.add %m, %k#1 : tensor<?x6xf32>
  return %o : tensor<?x6xf32>
}"""
_SHAPE = """  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %six, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %w:5"""


def _loop(name: str, at: str, body: str, step: Callable[[Array, Array, Array], tuple[Array, Array, Array]], order: int = 1) -> _Module:
    """A loop over the rows of x that carries h and t and writes a row of y: `step` gives the three."""

    def reference(x: Array) -> Array:
        h = t = np.full(6, 0.5)
        y = np.zeros(x.shape)
        for place in range(len(x))[::order]:
            h, t, y[place] = step(h, t, x[place].astype(np.float64))
        return y + t

    lines = "\n".join(f"    %{line}{'' if ' : ' in line else ' : tensor<6xf32>'}" for line in body.split("; "))
    text = _LOOP.replace("AT", at).replace("BODY", lines).replace("  %w:5", _SHAPE, 1)
    return _Module(name, f"(%x: tensor<?x6xf32>) -> tensor<?x6xf32>{text}", lambda n: [_rows(n)], reference)


_DOWN = "stablehlo.subtract %last, %i"
_PAIR = "tensor<6xi1>, tensor<6xf32>"
_IS_LARGE = "m = stablehlo.compare GT, %r, %half : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>"
_IS_LATE = "c = stablehlo.compare GT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>"
_MATRIX = numbers(622, (6, 6), least=-2, most=2)
_SUMS = f"""z = stablehlo.constant dense<0.0> : tensor<f32>
    %f = stablehlo.constant {dense(_MATRIX)}
    %a0 = stablehlo.reduce(%r init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %a1 = stablehlo.dot_general %r, %r, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
    %a2 = stablehlo.add %a0, %a1 : tensor<f32>
    %b = stablehlo.broadcast_in_dim %a2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %c0 = stablehlo.dot_general %f, %r, contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %c1 = stablehlo.dot_general %r, %f, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6x6xf32>) -> tensor<6xf32>
    %c2 = stablehlo.dot_general %f, %r, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<6x6xf32>, tensor<6xf32>) -> tensor<6x6xf32>
    %c3 = stablehlo.reduce(%c2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
    %c4 = stablehlo.add %c0, %c1 : tensor<6xf32>
    %c5 = stablehlo.subtract %c4, %c3 : tensor<6xf32>"""


def _summed(h: Array, t: Array, r: Array) -> tuple[Array, Array, Array]:
    """The carried values and the row of _SUMS."""
    matrix = _MATRIX.astype(np.float64)
    c = matrix @ r + r @ matrix - (matrix * r[:, None]).sum(1)
    return h * 0.5 + c, t + max(r.max(), 0) + r @ r, c


_ROW = "tensor<6xf32>"
_BRANCHES = f"""c = stablehlo.slice %r [0:1] : ({_ROW}) -> tensor<1xf32>
    %d = stablehlo.slice %r [1:6] : ({_ROW}) -> tensor<5xf32>
    %e = stablehlo.concatenate %d, %c, dim = 0 : (tensor<5xf32>, tensor<1xf32>) -> {_ROW}
    %f = stablehlo.slice %e [0:6:5] : ({_ROW}) -> tensor<2xf32>
    %p = stablehlo.concatenate %f, %f, %f, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> {_ROW}
    %first = stablehlo.reshape %c : (tensor<1xf32>) -> tensor<f32>
    %zf = stablehlo.constant dense<0.0> : tensor<f32>
    %g = stablehlo.compare GT, %first, %zf : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %k = stablehlo.convert %g : (tensor<i1>) -> tensor<i32>
    %number = stablehlo.convert %first : (tensor<f32>) -> tensor<i32>
    %next = "stablehlo.case"(%k) ({{
      %1 = stablehlo.multiply %h, %half : {_ROW}
      stablehlo.return %1 : {_ROW}
    }}, {{
      %1 = stablehlo.add %h, %r : {_ROW}
      stablehlo.return %1 : {_ROW}
    }}) : (tensor<i32>) -> {_ROW}
    %total = "stablehlo.if"(%g) ({{
      stablehlo.return %t : {_ROW}
    }}, {{
      stablehlo.return %p : {_ROW}
    }}) : (tensor<i1>) -> {_ROW}
    %out = "stablehlo.case"(%number) ({{
      stablehlo.return %e : {_ROW}
    }}, {{
      %1 = stablehlo.negate %p : {_ROW}
      stablehlo.return %1 : {_ROW}
    }}, {{
      %1 = stablehlo.cosine %r : {_ROW}
      stablehlo.return %1 : {_ROW}
    }}) : (tensor<i32>) -> {_ROW}"""


def _branched(h: Array, t: Array, r: Array) -> tuple[Array, Array, Array]:
    """The carried values and the row of _BRANCHES."""
    e = np.roll(r, -1)
    p, number = np.tile(e[::5], 3), int(r[0])
    out = (e, -p)[number] if number in (0, 1) else np.cos(r)
    return h + r if r[0] > 0 else h * 0.5, t if r[0] > 0 else p, out


_LOOPS = (
    _loop("branches, slices and concatenations", "stablehlo.add %i, %zero", _BRANCHES, _branched),
    _loop(
        "sums and products of a row", "stablehlo.add %i, %zero",
        f"{_SUMS}; p = stablehlo.multiply %h, %half; next = stablehlo.add %p, %c5; total = stablehlo.add %t, %b; out = stablehlo.negate %c5",
        lambda h, t, r: (*_summed(h, t, r)[:2], -_summed(h, t, r)[2]),
    ),
    _loop(
        "a recurrence, a sum of what it was before, and what both were", "stablehlo.add %i, %zero",
        "p = stablehlo.multiply %h, %half; g = stablehlo.convert %p; next = stablehlo.add %g, %r; total = stablehlo.add %t, %h; out = stablehlo.subtract %total, %h",
        lambda h, t, r: (h * 0.5 + r, t + h, t),
    ),
    _loop(
        "extremes from the end", _DOWN,
        "next = stablehlo.maximum %r, %h; total = stablehlo.minimum %t, %r; out = stablehlo.add %next, %total",
        lambda h, t, r: (np.maximum(h, r), np.minimum(t, r), np.maximum(h, r) + np.minimum(t, r)), -1,
    ),
    _loop(
        "a difference from the carried value, and the value of the trip before", _DOWN,
        "d = stablehlo.subtract %r, %h; e = stablehlo.multiply %d, %half; next = stablehlo.add %h, %e; total = stablehlo.negate %r; out = stablehlo.subtract %t, %h",
        lambda h, t, r: (h + (r - h) * 0.5, -r, t - h), -1,
    ),
    _loop(
        "a sum that alternates", "stablehlo.add %i, %zero",
        "next = stablehlo.subtract %r, %h; total = stablehlo.subtract %t, %r; out = stablehlo.cosine %h",
        lambda h, t, r: (r - h, t - r, np.cos(h)),
    ),
    _loop(
        "a sum and a recurrence of chosen rows", "stablehlo.add %i, %zero",
        f"{_IS_LARGE}; p = stablehlo.add %h, %r; next = stablehlo.select %m, %p, %h : {_PAIR}; b = stablehlo.multiply %t, %half; d = stablehlo.add %t, %r; total = stablehlo.select %m, %d, %b : {_PAIR}; out = stablehlo.negate %h",
        lambda h, t, r: (np.where(r > 0.5, h + r, h), np.where(r > 0.5, t + r, t * 0.5), -h),
    ),
    _loop(
        "the latest of chosen elements, and of chosen rows", "stablehlo.add %i, %zero",
        f"{_IS_LARGE}; next = stablehlo.select %m, %r, %h : {_PAIR}; total = stablehlo.add %t, %half; out = stablehlo.add %h, %next",
        lambda h, t, r: (np.where(r > 0.5, r, h), t + 0.5, h + np.where(r > 0.5, r, h)),
    ),
    _loop(
        "the row of the first two trips", "stablehlo.add %i, %zero",
        f"{_IS_LATE}; next = stablehlo.select %c, %h, %r : tensor<i1>, tensor<6xf32>; total = stablehlo.add %t, %half; out = stablehlo.negate %next",
        lambda h, t, r: (np.where(t > 1.25, h, r), t + 0.5, -np.where(t > 1.25, h, r)),
    ),
    _loop(
        "quotients of the carried value", _DOWN,
        "e = stablehlo.exponential %r; d = stablehlo.divide %h, %e; next = stablehlo.add %d, %r; total = stablehlo.divide %t, %e; out = stablehlo.negate %h",
        lambda h, t, r: (h / np.exp(r) + r, t / np.exp(r), -h), -1,
    ),
    _loop(
        "a product", "stablehlo.add %i, %zero",
        "next = stablehlo.multiply %h, %r; total = stablehlo.add %t, %r; out = stablehlo.negate %h",
        lambda h, t, r: (h * r, t + r, -h),
    ),
)  # fmt: skip


@pytest.mark.parametrize("module", (*_MODULES, *_LOOPS), ids=lambda module: module.name)
@pytest.mark.parametrize("n", [3, 8])
def test_graphs_at_sizes_agree_with_numpy(module: _Module, n: int) -> None:
    text = TensorText(f"func.func @main{module.text}{_DIV}", "symbolic.mlir")
    graph = graph_of(read_module(text.text, text.file))
    given = list(module.inputs(n))
    parameters = [each for each in graph.modules[0].statements if each.op is PARAM]
    at_size = at_sizes(graph, sizes_of(parameters, [each.shape for each in given]))
    (made,) = evaluate(at_size, given, Rules())
    wanted = module.reference(*given)
    for got in (made.value, *run_entry(text, given)):
        assert got.shape == wanted.shape
        np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(wanted, np.float64), rtol=1e-6, atol=1e-6)


def test_carried_values_of_no_trips_are_those_before_the_loop() -> None:
    (loop, *_) = _LOOPS
    graph = graph_of(read_module(f"func.func @main{loop.text.replace('return %o : tensor<?x6xf32>', 'return %k#0 : tensor<6xf32>').replace('-> tensor<?x6xf32> {', '-> tensor<6xf32> {', 1)}", "loop.mlir"))
    parameters = [each for each in graph.modules[0].statements if each.op is PARAM]
    none = np.zeros((0, 6), np.float32)
    (made,) = evaluate(at_sizes(graph, sizes_of(parameters, [none.shape])), [none], Rules())
    assert (made.value == np.full(6, 0.5)).all()


def test_a_part_without_a_size_is_refused_at_its_slice() -> None:
    text = """func.func @main(%x: tensor<?x6xf32>, %k: tensor<i32>) -> tensor<?x6xf32> {
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %s = stablehlo.constant dense<1> : tensor<2xi32>
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %a = stablehlo.concatenate %z, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.concatenate %k1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}"""
    with pytest.raises(InputError, match=r"symbolic.mlir:8:8: error\[TNS003\].*the numbers of the program give its size along axis 0"):
        graph_of(read_module(text, "symbolic.mlir"))


_TURNED = next(module.text for module in _MODULES if module.name.startswith("columns turned"))


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("%t = stablehlo.remainder %k, %n", "%t = stablehlo.remainder %n, %k"),
        ("%q = stablehlo.real_dynamic_slice %x,", "%w = stablehlo.negate %x : tensor<?x6xf32>\n  %q = stablehlo.real_dynamic_slice %w,"),
        ("stablehlo.concatenate %p, %q", "stablehlo.concatenate %q, %p"),
    ],
)
def test_parts_of_other_places_arrays_or_orders_are_not_turned(part: str, other: str) -> None:
    assert part in _TURNED
    with pytest.raises(InputError, match=r"error\[TNS003\].*the numbers of the program give its size along axis 0"):
        graph_of(read_module(f"func.func @main{_TURNED.replace(part, other)}{_DIV}", "symbolic.mlir"))
