"""The Python API with wrong arguments: an `InputError` with a place and a code, never another exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen import testing
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


def any_gate(subject: Any, **gates: Any) -> None:
    testing.assert_resources(subject, **gates)


def reshaped_in_place(x: Any) -> Any:
    x.shape = (8, 8)
    return x


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
    # what newcomers write first
    lambda: any_compile(compiled()), lambda: any_compile(lambda x: x, target=[SPEC]),
    lambda: any_compile(lambda x: x, target="mi300", inputs=[SPEC]),
    lambda: any_compile(lambda x: x, inputs=[SPEC], arch="gfx942"),
    lambda: any_compile(lambda x: x, inputs={"x": SPEC}), lambda: any_compile(lambda x: x, inputs=[[1.0]]),
    lambda: any_compile(lambda x: {"y": x}, inputs=[SPEC]), lambda: any_compile(lambda x: (x, 5), inputs=[SPEC]),
    lambda: any_compile(lambda x: float(x.sum()), inputs=[SPEC]), lambda: any_compile(lambda x: x.item(), inputs=[SPEC]),
    lambda: any_compile(max, inputs=[SPEC]), lambda: any_compile(lambda x: not x, inputs=[SPEC]),
    lambda: any_compile(np.float32, inputs=[SPEC]), lambda: any_compile(np.zeros, inputs=[SPEC]),
    lambda: any_compile(lambda x: np.concatenate(x, x), inputs=[SPEC]),
    lambda: any_compile(lambda x: x.astype(object), inputs=[SPEC]), lambda: any_compile(lambda x: x[x], inputs=[SPEC]),
    lambda: any_compile(lambda x: x.sum(dim=0), inputs=[SPEC]), lambda: any_compile(lambda x: x["a"], inputs=[SPEC]),
    lambda: any_compile(lambda x: x / len(x), inputs=[asmgen.spec("f32", ("n",))]),
    lambda: any_compile(lambda x: np.exp(x, out=np.empty(64)), inputs=[SPEC]),
    lambda: any_compile(lambda x: 3 in x, inputs=[SPEC]), lambda: any_compile(lambda x: x + None, inputs=[SPEC]),
    lambda: any_spec("f32", ONES), lambda: any_spec(ONES, (4,)), lambda: any_spec("f32", (4, None)),
    lambda: any_spec("f32", ("?",)), lambda: any_spec((4,), "f32"), lambda: any_spec("float", (4,)),
    lambda: compiled()(y=ONES), lambda: compiled()(ONES, x=ONES), lambda: compiled()(ONES, target="gfx90a"),
    lambda: compiled()(ONES, out=ONES[:3]), lambda: compiled()(ONES, out="y"), lambda: compiled().kernel("k"),
    lambda: compiled().host("main"), lambda: any_gate(5, vgprs=1),
    lambda: any_gate(compiled(), vgprs="ten"),
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_a_call_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as caught:
        _ = call()
    message = str(caught.value)
    assert PLACE.match(f"{message}\n"), message
    assert "root:" not in message


WAYS_OUT: tuple[tuple[Callable[[], Any], str], ...] = (
    (lambda: any_compile(compiled()), "compiled already"),
    (lambda: any_compile(lambda x: x, target=[SPEC]), "inputs=[...]"),
    (lambda: any_compile(lambda x: x if x > 0 else -x, inputs=[SPEC]), "np.where for `if`"),
    (lambda: any_compile(np.float32, inputs=[SPEC]), "x.astype(np.float32)"),
    (lambda: any_compile(lambda x: np.concatenate(x, x), inputs=[SPEC]), "np.concatenate([x, y])"),
    (lambda: any_compile(lambda x: x.astype("half"), inputs=[SPEC]), "did you mean f16?"),
    (lambda: any_compile(reshaped_in_place, inputs=[SPEC]), "x = x.reshape(8, 8)"),
    (lambda: testing.assert_filecheck(TEXT, Path("missing.txt")), "no such file"),
    (lambda: any_compile(lambda x: x / len(x), inputs=[asmgen.spec("f32", ("n",))]), "is an argument"),
    (lambda: any_compile(TEXT.replace("f32", "float32")), "did you mean f32?"),
    (lambda: any_compile(TEXT.replace("f32, {64}", "f32 {64}")), "f32, {64} is a tensor of 64 elements"),
    (lambda: any_compile(TEXT.replace("relu(", "sum(")), "did you mean reduce_sum?"),
    (lambda: any_compile(TEXT.replace("y = relu(x)", "%y = relu(%x)")), "names have no %"),
    (lambda: any_compile(TEXT.replace("relu(x)", "relu(x);")), "a statement ends with its line"),
    (lambda: any_compile(TEXT.replace("@relu", "relu")), "module @NAME {"),
    (lambda: any_compile("/* relu */\n" + TEXT), "comments start with # or //"),
    (lambda: any_compile(".text\n"), "assembly has the suffix .s"),
    (lambda: any_compile("stage machine gfx942\n"), "the suffix .mir"),
)


@pytest.mark.parametrize(("call", "way_out"), WAYS_OUT, ids=range(len(WAYS_OUT)))
def test_a_refusal_shows_a_way_out(call: Callable[[], Any], way_out: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = call()
    assert way_out in str(caught.value)
