"""Cleaning up after a rewriting: equal statements are merged, and dead statements are removed.

Equal loads are merged too, if the kernel never writes the buffer. A load after a loop or in it stays: the
result of the load before the loop would take registers in all trips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from asmgen.ir.program import Module, Op, Region, Statement, Value, with_regions
from asmgen.ir.types import TensorType, ValueType
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.ops import LOAD_FENCES, LOADS, STORES
from asmgen.trace import OFF, Channel, Trace

_WRITES = STORES | GLOBAL_ATOMICS
_Key = tuple[Op, tuple[Value, ...], tuple[tuple[str, str], ...], tuple[ValueType, ...]]


def share_equal(module: Module, trace: Trace = OFF) -> Module:
    """Merge pure statements and loads with equal op, operands and attributes, if the first is visible to the
    others."""
    replaced: dict[Value, Value] = {}
    shared = Module(module.name, _share(module.statements, replaced, {}, written_buffers(module)))
    trace.tell(Channel.CSE, sharings, module, replaced)
    return shared


def written_buffers(module: Module) -> frozenset[Value]:
    """The buffers in memory that a kernel writes."""
    return frozenset([each.operands[0] for each in module.walk() if each.op in _WRITES])


def _share(
    statements: tuple[Statement, ...],
    replaced: dict[Value, Value],
    outside: dict[_Key, Statement],
    written: frozenset[Value],
) -> tuple[Statement, ...]:
    known, loaded = dict(outside), dict[_Key, Statement]()
    kept: list[Statement] = []
    for statement in statements:
        current = _renamed(statement, replaced)
        if current.regions:
            regions = tuple(
                Region(region.parameters, _share(region.statements, replaced, known, written))
                for region in current.regions
            )
            current = Statement(
                current.op, current.operands, current.results, current.attributes, regions, current.place
            )
        is_load = current.op in LOADS and current.operands[0] not in written
        if is_load or is_pure(current):
            key = _key(current)
            earlier = (loaded if is_load else known).setdefault(key, current)
            if earlier is not current:
                replaced.update(zip(current.results, earlier.results, strict=True))
                continue
        elif current.op in LOAD_FENCES or current.op.carried_from is not None:
            loaded.clear()
        kept.append(current)
    return tuple(kept)


def _renamed(statement: Statement, replaced: dict[Value, Value]) -> Statement:
    if replaced.keys().isdisjoint(statement.operands):
        return statement
    operands = tuple(replaced.get(operand, operand) for operand in statement.operands)
    return Statement(
        statement.op, operands, statement.results, statement.attributes, statement.regions, statement.place
    )


def is_pure(statement: Statement) -> bool:
    """Whether the results follow from the operands alone: nothing is written, and no memory is read."""
    if statement.op.effects or statement.regions:
        return False
    return TensorType not in [type(value.type) for value in (*statement.operands, *statement.results)]


def _key(statement: Statement) -> _Key:
    operands = statement.operands
    if statement.op.commutes and operands[0].name > operands[1].name:
        operands = (operands[1], operands[0], *operands[2:])
    attributes: tuple[tuple[str, str], ...] = ()
    if statement.attributes:
        # repr tells 0.0 from -0.0 and 1 from 1.0 and true, and finds nan equal to itself
        attributes = tuple([(name, repr(value)) for name, value in statement.attributes.items()])
    return statement.op, operands, attributes, tuple([result.type for result in statement.results])


def remove_dead(module: Module) -> Module:
    """Without the statements that have no effect and no reader."""
    return Module(module.name, _live(module.statements, set()))


def _live(statements: tuple[Statement, ...], read: set[Value]) -> tuple[Statement, ...]:
    kept: list[Statement] = []
    for statement in reversed(statements):
        if not statement.op.effects and read.isdisjoint(statement.results):
            continue
        if statement.regions:
            statement = with_regions(statement, lambda inner: _live(inner, read))
        kept.append(statement)
        read.update(statement.operands)
    return tuple(reversed(kept))


def sharings(module: Module, replaced: Mapping[Value, Value]) -> Iterator[str]:
    """Lines of `--trace`: the statements of `module` that are replaced by equal statements before them."""
    from asmgen.graph.printer import print_statement

    definitions = {result: statement for statement in module.walk() for result in statement.results}
    for statement in module.walk():
        for result in statement.results:
            earlier = replaced.get(result)
            if earlier is not None:
                first = f"{earlier.name}{_source(definitions[earlier])}"
                yield f"{module.name}: {print_statement(statement)}{_source(statement)} is {first}"


def _source(statement: Statement) -> str:
    return f" at {statement.place}" if statement.place is not None else ""
