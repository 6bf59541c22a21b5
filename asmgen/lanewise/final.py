"""The stage `final`: each op becomes ops that the selector turns into a few instructions.

    y = exp(x) -> f32                 becomes some ten ops, the last of them hw_exp2 and ldexp

Afterwards `asmgen.select` has a record for every op. `asmgen.blockwise.lowering` has put the constant part of
an address into the `offset` of its access, in bytes.

An atomic operation on floats that the target lacks becomes a loop around compare and swap. The first compare
and swap, of 0 with 0, changes nothing and returns the number in memory. Each trip combines that with the
operand and writes the result, if no other lane has written there meanwhile. Otherwise the next trip begins
with the number that the other lane wrote.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import ADD, COMBINES, LITERAL
from asmgen.ir.program import Attribute, Module, Program, Stage, Statement, Value
from asmgen.ir.types import BOOL, F32, U32, U64, LaneType
from asmgen.lanewise.atomic_ops import (
    ATOMIC,
    COMPARE_SWAP,
    LDS_ATOMIC,
    LDS_COMPARE_SWAP,
    row_name,
)
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.joined_loads import join_loads
from asmgen.lanewise.late_choices import choose_late
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.math.expand import expand_by
from asmgen.lanewise.math.tables import Expansions
from asmgen.lanewise.ops import FOR, IF, LDS_LOAD, LOADS, STORES
from asmgen.lanewise.records import Atomic
from asmgen.lanewise.result_types import LANES_OF_ROW
from asmgen.trace import OFF, Trace
from isa.table import Table, table_of
from isa.target import WIDEST_ACCESS
from isa.targets import TargetId

_EXTREME_WITH_NAN = "v_maximum3_f32"
_OF_LANES = "v_maximum_f32"
_SWAPS = {ATOMIC: COMPARE_SWAP, LDS_ATOMIC: LDS_COMPARE_SWAP}
_COMBINES = {"add": COMBINES["sum"], "min": COMBINES["min"], "max": COMBINES["max"]}


def final(program: Program, target: TargetId, options: MathOptions, trace: Trace = OFF) -> Program:
    machine = target.target
    keeps_nan, of_lanes = (
        table_of(machine).find(name) is not None for name in (_EXTREME_WITH_NAN, _OF_LANES)
    )
    of_target = options._replace(
        wave=machine.wave_size, slow_f64=machine.slow_f64, keeps_nan=keeps_nan, keeps_nan_of_lanes=of_lanes
    )
    modules: list[Module] = []
    for module in program.modules:
        whole = choose_late(_with_whole_trips(module, machine.wave_size))
        joined = _with_atomics(_with_joined_stores(join_loads(_with_offsets(whole))), target)
        expanded = expand_module(joined, of_target, trace, machine)
        modules.append(_with_merged_branches(_with_row_loads(expanded)))
    return Program(Stage.FINAL, tuple(modules), target, program.relaunches)


def _with_whole_trips(module: Module, wave: int) -> Module:
    """The module with loops for the trips of all lanes (`whole_trips`), if it has a loop."""
    if not any(statement.op is FOR for statement in module.walk()):
        return module
    from asmgen.lanewise.whole_trips import make_whole_trips

    return make_whole_trips(module, wave)


def _with_offsets(module: Module) -> Module:
    """The module with constant parts of indices in offsets (`constant_parts`), if an index is a sum with a
    constant."""
    statements = list(module.walk())
    literals = {statement.result for statement in statements if statement.op is LITERAL}
    sums = {
        statement.result
        for statement in statements
        if statement.op is ADD and not literals.isdisjoint(statement.operands)
    }
    accesses = LOADS | STORES
    if not any(each.op in accesses and each.operands[1] in sums for each in statements):
        return module
    from asmgen.lanewise.constant_parts import move_constant_parts

    return move_constant_parts(module)


def _with_joined_stores(module: Module) -> Module:
    """The module with stores to neighbours joined (`joined_stores`), if several of less than an access have
    an index in common.
    """
    stores = [each.operands[:2] for each in module.walk() if each.op in STORES and _is_narrow(each)]
    if len(stores) == len(set(stores)):
        return module
    from asmgen.lanewise.joined_stores import join_stores

    return join_stores(module)


def _is_narrow(store: Statement) -> bool:
    type_ = store.operands[2].type
    return isinstance(type_, LaneType) and type_.lanes * type_.element.bytes < WIDEST_ACCESS


def _with_row_loads(module: Module) -> Module:
    """The module with loads that rows of lanes share (`row_loads`), if it has enough loads for a row."""
    if sum(statement.op is LDS_LOAD for statement in module.walk()) < LANES_OF_ROW:
        return module
    from asmgen.lanewise.row_loads import share_row_loads

    return share_row_loads(module)


def _with_merged_branches(module: Module) -> Module:
    """The module with branches merged (`merged_branches`), if several have the same condition."""
    conditions = [each.operands for each in module.walk() if each.op is IF]
    if len(conditions) == len(set(conditions)):
        return module
    from asmgen.lanewise.merged_branches import merge_branches

    return merge_branches(module)


def _with_atomics(module: Module, target: TargetId) -> Module:
    """The module with loops for the atomic operations that the target does not have."""
    if not any(statement.op in _SWAPS for statement in module.walk()):
        return module
    expansion = _expansion(table_of(target.target))
    wanted: Expansions = {(op, name, name): expansion for op in _SWAPS for name in ("f32", "f64")}
    return expand_by(module, wanted)


def _expansion(table: Table) -> Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]:
    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        kind, element = Atomic.of(statement).op, statement.result.type.element
        if table.find(row_name(statement.op, kind, element)) is not None:
            (result,) = builder.apply(statement.op, operands, statement.attributes)
            return result
        return _loop(builder, operands, statement)

    return expand


def _loop(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    buffer, index, number = operands
    bits = U32 if statement.result.type.element is F32 else U64
    combine = _COMBINES[Atomic.of(statement).op]
    attributes = {name: value for name, value in statement.attributes.items() if name != "op"}
    swap = _SWAPS[statement.op]

    def swapped(expected: Value, new: Value, given: dict[str, Attribute]) -> Value:
        (old,) = builder.apply(swap, (buffer, index, expected, new), given)
        return old

    def trip(carried: tuple[Value, ...]) -> tuple[Value, ...]:
        old = swapped(carried[0], builder.value(combine, carried[0], number), attributes)
        return old, builder.not_equal(builder.bit_cast(old, bits), builder.bit_cast(carried[0], bits))

    zero = builder.like(0, number)
    first = swapped(zero, zero, {**attributes, "order": "relaxed"})
    return builder.while_((first, builder.constant(True, BOOL)), lambda carried: carried[1], trip)[0]
