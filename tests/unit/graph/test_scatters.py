"""scatter_add and histogram beside numpy's add.at: every type, indices out of range, and both orders."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.lowering.ops import adding
from asmgen.graph.ops import NUMBERS
from asmgen.graph.rewritings import scatters
from asmgen.gridwise.printer import print_file
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from asmgen.verification.verify import verify
from isa.diagnostics import InputError
from isa.targets import TARGETS

Array = np.ndarray[Any, Any]


def numbers_of(type_: str, dims: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Whole numbers, of which every sum is exact in any order."""
    least = 0 if type_.startswith("u") else -8
    return rng.integers(least, 8, dims).astype(numpy_dtype(ELEMENT_TYPES[type_]))


def scattered(x: Array, axis: int, indices: Array, updates: Array) -> Array:
    """By numpy, in a type that has all sums."""
    wide: Any = x.dtype if x.dtype.kind in "iu" else np.float64
    sums = np.moveaxis(x.astype(wide), axis, 0)
    rows = np.where(indices < 0, indices + len(sums), indices).reshape(-1)
    each = updates.reshape(*x.shape[:axis], rows.size, *x.shape[axis + 1 :]).astype(wide)
    kept = (rows >= 0) & (rows < len(sums))
    np.add.at(sums, rows[kept], np.moveaxis(each, axis, 0)[kept])
    return np.moveaxis(sums, 0, axis).astype(x.dtype)


def braces(dims: tuple[int, ...], named: bool = False) -> str:
    return "{" + ",".join(["m", *map(str, dims[1:])] if named else map(str, dims)) + "}"


def check(
    type_: str, dims: tuple[int, ...], axis: int, of: tuple[int, ...], target: str, index: str = "i32", ordered: bool = False,
    named: bool = False, returned: str = "y",
) -> None:  # fmt: skip
    rng = np.random.default_rng([ord(letter) for letter in f"{type_}{dims}{axis}{of}{target}"])
    whole = (*dims[:axis], *of, *dims[axis + 1 :])
    text = (
        f"x = @param:x -> {type_}, {braces(dims)}\ni = @param:i -> {index}, {braces(of, named)}\n"
        f"u = @param:u -> {type_}, {braces(whole, named and axis == 0)}\n"
        f"y = scatter_add[axis={axis}, deterministic={str(ordered).lower()}](x, i, u)\nz = neg(y)\n@return({returned})\n"
    )
    x, updates = (numbers_of(type_, each, rng) for each in (dims, whole))
    indices = rng.integers(-dims[axis] - 2, dims[axis] + 2, of).astype(numpy_dtype(ELEMENT_TYPES[index]))
    if index == "i64" and indices.size:
        indices.reshape(-1)[0] = 1 << 32  # no index 0
    results = asmgen.compile(text, target=target)(x, indices, updates, device="emulator")
    wanted = scattered(x, axis, indices, updates)
    for name, result in zip(returned.split(", "), results, strict=True):
        expected = {"y": wanted, "z": -wanted, "x": x}[name]
        np.testing.assert_array_equal(np.asarray(result), expected, err_msg=text)


@pytest.mark.parametrize("number", range(len(NUMBERS)))
def test_every_type(number: int) -> None:
    type_, target = sorted(NUMBERS)[number], list(TARGETS)[number % len(TARGETS)]
    check(type_, (5, 12), number % 2, (9,), target, ("i32", "i64")[number % 2])


@pytest.mark.parametrize(("type_", "ordered"), [("f16", False), ("f32", True)])
def test_indices_of_u32(type_: str, ordered: bool) -> None:
    """Those of additions to memory are u32 too, of elements that memory adds."""
    check(type_, (5, 12), 0, (9,), "gfx942", "u32", ordered)


@pytest.mark.parametrize(
    ("dims", "axis", "of", "returned"),
    [((7,), 0, (), "y"), ((1, 3), 0, (4, 2), "z, y"), ((3, 33, 2), 1, (40,), "y, y"), ((0, 4), 0, (2,), "y"), ((4, 0), 0, (2,), "y"),
     ((2, 6), 0, (0,), "x, y")],
)  # fmt: skip
def test_dims(dims: tuple[int, ...], axis: int, of: tuple[int, ...], returned: str) -> None:
    check("f32", dims, axis, of, "gfx942", returned=returned)


def test_updates_of_a_named_size() -> None:
    check("f32", (6, 8), 0, (37,), "gfx1201", named=True)


@pytest.mark.parametrize("type_", ["f32", "i32"])
def test_in_order(type_: str) -> None:
    check(type_, (5, 6), 1, (2, 7), "gfx942", ordered=True)


@pytest.mark.parametrize(("dims", "axis", "of"), [((300, 2), 0, (3, 4)), ((2, 200, 3), 1, (9,)), ((400,), 0, (40,)), ((50, 4), 0, (1,))])
@pytest.mark.parametrize("type_", ["f32", "i16"])
def test_few_updates_of_many_rows_in_order(
    dims: tuple[int, ...], axis: int, of: tuple[int, ...], type_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Added up for each update, not for each row: also several of the same row, and those of no row."""
    monkeypatch.setattr(scatters, "FEW_SUMMED", 1)
    check(type_, dims, axis, of, "gfx1100", ordered=True)


@pytest.mark.parametrize(("rows", "updates", "summed"), [(300, 100, 1), (300, 12, 1 << 24)])
def test_other_updates_in_order_are_a_single_launch(rows: int, updates: int, summed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of not many more rows than updates, and those of few elements."""
    monkeypatch.setattr(scatters, "FEW_SUMMED", summed)
    text = (
        f"x = @param:x -> f32, {{{rows}}}\ni = @param:i -> i32, {{{updates}}}\nu = @param:u -> f32, {{{updates}}}\n"
        "y = scatter_add[axis=0, deterministic=true](x, i, u)\n@return(y)\n"
    )
    assert len(asmgen.compile(text).kernels) == 1


def test_few_updates_of_many_rows_take_no_search_by_every_row() -> None:
    """By the clock model. A search by each row takes 479 us, all launches now 20."""
    text = "x = @param:x -> f64, {100003,4}\ni = @param:i -> i32, {500}\nu = @param:u -> f64, {500,4}\ny = scatter_add[axis=0](x, i, u)\n@return(y)\n"
    program = asmgen.compile(text, target="gfx1100")
    launches = profiled(launches_of_source(program, "scatter", LaunchOptions())).profiles
    assert sum(each.microseconds for each in launches) < 60


@pytest.mark.parametrize(("target", "launches"), [("gfx90a", 2), ("gfx942", 2), ("gfx1100", 1), ("gfx1201", 1)])
def test_f64_is_added_in_memory_if_the_target_has_an_instruction_for_it(target: str, launches: int) -> None:
    text = "x = @param:x -> f64, {3,5}\ni = @param:i -> i32, {40}\nu = @param:u -> f64, {40,5}\ny = scatter_add(x, i, u)\n@return(y)\n"
    program, rng = asmgen.compile(text, target=target), np.random.default_rng(1)
    assert len(program.kernels) == launches
    x, i, u = rng.standard_normal((3, 5)), rng.integers(-3, 3, 40).astype(np.int32), rng.standard_normal((40, 5))
    wanted = x.copy()
    np.add.at(wanted, i, u)
    np.testing.assert_allclose(program(x, i, u, device="emulator")[0], wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("type_", "bins", "weights", "ordered"),
    [("i8", 5, "", False), ("u16", 300, "f32", False), ("i64", 64, "i32", False), ("u32", 1, "f16", False), ("i32", 12, "f32", True)],
)
def test_histogram(type_: str, bins: int, weights: str, ordered: bool) -> None:
    rng = np.random.default_rng(bins)
    dtype: Any = numpy_dtype(ELEMENT_TYPES[type_])
    x = rng.integers(max(-3, np.iinfo(dtype).min), min(bins + 4, np.iinfo(dtype).max), (3, 50)).astype(dtype)
    given = numbers_of(weights, x.shape, rng) if weights else np.ones(x.shape, np.int32)
    lines = [f"x = @param:x -> {type_}, {{3,50}}", f"y = histogram[bins={bins}, deterministic={str(ordered).lower()}](x)", "@return(y)"]
    if weights:
        lines[1:2] = [f"w = @param:w -> {weights}, {{3,50}}", lines[1].replace("(x)", "(x, w)")]
    found = asmgen.compile("\n".join(lines), target="gfx950")(*[x, given][: 1 + bool(weights)], device="emulator")
    is_bin = (x >= 0) & (x < bins)
    wanted = np.bincount(x[is_bin].astype(np.int64), given[is_bin].astype(np.float64), bins)
    np.testing.assert_array_equal(np.asarray(found[0]).astype(np.float64), wanted)


@pytest.mark.parametrize(("bins", "weights", "target"), [(200, "", "gfx942"), (5, "f32", "gfx1100")])
def test_a_histogram_of_few_bins_is_added_up_in_lds(bins: int, weights: str, target: str) -> None:
    rng = np.random.default_rng(bins)
    x = rng.integers(-3, bins + 3, 9000).astype(np.int32)
    given = numbers_of(weights, x.shape, rng) if weights else np.ones(x.shape, np.int32)
    text = f"x = @param:x -> i32, {{9000}}\ny = histogram[bins={bins}](x)\n@return(y)\n"
    if weights:
        text = text.replace("y =", "w = @param:w -> f32, {9000}\ny =").replace("(x)", "(x, w)")
    program = asmgen.compile(text, target=target)
    found = program(*[x, given][: 1 + bool(weights)], device="emulator")
    is_bin = (x >= 0) & (x < bins)
    np.testing.assert_array_equal(found[0], np.bincount(x[is_bin], given[is_bin], bins))
    words = [line.split() for line in program.kernels[1].assembly.splitlines()]
    added = [word[0] for word in words if word and word[0].startswith(("ds_add_", "global_atomic_add"))]
    assert [sum(name.startswith(kind) for name in added) for kind in ("ds_add_", "global_")] == [16, 1]


@pytest.mark.parametrize("bins", [100, 256])
def test_numbers_without_a_bin_read_no_lds_that_was_never_written(bins: int) -> None:
    """They go to a spare bin, which lanes of no other bin may have to clear."""
    text = f"x = @param:x -> i32, {{4096}}\ny = histogram[bins={bins}](x)\n@return(y)\n"
    kernel = asmgen.compile(text, target="gfx942").kernels[1]
    x = np.full(4096, bins, np.int32)
    x[:50] = range(50)
    args = x, np.zeros(bins, np.int32)
    _, found = asmgen.run(kernel.assembly, kernel=kernel.name, grid=(1, 1, 1), block=(256, 1, 1), args=args)
    np.testing.assert_array_equal(found, np.bincount(x[:50], minlength=bins))


def test_a_buffer_that_is_added_to_has_no_other_access() -> None:
    text = """\
stage blockwise gfx942
kernel @adds grid(b: 2) waves(1) lanes(64) {
  layout row = lane(1 2 4 8 16 32)
  z = @param:z -> f32, {64}
  t = tile_load[at={c0}](z) -> f32, {64} @ row
  tile_store[at={c0}, adds=true](t, z)
}
"""
    with pytest.raises(InputError, match="z is added to, and tile_load accesses it; use two kernels") as caught:
        _ = asmgen.compile(text, target="gfx942")
    assert caught.value.code == "BLK003"


SOURCE = "x = @param:x -> f32, {2,4}\ni = @param:i -> i32, {3}\nu = @param:u -> f32, {3,4}\ny = scatter_add(x, i, u)\n@return(y)\n"


def test_each_addition_is_one_instruction_without_a_result() -> None:
    _, kernel = asmgen.compile(SOURCE, target="gfx942").kernels
    added = [line.split(";")[0].split() for line in kernel.assembly.splitlines() if "global_atomic_add_f32" in line]
    assert len(added) == 4
    assert all("sc0" not in words for words in added)  # of an atomic that returns


def test_a_launch_that_adds_reads_its_buffer() -> None:
    """The text of the launches reads back as the same program."""
    program = asmgen.compile(SOURCE, target="gfx942")
    file = program.compilation.stages.gridwise
    assert file is not None
    text = print_file(file)
    assert "(i, u, y) -> (y)" in text
    again = asmgen.compile(text, target="gfx942")
    assert [kernel.assembly.count("global_atomic") for kernel in again.kernels] == [0, 4]


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_bound_of_a_sum_in_any_order(target: str) -> None:
    assert not verify(asmgen.compile(SOURCE, target=target)).is_broken


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_random_scatters(seed: int) -> None:
    rng = random.Random(seed)
    dims = tuple([rng.choice([1, 2, 5, 16, 33]) for _ in range(rng.randint(1, 3))])
    of = tuple([rng.choice([1, 3, 20]) for _ in range(rng.randint(0, 2))])
    target = list(TARGETS)[seed % len(TARGETS)]
    check(rng.choice(sorted(NUMBERS)), dims, rng.randrange(len(dims)), of, target, rng.choice(["i32", "i64"]), rng.random() < 0.3)


def test_a_lost_addition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in the place of the addition loses the other terms."""

    def stored(context: Any, action: Any, tile: Any, buffer: Any, data: Any) -> None:
        from asmgen.blockwise.lowering.ops.global_memory import store

        store(context, action, tile, buffer, data, True)

    monkeypatch.setattr(adding, "add", stored)
    with pytest.raises(AssertionError):
        check("f32", (5, 12), 0, (9,), "gfx942")


HEAD = "x = @param:x -> f32, {4,6}\nn = @param:n -> f32, {n,6}\ni = @param:i -> i32, {3}\nu = @param:u -> f32, {3,6}\n"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("y = scatter_add(x, u, u)", "GEN301", "operand 2 has type f32, wanted i32 or i64"),
        ("y = scatter_add(x, i, i)", "GEN301", "operand 3 has type i32, wanted f32 as operand 1 has"),
        ("y = scatter_add[axis=1](x, i, u)", "GEN302", r"operand 3 has shape \{3,6\}, wanted \{4,3\}: the indices in the place of axis 1"),
        ("y = scatter_add(n, i, u)", "GEN903", "axis 0 has n elements, wanted a number"),
        ("y = histogram[bins=0](i)", "GEN303", "bins is 0, wanted 1 to"),
        ("y = histogram[bins=5](x)", "GEN301", "operand 1 has type f32, wanted integers"),
        ("y = histogram[bins=5](i, x)", "GEN302", r"operand 2 has shape \{4,6\}, wanted \{3\}: a weight for each number"),
    ],
)
def test_what_is_wrong_is_named(line: str, code: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        _ = asmgen.compile(f"{HEAD}{line}\n@return(y)\n", target="gfx942")
    assert caught.value.code == code
