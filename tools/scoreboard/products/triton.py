"""Triton's tuned matmul for a product: the choices that fit, of those that tools/triton-kernels/matmul.py has
compiled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from asmgen.ir.arrays import Array
from asmgen.profile.launches import Launch
from isa.emulator import load, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.target import Target
from tools.scoreboard.products.shapes import Product, dtype_of

_MULTIPLE = 16  # sizes that are multiples of it are known to be
_SCRATCH = 2  # pointers that Triton adds, which the kernel does not use
_MOST_GROUPS = 16  # of a compute unit, above which a larger tile reads less
_LEAST_GROUPS = 0.5
_TRIED = 3  # of the choices that fit, those with the largest tiles


class Choice(Struct, frozen=True):
    """A code object for a kind of product (type, b is {n,k}, sizes that are multiples of 16) and a tile."""

    kind: tuple[str, bool, str]
    tile: tuple[int, int, int]
    file: str
    kernel: str
    lanes: int
    lds: int

    @property
    def name(self) -> str:
        return "triton " + "x".join(map(str, self.tile))

    def groups(self, product: Product) -> int:
        """The programs of a launch."""
        return -(-product.m // self.tile[0]) * -(-product.n // self.tile[1])


def choices_for(product: Product, target: Target, space: Sequence[Choice]) -> list[Choice]:
    """The choices that are likely to be the best: of the right kind, the largest tiles that neither have far
    too many programs nor, if another has more, too few."""
    whole = "".join(
        name for name, size in (("n", product.n), ("k", product.k)) if size % _MULTIPLE == 0 and size > 1
    )
    kinds = [(product.element, product.rows, known) for known in (whole, "k" if "k" in whole else "", "")]
    kind = next((kind for kind in kinds if any(choice.kind == kind for choice in space)), None)
    own = [choice for choice in space if choice.kind == kind]
    units = target.compute_units
    fit = [choice for choice in own if choice.groups(product) * product.batch <= _MOST_GROUPS * units]
    many = [
        choice
        for choice in fit or own[-1:]
        if choice.groups(product) * product.batch >= _LEAST_GROUPS * units
    ]
    return many[-_TRIED:] or own[:2]


def launch_of(choice: Choice, product: Product, folder: Path, arrays: tuple[Array, Array, Array]) -> Launch:
    """The launch of a choice."""
    image = load((folder / choice.file).read_bytes(), choice.kernel, choice.file)
    sizes = [np.int32(size) for size in (product.m, product.n, product.k)]
    unused = [np.zeros(_MULTIPLE, np.uint8)] * _SCRATCH
    grid = (choice.groups(product), product.batch, 1)
    arguments = (*arrays, *sizes, *unused)
    call = KernelCall(grid, (choice.lanes, 1, 1), arguments, lds_bytes=choice.lds)
    return Launch(image, call, choice.name)


def is_right(choice: Choice, folder: Path) -> bool:
    """Whether a choice gives numpy's result on the emulator, for sizes that are no multiples of its tile."""
    element, rows, known = choice.kind
    product = Product("small", 130, 96 if "n" in known else 51, 160 if "k" in known else 77, element, rows)
    a, b = product.factors(1)
    launch = launch_of(choice, product, folder, (a, b, np.zeros(product.shapes[2], dtype_of(product.result))))
    run = run_image(launch.image, launch.call)
    return product.is_right(run[2], a, b)
