"""The stage `final`: each op becomes ops that the selector turns into one or a few instructions.

    y = exp(x) -> f32                 becomes some ten ops, the last of them hw_exp2 and ldexp

Afterwards `asmgen.select` has a record for every op. The constant part of an address is in the `offset` of
its access, in bytes, where `asmgen.blockwise.lowering` has put it.
"""

from __future__ import annotations

from asmgen.ir.program import Module, Program, Stage
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.trace import OFF, Trace
from isa.targets import TargetId


def final(program: Program, target: TargetId, options: MathOptions, trace: Trace = OFF) -> Program:
    of_target = options._replace(wave=target.target.wave_size)
    modules = tuple(
        expand_module(_with_atomics(module, target), of_target, trace, target.target)
        for module in program.modules
    )
    return Program(Stage.FINAL, modules, target)


def _with_atomics(module: Module, target: TargetId) -> Module:
    """The atomic operations that the target has, and loops for the others."""
    if not any(statement.op in ATOMIC_OPS for statement in module.walk()):
        return module
    from asmgen.lanewise.atomics import expand_atomics
    from isa.table import table_of

    return expand_atomics(module, table_of(target.target))
