"""clang's kernels for a product: OpenCL C with matrix builtins, with the tiles that a person tries.

The sizes of a product are constants of its kernels (-D), as they are of ours. A kernel that takes k apart has
a second launch, which adds the parts.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct

from asmgen.ir.arrays import Array
from asmgen.profile.launches import Launch
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.target import Target
from tools.clang_peer import compile_command
from tools.scoreboard.products.shapes import Product

_TYPES = {"f16": 0, "bf16": 1, "i8": 2, "f32": 3}
_BYTES = {"f16": 2, "bf16": 2, "i8": 1, "f32": 4}
_VECTOR = 16  # bytes of a load
_WANTED = 2  # workgroups for each compute unit, if k is taken apart
_MOST_GROUPS = 16  # of a compute unit, above which a larger tile reads less
_STEPS = 8  # of a part of k, at least
_FEW_ROWS = 64
_REDUCING = 256  # lanes of the second launch


class ProductKernel(Struct, frozen=True):
    """A kernel of a file of tools/clang-kernels/products: its name there, constants, workgroups, lanes.
    `parts`: the parts of k, which a second launch adds."""

    name: str
    source: str
    kernel: str
    constants: dict[str, int | str]
    groups: int
    lanes: int
    parts: int = 1
    adds: int = 1  # elements of a lane of the second launch

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(f"-D{name}={value}" for name, value in self.constants.items())


class Tile(Struct, frozen=True):
    """A tile of a workgroup: its rows and columns, bytes of k, waves, and rows of a matrix instruction."""

    m: int
    n: int
    bytes: int
    waves: tuple[int, int]
    rows: int

    def groups(self, product: Product) -> int:
        """The workgroups of a product, with k whole."""
        return -(-product.m // self.m) * -(-product.n // self.n) * product.batch

    def step(self, product: Product) -> int:
        """The elements of k at once."""
        return self.bytes // _BYTES[product.element]


_CDNA_TILES = (
    Tile(256, 256, 128, (2, 4), 32),
    Tile(256, 128, 128, (2, 2), 32),
    Tile(256, 128, 64, (2, 2), 32),
    Tile(128, 128, 128, (2, 2), 32),
    Tile(64, 64, 128, (2, 2), 16),
    Tile(32, 64, 256, (1, 4), 16),
)
_RDNA_TILES = (
    Tile(128, 128, 128, (2, 2), 16),
    Tile(128, 64, 128, (4, 2), 16),
    Tile(64, 64, 128, (2, 2), 16),
    Tile(16, 64, 256, (1, 4), 16),
)


def kernels_for(product: Product, target: Target) -> Iterator[ProductKernel]:
    """The kernels that a person tries for a product."""
    if product.k == 1:
        vector = _VECTOR // _BYTES[product.element]
        groups = product.m * product.n // vector // _REDUCING
        yield ProductKernel("outer", "thin", "outer", _constants(product, OUTER_KERNEL="", S=16), groups, 256)
        return
    if product.m == 1 or product.n == 1:
        yield from _vector_kernels(product, target)
    elif product.m <= _FEW_ROWS and product.rows and target.family == "cdna":
        yield from _skinny_kernels(product, target)
    if product.m > 1 and product.n > 1:
        yield from _tiles(product, target)


def _constants(product: Product, **more: int | str) -> dict[str, int | str]:
    sizes: dict[str, int | str] = {"M": product.m, "N": product.n, "K": product.k, "BATCH": product.batch}
    return {**sizes, "TYPE": _TYPES[product.element], **more}


def _parts(product: Product, groups: int, step: int, target: Target) -> int:
    """The parts of k: 1, or enough to give every compute unit work."""
    if 2 * groups >= target.compute_units:
        return 1
    wanted = -(-_WANTED * target.compute_units // groups)
    return max(1, min(wanted, product.k // (_STEPS * step)))


def _tiles(product: Product, target: Target) -> Iterator[ProductKernel]:
    if product.element == "f32" and target.family == "rdna":
        yield from _multiply_adds(product, target)
        return
    tiles = _CDNA_TILES if target.family == "cdna" else _RDNA_TILES
    for tile in _fitting(product, tiles, target):
        step = tile.step(product)
        lanes = tile.waves[0] * tile.waves[1] * (64 if target.family == "cdna" else 32)
        if not product.rows and tile.n * step // lanes < _least_of_columns(product):
            continue
        groups = tile.groups(product)
        split = _parts(product, groups, step, target)
        constants = _constants(
            product, BM=tile.m, BN=tile.n, BK=step, WM=tile.waves[0], WN=tile.waves[1], S=tile.rows,
            ROWS=int(product.rows), SPLIT=split,
        )  # fmt: skip
        name = f"tile {tile.m}x{tile.n}x{step}" + (f" in {split}" if split > 1 else "")
        yield ProductKernel(name, "tile", "tile", constants, groups * split, lanes, split, 4)


def _fitting(product: Product, tiles: tuple[Tile, ...], target: Target) -> list[Tile]:
    """The tiles that are worth a try: hardly larger than the product, with neither too many workgroups nor
    too few for the compute units, even if k is taken apart."""
    units = target.compute_units
    fit = [tile for tile in tiles if tile.m < 2 * product.m and tile.n < 2 * product.n] or [tiles[-1]]
    few = [tile for tile in fit if tile.groups(product) <= _MOST_GROUPS * units] or fit[:1]
    enough = [
        tile
        for tile in few
        if 2 * tile.groups(product) * _parts(product, tile.groups(product), tile.step(product), target)
        >= units
    ]
    return enough or few[-2:]


def _least_of_columns(product: Product) -> int:
    """The least elements of b {k,n} that a lane transposes: four rows of 8 bytes."""
    return 4 * max(1, 8 // _BYTES[product.element])


def _multiply_adds(product: Product, target: Target) -> Iterator[ProductKernel]:
    for side, step in ((4, 16), (8, 8), (8, 16)):
        groups = -(-product.m // (16 * side)) * -(-product.n // (16 * side)) * product.batch
        split = _parts(product, groups, step, target)
        constants = _constants(product, T=side, BK=step, ROWS=int(product.rows), SPLIT=split)
        del constants["TYPE"]
        name = f"fma {16 * side}x{16 * side}x{step}" + (f" in {split}" if split > 1 else "")
        yield ProductKernel(name, "outer_f32", "outer_f32", constants, groups * split, 256, split)


def _vector_kernels(product: Product, target: Target) -> Iterator[ProductKernel]:
    wave = 64 if target.family == "cdna" else 32
    vector = _VECTOR // _BYTES[product.element]
    if product.rows:
        rows = product.n if product.m == 1 else product.m
        for each, unroll in ((1, 4), (2, 4), (4, 2)):
            constants = _constants(
                product, ROW_KERNEL="", VECTOR_FIRST=int(product.m == 1), RW=each, LANES=256, UNROLL=unroll,
                S=16,
            )  # fmt: skip
            groups = -(-rows // (each * 256 // wave)) * product.batch
            yield ProductKernel(f"rows {each}", "thin", "rows", constants, groups, 256)
        return
    across = min(64, product.n // vector)
    groups = product.n // (across * vector) * product.batch
    for split in (1, 4, 16):
        constants = _constants(product, COLUMN_KERNEL="", LN=across, LANES=256, SPLIT=split, UNROLL=8, S=16)
        name = "columns" + (f" in {split}" if split > 1 else "")
        yield ProductKernel(name, "thin", "columns", constants, groups * split, 256, split)


def _skinny_kernels(product: Product, target: Target) -> Iterator[ProductKernel]:
    for across, waves, unroll in ((1, 4, 4), (1, 8, 2), (2, 4, 2)):
        if product.n % (16 * across):
            continue
        constants = _constants(product, SKINNY_KERNEL="", IN=across, LANES=64 * waves, UNROLL=unroll, S=16)
        groups = product.n // (16 * across) * product.batch
        yield ProductKernel(f"skinny {16 * across} {waves}", "thin", "skinny", constants, groups, 64 * waves)


@cache
def _code(source: str, target: str, options: tuple[str, ...]) -> bytes:
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernel.hsaco")
        command = compile_command(f"products/{source}", str(path), target, options, offsets=False)
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"{target} {source} {' '.join(options)}: {done.stderr[:400]}")
        return path.read_bytes()


def launches_of(
    kernel: ProductKernel, product: Product, target: str, arrays: tuple[Array, Array, Array], scratch: Array
) -> list[Launch]:
    """The launches of a kernel on a, b and c. `scratch` has the parts of k."""
    code = _code(kernel.source, target, kernel.options)
    image = load(code, kernel.kernel, f"{kernel.source}.hsaco")
    a, b, c = arrays
    stored = c if kernel.parts == 1 else scratch
    call = KernelCall((kernel.groups, 1, 1), (kernel.lanes, 1, 1), (a, b, stored))
    first = Launch(image, call, kernel.name)
    if kernel.parts == 1:
        return [first]
    groups = -(-product.m * product.n * product.batch // (_REDUCING * kernel.adds))
    adding = load(code, "parts", f"{kernel.source}.hsaco")
    call = KernelCall((groups, 1, 1), (_REDUCING, 1, 1), (a, b, c, scratch))
    return [first, Launch(adding, call, kernel.name)]


def scratch_type(product: Product) -> type[np.generic]:
    """The type of the parts of k."""
    return np.int32 if product.element == "i8" else np.float32


def scratch_size(kernel: ProductKernel, product: Product) -> int:
    """The elements of the parts of k; the second launch reads some elements at once, so also beyond them."""
    return kernel.parts * product.batch * product.m * product.n + kernel.adds - 1
