"""numpy's sliding_window_view: sizes that the launch knows, and messages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced.trace import trace
from isa.diagnostics import InputError

WINDOWS: Any = np.lib.stride_tricks.sliding_window_view


def _means(x: Any) -> Any:
    return WINDOWS(x, (3, 3)).mean((2, 3))


@pytest.mark.parametrize("rows", [3, 20])
def test_windows_move_along_an_axis_that_the_launch_knows(rows: int) -> None:
    program = asmgen.compile(_means, inputs=[asmgen.spec("f32", ("n", 12))], assembler="builtin")
    x = np.random.default_rng(2).standard_normal((rows, 12)).astype(np.float32)
    (got,) = program(x, device="emulator")
    np.testing.assert_allclose(got, _means(x), rtol=1e-5, atol=1e-6)


def test_a_launch_has_an_element_for_a_window() -> None:
    program = asmgen.compile(_means, inputs=[asmgen.spec("f32", ("n", 12))], assembler="builtin")
    with pytest.raises(InputError, match="n is 2, wanted at least 3"):
        program(np.zeros((2, 12), np.float32), device="emulator")


@pytest.mark.parametrize(
    ("sizes", "axis", "message"),
    [
        (30, 1, "got windows of 30 elements of an axis of 12, wanted 1 to 12"),
        (-3, 1, "got windows of -3 elements of an axis of 12, wanted 1 to 12"),
        (3, 5, "got axis=5, wanted an integer from -2 to 1"),
    ],
)
def test_the_message_says_what_is_wanted(sizes: int, axis: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        _ = trace(lambda x: WINDOWS(x, sizes, axis=axis).mean(-1), [asmgen.spec("f32", (20, 12))])
    assert caught.value.code == "TRC007"
