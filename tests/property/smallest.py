"""A graph on which something fails, made as small as it still fails: as gen text, to be put into a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM, RETURN
from asmgen.graph.printer import print_program
from asmgen.graph.reference import evaluate
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Module, Program, Stage, Statement, Value
from tests.property.graphs import Array, RandomGraph
from tests.property.shrinking import FAILURES

Check = Callable[[RandomGraph], Any]


def raise_smallest(graph: RandomGraph, check: Check) -> None:
    """Run `check`; if it fails, raise its error for the smallest graph that the search finds, with the text
    of the graph as a note.
    """
    failure = _failure(graph, check)
    if failure is None:
        return
    small = _smallest(graph, check)
    again = _failure(small, check) or failure
    again.add_note(f"the smallest graph that fails so, of seed {graph.seed}:\n{small.text}")
    raise again


def _smallest(graph: RandomGraph, check: Check) -> RandomGraph:
    """The first value that fails alone, and as much as can be given instead of computed before it."""
    statements = parse(graph.text, "graph.gen").modules[0].statements
    found = graph
    for statement in statements[:-1]:
        if statement.operands:
            alone = _returning(graph, statements, statement.result)
            if _failure(alone, check) is not None:
                found = alone
                break
    number = 0
    while True:
        statements = parse(found.text, "graph.gen").modules[0].statements
        computed = [each for each in statements[:-1] if each.operands and each.result not in statements[-1].operands]
        if number >= len(computed):
            return found
        given = _given(found, statements, computed[-1 - number])
        if _failure(given, check) is not None:
            found, number = given, 0
        else:
            number += 1


def _failure(graph: RandomGraph, check: Check) -> Exception | None:
    try:
        _ = check(graph)
    except FAILURES as failure:
        return failure
    return None


def _returning(graph: RandomGraph, statements: Sequence[Statement], value: Value) -> RandomGraph:
    """The graph with one result, and what that is made of."""
    return _kept(graph, [*statements[:-1], Statement(RETURN, (value,))], graph.inputs)


def _given(graph: RandomGraph, statements: Sequence[Statement], computed: Statement) -> RandomGraph:
    """The graph with a parameter in the place of a statement, as the reference computes it."""
    inner = _returning(graph, statements, computed.result)
    (range_,) = evaluate(parse(inner.text, "graph.gen"), inner.inputs)
    with np.errstate(all="ignore"):
        array = np.asarray(range_.value).astype(numpy_dtype(computed.result.type.element))
    param = Statement(PARAM, (), (computed.result,), {"name": f"given_{computed.result.name}"})
    changed = [param if each is computed else each for each in statements]
    before = sum(each.op is PARAM for each in statements[: statements.index(computed)])
    return _kept(graph, changed, [*graph.inputs[:before], array, *graph.inputs[before:]])


def _kept(graph: RandomGraph, statements: Sequence[Statement], inputs: Sequence[Array]) -> RandomGraph:
    """Without what feeds no result, arguments among it."""
    needed: set[Value] = set()
    kept: list[Statement] = []
    for statement in reversed(statements):
        if statement.op is RETURN or not needed.isdisjoint(statement.results):
            kept.append(statement)
            needed.update(statement.operands)
    arrays = dict(zip([each for each in statements if each.op is PARAM], inputs, strict=True))
    module = Module("graph", tuple(reversed(kept)))
    given = [arrays[each] for each in module.statements if each.op is PARAM]
    return replace(graph, text=print_program(Program(Stage.GRAPH, (module,))), inputs=given)
