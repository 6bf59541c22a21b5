"""Kernels by hand: the author chooses instructions, on virtual registers, in Python (docs/by-hand.md).

    from asmgen.assembly import Builder, f32, global_pointer, kernel, u32

    @kernel(workgroup=(256, 1, 1))
    def saxpy(k: Builder, x: global_pointer[f32], y: global_pointer[f32], a: f32, n: u32) -> None:
        i = 256 * k.workgroup_id.x + k.thread_id.x
        with k.where(i < n):
            v, w = k.global_load_dword(x, 4 * i), k.global_load_dword(y, 4 * i)
            k.global_store_dword(y, 4 * i, k.v_fma_f32(a, v, w))

    program = saxpy.compile("gfx942")

Registers, waits, wait states and the descriptor are the compiler's work.
"""

from asmgen.assembly import pseudo
from asmgen.assembly.arguments import (
    Bounds,
    below,
    between,
    bf16,
    f16,
    f32,
    f64,
    global_pointer,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
)
from asmgen.assembly.builder import Builder, KernelBuilder
from asmgen.assembly.kernel import HandKernel, HandProgram, kernel
from asmgen.assembly.targets import Gfx90a, Gfx942, Gfx950, Gfx1100, Gfx1201
from asmgen.assembly.values import Accumulator, Lds, Pointer, Registers, Scalar, Vector, bits, sext
from isa.instruction import OFF

__all__ = [
    "OFF",
    "Accumulator",
    "Bounds",
    "Builder",
    "Gfx90a",
    "Gfx942",
    "Gfx950",
    "Gfx1100",
    "Gfx1201",
    "KernelBuilder",
    "HandKernel",
    "HandProgram",
    "Lds",
    "Pointer",
    "Registers",
    "Scalar",
    "Vector",
    "below",
    "between",
    "bf16",
    "bits",
    "f16",
    "f32",
    "f64",
    "global_pointer",
    "i8",
    "i16",
    "i32",
    "i64",
    "kernel",
    "pseudo",
    "sext",
    "u8",
    "u16",
    "u32",
    "u64",
]
