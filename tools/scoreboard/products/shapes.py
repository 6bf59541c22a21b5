"""The products of the scoreboard: a row for each shape.

* the layers of a decoder of 8 billion parameters, for prefill of 4,096 tokens and decoding 1, 8 and 64, with
  weights as models store them: {n,k}
* squares, in each type
* sizes that are no multiple of a tile
* batches, as in attention
* long, narrow and thin matrices
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from asmgen.ir.arrays import Array, numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES

_ERRORS = {"f16": 2e-3, "bf16": 1e-2, "f32": 1e-5, "i8": 0.0}  # of the largest result


def dtype_of(element: str) -> np.dtype[Any]:
    """The numpy type of a type's name."""
    return numpy_dtype(ELEMENT_TYPES[element])


class Product(Struct, frozen=True):
    """c {batch,m,n} = a {batch,m,k} times b {batch,k,n}, or {batch,n,k} if `rows`. `element` is the type of
    the factors. The result has that type too, i32 for i8. Sums are taken in f32 or i32."""

    name: str
    m: int
    n: int
    k: int
    element: str = "f16"
    rows: bool = False
    batch: int = 1

    @property
    def result(self) -> str:
        """The type of the result."""
        return "i32" if self.element == "i8" else self.element

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The shapes of a, b and c."""
        before = (self.batch,) if self.batch > 1 else ()
        second = (self.n, self.k) if self.rows else (self.k, self.n)
        return (*before, self.m, self.k), (*before, *second), (*before, self.m, self.n)

    @property
    def text(self) -> str:
        """The product as gen text."""
        a, b, _ = (f"{{{','.join(map(str, shape))}}}" for shape in self.shapes)
        first = 1 if self.batch > 1 else 0
        order = ",".join(map(str, (*range(first), first + 1, first)))
        moved = f"t = transpose[permutation={{{order}}}](b)\n" if self.rows else ""
        chosen = f"[target_type={self.result}]" if self.result != self.element else ""
        return (
            f"a = @param:a -> {self.element}, {a}\nb = @param:b -> {self.element}, {b}\n"
            f"{moved}c = dot{chosen}(a, {'t' if self.rows else 'b'})\n@return(c)\n"
        )

    def truth(self, a: Array, b: Array) -> Array:
        """The result in float64."""
        second = b.astype(np.float64)
        return a.astype(np.float64) @ (second.swapaxes(-1, -2) if self.rows else second)

    def factors(self, seed: int) -> tuple[Array, Array]:
        """Random a and b."""
        random = np.random.default_rng(seed)
        first, second = self.shapes[:2]
        return self._drawn(random, first), self._drawn(random, second)

    def _drawn(self, random: np.random.Generator, shape: tuple[int, ...]) -> Array:
        if self.element == "i8":
            return random.integers(-128, 128, shape).astype(np.int8)
        return (random.random(shape) - 0.5).astype(dtype_of(self.element))

    def is_right(self, result: Array, a: Array, b: Array) -> bool:
        """Whether a result is a times b, but for its roundings."""
        wanted = self.truth(a, b)
        error = np.abs(result.astype(np.float64) - wanted).max()
        return bool(error <= _ERRORS[self.element] * np.abs(wanted).max())

    def __str__(self) -> str:
        shape = f"{self.m}x{self.n}x{self.k}" + (f" of {self.batch}" if self.batch > 1 else "")
        return f"{self.name} {shape} {self.element} {'nk' if self.rows else 'kn'}"


_TOKENS = {"prefill": 4096, "decode 1": 1, "decode 8": 8, "decode 64": 64}
# n, k of each layer's weights
_LAYERS = {
    "q, o": (4096, 4096), "k, v": (1024, 4096), "gate, up": (14336, 4096), "down": (4096, 14336),
    "head": (128256, 4096),
}  # fmt: skip

_DECODER = tuple(
    Product(f"{name} {step}", tokens, n, k, rows=True)
    for step, tokens in _TOKENS.items()
    for name, (n, k) in _LAYERS.items()
)


def _square(size: int, element: str = "f16", rows: bool = False) -> Product:
    return Product("square", size, size, size, element, rows)


_SQUARES = (
    *(_square(1 << power) for power in range(8, 14)),
    *(_square(size, "bf16", True) for size in (1024, 4096)),
    *(_square(size, "f32") for size in (512, 1024, 2048, 4096)),
    *(_square(size, "i8", True) for size in (1024, 4096)),
)
_ODD = (
    _square(1000),
    Product("odd", 1023, 1025, 1027),
    Product("odd", 2000, 1500, 3000),
    _square(513),
    _square(100, "f32"),
    Product("odd", 3000, 17, 5000, rows=True),
    _square(777, "bf16"),
    Product("odd", 1536, 768, 1000, "f32"),
)
_BATCHED = (
    Product("scores", 2048, 2048, 128, rows=True, batch=32),
    Product("values", 2048, 128, 2048, batch=32),
    Product("scores", 512, 512, 64, rows=True, batch=96),
    Product("values", 512, 64, 512, batch=96),
    Product("scores decode", 1, 4096, 128, rows=True, batch=32),
    Product("values decode", 1, 128, 4096, batch=32),
    Product("batch", 128, 128, 128, "f32", batch=64),
    Product("batch", 1024, 1024, 1024, "bf16", True, 16),
)
_THIN = (
    Product("row times matrix", 1, 4096, 4096, "f32"),
    Product("row times matrix", 1, 14336, 4096),
    Product("matrix times column", 8192, 1, 8192, rows=True),
    Product("thin", 8, 14336, 4096),
    Product("deep", 16, 16, 65536, rows=True),
    Product("deep", 64, 64, 16384, "f32"),
    Product("outer", 4096, 4096, 1),
    Product("tall", 65536, 64, 64),
    Product("wide", 64, 65536, 64, rows=True),
    Product("deep", 128, 128, 8192, "bf16", True),
)

PRODUCTS = (*_DECODER, *_SQUARES, *_ODD, *_BATCHED, *_THIN)
