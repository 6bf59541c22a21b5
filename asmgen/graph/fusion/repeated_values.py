"""Stores values that kernels compute many times, if all kernels together then take less time.

    e = exp(x)                                                   x is {1000,16}
    d = sub(unsqueeze[axes={1}](e), unsqueeze[axes={0}](e))      {1000,1000,16}: 2,000 times each e
    s = reduce_sum[axes={2}](abs(d))

Without e in memory, the kernel of s computes each element of e for each pair. It also computes a value again
for each way in which moves reach its elements, as in add(roll(e), e); and two kernels that need a value both
compute it, even if it is a result of the graph.

A stored value has a kernel of its own, or is stored by a kernel that makes some of its operands. The values
are tried in turn, and the caller estimates the clocks of the kernels
(`asmgen.blockwise.schedules.choosing.kernel_clocks`). A value is only tried if the kernels that compute it
take more clocks than the least gain: of a large graph that leaves few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.evaluations import BEGINS, count, evaluations, issues_of
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.keep import Kept, is_move
from asmgen.graph.ops import PARAM
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import row_major
from isa.named_tuple import NamedTuple

# The most of the clocks that the kernels may take with another value in memory. Of 80 random programs on
# gfx942 and gfx1201, 26 take 0.2 to 0.98 of their clocks with 0.98, and none takes more. With 0.8 it is 12.
_GAIN = 0.98
_REPEATED = 1.5  # times that kernels compute a value
_LEAST = 100_000  # repeated instructions: fewer take less time than a launch on every target
_RANKED, _TRIED, _ROUNDS = 8, 3, 4  # values with the most repeated instructions

Cut = Callable[[Kept], list[FusedKernel]]
Clocks = Callable[[FusedKernel], float]
_Key = tuple[object, ...]


class Tried(NamedTuple):
    """A value, whether it is stored, and the clocks of all kernels with it and without it."""

    value: Value
    is_stored: bool
    stored: float
    computed: float


class Repeated(NamedTuple):
    """The values that are stored, the kernels, and the best value of each round."""

    kept: Kept
    kernels: list[FusedKernel]
    tried: list[Tried]


def with_repeated_stored(module: Module, kernels: list[FusedKernel], cut: Cut, clocks: Clocks) -> Repeated:
    """The kernels of a graph, with values stored that they would compute again. `cut` gives the kernels with
    some values stored, and `clocks` estimates those of a kernel. Graphs with named dims stay as they are."""
    best = Repeated(Kept(), kernels, [])
    if not _has_known_dims(module):
        return best
    clocks_of = _Sums(clocks)
    for _ in range(_ROUNDS):
        values = repeated_values(module, best.kernels)
        now = clocks_of(best.kernels) if values else 0
        ways = [
            (value, kept)
            for value in values
            if clocks_of([each for each in best.kernels if _computes(each, value)]) > (1 - _GAIN) * now
            for kept in best.kept.ways_with(value)
        ]
        if not ways:
            return best
        taken = [cut(kept) for _, kept in ways]
        after = [clocks_of(each) for each in taken]
        place = after.index(min(after))
        value, kept = ways[place]
        is_stored = after[place] < _GAIN * now
        tried = [*best.tried, Tried(value, is_stored, after[place], now)]
        if not is_stored:
            return best._replace(tried=tried)
        best = Repeated(kept, taken[place], tried)
    return best


class _Sums:
    """Sums of the clocks of kernels, each of which is estimated once."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks
        self._known: dict[_Key, float] = {}

    def __call__(self, kernels: Sequence[FusedKernel]) -> float:
        return sum([self._clocks_of(kernel) for kernel in kernels])

    def _clocks_of(self, kernel: FusedKernel) -> float:
        key = _key(kernel)
        if key not in self._known:
            self._known[key] = self._clocks(kernel)
        return self._known[key]


def repeated_values(module: Module, kernels: Sequence[FusedKernel]) -> list[Value]:
    """The values that kernels compute several times, those of the most repeated instructions first."""
    defined, times = definitions(module), _times(kernels)
    repeated = [
        value
        for value in _last_repeated(module, times)
        if not _is_read(defined[value]) and tensor_type(value).strides == row_major(tensor_type(value).dims)
    ]
    more = {value: (times[value] - 1) * count(value) for value in repeated}
    ranked = sorted(more, key=lambda value: -more[value])[:_RANKED]
    saved = {value: more[value] * issues_of(defined, value) for value in ranked}
    worth = [value for value in ranked if saved[value] > _LEAST]
    return sorted(worth, key=lambda value: -saved[value])[:_TRIED]


def _computes(kernel: FusedKernel, value: Value) -> bool:
    return any(value in each.results and each.op is not PARAM for each in kernel.module.statements)


def _has_known_dims(module: Module) -> bool:
    results = [result for statement in module.statements for result in statement.results]
    return all(isinstance(tensor_type(result).elements, int) for result in results)


def _key(kernel: FusedKernel) -> _Key:
    """Kernels of a graph with the same key compute the same."""
    made = [(each.op, each.results) for each in kernel.module.statements[:-1]]
    return (*made, tuple([output.value for output in kernel.outputs]))


def _times(kernels: Sequence[FusedKernel]) -> dict[Value, float]:
    """How often kernels compute each value. A factor of a product is stored for other reasons
    (`keep.py`)."""
    times: dict[Value, float] = {}
    for kernel in kernels:
        if not any(each.op in PRODUCTS for each in kernel.module.statements):
            for value, elements in evaluations(kernel.module).items():
                times[value] = times.get(value, 0.0) + elements / max(1, count(value))
    return times


def _last_repeated(module: Module, times: dict[Value, float]) -> dict[Value, None]:
    """The repeated values that are results, are moved, or have a reader that is computed less often."""
    return {
        operand: None
        for statement in module.statements
        for operand in statement.operands
        if times.get(operand, 0.0) >= _REPEATED
        and (
            not statement.op.pointwise
            or times[operand] > _REPEATED * max([times.get(result, 0.0) for result in statement.results])
        )
    }


def _is_read(statement: Statement) -> bool:
    return statement.op in BEGINS or is_move(statement)
