"""Reductions, softmax and norms on rows of every length, on odd rows, and on the shapes other compilers are
tested with.

`--verify` is the judge. Its bounds on sums grow with the row, so that sums and norms of ordinary numbers also
have to reach the accuracy of a row with shared work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.kernels import build_kernel
from asmgen.verification import hold
from tests.device import chosen_device
from tests.rows import in_turn

Array = NDArray[Any]
DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "i32": np.int32}
REDUCTIONS = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
NORMS = ("softmax[axis={axis}](x)", "layernorm[axis={axis}](x)", "rmsnorm[axis={axis}](x)")
LARGEST = float(np.finfo(np.float32).max)
TINY = float(np.finfo(np.float32).smallest_subnormal)


def values(dtype: str, dims: Sequence[int], seed: int = 0) -> Array:
    """Ordinary numbers; floats near 1, so that no product leaves its type at once."""
    random = np.random.default_rng(seed)
    if dtype == "i32":
        return random.integers(-9, 10, tuple(dims)).astype(np.int32)
    return (random.standard_normal(tuple(dims)) + 0.5).astype(DTYPES[dtype])


def check(text: str, *inputs: Array, nan: str = "ieee", contract: bool = True) -> None:
    report = hold(asmgen.compile(text, verify_passes=True, nan=nan, contract=contract), chosen_device(), inputs=inputs)
    assert not report.is_broken, text + "\n" + "\n".join(str(found) for found in report.checks)


def program_of(results: Sequence[str], x: Array, strides: str = "") -> str:
    """Results made of x alone, each an output."""
    dtype = next(name for name, type_ in DTYPES.items() if x.dtype == type_)
    lines = [f"x = @param:x -> {dtype}, {{{','.join(map(str, x.shape))}}}{strides}"]
    lines += [f"y{number} = {result}" for number, result in enumerate(results)]
    return "\n".join([*lines, f"@return({', '.join(f'y{number}' for number in range(len(results)))})"])


def of_one(results: Sequence[str], x: Array, strides: str = "", nan: str = "ieee", contract: bool = True) -> None:
    check(program_of(results, x, strides), x, nan=nan, contract=contract)


def reductions(axes: str) -> list[str]:
    return [f"{name}[axes={axes}](x)" for name in REDUCTIONS]


def norms(axis: int) -> list[str]:
    return [norm.format(axis=axis) for norm in NORMS]


# Every length


@pytest.mark.parametrize("first", range(1, 301, 30))
def test_rows_of_every_length_up_to_300(first: int) -> None:
    """A sum, another reduction and a norm of a length in one kernel; the choice changes with the length.

    Each is run once, with approximate instructions at nearest; every tenth in all ways. The lengths are all of the first wave,
    those around each multiple of 64, and every nineteenth; the slow test has all of them.
    """
    for length in (length for length in range(first, first + 30) if length < 20 or length % 19 == 0 or (length + 2) % 64 < 4):
        results = ["reduce_sum[axes=1](x)", f"{REDUCTIONS[1 + length % 4]}[axes=1](x)", norms(1)[length % 3]]
        x = values("f32", (3, length), length)
        if length % 10 == 7:
            of_one(results, x)
            continue
        text = program_of(results, x)
        outputs = asmgen.compile(text)(x, device=chosen_device())
        for expected, output in zip(evaluate(parse(text, "rows.gen"), [x]), outputs, strict=True):
            found = compare(expected, output)
            assert not found.is_broken, f"{text}\n{found}"


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("first", range(1, 301, 30))
def test_every_op_and_type_on_rows_of_every_length_up_to_300(dtype: str, first: int) -> None:
    for length in range(first, first + 30):
        for result in [*reductions("1"), *(norms(1) if dtype != "i32" else ())]:
            of_one([result], values(dtype, (3, length), length))


LONG = (1000, 1021, 2049, 4096, 8193, 70000)
SAMPLED = sorted(int(length) for length in np.random.default_rng(3).integers(1000, 70001, 60))


@pytest.mark.parametrize("length", LONG)
def test_long_rows(length: int) -> None:
    of_one(["reduce_sum[axes=1](x)", f"{REDUCTIONS[1 + length % 4]}[axes=1](x)"], values("f32", (2, length), length))
    of_one([norms(1)[length % 3]], values("f32", (2, length), length))


@pytest.mark.slow
@pytest.mark.parametrize("length", SAMPLED)
def test_more_long_rows(length: int) -> None:
    for dtype in DTYPES:
        x = values(dtype, (2, length), length)
        of_one(reductions("1"), x)
        for norm in norms(1) if dtype != "i32" else ():
            of_one([norm], x)


@pytest.mark.parametrize("length", [300, 5000])
def test_long_sums_are_shared_by_lanes(length: int) -> None:
    """Each lane adds a 64th of the row at most, and a tree adds the lanes: far fewer roundings than elements."""
    x = values("f32", (4, length))
    wide = x.astype(np.float64)
    program = asmgen.compile(
        f"x = @param:x -> {{4,{length}}}\ns = reduce_sum[axes=1](x)\nm = reduce_mean[axes=1](x)\nn = layernorm(x)\n@return(s, m, n)"
    )
    total, mean, normal = program(x, device=chosen_device())
    roundings = length / 64 + 16
    reach = roundings * 2.0**-24 * np.abs(wide).sum(1, keepdims=True)
    assert (np.abs(total - wide.sum(1, keepdims=True)) <= reach).all()
    assert (np.abs(mean - wide.mean(1, keepdims=True)) <= reach / length + 2.0**-23 * np.abs(mean)).all()
    centred = wide - wide.mean(1, keepdims=True)
    wanted = centred / np.sqrt((centred * centred).mean(1, keepdims=True) + 1e-5)
    assert np.abs(normal - wanted).max() <= 4 * roundings * 2.0**-24


# Odd rows


def odd_rows(length: int) -> Array:
    """Equal, huge, vanishing, infinite and NaN rows, and rows with one such element."""
    random = np.random.default_rng(length)
    ordinary = random.standard_normal(length)
    place = int(random.integers(length))
    wide = random.standard_normal(length) * np.exp2(random.uniform(-140.0, 120.0, length))

    def with_one(number: float, row: Array = ordinary) -> Array:
        changed = row.copy()
        changed[place] = number
        return changed

    rows = [np.full(length, number) for number in (0.0, -0.0, 1.0, -3.7, 1e4, 1e-30, LARGEST, -LARGEST, TINY, np.inf, -np.inf, np.nan)]
    rows += [with_one(number) for number in (np.inf, -np.inf, np.nan, 1e30, LARGEST, -LARGEST, 0.0)]
    rows += [with_one(5.0, np.full(length, number)) for number in (np.nan, -np.inf, -LARGEST)]
    alternating = np.where(np.arange(length) % 2, 1.0, -1.0)
    rows += [
        alternating * LARGEST,
        alternating * 1e19,
        ordinary * 1e-40,
        ordinary * 60,
        1e6 + ordinary,
        -200 + ordinary,
        wide,
        with_one(np.nan, wide),
    ]
    return np.array(rows).astype(np.float32)


ODD_LENGTHS = [*((length, "ieee") for length in (1, 7, 64, 1025)), (300, "propagate")]
MORE_ODD_LENGTHS = [pytest.param(*case, marks=pytest.mark.slow) for case in ((2, "ieee"), (100, "ieee"), (7, "propagate"))]


@pytest.mark.parametrize(("length", "nan"), [*ODD_LENGTHS, *MORE_ODD_LENGTHS])
def test_odd_rows(length: int, nan: str) -> None:
    x = odd_rows(length)
    of_one(reductions("1"), x, nan=nan)
    of_one(norms(1), x, nan=nan)
    with np.errstate(over="ignore"):
        of_one([*reductions("1"), *norms(1)], x.astype(np.float16), nan=nan)


@pytest.mark.parametrize("length", [2, 7, 65, 300])
def test_integers_wrap(length: int) -> None:
    random = np.random.default_rng(length)
    x = random.integers(-(2**31), 2**31, (6, length)).astype(np.int32)
    x[0], x[1] = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    of_one(reductions("1"), x)


@pytest.mark.parametrize("contract", [False, True])
def test_without_contraction(contract: bool) -> None:
    x = values("f32", (5, 33))
    of_one([*reductions("1"), *norms(1)], x, contract=contract)


# Shapes that other compilers are tested with


@pytest.mark.parametrize(("axes", "dtype"), in_turn(["0", "1", "2", "{1,2}", "{0,2}", "{0,3}", "{0,1,2,3}", "-1"], DTYPES, of=3))
def test_small_tensors_over_any_axes(dtype: str, axes: str) -> None:
    of_one(reductions(axes), values(dtype, (3, 4, 2, 2)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_inner_axis_that_is_long(dtype: str) -> None:
    of_one(reductions("1"), values(dtype, (3, 1026, 4, 3)))


@pytest.mark.parametrize("length", [3, 67, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 4, 8, 16, 25, 32, 64, 128, 129))])
def test_two_rows_of_f16(length: int) -> None:
    of_one(reductions("1"), values("f16", (2, length)))


@pytest.mark.parametrize("dims", [(1, 384, 1024), (336, 400)])
def test_means_of_many_rows(dims: tuple[int, ...]) -> None:
    of_one([f"reduce_mean[axes={len(dims) - 1}](x)"], values("f16", dims))


LONG_MEANS = [(2, 16384), pytest.param((2, 1048576), marks=pytest.mark.slow), pytest.param((1, 32, 65536), marks=pytest.mark.slow)]


@pytest.mark.parametrize("dims", LONG_MEANS)
def test_long_means_neither_overflow_nor_drift(dims: tuple[int, ...]) -> None:
    """The sum is far beyond f16's range; the mean is exact enough for f16."""
    x = (values("f16", dims) + np.float16(1000)).astype(np.float16)
    axis = len(dims) - 1
    of_one([f"reduce_mean[axes={axis}](x)"], x)
    program = asmgen.compile(f"x = @param:x -> f16, {{{','.join(map(str, dims))}}}\ny = reduce_mean[axes={axis}](x)\n@return(y)")
    (mean,) = program(x, device=chosen_device())
    assert np.abs(mean - x.astype(np.float64).mean(axis, keepdims=True)).max() <= 0.26


def test_channels_last() -> None:
    x = values("f32", (4, 256, 2, 2))
    of_one(["reduce_sum[axes=1](x)", "reduce_max[axes=1](x)"], x, ", {1024,1,512,256}")
    of_one(["reduce_mean[axes={2,3}](x)"], x, ", {1024,1,512,256}")


def test_mean_and_variance() -> None:
    check(
        """
        x = @param:x -> {6,1000}
        mean = reduce_mean[axes=1](x)
        centred = sub(x, mean)
        square = mul(centred, centred)
        variance = reduce_mean[axes=1](square)
        @return(mean, variance)
        """,
        values("f32", (6, 1000)),
    )


def test_a_reduction_then_an_add() -> None:
    check(
        """
        x = @param:x -> {4,1000,2,2}
        bias = @param:bias -> {4,1,2,2}
        total = reduce_sum[axes=1](x)
        y = add(total, bias)
        @return(y)
        """,
        values("f32", (4, 1000, 2, 2)),
        values("f32", (4, 1, 2, 2), 1),
    )


@pytest.mark.parametrize("length", [2, 65, 300])
def test_a_number_for_some_rows_and_a_number_a_row(length: int) -> None:
    """Operands that are broadcast along a dim of the rows: rows are not one dim for them, whatever they are for x."""
    check(
        f"""
        x = @param:x -> {{3,17,{length}}}
        a = @param:a -> {{17,1}}
        b = @param:b -> {{3,1,1}}
        y = add(x, a)
        z = layernorm(y)
        total = reduce_sum[axes=2](z)
        scaled = mul(total, b)
        @return(z, scaled)
        """,
        *[values("f32", dims, seed) for seed, dims in enumerate([(3, 17, length), (17, 1), (3, 1, 1)])],
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing_to_reduce(dtype: str) -> None:
    of_one(reductions("{2,3}"), values(dtype, (4, 1000, 1, 1)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_nothing_and_no_rows(dtype: str) -> None:
    of_one([f"{name}[axes=1](x)" for name in ("reduce_sum", "reduce_mean", "reduce_prod")], values(dtype, (3, 0)))
    of_one(reductions("1"), values(dtype, (0, 5)))
    of_one(["reduce_max[axes=1](x)", "reduce_sum[axes=1](x)"], values(dtype, (0, 0)))
    if dtype != "i32":
        of_one(norms(1), values(dtype, (0, 5)))
        of_one(norms(1), values(dtype, (3, 0)))


def test_a_single_number() -> None:
    of_one([f"{name}(x)" for name in REDUCTIONS], values("f32", ()))
    of_one(reductions("0"), values("f32", (1,)))
    of_one(norms(0), values("f32", (1,)))


def test_a_broadcast_tensor_is_reduced() -> None:
    check(
        """
        x = @param:x -> {2,32,1}
        wide = multibroadcast[out_lens={2,32,96}](x)
        total = reduce_sum[axes={1,2}](wide)
        row = reduce_max[axes=2](wide)
        @return(total, row)
        """,
        values("f32", (2, 32, 1)),
    )


@pytest.mark.parametrize("dims", ["{5,49,48}", pytest.param("{5,784,768}", marks=pytest.mark.slow)])
def test_a_mean_then_a_sum(dims: str) -> None:
    shape = tuple(map(int, dims[1:-1].split(",")))
    check(f"x = @param:x -> {dims}\nm = reduce_mean[axes=2](x)\ns = reduce_sum[axes=1](m)\n@return(s)", values("f32", shape))


@pytest.mark.parametrize("n", [3, 33, pytest.param(327, marks=pytest.mark.slow)])
def test_axes_apart(n: int) -> None:
    of_one(["reduce_sum[axes={0,2}](x)"], values("f32", (n, 32, 20, 16)))


@pytest.mark.parametrize("dims", [(1, 3, 5, 96, 2), pytest.param((1, 24, 40, 2560, 2), marks=pytest.mark.slow)])
def test_a_transposed_tensor(dims: tuple[int, ...]) -> None:
    _, a, b, c, d = dims
    of_one(["reduce_sum[axes=3](x)", "reduce_max[axes=3](x)"], values("f16", dims), f", {{{a * b * c * d},{b},1,{a * b * d},{a * b}}}")


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("dims", [(5, 3, 3, 4), *(pytest.param(dims, marks=pytest.mark.slow) for dims in ((16, 4, 67, 6), (64, 4, 1067, 6)))])
def test_softmax_on_every_axis(dims: tuple[int, ...], axis: int) -> None:
    of_one([f"softmax[axis={axis}](x)"], values("f32", dims))


@pytest.mark.parametrize("dtype", ["f32", "f16"])
@pytest.mark.parametrize("dims", [(2, 1000, 1, 1), *(pytest.param(dims, marks=pytest.mark.slow) for dims in ((1, 2, 24, 384), (1, 12, 384, 384)))])
def test_softmax_on_known_shapes(dims: tuple[int, ...], dtype: str) -> None:
    axis = 1 if dims[-1] == 1 else 3
    of_one([f"softmax[axis={axis}](x)"], values(dtype, dims))


@pytest.mark.parametrize(("dims", "operands", "dtype"), in_turn([(1, 2, 5), (1, 24, 64), (1, 4, 24)], [1, 2, 3], ["f32", "f16"], of=3))
def test_norms_with_scale_and_bias(dims: tuple[int, ...], operands: int, dtype: str) -> None:
    shape, last = "{" + ",".join(map(str, dims)) + "}", dims[-1]
    names = ["x", "scale", "bias"][:operands]
    types = [shape, f"{{{last}}}", f"{{{last}}}"][:operands]
    lines = [f"{name} = @param:{name} -> {dtype}, {type_}" for name, type_ in zip(names, types, strict=True)]
    lines.append(f"y = layernorm({', '.join(names)})")
    lines.append(f"z = rmsnorm[epsilon=0.01]({', '.join(names[:2])})")
    check("\n".join([*lines, "@return(y, z)"]), values(dtype, dims), *[values(dtype, (last,), seed) for seed in range(1, operands)])


@pytest.mark.slow
def test_layernorm_of_very_long_rows() -> None:
    of_one(["layernorm(x)"], values("f32", (1, 32, 262144)))


@pytest.mark.parametrize("rows", [24, pytest.param(384, marks=pytest.mark.slow)])
def test_a_sum_of_three_then_layernorm(rows: int) -> None:
    dims = (1, rows, 1024)
    check(
        f"""
        a = @param:a -> {{1,{rows},1024}}
        b = @param:b -> {{1,{rows},1024}}
        c = @param:c -> {{1,{rows},1024}}
        ab = add(a, b)
        abc = add(ab, c)
        y = layernorm(abc)
        @return(y)
        """,
        *[values("f32", dims, seed) for seed in range(3)],
    )


@pytest.mark.parametrize(
    ("cols", "kernel", "dtype"), in_turn([1, 30, 1024], ["row_sum", "row_max", "softmax", "layernorm", "rmsnorm"], ["f32", "f16"], of=2)
)
def test_the_catalogue(kernel: str, cols: int, dtype: str) -> None:
    program = asmgen.compile(build_kernel(kernel, [("rows", "5"), ("cols", str(cols)), ("dtype", dtype)]))
    vectors = {"layernorm": 2, "rmsnorm": 1}.get(kernel, 0)
    inputs = [values(dtype, (5, cols)), *[values(dtype, (cols,), seed) for seed in range(vectors)]]
    report = hold(program, chosen_device(), inputs=inputs)
    assert not report.is_broken, "\n".join(str(found) for found in report.checks)
