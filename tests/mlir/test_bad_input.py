"""Errors of MLIR, and of its launches: each with file, line and column."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.frontends.sources import read_mlir
from asmgen.mlir import file as mlir_file
from asmgen.mlir.dialects.table import TABLE
from isa.diagnostics import InputError, Place
from tests.device import chosen_device
from tests.mlir.judge import EXAMPLES

DOCS = Path(__file__).parents[2] / "docs" / "mlir.md"


def body(*lines: str, before: str = "", kind: str = "kernel") -> str:
    """A kernel of some lines, the first of which is line 3."""
    start = f"gpu.module @m {{ {before}\n  gpu.func @k(%x: memref<?xf32>, %n: i32) {kind} {{"
    return "\n".join([start, *lines, "    gpu.return", "  }", "}", ""])


def _pointed(line: str) -> str:
    """A kernel of a pointer and a number, with a line 3."""
    start = "llvm.func @k(%p: !llvm.ptr, %n: i32) attributes {gpu.kernel} {\n"
    return f"{start}\n{line}\n    llvm.return\n}}\n"


# The lines of a kernel, the code and the place of the error, and a word of it.
REFUSED: list[tuple[str, str, int, int, str]] = [
    (body("    %a = arith.addi %n %n : i32"), "MLIR002", 3, 23, "expected ','"),
    (body("    %a = arith.addi %n, %x : i32"), "MLIR002", 3, 25, "different type"),
    (body("    %a = foo.bar %n : i32"), "MLIR002", 3, 10, "foo"),
    (body('    "foo.bar"() : () -> ()'), "MLIR002", 3, 5, "foo.bar"),
    (body("    %a = arith.addq %n, %n : i32"), "MLIR002", 3, 10, "arith.addq"),
    (body("    %a = std.addi %n, %n : i32"), "MLIR003", 3, 10, "arith"),
    (body("    %a = addi %n, %n : i32"), "MLIR003", 3, 10, "arith.addf"),
    (body('    %a = "gpu.thread_id"() {dimension = "x"} : () -> (index)'), "MLIR003", 3, 10, "thread_id x"),
    (body('    gpu.printf "%d", %n : i32'), "MLIR011", 3, 5, "gpu.printf"),
    (body("    %c = gpu.cluster_id x"), "MLIR011", 3, 10, "no target has clusters"),
    (
        body("    %z = arith.constant 0.0 : f16", '    %m = gpu.subgroup_mma_constant_matrix %z : !gpu.mma_matrix<16x16xf16, "COp">'),
        "MLIR011",
        4,
        10,
        "amdgpu.mfma",
    ),
    (body("    %t = arith.constant true", '    cf.assert %t, "always"'), "MLIR011", 4, 5, "check it on the host"),
    (body("    %a = arith.constant 1 : i4"), "MLIR010", 3, 10, "i4"),
    (body("    %a = arith.constant dense<0> : vector<32xi32>"), "MLIR010", 3, 10, "vector<32xi32>"),
    (body("    %t = tensor.empty() : tensor<4xf32>"), "MLIR011", 3, 10, "tensor"),
    (body("    func.call @none() : () -> ()", before=""), "MLIR002", 3, 5, "none"),
    (
        body("    func.call @f() : () -> ()", before="func.func @f() { func.call @f() : () -> () return }"),
        "MLIR031",
        1,
        34,
        "calls itself",
    ),
    (
        body(
            "    %t = gpu.thread_id x",
            "    %o = arith.constant 1 : index",
            "    %c = arith.cmpi eq, %t, %o : index",
            "    scf.if %c {",
            "      gpu.barrier",
            "    }",
        ),
        "GEN120",
        7,
        7,
        "barrier",
    ),
    (
        body("    %a = memref.alloca() : memref<20000xf32>"),
        "MLIR021",
        3,
        10,
        "80000 bytes of private memory",
    ),
    (body("    %p = llvm.mlir.zero : !llvm.ptr"), "MLIR010", 3, 10, "!llvm.ptr"),
    (_pointed("    %v = llvm.load %p {alignment = 4 : i64, tbaa = []} : !llvm.ptr -> f32"), "MLIR003", 3, 10, "<alignment = 4>"),
    (body("    // std.addi, load %x", "    %a = arith.addi %n, %m : i32"), "MLIR002", 4, 25, "undeclared"),
    (_pointed("    %v = llvm.load volatile %p : !llvm.ptr -> f32"), "MLIR046", 3, 10, "atomic or volatile"),
    (_pointed("    %v = llvm.load %p : !llvm.ptr -> !llvm.ptr"), "MLIR010", 3, 10, "!llvm.ptr"),
    (_pointed("    %v = llvm.ptrtoint %p : !llvm.ptr to i64"), "MLIR011", 3, 10, "llvm.ptrtoint"),
    (_pointed("    llvm.fence release"), "MLIR055", 3, 5, "the system"),
    (_pointed('    llvm.fence syncscope("workgroup") release'), "MLIR055", 3, 5, "next to a barrier"),
    (_pointed("    %v = llvm.atomicrmw nand %p, %n monotonic : !llvm.ptr, i32"), "MLIR053", 3, 10, "nand"),
    (_pointed("    %v = rocdl.mbcnt.lo %n, %n : (i32, i32) -> i32"), "MLIR055", 3, 10, "the mask -1"),
    (
        _pointed("    %v = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<5>"),
        "MLIR020",
        3,
        10,
        "a constant number",
    ),
    (body("    %s, %t = gpu.shuffle xor %n, %n, %n : i32"), "MLIR050", 3, 14, "power of two"),
    (body("", kind="workgroup(%b: memref<99999xf32, 3>) kernel"), "MLIR022", 2, 53, "399996"),
    (body("", kind=""), "MLIR004", 2, 3, "no kernel"),
    # the parser's own stack would end, and the process with it
    (body("    %t = arith.constant true", *["    scf.if %t {"] * 5000, *["    }"] * 5000), "MLIR008", 258, 15, "256 brackets"),
    (body("    %t = arith.constant true", *["    scf.if %t {"] * 70, *["    }"] * 70), "MLIR008", 65, 5, "64 regions"),
    (body(f"    %a = affine.apply affine_map<(d) -> (d{' floordiv 3' * 300})>(%x)"), "MLIR008", 3, 2860, "256 operators"),
    (body(f"    %a = affine.apply affine_map<(d) -> ({'-' * 99999}d)>(%x)"), "MLIR008", 3, 298, "256 operators"),
]


@pytest.mark.parametrize("case", range(len(REFUSED)), ids=lambda i: f"{i}-{REFUSED[i][1]}")
def test_refused(case: int) -> None:
    text, code, line, column, word = REFUSED[case]
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text)
    error = caught.value
    assert (error.code, error.place) == (code, Place("<text>.mlir", line, column)), str(error)
    assert word in str(error)


def test_cycle_of_two_entries() -> None:
    lines = [
        "    %z = arith.constant 0 : i32",
        "    %c = arith.cmpi eq, %n, %z : i32",
        "    cf.cond_br %c, ^a, ^b",
        "  ^a:",
        "    cf.cond_br %c, ^b, ^end",
        "  ^b:",
        "    cf.br ^a",
        "  ^end:",
    ]
    with pytest.raises(InputError, match="cycle") as caught:
        _ = asmgen.compile(body(*lines))
    assert caught.value.code == "MLIR041"
    assert isinstance(caught.value.place, Place) and caught.value.place.line > 0


def test_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mlir_file, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"\.\[mlir\]") as caught:
        _ = read_mlir(body(), "k.mlir")
    assert caught.value.code == "MLIR001"


def _floats(count: int = 8) -> Any:
    return np.zeros(count, np.float32)


_SHARED = _floats()
LAUNCHES: list[tuple[dict[str, Any], str]] = [
    ({"args": [_floats(), _floats(), _floats()]}, "LNC002"),
    ({"args": [_floats(), _floats(), _floats(), 8, 9]}, "LNC002"),
    ({"args": [_floats(), _floats(), np.zeros(8), 8]}, "LNC004"),
    ({"args": [_floats(), _floats(), _floats().reshape(2, 4), 8]}, "LNC004"),
    ({"args": [_floats(), _floats(), _floats(), 8.5]}, "LNC004"),
    ({"args": [_floats(), _floats(), _floats(), 1 << 40]}, "LNC004"),
    ({"args": [_SHARED, _floats(), _SHARED, 8]}, "LNC005"),
    ({"block": (1025, 1, 1)}, "LNC003"),
    ({"block": (0, 1, 1)}, "LNC003"),
    ({"grid": (1, 1)}, "LNC003"),
    ({"grid": (1, (1 << 31) + 1, 1), "block": (8, 1, 1)}, "LNC003"),
    ({"grid": (1 << 28, 1, 1), "block": (9, 1, 1)}, "LNC003"),
]


@pytest.mark.parametrize(("given", "code"), LAUNCHES)
def test_bad_launch(given: dict[str, Any], code: str) -> None:
    program = asmgen.compile(EXAMPLES / "vecadd.mlir")
    args = given.get("args", [_floats(), _floats(), _floats(), 8])
    grid, block = given.get("grid", (1, 1, 1)), given.get("block", (8, 1, 1))
    with pytest.raises(InputError) as caught:
        _ = program.kernel("vecadd").launch(grid=grid, block=block, args=args)
    assert caught.value.code == code
    is_of_sizes = "three sizes" in str(caught.value)
    assert is_of_sizes or re.search(r"vecadd\.mlir:3:\d+: ", str(caught.value)), str(caught.value)


def test_missing_kernel() -> None:
    program = asmgen.compile(EXAMPLES / "vecadd.mlir")
    with pytest.raises(InputError, match="wanted one of vecadd") as caught:
        _ = program.kernel("vecad")
    assert caught.value.code == "LNC001"


def test_other_block_than_the_known_one() -> None:
    program = asmgen.compile(EXAMPLES / "fence.mlir")
    with pytest.raises(InputError, match=r"wanted \(256, 1, 1\)"):
        _ = program.kernel("fence").launch(grid=(1, 1, 1), block=(64, 1, 1), args=[np.zeros(64, np.int32), np.zeros(64, np.int32)])


def test_access_outside_of_a_buffer() -> None:
    """The guard of the program lets more through than the arrays have."""
    program = asmgen.compile(EXAMPLES / "vecadd.mlir")
    with pytest.raises(InputError, match=r"vecadd\.mlir:\d+:\d+") as caught:
        _ = program.kernel("vecadd").launch(grid=(1, 1, 1), block=(64, 1, 1), args=[_floats(), _floats(), _floats(), 64], device="emulator")
    assert "outside" in str(caught.value) or "bounds" in str(caught.value)


def test_race_without_the_barrier() -> None:
    text = (EXAMPLES / "fence.mlir").read_text().replace("    gpu.barrier\n", "")
    program = asmgen.compile(text, target="gfx1100")
    args = [np.ones(256, np.int32), np.zeros(256, np.int32)]
    with pytest.raises(InputError, match="no barrier"):
        _ = program.kernel("fence").launch(grid=(1, 1, 1), block=(256, 1, 1), args=args, device="emulator")


def test_documented_ops() -> None:
    """The table of docs/mlir.md has the ops of the rows, and no others."""
    found: set[str] = set()
    for dialect, ops in re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCS.read_text(), re.MULTILINE):
        found.update(f"{dialect}.{name}" for name in re.findall(r"`([\w.]+)`", ops))
    assert found == set(TABLE)


_LLVM_22 = """"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>) -> ()}> ({
    ^bb0(%x: memref<?xf32>):
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %m = llvm.mlir.constant(1 : index) : i64
      %a = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
      %v = "memref.load"(%x, %t) : (memref<?xf32>, index) -> f32
      %w = LINE
      "memref.store"(%w, %x, %t) : (f32, memref<?xf32>, index) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k", workgroup_attributions = 0 : i64} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%x: memref<?xf32>):
    %c = "arith.constant"() <{value = 1 : index}> : () -> index
    "gpu.launch_func"(%c, %c, %c, %c, %c, %c, %x) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}>
      : (index, index, index, index, index, index, memref<?xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
"""


def test_the_generic_form_of_llvm_22_is_read_and_keeps_its_places() -> None:
    program = asmgen.compile(_LLVM_22.replace("LINE", "arith.addf %v, %v : f32"), target="gfx942")
    (found,) = program.host("main").run(args=[np.ones(3, np.float32)], device=chosen_device())
    np.testing.assert_array_equal(found, [2, 1, 1])
    with pytest.raises(InputError, match=r":9:22: error\[MLIR011\]: math\.erfc"):
        _ = asmgen.compile(_LLVM_22.replace("%w = LINE", "          %w = math.erfc %v : f32"), target="gfx942")
    with pytest.raises(InputError, match=r":9:27: error\[MLIR002\]: use of undeclared SSA value name"):
        _ = asmgen.compile(_LLVM_22.replace("LINE", "arith.addf %v, %no : f32"), target="gfx942")


_UNMARKED = """module {
  gpu.module @m { gpu.func @k() kernel { gpu.return } }
  func.func @f(%n: index) { gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) return }
}
"""

# A whole text, the code and the place of its error, and words of it.
WHOLE: dict[str, tuple[str, str, str]] = {
    "HIP": ("__global__ void f(float* x) { x[0] = 1; }", "1:1: error[MLIR002]", "this is HIP or OpenCL"),
    "LLVM IR": ("define amdgpu_kernel void @k(ptr %p) {\n ret void\n}\n", "1:1: error[MLIR002]", "mlir-translate"),
    "gen text": ("x = @param:x -> f32, {64}\n", "1:1: error[MLIR002]", "the suffix .gen"),
    "assembly": ("  s_endpgm\n", "1:3: error[MLIR002]", "the suffix .s"),
    "an attribute of Triton": ("#b = #ttg.blocked<{a = [1]}>\nmodule {}", "1:11: error[MLIR002]", "#ttg.blocked is of an unknown dialect"),
    "a launch in a module without the mark": (_UNMARKED, "3:29: error[MLIR002]", "module attributes {gpu.container_module}"),
    "a function without a mark": ("gpu.module @m { func.func @k() { return } }", "1:17: error[MLIR004]", "attributes {gpu.kernel}"),
    "a gpu.func without a mark": ("gpu.module @m { gpu.func @k() { gpu.return } }", "1:17: error[MLIR004]", "gpu.func @k is not marked"),
    "tensors without a rank": (
        "func.func @f(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : tensor<*xf32> }",
        "1:1: error[MLIR004]", "func.func @f is not a function of ranked tensors",
    ),
    "a scalable vector": (body("    %v = vector.broadcast %n : i32 to vector<[4]xi32>"), "3:10: error[MLIR010]", "vector<[4]xi32>"),
    "a loop with the step 0": (
        body("    %z = arith.constant 0 : index", "    %c = arith.constant 4 : index", "    scf.for %i = %z to %c step %z {\n    }"),
        "5:5: error[MLIR043]", "scf.for has the step 0, wanted a step of at least 1",
    ),
    "assembly in a kernel": (
        body('    %a = llvm.inline_asm "s_nop 0", "=v" : () -> i32'), "3:10: error[MLIR011]", "ops of llvm, rocdl or amdgpu",
    ),
    "an intrinsic": (body('    llvm.call_intrinsic "llvm.amdgcn.s.nop"() : () -> ()'), "3:5: error[MLIR011]", "ops of llvm.intr and rocdl"),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_text_is_refused_with_a_way_out(name: str, tmp_path: Path) -> None:
    text, where, words = WHOLE[name]
    path = tmp_path / "kernel.mlir"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(path, target="gfx942")
    assert f"kernel.mlir:{where}" in str(caught.value)
    assert words in str(caught.value)


def test_a_loop_whose_step_is_0_in_a_launch_is_a_fault_of_the_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no end on a GPU; the interpreter ran on."""
    path = tmp_path / "kernel.mlir"
    lines = ["    %z = arith.constant 0 : index", "    %c = arith.constant 4 : index"]
    lines += ["    scf.for %i = %z to %c step %s {", "    }"]
    path.write_text(body(*lines).replace("%n: i32", "%s: index"))
    assert main(["kernel", str(path), "--verify", "--size", "s=0"]) == 1
    assert "5:5: error[MLIR094]: scf.for has the step 0" in capsys.readouterr().err


def test_a_loop_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("asmgen.mlir.interpret.run.MOST_BLOCKS", 20)
    path = tmp_path / "kernel.mlir"
    loop = ["    scf.while : () -> () {", "      %t = arith.constant true", "      scf.condition(%t)", "    } do {", "      scf.yield", "    }"]
    path.write_text(body(*loop))
    assert main(["kernel", str(path), "--verify"]) == 1
    assert "7:7: error[MLIR095]: thread 0 has run 20 blocks" in capsys.readouterr().err


def test_the_parser_does_not_print_the_op_again() -> None:
    operands = "ins(%a, %b : tensor<4x8xf32>, tensor<9x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>"
    text = f"func.func @f(%a: tensor<4x8xf32>, %b: tensor<9x4xf32>, %c: tensor<4x4xf32>) {{\n  linalg.matmul {operands}\n  return\n}}"
    with pytest.raises(InputError, match=r":2:3: error\[MLIR002\].* but found 9\Z"):
        _ = read_mlir(text, "kernel.mlir")
