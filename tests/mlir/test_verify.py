"""`--verify` of kernels for which nothing chooses a launch."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.verification.mlir.kernel import verify_kernel
from isa.emulator.sanitizer.faults import SanitizerError
from tests.device import chosen_device
from tests.mlir.judge import ALL, EXAMPLES
from tests.rows import spread


def test_workgroups_that_race_where_no_grid_is_asked_for_are_one() -> None:
    """Two tiles of 16 columns next to each other in a matrix of 16 columns: both have the same rows."""
    program = asmgen.compile(EXAMPLES / "sgemm.mlir", target="gfx1100")
    found = verify_kernel(program, 0, None, None, "emulator")
    assert not found.is_broken
    assert found.lines[-2] == "sgemm: launched as 1x1x1 x 16x16x1"
    assert found.lines[-1].startswith("sgemm: not as 2x1x1 x 16x16x1, with which its workgroups race")
    with pytest.raises(SanitizerError, match="SAN003"):
        _ = verify_kernel(program, 0, (2, 1, 1), None, "emulator")


_SUM = """gpu.module @m {
  gpu.func @k(%x: memref<?xf32>, %y: memref<?x8x?xf32, strided<[?, ?, 1]>>, %p: !llvm.ptr, %n: i32) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : index
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %y[%t, %zero, %zero] : memref<?x8x?xf32, strided<[?, ?, 1]>>
    %i = arith.index_cast %t : index to i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %w = arith.extf %v : f32 to f64
    llvm.store %w, %q : f64, !llvm.ptr
    gpu.return
  }
}
"""


def _verified(text: str, tmp_path: Path, *options: str) -> int:
    source = tmp_path / "kernel.mlir"
    source.write_text(text)
    return main(["kernel", str(source), "--target", "gfx1201", "--verify", "--device", chosen_device(), *options])


def test_sizes_are_those_of_the_command_line_or_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _verified(_SUM, tmp_path) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "k x: ok, 192 elements agree",
        "k y: ok, 294912 elements agree",
        "k p: ok, 8192 elements agree",
    ]
    assert told[3] == ("k: sizes by default: x=192, y=192,192, p=65536 bytes, n=192 (--size NAME=N chooses)")
    sizes = ("--size", "x=1000", "--size", "y=200,3", "--size", "p=4096")
    assert _verified(_SUM, tmp_path, *sizes) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:4] == [
        "k x: ok, 1000 elements agree",
        "k y: ok, 4800 elements agree",
        "k p: ok, 512 elements agree",
        "k: sizes by default: n=4096 (--size NAME=N chooses)",
    ]


def test_a_size_that_is_too_small_for_the_kernel_is_a_fault_with_what_was_not_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _verified(_SUM, tmp_path, "--size", "p=80", "--size", "n=4") == 1
    told = capsys.readouterr().err
    assert "error[MLIR090]: llvm.store of bytes 80 to 87 of memory of 80" in told
    assert "note: sizes by default: x=192, y=192,192 (--size NAME=N chooses)" in told


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("q=1", "got a size of q, but no argument has that name, wanted one of n, p, x, y"),
        ("y=1", "got y=1 of 1 sizes, wanted 2, a size for each dynamic dim"),
        ("x=1,2", "got x=1,2 of 2 sizes, wanted a single size"),
        ("n=99999999999999999999", "got n=99999999999999999999, wanted a number from 0 to 4294967295"),
        ("n=4294967296", "got n=4294967296, wanted a number from 0 to 4294967295"),
        ("x=1073741824", "got x=1073741824 of 4294967296 bytes, wanted less than 4294967296 bytes"),
        ("y=4294967295,4294967295", "got y=4294967295,4294967295 of "),
        ("p=99999999999999999999", "got p=99999999999999999999 of 99999999999999999999 bytes, wanted less than"),
    ],
)
def test_a_size_of_nothing_is_refused(size: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _verified(_SUM, tmp_path, "--size", size) == 1
    assert f"--size: error[MLIR079]: {told}" in capsys.readouterr().err


def test_a_size_is_given_once_and_only_to_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _verified(_SUM, tmp_path, "--size", "x=1", "--size", "x=2") == 1
    assert "[MLIR079]: got two sizes of x" in capsys.readouterr().err
    assert main(["kernel", "vecadd", "--verify", "--size", "x=1"]) == 1
    assert "--size: error[CLI009]" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        _ = main(["kernel", "k.mlir", "--verify", "--size", "x=-1"])
    assert "got 'x=-1', wanted NAME=N or NAME=N,N" in capsys.readouterr().err


def test_a_host_function_takes_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    source = ["kernel", str(EXAMPLES / "pipeline.mlir"), "--verify", "--device", chosen_device()]
    assert main([*source, "--size", "x=77", "--size", "last=77"]) == 0
    assert "main 1. launch: scale x: ok, 77 elements agree" in capsys.readouterr().out


TYPES = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E5M2FNUZ", "index")
PLACES = {
    "static": "memref<1024x{0}>",
    "dynamic": "memref<?x{0}>",
    "spread": "memref<200x{0}, strided<[3], offset: 5>>",
    "strided": "memref<?x{0}, strided<[?], offset: ?>>",
    "vectors": "memref<?xvector<4x{0}>>",
}
# A value that a kernel may have as an argument.
VALUES = ("{0}", "vector<1x{0}>", "vector<3x{0}>")
_POINTED = """
    %i = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {0}
    %b = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {0}
    %c = llvm.load %a : !llvm.ptr -> {0}
    llvm.store %c, %b : {0}, !llvm.ptr<1>
"""


@pytest.mark.parametrize(("target", "type_"), spread([(target, type_) for type_ in TYPES for target in ALL], 1))
def test_every_kind_of_argument_is_made(target: str, type_: str, tmp_path: Path) -> None:
    memref = f"memref<?x{type_}>"
    arguments = [f"%alone: memref<{type_}>", f"%alone_to: {memref}"]
    moves = [f"%v = memref.load %alone[] : memref<{type_}>", f"memref.store %v, %alone_to[%t] : {memref}"]
    for name, place in PLACES.items():
        memref = place.format(type_)
        arguments += [f"%{name}: {memref}", f"%{name}_to: {memref}"]
        moves += [f"%v_{name} = memref.load %{name}[%t] : {memref}"]
        moves += [f"memref.store %v_{name}, %{name}_to[%t] : {memref}"]
    for number, value in enumerate(VALUES[: 2 if type_ == "i1" else 3]):
        memref = f"memref<?x{value.format(type_)}>"
        arguments += [f"%n{number}: {value.format(type_)}", f"%n{number}_to: {memref}"]
        moves += [f"memref.store %n{number}, %n{number}_to[%t] : {memref}"]
    if type_ != "index" and not type_.startswith("f8"):
        arguments += ["%p: !llvm.ptr", "%q: !llvm.ptr<1>"]
        moves += [_POINTED.format(type_)]
    source = tmp_path / "kernel.mlir"
    head = f"gpu.module @m {{ gpu.func @k({', '.join(arguments)}) kernel {{ %t = gpu.thread_id x"
    source.write_text("\n".join([head, *moves, "gpu.return } }"]))
    options = ["--target", target, "--grid", "1", "--verify", "--device", chosen_device()]
    assert main(["kernel", str(source), *options]) == 0


def test_pointers_are_verified(capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(__file__).parent / "kernels" / "pointers.mlir"
    assert main(["kernel", str(source), "--verify", "--device", chosen_device()]) == 0
    assert "pointers out: ok, 16384 elements agree" in capsys.readouterr().out
