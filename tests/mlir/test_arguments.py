"""Arguments of every type: at clang's places for the same signature, and the kernel finds them there."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

import asmgen
from isa.emulator.runner import load
from tests.device import chosen_device
from tests.rows import spread

_KERNEL = """
gpu.module @m {
  gpu.func @k(%out: memref<?xf64>, %a: i8, %b: i16, %c: i32, %d: i64, %e: f16, %f: f32,
      %g: f64, %h: index, %data: memref<?xi32>) kernel {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %2 = arith.constant 2 : index
    %3 = arith.constant 3 : index
    %4 = arith.constant 4 : index
    %5 = arith.constant 5 : index
    %6 = arith.constant 6 : index
    %7 = arith.constant 7 : index
    %8 = arith.constant 8 : index
    %fa = arith.sitofp %a : i8 to f64
    %fb = arith.sitofp %b : i16 to f64
    %fc = arith.sitofp %c : i32 to f64
    %fd = arith.sitofp %d : i64 to f64
    %fe = arith.extf %e : f16 to f64
    %ff = arith.extf %f : f32 to f64
    %ih = arith.index_cast %h : index to i64
    %fh = arith.sitofp %ih : i64 to f64
    %v = memref.load %data[%1] : memref<?xi32>
    %fv = arith.sitofp %v : i32 to f64
    memref.store %fa, %out[%0] : memref<?xf64>
    memref.store %fb, %out[%1] : memref<?xf64>
    memref.store %fc, %out[%2] : memref<?xf64>
    memref.store %fd, %out[%3] : memref<?xf64>
    memref.store %fe, %out[%4] : memref<?xf64>
    memref.store %ff, %out[%5] : memref<?xf64>
    memref.store %g, %out[%6] : memref<?xf64>
    memref.store %fh, %out[%7] : memref<?xf64>
    memref.store %fv, %out[%8] : memref<?xf64>
    gpu.return
  }
}
"""
_C = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global double *out, char a, short b, int c, long d, half e, float f, double g,
    long h, __global const int *data) {
  out[0] = a + b + c + d + e + f + g + h + data[1];
}
"""
MACHINES = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")


@pytest.mark.needs_llvm("clang-22")
def test_layout_is_that_of_clang() -> None:
    made = subprocess.run(
        ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-nogpulib",
         "-w", "-O2", "-S", "-o", "-", "-"],
        input=_C, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (kernel,) = asmgen.compile(_KERNEL).kernels
    wanted = [one for one in load(made.stdout, "k").arguments if not one.is_hidden]
    found = [one for one in load(kernel.assembly, "k").arguments if not one.is_hidden]
    assert [(one.offset, one.size, one.kind) for one in found] == [(one.offset, one.size, one.kind) for one in wanted]
    assert [one.address_space for one in found if one.is_buffer] == ["global", "global"]


@pytest.mark.parametrize(("target", "name"), spread([(machine, "k") for machine in MACHINES], 2))
def test_arguments_arrive(target: str, name: str) -> None:
    out, data = np.zeros(9), np.array([1, -7], np.int32)
    args = [out, -5, -300, -70000, -(1 << 40), 1.5, 2.25, -3.125, 1 << 33, data]
    program = asmgen.compile(_KERNEL, target=target)
    found, _ = program.kernel(name).launch(grid=(1, 1, 1), block=(1, 1, 1), args=args, device=chosen_device())
    assert found.tolist() == [-5, -300, -70000, -(1 << 40), 1.5, 2.25, -3.125, 1 << 33, -7]


def test_a_descriptor_is_passed_field_by_field() -> None:
    """A memref with strides that only the launch knows, after a number: as in MLIR's own calling
    convention."""
    text = """
gpu.module @m {
  gpu.func @k(%n: i32, %x: memref<?x?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %x[%i, %i] : memref<?x?xf32>
    memref.store %v, %x[%i, %i] : memref<?x?xf32>
    gpu.return
  }
}
"""
    (kernel,) = asmgen.compile(text).kernels
    explicit = [one for one in kernel.arguments if not one.is_hidden]
    assert [(one.name, one.offset, one.size) for one in explicit] == [
        ("n", 0, 4), ("x_allocated", 8, 8), ("x", 16, 8), ("x_offset", 24, 8), ("x_size0", 32, 8),
        ("x_size1", 40, 8), ("x_stride0", 48, 8), ("x_stride1", 56, 8),
    ]  # fmt: skip


_WINDOWS = """
gpu.module @m {
  gpu.func @k(%x: memref<4x3xi32, strided<[8, 2], offset: 5>>, %y: memref<4x?xi32, strided<[8, 2], offset: 5>>,
      %z: memref<4x?xi32, strided<[?, 1], offset: ?>>) kernel {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %one = arith.constant 1 : index
    %size = memref.dim %y, %one : memref<4x?xi32, strided<[8, 2], offset: 5>>
    %n = arith.index_cast %size : index to i32
    %a = memref.load %x[%i, %j] : memref<4x3xi32, strided<[8, 2], offset: 5>>
    %b = memref.load %y[%i, %j] : memref<4x?xi32, strided<[8, 2], offset: 5>>
    %c = memref.load %z[%i, %j] : memref<4x?xi32, strided<[?, 1], offset: ?>>
    %d = arith.muli %a, %b : i32
    %e = arith.addi %d, %c : i32
    %f = arith.addi %e, %n : i32
    memref.store %f, %x[%i, %j] : memref<4x3xi32, strided<[8, 2], offset: 5>>
    memref.store %b, %z[%i, %j] : memref<4x?xi32, strided<[?, 1], offset: ?>>
    gpu.return
  }
}
"""


def test_an_array_goes_where_the_type_of_its_argument_has_its_elements() -> None:
    """An offset and strides that the type says, bare and in a descriptor, next to some that the launch says."""
    x, y, z = (np.arange(12, dtype=np.int32).reshape(4, 3) * by + 1 for by in (3, 5, 7))
    program = asmgen.compile(_WINDOWS, target="gfx1100")
    found = program.kernel("k").launch(grid=(1, 1, 1), block=(4, 3, 1), args=[x, y, z], device=chosen_device())
    assert [argument.name for argument in program.kernels[0].arguments if "allocated" in argument.name] == [
        "y_allocated", "z_allocated",
    ]  # fmt: skip
    for got, wanted in zip(found, (x * y + z + 3, y, y), strict=True):
        np.testing.assert_array_equal(got, wanted)


_TWO_ROWS = """
gpu.module @m {
  gpu.func @k(%x: memref<2x2xi32, strided<[3, 1]>>, %y: memref<2x2xi32>) kernel {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %a = memref.load %x[%i, %j] : memref<2x2xi32, strided<[3, 1]>>
    memref.store %a, %y[%i, %j] : memref<2x2xi32>
    gpu.return
  }
}
"""


def test_two_rows_with_a_gap_between_them_keep_it() -> None:
    x, y = np.array([[1, 2], [3, 4]], np.int32), np.zeros((2, 2), np.int32)
    program = asmgen.compile(_TWO_ROWS, target="gfx942")
    found = program.kernel("k").launch(grid=(1, 1, 1), block=(2, 2, 1), args=[x, y], device=chosen_device())
    np.testing.assert_array_equal(found[1], x)


_VECTORS = """
gpu.module @m {
  gpu.func @k(%out: memref<?xf64>, %a: i8, %b: vector<4xf32>, %c: vector<2xi8>, %d: vector<3xi32>, %e: bf16, %f: vector<2xf64>,
      %g: i1, %h: vector<8xf16>, %i: vector<2xi16>, %j: vector<16xf64>, %l: vector<4xi8>, %m: i64) kernel {
STORES
    gpu.return
  }
}
"""
_VECTORS_IN_C = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global double *out, char a, float4 b, char2 c, int3 d, ushort e, double2 f, char g, half8 h, short2 i,
    double16 j, char4 l, long m) { out[0] = b.x + c.x + d.x + a + e + f.x + g + h.s0 + i.x + j.s0 + l.x + m; }
"""
# Each element of the arguments: its name, its type, and its place in a vector.
_PARTS = [
    ("a", "i8", None), *[("b", "vector<4xf32>", i) for i in (0, 3)], *[("c", "vector<2xi8>", i) for i in (0, 1)],
    *[("d", "vector<3xi32>", i) for i in (0, 1, 2)], ("e", "bf16", None), *[("f", "vector<2xf64>", i) for i in (0, 1)],
    ("g", "i1", None), *[("h", "vector<8xf16>", i) for i in (0, 3, 7)], *[("i", "vector<2xi16>", i) for i in (0, 1)],
    *[("j", "vector<16xf64>", i) for i in (0, 7, 15)], *[("l", "vector<4xi8>", i) for i in (1, 3)], ("m", "i64", None),
]  # fmt: skip


def _stores() -> str:
    lines: list[str] = []
    for number, (name, type_, place) in enumerate(_PARTS):
        scalar = type_ if place is None else type_[:-1].partition("x")[2]
        value = f"%{name}"
        if place is not None:
            value = f"%p{number}"
            lines.append(f"{value} = vector.extract %{name}[{place}] : {scalar} from {type_}")
        convert = "arith.uitofp" if scalar == "i1" else "arith.sitofp" if scalar[0] == "i" else "arith.extf"
        if scalar != "f64":
            lines.append(f"%w{number} = {convert} {value} : {scalar} to f64")
            value = f"%w{number}"
        lines.append(f"%k{number} = arith.constant {number} : index")
        lines.append(f"memref.store {value}, %out[%k{number}] : memref<?xf64>")
    return "\n".join(lines)


@pytest.mark.needs_llvm("clang-22")
def test_layout_of_vectors_is_that_of_clang() -> None:
    """A vector is aligned to its size, that of 3 to the size of 4; and the segment to the largest."""
    made = subprocess.run(
        ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-nogpulib",
         "-w", "-O2", "-S", "-o", "-", "-"],
        input=_VECTORS_IN_C, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (kernel,) = asmgen.compile(_VECTORS.replace("STORES", _stores())).kernels
    wanted = [one for one in load(made.stdout, "k").arguments if not one.is_hidden]
    found = [one for one in load(kernel.assembly, "k").arguments if not one.is_hidden]
    assert [(one.offset, one.size, one.kind) for one in found] == [(one.offset, one.size, one.kind) for one in wanted]
    align = next(line for line in made.stdout.splitlines() if ".kernarg_segment_align" in line)
    assert align.split() in [line.split() for line in kernel.assembly.splitlines()]


@pytest.mark.parametrize("target", MACHINES)
def test_vectors_arrive(target: str) -> None:
    import ml_dtypes

    values = {
        "a": -3, "b": np.array([0.5, 1, 2, -4.25], np.float32), "c": np.array([-7, 100], np.int8),
        "d": np.array([1 << 30, -2, 77], np.int32), "e": np.array(-1.5, ml_dtypes.bfloat16), "f": np.array([1e300, -2.0]),
        "g": True, "h": np.arange(8).astype(np.float16) - 3, "i": np.array([-300, 301], np.int16),
        "j": np.arange(16) * 1.25, "l": np.array([1, -2, 3, -4], np.int8), "m": -(1 << 40),
    }  # fmt: skip
    program = asmgen.compile(_VECTORS.replace("STORES", _stores()), target=target)
    (out,) = program.kernel("k").launch(grid=(1, 1, 1), block=(1, 1, 1), args=[np.zeros(len(_PARTS)), *values.values()], device=chosen_device())
    wanted = [float(np.asarray(values[name]).reshape(-1)[place or 0]) for name, _, place in _PARTS]
    np.testing.assert_array_equal(out, wanted)


_DESCRIPTORS = """
gpu.module @m {
  gpu.func @k(%a: i8, %x: memref<4x?xf32, strided<[?, 1], offset: ?>>, %v: vector<3xf32>, %y: memref<8xf16>, %n: i32,
      %z: memref<?xi64>, %b: bf16) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1 : index
    %size = memref.dim %x, %one : memref<4x?xf32, strided<[?, 1], offset: ?>>
    %w = arith.index_cast %size : index to i64
    memref.store %w, %z[%i] : memref<?xi64>
    gpu.return
  }
}
"""
_DESCRIPTORS_IN_C = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(char a, __global float *xa, __global float *x, long offset, long size0, long size1, long stride0, long stride1,
    float3 v, __global half *y, int n, __global long *z, ushort b) { z[0] = size1 + a + n + b; }
"""


@pytest.mark.needs_llvm("clang-22")
def test_layout_of_descriptors_is_that_of_clang() -> None:
    """A memref with a layout that the launch gives, field by field, between numbers and bare pointers."""
    made = subprocess.run(
        ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-nogpulib",
         "-w", "-O2", "-S", "-o", "-", "-"],
        input=_DESCRIPTORS_IN_C, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (kernel,) = asmgen.compile(_DESCRIPTORS).kernels
    wanted = [one for one in load(made.stdout, "k").arguments if not one.is_hidden]
    found = [one for one in load(kernel.assembly, "k").arguments if not one.is_hidden]
    assert [(one.offset, one.size, one.kind) for one in found] == [(one.offset, one.size, one.kind) for one in wanted]
    assert [one.name for one in found][1:9] == [
        "x_allocated", "x", "x_offset", "x_size0", "x_size1", "x_stride0", "x_stride1", "v",
    ]  # fmt: skip
    spaces = [one.address_space for one in found]
    assert [space == "global" for space in spaces] == [one.is_buffer for one in wanted]
