"""Index arithmetic that becomes gathers and scatters of the graph, with indices on both sides of each limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.rows import MACHINES, spread
from tests.tensors.case import BF16, Array, array, numbers
from tests.tensors.running import agree, results

INDICES = array([2, -1, -9, 8, -10, 9, 100, -(1 << 31), (1 << 31) - 1], np.int32)
X, U = numbers(61, (9, 5)), numbers(62, (9, 5))
WRAPPED = """%z = stablehlo.constant dense<0> : tensor<9xi32>
%n = stablehlo.constant dense<9> : tensor<9xi32>
%neg = stablehlo.compare LT, %i, %z, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
%w = stablehlo.add %i, %n : tensor<9xi32>
%k = stablehlo.select %neg, %w, %i : tensor<9xi1>, tensor<9xi32>
%j = stablehlo.reshape %k : (tensor<9xi32>) -> tensor<9x1xi32>
"""
PLAIN = "%j = stablehlo.reshape %i : (tensor<9xi32>) -> tensor<9x1xi32>\n"
GATHER = """%r = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
  start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<9x1xi32>) -> tensor<9x5xf32>
"""
SCATTER = """%r = "stablehlo.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
  inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = stablehlo.add %a, %b : tensor<f32>
  stablehlo.return BODY : tensor<f32>
}) : (tensor<9x5xf32>, tensor<9x1xi32>, tensor<9x5xf32>) -> tensor<9x5xf32>
"""


def wrapped(i: Array) -> Array:
    return np.where(i < 0, i + np.int32(9), i)


def scattered(i: Array, adds: bool) -> Array:
    result = X.copy()
    for row, index in enumerate(i):
        if 0 <= index < 9:
            result[index] = U[row] + (result[index] if adds else 0)
    return result


CASES: dict[str, tuple[str, Array]] = {
    "gather": (PLAIN + GATHER, X[np.clip(INDICES, 0, 8)]),
    "gather of wrapped": (WRAPPED + GATHER, X[np.clip(wrapped(INDICES), 0, 8)]),
    "scatter": (PLAIN + SCATTER.replace("BODY", "%b"), scattered(INDICES, False)),
    "scatter of wrapped": (WRAPPED + SCATTER.replace("BODY", "%b"), scattered(wrapped(INDICES), False)),
    "addition": (PLAIN + SCATTER.replace("BODY", "%s"), scattered(INDICES, True)),
    "addition of wrapped": (WRAPPED + SCATTER.replace("BODY", "%s"), scattered(wrapped(INDICES), True)),
}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in CASES for machine in MACHINES], each=1))
def test_rows_by_indices(machine: str, name: str) -> None:
    body, wanted = CASES[name]
    head = "func.func @main(%x: tensor<9x5xf32>, %i: tensor<9xi32>, %u: tensor<9x5xf32>) -> tensor<9x5xf32> {\n"
    agree(results(f"{head}{body}return %r : tensor<9x5xf32>\n}}\n", (X, INDICES, U), machine), [wanted])


@pytest.mark.parametrize("start", [-3, 0, 2, 6, 7])
def test_a_block_at_a_known_place(start: int) -> None:
    """An update clamps its place; a scatter leaves out a block that is not inside."""
    text = f"""func.func @main(%x: tensor<9x5xf32>, %u: tensor<3x5xf32>) -> (tensor<9x5xf32>, tensor<9x5xf32>) {{
  %i = stablehlo.constant dense<{start}> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<9x5xf32>, tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<9x5xf32>
  %j = stablehlo.constant dense<{start}> : tensor<1xi32>
  %q = "stablehlo.scatter"(%x, %j, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }}) : (tensor<9x5xf32>, tensor<1xi32>, tensor<3x5xf32>) -> tensor<9x5xf32>
  return %p, %q : tensor<9x5xf32>, tensor<9x5xf32>
}}
"""
    first = min(max(start, 0), 6)
    updated = np.concatenate([X[:first], U[:3], X[first + 3 :]])
    agree(results(text, (X, U[:3]), "gfx942"), [updated, updated if first == start else X])


EXTRACT = """
func.func @main(%x: tensor<9x5xf32>, %i: tensor<9xi64>) -> (tensor<9x5xf32>, tensor<9x5xf32>) {
  %e = tensor.empty() : tensor<9x5xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%i : tensor<9xi64>) outs(%e, %e : tensor<9x5xf32>, tensor<9x5xf32>) {
  ^bb0(%a: i64, %b: f32, %c: f32):
    %k = arith.index_cast %a : i64 to index
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %p = tensor.extract %x[%k, %column] : tensor<9x5xf32>
    %q = tensor.extract %x[%row, %k] : tensor<9x5xf32>
    linalg.yield %p, %q : f32, f32
  } -> (tensor<9x5xf32>, tensor<9x5xf32>)
  return %r#0, %r#1 : tensor<9x5xf32>, tensor<9x5xf32>
}
"""


def test_elements_by_an_index_and_a_loop() -> None:
    i = INDICES.astype(np.int64)
    rows, columns = X[np.clip(i, 0, 8)], np.repeat(X[np.arange(9), np.clip(i, 0, 4)][:, None], 5, 1)
    agree(results(EXTRACT, (X, i), "gfx1100"), [rows, columns])


@pytest.mark.parametrize("element", ["f32", "bf16", "f64", "i8", "ui64"])
def test_less_or_equal_is_one_comparison(element: str) -> None:
    kind = "FLOAT" if "f" in element else "UNSIGNED" if element[0] == "u" else "SIGNED"
    t = f"tensor<4x33x{element}>"
    text = f"""func.func @main(%a: {t}, %b: {t}) -> (tensor<4x33xi1>, tensor<4x33xi1>) {{
  %0 = stablehlo.compare LE, %a, %b, {kind} : ({t}, {t}) -> tensor<4x33xi1>
  %1 = stablehlo.compare GE, %a, %b, {kind} : ({t}, {t}) -> tensor<4x33xi1>
  return %0, %1 : tensor<4x33xi1>, tensor<4x33xi1>
}}
"""
    a: Any = numbers(63, (4, 33), least=-3, most=3)
    b: Any = numbers(64, (4, 33), least=-3, most=3)
    dtype = {"f32": np.float32, "bf16": BF16, "f64": np.float64, "i8": np.int8, "ui64": np.uint64}[element]
    if kind == "FLOAT":
        a[0, :3], b[0, 2:5] = np.nan, np.nan
    a, b = [(np.abs(each) if kind == "UNSIGNED" else each).astype(dtype) for each in (a, b)]
    with np.errstate(invalid="ignore"):
        wanted = [a <= b, a >= b]
    agree(results(text, (a, b), "gfx1201"), wanted)
