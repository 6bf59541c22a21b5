"""Physical and reserved registers of kernels by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from asmgen.assembly import Builder, global_pointer, kernel, u32
from isa.mir.parser import parse_kernel
from isa.mir.printer import print_kernel
from isa.targets import parse_target


@kernel(workgroup=(64, 1, 1), most_workgroups=(1, 1, 1))
def kept(k: Builder, x: global_pointer[u32], y: global_pointer[u32]) -> None:
    """v1 and v2 keep the ids of lanes beside values that want many registers, s12 keeps a number."""
    t = k.thread_id.x
    k.reserve(k.physical.v[1:3], k.physical.s[12])
    k.v_mov_b32(t, into=k.physical.v[1])
    k.s_mov_b32(1000, into=k.physical.s[12])
    values = [element for i in range(4) for element in k.global_load_dwordx4(x, 16 * t + 1024 * i)]
    total = values[0]
    for value in values[1:]:
        total = k.v_add_u32(total, value)
    k.v_add_u32(k.physical.s[12], k.physical.v[1], into=k.physical.v[2])
    k.global_store_dword(y, 4 * t, k.v_add_u32(total, k.physical.v[2]))


@pytest.mark.parametrize("target", ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"))
def test_no_value_gets_a_reserved_register(target: str) -> None:
    program = kept.compile(target)
    code = re.findall(r"^\t(\w+)\s+(\S+?),? ", str(program).partition(".rodata")[0], re.MULTILINE)
    written = [result for name, result in code if re.fullmatch(r"v1|v2|s12", result) and not name.startswith((".", "s_cmp"))]
    assert sorted(written) == ["s12", "v1", "v2"], "only the instructions that name them write them"
    assert not any(f"v[{low}:{high}]" in str(program) for low in (0, 1, 2) for high in range(2, 6))
    x = np.arange(1024, dtype=np.uint32)
    wanted = x.reshape(4, 64, 4).sum(axis=(0, 2)) + np.arange(64) + 1000
    assert program.verify(lambda x, y: {"y": wanted}, x=x, y=np.zeros(64, np.uint32), grid=(1, 1, 1)) == 0


def test_the_text_of_the_machine_program_keeps_reserved_registers() -> None:
    machine = kept.program(parse_target("gfx942"))
    again = parse_kernel(print_kernel(machine), "kept.mir")
    assert again.reserved == machine.reserved and len(again.reserved) == 2
