"""A tile program as what its lanes do.

A buffer that a kernel writes and a later one takes is a temporary of the program, `temporary_N` from here on;
the others that are written are its results, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise import actions as ops
from asmgen.blockwise.lowering.kernel import lower_kernel
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.graph.fuse import TEMPORARY
from asmgen.ir.program import Module, Program, Stage
from isa.targets import TargetId


def lower(program: TileProgram, target: TargetId) -> Program:
    """The program of stage lanewise. Raises `InputError` for what has no lowering."""
    temporaries = _temporaries(program)
    names = {name: f"{TEMPORARY}_{number}" for name, number in temporaries.items()}
    modules: list[Module] = []
    count = 0
    for kernel in program.kernels:
        results: list[int] = []
        for name in _outputs(kernel):
            results.append(-1 - temporaries[name] if name in temporaries else count)
            count += name not in temporaries
        modules.append(
            lower_kernel(kernel, target.target, names, tuple(results) if len(program.kernels) > 1 else ())
        )
    return Program(Stage.LANEWISE, tuple(modules), str(target))


def _temporaries(program: TileProgram) -> dict[str, int]:
    """The number of each buffer that one kernel writes and a later one takes."""
    written: set[str] = set()
    found: dict[str, int] = {}
    for kernel in program.kernels:
        outputs = _outputs(kernel)
        for name in _parameters(kernel):
            if name in written and name not in outputs:
                _ = found.setdefault(name, len(found))
        written |= outputs.keys()
    return found


def _parameters(kernel: Kernel) -> list[str]:
    return [
        statement.action.name
        for statement in kernel.statements
        if isinstance(statement.action, ops.Parameter)
    ]


def _outputs(kernel: Kernel) -> Mapping[str, None]:
    """The buffers that a kernel writes, in the order of its parameters."""
    stored = {
        statement.operands[1] for statement in kernel.walk() if isinstance(statement.action, ops.TileStore)
    }
    return {
        statement.action.name: None
        for statement in kernel.statements
        if isinstance(statement.action, ops.Parameter) and statement.result in stored
    }
