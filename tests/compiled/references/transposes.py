"""Loads that transpose: products of small whole numbers, and matrices of small elements turned over by numpy."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Out, case, kernels_of, random, words


def halves(seed: int, *shape: int) -> Array:
    return random(seed).integers(-8, 9, shape).astype(np.float16)


def product_by_tr16(target: TargetId) -> Case:
    a, b = halves(80, 32, 16), halves(81, 32, 16)
    return case(1, 64, a.view(np.int16), b.view(np.int16), Out(a.T.astype(np.float32) @ b.astype(np.float32)))


def turned(x: Array, bits: int) -> Array:
    """The words of 64 lanes after each 16 exchanged their elements: rows of 16 columns, of which a lane gets one."""
    elements = np.unpackbits(x.view(np.uint8), bitorder="little").reshape(4, -1, 16, bits)
    return np.packbits(elements.transpose(0, 2, 1, 3), bitorder="little").view(np.uint32)


def transposed_bytes(target: TargetId) -> Case:
    x = words(82, 128)
    return case(1, 64, x, Out(turned(x, 8)))


def transposed_nibbles(target: TargetId) -> Case:
    x = words(83, 128)
    return case(1, 64, x, Out(turned(x, 4)))


def transposed_sixes(target: TargetId) -> Case:
    x = words(84, 64, 4)
    return case(1, 64, x, Out(turned(x[:, :3].copy(), 6)))


def product_by_tr_b128(target: TargetId) -> Case:
    a, b = halves(85, 16, 16), halves(86, 16, 16)
    return case(1, 32, a, b.view(np.int16), Out(a.astype(np.float32) @ b.astype(np.float32)))


def product_by_tr_b64(target: TargetId) -> Case:
    a, b = (random(seed).integers(-128, 128, (16, 16)).astype(np.int8) for seed in (87, 88))
    return case(1, 32, a, b, Out(a.astype(np.int32) @ b.astype(np.int32)))


KERNELS = kernels_of(
    "transposes.cl",
    product_by_tr16,
    transposed_bytes,
    transposed_nibbles,
    transposed_sixes,
    runs_on=lambda target: target.target.name == "gfx950",
) | kernels_of("transposes.cl", product_by_tr_b128, product_by_tr_b64, runs_on=lambda target: str(target) == "gfx1201")
