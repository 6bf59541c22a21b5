"""Random programs with webs of either file: the checks accept every choice, and the program's stores stay the
same."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from asmgen.passes.scratch import prepare_scratch
from isa.diagnostics import InputError
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VIRTUAL, RegisterClass
from regalloc import build_pools, check, rewrite
from regalloc.allocation import CROSSING
from regalloc.cfg import build_control_flow
from regalloc.checker.spills import check_spills
from regalloc.files.choose import choose_files
from regalloc.spill.allocate import allocate_with_spills
from regalloc.spill.least import least_budget
from regalloc.verify import verify
from tests.property.file_programs import file_program
from tests.property.machine_programs import describe
from tests.property.outcomes import outcome


def looped_copies(kernel: Kernel) -> int:
    """The copies between the files in loops."""
    depths = build_control_flow(kernel).logical.depths
    return sum(instr.origin == CROSSING for block, depth in zip(kernel.blocks, depths, strict=True) if depth for instr in block.instructions)


def chosen(seed: int) -> Counter[str]:
    """Choose files in a random budget, allocate, and compare. The values in AGPRs, and those that were
    spilled or copied."""
    kernel, mix = file_program(seed)
    verify(kernel)
    draw = random.Random(seed)
    in_vgprs = choose_files(kernel, build_pools(kernel, frozenset(), None))
    vgprs = max(int(2 ** draw.uniform(3, 7)), least_budget(in_vgprs, RegisterClass.VGPR) + 1)
    agprs = draw.choice((0, draw.randrange(32), 64, 256))
    reserved = frozenset(range(FIRST_AGPR + agprs, FIRST_VIRTUAL))
    kernel = prepare_scratch(kernel)
    filed = choose_files(kernel, build_pools(kernel, reserved, vgprs), is_crowded=draw.random() < 0.5)
    verify(filed)
    assert looped_copies(filed) == 0
    try:
        spilled, allocation, values = allocate_with_spills(filed, reserved, vgprs)
    except InputError as refused:  # values of lanes that are off may not be spilled
        assert refused.code == "RA002"
        return Counter({"refused": 1})
    verify(spilled)
    check_spills(filed, spilled)
    rewritten = rewrite(spilled, allocation)
    check(spilled, allocation, rewritten)
    taken = allocation.statistics
    assert taken.vgprs <= vgprs and taken.agprs <= agprs
    assert outcome(rewritten) == outcome(kernel), f"{describe(seed, mix)} in {vgprs}, {agprs}\n{print_kernel(kernel)}"
    in_agprs = sum(owner.register_class is RegisterClass.AGPR for owner in {owner.first: owner for owner in filed.owners}.values())
    copies = sum(instr.origin == CROSSING for instr in filed.instructions())
    return Counter({"in AGPRs": min(in_agprs, 1), "copied": min(copies, 1), "spilled": min(len(values), 1)})


def test_programs_with_webs_of_either_file() -> None:
    counts = sum(map(chosen, range(24)), Counter[str]())
    assert counts["in AGPRs"] > 5 and counts["copied"] and counts["spilled"] > 1, counts


def test_cycles_of_copies_in_all_lanes_need_no_free_register() -> None:
    """Loops rotate the results of matrix instructions while some lanes are off, and every register is in use."""
    assert chosen(1009)["spilled"] and chosen(1004)["spilled"]


def test_cycles_of_copies_in_all_lanes_take_any_register_that_no_lane_reads() -> None:
    """Loops exchange the results of matrix instructions in AGPRs, and every AGPR is in use elsewhere."""
    assert chosen(4852)["in AGPRs"] and chosen(7957)["in AGPRs"]


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 11000, 200))
def test_many_programs_with_webs_of_either_file(start: int) -> None:
    counts = sum(map(chosen, range(start, start + 200)), Counter[str]())
    assert counts["in AGPRs"] > 20 and counts["copied"], counts
