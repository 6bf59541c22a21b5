"""Every stage's text parses to the printed program, and compiles to the graph's kernels.

The programs are the catalogue, random graphs, graphs of several reductions and kernels, and random machine programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from asmgen.cli.main import main
from asmgen.cli.stages import TEXT_STAGES, assembly_text, stage_text
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read, finish, start
from asmgen.frontends.sources import read_machine, read_text
from asmgen.gentext.parser import parse
from asmgen.ir.program import Program, Stage
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import Options
from isa.emulator import load
from isa.instruction import Instr, Label
from isa.mir.parser import parse_kernels
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.targets import parse_target
from regalloc import allocate_and_rewrite
from tests.property.graphs import random_graph
from tests.property.machine_programs import describe, machine_program
from tests.rows import in_turn
from tests.unit.frontends.programs import outline

TARGET = parse_target("gfx942")
GEN_STAGES = tuple(stage.value for stage in Stage)
SEEDS, MORE_SEEDS = range(20), range(1000, 2000)
MACHINE_SEEDS, MORE_MACHINE_SEEDS = range(700, 710), range(7000, 7500)

REDUCTIONS = {
    "two axes, two kernels": "x = @param:x -> {5,6,7}\ny = reduce_sum[axes={0,2}](x)\nz = reduce_max[axes=1](y)\ns = sub(x, z)\n@return(s)\n",
    "softmax of halves": "x = @param:x -> f16, {3,1000}\ny = softmax[axis=1](x)\n@return(y)\n",
    "rows through LDS": "x = @param:x -> {2,5000}\nb = @param:b -> {5000}\ny = layernorm[axis=1](x, b, b)\nm = reduce_mean[axes=1](y)\n@return(m)\n",
    "columns": "x = @param:x -> i32, {300,65}\ny = reduce_sum[axes=0](x)\nz = reduce_min(x)\n@return(y, z)\n",
    "arguments that are loaded": "".join(f"x{k} = @param:x{k} -> {{100}}\n" for k in range(9))
    + "".join(f"y{k + 1} = add(x{k + 1}, {f'y{k}' if k else 'x0'})\n" for k in range(8))
    + "@return(y8)\n",
    "two graphs": """module @first {
  x = @param:x -> {100}
  y = exp(x)
  @return(y)
}
module @second {
  x = @param:x -> {4,100}
  y = reduce_sum[axes=1](x)
  @return(y)
}
""",
    "one of two graphs is empty": """module @nothing {
  x = @param:x -> {0,3}
  y = exp(x)
  @return(y)
}
module @something {
  x = @param:x -> {100}
  y = exp(x)
  @return(y)
}
""",
}


def code_of(assembly: str) -> list[str]:
    """Assembly without what names the source: comments, `.file` and `.loc`."""
    lines = (line.partition(";")[0].rstrip() for line in assembly.splitlines())
    return [line for line in lines if line and not line.lstrip().startswith((".file", ".loc"))]


def hold(program: Program, options: Options = Options()) -> None:
    """Each stage of a program is printed, parsed, printed again and compiled."""
    compilation = start(Source.of_program("graph", program), TARGET, options)
    compiled = finish(compilation)
    assembly = assembly_text(compiled)
    for stage in TEXT_STAGES:
        text = stage_text(compilation, stage)
        if stage in GEN_STAGES:
            read = start(read_text(text, "again.gen"), TARGET, options)
            is_outlined = stage == Stage.GRAPH.value and len(compiled.kernels) > 1  # a module a launch: other statements
            if Stage(stage) in read.stages.programs and not is_outlined:
                got, wanted = [each.stages.programs[Stage(stage)] for each in (read, compilation)]
                assert outline(got) == outline(wanted), stage
            assert stage_text(read, stage) == text, stage
            found = assembly_text(compile_read(read_text(text, "again.gen"), TARGET, options))
            assert code_of(found) == code_of(assembly), stage
        else:
            assert "".join(map(print_kernel, parse_kernels(text, "again.mir"))) == text, stage
            assert assembly_text(compile_read(read_machine(text, "again.mir"), TARGET, options)) == assembly, stage
    hold_assembly(compiled)


def hold_assembly(compiled: CompiledProgram) -> None:
    """The text reads as the very instructions that were printed; branches apart, which the layout may add."""
    for kernel, printed in zip(compiled.compilation.stages.finished, compiled.kernels, strict=True):
        code = load(printed.assembly, kernel.name).code
        first = code.labels.get(f".L{kernel.name}.{kernel.blocks[0].label}", 0) if kernel.abi.preload_dwords else 0
        read = [instr for instr in code.operations[first:] if isinstance(instr, Instr)]
        assert list(map(assembled, straight(read))) == list(map(assembled, straight(instructions(kernel))))


def instructions(kernel: Kernel) -> Iterator[Instr]:
    for block in kernel.blocks:
        yield from block.instructions
        if block.terminator is not None:
            yield block.terminator


def straight(code: list[Instr] | Iterator[Instr]) -> Iterator[Instr]:
    return (instr for instr in code if not any(isinstance(operand, Label) for operand in instr.operands))


def content(instr: Instr) -> Instr:
    """The instruction as machine text has it."""
    return replace(instr, origin=None, comment="", contract=False)


def assembled(instr: Instr) -> Instr:
    """The instruction as assembly has it, which says nothing of the memory that it touches."""
    return replace(content(instr), touches=(), awaits=None, phase=0)


@pytest.mark.parametrize("name", in_turn(CATALOGUE, of=2))
def test_the_catalogue(name: str) -> None:
    hold(build_kernel(name))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_and_several_kernels(name: str) -> None:
    hold(parse(REDUCTIONS[name], "reductions.gen"))


@pytest.mark.parametrize("options", [Options(contract=False), Options(fast_math=True), Options(nan="propagate")], ids=["exact", "fast", "nan"])
def test_with_options(options: Options) -> None:
    for name in ("gelu", "muladd", "softmax"):
        hold(build_kernel(name), options)


def hold_graphs(seeds: range) -> None:
    for seed in seeds:
        graph = random_graph(seed)
        try:
            hold(parse(graph.text, "graph.gen"))
        except AssertionError as error:
            raise AssertionError(str(graph)) from error


@pytest.mark.parametrize("first", SEEDS[::10])
def test_random_graphs(first: int) -> None:
    hold_graphs(range(first, first + 10))


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_SEEDS[::100])
def test_more_random_graphs(first: int) -> None:
    hold_graphs(range(first, first + 100))


def hold_machine_programs(seeds: range) -> None:
    for seed in seeds:
        kernel, mix = machine_program(seed)
        for program in (kernel, allocate_and_rewrite(kernel)[0]):
            text = print_kernel(program)
            (again,) = parse_kernels(text, "again.mir")
            assert print_kernel(again) == text, describe(seed, mix)
            assert [content(instr) for instr in instructions(again)] == [content(instr) for instr in instructions(program)], describe(seed, mix)


def test_random_machine_programs() -> None:
    hold_machine_programs(MACHINE_SEEDS)


@pytest.mark.slow
def test_more_random_machine_programs() -> None:
    hold_machine_programs(MORE_MACHINE_SEEDS)


@pytest.mark.parametrize("kernel", [("gelu_erf", "n=1003"), ("softmax", "cols=3000")])
def test_the_command_line_takes_what_it_prints(kernel: tuple[str, str], tmp_path: Path) -> None:
    name, setting = kernel
    whole = tmp_path / "whole.s"
    assert main(["kernel", name, "--set", setting, "--emit", "asm", "-o", str(whole)]) == 0
    for stage in (*TEXT_STAGES, "asm"):
        source, output = tmp_path / f"{stage}{suffix(stage)}", tmp_path / "output.s"
        assert main(["kernel", name, "--set", setting, "--emit", stage, "-o", str(source)]) == 0
        assert main(["kernel", str(source), "--emit", "asm", "-o", str(output)]) == 0
        assert code_of(output.read_text(encoding="utf-8")) == code_of(whole.read_text(encoding="utf-8")), stage


def suffix(stage: str) -> str:
    return ".gen" if stage in GEN_STAGES else ".s" if stage == "asm" else ".mir"
