"""Combine: rewriting on SSA, before allocation, until nothing is left to gain.

Each round walks the program once in layout order; copies and constants move into their uses, single
instructions fold, pairs fuse, and what then repeats or is dead goes away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from asmgen.passes.addresses import has_offset, with_offset
from asmgen.passes.common import scc_readers, share_common
from asmgen.passes.contract import contracted, is_sum
from asmgen.passes.copies import Copies, propagate_arguments, propagated
from asmgen.passes.dead import remove_dead
from asmgen.passes.fold import EVALUATE, field_extract, simplified
from asmgen.passes.fusions import fused, may_be_fused
from asmgen.passes.ranges import KnownZeros
from asmgen.passes.rewriting_lines import removals, rewritings, sharings
from asmgen.passes.signs import may_have_signs, with_signs
from asmgen.passes.ssa import Rewriter, Site, scc_live_out
from asmgen.trace import OFF, Channel, Trace
from isa.instruction import Instr, Row
from isa.operations import meaning_of
from isa.program import Kernel
from isa.table import Table

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


class _Known(NamedTuple):
    """What is known at an instruction: the program, copies and zeros before it, and whose SCC is read."""

    rewriter: Rewriter
    copies: Copies
    zeros: KnownZeros
    scc_reads: frozenset[Site]


_Rewriting = Callable[[Instr, Site, _Known], Instr | None]


def _walk(rewriter: Rewriter, scc_reads: frozenset[Site]) -> Copies:
    """One pass over all instructions, each rewritten with what is known of those before it."""
    copies, zeros = Copies(rewriter), KnownZeros(rewriter.kernel)
    known = _Known(rewriter, copies, zeros, scc_reads)
    for number, code in enumerate(rewriter.code):
        for position in range(len(code)):
            if copies.may_change(code[position]):
                _propagate(Site(number, position), known)
            if _rewritings(rewriter.table, code[position].row):
                _improve(Site(number, position), known)
            copies.note(code[position])
            zeros.note(code[position])
    return copies


def _propagate(site: Site, known: _Known) -> None:
    with_copies = propagated(known.rewriter.at(site), site, known.copies, known.rewriter)
    if with_copies is not None:
        known.rewriter.replace(site, with_copies)


def _improve(site: Site, known: _Known) -> None:
    better = _improved(known.rewriter.at(site), site, known)
    while better is not None:
        known.rewriter.replace(site, better)
        better = _improved(better, site, known)


def _improved(instr: Instr, site: Site, known: _Known) -> Instr | None:
    """The first rewriting that applies, or None."""
    for rewriting in _rewritings(known.rewriter.table, instr.row):
        better = rewriting(instr, site, known)
        if better is not None:
            return better
    return None


@cache
def _rewritings(table: Table, row: Row) -> tuple[_Rewriting, ...]:
    """Those that may apply to instructions of a row, in the order in which they are tried; most rows have
    none."""
    meaning = meaning_of(row)
    is_integer = meaning is not None and meaning.operation in EVALUATE
    asked: tuple[tuple[bool, _Rewriting], ...] = (
        (is_integer, _simplified),
        (may_have_signs(table, row), lambda instr, site, known: with_signs(instr, site, known.rewriter)),
        (is_sum(row), lambda instr, site, known: contracted(instr, site, known.rewriter)),
        (is_integer, lambda instr, site, known: field_extract(instr, site, known.rewriter)),
        (may_be_fused(row), lambda instr, site, known: fused(instr, site, known.rewriter, known.scc_reads)),
        (has_offset(row), lambda instr, site, known: with_offset(instr, site, known.zeros, known.rewriter)),
    )
    return tuple([rewriting for applies, rewriting in asked if applies])


def _simplified(instr: Instr, site: Site, known: _Known) -> Instr | None:
    return simplified(instr, known.rewriter, known.zeros, known.copies, site in known.scc_reads)
