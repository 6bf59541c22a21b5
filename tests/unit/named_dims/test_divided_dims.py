"""Reshapes that take indices apart by a named dim, sums over two of them, outputs of other dims: one code object at several sizes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.rules.codes import NotShownWithin
from asmgen.gridwise import cut
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError
from tests.rows import in_turn
from tests.unit.named_dims.sizes_of_programs import Sized, hold
from tests.unit.named_dims.test_launches import numbers, text

PAIRS = ((0, 3), (1, 1), (3, 2), (65, 5), (7, 1030), (1031, 1))
CASES = {
    "rows of four": Sized(("f32, {4,n}",), ("o = reshape[dims={n,4}](x)",), lambda x: x.reshape(-1, 4)),
    "a bias before": Sized(
        ("f32, {n,m}", "f32, {m}"), ("b = add(x, y)", "o = reshape[dims={n*m}](b)"), lambda x, y: (x + y).reshape(-1),
    ),
    "rows of the other": Sized(
        ("f32, {n,m}", "f32, {n,1}"), ("b = mul(x, y)", "o = reshape[dims={m,n}](b)"), lambda x, y: (x * y).reshape(x.shape[::-1]),
    ),
    "a sum of both": Sized(("f32, {n,m}",), ("o = reduce_sum(x)",), lambda x: x.sum(keepdims=True)),
    "a sum of rows after": Sized(
        ("f32, {3,n}",), ("y = reshape[dims={n,3}](x)", "o = reduce_sum[axes=1](y)"), lambda x: x.reshape(-1, 3).sum(1, keepdims=True),
    ),
    "four axes": Sized(
        ("f32, {n,m,n,m}", "f32, {n,1,n,1}", "f32, {m}"), ("p = mul(x, y)", "o = add(p, z)"), lambda x, y, z: x * y + z,
    ),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), in_turn(CASES, ["gfx942", "gfx1100"], of=2))
def test_one_code_object_at_every_size(name: str, target: str) -> None:
    pairs = PAIRS[:3] if name == "four axes" else PAIRS
    hold(CASES[name], target, [{"n": n, "m": m} for n, m in pairs])


@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_the_greatest_of_both(target: str) -> None:
    program = asmgen.compile(text("x = @param:x -> f16, {n,m}", "o = reduce_max(x)", "@return(o)"), target=target)
    for n, m in PAIRS[1:]:
        x = numbers(n, m).astype(np.float16)
        assert program(x, device="emulator")[0].item() == x.max()


def test_outputs_of_other_dims_are_of_one_launch() -> None:
    def parts(x: Any) -> Any:
        return x[:, 1:], x[:, -1], x.T

    program = asmgen.compile(parts, target="gfx1100", inputs=[asmgen.spec("f32", ("m", "n"))])
    assert len(program.kernels) == 1
    for m, n in ((3, 5), (0, 4), (1, 1), (67, 130)):
        x = numbers(m, n)
        for got, wanted in zip(program(x, device="emulator"), parts(x), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_nothing_is_divided_where_elements_stay_in_their_order() -> None:
    """A reshape of a parameter is no more than an access, and a sum of rows and columns a sum of all
    elements."""
    plain = asmgen.compile(build_kernel("full_sum", [("n", "?")]), target="gfx942").kernels[0].assembly
    both = asmgen.compile(CASES["a sum of both"].text, target="gfx942").kernels[0].assembly
    assert instructions(both) <= instructions(plain) + 2 * plain.count("global_load")
    assert "v_rcp" not in both
    assert "v_rcp" not in asmgen.compile(CASES["rows of four"].text, target="gfx942").kernels[0].assembly
    assert "v_rcp" in asmgen.compile(CASES["a bias before"].text, target="gfx942").kernels[0].assembly


def instructions(assembly: str) -> int:
    return len(re.findall(r"^\t[sv]_|^\tglobal_", assembly, re.MULTILINE))


def norm(shape: str, channels: str, op: str) -> str:
    parameters = (f"x = @param:x -> f32, {shape}", f"s = @param:s -> f32, {channels}", f"b = @param:b -> f32, {channels}")
    return text(*parameters, f"o = {op}(x, s, b)", "@return(o)")


@pytest.mark.parametrize(
    ("shape", "op", "groups", "sizes"),
    [
        ("{2,6,n}", "instancenorm", 6, ((1, 1), (5, 1), (16389, 1))),
        ("{2,6,n,m}", "groupnorm[groups=2]", 2, ((1, 2), (5, 3), (27, 20))),
        ("{2,6,7,n}", "instancenorm", 6, ((1, 1), (5, 1), (127, 1))),
        ("{m,6,n,8}", "groupnorm[groups=1]", 1, ((1, 2), (57, 1))),
    ],
)
def test_a_norm_over_named_axes(shape: str, op: str, groups: int, sizes: tuple[tuple[int, int], ...]) -> None:
    """Its stores divide a position below n by n, which is 0. Such norms were refused."""
    program = asmgen.compile(norm(shape, "{6}", op), target="gfx942")
    for n, m in sizes:
        x, s, b = numbers(*[int(each) if each.isdigit() else {"n": n, "m": m}[each] for each in shape.strip("{}").split(",")]), numbers(6), numbers(6)
        (got,) = program(x, s, b, device="emulator")
        rows = x.astype(np.float64).reshape(len(x), groups, -1)
        normal = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)
        weights = [each.reshape(1, 6, *[1] * (x.ndim - 2)) for each in (s, b)]
        np.testing.assert_allclose(got, normal.reshape(x.shape) * weights[0] + weights[1], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(("c", "n"), [(1, 1), (3, 5), (4, 100), (2, 3000)])
def test_a_group_norm_of_a_named_number_of_channels(c: int, n: int) -> None:
    """It was refused: its accesses were not shown to be in their buffers."""
    program = asmgen.compile(norm("{2,6*c,n}", "{6*c}", "groupnorm[groups=6]"), target="gfx942")
    x, s, b = numbers(2, 6 * c, n), numbers(6 * c), numbers(6 * c)
    (got,) = program(x, s, b, device="emulator")
    rows = x.astype(np.float64).reshape(2, 6, -1)
    normal = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)
    weights = [each.reshape(1, 6 * c, 1) for each in (s, b)]
    np.testing.assert_allclose(got, normal.reshape(x.shape) * weights[0] + weights[1], rtol=1e-3, atol=1e-3)


def test_an_access_that_is_not_shown_to_be_in_its_buffer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is known of which an access is not shown to be in its buffer."""

    def not_shown(*_: object) -> None:
        raise NotShownWithin("blockwise", "a store", "the index is not shown to be in the buffer")

    monkeypatch.setattr(cut, "_cut_module", not_shown)
    with pytest.raises(InputError, match=r"5:1: error.GEN903.: _text_ is not lowered for every c and n: an access"):
        _ = asmgen.compile(norm("{2,6*c,n}", "{6*c}", "groupnorm[groups=6]"))
