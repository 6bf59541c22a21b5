"""Products of few rows without LDS: four lanes next to each other lie along k."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Contract, choice_text
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.gentext.parser import parse
from isa.diagnostics import InputError
from isa.instruction import Unit
from isa.targets import parse_target
from tests.machine_code import code_of
from tests.unit.blockwise.schedules.graphs import DTYPES, ProductCase, estimated

MFMA = "v_mfma_f32_16x16x16_f16"


CASES = (
    ProductCase("gfx942", "f16", Contract(8, 4, 512, 4, 1, MFMA, along=1, quads=1), (8, 12, 1536)),
    ProductCase("gfx950", "bf16", Contract(4, 8, 256, 2, 1, "v_mfma_f32_16x16x32_bf16", along=1, quads=1), (3, 13, 520)),
    ProductCase("gfx90a", "f32", Contract(8, 8, 64, 1, 1, "v_mfma_f32_16x16x4_f32", stages=1, along=1, quads=1), (7, 11, 150)),
    ProductCase("gfx942", "i8", Contract(16, 16, 512, 2, 1, "v_mfma_i32_16x16x32_i8", along=1, quads=1), (16, 16, 512)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.target} {case.element}")
def test_lanes_add_up_their_parts(case: ProductCase) -> None:
    """Also if the last tile has columns of the tile before, and k is no multiple of a trip."""
    m, n, k = case.dims
    draw = np.random.default_rng(5)
    a, b = [draw.integers(-4, 5, shape).astype(DTYPES[case.element]) for shape in ((m, k), (n, k))]
    program = asmgen.compile(case.text, target=case.target, schedules=(choice_text(case.choice),))
    (after,) = program(a, b, device="emulator")
    np.testing.assert_array_equal(after, a.astype("f8") @ b.astype("f8").T)


WEIGHTS = "a = @param:a -> f16, {{{m},4096}}\nb = @param:b -> f16, {{{n},4096}}\nt = transpose[permutation={{1,0}}](b)\nz = dot(a, t)\n@return(z)\n"


@pytest.mark.parametrize(("target", "n"), [("gfx942", 1024), ("gfx950", 4096), ("gfx90a", 14336)])
def test_eight_tokens_read_their_weights_without_lds(target: str, n: int) -> None:
    """{8,4096} by {4096,1024} on gfx942 took 7,044 clocks through LDS, 5,188 now; by {4096,4096} on gfx950 12,277 and 10,150."""
    program = asmgen.compile(WEIGHTS.format(m=8, n=n), target=target)
    choice = estimated(Graph(parse(WEIGHTS.format(m=8, n=n), "product.gen").modules[0]), parse_target(target).target)
    loads = [instr for instr in code_of(program.kernels[0].assembly, target) if instr.row.unit is Unit.VMEM]
    assert choice.quads and {instr.row.mnemonic for instr in loads[:-1]} == {"global_load_dwordx4"}


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_eight_waves_without_a_loop_add_up_few_sums(target: str) -> None:
    """Sixteen waves in two trips take 5,088 clocks on gfx942 and 4,409 on gfx950, eight without a loop 4,904 and 4,169."""
    choice = estimated(Graph(parse(WEIGHTS.format(m=8, n=1024), "product.gen").modules[0]), parse_target(target).target)
    assert (choice.waves, choice.k) == (8, 4096)


def test_a_tile_of_few_columns_reduces_no_part_of_a_row() -> None:
    """A part of a row has the columns of a tile, at least those of the instruction: the tile with 4 was planned and did not fit."""
    text = (
        "a = @param:a -> f16, {3,12,2048}\nb = @param:b -> f16, {3,2048,256}, {524288,1,2048}\nz = dot[target_type=f32](a, b)\n"
        "q = mul(z, z)\ny = reduce_sum[axes={2}](q)\n@return(y, z)\n"
    )
    assert asmgen.compile(text, target="gfx90a").kernels


def test_a_reshape_moves_nothing() -> None:
    """The text of the schedule with another holder of an element is refused."""
    target = parse_target("gfx942")
    graph = Graph(parse(CASES[0].text, "product.gen").modules[0])
    text = print_program(TileProgram(target, (schedule(graph.module, CASES[0].choice, target.target),)))
    made = re.search(r"reshape = reshape.*", text)
    assert made is not None
    wrong = re.sub(r"lane\(0:0:1:0:0 0:0:2:0:0", "lane(0:0:2:0:0 0:0:1:0:0", made[0])
    with pytest.raises(InputError, match="the holders of the elements differ in lane bit 0"):
        _ = read_program(text.replace(made[0], wrong), "product.gen")
    fewer = made[0].replace("4,4,4}", "4,2,4}")
    with pytest.raises(InputError):
        _ = read_program(text.replace(made[0], fewer), "product.gen")


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Contract(8, 4, 512, 4, 1, MFMA, along=1, quads=2), "quads is 2, wanted 1, with along=1"),
        (Contract(16, 16, 512, 4, 1, MFMA, quads=1), "quads is 1, wanted 1, with along=1"),
        (Contract(8, 4, 512, 4, 1, MFMA, slices=2, along=1, quads=1), "without slices, and 1 buffer"),
        (Contract(2, 4, 512, 4, 1, MFMA, along=1, quads=1), "m is 2, and v_mfma_f32_16x16x16_f16 takes 4"),
        (Contract(8, 4, 128, 4, 1, MFMA, along=1, quads=1), "k is 128, and v_mfma_f32_16x16x16_f16 takes 256"),
    ],
)
def test_what_four_lanes_along_k_cannot_do_is_refused(choice: Contract, words: str) -> None:
    graph = Graph(parse(WEIGHTS.format(m=8, n=1024), "product.gen").modules[0])
    assert words in misfit(graph, choice, parse_target("gfx942").target)


def test_rdna_has_no_such_instruction() -> None:
    graph = Graph(parse(WEIGHTS.format(m=8, n=1024), "product.gen").modules[0])
    choice = Contract(8, 4, 512, 4, 1, "v_wmma_f32_16x16x16_f16", along=1, quads=1)
    assert "quads is for instructions of CDNA" in misfit(graph, choice, parse_target("gfx1201").target)
