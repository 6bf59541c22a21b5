"""Every pass leaves a program that computes the same: random machine programs on the emulator, before and after each."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.passes.block_order import arrange
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.peephole.peephole import peephole
from asmgen.passes.waits.fill import fill
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from isa.emulator.runner import run_kernel
from isa.instruction import Trait
from isa.mir.printer import print_kernel
from isa.program import Kernel
from regalloc import allocate_and_rewrite
from regalloc.verify import verify
from tests.property.machine_programs import describe, machine_program

SEEDS = range(500, 512)
MORE_SEEDS = range(5000, 5400)
INPUT = np.random.default_rng(8).integers(0, 1 << 32, 64, dtype=np.uint32)


def outcome(kernel: Kernel, sanitize: bool = False) -> list[int]:
    """The stores of a program."""
    return run_kernel(kernel, (1, 1, 1), [INPUT.copy(), np.zeros(64, np.uint32)], sanitize=sanitize)[1].tolist()


def bare(kernel: Kernel) -> Kernel:
    """The program without the waits its generator wrote."""
    for block in kernel.blocks:
        block.instructions = [instr for instr in block.instructions if Trait.WAIT not in instr.row.traits]
    return kernel


def size(kernel: Kernel) -> int:
    return sum(len(block.instructions) + (block.terminator is not None) for block in kernel.blocks)


def holds(seed: int) -> tuple[int, int]:
    """Instructions before and after combine, once every pass has been seen to keep the outcome."""
    kernel, mix = machine_program(seed)
    wanted = outcome(kernel)
    combined = combine(kernel)
    verify(combined)
    assert outcome(combined) == wanted, describe(seed, mix)
    assert size(combined) <= size(kernel), describe(seed, mix)
    moved = move_invariants(combined)
    verify(moved)
    assert outcome(moved) == wanted, f"invariants, {describe(seed, mix)}"
    allocated, _ = allocate_and_rewrite(moved)
    for run in (arrange, peephole, fill):
        allocated = run(allocated)
        assert outcome(allocated) == wanted, f"{run.__name__}, {describe(seed, mix)}"
    finished = insert_nops(insert_waits(bare(allocated)))
    assert outcome(finished, sanitize=True) == wanted, describe(seed, mix)
    assert print_kernel(insert_nops(insert_waits(peephole(arrange(finished))))) == print_kernel(finished), f"idempotence, {describe(seed, mix)}"
    return size(kernel), size(combined)


def test_random_programs_keep_their_outcome() -> None:
    sizes = [holds(seed) for seed in SEEDS]
    assert sum(after for _, after in sizes) < sum(before for before, _ in sizes)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(MORE_SEEDS.start, MORE_SEEDS.stop, 100))
def test_many_random_programs_keep_their_outcome(start: int) -> None:
    for seed in range(start, start + 100):
        holds(seed)


def test_combining_twice_finds_little() -> None:
    """Combine stops when nothing is left to gain; four rounds are enough for these programs."""
    for seed in SEEDS:
        once = combine(machine_program(seed)[0])
        assert print_kernel(combine(once)) == print_kernel(once), seed
