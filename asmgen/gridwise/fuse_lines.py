"""The lines of `--trace fuse`: the kernels that compute the factors of matrix products, which products are
a single launch, which running values are stored, which reductions of products are in their launch, which
launches compute the sums of few elements that they read, which values are stored so that no launch computes
them again, which launches combine the results of parts that they read, and why.

fuse: mlp: y, factor a of o, in the loads: 16 tiles compute it in 6914 clocks; a launch writes it in 31495
fuse: mlp: gated and raised, which share x, in one launch: together 4310 clocks, apart 12046
fuse: mlp: h, which a later launch continues, stored by the launch of its operands
fuse: mlp: s in the launch of y: in parts of 128, 330120 clocks, apart 352040
fuse: nearest: s, sums of 3, in the launches that read it: they compute it in 580 clocks; a launch in 4843
fuse: pairs: e, which launches need several times, stored: 10823 clocks with it in memory, 15511 without
fuse: scaled: s, parts of 16, in the launches that read it: they compute it in 325 clocks; a launch in 4830
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.graph.block_dots import reduces_products
from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.fusion.keep import Kept, moved_from, moves_computed
from asmgen.graph.ops import REDUCTIONS
from asmgen.graph.rewritings.rows import ops_of
from asmgen.gridwise.choose import (
    clocks_of_kernel,
    multiplying,
    share_wanted,
    shares_of,
    verdict_of_epilogue,
    verdict_of_factor,
    verdict_of_siblings,
    verdict_of_sums,
)
from asmgen.gridwise.prepare import prepare
from asmgen.ir.program import Module, Program
from asmgen.options import TF32
from isa.target import Target

if TYPE_CHECKING:
    from asmgen.graph.fusion.short_reductions import Placed, Short

_WORD = re.compile(r"\w+")
_FACTORS = "ab"  # of a product, as lines call them


def fuse_lines(graphs: Program, target: Target, propagates_nan: bool, precision: str) -> Iterator[str]:
    """A line for each computed factor of each graph, and for each set of products that share a factor. A line
    is there once for decisions that differ in names alone, such as those of the layers of a model."""
    rounds = precision == TF32
    products = multiplying(target, precision)
    for module in graphs.modules:
        simple = prepare(module, propagates_nan, products)
        names = {result.name for statement in simple.statements for result in statement.results}
        yield from _merged(_lines(simple, target, rounds), names - {*_FACTORS})


def _merged(lines: Iterable[str], names: Collection[str]) -> Iterator[str]:
    """Lines that differ in names alone as the first of them, with the first name of each of the others."""
    alike: dict[str, list[str]] = {}
    for line in lines:
        _, _, decision = line.partition(": ")
        form = _WORD.sub(lambda word: "" if word[0] in names else word[0], decision)
        alike.setdefault(form, []).append(line)
    for line, *others in alike.values():
        subjects = [_WORD.search(other.partition(": ")[2]) for other in others]
        listed = ", ".join([subject[0] for subject in subjects if subject is not None])
        yield f"{line}; likewise {listed}" if listed else line


def _lines(simple: Module, target: Target, rounds: bool) -> Iterator[str]:
    """The lines of a graph that is prepared."""
    is_stored = partial(verdict_of_factor, target=target)
    is_joint = partial(verdict_of_siblings, target=target, rounds=rounds, cuts=False)
    partition = Partition(simple, set(), is_stored, is_joint)
    for group, (is_joint_launch, why) in partition.joints:
        names = " and ".join([dot.result.name for dot in group.dots])
        where = "in one launch" if is_joint_launch else "apart"
        shared = moved_from(partition.defined, group.shared).name
        yield f"{simple.name}: {names}, which share {shared}, {where}: {why}"
    for factor, (is_stored, why) in partition.verdicts:
        readers = " and ".join([f"{_FACTORS[number]} of {dot.result.name}" for dot, number in factor.readers])
        where = "stored" if is_stored else "in the loads"
        yield f"{simple.name}: {factor.value.name}, factor {readers}, {where}: {why}"
    for value, is_stored in partition.running:
        where = "stored by the launch of its operands" if is_stored else "computed again in each launch"
        yield f"{simple.name}: {value.name}, which a later launch continues, {where}"
    yield from _epilogue_lines(simple, partition, target, rounds)
    simple, kernels = yield from _lines_of_sums(simple, partition.kernels(), target)
    kept, kernels = yield from _lines_of_repeated(simple, kernels, target)
    yield from _lines_of_parts(simple, kernels, kept, target)


def _epilogue_lines(simple: Module, partition: Partition, target: Target, rounds: bool) -> Iterator[str]:
    """A line for each kernel of reductions of a product."""
    if not reduces_products(simple):
        return
    from asmgen.gridwise.epilogue import reduced_by_products

    is_taken = partial(verdict_of_epilogue, target=target, rounds=rounds)
    for epilogue, taken in reduced_by_products(simple, partition.kernels(), is_taken, False).verdicts:
        names = " and ".join([each.result.name for each in epilogue.reductions])
        products = " and ".join([dot.result.name for dot in epilogue.dots])
        where = "in the launch of" if taken.is_taken else "apart from"
        yield f"{simple.name}: {names} {where} {products}: {taken.why}"


def _lines_of_sums(
    simple: Module, kernels: list[FusedKernel], target: Target
) -> Generator[str, None, tuple[Module, list[FusedKernel]]]:
    """A line for each kernel of sums of few elements that the kernels that read them could compute. Returns
    the graph and the kernels with these sums in their places."""
    if REDUCTIONS.keys().isdisjoint(ops_of(simple)):
        return simple, kernels
    from asmgen.graph.fusion.short_reductions import in_readers

    def again(module: Module) -> list[FusedKernel]:
        return Partition(module, set(), partial(verdict_of_factor, target=target)).kernels()

    placed = in_readers(simple, kernels, again, partial(verdict_of_sums, target=target))
    for short, verdict in placed.verdicts:
        yield _line_of_short(simple, short, "sums", verdict)
    return placed.module, placed.kernels


def _line_of_short(module: Module, short: Short, what: str, verdict: Placed) -> str:
    names = " and ".join([each.result.name for each in short.reductions])
    where = "in the launches that read it" if verdict.is_in_readers else "in a launch"
    return f"{module.name}: {names}, {what} of {short.length}, {where}: {verdict.why}"


def _lines_of_repeated(
    module: Module, kernels: list[FusedKernel], target: Target
) -> Generator[str, None, tuple[Kept, list[FusedKernel]]]:
    """A line for each value that kernels compute several times, if it was best to store it, and for the best
    of those that are not stored. Returns the values that are stored, and the kernels."""
    if len(kernels) == 1 and not moves_computed(module):
        return Kept(), kernels
    from asmgen.graph.fusion.repeated_values import with_repeated_stored

    def again(kept: Kept) -> list[FusedKernel]:
        return _kernels(module, kept, target)

    def clocks(kernel: FusedKernel) -> float:
        return clocks_of_kernel(Graph(kernel.module), share_wanted, target)

    placed = with_repeated_stored(module, kernels, again, clocks)
    for tried in placed.tried:
        way = "stored" if tried.is_stored else "computed again"
        each = f"{tried.stored:.0f} clocks with it in memory, {tried.computed:.0f} without"
        yield f"{module.name}: {tried.value.name}, which launches need several times, {way}: {each}"
    return placed.kept, placed.kernels


def _lines_of_parts(module: Module, kernels: list[FusedKernel], kept: Kept, target: Target) -> Iterator[str]:
    """A line for each kernel that combines the results of parts, if the kernels that read it could."""
    shares = shares_of([Graph(kernel.module) for kernel in kernels], share_wanted, target)
    if not shares:
        return
    from asmgen.gridwise.parts import in_parts

    placed = in_parts(module, shares, lambda graph: _kernels(graph, kept, target), target)
    for short, verdict in placed.verdicts:
        yield _line_of_short(module, short, "parts", verdict)


def _kernels(module: Module, kept: Kept, target: Target) -> list[FusedKernel]:
    is_stored = partial(verdict_of_factor, target=target)
    return Partition(module, set(), is_stored, kept=Kept.of(module) | kept).kernels()
