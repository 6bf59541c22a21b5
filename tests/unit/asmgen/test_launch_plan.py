"""The launch plan is enough to run a program: a host of some lines reads the JSON and the code object, and nothing else of asmgen."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes  # numpy has bfloat16 from it
import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import code_object
from asmgen.compiled import CompiledProgram
from asmgen.runtime.emulation import Limits
from asmgen.runtime.session import Buffer, Session, SessionLaunch, Within
from isa.diagnostics import InputError
from tests.commands import run

Array = np.ndarray[Any, Any]
TYPES = {
    "bool": np.bool_, "i8": np.int8, "i32": np.int32, "i64": np.int64, "u32": np.uint32, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
}  # fmt: skip
MEMORY = "memory of temporaries"
F32 = np.float32


def hosted(plan: Mapping[str, Any], number: int, image: bytes, given: list[Any]) -> list[Array]:
    """The results of the program `number` of a plan for these arguments. The sanitizer refuses reads of bytes that no launch wrote."""
    program, kernels = plan["programs"][number], {each["name"]: each for each in plan["kernels"]}
    buffers: dict[str, Buffer] = {}
    values: dict[str, Any] = {dim["name"]: np.uint32(dim["value"]) for dim in program["dims"]}
    for argument, value in zip(program["arguments"], given, strict=True):
        if argument["kind"] == "by_value":
            values[argument["name"]] = value
        else:
            assert list(value.shape) == argument["shape"] and value.nbytes == argument["bytes"]
            buffers[argument["name"]] = Buffer(argument["name"], value.reshape(-1).copy())
    for literal in program["literals"]:
        data = np.frombuffer(base64.b64decode(literal["data"]), TYPES[literal["type"]]).copy()
        buffers[literal["name"]] = Buffer(literal["name"], data)
    for result in program["results"]:
        if not result["over"]:
            content = np.zeros(result["bytes"], np.uint8)
            buffers[result["name"]] = Buffer(result["name"], content, np.zeros(len(content), bool))
    size = program["temporary_bytes"]
    buffers[MEMORY] = Buffer(MEMORY, np.zeros(size, np.uint8), np.zeros(size, bool))
    places = {each["name"]: Within(MEMORY, each["offset"]) for each in program["temporaries"]}
    session = Session(list(buffers.values()), Limits(), None, None)
    for launch in program["launches"]:
        kernel = kernels[launch["kernel"]]
        assert len(launch["arguments"]) == len([each for each in kernel["arguments"] if not each["kind"].startswith("hidden")])
        arguments = [values[name] if name in values else places.get(name, Within(name)) for name in launch["arguments"]]
        if 0 not in launch["grid"]:
            session.run(image, "plan", SessionLaunch(kernel["name"], tuple(launch["grid"]), tuple(kernel["block"]), tuple(arguments)))
    return [
        session.buffers[result["over"] or result["name"]].content.view(TYPES[result["type"]]).reshape(result["shape"])
        for result in program["results"]
    ]


def results(program: CompiledProgram, given: list[Any], number: int = 0, **sizes: int) -> list[Array]:
    return hosted(json.loads(program.launch_plan(**sizes).to_json()), number, code_object(program), given)


def floats(*shape: int) -> Array:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(F32)


def same(got: list[Array], wanted: list[Any]) -> None:
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-4)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("n", [1, 1000])
def test_named_dims_literals_and_temporaries(target: str, n: int) -> None:
    table, other = floats(64), floats(64)[::-1]

    def program(x: Any, unused: Any) -> Any:
        added = x + table
        return added / added.max() * other, added.sum(axis=0) * table

    compiled = asmgen.compile(program, target=target, inputs=[asmgen.spec(F32, ("n", 64)), asmgen.spec(np.int32, 5)])
    x = floats(n, 64)
    added = x + table
    plan = compiled.launch_plan(n=n)
    assert [len(each.data) for each in plan.programs[0].literals] == [256, 256]  # each once, though three launches read the first
    same(results(compiled, [x, np.zeros(5, np.int32)], n=n), [added / added.max() * other, added.sum(axis=0) * table])


def test_launches_that_write_no_element_are_left_out() -> None:
    def program(x: Any) -> Any:
        return x - x.mean(axis=0), x.sum()

    compiled = asmgen.compile(program, inputs=[asmgen.spec(F32, ("n", 64))])
    x = floats(0, 64)
    assert len(compiled.launch_plan(n=0).programs[0].launches) < len(compiled.launch_plan().programs[0].launches)
    same(results(compiled, [x], n=0), [x, np.float32(0)])


def test_launches_that_share_a_kernel() -> None:
    def program(x: Any, w: Any, v: Any) -> Any:
        for weights in (w, v, w):
            x = x @ weights
            x = x / (np.abs(x).sum(axis=1, keepdims=True) + 1)
        return x

    compiled = asmgen.compile(program, inputs=[asmgen.spec(F32, (21, 40)), *[asmgen.spec(F32, (40, 40))] * 2])
    launches = compiled.launch_plan().programs[0].launches
    assert len({each.kernel for each in launches}) < len(launches)
    given = [floats(21, 40), floats(40, 40), floats(40, 40)[::-1].copy()]
    same(results(compiled, given), [program(*given)])


def test_temporaries_that_are_not_kept_at_once_share_memory() -> None:
    def program(x: Any) -> Any:
        for _ in range(4):
            x = np.cumsum(x - x.mean(), axis=0)
        return x

    compiled = asmgen.compile(program, inputs=[asmgen.spec(F32, (300, 64))])
    planned = compiled.launch_plan().programs[0]
    assert isinstance(planned.temporary_bytes, int)
    assert planned.temporary_bytes < sum(each.bytes for each in planned.temporaries if isinstance(each.bytes, int))
    x = floats(300, 64)
    np.testing.assert_array_equal(results(compiled, [x])[0], compiled(x, device="emulator")[0])


def test_temporaries_of_open_sizes_have_memory_of_their_own() -> None:
    def program(x: Any) -> Any:
        sorted_ = np.cumsum(x / x.max(), axis=1)
        return sorted_ / sorted_.max()

    compiled = asmgen.compile(program, inputs=[asmgen.spec(F32, ("n", 70000))])
    planned = compiled.launch_plan().programs[0]
    (open_one,) = [each for each in planned.temporaries if isinstance(each.bytes, str)]
    assert all(isinstance(each.offset, int) for each in planned.temporaries), "those of known sizes come first"
    assert planned.temporary_bytes == f"256*((4375*n + 3) floordiv 4) + {open_one.offset}"
    x = np.abs(floats(2, 70000)) + 1
    same(results(compiled, [x], n=2), [program(x)])


def test_a_result_in_the_memory_of_an_argument() -> None:
    text = """func.func @main(%a: tensor<64x96xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.multiply %a, %b : tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
    }"""
    compiled = asmgen.compile(text)
    assert [each.over for each in compiled.launch_plan().programs[0].results] == ["a"]
    given = [floats(64, 96), floats(64, 96)]
    same(results(compiled, given), [given[0] * given[1]])


def test_programs_of_a_file_and_small_types() -> None:
    text = """module @first {
    x = @param:x -> i8, {7,33}
    y = reduce_max[axes={0,1}](x)
    @return(y)
    }
    module @second {
    x = @param:x -> bf16, {130}
    y = add(x, x)
    @return(y)
    }
    """
    compiled = asmgen.compile(text)
    x, other = (floats(7, 33) * 40).astype(np.int8), floats(130).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(results(compiled, [x])[0], x.max(keepdims=True))
    np.testing.assert_array_equal(results(compiled, [other], 1)[0], np.add(other, other))


def test_the_command_writes_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    _ = run(f"python -m asmgen kernel vecadd --set n=? --emit launches --size n=300 -o {path}")
    program = json.loads(path.read_text())["programs"][0]
    assert program["dims"][0]["value"] == 300 and program["arguments"][0]["bytes"] == 1200
    _ = run(f"python -m asmgen kernel vecadd --set n=? --emit launches -o {path}")
    program = json.loads(path.read_text())["programs"][0]
    assert program["dims"][0]["value"] is None and program["arguments"][0]["bytes"] == "4*n"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("vecadd --set n=? --emit launches --size m=3", "PRF001"),
        ("vecadd --set n=? --emit launches --size n=3 --size m=3", "PRF002"),
        ("vecadd --set n=? --emit launches --size n=3,4", "PRF002"),
        ("vecadd --set n=? --emit launches --size n=4294967295", "CALL010"),
        ("examples/vecadd.mlir --emit launches", "CALL005"),
        ("vecadd --emit asm --size n=3", "CLI009"),
    ],
)
def test_a_plan_that_is_refused(options: str, code: str) -> None:
    status, text = run(f"python -m asmgen kernel {options}")
    assert status == 1 and f"error[{code}]" in text


def test_a_size_of_no_dim() -> None:
    with pytest.raises(InputError, match="none: every size is known"):
        _ = asmgen.compile("x = @param:x -> f32, {8}\ny = add(x, x)\n@return(y)\n").launch_plan(n=3)
