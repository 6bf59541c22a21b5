"""`load_to_lds` and `async_wait` in lanewise text: their meaning, their legal places, and the targets that
refuse them."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from asmgen.frontends.sources import read_text
from asmgen.ir.program import Stage
from asmgen.lanewise.interpret import interpret
from isa.diagnostics import InputError
from tests.device import chosen_device

# Two waves copy 64 elements each, of which those from 100 on are zeros, and store what the other wave copied.
TEXT = """stage lanewise gfx942
module @swap {
  launch[grid={1,1,1}, block={128,1,1}]
  x = @param:x -> f32, {128}
  z = @param:z -> f32, {128}
  lds = lds_allocate[size=128, type=f32] -> f32, {128}
  item = local_id -> u32
  six = @literal{6} -> u32
  most = @literal{100} -> u32
  size = @literal{64} -> u32
  wave = shift_right(item, six) -> u32
  own = read_first_lane(wave) -> u32
  place = multiple[by=64, most=1](own) -> u32
  inside = less(item, most) -> bool
  load_to_lds[size=1](x, item, lds, place, inside)
  async_wait[pending=0]
  barrier
  other = bitwise_xor(item, size) -> u32
  y = lds_load(lds, other) -> f32
  store(z, item, y)
  @return(z)
}
"""


def wanted() -> tuple[np.ndarray[tuple[int], np.dtype[np.float32]], np.ndarray[tuple[int], np.dtype[np.float32]]]:
    x = np.arange(1, 129, dtype=np.float32)
    return x, np.where(np.arange(128) < 100, x, 0)[np.arange(128) ^ 64].astype(np.float32)


def test_the_interpreter_and_the_machine_agree() -> None:
    x, z = wanted()
    (out,) = asmgen.compile(TEXT, target="gfx942", verify_passes=True)(x, device=chosen_device())
    np.testing.assert_array_equal(out, z)
    memory = np.zeros(128, np.float32)
    (module,) = read_text(TEXT, "swap.gen").stages.programs[Stage.LANEWISE].modules
    interpret(module, [x, memory])
    np.testing.assert_array_equal(memory, z)


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (
            "inside)\n",
            "inside)\n  if(inside) {\n    load_to_lds[size=1](x, item, lds, place)\n    yield\n  }\n",
            "GEN120",
            "wanted load_to_lds in a place",
        ),
        ("read_first_lane(wave)", "shift_right(item, six)", "SEL001", "place is not in an SGPR; wanted read_first_lane of it"),
        ("load_to_lds[size=1]", "load_to_lds[size=2]", "SEL001", "8 bytes a lane; gfx942 copies 4"),
        ("gfx942", "gfx1100", "SEL001", "4 bytes a lane; gfx1100 has no copies to LDS, wanted load and lds_store"),
        ("x = @param:x -> f32, {128}", "x = @param:x -> f32, {536870913}", "SEL001", "x may be larger than 2147483648 bytes"),
        ("lds, place, inside", "x, place, inside", "GEN126", "load_to_lds: operand 3, x, is a buffer, wanted LDS of lds_allocate"),
        ("(x, item, lds", "(lds, item, lds", "GEN126", "load_to_lds: operand 1, lds, is LDS of lds_allocate, wanted a buffer"),
        ("lds_load(lds", "lds_load(x", "GEN126", "lds_load: operand 1, x, is a buffer, wanted LDS of lds_allocate"),
        ("store(z, item", "store(lds, item", "GEN126", "store: operand 1, lds, is LDS of lds_allocate, wanted a buffer"),
        ("lds, place, inside", "lds, place, item", "GEN101", "operand 5 is u32, wanted elements of bool"),
        ("pending=0", "pending=5000", "GEN101", "pending is 5000, wanted 0 to 1024"),
    ],
)
def test_what_is_refused(old: str, new: str, code: str, message: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text, target=re.findall(r"gfx\w+", text)[0])
    assert caught.value.code == code, caught.value
    assert message in caught.value.message
