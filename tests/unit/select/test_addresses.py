"""What makes an address is computed once, and in as few instructions as it takes."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.ir.program import Value
from asmgen.ir.types import F32, U32
from asmgen.kernels import build_kernel
from asmgen.lanewise.builder import LaneBuilder
from isa.targets import parse_target
from tests.rows import MACHINES
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected


def machine_code(kernel: str, machine: str, *settings: tuple[str, str]) -> list[tuple[str, str]]:
    """The instructions of a selected kernel, each the operation and the source op it comes from."""
    compiled = asmgen.compile(build_kernel(kernel, settings), target=machine).compilation.stages.machine
    return [(instr.row.operation, instr.origin.op) for block in compiled[0].blocks for instr in block.instructions if instr.origin is not None]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kernel", ["softmax", "layernorm"])
def test_one_place_in_lds_serves_both_reductions(kernel: str, machine: str) -> None:
    """Each reduction stores under an `if` of its own, and the address is the same. Rows so few have several waves each."""
    shifts = [origin for operation, origin in machine_code(kernel, machine, ("rows", "4")) if operation.startswith("v_lshlrev_b32")]
    assert shifts.count("if") == 1
    assert "lds_store" not in shifts


@pytest.mark.parametrize("machine", MACHINES)
def test_a_multiple_that_only_makes_addresses_is_folded_into_each(machine: str) -> None:
    """rmsnorm reads x and scale at multiples of the lane's number: one instruction each."""
    code = machine_code("rmsnorm", machine, ("rows", "4"))
    made = [origin for operation, origin in code if operation.startswith(("v_lshlrev_b32", "v_lshl_add_u32"))]
    assert sorted(made) == ["if", "vector_load", "vector_load"]


def test_an_index_that_wraps_on_its_way_is_where_its_sum_says() -> None:
    """Lane 1 has (1 - 4) + 4: the part before the constant is no 32-bit number from 0 on."""
    text = """stage lanewise gfx942
module @wraps {
  launch[grid={1,1,1}, block={64,1,1}]
  x = @param:x -> f32, {64}
  z = @param:z -> f32, {64}
  lane = local_id -> u32
  four = @literal{4} -> u32
  before = sub(lane, four) -> u32
  at = add(before, four) -> u32
  v = load(x, at) -> f32
  store(z, lane, v)
  @return(z)
}
"""
    x = np.arange(64, dtype=np.float32)
    (z,) = asmgen.compile(text)(x)
    assert np.array_equal(z, x)


CHOSEN = """stage lanewise gfx942
module @chosen {
  launch[grid={1,1,1}, block={64,1,1}]
  x = @param:x -> u8, {256}
  z = @param:z -> u8, {64}
  lane = local_id -> u32
  group = workgroup_id -> u32
  zero = @literal{0} -> u32
  two = @literal{2} -> u32
  half = @literal{32} -> u32
  last = @literal{63} -> u32
  low = less(lane, half) -> bool
  is_first = less(group, two) -> bool
INDEX
  v = load(x, at) -> u8
  store(z, lane, v)
  @return(z)
}
"""
LANES = np.arange(64)


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        ("at = where(low, lane, zero) -> u32", np.where(LANES < 32, LANES, 0)),
        ("high = not(low) -> bool; at = where(high, lane, zero) -> u32", np.where(LANES < 32, 0, LANES)),
        ("at = sub(last, lane) -> u32", 63 - LANES),
        ("own = where(low, lane, zero) -> u32; at = sub(last, own) -> u32", 63 - np.where(LANES < 32, LANES, 0)),
        ("own = where(low, lane, zero) -> u32; more = mul(group, two) -> u32; at = add(more, own) -> u32", np.where(LANES < 32, LANES, 0)),
        ("from = add(group, two) -> u32; at = where(is_first, from, zero) -> u32", np.full(64, 2)),
    ],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_an_index_that_is_chosen_or_taken_away_says_where(index: str, wanted: np.ndarray[tuple[int], np.dtype[np.intp]], machine: str) -> None:
    """Elements of one byte: the index is the address, which is no multiple of it."""
    text = CHOSEN.replace("INDEX", "\n".join(f"  {line}" for line in index.split("; "))).replace("gfx942", machine)
    x = np.arange(256, dtype=np.uint8)
    (z,) = asmgen.compile(text, target=machine)(x)
    assert np.array_equal(z, x[wanted])


def test_a_shift_that_keeps_the_lowest_bit_alone_is_no_negative_multiple() -> None:
    text = CHOSEN.replace("u8", "u32").replace("INDEX", "  at = shift_left(lane, last) -> u32").replace("@literal{63}", "@literal{31}")
    text = text.replace("v = load(x, at) -> u32", "v = add(at, lane) -> u32")
    (z,) = asmgen.compile(text.replace("  x = @param:x -> u32, {256}\n", ""))()
    assert np.array_equal(z, (LANES << 31 & 0xFFFFFFFF) + LANES)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_buffer_walked_from_its_end_has_an_address_of_one_subtraction(machine: str) -> None:
    code = machine_code("reverse_add", machine, ("n", "100000"))
    assert sum("v_sub" in operation for operation, _ in code) == 1
    assert not [operation for operation, _ in code if "v_mul" in operation]


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_an_index_of_lds_that_is_more_than_an_address_before_the_buffer(target: str) -> None:
    """The offset of the access is negative, and the address in the register is not."""

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane, lds = builder.local_id(), builder.lds_allocate(F32, 256)
        step = builder.constant(64, U32)

        def turn(counter: Value, _carried: tuple[Value, ...]) -> list[Value]:
            at = builder.add(lane, counter)
            builder.lds_store(lds, at, builder.load(x, at), offset=-256)
            builder.store(z, at, builder.lds_load(lds, at, offset=-256))
            return []

        _ = builder.for_(step, builder.constant(256, U32), step, (), turn)

    module = module_of(body)
    arrays = input_arrays(module, 0, 1)
    kernel = allocated(selected(module, parse_target(target)))
    assert difference(interpreted(module, arrays, parse_target(target)), emulated(kernel, module, arrays)) == ""
