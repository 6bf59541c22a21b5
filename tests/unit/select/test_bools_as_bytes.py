"""Bools in memory choose elements of 16 bits by masks in registers, whatever the byte of a true bool is."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import asmgen
from tests.device import chosen_device

NUMPY = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "i16": np.int16}
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
TEXT = """c = @param:c -> bool, {SIZE}
a = @param:a -> TYPE, {SIZE}
k = @literal{7} -> TYPE, {}
o = where(c, k, a)
"""


def inputs(count: int, element: str) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(count)
    bits = random.integers(0, 1 << 16, count).astype(np.uint16)
    return np.array([0, 1, 2, 128, 255, 0], np.uint8)[random.integers(0, 6, count)], bits.view(NUMPY[element])


@pytest.mark.parametrize("count", [1024, 4095])
@pytest.mark.parametrize(("element", "target"), [*[("f16", target) for target in TARGETS], ("bf16", "gfx942"), ("i16", "gfx1201")])
def test_any_byte_but_0_is_true(element: str, target: str, count: int) -> None:
    program = asmgen.compile(TEXT.replace("SIZE", str(count)).replace("TYPE", element) + "@return(o)\n", target=target)
    truth, a = inputs(count, element)
    (got,) = program(truth.view(np.bool_), a, device=chosen_device())
    want = np.where(truth != 0, NUMPY[element](7), a)
    assert (np.asarray(got).view(np.uint16) == want.view(np.uint16)).all()
    assert "v_bfi_b32" in program.kernels[0].assembly


def test_a_bool_that_is_read_otherwise_has_lane_masks() -> None:
    text = TEXT.replace("SIZE", "1024").replace("TYPE", "f16") + "n = not(c)\n@return(o, n, c)\n"
    program = asmgen.compile(text, target="gfx942")
    truth, a = inputs(1024, "f16")
    o, n, _ = program(truth.view(np.bool_), a, device=chosen_device())
    assert (np.asarray(o).view(np.uint16) == np.where(truth != 0, np.float16(7), a).view(np.uint16)).all()
    assert (np.asarray(n) == (truth == 0)).all()
    assert "v_bfi_b32" not in program.kernels[0].assembly
