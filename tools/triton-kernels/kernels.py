"""Triton's kernels for the programs of the scoreboard, compiled without a GPU over a space of divisions.

`python kernels.py DIRECTORY TARGET... [--program NAME]... [--choice N]` runs in an environment with Triton
3.9, and writes a code object for each choice, and `space.json` with its launch. `python -m
tools.triton_peers` starts it and measures the objects; the corpus asks for a single choice. A choice is the
number of warps, and the rows or elements of a workgroup, with 4 to 32 elements for each lane. `num_stages`
matters to loops only, and no kernel here has any.
"""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

WARPS = (1, 2, 4, 8)
ROWS = (1, 2, 4, 8)
LEAST, MOST = 8, 32  # elements of a lane, of rows and tiles
EACH = (4, 8, 16)  # elements of a lane, of the other kernels
_LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def rmsnorm_f16(x, w, o, N: tl.constexpr, R: tl.constexpr):
    c = tl.arange(0, N)
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + c[None, :]
    v = tl.load(x + at).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, 1) * (1.0 / N) + 1e-5)
    tl.store(o + at, (v * r[:, None] * tl.load(w + c).to(tl.float32)[None, :]).to(tl.float16))


@triton.jit
def residual_rmsnorm_bf16(x, y, w, h, o, N: tl.constexpr, R: tl.constexpr):
    c = tl.arange(0, N)
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + c[None, :]
    v = tl.load(x + at).to(tl.float32) + tl.load(y + at).to(tl.float32)
    tl.store(h + at, v.to(tl.bfloat16))
    r = tl.rsqrt(tl.sum(v * v, 1) * (1.0 / N) + 1e-5)
    tl.store(o + at, (v * r[:, None] * tl.load(w + c).to(tl.float32)[None, :]).to(tl.bfloat16))


@triton.jit
def layernorm(x, w, b, o, N: tl.constexpr, R: tl.constexpr):
    c = tl.arange(0, N)
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + c[None, :]
    v = tl.load(x + at).to(tl.float32)
    v -= (tl.sum(v, 1) * (1.0 / N))[:, None]
    r = tl.rsqrt(tl.sum(v * v, 1) * (1.0 / N) + 1e-5)
    y = v * r[:, None] * tl.load(w + c).to(tl.float32)[None, :] + tl.load(b + c).to(tl.float32)[None, :]
    tl.store(o + at, y.to(o.dtype.element_ty))


@triton.jit
def softmax(x, o, N: tl.constexpr, R: tl.constexpr):
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at).to(tl.float32)
    e = tl.exp2((v - tl.max(v, 1)[:, None]) * _LOG2E)
    tl.store(o + at, (e * (1.0 / tl.sum(e, 1))[:, None]).to(o.dtype.element_ty))


@triton.jit
def causal_softmax_f16(x, o, N: tl.constexpr, R: tl.constexpr):
    row, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, N)
    at = row[:, None] * N + c[None, :]
    v = tl.where(c[None, :] <= (row % N)[:, None], tl.load(x + at).to(tl.float32), float("-inf"))
    e = tl.exp2((v - tl.max(v, 1)[:, None]) * _LOG2E)
    tl.store(o + at, (e * (1.0 / tl.sum(e, 1))[:, None]).to(tl.float16))


@triton.jit
def cosine_bf16(a, b, o, N: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    at = row[:, None] * N + tl.arange(0, N)[None, :]
    u, v = tl.load(a + at).to(tl.float32), tl.load(b + at).to(tl.float32)
    tl.store(o + row, tl.sum(u * v, 1) * tl.rsqrt(tl.sum(u * u, 1) * tl.sum(v * v, 1)))


@triton.jit
def cumsum_rows_f32(x, o, N: tl.constexpr, R: tl.constexpr):
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + at, tl.cumsum(tl.load(x + at), 1))


@triton.jit
def cross_entropy_f32(x, labels, o, N: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    v = tl.load(x + row[:, None] * N + tl.arange(0, N)[None, :])
    m = tl.max(v, 1)
    s = tl.sum(tl.exp2((v - m[:, None]) * _LOG2E), 1)
    tl.store(o + row, m + tl.log(s) - tl.load(x + row * N + tl.load(labels + row)))


@triton.jit
def embedding_f16(t, ids, o, N: tl.constexpr, R: tl.constexpr):
    row, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, N)
    i = tl.load(ids + row)
    i = tl.minimum(tl.maximum(tl.where(i < 0, i + 8192, i), 0), 8191)
    tl.store(o + row[:, None] * N + c[None, :], tl.load(t + i[:, None] * N + c[None, :]))


@triton.jit
def dequantise_f16(q, scale, o, N: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    at = row[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + at, tl.load(q + at).to(tl.float16) * tl.load(scale + row)[:, None])


@triton.jit
def swiglu_f16(g, u, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    a, b = tl.load(g + at).to(tl.float32), tl.load(u + at).to(tl.float32)
    tl.store(o + at, (a * (1.0 / (1.0 + tl.exp2(a * -_LOG2E))) * b).to(tl.float16))


@triton.jit
def _gelu(x):
    u = 0.7978845608 * (x + 0.044715 * x * x * x)
    t = 1.0 - 2.0 * (1.0 / (tl.exp2(u * (2.0 * _LOG2E)) + 1.0))
    return 0.5 * x * (1.0 + t)


@triton.jit
def gelu_bf16(x, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, _gelu(tl.load(x + at).to(tl.float32)).to(tl.bfloat16))


@triton.jit
def bias_gelu_f16(x, b, o, N: tl.constexpr, R: tl.constexpr):
    c = tl.arange(0, N)
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + c[None, :]
    y = tl.load(x + at).to(tl.float32) + tl.load(b + c).to(tl.float32)[None, :]
    tl.store(o + at, _gelu(y).to(tl.float16))


@triton.jit
def masked_fill_f16(mask, x, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, tl.where(tl.load(mask + at) != 0, -10000.0, tl.load(x + at)).to(tl.float16))


@triton.jit
def avg_pool_nhwc_f16(x, o, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    p = i // 64
    at = ((p // 56) * 224 + (p % 56) * 2) * 64 + i % 64
    a, b = tl.load(x + at).to(tl.float32), tl.load(x + at + 64).to(tl.float32)
    c, d = tl.load(x + at + 112 * 64).to(tl.float32), tl.load(x + at + 113 * 64).to(tl.float32)
    tl.store(o + i, ((a + b + c + d) * 0.25).to(tl.float16))


@triton.jit
def batchnorm_nchw_f32(x, scale, bias, mean, variance, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    c = at // 3136 % 64
    f = tl.load(scale + c) * tl.rsqrt(tl.load(variance + c) + 1e-5)
    tl.store(o + at, (tl.load(x + at) - tl.load(mean + c)) * f + tl.load(bias + c))


@triton.jit
def rope_f16(x, c, s, o, N: tl.constexpr, R: tl.constexpr):
    # R tokens of 16 heads, each half of a head on N = 64 lanes
    head, d = tl.program_id(0) * (R * 16) + tl.arange(0, R * 16), tl.arange(0, N)
    at, angle = head[:, None] * 128 + d[None, :], (head // 16)[:, None] * 64 + d[None, :]
    a, b = tl.load(x + at).to(tl.float32), tl.load(x + at + 64).to(tl.float32)
    u, v = tl.load(c + angle).to(tl.float32), tl.load(s + angle).to(tl.float32)
    tl.store(o + at, (a * u - b * v).to(tl.float16))
    tl.store(o + at + 64, (b * u + a * v).to(tl.float16))


@triton.jit
def adam_f32(p, g, m, v, op, om, ov, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.load(g + at)
    a, b = 0.9 * tl.load(m + at) + 0.1 * d, 0.999 * tl.load(v + at) + 0.001 * d * d
    tl.store(om + at, a)
    tl.store(ov + at, b)
    tl.store(op + at, tl.load(p + at) - 0.001 * a / (tl.sqrt(b) + 1e-8))


# The catalogue's programs, which are next to ours without fast math.


@triton.jit
def vecadd(a, b, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, tl.load(a + at) + tl.load(b + at))


@triton.jit
def relu(a, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, tl.maximum(tl.load(a + at), 0.0))


@triton.jit
def muladd(x, y, b, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(o + at, (2.0 * v + tl.load(b + at)) * tl.load(y + at) + v * 4.0)


@triton.jit
def gelu(x, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, _gelu(tl.load(x + at)))


@triton.jit
def gelu_erf(x, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at)
    tl.store(o + at, 0.5 * v * (1.0 + tl.erf(v * 0.70710678)))


@triton.jit
def row_sum(x, o, N: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    tl.store(o + row, tl.sum(tl.load(x + row[:, None] * N + tl.arange(0, N)[None, :]), 1))


@triton.jit
def row_max(x, o, N: tl.constexpr, R: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    tl.store(o + row, tl.max(tl.load(x + row[:, None] * N + tl.arange(0, N)[None, :]), 1))


@triton.jit
def softmax_exact(x, o, N: tl.constexpr, R: tl.constexpr):
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    e = tl.exp(v - tl.max(v, 1)[:, None])
    tl.store(o + at, e / tl.sum(e, 1)[:, None])


@triton.jit
def rmsnorm_f32(x, w, o, N: tl.constexpr, R: tl.constexpr):
    c = tl.arange(0, N)
    at = (tl.program_id(0) * R + tl.arange(0, R))[:, None] * N + c[None, :]
    v = tl.load(x + at)
    r = tl.rsqrt(tl.sum(v * v, 1) * (1.0 / N) + 1e-5)
    tl.store(o + at, v * r[:, None] * tl.load(w + c)[None, :])


@triton.jit
def reverse_add(x, y, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + at, tl.load(x + (1048575 - at)) + tl.load(y + at))


@triton.jit
def pad_add(x, y, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    inside = (at >= 300) & (at < 1048576 - 700)
    tl.store(o + at, tl.load(x + at - 300, mask=inside, other=0.0) + tl.load(y + at))


@triton.jit
def concat_add(a, b, c, o, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    first = at < 600000
    v = tl.load(a + at, mask=first, other=0.0) + tl.load(b + at - 600000, mask=at >= 600000, other=0.0)
    tl.store(o + at, v + tl.load(c + at))


@triton.jit
def transpose(x, o, S: tl.constexpr, N: tl.constexpr, R: tl.constexpr):
    # tiles of N rows by R columns of a matrix of S by S
    tiles = S // R
    r = tl.program_id(0) // tiles * N + tl.arange(0, N)
    c = tl.program_id(0) % tiles * R + tl.arange(0, R)
    t = tl.load(x + r[:, None] * S + c[None, :])
    tl.store(o + c[:, None] * S + r[None, :], tl.trans(t))


# program: the kernel, the types of its buffers, and either the rows and their elements, or the elements
ROW_KERNELS = {
    "rmsnorm_f16": (rmsnorm_f16, "fp16 fp16 fp16", 4096, 1024),
    "residual_rmsnorm_bf16": (residual_rmsnorm_bf16, "bf16 bf16 bf16 bf16 bf16", 4096, 1024),
    "layernorm_f16": (layernorm, "fp16 fp16 fp16 fp16", 4096, 1024),
    "layernorm_wide_f32": (layernorm, "fp32 fp32 fp32 fp32", 1024, 4096),
    "softmax_f16": (softmax, "fp16 fp16", 4096, 1024),
    "gate_softmax_f32": (softmax, "fp32 fp32", 65536, 16),
    "causal_softmax_f16": (causal_softmax_f16, "fp16 fp16", 8192, 1024),
    "cosine_bf16": (cosine_bf16, "bf16 bf16 fp32", 4096, 1024),
    "cumsum_rows_f32": (cumsum_rows_f32, "fp32 fp32", 4096, 1024),
    "cross_entropy_f32": (cross_entropy_f32, "fp32 i32 fp32", 1024, 8192),
    "embedding_f16": (embedding_f16, "fp16 i32 fp16", 4096, 1024),
    "dequantise_f16": (dequantise_f16, "i8 fp16 fp16", 4096, 1024),
    "bias_gelu_f16": (bias_gelu_f16, "fp16 fp16 fp16", 2048, 2048),
    "row_sum": (row_sum, "fp32 fp32", 4096, 1024),
    "row_max": (row_max, "fp32 fp32", 4096, 1024),
    "softmax": (softmax_exact, "fp32 fp32", 4096, 1024),
    "layernorm": (layernorm, "fp32 fp32 fp32 fp32", 4096, 1024),
    "rmsnorm": (rmsnorm_f32, "fp32 fp32 fp32", 4096, 1024),
    "rope_f16": (rope_f16, "fp16 fp16 fp16 fp16", 2048, 64),
}
BLOCK_KERNELS = {
    "swiglu_f16": (swiglu_f16, "fp16 fp16 fp16", 1 << 22),
    "gelu_bf16": (gelu_bf16, "bf16 bf16", 1 << 22),
    "masked_fill_f16": (masked_fill_f16, "u8 fp16 fp16", 1 << 22),
    "avg_pool_nhwc_f16": (avg_pool_nhwc_f16, "fp16 fp16", 8 * 56 * 56 * 64),
    "batchnorm_nchw_f32": (batchnorm_nchw_f32, "fp32 fp32 fp32 fp32 fp32 fp32", 16 * 64 * 56 * 56),
    "vecadd": (vecadd, "fp32 fp32 fp32", 1 << 20),
    "relu": (relu, "fp32 fp32", 1 << 20),
    "muladd": (muladd, "fp32 fp32 fp32 fp32", 1 << 20),
    "gelu": (gelu, "fp32 fp32", 1 << 20),
    "gelu_erf": (gelu_erf, "fp32 fp32", 1 << 20),
    "reverse_add": (reverse_add, "fp32 fp32 fp32", 1 << 20),
    "pad_add": (pad_add, "fp32 fp32 fp32", 1 << 20),
    "concat_add": (concat_add, "fp32 fp32 fp32 fp32", 1 << 20),
    "adam_f32": (adam_f32, "fp32 fp32 fp32 fp32 fp32 fp32 fp32", 1 << 20),
}
TILE_KERNELS = {
    "transpose_f16": (transpose, "fp16 fp16", 2048),
    "transpose": (transpose, "fp32 fp32", 4096),
}
PROGRAMS = (*ROW_KERNELS, *BLOCK_KERNELS, *TILE_KERNELS)


def choices(program, lanes):
    """The launches of a program: the constants, the warps and the workgroups."""
    for warps in WARPS:
        if program in ROW_KERNELS:
            _, _, rows, columns = ROW_KERNELS[program]
            heads = 16 if program == "rope_f16" else 1  # of a token, beside its elements
            each = LEAST * warps * lanes // columns if columns < lanes else 1  # short rows fill the lanes
            for many in ROWS:
                if LEAST <= many * each * heads * columns / (warps * lanes) <= MOST:
                    yield {"N": columns, "R": many * each}, warps, rows // (many * each)
        elif program in BLOCK_KERNELS:
            elements = BLOCK_KERNELS[program][2]
            for many in EACH:
                block = many * warps * lanes
                if elements % block == 0 and warps >= 4:
                    yield {"B": block}, warps, elements // block
        else:
            side = TILE_KERNELS[program][2]
            for tile in (32, 64, 128):
                if LEAST <= tile * tile / (warps * lanes) <= MOST:
                    yield {"S": side, "N": tile, "R": tile}, warps, (side // tile) ** 2


def compiled(program, target, lanes, constants, warps):
    kernel, types, *_ = {**ROW_KERNELS, **BLOCK_KERNELS, **TILE_KERNELS}[program]
    buffers = kernel.arg_names[: len(types.split())]
    signature = {name: f"*{type_}" for name, type_ in zip(buffers, types.split(), strict=True)}
    signature |= dict.fromkeys(constants, "constexpr")
    aligned = {(number,): [["tt.divisibility", 16]] for number in range(len(buffers))}
    source = ASTSource(kernel, signature=signature, constexprs=constants, attrs=aligned)
    return triton.compile(source, target=GPUTarget("hip", target, lanes), options={"num_warps": warps})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--program", action="append", choices=PROGRAMS)
    parser.add_argument("--choice", type=int, help="only this choice, modulo their number")
    options = parser.parse_args()
    space = []
    for target in options.targets:
        lanes = 32 if target.startswith(("gfx11", "gfx12")) else 64
        for program in options.program or PROGRAMS:
            every = list(choices(program, lanes))
            chosen = every if options.choice is None else [every[options.choice % len(every)]]
            for constants, warps, groups in chosen:
                made = compiled(program, target, lanes, constants, warps)
                name = "_".join(map(str, (program, target, *constants.values(), warps)))
                (options.directory / f"{name}.hsaco").write_bytes(made.asm["hsaco"])
                launch = {"kernel": made.metadata.name, "groups": groups, "lanes": warps * lanes}
                launch |= {"lds": made.metadata.shared, "warps": warps, "constants": constants}
                space.append({"program": program, "target": target, "file": f"{name}.hsaco"} | launch)
                print(name, file=sys.stderr, flush=True)
    (options.directory / "space.json").write_text(json.dumps(space, indent=1))


if __name__ == "__main__":
    main()
