"""Comparisons of f16 read the halves of registers as they are."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
COMPARES = {"less": np.less, "greater": np.greater, "equal": np.equal}
TEXT = """a = @param:a -> f16, {SIZE}
b = @param:b -> f16, {SIZE}
k = @literal{0.75} -> f16, {}
one = @literal{1} -> f16, {}
n = neg(b)
m = abs(a)
c = OP(a, b)
d = OP(m, n)
e = OP(k, a)
o = where(c, a, b)
p = where(d, one, b)
q = where(e, one, a)
@return(o, p, q, c)
"""


def inputs(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of all special numbers, pairs of random bits, and pairs that are equal or differ in a bit."""
    special = np.array([0, 0x8000, 1, 0x8001, 0x3C00, 0xBC00, 0x3A00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7C01], np.uint16)
    random = np.random.default_rng(count)
    a, b = random.integers(0, 1 << 16, (2, count)).astype(np.uint16)
    b[count // 2 :] = a[count // 2 :] ^ random.integers(0, 2, count - count // 2).astype(np.uint16)
    pairs = special.size**2
    a[:pairs], b[:pairs] = np.repeat(special, special.size), np.tile(special, special.size)
    return a.view(np.float16), b.view(np.float16)


@pytest.mark.parametrize("count", [1024, 1023])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", COMPARES)
def test_every_pair(op: str, target: str, count: int) -> None:
    program = asmgen.compile(TEXT.replace("SIZE", str(count)).replace("OP", op), target=target)
    a, b = inputs(count)
    with np.errstate(invalid="ignore"):
        c, d, e = COMPARES[op](a, b), COMPARES[op](abs(a), -b), COMPARES[op](np.float16(0.75), a)
    one = np.float16(1)
    o, p, q, truth = program(a, b, device=chosen_device())
    for got, want in ((o, np.where(c, a, b)), (p, np.where(d, one, b)), (q, np.where(e, one, a))):
        assert (np.asarray(got).view(np.uint16) == want.view(np.uint16)).all()
    assert (np.asarray(truth) == c).all()
    assert "v_cvt_f32_f16" not in program.kernels[0].assembly
