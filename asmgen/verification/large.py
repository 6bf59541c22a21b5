"""A large program: every workgroup runs once, and some run in every setting.

Emulating a whole grid costs little without the sanitizer. So the grid runs once, on inputs of every kind, and
every element of the results is compared. Then some workgroups run with the sanitizer, in every setting
(`asmgen.verification.settings`). If several kernels run, all workgroups run in every setting: a kernel reads
the results of the kernel before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from asmgen.compiled import CompiledProgram
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import Comparison, Range, compare, evaluate
from asmgen.graph.reference.compare import moved, worse
from asmgen.graph.reference.ranges import Rules, cut_range, joined, part, rearranged
from asmgen.ir.arrays import Array
from asmgen.ir.program import Program, Statement, Value, tensor_type
from asmgen.ir.types import tensor
from asmgen.verification.factors import long_factors
from asmgen.verification.inputs import (
    Inputs,
    few_inputs,
    mixed_inputs,
    ordinary_inputs,
    peaks_and_troughs,
    spread_inputs,
)
from asmgen.verification.period import Repeated, moves_alone, only_adds, repeated
from asmgen.verification.runs import Outcome
from asmgen.verification.settings import Sampling, Setting

_EVERY_KIND = "every kind of input"
LARGE = 1 << 17  # elements of parameters and results from which a program is large

Progress = Callable[[int, int], None]
Run = Callable[[Sequence[Array], Setting], list[Array]]


class Case(Struct, frozen=True):
    """Inputs, the reference with its bounds, and for each result the axis along which it repeats."""

    given: Inputs
    expected: list[Range]
    axes: tuple[int | None, ...]


class Scope(Struct):
    """The parts of a large program that ran, for a report."""

    groups: int = 0
    sanitized: int = 0

    def __str__(self) -> str:
        if not self.groups:
            return ""
        if self.sanitized == self.groups:
            return f"all {self.groups} workgroups ran with the sanitizer"
        return (
            f"all {self.groups} workgroups ran: every element was compared, and stored once; "
            f"{self.sanitized} of them ran in every setting with the sanitizer"
        )


def is_large(graph: Program) -> bool:
    """Whether it takes long to run a graph of known sizes in every setting."""
    values = [
        value
        for module in graph.modules
        for statement in module.statements
        for value in (statement.results if statement.op is PARAM else statement.operands)
        if statement.op is PARAM or statement is module.statements[-1]
    ]
    return sum(tensor_type(value).size for value in values) > LARGE


class LargeSubject(Struct, frozen=True):
    """A large program to compare with its graph: the errors that it may have, its settings, the plainest
    first, and a function that runs it in a setting."""

    program: CompiledProgram
    graph: Program
    rules: Rules
    settings: Sequence[Setting]
    run: Run


def large_outcomes(
    subject: LargeSubject, seed: int, scope: Scope, progress: Progress
) -> Iterator[list[Outcome]]:
    """Every run of a large program, each with its outputs in `@return` order. `scope` receives the workgroups
    that ran, and `progress` the number of finished runs in every setting."""
    program, graph, chosen = subject.program, subject.graph, subject.settings
    names = [value.name for module in graph.modules for value in module.statements[-1].operands]

    def compared_run(case: Case, setting: Setting) -> list[Outcome]:
        results = subject.run(case.given.arrays, setting)
        label = f"{case.given.name}; {setting}"
        compared = [_compare(*each) for each in zip(case.expected, results, case.axes, strict=True)]
        return [Outcome(name, label, comparison) for name, comparison in zip(names, compared, strict=True)]

    scope.groups = scope.sanitized = sum(
        [prod(kernel.workgroups if kernel.grid else (1,)) for kernel, _ in program.launches]
    )
    is_single = len(program.launches) == 1
    for case in _cases(graph, subject.rules, seed):
        first, *others = chosen if case.given.in_every_setting else chosen[:1]
        sampling = Sampling(seed, is_plain=not case.given.in_every_setting)
        run_first = compared_run(case, replace(first, sampling=sampling))
        if case.given.in_every_setting:
            scope.sanitized = min(scope.sanitized, sampling.sanitized)
        yield run_first
        for number, setting in enumerate(others, 1):
            progress(number, len(chosen))
            # no kernel reads the results of a single kernel, so some of its workgroups suffice
            again = replace(sampling, is_first=not is_single)
            yield compared_run(case, replace(setting, sampling=again))


def _cases(graph: Program, rules: Rules, seed: int) -> Iterator[Case]:
    """The inputs of a large program. If rows do not depend on each other, each kind has rows of its own."""
    repeating_program = repeated(graph)
    if repeating_program is not None:
        for name, period in _periods(repeating_program, seed):
            expected = _of_blocks(repeating_program, period, rules)
            given = Inputs(name, repeating_program.whole(period), name == _EVERY_KIND)
            yield Case(given, expected, repeating_program.results)
        return
    parameters = _parameters(graph)
    if moves_alone(graph):
        sets: Iterable[Inputs] = [Inputs(_EVERY_KIND, spread_inputs(parameters, seed))]
    else:
        sets = few_inputs(parameters, seed, only_adds(graph), long_factors(graph, parameters))
    for given in sets:
        expected = evaluate(graph, given.arrays, rules)
        yield Case(given, expected, (None,) * len(expected))


def _periods(program: Repeated, seed: int) -> Iterator[tuple[str, list[Array]]]:
    """The inputs of a period. A result of a single element may equal its neighbour's, or 0, by chance, so
    rows with such results are tried on several inputs."""
    parameters = _parameters(program.graph)
    yield _EVERY_KIND, _period(program, seed)
    if program.gives_elements:
        yield "other ordinary numbers", ordinary_inputs(parameters, seed + 2)
    if program.is_of_elements:
        yield "numbers above 0", [np.abs(array) for array in ordinary_inputs(parameters, seed + 1)]


def _period(program: Repeated, seed: int) -> list[Array]:
    """The inputs of a period: a block of every kind of input, then blocks of peaks and troughs."""
    parameters = _parameters(program.graph)
    first = mixed_inputs(parameters, program.parameters, seed)
    if program.blocks == 1:
        return first
    longer: list[Statement] = []
    for parameter, axis in zip(parameters, program.parameters, strict=True):
        type_ = tensor_type(parameter.result)
        dims = [*type_.shape]
        if axis is not None:
            dims[axis] *= program.blocks - 1
        value = Value(parameter.result.name, tensor(type_.element, tuple(dims)))
        longer.append(replace(parameter, results=(value,)))
    others = peaks_and_troughs(longer, program.parameters, seed)
    return [
        before if axis is None else np.concatenate([before, after], axis)
        for before, after, axis in zip(first, others, program.parameters, strict=True)
    ]


def _of_blocks(program: Repeated, period: Sequence[Array], rules: Rules) -> list[Range]:
    """The reference of a period, block by block."""
    blocks: list[list[Range]] = []
    repeating = next(place for place, axis in enumerate(program.parameters) if axis is not None)
    rows = period[repeating].shape[program.parameters[repeating] or 0]
    for start in range(0, rows, program.block):
        pairs = zip(period, program.parameters, strict=True)
        own = [array if axis is None else part(array, axis, start, program.block) for array, axis in pairs]
        blocks.append(evaluate(program.graph, own, rules))
    if len(blocks) == 1:
        return blocks[0]
    of_results = zip(zip(*blocks, strict=True), program.results, strict=True)
    return [joined(ranges, axis, rows) for ranges, axis in of_results]


def _parameters(graph: Program) -> list[Statement]:
    return [statement for module in graph.modules for statement in module.statements if statement.op is PARAM]


def _compare(expected: Range, actual: Array, axis: int | None) -> Comparison:
    if isinstance(actual, np.ma.MaskedArray):
        return compare_written(expected, actual, axis)
    return compare(expected, actual) if axis is None else compare_periods(expected, actual, axis)


def compare_periods(expected: Range, actual: Array, axis: int) -> Comparison:
    """Compare results that repeat along an axis with the reference of their first period.

    Each further period must have the bits of the first. If a period differs, its own elements are compared
    with the reference.
    """
    period = expected.value.shape[axis]
    first = part(actual, axis, 0, period)
    comparison = compare(expected, first)
    bits = _bits(actual)
    wanted = part(bits, axis, 0, period)
    for start in range(period, actual.shape[axis], period):
        own = part(bits, axis, start, period)
        length = own.shape[axis]
        if np.array_equal(own, part(wanted, axis, 0, length)):
            comparison = replace(comparison, elements=comparison.elements + own.size)
            continue
        other = compare(cut_range(expected, axis, 0, length), part(actual, axis, start, period))
        comparison = worse(comparison, moved(other, axis, start))
    return comparison


def compare_written(expected: Range, actual: Array, axis: int | None) -> Comparison:
    """Compare the elements that are not masked with the reference, which is of a period along `axis`, or of
    every element if there is no axis. The others were compared when the whole grid ran, and are counted."""
    places = np.nonzero(~np.ma.getmaskarray(actual))
    chosen = [*places]
    if axis is not None:
        chosen[axis] = places[axis] % expected.value.shape[axis]
    picked = rearranged(expected, lambda array: array[tuple(chosen)])
    comparison = compare(picked, np.ma.getdata(actual)[places])
    if comparison.index is None:
        return comparison
    (place,) = comparison.index
    index = tuple([int(each[place]) for each in places])
    return replace(comparison, index=index, elements=actual.size)


def _bits(array: Array) -> Array:
    """The bits of numbers; a NaN equals only a NaN with the same bits."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
