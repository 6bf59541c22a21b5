"""Sorting, sums and scans, stencils, products of matrices."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Changed, Out, case, kernels_of, random, words, zeros


def singles(seed: int, *shape: int) -> Array:
    return random(seed).random(shape, np.float32)


def bitonic_sort(target: TargetId) -> Case:
    x = words(1, 2, 256)
    return case(2, 128, x, Out(np.sort(x, 1)))


def odd_even_sort(target: TargetId) -> Case:
    x = words(2, 2, 64).view(np.int32)
    return case(2, 64, Changed(x, np.sort(x, 1)))


def radix_sort(target: TargetId) -> Case:
    x = words(3, 2, 128, below=1 << 12)
    return case(2, 128, x, Out(np.sort(x, 1)))


def counting_ranks(target: TargetId) -> Case:
    x = np.floor(singles(4, 2, 100) * 30)
    order = np.argsort(x, 1, kind="stable").astype(np.uint32)
    return case(2, 100, x, Out(np.sort(x, 1)), Out(order))


def merged_rows(target: TargetId) -> Case:
    a, b = np.sort(words(5, 2, 64, below=90), 1), np.sort(words(6, 2, 64, below=90), 1)
    return case(2, 64, a, b, Out(np.sort(np.concatenate([a, b], 1), 1)))


def insertion_sort(target: TargetId) -> Case:
    x = words(7, 64, 20).astype(np.uint16)
    return case(1, 64, x, Out(np.sort(x, 1)))


def selected_medians(target: TargetId) -> Case:
    x = words(8, 64, 15, below=100)
    return case(1, 64, x, Out(np.median(x, 1).astype(np.uint32)))


def best_of_each(target: TargetId) -> Case:
    x = words(9, 2, 6 * 64)
    return case(2, 64, x, Out(np.sort(x, 1)[:, :-5:-1]), np.uint32(6))


def heap_sort(target: TargetId) -> Case:
    x = words(10, 64, 16, below=60)
    return case(1, 64, Changed(x, np.sort(x, 1)))


def halved(x: Array) -> Array:
    """The sum along the last axis in the order of a tree that halves."""
    while x.shape[-1] > 1:
        half = x.shape[-1] // 2
        x = x[..., :half] + x[..., half:]
    return x[..., 0]


def tree_sum(target: TargetId) -> Case:
    x = singles(11, 3, 256)
    return case(3, 256, x, Out(halved(x)))


def strided_sums(target: TargetId) -> Case:
    x = words(12, 1000)
    total = np.array([(x.astype(np.uint64) ** 2).sum()])
    return case(3, 64, x, Changed(np.zeros(1, np.uint64), total), np.uint32(1000))


def wave_then_group_sum(target: TargetId) -> Case:
    # ds_bpermute reaches half a wave of 64 on some targets: each half has a sum of its own, and the last step adds a lane to itself
    x = words(13, 2, 256)
    size = target.target.wave_size
    reach = size if target.target.reaches_whole_wave else 32
    parts = x.reshape(2, -1, reach).sum(2, dtype=np.uint32) * np.uint32(size // reach)
    firsts = parts[:, :: target.target.wave_size // reach]
    own = np.repeat(parts, reach, 1)
    return case(2, 256, x, Out(firsts.sum(1, dtype=np.uint32)[:, None] - own))


def place_of_maximum(target: TargetId) -> Case:
    x = np.floor(singles(14, 3, 150) * 40)
    return case(3, 64, x, Out(x.max(1)), Out(x.argmax(1).astype(np.uint32)), np.uint32(150))


def running_variance(target: TargetId) -> Case:
    x = random(15).standard_normal((25, 64))
    return case(1, 64, x, Out(x.mean(0), 1e-14), Out(x.var(0), 1e-13), np.uint32(25))


def doubling_scan(target: TargetId) -> Case:
    x = words(16, 2, 128)
    return case(2, 128, x, Out(np.cumsum(x, 1, dtype=np.uint32)))


def tree_scan(target: TargetId) -> Case:
    x = words(17, 2, 128)
    return case(2, 64, x, Out(np.cumsum(x, 1, dtype=np.uint32) - x))


def segmented_scan(target: TargetId) -> Case:
    x, heads = words(18, 2, 64), (random(19).random((2, 64)) < 0.2).astype(np.uint8)
    heads[:, 0] = 1
    out = x.copy()
    for group in range(2):
        for i in range(1, 64):
            if not heads[group, i]:
                out[group, i : i + 1] += out[group, i - 1 : i]
    return case(2, 64, x, heads, Out(out))


def compacted(target: TargetId) -> Case:
    x = words(20, 2, 256)
    out, counts = zeros(2, 256), (x & 1).sum(1, dtype=np.uint32)
    for group in range(2):
        out[group, : counts[group]] = x[group][x[group] & 1 == 1]
    return case(2, 256, x, Changed(zeros(2, 256), out), Out(counts))


def private_histograms(target: TargetId) -> Case:
    x = words(21, 900).astype(np.uint8)
    return case(2, 128, x, Changed(zeros(64), np.bincount(x >> 2, minlength=64).astype(np.uint32)), np.uint32(900))


def run_lengths(target: TargetId) -> Case:
    x = np.repeat(words(22, 60), random(23).integers(1, 5, 60)).astype(np.uint8)[:120]
    starts = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    out = zeros(120)
    out[starts] = np.diff(np.append(starts, 120))
    return case(2, 64, x, Out(out), np.uint32(120))


def dot_product(target: TargetId) -> Case:
    a, b = random(24).standard_normal((2, 700))
    return case(1, 128, a, b, Out(np.array([a @ b]), 1e-12), np.uint32(700))


def two_maxima(target: TargetId) -> Case:
    x = words(25, 2, 128)
    both = np.sort(x.astype(np.uint64) << np.uint64(32) | np.arange(128, dtype=np.uint64), 1)
    return case(2, 128, x, Out(both[:, [-1, -2]]))


def softmax_rows(target: TargetId) -> Case:
    x = random(26).standard_normal((3, 100)).astype(np.float32) * np.float32(3)
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    out = powers / powers.sum(1, keepdims=True)
    return case(3, 64, x, Out(out.astype(np.float32), 4e-6 * out), np.uint32(100))


def smoothed_row(target: TargetId) -> Case:
    x = singles(27, 150)
    around = np.pad(x, 1)
    out = around[:-2] * np.float32(0.25) + x * np.float32(0.5) + around[2:] * np.float32(0.25)
    return case(3, 64, x, Out(out), np.uint32(150))


def five_points(target: TargetId) -> Case:
    x = np.floor(singles(28, 13, 29) * 100)
    p = np.pad(x, 1)
    out = x * -4 + p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1]
    return case((2, 2, 1), (16, 8, 1), x, Out(out), np.int32(29), np.int32(13))


def seven_points(target: TargetId) -> Case:
    x = words(29, 6, 7, 5).view(np.int32)
    out = 6 * x - sum((np.roll(x, shift, axis) for axis in range(3) for shift in (1, -1)), np.zeros_like(x))
    return case((2, 2, 2), (4, 4, 4), x, Out(out), np.int32(5), np.int32(7), np.int32(6))


def game_of_life(target: TargetId) -> Case:
    x = words(30, 2, 16, 16, below=2).astype(np.uint8)
    y = x
    for _ in range(5):
        around = sum((np.roll(y, (dy, dx), (1, 2)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)), np.zeros_like(y))
        y = ((around == 3) | ((around == 4) & (y == 1))).astype(np.uint8)
    return case(2, (16, 16, 1), x, Out(y), np.uint32(5))


def convolved_image(target: TargetId) -> Case:
    x = np.floor(singles(31, 14, 30) * 256)
    weights = np.array(
        [[1, 4, 7, 4, 1], [4, 16, 26, 16, 4], [7, 26, 41, 26, 7], [4, 16, 26, 16, 4], [1, 4, 7, 4, 1]],
        np.float32,
    )
    p, out = np.pad(x, 2), np.zeros_like(x)
    for dy in range(5):
        for dx in range(5):
            out += p[dy : dy + 14, dx : dx + 30] * weights[dy, dx]
    return case((2, 2, 1), (16, 8, 1), x, Out(out / np.float32(273)), np.uint32(30), np.uint32(14))


def heat_steps(target: TargetId) -> Case:
    rods = [random(32).random(128)]
    for _ in range(7):
        p = np.concatenate([[1.0], rods[-1], [0.0]])
        rods.append(rods[-1] + 0.25 * (p[:-2] - 2 * rods[-1] + p[2:]))
    return case(1, 128, Changed(rods[0], rods[6]), Out(rods[7]), np.uint32(7))


def padded_transpose(target: TargetId) -> Case:
    x = words(33, 20, 37)
    return case((3, 2, 1), (16, 4, 1), x, Out(x.T.copy()), np.uint32(37), np.uint32(20))


def edges_of_image(target: TargetId) -> Case:
    x = words(34, 9, 21).astype(np.uint8)
    p = np.pad(x, 1, "edge").astype(int)
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return case(3, 64, x, Out(np.minimum(abs(gx) + abs(gy), 255).astype(np.uint8)), np.int32(21), np.int32(9))


def median_of_nine(target: TargetId) -> Case:
    x = words(35, 4, 62).astype(np.uint16)
    near = np.stack([x[dy : dy + 2, dx : dx + 60] for dy in range(3) for dx in range(3)])
    return case(2, 60, x, Out(np.median(near, 0).astype(np.uint16)), np.uint32(62))


def enlarged_image(target: TargetId) -> Case:
    x, scale = singles(36, 7, 9), np.float32(0.25)
    places = np.arange(32, dtype=np.float32) * scale
    ix, iy = np.minimum(places.astype(int), 7), np.minimum(places[:16].astype(int), 5)
    tx, ty = places - ix.astype(np.float32), (places[:16] - iy.astype(np.float32))[:, None]
    rows = x[:, ix] + (x[:, ix + 1] - x[:, ix]) * tx
    out = rows[iy] + (rows[iy + 1] - rows[iy]) * ty
    return case((4, 2, 1), (8, 8, 1), x, Out(out), np.uint32(9), np.uint32(7), scale)


def shortest_paths(target: TargetId) -> Case:
    x = words(37, 2, 16, 16, below=100)
    x[words(38, 2, 16, 16, below=4) > 0] = 100000
    d = x.copy()
    for k in range(16):
        d = np.minimum(d, d[:, :, k, None] + d[:, None, k, :])
    return case(2, (16, 16, 1), x, Out(d))


def plain_product(target: TargetId) -> Case:
    a, b = np.floor(singles(39, 11, 20) * 64), np.floor(singles(40, 20, 13) * 64)
    return case((2, 2, 1), (8, 8, 1), a, b, Out(a @ b), np.uint32(11), np.uint32(20), np.uint32(13))


def tiled_product(target: TargetId) -> Case:
    a, b = singles(41, 32, 32), singles(42, 32, 32)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    return case((2, 2, 1), (16, 16, 1), a, b, Out(exact.astype(np.float32), 33 * 2.0**-24 * exact), np.uint32(32))


def register_tiles(target: TargetId) -> Case:
    a, b = singles(43, 32, 32), singles(44, 32, 32)
    total = np.zeros((32, 32), np.float32)
    for k in range(32):
        total = total + a[:, k, None] * b[k]
    return case(1, 64, a, b, Out(total), np.uint32(32))


def half_product(target: TargetId) -> Case:
    a, b = (random(seed).integers(-8, 8, (16, 16)).astype(np.float16) for seed in (45, 46))
    return case(16, 16, a, b, Out((a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)), np.uint32(16))


def byte_product(target: TargetId) -> Case:
    a, b = (words(seed, *shape).astype(np.int8) for seed, shape in ((47, (8, 48)), (48, (48, 32))))
    return case(2, 128, a, b, Out(a.astype(np.int32) @ b.astype(np.int32)), np.uint32(48))


def matrix_by_vector(target: TargetId) -> Case:
    a, x = random(49).standard_normal((8, 70)), random(50).standard_normal(70)
    return case(2, 128, a, x, Out(a @ x, 1e-13), np.uint32(70))


def triangular_solve(target: TargetId) -> Case:
    low = np.tril(random(51).random((2, 32, 32))) + 4 * np.eye(32)
    b = random(52).standard_normal((2, 32))
    x = np.zeros((2, 32))
    for i in range(32):
        rest = b[:, i].copy()
        for k in range(i):
            rest -= low[:, i, k] * x[:, k]
        x[:, i] = rest / low[:, i, i]
    return case(2, 32, low, b, Out(x))


def cholesky_factor(target: TargetId) -> Case:
    root = random(53).standard_normal((2, 16, 16))
    a = root @ root.transpose(0, 2, 1) + 16 * np.eye(16)
    return case(2, (16, 16, 1), Changed(a, np.linalg.cholesky(a), 1e-12))


def small_inverses(target: TargetId) -> Case:
    x = (random(54).standard_normal((64, 3, 3)) + 4 * np.eye(3)).astype(np.float32)
    return case(1, 64, x, Out(np.linalg.inv(x.astype(np.float64)).astype(np.float32), 1e-5))


def gauss_elimination(target: TargetId) -> Case:
    a = (random(55).random((20, 20)) + 10 * np.eye(20)).astype(np.float32)
    after = a.copy()
    for k in range(19):
        factor = after[k + 1 :, k] / after[k, k]
        after[k + 1 :, k] = factor
        after[k + 1 :, k + 1 :] -= factor[:, None] * after[k, k + 1 :]
    return case(1, 64, Changed(a, after), np.uint32(20))


KERNELS = (
    kernels_of(
        "sorting.hip",
        bitonic_sort,
        odd_even_sort,
        radix_sort,
        counting_ranks,
        merged_rows,
        insertion_sort,
        selected_medians,
        best_of_each,
        heap_sort,
    )
    | kernels_of(
        "reductions.hip",
        tree_sum,
        strided_sums,
        wave_then_group_sum,
        place_of_maximum,
        running_variance,
        doubling_scan,
        tree_scan,
        segmented_scan,
        compacted,
        private_histograms,
        run_lengths,
        dot_product,
        two_maxima,
        softmax_rows,
    )
    | kernels_of(
        "stencils.hip",
        smoothed_row,
        five_points,
        seven_points,
        game_of_life,
        convolved_image,
        heat_steps,
        padded_transpose,
        edges_of_image,
        median_of_nine,
        enlarged_image,
        shortest_paths,
    )
    | kernels_of(
        "products.hip",
        plain_product,
        tiled_product,
        register_tiles,
        half_product,
        byte_product,
        matrix_by_vector,
        triangular_solve,
        cholesky_factor,
        small_inverses,
        gauss_elimination,
    )
)
