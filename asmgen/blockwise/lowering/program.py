"""Lowers a tile program kernel by kernel, and numbers its results.

Kernels may state which of the buffers that they write are results of the program (`Kernel.results`). If no
kernel does, as in most texts written by hand, the results are the written buffers that no later kernel reads,
in order.
"""

from __future__ import annotations

from asmgen.blockwise import actions as ops
from asmgen.blockwise.lowering.kernel import lower_kernel
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.ir.program import Module, Program, Stage
from asmgen.lanewise.records import NO_RESULT
from isa.diagnostics import InputError
from isa.targets import TargetId


def lower(program: TileProgram, target: TargetId) -> Program:
    """The program of stage lanewise. Raises `InputError` BLK003 if no kernel writes a buffer, BLK011
    and BLK012 for a scan and a copy to LDS that no instructions do.
    """
    written = [_outputs(kernel) for kernel in program.kernels]
    is_stated = any(each.results for each in (*program.kernels, *program.relaunches))
    results = _stated(program) if is_stated else _unread(program, written)
    if program.kernels and not results and not is_stated:
        last = program.kernels[-1]
        message = "no kernel of the file writes a buffer, wanted a tile_store: the program has no result"
        raise InputError(last.place or last.name, "BLK003", message)
    modules: list[Module] = []
    for kernel, names in zip(program.kernels, written, strict=True):
        outputs = {name: results.get((kernel.name, name), NO_RESULT) for name in names}
        modules.append(lower_kernel(kernel, target.target, outputs))
    return Program(Stage.LANEWISE, tuple(modules), target, program.relaunches)


def _stated(program: TileProgram) -> dict[tuple[str, str], int]:
    """The number of each result, by the names of the kernel and of the buffer."""
    return {(kernel.name, name): number for kernel in program.kernels for name, number in kernel.results}


def _unread(program: TileProgram, written: list[list[str]]) -> dict[tuple[str, str], int]:
    """The buffers that a kernel writes and no later kernel takes, in the order of the text."""
    found: list[tuple[str, str]] = []
    for kernel, names in zip(program.kernels, written, strict=True):
        read = [name for name in _parameters(kernel) if name not in names]
        found = [(writer, name) for writer, name in found if name not in read]
        passed = _passed(kernel)
        found += [(kernel.name, name) for name in names if name not in passed]
    return {of: number for number, of in enumerate(found)}


def _parameters(kernel: Kernel) -> list[str]:
    return [statement.op.name for statement in kernel.statements if isinstance(statement.op, ops.Parameter)]


def _passed(kernel: Kernel) -> list[str]:
    """The buffers through which the workgroups of a kernel pass tiles."""
    names = {each.result: each.op.name for each in kernel.statements if isinstance(each.op, ops.Parameter)}
    return [names[each.operands[-2]] for each in kernel.walk() if isinstance(each.op, ops.SumParts)]


def _outputs(kernel: Kernel) -> list[str]:
    """The buffers that a kernel writes, or states as results although it has nothing to store, in the order
    of its parameters.
    """
    written = {*[name for name, _ in kernel.results], *_passed(kernel)}
    stored = {statement.operands[1] for statement in kernel.walk() if isinstance(statement.op, ops.TileStore)}
    return [
        statement.op.name
        for statement in kernel.statements
        if isinstance(statement.op, ops.Parameter)
        and (statement.result in stored or statement.op.name in written)
    ]
