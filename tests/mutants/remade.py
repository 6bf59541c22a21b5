"""Launches of a program that computes something else, in the place of an honest one, kernel by kernel."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.compiled import CompiledProgram
from asmgen.ir.program import argument_name, tensor_type
from asmgen.runtime.arrays import Array
from asmgen.runtime.calls import literal_buffers, signatures
from isa.emulator import load
from isa.emulator.image import Image
from isa.emulator.launch import Settings
from isa.emulator.runner import run_image
from tests.mutants.seam import Launched, Wrong
from tests.mutants.wrong_graphs import CHOICE

Choose = Callable[[int], Array]  # of the length of a row, which of its elements are affected
Remake = Callable[[CompiledProgram, int], CompiledProgram]


def by_program(remake: Remake, number: int, choose: Choose | None) -> Wrong:
    """A launch of the same kernel of the program that `remake` makes of the honest one and a number of a
    statement."""
    remade: dict[int, _Remade] = {}

    def run(launched: Launched) -> list[Array]:
        key = id(launched.program)
        if key not in remade:
            remade[key] = _Remade(launched.program, remake(launched.program, number))
        return remade[key].launch(launched, choose)

    return run


class _Remade:
    """A program that computes something else; the honest one is kept, so that its id stays its own."""

    def __init__(self, honest: CompiledProgram, wrong: CompiledProgram) -> None:
        assert len(wrong.kernels) == len(honest.kernels), "the wrong program is cut into kernels as the honest one"
        self._honest = honest
        self._wrong = wrong
        self._signatures = signatures(wrong)
        self._images: dict[int, Image] = {}

    def launch(self, launched: Launched, choose: Choose | None) -> list[Array]:
        mine, honest = self._signatures[launched.index], launched.signature
        named = {argument_name(statement): buffer for statement, buffer in zip(honest.inputs, launched.buffers, strict=False)}
        for statement in mine.inputs:
            if argument_name(statement) == CHOICE:
                assert choose is not None, "a program with a choice is launched with one"
                named[CHOICE] = choose(tensor_type(statement.result).elements)
        inputs = [named[argument_name(statement)] for statement in mine.inputs]
        first = len(honest.inputs)
        behind = first + len(honest.outputs)
        kernel = self._wrong.kernels[launched.index]
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        buffers = [*inputs, *launched.buffers[first:behind], *literal_buffers(mine)]
        after = run_image(
            self._image(launched.index),
            kernel.grid,
            kernel.block,
            buffers,
            settings=Settings(launched.approximation),
        )
        written = after[len(inputs) : len(inputs) + behind - first]
        return [*launched.buffers[:first], *written, *launched.buffers[behind:]]

    def _image(self, index: int) -> Image:
        if index not in self._images:
            kernel = self._wrong.kernels[index]
            self._images[index] = load(kernel.assembly, kernel.name)
        return self._images[index]
