"""Reads the regions of a statement: `if(c) { ... yield(x) } { ... yield(y) }`."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.gentext.names import Names
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import RETURN
from asmgen.ir.program import Op, Region, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import BOOL, LaneType, ValueType
from asmgen.text.cursor import Cursor, counted

_DEEPEST = 64  # regions in regions


class RegionReader:
    """`statement` reads the next statement, which may have regions itself."""

    def __init__(self, cursor: Cursor, statement: Callable[[], None]) -> None:
        self._cursor = cursor
        self._statement = statement
        self._depth = 0

    def read(
        self,
        op: Op,
        operands: tuple[Value, ...],
        inferred: tuple[ValueType, ...],
        names: Names,
        builder: GraphBuilder,
    ) -> tuple[tuple[Region, ...], tuple[ValueType, ...]]:
        """The regions of a statement and the types that they yield: for a loop the inferred types, else those
        of the first region. GEN019 if they differ from the op's row."""
        cursor = self._cursor
        regions: list[Region] = []
        wanted = inferred
        while cursor.at("{") or cursor.at("("):
            opening = cursor.peek()
            if len(regions) == op.regions:
                message = f"{op.name} has {counted(op.regions, 'region')}, wanted no more"
                cursor.fail(opening, "GEN019", message)
            regions.append(self._region(op, operands, names, builder))
            yielded = tuple([value.type for value in regions[-1].statements[-1].operands])
            if len(regions) == 1 and op.carried_from is None:
                wanted = yielded
            due = (LaneType(BOOL),) if op.tests_first and len(regions) == 1 else wanted
            if yielded != due:
                got, want = (", ".join(map(format_type, types)) or "nothing" for types in (yielded, due))
                cursor.fail(opening, "GEN019", f"the region yields {got}, wanted {want}")
        least = op.regions if wanted or op.tests_first else 1
        if len(regions) < least:
            missing = f"got {cursor.peek()} after {counted(len(regions), 'region')} of {op.name}"
            cursor.fail(cursor.peek(), "GEN019", f"{missing}, wanted {least}")
        return tuple(regions), wanted

    def _region(self, op: Op, operands: tuple[Value, ...], names: Names, builder: GraphBuilder) -> Region:
        cursor = self._cursor
        if self._depth == _DEEPEST:
            message = f"regions are nested more than {_DEEPEST} deep, wanted fewer"
            cursor.fail(cursor.peek(), "GEN019", message)
        self._depth += 1
        outer_scope, names.scope = names.scope, dict(names.scope)
        parameters = self._parameters(op, operands, names)
        _ = cursor.expect("{")
        cursor.skip_newlines()
        with builder.nested() as made:
            while not cursor.at("}"):
                if cursor.at_end() or cursor.at("@", RETURN.name[1:]):
                    message = f"got {cursor.peek()}, wanted '}}' of the region of {op.name}"
                    cursor.fail(cursor.peek(), "GEN019", message)
                self._statement()
        closing = cursor.next()
        statements = tuple(made)
        ends = [statement.op.ends_region for statement in statements]
        if not ends or not ends[-1] or any(ends[:-1]):
            message = f"the region of {op.name} does not end in its only yield"
            cursor.fail(closing, "GEN019", f"{message}, wanted 'yield(...)' as the last statement")
        names.scope = outer_scope
        self._depth -= 1
        return Region(parameters, statements)

    def _parameters(self, op: Op, operands: tuple[Value, ...], names: Names) -> tuple[Value, ...]:
        """The counter and the carried values of a loop, under the names that the region gives them."""
        cursor = self._cursor
        opening = cursor.peek()
        tokens = (
            cursor.listed("(", ")", lambda: cursor.identifier("a parameter's name")) if cursor.at("(") else []
        )
        types: tuple[ValueType, ...] = ()
        if op.carried_from is not None:
            passed = (*operands[: op.has_counter], *operands[op.carried_from :])
            types = tuple([value.type for value in passed])
        if len(tokens) != len(types):
            message = f"the region has {counted(len(tokens), 'parameter')}, wanted {len(types)}"
            cursor.fail(opening, "GEN019", message)
        parameters = tuple([Value(token.text, type_) for token, type_ in zip(tokens, types, strict=True)])
        names.define(tokens, parameters)
        return parameters
