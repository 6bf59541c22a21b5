"""Short branches become choices, long branches and those with effects do not, next to numpy."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import ALL, launch
from tests.rows import spread


def kernel(then: str, otherwise: str, type_: str = "i32", before: str = "") -> str:
    return f"""gpu.module @m {{
  gpu.func @k(%x: memref<?x{type_}>, %out: memref<?x{type_}>) kernel {{
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<?x{type_}>
    %two = arith.constant {"2.0" if type_[0] == "f" else "2"} : {type_}
    %bit = arith.constant 1 : index
    %low = arith.andi %i, %bit : index
    %odd = arith.cmpi eq, %low, %bit : index{before}
    %r = scf.if %odd -> ({type_}) {{
      {then}
      scf.yield %a : {type_}
    }} else {{
      {otherwise}
      scf.yield %b : {type_}
    }}
    memref.store %r, %out[%i] : memref<?x{type_}>
    gpu.return
  }}
}}
"""


TWICE, HALF = "%a = arith.muli %v, %two : i32", "%b = arith.divui %v, %two : i32"
LONG = "%p = arith.muli %v, %v : i32\n%q = arith.addi %p, %two : i32\n%s = arith.muli %q, %v : i32\n%b = arith.xori %s, %two : i32"
STORED = "memref.store %two, %x[%i] : memref<?xi32>\n%b = arith.divui %v, %two : i32"
# the private memory that a side changes is chosen, too
PRIVATE = "\n    %c = arith.constant 0 : index\n    %own = memref.alloca() : memref<1xi32>\n    memref.store %v, %own[%c] : memref<1xi32>"
CHANGED = "memref.store %two, %own[%c] : memref<1xi32>\n%a = arith.addi %v, %two : i32"
CASES: dict[str, tuple[str, bool]] = {
    "short": (kernel(TWICE, HALF), True),
    "long": (kernel(TWICE, LONG), False),
    "a store": (kernel(TWICE, STORED), False),
    "a quotient by 3": (kernel("%t = arith.constant 3 : i32\n%a = arith.divui %v, %t : i32", HALF), False),
    "64 bits": (kernel(TWICE.replace("i32", "i64"), HALF.replace("i32", "i64"), "i64"), False),
    "floats": (kernel("%a = arith.mulf %v, %two : f32", "%b = arith.subf %two, %v : f32", "f32"), True),
    "private memory": (kernel(CHANGED, "%b = memref.load %own[%c] : memref<1xi32>", before=PRIVATE), True),
}


def _wanted(name: str, v: np.ndarray) -> np.ndarray:
    odd = np.arange(v.size) % 2 == 1
    first = {"a quotient by 3": v // 3, "private memory": v + 2}.get(name, 2 * v)
    second = {"long": (v * v + 2) * v ^ 2 if v.dtype != np.float32 else v, "floats": 2 - v, "private memory": v}.get(name, v // 2)
    return np.where(odd, first, second)


@pytest.mark.parametrize(("target", "name"), spread([(target, name) for name in CASES for target in ALL], 1))
def test_choice(target: str, name: str) -> None:
    text, is_chosen = CASES[name]
    dtype = {"64 bits": np.int64, "floats": np.float32}.get(name, np.int32)
    v = np.arange(5, 75).astype(dtype)
    found = launch(text, (2, 1, 1), (35, 1, 1), [v, np.zeros_like(v)], target)[1]
    np.testing.assert_array_equal(found, _wanted(name, v))
    (made,) = asmgen.compile(text, target=target).kernels
    assert ("saveexec" not in made.assembly) is is_chosen
