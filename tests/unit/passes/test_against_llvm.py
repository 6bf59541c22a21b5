"""Waits and remedies of random programs: complete in one go, and LLVM misses the removed waits.

tests/property/test_hazard_fuzz.py tests that LLVM misses nothing in them.
"""

from __future__ import annotations

from random import Random

import pytest

from isa.instruction import Trait
from isa.program import Kernel
from isa.targets import parse_target
from tests.fuzzers import fuzzer_of, grouped
from tests.rows import MACHINES
from tools.fuzz.programs import judged_lines, machine_program
from tools.fuzz.running import finish
from tools.judge import WEAKER

pytestmark = pytest.mark.broad

TAKEN_OUT = frozenset({Trait.NOP, Trait.WAIT, Trait.WAIT_ALU})


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("machine", grouped(MACHINES))
def test_the_passes_find_nothing_to_do_on_their_own_output(machine: str) -> None:
    pool = fuzzer_of(machine).pool
    for number in range(16):
        once = finish(machine_program(pool.program(Random(number)), pool.target))
        assert [line.text for line in judged_lines(finish(once))[0]] == [line.text for line in judged_lines(once)[0]]


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("machine", grouped(["gfx942", "gfx1201"]))
def test_what_is_taken_out_is_missed(machine: str) -> None:
    """The judge is no rubber stamp: what our passes put in, LLVM wants."""
    target = parse_target(machine)
    fuzzer = fuzzer_of(machine)
    whole = [finish(machine_program(fuzzer.pool.program(Random(number)), target)) for number in range(40)]
    damaged = [less for kernel in whole if (less := _without_waits(kernel)) is not None]
    judgements = fuzzer.judge.judge_weaker([judged_lines(kernel)[0] for kernel in damaged])
    assert sum(bool(judgement.of_kind(WEAKER)) for judgement in judgements) > len(damaged) * 8 // 10


def _without_waits(kernel: Kernel) -> Kernel | None:
    """The kernel without its waits and NOPs; None if it has none."""
    blocks = [block.with_instructions([instr for instr in block.instructions if not TAKEN_OUT & instr.row.traits]) for block in kernel.blocks]
    fewer = sum(len(block.instructions) for block in blocks) < sum(len(block.instructions) for block in kernel.blocks)
    return kernel.with_blocks(blocks) if fewer else None
