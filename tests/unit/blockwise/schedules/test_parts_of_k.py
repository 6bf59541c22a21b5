"""Products of which several workgroups have a part of k: the last of them adds up the sums, in the same launch."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Contract, choice_text
from asmgen.blockwise.schedules.choosing.contract import best_parts, candidates_of
from asmgen.blockwise.schedules.choosing.product_across import part_of
from asmgen.blockwise.schedules.choosing.product_shapes import shape_of
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.gentext.parser import parse
from asmgen.profile.build import profile_launch
from asmgen.profile.programs import launches_of_program
from isa.emulator.launching.launch import Settings, execute, layout_of
from isa.targets import parse_target
from tests.device import chosen_device
from tests.unit.blockwise.schedules.graphs import DTYPES, ProductCase, estimated, product_text

MFMA = "v_mfma_f32_16x16x16_f16"


def case_of(target: str, element: str, choice: Contract, dims: tuple[int, int, int] = (40, 48, 512)) -> ProductCase:
    return ProductCase(target, element, choice, dims)


CASES = (
    case_of("gfx942", "f16", Contract(16, 16, 128, 4, 1, MFMA, along=1, parts=4)),
    case_of("gfx950", "f16", Contract(32, 16, 64, 2, 2, "v_mfma_f32_16x16x32_f16", stages=2, parts=2)),
    case_of("gfx90a", "f32", Contract(16, 16, 64, 1, 1, "v_mfma_f32_16x16x4_f32", parts=8)),
    case_of("gfx1100", "bf16", Contract(16, 32, 128, 2, 1, "v_wmma_f32_16x16x16_bf16", along=1, parts=4)),
    case_of("gfx1201", "i8", Contract(16, 16, 64, 4, 1, "v_wmma_i32_16x16x16_iu8", parts=2)),
    case_of("gfx1201:wave64", "f32", Contract(4, 16, 64, 4, 1, along=1, parts=4), (5, 16, 256)),
    case_of("gfx942", "f16", Contract(16, 4, 512, 8, 1, MFMA, along=1, quads=1, parts=2), (16, 20, 1024)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.target} {case.choice.parts}")
def test_the_last_workgroup_adds_up_the_parts(case: ProductCase) -> None:
    """The parts are stored before the count is changed: the wave waits for its stores, and for the count before its loads."""
    m, n, k = case.dims
    draw = np.random.default_rng(3)
    a, b = [draw.integers(-4, 5, shape).astype(DTYPES[case.element]) for shape in ((m, k), (n, k))]
    program = asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),))
    (kernel,) = program.kernels
    for _ in range(2):
        (after,) = program(a, b, device=chosen_device())
        np.testing.assert_array_equal(after, a.astype("f8") @ b.astype("f8").T)
    before, _, after_count = kernel.assembly.partition("\tglobal_atomic_add")
    stored = before[before.rindex("\tglobal_store") :]
    assert re.search(r"s_waitcnt (vmcnt\(0\)|vscnt|null)|s_waitcnt_vscnt null, 0x0|s_wait_storecnt 0x0", stored)
    assert after_count.index("\ts_wait") < after_count.index("\tglobal_load")


def test_the_counts_are_zeros_again_for_the_next_launch() -> None:
    """A call has new zeros, so that only the memory after a launch shows it."""
    case = CASES[5]
    program = asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),))
    (launch,) = launches_of_program(program, "product", (), {})
    *_, counts = execute(launch.image, launch.call, layout_of(launch.image), Settings())
    assert counts.dtype == np.uint32 and counts.size == 8, "two tiles of four waves"
    assert not counts.any()


def test_a_batch_of_one_matrix_has_parts() -> None:
    """The chooser takes parts for it as for a matrix; a workgroup has no fourth id for the batch."""
    text = "a = @param:a -> f16, {1,1,16,512}\nb = @param:b -> f16, {1,1,512,48}\no = dot(a, b)\n@return(o)\n"
    choice = choice_text(Contract(16, 16, 128, 4, 1, MFMA, parts=4))
    draw = np.random.default_rng(7)
    a, b = [draw.integers(-2, 3, shape).astype("f2") for shape in ((1, 1, 16, 512), (1, 1, 512, 48))]
    program = asmgen.compile(text, target="gfx942", schedules=(choice,))
    (kernel,), (result,) = program.kernels, program(a, b, device=chosen_device())
    np.testing.assert_array_equal(result, a.astype("f8") @ b.astype("f8"))
    assert kernel.workgroups == (4, 3, 1)


def test_a_batch_of_two_matrices_has_none() -> None:
    text = "a = @param:a -> f16, {2,16,512}\nb = @param:b -> f16, {2,512,48}\no = dot(a, b)\n@return(o)\n"
    graph = Graph(parse(text, "product.gen").modules[0])
    choice = Contract(16, 16, 128, 4, 1, MFMA, parts=4)
    assert "wanted matrices with whole trips" in misfit(graph, choice, parse_target("gfx942").target)


def test_products_that_share_a_factor_are_added_up_together() -> None:
    text = (
        "x = @param:x -> f16, {16,512}\nv = @param:v -> f16, {48,512}\nw = @param:w -> f16, {32,512}\n"
        "s = transpose[permutation={1,0}](v)\nt = transpose[permutation={1,0}](w)\ny = dot(x, s)\nz = dot(x, t)\n@return(y, z)\n"
    )
    choice = choice_text(Contract(16, 16, 128, 4, 1, MFMA, along=1, parts=2))
    draw = np.random.default_rng(5)
    x, v, w = [draw.integers(-2, 3, (size, 512)).astype("f2") for size in (16, 48, 32)]
    program = asmgen.compile(text, target="gfx942", schedules=(choice,))
    for result, weights in zip(program(x, v, w, device=chosen_device()), (v, w), strict=True):
        np.testing.assert_array_equal(result, x.astype("f8") @ weights.astype("f8").T)
    assert sum(kernel.assembly.count("\tglobal_atomic_add") for kernel in program.kernels) == len(program.kernels)


def graph_of(m: int, n: int, k: int) -> Graph:
    text = f"a = @param:a -> bf16, {{{m},{k}}}\nb = @param:b -> bf16, {{{n},{k}}}\nt = transpose[permutation={{1,0}}](b)\nz = dot(a, t)\n@return(z)\n"
    return Graph(parse(text, "product.gen").modules[0])


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_a_deep_product_of_few_results_is_a_single_launch(target: str) -> None:
    """{128,8192} by {8192,128} took 4,942 + 2,672 clocks on gfx942 in two launches, and 4,830 between them; 9,429 now."""
    graph, machine = graph_of(128, 128, 8192), parse_target(target).target
    (dot,) = graph.products
    assert best_parts((dot,), graph.defined, machine).parts == 1
    choice = estimated(graph, machine)
    assert choice.parts and not misfit(graph, choice, machine)
    assert choice in [candidate.choice for candidate in candidates_of(graph, machine)[:2]]


def test_parts_have_the_same_length() -> None:
    shape = shape_of(graph_of(128, 128, 8200), parse_target("gfx942").target)
    lengths = {parts: part.k for parts in (2, 4, 8, 16) if (part := part_of(shape, parts)) is not None}
    assert lengths == {2: 4100, 4: 2050, 8: 1025}


@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_sums_of_parts_that_stay_in_the_last_cache_may_be_more_than_the_factors(target: str) -> None:
    text = "a = @param:a -> f16, {512,2048}\nb = @param:b -> f16, {2048,512}\nz = dot(a, b)\n@return(z)\n"
    graph = Graph(parse(text, "product.gen").modules[0])
    assert estimated(graph, parse_target(target).target).parts == 4


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_product_that_fills_the_units_has_no_parts(target: str) -> None:
    assert estimated(graph_of(2048, 2048, 2048), parse_target(target).target).parts is None


def test_queries_keys_and_values_of_8_tokens_have_no_parts() -> None:
    """The launch takes 22,403 clocks on gfx942."""
    columns = {"q": 4096, "k": 1024, "v": 1024}
    lines = [
        f"w{name} = @param:w{name} -> f16, {{{n},4096}}\nt{name} = transpose[permutation={{1,0}}](w{name})\n{name} = dot(x, t{name})\n"
        for name, n in columns.items()
    ]
    program = asmgen.compile(f"x = @param:x -> f16, {{8,4096}}\n{''.join(lines)}@return(q, k, v)\n", target="gfx942")
    (kernel,) = program.kernels
    assert kernel.grid == (256, 1, 1) and "\tglobal_atomic_add" not in kernel.assembly


def test_the_profile_has_the_workgroup_that_comes_last() -> None:
    case = CASES[0]
    program = asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),))
    (launch,) = launches_of_program(program, "product", (), {})
    profile = profile_launch(launch).profile
    assert profile.paths == 2
    assert any(line.op.startswith("atomic_load") and line.executions for line in profile.lines)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Contract(16, 16, 128, 4, 1, MFMA, parts=1), "parts is 1, wanted 2 at least"),
        (Contract(16, 16, 128, 4, 1, MFMA, parts=3), "wanted matrices with whole trips of 128 along k in each part"),
        (Contract(16, 16, 128, 4, 2, MFMA, lines=1, parts=2), "without lines, apart, staggered, scales and reductions"),
    ],
)
def test_what_parts_cannot_do_is_refused(choice: Contract, words: str) -> None:
    assert words in misfit(graph_of(64, 64, 512), choice, parse_target("gfx942").target)


def test_a_reduction_of_a_product_in_parts_is_refused() -> None:
    text = product_text("f16", 64, 64, 512).replace("@return(z)", "s = reduce_sum[axes=1](z)\n@return(s)")
    graph = Graph(parse(text, "product.gen").modules[0])
    choice = Contract(16, 16, 128, 4, 1, MFMA, along=1, parts=2)
    assert "wanted 2 at least, without lines" in misfit(graph, choice, parse_target("gfx942").target)
