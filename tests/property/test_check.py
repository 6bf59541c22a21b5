"""`check` on clang's code: it finds nothing missing, names the accesses that a removed wait leaves open, and
repairs stripped code.

LLVM is the judge. The kernels are those of tools/clang-kernels, twenty of them. The ordinary tests have each
on two of the five targets.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import tools
from asmgen.check.analysis import Examined, missing_in, waiting
from asmgen.check.fixing import fixed_text
from asmgen.check.listing import ListedFunction, Listing
from asmgen.check.mistakes import mistakes_in
from asmgen.check.reading import read_listing
from isa.emulator.program.code import Code
from isa.instruction import Instr, Trait
from isa.targets import TARGETS, parse_target
from isa.text.printing import format_instr
from tools.fuzz.corners import Case, corner_of
from tools.judge import WEAKER, Finding, Judge, Judgement, Line

pytestmark = pytest.mark.needs_llvm("clang-22", "llvm-mc-22", "llc-22")

KERNELS = Path(tools.__file__).parent / "clang-kernels"
CASES = Path(__file__).parents[1] / "unit" / "isa" / "kernels"
CLAUSES = Path(__file__).with_name("clauses.cl")
CARRIED = Path(__file__).with_name("carried_store.cl")
STAGING = Path(__file__).with_name("staging.cl")
LEVELS = ("-O0", "-O1", "-O2", "-O3")
SOURCES = (
    "col_sum", "concat_add", "diverge", "dot", "full_sum", "gather_add", "gelu_erf", "gelu_tanh", "gelu_tanh_v4", "layernorm", "muladd_v4", "pad_add",
    "reverse_add_v4", "rmsnorm", "row_max", "row_sum_shfl", "sgemm64", "softmax", "transpose_v4",
    "by_hand",
)  # fmt: skip
MATRIX = {"cdna": "hgemm_mfma", "rdna": "hgemm_wmma"}
REMOVALS, MORE_REMOVALS = 40, 1000  # of each target
BARRIERS = frozenset({Trait.BARRIER, Trait.SIGNAL})


def every(target: str) -> tuple[Listing, ...]:
    """What `check` reads of the twenty-one files as clang compiles them for a target."""
    return tuple(_compile(name, target) for name in names_for(target))


def some(target: str) -> tuple[Listing, ...]:
    """The same of the kernels that fall to the target in the ordinary suite: each falls to one of them, that of matrices to all."""
    turn, count = [*TARGETS].index(target), len(TARGETS)
    falls = [number % count == turn for number in range(len(SOURCES))]
    return tuple(_compile(name, target) for name, is_here in zip(names_for(target), [*falls, True], strict=True) if is_here)


def names_for(target: str) -> tuple[str, ...]:
    return (*SOURCES, MATRIX[TARGETS[target].family])


@cache
def _compile(name: str, target: str) -> Listing:
    return _compile_file(KERNELS / f"{name}.cl", target, "-O3")


def _compile_file(source: Path, target: str, level: str) -> Listing:
    """What `check` reads of a file of kernels as clang compiles it."""
    path = _directory() / f"{source.stem}{level}-{target}.s"
    options = [level, "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib"]
    defines = ["-DOFF32", "-DBUFFER_FLAGS=0x00027000", f"-DWAVE={parse_target(target).target.wave_size}"]
    command = ["clang-22", *options, *defines, "-w", "-I", str(KERNELS), "-S", "-o", str(path), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return read_listing(str(path), None)


@cache
def _directory() -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix="asmgen-check-"))


def lines_of(function: ListedFunction) -> list[Line]:
    """A function as the judge takes it; lines are numbered by the index of the instruction."""
    labels: dict[int, list[str]] = {}
    for name, index in function.code.labels.items():
        labels.setdefault(index, []).append(f"{name.replace(' ', '_')}:")
    lines: list[Line] = []
    for index, instr in enumerate(function.instructions):
        lines += [Line(index, label) for label in labels.get(index, [])]
        lines.append(Line(index, format_instr(instr)))
    return lines


def weaker(judgement: Judgement) -> list[Finding]:
    """What LLVM misses."""
    assert not judgement.refused, judgement.findings
    return judgement.of_kind(WEAKER)


def outside_corners(function: ListedFunction, findings: list[Finding], target: str) -> list[Finding]:
    """Without those of which LLVM is no good judge."""
    others = tuple(instr for instr in function.instructions if not waiting(instr))
    cases = [Case(finding, function.instructions[finding.line.number], others, parse_target(target).target) for finding in findings]
    return [case.finding for case in cases if corner_of(case) is None and not of_a_full_counter(case)]


def of_a_full_counter(case: Case) -> bool:
    """LLVM waits for the largest count that has an effect; the counter itself may have waited already."""
    largest = {counter.name: counter.maximum - 1 for counter in case.target.counters}
    return largest.get(case.finding.what) == case.finding.wanted


def judged(functions: list[ListedFunction], target: str) -> list[list[Finding]]:
    return [weaker(judgement) for judgement in Judge(parse_target(target)).judge_weaker([lines_of(function) for function in functions])]


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_missing_in_what_clang_compiled(target: str) -> None:
    hold_clean(some(target), 4)


@pytest.mark.parametrize(("mask", "is_missing"), [("0xf", False), ("0x3", True)])
def test_a_move_to_every_lane_reads_nothing_of_its_destination(mask: str, is_missing: bool, tmp_path: Path) -> None:
    """LLVM wants two states before it, as before a move that keeps lanes of its destination."""
    path = tmp_path / "moves.s"
    move = f"v_mov_b32_dpp v9, v11 quad_perm:[1,0,3,2] row_mask:{mask} bank_mask:0xf bound_ctrl:1"
    path.write_text(f"v_mov_b32_e32 v9, v1\n{move}\ns_endpgm\n", encoding="utf-8")
    target = parse_target("gfx90a")
    (function,) = read_listing(str(path), target).functions
    assert bool(missing_in(function, target)) is is_missing
    (findings,) = judged([function], "gfx90a")
    assert [finding.wanted for finding in findings] == [2]
    assert bool(outside_corners(function, findings, "gfx90a")) is is_missing


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_missing_in_any_kernel(target: str) -> None:
    hold_clean(every(target), 20)


def hold_clean(listings: tuple[Listing, ...], least: int) -> None:
    assert len(listings) >= least
    for listing in listings:
        for function in listing.functions:
            assert len(function.instructions) > 5
        assert_clean(listing)


def assert_clean(listing: Listing) -> None:
    for function in listing.functions:
        missing = missing_in(function, listing.target)
        assert not missing, (listing.name, function.name, missing)
        mistakes = mistakes_in(function, listing.target) + Examined(function, listing.target).notes()
        wrong = [mistake for mistake in mistakes if not mistake.is_note]
        assert not wrong, (listing.name, function.name, wrong)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_nothing_is_missing_in_long_clauses(target: str) -> None:
    assert_clean(_compile_file(CLAUSES, target, "-O2"))


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_nothing_is_missing_beside_loads_straight_to_lds(target: str) -> None:
    """One buffer, two by turns, another array meanwhile; and barriers for the waves' pace, of which a read is
    a note."""
    for level in ("-O1", "-O3"):
        listing = _compile_file(STAGING, target, level)
        assert_clean(listing)
        filling = [any(Trait.LDS_DMA in instr.row.traits for instr in function.instructions) for function in listing.functions]
        assert sum(filling) >= 3


@pytest.mark.parametrize("target", TARGETS)
def test_the_wait_that_llvm_loses_at_the_head_of_a_loop(target: str, tmp_path: Path) -> None:
    """llvm-project PR 220356: the store of the last trip is under way at the barrier, and `--fix` waits for it."""
    listing = _compile_file(CARRIED, target, "-O2")
    (function,) = [function for function in listing.functions if function.name == "carried_store"]
    (lack,) = missing_in(function, listing.target)
    consumer, stores = function.instructions[lack.index], Trait.STORE in lack.producer.row.traits
    assert (lack.code, stores, Trait.SIGNAL in consumer.row.traits) == ("CHK001", True, True)
    assert function.instructions.index(lack.producer) > lack.index, "it comes along the back edge"
    path = tmp_path / "fixed.s"
    path.write_text(fixed_text(listing, strip=False), encoding="utf-8")
    assert_clean(read_listing(str(path), None))


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("target", ["gfx90a", "gfx90a:xnack+", "gfx90a:xnack-", "gfx942", "gfx942:xnack+", "gfx942:xnack-"])
def test_nothing_is_missing_at_any_level(target: str, level: str) -> None:
    sources = (CLAUSES, *sorted(KERNELS.glob("*.cl")), *sorted(CASES.glob("*.cl")))
    listings = [_compile_file(source, target, level) for source in sources if source.stem != MATRIX["rdna"]]
    assert sum(len(listing.functions) for listing in listings) > 100
    for listing in listings:
        assert_clean(listing)


def hold_removals(listings: tuple[Listing, ...], target: str, seed: int, count: int) -> None:
    """Take out one wait at a time; `check` names it if LLVM wants it back, and otherwise at barriers
    alone."""
    random = Random(f"{seed}/{target}")
    waits = [(function, index) for listing in listings for function in listing.functions for index in _waits(function)]
    chosen = [random.choice(waits) for _ in range(count)]
    damaged = [function.without(frozenset({index})) for function, index in chosen]
    named = 0
    for (function, index), less, theirs in zip(chosen, damaged, judged(damaged, target), strict=True):
        ours = missing_in(less, parse_target(target))
        apart = [missing for missing in ours if not BARRIERS & less.instructions[missing.index].row.traits]
        shown = f"{function.places[index]}: {format_instr(function.instructions[index])}: {ours}, LLVM {[str(finding) for finding in theirs]}"
        assert ours or not outside_corners(less, theirs, target), shown
        assert theirs or not apart, shown
        named += bool(theirs)
    assert named > count // 2


def _waits(function: ListedFunction) -> list[int]:
    return [index for index, instr in enumerate(function.instructions) if waiting(instr)]


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_removed_waits_are_named_where_they_mattered(target: str) -> None:
    hold_removals(some(target), target, 7, REMOVALS)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_more_removed_waits(target: str) -> None:
    hold_removals(every(target), target, 8, MORE_REMOVALS)


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_stripped_and_fixed_code_is_whole(target: str, tmp_path: Path) -> None:
    hold_fixed(some(target), target, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_stripped_and_fixed_code_of_every_kernel_is_whole(target: str, tmp_path: Path) -> None:
    hold_fixed(every(target), target, tmp_path)


def hold_fixed(listings: tuple[Listing, ...], target: str, tmp_path: Path) -> None:
    fixed: list[ListedFunction] = []
    for number, listing in enumerate(listings):
        path = tmp_path / f"{number}.s"
        path.write_text(fixed_text(listing, strip=True), encoding="utf-8")
        again = read_listing(str(path), None)
        for before, after in zip(listing.functions, again.functions, strict=True):
            assert working(before) == working(after)
            assert not missing_in(after, again.target)
        fixed += again.functions
    judgements = zip(fixed, judged(fixed, target), strict=True)
    findings = [str(finding) for function, found in judgements for finding in outside_corners(function, found, target)]
    assert not findings, findings


def working(function: ListedFunction) -> list[str]:
    """The instructions that do something."""
    return [format_instr(instr) for instr in function.instructions if not waiting(instr) and not _is_time(instr)]


def _is_time(instr: Instr) -> bool:
    return Trait.DELAY in instr.row.traits or (not instr.operands and not instr.row.traits and not instr.row.writes)


@pytest.mark.parametrize("target", TARGETS)
def test_fixing_whole_code_changes_nothing(target: str) -> None:
    for listing in some(target)[:6]:
        assert fixed_text(listing, strip=False).splitlines() == listing.lines


def test_what_is_put_in_says_what_for(tmp_path: Path) -> None:
    path = tmp_path / "bare.s"
    path.write_text("v_rcp_f32 v0, v1\nv_add_f32 v2, v0, v0\n", encoding="utf-8")
    fixed = fixed_text(read_listing(str(path), parse_target("gfx942")), strip=False)
    instruction, _, purpose = fixed.splitlines()[1].partition(";")
    assert instruction.strip() == "s_nop 0"
    assert purpose.strip() == "transcendental result read by VALU: v0 of v_rcp_f32_e32"


def test_a_wasted_wait_is_found() -> None:
    listing = _compile("softmax", "gfx942")
    function = listing.functions[0]
    nop = next(index for index, instr in enumerate(function.instructions) if Trait.NOP in instr.row.traits)
    instructions = [*function.instructions[:nop], replace(function.instructions[nop]), *function.instructions[nop:]]
    places = [*function.places[:nop], function.places[nop], *function.places[nop:]]
    labels = {name: index + (index > nop) for name, index in function.code.labels.items()}
    twice = ListedFunction(function.name, Code(function.name, [*instructions], labels), places)
    assert nop in (Examined(twice, listing.target).wasted() or [])
