"""The stage `final`: each op becomes ops that the selector turns into one or a few instructions.

    y = exp(x) -> f32                 becomes some ten ops, the last of them hw_exp2 and ldexp
    t = load(x, index + 16)           becomes load[offset=64](x, index)

Afterwards `asmgen.select` has a record for every op, and the constant part of an index is in the `offset` of
its access, in bytes.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.graph.ops import ADD, LITERAL
from asmgen.ir.program import Module, Program, Region, Stage, Statement, Value
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.records import Access, numbers_of
from asmgen.trace import OFF, Trace
from isa.targets import TargetId


def final(program: Program, target: TargetId, options: MathOptions, trace: Trace = OFF) -> Program:
    of_target = options._replace(wave=target.target.wave_size)
    modules = tuple(
        expand_module(_fold_offsets(_with_atomics(module, target)), of_target, trace)
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


def _fold_offsets(module: Module) -> Module:
    defined = {result: statement for statement in module.walk() for result in statement.results}
    return Module(module.name, tuple(_folded(statement, defined) for statement in module.statements))


def _folded(statement: Statement, defined: dict[Value, Statement]) -> Statement:
    if statement.regions:
        regions = tuple(
            Region(region.parameters, tuple(_folded(s, defined) for s in region.statements))
            for region in statement.regions
        )
        return replace(statement, regions=regions)
    if "offset" not in statement.attributes:
        return statement
    buffer, index, *rest = statement.operands
    variable, constant = _split_constant(index, defined)
    if not constant:
        return statement
    attributes = {
        **statement.attributes,
        "offset": Access.of(statement).offset + constant * buffer.type.element.bytes,
    }
    return Statement(
        statement.op, (buffer, variable, *rest), statement.results, attributes, (), statement.place
    )


def _split_constant(index: Value, defined: dict[Value, Statement]) -> tuple[Value, int]:
    """`index` as a value plus a constant; an index never wraps, since it is within its buffer."""
    statement = defined.get(index)
    if statement is None or statement.op is not ADD:
        return index, 0
    variable, constant = statement.operands
    literal = defined.get(constant)
    if literal is None or literal.op is not LITERAL:
        return index, 0
    first = numbers_of(literal)[0]
    return (variable, first) if isinstance(first, int) else (index, 0)
