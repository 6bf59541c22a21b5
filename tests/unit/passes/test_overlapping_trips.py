"""When the trips of a loop overlap: if that gains, if registers suffice, and if no instruction has to stay in its trip."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.kernels import CATALOGUE
from asmgen.passes.combine.combine import combine
from asmgen.passes.dependence import Dependences
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.schedule.modulo import LoopOrder, heuristic, pipeline
from asmgen.passes.schedule.modulo.choices import is_crowded
from asmgen.passes.schedule.modulo.clocks import awaited_edges, clocks_of_order, kept_waiting, taken_edges
from asmgen.passes.schedule.modulo.crowd import clocks_of_crowd, most_clocks
from asmgen.passes.schedule.modulo.heuristic import Wanted, modulo_order
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.lines import overlaps as lines_of_overlaps
from asmgen.passes.schedule.modulo.loop_code import in_order, ways_out
from asmgen.passes.schedule.modulo.pipeline import MOST_LOOPS, Why, pipeline_loops
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource, Use, loop_problems, problems_of
from asmgen.passes.schedule.modulo.room import Room
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from isa.instruction import Unit
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc.liveness import Liveness, compute_liveness
from regalloc.verify import verify
from tests.unit.passes.loops import ADD, LOAD, TEXT, as_one_block, kernel, overlaps
from tools.scoreboard.products.shapes import Product


def test_a_loop_that_waits_for_memory_overlaps() -> None:
    found, (loop,), _ = pipeline_loops(kernel(), 64)
    assert loop.label == "body"
    assert loop.after * loop.copies <= loop.before * 3 // 2, "as many trips at once as copies of the kernel"
    assert loop.least <= loop.after < loop.before
    assert len(found.blocks) > len(kernel().blocks)


STAYS = (
    ("it changes EXEC", ADD, ADD + "  s_mov_b64 exec, -1\n", ""),
    ("it loads nothing", LOAD, "  v_add_u32_e32 %x, 1, %at\n#", ""),
    ("the program states the order of its accesses", ', "loop": "trip_k"}', ', "loop": "trip_k"} !phase(1)', ""),
    ("the next trip loads by the result", "%at, %i, 8, v0", "%at, %sum, 8, v0", ""),
    ("a parameter becomes a parameter", "logical loop(%new)", "logical loop(%sum)", ""),
    ("it has a single trip", "0x100", "0x1", ""),
    ("a lane that is done leaves", "s_cbranch_scc0", "s_cbranch_execz", ""),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "old", "new", "registers"), STAYS, ids=[case[0] for case in STAYS])
def test_a_loop_stays_as_it_is_if(reason: str, old: str, new: str, registers: str) -> None:
    assert not overlaps(kernel(old, new, registers)), reason


def test_few_trips_share_the_epilogue_if_most_instructions_have_the_same_stage() -> None:
    assert ways_out([0, 0, 3]) == [3, 2, 1]
    assert ways_out([0, 1, 3]) == [0, 0, 1]


def test_an_order_of_a_shorter_interval_may_fit() -> None:
    """The order of the longest interval is refused."""
    made = kernel()
    made = rotated(made, next(headed_loops(made)))
    (problem,) = loop_problems(made)
    most = 1000
    longest = modulo_order(Wanted(problem, 1, most))
    assert longest is not None
    found = modulo_order(Wanted(problem, 1, most, fits=lambda order: order.interval < most))
    assert found is not None and found.interval < most


def test_a_test_stays_in_the_prologue_if_another_instruction_reads_its_result() -> None:
    choice = "  s_cmp_lt_u32 %i, 0x100\n  s_cselect_b32 %flag, 1, 0\n"
    found, loops, _ = pipeline_loops(kernel("  s_cmp_lt_u32 %i, 0x100\n", choice, "register %flag sgpr\n"), 64)
    names = [instr.row.name for block in found.blocks for instr in block.instructions if instr.row.unit is Unit.SALU]
    assert loops
    assert names.count("s_cselect_b32") == names.count("s_cmp_lt_u32") > 5
    before = {names[at - 1] for at, name in enumerate(names) if name == "s_cselect_b32"}
    assert before == {"s_cmp_lt_u32"}


def test_a_loop_stays_as_it_is_if_its_header_gives_a_value_to_the_body() -> None:
    text = TEXT.replace("s_cmp_lt_u32 %i, 0x100", "s_add_u32 %more, %i, 1\n  s_cmp_lt_u32 %more, 0x100", 1)
    text = text.replace("block entry\n", "register %more sgpr\nblock entry\n", 1)
    assert overlaps(parse_kernel(text, "test.mir"))
    assert not overlaps(parse_kernel(text.replace("%at, %i, 8, v0", "%at, %more, 8, v0", 1), "test.mir"))


def test_a_loop_stays_as_it_is_if_a_wave_would_be_lost() -> None:
    """64 values that are live in the loop leave no room for loaded values beside them within 64 VGPRs."""
    names = [f"%v{number}" for number in range(46)]
    registers = "".join(f"register {name} vgpr\n" for name in names)
    text = "\n".join(f"  v_mov_b32_e32 {name}, {number}" for number, name in enumerate(names))
    stores = "\n".join(f"  global_store_dword v0, {name}, s[4:5]" for name in names)
    made = kernel("  linear loop(0x0)", f"{text}\n  linear loop(0x0)", registers)
    assert overlaps(made)
    crowded = TEXT.replace("  linear loop(0x0)", f"{text}\n  linear loop(0x0)", 1)
    crowded = crowded.replace("block entry\n", registers + "block entry\n", 1)
    crowded = crowded.replace("block done\n", f"block done\n{stores}\n", 1)
    limit = compute_liveness(parse_kernel(crowded, "test.mir")).pressure[RegisterClass.VGPR].units
    assert not overlaps(parse_kernel(crowded, "test.mir"), limit)
    assert overlaps(parse_kernel(crowded, "test.mir"), limit + 16)


def test_a_loop_stays_as_it_is_if_nothing_sets_a_part_of_a_value() -> None:
    """A load of one of four units: no edge may read the others."""
    text = TEXT.replace("%x", "%quad[0]").replace("register %quad[0] vgpr", "register %quad vgpr COUNT", 1)
    assert overlaps(parse_kernel(text.replace("COUNT", "1 align 1"), "test.mir"))
    assert not overlaps(parse_kernel(text.replace("COUNT", "4 align 1"), "test.mir"))


def loops_in_turn(count: int) -> Kernel:
    """The loop of the file so many times in succession."""
    head, loop, end = re.split(r"(?=^block loop|^block done)", TEXT, flags=re.MULTILINE)
    head, *lines = re.split(r"(?=^register|^block)", head, flags=re.MULTILINE)

    def numbered(text: str, number: int) -> str:
        return re.sub(r'%\w+|\b(?:loop|body|done)\b(?!")', lambda name: f"{name[0]}_{number}", text)

    registers = "".join(numbered(line, number) for number in range(count) for line in lines[:-1])
    blocks = numbered(lines[-1] + loop, 0)
    for number in range(1, count):
        blocks += numbered("block done\n", number - 1) + numbered("  linear loop(0x0)\n  logical loop(0x0)\n" + loop, number)
    return parse_kernel(head + registers + blocks + numbered(end, count - 1), "test.mir")


def with_two_loads(groups: int, more: str = "", touches: str = "", registers: str = "") -> Kernel:
    """The loop of the file with 32 bytes a trip and lane, in a launch of so many workgroups."""
    text = TEXT.replace("workgroup 64 1 1\n", f"workgroup 64 1 1\ngroups {groups}\n", 1)
    text = text.replace("register %x vgpr", "register %x vgpr 4 align 2\nregister %y vgpr 4 align 2", 1)
    loads = [f"  global_load_dwordx4 %{name}, %at, s[2:3] offset:{16 * at}{touches}\n" for at, name in enumerate("xy")]
    text = re.sub(r"  global_load_dword .*\n", "".join(loads), text, count=1).replace("block entry\n", registers + "block entry\n", 1)
    return parse_kernel(text.replace(ADD, "  v_add3_u32 %new, %sum, %x[0], %y[0]\n" + more, 1), "test.mir")


@pytest.mark.parametrize(("groups", "gains"), [(0, True), (304, True), (1 << 16, False)])
def test_a_loop_stays_as_it_is_if_the_waves_of_a_unit_hide_its_waits(groups: int, gains: bool) -> None:
    """A unit has 32 waves at once. Their 65,536 bytes a trip take its first cache 1,284 clocks, and a lone
    wave takes some 850 for a trip. Of 304 workgroups it has a single wave."""
    assert overlaps(with_two_loads(groups)) is gains


def test_waves_that_hide_three_quarters_of_a_trip_need_no_search() -> None:
    """The 19 waves of a unit keep its first cache busy for 762 clocks."""
    made = with_two_loads(19 * 304)
    assert not hide_waits(made)
    assert [each.why for each in pipeline_loops(made, 64).left] == [Why.CROWD]


def hide_waits(kernel: Kernel) -> bool:
    code = kernel.block("body").instructions
    return clocks_of_crowd(kernel, code, 16) > most_clocks(kernel.target.target.name, code)


@pytest.mark.parametrize(("sums", "is_busy"), [(20, False), (60, True)])
def test_a_loop_that_keeps_the_vector_alu_busy_needs_no_graph(sums: int, is_busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen waves of a workgroup, four on a SIMD: 60 sums take their vector ALU 960 clocks, and a lone wave some 1,000 for a trip."""
    text = TEXT.replace("workgroup 64 1 1", "workgroup 1024 1 1", 1)
    names = [f"%v{number}" for number in range(sums)]
    more = "".join(f"  v_add_u32_e32 {name}, 1, %x\n" for name in names)
    text = text.replace(ADD, ADD + more, 1).replace("block entry\n", "".join(f"register {name} vgpr\n" for name in names) + "block entry\n", 1)
    made = parse_kernel(text, "test.mir")
    asked = list[Kernel]()
    monkeypatch.setattr(pipeline, "problems_of", lambda kernel, numbers: asked.append(kernel) or problems_of(kernel, numbers))
    _, _, left = pipeline_loops(made, 64)
    assert bool(asked) is not is_busy
    if is_busy:
        assert [each.why for each in left] == [Why.NO_GAIN]


def test_an_interval_has_room_for_an_access_or_for_all_that_fit() -> None:
    assert is_crowded([300, 301], 600) and not is_crowded([300, 300], 600)
    assert not is_crowded([601], 600) and is_crowded([601, 1], 600)


def test_a_loop_that_keeps_the_first_cache_busy_needs_no_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loads of a trip of layernorm keep it busy for 3,852 clocks if all 16 waves of a workgroup load at once. The
    schedule has no second version, in which few lanes take each row."""
    monkeypatch.setattr(pipeline, "problems_of", lambda kernel, numbers: pytest.fail("a graph"))
    kernel, row = CATALOGUE["layernorm"], "row[rows=1, lanes=64, waves=16, teams=1, vector=4, repeat=4]"
    text = kernel.text(kernel.settings([("rows", "?"), ("cols", "?")]))
    _ = asmgen.compile(text, target="gfx942", schedules=(row,))


def test_the_search_with_all_waits_begins_at_the_interval_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[tuple[Wanted, LoopOrder | None]] = []

    def recorded(wanted: Wanted) -> LoopOrder | None:
        searches.append((wanted, modulo_order(wanted)))
        return searches[-1][1]

    monkeypatch.setattr(heuristic, "modulo_order", recorded)
    _ = asmgen.compile(Product("square", 8192, 8192, 8192).text, target="gfx942")
    (first, order), (second, _) = searches
    assert first.problem.edges != second.problem.edges
    assert order is not None and second.least == order.interval > first.least


def test_waves_that_wait_for_each_other_hide_nothing() -> None:
    assert hide_waits(with_two_loads(1 << 16))
    assert not hide_waits(with_two_loads(1 << 16, "  s_barrier\n"))


def test_workgroups_that_wait_at_barriers_share_the_vector_alu() -> None:
    """The eight waves of a SIMD keep its vector ALU busy for eight times the clocks in which a wave issues."""
    names = [f"%v{number}" for number in range(40)]
    sums = "".join(f"  v_add_f64 {name}, %x[0:1], %x[2:3]\n" for name in names) + "  s_barrier\n"
    registers = "".join(f"register {name} vgpr 2 align 2\n" for name in names)
    assert hide_waits(with_two_loads(1 << 16, sums, registers=registers))
    assert not hide_waits(with_two_loads(304, sums, registers=registers))


def test_a_trip_takes_no_fewer_clocks_than_those_of_all_waves() -> None:
    """Twelve waves of a unit keep its first cache busy for longer than overlapping trips of a lone wave take, so
    fewer copies of the kernel suffice."""
    lone, crowd = with_two_loads(304), with_two_loads(12 * 304)
    (_, (alone,), _), (_, (together,), _) = pipeline_loops(lone, 64), pipeline_loops(crowd, 64)
    assert alone.after < clocks_of_crowd(crowd, crowd.block("body").instructions, 16) <= together.after
    assert together.copies < alone.copies


def test_a_loop_with_a_barrier_has_few_copies(capsys: pytest.CaptureFixture[str]) -> None:
    sgemm = Path(__file__).parents[3] / "examples" / "sgemm.mlir"
    assert main(["kernel", str(sgemm), "--target", "gfx1100", "--emit", "asm", "--trace", "order"]) == 0
    assert "stages with 2 copies" in capsys.readouterr().err


def test_lanes_that_share_data_load_it_once() -> None:
    assert not hide_waits(with_two_loads(1 << 16, touches=' !touches {"global": "x", "bytes": ["0", 0, 0, 1, 16]}'))


def test_a_kernel_with_many_loops_stays_as_it_is() -> None:
    """Loops in each other were written out. All their copies would be large, and take a minute to compile."""
    found, loops, _ = pipeline_loops(loops_in_turn(MOST_LOOPS), 64)
    verify(found)
    assert len(loops) == MOST_LOOPS
    assert not overlaps(loops_in_turn(MOST_LOOPS + 1))


def test_loops_overlap_for_which_there_are_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for all of them mostly; if not, each is tried by itself."""
    made, room_for = loops_in_turn(3), 2

    def takes(_: Room, live: Liveness) -> bool:
        kernels = [label for label in live.flow.labels if label.endswith("_kernel")]
        return len(kernels) <= room_for

    monkeypatch.setattr(Room, "takes", takes)
    found, loops, left = pipeline_loops(made, 64)
    verify(found)
    assert len(loops) == room_for
    assert [each.why for each in left] == [Why.NO_GAIN]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (loops_in_turn(MOST_LOOPS + 1), Why.MANY_LOOPS),
        (with_two_loads(1 << 16), Why.CROWD),
        (kernel(ADD, ADD + "  s_mov_b64 exec, -1\n"), Why.STAYS),
        (kernel("logical loop(%new)", "logical loop(%x)"), Why.RUNS_AHEAD),
        (kernel(ADD, ADD + "  v_mfma_f32_4x4x1_16b_f32 %products, %x, %x, 0\n", "register %products vgpr 4 align 2\n"), Why.NARROW),
        (kernel("%at, %i, 8, v0", "%at, %sum, 8, v0"), Why.NO_GAIN),
    ],
    ids=lambda case: case.name if isinstance(case, Why) else "",
)
def test_a_loop_that_stays_says_why(made: Kernel, why: Why) -> None:
    _, loops, left = pipeline_loops(made, 64)
    assert not loops
    assert {each.why for each in left} == {why}
    lines = list(lines_of_overlaps(made, pipeline_loops(made, 64)))
    assert all(line.endswith(f"trips do not overlap: {why.value}") for line in lines) and len(lines) == len(left)


def test_the_trace_says_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "col_sum", "--set", "rows=?", "--emit", "asm", "-o", "-", "--trace", "order"]) == 0
    lines = capsys.readouterr().err
    match = re.search(r"body: (\d+) clocks a trip, (\d+) before, in an order of (\d+) stages with (\d+) copies .* than (\d+)\n", lines)
    assert match is not None, lines
    after, before, stages, copies, least = map(int, match.groups())
    assert least <= after < before
    assert stages >= copies > 1


def test_accesses_of_different_trips_keep_their_order() -> None:
    """The load of a trip is behind the store of the trip before, which writes the bytes that it reads."""
    of_y = '!touches {"global": "y", "bytes": ["256*trip_k", FIRST, LAST, 4, 4], "loop": "trip_k"}'
    store = "  global_store_dword %at, %new, s[2:3] offset:256 " + of_y.replace("FIRST", "256").replace("LAST", "508") + "\n"
    text = TEXT.replace('"x", "bytes"', '"y", "bytes"', 1).replace("argument x", "argument y", 1)
    text = text.replace("access=read_only", "access=read_write", 1).replace(ADD, ADD + store, 1)
    made = parse_kernel(text, "test.mir")
    one_block, shape = as_one_block(made)
    # the address, the load, the sum, the store, the counter, its test, the branch
    order = LoopOrder(1000, [0, 900, 1700, 1704, 4, 8, 996])
    (problem,) = problems_of(one_block, [shape.number])
    assert not list(violations(problem, order))
    overlapping = in_order(one_block, shape, order, 1)
    kernels = [at for at, block in enumerate(overlapping.blocks) if "kernel" in block.label]
    graph = Dependences(overlapping).of_block(kernels[0])
    names = [instr.row.mnemonic for instr in graph.instructions]
    assert names.index("global_store_dword") in graph.before[names.index("global_load_dword")]


def test_a_value_of_the_trip_before_keeps_its_wait_states() -> None:
    """A lane reads a VALU result of other lanes two states later: the third instruction after it, each of four clocks."""
    shift = "  v_mov_b32_dpp %y, %sum row_shr:1 row_mask:0xf bank_mask:0xf\n"
    made, shape = as_one_block(kernel(ADD, shift + ADD, "register %y vgpr\n"))
    (problem,) = problems_of(made, [shape.number])
    names = [instr.row.mnemonic for instr in problem.instructions]
    ends = names.index("v_add_u32_e32"), names.index("v_mov_b32_dpp")
    assert max(edge.clocks for edge in problem.edges if edge[:2] == ends and edge.trips == 1) == 12


def test_accesses_of_memory_are_apart() -> None:
    """The first cache serves one load after the other, for all waves."""
    made = kernel(ADD, "  global_load_dword %y, %at, s[2:3] offset:4\n" + ADD, "register %y vgpr\n")
    one_block, shape = as_one_block(made)
    (problem,) = problems_of(one_block, [shape.number])
    loads = [at for at, instr in enumerate(problem.instructions) if instr.row.mnemonic == "global_load_dword"]
    together = modulo_order(Wanted(problem, 100, 100))
    apart = modulo_order(Wanted(problem, 100, 100, in_memory=dict.fromkeys(loads, 40)))
    assert together is not None
    assert apart is not None
    first, second = [apart.slot(at) for at in loads]
    assert abs(together.slot(loads[0]) - together.slot(loads[1])) < 40 <= abs(first - second) <= 60
    assert modulo_order(Wanted(problem, 100, 100, in_memory=dict.fromkeys(loads, 51))) is None


STORES, LOADS = "ds_write_b32 v0, %x", "ds_read_b32 %y, v0"


@pytest.mark.parametrize(("access", "is_alone", "clocks"), [(STORES, True, 52), (STORES, False, 4), (LOADS, True, 52), (LOADS, False, 52)])
def test_a_barrier_waits_for_accesses_of_lds(access: str, is_alone: bool, clocks: int) -> None:
    """If the workgroup does not have a unit alone, another works during the wait for stores."""
    accesses = f'  {access} !touches {{"lds": "tile"}}\n  s_barrier\n'
    text = TEXT.replace("block entry\n", "register %y vgpr\nblock entry\n", 1)
    made = parse_kernel(text.replace(ADD, accesses + ADD, 1), "test.mir")
    one_block, shape = as_one_block(made)
    (problem,) = problems_of(one_block, [shape.number])
    names = [instr.row.mnemonic for instr in problem.instructions]
    ends = names.index(access.split()[0]), names.index("s_barrier")
    (found,) = [edge.clocks for edge in awaited_edges(problem, one_block, is_alone) if edge[:2] == ends and not edge.trips]
    assert found == clocks


def test_a_wave_that_has_a_unit_alone_waits() -> None:
    """For the way of its store to LDS, which itself waits for a load, for the other waves' loads from LDS, and for branches."""
    accesses = f'  {STORES} !touches {{"lds": "tile"}}\n  s_barrier\n  {LOADS} !touches {{"lds": "tile"}}\n'
    text = TEXT.replace("block entry\n", "register %y vgpr\nblock entry\n", 1)
    made = parse_kernel(text.replace(ADD, accesses + ADD.replace("%x", "%y"), 1), "test.mir")
    one_block, shape = as_one_block(made)
    (problem,) = problems_of(one_block, [shape.number])
    names = [instr.row.mnemonic for instr in problem.instructions]
    waiting = kept_waiting(problem, one_block)
    held = [use.halves // 2 for uses in waiting.uses for use in uses if use.resource is Resource.ISSUE]
    ends = names.index("ds_read_b32"), names.index("v_add_u32_e32")
    (value,) = [edge.clocks for edge in waiting.edges if edge[:2] == ends and not edge.trips]
    assert (held[names.index("ds_write_b32")], value, held[names.index("s_barrier")], held[-1]) == (10, 54, 20, 20)


def issues(problem: LoopProblem) -> list[int]:
    return [use.halves for uses in problem.uses for use in uses if use.resource is Resource.ISSUE]


@pytest.mark.parametrize(("reader", "waits"), [("v_mfma_f32_4x4x1_16b_f32 %products, %x, %x, 0", False), ("v_mov_b32_e32 %y, %x", True)])
def test_a_matrix_instruction_waits_for_its_load_beside_the_pipe(reader: str, waits: bool) -> None:
    made, shape = as_one_block(kernel(ADD, f"  {reader}\n" + ADD, "register %products vgpr 4 align 2\nregister %y vgpr\n"))
    (problem,) = problems_of(made, [shape.number])
    number = [instr.row.mnemonic for instr in problem.instructions].index(reader.split()[0])
    assert (issues(kept_waiting(problem, made))[number] > issues(problem)[number]) is waits


PRODUCT = """stage gridwise gfx942
program @product {
  a = parameter -> f16, {128,1024}
  b = parameter -> f16, {128,1024}
  c = result -> f16, {128,128}
  launch @product(a, b) -> (c) grid(1, 1) by contract[m=128, n=128, k=64, waves=4, buffers=1, by=v_mfma_f32_16x16x16_f16] {
    a = @param:a -> f16, {128,1024}
    b = @param:b -> f16, {128,1024}
    t = transpose[permutation={1,0}](b) -> f16, {1024,128}, {1,1024}
    c = dot(a, t) -> f16, {128,128}
    @return(c)
  }
}
"""


GRAPH = """a = @param:a -> f16, {128,1024}
b = @param:b -> f16, {128,1024}
t = transpose[permutation={1,0}](b)
c = dot(a, t)
@return(c)
"""


def test_a_register_is_written_anew_after_lds_has_taken_its_readers() -> None:
    """Of eight waves, two of each SIMD: four issue together, and an access takes eight clocks."""
    sharers = dict.fromkeys(Resource, 2) | {Resource.LDS: 8}
    problem = LoopProblem("loop", [], [], [[Use(Resource.LDS, 16)], [Use(Resource.VECTOR, 8)]], sharers)
    assert [edge.clocks for edge in taken_edges(problem, [DependenceEdge(0, 1, 1, 1), DependenceEdge(1, 0, 1, 1)])] == [32, 1]


@pytest.mark.broad
def test_a_product_overlaps_if_it_then_keeps_the_matrix_pipe_busy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trips that read into the only buffer of LDS, after a barrier, begin beside the matrix instructions of the trip before."""
    (tmp_path / "launches.gen").write_text(PRODUCT, encoding="utf-8")
    (tmp_path / "product.gen").write_text(GRAPH, encoding="utf-8")
    arguments = [str(tmp_path / "launches.gen"), "--against", str(tmp_path / "product.gen"), "--verify", "--trace", "order"]
    assert main(["kernel", *arguments]) == 0
    printed = capsys.readouterr()
    assert "verified" in printed.out
    assert re.search(r"loop: \d+ clocks a trip, \d+ before, in an order of [23] stages with 1 copies", printed.err), printed.err


def test_trips_do_not_overlap_if_values_would_be_spilled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order keeps no more VGPRs live than there are, but tuples leave gaps."""
    source = tmp_path / "odd.gen"
    _ = source.write_text(Product("odd", 64, 16, 1003, "f16", True).text)
    schedule = "contract[m=64, n=16, k=64, waves=1, buffers=1, by=v_wmma_f32_16x16x16_f16]"
    options = ["--target", "gfx1100", "--schedule", schedule, "--emit", "asm", "--trace", "order", "-o", "-"]
    assert main(["kernel", str(source), *options]) == 0
    printed = capsys.readouterr()
    assert "in an order of 2 stages" in printed.err
    assert "trips do not overlap: registers do not suffice for their order" in printed.err
    assert ".vgpr_spill_count: 0" in printed.out


COLUMNS = """stage gridwise gfx942
program @product {
  a = parameter -> f16, {128,4096}
  b = parameter -> f16, {4096,128}
  c = result -> f16, {128,128}
  launch @product(a, b) -> (c) grid(1, 1) by contract[m=128, n=128, k=64, waves=4, buffers=1, by=v_mfma_f32_32x32x8_f16, stages=1] {
    a = @param:a -> f16, {128,4096}
    b = @param:b -> f16, {4096,128}
    c = dot(a, b) -> f16, {128,128}
    @return(c)
  }
}
"""


@pytest.mark.broad
@pytest.mark.parametrize(("text", "waits"), [(COLUMNS, True), (PRODUCT, False)], ids=["columns", "rows"])
def test_a_product_waits_more_if_units_have_one_workgroup_each(text: str, waits: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LDS has room for another workgroup, but there is none. If no order hides its waits, an order without them is better
    than none."""
    (tmp_path / "launches.gen").write_text(text, encoding="utf-8")
    assert main(["kernel", str(tmp_path / "launches.gen"), "--emit", "machine"]) == 0
    machine = capsys.readouterr().out
    assert machine.count("\ngroups 1\n") == 1
    read = [parse_kernel(machine.replace("groups 1", f"groups {groups}", 1), "test.mir") for groups in (304, 305)]
    (alone,), (beside,) = [pipeline_loops(move_invariants(combine(each), 512), 512).loops for each in read]
    assert (alone.before > beside.before) is waits
    assert (alone.after > beside.after) is waits


def test_trips_that_take_turns_take_their_mean_rounded_up() -> None:
    """Each of six instructions issues for 4 clocks. A trip also waits for 51 clocks after the trip before the last."""
    made, shape = as_one_block(kernel())
    (problem,) = problems_of(made, [shape.number])
    order = LoopOrder(24, [4 * number for number in range(6)])
    waiting = problem._replace(edges=[DependenceEdge(0, 0, 51, 2)])
    assert [clocks_of_order(each, order) for each in (problem._replace(edges=[]), waiting)] == [24, 26]
