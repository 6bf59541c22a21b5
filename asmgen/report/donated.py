"""The memory of each result of a program: its own, or that of an argument that the caller gives away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from asmgen.artifact import Artifact
from asmgen.graph.ops import PARAM
from asmgen.ir.program import Module, Stage, argument_name
from asmgen.lanewise.ops import LAUNCH
from asmgen.lanewise.records import NO_RESULT, LaunchAttributes
from asmgen.report.model import ResultMemory


def memories(program: Artifact) -> list[tuple[ResultMemory, ...]]:
    """For each kernel the results that it writes; of a machine program nothing is known."""
    final = program.compilation.stages.programs.get(Stage.FINAL)
    if final is None:
        return [()] * len(program.kernels)
    reasons = _reasons(program)
    again = {module.name: list[ResultMemory]() for module in final.modules}
    for relaunch in final.relaunches:
        again[relaunch.kernel] += [
            ResultMemory(number, "", reasons.get(number, "")) for _, number in relaunch.results
        ]
    return [(*_of_kernel(module, reasons), *again[module.name]) for module in final.modules]


def _of_kernel(module: Module, reasons: Mapping[int, str]) -> Iterator[ResultMemory]:
    launch = next(statement for statement in module.statements if statement.op is LAUNCH)
    outputs = module.statements[-1].operands
    buffers = {each.result: each for each in module.statements if each.op is PARAM}
    for output, number in zip(
        outputs, LaunchAttributes.of(launch).results or range(len(outputs)), strict=True
    ):
        if number != NO_RESULT:
            is_over = "result" in buffers[output].attributes
            over = argument_name(buffers[output]) if is_over else ""
            yield ResultMemory(number, over, reasons.get(number, ""))


def _reasons(program: Artifact) -> dict[int, str]:
    """Why a result does not take the memory of the argument donated for it, by the number of the result."""
    stages = program.compilation.stages
    graphs = stages.programs.get(Stage.GRAPH)
    if graphs is None or stages.gridwise is None or stages.blockwise is None:
        return {}
    if not any("donated" in statement.attributes for each in graphs.modules for statement in each.statements):
        return {}
    from asmgen.gridwise.in_place import refusals

    return refusals(graphs, stages.gridwise, stages.blockwise.kernels)
