"""The memory that accesses state: read, printed, checked by rules, and by the interpreter against every lane."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.compiler import check_lanes
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from asmgen.lanewise.interpret import interpret
from isa.diagnostics import InputError, InternalError

TEXT = """stage lanewise gfx942
module @k {
  launch[grid={2,1,1}, block={64,1,1}]
  x = @param:x -> f32, {512}
  n = @param:n -> u32
  z = @param:z -> f32, {512}
  lds = lds_allocate[size=128, slots=2] -> f32, {128}
  lane = local_id -> u32
  group = workgroup_id -> u32
  first = multiple[by=256, most=1](group) -> u32
  zero = @literal{0} -> u32
  one = @literal{1} -> u32
  four = @literal{4} -> u32
  for[trip=trip_k](zero, four, one) (k) {
    row = multiple[by=64, most=3](k) -> u32
    begin = add(first, row) -> u32
    at = add(begin, lane) -> u32
    y = load[at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](x, at) -> f32
    parity = bitwise_and(k, one) -> u32
    slot = multiple[by=64, most=1](parity) -> u32
    here = add(slot, lane) -> u32
    lds_store[slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)
    u = lds_load[slot=trip_k mod 2, bytes={0,0,4,252}](lds, here) -> f32
    store[at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](z, at, u)
    yield
  }
  @return(z)
}
"""


def run(text: str) -> None:
    (module,) = parse(text, "k.gen").modules
    x, z = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    interpret(module, [x, np.array(7, np.uint32), z])
    assert np.array_equal(x, z)


def test_a_text_prints_as_it_is_read() -> None:
    program = parse(TEXT, "k.gen")
    check_lanes(program)
    assert print_program(program) == TEXT
    run(TEXT)


WRONG = (
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=trip_k, bytes={0,0,4,252}](lds, here, y)"),
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=(trip_k + 1) mod 2, bytes={0,0,4,252}](lds, here, y)"),
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=trip_k mod 2, bytes={0,0,4,248}](lds, here, y)"),
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=trip_k mod 2, bytes={4,4,4,252}](lds, here, y)"),
    ("at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](x", "at=256*trip_k, bytes={0,252,4,0}](x"),
    ("at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](x", "at=256*trip_k + 1024*workgroup0, bytes={0,248,8,0}](x"),
    ("at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](x", "at=1024*workgroup0 + 36*n, bytes={0,252,4,0}](x"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WRONG)
def test_the_interpreter_finds_a_lane_elsewhere(old: str, new: str) -> None:
    assert old in TEXT
    check_lanes(parse(TEXT.replace(old, new), "k.gen"))
    with pytest.raises(InternalError, match=r"item .* is at byte .* of slot .*, wanted bytes"):
        run(TEXT.replace(old, new))


REFUSED = (
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=trip mod 2](lds, here, y)", "trip is not a number here, wanted one of n, trip_k"),
    ("slot=trip_k mod 2, bytes={0,0,4,252}](lds, here, y)", "slot=2](lds, here, y)", "got slot=2, wanted a slot from 0 to 1"),
    ("bytes={0,252,4,0}](x", "bytes={0,252,4}](x", "got bytes that are not 4 numbers"),
    ("bytes={0,252,4,0}](x", "bytes={0,250,4,0}](x", "got bytes={0,250,4,0}"),
    ("bytes={0,252,4,0}](x", "bytes={4,0,4,0}](x", "got bytes={4,0,4,0}"),
    ("at=256*trip_k + 1024*workgroup0, bytes={0,252,4,0}](x", "slot=1, bytes={0,252,4,0}](x", "got slot=1, wanted a slot from 0 to 0"),
    ("slots=2", "slots=3", "got slots=3, wanted a divisor of the 128 elements"),
    ("trip=trip_k", "trip=n", "got trip=n, which is taken"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_statements_that_cannot_be_are_refused(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError, match=message) as raised:
        check_lanes(parse(TEXT.replace(old, new), "k.gen"))
    assert raised.value.code == "GEN125"
