"""Pipes that waves share: in a loop of products, LDS and copies have their turns among matrix instructions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import asmgen
from asmgen.compilation import Stages
from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.pipes import COPY_PIPE, LDS_PIPE, alu_pipes, loads_that_wait, shared_pipes
from isa.instruction import Instr, Trait, Unit
from isa.program import Kernel
from isa.timing.row_clocks import MATRIX_PIPE

FOUR_WAVES = "m=256, n=256, k=32, waves=4, buffers=2, by=v_mfma_f32_32x32x8_f16, stages=2, slices=2"


def loop_by(choice: str, target: str) -> tuple[Kernel, list[Instr]]:
    """The kernel of a product of f16 by a tile, and the block of its loop: the first that multiplies."""
    shape, schedule = "f16, {1024,1024}", f"contract[{choice}]"
    text = f"a = @param:a -> {shape}\nb = @param:b -> {shape}\no = dot(a, b) -> {shape}\n@return(o)\n"
    (kernel,) = asmgen.compile(text, target=target, schedules=(schedule,)).compilation.stages.allocated
    return kernel, next(list(block.code) for block in kernel.blocks if any(map(_multiplies, block.code)))


def _multiplies(instr: Instr) -> bool:
    return instr.row.unit is Unit.MATRIX


def _reads_lds(instr: Instr) -> bool:
    return instr.row.unit is Unit.LDS and Trait.LOAD in instr.row.traits


def test_products_run_while_lds_is_busy() -> None:
    """LDS takes as long as the products of a 128x128x64 tile: four waves read 16 KB each, at 256 bytes a clock, and
    store 32 KB at 128."""
    kernel, code = loop_by("m=128, n=128, k=64, waves=4, buffers=2, by=v_mfma_f32_16x16x32_f16", "gfx950")
    pipes = shared_pipes(kernel, code)
    assert pipes.binding == MATRIX_PIPE
    busy = {which: sum(clocks for pipe, clocks in pipes.of.values() if pipe == which) for which in (MATRIX_PIPE, LDS_PIPE)}
    assert busy == {MATRIX_PIPE: 32 * 16, LDS_PIPE: 4 * 16384 // 256 + 32768 // 128}
    first = next(number for number, instr in enumerate(code) if _multiplies(instr))
    memory = [_reads_lds(instr) for instr in code[first:] if _reads_lds(instr) or _multiplies(instr)]
    runs = [len(list(run)) for reads, run in groupby(memory) if reads]
    assert sum(runs) > 8
    assert max(runs) <= 2


def test_copies_take_turns() -> None:
    """The tiles go straight to LDS."""
    choice = "m=128, n=64, k=64, waves=2, buffers=3, by=v_mfma_f32_16x16x32_f16, stages=3, copies=16"
    kernel, code = loop_by(choice, "gfx950")
    copies = [pipe for pipe in shared_pipes(kernel, code).of.values() if pipe[0] == COPY_PIPE]
    assert copies
    assert not [pipe for pipe in alu_pipes(kernel, code).of.values() if pipe[0] == COPY_PIPE]


def test_products_wait_for_two_barriers() -> None:
    """LDS has room for a trip alone on gfx942: the waves of another workgroup multiply meanwhile."""
    kernel, code = loop_by("m=128, n=128, k=64, waves=4, buffers=1, by=v_mfma_f32_16x16x16_f16", "gfx942")
    assert sum(Trait.BARRIER in instr.row.traits for instr in code) > 1
    assert shared_pipes(kernel, code).binding is None


def test_all_accesses_take_turns_if_a_simd_has_a_single_wave() -> None:
    """LDS has no room for another workgroup, so nothing hides the waits of a wave: eight loads from the second
    cache, of 4 KB by the four waves, at 39 bytes a clock, and accesses of LDS, at 128."""
    kernel, _ = loop_by(FOUR_WAVES, "gfx942")
    (code,) = [list(block.code) for block in kernel.blocks if block.label == "loop"]
    pipes = shared_pipes(kernel, code)
    assert pipes.binding == MATRIX_PIPE
    busy = {which: sum(clocks for pipe, clocks in pipes.of.values() if pipe == which) for which in (MATRIX_PIPE, COPY_PIPE, LDS_PIPE)}
    assert busy == {MATRIX_PIPE: 64 * 32, COPY_PIPE: 8 * 104, LDS_PIPE: (32768 + 4 * 16384) // 128}
    assert not [pipe for pipe in alu_pipes(kernel, code).of.values() if pipe[0] == COPY_PIPE]


def _few_rows(rows: int, choice: str) -> Stages:
    """The stages of a product of few rows on gfx942."""
    text = (
        f"a = @param:a -> f16, {{{rows},2048}}\nb = @param:b -> f16, {{64,2048}}\nt = transpose[permutation={{1,0}}](b)\no = dot(a, t)\n@return(o)\n"
    )
    by = "by=v_mfma_f32_16x16x16_f16"
    return asmgen.compile(text, target="gfx942", schedules=(f"contract[{choice}, {by}]",)).compilation.stages


def _loads(code: Sequence[Instr]) -> list[int]:
    return [at for at, instr in enumerate(code) if is_global_load(instr)]


def test_loads_wait_if_the_first_cache_is_full_of_those_of_all_waves() -> None:
    """It has room for 8 loads of 1 KB by each of four waves. The other 8 leave time for the addresses in LDS."""
    stages = _few_rows(32, "m=32, n=32, k=512, waves=4, buffers=1, slices=2, along=1")
    (kernel,) = stages.machine
    entry = list(kernel.blocks[0].code)
    loads = _loads(entry)
    assert len(loads) == 16
    assert loads_that_wait(kernel, entry) == dict.fromkeys(loads[8:], (COPY_PIPE, 4 * 1024 * 100 // 3922))
    assert not loads_that_wait(kernel, entry[: loads[8]]), "they have room"
    (allocated,) = stages.allocated
    places = _loads(list(allocated.blocks[0].code))
    assert places[15] - places[7] > 30


def test_loads_are_early_if_their_block_waits_for_them() -> None:
    """Eight waves load 6 KB each, and multiply in the same block."""
    (kernel,) = _few_rows(8, "m=8, n=4, k=2048, waves=8, buffers=1, along=1, quads=1").machine
    code = list(kernel.blocks[0].code)
    assert len(_loads(code)) == 6
    assert not loads_that_wait(kernel, code)
