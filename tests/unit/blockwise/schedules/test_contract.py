"""Matrix products by the schedule `contract`, run on the emulator against numpy; bank conflicts are counted from the
addresses that the emulator computes.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import groupby
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.layout.placement import row_major
from asmgen.blockwise.layout.text import print_bases
from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Contract, choice_text, products_read
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.gentext.parser import parse
from asmgen.lanewise.matrices import matrix_names
from isa.diagnostics import InputError
from isa.table import table_named
from isa.target import Target
from isa.targets import parse_target
from tests.lds_conflicts import counted
from tests.machine_code import longest_loop

pytestmark = pytest.mark.broad

Array = NDArray[Any]
DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8}
MFMA, WMMA = "v_mfma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_f16"
BYTES = "v_wmma_i32_16x16x16_iu8"
BLOCK = Contract(128, 128, 32, 4)


class Case(NamedTuple):
    """A product of {m,k} and {k,n}, after which comes `relu`."""

    target: str
    choice: Contract
    sizes: tuple[int, int, int]
    element: str = "f16"

    @property
    def machine(self) -> Target:
        return table_named(self.target).target

    @property
    def graph(self) -> str:
        m, n, k = self.sizes
        element = self.element
        return f"a = @param:a -> {element}, {{{m},{k}}}\nb = @param:b -> {element}, {{{k},{n}}}\nd = dot(a, b)\ny = relu(d)\n@return(y)\n"

    @property
    def text(self) -> str:
        return print_program(TileProgram(parse_target(self.target), (schedule(graph_of(self.graph).module, self.choice, self.machine),)))

    def factors(self) -> tuple[Array, Array, Array]:
        """Small whole numbers, whose sums f32 and i32 have, and the result."""
        m, n, k = self.sizes
        draw = np.random.default_rng(0)
        dtype = DTYPES[self.element]
        a, b = (draw.integers(-4, 5, shape).astype(dtype) for shape in ((m, k), (k, n)))
        product = a.astype("f8") @ b.astype("f8")
        rounded = (product.astype("i8") if self.element == "i8" else product).astype(dtype)  # integers are cut
        return a, b, np.maximum(rounded, np.zeros_like(rounded))


def graph_of(text: str) -> Graph:
    """The graph of one kernel; `dot` is none of those that the graph's own lowering takes."""
    (module,) = parse(text, "product.gen").modules
    return Graph(module)


def named(case: Case) -> str:
    choice = case.choice
    staged = "" if (choice.buffers, choice.stages or 2) == (2, 2) else f"-{choice.buffers} buffers, {choice.stages} stages"
    return f"{case.target}-{choice.by or 'outer products'}{staged}"


def run(case: Case, text: str) -> Counter[str]:
    """The product is numpy's, and the sanitizer finds nothing; returns the run's accesses of LDS."""
    a, b, wanted = case.factors()
    with counted(case.machine) as found:
        (kernel,) = asmgen.compile(text, target=case.target).kernels
        assert kernel.grid is not None
        buffers = [a.reshape(-1), b.reshape(-1), np.zeros(wanted.size, wanted.dtype)]
        *_, after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")
    np.testing.assert_array_equal(np.asarray(after).reshape(wanted.shape), wanted)
    return found


WHOLE = (
    Case("gfx90a", replace(BLOCK, by=MFMA), (128, 128, 32)),
    Case("gfx942", replace(BLOCK, by=MFMA), (128, 128, 32)),
    Case("gfx950", replace(BLOCK, by="v_mfma_f32_16x16x32_f16"), (128, 128, 32)),
    Case("gfx1100", replace(BLOCK, waves=8, by=WMMA), (128, 128, 32)),
    Case("gfx1100:wave64", replace(BLOCK, by=WMMA), (128, 128, 32)),
    Case("gfx1201", replace(BLOCK, waves=8, by=WMMA), (128, 128, 32)),
    Case("gfx1201:wave64", replace(BLOCK, by=WMMA), (128, 128, 32)),
    *[Case(target, Contract(64, 64, 16, 4), (64, 64, 16), "f32") for target in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")],
)


# The others are small in the ordinary suite: RAGGED.
ORDINARY = ("gfx942-v_mfma", "gfx1100-v_wmma", "gfx1201:wave64-v_wmma", "gfx950-outer")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if named(case).startswith(ORDINARY) else pytest.mark.slow) for case in WHOLE], ids=named
)
def test_a_tile_of_the_product_has_no_bank_conflict(case: Case) -> None:
    found = run(case, case.text)
    assert found["accesses"] > 50
    assert found["conflicts"] == 0


# Types of factors, and the load from LDS that turns b.
TURNED = {
    "v_mfma_f32_16x16x32_f16": ("f16", "ds_read_b64_tr_b16"), "v_mfma_f32_32x32x16_bf16": ("bf16", "ds_read_b64_tr_b16"),
    "v_mfma_i32_16x16x64_i8": ("i8", "ds_read_b64_tr_b8"), "v_mfma_f32_16x16x32_fp8_fp8": ("fp8e4m3fn", "ds_read_b64_tr_b8"),
}  # fmt: skip


@pytest.mark.parametrize("by", list(TURNED))
def test_a_loop_of_gfx950_turns_b_by_its_loads_from_lds(by: str) -> None:
    element, load = TURNED[by]
    case = Case("gfx950", Contract(128, 128, 64 if "_tr_b8" in load else 32, 4, 2, by), (256, 256, 512), element)
    (kernel,) = asmgen.compile(case.text, target="gfx950").kernels
    names = Counter(instr.row.mnemonic for instr in longest_loop(kernel.assembly, "gfx950"))
    assert names[load] == 8 and names["ds_read_b128"] == 4
    addresses = Counter({name: count for name, count in names.items() if name.startswith("v_") and not name.startswith("v_mfma")})
    assert addresses <= Counter(v_lshl_add_u32=4, v_xor_b32_e32=3, v_add_u32_e32=2), "slots, columns, and addresses in memory"
    assert kernel.resources.occupancy >= (4 if element in ("f16", "bf16") else 3)
    assert not [name for name in names if name.startswith(("v_perm", "v_pack", "v_cvt", "v_accvgpr", "v_mov", "v_alignbit", "v_lshl_or"))]


RAGGED = (
    Case("gfx942", Contract(64, 32, 32, 2, 2, "v_mfma_f32_32x32x8_f16"), (70, 40, 50)),
    Case("gfx950", Contract(64, 64, 64, 8, 2, "v_mfma_f32_32x32x16_f16"), (64, 64, 130)),  # more waves than tiles
    Case("gfx950", Contract(32, 64, 64, 2, 1, "v_mfma_i32_16x16x64_i8"), (40, 50, 70), "i8"),
    Case("gfx950", Contract(32, 32, 32, 2, 2, "v_mfma_f32_16x16x16_bf16"), (32, 40, 33), "bf16"),
    Case("gfx90a", Contract(32, 32, 32, 2, 2, MFMA), (32, 32, 32)),
    Case("gfx942", Contract(16, 16, 16, 1, 2, MFMA), (17, 1, 16)),  # a dim of 1
    Case("gfx1100:wave64", Contract(16, 32, 32, 2, 2, WMMA), (16, 32, 32)),
    Case("gfx1201", Contract(16, 32, 32, 2, 1, WMMA), (16, 33, 64)),
    Case("gfx1100", Contract(32, 32, 32, 2, 2, BYTES), (40, 33, 70), "i8"),
    Case("gfx1201:wave64", Contract(32, 16, 64, 2, 1, BYTES), (32, 17, 70), "i8"),
    Case("gfx90a", Contract(16, 16, 8, 2), (16, 20, 8), "f32"),
    *[Case("gfx942", Contract(16, 32, 16, 2, buffers, MFMA, stages), (16, 32, 70)) for buffers in (1, 2) for stages in (1, 2, 3)],
    Case("gfx1201", Contract(16, 16, 8, 2), (20, 16, 8), "f32"),
    *[Case("gfx1100", Contract(64, 32, 16, 2, buffers), (70, 40, 50), "f32") for buffers in (1, 2)],  # 4 k of LDS at a time
    Case("gfx1201:wave64", Contract(8, 128, 8, 4, 1), (8, 130, 24), "f32"),
    Case("gfx950", Contract(32, 32, 32, 2, 2, "v_mfma_f32_16x16x32_f16"), (63, 37, 33)),  # the last tiles begin earlier
    Case("gfx1100", Contract(16, 32, 32, 2, 2, WMMA), (17, 65, 64)),
)


GFX950 = "v_mfma_f32_16x16x32_f16"
COPIED = (
    Case("gfx950", Contract(64, 64, 64, 4, 3, GFX950, 3, copies=16), (72, 96, 200)),
    Case("gfx950", Contract(64, 128, 32, 2, 2, GFX950, 2, copies=16), (64, 120, 136)),
    Case("gfx950", Contract(64, 32, 64, 4, 1, GFX950, 1, copies=16), (64, 32, 128)),
    Case("gfx950", Contract(32, 64, 64, 2, 2, GFX950, 2, copies=16), (32, 63, 64)),  # b goes through registers
    Case("gfx950", Contract(64, 64, 128, 4, 2, "v_mfma_i32_16x16x64_i8", 2, copies=16), (64, 64, 256), "i8"),
    Case("gfx942", Contract(32, 32, 32, 2, 2, MFMA, 2, copies=4), (32, 32, 96)),
    Case("gfx950", Contract(64, 128, 64, 4, 2, GFX950, 2, copies=16, slices=2), (72, 256, 328)),
    Case("gfx950", Contract(64, 64, 64, 4, 2, GFX950, 2, copies=16, slices=2), (64, 64, 64)),
)


# slices of tiles that go through registers
SLICED = (
    Case("gfx942", Contract(64, 64, 32, 4, 2, "v_mfma_f32_32x32x8_f16", 2, slices=2), (72, 65, 200)),
    Case("gfx942", Contract(32, 64, 64, 2, 3, MFMA, 2, slices=2), (32, 64, 64)),
    Case("gfx90a", Contract(32, 32, 32, 4, 2, "v_mfma_f32_16x16x4_f32", 2, slices=2), (40, 32, 130), "f32"),
    Case("gfx1201", Contract(32, 64, 32, 4, 2, WMMA, 2, slices=2), (64, 64, 96)),
)


@pytest.mark.parametrize("case", SLICED, ids=named)
def test_slices_of_stored_tiles_have_no_bank_conflict(case: Case) -> None:
    assert not misfit(graph_of(case.graph), case.choice, case.machine)
    assert run(case, case.text)["conflicts"] == 0


def test_stores_have_turns_among_products() -> None:
    """Four waves of gfx942 store the next trip while they multiply the first slice, and have a barrier in a trip."""
    case = Case("gfx942", Contract(256, 256, 32, 4, 2, "v_mfma_f32_32x32x8_f16", 2, slices=2), (512, 512, 512))
    (kernel,) = asmgen.compile(case.text, target="gfx942").kernels
    loop = longest_loop(kernel.assembly, "gfx942")
    units = [instr.row.mnemonic.split("_")[0] + "_" + instr.row.mnemonic.split("_")[1] for instr in loop]
    assert Counter(units)["s_barrier"] == 1 and Counter(units)["v_mfma"] == 64
    order = [unit for unit in units if unit in ("v_mfma", "ds_read", "ds_write", "global_load")]
    runs = [len(list(run)) for unit, run in groupby(order) if unit != "v_mfma"]
    assert sum(runs) == 36 and max(runs) <= 2


@pytest.mark.parametrize("case", COPIED, ids=named)
def test_copies_straight_to_lds_have_no_bank_conflict(case: Case) -> None:
    assert not misfit(graph_of(case.graph), case.choice, case.machine)
    assert run(case, case.text)["conflicts"] == 0


def test_copies_run_two_trips_ahead() -> None:
    """A trip waits for the copies of its own tiles alone, and stores nothing to LDS itself."""
    case = Case("gfx950", Contract(128, 64, 64, 4, 3, GFX950, 3, copies=16), (128, 64, 512))
    (kernel,) = asmgen.compile(case.text, target="gfx950").kernels
    loop = longest_loop(kernel.assembly, "gfx950")
    names = Counter(instr.row.mnemonic for instr in loop)
    assert names["buffer_load_dwordx4"] == 6 and not [name for name in names if name.startswith(("ds_write", "v_mov", "v_accvgpr"))]
    waits = re.findall(r"s_waitcnt vmcnt\((\d+)\)", kernel.assembly.split(".loop:")[1].split("s_cbranch")[0])
    assert waits == ["6"], "the copies of the next trip stay under way"


@pytest.mark.parametrize(("target", "count", "grid"), [("gfx942", 16, (16, 2, 3)), ("gfx942", 12, (2, 3, 12)), ("gfx90a", 16, (2, 3, 16))])
def test_a_die_has_all_tiles_of_its_matrices(target: str, count: int, grid: tuple[int, int, int]) -> None:
    """Workgroups go to the eight dies of gfx942 in turn, so matrices come before their tiles if eight divides them."""
    text = f"a = @param:a -> f16, {{{count},96,64}}\nb = @param:b -> f16, {{{count},64,64}}\nd = dot(a, b)\n@return(d)\n"
    choice = Contract(32, 32, 32, 1, 2, MFMA)
    made = schedule(graph_of(text).module, choice, table_named(target).target)
    (kernel,) = asmgen.compile(print_program(TileProgram(parse_target(target), (made,))), target=target).kernels
    assert kernel.workgroups == grid
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-2, 3, shape).astype("f2") for shape in ((count, 96, 64), (count, 64, 64)))
    args = [a.reshape(-1), b.reshape(-1), np.zeros(count * 96 * 64, np.float16)]
    assert kernel.grid is not None
    *_, after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    np.testing.assert_array_equal(np.asarray(after).reshape(count, 96, 64), a.astype("f4") @ b.astype("f4"))


BESIDE = (
    ("gfx942", Contract(64, 64, 32, 4, 2, MFMA), np.float16, 2),
    ("gfx90a", Contract(32, 64, 32, 2, 1, MFMA), np.float16, 2),
    ("gfx950", Contract(64, 128, 64, 4, 2, "v_mfma_f32_16x16x32_fp8_fp8"), ml_dtypes.float8_e4m3fn, 2),
    ("gfx942", Contract(64, 64, 32, 4, 2, "v_mfma_f32_32x32x8_f16"), np.float16, 4),  # numbers them another way
)


@pytest.mark.parametrize(("target", "choice", "dtype", "stores"), BESIDE)
def test_a_lane_stores_results_of_several_tiles_together(target: str, choice: Contract, dtype: Any, stores: int) -> None:
    """k is the contiguous dim of b, so a lane may have any columns of b. It has adjacent columns of c."""
    element = {"float16": "f16", "float8_e4m3fn": "fp8e4m3fn"}[np.dtype(dtype).name]
    m, n, k = 2 * choice.m, 2 * choice.n, 3 * choice.k
    text = f"""a = @param:a -> {element}, {{{m},{k}}}
b = @param:b -> {element}, {{{n},{k}}}
t = transpose[permutation={{1,0}}](b)
d = dot(a, t)
@return(d)
"""
    made = schedule(graph_of(text).module, choice, table_named(target).target)
    (kernel,) = asmgen.compile(print_program(TileProgram(parse_target(target), (made,))), target=target).kernels
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-2, 3, shape).astype(dtype) for shape in ((m, k), (n, k)))
    args = [a.reshape(-1), b.reshape(-1), np.zeros(m * n, dtype)]
    assert kernel.grid is not None
    with counted(table_named(target).target) as found:
        *_, after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    np.testing.assert_array_equal(np.asarray(after).reshape(m, n), (a.astype("f4") @ b.astype("f4").T).astype(dtype))
    assert found["conflicts"] == 0
    assert len(re.findall(r"^\tglobal_store_", kernel.assembly, re.MULTILINE)) == stores


def test_a_loop_with_slices_multiplies_while_it_reads() -> None:
    """The largest tile of gfx950: all sums in AGPRs that no instruction moves, and half of the copies of a trip under
    way while it waits for those of the trip before."""
    m, n, k = 250, 300, 512
    text = f"""a = @param:a -> f16, {{{m},{k}}}
b = @param:b -> f16, {{{n},{k}}}
t = transpose[permutation={{1,0}}](b)
d = dot(a, t)
@return(d)
"""
    choice, machine = Contract(256, 256, 64, 4, 2, GFX950, 2, copies=16, slices=2), table_named("gfx950").target
    made = print_program(TileProgram(parse_target("gfx950"), (schedule(graph_of(text).module, choice, machine),)))
    (kernel,) = asmgen.compile(made, target="gfx950").kernels
    names = Counter(instr.row.mnemonic for instr in longest_loop(kernel.assembly, "gfx950"))
    assert (names[GFX950], names["ds_read_b128"], names["buffer_load_dwordx4"], names["s_barrier"]) == (128, 32, 16, 2)
    assert not [name for name in names if name.startswith(("ds_write", "v_mov", "v_accvgpr"))]
    waits = re.findall(r"s_waitcnt vmcnt\((\d+)\)", kernel.assembly.split(".loop:")[1].split("s_cbranch")[0])
    assert waits == ["8"]
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-2, 3, shape).astype("f2") for shape in ((m, k), (n, k)))
    args = [a.reshape(-1), b.reshape(-1), np.zeros(m * n, np.float16)]
    assert kernel.grid is not None
    *_, after = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    np.testing.assert_array_equal(np.asarray(after).reshape(m, n), a.astype("f4") @ b.astype("f4").T)


@pytest.mark.parametrize(
    ("choice", "sizes", "rule"),
    [
        (Contract(64, 64, 64, 4, 2, GFX950, 2, copies=8), (64, 64, 64), "gfx950 copies 4 or 16 bytes a lane to LDS"),
        (Contract(64, 64, 64, 4, 2, GFX950, 2, copies=16, slices=4), (64, 64, 64), "at least 2 parts of k=64 in multiples of 32"),
        (Contract(64, 64, 64, 4, 3, GFX950, 3, copies=16, slices=2), (64, 64, 64), "2 stages and at least 2 buffers"),
        (Contract(64, 64, 64, 4, 1, GFX950, 2, slices=2), (64, 64, 64), "2 stages and at least 2 buffers"),
        (Contract(64, 64, 64, 4, 2, GFX950, 2, apart=1, slices=2), (64, 64, 64), "slices is for factors that all go through LDS"),
        (Contract(64, 64, 64, 4, 2, GFX950, 3, copies=16), (64, 64, 64), "copies 2 trips ahead need as many buffers"),
        (Contract(64, 64, 64, 4, 2, GFX950, 2, copies=16), (64, 63, 63), "no factor is in memory with so many bytes in a row"),
    ],
)
def test_copies_that_do_not_fit_are_refused(choice: Contract, sizes: tuple[int, int, int], rule: str) -> None:
    case = Case("gfx950", choice, sizes)
    assert rule in misfit(graph_of(case.graph), choice, case.machine)


@pytest.mark.parametrize(("target", "by", "element"), [("gfx942", MFMA, "f16"), ("gfx1201", WMMA, "f16"), ("gfx1100", "", "f32")])
def test_a_loop_of_odd_sizes_is_that_of_whole_tiles(target: str, by: str, element: str) -> None:
    """The last tile begins earlier, so a trip has no conditions, and whole accesses of rows that are not aligned."""
    waves = 4 if by else 1
    choice = Contract(32, 64, 32 if by else 16, waves, 2, by)
    whole, odd = (
        [instr.row.mnemonic for instr in longest_loop(asmgen.compile(case.text, target=target).kernels[0].assembly, target)]
        for case in (Case(target, choice, (64, 128, 128), element), Case(target, choice, (63, 127, 129), element))
    )
    assert [name for name in whole if name.startswith(("global_load", "ds_"))]
    for unit in ("global_load", "ds_", "v_cndmask", "v_perm", "v_and"):
        assert Counter(name for name in odd if name.startswith(unit)) == Counter(name for name in whole if name.startswith(unit))


def test_a_lane_with_whole_accesses_of_rows_moves_no_factor() -> None:
    """A lane has 8 rows of 8 columns of b, and stores 8 products along k of a column at once. So the
    registers that it reads are those of a matrix instruction."""
    case = Case("gfx1100", Contract(16, 64, 64, 2, 1, WMMA), (64, 128, 256))
    kernel = asmgen.compile(case.text, target="gfx1100").kernels[0]
    names = Counter(instr.row.mnemonic for instr in longest_loop(kernel.assembly, "gfx1100"))
    assert names["v_wmma_f32_16x16x16_f16"] == 8
    assert not [name for name in names if "mov" in name]


MERGED: list[tuple[Any, tuple[int, ...], tuple[int, ...]]] = [
    (np.float16, (3, 70, 70), (70, 70)),
    (np.float16, (8, 3, 13), (13, 17)),
    (ml_dtypes.float8_e4m3fn, (7, 31, 2, 3), (3, 16)),
]


def multiplied(target: str, x: Array, w: Array) -> Array:
    """The product that one kernel makes, run with the sanitizer."""
    element = {"float16": "f16", "float8_e4m3fn": "fp8e4m3fn"}[x.dtype.name]
    dims = ["{" + ",".join(map(str, array.shape)) + "}" for array in (x, w)]
    product = f"dot_general[lhs_contract={{{x.ndim - 1}}}, rhs_contract={{0}}](x, w)"
    text = f"x = @param:x -> {element}, {dims[0]}\nw = @param:w -> {element}, {dims[1]}\ny = {product}\n@return(y)\n"
    (kernel,) = asmgen.compile(text, target=target).kernels
    assert kernel.grid is not None
    shape = (*x.shape[:-1], w.shape[-1])
    args = [x.reshape(-1), w.reshape(-1), np.zeros(int(np.prod(shape)), x.dtype)]
    *_, stored = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    return np.asarray(stored).reshape(shape)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
@pytest.mark.parametrize(("dtype", "left", "right"), MERGED)
def test_rows_of_several_dims_that_are_no_multiple_of_a_tile(target: str, dtype: Any, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """No tile is moved back here: the rule of races does not follow that two workgroups store the same."""
    draw = np.random.default_rng(0)
    x, w = (draw.integers(-2, 3, shape).astype(dtype) for shape in (left, right))
    np.testing.assert_array_equal(multiplied(target, x, w), (x.astype("f8") @ w.astype("f8")).astype(dtype))


@pytest.mark.parametrize("target", ["gfx950", "gfx1201"])
def test_workgroups_with_results_in_common_store_the_same_nan(target: str) -> None:
    """The sanitizer accepts two stores to an element if their bits are equal."""
    draw = np.random.default_rng(0)  # of bits: a NaN of either sign in most rows
    x, w = (draw.integers(0, 256, shape).astype("u1").view(ml_dtypes.float8_e4m3fn) for shape in ((40, 512), (512, 256)))
    assert np.isnan(multiplied(target, x, w).astype("f4")).any()


@pytest.mark.parametrize("case", RAGGED, ids=named)
def test_sizes_that_are_no_multiples(case: Case) -> None:
    assert run(case, case.text)["conflicts"] == 0


@pytest.mark.parametrize("case", [WHOLE[1], WHOLE[-4]], ids=named)
def test_conflicts_are_seen_where_there_are_some(case: Case) -> None:
    """Successive rows of the tiles, in place of the swizzle."""

    def rows(found: re.Match[str]) -> str:
        sizes = (int(found[1]), int(found[2]))
        return f"{{{found[1]},{found[2]}}} @ {print_bases('offset', row_major(sizes).offsets, sizes)}"

    text = re.sub(r"\{(\d+),(\d+)\} @ offset\(.*?\)", rows, case.text)
    assert text != case.text
    assert run(case, text)["conflicts"] > 0


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201:wave64"])
def test_random_choices_multiply_or_are_refused(target: str) -> None:
    """By the interpreter of tiles, holder by holder; the text is read again, so that the verifier sees it."""
    draw = random.Random(target)
    machine = table_named(target).target
    names = [name for name in matrix_names(table_named(target)) if instruction(name, machine) is not None]
    counts = Counter[str]()
    for _ in range(8):
        by = draw.choice(("", *names))
        found = instruction(by, machine) if by else None
        m, n, k = found.sizes if found else (4, 4, 4)
        choice = Contract(
            m << draw.randrange(3), n << draw.randrange(3), k << draw.randrange(3), 1 << draw.randrange(4), draw.randrange(1, 4), by,
            draw.randrange(1, 4),
        )  # fmt: skip
        element = str(found.elements[0][0]) if found else "f32"
        case = Case(target, choice, (draw.randrange(1, 70), draw.randrange(1, 70), draw.randrange(1, 70)), element if element in DTYPES else "f16")
        refused = bool(misfit(graph_of(case.graph), choice, machine))
        counts["refused" if refused else "multiplied"] += 1
        if refused:
            continue
        (kernel,) = read_program(case.text, "product.gen").kernels
        a, b, wanted = case.factors()
        memory = {"a": a.reshape(-1), "b": b.reshape(-1), "z_output": np.zeros(wanted.size, wanted.dtype)}
        interpret(kernel, memory, Tiles.HOLDERS)
        np.testing.assert_array_equal(memory["z_output"].reshape(wanted.shape), wanted, str(choice))
    assert counts["multiplied"] > 1, counts


GRIDWISE = """stage gridwise gfx942
program @product {{
  a = parameter -> f16, {{64,48}}
  b = parameter -> f16, {{48,96}}
  z = result -> f16, {{64,96}}
  launch @product(a, b) -> (z) grid(3, 2) by {choice} {{
    a = @param:a -> f16, {{64,48}}
    b = @param:b -> f16, {{48,96}}
    d = dot(a, b)
    y = relu(d)
    @return(y)
  }}
}}
"""


@pytest.mark.parametrize(
    ("target", "waves", "by", "element", "stages"),
    [
        ("gfx1100", 4, "", "f32", 1),  # 128 sums and 32 carried elements of 256 VGPRs: the carried elements were spilled
        ("gfx1100", 8, "", "f32", 2),
        ("gfx942", 4, "", "f32", 2),
        ("gfx942", 1, MFMA, "f16", 2),  # 256 sums in AGPRs
    ],
)
def test_a_loop_reads_ahead_if_registers_have_room(target: str, waves: int, by: str, element: str, stages: int) -> None:
    choice, sizes = Contract(128, 128, 16, waves, 2, by), (128, 128, 64)
    chosen = Case(target, replace(choice, stages=stages), sizes, element)
    assert Case(target, choice, sizes, element).text == chosen.text
    assert Case(target, replace(choice, stages=3 - stages), sizes, element).text != chosen.text


def test_a_launch_names_its_instruction() -> None:
    case = Case("gfx942", Contract(32, 32, 16, 4, 2, MFMA), (64, 96, 48))
    a, b, wanted = case.factors()
    program = asmgen.compile(GRIDWISE.format(choice=choice_text(case.choice)))
    assert MFMA in program.kernels[0].assembly
    (after,) = program(a, b, device="emulator")
    np.testing.assert_array_equal(after, wanted)


def test_an_instruction_that_a_launch_cannot_have_is_refused() -> None:
    choice = choice_text(Contract(32, 32, 16, 4, 2, WMMA))
    with pytest.raises(InputError, match=f"{WMMA} is not a matrix instruction of gfx942 in waves of 64 lanes"):
        _ = asmgen.compile(GRIDWISE.format(choice=choice))


MISFITS = {
    "v_mfma_f32_32x32x8_f16 takes 32": Contract(16, 32, 16, 4, 2, "v_mfma_f32_32x32x8_f16"),
    "k is 8, and v_mfma_f32_16x16x16_f16 takes 16": Contract(16, 32, 8, 4, 2, MFMA),
    "multiplies f32 and f32 and sums f32, wanted f16 and f32": Contract(32, 32, 16, 4, 2, "v_mfma_f32_16x16x4_f32"),
    "not a matrix instruction of gfx942": Contract(32, 32, 16, 4, 2, WMMA),
    "m is 24, wanted a power of two": Contract(24, 32, 16, 4, 2, MFMA),
    "have 131072 bytes, and the target has 65536": Contract(256, 256, 64, 4, 2, MFMA),
    "stages is 4, wanted 3 at most": Contract(32, 32, 16, 4, 2, MFMA, 4),
    "n is 2, wanted 4 at least": Contract(32, 2, 16, 4),
    "apart is 2, wanted 1": Contract(16, 64, 64, 4, 2, MFMA, apart=2),
    "apart is 1, wanted 1, with a matrix instruction": Contract(16, 64, 16, 4, apart=1),
    "n is 32, wanted 16 columns for each of 4 waves": Contract(16, 32, 64, 4, 2, MFMA, apart=1),
}


@pytest.mark.parametrize("words", list(MISFITS))
def test_a_choice_that_does_not_fit_is_refused(words: str) -> None:
    graph = graph_of(WHOLE[1].graph)
    assert words in misfit(graph, MISFITS[words], WHOLE[1].machine)


def test_an_operand_that_is_computed_is_rounded_to_the_type_of_the_instruction() -> None:
    graph = WHOLE[1].graph.replace("dot(a, b)", "dot(c, b)").replace("d =", "c = mul(a, a)\nd =")
    module = graph_of(graph).module
    assert misfit(Graph(module), WHOLE[1].choice, WHOLE[1].machine) == ""
    kernel = schedule(module, WHOLE[1].choice, WHOLE[1].machine)
    text = print_program(TileProgram(parse_target(WHOLE[1].target), (kernel,)))
    assert re.search(r"c_1 = mul\(a_1\w*, a_1\w*\) -> f16", text), text


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201:wave64"])
@pytest.mark.parametrize("rows", [False, True])
def test_a_long_launch_of_outer_products_has_the_last_trip_in_its_loop(target: str, rows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """4,096 cubed has 600 lines, 2,926 with 32 products along k in a trip and an epilogue. Here all launches
    count as long."""
    monkeypatch.setattr("asmgen.blockwise.schedules.pages.product.MANY_PRODUCTS", 0)
    (m, n, k), generator = (40, 72, 48), np.random.default_rng(3)
    a, b = (generator.integers(-9, 9, shape).astype("f4") for shape in ((m, k), (n, k) if rows else (k, n)))
    second, given = ("t", f"{{{n},{k}}}") if rows else ("b", f"{{{k},{n}}}")
    turned = "t = transpose[permutation={1,0}](b)\n" if rows else ""
    text = f"a = @param:a -> f32, {{{m},{k}}}\nb = @param:b -> f32, {given}\n{turned}z = dot(a, {second})\n@return(z)\n"
    choice = Contract(32, 64, 8, 2, 1)
    module, machine = parse(text, "product.gen").modules[0], parse_target(target)
    tiles = print_program(TileProgram(machine, (schedule(module, choice, machine.target),)))
    pieces = choice.k // products_read(choice, machine.target)
    assert "min(k, 32) + 8" in tiles and tiles.count("= contract(") == pieces
    program = asmgen.compile(tiles, target=target)
    (result,) = program(a, b, device="emulator")
    np.testing.assert_array_equal(result, a @ (b.T if rows else b))
