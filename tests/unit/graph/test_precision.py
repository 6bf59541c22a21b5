"""`--matrix-precision`: products of f32 matrices in fewer bits, within the bounds of docs/numerics.md and near to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.graph.rewritings import precision as parts
from asmgen.options import BF16_PARTS, MATRIX_PRECISIONS
from asmgen.verification import hold
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.rows import in_turn

TEXT = "a = @param:a -> f32, {40,70}\nb = @param:b -> f32, {70,33}\nz = dot(a, b)\n@return(z)\n"
FEW = TEXT.replace("{40,70}", "{36,38}").replace("{70,33}", "{38,33}")  # more than a tile along each axis
SMALL, WHOLE = (36, 38), (40, 70)  # of the first factors
LOSS = {"f32": 0.0, "tf32": 2.0**-9, "bf16x1": 2.0**-7, "bf16x3": 3 * 2.0**-16, "bf16x6": 2.0**-23}  # of each product
CASES = [
    ("gfx90a", "bf16x1"), ("gfx942", "bf16x3"), ("gfx942", "tf32"), ("gfx950", "bf16x6"), ("gfx1100", "bf16x3"), ("gfx1201", "bf16x6"),
    ("gfx1201:wave64", "bf16x3"),
]  # fmt: skip


def factors(*shapes: tuple[int, ...]) -> list[Any]:
    draw = np.random.default_rng(5)
    return [draw.standard_normal(shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize(
    ("target", "precision", "shape"),
    [pytest.param(*case, shape, marks=pytest.mark.slow if shape == WHOLE else ()) for case in CASES for shape in (SMALL, WHOLE)],
)
def test_a_product_is_within_the_bound(target: str, precision: str, shape: tuple[int, int]) -> None:
    rows, k = shape
    a, b = factors((rows, k), (k, 33))
    program = asmgen.compile(TEXT if shape == WHOLE else FEW, target=target, matrix_precision=precision, verify_passes=True)
    (found,) = program(a, b, device=chosen_device())
    exact, size = a.astype(np.float64) @ b, np.abs(a).astype(np.float64) @ np.abs(b)
    error = np.max(np.abs(found - exact) / size)
    assert error <= 1.1 * LOSS[precision] + 80 * 2.0**-24
    assert precision == "tf32" or error > LOSS[precision] / 64, "the emulator does not round to tf32"
    assert not hold(program, chosen_device()).is_broken
    assert ("xf32" if precision == "tf32" else "bf16") in program.kernels[-1].assembly


@pytest.mark.parametrize(("precision", "count"), [("bf16x3", 1), ("bf16x6", 2)])
def test_a_part_that_is_left_out_breaks_the_bound(monkeypatch: pytest.MonkeyPatch, precision: str, count: int) -> None:
    monkeypatch.setitem(parts.BF16_PARTS, precision, count)
    assert hold(asmgen.compile(FEW, target="gfx942", matrix_precision=precision), chosen_device()).is_broken


@pytest.mark.parametrize(("precision", "left"), in_turn(["bf16x3", "bf16x6"], ["first", "second"], of=2))
def test_a_pair_of_parts_that_is_multiplied_twice_breaks_the_bound(monkeypatch: pytest.MonkeyPatch, precision: str, left: str) -> None:
    """The second part of a factor takes the place of the others, or the first part does."""
    own = parts._parts  # pyright: ignore[reportPrivateUsage]

    def wrong(*given: Any) -> Any:
        found = own(*given)
        return [*found[:-1], found[0]] if left == "first" else [*found[:-1], found[-2]]

    monkeypatch.setattr(parts, "_parts", wrong)
    assert hold(asmgen.compile(FEW, target="gfx942", matrix_precision=precision), chosen_device()).is_broken


@pytest.mark.parametrize(("precision", "most"), [("bf16x1", 1 << 8), ("bf16x3", 1 << 8), ("bf16x6", 1 << 9)])
def test_whole_numbers_that_the_parts_have_are_multiplied_exactly(precision: str, most: int) -> None:
    """A single right result: a wrong product is caught whatever k is."""
    draw = np.random.default_rng(1)
    a, b = [draw.integers(-most, most, shape).astype(np.float32) for shape in ((36, 38), (38, 33))]
    program = asmgen.compile(FEW, target="gfx950", matrix_precision=precision)
    np.testing.assert_array_equal(program(a, b, device=chosen_device())[0], a.astype(np.float64) @ b)
    assert not hold(program, chosen_device(), inputs=[a, b]).is_broken
    (dropped,) = program(np.where(np.arange(38) == 37, 0, a).astype(np.float32), b, device=chosen_device())
    assert np.any(dropped != a.astype(np.float64) @ b)


@pytest.mark.parametrize(("precision", "most"), [("bf16x1", 1 << 10), ("bf16x3", 1 << 10), ("bf16x6", 1 << 10)])
def test_whole_numbers_with_more_bits_than_the_parts_need_not_be_exact(precision: str, most: int) -> None:
    """Products of 20 bits, a few of them, which f32 sums exactly."""
    draw = np.random.default_rng(2)
    a, b = [draw.integers(-most, most, shape).astype(np.float32) for shape in ((40, 8), (8, 33))]
    text = TEXT.replace("{40,70}", "{40,8}").replace("{70,33}", "{8,33}")
    program = asmgen.compile(text, target="gfx950", matrix_precision=precision)
    (found,) = program(a, b, device=chosen_device())
    assert np.any(found != a.astype(np.float64) @ b) is np.bool_(precision != "bf16x6")
    assert not hold(program, chosen_device(), inputs=[a, b]).is_broken


@pytest.mark.parametrize("precision", list(BF16_PARTS))
def test_large_small_and_infinite_factors_are_within_the_bound(precision: str) -> None:
    shape = WHOLE if precision == "bf16x6" else SMALL
    a, b = factors(shape, (shape[1], 33))
    a[0], a[1], a[2, 3], b[:, 0], b[5, 1] = 3.4e38, 1e-39, np.inf, 1e-38, np.nan
    program = asmgen.compile(TEXT if shape == WHOLE else FEW, target="gfx1201", matrix_precision=precision)
    assert not hold(program, chosen_device(), inputs=[a, b]).is_broken


def test_a_batch_of_a_named_size_and_a_general_product() -> None:
    text = (
        "a = @param:a -> f32, {n,9,20}\nb = @param:b -> f32, {n,17,20}\n"
        "z = dot_general[lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}](a, b)\n@return(z)\n"
    )
    program = asmgen.compile(text, target="gfx942", matrix_precision="bf16x3")
    for n in (0, 3):
        a, b = factors((n, 9, 20), (n, 17, 20))
        (found,) = program(a, b, device=chosen_device())
        sizes = np.abs(a) @ np.abs(b).swapaxes(1, 2)
        assert np.all(np.abs(found - a.astype(np.float64) @ b.swapaxes(1, 2)) <= 1.2 * LOSS["bf16x3"] * sizes)


@pytest.mark.parametrize(("first", "second"), [("f16, {32,64}", "f16, {64,32}"), ("f32, {32,64}", "f32, {64}"), ("f64, {32,64}", "f64, {64,32}")])
def test_other_products_stay_as_they_are(first: str, second: str) -> None:
    text = f"a = @param:a -> {first}\nb = @param:b -> {second}\nz = dot(a, b)\n@return(z)\n"
    exact, asked = [asmgen.compile(text, target="gfx942", matrix_precision=precision) for precision in ("f32", "bf16x3")]
    assert [kernel.assembly for kernel in exact.kernels] == [kernel.assembly for kernel in asked.kernels]


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1100", "gfx1201"])
def test_tf32_is_refused_if_the_target_has_no_such_instruction(target: str) -> None:
    with pytest.raises(InputError, match=rf"OPT010\]: {target} has no matrix instruction that rounds f32 to tf32(?s:.*)bf16x3"):
        _ = asmgen.compile(TEXT, target=target, matrix_precision="tf32")


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(InputError, match=r"OPT009\]: got 'f16', wanted one of f32, tf32, bf16x1, bf16x3, bf16x6"):
        _ = asmgen.compile(TEXT, matrix_precision="f16")


def test_every_precision_has_a_bound() -> None:
    assert set(LOSS) == set(MATRIX_PRECISIONS)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_a_small_product_of_three_parts_has_a_tile(target: str) -> None:
    """No tile fits by the count of registers, since factors that lie across need more while they are loaded."""
    text = "a = @param:a -> f32, {8,1,8}\nz = dot_general[lhs_contract={2}, rhs_contract={0}](a, a)\n@return(z)\n"
    program = asmgen.compile(text, target=target, matrix_precision="bf16x6")
    assert not hold(program, chosen_device()).is_broken
