"""Stores of single 16-bit lanes: no instruction joins the lanes before or takes them apart."""

from __future__ import annotations

from collections import Counter

import ml_dtypes
import numpy as np
import pytest

import asmgen
from isa.table import table_named

TEXT = """stage blockwise {target}
kernel @k grid(g: 4) waves(1) lanes({lanes}) {{
  layout held = reg(0:1 0:2 1:0) lane({bases})
  x = @param:x -> f32, {{8,{width}}}
  z = @param:z -> {element}, {{{width},8}}
  a = tile_load[at={{c0 + 2*g, c1}}](x) -> f32, {{2,{width}}} @ held
  b = convert[to={element}](a) -> {element}, {{2,{width}}} @ held
  tile_store[at={{c1, {column}}}](b, z)
}}
"""
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
APART = "4*c0 + g"  # neighbours in z are in different workgroups
# what follows a lane's rounding: to the upper half of a register if there is no instruction for bf16
STORES = {
    ("f16", False): ("global_store_short",),
    ("bf16", False): ("global_store_short_d16_hi",),
    ("bf16", True): ("global_store_short", "global_store_short_d16_hi"),
}


def instructions(target: str, element: str, column: str, order: list[int]) -> Counter[str]:
    """The mnemonics of a kernel that is right; `order` has the row of x in each column of z."""
    lanes = table_named(target).target.wave_size
    bases = " ".join([f"0:{4 << bit}" for bit in range(lanes.bit_length() - 1)])
    text = TEXT.format(target=target, lanes=lanes, bases=bases, width=4 * lanes, element=element, column=column)
    program = asmgen.compile(text, target=target)
    x = np.random.default_rng(1).standard_normal((8, 4 * lanes)).astype(np.float32)
    (z,) = program(x, device="emulator")
    np.testing.assert_array_equal(z, x.T[:, order].astype(TYPES[element]))
    return Counter(line.split()[0] for line in program.kernels[0].assembly.splitlines() if line.startswith("\t"))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", TYPES)
def test_single_lanes_are_stored_from_where_they_are(target: str, element: str) -> None:
    count = instructions(target, element, APART, [0, 2, 4, 6, 1, 3, 5, 7])
    table = table_named(target)
    is_native = element == "bf16" and table.find("v_cvt_pk_bf16_f32") is not None
    names = [table.row(name).mnemonic for name in STORES[element, is_native]]
    assert sum(count[name] for name in names) == 8
    assert all(count[name] for name in names)
    moved = [name for name in count if "pack" in name or "perm" in name or "v_lshr" in name]
    assert not moved, count


@pytest.mark.parametrize("target", TARGETS)
def test_lanes_of_two_vectors_are_joined_once(target: str) -> None:
    """A dword of z has lanes of two vectors: they are joined straight from the registers that they are rounded to."""
    count = instructions(target, "f16", "c0 + 2*g", [*range(8)])
    assert count["v_perm_b32"] + count["v_pack_b32_f16"] == 4
