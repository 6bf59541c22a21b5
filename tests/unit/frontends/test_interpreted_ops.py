"""Comparisons by each predicate of arith and by the order of top_k, and sums, in the interpreter of `--verify`."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.frontends.tensors.interpret.run import run_entry
from asmgen.mlir.tensor_functions import TensorText

# by predicate: is it true of 1 and 2, 2 and 1, 1 and 1, NaN and 1?
FLOATS = {
    "false": "0000", "oeq": "0010", "ogt": "0100", "oge": "0110", "olt": "1000", "ole": "1010", "one": "1100", "ord": "1110",
    "ueq": "0011", "ugt": "0101", "uge": "0111", "ult": "1001", "ule": "1011", "une": "1101", "uno": "0001", "true": "1111",
}  # fmt: skip
# by predicate: is it true of 1 and 2, 2 and 1, 1 and 1, -1 and 1?
INTEGERS = {
    "eq": "0010", "ne": "1101", "slt": "1001", "sle": "1011", "sgt": "0100", "sge": "0110", "ult": "1000", "ule": "1010",
    "ugt": "0101", "uge": "0111",
}  # fmt: skip
KINDS = [("cmpf", "f32", np.nan, np.float32, FLOATS), ("cmpi", "i32", -1, np.int32, INTEGERS)]


@pytest.mark.parametrize(("op", "element", "last", "dtype", "wanted"), KINDS, ids=["cmpf", "cmpi"])
def test_each_predicate(op: str, element: str, last: float, dtype: type, wanted: dict[str, str]) -> None:
    tensor, results = f"tensor<4x{element}>", ", ".join(["tensor<4xi1>"] * len(wanted))
    lines = [f"%{number} = arith.{op} {predicate}, %a, %b : {tensor}" for number, predicate in enumerate(wanted)]
    names = ", ".join(f"%{number}" for number in range(len(wanted)))
    text = f"func.func @main(%a: {tensor}, %b: {tensor}) -> ({results}) {{\n" + "\n".join(lines) + f"\nreturn {names} : {results}\n}}\n"
    found = run_entry(TensorText(text, "test.mlir"), [np.array([1, 2, 1, last], dtype), np.array([2, 1, 1, 1], dtype)])
    assert dict(zip(wanted, ("".join(map(str, np.asarray(each).astype(int))) for each in found), strict=True)) == wanted


def test_the_largest_elements_begin_with_nan() -> None:
    row, places = "tensor<6xf32>", "tensor<6xi32>"
    top = f"%v, %p = chlo.top_k(%a, k = 6) : {row} -> ({row}, {places})"
    text = f"func.func @main(%a: {row}) -> {places} {{\n{top}\nreturn %p : {places}\n}}\n"
    x = np.array([1, np.inf, np.nan, -1, -0.0, 0], np.float32)
    (found,) = run_entry(TensorText(text, "test.mlir"), [x])
    assert found.tolist() == [2, 1, 0, 5, 4, 3]


def test_a_product_that_is_added_is_not_rounded() -> None:
    """1 + 6 u + 9 u^2 - 1 for u = 2^-10: a rounded square would be 1 + 6 u."""
    maps = "affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>"
    text = f"""func.func @main(%a: tensor<2xf16>, %b: tensor<2xf16>, %c: tensor<f16>) -> tensor<f16> {{
  %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["reduction"]}}
      ins(%a, %b : tensor<2xf16>, tensor<2xf16>) outs(%c : tensor<f16>) {{
  ^bb0(%x: f16, %y: f16, %z: f16):
    %p = arith.mulf %x, %y : f16
    %s = arith.addf %z, %p : f16
    linalg.yield %s : f16
  }} -> tensor<f16>
  return %0 : tensor<f16>
}}
"""
    u = 2.0**-10
    a, b = np.array([1 + 3 * u, -1], np.float16), np.array([1 + 3 * u, 1], np.float16)
    (found,) = run_entry(TensorText(text, "test.mlir"), [a, b, np.zeros((), np.float16)])
    assert found == np.float16(6 * u + 9 * u * u) != 6 * u


@pytest.mark.parametrize(
    "line",
    [
        "%r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1025xf64>, tensor<f64>) -> tensor<f64>",
        "%r = stablehlo.dot %x, %x : (tensor<1025xf64>, tensor<1025xf64>) -> tensor<f64>",
    ],
)
def test_sums_of_f64_do_not_depend_on_their_order(line: str) -> None:
    """Kernels add in an order of their own, and their bound is for that order: each small term would be lost after 1."""
    text = f"func.func @main(%x: tensor<1025xf64>, %z: tensor<f64>) -> tensor<f64> {{\n  {line}\n  return %r : tensor<f64>\n}}"
    x = np.full(1025, 2.0**-27 if "dot" in line else 2.0**-54)
    x[0] = 1
    (found,) = run_entry(TensorText(text, "test.mlir"), [x, np.zeros(())])
    assert found == 1 + 2.0**-44
