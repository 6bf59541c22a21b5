"""Hoisting: instructions that may pass in a reduction's wait states, and those that must stay."""

from __future__ import annotations

import asmgen
from asmgen.compilation import Compilation
from asmgen.compiler import start
from asmgen.frontends.sources import read_source
from asmgen.options import Options
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.hoist import hoist
from asmgen.pipeline import advance
from isa.instruction import Encoding, Instr
from isa.program import Kernel
from isa.registers import RegisterClass
from isa.targets import parse_target
from regalloc.liveness import compute_liveness
from regalloc.verify import verify

ROW_SUM = "x = @param:x -> {64, 1024}\nr = reduce_sum[axes={1}](x)\n@return(r)\n"
RMSNORM = "x = @param:x -> {64, 1024}\nw = @param:w -> {1024}\nr = rmsnorm(x, w)\n@return(r)\n"
SOFTMAX = "x = @param:x -> {64, 8192}\nr = softmax[axis=1](x)\n@return(r)\n"
VECADD = "x = @param:x -> {4096}\nr = add(x, x)\n@return(r)\n"


def combined(text: str) -> Kernel:
    compilation: Compilation = start(read_source(text, None, Options()), parse_target("gfx942"), Options())
    advance(compilation, "machine")
    return combine(compilation.stages.machine[0])


def with_steps(kernel: Kernel) -> list[Instr]:
    """The instructions of the block with the DPP steps."""
    return next(block.instructions for block in kernel.blocks if any(i.row.encoding is Encoding.DPP for i in block.instructions))


def test_a_kernel_without_steps_is_left_alone() -> None:
    kernel = combined(VECADD)
    assert hoist(kernel) is kernel


def test_instructions_move_into_the_block_with_the_steps_and_none_is_lost() -> None:
    kernel = combined(ROW_SUM)
    first = hoist(kernel)
    verify(first)
    assert len(with_steps(first)) > len(with_steps(kernel))
    before = sorted(id(instr) for block in kernel.blocks for instr in block.instructions)
    assert sorted(id(instr) for block in first.blocks for instr in block.instructions) == before


def test_memory_and_exec_stay_where_they_are() -> None:
    kernel = combined(ROW_SUM)
    moved = {id(i) for i in with_steps(hoist(kernel))} - {id(i) for i in with_steps(kernel)}
    for block in kernel.blocks:
        for instr in block.instructions:
            if id(instr) in moved:
                assert not instr.row.events
                assert all(register.is_virtual or register.first == 253 for register in instr.defined())


def test_no_more_vgprs_are_live_than_the_granule_has() -> None:
    kernel = combined(RMSNORM)
    hoisted = hoist(kernel)
    verify(hoisted)
    before, after = (compute_liveness(one).pressure[RegisterClass.VGPR].units for one in (kernel, hoisted))
    granule = kernel.target.target.vgpr_granule
    assert before < after <= -(-before // granule) * granule


def test_vgprs_of_other_blocks_are_not_exceeded() -> None:
    """A block behind the steps has the whole row, which fills its granules."""
    kernel = combined(SOFTMAX)
    before, after = (compute_liveness(one).pressure[RegisterClass.VGPR].units for one in (kernel, hoist(kernel)))
    assert before % kernel.target.target.vgpr_granule == 0
    assert after <= before


def test_vgprs_of_loads_before_the_steps_are_free_after_them() -> None:
    """The loads take 64 VGPRs, a whole number of granules, and the steps a single one."""
    text = "a = @param:a -> f16, {1,4096}\nb = @param:b -> f16, {1024,4096}\nt = transpose[permutation={1,0}](b)\nc = dot(a, t)\n@return(c)\n"
    (kernel,) = asmgen.compile(text, target="gfx950").kernels
    assert ".amdhsa_next_free_vgpr 64\n" in kernel.assembly
    lines = [line.split()[0] for line in kernel.assembly.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    masked = lines.index("s_lshl_b64")
    assert lines[masked + 1] == "global_store_short"
