"""Functions of the host on the emulator, next to numpy, and their errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.verification.mlir import host as verify_host
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.mlir.judge import ALL, EXAMPLES
from tests.rows import spread

HOST = Path(__file__).parent / "host"


def _run(path: Path, function: str, target: str, args: list[Any]) -> list[Any]:
    program = asmgen.compile(path, target=target)
    return program.host(function).run(args=args, device=chosen_device())


def _floats(count: int) -> Any:
    return np.random.default_rng(count).integers(-99, 99, count).astype(np.float32)


@pytest.mark.parametrize(("target", "count"), spread([(one, n) for n in ("1", "64", "77") for one in ALL], 1))
def test_launches_run_in_order_on_buffers_of_the_device(target: str, count: str) -> None:
    x = _floats(int(count))
    given = x.copy()
    after, last, total, launches = _run(EXAMPLES / "pipeline.mlir", "main", target, [x, np.zeros_like(x)])
    np.testing.assert_array_equal(x, given)
    np.testing.assert_array_equal(after, x)
    np.testing.assert_array_equal(last, x * -4)
    np.testing.assert_array_equal(total, 0.25 + 2 * x - x - 4 * x)
    assert launches == 6


@pytest.mark.parametrize(("target", "rows"), spread([(one, n) for n in ("16", "64") for one in ALL], 1))
def test_views_that_only_the_host_knows_are_arguments(target: str, rows: str) -> None:
    x = np.arange(int(rows) * 48, dtype=np.int32).reshape(-1, 48)
    _, found = _run(HOST / "tiles.mlir", "transpose", target, [x, np.zeros(x.T.shape, np.int32)])
    np.testing.assert_array_equal(found, x.T)


def test_the_host_reads_what_a_kernel_has_written() -> None:
    x = np.arange(1, 33, dtype=np.int32)
    found, trips = _run(HOST / "until.mlir", "main", "gfx1100", [x])
    assert (found == 1).all()
    assert trips == 111  # 27 takes 111 steps


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_the_host_passes_vectors(target: str) -> None:
    x = np.random.default_rng(4).integers(-128, 128, (32, 4)).astype(np.int8)
    y = _floats(32)
    found, made = _run(HOST / "vectors.mlir", "main", target, [x, y, 3.0])
    s = x + np.array([1, 2, -3, 4], np.int8)
    np.testing.assert_array_equal(found, np.stack([x[:, 3], s[:, 0], s[:, 2], s[:, 3]], 1))
    np.testing.assert_array_equal(made, y * np.float32(3) + np.float32(0.5))


_MODULE = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {{known_block_size = array<i32: 8, 1, 1>}} {{
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<?xi32>
      memref.store %a, %y[%i] : memref<?xi32>
      gpu.return
    }}
  }}
  {outside}
  func.func @main(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {{
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %zero = arith.constant 0 : i32
{lines}
    gpu.launch_func @m::@k blocks in (%one, %one, %one) threads in (%eight, %one, %one)
      args(%x : memref<?xi32>, %y : memref<?xi32>)
    return
  }}
}}
"""


def _module(*lines: str, outside: str = "") -> str:
    """The first of the lines is line 16."""
    return _MODULE.format(lines="\n".join(lines), outside=outside)


_LAUNCH = "    gpu.launch_func @m::@k blocks in (%n, %one, %one) threads in (%eight, %one, %one)"
_ARGS = "args(%x : memref<?xi32>, %y : memref<?xi32>)"
# What cannot run on the host, found before anything is.
NOT_RUN: list[tuple[str, str, str]] = [
    (_module("    %t = gpu.wait async"), "MLIR071", r"16:10: .*gpu\.wait has an asynchronous token"),
    (_module(f"    %t = gpu.launch_func async @m::@k blocks in (%n, %one, %one) threads in (%eight, %one, %one) {_ARGS}"),
     "MLIR071", r"16:10: .*gpu\.launch_func has an asynchronous token"),
    (_module('    gpu.printf "%d", %n : index'), "MLIR071", r"16:5: .*gpu\.printf cannot run"),
    (_module("    %t = gpu.thread_id x"), "MLIR071", r"16:10: .*gpu\.thread_id cannot run"),
    (_module("    func.call @show(%x) : (memref<?xi32>) -> ()", outside="func.func private @show(memref<?xi32>)"),
     "MLIR073", "16:5: .*show has no body"),
    (_module("    func.call @f(%n) : (index) -> ()",
             outside="func.func @f(%n: index) { func.call @f(%n) : (index) -> () return }"),
     "MLIR072", "11:29: .*f calls itself"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(NOT_RUN)))
def test_what_is_not_run_on_the_host_is_refused_by_name(number: int) -> None:
    text, code, wanted = NOT_RUN[number]
    with pytest.raises(InputError, match=wanted) as caught:
        _ = asmgen.compile(text).host("main")
    assert caught.value.code == code
    assert caught.value.help


# The result of a run; `%n` is 0.
FAULTS: list[tuple[str, str, str]] = [
    (_module("    memref.dealloc %y : memref<?xi32>"), "MLIR075", "17:5: .*freed"),
    (_module("    memref.dealloc %y : memref<?xi32>", "    %v = memref.load %y[%n] : memref<?xi32>"), "MLIR075", "17:10: .*freed"),
    (_module("    %d = arith.divui %one, %n : index"), "MLIR093", "16:10: .*divides by zero"),
    (_module("    %m = arith.subi %n, %one : index", "    %d = memref.alloc(%m) : memref<?xi32>"), "MLIR074", "17:10: .*dims from 0 on"),
    (_module("    %d = memref.alloc(%one) : memref<?xi32>", "    memref.copy %x, %d : memref<?xi32> to memref<?xi32>"),
     "MLIR074", "17:5: .*same sizes"),
    (_module("    %v = memref.load %x[%eight] : memref<?xi32>"), "MLIR090", "16:10: .*index 8 along dim 0"),
    (_module("    %v = memref.subview %x[%eight] [8] [1] : memref<?xi32> to memref<8xi32, strided<[1], offset: ?>>",
             "    %w = memref.alloc() : memref<8xi32>",
             "    memref.copy %v, %w : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>"),
     "MLIR090", "18:5: .*elements 8 to 15 of memory of 8"),
    (_module(f"{_LAUNCH} {_ARGS}"), "LNC003", "16:5: .*sizes from 1 on"),
    (_module(f"{_LAUNCH.replace('%n', '%one').replace('%eight', '%one')} {_ARGS}"), "LNC003", "16:5: .*block of"),
    (_module(f"{_LAUNCH.replace('%n', '%one')} {_ARGS.replace('%y', '%x')}"), "LNC005", "16:5: .*overlap"),
    (_module("    %many = arith.constant 64 : i32",
             f"{_LAUNCH.replace('%n', '%one')} dynamic_shared_memory_size %many {_ARGS}"),
     "MLIR077", "17:5: .*64 bytes of dynamic"),
    (_module("    %g = memref.get_global @g : memref<4xi32>", outside="memref.global @g : memref<4xi32>"),
     "MLIR074", "16:10: .*g has no value"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_fault_of_a_run_has_its_place(number: int) -> None:
    text, code, wanted = FAULTS[number]
    x = np.arange(8, dtype=np.int32)
    with pytest.raises(InputError, match=wanted) as caught:
        _ = asmgen.compile(text).host("main").run(args=[x, x.copy(), 0], device="emulator")
    assert caught.value.code == code


def test_what_a_function_takes_is_checked() -> None:
    function = asmgen.compile(_module()).host("main")
    x = np.arange(8, dtype=np.int32)
    with pytest.raises(InputError, match=r"12:3: error\[LNC002\]: got 2 arguments for main, wanted 3: x, y, n"):
        _ = function.run(args=[x, x])
    with pytest.raises(InputError, match=r"error\[LNC004\]: argument y is an array of float32"):
        _ = function.run(args=[x, x.astype(np.float32), 1])
    with pytest.raises(InputError, match=r"MLIR070.*no host function 'man'[\s\S]*main"):
        _ = asmgen.compile(_module()).host("man")
    with pytest.raises(InputError, match="LNC006"):
        _ = asmgen.compile(EXAMPLES / "swish.gen").host("main")


def test_list_has_the_functions_and_their_launches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(EXAMPLES / "pipeline.mlir")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "scale x:memref<?xf32> by:f32 count:index block=? grid=?"
    assert lines[2] == "main x:memref<?xf32> last:memref<?xf32> on the host"
    assert [re.sub(" at .*pipeline.mlir", "", line) for line in lines[3:]] == ["main launches scale:50:7", "main launches add:52:7"]


def test_verify_runs_a_function_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["kernel", str(EXAMPLES / "pipeline.mlir"), "--target", "gfx1100", "--verify"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "main 2. launch: add y: ok, 64 elements agree"
    assert lines[-2:] == ["main: 6 launches", "verified: scale, add against the interpreter, sanitizer on"]
    monkeypatch.setattr(verify_host, "run_kernel", lambda *given: None)
    assert main(command) == 1
    assert "main 2. launch: add y: BROKEN, 64 of 64 elements differ" in capsys.readouterr().out


def test_a_host_with_memrefs_launches_a_kernel_that_is_lowered_to_pointers() -> None:
    """`convert-gpu-to-rocdl` takes each memref of a kernel apart, and leaves the launch as it was."""
    x = np.random.default_rng(3).integers(-99, 99, (64, 20)).astype(np.int32)
    path = HOST.parent / "foreign" / "row_sum_llvm.mlir"
    _, found = _run(path, "row_sum", "gfx942", [x, np.ones(64, np.int32)])
    np.testing.assert_array_equal(found, x.sum(1) + 1)


_BARE = """module attributes {gpu.container_module} {
  gpu.module @m { llvm.func @k(%p: !llvm.ptr, %n: i64) attributes {gpu.kernel} {
    %t = rocdl.workitem.id.x : i32
    %q = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %q : !llvm.ptr -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %q : f32, !llvm.ptr
    llvm.return
  } }
  func.func @main(%x: memref<8xf32>, %i: index) {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %y = memref.subview %x[3] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 3>>
    gpu.launch_func @m::@k blocks in (%one, %one, %one) threads in (%four, %one, %one)
      args(%y : memref<4xf32, strided<[1], offset: 3>>, %i : index)
    return
  }
}
"""


def test_a_launch_passes_bare_pointers_or_says_what_the_kernel_takes() -> None:
    x = np.arange(8, dtype=np.float32)
    (found,) = asmgen.compile(_BARE, target="gfx1100").host("main").run(args=[x, 4], device=chosen_device())
    np.testing.assert_array_equal(found, [0, 1, 2, 6, 8, 10, 12, 7])
    wrong = asmgen.compile(_BARE.replace("%p: !llvm.ptr, %n: i64", "%p: !llvm.ptr, %n: !llvm.ptr"), target="gfx1100")
    with pytest.raises(InputError, match=r"14:5: error\[MLIR077\]: .* passes memref<4xf32, .*>, index, wanted .*!llvm.ptr"):
        _ = wrong.host("main").run(args=[x, 4], device=chosen_device())


def test_a_call_runs_the_only_function_of_the_host() -> None:
    x = _floats(9)
    program = asmgen.compile(EXAMPLES / "pipeline.mlir", target="gfx942")
    found = program(x, np.zeros_like(x), device=chosen_device())
    np.testing.assert_array_equal(found[0], x)
    np.testing.assert_array_equal(found[1], x * -4)
    assert len(found) == 4


def test_a_call_of_kernels_alone_says_how_to_launch_them() -> None:
    program = asmgen.compile(EXAMPLES / "vecadd.mlir", target="gfx942")
    with pytest.raises(InputError, match=r"\[CALL012\]: .*vecadd.mlir has kernels alone(.|\n)*program.kernel\(\"vecadd\"\)"):
        _ = program(np.ones(4, np.float32))
    two = _BARE.replace("return\n  }\n}", "return\n  }\n  " + _BARE[_BARE.index("func.func") : -2].replace("@main", "@other") + "}")
    program = asmgen.compile(two, target="gfx942")
    with pytest.raises(InputError, match=r"\[CALL012\]: .* has 2 functions(.|\n)*host\(\"main\"\)(.|\n)*host\(\"other\"\)"):
        _ = program(np.ones(8, np.float32), 4)
