"""`asmgen.compile`: its arguments, its results, and the checks of a call's arrays."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.kernels import CATALOGUE, build_kernel
from isa.diagnostics import InputError
from tests.device import chosen_device

ROOT = Path(__file__).parents[3]
SCALE = """
x = @param:x -> f32, {4, 6}
two = @literal{2} -> f32, {}
y = mul(x, two)
z = neg(x)
@return(y, z)
"""
STRIDED = """
x = @param:x -> f32, {4, 6}, {1, 4}
b = @param:b -> f32, {4, 6}, {0, 1}
s = add(x, b)
@return(s)
"""

FINAL = """stage final gfx942
module @m {
  launch[grid={1,1,1}, block={64,1,1}]
  x = @param:x -> f32, {64}
  y = @param:y -> f32, {64}
  lane = local_id -> u32
  v = load(x, lane) -> f32
  w = neg(v)
  store(y, lane, w)
  @return(y)
}
"""


def ramp(*shape: int) -> np.ndarray[Any, Any]:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_text_path_graph_and_function_are_sources(tmp_path: Path) -> None:
    path = tmp_path / "scale.gen"
    path.write_text(SCALE, encoding="utf-8")

    def scale(x: Any) -> Any:
        return x * 2.0, -x

    programs = [
        asmgen.compile(SCALE),
        asmgen.compile(path),
        asmgen.compile(str(path)),
        asmgen.compile(scale, inputs=[asmgen.spec("f32", (4, 6))]),
        asmgen.compile(scale, inputs=[ramp(4, 6)]),
    ]
    for program in programs:
        y, z = program(ramp(4, 6), device=chosen_device())
        assert (y == ramp(4, 6) * 2).all()
        assert (z == -ramp(4, 6)).all()


def test_a_kernel_states_its_launch_and_resources() -> None:
    (kernel,) = asmgen.compile(build_kernel("vecadd", [("n", "100000")])).kernels
    assert kernel.name == "vecadd"
    assert kernel.grid is not None
    assert kernel.workgroups[0] * kernel.block[0] * 4 >= 100000
    assert [argument.name for argument in kernel.arguments] == ["a", "b", "o"]
    assert [argument.access for argument in kernel.arguments] == ["read_only", "read_only", "write_only"]
    assert kernel.resources.spills == 0
    assert 1 <= kernel.resources.vgprs <= 16
    assert kernel.resources.occupancy == 8
    assert kernel.code_object.startswith(b"\x7fELF")
    assert kernel.code_object is kernel.code_object


def test_strided_parameters_are_laid_out_as_they_say() -> None:
    program = asmgen.compile(STRIDED)
    x = np.asfortranarray(ramp(4, 6))
    row = np.linspace(0, 1, 6, dtype=np.float32)
    (found,) = program(x, np.broadcast_to(row, (4, 6)), device=chosen_device())
    assert (found == x + row).all()


def test_several_modules_are_kernels_with_arguments_of_their_own() -> None:
    """The same parameter name in two graphs is two arguments."""
    text = """
module @twice {
  x = @param:x -> f32, {3}
  y = add(x, x)
  @return(y)
}
module @negated {
  x = @param:x -> f32, {5}
  y = neg(x)
  z = @param:z -> f32, {5}
  d = sub(x, z)
  @return(d, y)
}
"""
    program = asmgen.compile(text)
    assert [kernel.name for kernel in program.kernels] == ["twice", "negated"]
    first, second, third = ramp(3), ramp(5), ramp(5) * 3
    found = program(first, second, third, device=chosen_device())
    assert [array.tolist() for array in found] == [(first * 2).tolist(), (second - third).tolist(), (-second).tolist()]


def test_a_graph_of_several_kernels_passes_results_between_them() -> None:
    """The stage text of two kernels: the first makes `temporary_0`, the second reads it."""
    text = """stage final gfx942
module @chain {
  launch[grid={1,1,1}, block={64,1,1}, results={-1}]
  x = @param:x -> f32, {64}
  out = @param:temporary_0 -> f32, {64}
  i = local_id -> u32
  v = load(x, i) -> f32
  w = mul(v, v) -> f32
  store(out, i, w)
  @return(out)
}
module @chain_1 {
  launch[grid={1,1,1}, block={64,1,1}, results={0}]
  x = @param:x -> f32, {64}
  t = @param:temporary_0 -> f32, {64}
  out = @param:z_output -> f32, {64}
  i = local_id -> u32
  v = load(x, i) -> f32
  w = load(t, i) -> f32
  s = add(v, w) -> f32
  store(out, i, s)
  @return(out)
}
"""
    program = asmgen.compile(text)
    (found,) = program(ramp(64), device=chosen_device())
    assert (found == ramp(64) + ramp(64) ** 2).all()


def test_given_arrays_stay_as_they_are() -> None:
    x = ramp(4, 6)
    _ = asmgen.compile(SCALE)(x, device=chosen_device())
    assert (x == ramp(4, 6)).all()


def test_an_empty_program_launches_nothing() -> None:
    program = asmgen.compile("x = @param:x -> f32, {0, 3}\ny = neg(x)\n@return(y)\n")
    (y,) = program(np.zeros((0, 3), np.float32), device=chosen_device())
    assert y.shape == (0, 3)


@pytest.mark.parametrize(
    ("arrays", "code", "words"),
    [
        ([], "CALL001", "got no arrays, wanted 1: x"),
        ([[1.0]], "CALL002", "got list"),
        ([np.zeros((4, 6))], "CALL003", "float64"),
        ([np.zeros((4, 6), np.int32)], "CALL003", "wanted float32"),
        ([np.zeros((6, 4), np.float32)], "CALL004", "wanted (4, 6)"),
    ],
)
def test_an_array_that_is_not_the_parameters_is_refused(arrays: list[Any], code: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        asmgen.compile(SCALE)(*arrays, device=chosen_device())
    assert caught.value.code == code
    assert words in caught.value.message
    assert code == "CALL001" or caught.value.place == "argument x"


@pytest.mark.parametrize(
    ("target", "options", "code"),
    [
        ("gfx943", {}, "TGT001"),
        ("gfx942", {"max_vgprs": 0}, "OPT002"),
        ("gfx942", {"nan": "quiet"}, "OPT001"),
        ("gfx942", {"fast": True}, "OPT003"),
        ("gfx942", {"fast_math": 1}, "OPT004"),
    ],
)
def test_unknown_targets_and_options_are_refused(target: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        asmgen.compile(SCALE, target, **options)
    assert caught.value.code == code


def test_running_out_of_registers_is_an_error_of_the_input() -> None:
    with pytest.raises(InputError) as caught:
        asmgen.compile(build_kernel("muladd"), max_vgprs=8, spill=False)
    assert caught.value.code == "RA001"


@pytest.mark.parametrize("statement", ["w = exp(v)", "w = lane_reduce[op=sum](v)"])
def test_what_final_does_not_have_is_refused_where_it_stands(statement: str) -> None:
    with pytest.raises(InputError, match="no instruction for") as caught:
        asmgen.compile(FINAL.replace("w = neg(v)", statement))
    assert (caught.value.code, str(caught.value.place)) == ("SEL001", "<text>.gen:8:3")
    assert asmgen.compile(FINAL).kernels


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        asmgen.compile(SCALE)(ramp(4, 6), device="cuda")
    assert caught.value.code == "DEV001"


def test_hip_without_a_gpu_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from asmgen.runtime import run as runtime
    from asmgen.runtime.hip import HipStatus

    monkeypatch.setattr(runtime, "hip_status", lambda: HipStatus("", "no GPU is present"))
    with pytest.raises(InputError, match="no GPU is present"):
        asmgen.compile(SCALE)(ramp(4, 6), device="hip")
    monkeypatch.setattr(runtime, "hip_status", lambda: HipStatus("gfx90a:sramecc+:xnack-"))
    with pytest.raises(InputError, match="the GPU is gfx90a"):
        asmgen.compile(SCALE)(ramp(4, 6), device="hip")
    (found, _) = asmgen.compile(SCALE)(ramp(4, 6), device="auto")
    assert (found == 2 * ramp(4, 6)).all()


def test_the_collector_is_on_again_after_a_compile_that_fails() -> None:
    assert gc.isenabled()
    with pytest.raises(InputError):
        asmgen.compile(build_kernel("muladd"), max_vgprs=8, spill=False)
    assert gc.isenabled()


@pytest.mark.parametrize("name", CATALOGUE)
def test_verifiers_after_every_pass_find_nothing(name: str) -> None:
    checked: CompiledProgram = asmgen.compile(build_kernel(name), verify_passes=True)
    assert checked.kernels[0].assembly == asmgen.compile(build_kernel(name)).kernels[0].assembly


def test_output_does_not_depend_on_the_hash_seed() -> None:
    program = """
import asmgen
from asmgen.kernels import build_kernel
for name in ("gelu_erf", "muladd"):
    print(asmgen.compile(build_kernel(name)).kernels[0].assembly)
"""
    texts = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed, "PATH": ""}
        ).stdout
        for seed in ("0", "1")
    ]
    assert texts[0]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", CATALOGUE)
def test_two_compiles_give_the_same_text(name: str) -> None:
    first, second = (asmgen.compile(build_kernel(name)).kernels[0].assembly for _ in range(2))
    assert first == second


@pytest.mark.parametrize("inputs", [[np.zeros((4, 6), np.float32)], [asmgen.spec("f32", (2, 2))], []])
def test_inputs_are_for_functions_alone(inputs: list[object], tmp_path: Path) -> None:
    """Text states its own shapes; shapes beside it would be ignored."""
    path = tmp_path / "scale.gen"
    path.write_text(SCALE, encoding="utf-8")
    for source in (SCALE, path, build_kernel("vecadd", [])):
        with pytest.raises(InputError, match=r"^inputs: error\[SRC009\]: "):
            asmgen.compile(source, inputs=inputs)
