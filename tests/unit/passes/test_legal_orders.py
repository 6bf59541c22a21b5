"""The rules that orders break: by hand, by brute force, and by the walk that measures the pressure of blocks."""

from __future__ import annotations

import random

import pytest

import asmgen
from asmgen.kernels.catalogue import build_kernel
from asmgen.passes.schedule.modulo import LoopOrder, LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.legal import Rule, violations
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import LoopValue, Reader, life, loop_values, registers
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, RegisterClass
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_least_interval import LOOP, loop

CODE = "ds_read_b64 %w, %old | v_add_u32_e32 %y, 1, %w[0] | v_add_u32_e32 %x, %w[1], %y"


def machine_text(code: str) -> str:
    """A loop with a pair of registers `%w`, and a register `%k` from before the loop."""
    text = LOOP.replace("register %i sgpr", "register %w vgpr 2 align 2\nregister %k vgpr\nregister %i sgpr")
    text = text.replace("block entry\n", "block entry\n  v_mov_b32_e32 %k, 1\n")
    lines = "\n".join(f"  {line}" for line in code.split(" | "))
    return text.replace("CODE", lines).replace("THREADS", "64")


def kernel(code: str) -> Kernel:
    return parse_kernel(machine_text(code), "test.mir")


def serial(problem: LoopProblem) -> LoopOrder:
    """Trips in order, and instructions in order: legal at once."""
    clocks = 1000
    return LoopOrder(clocks * len(problem.instructions), [clocks * n for n in range(len(problem.instructions))])


def broken(problem: LoopProblem, order: LoopOrder) -> list[tuple[Rule, int]]:
    return [(each.rule, each.number) for each in violations(problem, order)]


def test_one_instruction_after_the_other_is_legal() -> None:
    (problem,) = loop_problems(kernel(CODE))
    assert not broken(problem, serial(problem))


def test_each_rule_is_told() -> None:
    """gfx942: LDS answers after 52 clocks, a vector instruction after 4, and an instruction issues for 4 clocks."""
    (problem,) = loop_problems(kernel(CODE))
    chain = LoopOrder(60, [0, 52, 56, 4, 8, 12])
    assert not broken(problem, chain)
    late = [edge for edge in problem.edges if edge[:2] == (0, 1)]
    assert broken(problem, chain._replace(start=[0, 51, 56, 4, 8, 12])) == [(Rule.EDGE, problem.edges.index(edge)) for edge in late]
    carried = broken(problem, chain._replace(interval=59))
    assert {problem.edges[number][:2] for rule, number in carried if rule is Rule.EDGE} == {(2, 0)}
    assert broken(problem, chain._replace(start=[0, 52, 56, 4, 8, 51])) == [(Rule.RESOURCE, 52)]
    assert broken(problem, LoopOrder(64, [0, 52, 56, 4, 8, 62])) == [(Rule.RESOURCE, 0)]
    assert broken(problem, chain._replace(start=[0, 52, 56, 4, 8, -1])) == [(Rule.SHAPE, 5)]
    assert broken(problem, chain._replace(start=[0, 52, 56, 4, 8])) == [(Rule.SHAPE, 0)]
    assert broken(problem, LoopOrder(0, chain.start)) == [(Rule.SHAPE, 0)]
    (told,) = violations(problem, chain._replace(start=[0, 51, 56, 4, 8, 12]))
    assert told.message == "instruction 1 issues 51 clocks after instruction 0, wanted at least 52"


def test_the_branch_reads_its_flag_before_the_next_trip_writes_it() -> None:
    """s_cmp_lt_u32 is instruction 4, the branch 5. s_add_u32, number 3, writes SCC too, which has no
    reader."""
    (problem,) = loop_problems(kernel(CODE))
    assert {edge for edge in problem.edges if 5 in edge[:2]} == {(4, 5, 4, 0), (5, 3, 1, 1), (5, 4, 1, 1)}


def test_a_shared_resource_serves_every_wave() -> None:
    """A workgroup of 16 waves reads LDS for 16 times as long as a wave, which keeps its own reads apart."""
    (problem,) = loop_problems(loop("ds_read_b32 %x, v0 | ds_read_b32 %y, v0", 1024))
    (halves,) = {use.halves for uses in problem.uses for use in uses if use.resource is Resource.LDS}
    each, start = halves // 2, [0, 4, 8, 12, 16]
    assert not broken(problem, LoopOrder(32 * each, start))
    (told,) = violations(problem, LoopOrder(32 * each - 1, start))
    assert (told.rule, told.number) == (Rule.BUSY, 32 * each)
    assert told.message == f"16 waves keep LDS busy for {32 * each} clocks a trip, wanted at most the interval of {32 * each - 1}"
    assert (Rule.RESOURCE, 2) in broken(problem, LoopOrder(32 * each, [0, 2, 8, 12, 16]))


def test_two_halves_share_a_clock() -> None:
    (problem,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    uses = [[Use(Resource.ISSUE, halves)] for halves in (1, 1, 3, 0)]
    halves = LoopProblem("loop", problem.instructions, [], uses, problem.sharers)
    assert not broken(halves, LoopOrder(3, [0, 0, 1, 0]))
    assert not broken(halves, LoopOrder(3, [0, 2, 1, 0]))
    assert broken(halves, LoopOrder(3, [0, 0, 0, 0])) == [(Rule.RESOURCE, 0)]


def test_the_values_of_a_loop() -> None:
    """`%i` is `%next` of the trip before, `%old` is `%x` of it, and `%k` comes from before the loop."""
    made = kernel(f"{CODE} | v_add_u32_e32 %z, 1, %k")
    values = loop_values(made, "loop", compute_liveness(made))
    assert {value.name: value[1:] for value in values} == {
        "%k": (RegisterClass.VGPR, 1, None, ()),
        "%w[0]": (RegisterClass.VGPR, 1, 0, (Reader(1, 0),)),
        "%w[1]": (RegisterClass.VGPR, 1, 0, (Reader(2, 0),)),
        "%y": (RegisterClass.VGPR, 1, 1, (Reader(2, 0),)),
        "%x": (RegisterClass.VGPR, 1, 2, (Reader(0, 1),)),
        "%z": (RegisterClass.VGPR, 1, 3, ()),
        "%next": (RegisterClass.SGPR, 1, 4, (Reader(4, 1), Reader(5, 0))),
    }


def test_a_value_that_is_read_after_the_loop_lives_to_its_end() -> None:
    made = parse_kernel(machine_text(CODE).replace("block done", "block done\n  v_mov_b32_e32 %z, %y"), "test.mir")
    readers = {value.name: value.readers for value in loop_values(made, "loop", compute_liveness(made))}
    assert readers["%y"] == (Reader(2, 0), Reader(5, 0))


def by_counting(values: list[LoopValue], order: LoopOrder) -> dict[RegisterClass, int]:
    """The registers at each clock of a late trip, clock by clock."""
    most: dict[RegisterClass, int] = {}
    late = order.interval * 40
    for clock in range(late, late + order.interval):
        live: dict[RegisterClass, int] = {}
        for value in values:
            begin, end = life(value, order)
            count = sum(begin + trip * order.interval <= clock < end + trip * order.interval for trip in range(60))
            count = 1 if value.maker is None else count
            live[value.register_class] = live.get(value.register_class, 0) + count * value.units
        for file, count in live.items():
            most[file] = max(most.get(file, 0), count)
    return most


@pytest.mark.parametrize("seed", range(30))
def test_registers_are_those_of_the_fullest_clock(seed: int) -> None:
    draw = random.Random(seed)
    count, files = draw.randint(1, 6), [RegisterClass.VGPR, RegisterClass.SGPR]
    order = LoopOrder(draw.randint(1, 9), [draw.randint(0, 30) for _ in range(count)])
    values = [
        LoopValue("x", draw.choice(files), draw.randint(1, 4), draw.choice([None, *range(count)]),
                  tuple(Reader(draw.randrange(count), draw.randint(0, 3)) for _ in range(draw.randint(0, 3))))
        for _ in range(draw.randint(1, 6))
    ]  # fmt: skip
    assert registers(values, order) == by_counting(values, order)


def test_more_registers_than_there_are_break_a_rule() -> None:
    made = kernel(CODE)
    (problem,) = loop_problems(made)
    values, order = loop_values(made, "loop", compute_liveness(made)), LoopOrder(60, [0, 52, 56, 4, 8, 12])
    taken = registers(values, order)
    assert not list(violations(problem, order, values, taken))
    fewer = {**taken, RegisterClass.VGPR: taken[RegisterClass.VGPR] - 1}
    (told,) = violations(problem, order, values, fewer)
    assert (told.rule, told.number) == (Rule.REGISTERS, taken[RegisterClass.VGPR])


TILES = {
    "gfx942": "contract[m=32, n=32, k=128, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16]",
    "gfx1100": "contract[m=64, n=32, k=64, waves=4, buffers=1, by=v_wmma_f32_16x16x16_f16]",
}


@pytest.mark.parametrize("target", TILES)
def test_the_registers_of_one_trip_after_the_other_are_those_of_the_block(target: str) -> None:
    """A product of matrices: the values live at once in the order of the block are those that liveness counts."""
    settings = [("m", "512"), ("n", "512"), ("k", "512"), ("dtype", "f16")]
    compiled = asmgen.compile(build_kernel("gemm", settings), target=target, schedule=False, schedules=(TILES[target],))
    made = compiled.compilation.stages.allocations[0].kernel
    liveness = compute_liveness(made)
    (problem,) = loop_problems(made)
    pressure = liveness.block_pressure(liveness.flow.index[problem.label])[RegisterClass.VGPR]
    physical = [unit for unit in liveness.live_at(problem.label, pressure.index) if FIRST_VGPR <= unit < FIRST_VIRTUAL]
    count = len(problem.instructions)
    order = LoopOrder(count, list(range(count)))
    taken = registers(loop_values(made, problem.label, liveness), order)
    assert taken[RegisterClass.VGPR] == pressure.units - len(physical)
