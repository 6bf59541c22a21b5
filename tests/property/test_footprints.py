"""The memory that accesses state is the memory that lanes touch, and instructions keep the statement.

The interpreter of lanewise checks each access of each lane of the catalogue, of tile programs and of random graphs. Every access of
the machine program has a footprint, from selection to the last pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_source
from asmgen.ir.arrays import Array
from asmgen.ir.program import Module, Program, Stage
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.records import Touched
from asmgen.options import Options
from asmgen.passes.dependence.facts import order_facts
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from asmgen.verification.inputs import ordinary_inputs
from isa.footprint import Footprint
from isa.program import Kernel
from isa.table import table_of
from tests.any_size import OF_ANY_SIZE, settings_of
from tests.property.graphs import random_graph
from tests.property.reduction_graphs import random_reduction_graph

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx1201", "gfx950")
SIZES = {"n": "301", "rows": "3", "cols": "70"}
LARGER = {"n": "5000", "rows": "6", "cols": "1100"}
PROGRAMS = ("matmul", "scan", "softmax", "transpose", "double_buffered", "matmul_async", "attention", "attention_async")
TILES = [Path(__file__).parents[1] / "tiles" / f"{name}.gen" for name in PROGRAMS]
GRAPHS, MORE_GRAPHS = range(2600, 2610), range(260000, 260300)


def hold_lanes(program: CompiledProgram, arrays: list[Array]) -> tuple[int, int]:
    """Interpret the modules of a program, which checks each access; how many accesses there are, and how many state their bytes."""
    modules = {module.name: module for module in program.compilation.stages.programs[Stage.FINAL].modules}
    target = program.target.target
    accesses = [touched for module in modules.values() for touched in touches(module)]

    def execute(kernel: CompiledKernel, _signature: Signature, buffers: list[Array]) -> list[Array]:
        memory = [buffer.copy() for buffer in buffers]
        interpret(modules[kernel.name], memory, wave=target.wave_size, table=table_of(target))
        return memory

    _ = run_kernels(program, arrays, execute)
    return len(accesses), sum(bool(touched.bytes) for touched in accesses)


def touches(module: Module) -> Iterator[Touched]:
    return (Touched.of(statement) for statement in module.walk() if "bytes" in statement.attributes)


def hold_instructions(program: CompiledProgram) -> None:
    """Every access has a footprint, and the footprints after allocation are those of selection and of spills."""
    stages = program.compilation.stages
    for selected, finished in zip(stages.machine, stages.finished, strict=True):
        known = set(footprints(selected))
        assert set(footprints(finished)) <= known | {one for one in footprints(finished) if one.object == ".spilled"}


def footprints(kernel: Kernel) -> Iterator[Footprint]:
    for instr in kernel.instructions():
        if order_facts(instr.row).is_access:
            assert instr.touches, f"{kernel.name}: {instr.row} touches any memory"
        else:
            assert not instr.touches, f"{kernel.name}: {instr.row} is no access"
        yield from instr.touches


def hold(source: str | Program, target: str, seed: int) -> tuple[int, int]:
    # accesses of trips that overlap have no footprint, or a footprint without bytes: the scheduler overlaps trips
    hold_instructions(compile_source(source, target, Options(schedule=False)))
    program = compile_source(source, target, Options())
    return hold_lanes(program, ordinary_inputs(program_parameters(program), seed))


def test_lanes_of_the_catalogue_touch_what_their_accesses_state() -> None:
    counts = [hold(build_kernel(name, settings_of(name, SIZES)), TARGETS[i % len(TARGETS)], i) for i, name in enumerate(OF_ANY_SIZE)]
    accesses, stated = map(sum, zip(*counts, strict=True))
    assert stated > accesses * 3 // 4, (stated, accesses)


@pytest.mark.parametrize("path", TILES, ids=lambda path: path.stem)
def test_lanes_of_tile_programs_touch_what_their_accesses_state(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("4096", "3")
    _ = hold(text, text.split()[2], 1)


def hold_graphs(seeds: range) -> None:
    for seed in seeds:
        graph = (random_graph if seed % 2 else random_reduction_graph)(seed)
        program = compile_source(graph.text, TARGETS[seed % len(TARGETS)], Options())
        hold_instructions(program)
        _ = hold_lanes(program, graph.inputs)


def test_lanes_of_random_graphs_touch_what_their_accesses_state() -> None:
    hold_graphs(GRAPHS)


@pytest.mark.slow
def test_lanes_of_more_random_graphs_touch_what_their_accesses_state() -> None:
    hold_graphs(MORE_GRAPHS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_lanes_of_larger_kernels_touch_what_their_accesses_state(name: str) -> None:
    for target in TARGETS:
        _ = hold(build_kernel(name, settings_of(name, LARGER, LARGER)), target, 1)
