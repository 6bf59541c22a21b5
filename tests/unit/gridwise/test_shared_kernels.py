"""Launches that compute the same share a kernel; its other launches have buffers of their own in the text of every stage."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.gridwise.sharing import Form, form_of
from asmgen.verification.verify import verify
from isa.diagnostics import InputError
from tests.commands import run
from tests.device import chosen_device

ROWS, COLUMNS = 21, 40
STAGES = ("gridwise", "blockwise", "lanewise", "final")


def layer(x: Any, w: Any, b: Any) -> Any:
    y = np.maximum(x @ w + b, 0)
    return y / (y.sum(axis=1, keepdims=True) + 1)


def three_layers(x: Any, *weights: Any) -> Any:
    for i in range(0, 6, 2):
        x = layer(x, weights[i], weights[i + 1])
    return x


def spec(*dims: int) -> object:
    return asmgen.spec(np.float32, dims)


@cache
def usual() -> CompiledProgram:
    return compiled()


def compiled(target: str = "gfx942", **options: Any) -> CompiledProgram:
    inputs = [spec(ROWS, COLUMNS), *[spec(COLUMNS, COLUMNS), spec(COLUMNS)] * 3]

    def program(x: Any, w: Any, b: Any, w_1: Any, b_1: Any, w_2: Any, b_2: Any) -> Any:
        return three_layers(x, w, b, w_1, b_1, w_2, b_2)

    return asmgen.compile(program, target=target, inputs=inputs, **options)


def arrays() -> list[Any]:
    random = np.random.default_rng(7)
    shapes = [(ROWS, COLUMNS), *[(COLUMNS, COLUMNS), (COLUMNS,)] * 3]
    return [random.standard_normal(shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201"])
def test_equal_layers_have_a_kernel(target: str) -> None:
    program, given = compiled(target), arrays()
    launches = [launch.kernel.name for launch in program.launches]
    assert len(launches) == 3 * len(program.kernels)
    assert launches == [kernel.name for kernel in program.kernels] * 3
    (result,) = program(*given, device=chosen_device())
    np.testing.assert_allclose(result, three_layers(*given), rtol=1e-4, atol=1e-6)


def test_launches_have_buffers_of_their_own() -> None:
    launches = usual().launches
    assert [launch.buffers for launch in launches] == [
        ("x", "w", "b", "div"), ("div", "w_1", "b_1", "div_1"), ("div_1", "w_2", "b_2", "div_2"),
    ]  # fmt: skip
    graph = usual().launch_graph()
    assert {("div", "1: program"), ("1: program", "div_1"), ("div_1", "2: program")} < set(graph.edges)


@pytest.mark.parametrize("stage", STAGES)
def test_the_text_of_a_stage_is_the_program(stage: str) -> None:
    program, given = usual(), arrays()
    text = stage_text(program.compilation, stage)
    again = asmgen.compile(text, target="gfx942")
    assert stage_text(again.compilation, stage) == text
    assert len(again.launches) == 3
    (wanted,), (result,) = (each(*given, device=chosen_device()) for each in (program, again))
    assert np.array_equal(result, wanted)


@pytest.mark.usefixtures("few_sizes")
def test_verify_runs_every_launch() -> None:
    assert not verify(usual()).is_broken


# A second layer, the type of its factor, and the number of kernels of both layers.
SECOND: dict[str, tuple[Any, Any, int]] = {
    "the same layer": (lambda h, v, c: np.maximum(h @ v + c, 0), "f4", 1),
    "another constant": (lambda h, v, c: np.maximum(h @ v + c, 1), "f4", 2),
    "another op": (lambda h, v, c: np.minimum(h @ v + c, 0), "f4", 2),
    "a transposed factor": (lambda h, v, c: np.maximum(h @ v.T + c, 0), "f4", 2),
    "another type": (lambda h, v, c: np.maximum(h @ v.astype(np.float32) + c, 0), "f2", 2),
    "a buffer twice": (lambda h, v, c: np.maximum(h @ v + v[0], 0), "f4", 2),
}


@pytest.mark.parametrize("name", SECOND)
def test_launches_that_differ_have_kernels_of_their_own(name: str) -> None:
    second, element, count = SECOND[name]

    def program(x: Any, w: Any, b: Any, v: Any, c: Any) -> Any:
        return second(np.maximum(x @ w + b, 0), v, c)

    factor = asmgen.spec(np.dtype(element), (COLUMNS, COLUMNS))
    inputs = [spec(ROWS, COLUMNS), spec(COLUMNS, COLUMNS), spec(COLUMNS), factor, spec(COLUMNS)]
    made = asmgen.compile(program, target="gfx942", inputs=inputs)
    assert (len(made.kernels), len(made.launches)) == (count, 2)


def test_a_schedule_stated_for_a_launch_gives_it_a_kernel() -> None:
    choice = stage_text(usual().compilation, "gridwise").split(" by ")[1].split(" {")[0]
    program = compiled(schedules=(f"program_2={choice}",))
    assert [launch.kernel.name for launch in program.launches] == ["program", "program", "program_2"]


RELAUNCHES = {
    "an unknown kernel": ("@program(", "@layer(", "GEN004", "no kernel before it is layer"),
    "an unknown parameter": ("x=div", "y=div", "", "has no parameter y"),
    "a parameter twice": ("w=w_1", "x=w_1", "GEN005", "x has two buffers"),
    "a buffer twice": ("w=w_1", "w=b_1", "", "b_1 is the buffer of two parameters"),
    "a result that is not written": ("results(div_2: 0)", "results(w_2: 0)", "", "w_2 is a result, and the launch does not write it"),
    "a number that is no number": ("results(div_2: 0)", "results(div_2: x)", "GEN008", "wanted a whole number"),
    "no results": (" results(div_2: 0)", "", "", "result"),
}


@pytest.mark.parametrize("stage", ["blockwise", "lanewise"])
@pytest.mark.parametrize("name", RELAUNCHES)
def test_a_relaunch_that_does_not_fit_is_refused(name: str, stage: str) -> None:
    old, new, code, message = RELAUNCHES[name]
    text = stage_text(usual().compilation, stage)
    assert old in text
    with pytest.raises(InputError, match=message) as caught:
        _ = asmgen.compile(text.replace(old, new), target="gfx942")
    assert caught.value.code == (code or {"blockwise": "BLK003", "lanewise": caught.value.code}[stage])


def test_the_summary_counts_the_launches(tmp_path: Any) -> None:
    path = tmp_path / "layers.gen"
    path.write_text(stage_text(usual().compilation, "gridwise"))
    status, output = run(f"python -m asmgen kernel {path}")
    assert status == 0 and "work-items, 3 times" in output


def form(text: str, writes: tuple[str, ...] = ("y",)) -> Form | None:
    (module,) = parse(text, "body.gen").modules
    return form_of(module, writes)


BODY = "x = @param:x -> f32, {4,6}\ns = cumsum[axis=1](x)\ny = pad[pads={0,1,0,0}, value=0.0](s)\n@return(y)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [("{4,6}", "{4,8}"), ("{4,6}", "{4,6}, {1,4}"), ("value=0.0", "value=-0.0"), ("f32", "f64"), ("axis=1", "axis=0"), ("(y)", "(y, s)")],
)
def test_bodies_that_differ_have_other_forms(before: str, after: str) -> None:
    usual, other = form(BODY), form(BODY.replace(before, after))
    assert usual is not None and other is not None
    assert usual.key != other.key


def test_names_are_not_of_a_form() -> None:
    usual, other = form(BODY), form(BODY.replace("x = @param:x", "z = @param:z").replace("(x)", "(z)"), ("v",))
    assert usual is not None and usual.buffers == ("x", "y")
    assert other == (usual.key, ("z", "v"))


def test_a_buffer_that_is_read_and_written_is_of_a_form() -> None:
    usual, over = form(BODY), form(BODY, ("x",))
    assert usual is not None and over is not None
    assert usual.key != over.key


def test_a_body_of_an_empty_tensor_has_no_form() -> None:
    assert form(BODY.replace("{4,6}", "{0,6}")) is None
