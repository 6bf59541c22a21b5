"""Replace right results by wrong results: every launch on the emulator passes here.

A launch is identified by the name of its kernel, its grid and the sizes of its buffers, among the programs
compiled so far. The verification may therefore compile and run programs of other sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from asmgen import compiler
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import Array
from asmgen.ir.program import tensor_type
from asmgen.runtime.calls import Signature, signatures
from isa.emulator import runner
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.program.image import Image
from isa.semantics.mode import Approximation
from tests.mutants.wrong_graphs import PREFIX

Run = Callable[[Sequence[Array]], list[Array]]


class Launched(Struct, frozen=True):
    """A launch of kernel `index` of `program`: its buffers before it, and how the honest kernel runs on
    buffers."""

    program: CompiledProgram
    index: int
    signature: Signature
    buffers: list[Array]
    honest: Run
    approximation: Approximation


Wrong = Callable[[Launched], list[Array]]


class _Programs:
    """The programs compiled while the seam is open, latest first, with their signatures."""

    def __init__(self) -> None:
        self._known: list[tuple[CompiledProgram, list[Signature]]] = []

    def add(self, program: CompiledProgram) -> None:
        if program.graph is not None:
            self._known.insert(0, (program, signatures(program)))

    def find(self, name: str, launch: KernelCall) -> tuple[CompiledProgram, int, Signature]:
        sizes = [value.size for value in launch.arguments if isinstance(value, np.ndarray)]
        for program, found in self._known:
            for index, (kernel, signature) in enumerate(zip(program.kernels, found, strict=True)):
                statements = (*signature.inputs, *signature.outputs, *signature.literals)
                spans = [tensor_type(statement.result).span for statement in statements]
                if (kernel.name, kernel.grid, kernel.block, spans) == (
                    name,
                    launch.grid,
                    launch.block,
                    sizes,
                ):
                    return program, index, signature
        raise LookupError(f"a launch of {name} on {launch.grid} workgroups with buffers of {sizes}: of no program here")


@contextmanager
def opened(wrong: Wrong, programs: Sequence[CompiledProgram]) -> Generator[None]:
    """Inside, every launch of one of `programs`, or of one compiled meanwhile, gives what `wrong` makes of
    it."""
    known = _Programs()
    for program in programs:
        known.add(program)
    finish, execute = compiler.finish, runner.execute

    def registering(*arguments: Any) -> CompiledProgram:
        program = finish(*arguments)
        known.add(program)
        return program

    def replacing(image: Image, launch: KernelCall, layout: Any, settings: Settings, *rest: Any) -> list[Array]:
        if image.name.startswith(PREFIX):
            return execute(image, launch, layout, settings, *rest)
        program, index, signature = known.find(image.name, launch)

        def honest(buffers: Sequence[Array]) -> list[Array]:
            return execute(image, replace(launch, arguments=tuple(buffers)), layout, settings, *rest)

        buffers = [value for value in launch.arguments if isinstance(value, np.ndarray)]
        return wrong(Launched(program, index, signature, buffers, honest, settings.approximation))

    with mock.patch.object(compiler, "finish", registering), mock.patch.object(runner, "execute", replacing):
        yield
