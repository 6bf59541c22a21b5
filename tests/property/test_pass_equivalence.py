"""Every pass by itself keeps a kernel's results, bit for bit: each version of it runs on the same buffers, if
the pass changed it.

The versions are the selected program, then that after combine, loop-invariant motion, grouping of loads,
hoisting, scheduling, allocation, and each pass after it, up to the emitted text, which runs with the
sanitizer on and from both entries. The programs are random graphs, random graphs of reductions, and random
machine programs with DPP steps in them, which hoisting needs and `machine_program` has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from asmgen.artifact import CompiledKernel
from asmgen.compiler import compile_source
from asmgen.emission.emit import emit
from asmgen.ir.arrays import Array
from asmgen.ir.program import Stage, Statement
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.reduction_ops import DPP_REDUCE, REDUCE_WAVES
from asmgen.options import Options
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.group_loads import group_loads
from asmgen.passes.motion.hoist import hoist
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.schedule import schedule
from asmgen.pipeline import final_passes
from asmgen.runtime.calls import Signature, run_kernels
from isa.build import build
from isa.emulator import run, run_kernel
from isa.instruction import Trait
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc import allocate, check, rewrite
from regalloc.verify import verify
from tests.property.graphs import RandomGraph, random_graph
from tests.property.machine_programs import Generator, Scope, describe
from tests.property.reduction_graphs import random_reduction_graph
from tests.rows import row
from tests.unit.select.running import difference

OTHERS = ("gfx1100", "gfx1201", "gfx1100:wave64")
ENTRIES = ("preload", "prologue")
GRAPHS, MORE_GRAPHS = range(300, 310), range(20000, 20600)
REDUCTIONS, MORE_REDUCTIONS = range(400, 407), range(30000, 30400)
ACROSS = (DPP_REDUCE, REDUCE_WAVES)
PROGRAMS, MORE_PROGRAMS = range(598, 606), range(40000, 40400)


def versions(kernel: Kernel) -> Iterator[tuple[str, Kernel]]:
    """A selected kernel and the result of each pass; the last is emitted."""
    yield "select", kernel
    kernel = combine(kernel)
    verify(kernel)
    yield "combine", kernel
    kernel = move_invariants(kernel)
    verify(kernel)
    yield "invariants", kernel
    kernel = group_loads(kernel)
    verify(kernel)
    yield "group_loads", kernel
    hoisted = hoist(kernel)
    verify(hoisted)
    yield "hoist" if hoisted is not kernel else "nothing to hoist", hoisted
    ordered = schedule(hoisted)
    verify(ordered)
    yield "schedule" if ordered is not hoisted else "nothing to schedule", ordered
    allocation = allocate(ordered)
    rewritten = rewrite(ordered, allocation)
    check(ordered, allocation, rewritten)
    yield "allocation", rewritten
    for pass_ in final_passes():
        rewritten = pass_(rewritten)
        yield pass_.__name__, rewritten


def hold(kernel: Kernel, grid: tuple[int, int, int], buffers: list[Array], outputs: range, seen: list[str]) -> list[Array]:
    """Run every version; the buffers as they are after each. `seen` takes the names of the versions."""

    def copies() -> list[Array]:
        return [buffer.copy() for buffer in buffers]

    wanted, before = run_kernel(kernel, grid, copies()), print_kernel(kernel)
    for name, version in versions(kernel):
        if (printed := print_kernel(version)) != before:
            found = run_kernel(version, grid, copies())
            assert not (fault := difference(wanted, found)), f"{name}: {fault}"
        before = printed
        seen.append(name)
        if name == final_passes()[-1].__name__:
            text = emit(version, kernel.target)
            for entry in ENTRIES:
                found = run(text, version.name, grid, version.workgroup, copies(), sanitize=True, entry=entry, undefined=outputs)
                assert not (fault := difference(wanted, found)), f"text of {name} from {entry}: {fault}"
    return wanted


def hold_graph(text: str, arrays: list[Array], seen: list[str], target: str) -> None:
    """The kernels of a graph, each on the results of earlier kernels; contraction is off, since it is meant
    to change bits."""
    program = compile_source(text, target, Options(contract=False))
    machine = iter(program.compilation.stages.machine)
    final = iter(program.compilation.stages.programs[Stage.FINAL].modules)

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        selected, module = next(machine), next(final)
        while selected.name != kernel.name:
            selected, module = next(machine), next(final)
        assert kernel.grid is not None
        first = len(signature.inputs)
        found = hold(selected, kernel.workgroups, buffers, range(first, first + len(signature.outputs)), seen)
        if is_pointwise(module.statements):
            wanted = [buffer.copy() for buffer in buffers]
            interpret(module, wanted, wave=program.target.target.wave_size)
            assert not (fault := difference(wanted, found)), f"interpretation of the final stage: {fault}"
        return found

    _ = run_kernels(program, arrays, execute)


def is_pointwise(statements: Iterable[Statement]) -> bool:
    """Whether lanes are on their own; sums over lanes are interpreted in another order, and their bits differ."""
    return all(statement.op not in ACROSS and all(is_pointwise(region.statements) for region in statement.regions) for statement in statements)


def hold_graphs(seeds: range, make: Callable[[int], RandomGraph], target: str = "gfx942") -> list[str]:
    seen: list[str] = []
    for seed in seeds:
        graph = make(seed)
        try:
            hold_graph(graph.text, graph.inputs, seen, target)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{graph}") from error
    return seen


def test_random_graphs() -> None:
    assert "select" in hold_graphs(GRAPHS, random_graph)


def test_random_graphs_of_reductions() -> None:
    seen = hold_graphs(REDUCTIONS, random_reduction_graph)
    assert {"hoist", "schedule"} <= set(seen), "some of them have DPP steps"


@pytest.mark.parametrize("target", OTHERS)
def test_random_graphs_on_other_targets(target: str) -> None:
    assert "select" in hold_graphs(GRAPHS[:4], random_graph, target)
    assert "select" in hold_graphs(REDUCTIONS[:3], random_reduction_graph, target)


@pytest.mark.slow
@pytest.mark.parametrize("target", OTHERS)
@pytest.mark.parametrize("first", MORE_GRAPHS[:200:50])
def test_more_random_graphs_on_other_targets(first: int, target: str) -> None:
    _ = hold_graphs(range(first, first + 50), random_graph, target)
    _ = hold_graphs(range(first, first + 25), random_reduction_graph, target)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_GRAPHS[::50])
def test_more_random_graphs(first: int) -> None:
    _ = hold_graphs(range(first, first + 50), random_graph)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_REDUCTIONS[::50])
def test_more_random_graphs_of_reductions(first: int) -> None:
    _ = hold_graphs(range(first, first + 50), random_reduction_graph)


# ---- machine programs with DPP steps


class _WithSteps(Generator):
    """Adds the values of other lanes, but not of lanes that are off: a step with a source lane that is off
    keeps the old value."""

    CONTROLS = (0xB1, 0x4E, 0x1B, 0x101, 0x108, 0x111, 0x12F, 0x130, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143)

    def straight(self, scope: Scope, count: int, exec_nonzero: bool) -> None:
        super().straight(scope, count, exec_nonzero)
        if self.random.random() < 0.4:
            for _ in range(self.random.randint(1, 4)):
                self.step(scope)
            super().straight(scope, 2, exec_nonzero)

    def step(self, scope: Scope) -> None:
        self.mix["step"] += 1
        result, source, old = self.new(RegisterClass.VGPR), self.vector(scope), self.vector(scope)
        control = self.random.choice(self.CONTROLS)
        self.block.instructions.append(build(row("v_add_u32_dpp"), result, source, self.vector(scope), old, dpp_ctrl=control))
        scope.vectors.append(result)


def hold_program(seed: int, seen: list[str]) -> None:
    generator = _WithSteps(seed, 6)
    kernel = generator.program()
    for block in kernel.blocks:
        block.instructions = [instr for instr in block.instructions if Trait.WAIT not in instr.row.traits]
    x = np.random.default_rng(seed).integers(0, 1 << 32, 64, dtype=np.uint32)
    try:
        _ = hold(kernel, (1, 1, 1), [x, np.zeros(64, np.uint32)], range(1, 2), seen)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{describe(seed, generator.mix)}") from error


def test_random_machine_programs() -> None:
    seen: list[str] = []
    for seed in PROGRAMS:
        hold_program(seed, seen)
    assert {"hoist", "schedule"} <= set(seen)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_PROGRAMS[::50])
def test_more_random_machine_programs(first: int) -> None:
    for seed in range(first, first + 50):
        hold_program(seed, [])
