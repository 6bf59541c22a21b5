"""Replace the launches of an honest program by launches of a wrong program, kernel by kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import Array, laid_out
from asmgen.ir.program import Statement, argument_name, tensor_type
from asmgen.runtime.calls import Signature, literal_buffers, program_parameters, run_kernels, signatures
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.program.image import Image
from isa.emulator.runner import run_image
from tests.mutants.buffers import results_of
from tests.mutants.seam import Launched, Wrong
from tests.mutants.wrong_graphs import CHOICE

Choose = Callable[[int], Array]  # of the length of a row, which of its elements are affected
Remake = Callable[[CompiledProgram, int], CompiledProgram]


def by_program(remake: Remake, number: int, choose: Choose | None) -> Wrong:
    """A launch of the same kernel of the program that `remake` makes of the honest program and a number of a
    statement."""
    remade: dict[int, _Remade] = {}

    def run(launched: Launched) -> list[Array]:
        key = id(launched.program)
        if key not in remade:
            remade[key] = _Remade(launched.program, remake(launched.program, number))
        return remade[key].launch(launched, choose)

    return run


class _Remade:
    """A wrong program. It keeps the honest program alive, so that no other object gets its id."""

    def __init__(self, honest: CompiledProgram, wrong: CompiledProgram) -> None:
        self._is_cut_alike = len(wrong.kernels) == len(honest.kernels)
        wanted = {argument_name(statement) for statement in program_parameters(wrong)} - {CHOICE}
        read = {argument_name(statement) for statement in signatures(honest)[0].inputs}
        self._is_in_parts = len(honest.kernels) == 2 and len(wrong.kernels) == 1 and wanted <= read
        self._honest = honest
        self._wrong = wrong
        self._signatures = signatures(wrong)
        self._images: dict[int, Image] = {}
        self._arguments: dict[str, Array] = {}  # of the launches so far

    def launch(self, launched: Launched, choose: Choose | None) -> list[Array]:
        if self._is_in_parts:
            return launched.honest(launched.buffers) if launched.index else self._part(launched, choose)
        self._arguments |= self._inputs(launched)
        if self._is_cut_alike:
            return self._kernel(launched, choose)
        return self._program(launched, choose) if max(launched.signature.results) >= 0 else launched.honest(launched.buffers)

    def _part(self, launched: Launched, choose: Choose | None) -> list[Array]:
        """A launch that multiplies matrices in parts along k: the wrong result is the first part, and the others are 0. The honest
        launch after it adds the parts up."""
        (result,) = self._results(launched, choose)
        first = len(launched.signature.inputs)
        parts = np.zeros_like(launched.buffers[first])
        parts.reshape(-1)[: result.size] = result.reshape(-1)
        return [*launched.buffers[:first], parts, *launched.buffers[first + 1 :]]

    def _program(self, launched: Launched, choose: Choose | None) -> list[Array]:
        """Run all kernels of the wrong program instead of the honest kernel that stores results, since it is cut differently. The
        honest launches before it store what only they read."""
        results = self._results(launched, choose)
        buffers = list(launched.buffers) if min(launched.signature.results) >= 0 else launched.honest(launched.buffers)
        for place, number, type_ in results_of(launched.signature):
            buffers[place] = laid_out(results[number], type_)
        return buffers

    def _results(self, launched: Launched, choose: Choose | None) -> list[Array]:
        given = self._given(launched, program_parameters(self._wrong), choose)

        def execute(kernel: CompiledKernel, _: Signature, buffers: list[Array]) -> list[Array]:
            return self._run(self._wrong.kernels.index(kernel), buffers, launched)

        return run_kernels(self._wrong, given, execute)

    def _given(self, launched: Launched, wanted: Sequence[Statement], choose: Choose | None) -> list[Array]:
        """The buffers that the wrong program's parameters name."""
        named = self._arguments | self._inputs(launched)
        for statement in wanted:
            if argument_name(statement) == CHOICE:
                assert choose is not None, "a program with a choice is launched with one"
                named[CHOICE] = choose(tensor_type(statement.result).size)
        return [named[argument_name(statement)] for statement in wanted]

    def _inputs(self, launched: Launched) -> dict[str, Array]:
        return {argument_name(statement): buffer for statement, buffer in zip(launched.signature.inputs, launched.buffers, strict=False)}

    def _kernel(self, launched: Launched, choose: Choose | None) -> list[Array]:
        mine, honest = self._signatures[launched.index], launched.signature
        inputs = self._given(launched, mine.inputs, choose)
        first = len(honest.inputs)
        behind = first + len(honest.outputs)
        buffers = [*inputs, *launched.buffers[first:behind], *literal_buffers(mine)]
        after = self._run(launched.index, buffers, launched)
        written = after[len(inputs) : len(inputs) + behind - first]
        return [*launched.buffers[:first], *written, *launched.buffers[behind:]]

    def _run(self, index: int, buffers: list[Array], launched: Launched) -> list[Array]:
        kernel = self._wrong.kernels[index]
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        settings = Settings(launched.approximation)
        return run_image(self._image(index), KernelCall(kernel.workgroups, kernel.block, tuple(buffers)), settings=settings)

    def _image(self, index: int) -> Image:
        if index not in self._images:
            kernel = self._wrong.kernels[index]
            self._images[index] = load(kernel.assembly, kernel.name)
        return self._images[index]
