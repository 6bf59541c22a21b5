"""Reductions along a named dim by the parts of several workgroups, compared with numpy."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.unit.named_dims.test_launches import numbers, text


@pytest.mark.parametrize(("op", "target"), [("sum", "gfx942"), ("max", "gfx1100")])
def test_columns_of_named_dims_are_those_of_parts_of_256_rows(op: str, target: str) -> None:
    """The last part may be short, or empty, and its loop ends with its rows."""
    source = text("x = @param:x -> f32, {m,n}", f"o = reduce_{op}[axes=0](x)", "@return(o)")
    program = asmgen.compile(source, target=target)
    assert len(program.kernels) == 2
    for m, n in ((1, 5), (255, 1), (256, 66), (530, 7)):
        x = numbers(m, n)
        wanted = x.astype(np.float64).sum(0, keepdims=True) if op == "sum" else x.max(0, keepdims=True)
        np.testing.assert_allclose(program(x, device="emulator")[0], wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("dims", "axis", "target"), [(("m", "n"), 0, "gfx942"), ((2, "m"), 1, "gfx1100")])
def test_variances_of_named_dims_are_made_of_those_of_parts(dims: tuple[int | str, ...], axis: int, target: str) -> None:
    """Each part has its own mean. The last part may be short, or empty: 128 rows are a part and an empty one."""
    shown = "{" + ",".join(map(str, dims)) + "}"
    mean = f"reduce_mean[axes={axis}]"
    lines = (f"x = @param:x -> f32, {shown}", f"u = {mean}(x)", "d = sub(x, u)", "q = mul(d, d)", f"v = {mean}(q)", "@return(v)")
    program = asmgen.compile(text(*lines), target=target)
    assert len(program.kernels) == 2
    for shape in ((1, 5), (128, 3), (300, 5)) if axis == 0 else ((2, 7), (2, 8192), (2, 8199)):
        x = numbers(*shape) + 50
        np.testing.assert_allclose(program(x, device="emulator")[0], x.astype(np.float64).var(axis, keepdims=True), rtol=1e-4, atol=1e-6)
