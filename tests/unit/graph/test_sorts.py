"""sort, argsort, top_k and top_k_indices: every type in both directions, beside an order of bits in numpy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.lowering.ops.sort import odd_even
from asmgen.gentext.parser import parse
from asmgen.graph.ops import EVERY_TYPE
from asmgen.graph.rewritings.sort_keys import with_sort_keys
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES, ElementType
from asmgen.verification.verify import verify
from isa.diagnostics import InputError
from isa.targets import TARGETS

Array = np.ndarray[Any, Any]
MOST = np.iinfo(np.int64).max


def keys_of(x: Array) -> Array:
    """Integers with the order that docs/numerics.md states."""
    if x.dtype.kind in "iub":
        return x
    with np.errstate(invalid="ignore"):
        wide = x.astype(np.float64)
    bits = wide.view(np.int64)
    return np.where(np.isnan(wide), MOST, np.where(bits < 0, MOST - bits, bits))


def numbers_of(type_: str, dims: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Any bits, or few numbers, so that many are equal."""
    dtype: Any = np.dtype(numpy_dtype(ELEMENT_TYPES[type_]))
    if type_ == "bool":
        return rng.integers(0, 2, dims).astype(np.bool_)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    bits = rng.integers(0, np.iinfo(unsigned).max, dims, dtype=unsigned, endpoint=True).view(dtype)
    return np.where(rng.random(dims) < 0.3, rng.integers(0, 4, dims).astype(dtype), bits)


def same(a: Array, b: Array) -> bool:
    """Equal numbers with equal signs; NaN equals NaN."""
    if a.dtype.kind in "iub":
        return np.array_equal(a, b)
    with np.errstate(invalid="ignore"):
        wide = [each.astype(np.float64) for each in (a, b)]
    signs = [np.signbit(each) | np.isnan(each) for each in wide]
    return np.array_equal(wide[0], wide[1], equal_nan=True) and np.array_equal(signs[0], signs[1])


def check(type_: str, dims: tuple[int, ...], axis: int, count: int, descends: bool, target: str, named: int = -1) -> None:
    """`count` is that of top_k; 0 sorts all."""
    rng = np.random.default_rng([ord(letter) for letter in f"{type_}{dims}{axis}{count}{target}"])
    shown = ",".join(["m" if at == named else str(dim) for at, dim in enumerate(dims)])
    way = f"axis={axis}, " + (f"k={count}, largest={descends}" if count else f"descending={descends}").lower()
    elements, indices = ("top_k", "top_k_indices") if count else ("sort", "argsort")
    text = f"x = @param:x -> {type_}, {{{shown}}}\ny = {elements}[{way}](x)\nz = {indices}[{way}](x)\n@return(y, z)\n"
    x = numbers_of(type_, dims, rng)
    found = asmgen.compile(text, target=target)(x, device="emulator")
    keys = keys_of(x)
    order = np.argsort(~keys if descends else keys, axis, kind="stable")
    order = np.take(order, range(count), axis) if count else order
    assert same(np.asarray(found[1]), order), text
    assert same(np.asarray(found[0]), np.take_along_axis(x, order, axis)), text


CASES = (
    ((3, 70), 1, 0, False), ((2, 33, 5), 1, 3, True), ((5, 8), -1, 0, True), ((40,), 0, 5, False), ((2, 130), 1, 2, True),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(EVERY_TYPE)))
def test_every_type(number: int) -> None:
    dims, axis, count, descends = CASES[number % len(CASES)]
    check(sorted(EVERY_TYPE)[number], dims, axis, count, descends, list(TARGETS)[number % len(TARGETS)])


@pytest.mark.parametrize(
    ("dims", "axis", "count", "named"),
    [((3, 1), 1, 0, -1), ((1, 1), 0, 1, -1), ((0, 5), 1, 2, -1), ((2, 0), 1, 0, -1), ((5, 20), 1, 0, 0), ((17, 6), 0, 4, 1), ((600,), 0, 0, -1)],
)  # fmt: skip
def test_dims(dims: tuple[int, ...], axis: int, count: int, named: int) -> None:
    check("f32", dims, axis, count, True, "gfx942", named)
    check("f16", dims, axis, count, False, "gfx1201", named)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_random_sorts(seed: int) -> None:
    rng = random.Random(seed)
    dims = tuple([rng.choice([1, 2, 5, 16, 33, 100]) for _ in range(rng.randint(1, 3))])
    axis = rng.randrange(len(dims))
    count = rng.choice([0, rng.randint(1, dims[axis])])
    target = list(TARGETS)[seed % len(TARGETS)]
    check(rng.choice(sorted(EVERY_TYPE)), dims, axis, count, rng.random() < 0.5, target)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "target"), [(4096, "gfx942"), (4095, "gfx1100"), (2048, "gfx1201"), (1500, "gfx90a")])
def test_long_rows(columns: int, target: str) -> None:
    check("f32", (2, columns), 1, 0, False, target)
    check("bf16", (2, columns), 1, 8, True, target)


@pytest.mark.slow
def test_a_sort_of_computed_elements_is_verified() -> None:
    text = "x = @param:x -> f32, {3,10}\ne = exp(x)\ns = sort[descending=true](e)\ny = mul(s, e)\n@return(y, s)\n"
    assert not verify(asmgen.compile(text, target="gfx942")).is_broken


def without_a_stage(count: int) -> Iterator[list[tuple[int, int]]]:
    return islice(odd_even(count), 1, None)


def last_of_numbers(_element: ElementType) -> int:
    return 0


def another_lane(_network: object, _part: Part, bit: int) -> int:
    return bit ^ 1


FAULTS: dict[str, tuple[str, Callable[..., object]]] = {
    "a stage of the network": ("asmgen.blockwise.lowering.ops.sort.odd_even", without_a_stage),
    "the bound of another lane": ("asmgen.blockwise.lowering.ops.sort._Network._number", another_lane),
    "NaN as a number": ("asmgen.graph.rewritings.sort_keys._last", last_of_numbers),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[name])
    program = asmgen.compile("x = @param:x -> f32, {2,16}\ny = sort[axis=1](x)\n@return(y)\n", target="gfx942")
    assert verify(program).is_broken


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("y = top_k[k=6](x)", "GEN303", r"top_k: k is 6, wanted 1 to 5, the elements along axis 1"),
        ("y = argsort[axis=2](x)", "GEN303", "argsort: axis is 2, wanted -2 to 1"),
        (
            "w = multibroadcast[out_lens={4,5000}](c)\ny = sort(w)",
            "GEN302",
            "sort: axis 1 has 5000 elements, wanted at most 4096",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(line: str, code: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        _ = asmgen.compile(f"x = @param:x -> f32, {{n,5}}\nc = @param:c -> f32, {{4,1}}\n{line}\n@return(y)\n", target="gfx942")
    assert caught.value.code == code


def test_rows_of_a_size_that_the_launch_knows() -> None:
    """In the order of numpy at every size, and with the places of a smaller bound."""
    source = (
        "x = @param:x[most={-1,16}] -> f32, {r,n}\ns = sort[axis=1](x)\ni = argsort[axis=1,descending=true](x)\n"
        "t = top_k_indices[k=2,axis=1](x)\n@return(s, i, t)\n"
    )
    program = asmgen.compile(source, target="gfx942")
    for rows, size in ((1, 2), (3, 7), (70, 16)):
        x = np.random.default_rng(63).integers(-3, 4, (rows, size)).astype(np.float32)
        x[0, :2] = np.nan, np.inf
        ascending, places, first = program(x, device="emulator")
        order = np.argsort(~keys_of(x), axis=1, kind="stable")
        assert np.array_equal(ascending, np.sort(x, axis=1), equal_nan=True)
        assert np.array_equal(places, order)
        assert np.array_equal(first, order[:, :2])
    for size in (1, 17):
        with pytest.raises(InputError, match=f"CALL010.*n is {size}, wanted at "):
            _ = program(np.zeros((1, size), np.float32), device="emulator")


def test_a_sorted_axis_of_the_launch_has_a_bound() -> None:
    program = asmgen.compile("x = @param:x -> u8, {2*n,n}\ny = sort[axis=0](x)\n@return(y)\n", target="gfx942")
    with pytest.raises(InputError, match=r"CALL010.*n is 2049, wanted at most 2048"):
        _ = program(np.zeros((4098, 2049), np.uint8), device="emulator")


def test_a_sorted_axis_of_two_dims_needs_bounds() -> None:
    lines = "x = @param:x{} -> i32, {{n}}\ny = @param:y{} -> i32, {{m}}\nc = concat[axis=0](x, y)\ns = sort(c)\n@return(s)\n"
    with pytest.raises(InputError, match=r"4:1: error.GEN903.: sort needs -m - n \+ 4096 >= 0"):
        _ = asmgen.compile(lines.format("", ""), target="gfx942")
    program = asmgen.compile(lines.format("[most={30}]", "[most={34}]"), target="gfx942")
    x, y = np.array([5, -1, 3], np.int32), np.array([4, 0], np.int32)
    assert program(x, y, device="emulator")[0].tolist() == [-1, 0, 3, 4, 5]


def test_columns_of_the_most_elements_fit_in_lds() -> None:
    program = asmgen.compile("x = @param:x -> f16, {4096,64}\ny = sort[axis=0](x)\n@return(y)")
    assert program.kernels[0].resources.lds_bytes <= 65536


@pytest.mark.parametrize("descends", [False, True])
def test_a_key_takes_three_operations_of_bits(descends: bool) -> None:
    """Beside the test of NaN; and so does the element of a key."""
    source = f"x = @param:x -> f32, {{4,8}}\ny = sort[axis=1,descending={str(descends).lower()}](x)\n@return(y)\n"
    (module,) = parse(source, "sort.gen").modules
    names = [statement.op.name for statement in with_sort_keys(module).statements]
    assert sum(name in ("right_shift", "left_shift", "bitwise_and", "bitwise_or", "bitwise_xor") for name in names) - descends == 6
    assert names.count("where") == 1
    assert "sub" not in names


def test_a_traced_median_of_a_size_that_the_launch_knows() -> None:
    """The mean of the middle elements, unless they are the same element."""
    program = asmgen.compile(lambda x: np.median(x, axis=0), inputs=[asmgen.spec("f32", ("n", 2))], target="gfx942")
    for size in (1, 4, 7):
        x = np.random.default_rng(size).integers(-9, 9, (size, 2)).astype(np.float32)
        x[0, 1] = np.inf
        assert np.array_equal(program(x, device="emulator")[0], np.median(x, axis=0))
    with pytest.raises(InputError, match="a quantile of n elements, wanted a number"):
        _ = asmgen.compile(lambda x: np.quantile(x, 0.3, axis=0), inputs=[asmgen.spec("f32", ("n", 2))], target="gfx942")
