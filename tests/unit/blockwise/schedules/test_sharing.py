"""Lanes that have parts of several results get all parts of fewer of them."""

from __future__ import annotations

import re

import pytest

import asmgen
from asmgen.blockwise.layout.layout import layout
from asmgen.blockwise.schedules.pages.reduction import shared


def test_four_columns_of_eight_rows_become_four_rows_of_one_column() -> None:
    """{8,32}: two lanes of each column are left, which are next to each other."""
    partial = layout((8, 32), (1, 2), (4, 8, 16, 32, 64, 128))
    assert shared(partial, (0,)) == layout((8, 32), (32, 64), (128, 1, 2, 4, 8, 16))


def test_nothing_is_shared_where_a_lane_has_one_result_or_all_rows() -> None:
    assert shared(layout((64,), (), (1, 2, 4, 8, 16, 32)), (0,)) is None
    assert shared(layout((1, 256), (1, 2), (4, 8, 16, 32, 64, 128)), (0,)) is None


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_many_rows_of_columns_are_loaded_before_the_first_are_added_up_and_take_no_wave(target: str) -> None:
    """Each lane of the first launch reads 32 times 16 bytes or more. Some loads come first, the others between sums,
    and all of them leave a SIMD its waves."""
    text = "x = @param:x -> f32, {4096,1024}\no = reduce_sum[axes={0}](x)\n@return(o)\n"
    program = asmgen.compile(text, target=target)
    first = program.kernels[0]
    code = re.findall(r"^\t(global_load|v_pk_add|v_dual_add|v_add_f32)", first.assembly, re.MULTILINE)
    kinds = ["load" if name == "global_load" else "sum" for name in code]
    assert "sum" not in kinds[:8]
    assert "load" in kinds[kinds.index("sum") :]
    assert first.resources.vgprs <= (64 if target == "gfx942" else 96)
