"""The Python API given what it cannot take: an `InputError` with a place and a code, never another
exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError
from tests.unit.asmgen.bad_input.doors import PLACE

TEXT = "module @relu {\nx = @param:x -> f32, {64}\ny = relu(x)\n@return(y)\n}\n"
ONES = np.ones(64, np.float32)
SPEC = asmgen.spec("f32", (64,))


def compiled() -> Any:
    return asmgen.compile(TEXT)


def launched(**changed: Any) -> Any:
    given: dict[str, Any] = {
        "source": compiled().kernels[0].assembly,
        "kernel": "relu",
        "grid": (1, 1, 1),
        "block": (64, 1, 1),
        "args": [ONES, ONES],
    }
    given.update(changed)
    return asmgen.run(given.pop("source"), **given)


def one_kernel(args: Any) -> Any:
    program = compiled()
    kernel = program.kernels[0]
    return program.kernel("relu").launch(grid=kernel.grid, block=kernel.block, args=args)


def any_compile(source: Any, **options: Any) -> Any:
    return asmgen.compile(source, **options)


def any_spec(*what: Any) -> Any:
    return asmgen.spec(*what)


CALLS: tuple[Callable[[], Any], ...] = (
    # sources
    lambda: any_compile(None), lambda: any_compile(5), lambda: any_compile(b"x\n"),
    lambda: any_compile([TEXT]), lambda: any_compile({}), lambda: any_compile("softmax"),
    lambda: any_compile("sofmax"), lambda: any_compile(""), lambda: any_compile("\n"),
    lambda: any_compile("\ud800\n"), lambda: any_compile("\0"), lambda: any_compile("x" * 10000),
    lambda: any_compile("missing.gen"), lambda: any_compile(Path("missing.gen")),
    lambda: any_compile(Path("/")), lambda: any_compile(Path("/dev/null")),
    lambda: any_compile("/etc/passwd"), lambda: any_compile(Path("k.s")),
    lambda: any_compile(TEXT, inputs=[SPEC]), lambda: any_compile(ONES),
    # options and targets
    lambda: any_compile(TEXT, target="gfx999"), lambda: any_compile(TEXT, target=None),
    lambda: any_compile(TEXT, target=""), lambda: any_compile(TEXT, target=942),
    lambda: any_compile(TEXT, speed="fast"), lambda: any_compile(TEXT, fast_math=1),
    lambda: any_compile(TEXT, max_vgprs=0), lambda: any_compile(TEXT, max_vgprs="8"),
    lambda: any_compile(TEXT, max_vgprs=2.5), lambda: any_compile(TEXT, max_vgprs=True),
    lambda: any_compile(TEXT, nan="quiet"), lambda: any_compile(TEXT, nan=None),
    lambda: any_compile(TEXT, contract=None), lambda: any_compile(TEXT, fastmath=True),
    # traced functions
    lambda: any_compile(lambda x: x), lambda: any_compile(lambda x: x, inputs=[]),
    lambda: any_compile(lambda x: x, inputs=[SPEC, SPEC]), lambda: any_compile(lambda x: x, inputs=5),
    lambda: any_compile(lambda x: x, inputs=["f32"]), lambda: any_compile(lambda x: None, inputs=[SPEC]),
    lambda: any_compile(lambda x: 5, inputs=[SPEC]), lambda: any_compile(lambda x: (), inputs=[SPEC]),
    lambda: any_compile(lambda x: x + "a", inputs=[SPEC]),
    lambda: any_compile(lambda x: x + 1e39, inputs=[SPEC]),
    lambda: any_compile(lambda x: x + 1j, inputs=[SPEC]),
    lambda: any_compile(lambda x: x or x, inputs=[SPEC]),
    lambda: any_compile(lambda x: x + np.ones((3, 5), np.float32), inputs=[SPEC]),
    lambda: any_compile(lambda x: x.nope(), inputs=[SPEC]),
    lambda: any_compile(lambda x: x[64], inputs=[SPEC]), lambda: any_compile(np.fft.fft, inputs=[SPEC]),
    lambda: any_compile(lambda x: x.sum(axis=7), inputs=[SPEC]),
    lambda: any_compile(lambda x: x.reshape(3, 5), inputs=[SPEC]),
    lambda: any_compile(lambda x: x.astype("f33"), inputs=[SPEC]),
    # specs and the catalogue
    lambda: any_spec("f33", (4,)), lambda: any_spec(None, (4,)), lambda: any_spec("f32", (-4,)),
    lambda: any_spec("f32", ("a b",)), lambda: any_spec("f32", ("a", "a+b")), lambda: any_spec("f32", ("row", 4)),
    lambda: any_spec("f32", (4.5,)), lambda: any_spec("f32", (4,), (-1,)),
    lambda: any_spec("f32", (4,), (1, 1)), lambda: any_spec(object, (4,)), lambda: build_kernel("rleu"),
    lambda: build_kernel("relu", [("m", "4")]), lambda: build_kernel("relu", [("n", "4"), ("n", "5")]),
    # calls
    lambda: compiled()(*[]), lambda: compiled()(ONES, ONES), lambda: compiled()(None),
    lambda: compiled()([1.0] * 64), lambda: compiled()("x"), lambda: compiled()(ONES[:63]),
    lambda: compiled()(ONES.reshape(8, 8)), lambda: compiled()(ONES.astype(np.float64)),
    lambda: compiled()(np.ma.masked_array(ONES)), lambda: compiled()(ONES.astype(object)),
    lambda: compiled()(ONES.astype(str)), lambda: compiled()(ONES, device="cuda"),
    lambda: compiled()(ONES, device=None),
    # launches
    lambda: launched(source=None), lambda: launched(source=5), lambda: launched(source="missing.s"),
    lambda: launched(source=b""), lambda: launched(source=b"\x7fELF"), lambda: launched(source="\n"),
    lambda: launched(source="\ud800\n"), lambda: launched(source="k.gen"), lambda: launched(kernel="rleu"),
    lambda: launched(kernel=""), lambda: launched(kernel=5), lambda: launched(grid=(0, 1, 1)),
    lambda: launched(grid=(1, 1)), lambda: launched(grid=None), lambda: launched(grid=1),
    lambda: launched(grid=(1 << 40, 1, 1)), lambda: launched(block=(2000, 1, 1)),
    lambda: launched(block=(64.0, 1, 1)), lambda: launched(block=(-1, 1, 1)), lambda: launched(args=[]),
    lambda: launched(args=[ONES]), lambda: launched(args=[ONES] * 3), lambda: launched(args=[ONES, 5]),
    lambda: launched(args=[ONES, None]), lambda: launched(args=[ONES, "x"]),
    lambda: launched(args=[ONES, ONES.astype(np.int32)]), lambda: launched(args=[ONES, ONES.astype(object)]),
    lambda: launched(args=5), lambda: launched(args=None), lambda: launched(device="cuda"),
    lambda: launched(device=None), lambda: launched(lds_bytes=1.5), lambda: launched(lds_bytes=None),
    lambda: launched(max_steps="many"), lambda: launched(max_seconds="2"), lambda: launched(max_steps=True),
    lambda: one_kernel(None), lambda: one_kernel(iter([ONES, ONES])), lambda: one_kernel("xy"),
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_a_call_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as caught:
        _ = call()
    message = str(caught.value)
    assert PLACE.match(f"{message}\n"), message
    assert "root:" not in message
