"""Wrong inputs, written by hand: each is an error at its line and column, which were counted in the text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError

HEAD = "gpu.module @m {\n  gpu.func @k(%x: memref<?xf32>, %s: memref<8xi32>, %n: i32) kernel {\n"
SHARED = HEAD.replace(") kernel", ") workgroup(%a: memref<4xi32, 3>) kernel")


def kernel(body: str, head: str = HEAD) -> str:
    """A kernel with a body that begins on line 3."""
    return f"{head}{body}\n    gpu.return\n  }}\n}}\n"


COMPILED: dict[str, tuple[str, str, str]] = {
    "a brace is missing": ("gpu.module @m {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n", "MLIR002", "4:4"),
    "a letter that is none": (kernel("    %a = arith.constant 1.0 : f32 $"), "MLIR002", "3:35"),
    "an unknown op": (kernel("    %a = arith.frobnicate %n : i32"), "MLIR002", "3:10"),
    "an op of an unknown dialect": (kernel('    %a = "mydialect.op"(%n) : (i32) -> i32'), "MLIR002", "3:10"),
    "a mismatch of types": (kernel("    %c = arith.constant 1 : i64\n    %a = arith.addi %n, %c : i32"), "MLIR002", "4:25"),
    "a value that nothing defines": (kernel("    %a = arith.addi %n, %q : i32"), "MLIR002", "3:25"),
    "a value that is defined twice": (kernel("    %n = arith.constant 1 : i32"), "MLIR002", "3:5"),
    "a rank that is another one": (
        kernel("    %z = arith.constant 0 : index\n    %v = memref.load %s[%z, %z] : memref<8xi32>"), "MLIR002", "4:10",
    ),
    "a relation that is none": (kernel("    %a = arith.cmpi foo, %n, %n : i32"), "MLIR002", "3:21"),
    "a type that lanes do not hold": (kernel("    %a = arith.constant 1 : i128"), "MLIR010", "3:10"),
    "a barrier that a branch goes round": (
        kernel(
            "    %t = gpu.thread_id x\n    %c = arith.constant 3 : index\n    %p = arith.cmpi ult, %t, %c : index\n"
            "    cf.cond_br %p, ^a, ^b\n  ^a:\n    gpu.barrier\n    cf.br ^b\n  ^b:"
        ), "GEN120", "8:5",
    ),
    "a barrier in a loop of other lengths": (
        kernel(
            "    %t = gpu.thread_id x\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
            "    scf.for %i = %c0 to %t step %c1 {\n      gpu.barrier\n    }"
        ), "GEN120", "7:7",
    ),
    "too much workgroup memory": (
        kernel("", HEAD.replace(") kernel", ") workgroup(%a: memref<9000xf32, 3>, %b: memref<9000xf32, 3>) kernel")), "MLIR022", "2:97",
    ),
    "workgroup memory of a size that only the launch knows": (
        kernel("    %i = arith.index_cast %n : i32 to index\n    %a = memref.alloc(%i) : memref<?xf32, 3>"), "MLIR020", "4:10",
    ),
    "a loop without an end": (kernel("    cf.br ^a\n  ^a:\n    cf.br ^a\n  ^b:"), "MLIR043", "5:5"),
    "a store beside private memory": (
        kernel(
            "    %a = memref.alloca() : memref<4xi32, 5>\n    %c = arith.constant 4 : index\n    memref.store %n, %a[%c] : memref<4xi32, 5>"
        ), "MLIR023", "5:5",
    ),
    "a load beside private memory": (
        kernel(
            "    %a = memref.alloca() : memref<4xi32, 5>\n    %c = arith.constant 4 : index\n    %v = memref.load %a[%c] : memref<4xi32, 5>"
        ), "MLIR023", "5:10",
    ),
    "a function that calls itself": (
        kernel("    func.call @a(%n) : (i32) -> ()").replace(
            "gpu.module @m {", "gpu.module @m { func.func private @a(%n: i32) { func.call @a(%n) : (i32) -> () return }", 1
        ), "MLIR031", "1:49",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(COMPILED))
def test_compiled(name: str, tmp_path: Path) -> None:
    text, code, place = COMPILED[name]
    path = tmp_path / "wrong.mlir"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(path, target="gfx942")
    assert str(caught.value).startswith(f"{path}:{place}: error[{code}]: "), str(caught.value)


def arguments() -> list[Any]:
    return [np.zeros(8, np.float32), np.zeros(8, np.int32), 1]


NEAR = """    %i = gpu.thread_id x
    %c = arith.constant {count} : index
    %j = arith.{op} %i, %c : index
    %v = memref.load %{which}[%j] : memref<{type}>
    memref.store %v, %{which}[%i] : memref<{type}>"""
STORED = """    %i = gpu.thread_id x
    %v = memref.load %s[%i] : memref<8xi32>
    memref.store %v, %a[%i] : memref<4xi32, 3>"""
LAUNCHED: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a load after the end": (kernel(NEAR.format(count=1, op="addi", which="x", type="?xf32")), {}, "SAN005", "6:10"),
    "a load before the beginning": (kernel(NEAR.format(count=1, op="subi", which="x", type="?xf32")), {}, "SAN005", "6:10"),
    "a load after the end of a static memref": (kernel(NEAR.format(count=4, op="addi", which="s", type="8xi32")), {}, "SAN005", "6:10"),
    "a store after the end of workgroup memory": (kernel(STORED, SHARED), {}, "SAN005", "5:5"),
    "too few arguments": (kernel(""), {"args": arguments()[:1]}, "LNC002", "2:3"),
    "too many arguments": (kernel(""), {"args": [*arguments(), 2]}, "LNC002", "2:3"),
    "an array of another type": (kernel(""), {"args": [np.zeros(8), *arguments()[1:]]}, "LNC004", "2:15"),
    "an array of another shape": (kernel(""), {"args": [arguments()[0], np.zeros(9, np.int32), 1]}, "LNC004", "2:34"),
    "a word for a number": (kernel(""), {"args": [*arguments()[:2], "x"]}, "LNC004", "2:53"),
    "a number that does not fit": (kernel(""), {"args": [*arguments()[:2], 1 << 32]}, "LNC004", "2:53"),
    "a block that is too large": (kernel(""), {"block": (1024, 2, 1)}, "LNC003", "2:3"),
}


@pytest.mark.parametrize("name", list(LAUNCHED))
def test_launched(name: str, tmp_path: Path) -> None:
    text, given, code, place = LAUNCHED[name]
    path = tmp_path / "wrong.mlir"
    path.write_text(text)
    program = asmgen.compile(path, target="gfx942")
    options: dict[str, Any] = {"grid": (1, 1, 1), "block": (8, 1, 1), "args": arguments(), "device": "emulator", **given}
    with pytest.raises(InputError) as caught:
        _ = program.kernel("k").launch(**options)
    assert re.match(rf"{re.escape(str(path))}:{place}: .*error\[{code}\]|{re.escape(str(path))}:{place}: error\[{code}\]", str(caught.value)), str(
        caught.value
    )


def test_a_kernel_that_is_not_there() -> None:
    program = asmgen.compile(kernel(""), target="gfx942")
    with pytest.raises(InputError, match=r"LNC001.*'kk'.*wanted one of k"):
        _ = program.kernel("kk")
