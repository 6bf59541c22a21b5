"""Combine: rewriting on SSA, before allocation, until nothing is left to gain.

Each round walks the program once in layout order; copies and constants move into their uses, single
instructions fold, pairs fuse, and what then repeats or is dead goes away.
"""

from __future__ import annotations

from functools import cache

from asmgen.passes.addresses import with_offset
from asmgen.passes.common import scc_readers, share_common
from asmgen.passes.contract import contracted
from asmgen.passes.copies import Copies, propagate_arguments, propagated
from asmgen.passes.dead import remove_dead
from asmgen.passes.fold import EVALUATE, field_extract, simplified
from asmgen.passes.fusions import fused, may_be_fused
from asmgen.passes.ranges import KnownZeros
from asmgen.passes.rewriting_lines import removals, rewritings, sharings
from asmgen.passes.signs import with_signs
from asmgen.passes.ssa import Rewriter, Site, scc_live_out
from asmgen.trace import OFF, Channel, Trace
from isa.instruction import Instr, Row
from isa.operations import meaning_of
from isa.program import Kernel

ROUNDS = 4


def combine(kernel: Kernel, trace: Trace = OFF) -> Kernel:
    """An equivalent kernel in SSA with fewer or cheaper instructions."""
    kernel = _without_dead(kernel, trace)
    for _ in range(ROUNDS):
        rewriter = Rewriter(kernel)
        scc_reads = scc_readers(rewriter, scc_live_out(kernel))
        copies = _walk(rewriter, scc_reads)
        trace.tell(Channel.COMBINE, rewritings, rewriter)
        shared = share_common(rewriter, scc_reads)
        trace.tell(Channel.CSE, sharings, rewriter, shared)
        if not rewriter.changed:
            return kernel
        kernel = _without_dead(propagate_arguments(rewriter.finish(), copies), trace)
    return kernel


def _without_dead(kernel: Kernel, trace: Trace) -> Kernel:
    swept = remove_dead(kernel)
    trace.tell(Channel.COMBINE, removals, kernel, swept)
    return swept


def _walk(rewriter: Rewriter, scc_reads: frozenset[Site]) -> Copies:
    """One pass over all instructions, each rewritten with what is known of those before it."""
    copies, facts = Copies(rewriter), KnownZeros(rewriter.kernel)
    for number, code in enumerate(rewriter.code):
        for position in range(len(code)):
            site = Site(number, position)
            _rewrite(site, copies, facts, rewriter, scc_reads)
            instr = code[position]
            copies.note(instr)
            facts.note(instr)
    return copies


def _rewrite(
    site: Site, copies: Copies, facts: KnownZeros, rewriter: Rewriter, scc_reads: frozenset[Site]
) -> None:
    instr = rewriter.at(site)
    with_copies = propagated(instr, site, copies, rewriter)
    if with_copies is not None:
        rewriter.replace(site, with_copies)
        instr = with_copies
    better = _improved(instr, site, copies, facts, rewriter, scc_reads)
    while better is not None:
        rewriter.replace(site, better)
        better = _improved(better, site, copies, facts, rewriter, scc_reads)


def _improved(
    instr: Instr, site: Site, copies: Copies, facts: KnownZeros, rewriter: Rewriter,
    scc_reads: frozenset[Site],
) -> Instr | None:  # fmt: skip
    """The first rewriting that applies, or None."""
    is_integer = _is_integer(instr.row)
    return (
        (simplified(instr, rewriter, facts, copies, site in scc_reads) if is_integer else None)
        or with_signs(instr, site, rewriter)
        or contracted(instr, site, rewriter)
        or (field_extract(instr, site, rewriter) if is_integer else None)
        or (fused(instr, site, rewriter, scc_reads) if may_be_fused(instr.row) else None)
        or with_offset(instr, site, facts, rewriter)
    )


@cache
def _is_integer(row: Row) -> bool:
    """Whether a row computes what constants are folded for, which are integers; most rows do not."""
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation in EVALUATE
