"""`lds_transpose_load` against programs for the hardware, and its errors."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.frontends.sources import read_text
from asmgen.graph.printer import print_program
from asmgen.ir.program import Stage
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.transposes import transpose_names, transpose_row
from isa.diagnostics import InputError
from isa.table import table_named
from tests.device import chosen_device

Array = NDArray[Any]

# Two waves; each lane's address is the lane's own place, and the elements are numbers of places.
TEXT = """stage lanewise gfx950
module @exchange {
  launch[grid={1,1,1}, block={128,1,1}]
  x = @param:x -> u16, {512}
  z = @param:z -> u16, {512}
  lds = lds_allocate[size=512, type=u16] -> u16, {512}
  item = local_id -> u32
  four = @literal{4} -> u32
  own = mul(item, four) -> u32
  y = vector_load[size=4](x, own) -> u16x4
  lds_store[size=4](lds, own, y)
  t = lds_transpose_load[by=ds_read_b64_tr_b16, size=4](lds, own) -> u16x4
  vector_store[size=4](z, own, t)
  @return(z)
}
"""
BYTES = TEXT.replace("tr_b16", "tr_b8").replace("u16", "u8").replace("512", "1024").replace("=4", "=8").replace("{4}", "{8}").replace("x4", "x8")


def halves(lane: int, element: int) -> tuple[int, int]:
    """The lane and the element that a lane's element comes from. AMD's simulator of gfx950 has this formula
    (ROCm/rocm-systems, pull request 10175), which its author compared with the hardware."""
    return (lane & ~0xF) + (lane >> 2 & 3) + 4 * element, lane & 3


def octets(lane: int, element: int) -> tuple[int, int]:
    """By the addresses with which HipKittens' 8-bit products load columns for v_mfma_f32_16x16x128_f8f6f4: lane
    i of 16 reads row i / 2, columns 8 * (i % 2) to 8 * (i % 2) + 7, and gets column i."""
    return (lane & ~0xF) + 2 * element + (lane >> 3 & 1), lane & 7


@pytest.mark.parametrize(("text", "place", "count"), [(TEXT, halves, 4), (BYTES, octets, 8)])
def test_lanes_get_the_elements_of_published_formulas(text: str, place: Any, count: int) -> None:
    x = np.random.default_rng(3).integers(0, 256, 128 * count).astype(np.uint16 if count == 4 else np.uint8)
    of_lanes = x.reshape(128, count)
    wanted = np.array([[of_lanes[place(lane, element)] for element in range(count)] for lane in range(128)]).reshape(-1)
    program = asmgen.compile(text, target="gfx950", verify_passes=True)
    np.testing.assert_array_equal(program(x, device=chosen_device())[0], wanted)
    memory = np.zeros_like(x)
    (module,) = read_text(text, "t.gen").stages.programs[Stage.LANEWISE].modules
    interpret(module, [x, memory], table=table_named("gfx950"))
    np.testing.assert_array_equal(memory, wanted)


def test_text_reads_back() -> None:
    printed = print_program(read_text(TEXT, "t.gen").stages.programs[Stage.LANEWISE])
    assert "lds_transpose_load[by=ds_read_b64_tr_b16, size=4](lds, own)" in printed
    assert print_program(read_text(printed, "t.gen").stages.programs[Stage.LANEWISE]) == printed


LOAD = "  t = lds_transpose_load[by=ds_read_b64_tr_b16, size=4](lds, own) -> u16x4\n"
BRANCH = f"  half = less(item, own) -> bool\n  if(half) {{\n  {LOAD.replace('t =', 'w =')}    yield\n  }}\n  t = identity(y) -> u16x4\n"


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("gfx950", "gfx942", "GEN122", "is not a load from LDS of gfx942 that transposes, which has none; wanted lds_load"),
        ("tr_b16", "tr_b61", "GEN122", "of gfx950 that transposes, wanted ds_read_b64_tr_b8 or ds_read_b64_tr_b16"),
        ("ds_read_b64_tr_b16", "ds_read_b64", "GEN122", "ds_read_b64 is not a load from LDS of gfx950 that transposes"),
        ("tr_b16", "tr_b8", "GEN122", "loads 8 elements of 8 bits, and the statement 4 of u16"),
        ("(lds, own) -> u16x4", "(x, own) -> u16x4", "GEN126", "operand 1, x, is a buffer, wanted LDS of lds_allocate"),
        ("block={128", "block={96", "GEN121", "takes whole waves of 64 lanes and the workgroup has 96"),
        (LOAD, BRANCH, "GEN120", "every lane of the wave reaches"),
    ],
)
def test_what_is_refused(old: str, new: str, code: str, message: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text, target=re.findall(r"gfx\w+", text)[0])
    assert caught.value.code == code, caught.value
    assert message in caught.value.message


def test_every_name_that_is_offered_has_a_row() -> None:
    table = table_named("gfx950")
    assert transpose_names(table) == ["ds_read_b64_tr_b8", "ds_read_b64_tr_b16"]
    assert all(transpose_row(table, name) is not None for name in transpose_names(table))
    assert not transpose_names(table_named("gfx1201")), "its loads that transpose read memory, not LDS"
