"""Sums of products that several launches compute: all of them round alike.

    p = mul(x, y)           Launch 1 computes m. It reads p in the addition alone, so s is an fma. Launch 2
    s = add(p, z)           also reads p for w, so it rounds p before it adds z. Its s may be another number,
    m = reduce_min(s)       and e false for every element. `s = add(neg(neg(p)), z)` rounds p in both.
    e = equal(s, m)
    w = where(e, p, x)

`final` contracts a sum if nothing else in the code reads its product, and if no exp reads the sum
(`asmgen.lanewise.math.rewrite`). So two launches, or two loops of a launch, may round it differently only if

* the graph reads the product elsewhere too,
* a broadcast repeats the product, which two loops may then have in common,
* an exp reads the difference, and not in every launch.

Then the product is rounded everywhere. Sums that are computed once stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from asmgen.graph.fuse import FusedKernel
from asmgen.graph.keep import is_move
from asmgen.graph.ops import ADD, BROADCAST, EXP, MUL, MULTIBROADCAST, NEG, PARAM, REDUCTIONS, SLICE, SUB
from asmgen.graph.rewriter import Rewriter
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import F64
from isa.named_tuple import NamedTuple

_SUMS = frozenset({ADD, SUB})
_Operand = tuple[Value, int]  # of the sum that is this value, with the number of the operand


class _Part(NamedTuple):
    """The elements of a value that slices leave. Code computes each part by itself."""

    value: Value
    slices: tuple[str, ...]


def rounded_alike(kernels: list[FusedKernel]) -> list[FusedKernel]:
    """The kernels of a graph, of which all that compute a sum of products round it alike."""
    rounded = _rounded(kernels, _computed_again(kernels))
    if not rounded:
        return kernels
    return [kernel._replace(module=_with_roundings(kernel.module, rounded)) for kernel in kernels]


def _computed_again(kernels: Sequence[FusedKernel]) -> set[Value]:
    """The sums and differences of floats that several kernels compute, or several loops of a kernel may."""
    counts: Counter[Value] = Counter()
    for kernel in kernels:
        times = 2 if _has_passes(kernel) else 1
        for each in kernel.module.statements[:-1]:
            if each.op in _SUMS and each.result.type.element.is_float and each.result.type.element is not F64:
                counts[each.result] += times
    return {value for value, count in counts.items() if count > 1}


def _has_passes(kernel: FusedKernel) -> bool:
    """Whether a kernel may read its operands several times: it has several reductions, or computes other
    values from their results."""
    reduced = {each.result for each in kernel.module.statements[:-1] if each.op in REDUCTIONS}
    return len(reduced) > 1 or (bool(reduced) and any(each.value not in reduced for each in kernel.outputs))


def _rounded(kernels: Sequence[FusedKernel], sums: set[Value]) -> set[_Operand]:
    """The operands of sums that are products to round first."""
    if not sums:
        return set()
    statements = [each for kernel in kernels for each in kernel.module.statements]
    statements.sort(key=lambda each: each.op is not PARAM)  # later kernels have a kept value as a parameter
    defined = {result: each for each in statements for result in each.results}
    readers: dict[_Part, set[tuple[Value, ...]]] = {}
    for each in statements:
        if not is_move(each):
            for operand in each.operands:
                readers.setdefault(_part(defined, operand)[0], set()).add(each.results)
    some, every = _exponents(kernels)
    rounded: set[_Operand] = set()
    for value in sums - every:
        for number, operand in enumerate(defined[value].operands):
            part, is_repeated = _part(defined, operand)
            may_differ = len(readers[part]) > 1 or value in some or is_repeated
            if may_differ and defined[part.value].op is MUL:
                rounded.add((value, number))
    return rounded


def _part(defined: Mapping[Value, Statement], value: Value) -> tuple[_Part, bool]:
    """The part of which a value has the elements, and whether it repeats them."""
    slices: list[str] = []
    is_repeated = False
    while is_move(statement := defined[value]):
        if statement.op is SLICE:
            slices.append(str(statement.attributes))
        is_repeated |= statement.op in (BROADCAST, MULTIBROADCAST)
        value = statement.operands[0]
    return _Part(value, tuple(slices)), is_repeated


def _exponents(kernels: Sequence[FusedKernel]) -> tuple[set[Value], set[Value]]:
    """The values that an exp reads in some kernel, and the values that an exp reads in all their kernels."""
    some, without = set[Value](), set[Value]()
    for kernel in kernels:
        own = {each.operands[0] for each in kernel.module.statements[:-1] if each.op is EXP}
        some |= own
        without |= {each.result for each in kernel.module.statements[:-1] if each.op in _SUMS} - own
    return some, some - without


def _with_roundings(module: Module, rounded: Collection[_Operand]) -> Module:
    """The module with two negations of these operands. `final` contracts no product that something else
    reads, and instructions negate their operands for free."""
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement.op not in _SUMS:
            rewriter.keep(statement)
            continue
        operands = list(statement.operands)
        for number, operand in enumerate(operands):
            if (statement.result, number) in rounded:
                negative = rewriter.apply(NEG, (operand,), statement, "negative")
                operands[number] = rewriter.apply(NEG, (negative,), statement, "rounded")
        rewriter.keep(replace(statement, operands=tuple(operands)))
    return rewriter.module()
