"""The registers at which a tuple may begin."""

from __future__ import annotations

import pytest

from isa.build import build
from isa.diagnostics import InternalError
from isa.program import Kernel
from isa.registers import VCC, Register, RegisterClass, sgpr
from isa.table import table_named
from isa.targets import TARGETS, parse_target
from regalloc import build_pools


@pytest.mark.parametrize("target", list(TARGETS))
def test_no_tuple_goes_on_from_sgprs_into_vcc(target: str) -> None:
    """s105 is next to VCC on some targets, and s[104:107] is no register."""
    pool = build_pools(Kernel("k", parse_target(target), (), (64, 1, 1)), frozenset(), None)[RegisterClass.SGPR]
    for count in (1, 2, 4, 8, 16):
        begins = {first for first in range(pool.mask.bit_length()) if pool.starts(count) >> first & 1}
        wanted = {first for first in range(pool.mask.bit_length()) if pool.mask >> first & 1 and not first < VCC.first < first + count}
        assert begins == wanted


def test_such_a_tuple_is_no_operand() -> None:
    row = table_named("gfx1201").row("s_load_dwordx4")
    assert build(row, sgpr(100, 4), sgpr(0, 2), 0)
    with pytest.raises(InternalError, match="goes on into VCC, wanted SGPRs alone"):
        _ = build(row, Register(104, 4), sgpr(0, 2), 0)
