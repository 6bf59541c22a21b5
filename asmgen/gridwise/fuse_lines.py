"""The lines of `--trace fuse`: where the computed factors of matrix products are computed, and why.

fuse: mlp: y, factor a of o, in the loads: 16 tiles compute it in 6914 clocks; a launch writes it in 31495
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from asmgen.graph.fuse import Partition
from asmgen.gridwise.choose import parts_of_product, verdict_of_factor
from asmgen.gridwise.prepare import prepare
from asmgen.ir.program import Program
from asmgen.options import TF32
from isa.target import Target


def fuse_lines(graphs: Program, target: Target, propagates_nan: bool, precision: str) -> Iterator[str]:
    """A line for each computed factor of each graph."""
    for module in graphs.modules:
        parts = partial(parts_of_product, target=target, rounds=precision == TF32)
        simple = prepare(module, propagates_nan, parts, precision)
        partition = Partition(simple, set(), partial(verdict_of_factor, target=target))
        for factor, (is_stored, why) in partition.verdicts:
            readers = " and ".join([f"{'ab'[number]} of {dot.result.name}" for dot, number in factor.readers])
            where = "stored" if is_stored else "in the loads"
            yield f"{module.name}: {factor.value.name}, factor {readers}, {where}: {why}"
