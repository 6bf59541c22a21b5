"""The arithmetic of stage `final`: known forms are rewritten, multiplies and adds are contracted, functions
are expanded, and statements that nothing reads any more are removed.
"""

from __future__ import annotations

from asmgen.graph.ops import CONVERT
from asmgen.ir.program import Module, Region, Statement, Value
from asmgen.ir.types import BOOL, F16, F32, I32, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.clamps import clamp
from asmgen.lanewise.math.cleanup import remove_dead, share_equal
from asmgen.lanewise.math.narrow.halves import Halves
from asmgen.lanewise.math.narrow.shorts import Shorts, is_short
from asmgen.lanewise.math.options import MathOptions
from asmgen.lanewise.math.rewrite import rewrite
from asmgen.lanewise.math.tables import Expansions, expansion_of, expansions
from asmgen.trace import OFF, Trace
from isa.targets import Target

_OF_UNITS = (F32, U32, BOOL, I32, F16)


def expand_module(
    module: Module, options: MathOptions, trace: Trace = OFF, target: Target | None = None
) -> Module:
    """A module of the same meaning whose arithmetic is in `final`'s set; errors stay within docs/numerics.md.

    Source-level multiplies and adds are contracted to fma if `options.contract`; an expansion's own
    arithmetic never is. Conversions of small floats are expanded where `target`, if it is given, has no
    instruction for them.
    """
    whole = clamp(rewrite(module, options))
    halves = Halves(whole, options) if _rounds_to_halves(whole) else None
    shorts = Shorts(whole) if _cuts_integers(whole) else None
    expanded = _Expander(whole, _table(module, options), halves, shorts).module()
    if target is not None and _has_bytes(expanded):
        from asmgen.lanewise.math.narrow.small_floats import without_instructions

        expanded = expand_by(expanded, without_instructions(target))
    return remove_dead(share_equal(expanded, trace))


def expand_by(module: Module, table: Expansions) -> Module:
    """A module in which the statements of a table are expanded, and nothing else is done."""
    return _Expander(module, table).module()


def expansions_for(module: Module, options: MathOptions, target: Target) -> Expansions:
    """The expansions of a module's ops, with the conversions of 8-bit floats that the target lacks."""
    table = _table(module, options)
    if not _has_bytes(module):
        return table
    from asmgen.lanewise.math.narrow.small_floats import without_instructions

    return table | without_instructions(target)


def _table(module: Module, options: MathOptions) -> Expansions:
    table = expansions(options)
    if not _has_other_widths(module):
        return table
    from asmgen.lanewise.math.narrow.tables import narrow
    from asmgen.lanewise.math.wide.tables import WIDE, WIDE_NAN_PROPAGATES, over_lanes

    is_nan_kept = options.nan == "propagate"
    whole = table | WIDE | (WIDE_NAN_PROPAGATES if is_nan_kept else {})
    whole |= over_lanes(options.wave, is_nan_kept)
    return whole | narrow(whole)


def _has_other_widths(module: Module) -> bool:
    """Whether the elements of a lane value do not have the size of a register: those of 64 bits, and integers
    of 8 and 16.
    """
    return any(
        isinstance(value.type, LaneType) and value.type.element not in _OF_UNITS
        for statement in module.walk()
        for value in statement.results
    )


def _rounds_to_halves(module: Module) -> bool:
    """Whether something is converted to f16."""
    return any(
        statement.op is CONVERT and statement.result.type.element is F16 for statement in module.walk()
    )


def _cuts_integers(module: Module) -> bool:
    """Whether something is converted to integers of 8 or 16 bits."""
    return any(
        statement.op is CONVERT and is_short(statement.result.type.element) for statement in module.walk()
    )


def _has_bytes(module: Module) -> bool:
    """Whether a lane value is a float of 8 bits."""
    return any(
        value.type.element.is_float and value.type.element.bits < F16.bits
        for statement in module.walk()
        for value in statement.results
    )


class _Expander:
    """Copies a module statement by statement, those in the table by their expansion."""

    def __init__(
        self,
        module: Module,
        table: Expansions,
        halves: Halves | None = None,
        shorts: Shorts | None = None,
    ) -> None:
        self._source = module
        self._table = table
        self._halves = halves
        self._shorts = shorts
        self._values: dict[Value, Value] = {}
        self._builder = LaneBuilder(_kept_names(module, table))

    def module(self) -> Module:
        self._copy(self._source.statements)
        return self._builder.module(self._source.name)

    def _copy(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            if self._halves is not None and self._halves.starts(statement):
                with self._builder.at(statement):
                    packed = self._halves.put(self._builder, statement.operands[0], self._values)
                self._values[statement.result] = packed
                continue
            if self._shorts is not None and self._shorts.starts(statement):
                with self._builder.at(statement):
                    self._values[statement.result] = self._shorts.put(self._builder, statement, self._values)
                continue
            expansion = expansion_of(self._table, statement)
            operands = tuple([self._values.get(operand, operand) for operand in statement.operands])
            if expansion is None:
                self._builder.append(self._copied(statement, operands))
                continue
            with self._builder.at(statement):
                self._values[statement.result] = expansion(self._builder, operands, statement)

    def _copied(self, statement: Statement, operands: tuple[Value, ...]) -> Statement:
        if not statement.regions and operands == statement.operands:
            return statement
        regions = tuple([Region(region.parameters, self._region(region)) for region in statement.regions])
        return Statement(
            statement.op, operands, statement.results, statement.attributes, regions, statement.place
        )

    def _region(self, region: Region) -> tuple[Statement, ...]:
        with self._builder.nested() as statements:
            self._copy(region.statements)
        return tuple(statements)


def _kept_names(module: Module, table: Expansions) -> list[str]:
    names: list[str] = []
    for statement in module.walk():
        names += [parameter.name for region in statement.regions for parameter in region.parameters]
        if expansion_of(table, statement) is None:
            names += [result.name for result in statement.results]
    return names
