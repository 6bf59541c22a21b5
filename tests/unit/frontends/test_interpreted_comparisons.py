"""Comparisons by each predicate of arith, in the interpreter of `--verify`."""

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
