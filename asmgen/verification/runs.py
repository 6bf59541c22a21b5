"""Comparing a program with the float64 reference of a graph: run it on inputs, compare each output, keep the
worst.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from asmgen.graph.array_sizes import sizes_of
from asmgen.graph.at_sizes import at_sizes, is_named
from asmgen.graph.ops import BROADCAST, CONTIGUOUS, GRAPH_OPS, MULTIBROADCAST, PARAM
from asmgen.graph.reference import Comparison, FloatRange, Range, Rules, compare, evaluate
from asmgen.graph.reference.rounding import ulp
from asmgen.graph.rounded import function_of
from asmgen.index.size import number
from asmgen.ir.arrays import Array
from asmgen.ir.program import Program, Statement, tensor_type
from asmgen.runtime.calls import Signature
from asmgen.verification.inputs import Inputs
from asmgen.verification.report import OutputVerdict
from asmgen.verification.settings import Setting
from isa.diagnostics import InputError, InternalError

_LARGEST = 1 << 28  # elements of inputs and outputs together
TOO_LARGE = "VER003"

Run = Callable[[Sequence[Array]], list[Array] | None]
"""The results of a program on the arrays of its parameters; None if the language leaves them open."""


class Way(Struct, frozen=True):
    """A way of running a program, by its name in a report.

    The results may differ from the bounds of the graph by `slack` units in the last place: a graph has the
    error of its formulas, and another way has that of its own. `reads_source` marks a way that reads the
    source of the graph: it takes patterns too, which show equal numbers and places of elements. `is_once`
    marks a way that differs from the plainest before it loads an element: the first inputs suffice.
    """

    name: str
    run: Run
    slack: float = 0
    reads_source: bool = False
    is_once: bool = False


class Subject(Struct, frozen=True):
    """A program to compare with a graph: the ways to run it, the plainest first, and the errors that it may
    have."""

    graph: Program
    rules: Rules
    ways: tuple[Way, ...]


class Outcome(Struct, frozen=True):
    """An output of a run, compared with the reference; `run` names the inputs and the way."""

    output: str
    run: str
    comparison: Comparison


def outcomes(subject: Subject, inputs: Sequence[Inputs]) -> Iterator[list[Outcome]]:
    """Every run of a subject, each with its outputs in `@return` order. Patterns are run only in the plainest
    way, and in those that read the source.

    The caller may stop iterating; later runs are then not made. `InternalError` if a run gives another number
    of results than the graph has: the compiler lost a result.
    """
    names = [value.name for module in subject.graph.modules for value in module.statements[-1].operands]
    for turn, given in enumerate(inputs):
        expected = evaluate(graph_for(subject.graph, given.arrays), given.arrays, subject.rules)
        patterned = [way for number, way in enumerate(subject.ways) if not number or way.reads_source]
        for way in subject.ways if given.in_every_setting else patterned:
            if way.is_once and turn:
                continue
            label = f"{given.name}; {way.name}"
            results = way.run(given.arrays)
            if results is None:
                continue
            if len(results) != len(names):
                raise InternalError(
                    "verification", label, f"the kernels gave {len(results)} results, wanted {len(names)}"
                )
            allowed = expected if not way.slack else [_widened(each, way.slack) for each in expected]
            compared = map(compare, allowed, results)
            yield [Outcome(name, label, comparison) for name, comparison in zip(names, compared, strict=True)]


def _widened(expected: Range, slack: float) -> Range:
    """A range of floats with `slack` units in the last place more at each end; any other range as it is."""
    if not isinstance(expected, FloatRange):
        return expected
    unit = slack * ulp(expected.value, expected.element)
    unit, free = np.where(np.isfinite(unit), unit, 0.0), np.ones_like(expected.free_zero)
    return replace(expected, low=expected.low - unit, high=expected.high + unit, free_zero=free)


def graph_for(graph: Program, arrays: Sequence[Array]) -> Program:
    """The graph at the sizes of arrays for its parameters."""
    if not is_named(graph):
        return graph
    parameters = [s for module in graph.modules for s in module.statements if s.op is PARAM]
    return at_sizes(graph, sizes_of(parameters, [array.shape for array in arrays]))


def up_to_a_fault(runs: Iterable[list[Outcome]], bounds_hold: bool) -> list[list[Outcome]]:
    """The runs up to and including the first that breaks a bound: a single fault is enough, and the others
    take time."""
    kept: list[list[Outcome]] = []
    for run in runs:
        kept.append(run)
        if bounds_hold and any(outcome.comparison.is_broken for outcome in run):
            break
    return kept


def worst(
    outcomes_of_runs: Sequence[Sequence[Outcome]], bounds_hold: bool, graph: Program
) -> tuple[OutputVerdict, ...]:
    """For each output the run with the most elements outside their bounds, else the run that needed most of
    its allowance."""
    ops = tuple(dict.fromkeys(s.op.name for module in graph.modules for s in module.statements if _rounds(s)))
    checks: list[OutputVerdict] = []
    for runs in zip(*outcomes_of_runs, strict=True):
        outcome = max(
            runs, key=lambda run: (run.comparison.is_broken, run.comparison.share, run.comparison.broken)
        )
        checks.append(OutputVerdict(outcome.output, outcome.run, outcome.comparison, bounds_hold, ops))
    return tuple(checks)


def _rounds(statement: Statement) -> bool:
    """Whether a statement computes numbers, rather than moving or naming them."""
    op = statement.op
    return (
        function_of(op).name in GRAPH_OPS
        and not op.moves_elements
        and op not in (CONTIGUOUS, BROADCAST, MULTIBROADCAST)
    )


def check_size(signatures: Sequence[Signature]) -> None:
    """`InputError` VER003 if the buffers are too large to emulate."""
    elements = sum(
        number(tensor_type(statement.result).span)
        for signature in signatures
        for statement in signature.buffers
    )
    if elements > _LARGEST:
        raise InputError(
            "--verify",
            TOO_LARGE,
            f"the buffers have {elements} elements, wanted at most {_LARGEST} to emulate",
            help="a smaller shape",
        )


def way_of(setting: Setting, run: Callable[[Sequence[Array], Setting], list[Array]]) -> Way:
    return Way(str(setting), lambda arrays: run(arrays, setting), is_once=setting.entry == "prologue")
