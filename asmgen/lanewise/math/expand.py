"""The arithmetic of stage `final`: known forms are rewritten, multiplies and adds are contracted, functions
are expanded, and statements that nothing reads any more are removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from asmgen.graph.ops import CONVERT, EQUAL, GREATER, LESS, PARAM
from asmgen.graph.rounded import ROUNDED_FUNCTIONS
from asmgen.ir.program import Attribute, Module, Op, Region, Statement, Value
from asmgen.ir.types import BOOL, F16, F32, HALVES, I32, U32, ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.clamps import clamp
from asmgen.lanewise.math.cleanup import remove_dead, share_equal
from asmgen.lanewise.math.rewrite import rewrite
from asmgen.lanewise.math.tables import Expansions, expansion_of, expansions
from asmgen.lanewise.ops import GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL
from asmgen.lanewise.reduction_ops import LANE_REDUCE
from asmgen.options import MathOptions
from asmgen.trace import OFF, Trace
from isa.targets import Target

if TYPE_CHECKING:
    from asmgen.lanewise.math.narrow.packed import Halves, Shorts

_ROUNDED = frozenset(ROUNDED_FUNCTIONS.values())
_COMPARISONS = frozenset({EQUAL, LESS, GREATER, NOT_EQUAL, LESS_EQUAL, GREATER_EQUAL})
_WORDS = (I32, U32)
_OF_UNITS = (F32, U32, BOOL, I32, F16)


def expand_module(
    module: Module, options: MathOptions, trace: Trace = OFF, target: Target | None = None
) -> Module:
    """A module of the same meaning with arithmetic in `final`'s set; errors stay within docs/numerics.md.

    Source-level multiplies and adds are contracted to fma if `options.contract`; an expansion's own
    arithmetic never is. Conversions of small floats are expanded if `target` is given and has no instruction
    for them.
    """
    if target is not None and _reduces_pairs(module, options.fast):
        from asmgen.lanewise.math.dots import with_dots

        module = with_dots(module, target, options.fast)
    whole = clamp(rewrite(module, options))
    expanded = _Expander(whole, _table(module, options), _packed_arithmetic(whole, options)).module()
    if target is not None and _has_bytes(expanded):
        from asmgen.lanewise.math.narrow.conversions import without_instructions

        expanded = expand_by(expanded, without_instructions(target))
    return _by_differences(remove_dead(share_equal(expanded, trace)))


def _by_differences(module: Module) -> Module:
    """The module with comparisons of sums as those of differences, if it compares a word several times."""
    words = [
        each for each in module.walk() if each.op in _COMPARISONS and each.operands[0].type.element in _WORDS
    ]
    operands = [operand for each in words for operand in each.operands]
    if len(operands) == len(set(operands)):
        return module
    from asmgen.lanewise.math.differences import with_differences

    compared = with_differences(module)
    return module if compared is module else remove_dead(share_equal(compared))


def _reduces_pairs(module: Module, is_fast: bool) -> bool:
    """Whether a module reduces numbers of a lane, and widens f16, or with fast math bf16."""
    narrow = HALVES if is_fast else (F16,)
    reduces = widens = False
    for each in module.walk():
        reduces |= each.op is LANE_REDUCE
        widens |= each.op is CONVERT and each.operands[0].type.element in narrow
    return reduces and widens


def expand_by(module: Module, table: Expansions) -> Module:
    """A module in which the statements of a table are expanded, and nothing else is done."""
    return _Expander(module, table).module()


def expansions_for(module: Module, options: MathOptions, target: Target) -> Expansions:
    """The expansions of a module's ops, with the conversions of 8-bit floats that the target lacks."""
    table = _table(module, options)
    if not _has_bytes(module):
        return table
    from asmgen.lanewise.math.narrow.conversions import without_instructions

    return table | without_instructions(target)


def _table(module: Module, options: MathOptions) -> Expansions:
    table, has_other_widths = expansions(options), _has_other_widths(module)
    if has_other_widths or any(statement.op in _ROUNDED for statement in module.walk()):
        from asmgen.lanewise.math.rounded_tables import rounded_expansions

        table = table | rounded_expansions(options)
    if not has_other_widths:
        return table
    from asmgen.lanewise.math.narrow.tables import narrow
    from asmgen.lanewise.math.wide.tables import WIDE, WIDE_NAN_PROPAGATES, over_lanes

    is_nan_kept = options.nan == "propagate"
    whole = table | WIDE | (WIDE_NAN_PROPAGATES if is_nan_kept else {})
    whole |= over_lanes(options.wave, is_nan_kept)
    return whole | narrow(whole)


def _has_other_widths(module: Module) -> bool:
    """Whether a lane value has elements that do not have the size of a register: of 64 bits, or integers of 8
    and 16."""
    return any(element not in _OF_UNITS for element in _lane_elements(module))


def _lane_elements(module: Module) -> set[ElementType]:
    """The element types of the lane values."""
    elements = set[ElementType]()
    for statement in module.walk():
        for value in statement.results:
            if isinstance(value.type, LaneType):
                elements.add(value.type.element)
        for region in statement.regions:
            elements |= {each.type.element for each in region.parameters if isinstance(each.type, LaneType)}
    return elements


def _packed_arithmetic(module: Module, options: MathOptions) -> list[Halves | Shorts]:
    """The arithmetic of narrow types, for the types that something is converted to."""
    elements = {statement.result.type.element for statement in module.walk() if statement.op is CONVERT}
    if not any(element.bits < F32.bits for element in elements):
        return []
    from asmgen.lanewise.math.narrow.packed import Halves, Shorts, is_short

    packed: list[Halves | Shorts] = [Halves(module, options)] if F16 in elements else []
    if any(is_short(element) for element in elements):
        packed.append(Shorts(module))
    return packed


def _has_bytes(module: Module) -> bool:
    """Whether a lane value is a float of 8 bits."""
    return any(element.is_float and element.bits < F16.bits for element in _lane_elements(module))


class _Expander:
    """Copies a module statement by statement, and expands the statements in the table."""

    def __init__(
        self,
        module: Module,
        table: Expansions,
        packed: Sequence[Halves | Shorts] = (),
    ) -> None:
        self._source = module
        self._table = table
        self._packed = packed
        self._values: dict[Value, Value] = {}
        self._builder = LaneBuilder(_kept_names(module, table))

    def module(self) -> Module:
        self._copy(self._source.statements)
        return self._builder.module(self._source.name)

    def _copy(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            packed = next((packed for packed in self._packed if packed.starts(statement)), None)
            if packed is not None:
                with self._builder.at(statement):
                    self._values[statement.result] = packed.put(self._builder, statement, self._values)
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


@cache
def statements_of(
    op: Op,
    operands: tuple[ElementType, ...],
    result: ElementType,
    attributes: tuple[tuple[str, Attribute], ...],
    target: Target,
) -> int:
    """Statements of `final` for a pointwise op, each of 64 bits counted twice."""
    values = tuple([Value(f"x{number}", LaneType(element)) for number, element in enumerate(operands)])
    given = [Statement(PARAM, (), (value,), {"name": value.name}) for value in values]
    statement = Statement(op, values, (Value("y", LaneType(result)),), dict(attributes))
    module = Module("cost", (*given, statement))
    expanded = expand_by(module, expansions_for(module, MathOptions(), target))
    words = max([element.bits for element in (*operands, result)]) // F32.bits
    return (len(list(expanded.walk())) - len(given)) * max(1, words)
