"""Products of few rows by weights of different dims are a kernel, which stores each result as a slice of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.elements.joined_columns import joined_columns
from asmgen.gentext.parser import parse
from asmgen.ir.program import definitions

ROW = np.random.default_rng(5).integers(-4, 5, (1, 96)).astype(np.float16)
SIZES = (40, 8, 11)


def weights(*sizes: int) -> list[Any]:
    random = np.random.default_rng(6)
    return [random.integers(-4, 5, (size, 96)).astype(np.float16) for size in sizes]


def results(row: Any, *of: Any) -> Any:
    return tuple([row @ each.T for each in of])


def scaled(row: Any, first: Any, *of: Any) -> Any:
    return (row * 2 @ first.T * np.float16(0.5), *results(row, *of))


def compiled(of: Any, target: str, *given: Any) -> Any:
    program = asmgen.compile(of, target=target, inputs=[*given], assembler="builtin")
    for result, wanted in zip(program(*given, device="emulator"), of(*given), strict=True):
        np.testing.assert_array_equal(result, wanted)
    return program


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1100", "gfx1201", "gfx1100:wave64"])
def test_a_row_by_weights_of_different_dims_is_a_launch(target: str) -> None:
    assert len(compiled(results, target, ROW, *weights(*SIZES)).launches) == 1


def test_products_of_another_row_are_a_launch_of_their_own() -> None:
    assert len(compiled(scaled, "gfx942", ROW, *weights(40, 8)).launches) == 2


@pytest.mark.parametrize("rows", [1, 3])
def test_products_of_a_graph_with_a_named_size_stay_apart(rows: int) -> None:
    """The clocks of joined products are computed of known sizes only."""
    given = [asmgen.spec(np.float16, (rows, "k")), asmgen.spec(np.float16, (40, "k")), asmgen.spec(np.float16, (8, "k"))]
    x = np.random.default_rng(5).integers(-4, 5, (rows, 96)).astype(np.float16)
    made = asmgen.compile(results, target="gfx942", inputs=given)(x, *weights(40, 8), device="emulator")
    for result, wanted in zip(made, results(x, *weights(40, 8)), strict=True):
        np.testing.assert_array_equal(result, wanted)


def parts(x: Any) -> Any:
    sums = x.sum(-1, keepdims=True)
    return sums[1:4, 2:6], sums[:, :3, 0], sums[4, 6]


def columns(x: Any) -> Any:
    most = x.max(0)
    return most[1:3], most[3:]


@pytest.mark.parametrize(("of", "dims"), [(parts, (5, 7, 64)), (columns, (50, 9)), (columns, (64, 37))])
def test_the_kernel_of_reductions_stores_slices_of_them(of: Any, dims: tuple[int, ...]) -> None:
    x = np.random.default_rng(7).integers(-4, 5, dims).astype(np.float32)
    assert len(compiled(of, "gfx1201", x).launches) == 1


def test_workgroups_of_a_concat_are_those_of_its_operands() -> None:
    """Whether an operand of a concat has a row is a condition of the row, not of each element."""
    row = np.zeros((1, 4096), np.float16)
    of = [[np.zeros((size, 4096), np.float16) for size in sizes] for sizes in ((1536,), (1024, 256, 256))]
    programs = [asmgen.compile(results, target="gfx950", inputs=[row, *each], assembler="builtin") for each in of]
    assert len({program.launches[0].kernel.block for program in programs}) == 1


def next_to_each_other(x: Any, *of: Any) -> Any:
    y = x @ np.concatenate([each.T for each in of], axis=1)
    return y[:, : len(of[0])], np.maximum(y[:, len(of[0]) :], 0)


def few_rows(rows: int, kind: Any, *sizes: int) -> list[Any]:
    random = np.random.default_rng(8)
    return [random.integers(-3, 4, (size, 512)).astype(kind) for size in (rows, *sizes)]


@pytest.mark.parametrize(("target", "rows", "kind"), [
    ("gfx90a", 2, np.float16), ("gfx942", 7, np.float32), ("gfx942", 16, np.float16), ("gfx950", 11, np.float16),
    ("gfx1100", 16, np.float16), ("gfx1201:wave64", 3, np.float16), ("gfx90a", 50, np.float16),
])  # fmt: skip
def test_few_rows_by_weights_of_different_dims_are_a_launch(target: str, rows: int, kind: Any) -> None:
    program = compiled(results, target, *few_rows(rows, kind, 128, 64, 32))
    assert len(program.launches) == 1


@pytest.mark.parametrize("sizes", [(64, 32, 96, 48), (48, 80), (31, 17), (16,) * 5])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_workgroups_read_the_matrix_that_has_their_columns(target: str, sizes: tuple[int, ...]) -> None:
    _ = compiled(next_to_each_other, target, *few_rows(13, np.float16, *sizes))


def joined(first: int, second: int) -> str:
    return (
        f"x = @param:x -> f16, {{8,512}}\na = @param:a -> f16, {{{first},512}}\n"
        f"b = @param:b -> f16, {{{second},512}}\nw = concat[axis=0](a, b)\n"
        "t = transpose[permutation={1,0}](w)\ny = dot(x, t)\n@return(y)\n"
    )


@pytest.mark.parametrize(("target", "choice"), [
    ("gfx942", "contract[m=16, n=32, k=64, waves=2, buffers=1, by=v_mfma_f32_16x16x16_f16]"),
    ("gfx942", "contract[m=32, n=32, k=128, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16, stages=3]"),
    ("gfx950", "contract[m=16, n=16, k=256, waves=4, buffers=1, by=v_mfma_f32_16x16x32_f16, slices=2, along=1]"),
    ("gfx1201", "contract[m=16, n=32, k=64, waves=2, buffers=2, by=v_wmma_f32_16x16x16_f16]"),
])  # fmt: skip
def test_waves_next_to_each_other_read_the_matrix_of_their_workgroup(target: str, choice: str) -> None:
    program = asmgen.compile(joined(64, 32), target=target, schedules=(choice,), assembler="builtin")
    random = np.random.default_rng(10)
    x, a, b = [random.integers(-3, 4, (count, 512)).astype(np.float16) for count in (8, 64, 32)]
    (y,) = program(x, a, b, device="emulator")
    np.testing.assert_array_equal(y, x @ np.concatenate([a, b]).T)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("k", [200, 512])
def test_workgroups_read_the_matrix_of_their_columns_if_only_the_launch_knows_k(target: str, k: int) -> None:
    program = asmgen.compile(joined(64, 32).replace("512", "K"), target=target, assembler="builtin")
    random = np.random.default_rng(9)
    x, a, b = [random.integers(-3, 4, (count, k)).astype(np.float16) for count in (8, 64, 32)]
    (y,) = program(x, a, b, device="emulator")
    np.testing.assert_array_equal(y, x @ np.concatenate([a, b]).T)


def test_a_load_of_the_matrix_of_a_workgroup_has_no_condition() -> None:
    choice = "contract[m=8, n=4, k=512, waves=4, buffers=1, by=v_mfma_f32_16x16x16_f16, along=1, quads=1]"
    (kernel,) = asmgen.compile(joined(64, 32), target="gfx942", schedules=(choice,)).kernels
    assert kernel.assembly.count("\tglobal_load_dwordx4") == 2 * 3  # 8 rows of x and 4 of the weights, in two branches


def test_only_matrices_in_memory_are_read_by_workgroups_of_their_own() -> None:
    (module,) = parse(joined(64, 32), "joined.gen").modules
    defined = definitions(module)
    dot = next(each for each in module.statements if each.op.name == "dot")
    assert joined_columns(defined, dot.operands[1]) == (64, 32)
    assert joined_columns(defined, dot.operands[0]) == ()
