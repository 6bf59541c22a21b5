"""Our programs next to other compilers', and the measure that compares them."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from asmgen.gentext.parser import parse
from isa.instruction import Instr
from isa.table import table_of
from isa.targets import TARGETS, parse_target
from isa.text.parsing import parse_instr
from tests.rows import spread
from tools import bench_peers
from tools.mca import PricedLine, cycles
from tools.scoreboard.cases import CASES, Case
from tools.scoreboard.figures import Figures, bytes_under_way
from tools.scoreboard.left import Left
from tools.scoreboard.programs import measure_ours
from tools.scoreboard.table import (
    COLUMNS,
    KernelFigures,
    Limit,
    Row,
    disagreements,
    failures,
    geometric_mean,
    slower,
    summaries,
    worse_in,
)
from tools.scoreboard.triton import read_rows

pytestmark = pytest.mark.broad

NEEDED = ("clang-22", "llvm-mca-22")
# those that are no worse than any peer on any target
PROMISED = ("vecadd", "relu", "muladd", "gelu", "gelu_erf", "row_max", "softmax")
GOOD = Figures(
    elements_a_lane=4, vgprs=16, launches=1, instructions=2.25, nops=0.5, waves=8, load=16, store=16, cycles=41.75,
    conflicts=0, in_flight=32768, groups=3, passes=1,
)  # fmt: skip
BARRIERS = {"gfx942": ["s_barrier"], "gfx1100": ["s_barrier"], "gfx1201": ["s_barrier_signal -1", "s_barrier_wait 0xffff"]}
LOADS = {"gfx942": "global_load_dwordx4 v[4:7], v0, s[0:1]", "gfx1201": "global_load_b128 v[4:7], v0, s[0:1]"}


@pytest.mark.needs_llvm(*NEEDED)
@pytest.mark.parametrize(("target", "name"), spread([(target, name) for target in TARGETS for name in PROMISED], 1))
def test_ours_is_no_worse_than_its_peers(target: str, name: str) -> None:
    rows = [bench_peers.row_of(case, target) for case in CASES if case.name == name]
    assert list(failures([row for row in rows if row.peers], ())) == []


def test_every_figure_that_is_worse_is_named() -> None:
    for column in COLUMNS:
        value = getattr(GOOD, column.field)
        worse = value * 0.5 if column.more else value + 1
        assert worse_in(replace(GOOD, **{column.field: worse}), GOOD) == [column.title]
        assert worse_in(GOOD, replace(GOOD, **{column.field: worse})) == []
        assert worse_in(replace(GOOD, **{column.field: worse}), replace(GOOD, **{column.field: None})) == []


def test_what_gains_nothing_does_not_score() -> None:
    assert worse_in(replace(GOOD, vgprs=24), GOOD) == []  # as many waves
    assert worse_in(GOOD, replace(GOOD, groups=8)) == []
    assert worse_in(replace(GOOD, in_flight=44 * 1024), replace(GOOD, in_flight=1 << 20)) == []
    assert worse_in(GOOD, replace(GOOD, in_flight=1 << 20)) == ["KB/CU"]


def lines(target: str, *texts: str) -> list[PricedLine]:
    table = table_of(parse_target(target).target)
    return [PricedLine(text, parse_instr(text, table, "test")) for text in texts]


@pytest.mark.needs_llvm("llvm-mca-22")
@pytest.mark.parametrize(("target", "barrier"), BARRIERS.items())
def test_a_barrier_is_a_state_for_each_instruction_of_it(target: str, barrier: list[str]) -> None:
    whole = parse_target(target)
    first, last = "v_add_f32_e32 v0, v1, v2", "v_add_f32_e32 v3, v4, v5"
    with_it = cycles(lines(target, first, *barrier, last), whole)
    assert with_it == cycles(lines(target, first, *["s_nop 0"] * len(barrier), last), whole)
    assert with_it is not None and with_it < 20


@pytest.mark.needs_llvm("llvm-mca-22")
@pytest.mark.parametrize(("target", "load"), LOADS.items())
def test_a_load_of_memory_is_priced(target: str, load: str) -> None:
    """A line that llvm-mca does not take is left out of its price without a word."""
    add = "v_add_f32_e32 v1, v4, v5"
    priced = cycles(lines(target, load, add), parse_target(target))
    assert priced is not None and priced > 70


def trace(target: str, *texts: str) -> list[Instr]:
    return [line.instr for line in lines(target, *texts) if line.instr is not None]


def test_bytes_under_way_are_those_that_no_wait_has_seen() -> None:
    wide, narrow = "global_load_dwordx4 v[4:7], v0, s[0:1]", "global_load_dword v8, v0, s[0:1]"
    store, target = "global_store_dword v0, v1, s[0:1]", TARGETS["gfx942"]
    assert bytes_under_way(trace("gfx942", wide, narrow, "s_waitcnt vmcnt(0)", wide), target) == 20
    assert bytes_under_way(trace("gfx942", wide, narrow, "s_waitcnt vmcnt(1)", wide, wide), target) == 36
    assert bytes_under_way(trace("gfx942", wide, store, "s_waitcnt vmcnt(1)", wide), target) == 16
    assert bytes_under_way(trace("gfx942", wide, "s_waitcnt lgkmcnt(0)", wide), target) == 32


@pytest.mark.needs_llvm(*NEEDED)
def test_figures_of_kernels_that_are_known() -> None:
    """Of clang's kernels, counted by hand: transpose_v4 reads columns of a tile of 65 words, four lanes of 16 to a
    bank, transpose those of 33, without conflicts. Both read 16 MB once and write it."""
    case = next(case for case in CASES if case.name == "transpose")
    found = {peer.name: peer.figures for peer in bench_peers.row_of(case, "gfx942").peers}
    wide, narrow = found["clang transpose_v4"], found["clang transpose"]
    assert (wide.elements_a_lane, wide.load, wide.store, wide.passes, wide.instructions) == (16, 16, 16, 1, 84 / 16)
    assert (narrow.elements_a_lane, narrow.load, narrow.store, narrow.passes) == (4, 4, 4, 1)
    assert narrow.conflicts == 0 and wide.conflicts and wide.conflicts > 0
    assert narrow.groups == 8  # of four waves of 32 that fit


@pytest.mark.needs_llvm("llvm-mca-22")
def test_instructions_of_a_loop_count_each_time() -> None:
    """row_sum of rows that are looped over: half the rows run half of the instructions."""
    text = "x = @param:x -> f32, {64,100000}\no = reduce_sum[axes=1](x)\n@return(o)\n"
    figures = measure_ours(Case("long rows", text, 64 * 100000, ()), "gfx942").figures
    assert figures.passes == pytest.approx(1, rel=0.15)
    assert figures.instructions < 5


@pytest.mark.needs_llvm("llvm-mca-22")
@pytest.mark.parametrize("target", TARGETS)
def test_argmax_costs_little_more_than_the_maximum(target: str) -> None:
    """1.4 times the instructions and 1.3 times the cycles of row_max, which chooses among three neighbours, an element."""
    cases = {case.name: case for case in CASES}
    argmax, row_max = [measure_ours(cases[name], target).figures for name in ("argmax", "row_max")]
    assert argmax.instructions <= 1.4 * row_max.instructions
    assert argmax.cycles is not None and row_max.cycles is not None and argmax.cycles <= 1.3 * row_max.cycles


def test_triton_s_rows_are_of_known_programs() -> None:
    titles = {case.title for case in bench_peers.CASES}
    assert [row.program for row in read_rows() if row.program not in titles or row.target not in TARGETS] == []
    assert all(row.figures.instructions > 0 for row in read_rows())


@pytest.mark.needs_llvm(*NEEDED)
def test_the_command_prints_json_and_says_by_its_status_what_is_worse(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_peers.main(["gfx942", "--program", "vecadd", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert next(iter(found["rows"][0]["peers"])) == "clang vecadd_v4"
    assert found["rows"][0]["ours"]["load"] == 16
    assert bench_peers.main(["gfx942", "--program", "vecadd", "--peers"]) == 0
    assert "no worse" in capsys.readouterr().out


def kernel(name: str, instructions: float, cycles: float | None = 1) -> KernelFigures:
    return KernelFigures(name, replace(GOOD, instructions=instructions, cycles=cycles))


def row(instructions: float, cycles: float, *peers: KernelFigures) -> Row:
    return Row("gfx942", "p", replace(GOOD, instructions=instructions, cycles=cycles), peers)


EVERY = (Limit("all", frozenset({"p"}), 0.75),)


def test_a_row_is_compared_with_the_best_peer_of_each_figure() -> None:
    known = row(3, 4, kernel("lane", 6, 2), kernel("wave", 2, 8), kernel("static", 4, None))
    assert (known.best("instructions").name, known.best("cycles").name) == ("wave", "lane")
    assert (known.ratio("instructions"), known.ratio("cycles")) == (1.5, 2)
    assert row(3, 4, kernel("static", 4, None)).ratio("cycles") is None


def test_the_reasons_name_what_is_worse_and_by_how_much() -> None:
    assert list(failures([row(3, 1, kernel("wave", 4))], EVERY)) == []
    assert list(failures([row(3.5, 1, kernel("wave", 4))], EVERY)) == [f"{next(summaries([row(3.5, 1, kernel('wave', 4))], EVERY))}, wanted 0.75"]
    found = list(failures([row(5, 3, kernel("wave", 4))], ()))
    assert found == [
        "gfx942 p: 1.250 of the instructions of wave, wanted at most 1",
        "gfx942 p: 3.000 of the cycles of wave, wanted at most 1",
    ]


def test_the_clock_model_decides_if_its_clocks_are_known() -> None:
    """More instructions and cycles do not matter then, and fewer do not help."""
    peer = KernelFigures("wave", replace(GOOD, instructions=1, cycles=1, clocks=100))
    figures = [replace(GOOD, instructions=each, cycles=each, clocks=clocks) for each, clocks in ((9, 99), (0.1, 125))]
    quick, slow = [Row("gfx942", "p", ours, (peer,)) for ours in figures]
    assert list(failures([quick], ())) == []
    assert list(failures([slow], ())) == ["gfx942 p: 1.250 of the clocks of wave, wanted at most 1"]
    assert list(failures([slow], (), [Left("p", "clocks", 1.25, "reads twice")])) == []


def test_a_row_that_is_left_may_be_worse_by_as_much_as_it_says() -> None:
    left = [Left("p", "instructions", 1.3, "rounds to bf16"), Left("p", "cycles", 9, "none", targets=("gfx90a",))]
    assert list(failures([row(5, 1, kernel("wave", 4))], (), left)) == []
    assert list(failures([row(6, 1, kernel("wave", 4))], (), left)) == [
        "gfx942 p: 1.500 of the instructions of wave, wanted at most 1.3 (rounds to bf16)"
    ]
    assert len(list(failures([row(4, 2, kernel("wave", 4))], (), left))) == 1


@pytest.mark.needs_llvm("llvm-mca-22")
def test_idle_compute_units_cost_cycles() -> None:
    """A single row of 64 K elements has a workgroup; 1,216 of them fill the machine."""
    few, many = [
        measure_ours(
            Case("sums", f"x = @param:x -> f32, {{{rows},4096}}\no = reduce_max[axes=1](x)\n@return(o)\n", rows * 4096, ()), "gfx942"
        ).figures
        for rows in (4, 1216)
    ]
    assert few.cycles is not None and many.cycles is not None and few.cycles > 20 * many.cycles


def test_a_mean_is_geometric() -> None:
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1.0)


@pytest.mark.parametrize("case", bench_peers.CASES, ids=lambda case: case.name)
def test_the_text_of_every_case_is_a_program(case: Case) -> None:
    """Those too that only `--large` runs."""
    assert parse(case.text, f"{case.name}.gen").modules


def _timed(instructions: float, clocks: float | None, theirs: float | None) -> Row:
    peers = (
        KernelFigures("timed", replace(GOOD, instructions=10, clocks=theirs)),
        KernelFigures("of a file", replace(GOOD, instructions=1)),
    )
    return Row("gfx942", "p", replace(GOOD, instructions=instructions, clocks=clocks), peers)


@pytest.mark.parametrize(
    ("row", "is_slower", "disagrees"),
    [
        (_timed(9, 120, 100), True, True),
        (_timed(11, 120, 100), True, False),
        (_timed(11, 80, 100), False, True),
        (_timed(9, 80, 100), False, False),
        (_timed(9, None, 100), False, False),
        (_timed(9, 120, None), False, False),
    ],
)
def test_clocks_are_compared_with_the_peer_of_the_fewest(row: Row, is_slower: bool, disagrees: bool) -> None:
    assert len(list(slower([row]))) == is_slower
    assert len(list(disagreements([row]))) == disagrees
