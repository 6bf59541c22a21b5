"""Each way in which `scf.while` is lowered (asmgen.mlir.lowering.control.while_loops), next to numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import FEW, launch

_COUNT = 96


def kernel(body: str) -> str:
    return f"""gpu.module @m {{
  gpu.func @k(%data: memref<?xi32>, %out: memref<?xi32>) kernel {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = gpu.global_id x
    %value = memref.load %data[%i] : memref<?xi32>
{body}
    memref.store %result, %out[%i] : memref<?xi32>
    gpu.return
  }}
}}
"""


# the values that pass on are not those that the loop carries, and are of another type
TESTS_BY_ARITHMETIC = """
    %end:2 = scf.while (%x = %value, %n = %zero) : (i32, i32) -> (i32, index) {
      %half = arith.shrui %x, %one : i32
      %go = arith.cmpi ugt, %half, %one : i32
      %at = arith.index_cast %n : i32 to index
      scf.condition(%go) %half, %at : i32, index
    } do {
    ^bb0(%half: i32, %at: index):
      %n = arith.index_cast %at : index to i32
      %next = arith.addi %n, %one : i32
      scf.yield %half, %next : i32, i32
    }
    %trips = arith.index_cast %end#1 : index to i32
    %hundred = arith.constant 100 : i32
    %scaled = arith.muli %trips, %hundred : i32
    %result = arith.addi %scaled, %end#0 : i32"""

# the test loads: a chain of indices through memory, to the first that is 0
TESTS_BY_LOAD = """
    %first = arith.index_cast %value : i32 to index
    %end:2 = scf.while (%at = %first, %n = %zero) : (index, i32) -> (i32, i32) {
      %next = memref.load %data[%at] : memref<?xi32>
      %go = arith.cmpi ne, %next, %zero : i32
      scf.condition(%go) %next, %n : i32, i32
    } do {
    ^bb0(%next: i32, %n: i32):
      %counted = arith.addi %n, %one : i32
      %at = arith.index_cast %next : i32 to index
      scf.yield %at, %counted : index, i32
    }
    %result = arith.addi %end#1, %end#0 : i32"""

# all of it in the test, as a do-while has it
EMPTY_BODY = """
    %end:2 = scf.while (%x = %value, %n = %zero) : (i32, i32) -> (i32, i32) {
      memref.store %n, %out[%i] : memref<?xi32>
      %half = arith.shrui %x, %one : i32
      %counted = arith.addi %n, %one : i32
      %go = arith.cmpi ne, %half, %zero : i32
      scf.condition(%go) %half, %counted : i32, i32
    } do {
    ^bb0(%x: i32, %n: i32):
      scf.yield %x, %n : i32, i32
    }
    %result = arith.addi %end#1, %end#0 : i32"""

SWAPPED_BODY = """
    %first = arith.addi %value, %one : i32
    %end:2 = scf.while (%x = %first, %y = %one) : (i32, i32) -> (i32, i32) {
      memref.store %x, %out[%i] : memref<?xi32>
      %sum = arith.addi %x, %y : i32
      %most = arith.constant 1000 : i32
      %go = arith.cmpi ult, %sum, %most : i32
      scf.condition(%go) %sum, %x : i32, i32
    } do {
    ^bb0(%x: i32, %y: i32):
      scf.yield %y, %x : i32, i32
    }
    %result = arith.subi %end#0, %end#1 : i32"""

# the carried value changes in memory of the lane, in both regions
PRIVATE = """
    %own = memref.alloca() : memref<2xi32>
    memref.store %value, %own[%c0] : memref<2xi32>
    memref.store %zero, %own[%c1] : memref<2xi32>
    scf.while : () -> () {
      %x = memref.load %own[%c0] : memref<2xi32>
      %half = arith.shrui %x, %one : i32
      memref.store %half, %own[%c0] : memref<2xi32>
      %go = arith.cmpi ne, %half, %zero : i32
      scf.condition(%go)
    } do {
      %n = memref.load %own[%c1] : memref<2xi32>
      %counted = arith.addi %n, %one : i32
      memref.store %counted, %own[%c1] : memref<2xi32>
      scf.yield
    }
    %result = memref.load %own[%c1] : memref<2xi32>"""

# the number of trips is known, and what passes on changes
WRITTEN_OUT = """
    %c40 = arith.constant 40 : index
    %end:2 = scf.while (%at = %c40, %sum = %value) : (index, i32) -> (index, i32) {
      %go = arith.cmpi ugt, %at, %c1 : index
      %less = arith.divui %at, %c2 : index
      scf.condition(%go) %less, %sum : index, i32
    } do {
    ^bb0(%less: index, %sum: i32):
      %number = arith.index_cast %less : index to i32
      %twice = arith.addi %sum, %sum : i32
      %next = arith.addi %twice, %number : i32
      scf.yield %less, %next : index, i32
    }
    %result = arith.addi %end#1, %one : i32""".replace("%c40 =", "%c2 = arith.constant 2 : index\n    %c40 =")

LONG = "\n".join(f"      memref.store %x, %out[%i] : memref<?xi32>\n      %x{n} = arith.addi %x, %one : i32" for n in range(40))
BRANCH = f"""
    %end = scf.while (%x = %value) : (i32) -> i32 {{
{LONG}
      %most = arith.constant 1000 : i32
      %go = arith.cmpi ult, %x, %most : i32
      scf.condition(%go) %x39 : i32
    }} do {{
    ^bb0(%x: i32):
      %three = arith.constant 3 : i32
      %next = arith.muli %x, %three : i32
      scf.yield %next : i32
    }}
    %result = arith.addi %end, %zero : i32"""


def by_arithmetic(x: int, _: Any) -> int:
    n = 0
    while (x := x >> 1) > 1:
        n += 1
    return 100 * n + x


def by_load(x: int, data: Any) -> int:
    n = 0
    while (following := int(data[x])) != 0:
        n, x = n + 1, following
    return n


def empty_body(x: int, _: Any) -> int:
    return max(x.bit_length(), 1)


def swapped(x: int, _: Any) -> int:
    x, y = x + 1, 1
    while True:
        x, y = x + y, x
        if x >= 1000:
            return x - y
        x, y = y, x


def private(x: int, _: Any) -> int:
    return max(x.bit_length() - 1, 0)


def written_out(x: int, _: Any) -> int:
    for number in (20, 10, 5, 2, 1):
        x = 2 * x + number
    return x + 1


def with_branch(x: int, _: Any) -> int:
    while x < 1000:
        x = 3 * (x + 1)
    return x + 1


CASES: dict[str, tuple[str, Callable[[int, Any], int]]] = {
    "by arithmetic": (TESTS_BY_ARITHMETIC, by_arithmetic),
    "by load": (TESTS_BY_LOAD, by_load),
    "empty body": (EMPTY_BODY, empty_body),
    "swapped": (SWAPPED_BODY, swapped),
    "private": (PRIVATE, private),
    "written out": (WRITTEN_OUT, written_out),
    "branch": (BRANCH, with_branch),
}


@pytest.mark.parametrize("name", list(CASES))
def test_result(name: str) -> None:
    text, truth = CASES[name]
    # a chain that ends in 0 from wherever it begins
    data = np.array([max(0, i // 2 - i % 3) for i in range(_COUNT)], np.int32)
    target = FEW[list(CASES).index(name) % len(FEW)]
    _, found = launch(kernel(text), (2, 1, 1), (_COUNT // 2, 1, 1), [data, np.zeros(_COUNT, np.int32)], target)
    np.testing.assert_array_equal(found, [truth(int(x), data) for x in data])


@pytest.mark.parametrize(("name", "loops"), [("written out", 0), ("by arithmetic", 1), ("by load", 1), ("empty body", 1)])
def test_loops(name: str, loops: int) -> None:
    """A loop has one branch, at its end, and no `if` in it."""
    (made,) = asmgen.compile(kernel(CASES[name][0]), target="gfx942").kernels
    assert made.assembly.count("s_cbranch_execnz") == loops
    assert made.assembly.count("s_and_saveexec") == 0
