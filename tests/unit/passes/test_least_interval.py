"""The least interval of loops of one block: by hand, by all paths of random graphs, and by a product of matrices."""

from __future__ import annotations

import random
import re

import pytest

from asmgen.cli.main import main
from asmgen.passes.schedule.modulo import DependenceEdge, LoopProblem, Resource, least_interval, loop_problems
from asmgen.passes.schedule.modulo.lines import intervals
from isa.mir.parser import parse_kernel
from isa.program import Kernel

SIZE = [word for name in "mnk" for word in ("--set", f"{name}=4096")]
LOOP = """stage machine gfx942
kernel test
workgroup THREADS 1 1
entry workitem_id v0
register %i sgpr
register %next sgpr
register %old vgpr
register %older vgpr
register %x vgpr
register %y vgpr
register %z vgpr
block entry
  linear loop(0x0)
  logical loop(v0, v0)
block loop scalar(%i) vector(%old, %older)
CODE
  s_add_u32 %next, %i, 1
  s_cmp_lt_u32 %next, 8
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear loop(%next)
  logical loop(%x, %old)
block done
  terminator s_endpgm
"""


def loop(code: str, threads: int = 64) -> Kernel:
    text = LOOP.replace("CODE", "\n".join(f"  {line}" for line in code.split(" | ")))
    return parse_kernel(text.replace("THREADS", str(threads)), "test.mir")


THREE_SUMS = "v_add_u32_e32 %x, 1, %old | v_add_u32_e32 %y, 1, %old | v_add_u32_e32 %z, 1, %old"
# (reason, code, threads, clocks, the resource that binds, or None and the instructions of the circuit)
# gfx942: an instruction issues for 4 clocks, and LDS answers after 52. The counter and the branch take 12.
CASES: tuple[tuple[str, str, int, int, Resource | None, list[int]], ...] = (
    ("issue", "v_add_u32_e32 %x, 1, %old", 64, 16, Resource.ISSUE, []),
    ("a chain through one trip", "ds_read_b32 %x, %old", 64, 52, None, [0]),
    ("a chain through two trips", "ds_read_b32 %x, %older", 64, 26, None, [0]),
    ("no chain", "ds_read_b32 %x, v0", 64, 16, Resource.ISSUE, []),
    ("a chain of two", "ds_read_b32 %y, %old | v_add_u32_e32 %x, 1, %y", 64, 56, None, [0, 1]),
    ("two chains, the longer", "ds_read_b32 %y, %old | ds_read_b32 %x, %y | v_add_u32_e32 %z, 1, %old", 64, 104, None, [0, 1]),
    ("LDS, which 16 waves share", "ds_read_b32 %x, v0 | ds_read_b32 %y, v0", 1024, 64, Resource.LDS, []),
    ("the vector ALU, which 4 waves share", THREE_SUMS, 1024, 48, Resource.VECTOR, []),
    ("a transcendental instruction, which takes 16 clocks", "v_rcp_f32_e32 %x, v0", 1024, 64, Resource.VECTOR, []),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "code", "threads", "clocks", "resource", "circuit"), CASES, ids=[case[0] for case in CASES])
def test_a_resource_or_a_circuit_binds(reason: str, code: str, threads: int, clocks: int, resource: Resource | None, circuit: list[int]) -> None:
    (problem,) = loop_problems(loop(code, threads))
    bound = least_interval(problem)
    assert (bound.interval, bound.resource) == (clocks, resource), reason
    assert sorted(edge.earlier for edge in bound.circuit) == circuit, reason


def needs_more(count: int, edges: list[DependenceEdge], interval: int) -> bool:
    """Whether a circuit needs a longer interval, by the longest paths between all pairs (Floyd and Warshall)."""
    far = [[float("-inf")] * count for _ in range(count)]
    for edge in edges:
        far[edge.earlier][edge.later] = max(far[edge.earlier][edge.later], edge.clocks - interval * edge.trips)
    for by in range(count):
        for a in range(count):
            for b in range(count):
                far[a][b] = max(far[a][b], far[a][by] + far[by][b])
    return any(far[number][number] > 0 for number in range(count))


@pytest.mark.parametrize("seed", range(40))
def test_the_interval_of_random_graphs_is_the_least_by_all_paths(seed: int) -> None:
    draw = random.Random(seed)
    count, edges = draw.randint(1, 9), list[DependenceEdge]()
    for _ in range(draw.randint(0, 24)):
        earlier, later = draw.randrange(count), draw.randrange(count)
        trips = draw.randint(0, 2) if earlier < later else draw.randint(1, 3)
        edges.append(DependenceEdge(earlier, later, draw.randint(0, 60), trips))
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    code = [sample.instructions[0]] * count
    bound = least_interval(LoopProblem("loop", code, edges, [()] * count, sample.sharers))
    assert not needs_more(count, edges, bound.interval)
    assert bound.interval == 0 or needs_more(count, edges, bound.interval - 1)
    for edge, following in zip(bound.circuit, [*bound.circuit[1:], *bound.circuit[:1]], strict=True):
        assert edge.later == following.earlier
    trips = sum(edge.trips for edge in bound.circuit)
    assert trips == 0 or bound.interval == -(-sum(edge.clocks for edge in bound.circuit) // trips)


@pytest.mark.parametrize(("target", "simd", "lds"), [("gfx942", 4, 16), ("gfx1100", 8, 16)])
def test_each_compute_unit_serves_its_own_waves(target: str, simd: int, lds: int) -> None:
    """gfx1100 runs the 32 waves of 1,024 work-items on two compute units, each with its own way to LDS."""
    text = LOOP.replace("CODE", "  v_mov_b32_e32 %x, %old").replace("gfx942", target).replace("THREADS", "1024")
    (problem,) = loop_problems(parse_kernel(text, "test.mir"))
    shared = [problem.sharers[each] for each in (Resource.ISSUE, Resource.VECTOR, Resource.MATRIX, Resource.LDS)]
    assert shared == [1, simd, simd, lds]


def test_two_vector_instructions_may_issue_as_a_dual_instruction() -> None:
    """A product of f32 on gfx1100 issues fewer instructions than it has before allocation: v_fma_f32 becomes v_dual_fmac_f32."""
    text = LOOP.replace("CODE", "\n".join(f"  v_fma_f32 %{name}, %old, %old, %old" for name in "xyz"))
    (problem,) = loop_problems(parse_kernel(text.replace("gfx942", "gfx1100").replace("THREADS", "32"), "test.mir"))
    issued = [use.halves for uses in problem.uses for use in uses if use.resource is Resource.ISSUE]
    assert issued == [1, 1, 1, 2, 2, 2]


def test_a_line_names_the_resource_or_the_chain() -> None:
    (line,) = intervals(loop("ds_read_b32 %x, %older"))
    head, reason = line.split(" a trip: ")
    assert head == "test: loop: no order of its 4 instructions takes fewer than 26 clocks"
    assert reason == "a chain of 52 clocks returns to its start after 2 trips: ds_read_b32 %x, %older (52 clocks)"
    (line,) = intervals(loop("ds_read_b32 %y, %old | ds_read_b32 %x, %y"))
    assert line.endswith("a chain of 104 clocks returns to its start after a trip: 2 ds_read_b32 (52 clocks each)")
    (line,) = intervals(loop("ds_read_b32 %x, v0 | ds_read_b32 %y, v0", 1024))
    assert line.endswith("LDS is busy in all of them with a trip of the 16 waves of a workgroup that share it")


def test_the_matrix_pipe_binds_a_product_of_matrices(capfd: pytest.CaptureFixture[str]) -> None:
    """A trip has 16 products of 32 clocks on gfx942. `asmgen profile` counts as many for the matrix cores alone."""
    tile = "contract[m=128, n=128, k=32, waves=4, buffers=2, by=v_mfma_f32_32x32x8_f16, stages=2]"
    choice = ["--set", "dtype=f16", "--schedule", tile]
    assert main(["kernel", "gemm", *SIZE, *choice, "--emit", "asm", "--trace", "order"]) == 0
    told = capfd.readouterr().err
    assert re.search(r"fewer than 512 clocks a trip: the matrix pipe is busy in all of them", told), told
