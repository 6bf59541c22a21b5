"""Random legal orders: the instructions of each block in any order that the dependence graph allows.

A kernel of the catalogue is reordered on virtual registers, allocated, and reordered again on physical
registers, before waits and wait states are put in; the emitted code runs with the sanitizer.
"""

from __future__ import annotations

from math import prod
from random import Random
from typing import NamedTuple

from asmgen.artifact import CompiledKernel
from asmgen.compiler import compile_source
from asmgen.emission.emit import emit
from asmgen.ir.arrays import Array
from asmgen.kernels import build_kernel
from asmgen.options import Options
from asmgen.passes.block_order import arrange
from asmgen.passes.combine.combine import combine
from asmgen.passes.dependence import Dependences, Graph
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.peephole.bank_order import order_by_banks
from asmgen.passes.peephole.dual import pair
from asmgen.passes.peephole.peephole import peephole
from asmgen.passes.peephole.splats import read_splats
from asmgen.passes.waits.deallocate import deallocate
from asmgen.passes.waits.delays import insert_delays
from asmgen.passes.waits.fill import fill
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import drop_idle_waits, insert_waits
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from asmgen.verification.inputs import ordinary_inputs
from isa.emulator import run
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.runner import image_of_kernel, layout_of_kernel, run_image
from isa.emulator.steps.block_plans import Steps
from isa.program import Block, Kernel
from regalloc import check, rewrite
from regalloc.spill.allocate import allocate_with_spills
from regalloc.verify import verify
from tests.unit.select.running import difference

BEFORE_ORDER = (arrange, peephole, read_splats)
AFTER_ORDER = (fill, drop_idle_waits, insert_waits, pair, order_by_banks, insert_nops, deallocate, insert_delays)


class Case(NamedTuple):
    """A kernel of the catalogue with its sizes, and a target."""

    name: str
    settings: tuple[tuple[str, str], ...]
    target: str


def hold_orders(case: Case, seeds: range) -> int:
    """Run a program as it is and in an order for each seed: the bits are the same; how many orders ran.

    AssertionError names the seed, the case and the difference.
    """
    program = compile_source(build_kernel(case.name, case.settings), case.target, Options())
    arrays = ordinary_inputs(program_parameters(program), 1)
    wanted = run_kernels(program, [array.copy() for array in arrays], _Emulated(program.compilation.stages.finished))
    selected = [move_invariants(combine(kernel)) for kernel in program.compilation.stages.machine]
    for seed in seeds:
        random = Random(f"{case.name} {case.target} {seed}")
        finished = [finished_in_an_order(kernel, random) for kernel in selected]
        found = run_kernels(program, [array.copy() for array in arrays], _Emulated(finished))
        assert not (fault := difference(wanted, found)), f"{case}, seed {seed}: {fault}"
    return len(seeds)


class _Emulated:
    """Runs the kernels of a program, each by its name, from their text with the sanitizer."""

    def __init__(self, kernels: list[Kernel]) -> None:
        self._kernels = {kernel.name: kernel for kernel in kernels}

    def __call__(self, kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        here = self._kernels[kernel.name]
        assert kernel.grid is not None
        first = len(signature.inputs)
        outputs = range(first, first + len(signature.outputs))
        text = emit(here, here.target)
        return run(text, here.name, kernel.workgroups, here.workgroup, buffers, sanitize=True, undefined=outputs)


def finished_in_an_order(kernel: Kernel, random: Random) -> Kernel:
    """A selected kernel through the passes, its blocks in a random order before allocation and after it."""
    ordered = in_random_order(kernel, random)
    verify(ordered)
    budget = kernel.target.target.workgroup_vgprs(prod(kernel.workgroup))
    spilled, allocation, _ = allocate_with_spills(ordered, max_vgprs=budget)
    finished = rewrite(spilled, allocation)
    check(spilled, allocation, finished)
    for run_pass in BEFORE_ORDER:
        finished = run_pass(finished)
    finished = in_random_order(finished, random)
    for run_pass in AFTER_ORDER:
        finished = run_pass(finished)
    return finished


def in_random_order(kernel: Kernel, random: Random) -> Kernel:
    """The kernel with each block in some order that its graph allows."""
    return Orders(kernel).draw(random)


class Orders:
    """The orders of a kernel. The graphs of its blocks are made once."""

    def __init__(self, kernel: Kernel) -> None:
        dependences = Dependences(kernel)
        self._kernel = kernel
        self._graphs = [dependences.of_block(number) for number in range(len(kernel.blocks))]

    def draw(self, random: Random) -> Kernel:
        """The kernel with each block in some order that its graph allows."""
        blocks: list[Block] = []
        for block, graph in zip(self._kernel.blocks, self._graphs, strict=True):
            order = random_order(graph, random)
            assert graph.allows(order)
            blocks.append(block.with_instructions([block.instructions[i] for i in order]))
        return self._kernel.with_blocks(blocks)


class Runs:
    """Runs a kernel on virtual registers in several orders. It decodes an instruction once."""

    def __init__(self, kernel: Kernel) -> None:
        self._layout = layout_of_kernel(kernel, image_of_kernel(kernel))
        self._steps: Steps = {}

    def run(self, ordered: Kernel, grid: tuple[int, int, int], buffers: list[Array]) -> list[Array]:
        image = image_of_kernel(ordered)
        return run_image(image, KernelCall(grid, ordered.workgroup, tuple(buffers)), layout=self._layout, steps=self._steps)


def random_order(graph: Graph, random: Random) -> list[int]:
    """An order drawn at random, in which each instruction comes after all that it depends on."""
    waits_for = [len(earlier) for earlier in graph.before]
    ready = [number for number, count in enumerate(waits_for) if not count]
    order: list[int] = []
    while ready:
        number = ready.pop(random.randrange(len(ready)))
        order.append(number)
        for later in graph.after[number]:
            waits_for[later] -= 1
            if not waits_for[later]:
                ready.append(later)
    return order
