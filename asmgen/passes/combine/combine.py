"""Combine: rewriting on SSA, before allocation, until no rewrite applies.

Each round walks the program once in layout order. Copies and constants move into their uses, single
instructions fold, pairs fuse, and then repeated and dead instructions go away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from asmgen.passes.combine.addresses import has_offset, with_offset
from asmgen.passes.combine.common import Shared, share_common
from asmgen.passes.combine.copies import Copies, propagate_arguments, propagated
from asmgen.passes.combine.fma import contracted, is_sum
from asmgen.passes.combine.fold import EVALUATE, decided, field_extract, simplified
from asmgen.passes.combine.fusions import fused, gathers_bytes, may_be_fused, takes_field
from asmgen.passes.combine.known_zeros import KnownZeros
from asmgen.passes.combine.lines import removals, rewritings, sharings
from asmgen.passes.combine.row_lanes import may_read_lanes, with_lanes
from asmgen.passes.combine.signs import may_have_signs, may_negate_constant, with_negated_constant, with_signs
from asmgen.passes.dead import Swept, remove_dead
from asmgen.passes.ssa import Rewriter, Site, is_copy
from asmgen.trace import OFF, Channel, Trace
from isa.instruction import ExecMode, Instr, Row
from isa.lane_masks import writes_exec
from isa.named_tuple import NamedTuple
from isa.operations import Operation, meaning_of
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register
from isa.table import Table

ROUNDS = 4
_OF_THREE = frozenset({Operation.FLOAT_MINIMUM_OF_THREE, Operation.FLOAT_MAXIMUM_OF_THREE})


def combine(kernel: Kernel, trace: Trace = OFF) -> Kernel:
    """An equivalent kernel in SSA with fewer or cheaper instructions."""
    swept = _without_dead(kernel, trace)
    former: _Round | None = None
    for _ in range(ROUNDS):
        this = _Round(swept, former)
        this.walk()
        trace.tell(Channel.COMBINE, rewritings, this.rewriter)
        this.share()
        trace.tell(Channel.CSE, sharings, this.rewriter, this.shared)
        former = this
        if not this.rewriter.changed:
            break
        swept = _without_dead(propagate_arguments(this.rewriter.finish(), this.known.copies), trace)
    assert former is not None, "there is a round at least"
    return _with_single_parameters(swept.kernel, former.known.copies, trace)


def _with_single_parameters(kernel: Kernel, copies: Copies, trace: Trace) -> Kernel:
    """The kernel with one register for equal scalar parameters, if a block has several parameters."""
    if all(len(block.scalar_parameters) < 2 for block in kernel.blocks):
        return kernel
    from asmgen.passes.combine.parameters import with_single_parameters

    single = with_single_parameters(kernel, copies)
    return kernel if single is kernel else _without_dead(single, trace).kernel


def _without_dead(kernel: Kernel, trace: Trace) -> Swept:
    swept = remove_dead(kernel)
    trace.tell(Channel.COMBINE, removals, kernel, swept.kernel)
    return swept


class _Known(NamedTuple):
    """The facts at an instruction: the program, the copies and zeros before it, and the writers of SCC that
    have a reader."""

    rewriter: Rewriter
    copies: Copies
    zeros: KnownZeros
    scc_reads: frozenset[Site]


_Rewriting = Callable[[Instr, Site, _Known], Instr | None]


class _Round:
    """A walk over the instructions in layout order. Each is rewritten with the facts from the instructions
    before it.

    The rewrites of an instruction depend on the instruction, on the definitions of its operands, and on the
    number of their uses. So rounds after the first only visit instructions that name a unit with news:
    `_news`, or all units if it is None. The facts of the results of other instructions stay.
    """

    def __init__(self, swept: Swept, former: _Round | None) -> None:
        self.rewriter = Rewriter(swept.kernel, swept.reads, None if former is None else former.rewriter)
        scc_reads = frozenset([Site(*place) for place in swept.awaited])
        copies, zeros = Copies(self.rewriter), KnownZeros(swept.kernel)
        if former is not None:
            copies.take(former.known.copies)
            zeros.take(former.known.zeros)
        self.known = _Known(self.rewriter, copies, zeros, scc_reads)
        self.shared: list[Shared] = []
        self.copied: list[Instr] = []  # the replacements of shared computations
        self._awaited = {id(instr): instr for instr in map(self.rewriter.at, scc_reads)}
        self._former = former
        # instructions with a reader of SCC in only one of the two rounds
        self._flagged = [] if former is None else _apart(former._awaited, self._awaited)
        self._news = None if former is None else self._since(former)

    def _since(self, former: _Round) -> set[int]:
        """The virtual units to look at again: of replaced instructions, of units with more or fewer readers,
        and of instructions that gained or lost readers of SCC."""
        before = former.rewriter
        counts = before.use_counts.items() ^ self.rewriter.use_counts.items()
        flagged = [unit for instr in self._flagged for unit in (*instr.units.read, *instr.units.written)]
        units = before.replaced.union([unit for unit, _ in counts], flagged)
        return {unit for unit in units if unit >= FIRST_VIRTUAL}

    def walk(self) -> None:
        """Rewrite instructions."""
        copies, zeros, news = self.known.copies, self.known.zeros, self._news
        for site, instr in self.rewriter.sites():
            if news is not None:
                units = instr.units
                if news.isdisjoint(units.read) and news.isdisjoint(units.written):
                    zeros.note_physical(instr)
                    continue
            copies.forget(instr)
            now = self._rewritten(instr, site)
            copies.note(now)
            zeros.note(now)
            if news is not None and self._former is not None:
                self._pass_on(instr, now, news, self._former)

    def _rewritten(self, instr: Instr, site: Site) -> Instr:
        """The last replacement of an instruction; the instruction itself if nothing applies."""
        rewriter = self.rewriter
        better = None
        if self.known.copies.may_change(instr):
            better = propagated(instr, site, self.known.copies, rewriter)
        better = better or _improved(instr, site, self.known)
        while better is not None:
            instr = better
            rewriter.replace(site, instr)
            better = _improved(instr, site, self.known)
        return instr

    def _pass_on(self, before: Instr, now: Instr, news: set[int], former: _Round) -> None:
        """Add the results of an instruction with news: the register that they copy, their known zeros, or
        their computation."""
        results = now.units.written
        is_new = now is not before or is_copy(now)
        zeros, others = self.known.zeros, former.known.zeros
        if is_new or any(zeros.of_unit(unit) != others.of_unit(unit) for unit in results):
            news.update(unit for unit in results if unit >= FIRST_VIRTUAL)

    def share(self) -> None:
        """Turn repeated computations into copies, as far as they are new or were not shared yet: two
        instructions that were there before would have been shared."""
        made, rows = self.rewriter.made, None
        if self._former is not None and not any(map(writes_exec, made)):
            rows = {instr.row for instr in (*made, *self._former.copied, *self._flagged)}
        before = len(made)
        if rows is None or rows:
            self.shared = share_common(self.rewriter, self.known.scc_reads, rows)
        self.copied = made[before:]


def _apart(before: dict[int, Instr], now: dict[int, Instr]) -> list[Instr]:
    """The instructions of only one of two sets by identity."""
    either = before | now
    return [either[key] for key in before.keys() ^ now.keys()]


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
    is_choice = meaning is not None and meaning.operation is Operation.SELECT
    is_extreme = meaning is not None and meaning.operation in _OF_THREE
    # v_cvt_f32_ubyte reads a byte in the short encoding
    has_bytes = meaning is not None and meaning.operation is Operation.FLOAT_OF_UNSIGNED
    asked: tuple[tuple[bool, _Rewriting], ...] = (
        (is_integer or is_choice, _simplified),
        (is_choice, lambda instr, site, known: decided(instr, site, known.rewriter)),
        (may_have_signs(table, row), lambda instr, site, known: with_signs(instr, site, known.rewriter)),
        (may_negate_constant(row), lambda instr, _, known: with_negated_constant(instr, known.rewriter)),
        (is_sum(row), lambda instr, site, known: contracted(instr, site, known.rewriter)),
        (is_integer, lambda instr, site, known: field_extract(instr, site, known.rewriter)),
        (takes_field(row) or gathers_bytes(row), _with_fields),
        (row.exec_mode is ExecMode.MASKED and not has_bytes, _with_selects),
        (may_be_fused(row), lambda instr, site, known: fused(instr, site, known.rewriter, known.scc_reads)),
        (is_extreme, lambda instr, site, known: _of_three(instr, site, known.rewriter)),
        (may_read_lanes(row), lambda instr, site, known: with_lanes(instr, site, known.rewriter)),
        (has_offset(row), lambda instr, site, known: with_offset(instr, site, known.zeros, known.rewriter)),
    )
    return tuple([rewriting for applies, rewriting in asked if applies])


def _with_fields(instr: Instr, site: Site, known: _Known) -> Instr | None:
    """A field of a field, or bytes of bytes: few kernels have them."""
    rewriter = known.rewriter
    read = [each for each in instr.operands[1:] if isinstance(each, Register)]
    made = [definition[1].row for each in read if (definition := rewriter.definition(each)) is not None]
    if not any(takes_field(row) or gathers_bytes(row) for row in made):
        return None
    from asmgen.passes.combine.fields import gathered, nested

    rewriting = gathered if gathers_bytes(instr.row) else nested
    return rewriting(instr, site, known.copies, rewriter)


def _of_three(instr: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    from asmgen.passes.combine.extremes import extreme_of_three

    return extreme_of_three(instr, site, rewriter)


def _with_selects(instr: Instr, site: Site, known: _Known) -> Instr | None:
    if known.rewriter.results_of(_is_field).isdisjoint(instr.units.read):
        return None
    from asmgen.passes.combine.selects import with_selects

    return with_selects(instr, site, known.rewriter)


@cache
def _is_field(row: Row) -> bool:
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation in (Operation.FIELD, Operation.FIELD_SIGNED)


def _simplified(instr: Instr, site: Site, known: _Known) -> Instr | None:
    return simplified(instr, known.rewriter, known.zeros, known.copies, site in known.scc_reads)
