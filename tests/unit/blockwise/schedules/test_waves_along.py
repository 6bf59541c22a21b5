"""Products of few rows, and outer products: the waves of a workgroup lie along k, and add up their sums in the end."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.blockwise.layout.beside import beside, matrix_of
from asmgen.blockwise.layout.layout import layout
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Contract, choice_text
from asmgen.blockwise.schedules.choosing.contract import best_parts
from asmgen.blockwise.schedules.choosing.product_caches import own_lines
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.gentext.parser import parse
from asmgen.gridwise.tiles import tiles
from isa.diagnostics import InputError
from isa.instruction import Trait
from isa.targets import parse_target
from tests.machine_code import longest_loop
from tests.unit.blockwise.schedules.graphs import DTYPES, ProductCase, estimated, product_text

MFMA = "v_mfma_f32_16x16x16_f16"


def case_of(target: str, element: str, choice: Contract, dims: tuple[int, int, int] = (8, 40, 2056)) -> ProductCase:
    return ProductCase(target, element, choice, dims)


CASES = (
    case_of("gfx942", "f16", Contract(16, 16, 512, 8, 1, MFMA, along=1)),
    case_of("gfx90a", "f32", Contract(16, 16, 256, 4, 1, "v_mfma_f32_16x16x4_f32", slices=2, along=1), (8, 40, 1032)),
    case_of("gfx950", "f16", Contract(32, 32, 256, 4, 2, "v_mfma_f32_16x16x32_f16", stages=1, along=1), (33, 40, 300)),
    case_of("gfx1100", "bf16", Contract(16, 32, 256, 8, 1, "v_wmma_f32_16x16x16_bf16", along=1)),
    case_of("gfx1201", "i8", Contract(16, 16, 256, 4, 1, "v_wmma_i32_16x16x16_iu8", slices=2, along=1)),
    case_of("gfx1100", "f32", Contract(16, 32, 32, 4, 1, along=1), (21, 40, 130)),
    case_of("gfx1201:wave64", "f32", Contract(1, 4, 4, 4, 2, along=1), (3, 5, 23)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.target)
def test_waves_add_up_their_parts(case: ProductCase) -> None:
    """k is no multiple of a trip, and the loop has no barrier: a wave reads from LDS only its own stores."""
    m, n, k = case.dims
    draw = np.random.default_rng(3)
    a, b = [draw.integers(-4, 5, shape).astype(DTYPES[case.element]) for shape in ((m, k), (n, k))]
    program = asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),))
    (kernel,) = program.kernels
    assert all(Trait.BARRIER not in instr.row.traits for instr in longest_loop(kernel.assembly, case.target))
    (after,) = program(a, b, device="emulator")
    np.testing.assert_array_equal(after, a.astype("f8") @ b.astype("f8").T)


def test_sums_take_the_memory_of_the_factors_if_lds_has_no_room_for_both() -> None:
    """64 rows and 32 columns take 48 KB, and their sums 32 KB of the 64 KB of gfx942. Its queries, keys and values of 64 tokens took
    31,583 clocks with smaller tiles, 23,203 now."""
    by = "v_mfma_f32_16x16x32_f16"
    cases = SHARED, SHARED._replace(target="gfx950", choice=replace(SHARED.choice, by=by))
    shared, apart = [
        asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),)) for case in cases
    ]
    assert [program.kernels[0].resources.lds_bytes for program in (shared, apart)] == [48 << 10, 80 << 10]
    assert [program.kernels[0].assembly.count("\ts_barrier") for program in (shared, apart)] == [2, 1]
    draw = np.random.default_rng(3)
    a, b = [draw.integers(-4, 5, shape).astype("f2") for shape in ((40, 520), (40, 520))]
    (product,) = shared(a, b, device="emulator")
    np.testing.assert_array_equal(product, a.astype("f8") @ b.astype("f8").T)


SHARED = case_of("gfx942", "f16", Contract(64, 32, 256, 4, 1, MFMA, along=1), (40, 40, 520))


def test_slices_are_loaded_where_those_before_them_are_stored() -> None:
    """Each load is right behind the store that reads the same registers, and the waits leave the loads of
    other slices under way."""
    (kernel,) = asmgen.compile(WEIGHTS.format(m=64, n=4096), target="gfx942", schedules=(SLICED,)).kernels
    loop = kernel.assembly.split(".loop:")[1].split("s_cbranch")[0]
    steps = re.findall(r"^\t(global_load_dwordx4|ds_write_b128|v_mov_b\d+)", loop, re.MULTILINE)
    assert steps == ["ds_write_b128", "global_load_dwordx4"] * 16
    registers = re.findall(r"^\t(?:ds_write_b128 v\d+, |global_load_dwordx4 )(v\[[\d:]+\])", loop, re.MULTILINE)
    assert len(registers) == 32 and registers[::2] == registers[1::2]
    assert "vmcnt(15)" in loop and "vmcnt(7)" not in loop


SLICED = choice_text(Contract(32, 32, 512, 4, 1, MFMA, slices=2, along=1))
WEIGHTS = "a = @param:a -> f16, {{{m},4096}}\nb = @param:b -> f16, {{{n},4096}}\nt = transpose[permutation={{1,0}}](b)\nz = dot(a, t)\n@return(z)\n"


def graph_of(m: int, n: int) -> Graph:
    return Graph(parse(WEIGHTS.format(m=m, n=n), "product.gen").modules[0])


@pytest.mark.parametrize(("target", "tokens"), [("gfx90a", 8), ("gfx942", 8), ("gfx950", 64), ("gfx1100", 64), ("gfx1201", 8)])
def test_the_product_of_few_tokens_is_a_single_launch(target: str, tokens: int) -> None:
    """{tokens,4096} by {4096,1024}: in parts, with a second launch, 8 tokens on gfx942 took 5,270 + 2,718 clocks, 7,044 now."""
    graph, machine = graph_of(tokens, 1024), parse_target(target).target
    (dot,) = graph.products
    assert best_parts((dot,), graph.defined, machine).parts == 1
    assert estimated(graph, machine).along


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_outer_products_of_few_results_lie_along_k(target: str) -> None:
    """512 cubed of f32 took 33,131 clocks on gfx1100, 23,808 now; 41,646 and 29,729 on gfx1201."""
    graph, machine = Graph(parse(product_text("f32", 512, 512, 512), "product.gen").modules[0]), parse_target(target).target
    (dot,) = graph.products
    assert best_parts((dot,), graph.defined, machine).parts == 1
    assert estimated(graph, machine).along


def test_so_do_those_of_a_launch_in_which_few_workgroups_wait_for_each_other() -> None:
    """2,048 cubed of f32 on gfx1100 took 1,072,950 clocks, 866,148 now; with 64 rows and 32 columns 1,042,496. 4,096 cubed stays."""
    machine = parse_target("gfx1100").target
    text = "a = @param:a -> f32, {{{size},{size}}}\nb = @param:b -> f32, {{{size},{size}}}\nz = dot(a, b)\n@return(z)\n"
    long, many = [estimated(Graph(parse(text.format(size=size), "product.gen").modules[0]), machine) for size in (2048, 4096)]
    assert (long.m, long.n, long.along) == (32, 64, 1)
    assert not many.along


def test_parts_of_rows_that_do_not_stay_in_the_cache_are_whole_lines() -> None:
    """{64,2048} by {2048,640} of 4 matrices of f32: 64 rows are 8 KB apart, and the cache of a compute unit of gfx1100 has room for 4 such
    lines. That of gfx1201 spreads lines over its sets: rows 4,096 bytes apart stay in it in the trace of r_32_16."""
    machine, spreading = [parse_target(name).target for name in ("gfx1100", "gfx1201")]
    assert own_lines(machine, 8192) == 4
    assert own_lines(machine, 8192 + 128) == own_lines(machine, 100) == 256
    assert own_lines(spreading, 8192) == own_lines(spreading, 8192 + 128) == 256


def test_a_product_that_fills_the_units_has_workgroups_of_its_own_tiles() -> None:
    """{64,4096} by {4096,14336} on gfx942 moves all that memory gives."""
    assert not estimated(graph_of(64, 14336), parse_target("gfx942").target).along


def test_of_tiles_alike_those_with_more_rows_read_the_weights_less_often() -> None:
    choice = estimated(graph_of(32, 4096), parse_target("gfx942").target)
    assert (choice.m, choice.n, choice.along) == (32, 16, 1)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Contract(16, 16, 512, 8, 1, MFMA, along=2), "along is 2, wanted 1"),
        (Contract(16, 16, 4, 8, 1, along=1), "k is 4, wanted a product along k at least for each of 8 waves"),
        (Contract(64, 64, 64, 8, 1, along=1), "the tiles and sums in LDS have 131072 bytes"),
        (Contract(16, 128, 512, 8, 1, MFMA, apart=1, along=1), "factors that all go through registers and LDS"),
        (Contract(16, 16, 512, 8, 1, MFMA, stages=3, along=1), "in 2 stages at most"),
        (Contract(16, 16, 64, 8, 1, MFMA, along=1), "k is 64, and v_mfma_f32_16x16x16_f16 takes 128"),
        (Contract(16, 16, 512, 8, 1, MFMA, slices=1, along=1), "slices is 1, wanted at least 2"),
    ],
)
def test_what_waves_along_k_cannot_do_is_refused(choice: Contract, words: str) -> None:
    assert words in misfit(graph_of(8, 1024), choice, parse_target("gfx942").target)


GATED = (
    "x = @param:x -> f16, {24,1000}\ngate = @param:gate -> f16, {1000,40}, {1,1000}\nup = @param:up -> f16, {1000,40}, {1,1000}\n"
    "g = dot[target_type=f32](x, gate)\nu = dot[target_type=f32](x, up)\nopen = relu(g)\nboth = mul(open, u)\n"
)
LOWERED = "down = @param:down -> f16, {40,24}\nhidden = convert[target_type=f16](both)\nz = dot[target_type=f32](hidden, down)\n@return(z)\n"


@pytest.mark.parametrize("target", ["gfx942", "gfx1201:wave64"])
def test_products_that_meet_are_a_single_launch(target: str) -> None:
    """swiglu_mlp of {64,1000} and 256 columns in bf16 took 5,122 + 5,122 + 14,834 clocks on gfx1201:wave64, 6,694 + 4,929 now: each
    product had a launch, and the third launch computed their meeting point in its loads, with code that it waited for."""
    draw = np.random.default_rng(7)
    x, gate, up = [draw.integers(-2, 3, shape).astype("f2") for shape in ((24, 1000), (40, 1000), (40, 1000))]
    program = asmgen.compile(f"{GATED}@return(both)\n", target=target)
    stages = program.compilation.stages
    assert stages.gridwise is not None
    (tile,) = tiles(stages.gridwise).values()
    assert "along=1" in choice_text(tile)
    (after,) = program(x, gate.T, up.T, device="emulator")
    g, u = [x.astype("f8") @ each.astype("f8").T for each in (gate, up)]
    np.testing.assert_array_equal(after, np.maximum(g, 0) * u)
    assert len(asmgen.compile(GATED + LOWERED, target=target).kernels) == 2


def test_matrices_next_to_each_other() -> None:
    matrix = layout((2, 4), (1,), (2, 4))
    several = beside(matrix, 4)
    assert several == layout((4, 2, 4), (1,), (2, 4), (8, 16))
    assert matrix_of(several) == layout((2, 4), (1,), (2, 4), (0, 0))
    assert matrix_of(layout((4, 2, 4), (1, 8), (2, 4), (16,))) is None


def test_two_matrices_in_a_wave_are_refused() -> None:
    target = parse_target("gfx942")
    kernel = schedule(graph_of(8, 1024).module, CASES[0].choice, target.target)
    text = print_program(TileProgram(target, (kernel,)))
    assert "wave(1:0:0 2:0:0 4:0:0)" in text
    wrong = re.sub(r"(layout c_tile = reg\([^)]*)\)(.*) wave\(1:0:0 2:0:0 4:0:0\)", r"\1 1:0:0)\2 wave(2:0:0 4:0:0 0:0:0)", text)
    with pytest.raises(InputError, match="c has several matrices in a wave, wanted each in waves of its own"):
        _ = read_program(wrong, "product.gen")


@pytest.mark.parametrize("is_computed", [False, True])
def test_factors_that_the_loads_compute_are_cut_into_parts(is_computed: bool) -> None:
    """A launch of waves along k took 15,878 clocks on gfx1100, two launches take 6,340: an element has three
    bytes of operands."""
    computed = "c = convert[target_type=f16](w)\nd = mul(c, s)\n"
    text = (
        "x = @param:x -> f16, {256,1024}\nw = @param:w -> i8, {32,1024}\ns = @param:s -> f16, {32,1024}\n"
        f"{computed if is_computed else ''}t = transpose[permutation={{1,0}}]({'d' if is_computed else 's'})\nz = dot(x, t)\n@return(z)\n"
    )
    stages = asmgen.compile(text, target="gfx1100").compilation.stages
    assert stages.gridwise is not None
    assert any("along=1" in choice_text(tile) for tile in tiles(stages.gridwise).values()) is not is_computed
