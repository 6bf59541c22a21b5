"""Matrix instructions: small whole numbers, whose products and sums are exact."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Out, case, is_cdna, is_rdna, kernels_of, random, words


def small_halves(seed: int, *shape: int) -> Array:
    return random(seed).integers(-8, 9, shape).astype(np.float16)


def half_tiles(k: int, lanes: int) -> Case:
    a, b = small_halves(14, 16, k), small_halves(15, k, 16)
    return case(1, lanes, a, b, Out(a.astype(np.float32) @ b.astype(np.float32)), np.uint32(k))


def half_by_mfma(target: TargetId) -> Case:
    return half_tiles(48, 64)


def half_by_wmma(target: TargetId) -> Case:
    return half_tiles(48, target.target.wave_size)


def large_mfma(target: TargetId) -> Case:
    a, b = small_halves(16, 32, 32), small_halves(17, 32, 32)
    return case(1, 64, a, b, Out(a.astype(np.float32) @ b.astype(np.float32)))


def single_mfma(target: TargetId) -> Case:
    a, b, c = (small_halves(seed, 16, 16).astype(np.float32) for seed in (18, 19, 20))
    return case(1, 64, a, b, c, Out(a @ b + c))


def double_mfma(target: TargetId) -> Case:
    a, b = (random(seed).integers(-1000, 1000, (16, 16)).astype(np.float64) for seed in (21, 22))
    return case(1, 64, a, b, Out(a @ b + 1))


def brain(x: Array) -> Array:
    """The bits of small whole numbers as bf16, which are exact."""
    return (x.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.int16)


def brain_tiles(lanes: int) -> Case:
    a, b = small_halves(23, 16, 16), small_halves(24, 16, 16)
    return case(1, lanes, brain(a), brain(b), Out(a.astype(np.float32) @ b.astype(np.float32) + np.float32(0.5)))


def brain_mfma(target: TargetId) -> Case:
    return brain_tiles(64)


def brain_by_wmma(target: TargetId) -> Case:
    return brain_tiles(32)


def many_blocks(target: TargetId) -> Case:
    a, b = (small_halves(seed, 16, 4, 4).astype(np.float32) for seed in (25, 26))
    return case(1, 64, a, b, Out(a @ b))


def bytes_by_wmma(target: TargetId) -> Case:
    a, b = words(27, 16, 16).astype(np.int8), words(28, 16, 16).astype(np.uint8)
    return case(1, target.target.wave_size, a, b, Out(a.astype(np.int32) @ b.astype(np.int32) + 3))


def halves_summed_in_half(target: TargetId) -> Case:
    a, b = small_halves(29, 16, 16), small_halves(30, 16, 16)
    return case(1, 32, a, b, Out((a.astype(np.float32) @ b.astype(np.float32) + 1).astype(np.float16)))


KERNELS = (
    kernels_of(
        "matrices.cl",
        half_by_mfma,
        large_mfma,
        single_mfma,
        double_mfma,
        brain_mfma,
        many_blocks,
        runs_on=is_cdna,
    )
    | kernels_of("matrices.cl", half_by_wmma, bytes_by_wmma, runs_on=is_rdna)
    | kernels_of(
        "matrices.cl",
        halves_summed_in_half,
        brain_by_wmma,
        runs_on=lambda target: is_rdna(target) and target.target.wave_size == 32,
    )
)
