"""Triton's tuned matrix product, compiled without a GPU for each choice of its tutorial's list for AMD.

`python matmul.py DIRECTORY TARGET...` runs in an environment with Triton 3.9, and writes a code object for
each choice and kind of product, and `TARGET.json` with their launches. `python -m tools.product_peers` starts
it and takes the clocks. A program computes a tile: it steps over k and adds the products of a tile of a and
one of b. The tiles of a band of rows are successive, so that programs at the same time share b.
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

# rows, columns, k of a tile; all with bands of six tiles, two stages and eight warps
TILES = (
    (32, 32, 64), (64, 32, 64), (32, 64, 64), (64, 64, 64), (128, 64, 64), (64, 128, 64), (128, 128, 64),
    (256, 128, 64), (128, 256, 64), (256, 256, 64),
)  # fmt: skip
BAND, STAGES, WARPS = 6, 2, 8
LARGEST = 64 * 64  # of tiles of f32 on RDNA, since Triton unrolls the multiply-adds of a tile
TYPES = {"f16": ("fp16", "fp16"), "bf16": ("bf16", "bf16"), "f32": ("fp32", "fp32"), "i8": ("i8", "i32")}
# type of the factors, b is {n,k}, the sizes that are multiples of 16
KINDS = (
    ("f16", True, "nk"), ("f16", True, "k"), ("f16", False, "nk"), ("f16", False, ""), ("bf16", True, "nk"),
    ("bf16", False, ""), ("f32", False, "nk"), ("f32", False, ""), ("i8", True, "nk"),
)  # fmt: skip
_LDS = {"gfx950": 163840}


@triton.jit
def product(
    a,
    b,
    c,
    M,
    N,
    K,
    ROWS: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    BAND: tl.constexpr,
    WIDE: tl.constexpr,
):
    tile = tl.program_id(0)
    batch = tl.program_id(1).to(tl.int64)
    down, across = tl.cdiv(M, BM), tl.cdiv(N, BN)
    band = tile // (BAND * across)
    high = min(down - band * BAND, BAND)
    within = tile % (BAND * across)
    row = (band * BAND + within % high) * BM + tl.arange(0, BM)
    column = within // high * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    from_a = a + batch * M * K + (row % M)[:, None] * K + k[None, :]
    if ROWS:
        from_b = b + batch * N * K + k[:, None] + (column % N)[None, :] * K
    else:
        from_b = b + batch * N * K + k[:, None] * N + (column % N)[None, :]
    total = tl.zeros((BM, BN), WIDE)
    for step in range(tl.cdiv(K, BK)):
        x = tl.load(from_a, mask=k[None, :] < K - step * BK, other=0)
        y = tl.load(from_b, mask=k[:, None] < K - step * BK, other=0)
        total = tl.dot(x, y, total, input_precision="ieee", out_dtype=WIDE)
        from_a += BK
        from_b += BK if ROWS else BK * N
    to = c + batch * M * N + row[:, None] * N + column[None, :]
    tl.store(to, total.to(c.dtype.element_ty), mask=(row[:, None] < M) & (column[None, :] < N))


def compiled(target, kind, tile):
    element, rows, multiples = kind
    factor, result = TYPES[element]
    signature = {"a": f"*{factor}", "b": f"*{factor}", "c": f"*{result}", "M": "i32", "N": "i32", "K": "i32"}
    constants = {"ROWS": rows, "BM": tile[0], "BN": tile[1], "BK": tile[2], "BAND": BAND}
    constants["WIDE"] = tl.int32 if element == "i8" else tl.float32
    signature |= dict.fromkeys(constants, "constexpr")
    numbers = (0, 1, 2, *(4 + "nk".index(name) for name in multiples))
    aligned = {(number,): [["tt.divisibility", 16]] for number in numbers}
    source = ASTSource(product, signature=signature, constexprs=constants, attrs=aligned)
    lanes = 32 if target.startswith(("gfx11", "gfx12")) else 64
    options = {"num_warps": WARPS, "num_stages": STAGES, "matrix_instr_nonkdim": 16}
    return triton.compile(source, target=GPUTarget("hip", target, lanes), options=options)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("targets", nargs="+")
    options = parser.parse_args()
    for target in options.targets:
        space = []
        lanes = 32 if target.startswith(("gfx11", "gfx12")) else 64
        for kind in KINDS:
            for tile in TILES:
                if lanes == 32 and kind[0] == "f32" and tile[0] * tile[1] > LARGEST:
                    continue
                made = compiled(target, kind, tile)
                if made.metadata.shared > _LDS.get(target, 65536):
                    continue  # no device of the target runs it
                file = "_".join(map(str, (target, *kind, *tile))) + ".hsaco"
                (options.directory / file).write_bytes(made.asm["hsaco"])
                launch = {"kernel": made.metadata.name, "lanes": WARPS * lanes, "lds": made.metadata.shared}
                space.append({"kind": kind, "tile": tile, "file": file} | launch)
                print(file, file=sys.stderr, flush=True)
        (options.directory / f"{target}.json").write_text(json.dumps(space, indent=1))


if __name__ == "__main__":
    main()
