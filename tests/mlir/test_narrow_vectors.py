"""Vectors of 8 and 16 bits are taken apart and put together without an instruction if no element moves."""

from __future__ import annotations

import pytest

import asmgen
from isa.instruction import Unit
from tests.machine_code import code_of

KERNEL = """gpu.module @m {{
  gpu.func @k(%x: memref<512x{element}>, %z: memref<512x{element}>) kernel attributes {{gpu.known_block_size = array<i32: 64, 1, 1>}} {{
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %at = arith.muli %t, %c8 : index
    %v = vector.load %x[%at] : memref<512x{element}>, vector<8x{element}>
    {body}
    vector.store %w, %z[%at] : memref<512x{element}>, vector<8x{element}>
    gpu.return
  }}
}}
"""
HALVES = """%low = vector.shuffle %v, %v [0, 1, 2, 3] : vector<8x{element}>, vector<8x{element}>
    %high = vector.shuffle %v, %v [4, 5, 6, 7] : vector<8x{element}>, vector<8x{element}>
    %w = vector.shuffle %low, %high [{numbers}] : vector<4x{element}>, vector<4x{element}>"""
IN_ORDER, MIXED = "0, 1, 2, 3, 4, 5, 6, 7", "0, 4, 1, 5, 2, 6, 3, 7"


def instructions(element: str, numbers: str) -> int:
    """The vector instructions of a kernel that puts the halves of a vector together."""
    body = HALVES.format(element=element, numbers=numbers)
    (kernel,) = asmgen.compile(KERNEL.format(element=element, body=body), target="gfx942").kernels
    return sum(instr.row.unit is Unit.VALU for instr in code_of(kernel.assembly, "gfx942"))


@pytest.mark.parametrize("element, registers", [("f16", 4), ("bf16", 4), ("i8", 2)])
def test_only_elements_that_move_cost_an_instruction(element: str, registers: int) -> None:
    assert instructions(element, MIXED) - instructions(element, IN_ORDER) == registers
    assert instructions(element, IN_ORDER) <= 2  # the address
