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

Then the product is rounded everywhere. Sums that are computed once stay as they are, but for the difference
of a product and one of its elements: `sub(p, reduce_min(p))` is never negative. A sum of chosen elements
(`asmgen.graph.rewritings.early_choices`) is the same sum as that of all elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.keep import is_move
from asmgen.graph.ops import (
    ADD,
    BROADCAST,
    CONVERT,
    CUMMAX,
    CUMMIN,
    EXP,
    MAX,
    MIN,
    MUL,
    MULTIBROADCAST,
    NEG,
    PARAM,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCTIONS,
    SLICE,
    SUB,
    TAKE_ALONG_AXIS,
    WHERE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.rounded import WIDEN
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import F64
from isa.named_tuple import NamedTuple

_SUMS = frozenset({ADD, SUB})
# a result of these is an element of an operand, or in a wider type
_CHOICES = frozenset({CONVERT, CUMMAX, CUMMIN, MAX, MIN, REDUCE_MAX, REDUCE_MIN, WHERE, WIDEN})
_Operand = tuple[Value, int]  # of the sum that is this value, with the number of the operand


class _Part(NamedTuple):
    """The elements of a value that slices leave. Code computes each part by itself."""

    value: Value
    slices: tuple[str, ...]


def rounded_alike(kernels: list[FusedKernel]) -> list[FusedKernel]:
    """The kernels of a graph. If several compute the same sum of products, they round it alike."""
    values = _Values(kernels)
    rounded = _rounded(kernels, values, _computed_again(kernels, values))
    if not rounded:
        return kernels
    return [kernel._replace(module=_with_roundings(kernel.module, values, rounded)) for kernel in kernels]


class _Values:
    """The values of kernels, and which of them are the same computation."""

    def __init__(self, kernels: Sequence[FusedKernel]) -> None:
        self.statements = [each for kernel in kernels for each in kernel.module.statements]
        # later kernels have a kept value as a parameter
        self.statements.sort(key=lambda each: each.op is not PARAM)
        self._defined = {result: each for each in self.statements for result in each.results}
        self._originals: dict[Value, Value] = {}
        if any(each.op is TAKE_ALONG_AXIS for each in self.statements):
            self._find_copies()

    def _find_copies(self) -> None:
        first: dict[tuple[object, ...], Value] = {}
        for each in self.statements:
            if each.op.pointwise:
                operands = tuple([self.part(operand)[0] for operand in each.operands])
                key = (each.op, operands, repr(each.attributes))
                self._originals[each.result] = first.setdefault(key, each.result)

    def original(self, value: Value) -> Value:
        """The first value that is computed alike."""
        return self._originals.get(value, value)

    def part(self, value: Value) -> tuple[_Part, bool]:
        """The part of which a value has the elements, and whether it repeats them."""
        slices: list[str] = []
        is_repeated = False
        while _is_moved(statement := self._defined[value]):
            if statement.op is SLICE:
                slices.append(str(statement.attributes))
            is_repeated |= statement.op in (BROADCAST, MULTIBROADCAST)
            value = statement.operands[0]
        return _Part(self.original(value), tuple(slices)), is_repeated

    def readers(self) -> dict[_Part, set[tuple[Value, ...]]]:
        """The results of the statements that compute with each part."""
        readers: dict[_Part, set[tuple[Value, ...]]] = {}
        for each in self.statements:
            if not _is_moved(each):
                results = tuple([self.original(result) for result in each.results])
                for operand in each.operands:
                    readers.setdefault(self.part(operand)[0], set()).add(results)
        return readers

    def is_chosen(self, value: Value, source: Value) -> bool:
        """Whether a value may be an element of another, as its maximum is."""
        pending, seen = [self.part(value)[0].value], set[Value]()
        while pending:
            made = self._defined[pending.pop()]
            if made.op not in _CHOICES or made.result in seen:
                continue
            seen.add(made.result)
            operands = [self.part(operand)[0].value for operand in made.operands]
            if source in operands:
                return True
            pending += operands
        return False

    def is_product(self, part: _Part) -> bool:
        """Whether a part is of a product."""
        return self._defined[part.value].op is MUL


def _is_moved(statement: Statement) -> bool:
    """Whether a value has elements of the first operand as they are."""
    if statement.op in (CONVERT, WIDEN):
        return statement.result.type.element is statement.operands[0].type.element
    return is_move(statement) or statement.op is TAKE_ALONG_AXIS


def _is_sum(statement: Statement) -> bool:
    """Whether a statement is a sum or a difference that `final` may contract."""
    if statement.op not in _SUMS:
        return False
    element = statement.result.type.element
    return element.is_float and element is not F64


def _computed_again(kernels: Sequence[FusedKernel], values: _Values) -> set[Value]:
    """The sums that several kernels compute, or several loops of a kernel may."""
    counts: Counter[Value] = Counter()
    for kernel in kernels:
        times = 2 if _has_passes(kernel) else 1
        for each in filter(_is_sum, kernel.module.statements):
            counts[values.original(each.result)] += times
    return {value for value, count in counts.items() if count > 1}


def _has_passes(kernel: FusedKernel) -> bool:
    """Whether a kernel may read its operands several times: it has several reductions, or computes other
    values from their results."""
    reduced = {each.result for each in kernel.module.statements[:-1] if each.op in REDUCTIONS}
    return len(reduced) > 1 or (bool(reduced) and any(each.value not in reduced for each in kernel.outputs))


def _rounded(kernels: Sequence[FusedKernel], values: _Values, again: set[Value]) -> set[_Operand]:
    """The operands of sums that are products to round first. `again` are the sums that are computed again."""
    readers = values.readers() if again else {}
    some, every = _exponents(kernels, values)
    rounded: set[_Operand] = set()
    for each in values.statements:
        if not _is_sum(each) or (value := values.original(each.result)) in every:
            continue
        for number, operand in enumerate(each.operands):
            part, is_repeated = values.part(operand)
            if not values.is_product(part):
                continue
            may_differ = value in again and (len(readers[part]) > 1 or value in some or is_repeated)
            if may_differ or values.is_chosen(each.operands[1 - number], part.value):
                rounded.add((value, number))
    return rounded


def _exponents(kernels: Sequence[FusedKernel], values: _Values) -> tuple[set[Value], set[Value]]:
    """The values that an exp reads in some kernel, and the values that an exp reads in all their kernels."""
    some, without = set[Value](), set[Value]()
    for kernel in kernels:
        statements = kernel.module.statements[:-1]
        own = {values.original(each.operands[0]) for each in statements if each.op is EXP}
        some |= own
        without |= {values.original(each.result) for each in statements if each.op in _SUMS} - own
    return some, some - without


def _with_roundings(module: Module, values: _Values, rounded: Collection[_Operand]) -> Module:
    """The module with two negations of these operands. `final` contracts no product that something else
    reads, and instructions negate their operands for free."""
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement.op not in _SUMS:
            rewriter.keep(statement)
            continue
        operands = list(statement.operands)
        for number, operand in enumerate(operands):
            if (values.original(statement.result), number) in rounded:
                negative = rewriter.apply(NEG, (operand,), statement, "negative")
                operands[number] = rewriter.apply(NEG, (negative,), statement, "rounded")
        rewriter.keep(replace(statement, operands=tuple(operands)))
    return rewriter.module()
